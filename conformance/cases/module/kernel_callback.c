// SPDX-License-Identifier: Apache-2.0
// Functions among the arguments: how they are called, and what becomes of what they return, raise
// and keep.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_callback.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_refused.h"
#include "kernel/kernel_stated.h"
#include "kernel/kernel_varied.h"
#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, LIMIT_MS = 8000, FILLED = 0xdb };

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

static bool has_function(const Kernel *kernel)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (is_function(kernel, i)) return true;
  return false;
}

static bool may_be_function(const Signature *signature, const SignatureType *type)
{
  for (uint32_t i = 0; type->kind == KERNEL_VARIANT && i < type->children.count; ++i)
    if (signature_type(signature, type->children.first + i)->kind == KERNEL_FUNCTION) return true;
  return type->kind == KERNEL_FUNCTION;
}

// The calls of a function that are looked at: the first, the second, and the last of so many.
enum { TURNS = 3 };
static unsigned turns_of(unsigned calls, unsigned turns[TURNS])
{
  const unsigned all[TURNS] = {1, 2, calls};
  unsigned count = 0;
  for (unsigned i = 0; i < TURNS; ++i)
    if (all[i] <= calls && (i == 0 || all[i] > all[i - 1])) turns[count++] = all[i];
  return count;
}

// How often a right call calls the function at `position`, up to what one call may do.
static unsigned calls_in_right_call(Iut *iut, const Kernel *kernel, unsigned position)
{
  KernelCallback *counting;
  KernelCall *call = new_call_with(iut, kernel, position, KERNEL_CALLBACK_WORKS, &counting);
  make_call(call);
  drop_outcome(call);
  return atomic_load(&counting->calls);
}

static const char none_is_function[] = "none of its parameters is a function";

static const char *no_function(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  if (has_function(instance->kernel)) return NULL;
  if (!signature || !instance->kernel->chosen) return none_is_function;
  const SignatureRange parameters = signature_form(signature, 0)->parameters;
  for (uint32_t i = 0; i < parameters.count; ++i)
    if (may_be_function(signature, signature_type(signature, parameters.first + i))) return NULL;
  return none_is_function;
}

// The first promised call of a signature that hands over a function, where the example does not: another
// alternative of a variant, or what may be None. It lives until the process of the case ends.
static const Kernel *first_with_function(const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Kernel *made = malloc(sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  if (!choices || !made) case_inconclusive("no memory for the choices");
  const size_t count = signature && kernel->chosen ? kernel_chosen(signature, choices) : 0;
  bool found = false;
  for (size_t i = 1; i < count && !found; ++i) {
    kernel_copy(made, kernel);
    found = choices[i].standing == KERNEL_PROMISED &&
            kernel_of_choice(signature, &choices[i], made, problem) && has_function(made);
  }
  free(choices);
  return found ? made : NULL;
}

// The right call that hands over a function, and the call that it is of.
static KernelCall *require_call_with_function(Iut *iut, const Kernel **kernel)
{
  if (!has_function(*kernel)) *kernel = first_with_function(*kernel);
  if (!*kernel) case_not_applicable("%s", none_is_function);
  return require_right_call(iut, *kernel);
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
  require_call_with_function(iut, &kernel);
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
} WrongResultRow;

static const WrongResultRow wrong_results[] = {
    {"none", "None", KERNEL_CALLBACK_RETURNS_NONE},
    {"string", "a string", KERNEL_CALLBACK_RETURNS_TEXT},
};

// Whether a result of this type is one that the function may not return: none of a variant either. A function
// whose result is not used need not look at it.
static bool is_wrong(const SignatureType *stated, const WrongResultRow *row)
{
  const bool text = row->turn == KERNEL_CALLBACK_RETURNS_TEXT;
  if (!stated || stated->kind == KERNEL_ANY || stated->kind == KERNEL_NONE) return false;
  if (!text && stated->optional) return false;
  for (uint32_t i = 0; stated->kind == KERNEL_VARIANT && i < stated->children.count; ++i)
    if (!is_wrong(signature_type(signature_under_test(), stated->children.first + i), row))
      return false;
  return !text || (stated->kind != KERNEL_STRING && stated->kind != KERNEL_OBJECT &&
                   stated->kind != KERNEL_BYTES);
}

KERNEL_CASE_ROWS(
    callback_result_is_checked, wrong_results, .clauses = {KER_56}, .needs = NEEDS_A_RUN,
    .lacks = no_function, .unconcerned = true,
    .title = "a call is refused if a function among its arguments returns another type")
{
  unsigned tried = 0;
  require_call_with_function(iut, &kernel);
  if (!(kernel->promises & SIGNATURE_CHECKS_KIND))
    case_not_applicable("its signature file does not promise to check kinds");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    unsigned turns[TURNS];
    char name[64];
    if (!is_function(kernel, i) || !is_wrong(stated_result(kernel, i), row)) continue;
    const unsigned count = turns_of(calls_in_right_call(iut, kernel, i), turns);
    for (unsigned k = 0; k < count; ++k) {
      KernelCallback *callback;
      KernelCall *call = new_call_with(iut, kernel, i, row->turn, &callback);
      callback->from = turns[k];
      note_call(call, "when call %u of %s returns %s: ", turns[k], parameter_name(kernel, i, name),
                row->what);
      make_call(call);
      if (atomic_load(&callback->calls) < turns[k]) continue;
      expect_refused(call);
      drop_outcome(call);
      ++tried;
    }
  }
  if (tried == 0) case_not_applicable("it calls no argument whose result is stated");
}

typedef struct WrongTensorRow {
  const char *name, *what;
  KernelGivenForm form;
  unsigned check;  // what the signature has to promise to look at
} WrongTensorRow;

static const WrongTensorRow wrong_tensors[] = {
    {"dtype", "a tensor of another data type", KERNEL_GIVEN_OTHER_DTYPE, SIGNATURE_CHECKS_DTYPE},
    {"bytes", "a tensor of another data type with the bytes of the right one",
     KERNEL_GIVEN_SAME_BYTES, SIGNATURE_CHECKS_DTYPE},
    {"width", "floats of another width with the bytes of the right ones", KERNEL_GIVEN_OTHER_WIDTH,
     SIGNATURE_CHECKS_DTYPE},
    {"extent", "a shorter tensor", KERNEL_GIVEN_SHORTER, SIGNATURE_CHECKS_SHAPE},
    {"rank", "a tensor with one dimension more", KERNEL_GIVEN_OTHER_RANK, SIGNATURE_CHECKS_RANK},
};

// Whether the last extent is that of a tensor which the function is given, or of one of the call's.
static bool has_known_extent(const Kernel *kernel, const SignatureType *stated)
{
  const Signature *signature = signature_under_test();
  int64_t size;
  if (stated->shape.count == 0) return false;
  const SignatureExtent *last =
      signature_extent(signature, stated->shape.first + stated->shape.count - 1);
  return last->form == SIGNATURE_EXTENT_NUMBER ||
         (last->form == SIGNATURE_EXTENT_EXPRESSION &&
          kernel_size_of(kernel, signature_text(signature, last->text), &size));
}

// Whether a tensor in this form is one that the signature rules out.
static bool is_wrong_tensor(const Kernel *kernel, const SignatureType *stated,
                            const WrongTensorRow *row)
{
  if (!stated || stated->kind != KERNEL_TENSOR || !(kernel->promises & row->check)) return false;
  if (row->check == SIGNATURE_CHECKS_DTYPE) {
    const char *variable = signature_text(signature_under_test(), stated->dtype_variable);
    return *variable || stated->dtypes.count == 1;
  }
  if (!stated->has_shape) return false;
  return row->form == KERNEL_GIVEN_OTHER_RANK || has_known_extent(kernel, stated);
}

KERNEL_CASE_ROWS(
    callback_tensor_is_checked, wrong_tensors, .clauses = {KER_56}, .needs = NEEDS_A_RUN,
    .lacks = no_function, .unconcerned = true,
    .title = "a call is refused if a function among its arguments returns another tensor")
{
  unsigned tried = 0;
  require_call_with_function(iut, &kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64];
    if (!is_function(kernel, i) || !is_wrong_tensor(kernel, stated_result(kernel, i), row))
      continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_WORKS, &callback);
    callback->form = row->form;
    note_call(call, "when %s returns %s: ", parameter_name(kernel, i, name), row->what);
    make_call(call);
    if (callback->formed == 0) continue;
    expect_refused(call);
    ++tried;
  }
  if (tried == 0) case_not_applicable("it calls no argument of which a tensor is stated");
}

typedef struct ViewResultRow {
  const char *name, *what;
  KernelGivenForm form;
} ViewResultRow;

static const ViewResultRow view_results[] = {
    {"byte_offset", "a tensor with a byte_offset", KERNEL_GIVEN_OFFSET},
    {"strides", "a tensor with strides", KERNEL_GIVEN_APART},
};

// How a call was refused: after how many calls of the callback, and with which words.
typedef struct Refusal {
  unsigned calls;
  char text[256];
} Refusal;

// Makes the call where what the function at `position` returns has this form, and this in its memory beside the
// elements (0: what it has otherwise). False if it is served.
static bool is_refused(Iut *iut, const Kernel *kernel, unsigned position, KernelGivenForm form,
                       unsigned char fill, Refusal *refusal)
{
  KernelCallback *callback;
  char name[64];
  KernelCall *call = new_call_with(iut, kernel, position, KERNEL_CALLBACK_WORKS, &callback);
  callback->form = form;
  callback->fill = fill;
  note_call(call, "when %s returns the same with %s beside the elements: ",
            parameter_name(kernel, position, name), fill == 0xff ? "NaN" : "other numbers");
  make_call(call);
  const bool refused = call->returned != 0;
  refusal->calls = atomic_load(&callback->calls);
  snprintf(refusal->text, sizeof refusal->text, "%s", call->error_text);
  drop_outcome(call);
  return refused;
}

static bool is_like(const Refusal *one, const Refusal *other)
{
  return one->calls == other->calls && strcmp(one->text, other->text) == 0;
}

// A call that is refused for the form of what the function at `position` returned is so whatever else is in the
// memory of that: else the elements were looked for where they are not. An error that is another one each time is not
// judged.
static void expect_refused_for_form(Iut *iut, const Kernel *kernel, unsigned position,
                                    KernelGivenForm form)
{
  static const unsigned char fills[] = {0x01, 0xff};  // small numbers, and NaN
  Refusal first, again, other;
  if (!is_refused(iut, kernel, position, form, 0, &first) ||
      !is_refused(iut, kernel, position, form, 0, &again) || !is_like(&first, &again))
    return;
  for (size_t i = 0; i < sizeof fills; ++i) {
    const bool refused = is_refused(iut, kernel, position, form, fills[i], &other);
    expect_that(refused && is_like(&first, &other), "the same error after as many calls of it",
                "%s, after %u, not %u", other.text, other.calls, first.calls);
  }
}

KERNEL_CASE_ROWS(
    callback_tensor_may_be_a_view, view_results, .clauses = {BUF_1, BUF_2}, .needs = NEEDS_A_RUN,
    .lacks = no_function, .unconcerned = true,
    .title = "a view that a function among the arguments returns is its elements, or refused")
{
  unsigned tried = 0;
  KernelCall *right = require_call_with_function(iut, &kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *callback;
    char name[64];
    if (!is_function(kernel, i)) continue;
    KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_WORKS, &callback);
    callback->form = row->form;
    note_call(call, "when %s returns %s: ", parameter_name(kernel, i, name), row->what);
    make_call(call);
    if (callback->formed == 0) continue;
    expect_same_or_refused(call, right);
    if (call->returned != 0) expect_refused_for_form(iut, kernel, i, row->form);
    ++tried;
  }
  if (tried == 0) case_not_applicable("it calls no argument of which a tensor is stated");
}

static const char *lacks_atomic_call(const CaseInstance *instance)
{
  const char *lack = no_function(instance);
  return lack ? lack : kernel_lacks_atomic(instance);
}

// The first time that it is called, and the last one.
KERNEL_CASE(atomic_callback, .clauses = {KER_62}, .needs = NEEDS_A_RUN, .lacks = lacks_atomic_call,
            .unconcerned = true,
            .title = "a call that a function among the arguments fails in has changed nothing")
{
  unsigned tried = 0;
  require_call_with_function(iut, &kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCallback *counting, *callback;
    char name[64];
    if (!is_function(kernel, i)) continue;
    make_call(new_call_with(iut, kernel, i, KERNEL_CALLBACK_WORKS, &counting));
    const unsigned calls = atomic_load(&counting->calls);
    for (int last = 0; last < 2 && calls > (unsigned)last; ++last) {
      KernelCall *call = new_call_with(iut, kernel, i, KERNEL_CALLBACK_FAILS, &callback);
      callback->from = last ? calls : 1;
      note_call(call, "when call %u of %s fails: ", callback->from,
                parameter_name(kernel, i, name));
      make_call(call);
      if (call->returned == 0) continue;
      expect_outputs_untouched(call);
      drop_outcome(call);
      ++tried;
    }
  }
  if (tried == 0) case_not_applicable("it calls none of its arguments, or goes on when one fails");
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
  KernelCall *right = require_call_with_function(iut, &kernel),
             *again = new_right_call(iut, kernel);
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
  require_call_with_function(iut, &kernel);
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

// (The first call of a function is for kernel.error-of-a-callee-is-passed-on. A function may catch one kind of error
// and not another.)
KERNEL_CASE(later_error_is_passed_on, .clauses = {KER_22}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true,
            .title = "a call is refused if a later call of a function among the arguments fails")
{
  static const KernelCallbackTurn kinds[] = {KERNEL_CALLBACK_FAILS,
                                             KERNEL_CALLBACK_FAILS_OTHERWISE};
  unsigned tried = 0;
  require_call_with_function(iut, &kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    unsigned turns[TURNS];
    char name[64];
    if (!is_function(kernel, i)) continue;
    const unsigned count = turns_of(calls_in_right_call(iut, kernel, i), turns);
    for (unsigned k = 0; k < 2 * count; ++k) {
      KernelCallback *callback;
      const unsigned turn = turns[k / 2];
      KernelCall *call = new_call_with(iut, kernel, i, kinds[k % 2], &callback);
      callback->from = turn;
      note_call(call, "when call %u of %s raises %s: ", turn, parameter_name(kernel, i, name),
                k % 2 ? kernel_callback_other_kind : kernel_callback_kind);
      make_call(call);
      if (atomic_load(&callback->calls) < turn) continue;
      expect_refused(call);
      drop_outcome(call);
      ++tried;
    }
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
  require_call_with_function(iut, &kernel);
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

// When the function at `position` makes this call as it is called for the `turn`th time, which alone came to `alone`. False if
// it is not called so often.
static bool judge_inner(KernelCall *right, unsigned position, unsigned turn, KernelCall *alone,
                        const char *words)
{
  KernelCallback *callback;
  char name[64];
  KernelCall *call =
      new_call_with(right->iut, right->kernel, position, KERNEL_CALLBACK_CALLS_BACK, &callback);
  callback->inner = new_right_call(right->iut, alone->kernel);
  callback->from = turn;
  note_call(call, "when %s calls it again%s: ", parameter_name(right->kernel, position, name),
            words);
  const CallEnd end = end_of_call_within(call, LIMIT_MS);
  if (!expect_that(
          end == CALL_RETURNS, "the call returns",
          end == CALL_HANGS ? "it is still running after 8 seconds" : "it ends the process"))
    return true;
  make_call(call);
  if (atomic_load(&callback->calls) < turn) return false;
  expect_same_outcome(call, right);
  expect_same_outcome(callback->inner, alone);
  return true;
}

KERNEL_CASE(
    callback_calls_again, .clauses = {KER_58}, .needs = NEEDS_A_RUN, .lacks = no_function,
    .unconcerned = true, .wrong_call = true,
    .title = "a call that is made by a function among the arguments gives the same as alone")
{
  enum { INNER_TURNS = 2 };  // before the second one a function has begun its work
  static Kernel other;
  unsigned tried = 0;
  KernelCall *right = require_call_with_function(iut, &kernel), *different = NULL;
  if (kernel_with_other_data(kernel, &other)) different = new_right_call(iut, &other);
  if (different && end_of_call_within(different, LIMIT_MS) != CALL_RETURNS) different = NULL;
  if (different) make_call(different);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    for (unsigned turn = 1; turn <= INNER_TURNS && is_function(kernel, i); ++turn) {
      if (!judge_inner(right, i, turn, right, "")) break;
      ++tried;
      if (different && different->returned == 0)
        judge_inner(right, i, turn, different, ", with other data");
    }
  }
  if (tried == 0) case_not_applicable("it calls none of its arguments");
}

// What became of the memory of a tensor that was kept.
typedef enum KeptEnd {
  KEPT_NOTHING = 70,  // no tensor was kept, or the process ended
  KEPT_VALID,
  KEPT_FREED,
  KEPT_BORROWED,
} KeptEnd;

static bool lies_within(const DLTensor *tensor, const KernelTensor *argument)
{
  const unsigned char *first = (const unsigned char *)tensor->data + tensor->byte_offset;
  return argument->tensor && argument->on_host && argument->memory && first >= argument->memory &&
         first < argument->memory + argument->memory_size;
}

// Whether it lies in an argument that nobody but us has a reference to: its caller may give it back.
static bool lies_in_argument(const KernelCall *call, const DLTensor *tensor)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *argument = kernel_call_tensor_of(call, i);
    if (lies_within(tensor, argument))
      return !argument->object || object_strong(call->iut, argument->object) == 1;
  }
  return false;
}

static KeptEnd end_of_kept(const KernelCall *call, const KernelCallback *callback)
{
  KeptEnd end = KEPT_NOTHING;
  for (uint32_t i = 0; i < callback->kept_count; ++i) {
    unsigned same = 0;
    const uint32_t size = callback->seen_size[i];
    if (size == 0 || object_strong(call->iut, callback->kept[i].v_obj) < 1) continue;
    const DLTensor *tensor = object_body(call->iut, callback->kept[i].v_obj);
    if (lies_in_argument(call, tensor)) return KEPT_BORROWED;
    const unsigned char *now = (const unsigned char *)tensor->data + tensor->byte_offset;
    for (uint32_t k = 0; k < size; ++k) same += now[k] == FILLED && callback->seen[i][k] != FILLED;
    if (same >= size / 2 + 1 && now[0] == FILLED) return KEPT_FREED;
    end = KEPT_VALID;
  }
  return end;
}

// In a copy of the process, whose heap fills what is given back to it. What takes too long tells nothing.
enum { SECONDS_APART = 2 };
static _Noreturn void keep_in_copy(Iut *iut, const Kernel *kernel, unsigned position)
{
  KernelCallback *callback;
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  alarm(SECONDS_APART);
  KernelCall *call = new_call_with(iut, kernel, position, KERNEL_CALLBACK_KEEPS, &callback);
  const bool fenced = faults_fence_overwriting(FILLED);
  make_call(call);
  drop_outcome(call);
  if (fenced) faults_unfence();
  _exit(fenced ? (int)end_of_kept(call, callback) : (int)KEPT_NOTHING);
}

static KeptEnd keep_apart(Iut *iut, const Kernel *kernel, unsigned position)
{
  int status;
  const pid_t copy = kernel_fork();
  if (copy == 0) keep_in_copy(iut, kernel, position);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  return WIFEXITED(status) ? (KeptEnd)WEXITSTATUS(status) : KEPT_NOTHING;
}

KERNEL_CASE(callback_may_keep_tensors, .clauses = {KER_59}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true, .patience = 5,
            .title = "a tensor that a function among the arguments keeps has its memory afterwards")
{
  unsigned tried = 0;
  require_call_with_function(iut, &kernel);
  if (kernel_cuda_chosen()) case_not_applicable("a copy of the process cannot use the device");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    char name[64];
    if (!is_function(kernel, i)) continue;
    const KeptEnd end = keep_apart(iut, kernel, i);
    if (end != KEPT_VALID && end != KEPT_FREED && end != KEPT_BORROWED) continue;
    note("when %s keeps its arguments", parameter_name(kernel, i, name));
    expect_that(end == KEPT_VALID, "a kept tensor has the memory of its elements", "%s",
                end == KEPT_FREED
                    ? "it was given back to the heap"
                    : "it is that of an argument, which nobody holds a reference to for it");
    ++tried;
  }
  if (tried == 0) case_not_applicable("it hands no tensor in host memory to a function");
}

KERNEL_CASE(callback_may_keep_arguments, .clauses = {KER_59}, .needs = NEEDS_A_RUN,
            .lacks = no_function, .unconcerned = true,
            .title = "an object that a function among the arguments keeps is valid after the call")
{
  unsigned tried = 0;
  require_call_with_function(iut, &kernel);
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
