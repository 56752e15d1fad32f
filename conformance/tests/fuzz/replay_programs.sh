#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every kept finding gives a C program that compiles, fails on the official runtime and passes on the reference:
#
#   replay_programs.sh TOOL CC INCLUDES FINDINGS REFERENCE OFFICIAL
#
# INCLUDES are options, separated by blanks. If there is no file OFFICIAL, only the reference is checked.
set -u
tool=$1 cc=$2 includes=$3 findings=$4 reference=$5 official=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# Runs the program on a library; prints its exit status.
shows_on() {
  if [ -f payload.so ]; then set -- "$1" ./payload.so; fi
  ./repro "$@" >out.txt 2>&1
  echo $?
}

wrong() {
  echo "$name: $*"
  cat out.txt
  failed=1
}

# A finding whose payload is loaded from a library: its program is that library, too.
compile() {
  # shellcheck disable=SC2086
  "$cc" -rdynamic $includes repro.c -o repro -ldl || return 1
  rm -f payload.so
  ! grep -q '^#ifdef PAYLOAD' repro.c || "$cc" -DPAYLOAD -shared -fPIC repro.c -o payload.so
}

for folder in "$findings"/*/; do
  name=$(basename "$folder")
  : >out.txt
  if ! "$tool" fuzz --program "$folder" >repro.c; then
    wrong "gives no program"
  elif ! compile 2>out.txt; then
    wrong "does not compile"
  else
    status=$(shows_on "$reference")
    [ "$status" = 0 ] || wrong "exit status $status on the reference"
    [ ! -f "$official" ] || [ "$(shows_on "$official")" != 0 ] || wrong "passes on $official"
  fi
done
exit $failed
