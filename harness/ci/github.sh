#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The steps of the GitHub Action in action.yml: github.sh install | judge | verdict.
#
# Inputs are variables TVMFFI_..., so that nothing a workflow passes is read as a command, but for the input
# `trace`, which is one. Lists are separated by blanks or lines. The folder of this file is that of the action, GITHUB_... are the runner's.
set -euo pipefail -f
here=$(cd "$(dirname "$0")/../.." && pwd)

fail() {
  echo "::error title=tvmffi-conform::$*"
  exit 2
}

# Builds and installs the programs where they are not there yet. The Python that they run with stays out of the path:
# later steps, and programs to trace, have that of the job, where pytest finds the plugin for --tvmffi-trace.
install() {
  if command -v tvmffi-harness >/dev/null && command -v tvmffi-conform >/dev/null; then
    echo "found tvmffi-harness: $(command -v tvmffi-harness)"
    return
  fi
  local venv=$RUNNER_TEMP/tvmffi-conform
  make -s -C "$here" packages-to-use
  "$here/.ci/install_packages" python3-venv
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip --disable-pip-version-check install -q "$here"
  mkdir -p "$venv/programs" "$venv/plugin"
  ln -sf "$venv/bin/tvmffi-conform" "$venv/bin/tvmffi-harness" "$venv/programs"
  set +f
  ln -sfn "$venv"/lib/python3*/site-packages/tvmffi_conform "$venv"/lib/python3*/site-packages/tvmffi_conform-*.dist-info "$venv/plugin"
  set -f
  echo "$venv/programs" >>"$GITHUB_PATH"
}

# Looks at the files and writes everything down. Ends well whatever comes out, so that it is uploaded;
# the last step says what it means.
judge() {
  local files=() words=() option runtime status=0
  read -r -d '' -a files <<<"${TVMFFI_FILES:-}" || true
  [ "${#files[@]}" -gt 0 ] || [ -n "${TVMFFI_TRACE:-}" ] ||
    fail "the inputs 'files' and 'trace' are empty; name the libraries or wheels to inspect, or a program to trace"
  words+=(--output "$TVMFFI_OUTPUT")
  for option in policy waivers signatures before gate scope min-judged trace trace-options; do
    local variable=${option^^}
    variable=TVMFFI_${variable//-/_}
    [ -z "${!variable:-}" ] || words+=("--$option=${!variable}")
  done
  for runtime in ${TVMFFI_RUNTIMES:-}; do words+=(--runtime "$runtime"); done
  case ${TVMFFI_STRICT:-false} in
    true) words+=(--strict) ;;
    false) ;;
    *) fail "the input 'strict' is '$TVMFFI_STRICT'; write true or false" ;;
  esac
  local plugin=${RUNNER_TEMP:-}/tvmffi-conform/plugin
  [ ! -d "$plugin" ] || export PYTHONPATH="$plugin${PYTHONPATH:+:$PYTHONPATH}"
  rm -f "$TVMFFI_OUTPUT/outputs.txt"
  tvmffi-harness ci "${words[@]}" -- "${files[@]}" || status=$?
  [ -f "$TVMFFI_OUTPUT/outputs.txt" ] || fail "no result (exit code $status); see above"
  cat "$TVMFFI_OUTPUT/outputs.txt" >>"$GITHUB_OUTPUT"
  cat "$TVMFFI_OUTPUT/summary.md" >>"$GITHUB_STEP_SUMMARY"
}

# Ends as the files deserve.
verdict() {
  case ${TVMFFI_STATUS:-} in
    0) echo "All pass." ;;
    1) echo "::error title=tvmffi-conform::some files fail, or the traced program does; see the summary of the job" && exit 1 ;;
    3) echo "::error title=tvmffi-conform::some files could not be read or tested, or the trace saw no call; see the summary of the job" && exit 3 ;;
    5) echo "::error title=tvmffi-conform::inconclusive: of some files too little could be judged; see the summary of the job (the input min-judged changes the bound)" && exit 5 ;;
    *) fail "the test step did not finish" ;;
  esac
}

case ${1:-} in
  install | judge | verdict) "$1" ;;
  *) fail "usage: github.sh install | judge | verdict" ;;
esac
