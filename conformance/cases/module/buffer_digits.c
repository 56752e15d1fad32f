// SPDX-License-Identifier: Apache-2.0
// What is computed of wide numbers has their digits: it did not go through a type that has fewer.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_element.h"

CHAPTER(buffer);

enum { FILL = 0, NUMBERS = 4, TELLING_LEAST = 2, DIGITS_LEAST = 13 };

typedef struct Wide {
  DLDataTypeCode code;
  unsigned bits_least;
  double numbers[2][NUMBERS];  // that float32 doesn't hold
} Wide;

static const Wide doubles = {kDLFloat, 64, {{1.0 / 3, 0.7, 1.1, 2.9}, {0.3, 1.7, 2.1, 0.9}}};
// Of these sizes float32 holds multiples of 8: what is one or two more or less is not one either.
static const Wide integers = {
    kDLInt,
    32,
    {{67108867, 67108869, 67108875, 67108877}, {67108885, 67108891, 67108883, 67108893}}};

static bool is_wide(const Wide *wide, DLDataType dtype)
{
  return dtype.code == wide->code && dtype.bits >= wide->bits_least && dtype.lanes == 1;
}

// The call with these numbers in all tensors of wide elements (own); NULL if there are none, or there are
// others that are computed with.
static Kernel *new_with_numbers(const Kernel *kernel, const Wide *wide, int which)
{
  Kernel *made = kernel_new_copy(kernel);
  unsigned count = 0, others = 0;
  for (uint32_t i = 0; i < kernel_place_count(made); ++i) {
    KernelParameter *at = kernel_place(made, i);
    if (at->kind != KERNEL_TENSOR || !at->typed) continue;
    others += at->dtype.code == kDLFloat || at->dtype.code == kDLBfloat;
    if (!is_wide(wide, at->dtype)) continue;
    others -= wide->code == kDLFloat;
    ++count;
    at->contents = KERNEL_RISING;
    at->value_count = NUMBERS;
    memcpy(at->values, wide->numbers[which], sizeof at->values[0] * NUMBERS);
  }
  if (count > 0 && others == 0) return made;
  free(made);
  return NULL;
}

// How many binary digits a number has from the first to the last that is not 0.
static int digits_of(double number)
{
  int exponent;
  const int64_t whole = (int64_t)ldexp(frexp(fabs(number), &exponent), 53);
  return whole == 0 ? 0 : 53 - __builtin_ctzll((unsigned long long)whole);
}

// Of the elements of a part, those that tell: they have many digits, were given to no tensor, and are others
// in another call. How many of these float32 holds.
typedef struct Told {
  unsigned telling, narrow;
} Told;

static Told tell(const Wide *wide, const ApartOutcome *one, const ApartOutcome *other,
                 uint32_t part)
{
  const ApartPart *at = &one->parts[part];
  Told told = {0};
  if (!is_wide(wide, at->dtype) || at->size != other->parts[part].size) return told;
  for (uint32_t i = 0; i < at->size / at->width; ++i) {
    double number, moved;
    if (!kernel_element_read(one->bytes + at->first, (int64_t)i * at->width * 8, at->dtype,
                             &number) ||
        !kernel_element_read(other->bytes + other->parts[part].first, (int64_t)i * at->width * 8,
                             at->dtype, &moved) ||
        !isfinite(number) || number == moved || fabs(number) > 0x1p52)
      continue;
    bool given = wide->code == kDLInt && fabs(number) <= 0x1p24;
    for (int k = 0; k < NUMBERS; ++k) given |= number == wide->numbers[0][k];
    if (given || (wide->code == kDLFloat && digits_of(number) < DIGITS_LEAST)) continue;
    ++told.telling;
    told.narrow += (double)(float)number == number;
  }
  return told;
}

// Judges the call with wide numbers; true if its outputs tell something.
static bool judge(Iut *iut, const Kernel *kernel, const Wide *wide, ApartOutcome outcomes[2])
{
  Kernel *calls[2] = {new_with_numbers(kernel, wide, 0), new_with_numbers(kernel, wide, 1)};
  bool judged = false;
  if (!calls[0] || !calls[1]) return false;
  for (int i = 0; i < 2; ++i)
    if (kernel_apart_call(iut, NULL, calls[i], FILL, &outcomes[i]) != APART_SERVED) return false;
  if (outcomes[0].count != outcomes[1].count) return false;
  for (uint32_t i = 0; i < outcomes[0].count; ++i) {
    const Told told = tell(wide, &outcomes[0], &outcomes[1], i);
    if (told.telling < TELLING_LEAST) continue;
    judged = true;
    const bool kept = told.narrow < told.telling;
    // A call that was noted borrows its kernel.
    if (!kept) note_call(new_right_call(iut, calls[0]), "with numbers of many digits: ");
    expect_that(kept, "an element has digits that float32 has not",
                "each of the %u that tell in %s is a number of float32", told.telling,
                outcomes[0].parts[i].name);
  }
  return judged;
}

typedef struct DigitsRow {
  const char *name;
  const Wide *wide;
} DigitsRow;

static const DigitsRow digits[] = {{"float64", &doubles}, {"integers", &integers}};

KERNEL_CASE_ROWS(digits_are_kept, digits, .clauses = {BUF_23},
                 .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR,
                 .patience = 2, .explores = true, .unconcerned = true,
                 .title = "what is computed of wide numbers does not go through float32")
{
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  if (kernel_is_promised(kernel)) case_not_concerned("its signature file says what comes out");
  ApartOutcome *outcomes = kernel_apart_outcomes(2);
  Kernel *variant = kernel_new_copy(kernel);
  require_right_call(iut, kernel);
  unsigned judged = judge(iut, kernel, row->wide, outcomes);
  const time_t end = time(NULL) + 2;
  for (unsigned i = 0; time(NULL) <= end && kernel_variant(kernel, i, variant); ++i)
    judged += judge(iut, variant, row->wide, outcomes);
  if (judged == 0) case_not_concerned("it computes no wide numbers of others");
}
