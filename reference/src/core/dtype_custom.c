// SPDX-License-Identifier: Apache-2.0
// Custom data types, whose names and codes two global functions know. They are looked up every
// time, so that whatever is registered when they are needed is used.
#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/dtype.h"
#include "core/global.h"
#include "core/raise.h"

// Calls a global function with one argument.
// result: own, written on success. Returns 0; -1 with an error, as long as the callee raised one.
static int dtype_custom_ask(const char *function, const char *name, TVMFFIAny *arg,
                            TVMFFIAny *result)
{
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle callee = NULL;
  if (global_find(&text, &callee) != 0) return -1;
  if (callee == NULL) {  // DTYPE-32
    return raise_error("ValueError", function, ": for custom data types the global function `",
                       name, "` is needed, but it is not registered", NULL);
  }
  TVMFFIAny value = any_none();
  int code = TVMFFIFunctionCall(callee, arg, 1, &value);
  object_release(callee);
  if (code != 0) return -1;
  *result = value;
  return 0;
}

// Gives back what a global function returned and raises TypeError.
static int dtype_custom_refuse(const char *function, const char *what, const char *due,
                               const TVMFFIAny *result)
{
  raise_wrong_type(function, what, due, result->type_index);
  any_release(result);
  return -1;
}

int dtype_custom_code(const char *function, const TVMFFIByteArray *name, uint8_t *code)
{
  char short_copy[64], *copy = short_copy;
  size_t size = name->size;
  if (size >= sizeof short_copy) copy = malloc(size + 1);
  if (copy == NULL) return raise_out_of_memory();
  if (size != 0) memcpy(copy, name->data, size);
  copy[size] = '\0';
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = copy}, result;
  int status = dtype_custom_ask(function, "dtype.get_custom_type_code", &arg, &result);
  if (copy != short_copy) free(copy);
  if (status != 0) return -1;
  if (result.type_index != kTVMFFIInt) {
    return dtype_custom_refuse(function, "the result of dtype.get_custom_type_code", "an integer",
                               &result);
  }
  if (result.v_int64 < DTYPE_CUSTOM_FIRST || result.v_int64 > DTYPE_CUSTOM_LAST) {
    return raise_error("ValueError", function, ": `dtype.get_custom_type_code` returned ",
                       raise_number(result.v_int64).text, ", but a custom code is 129 to 255",
                       NULL);
  }
  *code = (uint8_t)result.v_int64;
  return 0;
}

int dtype_custom_name(const char *function, uint8_t code, TVMFFIAny *name, TVMFFIByteArray *text)
{
  TVMFFIAny arg = any_int(code);
  if (dtype_custom_ask(function, "dtype.get_custom_type_name", &arg, name) != 0) return -1;
  if (name->type_index == kTVMFFISmallStr) {
    *text = (TVMFFIByteArray){name->v_bytes, name->small_str_len};
    return 0;
  }
  if (name->type_index == kTVMFFIStr) {
    *text = *(const TVMFFIByteArray *)(name->v_obj + 1);
    return 0;
  }
  return dtype_custom_refuse(function, "the result of dtype.get_custom_type_name", "a string",
                             name);
}
