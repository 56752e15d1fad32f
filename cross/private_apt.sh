# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# apt with lists, a state and a cache of its own, of this system's sources; for the scripts that make folders of
# libraries. Reads `folder` (to be made) and `what` (for messages); ends the script, and says why, where there is no
# apt. Sets `state`, its folder; who used it removes it.
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo "cannot fetch $what: apt is not installed"
  exit 1
fi
if [ "${OFFLINE:-0}" != 0 ]; then
  echo "$what: not in $folder, and not fetched (OFFLINE)"
  exit 1
fi

case $folder in
/*) ;;
*) folder=$PWD/$folder ;;
esac
state=$folder.apt
rm -rf "$folder" "$state"
mkdir -p "$folder" "$state/lists/partial" "$state/cache/archives/partial"
: >"$state/status"
cat >"$state/apt.conf" <<END
Dir::State "$state";
Dir::State::status "$state/status";
Dir::Cache "$state/cache";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
END
export APT_CONFIG="$state/apt.conf"
