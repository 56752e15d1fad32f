// SPDX-License-Identifier: Apache-2.0
#include "run/generation.h"

#include <stdio.h>
#include <string.h>

// Every function that has another name in the other generation, or none.
static bool is_telling(AbiFunctionId function)
{
  const char *then = abi_function_symbol_2025_09(function);
  return !then || strcmp(then, abi_functions[function].symbol) != 0;
}

// A name that only libraries of this generation have; NULL if it exports none.
static const char *telling_name(const InspectReport *library, AbiGeneration generation)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    AbiFunctionId function = (AbiFunctionId)i;
    if (!is_telling(function)) continue;
    if (generation == ABI_GENERATION_0_1 && library->exports[i]) return abi_functions[i].symbol;
    if (generation == ABI_GENERATION_2025_09 && library->former_exports[i])
      return abi_function_symbol_2025_09(function);
  }
  return NULL;
}

unsigned generation_of_names(const InspectReport *library)
{
  unsigned seen = 0;
  for (unsigned i = 0; i < ABI_GENERATIONS; ++i)
    if (telling_name(library, (AbiGeneration)i)) seen |= GENERATION_BIT(i);
  return seen;
}

// What speaks for a generation: "it exports TVMFFITraceback; its objects begin with their type
// index". Empty if nothing does.
static void describe_signs(const InspectReport *library, unsigned objects, AbiGeneration generation,
                           char *text, size_t size)
{
  const char *name = telling_name(library, generation);
  bool by_object = objects & GENERATION_BIT(generation);
  const char *header = generation == ABI_GENERATION_0_1 ? "objects begin with one combined counter"
                                                        : "objects begin with their type index";
  snprintf(text, size, "%s%s%s%s", name ? "exports " : "", name ? name : "",
           name && by_object ? ", and " : "", by_object ? header : "");
}

enum { BIT_0_1 = GENERATION_BIT(ABI_GENERATION_0_1) };
enum { BIT_2025_09 = GENERATION_BIT(ABI_GENERATION_2025_09), BIT_BOTH = BIT_0_1 | BIT_2025_09 };

// The one generation that all signs speak for, as a bit. A library may have names of the other one
// besides: objects then tell, unless it reports a version, by which others would read its objects
// as those of 0.1. 0 if nothing speaks for either; BIT_BOTH if the signs contradict each other.
static unsigned weigh(const InspectReport *library, unsigned objects)
{
  unsigned names = generation_of_names(library);
  bool reports_today = objects == BIT_2025_09 && library->exports[FN_GetVersion];
  if (names == BIT_BOTH && (objects == BIT_0_1 || objects == BIT_2025_09) && !reports_today)
    return objects;
  return names | objects;
}

static void describe_mixture(const InspectReport *library, unsigned objects, char *why, size_t size)
{
  char newer[256], older[256];
  describe_signs(library, objects, ABI_GENERATION_0_1, newer, sizeof newer);
  describe_signs(library, objects, ABI_GENERATION_2025_09, older, sizeof older);
  snprintf(
      why, size,
      "mixes two ABI generations: 0.1: %s; 2025-09: %s\nUse --abi 0.1 or --abi 2025-09 to judge it as one of them.",
      newer, older);
}

static void describe_wrong_guess(const InspectReport *library, unsigned objects,
                                 AbiGeneration wanted, AbiGeneration real, char *why, size_t size)
{
  char seen[256];
  describe_signs(library, objects, real, seen, sizeof seen);
  snprintf(
      why, size,
      "its ABI generation is not %s, as --abi requires, but %s: %s\nWithout --abi it is judged as its own.",
      abi_generation_name(wanted), abi_generation_name(real), seen);
}

bool generation_decide(const char *wanted, const InspectReport *library, unsigned objects,
                       AbiGeneration *generation, char *why, size_t why_size)
{
  unsigned sign = weigh(library, objects);
  AbiGeneration real = sign == BIT_2025_09 ? ABI_GENERATION_2025_09 : ABI_GENERATION_0_1;
  AbiGeneration asked = real;
  bool is_asked = abi_generation_find(wanted, &asked), is_clear = sign && sign != BIT_BOTH;
  if (sign == BIT_BOTH && !is_asked) {
    describe_mixture(library, objects, why, why_size);
    return false;
  }
  if (is_clear && asked != real) {
    describe_wrong_guess(library, objects, asked, real, why, why_size);
    return false;
  }
  *generation = asked;
  return true;
}
