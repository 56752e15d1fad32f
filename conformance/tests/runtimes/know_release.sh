#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# know_release.sh TOOL LIBRARY RELEASE: a run on an official release names it, and how many of its deviations are known:
# as many as are waived with the waivers that come with the program, and tells all that it has to in 60 lines. Exit code
# 77 where it is not in the cache.
set -eu
if [ ! -f "$2" ]; then
  echo "skipped: $2 is not there; \`make deps\` fetches it where the package index can be reached"
  exit 77
fi
plain=$("$1" "$2" || true)
waived=$("$1" --waivers official "$2")
printf '%s\n' "$plain" "$waived"
count=$(printf '%s\n' "$waived" | sed -n 's/^.* run in .*, \([0-9]*\) waived.*$/\1/p')
[ "$count" -gt 10 ]
[ "$(printf '%s\n' "$plain" | wc -l)" -le 60 ]
printf '%s\n' "$plain" | grep -Fx "known deviations of $3: $count (use --waivers official)"
printf '%s\n' "$waived" | grep -Fx "known deviations of $3: $count"
printf '%s\n' "$waived" | grep '^BROKEN, KNOWN '
