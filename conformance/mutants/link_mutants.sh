#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links a shared library for each mutant in the object file of a topic. mutant.h says how symbols
# and sections name the mutant that they belong to.
#
#   link_mutants.sh OBJECT REFERENCE CLAUSES FOLDER STAMP COMPILER [FLAG...]
#
# OBJECT     the topic
# REFERENCE  the archive of the reference
# CLAUSES    lists the clauses that hold in the reference's generation of the ABI, as OBJ_3; mutants
#            of other clauses are left out
# FOLDER     receives the libraries
# STAMP      receives their names; what it named before is removed
# COMPILER   links, with the flags
#
# The environment has OBJCOPY, NM and LIBRARIES, which each library is linked with. RENAMES and
# BESIDE may be empty: options for objcopy that change the reference of every mutant, and an object
# that every library has besides.
set -eu
object=$1 reference=$2 clauses=$3 folder=$4 stamp=$5
shift 5
work=$stamp.work
rm -rf "$work"
mkdir -p "$work" "$folder"
trap 'rm -rf "$work"' EXIT

# Prints a line for each mutant: its file name, its name in symbols, and its symbols, with + if the
# library has them and with - if it is without.
list_mutants() {
  "$NM" -g --defined-only "$object" | awk -v clauses="$clauses" '
    BEGIN { while ((getline clause <clauses) > 0) holds[clause] = 1 }
    match($3, /__(not_)?in__/) {
      symbol = (RLENGTH > 6 ? "-" : "+") substr($3, 1, RSTART - 1)
      mutant = substr($3, RSTART + RLENGTH)
      match(mutant, /^[A-Z]+_[0-9]+/)
      if (substr(mutant, 1, RLENGTH) in holds) symbols[mutant] = symbols[mutant] " " symbol
    }
    END { for (mutant in symbols) print tolower(mutant), mutant symbols[mutant] }' | sort
}

# relink OUT [OPTION...]: the reference as one object, without debug information.
relink() {
  out=$1
  shift
  "$compiler" -r -nostdlib "$@" -o "$out" \
    -Wl,--whole-archive "$reference" -Wl,--no-whole-archive
  # shellcheck disable=SC2086 # options
  "$OBJCOPY" --strip-debug ${RENAMES-} "$out"
}

compiler=$1
if [ -f "$stamp" ]; then
  while read -r old; do rm -f "$folder/$old.so"; done <"$stamp"
fi
# Symbols of other mutants are not exported, so the linker drops them.
echo '{ local: *__in__*; *__not_in__*; };' >"$work/others.map"
relink "$work/reference.o"
list_mutants >"$work/mutants"
while read -r name mutant symbols; do
  own="--rename-section .at_load__in__$mutant=.init_array"
  renamed='' wrapped='' key=''
  for symbol in $symbols; do
    bare=${symbol#?}
    case $symbol in
      +*) own="$own --redefine-sym ${bare}__in__$mutant=$bare" ;;
    esac
    case $bare in
      tvmffi_mutant) ;;
      __wrap_*) wrapped="$wrapped -Wl,--wrap=${bare#__wrap_}" key=$key+$bare ;;
      *) renamed="$renamed --redefine-sym $bare=ref_$bare" key=$key+$bare ;;
    esac
  done
  # Mutants that change the same functions share the reference without these.
  without=$work/reference$key.o
  if [ ! -f "$without" ]; then
    # shellcheck disable=SC2086 # options
    {
      [ -z "$wrapped" ] || relink "$without" $wrapped
      [ -f "$without" ] || cp "$work/reference.o" "$without"
      "$OBJCOPY" $renamed "$without"
    }
  fi
  # shellcheck disable=SC2086 # options
  {
    "$OBJCOPY" $own "$object" "$work/mutant.o"
    "$@" -shared -Wl,--gc-sections,--build-id=none,--version-script="$work/others.map" $wrapped \
      -o "$folder/$name.so" "$work/mutant.o" ${BESIDE-} "$without" $LIBRARIES
  }
done <"$work/mutants"
cut -d ' ' -f 1 "$work/mutants" >"$stamp"
