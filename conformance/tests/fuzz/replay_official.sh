#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every finding of a folder shows on the library that it was found in: replay_official.sh TOOL FOLDER LIBRARY
# With one more word, `none`, they are inputs that the fuzzer once was wrong about, and no finding shows.
set -u
tool=$1 folder=$2 library=$3 due=${4:-all}
if [ ! -f "$library" ]; then
  echo "skipped: there is no $library (harness/fetch_runtimes.py fetches it)"
  exit 77
fi
text=$("$tool" fuzz --replay "$folder" "$library")
status=$?
echo "$text"
if [ "$due" = none ]; then
  [ $status -eq 0 ] || echo "some of them show (exit code $status)"
  exit $status
fi
if [ $status -ne 1 ] || echo "$text" | grep -q '^gone '; then
  echo "not all of them show (exit code $status)"
  exit 1
fi
