#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every finding of a folder shows on the library that it was found in: replay_official.sh TOOL FOLDER LIBRARY
set -u
tool=$1 folder=$2 library=$3
if [ ! -f "$library" ]; then
  echo "skipped: there is no $library (harness/fetch_runtimes.py fetches it)"
  exit 77
fi
text=$("$tool" fuzz --replay "$folder" "$library")
status=$?
echo "$text"
if [ $status -ne 1 ] || echo "$text" | grep -q '^gone '; then
  echo "not all of them show (exit code $status)"
  exit 1
fi
