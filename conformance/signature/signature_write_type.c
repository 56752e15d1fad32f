// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signature/signature_writing.h"

enum { SHAPE_TEXT_MAX = 1200 };

static const char *text_of(const Signature *of, SignatureText text)
{
  return signature_text(of, text);
}

bool writing_is_guess(const Signature *of)
{
  return of->tentative || of->origin != SIGNATURE_FROM_FILE;
}

void writing_text(json_t *object, const char *member, const Signature *of, SignatureText text)
{
  if (text_of(of, text)[0]) json_object_set_new(object, member, json_string(text_of(of, text)));
}

// A number where reading it gives this text again, as the reader words numbers.
json_t *writing_expression(const Signature *of, SignatureText text)
{
  const char *digits = text_of(of, text);
  char again[40];
  const char *plain = digits + (*digits == '-');
  if (*plain < '0' || *plain > '9') return json_string(digits);
  snprintf(again, sizeof again, "%lld", strtoll(digits, NULL, 10));
  if (strcmp(again, digits) == 0) return json_integer(strtoll(digits, NULL, 10));
  double real = strtod(digits, NULL);
  snprintf(again, sizeof again, "%.17g", real);
  if (isfinite(real) && strcmp(again, digits) == 0) return json_real(real);
  return json_string(digits);
}

// --- Values --------------------------------------------------------------------------------------

static json_t *write_map(const Signature *of, SignatureRange items)
{
  json_t *map = json_object();
  for (uint32_t i = 0; i + 1 < items.count; i += 2)
    json_object_set_new(map, text_of(of, signature_value(of, items.first + i)->text),
                        writing_value(of, items.first + i + 1));
  return map;
}

// JSON has no other numbers than finite ones.
static json_t *write_float(double number)
{
  if (isfinite(number)) return json_real(number);
  return json_string(isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
}

// Elements as lists within each other: from `*at` on those of dimension `depth`.
static json_t *write_elements(const Signature *of, SignatureRange shape, SignatureRange elements,
                              uint32_t depth, uint32_t *at)
{
  if (*at == elements.count && depth == shape.count) return json_null();
  if (depth == shape.count) return writing_value(of, elements.first + (*at)++);
  json_t *list = json_array();
  const int64_t count = signature_value(of, shape.first + depth)->integer;
  for (int64_t i = 0; i < count; ++i)
    json_array_append_new(list, write_elements(of, shape, elements, depth + 1, at));
  return list;
}

static json_t *write_tensor_value(const Signature *of, const SignatureValue *value)
{
  if (value->items.count != SIGNATURE_WRITTEN)
    return json_pack("{s:s}", "npy", text_of(of, value->text));
  const SignatureValue *parts = signature_value(of, value->items.first);
  const SignatureRange shape = parts[SIGNATURE_WRITTEN_SHAPE].items;
  const SignatureRange elements = parts[SIGNATURE_WRITTEN_ELEMENTS].items;
  json_t *object = json_object();
  uint32_t at = 0;
  if (kernel_role_is_read((KernelRole)value->integer))
    json_object_set_new(object, "elements", write_elements(of, shape, elements, 0, &at));
  else
    json_object_set_new(object, "shape", writing_values(of, shape));
  writing_text(object, "dtype", of, value->text);
  return object;
}

json_t *writing_value(const Signature *of, uint32_t index)
{
  const SignatureValue *value = signature_value(of, index);
  switch (value->kind) {
    case KERNEL_INT:
      return json_integer(value->integer);
    case KERNEL_BOOL:
      return json_boolean(value->integer);
    case KERNEL_FLOAT:
      return write_float(value->number);
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      return json_stringn(text_of(of, value->text), value->text_size);
    case KERNEL_TENSOR:
      return write_tensor_value(of, value);
    case KERNEL_OBJECT:
      return json_pack("{s:s}", "kept", text_of(of, value->text));
    case KERNEL_SHAPE:
    case KERNEL_ARRAY:
      return writing_values(of, value->items);
    case KERNEL_MAP:
      return write_map(of, value->items);
    case KERNEL_FUNCTION:
      return json_pack("{s:o}", "does", writing_values(of, value->items));
    default:
      return json_null();
  }
}

json_t *writing_values(const Signature *of, SignatureRange values)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < values.count; ++i)
    json_array_append_new(list, writing_value(of, values.first + i));
  return list;
}

json_t *writing_one_or_more(const Signature *of, SignatureRange values)
{
  return values.count == 1 ? writing_value(of, values.first) : writing_values(of, values);
}

// --- Tensors -------------------------------------------------------------------------------------

static json_t *write_shape(const Signature *of, SignatureRange shape)
{
  char text[SHAPE_TEXT_MAX] = "";
  size_t length = 0;
  for (uint32_t i = 0; i < shape.count && length < sizeof text; ++i) {
    const SignatureExtent *extent = signature_extent(of, shape.first + i);
    const char *word = text_of(of, extent->text), *space = i ? " " : "";
    const char *before[] = {
        [SIGNATURE_EXTENT_EXPRESSION] = "",  [SIGNATURE_EXTENT_ANY] = "_",
        [SIGNATURE_EXTENT_BROADCAST] = "#",  [SIGNATURE_EXTENT_EACH] = "?",
        [SIGNATURE_EXTENT_ANY_RANK] = "...", [SIGNATURE_EXTENT_NAMED_RANK] = "*"};
    if (extent->form == SIGNATURE_EXTENT_NUMBER)
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s%lld", space, word,
                                 *word ? "=" : "", (long long)extent->number);
    else
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s", space,
                                 before[extent->form], word);
  }
  return json_string(text);
}

static json_t *write_words(const Signature *of, SignatureRange words, SignatureText variable)
{
  if (variable) return json_string(text_of(of, variable));
  return writing_one_or_more(of, words);
}

static void write_tensor(const Signature *of, const SignatureType *type, bool result,
                         json_t *object)
{
  static const char *const roles[] = {"in", "out", "inout", "scratch"};
  static const char *const layouts[] = {"", "contiguous", "strided", "rows"};
  const bool guess = !type->has_shape && writing_is_guess(of) && !result;
  if (type->has_shape) {
    json_object_set_new(object, "dtype", write_words(of, type->dtypes, type->dtype_variable));
    json_object_set_new(object, "shape", write_shape(of, type->shape));
  }
  // A tensor of which nothing is known gets a type and a shape to be corrected.
  if (guess) json_object_set_new(object, "dtype", json_string("float32"));
  if (guess) json_object_set_new(object, "shape", json_string("n"));
  if (type->devices.count || type->device_variable)
    json_object_set_new(object, "device", write_words(of, type->devices, type->device_variable));
  if (!result) json_object_set_new(object, "role", json_string(roles[type->role]));
  if (type->alignment > 1) json_object_set_new(object, "alignment", json_integer(type->alignment));
  if (type->layout) json_object_set_new(object, "layout", json_string(layouts[type->layout]));
  if (type->aliases.count)
    json_object_set_new(object, "alias", writing_one_or_more(of, type->aliases));
}

// --- Types ---------------------------------------------------------------------------------------

static void write_spellings(const SignatureType *type, json_t *object)
{
  json_t *list = json_array();
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i)
    if (kernel_spellings[i].kind == type->kind && (kernel_spellings[i].bit & type->spellings))
      json_array_append_new(list, json_string(kernel_spellings[i].name));
  if (json_array_size(list)) json_object_set(object, "spellings", list);
  json_decref(list);
}

static json_t *write_children(const Signature *of, const SignatureType *type, bool result,
                              bool named)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < type->children.count; ++i)
    json_array_append_new(list,
                          writing_type(of, type->children.first + i, named ? (int)i : -1, result));
  return list;
}

static void write_map_type(const Signature *of, const SignatureType *type, bool result,
                           json_t *object)
{
  static const char *const others[] = {"", "refused", "ignored"};
  json_t *entries = json_object();
  for (uint32_t i = 0; type->has_entries && i < type->children.count; ++i) {
    const SignatureType *entry = signature_type(of, type->children.first + i);
    json_t *written = writing_type(of, type->children.first + i, -1, result);
    json_object_del(written, "name");
    json_object_set_new(entries, text_of(of, entry->name), written);
  }
  if (type->has_entries) json_object_set(object, "entries", entries);
  json_decref(entries);
  if (type->others) json_object_set_new(object, "other_keys", json_string(others[type->others]));
  if (type->has_entries || type->children.count != 2) return;
  json_object_set_new(object, "key", writing_type(of, type->children.first, -1, result));
  json_object_set_new(object, "element", writing_type(of, type->children.first + 1, -1, result));
}

static void write_length(const Signature *of, const SignatureType *type, const char *member,
                         json_t *object)
{
  if (type->lengths.count)
    json_object_set_new(object, member, writing_one_or_more(of, type->lengths));
  else if (!type->length_of_condition)
    writing_text(object, member, of, type->length);
}

static void write_inside(const Signature *of, const SignatureType *type, bool result,
                         json_t *object)
{
  switch (type->kind) {
    case KERNEL_ARRAY:
      if (type->children.count)
        json_object_set_new(object, "element", writing_type(of, type->children.first, -1, result));
      write_length(of, type, "length", object);
      break;
    case KERNEL_TUPLE:
      json_object_set_new(object, "elements", write_children(of, type, result, false));
      break;
    case KERNEL_MAP:
      write_map_type(of, type, result, object);
      write_length(of, type, "length", object);
      break;
    case KERNEL_VARIANT:
      json_object_set_new(object, "any_of", write_children(of, type, result, false));
      break;
    case KERNEL_FUNCTION:
      if (type->children.count)
        json_object_set_new(object, "parameters", write_children(of, type, true, true));
      if (type->returns != SIGNATURE_NONE)
        json_object_set_new(object, "result", writing_type(of, type->returns, -1, true));
      writing_text(object, "does", of, type->does);
      break;
    case KERNEL_SHAPE:
      if (type->has_shape) json_object_set_new(object, "extents", write_shape(of, type->shape));
      break;
    default:
      break;
  }
}

// What a guess begins with is 1.
static void write_example(const Signature *of, const SignatureType *type, bool result,
                          json_t *object)
{
  if (type->values.count)
    json_object_set_new(object, type->takes_others ? "examples" : "values",
                        writing_values(of, type->values));
  if (type->example != SIGNATURE_NONE)
    json_object_set_new(object, "value", writing_value(of, type->example));
  else if (writing_is_guess(of) && !result && !type->values.count &&
           (type->kind == KERNEL_INT || type->kind == KERNEL_FLOAT))
    json_object_set_new(object, "value", json_integer(1));
}

json_t *writing_type(const Signature *of, uint32_t index, int number, bool result)
{
  const SignatureType *type = signature_type(of, index);
  json_t *object = json_object();
  char name[16];
  snprintf(name, sizeof name, "p%d", number);
  if (text_of(of, type->name)[0])
    writing_text(object, "name", of, type->name);
  else if (number >= 0 && writing_is_guess(of))
    json_object_set_new(object, "name", json_string(name));
  // A variant of nothing, or of something unknown, says no more than "any".
  const bool empty = type->kind == KERNEL_VARIANT && !type->children.count;
  json_object_set_new(object, "kind",
                      json_string(kernel_kind_names[empty ? KERNEL_ANY : type->kind]));
  if (type->optional) json_object_set_new(object, "optional", json_true());
  if (type->retained) json_object_set_new(object, "retained", json_true());
  if (type->kind == KERNEL_OBJECT) writing_text(object, "type_key", of, type->type_key);
  if (!result) write_spellings(type, object);
  if (type->kind == KERNEL_TENSOR) write_tensor(of, type, result, object);
  if (!empty) write_inside(of, type, result, object);
  write_example(of, type, result, object);
  if (text_of(of, type->least)[0])
    json_object_set_new(object, "min", writing_expression(of, type->least));
  if (text_of(of, type->most)[0])
    json_object_set_new(object, "max", writing_expression(of, type->most));
  return object;
}
