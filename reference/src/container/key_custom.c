// SPDX-License-Identifier: Apache-2.0
#include "container/key_custom.h"

#include <stdbool.h>
#include <string.h>

#include "core/any.h"
#include "core/raise.h"

Attribute key_custom_hash = {ATTRIBUTE("__any_hash__")};
Attribute key_custom_equal = {ATTRIBUTE("__any_equal__")};

// Takes a plain result of one type out of what a call left, which is released if it is another.
static int key_custom_take(const char *attribute, TVMFFIAny *result, int32_t due, int64_t *out)
{
  *out = result->v_int64;
  if (result->type_index == due) return 0;
  any_release(result);
  return raise_error("TypeError", attribute, " must return ",
                     due == kTVMFFIInt ? "an int" : "a bool", NULL);
}

// Calls a Function with views and takes a plain result of one type.
static int key_custom_call(const char *attribute, const TVMFFIAny *callee, TVMFFIAny *args,
                           int32_t num_args, int32_t due, int64_t *out)
{
  TVMFFIAny result = any_none();
  if (callee->type_index != kTVMFFIFunction) {
    return raise_error("TypeError", attribute, " must be a Function", NULL);
  }
  if (TVMFFIFunctionCall(callee->v_obj, args, num_args, &result) != 0) return -1;
  return key_custom_take(attribute, &result, due, out);
}

// The native functions are C++: what they take by reference is a pointer in C, and TVMFFIAny is
// returned as C returns it. They throw nothing, and return an error for the caller to raise and
// release. (Headers before 0.1.15 register functions that return an int64_t or a bool: CON-81.)
typedef TVMFFIAny (*NativeHash)(const TVMFFIAny *value);
typedef TVMFFIAny (*NativeEqual)(const TVMFFIAny *one, const TVMFFIAny *other);

static bool key_custom_is_native(const TVMFFIAny *callee)
{
  return callee->type_index == kTVMFFIOpaquePtr && callee->v_ptr != NULL;
}

static int key_custom_take_native(const char *attribute, TVMFFIAny *result, int32_t due,
                                  int64_t *out)
{
  if (result->type_index != kTVMFFIError) return key_custom_take(attribute, result, due, out);
  TVMFFIErrorSetRaised(result->v_obj);  // CON-80
  any_release(result);
  return -1;
}

int key_custom_call_hash(const TVMFFIAny *callee, const TVMFFIAny *value, uint64_t *hash)
{
  int64_t number = 0;
  int status;
  if (key_custom_is_native(callee)) {
    NativeHash native = NULL;
    memcpy(&native, &callee->v_ptr, sizeof native);
    TVMFFIAny result = native(value);  // CON-79
    status = key_custom_take_native("__any_hash__", &result, kTVMFFIInt, &number);
  } else {
    TVMFFIAny args[] = {*value};
    status = key_custom_call("__any_hash__", callee, args, 1, kTVMFFIInt, &number);
  }
  *hash = (uint64_t)number;
  return status;
}

int key_custom_call_equal(const TVMFFIAny *callee, const TVMFFIAny *one, const TVMFFIAny *other)
{
  int64_t truth = 0;
  int status;
  if (key_custom_is_native(callee)) {
    NativeEqual native = NULL;
    memcpy(&native, &callee->v_ptr, sizeof native);
    TVMFFIAny result = native(one, other);  // CON-79
    status = key_custom_take_native("__any_equal__", &result, kTVMFFIBool, &truth);
  } else {
    TVMFFIAny args[] = {*one, *other};
    status = key_custom_call("__any_equal__", callee, args, 2, kTVMFFIBool, &truth);
  }
  return status != 0 ? -1 : truth != 0;
}
