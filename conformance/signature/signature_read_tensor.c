// SPDX-License-Identifier: Apache-2.0
// Tensors as arguments: {"npy": FILE}, {"elements": [[1, 2], [3, 4]]}, {"shape": [2, 3]} of an output.
#include <math.h>
#include <string.h>

#include "signature/signature_reading.h"
#include "signature/signature_words.h"

enum { ELEMENTS_MAX = 256 };

// What is known of a written tensor so far.
typedef struct Written {
  int64_t shape[SIGNATURE_RANK_MAX];
  size_t rank;
  SignatureValue elements[ELEMENTS_MAX];
  size_t count;
} Written;

bool reading_is_special(const char *word, double *out)
{
  *out = strcmp(word, "nan") == 0 ? NAN : strcmp(word, "-inf") == 0 ? -INFINITY : INFINITY;
  return strcmp(word, "nan") == 0 || strcmp(word, "inf") == 0 || strcmp(word, "-inf") == 0;
}

bool reading_float(Reading *reading, const json_t *json, SignatureValue *out)
{
  *out = (SignatureValue){.kind = KERNEL_FLOAT};
  if (!json_is_string(json)) return reading_value(reading, json, KERNEL_FLOAT, out);
  return reading_is_special(json_string_value(json), &out->number) ||
         reading_complain(reading, "", "expected a number, \"nan\", \"inf\" or \"-inf\"");
}

static bool complain_of_element(Reading *reading)
{
  return reading_complain(reading, "",
                          "expected a number, true, false, \"nan\", \"inf\" or \"-inf\"");
}

static bool read_element(Reading *reading, const json_t *json, SignatureValue *out)
{
  const char *word = json_string_value(json);
  if (json_is_integer(json) || json_is_boolean(json))
    return reading_value(reading, json, KERNEL_INT, out);
  if (json_is_real(json)) return reading_value(reading, json, KERNEL_FLOAT, out);
  if (!word) return complain_of_element(reading);
  *out = (SignatureValue){.kind = KERNEL_FLOAT};
  return reading_is_special(word, &out->number) || complain_of_element(reading);
}

// Lists within each other are dimensions: those of one depth have one length.
static bool read_elements(Reading *reading, const json_t *json, size_t depth, Written *out)
{
  const size_t count = json_array_size(json);
  if (!json_is_array(json)) {
    if (depth != out->rank)
      return reading_complain(reading, "", "expected %lld numbers in a list",
                              (long long)out->shape[depth]);
    if (out->count == ELEMENTS_MAX)
      return reading_complain(reading, "", "more than %d elements: put them into a .npy file",
                              ELEMENTS_MAX);
    return read_element(reading, json, &out->elements[out->count++]);
  }
  for (size_t i = 0; i < count; ++i) {
    const json_t *item = json_array_get(json, i);
    const bool list = json_is_array(item);
    reading_enter_item(reading, i);
    if (list && depth + 1 >= out->rank)
      return reading_complain(reading, "", "expected a number, as before");
    if (list && json_array_size(item) != (size_t)out->shape[depth + 1])
      return reading_complain(reading, "", "expected %lld elements, as before",
                              (long long)out->shape[depth + 1]);
    if (!list && depth + 1 != out->rank)
      return reading_complain(reading, "", "expected a list, as before");
    if (!read_elements(reading, item, depth + 1, out)) return false;
    reading_leave(reading);
  }
  return true;
}

// The lengths of the lists, as the first of each depth has them.
static bool read_depths(Reading *reading, const json_t *elements, Written *out)
{
  for (const json_t *list = elements; json_is_array(list); list = json_array_get(list, 0)) {
    if (out->rank == SIGNATURE_RANK_MAX)
      return reading_complain(reading, "", "more than %d dimensions", SIGNATURE_RANK_MAX);
    out->shape[out->rank++] = (int64_t)json_array_size(list);
    if (json_array_size(list) == 0) break;
  }
  return true;
}

static bool read_extents(Reading *reading, const json_t *shape, Written *out)
{
  int64_t all = 1;
  if (!json_is_array(shape) || json_array_size(shape) > SIGNATURE_RANK_MAX)
    return reading_complain(reading, "", "expected an array of up to %d integers",
                            SIGNATURE_RANK_MAX);
  out->rank = json_array_size(shape);
  for (size_t i = 0; i < out->rank; ++i) {
    const json_t *extent = json_array_get(shape, i);
    const int64_t size = json_is_integer(extent) ? json_integer_value(extent) : -1;
    if (size < 0 || size > SIGNATURE_WRITTEN_EXTENT_MAX ||
        (size > 0 && all > SIGNATURE_WRITTEN_EXTENT_MAX / size))
      return reading_complain(reading, "", "expected integers, 0 or more, of up to %d elements",
                              SIGNATURE_WRITTEN_EXTENT_MAX);
    out->shape[i] = size;
    all *= size;
  }
  return true;
}

static SignatureValue array_of(Reading *reading, const SignatureValue *items, size_t count)
{
  return (SignatureValue){.kind = KERNEL_ARRAY,
                          .items = signature_add_values(reading->build, items, count)};
}

static bool read_written(Reading *reading, const json_t *object, Written *written,
                         SignatureValue *out)
{
  const json_t *elements = json_object_get(object, "elements");
  SignatureValue parts[SIGNATURE_WRITTEN], extents[SIGNATURE_RANK_MAX];
  reading_enter(reading, elements ? "elements" : "shape");
  if (!(elements ? read_depths(reading, elements, written) &&
                       read_elements(reading, elements, 0, written)
                 : read_extents(reading, json_object_get(object, "shape"), written)))
    return false;
  reading_leave(reading);
  for (size_t i = 0; i < written->rank; ++i)
    extents[i] = (SignatureValue){.kind = KERNEL_INT, .integer = written->shape[i]};
  parts[SIGNATURE_WRITTEN_SHAPE] = array_of(reading, extents, written->rank);
  parts[SIGNATURE_WRITTEN_ELEMENTS] = array_of(reading, written->elements, written->count);
  out->items = signature_add_values(reading->build, parts, SIGNATURE_WRITTEN);
  return true;
}

bool reading_tensor(Reading *reading, const json_t *object, SignatureValue *out)
{
  static const char *const known[] = {"elements", "shape", "dtype", NULL};
  const json_t *elements = json_object_get(object, "elements");
  const json_t *dtype = json_object_get(object, "dtype");
  DLDataType unused;
  Written written = {.rank = 0};
  *out = (SignatureValue){.kind = KERNEL_TENSOR, .integer = elements ? KERNEL_IN : KERNEL_OUT};
  if (!json_is_object(object) ||
      (!json_object_get(object, "npy") && !elements && !json_object_get(object, "shape")))
    return reading_complain(reading, "",
                            "a tensor is {\"npy\": FILE}, {\"elements\": [1, 2]}, or "
                            "{\"shape\": [2]} of an output");
  if (json_object_get(object, "npy")) {
    out->integer = KERNEL_IN;
    return reading_npy(reading, object, &out->text);
  }
  if (!reading_check_members(reading, object, known)) return false;
  if (elements && json_object_get(object, "shape"))
    return reading_complain(reading, "shape", "is what \"elements\" has: leave it out");
  if (dtype && (!json_is_string(dtype) || !signature_dtype(json_string_value(dtype), &unused)))
    return reading_complain(reading, "dtype", "expected a data type such as \"float32\"");
  if (dtype) out->text = reading_add_text(reading, json_string_value(dtype));
  if (dtype) out->text_size = (uint32_t)json_string_length(dtype);
  return read_written(reading, object, &written, out);
}

// What an output holds before a call means nothing.
static bool check_role(Reading *reading, const json_t *object, KernelRole role)
{
  const bool given = json_object_get(object, "shape") == NULL;
  if (given == kernel_role_is_read(role)) return true;
  return given ? reading_complain(reading, "",
                                  "is an output: give its \"shape\", as in {\"shape\": [2]}")
               : reading_complain(reading, "shape", "is an input: give its \"elements\"");
}

bool reading_tensor_argument(Reading *reading, const json_t *object, const json_t *parameter,
                             SignatureValue *out)
{
  static const char *const roles[] = {"in", "out", "inout", "scratch"};
  const char *role = json_string_value(json_object_get(parameter, "role"));
  if (!reading_tensor(reading, object, out)) return false;
  for (unsigned i = 0; role && i < sizeof roles / sizeof *roles; ++i)
    if (strcmp(role, roles[i]) == 0) out->integer = i;
  if (!role) out->integer = KERNEL_IN;
  out->alignment = reading_alignment(parameter);
  return json_object_get(object, "npy") || check_role(reading, object, (KernelRole)out->integer);
}

bool reading_is_tensor(const json_t *json)
{
  return json_object_get(json, "npy") ||
         (json_object_get(json, "dtype") &&
          (json_object_get(json, "elements") || json_object_get(json, "shape")) &&
          json_object_size(json) == 2);
}
