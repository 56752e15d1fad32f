// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_sense.h"

#include "plan/signature_move.h"

enum {
  CALLS_MOST = 150,  // that are made for this
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

// Whether the call comes to something else where all elements of a tensor are larger, or differ from each other.
static bool matters(Search *search, const Kernel *call, const Outcome *outcome, uint32_t place)
{
  Outcome other;
  Kernel made = *call;
  KernelParameter *at = kernel_place(&made, place);
  const KernelParameter own = *at;
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

// The tensors of floats that the call does not write.
static uint64_t places_of(const Kernel *call, const Outcome *outcome)
{
  uint64_t places = 0;
  for (uint32_t i = 0; i < kernel_place_count(call) && i < PLACES_MOST; ++i)
    if (is_float_tensor(kernel_place_of(call, i))) places |= UINT64_C(1) << i;
  return places & ~outcome->written;
}

static int count_of(uint64_t places)
{
  return __builtin_popcountll(places);
}

// The call, and what matters in it.
typedef struct Sensed {
  Kernel *call;
  uint64_t places, mattering;
} Sensed;

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
  if (count_of(more | kept) <= count_of(sensed->mattering)) return false;
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

// Tries other values at one place; what is left out altogether shows less.
static bool try_place(Search *search, Sensed *sensed, uint32_t place)
{
  static const double floats[] = {1, 2, 0, 10, 1000, -1}, integers[] = {1, 2, 0},
                      marks[] = {1, 0, 2};
  const KernelParameter *at = kernel_place_of(sensed->call, place);
  const double other_bool = at->integer == 0;
  const bool whole =
      at->dtype.code == kDLInt || at->dtype.code == kDLUInt || at->dtype.code == kDLBool;
  bool found = false;
  if (at->kind == KERNEL_FLOAT)
    found = try_values(search, sensed, place, MOVE_VALUE, floats, sizeof floats / sizeof *floats);
  if (at->kind == KERNEL_INT)
    found =
        try_values(search, sensed, place, MOVE_VALUE, integers, sizeof integers / sizeof *integers);
  if (at->kind == KERNEL_BOOL)
    found = try_values(search, sensed, place, MOVE_VALUE, &other_bool, 1);
  if (at->kind == KERNEL_TENSOR && at->typed && whole)
    found = try_values(search, sensed, place, MOVE_EQUAL, marks, sizeof marks / sizeof *marks);
  if (!found && at->optional && at->kind != KERNEL_ANY)
    found = try_change(search, sensed, &(Move){.kind = MOVE_NONE, .position = (int)place});
  return found;
}

static void sense(Search *search, Kernel *found)
{
  Outcome outcome;
  if (!find_steady(search, found, &outcome)) return;
  Sensed sensed = {found, places_of(found, &outcome), 0};
  sensed.mattering = find_mattering(search, found, &outcome, sensed.places);
  unsigned changes = 0;
  for (uint32_t i = 0; i < kernel_place_count(found) && changes < CHANGES_MOST; ++i) {
    if (sensed.mattering == sensed.places) return;
    changes += try_place(search, &sensed, i);
  }
}

void signature_sense(Search *search, Kernel *found)
{
  const unsigned others = search->left > CALLS_MOST ? search->left - CALLS_MOST : 0;
  search->left -= others;
  sense(search, found);
  search->left += others;
}
