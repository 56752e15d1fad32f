#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles a program of this folder, in C or C++, with the headers of one release of the official runtime, and runs it
# with the library of another. The releases are those in .cache/official of the checkout (`make releases` fetches all).
#
#   run.sh PROGRAM HEADERS RUNTIME        RUNTIME may also be the path of a library
#
# A program in C that needs a module has it in its own source, for -DMODULE; its first argument is the module's path.
# Exit code 1, or that of a crash, if the program shows its deviation, 0 if not, 3 if something is missing.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
official=$folder/../../.cache/official
headers=$official/$2/tvm_ffi/include
case $3 in
  */*) library=$(realpath "$3") ;;
  *) library=$official/$3/tvm_ffi/lib/libtvm_ffi.so ;;
esac
case $1 in
  *.cc) compiler=${CXX:-g++} standard=c++17 ;;
  *) compiler=${CC:-gcc} standard=c11 ;;
esac
for needed in "$folder/$1" "$headers" "$library"; do
  [ -e "$needed" ] || { echo "$needed is not there" >&2; exit 3; }
done
command -v "$compiler" >/dev/null || { echo "there is no $compiler" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() {
  output=$1
  shift
  "$compiler" "-std=$standard" -O1 "-I$headers" "$@" -o "$work/$output" "$library" \
    "-Wl,-rpath,$(dirname "$library")" || exit 3
}
compile program "$folder/$1"
set -- "$1"
if grep -q '^#ifdef MODULE$' "$folder/$1"; then
  compile module.so -DMODULE -shared -fPIC "$folder/$1"
  set -- "$work/module.so"
else
  set --
fi
status=0
"$work/program" "$@" || status=$?
# 2 is a program's word for something that it could not set up.
[ "$status" -ne 2 ] || status=3
exit "$status"
