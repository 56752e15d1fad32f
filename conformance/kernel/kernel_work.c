// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/expect.h"
#include "kernel/kernel_cuda.h"

void kernel_work_take(KernelCall *call)
{
  const CudaAccount *account = kernel_cuda_account();
  free(call->work);
  call->work = NULL;
  call->work_count = call->launched = 0;
  if (!account) return;
  unsigned noted = atomic_load(&account->noted);
  call->work_count = noted < CUDA_WORK_MAX ? noted : CUDA_WORK_MAX;
  call->launched = atomic_load(&account->done[CUDA_LAUNCH]);
  call->work = calloc(call->work_count + 1u, sizeof *call->work);
  if (!call->work) case_inconclusive("no memory for what the call asked of the device");
  memcpy(call->work, account->work, call->work_count * sizeof *call->work);
}

unsigned kernel_work_count(const KernelCall *call, CudaKind kind, bool refused)
{
  unsigned count = 0;
  for (unsigned i = 0; i < call->work_count; ++i)
    count += call->work[i].kind == kind && (!refused || call->work[i].error != 0);
  return count;
}

bool kernel_work_is_seen(Iut *iut, const Kernel *kernel, char *why, size_t capacity)
{
  bool outputs = false, refused = false, done = false;
  KernelCall *call = new_right_call(iut, kernel);
  make_call(call);
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    outputs |= tensor->on_device && tensor->role != KERNEL_IN;
  }
  for (unsigned i = 0; i < call->work_count; ++i) {
    refused |= call->work[i].error != 0;
    done |= call->work[i].kind <= CUDA_SET;
  }
  if (call->returned != 0 && !refused)
    snprintf(why, capacity, "a valid call is refused with it: %s", call->error_text);
  else if (call->returned == 0 && outputs && !done)
    snprintf(why, capacity, "a valid call launches, copies and sets nothing on it");
  else
    return true;
  return false;
}

// --- Where an address points to ------------------------------------------------------------------

typedef enum PlaceKind { PLACE_NONE, PLACE_TENSOR, PLACE_OTHER } PlaceKind;

// In the memory of a tensor: which, and how far from its first element. Other memory of the device
// is taken for the same wherever it is: a workspace.
typedef struct Place {
  PlaceKind kind;
  unsigned position;
  int64_t offset;
} Place;

static bool was_allocated(const KernelCall *call, uint64_t address)
{
  for (unsigned i = 0; i < call->work_count; ++i) {
    const CudaWork *work = &call->work[i];
    if (work->kind == CUDA_ALLOCATION && work->to && address - work->to <= work->size) return true;
  }
  return false;
}

static Place place_of(const KernelCall *call, uint64_t address)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (!tensor->on_device || address < tensor->on_device) continue;
    if (address - tensor->on_device > tensor->memory_size) continue;
    uint64_t first = tensor->on_device + (uint64_t)(tensor->first - tensor->memory);
    return (Place){PLACE_TENSOR, i, (int64_t)(address - first)};
  }
  bool other = kernel_cuda_has(address) || was_allocated(call, address);
  return (Place){.kind = other ? PLACE_OTHER : PLACE_NONE};
}

// --- Comparing -----------------------------------------------------------------------------------

typedef struct Comparison {
  const KernelCall *actual, *expected;
  KernelWorkSame same;
  char *where;
  size_t capacity;
} Comparison;

static void differ(Comparison *comparison)
{
  comparison->same = KERNEL_WORK_OTHER;
}

// In a workspace any place from its first element on is right: functions align what they put there.
static bool may_be_anywhere(const Comparison *comparison, const Place *actual,
                            const Place *expected)
{
  const KernelTensor *tensor = kernel_call_tensor_of(comparison->actual, actual->position);
  return tensor->role == KERNEL_SCRATCH && actual->offset >= 0 && expected->offset >= 0;
}

static void compare_places(Comparison *comparison, const char *what, uint64_t a, uint64_t b)
{
  Place actual = place_of(comparison->actual, a), expected = place_of(comparison->expected, b);
  if (actual.kind != expected.kind || actual.position != expected.position) {
    differ(comparison);
  } else if (actual.kind == PLACE_NONE && a != b) {
    differ(comparison);
  } else if (actual.offset != expected.offset && comparison->same == KERNEL_WORK_SAME &&
             !may_be_anywhere(comparison, &actual, &expected)) {
    char name[64];
    comparison->same = KERNEL_WORK_MISPLACED;
    if (comparison->where)
      snprintf(comparison->where, comparison->capacity,
               "%s: %lld bytes from the first element of %s, in the right call %lld", what,
               (long long)actual.offset,
               kernel_tensor_name(comparison->actual->kernel, actual.position, name),
               (long long)expected.offset);
  }
}

// Words that are addresses in either call are compared as places, all other bytes as they are.
static void compare_arguments(Comparison *comparison, const CudaWork *a, const CudaWork *b)
{
  char what[CUDA_NAME_MAX + 40];
  if (!a->has_arguments || !b->has_arguments || a->argument_count != b->argument_count) {
    differ(comparison);
    return;
  }
  for (unsigned i = 0; i < a->argument_count; ++i) {
    const unsigned char *one = a->arguments + a->argument_at[i];
    const unsigned char *other = b->arguments + b->argument_at[i];
    size_t size = a->argument_size[i];
    if (size != b->argument_size[i]) differ(comparison);
    if (comparison->same == KERNEL_WORK_OTHER) return;
    snprintf(what, sizeof what, "argument %u of kernel %s", i, a->name);
    size_t at = 0;
    for (; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
      uint64_t x, y;
      memcpy(&x, one + at, sizeof x);
      memcpy(&y, other + at, sizeof y);
      compare_places(comparison, what, x, y);
    }
    if (memcmp(one + at, other + at, size - at) != 0) differ(comparison);
  }
}

static void compare_work(Comparison *comparison, const CudaWork *a, const CudaWork *b)
{
  if (a->kind != b->kind || a->error != b->error || a->size != b->size ||
      strcmp(a->name, b->name) != 0 || memcmp(a->grid, b->grid, sizeof a->grid) != 0 ||
      memcmp(a->block, b->block, sizeof a->block) != 0 || a->shared != b->shared) {
    differ(comparison);
    return;
  }
  if (a->kind == CUDA_LAUNCH) compare_arguments(comparison, a, b);
  if (a->kind == CUDA_SET) compare_places(comparison, "what is set", a->to, b->to);
}

// --- Layouts -------------------------------------------------------------------------------------

typedef enum Layout {
  LAYOUT_SAME,     // elements lie where those of the other call lie
  LAYOUT_APART,    // as many, some of them outside of where those of the other call lie
  LAYOUT_ANOTHER,  // the same places in another order, or another number of elements
} Layout;

// How far elements reach before and behind the first, in elements.
static void reach_of(const KernelTensor *tensor, int64_t *before, int64_t *behind)
{
  *before = *behind = 0;
  for (int32_t i = 0; i < tensor->rank; ++i) {
    int64_t reach = tensor->shape[i] > 1 ? (tensor->shape[i] - 1) * tensor->strides[i] : 0;
    *(reach < 0 ? before : behind) += reach < 0 ? -reach : reach;
  }
}

// Steps along an extent of one lead nowhere.
static bool have_same_steps(const KernelTensor *a, const KernelTensor *b)
{
  for (int32_t i = 0; i < a->rank; ++i)
    if (a->shape[i] > 1 && a->strides[i] != b->strides[i]) return false;
  return true;
}

static Layout compare_layout(const KernelTensor *a, const KernelTensor *b)
{
  int64_t before_a, behind_a, before_b, behind_b;
  if (!a->tensor != !b->tensor || a->rank != b->rank ||
      memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) != 0)
    return LAYOUT_ANOTHER;
  if (have_same_steps(a, b)) return LAYOUT_SAME;
  reach_of(a, &before_a, &behind_a);
  reach_of(b, &before_b, &behind_b);
  return before_a > before_b || behind_a > behind_b ? LAYOUT_APART : LAYOUT_ANOTHER;
}

static bool is_handed_over(const KernelCall *call, unsigned position)
{
  for (unsigned i = 0; i < call->work_count; ++i) {
    const CudaWork *work = &call->work[i];
    for (unsigned k = 0; work->kind == CUDA_LAUNCH && k < work->argument_count; ++k) {
      uint64_t word;
      if (work->argument_size[k] != sizeof word) continue;
      memcpy(&word, work->arguments + work->argument_at[k], sizeof word);
      Place place = place_of(call, word);
      if (place.kind == PLACE_TENSOR && place.position == position) return true;
    }
  }
  return false;
}

// The same work on elements that lie elsewhere: a kernel that is handed over the same numbers reads
// the places where the others lie.
static KernelWorkSame judge_layouts(const Comparison *comparison)
{
  KernelWorkSame same = comparison->same;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    char name[64];
    const KernelTensor *one = kernel_call_tensor_of(comparison->actual, i);
    Layout layout = compare_layout(one, kernel_call_tensor_of(comparison->expected, i));
    if (layout == LAYOUT_SAME) continue;
    if (layout == LAYOUT_ANOTHER || comparison->same != KERNEL_WORK_SAME) return KERNEL_WORK_OTHER;
    if (!is_handed_over(comparison->actual, i)) return KERNEL_WORK_OTHER;
    same = KERNEL_WORK_MISPLACED;
    if (comparison->where)
      snprintf(comparison->where, comparison->capacity,
               "the same launches, with the same numbers: the strides of %s play no part",
               kernel_tensor_name(comparison->actual->kernel, i, name));
  }
  return same;
}

// --- Work ----------------------------------------------------------------------------------------

// What puts streams in order, and what is allocated once, may differ between calls that do the same.
static bool counts(const CudaWork *work)
{
  return work->kind == CUDA_LAUNCH || work->kind == CUDA_COPY || work->kind == CUDA_SET;
}

static const CudaWork *next_of(const KernelCall *call, unsigned *at)
{
  while (*at < call->work_count && !counts(&call->work[*at])) ++*at;
  return *at < call->work_count ? &call->work[(*at)++] : NULL;
}

KernelWorkSame kernel_work_compare(const KernelCall *actual, const KernelCall *expected,
                                   char *where, size_t capacity)
{
  Comparison comparison = {actual, expected, KERNEL_WORK_SAME, where, capacity};
  unsigned a = 0, b = 0;
  if (actual->work_count == CUDA_WORK_MAX) return KERNEL_WORK_OTHER;
  for (;;) {
    const CudaWork *one = next_of(actual, &a), *other = next_of(expected, &b);
    if (!one && !other) return judge_layouts(&comparison);
    if (!one || !other) return KERNEL_WORK_OTHER;
    // What is copied from the host is not known here.
    if (one->kind == CUDA_COPY) differ(&comparison);
    compare_work(&comparison, one, other);
    if (comparison.same == KERNEL_WORK_OTHER) return KERNEL_WORK_OTHER;
  }
}

// --- Parts of it ---------------------------------------------------------------------------------

static bool is_alike(const CudaWork *a, const CudaWork *b)
{
  return a->kind == b->kind && a->size == b->size && strcmp(a->name, b->name) == 0 &&
         memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
         memcmp(a->block, b->block, sizeof a->block) == 0;
}

// The next that was done, and not refused.
static const CudaWork *next_done(const KernelCall *call, unsigned *at)
{
  const CudaWork *work = next_of(call, at);
  while (work && work->error) work = next_of(call, at);
  return work;
}

// An argument of the right call is memory of its own, and here it is none.
static bool lacks_memory(const KernelCall *refused, const CudaWork *a, const KernelCall *right,
                         const CudaWork *b)
{
  if (!a->has_arguments || !b->has_arguments) return false;
  for (unsigned i = 0; i < a->argument_count && i < b->argument_count; ++i) {
    uint64_t x, y;
    if (a->argument_size[i] != sizeof x || b->argument_size[i] != sizeof y) continue;
    memcpy(&x, a->arguments + a->argument_at[i], sizeof x);
    memcpy(&y, b->arguments + b->argument_at[i], sizeof y);
    if (place_of(right, y).kind == PLACE_OTHER && place_of(refused, x).kind == PLACE_NONE)
      return true;
  }
  return false;
}

KernelWorkPart kernel_work_part(const KernelCall *refused, const KernelCall *right)
{
  unsigned a = 0, b = 0;
  bool less = false, without = false;
  if (refused->work_count == CUDA_WORK_MAX || right->work_count == CUDA_WORK_MAX)
    return KERNEL_WORK_ANOTHER;
  for (const CudaWork *work; (work = next_done(refused, &a));) {
    const CudaWork *other = next_done(right, &b);
    for (; other && !is_alike(work, other); other = next_done(right, &b)) less = true;
    if (!other) return KERNEL_WORK_ANOTHER;
    without |= lacks_memory(refused, work, right, other);
  }
  less |= next_done(right, &b) != NULL;
  return less ? KERNEL_WORK_LESS : without ? KERNEL_WORK_WITHOUT : KERNEL_WORK_ALL;
}

bool expect_same_work_(const char *at, const KernelCall *actual, const KernelCall *expected)
{
  char where[256] = "";
  switch (kernel_work_compare(actual, expected, where, sizeof where)) {
    case KERNEL_WORK_SAME:
      return expect_that_(at, true, "the same work on the device as in the right call", "other");
    case KERNEL_WORK_MISPLACED:
      return expect_that_(at, false, "the work of the right call, for these tensors", "%s", where);
    default:
      case_not_applicable(
          "kernels are launched on the stand-in for CUDA, which computes nothing, and not in the way "
          "of the right call");
  }
}
