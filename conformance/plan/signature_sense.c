// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_sense.h"

#include <stdio.h>

#include "plan/signature_move.h"

enum {
  CALLS_MOST = 150,  // that are made for tensors
  CALLS_MOST_FOR_NUMBERS = 300,
  CHANGES_MOST = 3,  // that are kept
  PLACES_MOST = 64,  // as bits
};

// What a call comes to.
typedef struct Outcome {
  uint64_t digest, written;
} Outcome;

// With unmapped memory behind the tensors, as cases call it. False if the call is not served, or nothing is known of
// what came of it.
static bool find_outcome(Search *search, const Kernel *call, Outcome *outcome)
{
  ProbeAnswer answer;
  Kernel made = *call;
  made.found = true;
  if (!signature_heard_ask(search, &made, &answer) || answer.code != 0 || answer.outcome == 0)
    return false;
  *outcome = (Outcome){answer.outcome, answer.written};
  return true;
}

// The same where the call comes to the same again.
static bool find_steady(Search *search, const Kernel *call, Outcome *outcome)
{
  Outcome again;
  return find_outcome(search, call, outcome) && find_outcome(search, call, &again) &&
         again.digest == outcome->digest;
}

static bool is_float_tensor(const KernelParameter *at)
{
  if (at->kind != KERNEL_TENSOR || !at->typed) return false;
  for (int32_t k = 0; k < at->rank; ++k)
    if (at->shape[k].size == 0) return false;
  return at->dtype.code == kDLFloat || at->dtype.code == kDLBfloat;
}

static bool is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
}

static bool is_number(const KernelParameter *at)
{
  return at->kind == KERNEL_FLOAT || at->kind == KERNEL_INT;
}

// Whether the call comes to something else with another number: a float between 0 and 1 where it was, one more or less.
static bool number_matters(Search *search, const Kernel *call, const Outcome *outcome,
                           uint32_t place)
{
  static const int64_t more[] = {1, -1};
  Outcome other;
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    Kernel made = *call;
    KernelParameter *at = kernel_place(&made, place);
    at->number = i == 0 ? at->number / 2 + 0.125 : at->number + 1;
    at->integer += more[i];
    if (find_outcome(search, &made, &other) && other.digest != outcome->digest) return true;
  }
  return false;
}

// Whether the call comes to something else where all elements of a tensor are larger, or differ from each other; or
// with another number.
static bool matters(Search *search, const Kernel *call, const Outcome *outcome, uint32_t place)
{
  Outcome other;
  Kernel made = *call;
  KernelParameter *at = kernel_place(&made, place);
  const KernelParameter own = *at;
  if (is_number(at)) return number_matters(search, call, outcome, place);
  at->number += 3;
  for (uint32_t i = 0; i < at->value_count; ++i) at->values[i] += 3;
  if (find_outcome(search, &made, &other) && other.digest != outcome->digest) return true;
  *at = own;
  at->contents = KERNEL_RISING;
  at->value_count = 4;
  for (uint32_t i = 0; i < at->value_count; ++i) at->values[i] = own.number + (double)(i * i);
  return find_outcome(search, &made, &other) && other.digest != outcome->digest;
}

// Those of `places` that matter.
static uint64_t find_mattering(Search *search, const Kernel *call, const Outcome *outcome,
                               uint64_t places)
{
  uint64_t found = 0;
  for (uint32_t i = 0; i < PLACES_MOST; ++i)
    if (places >> i & 1 && matters(search, call, outcome, i)) found |= UINT64_C(1) << i;
  return found;
}

// Whether this is no value of the call, or a number in an array, where the first stands for all.
static bool is_left_out(const Kernel *call, uint32_t place)
{
  const KernelParameter *container = kernel_holder_of(call, place);
  if (!container) return place >= call->parameter_count;
  return container->kind == KERNEL_ARRAY && is_number(kernel_place_of(call, place)) &&
         place != call->parameter_count + container->first_element;
}

// The tensors of floats that the call does not write, or the numbers, too, of arrays of these the first.
static uint64_t places_of(const Kernel *call, const Outcome *outcome, bool numbers)
{
  uint64_t places = 0;
  for (uint32_t i = 0; i < kernel_place_count(call) && i < PLACES_MOST; ++i) {
    const KernelParameter *at = kernel_place_of(call, i);
    if ((is_float_tensor(at) || (numbers && is_number(at))) && !is_left_out(call, i))
      places |= UINT64_C(1) << i;
  }
  return places & ~outcome->written;
}

// The call, and what matters in it.
typedef struct Sensed {
  Kernel *call;
  uint64_t places, mattering;
} Sensed;

// How much matters: a tensor more than all numbers.
static int worth_of(const Kernel *call, uint64_t places)
{
  int worth = 0;
  for (uint32_t i = 0; i < PLACES_MOST; ++i)
    if (places >> i & 1) worth += is_number(kernel_place_of(call, i)) ? 1 : PLACES_MOST;
  return worth;
}

// Whether more matters after this change; the call then has it.
static bool try_change(Search *search, Sensed *sensed, const Move *move)
{
  Outcome outcome;
  Kernel other = *sensed->call;
  if (!signature_move_make(search->known, &other, "", move) ||
      !find_steady(search, &other, &outcome))
    return false;
  const uint64_t more =
      find_mattering(search, &other, &outcome, sensed->places & ~sensed->mattering);
  if (!more) return false;
  const uint64_t kept = find_mattering(search, &other, &outcome, sensed->mattering);
  if (worth_of(sensed->call, more | kept) <= worth_of(sensed->call, sensed->mattering))
    return false;
  *sensed->call = other;
  sensed->mattering = more | kept;
  return true;
}

static bool try_values(Search *search, Sensed *sensed, uint32_t place, MoveKind kind,
                       const double *values, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (try_change(search, sensed,
                   &(Move){.kind = kind, .position = (int)place, .value = values[i]}))
      return true;
  return false;
}

// What a function that the call is given returns.
static bool try_results(Search *search, Sensed *sensed, uint32_t place)
{
  static const char *const results[] = {"float", "int", "bool"};
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i) {
    Move move = {.kind = MOVE_TEXT, .position = (int)place};
    snprintf(move.text, sizeof move.text, "%s", results[i]);
    if (try_change(search, sensed, &move)) return true;
  }
  return false;
}

static bool try_kind(Search *search, Sensed *sensed, uint32_t place, const KernelParameter *at)
{
  static const double floats[] = {1, 2, 0, 10, 1000, -1}, integers[] = {1, 2, 0, 3, 8},
                      marks[] = {1, 0, 2};
  const double other_bool = at->integer == 0;
  switch (at->kind) {
    case KERNEL_FLOAT:
      return try_values(search, sensed, place, MOVE_VALUE, floats, sizeof floats / sizeof *floats);
    case KERNEL_INT:
      return try_values(search, sensed, place, MOVE_VALUE, integers,
                        sizeof integers / sizeof *integers);
    case KERNEL_BOOL:
      return try_values(search, sensed, place, MOVE_VALUE, &other_bool, 1);
    case KERNEL_TENSOR:
      return at->typed && is_whole(at->dtype) &&
             try_values(search, sensed, place, MOVE_EQUAL, marks, sizeof marks / sizeof *marks);
    case KERNEL_FUNCTION:
      return try_results(search, sensed, place);
    default:
      return false;
  }
}

// Tries other values at one place, in an array all at once; what is left out altogether shows less.
static bool try_place(Search *search, Sensed *sensed, uint32_t place)
{
  const KernelParameter *at = kernel_place_of(sensed->call, place);
  if (is_left_out(sensed->call, place)) return false;
  if (try_kind(search, sensed, place, kernel_leader(sensed->call, place))) return true;
  return at->optional && at->kind != KERNEL_ANY &&
         try_change(search, sensed, &(Move){.kind = MOVE_NONE, .position = (int)place});
}

static void sense_within(Search *search, Kernel *found, bool numbers)
{
  Outcome outcome;
  if (!find_steady(search, found, &outcome)) return;
  Sensed sensed = {found, places_of(found, &outcome, numbers), 0};
  sensed.mattering = find_mattering(search, found, &outcome, sensed.places);
  unsigned changes = 0;
  for (uint32_t i = 0; i < kernel_place_count(found) && changes < CHANGES_MOST; ++i) {
    if (sensed.mattering == sensed.places) return;
    changes += try_place(search, &sensed, i);
  }
}

static void sense(Search *search, Kernel *found, bool numbers)
{
  const unsigned most = numbers ? CALLS_MOST_FOR_NUMBERS : CALLS_MOST;
  const unsigned others = search->left > most ? search->left - most : 0;
  search->left -= others;
  sense_within(search, found, numbers);
  search->left += others;
}

// Numbers matter less than tensors, and are looked at where these do.
void signature_sense(Search *search, Kernel *found)
{
  sense(search, found, false);
  sense(search, found, true);
}
