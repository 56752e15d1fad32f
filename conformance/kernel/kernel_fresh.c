// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_fresh.h"

#include <stdio.h>
#include <string.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_cuda.h"

// As floats zero, and numbers that are neither small nor no numbers.
enum { ONE_FILL = 0x00, OTHER_FILL = 0x5A };

static bool is_full_of(const unsigned char *bytes, size_t size, unsigned char fill)
{
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] != fill) return false;
  return true;
}

// Whether nothing of all that it returns was written: the function hands out memory.
static bool is_unwritten(const ApartPart *part, const unsigned char *one,
                         const unsigned char *other)
{
  return part->fresh && strcmp(part->name, KERNEL_APART_RESULT) == 0 &&
         is_full_of(one, part->size, ONE_FILL) && is_full_of(other, part->size, OTHER_FILL);
}

// Whether it is that, of what is in memory of its own.
static bool hands_out(const ApartOutcome *a, const ApartOutcome *b)
{
  for (uint32_t i = 0; a->count == b->count && i < a->count; ++i) {
    const ApartPart *part = &a->parts[i];
    if (part->size > 0 && is_unwritten(part, a->bytes + part->first, b->bytes + part->first))
      return true;
  }
  return false;
}

static bool find_difference(const ApartOutcome *a, const ApartOutcome *b, char difference[160])
{
  if (a->count != b->count || a->used != b->used) {
    snprintf(difference, 160, "the result has another form");
    return true;
  }
  for (uint32_t i = 0; i < a->count; ++i) {
    const ApartPart *part = &a->parts[i];
    const unsigned char *one = a->bytes + part->first, *other = b->bytes + part->first;
    if (part->size != b->parts[i].size || memcmp(one, other, part->size) == 0 ||
        is_unwritten(part, one, other))
      continue;
    size_t at = 0;
    while (one[at] == other[at]) ++at;
    if (part->width == 0) {
      snprintf(difference, 160, "%s does", part->name);
      return true;
    }
    const size_t element = at / part->width, first = element * part->width;
    const bool kept = part->fresh && is_full_of(one + first, part->width, ONE_FILL) &&
                      is_full_of(other + first, part->width, OTHER_FILL);
    snprintf(difference, 160,
             kept ? "element %zu of %s, which is never written, does" : "element %zu of %s does",
             element, part->name);
    return true;
  }
  return false;
}

FreshEnd kernel_fresh_memory(Iut *iut, const Kernel *kernel, char difference[160])
{
  static ApartOutcome *outcomes;
  if (kernel_cuda_chosen() || faults_obstacle) return FRESH_UNKNOWN;
  if (!outcomes) outcomes = kernel_apart_outcomes(3);
  ApartOutcome *one = &outcomes[0], *other = &outcomes[1], *again = &outcomes[2];
  if (kernel_apart_call(iut, NULL, kernel, ONE_FILL, one) != APART_SERVED ||
      kernel_apart_call(iut, NULL, kernel, OTHER_FILL, other) != APART_SERVED)
    return FRESH_UNKNOWN;
  if (!find_difference(one, other, difference))
    return hands_out(one, other) ? FRESH_UNWRITTEN : FRESH_SAME;
  // What differs with the same memory, too, differs for another reason, which may be one of two by lot.
  enum { TIMES = 24 };
  for (int i = 0; i < TIMES; ++i) {
    const bool first = i % 2 == 0;
    const unsigned char fill = first ? ONE_FILL : OTHER_FILL;
    if (kernel_apart_call(iut, NULL, kernel, fill, again) != APART_SERVED ||
        !kernel_apart_same(first ? one : other, again))
      return FRESH_UNKNOWN;
  }
  return FRESH_DIFFERS;
}
