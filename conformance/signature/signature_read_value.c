// SPDX-License-Identifier: Apache-2.0
// Values in a signature file: examples, what is taken, arguments of listed calls.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "signature/signature_reading.h"
#include "signature/signature_words.h"

enum { VALUES_MAX = 256 };

static SignatureValue text_value(Reading *reading, const json_t *json)
{
  const char *text = json_string_value(json);
  size_t size = json_string_length(json);
  return (SignatureValue){.kind = KERNEL_STRING,
                          .text = signature_add_text(reading->build, text, size),
                          .text_size = (uint32_t)size};
}

static bool text_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  if (!json_is_string(json)) return reading_complain(reading, "", "expected a string");
  if (json_string_length(json) >= SIGNATURE_STRING_MAX)
    return reading_complain(reading, "", "longer than %d bytes", SIGNATURE_STRING_MAX - 1);
  *out = text_value(reading, json);
  return true;
}

// One that the runtime can't read would look like a fault of the runtime, or of the module.
static bool dtype_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  DLDataType dtype;
  const char *text = json_is_string(json) ? json_string_value(json) : "?";
  if (*text && strcmp(text, "handle") != 0 && !signature_dtype(text, &dtype))
    return reading_complain(reading, "", "expected a data type such as \"float32\"");
  *out = text_value(reading, json);
  return true;
}

static bool device_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  DLDevice device;
  if (!json_is_string(json) || !signature_device(json_string_value(json), &device))
    return reading_complain(reading, "", "expected \"cpu\", \"cuda\", \"cuda:1\", ...");
  *out = text_value(reading, json);
  return true;
}

static bool number_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  if (!json_is_number(json)) return reading_complain(reading, "", "expected a number");
  *out = (SignatureValue){.kind = KERNEL_FLOAT, .number = json_number_value(json)};
  return true;
}

static bool int_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  if (!json_is_integer(json) && !json_is_boolean(json))
    return reading_complain(reading, "", "expected an integer");
  *out = (SignatureValue){
      .kind = KERNEL_INT,
      .integer = json_is_integer(json) ? json_integer_value(json) : json_is_true(json)};
  return true;
}

static bool bool_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  if (!int_of_value(reading, json, out)) return false;
  out->kind = KERNEL_BOOL;
  return out->integer == 0 || out->integer == 1 ||
         reading_complain(reading, "", "expected true or false");
}

static bool extents_of_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  if (!json_is_array(json) || json_array_size(json) > SIGNATURE_RANK_MAX)
    return reading_complain(reading, "", "expected an array of up to %d integers",
                            SIGNATURE_RANK_MAX);
  for (size_t i = 0; i < json_array_size(json); ++i)
    if (!json_is_integer(json_array_get(json, i)))
      return reading_complain(reading, "", "expected an array of integers");
  return reading_any_value(reading, json, out);
}

bool reading_value(Reading *reading, const json_t *json, KernelKind kind, SignatureValue *out)
{
  switch (kind) {
    case KERNEL_INT:
      return int_of_value(reading, json, out);
    case KERNEL_BOOL:
      return bool_of_value(reading, json, out);
    case KERNEL_FLOAT:
    case KERNEL_TENSOR:
      return number_of_value(reading, json, out);
    case KERNEL_DTYPE:
      return dtype_of_value(reading, json, out);
    case KERNEL_DEVICE:
      return device_of_value(reading, json, out);
    case KERNEL_SHAPE:
      return extents_of_value(reading, json, out);
    case KERNEL_OBJECT:
      return reading_kept(reading, json, json_object_get(reading->form, "needs"), out);
    default:
      return text_of_value(reading, json, out);
  }
}

static bool read_values(Reading *reading, const json_t *object, const char *member, KernelKind kind,
                        SignatureValue values[VALUES_MAX])
{
  const json_t *list = json_object_get(object, member);
  size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0)
    return reading_complain(reading, member, "expected a non-empty array of values");
  if (count > VALUES_MAX)
    return reading_complain(reading, member, "more than %d values", VALUES_MAX);
  reading_enter(reading, member);
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    for (size_t k = 0; k < i; ++k)
      if (json_equal(json_array_get(list, i), json_array_get(list, k)))
        return reading_complain(reading, "", "is listed twice");
    if (!reading_value(reading, json_array_get(list, i), kind, &values[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  return true;
}

bool reading_values(Reading *reading, const json_t *object, const char *member, KernelKind kind,
                    SignatureRange *out)
{
  SignatureValue values[VALUES_MAX];
  const json_t *list = json_object_get(object, member);
  if (!list) return true;
  if (!read_values(reading, object, member, kind, values)) return false;
  *out = signature_add_values(reading->build, values, json_array_size(list));
  return true;
}

bool reading_is_listed(const json_t *value, const json_t *list)
{
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t *listed = json_array_get(list, i);
    const bool integers = json_is_integer(value) && json_is_integer(listed);
    const bool numbers = !integers && json_is_number(value) && json_is_number(listed);
    if (numbers ? json_number_value(value) == json_number_value(listed) : json_equal(value, listed))
      return true;
  }
  return false;
}

bool reading_values_and_value(Reading *reading, const json_t *object, const char *member,
                              KernelKind kind, SignatureRange *out)
{
  SignatureValue values[VALUES_MAX];
  const json_t *list = json_object_get(object, member), *value = json_object_get(object, "value");
  size_t count = json_array_size(list);
  if (!list || !value || reading_is_listed(value, list))
    return reading_values(reading, object, member, kind, out);
  if (!read_values(reading, object, member, kind, values)) return false;
  if (count == VALUES_MAX)
    return reading_complain(reading, member, "more than %d values", VALUES_MAX);
  reading_enter(reading, "value");
  if (!reading_value(reading, value, kind, &values[count++])) return false;
  reading_leave(reading);
  *out = signature_add_values(reading->build, values, count);
  return true;
}

// --- Of any kind ---------------------------------------------------------------------------------

static bool is_kind(const json_t *type, KernelKind kind)
{
  const char *own = json_string_value(json_object_get(type, "kind"));
  return own && strcmp(own, kernel_kind_names[kind]) == 0;
}

// Whether it is written as a tensor, of whichever type.
static bool is_written_tensor(const json_t *json)
{
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)json, key, value)
  {
    if (strcmp(key, "elements") != 0 && strcmp(key, "shape") != 0 && strcmp(key, "dtype") != 0)
      return reading_is_tensor(json);
  }
  return json_object_get(json, "elements") || json_object_get(json, "shape");
}

static bool fits_within(const json_t *type, const json_t *json, int depth)
{
  const json_t *item;
  const char *key;
  size_t i;
  if (!type || is_kind(type, KERNEL_ANY) || depth == SIGNATURE_DEPTH_MAX) return true;
  if (json_is_null(json)) return json_is_true(json_object_get(type, "optional"));
  if (is_kind(type, KERNEL_VARIANT)) {
    json_array_foreach(json_object_get(type, "any_of"), i,
                       item) if (fits_within(item, json, depth + 1)) return true;
    return false;
  }
  if (is_kind(type, KERNEL_INT)) return json_is_integer(json);
  if (is_kind(type, KERNEL_FLOAT))
    return json_is_number(json) ||
           (json_is_string(json) && reading_is_special(json_string_value(json), &(double){0}));
  if (is_kind(type, KERNEL_BOOL)) return json_is_boolean(json);
  if (is_kind(type, KERNEL_STRING) || is_kind(type, KERNEL_BYTES) || is_kind(type, KERNEL_DTYPE) ||
      is_kind(type, KERNEL_DEVICE))
    return json_is_string(json);
  if (is_kind(type, KERNEL_TENSOR)) return json_is_object(json) && is_written_tensor(json);
  if (is_kind(type, KERNEL_ARRAY) || is_kind(type, KERNEL_TUPLE)) {
    json_array_foreach(json, i, item) if (!fits_within(reading_type_of_item(type, i), item,
                                                       depth + 1)) return false;
    return json_is_array(json);
  }
  if (is_kind(type, KERNEL_MAP)) {
    json_object_foreach(
        (json_t *)(uintptr_t)json, key,
        item) if (!fits_within(reading_type_of_entry(type, key), item, depth + 1)) return false;
    return json_is_object(json);
  }
  return is_kind(type, KERNEL_SHAPE) && json_is_array(json);
}

bool reading_fits(const json_t *type, const json_t *json)
{
  return fits_within(type, json, 0);
}

// As far as the kind of the whole tells.
static bool may_be(const json_t *type, const json_t *json)
{
  return json_is_array(json)       ? is_kind(type, KERNEL_ARRAY) || is_kind(type, KERNEL_TUPLE)
         : is_written_tensor(json) ? is_kind(type, KERNEL_TENSOR)
                                   : is_kind(type, KERNEL_MAP);
}

const json_t *reading_chosen_type(const json_t *type, const json_t *json)
{
  const json_t *alternatives = json_object_get(type, "any_of"), *one;
  size_t i;
  if (!is_kind(type, KERNEL_VARIANT)) return type;
  json_array_foreach(alternatives, i,
                     one) if (may_be(one, json) && reading_fits(one, json)) return one;
  json_array_foreach(alternatives, i, one) if (may_be(one, json)) return one;
  return NULL;
}

const json_t *reading_type_of_item(const json_t *type, size_t i)
{
  const json_t *types = json_object_get(type, "elements");
  return types ? json_array_get(types, i) : json_object_get(type, "element");
}

const json_t *reading_type_of_entry(const json_t *type, const char *key)
{
  const json_t *entries = json_object_get(type, "entries");
  return entries ? json_object_get(entries, key) : json_object_get(type, "element");
}

const json_t *reading_parameter(const json_t *form, const char *name)
{
  const json_t *list = json_object_get(form, "parameters");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *own = json_string_value(json_object_get(json_array_get(list, i), "name"));
    if (own && strcmp(own, name) == 0) return json_array_get(list, i);
  }
  return NULL;
}

const json_t *reading_type_at(const json_t *form, const char *place)
{
  const json_t *rest = json_object_get(form, "rest");
  const char *of_rest = json_string_value(json_object_get(rest, "name"));
  char name[SIGNATURE_NAME_MAX];
  size_t length = strcspn(place, "[.");
  snprintf(name, sizeof name, "%.*s", (int)length, place);
  const json_t *type = reading_parameter(form, name);
  const char *at = place + length;
  // An element of what is behind the parameters has the type that is stated there.
  if (!type && of_rest && strcmp(of_rest, name) == 0 && *at == '[') {
    type = rest;
    at += strcspn(at, "]") + 1;
  }
  while (type && *at) {
    length = strcspn(at + 1, "[.]");
    snprintf(name, sizeof name, "%.*s", (int)length, at + 1);
    type = *at == '[' ? reading_type_of_item(type, strtoul(name, NULL, 10))
                      : reading_type_of_entry(type, name);
    at += 1 + length;
    at += *at == ']';
  }
  return type;
}

json_t *reading_type_of_rest(const json_t *form, const char *name)
{
  json_t *rest = json_object_get(form, "rest");
  const char *own = json_string_value(json_object_get(rest, "name"));
  if (!own || strcmp(own, name) != 0 || reading_parameter(form, name)) return NULL;
  return json_pack("{s:s, s:O}", "kind", kernel_kind_names[KERNEL_ARRAY], "element", rest);
}

static bool list_value(Reading *reading, const json_t *json, const json_t *type,
                       SignatureValue *out)
{
  SignatureValue items[VALUES_MAX];
  size_t count = json_array_size(json);
  if (count > VALUES_MAX) return reading_complain(reading, "", "more than %d values", VALUES_MAX);
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!reading_value_within(reading, json_array_get(json, i), reading_type_of_item(type, i),
                              &items[i]))
      return false;
    reading_leave(reading);
  }
  *out = (SignatureValue){.kind = KERNEL_ARRAY,
                          .items = signature_add_values(reading->build, items, count)};
  return true;
}

bool reading_key(Reading *reading, const char *key)
{
  return strlen(key) < SIGNATURE_STRING_MAX ||
         reading_complain(reading, "", "a key is longer than %d bytes", SIGNATURE_STRING_MAX - 1);
}

static bool map_value(Reading *reading, const json_t *json, const json_t *type, SignatureValue *out)
{
  SignatureValue items[VALUES_MAX];
  const char *key;
  json_t *value;
  size_t count = 0;
  if (2 * json_object_size(json) > VALUES_MAX)
    return reading_complain(reading, "", "more than %d entries", VALUES_MAX / 2);
  json_object_foreach((json_t *)(uintptr_t)json, key, value)
  {
    if (!reading_key(reading, key)) return false;
    items[count++] = (SignatureValue){.kind = KERNEL_STRING,
                                      .text = reading_add_text(reading, key),
                                      .text_size = (uint32_t)strlen(key)};
    reading_enter(reading, key);
    if (!reading_value_within(reading, value, reading_type_of_entry(type, key), &items[count++]))
      return false;
    reading_leave(reading);
  }
  *out = (SignatureValue){.kind = KERNEL_MAP,
                          .items = signature_add_values(reading->build, items, count)};
  return true;
}

static bool holding_value(Reading *reading, const json_t *json, const json_t *type,
                          SignatureValue *out)
{
  if (++reading->depth >= SIGNATURE_DEPTH_MAX)
    return reading_complain(reading, "", "more than %d values within each other",
                            SIGNATURE_DEPTH_MAX);
  bool good = json_is_array(json) ? list_value(reading, json, type, out)
                                  : map_value(reading, json, type, out);
  --reading->depth;
  return good;
}

// Whether the text may be this one: any, or one of those that are listed.
static bool may_be_text(const json_t *type, const json_t *text)
{
  const json_t *values = json_object_get(type, "values");
  if (!is_kind(type, KERNEL_STRING) && !is_kind(type, KERNEL_BYTES)) return false;
  return !values || reading_is_listed(text, values);
}

// Whether a word may stand for a float, and for no text, where this is expected.
static bool is_for_float(const json_t *type, const json_t *word)
{
  const json_t *alternatives = json_object_get(type, "any_of");
  bool is_float = is_kind(type, KERNEL_FLOAT);
  for (size_t i = 0; i < json_array_size(alternatives); ++i) {
    const json_t *one = json_array_get(alternatives, i);
    if (may_be_text(one, word) || is_kind(one, KERNEL_ANY)) return false;
    is_float |= is_kind(one, KERNEL_FLOAT);
  }
  return is_float;
}

bool reading_value_within(Reading *reading, const json_t *json, const json_t *type,
                          SignatureValue *out)
{
  *out = (SignatureValue){.kind = KERNEL_NONE};
  switch (json_typeof(json)) {
    case JSON_NULL:
      return true;
    case JSON_TRUE:
    case JSON_FALSE:
      return bool_of_value(reading, json, out);
    case JSON_INTEGER:
      return int_of_value(reading, json, out);
    case JSON_REAL:
      return number_of_value(reading, json, out);
    case JSON_STRING:
      if (is_for_float(type, json) && reading_is_special(json_string_value(json), &out->number)) {
        out->kind = KERNEL_FLOAT;
        return true;
      }
      return text_of_value(reading, json, out);
    default:
      break;
  }
  const json_t *callback = reading_callback_of(type);
  const KernelKind kind = is_kind(type, KERNEL_FUNCTION) ? KERNEL_FUNCTION : KERNEL_ANY;
  if (reading_is_turns(json, kind, callback)) return reading_turns(reading, json, callback, out);
  type = reading_chosen_type(type, json);
  if (is_kind(type, KERNEL_TENSOR) && is_written_tensor(json))
    return reading_tensor_argument(reading, json, type, out);
  return reading_is_tensor(json) ? reading_tensor(reading, json, out)
                                 : holding_value(reading, json, type, out);
}

bool reading_any_value(Reading *reading, const json_t *json, SignatureValue *out)
{
  return reading_value_within(reading, json, NULL, out);
}

// --- Files ---------------------------------------------------------------------------------------

// Relative to the folder of the signature file.
bool reading_npy(Reading *reading, const json_t *object, SignatureText *out)
{
  static const char *const known[] = {"npy", NULL};
  const json_t *name = json_object_get(object, "npy");
  char path[PATH_MAX], *resolved = NULL;
  if (!reading_check_members(reading, object, known)) return false;
  if (!json_is_string(name) || json_string_length(name) == 0)
    return reading_complain(reading, "npy", "expected the name of a file");
  const char *slash = strrchr(reading->path, '/'), *file = json_string_value(name);
  int folder = slash && *file != '/' ? (int)(slash + 1 - reading->path) : 0;
  if (snprintf(path, sizeof path, "%.*s%s", folder, reading->path, file) < (int)sizeof path &&
      access(path, R_OK) == 0)
    resolved = realpath(path, NULL);
  if (!resolved) return reading_complain(reading, "npy", "%.200s can't be read", path);
  *out = reading_add_text(reading, resolved);
  free(resolved);
  return true;
}
