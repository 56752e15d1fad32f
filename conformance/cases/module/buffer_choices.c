// SPDX-License-Identifier: Apache-2.0
// Views in the calls that a signature file promises beside the example: of tensors that are None in that one, or
// have another rank, or are larger; and of all, where nothing is done in the example. And wrong descriptions of them.
#include <stdlib.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_close.h"
#include "kernel/kernel_due.h"
#include "kernel/kernel_expected.h"
#include "kernel/kernel_strides.h"
#include "plan/kernel_choice.h"

CHAPTER(buffer);

enum { JUDGED_MOST = 12, LIMIT_MS = 1000, SECONDS = 2 };

typedef struct OtherViewRow {
  const char *name;
  TensorForm form;
  KernelStrides *fill;  // NULL: strides are those of the form
} OtherViewRow;

static const OtherViewRow other_views[] = {{"byte_offset", {.byte_offset = 64}, NULL},
                                           {"strides", {.stride_factor = 2}, NULL},
                                           {"gaps", {.rank = 0}, kernel_strides_with_gaps}};

static const char no_file[] = "no signature file promises another call of it";

static const char *lacks_file(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  return signature && instance->kernel->chosen && !signature->tentative &&
                 signature->origin == SIGNATURE_FROM_FILE
             ? NULL
             : no_file;
}

// Whether it may be a tensor in some calls and not in others, or one of several ranks.
static bool may_be_other(const Signature *signature, const SignatureType *type)
{
  return (type->has_shape && signature_has_free_rank(signature, type)) ||
         type->kind == KERNEL_VARIANT || type->kind == KERNEL_ANY ||
         (type->kind == KERNEL_TENSOR && type->optional);
}

// No call that the file promises can have a tensor that the example has not.
static const char *lacks_other_tensors(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  if (lacks_file(instance)) return no_file;
  if (signature->forms.count > 1 || signature_form(signature, 0)->rest != SIGNATURE_NONE)
    return NULL;
  for (uint32_t i = 0; i < signature->types.count; ++i)
    if (may_be_other(signature, signature_type(signature, i))) return NULL;
  return no_file;
}

// Whether the call wrote to no tensor and returned no object.
static bool is_idle(const KernelCall *call)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (tensor->tensor && tensor->role != KERNEL_IN &&
        (!tensor->on_host || !kernel_tensor_untouched(tensor)))
      return false;
  }
  return call->result->type_index < kTVMFFIStaticObjectBegin;
}

// Whether it is larger in a dimension: then its elements may be looked at where those of the other are not.
static bool is_larger(const KernelParameter *at, const KernelParameter *own)
{
  for (int32_t k = 0; k < at->rank; ++k)
    if (at->shape[k].size > own->shape[k].size) return true;
  return false;
}

// Which tensors are judged: those that the example does not show, or shows with another rank; then those
// that are larger than there.
typedef enum Turn { NOT_SHOWN, LARGER, TURNS } Turn;

// `example` NULL: it shows none.
static bool is_other(const Kernel *example, const Kernel *made, unsigned position, Turn turn)
{
  const KernelParameter *own = example ? &example->parameters[position] : NULL;
  const KernelParameter *at = &made->parameters[position];
  if (at->kind != KERNEL_TENSOR || !at->typed || at->rank == 0 || at->device.device_type != kDLCPU)
    return false;
  const bool shown = own && own->kind == KERNEL_TENSOR && own->rank == at->rank;
  return turn == NOT_SHOWN ? !shown : shown && is_larger(at, own);
}

// The call, made; NULL if it is not served, or does nothing, or does not give the
// same twice.
static KernelCall *serve(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = new_right_call(iut, kernel), *again = new_right_call(iut, kernel);
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) return NULL;
  make_call(call);
  if (call->returned != 0) return NULL;
  make_call(again);
  const bool steady = again->returned == 0 && kernel_calls_alike(again, call);
  return steady && !is_idle(call) ? call : NULL;
}

// The order of sums, which strides may change, shows in the last digits of large tensors.
static void expect_alike_or_refused(KernelCall *call, KernelCall *right, Turn turn)
{
  char difference[KERNEL_DIFFERENCE_MAX];
  if (turn == LARGER && call->returned == 0 && kernel_is_close(call, right, difference))
    expect_that(true, "the same as for elements side by side", "it is");
  else
    expect_same_or_refused(call, right);
}

static unsigned judge(Iut *iut, const Kernel *example, const Kernel *made, const OtherViewRow *row,
                      Turn turn, const char *words)
{
  KernelCall *right = NULL;
  unsigned judged = 0;
  for (unsigned i = 0; i < made->parameter_count; ++i) {
    char name[64];
    // (In one dimension there is no gap.)
    if (!is_other(example, made, i, turn) || (row->fill && made->parameters[i].rank < 2)) continue;
    if (!right && !(right = serve(iut, made))) return judged;
    KernelCall *call = new_right_call(iut, made);
    int64_t strides[KERNEL_RANK_MAX] = {0};
    TensorForm form = row->form;
    if (row->fill) {
      row->fill(&made->parameters[i], strides);
      form.strides = strides;
    }
    call_with_tensor(call, i, &form);
    note_call(call, "where %s, with %s for %s: ", words, row->name, parameter_name(made, i, name));
    make_call(call);
    expect_alike_or_refused(call, right, turn);
    expect_refused_whatever_is_beside(iut, call, i, &form);
    expect_that(kernel_tensor_gaps_untouched(&call->tensors[i]),
                "memory outside the elements is as it was", "it was written to");
    ++judged;
  }
  return judged;
}

KERNEL_CASE_ROWS(
    views_of_other_calls, other_views, .clauses = {BUF_1, BUF_2, BUF_17},
    .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 4, .lacks = lacks_file,
    .after_right_call = true, .explores = true,
    .title = "tensors that the example has not give the outputs of their elements, or are refused")
{
  const Signature *signature = signature_under_test();
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  char problem[KERNEL_PROBLEM_MAX];
  unsigned judged = 0;
  if (!choices) case_inconclusive("no memory for the choices");
  const Kernel *shown = is_idle(require_right_call(iut, kernel)) ? NULL : kernel;
  const size_t count = kernel_chosen(signature, choices);
  for (int turn = NOT_SHOWN; turn < TURNS; ++turn) {
    const unsigned most = judged + JUDGED_MOST;
    for (size_t i = 1; i < count && judged < most && clock_leaves(SECONDS); ++i) {
      // A call borrows its kernel.
      Kernel *made = malloc(sizeof *made);
      if (!made) case_inconclusive("no memory for a call");
      kernel_copy(made, kernel);
      if (choices[i].standing == KERNEL_PROMISED &&
          kernel_of_choice(signature, &choices[i], made, problem))
        judged += judge(iut, shown, made, row, (Turn)turn, choices[i].words);
    }
  }
  free(choices);
  if (judged == 0) case_not_applicable("%s", no_file);
}

// --- Descriptions --------------------------------------------------------------------------------

typedef struct OtherDescriptionRow {
  const char *name, *words;
  unsigned check;
} OtherDescriptionRow;

static const OtherDescriptionRow descriptions[] = {
    {"dtype", "another data type", SIGNATURE_CHECKS_DTYPE},
    {"rank", "one dimension more", SIGNATURE_CHECKS_RANK},
    {"longer", "a longer extent", SIGNATURE_CHECKS_SHAPE},
    {"shorter", "a shorter extent", SIGNATURE_CHECKS_SHAPE},
    {"device", "another device", SIGNATURE_CHECKS_DEVICE},
};

// How the tensor is described then, in its dimension `k` where that matters. False if there is no such description.
static bool describe(const OtherDescriptionRow *row, const KernelParameter *at, int32_t k,
                     TensorForm *form)
{
  *form = (TensorForm){.has_shape = true, .rank = at->rank, .extents = at->rank};
  for (int32_t i = 0; i < at->rank; ++i) form->shape[i] = at->shape[i].size;
  switch (row->check) {
    case SIGNATURE_CHECKS_DTYPE:
      form->has_dtype = true;
      form->dtype = at->dtype;
      form->dtype.bits = at->dtype.bits > 32 ? at->dtype.bits / 2 : 2 * at->dtype.bits;
      return k == 0;
    case SIGNATURE_CHECKS_RANK:
      form->shape[form->rank++] = 1;
      form->extents = form->rank;
      return k == 0 && at->rank < KERNEL_RANK_MAX;
    case SIGNATURE_CHECKS_SHAPE:
      form->shape[k] += row->name[0] == 'l' ? 1 : -1;
      return form->shape[k] >= 0;
    default:
      form->has_device = true;
      form->device = (DLDevice){kDLVulkan, 0};
      return k == 0;
  }
}

static unsigned judge_description(Iut *iut, const Kernel *made, unsigned position,
                                  const OtherDescriptionRow *row, const char *words)
{
  unsigned judged = 0;
  for (int32_t k = 0; k < made->parameters[position].rank; ++k) {
    TensorForm form;
    char name[64];
    if (!(made->promises & row->check) || !describe(row, &made->parameters[position], k, &form) ||
        !tensor_is_outside(made, position, &form, row->check) ||
        !tensor_is_due(made, position, &form, row->check))
      continue;
    KernelCall *call = new_right_call(iut, made);
    call_with_tensor(call, position, &form);
    note_call(call, "where %s, with %s for %s: ", words, row->words,
              parameter_name(made, position, name));
    make_call(call);
    if (row->check == SIGNATURE_CHECKS_DTYPE)
      expect_refused_or_right(call);
    else
      expect_refused(call);
    ++judged;
  }
  return judged;
}

KERNEL_CASE_ROWS(
    description_in_other_calls, descriptions, .clauses = {KER_47},
    .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 2, .lacks = lacks_other_tensors,
    .wrong_call = true,
    .title = "a tensor that the example has not is refused where the file rules it out")
{
  const Signature *signature = signature_under_test();
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  bool seen[KERNEL_PARAMETERS_MAX] = {false};
  char problem[KERNEL_PROBLEM_MAX];
  unsigned judged = 0;
  if (!choices) case_inconclusive("no memory for the choices");
  require_right_call(iut, kernel);
  const size_t count = kernel_chosen(signature, choices);
  for (size_t i = 1; i < count && judged < JUDGED_MOST && clock_leaves(SECONDS); ++i) {
    int served = -1;
    // A call borrows its kernel.
    Kernel *made = malloc(sizeof *made);
    if (!made) case_inconclusive("no memory for a call");
    kernel_copy(made, kernel);
    if (choices[i].standing != KERNEL_PROMISED ||
        !kernel_of_choice(signature, &choices[i], made, problem))
      continue;
    for (unsigned position = 0; position < made->parameter_count; ++position) {
      if (seen[position] || !is_other(kernel, made, position, NOT_SHOWN)) continue;
      if (served < 0) served = kernel_is_served(iut, made, LIMIT_MS);
      if (!served) break;
      const unsigned own = judge_description(iut, made, position, row, choices[i].words);
      seen[position] = own > 0;
      judged += own;
    }
  }
  free(choices);
  if (judged == 0) case_not_applicable("%s", no_file);
}

// --- Data types of other calls -------------------------------------------------------------------

// The data types that each tensor has in the calls that are promised.
typedef struct Dtypes {
  DLDataType items[12];
  unsigned count;
} Dtypes;

static bool has_dtype(const Dtypes *dtypes, DLDataType dtype)
{
  for (unsigned i = 0; i < dtypes->count; ++i)
    if (kernel_is_same_dtype(dtypes->items[i], dtype)) return true;
  return false;
}

static void add_dtype(Dtypes *dtypes, DLDataType dtype)
{
  if (!has_dtype(dtypes, dtype) && dtypes->count < sizeof dtypes->items / sizeof *dtypes->items)
    dtypes->items[dtypes->count++] = dtype;
}

// Gives the tensor each of its types that is as wide as the one of this call.
static unsigned judge_dtypes(Iut *iut, const Kernel *made, unsigned position, const Dtypes *dtypes,
                             const char *words)
{
  const KernelParameter *own = &made->parameters[position];
  unsigned judged = 0;
  char name[64];
  for (unsigned i = 0; i < dtypes->count; ++i) {
    const TensorForm form = {.has_dtype = true, .dtype = dtypes->items[i]};
    if (form.dtype.bits != own->dtype.bits || kernel_is_same_dtype(form.dtype, own->dtype) ||
        !tensor_is_outside(made, position, &form, SIGNATURE_CHECKS_DTYPE) ||
        !tensor_is_due(made, position, &form, SIGNATURE_CHECKS_DTYPE))
      continue;
    KernelCall *call = new_right_call(iut, made);
    call_with_tensor(call, position, &form);
    note_call(call, "where %s, with the data type of another call for %s: ", words,
              parameter_name(made, position, name));
    make_call(call);
    expect_refused_or_right(call);
    ++judged;
  }
  return judged;
}

static bool has_elements(const KernelParameter *tensor)
{
  for (int32_t k = 0; k < tensor->rank; ++k)
    if (tensor->shape[k].size == 0) return false;
  return true;
}

static bool is_on_host(const KernelParameter *at)
{
  return at->kind == KERNEL_TENSOR && at->typed && at->device.device_type == kDLCPU;
}

// The call with one of these types for an element of a container; NULL if the file takes it, or rules it out by
// something else. A call borrows its kernel.
static Kernel *new_with_element(const Kernel *made, uint32_t element, DLDataType dtype)
{
  const DLDataType own = made->elements[element].dtype;
  if (dtype.bits != own.bits || kernel_is_same_dtype(dtype, own)) return NULL;
  Kernel *changed = malloc(sizeof *changed);
  if (!changed) case_inconclusive("no memory for a signature");
  kernel_copy(changed, made);
  kernel_set_dtype(&changed->elements[element], dtype);
  const KernelOutside outside = kernel_outside(signature_under_test(), changed, NULL);
  if (outside.by == SIGNATURE_CHECKS_DTYPE && outside.promised) return changed;
  free(changed);
  return NULL;
}

static unsigned judge_dtypes_inside(Iut *iut, const Kernel *made, unsigned position,
                                    const Dtypes *dtypes, const char *words)
{
  const KernelParameter *container = &made->parameters[position];
  unsigned judged = 0;
  char name[64];
  for (uint32_t k = 0; k < container->element_count; ++k) {
    const uint32_t element = container->first_element + k;
    const KernelParameter *own = &made->elements[element];
    for (unsigned i = 0; is_on_host(own) && has_elements(own) && i < dtypes->count; ++i) {
      Kernel *changed = new_with_element(made, element, dtypes->items[i]);
      if (!changed) continue;
      KernelCall *call = new_right_call(iut, changed);
      note_call(call, "where %s, with the data type of another call for element %u of %s: ", words,
                (unsigned)k, parameter_name(made, position, name));
      make_call(call);
      expect_refused_or_right(call);
      ++judged;
    }
  }
  return judged;
}

// What the tensors of calls have been seen with, and what was judged of them; those in a container as one.
typedef struct Seen {
  Dtypes had[KERNEL_PARAMETERS_MAX], judged[KERNEL_PARAMETERS_MAX];
} Seen;

static void note_dtypes(const Kernel *made, Seen *seen)
{
  for (unsigned i = 0; i < made->parameter_count; ++i) {
    const KernelParameter *at = &made->parameters[i];
    if (at->kind == KERNEL_TENSOR && at->typed) add_dtype(&seen->had[i], at->dtype);
    for (uint32_t k = 0; k < at->element_count; ++k) {
      const KernelParameter *element = &made->elements[at->first_element + k];
      if (element->kind == KERNEL_TENSOR && element->typed)
        add_dtype(&seen->had[i], element->dtype);
    }
  }
}

// The tensor of a parameter, or the first in its container; NULL if there is none.
static const KernelParameter *tensor_of(const Kernel *made, unsigned position)
{
  const KernelParameter *at = &made->parameters[position];
  for (uint32_t k = 0; k < at->element_count; ++k)
    if (is_on_host(&made->elements[at->first_element + k]))
      return &made->elements[at->first_element + k];
  return is_on_host(at) && has_elements(at) ? at : NULL;
}

// Judges the tensors that were not judged yet with the data type that they have in this call. It is made, and
// borrowed from then on, if *served is not negative afterwards.
static unsigned judge_dtypes_of(Iut *iut, const Kernel *made, Seen *seen, const char *words,
                                int *served)
{
  unsigned judged = 0;
  for (unsigned i = 0; i < made->parameter_count; ++i) {
    const KernelParameter *at = tensor_of(made, i);
    if (!at || seen->had[i].count < 2 || has_dtype(&seen->judged[i], at->dtype)) continue;
    if (*served < 0) *served = kernel_is_served(iut, made, LIMIT_MS);
    if (!*served) break;
    add_dtype(&seen->judged[i], at->dtype);
    judged += at == &made->parameters[i] ? judge_dtypes(iut, made, i, &seen->had[i], words)
                                         : judge_dtypes_inside(iut, made, i, &seen->had[i], words);
  }
  return judged;
}

static const char one_dtype[] = "no tensor has several data types of the same width";

static const char *lacks_dtypes(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  if (lacks_file(instance)) return no_file;
  if (signature->forms.count > 1) return NULL;
  for (uint32_t i = 0; i < signature->types.count; ++i) {
    const SignatureType *type = signature_type(signature, i);
    if (type->kind == KERNEL_VARIANT || type->kind == KERNEL_ANY ||
        (type->kind == KERNEL_TENSOR &&
         (type->dtypes.count != 1 || *signature_text(signature, type->dtype_variable))))
      return NULL;
  }
  return one_dtype;
}

KERNEL_CASE(dtype_of_other_calls, .clauses = {KER_47},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 2, .lacks = lacks_dtypes,
            .wrong_call = true,
            .title = "a data type that a tensor may have in other calls only is refused")
{
  const Signature *signature = signature_under_test();
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Seen *seen = calloc(1, sizeof *seen);
  Kernel *made = malloc(sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  unsigned judged = 0;
  if (!choices || !seen || !made) case_inconclusive("no memory for the choices");
  require_right_call(iut, kernel);
  const size_t count = kernel_chosen(signature, choices);
  for (size_t i = 0; i < 2 * count && judged < JUDGED_MOST && clock_leaves(SECONDS); ++i) {
    const KernelChoice *choice = &choices[i % count];
    int served = -1;
    kernel_copy(made, kernel);
    if (choice->standing != KERNEL_PROMISED ||
        !kernel_of_choice(signature, choice, made, problem) ||
        !(made->promises & SIGNATURE_CHECKS_DTYPE))
      continue;
    if (i < count)
      note_dtypes(made, seen);
    else
      judged += judge_dtypes_of(iut, made, seen,
                                *choice->words ? choice->words : "it is the example", &served);
    // A call borrows its kernel.
    if (served >= 0 && !(made = malloc(sizeof *made))) case_inconclusive("no memory for a call");
  }
  free(made);
  free(seen);
  free(choices);
  if (judged == 0) case_not_applicable("%s", one_dtype);
}
