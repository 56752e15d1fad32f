#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The extractor as a program: test_extractor.sh TOOL FOLDER, where FOLDER is emptied and filled.
set -eu
tool=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "failed: $*" >&2
  exit 1
}

# expect STATUS WORDS ARGUMENT...: runs the tool, which must exit with STATUS and print WORDS to stderr.
expect() {
  wanted=$1 words=$2
  shift 2
  status=0
  "$tool" "$@" 2>said || status=$?
  [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted for: $* ($(cat said))"
  [ -z "$words" ] || grep -qF -- "$words" said || fail "no \"$words\" but \"$(cat said)\" for: $*"
}

chapter() { # NAME ID TITLE
  printf '# Chapter "%s"\n### %s · %s\nMUST · since 0.1.0 · core · x\n\nText\\with ??/ é.\n' "$1" "$2" "$3" >"$1.md"
}

chapter any ANY-1 One
chapter object OBJ-7 Seven
expect 0 "" out.h out.c any.md object.md
grep -qx '  ANY_1,' out.h || fail "no ANY_1 in the header"
[ "$(grep -n ANY_1 out.h | cut -d: -f1)" -lt "$(grep -n OBJ_7 out.h | cut -d: -f1)" ] || fail "order of the header"
grep -qF 'clause_total = 2;' out.c || fail "the table does not hold 2 clauses"
LC_ALL=C grep -q '[^ -~]' out.c && fail "the table is not plain ASCII"
grep -qF '\\with \?\?/ \303\251.' out.c || fail "the text is not escaped"

# An output that would not change is not written; one that would change is.
touch -d '2001-01-01' out.h out.c
chapter any ANY-1 Changed
expect 0 "" out.h out.c any.md object.md
[ -n "$(find out.h ! -newermt '2001-01-02')" ] || fail "the header was rewritten without a change"
[ -n "$(find out.c -newermt '2001-01-02')" ] || fail "the table was not rewritten"

# An invalid chapter: all messages are reported, and no output is changed.
cp out.c before.c
echo 'no title' >string.md
echo 'none here' >error.md
expect 1 "string.md:1: " out.h out.c any.md string.md error.md
grep -qF "error.md:1: " said || fail "only the first invalid chapter was reported"
cmp -s out.c before.c || fail "an invalid chapter changed the table"
expect 1 "any/any.md:2: the prefix of ANY-1 is already used by any.md" out.h out.c any.md "$(mkdir any && cp any.md any && echo any/any.md)"

expect 2 "usage: tvmffi-extract-clauses" out.h out.c
expect 2 "cannot read: missing.md" out.h out.c any.md missing.md
expect 2 "cannot read: any" out.h out.c any
expect 2 "cannot write: nowhere/out.h" nowhere/out.h out.c any.md
head -c 2000000 /dev/zero >once.md
expect 1 "once.md:1: the chapter is too long" out.h out.c once.md
