// SPDX-License-Identifier: Apache-2.0
// Numbers are those of their type: what a function computes in one type of floats is about what it
// computes in another, and it takes no bits of a float for an integer, or the other way round.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_element.h"

CHAPTER(buffer);

enum { FILL = 0, SECONDS = 3, VALUES = 4, SOME_MOST = 7, SOMES_MOST = 24 };

static const DLDataType float_types[] = {{kDLFloat, 16, 1},        {kDLBfloat, 16, 1},
                                         {kDLFloat, 32, 1},        {kDLFloat, 64, 1},
                                         {kDLFloat8_e4m3fn, 8, 1}, {kDLFloat8_e5m2, 8, 1}};

static bool is_float(DLDataType dtype)
{
  for (size_t i = 0; i < sizeof float_types / sizeof *float_types; ++i)
    if (kernel_is_same_dtype(dtype, float_types[i])) return true;
  return false;
}

// --- Other floats --------------------------------------------------------------------------------

// Of the elements of an output that each type can hold, how many are about the same in another call, and
// how many are not, or are not by far.
typedef struct Distances {
  unsigned near, off, far;
} Distances;

static bool element_of(const ApartOutcome *outcome, uint32_t part, size_t i, double *number)
{
  const ApartPart *at = &outcome->parts[part];
  return kernel_element_read(outcome->bytes + at->first, (int64_t)(i * at->width) * 8, at->dtype,
                             number);
}

static bool is_held(double number, double most)
{
  return fabs(number) >= 1e-3 && fabs(number) <= most;
}

// Of the elements that are within limits in the first call or, if `either`, in the second one.
static Distances measure(const ApartOutcome *own, const ApartOutcome *other, uint32_t part,
                         bool either)
{
  Distances distances = {0};
  const size_t count = own->parts[part].size / own->parts[part].width;
  for (size_t i = 0; i < count; ++i) {
    double one, two;
    if (!element_of(own, part, i, &one) || !element_of(other, part, i, &two)) continue;
    // What floats of 8 bits hold, too, where there are any.
    const double most = own->parts[part].width == 1 || other->parts[part].width == 1 ? 400 : 1e4;
    if (!is_held(one, most) && !(either && is_held(two, most))) continue;
    const bool off = !(fabs(one - two) <= 0.5 * fmax(fabs(one), fabs(two)));
    const bool far = off && !(fabs(two) <= 100 * fabs(one) && fabs(two) >= 0.01 * fabs(one));
    distances.near += !off;
    distances.off += off;
    distances.far += far;
  }
  return distances;
}

static bool is_comparable(const ApartPart *one, const ApartPart *other)
{
  return is_float(one->dtype) && is_float(other->dtype) && one->width > 0 && other->width > 0 &&
         one->size / one->width == other->size / other->width;
}

static bool is_whole(const KernelParameter *at)
{
  const bool type = at->dtype.code == kDLInt || at->dtype.code == kDLUInt;
  return at->kind == KERNEL_INT || (at->kind == KERNEL_TENSOR && type);
}

// Integers may be a seed, and random numbers need not be the same in another type: of these some are
// about as large. A seed may be large: a function that refuses large integers takes none. `is_random` is
// found once for the function.
static bool is_random;

static bool may_be_random(Iut *iut, const Kernel *kernel, ApartOutcome *outcome)
{
  enum { LARGE = 123456789 };
  bool may_be = false;
  Kernel *large = kernel_new_copy(kernel);
  for (uint32_t i = 0; i < kernel_place_count(kernel) && !may_be; ++i) {
    KernelParameter *at = kernel_place(large, i);
    if (!is_whole(at)) continue;
    kernel_copy(large, kernel);
    at->integer = LARGE;
    at->contents = KERNEL_RISING;
    at->value_count = 1;
    at->values[0] = LARGE;
    may_be = kernel_apart_call(iut, NULL, large, FILL, outcome) != APART_REFUSED;
  }
  free(large);
  return may_be;
}

// Whether both types reach as far as float32.
static bool reach_far(const ApartPart *one, const ApartPart *other)
{
  const bool half = one->dtype.code == kDLFloat && one->dtype.bits == 16;
  const bool other_half = other->dtype.code == kDLFloat && other->dtype.bits == 16;
  return one->width >= 2 && other->width >= 2 && !half && !other_half;
}

// Whether all elements that are infinite in one call are numbers of the type in the other, and there are some.
static bool lost_infinities(const ApartOutcome *own, const ApartOutcome *other, uint32_t part)
{
  const double most = 1e38;
  unsigned infinite = 0;
  if (!reach_far(&own->parts[part], &other->parts[part])) return false;
  const size_t count = own->parts[part].size / own->parts[part].width;
  for (size_t i = 0; i < count; ++i) {
    double one, two;
    if (!element_of(own, part, i, &one) || !isinf(one)) continue;
    if (!element_of(other, part, i, &two) || !(fabs(two) < most)) return false;
    ++infinite;
  }
  return infinite >= 2;
}

// The other type of floats of as many bits, 8 or 16; false if there is none.
static bool sibling_of(DLDataType dtype, DLDataType *sibling)
{
  static const DLDataType pairs[][2] = {{{kDLFloat, 16, 1}, {kDLBfloat, 16, 1}},
                                        {{kDLFloat8_e4m3fn, 8, 1}, {kDLFloat8_e5m2, 8, 1}}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    for (size_t k = 0; k < 2; ++k)
      if (kernel_is_same_dtype(dtype, pairs[i][k])) {
        *sibling = pairs[i][1 - k];
        return true;
      }
  return false;
}

// Whether some elements are not those of another call, by far, but would be if their bits were those of the other type of
// as many, and no others are apart so far.
static bool has_bits_of_sibling(const ApartOutcome *own, const ApartOutcome *other, uint32_t part)
{
  enum { LEAST = 2 };
  const ApartPart *at = &other->parts[part];
  DLDataType sibling;
  unsigned found = 0;
  if (!sibling_of(at->dtype, &sibling)) return false;
  for (size_t i = 0; i < at->size / at->width; ++i) {
    double one, two, meant;
    if (!element_of(own, part, i, &one) || !element_of(other, part, i, &two)) continue;
    const bool told = isinf(one) || is_held(one, sibling.bits == 8 ? 400 : 1e4);
    if (!told || one == two || (fabs(two) <= 4 * fabs(one) && fabs(two) >= fabs(one) / 4)) continue;
    if (!kernel_element_read(other->bytes + at->first, (int64_t)(i * at->width) * 8, sibling,
                             &meant) ||
        !(meant == one || fabs(meant - one) <= (sibling.bits == 8 ? 0.1 : 0.01) * fabs(one)))
      return false;
    ++found;
  }
  return found >= LEAST;
}

// The first output whose numbers are others; -1 if there is none.
static int find_other_numbers(const ApartOutcome *own, const ApartOutcome *other, bool either)
{
  for (uint32_t i = 0; own->count == other->count && i < own->count; ++i) {
    if (!is_comparable(&own->parts[i], &other->parts[i])) continue;
    if (!is_random && (lost_infinities(own, other, i) || lost_infinities(other, own, i)))
      return (int)i;
    if (has_bits_of_sibling(own, other, i) || has_bits_of_sibling(other, own, i)) return (int)i;
    const Distances found = measure(own, other, i, either);
    if (found.near + found.off < 3) continue;
    const bool all_far = found.far == found.near + found.off;
    if (is_random ? all_far : found.off >= found.near) return (int)i;
  }
  return -1;
}

// How the call ends with integers so many times as wide in the place of the floats that were changed.
static ApartEnd end_with_integers(Iut *iut, const Kernel *kernel, const Kernel *changed,
                                  unsigned times, ApartOutcome *outcome)
{
  Kernel *whole = kernel_new_copy(changed);
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(whole, i);
    if (kernel_is_same_dtype(at->dtype, kernel_place_of(kernel, i)->dtype)) continue;
    at->dtype.code = kDLInt;
    at->dtype.bits = (uint8_t)(at->dtype.bits * times);
  }
  const ApartEnd end = kernel_apart_call(iut, NULL, whole, FILL, outcome);
  free(whole);
  return end;
}

// Whether integers as wide are served, and twice as wide not refused: the type is not looked at then, which
// is BUF-5.
static bool takes_integers(Iut *iut, const Kernel *kernel, const Kernel *changed,
                           ApartOutcome *outcome)
{
  return end_with_integers(iut, kernel, changed, 1, outcome) == APART_SERVED &&
         end_with_integers(iut, kernel, changed, 2, outcome) != APART_REFUSED;
}

// --- Two types of 16 bits ------------------------------------------------------------------------

// The call with the other type of floats of 16 bits in the place of one (own); NULL if there is none.
static Kernel *new_with_sibling(const Kernel *kernel, const Kernel *changed)
{
  Kernel *sibling = kernel_new_copy(changed);
  bool any = false;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(sibling, i);
    if (at->kind != KERNEL_TENSOR ||
        kernel_is_same_dtype(at->dtype, kernel_place_of(kernel, i)->dtype) ||
        !is_float(at->dtype) || at->dtype.bits != 16)
      continue;
    at->dtype.code = at->dtype.code == kDLFloat ? kDLBfloat : kDLFloat;
    any = true;
  }
  if (any) return sibling;
  free(sibling);
  return NULL;
}

// How many elements that both types hold are within a share of their size of those of another call, and how many are
// not.
static Distances measure_share(const ApartOutcome *own, const ApartOutcome *other, uint32_t part,
                               double share)
{
  const double most = 1e4;
  Distances distances = {0};
  const size_t count = own->parts[part].size / own->parts[part].width;
  for (size_t i = 0; i < count; ++i) {
    double one, two;
    if (!element_of(own, part, i, &one) || !element_of(other, part, i, &two) || !is_held(one, most))
      continue;
    const bool near = fabs(one - two) <= share * fabs(one);
    distances.near += near;
    distances.off += !near;
  }
  return distances;
}

// Whether all tensors of floats hold the few numbers of new_with_floats, which each type of 16 bits holds.
static bool has_few_numbers(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->typed && is_float(at->dtype) && at->value_count != VALUES)
      return false;
  }
  return true;
}

// The first output whose numbers are others, while those of the other type of 16 bits are those of the example: then they
// are no random ones, either. -1 if there is none.
static int find_unlike_sibling(Iut *iut, const Kernel *kernel, const Kernel *changed,
                               const ApartOutcome outcomes[3], ApartOutcome *third)
{
  enum { TELLING_LEAST = 3 };
  const double least_off = 0.25, most_off = 0.04;
  const ApartOutcome *own = &outcomes[0], *other = &outcomes[1];
  int found = -1;
  if (!has_few_numbers(kernel)) return -1;
  for (uint32_t i = 0; own->count == other->count && i < own->count && found < 0; ++i) {
    if (!is_comparable(&own->parts[i], &other->parts[i])) continue;
    const Distances distances = measure_share(own, other, i, least_off);
    if (distances.off >= TELLING_LEAST && distances.off > distances.near) found = (int)i;
  }
  if (found < 0) return -1;
  Kernel *sibling = new_with_sibling(kernel, changed);
  const bool served = sibling && kernel_apart_call(iut, NULL, sibling, FILL, third) == APART_SERVED;
  free(sibling);
  if (!served || third->count != own->count ||
      !is_comparable(&own->parts[found], &third->parts[found]))
    return -1;
  return measure_share(own, third, (uint32_t)found, most_off).off == 0 ? found : -1;
}

// --- Other types for all, and for some -----------------------------------------------------------

// Whether a tensor that is of another type has the elements of a file: these have one type.
static bool changes_given(const Kernel *kernel, const Kernel *changed)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    if (kernel_place_of(changed, i)->contents == KERNEL_FROM_NPY &&
        !kernel_is_same_dtype(kernel_place_of(kernel, i)->dtype,
                              kernel_place_of(changed, i)->dtype))
      return true;
  return false;
}

// True if the call with other types of floats was served, and could be judged.
static bool judge_floats(Iut *iut, const Kernel *kernel, ApartOutcome outcomes[3],
                         const Kernel *changed)
{
  const ApartOutcome *own = &outcomes[0];
  ApartOutcome *outcome = &outcomes[1];
  if (changes_given(kernel, changed) ||
      kernel_apart_call(iut, NULL, changed, FILL, outcome) != APART_SERVED)
    return false;
  int at = find_other_numbers(own, outcome, false);
  if (at < 0) at = find_unlike_sibling(iut, kernel, changed, outcomes, &outcomes[2]);
  if (at >= 0 && takes_integers(iut, kernel, changed, outcome)) return false;
  // A call that was noted borrows its kernel.
  if (at >= 0)
    note_call(new_right_call(iut, kernel_new_copy(changed)), "with another type of floats: ");
  expect_that(at < 0, "the numbers are about those of the example",
              "most elements of %s are others", at < 0 ? "" : own->parts[at].name);
  return true;
}

// Other types of floats for all tensors that are of one, then for each of them alone.
static unsigned judge_all_floats(Iut *iut, const Kernel *kernel, ApartOutcome outcomes[3])
{
  unsigned judged = 0;
  Kernel *changed = kernel_new_copy(kernel), *base = kernel_new_copy(kernel);
  for (unsigned number = 0; clock_leaves(SECONDS); ++number) {
    if (number > 0 && !kernel_variant(kernel, number - 1, base)) break;
    bool alike = true;
    for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
      const KernelParameter *own = kernel_place_of(kernel, i), *at = kernel_place_of(base, i);
      alike &= own->rank == at->rank && (kernel_is_same_dtype(own->dtype, at->dtype) ||
                                         (is_float(own->dtype) && is_float(at->dtype)));
    }
    if (!alike || (number > 0 && !judge_floats(iut, kernel, outcomes, base))) continue;
    judged += number > 0;
    for (uint32_t i = 0; i < kernel->parameter_count; ++i)
      for (size_t k = 0; k < sizeof float_types / sizeof *float_types && clock_leaves(SECONDS);
           ++k) {
        const KernelParameter *at = &base->parameters[i];
        if (at->kind != KERNEL_TENSOR || !at->typed || !is_float(at->dtype) ||
            kernel_is_same_dtype(at->dtype, float_types[k]))
          continue;
        kernel_copy(changed, base);
        changed->parameters[i].dtype = float_types[k];
        judged += judge_floats(iut, kernel, outcomes, changed);
      }
  }
  free(changed);
  free(base);
  return judged;
}

// Which parameters are tensors of floats, or arrays of them, of the type that the first one has; how many there are.
static unsigned list_floats(const Kernel *kernel, unsigned positions[SOME_MOST])
{
  unsigned count = 0;
  const KernelParameter *first = NULL;
  for (unsigned i = 0; i < kernel->parameter_count && count < SOME_MOST; ++i) {
    const KernelParameter *at = kernel_tensor_at(kernel, i);
    if (!at || !at->typed || !is_float(at->dtype)) continue;
    if (!first) first = at;
    if (kernel_is_same_dtype(at->dtype, first->dtype)) positions[count++] = i;
  }
  return count;
}

// Some of these tensors, or all, and the type that a call is served with in which they are of it: that they are of
// one type in the example does not say that they have to be.
typedef struct Some {
  unsigned which;  // as bits of the list
  DLDataType dtype;
} Some;

typedef struct Somes {
  unsigned positions[SOME_MOST], count;
  Some items[SOMES_MOST];
} Somes;

static void set_some(const Somes *somes, const Some *some, Kernel *kernel)
{
  for (unsigned i = 0; i < SOME_MOST; ++i) {
    if (!(some->which & 1u << i)) continue;
    KernelParameter *at = &kernel->parameters[somes->positions[i]];
    at->dtype = some->dtype;
    for (uint32_t k = 0; at->kind == KERNEL_ARRAY && k < at->element_count; ++k)
      kernel->elements[at->first_element + k].dtype = some->dtype;
  }
}

static void find_somes(Iut *iut, const Kernel *kernel, Somes *somes, ApartOutcome *outcome)
{
  enum { TYPES = 4 };
  const unsigned count = list_floats(kernel, somes->positions);
  Kernel *changed = kernel_new_copy(kernel);
  somes->count = 0;
  const DLDataType own =
      count > 0 ? kernel_tensor_at(kernel, somes->positions[0])->dtype : float_types[0];
  for (unsigned which = 0; which < 1u << count; ++which)
    for (size_t k = 0; k < TYPES && which > 0; ++k) {
      const Some some = {which, float_types[k]};
      if (somes->count == SOMES_MOST || !clock_leaves(SECONDS) ||
          kernel_is_same_dtype(own, some.dtype))
        continue;
      kernel_copy(changed, kernel);
      set_some(somes, &some, changed);
      if (kernel_apart_call(iut, NULL, changed, FILL, outcome) == APART_SERVED)
        somes->items[somes->count++] = some;
    }
  free(changed);
}

static unsigned judge_somes(Iut *iut, const Kernel *kernel, const Somes *somes,
                            ApartOutcome outcomes[3])
{
  unsigned judged = 0;
  Kernel *changed = kernel_new_copy(kernel);
  for (unsigned i = 0; i < somes->count && clock_leaves(SECONDS); ++i) {
    kernel_copy(changed, kernel);
    set_some(somes, &somes->items[i], changed);
    judged += judge_floats(iut, kernel, outcomes, changed);
  }
  free(changed);
  return judged;
}

// The call with these as the elements of all tensors of floats; if `turned`, each begins with another one.
static Kernel *new_with_floats(const Kernel *kernel, const double numbers[VALUES], bool turned)
{
  Kernel *made = kernel_new_copy(kernel);
  for (uint32_t i = 0; i < kernel_place_count(made); ++i) {
    KernelParameter *at = kernel_place(made, i);
    if (at->kind != KERNEL_TENSOR || !at->typed || !is_float(at->dtype)) continue;
    at->contents = KERNEL_RISING;
    at->value_count = VALUES;
    for (uint32_t k = 0; k < VALUES; ++k) at->values[k] = numbers[(k + turned * i) % VALUES];
  }
  return made;
}

// The same with numbers of which no bits mean about the same in another type: small ones do. Where only
// the largest counts, as in a softmax, numbers far apart come to the same: others are nearer.
static unsigned judge_far_floats(Iut *iut, const Kernel *kernel, const Somes *somes,
                                 ApartOutcome outcomes[3])
{
  static const double numbers[][VALUES] = {{24, 0.0703125, 12, 6}, {0.5, 3.5, 1, 2}};
  enum { ALL = sizeof numbers / sizeof *numbers };
  unsigned judged = 0;
  for (size_t i = 0; i < 2 * ALL && clock_leaves(SECONDS); ++i) {
    // A call that was noted borrows it.
    Kernel *far = new_with_floats(kernel, numbers[i % ALL], i >= ALL);
    if (kernel_apart_call(iut, NULL, far, FILL, &outcomes[0]) != APART_SERVED) continue;
    judged += judge_all_floats(iut, far, outcomes);
    judged += judge_somes(iut, far, somes, outcomes);
  }
  return judged;
}

// The same where all integers in tensors are 0: what is computed of them is no large part of the numbers then.
static unsigned judge_without_integers(Iut *iut, const Kernel *kernel, const Somes *somes,
                                       ApartOutcome outcomes[3])
{
  // A call that was noted borrows it.
  Kernel *zeros = kernel_new_copy(kernel);
  bool any = false;
  for (uint32_t i = 0; i < kernel_place_count(zeros); ++i) {
    KernelParameter *at = kernel_place(zeros, i);
    if (at->kind != KERNEL_TENSOR || !at->typed || !is_whole(at)) continue;
    at->contents = KERNEL_RISING;
    at->value_count = 1;
    at->values[0] = 0;
    any = true;
  }
  return any ? judge_far_floats(iut, zeros, somes, outcomes) : 0;
}

// --- Other ways ----------------------------------------------------------------------------------

enum { WAYS = 4 };

// Another number or truth value at a parameter, or None. False if this one is none for it, or what it has.
static bool take_way(KernelParameter *at, unsigned way)
{
  const int64_t before = at->integer;
  if (way == WAYS - 1) {
    if (!at->optional || at->kind == KERNEL_ANY) return false;
    at->kind = KERNEL_ANY;
    return true;
  }
  if (at->kind != KERNEL_INT && (at->kind != KERNEL_BOOL || way > 1)) return false;
  at->integer = way;
  return at->integer != before;
}

// The same in other ways of the function, each of which may have code of its own for each type. (What a file describes is
// called in its ways by other cases.)
static unsigned judge_ways(Iut *iut, const Kernel *kernel, ApartOutcome outcomes[3])
{
  unsigned judged = 0;
  char difference[160];
  for (unsigned i = 0; kernel->found && i < WAYS * kernel->parameter_count; ++i) {
    // A call that was noted borrows it.
    Kernel *other = kernel_new_copy(kernel);
    if (!clock_leaves(SECONDS) || !take_way(&other->parameters[i / WAYS], i % WAYS)) continue;
    if (kernel_apart_call(iut, NULL, other, FILL, &outcomes[0]) == APART_SERVED &&
        kernel_apart_call(iut, NULL, other, FILL, &outcomes[1]) == APART_SERVED &&
        kernel_apart_close(&outcomes[0], &outcomes[1], difference))
      judged += judge_all_floats(iut, other, outcomes);
  }
  return judged;
}

// --- Floats of 8 bits -----------------------------------------------------------------------------

static bool is_short(DLDataType dtype)
{
  return dtype.code == kDLFloat8_e4m3fn || dtype.code == kDLFloat8_e5m2;
}

// Which type of 8 bits the call has; 0 if none.
static unsigned short_type(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->typed && is_short(at->dtype)) return at->dtype.code;
  }
  return 0;
}

// The first output in which an element is no number in one of the calls, and one in the other.
static int find_other_nans(const ApartOutcome *own, const ApartOutcome *other)
{
  for (uint32_t i = 0; own->count == other->count && i < own->count; ++i) {
    if (!is_comparable(&own->parts[i], &other->parts[i])) continue;
    for (size_t k = 0; k < own->parts[i].size / own->parts[i].width; ++k) {
      double one, two;
      if (element_of(own, i, k, &one) && element_of(other, i, k, &two) && isnan(one) != isnan(two))
        return (int)i;
    }
  }
  return -1;
}

// In another type, of which one has 8 bits: numbers that are not normal there, and NaN. True if both calls
// were served.
static bool judge_short(Iut *iut, const Kernel *kernel, const Kernel *variant,
                        const double numbers[VALUES], ApartOutcome outcomes[2])
{
  Kernel *one = new_with_floats(kernel, numbers, false);
  Kernel *two = new_with_floats(variant, numbers, false);
  const bool served = kernel_apart_call(iut, NULL, one, FILL, &outcomes[0]) == APART_SERVED &&
                      kernel_apart_call(iut, NULL, two, FILL, &outcomes[1]) == APART_SERVED;
  free(one);
  if (!served) {
    free(two);
    return false;
  }
  const int at = isnan(numbers[0]) ? find_other_nans(&outcomes[0], &outcomes[1])
                                   : find_other_numbers(&outcomes[0], &outcomes[1], true);
  if (at >= 0) note_call(new_right_call(iut, two), "with a type of 8 bits: ");
  expect_that(at < 0, "the numbers are about the same in both types", "those of %s are not",
              at < 0 ? "" : outcomes[0].parts[at].name);
  return true;
}

// Whether all its tensors are of floats.
static bool has_floats_only(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && (!at->typed || !is_float(at->dtype))) return false;
  }
  return true;
}

static unsigned judge_all_short(Iut *iut, const Kernel *kernel, ApartOutcome outcomes[2])
{
  static const double numbers[][VALUES] = {{0x1p-9, 0x1p-8, 0x3p-9, 0x5p-9}, {NAN, NAN, NAN, NAN}};
  const unsigned own = short_type(kernel);
  unsigned judged = 0;
  Kernel *variant = kernel_new_copy(kernel);
  for (unsigned number = 0; clock_leaves(SECONDS) && kernel_variant(kernel, number, variant);
       ++number) {
    const unsigned other = short_type(variant);
    const bool both = own && other && other != own;
    for (size_t i = 0; both && i < sizeof numbers / sizeof *numbers; ++i)
      judged += judge_short(iut, kernel, variant, numbers[i], outcomes);
    if (own && !other && has_floats_only(variant))
      judged += judge_short(iut, variant, kernel, numbers[0], outcomes);
    if (!own && other && has_floats_only(kernel))
      judged += judge_short(iut, kernel, variant, numbers[0], outcomes);
  }
  free(variant);
  return judged;
}

// --- Integers in the place of floats -------------------------------------------------------------

static const float values[2][VALUES] = {{3.25f, 1.5f, 7.125f, 2.75f}, {5.375f, 0.75f, 2.5f, 9.25f}};

// The call with these elements in a tensor; as the integers of the same bits, if `whole`.
static Kernel *new_with_values(const Kernel *kernel, unsigned position, int which, bool whole)
{
  Kernel *made = kernel_new_copy(kernel);
  KernelParameter *at = &made->parameters[position];
  at->contents = KERNEL_RISING;
  at->value_count = VALUES;
  if (whole) at->dtype.code = kDLInt;
  for (size_t i = 0; i < VALUES; ++i) {
    int32_t bits;
    memcpy(&bits, &values[which][i], sizeof bits);
    at->values[i] = whole ? (double)bits : (double)values[which][i];
  }
  return made;
}

// Whether an element of a part was computed: it is no whole number, as the elements of the other tensors
// are, nor one of those that the tensor was given.
static bool has_computed(const ApartOutcome *outcome, uint32_t part)
{
  const size_t count =
      outcome->parts[part].width ? outcome->parts[part].size / outcome->parts[part].width : 0;
  if (!is_float(outcome->parts[part].dtype)) return false;
  for (size_t i = 0; i < count; ++i) {
    double number;
    if (!element_of(outcome, part, i, &number) || !isfinite(number) || fabs(number) < 1e-6 ||
        number == floor(number))
      continue;
    bool given = false;
    for (size_t k = 0; k < VALUES; ++k) given |= number == (double)values[0][k];
    if (!given) return true;
  }
  return false;
}

// Whether something is computed into the tensor of this name, or from it: a part that is another one
// where it holds other elements.
static bool computes_with(const ApartOutcome *own, const ApartOutcome *moved, const char *name)
{
  for (uint32_t i = 0; i < own->count && own->count == moved->count; ++i) {
    const ApartPart *part = &own->parts[i];
    if (!has_computed(own, i)) continue;
    if (strcmp(part->name, name) == 0) return true;
    if (part->size == moved->parts[i].size &&
        memcmp(own->bytes + part->first, moved->bytes + part->first, part->size) != 0)
      return true;
  }
  return false;
}

// Whether integers of twice the width are refused: memory of any type is none of floats.
static bool refuses_wider(Iut *iut, const Kernel *kernel, unsigned position, ApartOutcome *outcome)
{
  Kernel *wider = kernel_new_copy(kernel);
  wider->parameters[position].dtype = (DLDataType){kDLInt, 64, 1};
  const bool refused = kernel_apart_call(iut, NULL, wider, FILL, outcome) == APART_REFUSED;
  free(wider);
  return refused;
}

// True if the call with integers in one tensor was served, and numbers are computed with it.
static bool judge_bits(Iut *iut, const Kernel *kernel, unsigned position, ApartOutcome outcomes[2])
{
  const KernelParameter *at = &kernel->parameters[position];
  ApartOutcome *own = &outcomes[0], *other = &outcomes[1];
  char name[64];
  if (at->kind != KERNEL_TENSOR || !at->typed || at->device.device_type != kDLCPU ||
      !kernel_is_same_dtype(at->dtype, (DLDataType){kDLFloat, 32, 1}))
    return false;
  Kernel *floats = new_with_values(kernel, position, 0, false);
  Kernel *moved = new_with_values(kernel, position, 1, false);
  Kernel *whole = new_with_values(kernel, position, 0, true);
  const bool served = kernel_apart_call(iut, NULL, whole, FILL, other) == APART_SERVED &&
                      refuses_wider(iut, whole, position, other) &&
                      kernel_apart_call(iut, NULL, floats, FILL, own) == APART_SERVED &&
                      kernel_apart_call(iut, NULL, moved, FILL, other) == APART_SERVED &&
                      computes_with(own, other, kernel_tensor_name(kernel, position, name)) &&
                      kernel_apart_call(iut, NULL, whole, FILL, other) == APART_SERVED;
  free(floats);
  free(moved);
  if (!served) return false;
  const bool same = kernel_apart_same(own, other);
  if (same)
    note_call(new_right_call(iut, whole),
              "with int32 for %s: ", parameter_name(kernel, position, name));
  expect_that(!same, "integers are no floats of the same bits",
              "bit for bit what comes out for floats of these bits");
  return true;
}

// Those in containers count, too.
static const char *lacks_tensors(const CaseInstance *instance)
{
  for (uint32_t i = 0; i < kernel_place_count(instance->kernel); ++i)
    if (kernel_place_of(instance->kernel, i)->kind == KERNEL_TENSOR) return NULL;
  return "it takes no tensor";
}

KERNEL_CASE(numbers_of_their_type, .clauses = {BUF_23},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .lacks = lacks_tensors, .patience = 3,
            .explores = true,
            .title = "numbers of another type come to about the same, and are no bits of floats")
{
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  ApartOutcome *outcomes = kernel_apart_outcomes(3);
  Somes somes;
  char difference[160];
  unsigned judged = 0;
  if (kernel_apart_call(iut, NULL, kernel, FILL, &outcomes[0]) != APART_SERVED ||
      kernel_apart_call(iut, kernel, kernel, FILL, &outcomes[1]) != APART_SERVED ||
      !kernel_apart_close(&outcomes[0], &outcomes[1], difference))
    case_not_applicable("it is refused, or does not give the same twice");
  is_random = may_be_random(iut, kernel, &outcomes[1]);
  judged += judge_all_floats(iut, kernel, outcomes);
  find_somes(iut, kernel, &somes, &outcomes[1]);
  judged += judge_somes(iut, kernel, &somes, outcomes);
  judged += judge_far_floats(iut, kernel, &somes, outcomes);
  judged += judge_without_integers(iut, kernel, &somes, outcomes);
  judged += judge_ways(iut, kernel, outcomes);
  judged += judge_all_short(iut, kernel, outcomes);
  for (unsigned i = 0; i < kernel->parameter_count && clock_leaves(SECONDS); ++i)
    judged += judge_bits(iut, kernel, i, outcomes);
  if (judged == 0) case_not_applicable("it takes numbers of one type only");
}
