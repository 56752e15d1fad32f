// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_metadata.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static bool complain(char *error, size_t error_size,
                                                           const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, error_size, format, arguments);
  va_end(arguments);
  for (char *c = error; *c; ++c)
    if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e) *c = '?';
  return false;
}

// Names of types as generators write them. Others are anything.
static const struct {
  const char *name;
  KernelKind kind;
  unsigned spellings;  // where those that C++ converts are not all, or all and nothing else
} types[] = {
    {"None", KERNEL_NONE, 0},
    {"int", KERNEL_INT, 0},
    {"bool", KERNEL_BOOL, 0},
    {"float", KERNEL_FLOAT, 0},
    {"void*", KERNEL_POINTER, 0},
    {"DataType", KERNEL_DTYPE, 0},
    {"dtype", KERNEL_DTYPE, 0},
    {"Device", KERNEL_DEVICE, 0},
    {"DLTensor*", KERNEL_TENSOR, 0},
    {"ffi.Tensor", KERNEL_TENSOR, KERNEL_SPELLED_OBJECT},
    {"ffi.String", KERNEL_STRING, KERNEL_SPELLED_AS_STRING},
    {"const char*", KERNEL_STRING, KERNEL_SPELLED_RAW},
    {"str", KERNEL_STRING, 0},
    {"std::string", KERNEL_STRING, 0},
    {"ffi.Bytes", KERNEL_BYTES, 0},
    {"bytes", KERNEL_BYTES, 0},
    {"TVMFFIByteArray*", KERNEL_BYTES, KERNEL_SPELLED_BYTE_ARRAY},
    {"ffi.Shape", KERNEL_SHAPE, 0},
    {"ffi.Function", KERNEL_FUNCTION, 0},
    {"Any", KERNEL_ANY, 0},
};

// The text of a member, NULL if it has none. One that holds a NUL is nothing that anybody knows.
static const char *text_of(const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  const char *text = json_string_value(value);
  return text && strlen(text) != json_string_length(value) ? "" : text;
}

static void read_type(const json_t *schema, KernelParameter *parameter)
{
  const char *name = text_of(schema, "type");
  const json_t *args = json_object_get(schema, "args");
  *parameter = (KernelParameter){.alignment = 1, .integer = 1, .number = 1};
  if (!name) return;
  if (strcmp(name, "Optional") == 0 && json_array_size(args) == 1) {
    const char *inner = text_of(json_array_get(args, 0), "type");
    // One level: an optional within an optional is one.
    if (inner && strcmp(inner, "Optional") != 0) read_type(json_array_get(args, 0), parameter);
    parameter->optional = true;
    return;
  }
  for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
    if (strcmp(types[i].name, name) == 0) {
      parameter->kind = types[i].kind;
      parameter->spellings = types[i].spellings;
      return;
    }
  if (strncmp(name, "ffi.", 4) == 0 || strchr(name, '.')) {
    parameter->kind = KERNEL_OBJECT;
    snprintf(parameter->type_key, sizeof parameter->type_key, "%.47s", name);
  }
}

// What a function returns and takes. Up to 0.1.14 generators write one list that begins with the
// result, "args"; since 0.1.15 "named_args" with two lists, "return" and "params".
static bool find_lists(const json_t *schema, const json_t **result, const json_t **parameters,
                       size_t *first)
{
  const json_t *named = json_object_get(schema, "named_args");
  const json_t *args = json_object_get(schema, "args");
  *first = named ? 0 : 1;
  *result = json_array_get(named ? json_object_get(named, "return") : args, 0);
  *parameters = named ? json_object_get(named, "params") : args;
  return *result && json_is_array(*parameters);
}

static bool read_schema(const json_t *schema, Kernel *kernel, char *error, size_t error_size)
{
  const char *type = text_of(schema, "type");
  const json_t *result, *parameters;
  size_t first;
  if (!type || strcmp(type, "ffi.Function") != 0)
    return complain(error, error_size, "type_schema has type \"%.40s\", not \"ffi.Function\"",
                    type ? type : "");
  if (!find_lists(schema, &result, &parameters, &first))
    return complain(error, error_size,
                    "type_schema lacks the types of the result and the parameters");
  if (json_array_size(parameters) - first > KERNEL_PARAMETERS_MAX)
    return complain(error, error_size, "more than %d parameters", KERNEL_PARAMETERS_MAX);
  kernel->source = KERNEL_FROM_METADATA;
  kernel->parameter_count = (uint32_t)(json_array_size(parameters) - first);
  kernel->expected_of = kernel->parameter_count;
  read_type(result, &kernel->result);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    read_type(json_array_get(parameters, i + first), &kernel->parameters[i]);
  return true;
}

// The value, or NULL with what is wrong. What the library can't hold, a number that no double
// holds or a NUL in the name of a member, is JSON all the same.
static json_t *parse(const char *what, const char *text, size_t size, char *error,
                     size_t error_size)
{
  json_error_t mistake;
  json_t *value = json_loadb(text, size, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &mistake);
  if (value) return value;
  enum json_error_code code = json_error_code(&mistake);
  bool is_json = code == json_error_numeric_overflow || code == json_error_null_byte_in_key;
  complain(error, error_size, "%s is %s: line %d: %s", what,
           is_json ? "JSON that is not supported" : "not JSON", mistake.line, mistake.text);
  return NULL;
}

bool signature_metadata_read(const char *text, size_t size, Kernel *kernel, char *error,
                             size_t error_size)
{
  error[0] = '\0';
  if (size == 0) return false;
  json_t *outer = parse("metadata", text, size, error, error_size), *inner = NULL;
  bool good = false;
  if (!outer) return false;
  const json_t *schema = json_object_get(outer, "type_schema");
  if (!json_is_object(outer)) {
    complain(error, error_size, "not a JSON object");
  } else if (schema && !json_is_string(schema)) {
    complain(error, error_size, "type_schema is not a string");
  } else if (schema) {
    inner = parse("type_schema", json_string_value(schema), json_string_length(schema), error,
                  error_size);
    good = inner && read_schema(inner, kernel, error, error_size);
  }
  json_decref(inner);
  json_decref(outer);
  return good;
}
