// SPDX-License-Identifier: Apache-2.0
// Functions among the arguments: how they are called, and what becomes of what they return, raise
// and keep.
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_callback.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, LIMIT_MS = 8000 };

// A right call in which the function at `position` does something else.
static KernelCall *new_call_with(Iut *iut, const Kernel *kernel, unsigned position,
                                 KernelCallbackTurn turn, KernelCallback **callback)
{
  KernelCall *call = new_right_call(iut, kernel);
  *callback = kernel_callback_new(call, &kernel->parameters[position], turn);
  call->values[position] = view_of_object(iut, (*callback)->function);
  return call;
}

static bool is_function(const Kernel *kernel, unsigned position)
{
  return kernel->parameters[position].kind == KERNEL_FUNCTION;
}

static const char *no_function(const CaseInstance *instance)
{
  for (unsigned i = 0; i < instance->kernel->parameter_count; ++i)
    if (is_function(instance->kernel, i)) return NULL;
  return "none of its parameters is a function";
}

// What the signature says that the function at `position` returns, or NULL.
static const SignatureType *stated_result(const Kernel *kernel, unsigned position)
{
  const Signature *signature = signature_under_test();
  if (!signature || !kernel->chosen) return NULL;
  const SignatureType *type = signature_type(signature, kernel->parameters[position].type);
  return type->kind == KERNEL_FUNCTION && type->returns != SIGNATURE_NONE
             ? signature_type(signature, type->returns)
             : NULL;
}

KERNEL_CASE(callback_is_called_as_stated, .clauses = {KER_55}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true,
            .title = "a function among the arguments is called with what the signature states")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64], expected[112];
    if (!is_function(kernel, i)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_WORKS, &callback);
    if (!callback->type || callback->type->children.count == 0) continue;
    note_call(call, "when %s is called: ", parameter_name(kernel, i, name));
    make_call(call);
    if (!expect_served(call) || atomic_load(&callback->calls) == 0) continue;
    snprintf(expected, sizeof expected, "%s is called as the signature states",
             parameter_name(kernel, i, name));
    expect_that(!callback->wrong[0], expected, "%s", callback->wrong);
    ++tried;
  }
  if (tried == 0) case_not_applicable("it calls no argument whose parameters are stated");
}

typedef struct WrongResultRow {
  const char *name, *what;
  KernelCallbackTurn turn;
  int32_t type_index;
} WrongResultRow;

static const WrongResultRow wrong_results[] = {
    {"none", "None", KERNEL_CALLBACK_RETURNS_NONE, kTVMFFINone},
    {"string", "a string", KERNEL_CALLBACK_RETURNS_TEXT, kTVMFFIStr},
};

// Whether a result of this type is one that the function may not return. A function whose result
// is not used need not look at it.
static bool is_wrong(const SignatureType *stated, const WrongResultRow *row)
{
  const bool text = row->turn == KERNEL_CALLBACK_RETURNS_TEXT;
  if (!stated || stated->kind == KERNEL_ANY || stated->kind == KERNEL_NONE ||
      stated->kind == KERNEL_VARIANT)
    return false;
  return text ? stated->kind != KERNEL_STRING && stated->kind != KERNEL_OBJECT &&
                    stated->kind != KERNEL_BYTES
              : !stated->optional;
}

KERNEL_CASE_ROWS(
    callback_result_is_checked, wrong_results, .clauses = {KER_56}, .needs = NEEDS_A_RUN,
    .lacks = no_function, .unconcerned = true,
    .title = "a call is refused if a function among its arguments returns another type")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  if (!(kernel->promises & SIGNATURE_CHECKS_KIND))
    case_not_applicable("its signature file does not promise to check kinds");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64];
    if (!is_function(kernel, i) || !is_wrong(stated_result(kernel, i), row)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, row->turn, &callback);
    note_call(call, "when %s returns %s: ", parameter_name(kernel, i, name), row->what);
    make_call(call);
    if (atomic_load(&callback->calls) == 0) continue;
    expect_refused(call);
    ++tried;
  }
  if (tried == 0) case_not_applicable("it calls no argument whose result is stated");
}

// A string object in its place, while those of other calls are where it might have been.
static KernelCall *call_with_text(Iut *iut, const Kernel *kernel, unsigned position)
{
  enum { OTHERS = 5 };
  const TVMFFIByteArray text = {"a text, longer than small strings are", 37};
  KernelCallback *callback;
  for (int i = 0; i < OTHERS; ++i) {
    TVMFFIAny held = any_none();  // until the process of the case ends
    require(expect_ok(iut, iut->StringFromByteArray(&text, &held)));
  }
  KernelCall *call = new_call_with(iut, kernel, position, KERNEL_CALLBACK_RETURNS_TEXT, &callback);
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) return NULL;
  make_call(call);
  return call->returned == 0 && atomic_load(&callback->calls) > 0 ? call : NULL;
}

KERNEL_CASE(callback_result_is_no_address, .clauses = {KER_65}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true,
            .title = "equal strings that a function returns, at other addresses, come to the same")
{
  unsigned tried = 0;
  KernelCall *right = require_right_call(iut, kernel), *again = new_right_call(iut, kernel);
  make_call(again);
  if (again->returned != 0 || !kernel_calls_alike(again, right))
    case_not_applicable("it does not give the same twice");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    char name[64];
    if (!is_function(kernel, i)) continue;
    KernelCall *one = call_with_text(iut, kernel, i), *other = call_with_text(iut, kernel, i);
    if (!one || !other) continue;
    note_call(other, "when %s returns a string: ", parameter_name(kernel, i, name));
    expect_that(kernel_calls_alike(other, one),
                "the same comes out for an equal string at another address", "something else");
    ++tried;
  }
  if (tried == 0) case_not_applicable("it refuses a string from a function, or calls none");
}

KERNEL_CASE(callback_error_reaches_caller, .clauses = {KER_57}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true,
            .title = "kind and message of the error are those of the function that fails")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64], expected[112];
    if (!is_function(kernel, i)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_FAILS, &callback);
    note_call(call, "when %s fails: ", parameter_name(kernel, i, name));
    make_call(call);
    if (atomic_load(&callback->calls) == 0) continue;
    ++tried;
    if (!expect_refused(call)) continue;
    snprintf(expected, sizeof expected, "%s with \"%s\"", kernel_callback_kind,
             kernel_callback_message);
    expect_that(
        strncmp(call->error_text, kernel_callback_kind, strlen(kernel_callback_kind)) == 0 &&
            strstr(call->error_text, kernel_callback_message),
        expected, "%s", call->error_text);
  }
  if (tried == 0) case_not_applicable("it calls none of its arguments");
}

// Whatever the call came to, nobody but us holds the function behind it.
KERNEL_CASE(
    callback_is_not_kept, .clauses = {KER_34}, .needs = NEEDS_A_RUN, .lacks = no_function,
    .unconcerned = true,
    .title = "a function among the arguments is held by nobody after a call that it failed in")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64], what[96];
    if (!is_function(kernel, i)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_FAILS, &callback);
    note_call(call, "when %s fails: ", parameter_name(kernel, i, name));
    make_call(call);
    drop_outcome(call);
    if (atomic_load(&callback->calls) == 0) continue;
    snprintf(what, sizeof what, "references of %s", parameter_name(kernel, i, name));
    expect_int(what, (int64_t)object_strong(iut, callback->function), 1);
    ++tried;
  }
  if (tried == 0) case_not_applicable("it calls none of its arguments");
}

KERNEL_CASE(
    callback_calls_again, .clauses = {KER_58}, .needs = NEEDS_A_RUN, .lacks = no_function,
    .unconcerned = true, .wrong_call = true,
    .title = "a call that is made by a function among the arguments gives the same as alone")
{
  unsigned tried = 0;
  KernelCall *right = require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64];
    if (!is_function(kernel, i)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_CALLS_BACK, &callback);
    callback->inner = new_right_call(iut, kernel);
    note_call(call, "when %s calls it again: ", parameter_name(kernel, i, name));
    const CallEnd end = end_of_call_within(call, LIMIT_MS);
    if (!expect_that(
            end == CALL_RETURNS, "the call returns",
            end == CALL_HANGS ? "it is still running after 8 seconds" : "it ends the process"))
      continue;
    make_call(call);
    if (atomic_load(&callback->calls) == 0) continue;
    expect_same_outcome(call, right);
    expect_same_outcome(callback->inner, right);
    ++tried;
  }
  if (tried == 0) case_not_applicable("it calls none of its arguments");
}

KERNEL_CASE(callback_may_keep_arguments, .clauses = {KER_59}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true,
            .title = "an object that a function among the arguments keeps is valid after the call")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64];
    if (!is_function(kernel, i)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_KEEPS, &callback);
    note_call(call, "when %s keeps its arguments: ", parameter_name(kernel, i, name));
    make_call(call);
    drop_outcome(call);
    for (uint32_t k = 0; k < callback->kept_count; ++k) {
      TVMFFIAny *kept = &callback->kept[k];
      ++tried;
      if (expect_int("type index of a kept object", object_type_index(iut, kept->v_obj),
                     kept->type_index) &&
          expect_that(object_strong(iut, kept->v_obj) >= 1, "a kept object has a reference",
                      "none"))
        release_any(iut, kept);
    }
  }
  if (tried == 0) case_not_applicable("it hands no object to a function");
}
