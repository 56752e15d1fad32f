#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes of a library files that no loader can take for one: damage.sh LIBRARY FOLDER
set -eu
library=$1
folder=$2
echo 'This is a text.' >"$folder/text.so"
: >"$folder/empty.so"
head -c 40 "$library" >"$folder/truncated.so"
# e_machine, at byte 18, becomes a number that no machine has, in either order of bytes.
cp "$library" "$folder/other_machine.so"
printf '\376\376' | dd of="$folder/other_machine.so" bs=1 seek=18 conv=notrunc 2>/dev/null
