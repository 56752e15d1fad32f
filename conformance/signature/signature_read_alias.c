// SPDX-License-Identifier: Apache-2.0
// Tensors that may be in the memory of others: outputs that are given an input, results that are an
// argument.
#include <string.h>

#include "signature/signature_reading.h"

enum { ALIASES_MAX = 8 };

// The parameter of the form that has this name, if it is a tensor; else NULL.
static const json_t *tensor_named(const Reading *reading, const char *name)
{
  const json_t *list = json_object_get(reading->form, "parameters");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t *type = json_array_get(list, i);
    const char *own = json_string_value(json_object_get(type, "name"));
    const char *kind = json_string_value(json_object_get(type, "kind"));
    if (own && kind && strcmp(own, name) == 0 && strcmp(kind, "tensor") == 0) return type;
  }
  return NULL;
}

static bool read_one(Reading *reading, const json_t *word, const json_t *self, SignatureValue *out)
{
  const char *name = json_string_value(word);
  const json_t *found = name ? tensor_named(reading, name) : NULL;
  if (!name) return reading_complain(reading, "alias", "expected the name of a parameter");
  if (!found)
    return reading_complain(reading, "alias", "\"%.60s\" is not a parameter that is a tensor",
                            name);
  if (found == self) return reading_complain(reading, "alias", "\"%.60s\" is this tensor", name);
  *out = (SignatureValue){.kind = KERNEL_STRING,
                          .text = reading_add_text(reading, name),
                          .text_size = (uint32_t)strlen(name)};
  return true;
}

static bool check_alias_place(Reading *reading, const json_t *alias, ReadingPlace place,
                              const SignatureType *type)
{
  // What is within another type is deeper.
  const bool whole = reading->depth == 1;
  const bool output = whole && place == READING_PLACE_PARAMETER &&
                      (type->role == KERNEL_OUT || type->role == KERNEL_INOUT);
  const bool result = whole && place == READING_PLACE_RESULT;
  if (!output && !result)
    return reading_complain(reading, "alias",
                            "is of an output (\"out\", \"inout\") or of the result");
  if (result && !json_is_string(alias))
    return reading_complain(reading, "alias",
                            "expected the name of the parameter that is returned");
  return true;
}

bool reading_alias(Reading *reading, const json_t *object, ReadingPlace place, SignatureType *type)
{
  SignatureValue names[ALIASES_MAX];
  const json_t *alias = json_object_get(object, "alias");
  const size_t count = json_is_array(alias) ? json_array_size(alias) : 1;
  if (!alias) return true;
  if (!check_alias_place(reading, alias, place, type)) return false;
  if (count == 0 || count > ALIASES_MAX)
    return reading_complain(reading, "alias", "expected a name, or an array of 1 to %d",
                            ALIASES_MAX);
  for (size_t i = 0; i < count; ++i)
    if (!read_one(reading, json_is_array(alias) ? json_array_get(alias, i) : alias, object,
                  &names[i]))
      return false;
  type->aliases = signature_add_values(reading->build, names, count);
  return true;
}
