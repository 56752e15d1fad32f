// SPDX-License-Identifier: Apache-2.0
// Tensors in containers, in calls that were found: views of their elements, and one that differs from
// the others, which may be refused.
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "plan/kernel_choice.h"

CHAPTER(buffer);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN };

static unsigned count_tensors_inside(const Kernel *kernel)
{
  unsigned count = 0;
  for (uint32_t i = 0; i < kernel->element_count; ++i)
    count += kernel->elements[i].kind == KERNEL_TENSOR && kernel->elements[i].typed;
  return count;
}

static bool has_tensors_inside(const Kernel *kernel)
{
  return count_tensors_inside(kernel) > 0;
}

// The example, or, where that has one tensor in a container, a promised call that has several and is served. The
// case does not apply if there is none.
static const Kernel *call_with_several(Iut *iut, const Kernel *kernel)
{
  enum { LIMIT_MS = 500 };
  if (count_tensors_inside(kernel) > 1) return kernel;
  const Signature *signature = kernel->chosen ? signature_under_test() : NULL;
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Kernel *made = malloc(sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  if (!choices || !made) case_inconclusive("no memory for the choices");
  const size_t count = signature ? kernel_chosen(signature, choices) : 0;
  for (size_t i = 0; i < count; ++i) {
    kernel_copy(made, kernel);
    if (choices[i].standing == KERNEL_PROMISED &&
        kernel_of_choice(signature, &choices[i], made, problem) && count_tensors_inside(made) > 1 &&
        kernel_is_served(iut, made, LIMIT_MS))
      return made;
  }
  case_not_applicable("no call has several tensors in containers");
}

static const char no_tensors_inside[] = "none of its containers holds a tensor";

static const char *lacks_tensors_inside(const CaseInstance *instance)
{
  return has_tensors_inside(instance->kernel) ? NULL : no_tensors_inside;
}

typedef struct InsideRow {
  const char *name;
  TensorForm form;
} InsideRow;

static const InsideRow inside_views[] = {
    {"byte_offset", {.byte_offset = 256}},
    {"nothing_behind", {.at_end = true}},
    {"strides", {.stride_factor = 2}},
    {"rows_apart", {.row_gap = 3}},
    {"rows_apart_each_otherwise", {.row_gap_step = 3}},
};

KERNEL_CASE_ROWS(
    inside, inside_views, .clauses = {BUF_1, BUF_2, BUF_8, BUF_17}, .needs = NEEDS_A_RUN,
    .lacks = lacks_tensors_inside, .after_right_call = true,
    .title = "tensors in containers give the outputs of their elements, or are refused")
{
  if (!has_tensors_inside(kernel)) case_not_applicable("%s", no_tensors_inside);
  const Kernel *of = row->form.row_gap_step ? call_with_several(iut, kernel) : kernel;
  KernelCall *right = require_right_call(iut, of);
  KernelCall *call = new_call_with_elements(iut, of, &row->form);
  note_call(call, "with %s for all tensors in containers: ", row->name);
  make_call(call);
  expect_same_or_refused(call, right);
  expect_refused_whatever_is_beside_elements(iut, call, &row->form);
  expect_that(!wrote_outside(call), "memory outside the elements is as it was",
              "it was written to");
}

// --- One that differs ----------------------------------------------------------------------------

typedef struct OtherRow {
  const char *name;
  bool dtype, rank;
} OtherRow;

static const OtherRow others[] = {
    {"extent", false, false}, {"dtype", true, false}, {"rank", false, true}};

static KernelCall *new_fenced_call(Iut *iut, const Kernel *kernel, const void *context)
{
  static const TensorForm at_end = {.at_end = true};
  (void)kernel;
  return new_call_with_elements(iut, context, &at_end);
}

typedef struct Ends {
  unsigned made, bad;
} Ends;

static void explore(Iut *iut, const Kernel *kernel, const Kernel *changed, Ends *ends)
{
  const Explored end = explore_call(iut, kernel, new_fenced_call, changed);
  ++ends->made;
  ends->bad += end == EXPLORED_OUTSIDE || end == EXPLORED_OUTSIDE_RESULT ||
               end == EXPLORED_OUTSIDE_HEAP || end == EXPLORED_SIGNALLED;
}

static void explore_element(Iut *iut, const Kernel *kernel, const OtherRow *row, uint32_t element,
                            Ends *ends)
{
  Kernel *changed = malloc(sizeof *changed);
  if (!changed) case_inconclusive("no memory for a signature");
  kernel_copy(changed, kernel);
  KernelParameter *at = &changed->elements[element];
  const KernelParameter own = *at;
  for (unsigned i = 0; row->dtype && i < KERNEL_DTYPES_TRIED; ++i) {
    if (memcmp(&own.dtype, &kernel_dtypes_tried[i].dtype, sizeof own.dtype) == 0) continue;
    kernel_set_dtype(at, kernel_dtypes_tried[i].dtype);
    explore(iut, kernel, changed, ends);
    *at = own;
  }
  for (int32_t rank = 0; row->rank && rank <= own.rank + 1; ++rank) {
    kernel_set_rank(at, rank);
    if (rank != own.rank) explore(iut, kernel, changed, ends);
    *at = own;
  }
  for (int32_t k = 0; !row->dtype && !row->rank && k < own.rank; ++k) {
    const int64_t size = own.shape[k].size, sizes[] = {size + 1, size - 1, 2 * size, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
      at->shape[k].size = sizes[i];
      explore(iut, kernel, changed, ends);
    }
    *at = own;
  }
  free(changed);
}

KERNEL_CASE_ROWS(
    inside_other, others, .clauses = {BUF_8, KER_60}, .needs = NEEDS_A_RUN, .patience = 3,
    .lacks = lacks_tensors_inside, .after_right_call = true,
    .title =
        "a call with another tensor in a container returns, and accesses nothing outside the "
        "tensors")
{
  Ends ends = {0};
  require_right_call(iut, kernel);
  for (uint32_t i = 0; i < kernel->element_count; ++i) {
    const KernelParameter *at = &kernel->elements[i];
    if (at->kind == KERNEL_TENSOR && at->typed && at->device.device_type == kDLCPU)
      explore_element(iut, kernel, row, i, &ends);
  }
  if (ends.made == 0) case_not_applicable("%s", no_tensors_inside);
  note("with another %s of a tensor in a container", row->name);
  expect_that(ends.bad == 0, "it returns, and accesses nothing outside the tensors",
              "%u of %u such calls do not", ends.bad, ends.made);
}

// --- Numbers -------------------------------------------------------------------------------------

typedef struct NumberEnds {
  unsigned refused, came_back, bad;
} NumberEnds;

// The call with each tensor before unmapped memory.
static KernelCall *new_call_at_ends(Iut *iut, const Kernel *kernel, const void *context)
{
  static const TensorForm at_end = {.at_end = true};
  KernelCall *call = new_fenced_call(iut, kernel, context);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    if (at->kind == KERNEL_TENSOR && at->typed && at->device.device_type == kDLCPU)
      call_with_tensor(call, i, &at_end);
  }
  return call;
}

static void explore_changed(Iut *iut, const Kernel *changed, NumberEnds *ends)
{
  const Explored end = explore_call(iut, changed, new_call_at_ends, changed);
  ends->refused += end == EXPLORED_REFUSED;
  ends->came_back += end == EXPLORED_REFUSED || end == EXPLORED_SERVED;
  // At other addresses an integer may be to blame that is one.
  ends->bad += end == EXPLORED_OUTSIDE || end == EXPLORED_OUTSIDE_RESULT ||
               end == EXPLORED_OUTSIDE_HEAP || end == EXPLORED_SIGNALLED;
}

static bool is_served(Iut *iut, Kernel *changed, unsigned position, int64_t integer)
{
  changed->parameters[position].integer = integer;
  return explore_call(iut, changed, new_call_at_ends, changed) == EXPLORED_SERVED;
}

// Has a parameter be the largest int that is served for it; that of the example where no limit is found.
static int64_t find_limit(Iut *iut, Kernel *kernel, unsigned position)
{
  enum { MOST = 1 << 16 };
  const int64_t own = kernel->parameters[position].integer;
  int64_t served = own > 0 ? own : 0, refused = 2 * served + 1;
  while (refused <= MOST && is_served(iut, kernel, position, refused)) {
    served = refused;
    refused = 2 * refused + 1;
  }
  while (refused <= MOST && refused - served > 1) {
    const int64_t middle = served + (refused - served) / 2;
    if (is_served(iut, kernel, position, middle))
      served = middle;
    else
      refused = middle;
  }
  return kernel->parameters[position].integer = refused <= MOST ? served : own;
}

static void explore_number(Iut *iut, const Kernel *kernel, uint32_t element, NumberEnds *ends)
{
  static const int64_t integers[] = {0, -1, 1, 2, 3, 4, 5, 6, 100, INT64_C(1) << 31, INT64_MIN};
  Kernel *changed = malloc(sizeof *changed), *limited = malloc(sizeof *limited);
  if (!changed || !limited) case_inconclusive("no memory for a signature");
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
    kernel_copy(changed, kernel);
    if (changed->elements[element].integer == integers[i]) continue;
    changed->elements[element].integer = integers[i];
    explore_changed(iut, changed, ends);
  }
  // Other ints may be limits of those within, and are themselves limited by the tensors: what is next to
  // all of these is next to the end of memory.
  int64_t limits[KERNEL_PARAMETERS_MAX];
  kernel_copy(limited, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    limits[i] = kernel->parameters[i].kind == KERNEL_INT ? find_limit(iut, limited, i) : -1;
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (int64_t next = limits[i] - 1; limits[i] >= 0 && next <= limits[i] + 1; ++next) {
      kernel_copy(changed, limited);
      changed->elements[element].integer = next;
      explore_changed(iut, changed, ends);
    }
  free(changed);
  free(limited);
}

// Of elements of an array, one that refuses an integer shows that the array is checked.
static unsigned refused_beside(const Kernel *kernel, uint32_t element, const NumberEnds *ends)
{
  unsigned refused = ends[element].refused;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *array = kernel_place_of(kernel, i);
    const uint32_t first = array->first_element, behind = first + array->element_count;
    if (array->kind != KERNEL_ARRAY || element < first || element >= behind) continue;
    for (uint32_t k = first; k < behind; ++k) refused += ends[k].refused;
  }
  return refused;
}

KERNEL_CASE(number_inside, .clauses = {KER_60, BUF_8}, .needs = NEEDS_A_RUN, .patience = 3,
            .explores = true,
            .title = "a call with another integer in a container returns, where others are refused")
{
  NumberEnds ends[KERNEL_ELEMENTS_MAX] = {{0}};
  unsigned judged = 0;
  require_right_call(iut, kernel);
  for (uint32_t i = 0; i < kernel->element_count; ++i)
    if (kernel->elements[i].kind == KERNEL_INT) explore_number(iut, kernel, i, &ends[i]);
  for (uint32_t i = 0; i < kernel->element_count; ++i) {
    // Of values that mostly end the process, it may be said elsewhere which do not.
    if (refused_beside(kernel, i, ends) == 0 || ends[i].bad > ends[i].came_back ||
        ends[i].came_back == 0)
      continue;
    ++judged;
    note("with another integer as element %u of the containers%s%s", i,
         kernel->elements[i].name[0] ? ", " : "", kernel->elements[i].name);
    expect_that(ends[i].bad == 0, "it returns, and accesses nothing outside the tensors",
                "%u such calls do not", ends[i].bad);
  }
  if (judged == 0) case_not_applicable("it refuses no integer in a container, or holds none");
}
