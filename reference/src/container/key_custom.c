// SPDX-License-Identifier: Apache-2.0
#include "container/key_custom.h"

#include <stdbool.h>
#include <string.h>

#include "core/any.h"
#include "core/raise.h"

Attribute key_custom_hash = {ATTRIBUTE("__any_hash__")};
Attribute key_custom_equal = {ATTRIBUTE("__any_equal__")};

// Calls a Function with views and takes a plain result of one type.
static int key_custom_call(const char *attribute, const TVMFFIAny *callee, TVMFFIAny *args,
                           int32_t num_args, int32_t due, int64_t *out)
{
  TVMFFIAny result = any_none();
  if (callee->type_index != kTVMFFIFunction) {
    return raise_error("TypeError", attribute, " must be a Function", NULL);
  }
  if (TVMFFIFunctionCall(callee->v_obj, args, num_args, &result) != 0) return -1;
  *out = result.v_int64;
  if (result.type_index == due) return 0;
  any_release(&result);
  return raise_error("TypeError", attribute, " must return ",
                     due == kTVMFFIInt ? "an int" : "a bool", NULL);
}

int key_custom_call_hash(const TVMFFIAny *callee, const TVMFFIAny *value, uint64_t *hash)
{
  int64_t number = 0;
  if (callee->type_index == kTVMFFIOpaquePtr && callee->v_ptr != NULL) {
    int64_t (*compiled)(const TVMFFIAny *) = NULL;
    memcpy(&compiled, &callee->v_ptr, sizeof compiled);
    *hash = (uint64_t)compiled(value);
    return 0;
  }
  TVMFFIAny args[] = {*value};
  if (key_custom_call("__any_hash__", callee, args, 1, kTVMFFIInt, &number) != 0) return -1;
  *hash = (uint64_t)number;
  return 0;
}

int key_custom_call_equal(const TVMFFIAny *callee, const TVMFFIAny *one, const TVMFFIAny *other)
{
  int64_t truth = 0;
  if (callee->type_index == kTVMFFIOpaquePtr && callee->v_ptr != NULL) {
    bool (*compiled)(const TVMFFIAny *, const TVMFFIAny *) = NULL;
    memcpy(&compiled, &callee->v_ptr, sizeof compiled);
    return compiled(one, other);
  }
  TVMFFIAny args[] = {*one, *other};
  if (key_custom_call("__any_equal__", callee, args, 2, kTVMFFIBool, &truth) != 0) return -1;
  return truth != 0;
}
