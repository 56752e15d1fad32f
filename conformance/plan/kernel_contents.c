// SPDX-License-Identifier: Apache-2.0
// What tensors of a call hold: values that tell parameters, places and signs apart, and that each
// type holds exactly.
#include <math.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/random.h"

enum { CYCLE = 61 };  // a prime: a step of any seed goes through all of it
enum { PERIOD = KERNEL_ELEMENT_PERIOD };
_Static_assert(PERIOD % (2 * CYCLE) == 0, "what goes by two elements goes round, too");

// 0 to CYCLE - 1, each once in as many elements. The seventh power takes each of them to another one, since 7 and
// CYCLE - 1 have no common divisor: without it points lay on lines, and differences of differences were 0.
static unsigned turn_of(const KernelParameter *parameter, size_t index)
{
  static const unsigned steps[] = {7, 11, 17, 23, 29, 37, 41, 53};
  const unsigned line =
      (unsigned)((index % CYCLE * steps[parameter->seed % 8] + parameter->seed * 13) % CYCLE);
  const unsigned square = line * line % CYCLE;
  return square * square % CYCLE * square % CYCLE * line % CYCLE;
}

static bool is_float(DLDataType dtype)
{
  return dtype.code != kDLInt && dtype.code != kDLUInt && dtype.code != kDLBool;
}

// Of a range that is larger than these, the numbers around 0, or those nearest to it: an output may be as
// long as the largest says.
enum { SPAN_MOST = 1 << 16 };

static void narrow(double *least, double *most)
{
  const double half = SPAN_MOST / 2;
  if (*most - *least < SPAN_MOST) return;
  if (*least >= -half) {
    *most = *least + SPAN_MOST - 1;
  } else if (*most <= half) {
    *least = *most - SPAN_MOST + 1;
  } else {
    *least = -half;
    *most = half - 1;
  }
}

// The largest and the least number that the type holds, as far as an element comes near it.
static double most_of(DLDataType dtype)
{
  if (is_float(dtype) || dtype.bits >= 64) return INFINITY;
  return ldexp(1, dtype.bits - (dtype.code == kDLInt)) - 1;
}

static double least_of(DLDataType dtype)
{
  if (dtype.code == kDLUInt || dtype.code == kDLBool) return 0;
  return is_float(dtype) || dtype.bits >= 64 ? -INFINITY : -ldexp(1, dtype.bits - 1);
}

// The limits; where one is missing, what lies within a cycle of the other and is of the type.
static void bounds(const KernelParameter *parameter, double *least, double *most)
{
  *least = fmax(parameter->most - CYCLE + 1, least_of(parameter->dtype));
  *most = fmin(parameter->least + CYCLE - 1, most_of(parameter->dtype));
  if (parameter->has_least) *least = parameter->least;
  if (parameter->has_most) *most = parameter->most;
}

// Within the limits: both of them are among the elements if there are enough, and they are not so far
// apart.
static double limited(const KernelParameter *parameter, size_t index)
{
  const double turn = turn_of(parameter, index);
  const bool whole = !is_float(parameter->dtype);
  double least, most;
  bounds(parameter, &least, &most);
  if (!whole) return least + (most - least) * (turn / (CYCLE - 1));
  least = ceil(least);
  most = floor(most);
  narrow(&least, &most);
  const double span = most - least + 1;
  if (span <= 1) return least;
  // A small range is gone through evenly; of a large one the ends are taken, too.
  if (span <= CYCLE) return least + fmod(turn, span);
  return least + floor((span - 1) * (turn / (CYCLE - 1)));
}

// The product of two of them is still a number of the type: what a right function works out need not
// be more.
static double huge(const KernelParameter *parameter, size_t index)
{
  const DLDataType dtype = parameter->dtype;
  const double sign = turn_of(parameter, index) % 2 ? -1 : 1;
  if (dtype.code == kDLFloat && dtype.bits == 64) return sign * 1e150;
  if ((dtype.code == kDLFloat && dtype.bits == 16) || dtype.code > kDLComplex) return sign * 200;
  return sign * 1e18;
}

static double special(const KernelParameter *parameter, size_t index)
{
  const unsigned turn = turn_of(parameter, index);
  switch (turn % 8) {
    case 1:
      return NAN;
    case 3:
      return INFINITY;
    case 4:
      return -INFINITY;
    case 5:
      return -0.0;
    case 7:
      return parameter->dtype.bits == 64 ? 0x1p-1060 : 0x1p-140;
    default:
      return (turn - 30.0) / 8;
  }
}

// Integers of which floats of as many bits have not all digits; floats of which smaller ones have not.
// Of both signs where there are two, so that sums stay within the type.
static long double fine(const KernelParameter *parameter, size_t index)
{
  const long double turn = turn_of(parameter, index);
  const DLDataType dtype = parameter->dtype;
  if (is_float(dtype)) return (turn + 1) / 7 + 1.0L / 3;
  const long double number = (dtype.bits == 64 ? 0x1p53L : 0x1p24L) + 2 * turn + 1;
  return dtype.code == kDLInt && index % 2 ? -number : number;
}

// exp() overflows at 11 in float16, 89 in float32 and bfloat16, and 710 in float64.
static double large(const KernelParameter *parameter, size_t index)
{
  const double turn = turn_of(parameter, index);
  const DLDataType dtype = parameter->dtype;
  if (dtype.code == kDLFloat && dtype.bits == 64) return 640 + turn * 1.25;
  if (dtype.code == kDLFloat && dtype.bits == 16) return 7 + turn * 0.15625;
  return 25 + turn * 1.25;
}

static double sorted(const KernelParameter *parameter, size_t index)
{
  double count = 1;
  for (int32_t i = 0; i < parameter->rank; ++i) count *= (double)parameter->shape[i].size;
  double least, most;
  bounds(parameter, &least, &most);
  const double part = count > 1 ? (double)(index + index % 2) / (count - 1) : 0;
  const double value = least + (most - least) * fmin(part, 1);
  return is_float(parameter->dtype) ? value : fmin(floor(most), fmax(ceil(least), floor(value)));
}

// Each like its neighbour, and like others.
static double few(const KernelParameter *parameter, size_t index)
{
  const unsigned turn = turn_of(parameter, index / 2);
  if (parameter->dtype.code == kDLBool) return turn % 2;
  return parameter->dtype.code == kDLUInt ? turn % 3 : turn % 5 - 2.0;
}

// None is in the middle between two numbers of a type with few digits.
static double tiny(const KernelParameter *parameter, size_t index)
{
  const unsigned turn = turn_of(parameter, index);
  const double sign = turn % 2 ? -1 : 1;
  if (turn % 5 == 0) return copysign(0, sign);
  return sign * parameter->number * (turn % 3 ? 1.1875 : 1.4375) / (double)(1u << turn % 6);
}

static bool is_in_diagonal(const KernelParameter *parameter, size_t index)
{
  if (parameter->rank < 2) return index == 0;
  const size_t columns = (size_t)parameter->shape[parameter->rank - 1].size;
  const size_t rows = (size_t)parameter->shape[parameter->rank - 2].size;
  return columns && rows && index / columns % rows == index % columns;
}

static double wide(const KernelParameter *parameter, size_t index)
{
  if (!is_float(parameter->dtype)) return parameter->number - turn_of(parameter, index) % 3;
  return is_in_diagonal(parameter, index) ? parameter->number : 1;
}

static double count_of(const KernelParameter *parameter)
{
  double count = 1;
  for (int32_t k = 0; k < parameter->rank; ++k) count *= (double)parameter->shape[k].size;
  return count;
}

// Of parts that are uneven: how long one is in comparison with others.
static unsigned weight_of(const KernelParameter *parameter, size_t part)
{
  uint64_t state = (uint64_t)parameter->uneven << 32 ^ part;
  const unsigned drawn = (unsigned)random_below(&state, 6);
  return drawn < 3 ? 0 : drawn - 2;
}

// Where the part before this place ends, of so many.
static double end_of(const KernelParameter *parameter, double index, double parts)
{
  enum { UNEVEN_MOST = 512 };  // more are even: each of them is a sum of those before it
  double before = 0, all = 0;
  if (parts <= 0) return 0;
  for (double part = 0; parameter->uneven && parts <= UNEVEN_MOST && part < parts; ++part) {
    const unsigned weight = weight_of(parameter, (size_t)part);
    all += weight;
    if (part < index) before += weight;
  }
  return floor(parameter->most * (all > 0 ? before / all : index / parts));
}

size_t kernel_element_period(const KernelParameter *parameter)
{
  if (parameter->value_count) return PERIOD;
  switch (parameter->contents) {
    case KERNEL_RISING:
    case KERNEL_SORTED:
    case KERNEL_WIDE:
    case KERNEL_OFFSETS:
    case KERNEL_PARTS:
    case KERNEL_FROM_NPY:
      return 0;
    default:
      return PERIOD;
  }
}

// One more with each element, and from the least again behind the most.
static double rising(const KernelParameter *parameter, size_t index)
{
  const double value = parameter->number + (double)index;
  const double most = parameter->has_most    ? parameter->most
                      : parameter->has_least ? most_of(parameter->dtype)
                                             : INFINITY;
  const double least = parameter->has_least ? ceil(parameter->least) : parameter->number;
  const double span = floor(most) - least + 1;
  if (value <= most || span < 1) return value;
  return least + fmod(value - least, span);
}

static long double plain_element(const KernelParameter *parameter, size_t index)
{
  const double turn = turn_of(parameter, index);
  if (parameter->value_count) return parameter->values[(unsigned)turn % parameter->value_count];
  switch (parameter->contents) {
    case KERNEL_SPREAD:
      if (parameter->has_least || parameter->has_most) return limited(parameter, index);
      if (parameter->dtype.code == kDLBool) return (unsigned)turn % 2;
      return (turn + 1) / 8 + parameter->number - 1;
    case KERNEL_SIGNED:
      return (turn - 30) / 8;
    case KERNEL_HUGE:
      return huge(parameter, index);
    case KERNEL_SPECIAL:
      return special(parameter, index);
    case KERNEL_ZEROS:
      return 0;
    case KERNEL_NEGATIVE:
      return is_float(parameter->dtype) ? -(turn + 1) / 8 : -(turn + 1);
    case KERNEL_FINE:
      return fine(parameter, index);
    case KERNEL_SMALL:
      return (turn - 30) / 8192;
    case KERNEL_LARGE:
      return large(parameter, index);
    case KERNEL_LEAST:
      return is_float(parameter->dtype) ? parameter->least : ceil(parameter->least);
    case KERNEL_MOST:
      return is_float(parameter->dtype) ? parameter->most : floor(parameter->most);
    case KERNEL_SORTED:
      return sorted(parameter, index);
    case KERNEL_FEW:
      return few(parameter, index);
    case KERNEL_TINY:
      return tiny(parameter, index);
    case KERNEL_WIDE:
      return wide(parameter, index);
    case KERNEL_OFFSETS:
      return end_of(parameter, (double)index, count_of(parameter) - 1);
    case KERNEL_PARTS:
      return end_of(parameter, (double)index + 1, count_of(parameter)) -
             end_of(parameter, (double)index, count_of(parameter));
    default:
      return rising(parameter, index);
  }
}

long double kernel_element_of(const KernelParameter *parameter, size_t index)
{
  const long double element = plain_element(parameter, index);
  if (parameter->nudge == 0 || !is_float(parameter->dtype)) return element;
  uint64_t state = (uint64_t)parameter->nudge_seed << 32 ^ index;
  const double part = parameter->nudge_seed ? (double)(random_draw(&state) >> 11) * 0x1p-52 - 1 : 1;
  return element * (1 + part * parameter->nudge);
}
