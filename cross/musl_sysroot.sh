#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the folder in which musl-gcc finds the libraries that it needs besides musl: cross/musl_sysroot.sh FOLDER
#
# Debian has no packages of libraries for musl. What tests are written with, Check, is built from the source of
# Debian's package, fetched with apt; nothing is installed, and root is not needed. What is there already is left
# alone. Fails, and says why, where it can't be had.
set -eu
folder=$1
[ ! -e "$folder/.complete" ] || exit 0
# shellcheck disable=SC2034
what="the source of Debian's package check"
# shellcheck source=cross/private_apt.sh
. "$(dirname "$0")/private_apt.sh"
log=$state/log

# The same sources, asked for what packages are made of.
mkdir "$state/sources"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  [ ! -f "$list" ] || sed 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$list" >"$state/sources/${list##*/}"
done
cat >>"$state/apt.conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$state/sources";
END

apt-get -q update >"$log" 2>&1 || true
(cd "$state" && apt-get -q source --download-only check) >>"$log" 2>&1 || true
archive=$(find "$state" -name 'check_*.orig.tar.gz')
if [ -z "$archive" ]; then
  echo "cannot fetch $what: $(grep '^E:' "$log" | tail -n 1)"
  exit 1
fi
mkdir "$state/check"
tar -xzf "$archive" -C "$state/check" --strip-components=1
if ! {
  cmake -S "$state/check" -B "$state/build" -G Ninja -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_BUILD_TYPE=Release \
    -DCHECK_ENABLE_TESTS=OFF -DHAVE_SUBUNIT=OFF -DINSTALL_CHECKMK=OFF -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_INSTALL_PREFIX="$folder" && cmake --build "$state/build" --target install
} >>"$log" 2>&1; then
  echo "cannot build Check with musl-gcc (see $log)"
  exit 1
fi
rm -f "$folder"/lib/libcheck.so*
rm -rf "$state"
touch "$folder/.complete"
