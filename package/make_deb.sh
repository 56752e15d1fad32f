#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a Debian package: package/make_deb.sh TREE OUT [CMAKE-ARGUMENT...]; TREE is the folder to build in.
set -eu
tree=$1 out=$2
shift 2
source=$(cd "$(dirname "$0")/.." && pwd)

cmake -S "$source" -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DTVMFFI_TESTS=OFF \
  -DTVMFFI_MUTANTS=OFF "$@" >"$tree.log"
cmake --build "$tree" --target tvmffi_package >>"$tree.log" || { tail -n 20 "$tree.log" >&2; exit 1; }
mkdir -p "$out"
cpack --config "$tree/CPackConfig.cmake" -B "$out" >>"$tree.log" || { tail -n 20 "$tree.log" >&2; exit 1; }
