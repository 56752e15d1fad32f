#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the folder in which a cross compiler finds the C library and the other libraries of a machine:
# cross/sysroot.sh DEBIAN_ARCHITECTURE FOLDER
#
# Debian's own packages are fetched with apt, in the versions of this system's sources, and unpacked:
# nothing is installed, the system's own list of architectures stays what it is, and root is not
# needed. What is there already is left alone. Fails, and says why, where they can't be had.
set -eu
architecture=$1 folder=$2
packages="libc6-dev libjansson-dev libelf-dev libxml2-dev libarchive-dev libzstd-dev nettle-dev check"

# Links to places of the machine, as libm.so has one, would lead out of the folder.
keep_links_inside() {
  find "$folder" -type l -lname '/*' | while read -r link; do
    ln -srfn "$folder$(readlink "$link")" "$link"
  done
}

if [ -e "$folder/.complete" ]; then
  keep_links_inside
  exit 0
fi
# shellcheck disable=SC2034
what="Debian's packages for $architecture"
# shellcheck source=cross/private_apt.sh
. "$(dirname "$0")/private_apt.sh"
cat >>"$state/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Install-Recommends "false";
END

# One index that can't be had does no harm as long as the packages can.
apt-get -q update >"$state/log" 2>&1 || true
# shellcheck disable=SC2086
if ! apt-get -q -y --download-only install $packages >>"$state/log" 2>&1; then
  echo "cannot fetch Debian's packages for $architecture: $(grep '^E:' "$state/log" | tail -n 1)"
  exit 1
fi
for package in "$state"/cache/archives/*.deb; do
  dpkg-deb -x "$package" "$folder"
done
rm -rf "$state"
keep_links_inside
touch "$folder/.complete"
