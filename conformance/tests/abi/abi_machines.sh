#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whether structs.def says of other machines what a compiler for them makes of the public headers:
# abi_machines.sh CLANG FOLDER DLPACK_INCLUDE, where FOLDER may be filled and emptied. Compiling
# layout_tables.c is the test: it asserts every size and offset.
set -eu
clang=$1 work=$2 dlpack=$3
cd "$(dirname "$0")/../../.."
[ -x "$clang" ] || { echo "no clang here, which compiles for all machines; skipped" && exit 77; }

compile() { # MACHINE FOLDER_WITH_ABI
  "$clang" --target="$1" -std=c11 -ffreestanding -fsyntax-only -I"$2" -Ireference/include -I"$dlpack" \
    -Iconformance "$2/abi/layout_tables.c" 2>"$work/said"
}

rm -rf "$work"
mkdir -p "$work/wrong"
cp -r conformance/abi "$work/wrong/abi"
# Where the size of an array stands, wrong for each machine.
sed -i -e 's/^ABI_FIELD(TVMFFISeqCell, size, .*/ABI_FIELD(TVMFFISeqCell, size, int64_t, 0, 16, 8, 12, 8)/' \
  "$work/wrong/abi/structs.def"
cmp -s conformance/abi/structs.def "$work/wrong/abi/structs.def" && echo "nothing was made wrong" && exit 1

tried=0
for machine in x86_64-linux-gnu aarch64-linux-gnu s390x-linux-gnu i386-linux-gnu armv7-linux-gnueabihf wasm32 \
    x86_64-pc-windows-msvc aarch64-pc-windows-msvc i686-pc-windows-msvc x86_64-apple-macos arm64-apple-macos; do
  if ! echo 'int there;' | "$clang" --target=$machine -fsyntax-only -x c - 2>/dev/null; then
    echo "$machine: this clang does not know it"
    continue
  fi
  compile $machine conformance || { cat "$work/said" && exit 1; }
  ! compile $machine "$work/wrong" || { echo "$machine: a wrong offset was not noticed" && exit 1; }
  grep -q 'offset of TVMFFISeqCell.size is not' "$work/said" || { cat "$work/said" && exit 1; }
  echo "$machine: every size and offset"
  tried=$((tried + 1))
done
[ $tried -ge 2 ]
