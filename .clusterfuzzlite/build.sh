#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds every fuzz target as OSS-Fuzz and ClusterFuzzLite want it: with $CC $CFLAGS, linked with
# $LIB_FUZZING_ENGINE, and in $OUT, each with its seeds, dictionary and options. A target's name is
# that of its file in fuzz/. CMAKE_ARGS adds to what CMake is told, WORK is where it builds.
# build.sh NAME...: only these targets, as in `build.sh dtype any`.
project=$SRC/tvmffi-conform
work=${WORK:-/tmp/work}/tvmffi-conform

# MemorySanitizer would take all that comes out of these libraries for uninitialised.
foreign=(baseline inspect metadata policy report signatures waivers)

# The compilers and their flags come from the environment; $ORIGIN is for the dynamic linker.
# shellcheck disable=SC2016,SC2086
cmake -S "$project" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=None -DTVMFFI_TESTS=OFF -DTVMFFI_FUZZ=ON \
  -DTVMFFI_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DCMAKE_BUILD_RPATH='$ORIGIN/lib' ${CMAKE_ARGS:-}

names=()
for source in "$project"/fuzz/fuzz_*.c; do
  name=$(basename "$source" .c)
  if [ $# -gt 0 ] && [[ " $* " != *" ${name#fuzz_} "* ]]; then continue; fi
  if [ "${SANITIZER:-address}" = memory ] && [[ " ${foreign[*]} " == *" ${name#fuzz_} "* ]]; then continue; fi
  names+=("$name")
done
cmake --build "$work" --target "${names[@]}"

# What a target needs and the machine that runs it may lack goes with it.
mkdir -p "$OUT/lib"
if [ -f "$work/lib/libfuzz_subject.so" ]; then cp "$work/lib/libfuzz_subject.so" "$OUT/lib/"; fi
for name in "${names[@]}"; do
  short=${name#fuzz_}
  cp "$work/fuzz/$name" "$OUT/"
  ldd "$work/fuzz/$name" | awk '$3 ~ /^\// { print $3 }' |
    grep -Ev '/(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux[^/]*)\.so' |
    xargs -r cp -Lt "$OUT/lib"
  python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" "$work/fuzz/seeds/$short"/*
  for kind in dict options; do
    if [ -f "$project/fuzz/$short.$kind" ]; then cp "$project/fuzz/$short.$kind" "$OUT/$name.$kind"; fi
  done
done
