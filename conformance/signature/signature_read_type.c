// SPDX-License-Identifier: Apache-2.0
// Types: of a parameter, a result, and what is within them.
#include <stdio.h>
#include <string.h>

#include "signature/signature_reading.h"
#include "signature/signature_words.h"

// Beside these, which every type may have.
#define EVERY "name", "kind", "optional", "retained", "text"
#define LIMITS "min", "max"
static const char *const known_members[KERNEL_KIND_COUNT][20] = {
    [KERNEL_ANY] = {EVERY},
    [KERNEL_NONE] = {EVERY},
    [KERNEL_POINTER] = {EVERY},
    [KERNEL_INT] = {EVERY, "value", "values", "examples", LIMITS},
    [KERNEL_BOOL] = {EVERY, "value", "values"},
    [KERNEL_FLOAT] = {EVERY, "value", "values", "examples", LIMITS},
    [KERNEL_DTYPE] = {EVERY, "value", "values"},
    [KERNEL_DEVICE] = {EVERY, "value", "values"},
    [KERNEL_STRING] = {EVERY, "value", "values", "examples", "spellings"},
    [KERNEL_BYTES] = {EVERY, "value", "values", "examples", "spellings"},
    [KERNEL_SHAPE] = {EVERY, "extents", "value", LIMITS},
    [KERNEL_TENSOR] = {EVERY, "dtype", "shape", "device", "role", "alignment", "layout", "alias",
                       "value", "values", LIMITS, "spellings"},
    [KERNEL_FUNCTION] = {EVERY, "parameters", "result", "does"},
    [KERNEL_OBJECT] = {EVERY, "type_key", "value"},
    [KERNEL_ARRAY] = {EVERY, "element", "length", "value"},
    [KERNEL_TUPLE] = {EVERY, "elements"},
    [KERNEL_MAP] = {EVERY, "entries", "other_keys", "key", "element", "length", "value"},
    [KERNEL_VARIANT] = {EVERY, "any_of"},
};

// --- Values --------------------------------------------------------------------------------------

// What an array or a map holds in the example.
static bool read_contents(Reading *reading, const json_t *object, const SignatureType *type,
                          SignatureValue *out)
{
  const json_t *value = json_object_get(object, "value");
  const bool array = type->kind == KERNEL_ARRAY;
  if (json_object_get(object, "entries"))
    return reading_complain(reading, "", "each of \"entries\" has a value of its own");
  if (json_object_get(object, "length"))
    return reading_complain(reading, "", "has a length of its own: leave \"length\" out");
  if (array ? !json_is_array(value) : !json_is_object(value))
    return reading_complain(reading, "", "expected an %s", array ? "array" : "object");
  if (type->children.count == 0)
    return reading_complain(reading, "", "say what its elements are, too");
  return reading_any_value(reading, value, out);
}

static bool read_example(Reading *reading, const json_t *object, SignatureType *type)
{
  SignatureValue example;
  const json_t *value = json_object_get(object, "value");
  type->takes_others = json_object_get(object, "examples") != NULL;
  const char *list = type->takes_others ? "examples" : "values";
  if (type->takes_others && json_object_get(object, "values"))
    return reading_complain(reading, "examples", "\"values\" says that no others are taken");
  const bool holds = type->kind == KERNEL_ARRAY || type->kind == KERNEL_MAP;
  // The elements of a tensor begin with it, and rise.
  const bool one_of = type->kind != KERNEL_TENSOR && !holds;
  if (!(one_of && type->takes_others
            ? reading_values_and_value(reading, object, list, type->kind, &type->values)
            : reading_values(reading, object, list, type->kind, &type->values)))
    return false;
  if (!value) return true;
  reading_enter(reading, "value");
  if (!(holds ? read_contents(reading, object, type, &example)
              : reading_value(reading, value, type->kind, &example)))
    return false;
  const json_t *values = json_object_get(object, "values");
  if (one_of && values && !reading_is_listed(value, values))
    return reading_complain(reading, "", "is not among \"values\"");
  reading_leave(reading);
  type->example = signature_add_values(reading->build, &example, 1).first;
  return true;
}

// A number, or an expression.
static bool read_limit(Reading *reading, const json_t *object, const char *member,
                       SignatureText *out)
{
  const json_t *limit = json_object_get(object, member);
  char text[64];
  if (!limit) return true;
  if (json_is_integer(limit))
    snprintf(text, sizeof text, "%lld", (long long)json_integer_value(limit));
  else if (json_is_real(limit))
    snprintf(text, sizeof text, "%.17g", json_real_value(limit));
  else if (!json_is_string(limit))
    return reading_complain(reading, member, "expected a number or an expression");
  else if (!reading_expression(reading, member, json_string_value(limit), READING_ANYTHING))
    return false;
  *out = reading_add_text(reading, json_is_string(limit) ? json_string_value(limit) : text);
  return true;
}

static unsigned spelling_bit(KernelKind kind, const char *name)
{
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i)
    if (kernel_spellings[i].kind == kind && strcmp(kernel_spellings[i].name, name) == 0)
      return kernel_spellings[i].bit;
  return 0;
}

unsigned reading_spellings(const json_t *parameter, KernelKind kind)
{
  const json_t *list = json_object_get(parameter, "spellings");
  unsigned bits = 0;
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *name = json_string_value(json_array_get(list, i));
    if (name) bits |= spelling_bit(kind, name);
  }
  return bits;
}

// The example has to be one that can be handed over: a small text is of 7 bytes at most.
static bool check_small(Reading *reading, const json_t *object, const SignatureType *type)
{
  return type->spellings != KERNEL_SPELLED_SMALL ||
         json_string_length(json_object_get(object, "value")) <= 7 ||
         reading_complain(reading, "value", "a small string has at most 7 bytes");
}

static bool read_spellings(Reading *reading, const json_t *object, SignatureType *type)
{
  const json_t *list = json_object_get(object, "spellings");
  if (!list) return true;
  if (!json_is_array(list) || json_array_size(list) == 0)
    return reading_complain(reading, "spellings", "expected a non-empty array of spellings");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *name = json_string_value(json_array_get(list, i));
    unsigned bit = name ? spelling_bit(type->kind, name) : 0;
    if (!bit)
      return reading_complain(reading, "spellings", "kind \"%s\" has no spelling \"%.40s\"",
                              kernel_kind_names[type->kind], name ? name : "");
    type->spellings |= bit;
  }
  return check_small(reading, object, type);
}

// --- Tensors -------------------------------------------------------------------------------------

// The name of a parameter that is a data type.
static bool is_dtype_parameter(const Reading *reading, const char *name)
{
  const json_t *list = json_object_get(reading->form, "parameters");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const json_t *type = json_array_get(list, i);
    const char *own = json_string_value(json_object_get(type, "name"));
    const char *kind = json_string_value(json_object_get(type, "kind"));
    if (own && kind && strcmp(own, name) == 0 && strcmp(kind, "dtype") == 0) return true;
  }
  return false;
}

// A word, a list of words, or the name of a variable, which is put into `variable`.
static bool read_words(Reading *reading, const json_t *object, const char *member, KernelKind kind,
                       const json_t *variables, SignatureText *variable, SignatureRange *out)
{
  const json_t *word = json_object_get(object, member);
  SignatureValue value;
  if (!word) return true;
  if (json_is_array(word)) return reading_values(reading, object, member, kind, out);
  if (json_is_string(word) && json_object_get(variables, json_string_value(word))) {
    *variable = reading_add_text(reading, json_string_value(word));
    return true;
  }
  if (kind == KERNEL_DTYPE && json_is_string(word) &&
      is_dtype_parameter(reading, json_string_value(word))) {
    *variable = reading_add_text(reading, json_string_value(word));
    return true;
  }
  reading_enter(reading, member);
  if (!reading_value(reading, word, kind, &value)) return false;
  reading_leave(reading);
  *out = signature_add_values(reading->build, &value, 1);
  return true;
}

static bool check_dtypes(Reading *reading, const json_t *object, const SignatureType *type)
{
  const json_t *dtype = json_object_get(object, "dtype");
  DLDataType unused;
  if (type->dtype_variable) return true;
  for (size_t i = 0; i < json_array_size(dtype); ++i)
    if (!signature_dtype(json_string_value(json_array_get(dtype, i)), &unused))
      return reading_complain(reading, "dtype", "expected data types such as \"float32\"");
  if (json_is_array(dtype)) return true;
  return (dtype && signature_dtype(json_string_value(dtype), &unused)) ||
         reading_complain(reading, "dtype", "expected a data type such as \"float32\"");
}

static uint32_t own_alignment(const json_t *type)
{
  const double number = json_number_value(json_object_get(type, "alignment"));
  const bool good = number >= 1 && number <= 4096 && number == (uint32_t)number &&
                    ((uint32_t)number & ((uint32_t)number - 1)) == 0;
  return good ? (uint32_t)number : 0;
}

uint32_t reading_alignment(const json_t *type)
{
  const json_t *alternatives = json_object_get(type, "any_of");
  uint32_t most = own_alignment(type);
  for (size_t i = 0; i < json_array_size(alternatives); ++i) {
    const uint32_t one = own_alignment(json_array_get(alternatives, i));
    if (one > most) most = one;
  }
  return most;
}

static bool read_alignment(Reading *reading, const json_t *object, SignatureType *type)
{
  type->alignment = own_alignment(object);
  return type->alignment || !json_object_get(object, "alignment") ||
         reading_complain(reading, "alignment", "expected a power of 2 up to 4096");
}

static bool read_tensor(Reading *reading, const json_t *object, bool in_result, SignatureType *type)
{
  static const char *const roles[] = {"in", "out", "inout", "scratch", NULL};
  static const char *const layouts[] = {"contiguous", "strided", "rows", NULL};
  const bool typed = json_object_get(object, "dtype") || json_object_get(object, "shape");
  unsigned role = KERNEL_IN, layout = 0;
  if (!reading_take_word(reading, object, "role", roles, &role) ||
      !reading_take_word(reading, object, "layout", layouts, &layout) ||
      !read_alignment(reading, object, type) ||
      !read_words(reading, object, "device", KERNEL_DEVICE, reading->devices,
                  &type->device_variable, &type->devices))
    return false;
  type->role = (KernelRole)role;
  if (json_object_get(object, "layout")) type->layout = (SignatureLayout)(layout + 1);
  // Without type and shape only the kind is known.
  if (!typed) return true;
  if (!read_words(reading, object, "dtype", KERNEL_DTYPE, reading->dtypes, &type->dtype_variable,
                  &type->dtypes) ||
      !check_dtypes(reading, object, type) ||
      !reading_shape(reading, json_object_get(object, "shape"), "shape", in_result, &type->shape))
    return false;
  type->has_shape = true;
  type->tensor_origin = SIGNATURE_FROM_FILE;
  return true;
}

// --- All kinds -----------------------------------------------------------------------------------

static bool read_by_kind(Reading *reading, const json_t *object, ReadingPlace place,
                         SignatureType *type)
{
  const bool bound = place == READING_PLACE_RESULT || place == READING_PLACE_CALLBACK;
  switch (type->kind) {
    case KERNEL_TENSOR:
      return read_tensor(reading, object, bound, type) &&
             reading_alias(reading, object, place, type);
    case KERNEL_SHAPE:
      type->has_shape = json_object_get(object, "extents") != NULL;
      return !type->has_shape || reading_shape(reading, json_object_get(object, "extents"),
                                               "extents", bound, &type->shape);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
    case KERNEL_VARIANT:
    case KERNEL_FUNCTION:
      return reading_inside(reading, object, place, type);
    default:
      return true;
  }
}

// An int that is listed in "sizes" has its first size as its example.
static void take_size(Reading *reading, const json_t *object, SignatureType *type)
{
  const char *name = json_string_value(json_object_get(object, "name"));
  const ReadingName *known = name ? reading_find_name(reading, name) : NULL;
  if (!known || known->kind != READING_INT || known->size < 0 || type->example != SIGNATURE_NONE ||
      type->values.count)
    return;
  const SignatureValue example = {.kind = KERNEL_INT, .integer = known->size};
  type->example = signature_add_values(reading->build, &example, 1).first;
}

static bool check_place(Reading *reading, const json_t *object, ReadingPlace place)
{
  const bool given = place == READING_PLACE_PARAMETER || place == READING_PLACE_REST;
  if (!given && json_object_get(object, "spellings"))
    return reading_complain(reading, "spellings", "only parameters have spellings");
  if (!given && json_object_get(object, "retained"))
    return reading_complain(reading, "retained", "only parameters are retained");
  // "in" is what `signatures` once wrote there.
  const char *role = json_string_value(json_object_get(object, "role"));
  if (place == READING_PLACE_RESULT && role && strcmp(role, "in") != 0)
    return reading_complain(reading, "role", "only parameters have roles");
  return true;
}

static bool check_type_members(Reading *reading, const json_t *object, const SignatureType *type,
                               ReadingPlace place)
{
  const char *known[21] = {0};
  memcpy(known, known_members[type->kind], sizeof known_members[type->kind]);
  size_t count = 0;
  while (known[count]) ++count;
  if (place == READING_PLACE_REST) known[count] = "counts";
  return reading_check_members(reading, object, known);
}

bool reading_type(Reading *reading, const json_t *object, ReadingPlace place, SignatureType *out)
{
  const char *names[KERNEL_KIND_COUNT + 1] = {0};
  unsigned kind = KERNEL_ANY;
  *out = (SignatureType){
      .origin = SIGNATURE_FROM_FILE, .example = SIGNATURE_NONE, .returns = SIGNATURE_NONE};
  memcpy(names, kernel_kind_names, sizeof kernel_kind_names);
  if (!json_is_object(object)) return reading_complain(reading, "", "expected an object");
  if (++reading->depth > SIGNATURE_DEPTH_MAX)
    return reading_complain(reading, "", "more than %d types within each other",
                            SIGNATURE_DEPTH_MAX);
  if (!reading_take_word(reading, object, "kind", names, &kind)) return false;
  out->kind = (KernelKind)kind;
  bool good =
      check_type_members(reading, object, out, place) && check_place(reading, object, place) &&
      reading_take_text(reading, object, "name", SIGNATURE_NAME_MAX, &out->name) &&
      reading_take_text(reading, object, "type_key", SIGNATURE_NAME_MAX, &out->type_key) &&
      reading_take_bool(reading, object, "optional", &out->optional) &&
      reading_take_bool(reading, object, "retained", &out->retained) &&
      read_by_kind(reading, object, place, out) && read_example(reading, object, out) &&
      read_limit(reading, object, "min", &out->least) &&
      read_limit(reading, object, "max", &out->most) && read_spellings(reading, object, out) &&
      (place != READING_PLACE_REST || reading_length(reading, object, "counts", out));
  if (good && place == READING_PLACE_PARAMETER) take_size(reading, object, out);
  --reading->depth;
  return good;
}
