// SPDX-License-Identifier: Apache-2.0
// Types that hold other types: containers, variants, callbacks.
#include <stdio.h>
#include <string.h>

#include "signature/signature_reading.h"

enum { CHILDREN_MAX = 32 };

bool reading_types(Reading *reading, const json_t *object, const char *member, ReadingPlace place,
                   size_t most, SignatureRange *out)
{
  SignatureType types[CHILDREN_MAX];
  const json_t *list = json_object_get(object, member);
  size_t count = json_array_size(list);
  if (!json_is_array(list)) return reading_complain(reading, member, "expected an array");
  if (count > most) return reading_complain(reading, member, "at most %zu are supported", most);
  reading_enter(reading, member);
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!reading_type(reading, json_array_get(list, i), place, &types[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  *out = signature_add_types(reading->build, types, count);
  return true;
}

// The types of the members of `names` (which ends with NULL) that are there.
static bool read_single(Reading *reading, const json_t *object, const char *const *names,
                        ReadingPlace place, SignatureRange *out)
{
  SignatureType types[2];
  size_t count = 0;
  for (; *names; ++names) {
    const json_t *type = json_object_get(object, *names);
    if (!type) continue;
    reading_enter(reading, *names);
    if (!reading_type(reading, type, place, &types[count++])) return false;
    reading_leave(reading);
  }
  *out = signature_add_types(reading->build, types, count);
  return true;
}

bool reading_length(Reading *reading, const json_t *object, const char *member, SignatureType *type)
{
  const json_t *length = json_object_get(object, member);
  SignatureValue value;
  ReadingText room;
  const bool open = !length && strcmp(member, "length") == 0 && !json_object_get(object, "value");
  const char *said = open ? reading_length_in_conditions(reading, object, &room) : NULL;
  if (said) type->length = reading_add_text(reading, said);
  type->length_of_condition = said != NULL;
  if (!length) return true;
  if (json_is_string(length)) {
    type->length = reading_add_text(reading, json_string_value(length));
    return reading_expression(reading, member, json_string_value(length), READING_ANYTHING);
  }
  for (size_t i = 0; i < json_array_size(length); ++i)
    if (json_integer_value(json_array_get(length, i)) < 0)
      return reading_complain(reading, member, "a length must not be negative");
  if (json_is_array(length))
    return reading_values(reading, object, member, KERNEL_INT, &type->lengths);
  if (!json_is_integer(length) || json_integer_value(length) < 0)
    return reading_complain(reading, member,
                            "expected a number, a list of numbers, or an expression");
  value = (SignatureValue){.kind = KERNEL_INT, .integer = json_integer_value(length)};
  type->lengths = signature_add_values(reading->build, &value, 1);
  return true;
}

static bool read_entries(Reading *reading, const json_t *object, ReadingPlace place,
                         SignatureType *type)
{
  SignatureType types[CHILDREN_MAX];
  json_t *entries = json_object_get(object, "entries"), *value;
  const char *key;
  size_t count = 0;
  if (!json_is_object(entries)) return reading_complain(reading, "entries", "expected an object");
  if (json_object_size(entries) > CHILDREN_MAX)
    return reading_complain(reading, "entries", "at most %d are supported", CHILDREN_MAX);
  if (json_object_get(object, "key") || json_object_get(object, "element") ||
      json_object_get(object, "length"))
    return reading_complain(reading, "entries", "stands alone, without key, element and length");
  reading_enter(reading, "entries");
  json_object_foreach(entries, key, value)
  {
    reading_enter(reading, key);
    if (strlen(key) >= SIGNATURE_NAME_MAX)
      return reading_complain(reading, "", "longer than %d bytes", SIGNATURE_NAME_MAX - 1);
    if (!reading_type(reading, value, place, &types[count])) return false;
    types[count++].name = reading_add_text(reading, key);
    reading_leave(reading);
  }
  reading_leave(reading);
  type->has_entries = true;
  type->children = signature_add_types(reading->build, types, count);
  return true;
}

static bool read_map(Reading *reading, const json_t *object, ReadingPlace place,
                     SignatureType *type)
{
  static const char *const both[] = {"key", "element", NULL};
  static const char *const words[] = {"refused", "ignored", NULL};
  const bool said = json_object_get(object, "other_keys") != NULL;
  unsigned word = 0;
  if (said && !json_object_get(object, "entries"))
    return reading_complain(reading, "other_keys", "stands beside \"entries\"");
  if (!reading_take_word(reading, object, "other_keys", words, &word)) return false;
  if (said) type->others = (SignatureOthers)(SIGNATURE_OTHERS_REFUSED + word);
  if (json_object_get(object, "entries")) return read_entries(reading, object, place, type);
  if (!json_object_get(object, "key") != !json_object_get(object, "element"))
    return reading_complain(reading, "", "a map has both \"key\" and \"element\", or \"entries\"");
  return reading_length(reading, object, "length", type) &&
         read_single(reading, object, both, place, &type->children);
}

static bool read_array(Reading *reading, const json_t *object, ReadingPlace place,
                       SignatureType *type)
{
  static const char *const element[] = {"element", NULL};
  if (!reading_length(reading, object, "length", type)) return false;
  ++reading->arrays;
  const bool good = read_single(reading, object, element, place, &type->children);
  --reading->arrays;
  return good;
}

// The parameters of a callback are the names that its formulas may use.
bool reading_callback_formula(Reading *reading, const json_t *callback, const char *member,
                              const char *text)
{
  const json_t *parameters = json_object_get(callback, "parameters");
  ReadingName outer[READING_NAMES_MAX];
  const size_t outer_count = reading->name_count;
  memcpy(outer, reading->names, sizeof outer);
  reading->name_count = 0;
  for (size_t i = 0; i < json_array_size(parameters); ++i) {
    const json_t *name = json_object_get(json_array_get(parameters, i), "name");
    ReadingName *added = &reading->names[reading->name_count++];
    *added = (ReadingName){.kind = READING_PARAMETER, .size = -1};
    snprintf(added->name, sizeof added->name, "%s",
             json_is_string(name) ? json_string_value(name) : "");
  }
  bool good = reading_expression(reading, member, text, READING_ANYTHING);
  memcpy(reading->names, outer, sizeof outer);
  reading->name_count = outer_count;
  return good;
}

static bool read_does(Reading *reading, const json_t *object, SignatureType *type)
{
  const json_t *does = json_object_get(object, "does");
  if (!does) return true;
  if (!json_is_string(does)) return reading_complain(reading, "does", "expected a formula");
  if (!reading_callback_formula(reading, object, "does", json_string_value(does))) return false;
  type->does = reading_add_text(reading, json_string_value(does));
  return true;
}

static bool read_callback(Reading *reading, const json_t *object, SignatureType *type)
{
  static const char *const result[] = {"result", NULL};
  const unsigned arrays = reading->arrays;
  SignatureRange returned = {0, 0};
  reading->arrays = 0;
  if (json_object_get(object, "parameters") &&
      !reading_types(reading, object, "parameters", READING_PLACE_CALLBACK,
                     SIGNATURE_PARAMETERS_MAX, &type->children))
    return false;
  if (!read_single(reading, object, result, READING_PLACE_CALLBACK, &returned)) return false;
  reading->arrays = arrays;
  if (returned.count) type->returns = returned.first;
  return read_does(reading, object, type);
}

// What is within a parameter's type is of a parameter; within a result's, of a result.
static ReadingPlace within(ReadingPlace place)
{
  return place == READING_PLACE_PARAMETER || place == READING_PLACE_REST ? READING_PLACE_INSIDE
                                                                         : place;
}

bool reading_inside(Reading *reading, const json_t *object, ReadingPlace place, SignatureType *type)
{
  const ReadingPlace inside = within(place);
  switch (type->kind) {
    case KERNEL_ARRAY:
      return read_array(reading, object, inside, type);
    case KERNEL_MAP:
      return read_map(reading, object, inside, type);
    case KERNEL_FUNCTION:
      return read_callback(reading, object, type);
    case KERNEL_TUPLE:
      return reading_types(reading, object, "elements", inside, CHILDREN_MAX, &type->children);
    default:
      if (json_array_size(json_object_get(object, "any_of")) == 0)
        return reading_complain(reading, "any_of", "expected a non-empty array of types");
      return reading_types(reading, object, "any_of",
                           place == READING_PLACE_REST ? READING_PLACE_PARAMETER : place,
                           CHILDREN_MAX, &type->children);
  }
}
