// SPDX-License-Identifier: Apache-2.0
// Where nothing in a call says which elements are meant, a tensor that the example call writes is written in
// calls of other sizes and ranks, too: all tensors have one shape, or each extent of it is one of another
// tensor's, and there are no integers but offsets. What is written with several numbers is with others, where these only scale it,
// or share the work.
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
    if (!kernel_is_same_extent(&one->shape[k], &other->shape[k])) return false;
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

static bool has_extent(const KernelParameter *tensor, const KernelExtent *extent)
{
  for (int32_t k = 0; k < tensor->rank; ++k)
    if (strcmp(tensor->shape[k].symbol, extent->symbol) == 0 &&
        tensor->shape[k].times == extent->times)
      return true;
  return false;
}

// Whether each extent of this tensor is one of another tensor's, or of the offsets into one.
static bool has_extents_of_others(const Kernel *kernel, unsigned position)
{
  const KernelParameter *own = &kernel->parameters[position];
  for (int32_t k = 0; k < own->rank; ++k) {
    bool found = false;
    for (unsigned i = 0; i < kernel->parameter_count && own->shape[k].symbol[0]; ++i)
      found |= i != position && kernel->parameters[i].kind == KERNEL_TENSOR &&
               has_extent(&kernel->parameters[i], &own->shape[k]);
    if (!found) return false;
  }
  return own->rank > 0;
}

// Whether a tensor chooses no elements of another one: floats, or offsets of which the last is what there is.
static bool chooses_nothing(const KernelParameter *at)
{
  const bool all = at->contents == KERNEL_OFFSETS && kernel_counts(at) && at->counts_place > 0;
  return at->typed && (is_float(at->dtype) || all) && at->device.device_type == kDLCPU &&
         at->element_count == 0;
}

// Whether nothing but floats, and a text that stays as it is, can choose elements: no integer or container is in the
// call.
static bool has_floats_only(const Kernel *kernel)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    const bool plain =
        at->kind == KERNEL_FLOAT || at->kind == KERNEL_BOOL || at->kind == KERNEL_STRING;
    if (!plain && (at->kind != KERNEL_TENSOR || !chooses_nothing(at))) return false;
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

typedef enum Written {
  WRITTEN_UNSERVED,
  WRITTEN_UNKNOWN,  // what comes out depends on what was there
  WRITTEN_ALL,
  WRITTEN_NOT_ALL,
  WRITTEN_NONE
} Written;

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
  if (!known) return WRITTEN_UNSERVED;
  if (written + kept < count) return WRITTEN_UNKNOWN;
  return kept == 0 ? WRITTEN_ALL : written > 0 ? WRITTEN_NOT_ALL : WRITTEN_NONE;
}

// One call; true if it was served, and all that is not written is as it was.
static bool judge_call(Iut *iut, const Kernel *kernel, const Variation *variation,
                       unsigned position, const char *words)
{
  size_t first = 0;
  char name[64];
  const Written end = look(iut, kernel, variation, position, &first);
  if (end == WRITTEN_UNSERVED || end == WRITTEN_UNKNOWN) return false;
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
    kernel_copy(other, kernel);
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

// --- Other numbers -------------------------------------------------------------------------------

typedef struct Numbers {
  Iut *iut;
  const Kernel *kernel;
  Kernel *other;                        // own; the example with another number
  bool written[KERNEL_PARAMETERS_MAX];  // tensors that are written whole
  unsigned count;                       // of them
} Numbers;

static Written look_at(const Numbers *numbers, unsigned position)
{
  const Variation as_it_is = {.part = VARIED_NOTHING, .position = (int)position};
  size_t first;
  return look(numbers->iut, numbers->other, &as_it_is, position, &first);
}

static bool is_output(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_TENSOR && parameter->typed && parameter->role != KERNEL_IN &&
         parameter->device.device_type == kDLCPU && parameter->dtype.bits % 8 == 0;
}

// Leaves out the tensors that the call `other` does not write whole; with `if_read` only those that hold something then that
// depends on what they held. False if the call is not served.
static bool leave_out(Numbers *numbers, bool if_read)
{
  bool served = numbers->count == 0;
  for (unsigned i = 0; i < numbers->kernel->parameter_count; ++i) {
    if (!numbers->written[i]) continue;
    const Written end = look_at(numbers, i);
    if (end == WRITTEN_UNSERVED) return false;
    served = true;
    if (end == WRITTEN_ALL || (if_read && end != WRITTEN_UNKNOWN)) continue;
    numbers->written[i] = false;
    --numbers->count;
  }
  return served;
}

// Leaves out tensors that are read, too, in a call with another float, integer or bool: they may stay as they were.
static void leave_out_read(Numbers *numbers)
{
  static const double floats[] = {0.25, 0.75, 2};
  for (unsigned i = 0; i < numbers->kernel->parameter_count; ++i) {
    kernel_copy(numbers->other, numbers->kernel);
    KernelParameter *at = &numbers->other->parameters[i];
    for (size_t k = 0; k < sizeof floats / sizeof *floats && numbers->count > 0; ++k) {
      if (at->kind != KERNEL_FLOAT && at->kind != KERNEL_INT && at->kind != KERNEL_BOOL) break;
      at->number = floats[k];
      at->integer = (int64_t)k;
      leave_out(numbers, true);
    }
  }
}

// Whether all of these tensors are as they were after the call `other`.
static bool leaves_all(const Numbers *numbers)
{
  for (unsigned i = 0; i < numbers->kernel->parameter_count; ++i)
    if (numbers->written[i] && look_at(numbers, i) != WRITTEN_NONE) return false;
  return true;
}

// True if the call with 0 or 1 in the place of a float was served, as calls with at least two other numbers are.
static bool judge_float(const Numbers *all, unsigned position)
{
  enum { SERVED_LEAST = 2 };
  static const double others[] = {0.25, 0.75, 2, 3}, numbers[] = {0, 1};
  Numbers own = *all;
  KernelParameter *at = &own.other->parameters[position];
  char name[64];
  unsigned served = 0, judged = 0;
  *own.other = *own.kernel;
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
    at->number = others[k];
    served += leave_out(&own, false);
  }
  if (served < SERVED_LEAST || own.count == 0) return false;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers && clock_leaves(SECONDS); ++k) {
    at->number = numbers[k];
    if (!kernel_is_served(own.iut, own.other, LIMIT_MS)) continue;
    const bool left = leaves_all(&own);
    if (left)
      note_call(new_right_call(own.iut, own.other), "with %g for %s, ", numbers[k],
                parameter_name(own.kernel, position, name));
    expect_that(!left, "something is written, as with other numbers", "nothing is");
    ++judged;
    // A call that was noted borrows it.
    if (left) return true;
  }
  return judged > 0;
}

KERNEL_CASE(output_of_another_number_is_written, .clauses = {KER_53},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 3,
            .explores = true,
            .title = "a call with 0 or 1 for a float writes something, as with other numbers")
{
  Numbers numbers = {.iut = iut, .kernel = kernel, .other = kernel_new_copy(kernel)};
  unsigned judged = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    numbers.written[i] = is_output(&kernel->parameters[i]) && look_at(&numbers, i) == WRITTEN_ALL;
    numbers.count += numbers.written[i];
  }
  if (numbers.count > 0) leave_out_read(&numbers);
  for (unsigned i = 0; i < kernel->parameter_count && numbers.count > 0; ++i)
    if (kernel->parameters[i].kind == KERNEL_FLOAT) judged += judge_float(&numbers, i);
  if (judged == 0)
    case_not_applicable("it has no float that several numbers are taken for, or no output");
}

// --- Work that is shared -------------------------------------------------------------------------

// The largest of some integers among the arguments that calls are tried with, beginning at 1. What is twelve long can be
// shared by each of them.
enum { SHARES_MOST = 4, EVEN = 12, ELEMENTS_MOST = 1 << 20 };

// An output, an integer, and an extent that is another one, by its name.
typedef struct Shares {
  Iut *iut;
  const Kernel *kernel;
  unsigned output, integer;
  const char *size;
  bool first_only;  // integers in tensors are all the first one: they may be places
} Shares;

// The call with this size and so many shares, which lives on.
static Kernel *share(const Shares *shares, int64_t size, int64_t count)
{
  Kernel *other = kernel_new_copy(shares->kernel);
  kernel_set_size(other, shares->size, size);
  other->parameters[shares->integer].integer = count;
  if (shares->first_only) kernel_keep_to_first(other);
  return other;
}

// What becomes of the output then.
static Written look_at_shares(const Shares *shares, int64_t size, int64_t count, size_t *first)
{
  const Variation as_it_is = {.part = VARIED_NOTHING, .position = (int)shares->output};
  Kernel *other = share(shares, size, count);
  const Written end = kernel_elements(other) > ELEMENTS_MOST
                          ? WRITTEN_UNSERVED
                          : look(shares->iut, other, &as_it_is, shares->output, first);
  free(other);
  return end;
}

// Whether each number of shares is taken where they are even, and all of the output is written.
static bool shares_evenly(const Shares *shares)
{
  size_t first;
  for (int64_t count = 1; count <= SHARES_MOST; ++count)
    if (look_at_shares(shares, EVEN, count, &first) != WRITTEN_ALL) return false;
  return true;
}

// True if calls with another size were served with several integers.
static bool judge_shares_of(const Shares *shares)
{
  static const int64_t sizes[] = {7, 4099};
  char name[64], text[64];
  unsigned judged = 0;
  if (!shares_evenly(shares)) return false;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && clock_leaves(SECONDS); ++i) {
    size_t first = 0;
    if (look_at_shares(shares, sizes[i], 1, &first) != WRITTEN_ALL) continue;
    for (int64_t count = 2; count <= SHARES_MOST; ++count) {
      const Written end = look_at_shares(shares, sizes[i], count, &first);
      if (end == WRITTEN_UNSERVED || end == WRITTEN_UNKNOWN) continue;
      if (end != WRITTEN_ALL)
        note_call(new_right_call(shares->iut, share(shares, sizes[i], count)),
                  "with %d for %s, and %d for an extent, ", (int)count,
                  parameter_name(shares->kernel, shares->integer, name), (int)sizes[i]);
      expect_that(end == WRITTEN_ALL, "each element is written, as with 1",
                  "element %zu of %s is not", first,
                  parameter_name(shares->kernel, shares->output, text));
      ++judged;
      if (end != WRITTEN_ALL) return true;
    }
  }
  return judged > 0;
}

// Each size by which the output has an extent.
static unsigned judge_shares(Shares *shares)
{
  const KernelParameter *output = &shares->kernel->parameters[shares->output];
  unsigned judged = 0;
  for (int32_t k = 0; k < output->rank && clock_leaves(SECONDS); ++k) {
    shares->size = output->shape[k].symbol;
    if (!shares->size[0]) continue;
    shares->first_only = false;
    bool known = judge_shares_of(shares);
    shares->first_only = true;
    if (!known) known = judge_shares_of(shares);
    judged += known;
  }
  return judged;
}

KERNEL_CASE(
    output_of_shared_work_is_written, .clauses = {KER_53},
    .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 3,
    .explores = true,
    .title =
        "an output that is written with several integers is, in sizes that these do not divide")
{
  unsigned judged = 0;
  require_right_call(iut, kernel);
  // How many threads are to work mostly comes last.
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (unsigned k = kernel->parameter_count; k-- > 0 && is_output(&kernel->parameters[i]);) {
      if (kernel->parameters[k].kind != KERNEL_INT) continue;
      Shares shares = {.iut = iut, .kernel = kernel, .output = i, .integer = k};
      judged += judge_shares(&shares);
    }
  if (judged == 0) case_not_applicable("no integer of several leaves an output written whole");
}
