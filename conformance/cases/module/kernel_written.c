// SPDX-License-Identifier: Apache-2.0
// Where nothing in a call says which elements are meant, a tensor that the example call writes is written in
// calls of other sizes and ranks, too: all tensors have one shape, or each extent of it is one of another
// tensor's, and there are no integers.
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_varied.h"

CHAPTER(kernel);

enum { FILL = 0x3A, OTHER_FILL = 0x5B, LIMIT_MS = 1000, SECONDS = 3 };

// --- Which functions -----------------------------------------------------------------------------

static bool is_alike(const KernelParameter *one, const KernelParameter *other)
{
  if (one->rank != other->rank) return false;
  for (int32_t k = 0; k < one->rank; ++k)
    if (!one->shape[k].symbol[0] || strcmp(one->shape[k].symbol, other->shape[k].symbol) != 0)
      return false;
  return true;
}

static bool is_float(DLDataType dtype)
{
  return dtype.code == kDLFloat || (dtype.code >= kDLBfloat && dtype.bits >= 8);
}

// Whether all tensors are floats of one shape, on the host: then none says which elements of another one
// are meant.
static bool has_one_shape(const Kernel *kernel)
{
  const KernelParameter *first = NULL;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->element_count > 0) return false;
    if (parameter->kind != KERNEL_TENSOR) continue;
    const bool host = parameter->device.device_type == kDLCPU;
    if (!is_float(parameter->dtype) || !host || !parameter->typed || parameter->rank == 0)
      return false;
    if (!first) first = parameter;
    if (!is_alike(first, parameter)) return false;
  }
  return first != NULL;
}

static bool has_extent(const KernelParameter *tensor, const char *symbol)
{
  for (int32_t k = 0; k < tensor->rank; ++k)
    if (strcmp(tensor->shape[k].symbol, symbol) == 0) return true;
  return false;
}

// Whether each extent of this tensor is one of another tensor's.
static bool has_extents_of_others(const Kernel *kernel, unsigned position)
{
  const KernelParameter *own = &kernel->parameters[position];
  for (int32_t k = 0; k < own->rank; ++k) {
    bool found = false;
    for (unsigned i = 0; i < kernel->parameter_count && own->shape[k].symbol[0]; ++i)
      found |= i != position && kernel->parameters[i].kind == KERNEL_TENSOR &&
               has_extent(&kernel->parameters[i], own->shape[k].symbol);
    if (!found) return false;
  }
  return own->rank > 0;
}

// Whether nothing but floats can choose elements: no integer, text or container is in the call.
static bool has_floats_only(const Kernel *kernel)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    const bool number = at->kind == KERNEL_FLOAT || at->kind == KERNEL_BOOL;
    const bool tensor = at->kind == KERNEL_TENSOR && at->typed && is_float(at->dtype) &&
                        at->device.device_type == kDLCPU && at->element_count == 0;
    if (!number && !tensor) return false;
  }
  return true;
}

// --- What is written -----------------------------------------------------------------------------

// The elements of a tensor after a call before which each byte of it was `fill`; own. NULL if the
// call is not served.
static unsigned char *elements_after(Iut *iut, const Kernel *kernel, const Variation *variation,
                                     unsigned position, unsigned char fill, size_t *size)
{
  KernelCall *call = kernel_varied_call(iut, kernel, variation);
  KernelTensor *tensor = &call->tensors[position];
  unsigned char *bytes = malloc(tensor->memory_size + 1);
  if (!bytes) case_inconclusive("no memory for a tensor");
  memset(bytes, fill, tensor->memory_size);
  kernel_tensor_replace(tensor, bytes);
  free(bytes);
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) return NULL;
  make_call(call);
  const bool served = call->returned == 0 && !call->launched;
  drop_outcome(call);
  if (!served) return NULL;
  *size = kernel_tensor_gather(tensor, NULL);
  unsigned char *elements = malloc(*size + 1);
  if (!elements) case_inconclusive("no memory for the elements of a tensor");
  kernel_tensor_gather(tensor, elements);
  return elements;
}

typedef enum Written { WRITTEN_UNKNOWN, WRITTEN_ALL, WRITTEN_NOT_ALL, WRITTEN_NONE } Written;

static bool is_full_of(const unsigned char *bytes, size_t size, unsigned char fill)
{
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] != fill) return false;
  return true;
}

// Which elements of a tensor a call writes; `first` is the first one that it does not.
static Written look(Iut *iut, const Kernel *kernel, const Variation *variation, unsigned position,
                    size_t *first)
{
  const size_t width = (size_t)kernel->parameters[position].dtype.bits / 8;
  size_t size, written = 0, kept = 0;
  unsigned char *one = elements_after(iut, kernel, variation, position, FILL, &size);
  unsigned char *other = elements_after(iut, kernel, variation, position, OTHER_FILL, &size);
  for (size_t at = 0; one && other && width > 0 && at + width <= size; at += width) {
    // What depends on what was there is neither.
    written += memcmp(one + at, other + at, width) == 0;
    if (is_full_of(one + at, width, FILL) && is_full_of(other + at, width, OTHER_FILL) &&
        kept++ == 0)
      *first = at / width;
  }
  const bool known = one && other && width > 0 && size > 0;
  const size_t count = known ? size / width : 0;
  free(one);
  free(other);
  if (!known || written + kept < count) return WRITTEN_UNKNOWN;
  return kept == 0 ? WRITTEN_ALL : written > 0 ? WRITTEN_NOT_ALL : WRITTEN_NONE;
}

// One call; true if it was served, and all that is not written is as it was.
static bool judge_call(Iut *iut, const Kernel *kernel, const Variation *variation,
                       unsigned position, const char *words)
{
  size_t first = 0;
  char name[64];
  const Written end = look(iut, kernel, variation, position, &first);
  if (end == WRITTEN_UNKNOWN) return false;
  if (end != WRITTEN_ALL)
    note_call(kernel_varied_call(iut, kernel, variation), "with other %s, ", words);
  expect_that(end == WRITTEN_ALL, "each element is written, as in the example",
              "element %zu of %s is not", first, parameter_name(kernel, position, name));
  return true;
}

// All tensors of another rank.
static unsigned judge_ranks(Iut *iut, const Kernel *kernel, unsigned position)
{
  const KernelParameter *own = &kernel->parameters[position];
  const Variation example = {.part = VARIED_NOTHING, .position = (int)position};
  unsigned looked = 0;
  for (int32_t rank = 1; rank < KERNEL_RANK_MAX && clock_leaves(SECONDS); ++rank) {
    if (!(own->other_ranks & 1u << rank)) continue;
    // A call that was noted borrows it.
    Kernel *other = malloc(sizeof *other);
    if (!other) case_inconclusive("no memory for a signature");
    *other = *kernel;
    kernel_change_ranks(other, own->rank, rank);
    looked += judge_call(iut, other, &example, position, "ranks");
  }
  return looked;
}

// Judges one tensor; true if the example call writes it, and another call was looked at.
static bool judge(Iut *iut, const Kernel *kernel, unsigned position)
{
  static Variations variations;
  const Variation example = {.part = VARIED_NOTHING, .position = (int)position};
  size_t first = 0;
  unsigned looked = 0;
  if (look(iut, kernel, &example, position, &first) != WRITTEN_ALL) return false;
  variations.count = 0;
  kernel_vary_symbols(kernel, (int)position, &variations);
  kernel_vary_large(kernel, 0, &variations);
  for (unsigned i = 0; i < variations.count && clock_leaves(SECONDS); ++i) {
    const Variation *variation = &variations.items[i];
    if (!variation->at_start) looked += judge_call(iut, kernel, variation, position, "sizes");
  }
  return looked + judge_ranks(iut, kernel, position) > 0;
}

// Whether only floats are others than in the example.
static bool has_other_floats(const Kernel *kernel, const Kernel *other)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *one = kernel_place_of(kernel, i), *two = kernel_place_of(other, i);
    const bool same = memcmp(&one->dtype, &two->dtype, sizeof one->dtype) == 0;
    if (one->rank != two->rank || (!same && (!is_float(one->dtype) || !is_float(two->dtype))))
      return false;
  }
  return true;
}

// The same where all tensors are of another type of floats, up to so many.
static unsigned judge_in_types(Iut *iut, const Kernel *kernel, unsigned position)
{
  enum { TYPES_MOST = 2 };
  unsigned judged = judge(iut, kernel, position), types = 0;
  for (unsigned number = 0; types < TYPES_MOST && clock_leaves(SECONDS); ++number) {
    // A call that was noted borrows it.
    Kernel *other = malloc(sizeof *other);
    if (!other) case_inconclusive("no memory for a signature");
    if (!kernel_variant(kernel, number, other)) {
      free(other);
      return judged;
    }
    if (!has_other_floats(kernel, other)) continue;
    judged += judge(iut, other, position);
    ++types;
  }
  return judged;
}

KERNEL_CASE(
    output_of_another_size_is_written, .clauses = {KER_53},
    .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 3,
    .explores = true,
    .title = "a tensor that the example call writes is written in calls of other sizes and ranks")
{
  unsigned judged = 0;
  require_right_call(iut, kernel);
  const bool one_shape = has_one_shape(kernel), floats = has_floats_only(kernel);
  if (!one_shape && !floats)
    case_not_applicable("its tensors differ in shape, or something else chooses their elements");
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR && kernel->parameters[i].role != KERNEL_IN &&
        (one_shape || has_extents_of_others(kernel, i)))
      judged += judge_in_types(iut, kernel, i);
  if (judged == 0) case_not_applicable("no tensor is written by each of these calls");
}

// --- Other types ---------------------------------------------------------------------------------

// Judges one tensor; true if the example call writes it, and one with another type was looked at.
static bool judge_types(Iut *iut, const Kernel *kernel, unsigned position)
{
  const Variation example = {.part = VARIED_NOTHING, .position = (int)position};
  size_t first = 0;
  unsigned looked = 0;
  if (look(iut, kernel, &example, position, &first) != WRITTEN_ALL) return false;
  for (unsigned number = 0; clock_leaves(SECONDS); ++number) {
    // A call that was noted borrows it.
    Kernel *other = malloc(sizeof *other);
    if (!other) case_inconclusive("no memory for a signature");
    if (!kernel_variant(kernel, number, other)) {
      free(other);
      break;
    }
    if (has_other_floats(kernel, other))
      looked += judge_call(iut, other, &example, position, "types of floats");
  }
  return looked > 0;
}

KERNEL_CASE(output_of_another_type_is_written, .clauses = {KER_53},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 3,
            .explores = true,
            .title = "a tensor of floats that the example call writes is written in other types")
{
  unsigned judged = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    if (at->kind == KERNEL_TENSOR && at->typed && at->role != KERNEL_IN && is_float(at->dtype) &&
        at->device.device_type == kDLCPU)
      judged += judge_types(iut, kernel, i);
  }
  if (judged == 0) case_not_applicable("no tensor is written by each of these calls");
}
