// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_metadata.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_kinds.h"
#include "signature/signature_build.h"
#include "signature/type_name.h"

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

// The text of a member, NULL if it has none. One that holds a NUL is nothing that anybody knows.
static const char *text_of(const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  const char *text = json_string_value(value);
  return text && strlen(text) != json_string_length(value) ? "" : text;
}

// A type with what is within it, as deep as SIGNATURE_DEPTH_MAX lets it.
static SignatureType read_type(SignatureBuild *build, const json_t *schema, unsigned depth)
{
  SignatureType types[TYPE_NAME_ARGUMENTS_MAX];
  const char *name = text_of(schema, "type");
  const json_t *args = json_object_get(schema, "args");
  const json_t *named = json_object_get(schema, "named_args");
  const json_t *result = json_array_get(json_object_get(named, "return"), 0);
  size_t count = 0;
  if (!name) return type_name_blank(SIGNATURE_FROM_METADATA);
  if (result) args = json_object_get(named, "params");
  bool fits = json_array_size(args) + (result != NULL) <= TYPE_NAME_ARGUMENTS_MAX;
  if (depth + 1 < SIGNATURE_DEPTH_MAX && fits) {
    if (result) types[count++] = read_type(build, result, depth + 1);
    for (size_t i = 0; i < json_array_size(args); ++i)
      types[count++] = read_type(build, json_array_get(args, i), depth + 1);
  }
  return type_name_make(build, SIGNATURE_FROM_METADATA, name, strlen(name), types, count);
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

static Signature *read_schema(const json_t *schema, char *error, size_t error_size)
{
  const char *type = text_of(schema, "type");
  const json_t *result, *parameters;
  SignatureType types[KERNEL_PARAMETERS_MAX];
  size_t first, count = 0;
  if (!type || strcmp(type, "ffi.Function") != 0) {
    complain(error, error_size, "type_schema has type \"%.40s\", not \"ffi.Function\"",
             type ? type : "");
    return NULL;
  }
  if (!find_lists(schema, &result, &parameters, &first)) {
    complain(error, error_size, "type_schema lacks the types of the result and the parameters");
    return NULL;
  }
  if (json_array_size(parameters) - first > KERNEL_PARAMETERS_MAX) {
    complain(error, error_size, "more than %d parameters", KERNEL_PARAMETERS_MAX);
    return NULL;
  }
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_METADATA, false);
  if (!build) return NULL;
  SignatureForm form = {.rest = SIGNATURE_NONE};
  for (size_t i = first; i < json_array_size(parameters); ++i)
    types[count++] = read_type(build, json_array_get(parameters, i), 0);
  form.parameters = signature_add_types(build, types, count);
  types[0] = read_type(build, result, 0);
  form.result = signature_add_types(build, types, 1).first;
  signature_add_form(build, &form);
  Signature *signature = signature_build_end(build);
  if (!signature) complain(error, error_size, "the type_schema is too large");
  return signature;
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

Signature *signature_metadata_types(const char *text, size_t size, char *error, size_t error_size)
{
  error[0] = '\0';
  if (size == 0) return NULL;
  json_t *outer = parse("metadata", text, size, error, error_size), *inner = NULL;
  Signature *signature = NULL;
  if (!outer) return NULL;
  const json_t *schema = json_object_get(outer, "type_schema");
  if (!json_is_object(outer)) {
    complain(error, error_size, "not a JSON object");
  } else if (schema && !json_is_string(schema)) {
    complain(error, error_size, "type_schema is not a string");
  } else if (schema) {
    inner = parse("type_schema", json_string_value(schema), json_string_length(schema), error,
                  error_size);
    if (inner) signature = read_schema(inner, error, error_size);
  }
  json_decref(inner);
  json_decref(outer);
  return signature;
}

bool signature_metadata_read(const char *text, size_t size, Kernel *kernel, char *error,
                             size_t error_size)
{
  Signature *signature = signature_metadata_types(text, size, error, error_size);
  if (!signature) return false;
  signature_take_kinds(signature, kernel);
  free(signature);
  return true;
}
