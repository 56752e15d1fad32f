#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# judge_release.sh TOOL LIBRARY WAIVERS: judges an official release; exit code 77 where it is not in the cache.
if [ ! -f "$2" ]; then
  echo "skipped: $2 is not there; \`make deps\` fetches it where the package index can be reached"
  exit 77
fi
exec "$1" --waivers "$3" "$2"
