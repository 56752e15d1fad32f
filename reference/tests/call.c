// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <limits.h>
#include <string.h>

#include "probe.h"

// Stops the test unless this holds. Tests call millions of times, and each assertion of Check's own
// is a system call, passed or not.
static void demand(bool holds, const char *name, const char *what)
{
  if (!holds) ck_abort_msg("%s %s", name, what);
}

static TVMFFIObjectHandle function_of(const char *name)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  demand(TVMFFIFunctionGetGlobal(&bytes, &function) == 0, name, "can't be looked up");
  demand(function != NULL, name, "is not registered");
  return function;
}

static int try(const char *name, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIObjectHandle function = function_of(name);
  int code = TVMFFIFunctionCall(function, (TVMFFIAny *)args, num_args, result);
  TVMFFIObjectDecRef(function);
  return code;
}

// A result that holds no object, and is otherwise rubbish.
static TVMFFIAny no_result(void)
{
  TVMFFIAny result = rubbish();
  result.type_index = kTVMFFIInt;
  return result;
}

static bool is_clean(const TVMFFIAny *value)
{
  bool is_small = value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFISmallBytes;
  if (value->type_index == kTVMFFINone && value->v_uint64 != 0) return false;
  return value->zero_padding <= (is_small ? 7 : 0);
}

TVMFFIAny call_function(TVMFFIObjectHandle function, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = no_result();
  int code = TVMFFIFunctionCall(function, (TVMFFIAny *)args, num_args, &result);
  demand(code == 0, "a function object", "failed");
  demand(is_clean(&result), "a function object", "gave a dirty result");
  return result;
}

TVMFFIAny call(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = no_result();
  if (try(name, args, num_args, &result) != 0) {
    TVMFFIObject *error = take_raised();
    ck_abort_msg("%s failed: %s", name, error_cell_of(error)->message.data);
  }
  demand(is_clean(&result), name, "gave a dirty result");
  return result;
}

TVMFFIObject *call_object(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = call(name, args, num_args);
  demand(result.type_index >= kTVMFFIStaticObjectBegin, name, "gave no object");
  demand(result.v_obj->type_index == result.type_index, name, "gave another type");
  return result.v_obj;
}

int64_t call_int(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = call(name, args, num_args);
  demand(result.type_index == kTVMFFIInt, name, "gave no int");
  return result.v_int64;
}

bool call_bool(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = call(name, args, num_args);
  demand(result.type_index == kTVMFFIBool && result.v_uint64 <= 1, name, "gave no bool");
  return result.v_int64;
}

void call_void(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = no_result(), before = result;
  demand(try(name, args, num_args, &result) == 0, name, "failed");
  demand(memcmp(&result, &before, sizeof result) == 0, name, "changed the result");
}

void expect_refused(const char *name, const TVMFFIAny *args, int32_t num_args, const char *kind,
                    const char *word)
{
  TVMFFIAny result = no_result(), before = result;
  ck_assert_msg(try(name, args, num_args, &result) == -1, "%s did not fail with %s", name, kind);
  expect_same_value(&result, &before);
  expect_raised(kind, word);
}

// Refuses request 1, 2, 3 ...; from `all` on only each 64th part further.
static TVMFFIAny call_refusing(const char *name, const TVMFFIAny *args, int32_t num_args, int all)
{
  TVMFFIObjectHandle function = function_of(name);
  TVMFFIAny result;
  bool came = true;
  for (int n = 1; came; n += n < all ? 1 : 1 + n / 64) {
    result = no_result();
    faults_arm(n);
    int code = TVMFFIFunctionCall(function, (TVMFFIAny *)args, num_args, &result);
    came = faults_disarm();
    ck_assert_int_eq(code, came ? -1 : 0);
    if (came) expect_raised("InternalError", "memory");
  }
  TVMFFIObjectDecRef(function);
  return result;
}

TVMFFIAny call_with_faults(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  return call_refusing(name, args, num_args, INT_MAX);
}

TVMFFIAny call_with_some_faults(const char *name, const TVMFFIAny *args, int32_t num_args)
{
  return call_refusing(name, args, num_args, 1000);
}

void drop(TVMFFIAny value)
{
  if (value.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value.v_obj);
}

void expect_string_of(const TVMFFIAny *value, const char *due, size_t size)
{
  if (value->type_index == kTVMFFISmallStr) {
    ck_assert_uint_eq(value->small_str_len, size);
    ck_assert_mem_eq(value->v_bytes, due, size);
  } else {
    ck_assert_int_eq(value->type_index, kTVMFFIStr);
    expect_bytes((TVMFFIByteArray *)(value->v_obj + 1), due, size);
  }
}
