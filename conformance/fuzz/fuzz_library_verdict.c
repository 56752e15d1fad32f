// SPDX-License-Identifier: Apache-2.0
// What is right and wrong about a load that returned.
#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

#include "fuzz/fuzz_library_state.h"

FuzzBinTold fuzz_bin_told;

bool fuzz_bin_is_text(TVMFFIByteArray text, const char *expected)
{
  return text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0;
}

static bool is_strange(unsigned aspect)
{
  return aspect == FUZZ_BIN_STRANGER || aspect == FUZZ_BIN_NEAR_KIND;
}

// The kinds of errors that the spec asks for.
static const char *due_kind(unsigned aspect)
{
  if (is_strange(aspect)) return "RuntimeError";
  if (aspect == FUZZ_BIN_FAILS) return "FuzzError";
  return aspect == FUZZ_BIN_NO_MODULE ? "TypeError" : NULL;
}

// Whether the library is still there, which we have open.
static bool has_carrier(FuzzRun *run)
{
  Dl_info unused;
  if (dladdr((const void *)fuzz_bin.context, &unused) != 0) return true;
  run->unusable = true;
  fuzz_see_of(run, FUZZ_RELEASED, FUZZ_BIN_CLOSED_OFTEN,
              "the library is not mapped any more, though somebody else has it open");
  return false;
}

// What a refusal must not leave behind, nor have done.
static void judge_remains(FuzzRun *run)
{
  if (fuzz_bin_load.went_on)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_GOES_ON, "%zu calls of loaders, one of which failed",
                fuzz_bin_load.calls);
  if (*fuzz_bin.context)
    fuzz_see_of(run, FUZZ_LEAK, FUZZ_BIN_CONTEXT,
                "__tvm_ffi__library_ctx was NULL before the load that failed, and is not any more");
  if (fuzz_bin_load.calls && fuzz_bin_is_broken(run->aspect))
    fuzz_see_of(run, FUZZ_ACCEPTED, FUZZ_BIN_IN_PART, "%zu call%s of loaders, then it is refused",
                fuzz_bin_load.calls, fuzz_bin_load.calls == 1 ? "" : "s");
}

// Whether what a loader put into its error besides kind and message is lost.
static bool lost_extra(const FuzzRun *run, TVMFFIObjectHandle error)
{
  return fuzz_bin.extra && run->aspect == FUZZ_BIN_FAILS &&
         error_cell(fuzz_bin.iut, error)->extra_context != fuzz_bin.extra;
}

bool fuzz_bin_has_loader(const BinOracleModule *entry)
{
  bool has = entry->is_library;
  for (size_t i = 0; i < FUZZ_BIN_KINDS && !has; ++i)
    has = entry->kind.size == strlen(fuzz_bin_kinds[i].name) &&
          memcmp(entry->kind.data, fuzz_bin_kinds[i].name, entry->kind.size) == 0;
  return has;
}

// Whether the message has in it one of the kinds without a loader, if these are plain words.
static bool names_stranger(TVMFFIByteArray message)
{
  enum { LONG = 64 };
  for (size_t i = 0; fuzz_bin_load.tree && i < fuzz_bin_load.tree->num_modules; ++i) {
    const BinOracleModule *entry = &fuzz_bin_load.tree->modules[i];
    if (fuzz_bin_has_loader(entry)) continue;
    if (memmem(message.data, message.size, entry->kind.data, entry->kind.size)) return true;
    bool plain = entry->kind.size <= LONG;
    for (size_t k = 0; k < entry->kind.size && plain; ++k)
      plain = isalnum(entry->kind.data[k]) || entry->kind.data[k] == '_';
    if (!plain) return true;
  }
  return !fuzz_bin_load.tree;
}

// Other codes are for loaders that fail with them. (A broken payload may make one fail.)
static void judge_code(int code, const TVMFFIAny *result, FuzzRun *run)
{
  if (code != -1 && !fuzz_bin_load.failed && fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_REFUSE)
    fuzz_see(run, FUZZ_ERROR, "the load fails with code %d, not -1", code);
  if (result->type_index != kTVMFFINone)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_WRITTEN,
                "the load fails, and its result has a value of type index %d", result->type_index);
}

void fuzz_bin_judge_refusal(int code, const TVMFFIAny *result, FuzzRun *run)
{
  TVMFFIObjectHandle error = take_error(fuzz_bin.iut);
  run->refused = true;
  if (fuzz_bin_load.odd_call || !has_carrier(run)) {
    release_object(fuzz_bin.iut, error);
    return;
  }
  judge_remains(run);
  judge_code(code, result, run);
  fuzz_behave(run, &fuzz_bin_load.calls, fuzz_bin_load.calls < 3 ? sizeof fuzz_bin_load.calls : 0);
  if (!error) {
    fuzz_see(run, FUZZ_ERROR, "it is refused, and no error is raised");
    return;
  }
  const TVMFFIErrorCell *cell = error_cell(fuzz_bin.iut, error);
  bool mixed = fuzz_bin_load.tree && fuzz_bin_fails_otherwise(fuzz_bin_load.tree, run->aspect);
  const char *due = mixed ? NULL : due_kind(run->aspect);
  int shown = cell->kind.size < 40 ? (int)cell->kind.size : 40;
  bool strange = !mixed && is_strange(run->aspect), near = run->aspect == FUZZ_BIN_NEAR_KIND;
  if (cell->kind.size == 0 || cell->message.size == 0)
    fuzz_see_of(run, FUZZ_ERROR, run->aspect == FUZZ_BIN_FAILS ? FUZZ_BIN_FAILS : FUZZ_BIN_WORDLESS,
                "the error has no %s", cell->kind.size ? "message" : "kind");
  else if (due && !fuzz_bin_is_text(cell->kind, due))
    fuzz_see_of(run, FUZZ_ERROR,
                near      ? FUZZ_BIN_NEAR_ERROR
                : strange ? FUZZ_BIN_ERROR_KIND
                          : run->aspect,
                "the error is of kind %.*s, not %s", shown, cell->kind.data, due);
  else if (strange && !names_stranger(cell->message))
    fuzz_see_of(run, FUZZ_ERROR, FUZZ_BIN_NAMELESS, "the message names no kind without a loader");
  else if (!mixed && lost_extra(run, error))
    fuzz_see(run, FUZZ_ERROR, "the error has not the extra context that the loader gave it");
  if (fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_ACCEPT)
    fuzz_see(run, FUZZ_REFUSED, "%.*s: %.*s", shown, cell->kind.data,
             cell->message.size < 200 ? (int)cell->message.size : 200, cell->message.data);
  fuzz_behave_text(run, cell->kind.data, cell->kind.size);
  fuzz_behave_text(run, cell->message.data, cell->message.size);
  fuzz_bin_told.is_there = true;
  fuzz_bin_told.size = cell->message.size;
  memcpy(fuzz_bin_told.text, cell->message.data,
         fuzz_bin_told.size < FUZZ_BIN_TOLD_MAX ? fuzz_bin_told.size : FUZZ_BIN_TOLD_MAX);
  release_object(fuzz_bin.iut, error);
}

static bool has_library(const BinOracle *tree)
{
  for (size_t i = 0; i < tree->num_modules; ++i)
    if (tree->modules[i].is_library) return true;
  return false;
}

void fuzz_bin_judge_acceptance(const TVMFFIAny *result, FuzzRun *run)
{
  if (fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_REFUSE)
    fuzz_see(run, FUZZ_ACCEPTED, "it loads, with %zu call%s of loaders", fuzz_bin_load.calls,
             fuzz_bin_load.calls == 1 ? "" : "s");
  if (result->type_index != kTVMFFIModule) {
    fuzz_see(run, FUZZ_DIFFERENT, "the load gives a value of type index %d, not a module",
             result->type_index);
    run->unusable = true;
    return;
  }
  TVMFFIObjectHandle root = result->v_obj;
  if (fuzz_bin_is_lent(root)) {
    fuzz_see_of(run, FUZZ_RELEASED, FUZZ_BIN_ROOT_LENT,
                "nobody holds the module that the load returns");
    fuzz_bin.iut->ObjectIncRef(root);
  }
  fuzz_enter(run, FUZZ_BIN_READING);
  fuzz_bin_meet_all(root, run);
  bool due = fuzz_bin_aspects[run->aspect].due == FUZZ_DUE_ACCEPT;
  fuzz_bin.may_be_held |= !due;
  if (due) fuzz_bin_check_tree(fuzz_bin_load.tree, root, run);
  if (due) fuzz_bin_check_unreached(run);
  // (Whether it is set at all shows now.)
  if (fuzz_bin_load.context_late && *fuzz_bin.context)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CONTEXT_LATE,
                "__tvm_ffi__library_ctx is NULL when a loader behind the library is called");
  if (due && has_library(fuzz_bin_load.tree) && !*fuzz_bin.context &&
      fuzz_bin_known.count == fuzz_bin_load.tree->num_modules)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CONTEXT_NONE,
                "__tvm_ffi__library_ctx is NULL when the load returns");
  bool filled = *fuzz_bin.symbol == &fuzz_bin;
  if (due && !filled)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_SYMBOLS_NONE,
                "a registered context symbol %s when the load returns",
                *fuzz_bin.symbol ? "has another address" : "is NULL");
  fuzz_bin_load.symbols_late &= filled;
  fuzz_enter(run, FUZZ_BIN_LOOKING_UP);
  if (due) fuzz_bin_check_look_up(root, run);
  // (Of most trees that is looked at once they are alone.)
  if (due && has_library(fuzz_bin_load.tree) && !fuzz_bin_load.tree->modules[0].is_library)
    fuzz_bin_check_context(run);
  fuzz_bin_release_tree(root, run);
}

// What loaders did besides, and what of it was wrong.
void fuzz_bin_judge_loaders(FuzzRun *run)
{
  run->costly = fuzz_bin_load.has_inner;
  if (fuzz_bin_load.odd_call)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_CALLS, "%s", fuzz_bin_load.text);
  // (Whether they are filled at all shows once it is loaded.)
  if (fuzz_bin_load.symbols_late && !run->refused)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_SYMBOLS_LATE,
                "a registered context symbol is not filled when a loader is called");
  if (fuzz_bin_load.odd_argument)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_ARGUMENT,
                "bytes of the argument that nothing is in are not zero");
  if (fuzz_bin_load.odd_padding)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_PADDING, "the padding of the argument is not zero");
  if (fuzz_bin_load.odd_result)
    fuzz_see_of(run, FUZZ_DIFFERENT, FUZZ_BIN_RESULT, "a loader finds something in its result");
  // (What it shows alone is not about the load that goes on.)
  if (fuzz_bin_load.inner_wrong && fuzz_bin_minds_room())
    fuzz_see_of(run, FUZZ_REFUSED, FUZZ_BIN_ROOMY,
                "a library is not loaded whose symbol is larger than its payload");
  else if (fuzz_bin_load.inner_wrong)
    fuzz_see_of(run, FUZZ_DIFFERENT, fuzz_bin_load.in_thread ? FUZZ_BIN_THREADS : FUZZ_BIN_NESTS,
                "the load of another library that %s is not right",
                fuzz_bin_load.in_thread ? "another thread does meanwhile" : "a loader does");
  fuzz_bin_check_kept(run, "when the load is over");
}
