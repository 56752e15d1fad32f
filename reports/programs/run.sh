#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles a C++ program of this folder with the headers of one release of the official runtime, and runs it with the
# library of another. The releases are those in .cache/official of the checkout (`make releases` fetches all).
#
#   run.sh PROGRAM.cc HEADERS RUNTIME        RUNTIME may also be the path of a library
#
# Exit code 1 if the program shows its deviation, 0 if not, 3 if something is missing.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
official=$folder/../../.cache/official
headers=$official/$2/tvm_ffi/include
case $3 in
  */*) library=$(realpath "$3") ;;
  *) library=$official/$3/tvm_ffi/lib/libtvm_ffi.so ;;
esac
cxx=${CXX:-g++}
for needed in "$headers" "$library"; do
  [ -e "$needed" ] || { echo "$needed is not there" >&2; exit 3; }
done
command -v "$cxx" >/dev/null || { echo "there is no $cxx" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cxx" -std=c++17 -O1 "-I$headers" "$folder/$1" -o "$work/program" "$library" "-Wl,-rpath,$(dirname "$library")" || exit 3
status=0
"$work/program" || status=$?
exit "$status"
