// SPDX-License-Identifier: Apache-2.0
#include "signature/signature_build.h"

#include <stdlib.h>
#include <string.h>

#include "signature/signature_sections.h"

typedef struct Items {
  char *bytes;  // own
  uint32_t count;
  size_t size, capacity;  // bytes
} Items;

struct SignatureBuild {
  SignatureOrigin origin;
  bool tentative, lost;
  Items parts[SIGNATURE_PART_COUNT];
};

SignatureBuild *signature_build_begin(SignatureOrigin origin, bool tentative)
{
  SignatureBuild *build = calloc(1, sizeof *build);
  if (!build) return NULL;
  build->origin = origin;
  build->tentative = tentative;
  signature_add_text(build, "", 0);
  return build;
}

static bool make_room(Items *items, size_t size)
{
  if (size > SIGNATURE_SIZE_MAX || items->size + size > SIGNATURE_SIZE_MAX) return false;
  if (items->size + size <= items->capacity) return true;
  size_t capacity = items->capacity ? 2 * items->capacity : 512;
  while (capacity < items->size + size) capacity *= 2;
  char *bytes = realloc(items->bytes, capacity);
  if (!bytes) return false;
  items->bytes = bytes;
  items->capacity = capacity;
  return true;
}

static SignatureRange add(SignatureBuild *build, SignaturePart part, const void *first,
                          size_t count)
{
  Items *items = &build->parts[part];
  SignatureRange range = {items->count, (uint32_t)count};
  size_t size = signature_parts[part].item_size * count;
  if (count > SIGNATURE_SIZE_MAX || !make_room(items, size)) {
    build->lost = true;
    return (SignatureRange){0, 0};
  }
  if (count) memcpy(items->bytes + items->size, first, size);
  items->size += size;
  items->count += range.count;
  return range;
}

uint32_t signature_add_form(SignatureBuild *build, const SignatureForm *form)
{
  return add(build, SIGNATURE_FORMS, form, 1).first;
}

#define ADDER(type, name, part)                                               \
  SignatureRange name(SignatureBuild *build, const type *items, size_t count) \
  {                                                                           \
    return add(build, part, items, count);                                    \
  }

ADDER(SignatureType, signature_add_types, SIGNATURE_TYPES)
ADDER(SignatureExtent, signature_add_extents, SIGNATURE_EXTENTS)
ADDER(SignatureValue, signature_add_values, SIGNATURE_VALUES)
ADDER(SignatureVariable, signature_add_variables, SIGNATURE_VARIABLES)
ADDER(SignatureSetting, signature_add_settings, SIGNATURE_SETTINGS)
ADDER(SignatureExpected, signature_add_expected, SIGNATURE_EXPECTED)
ADDER(SignatureRefusal, signature_add_refusals, SIGNATURE_REFUSALS)
ADDER(SignatureCall, signature_add_calls, SIGNATURE_CALLS)
ADDER(SignatureText, signature_add_conditions, SIGNATURE_CONDITIONS)
ADDER(SignatureTolerance, signature_add_tolerances, SIGNATURE_TOLERANCES)
ADDER(SignatureStep, signature_add_steps, SIGNATURE_STEPS)
ADDER(SignatureSequence, signature_add_sequences, SIGNATURE_SEQUENCES)

// Where the text and its NUL stand among those that are there already, or SIGNATURE_NONE. A text
// that is the end of another one stands there, too.
static SignatureText find_text(const Items *texts, const char *text, size_t size)
{
  for (size_t at = 0; at + size < texts->size; ++at)
    if (memcmp(texts->bytes + at, text, size) == 0 && !texts->bytes[at + size])
      return (SignatureText)at;
  return SIGNATURE_NONE;
}

SignatureText signature_add_text(SignatureBuild *build, const char *text, size_t size)
{
  Items *texts = &build->parts[SIGNATURE_TEXTS];
  SignatureText found = find_text(texts, text, size);
  if (found != SIGNATURE_NONE) return found;
  found = add(build, SIGNATURE_TEXTS, text, size).first;
  add(build, SIGNATURE_TEXTS, "", 1);
  return found;
}

static size_t rounded(size_t size)
{
  return (size + 7) / 8 * 8;
}

// The parts behind the header, which learns where they are.
static void pack(const SignatureBuild *build, Signature *signature)
{
  size_t at = rounded(sizeof *signature);
  for (int part = 0; part < SIGNATURE_PART_COUNT; ++part) {
    const Items *items = &build->parts[part];
    SignatureSection section = {(uint32_t)at, items->count};
    memcpy((char *)signature + signature_parts[part].place, &section, sizeof section);
    if (items->size) memcpy((char *)signature + at, items->bytes, items->size);
    at += rounded(items->size);
  }
}

Signature *signature_build_end(SignatureBuild *build)
{
  size_t size = rounded(sizeof(Signature));
  for (int part = 0; part < SIGNATURE_PART_COUNT; ++part) size += rounded(build->parts[part].size);
  Signature *signature = build->lost || size > SIGNATURE_SIZE_MAX ? NULL : calloc(1, size);
  if (signature) {
    signature->size = (uint32_t)size;
    signature->origin = build->origin;
    signature->tentative = build->tentative;
    pack(build, signature);
  }
  for (int part = 0; part < SIGNATURE_PART_COUNT; ++part) free(build->parts[part].bytes);
  free(build);
  return signature;
}
