#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds everything for other machines and tests it there, under qemu where this processor does not
# run their programs: cross/test.sh [MACHINE...]
#
#   i386 aarch64 s390x   what there is; all of them unless some are named
#   musl                 this machine, with that C library: what the program of this machine has loaded
#   JOBS=2               how many things at once
#   OFFLINE=1            fetch nothing
#   QUICK=1              only what takes a minute: no optimisation, no C++, no kernels with a fault
#   PROGRAM=...          for musl: the program of this machine, if it is built already
#
# For each machine: the unit tests of the reference, C++ compiled from the official headers on it, the
# unit tests of the engine, the battery on the reference and on the one of generation 2025-09, and
# the battery for modules on kernels that are right and on kernels with one fault each. On aarch64 the
# validation layer is tested in programs, too. A machine that
# can't be tested here is skipped, and the summary says why. Ends with 1 if something failed, with 77
# if nothing could be tested, or a machine that was named could not.
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc)}
quick=${QUICK:-0}
unset CC CXX CFLAGS LDFLAGS
summary=
failed=0 tested=0 skipped=0

note() {
  summary="$summary$(printf '%-8s %-9s %s' "$machine" "$1" "$2")
"
  printf '%s: %s: %s\n' "$machine" "$1" "$2"
}

fail() {
  failed=1
  note "$1" "FAILED: $2"
}

# Whether this machine's programs can be built and run here; if not, `reason` says why.
is_there() {
  case $machine in
  i386) architecture=i386 compiler=i686-linux-gnu-gcc package=gcc-i686-linux-gnu emulator= ;;
  aarch64) architecture=arm64 compiler=aarch64-linux-gnu-gcc package=gcc-aarch64-linux-gnu emulator=qemu-aarch64 ;;
  s390x) architecture=s390x compiler=s390x-linux-gnu-gcc package=gcc-s390x-linux-gnu emulator=qemu-s390x ;;
  musl) architecture=musl compiler=musl-gcc package=musl-tools emulator= ;;
  *) reason="unknown machine (known: i386, aarch64, s390x, musl)" && failed=1 && return 1 ;;
  esac
  if ! command -v "$compiler" >/dev/null; then
    reason="no compiler $compiler (Debian's package $package)"
  elif [ -n "$emulator" ] && ! command -v "$emulator" >/dev/null; then
    reason="no emulator $emulator (Debian's package qemu-user)"
  elif [ "$machine" = i386 ] && [ "$(uname -m)" != x86_64 ] && [ "$(uname -m)" != i686 ]; then
    reason="not an x86 processor"
  elif [ "$machine" = musl ]; then
    run=
    reason=$(cross/musl_sysroot.sh .cache/sysroot/musl) && return 0
  elif reason=$(cross/sysroot.sh "$architecture" ".cache/sysroot/$architecture"); then
    run=${emulator:+"$emulator -L $PWD/.cache/sysroot/$architecture"}
    # shellcheck disable=SC2086
    $run ".cache/sysroot/$architecture"/lib/ld* --version >/dev/null 2>&1 && return 0
    reason="cannot run its programs here"
  fi
  return 1
}

# The unit tests of this name in ctest.
unit_tests() {
  log=$build/$1.log
  ctest --test-dir "$build" -R "$2" -E "$3" -j "$jobs" --timeout 600 --no-tests=error >"$log" 2>&1
  status=$?
  result=$(sed -n 's/^\([0-9]*% tests passed, .*\)/\1/p' "$log")
  if [ $status = 0 ]; then
    note "$1" "$result"
    ! grep -q '(Skipped)' "$log" || fail "$1" "tests were skipped; see $log"
  else
    sed -n '/The following tests FAILED/,$p' "$log"
    fail "$1" "${result:-see $log}"
  fi
}

# C++ that was compiled from the official headers: containers that it walks, module classes that the
# reference hosts, what their methods throw.
compiled_tests() {
  cxx=${compiler%gcc}g++
  if ! command -v "$cxx" >/dev/null; then
    note compiled "skipped: no compiler $cxx (Debian's package g++${package#gcc})"
  elif ! ls .cache/official/*/tvm_ffi/include >/dev/null 2>&1; then
    note compiled "skipped: no official headers in .cache/official (make runtimes)"
  else
    unit_tests compiled '^reference\.compiled-(code|module-class)' '^$'
  fi
}

# The program with these arguments; it has to find no fault.
battery() {
  name=$1 log=$build/$1.log
  shift
  # shellcheck disable=SC2086
  $run $program --color never --timeout 30s -j "$jobs" "$@" >"$log" 2>&1
  status=$?
  result=$(grep -E '^[0-9]+ run in ' "$log")
  if [ $status = 0 ] && [ -n "$result" ]; then
    note "$name" "$result"
  else
    grep -E '^(FAIL|CRASH|TIMEOUT)' "$log" | head -n 20
    fail "$name" "${result:-exit $status}; see $log"
  fi
}

# Each kernel has to come out as its source says.
kernel_tests() {
  others='program|signature-probe|json|formula'
  if [ -n "$emulator" ]; then
    others="$others|add_one_starts_thread"
    note threads "skipped: under emulation a forked process crashes if a library starts a thread"
  fi
  unit_tests kernels '^kernels\.' "^kernels\.($others)\$"
}

# A program of this machine under trace: traced MECHANISM PROGRAM ARGUMENT... The emulator is told what the
# loader is to load; it must not load that itself.
# shellcheck disable=SC2016
in_emulator='audit=$LD_AUDIT preload=$LD_PRELOAD emulator=$0
unset LD_AUDIT LD_PRELOAD
[ -z "$audit" ] || emulator="$emulator -E LD_AUDIT=$audit"
exec $emulator -E "LD_PRELOAD=$preload" "$@"'

traced() {
  mechanism=$1
  shift
  # shellcheck disable=SC2086
  $run $program trace --mechanism "$mechanism" --preset deep --limit 0 --report "text:$build/trace.txt" -- \
    /bin/sh -c "$in_emulator" "$run" "$@" >>"$build/trace.log" 2>&1
}

# The validation layer in programs of this machine: the ways to reach a runtime, and planted mistakes.
trace_tests() {
  tests=$build/conformance/tests/trace runtime=$build/lib/libtvm_ffi.so
  checks=$(sed -n 's/.*"\([a-z]*-[a-z-]*\)", "[A-Z]*-[0-9]*".*/\1/p' conformance/tests/trace/trace_bugs.def | sort -u)
  : >"$build/trace.log"
  for mechanism in audit preload; do
    missing=
    traced "$mechanism" "$tests/trace_routes" "$runtime" "$build"/lib/libtrace_route_*.so
    grep -q '^7 errors, 0 advice' "$build/trace.txt" || missing="$missing routes"
    for way in lazy now noplt; do
      traced "$mechanism" "$tests/trace_linked_$way"
      grep -q '^1 error, 0 advice' "$build/trace.txt" || missing="$missing linked_$way"
    done
    traced "$mechanism" "$tests/trace_bugs" "$runtime" right
    grep -q '^0 errors, 0 advice' "$build/trace.txt" || missing="$missing right"
    traced "$mechanism" "$tests/trace_bugs" "$runtime" wrong
    for check in $checks; do
      grep -q "; check $check\$" "$build/trace.txt" || missing="$missing $check"
    done
    if [ -z "$missing" ]; then
      note trace "by $mechanism: 7 routes, 3 linked programs, mistakes for $(echo "$checks" | wc -l) checks"
    else
      fail trace "by $mechanism:$missing; see $build/trace.log"
    fi
  done
}

# The program of this machine, for a worker that has another C library; `program` is how it is called.
build_program() {
  native=${PROGRAM:-build/cross-program/bin/tvmffi-conform}
  program="$native --worker $build/bin/tvmffi-conform-worker"
  [ -n "${PROGRAM:-}" ] || {
    cmake -S . -B build/cross-program -G Ninja -DTVMFFI_TESTS=OFF -DTVMFFI_MUTANTS=OFF \
      -DCMAKE_BUILD_TYPE=RelWithDebInfo &&
      cmake --build build/cross-program --parallel "$jobs" --target tvmffi-conform
  } >"$build/program.log" 2>&1
}

# A worker with this machine's own C library can't load such a library; what is said has to help.
foreign_worker() {
  "$native" "$build/lib/libtvm_ffi.so" >"$build/foreign.log" 2>&1
  if [ $? = 3 ] && grep -q 'was built for musl.*--worker' "$build/foreign.log"; then
    note foreign "a worker without musl reports the cause"
  else
    fail foreign "see $build/foreign.log"
  fi
}

# The program itself can't be built with musl alone; what is missing has to be said.
program_of_musl() {
  cmake -S . -B "$build/program" -G Ninja --toolchain "$PWD/cross/musl.cmake" -DTVMFFI_PROGRAM=ON \
    >"$build/program-of-musl.log" 2>&1
  if [ $? = 1 ] && grep -q 'argp-standalone' "$build/program-of-musl.log"; then
    note program "CMake reports that argp is missing"
  else
    fail program "see $build/program-of-musl.log"
  fi
}

test_machine() {
  if ! is_there; then
    note skipped "$reason"
    skipped=1
    return
  fi
  tested=1
  start=$(date +%s)
  build=build/cross-$machine
  mkdir -p "$build"
  # Neither optimisation nor debug information: -O1 alone takes the compiler half as long again.
  how=-DCMAKE_BUILD_TYPE=RelWithDebInfo
  flags=
  [ "$quick" = 0 ] || how=-DCMAKE_BUILD_TYPE=None flags=-O0
  if ! CFLAGS=$flags cmake -S . -B "$build" -G Ninja --toolchain "$PWD/cross/$machine.cmake" -DTVMFFI_WERROR=ON \
    -DTVMFFI_MUTANTS=OFF "$how" >"$build/configure.log" 2>&1; then
    fail build "configuring failed; see $build/configure.log"
    return
  fi
  program=$build/bin/tvmffi-conform
  targets="tvmffi-conform test_engine test_engine_runner"
  [ "$quick" = 1 ] || targets="$targets test_kernels"
  [ "$machine" != aarch64 ] || targets="$targets trace_routes trace_route_lazy trace_route_now trace_route_noplt
    trace_linked_lazy trace_linked_now trace_linked_noplt trace_bugs trace_module trace_module_too trace_runtime"
  [ "$machine" != musl ] || targets="tvmffi-conform-worker tvmffi_observer test_faults test_debug_files"
  # shellcheck disable=SC2086
  if ! cmake --build "$build" --parallel "$jobs" --target $targets tvm_ffi_shared tvm_ffi_2025_09 \
    reference_tests kernel_add_one_right >"$build/build.log" 2>&1; then
    grep -E -A 3 'error:|FAILED' "$build/build.log" | head -n 40
    fail build "building failed; see $build/build.log"
    return
  fi
  if [ "$machine" = musl ] && ! build_program; then
    fail build "building the program for this machine failed; see $build/program.log"
    return
  fi
  note build "with $compiler"
  export TVMFFI_CONFORM_EMULATOR="$run"
  unit_tests reference '^reference\.[a-z_]+$' '^reference\.(asan|tsan|install|examples|exports|header_cxx|dropin|compiled)'
  [ "$machine" = musl ] || [ "$quick" = 1 ] || compiled_tests
  if [ "$machine" = musl ]; then
    unit_tests engine '^conformance\.(faults|debug-files)$' '^$'
    foreign_worker
    program_of_musl
  elif [ -z "$emulator" ]; then
    unit_tests engine '^conformance\.engine' '^$'
  else
    unit_tests engine '^conformance\.engine$' '^$'
    note runner "skipped: emulation starts missing programs, and hides the children of other processes"
  fi
  battery runtime --strict "$build/lib/libtvm_ffi.so"
  battery 2025-09 --strict "$build/lib/2025-09/libtvm_ffi.so"
  battery module --strict --signatures conformance/tests/kernels/add_one.json \
    "$build/conformance/tests/kernels/add_one_right.so"
  [ "$machine" = musl ] || [ "$quick" = 1 ] || kernel_tests
  [ "$machine" != aarch64 ] || trace_tests
  note time "$(($(date +%s) - start)) s"
}

named=$#
[ $# -gt 0 ] || set -- i386 aarch64 s390x musl
for machine; do
  test_machine
done
printf '\n%s' "$summary"
[ $failed = 0 ] || exit 1
[ $tested = 1 ] || exit 77
[ "$named" = 0 ] || [ $skipped = 0 ] || exit 77
