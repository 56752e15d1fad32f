// SPDX-License-Identifier: Apache-2.0
// Bad input for functions that make and count values; and that no function of the C API is missing
// in these tables.
#include "bad_input.h"

#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

#define OUT (&bad_out.handle)

static void GetVersion(void)
{
  IGNORED_VOID(TVMFFIGetVersion(NULL));
}

//--------------------------------------------------------------------------------------------------
// Objects and values
//--------------------------------------------------------------------------------------------------

static void ObjectIncRef(void)
{
  IGNORED(0, TVMFFIObjectIncRef(NULL));
}

static void ObjectDecRef(void)
{
  IGNORED(0, TVMFFIObjectDecRef(NULL));
}

static int deletions;

static void count_deletion(void *handle)
{
  (void)handle;
  ++deletions;
}

static void ObjectCreateOpaque(void)
{
  static const int32_t types[] = {INT32_MIN, -1, 0, 73, 75, 128, INT32_MAX};
  deletions = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    REFUSED("RuntimeError", "`type_index`", "opaque Python object",
            TVMFFIObjectCreateOpaque(NULL, types[i], count_deletion, OUT));
  }
  REFUSED("ValueError", "`out`", "must not be NULL",
          TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, count_deletion, NULL));
  ck_assert_int_eq(deletions, 0);
  ACCEPTED(TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, count_deletion, OUT));
  TVMFFIObjectDecRef(bad_out.handle);
}

static void AnyViewToOwnedAny(void)
{
  TVMFFIAny good = view_int(1);
  REFUSED("ValueError", "`any_view`", "must not be NULL",
          TVMFFIAnyViewToOwnedAny(NULL, &bad_out.any));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIAnyViewToOwnedAny(&good, NULL));
  for (int i = 0; i < BAD_VIEWS; ++i) {
    bool is_moved = i == BAD_VIEWS - 1;
    REFUSED(is_moved ? "InternalError" : "ValueError", "`any_view` holds",
            is_moved ? "moved already" : "a", TVMFFIAnyViewToOwnedAny(bad_view(i), &bad_out.any));
  }
  ACCEPTED(TVMFFIAnyViewToOwnedAny(&good, &bad_out.any));
}

static void StringFromByteArray(void)
{
  REFUSED_BYTES("`input`", TVMFFIStringFromByteArray(bad, &bad_out.any));
  REFUSED("InternalError", "memory", "", TVMFFIStringFromByteArray(&bad_huge, &bad_out.any));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIStringFromByteArray(BYTES("x"), NULL));
  ACCEPTED(TVMFFIStringFromByteArray(BYTES("x"), &bad_out.any));
}

static void BytesFromByteArray(void)
{
  REFUSED_BYTES("`input`", TVMFFIBytesFromByteArray(bad, &bad_out.any));
  REFUSED("InternalError", "memory", "", TVMFFIBytesFromByteArray(&bad_huge, &bad_out.any));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIBytesFromByteArray(BYTES("x"), NULL));
  ACCEPTED(TVMFFIBytesFromByteArray(BYTES("x"), &bad_out.any));
}

static void BigIntFromByteArray(void)
{
  REFUSED_BYTES("`input`", TVMFFIBigIntFromByteArray(bad, &bad_out.any));
  REFUSED("InternalError", "memory", "", TVMFFIBigIntFromByteArray(&bad_huge, &bad_out.any));
  REFUSED("ValueError", "`input`", "whole 64-bit words, not 9",
          TVMFFIBigIntFromByteArray(BYTES("nine byte"), &bad_out.any));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIBigIntFromByteArray(BYTES(""), NULL));
  ACCEPTED(TVMFFIBigIntFromByteArray(BYTES(""), &bad_out.any));
}

static intptr_t has_content(const TVMFFIAny *value)
{
  TVMFFIByteArray content = TVMFFIBigIntGetContentByteArray(value);
  return content.data != NULL || content.size != 0;
}

static void BigIntGetContentByteArray(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny liar = view_object(&probe), none = view_none();
  liar.type_index = kTVMFFIBigInt;
  IGNORED(0, has_content(NULL));
  IGNORED(0, has_content(&none));
  IGNORED(0, has_content(&liar));
  for (int i = 0; i < BAD_VIEWS; ++i) IGNORED(0, has_content(bad_view(i)));
}

//--------------------------------------------------------------------------------------------------
// Functions
//--------------------------------------------------------------------------------------------------

static int do_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static void FunctionCreate(void)
{
  deletions = 0;
  REFUSED("ValueError", "`safe_call`", "must not be NULL",
          TVMFFIFunctionCreate(&deletions, NULL, count_deletion, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL",
          TVMFFIFunctionCreate(&deletions, do_nothing, count_deletion, NULL));
  ck_assert_int_eq(deletions, 0);
  ACCEPTED(TVMFFIFunctionCreate(NULL, do_nothing, NULL, OUT));
  TVMFFIObjectDecRef(bad_out.handle);
}

// A call hands on what it is given, good or bad: arguments are the callee's affair.
static void FunctionCall(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny arg = view_int(1);
  REFUSED("ValueError", "`func`", "must not be NULL",
          TVMFFIFunctionCall(NULL, &arg, 1, &bad_out.any));
  REFUSED("TypeError", "`func`", "a Function, but its type index is 74",
          TVMFFIFunctionCall(&probe, &arg, 1, &bad_out.any));
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, do_nothing, NULL, &function), 0);
  ACCEPTED(TVMFFIFunctionCall(function, NULL, 0, &bad_out.any));
  TVMFFIObjectDecRef(function);
}

static void FunctionGetGlobal(void)
{
  REFUSED_BYTES("`name`", TVMFFIFunctionGetGlobal(bad, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIFunctionGetGlobal(BYTES("x"), NULL));
  ACCEPTED(TVMFFIFunctionGetGlobal(&bad_huge, OUT));
  ck_assert_ptr_null(bad_out.handle);
}

static void FunctionSetGlobal(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  REFUSED_BYTES("`name`", TVMFFIFunctionSetGlobal(bad, NULL, 1));
  REFUSED("InternalError", "memory", "", TVMFFIFunctionSetGlobal(&bad_huge, NULL, 1));
  REFUSED("TypeError", "`f`", "a Function", TVMFFIFunctionSetGlobal(BYTES("bad.f"), &probe, 1));
  REFUSED("RuntimeError", "`name` is `ffi.Array`", "`allow_override` is 0",
          TVMFFIFunctionSetGlobal(BYTES("ffi.Array"), NULL, 0));
  ACCEPTED(TVMFFIFunctionGetGlobal(BYTES("bad.f"), OUT));
  ck_assert_ptr_null(bad_out.handle);
}

static void FunctionSetGlobalFromMethodInfo(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIMethodInfo info = {.name = *BYTES("bad.method"), .method = view_none()};
#define SET TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1)
  REFUSED("ValueError", "`method_info`", "must not be NULL",
          TVMFFIFunctionSetGlobalFromMethodInfo(NULL, 1));
  REFUSED_TEXT("`method_info->name`", info.name, SET);
  REFUSED_TEXT("`method_info->doc`", info.doc, SET);
  REFUSED_TEXT("`method_info->metadata`", info.metadata, SET);
  info.method = view_int(1);
  REFUSED("TypeError", "`method_info->method`", "a Function", SET);
  info.method = view_object(&probe);
  REFUSED("TypeError", "`method_info->method`", "type index is 74", SET);
  info.method.type_index = kTVMFFIFunction;
  REFUSED("TypeError", "`method_info->method`", "type index is 74", SET);
  info.method.v_obj = NULL;
  REFUSED("ValueError", "`method_info->method`", "must not be NULL", SET);
  info.method = view_none();
  info.metadata = bad_huge;
  REFUSED("InternalError", "memory", "", SET);
#undef SET
  ACCEPTED(TVMFFIFunctionGetGlobal(BYTES("bad.method"), OUT));
  ck_assert_ptr_null(bad_out.handle);
}

//--------------------------------------------------------------------------------------------------
// Errors. Those that only raise do so whatever they are given: that must not lose the failure.
//--------------------------------------------------------------------------------------------------

static void ErrorMoveFromRaised(void)
{
  IGNORED_VOID(TVMFFIErrorMoveFromRaised(NULL));
}

static void ErrorSetRaised(void)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  REFUSED("TypeError", "`error`", "an Error", (TVMFFIErrorSetRaised(&probe), -1));
  expect_counts(&probe, 1, 1);
}

static void ErrorSetRaisedFromCStr(void)
{
  REFUSED("RuntimeError", "why", "", (TVMFFIErrorSetRaisedFromCStr(NULL, "why"), -1));
  REFUSED("Kind", "", "", (TVMFFIErrorSetRaisedFromCStr("Kind", NULL), -1));
  REFUSED("RuntimeError", "", "", (TVMFFIErrorSetRaisedFromCStr(NULL, NULL), -1));
}

static void ErrorSetRaisedFromCStrParts(void)
{
  const char *parts[] = {"why", NULL, "not"};
  REFUSED("RuntimeError", "whynot", "", (TVMFFIErrorSetRaisedFromCStrParts(NULL, parts, 3), -1));
  REFUSED("Kind", "", "", (TVMFFIErrorSetRaisedFromCStrParts("Kind", NULL, 3), -1));
  REFUSED("Kind", "", "", (TVMFFIErrorSetRaisedFromCStrParts("Kind", parts, -1), -1));
  REFUSED("Kind", "", "", (TVMFFIErrorSetRaisedFromCStrParts("Kind", parts, INT32_MIN), -1));
}

static void ErrorCreate(void)
{
  const TVMFFIByteArray *x = BYTES("x");
  REFUSED_BYTES("`kind`", TVMFFIErrorCreate(bad, x, x, OUT));
  REFUSED_BYTES("`message`", TVMFFIErrorCreate(x, bad, x, OUT));
  REFUSED_BYTES("`backtrace`", TVMFFIErrorCreate(x, x, bad, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIErrorCreate(x, x, x, NULL));
  ACCEPTED(TVMFFIErrorCreate(x, x, x, OUT));
  TVMFFIObjectDecRef(bad_out.handle);
}

static void ErrorCreateWithCauseAndExtraContext(void)
{
  const TVMFFIByteArray *x = BYTES("x");
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
#define CREATE TVMFFIErrorCreateWithCauseAndExtraContext
  REFUSED_BYTES("`kind`", CREATE(bad, x, x, NULL, &probe, OUT));
  REFUSED_BYTES("`message`", CREATE(x, bad, x, NULL, &probe, OUT));
  REFUSED_BYTES("`backtrace`", CREATE(x, x, bad, NULL, &probe, OUT));
  REFUSED("InternalError", "memory", "", CREATE(x, x, &bad_huge, NULL, &probe, OUT));
  REFUSED("TypeError", "`cause_chain`", "an Error", CREATE(x, x, x, &probe, &probe, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL", CREATE(x, x, x, NULL, &probe, NULL));
  expect_counts(&probe, 1, 1);
  ACCEPTED(CREATE(x, x, x, NULL, &probe, OUT));
#undef CREATE
  TVMFFIObjectDecRef(bad_out.handle);
}

static void Backtrace(void)
{
  IGNORED(0, TVMFFIBacktrace(NULL, 1, "f", 0)->size);
  IGNORED(0, TVMFFIBacktrace("a.c", 1, NULL, 1)->size);
  IGNORED(0, TVMFFIBacktrace(NULL, INT32_MIN, NULL, 0)->data[0]);
}

//--------------------------------------------------------------------------------------------------
// Once
//--------------------------------------------------------------------------------------------------

static int fill(void **result)
{
  *result = &deletions;
  return 0;
}

static int empty(void *handle)
{
  return handle != &deletions;
}

static void HandleInitOnce(void)
{
  void *slot = NULL;
  REFUSED("ValueError", "`handle_addr`", "must not be NULL", TVMFFIHandleInitOnce(NULL, fill));
  REFUSED("ValueError", "`init_func`", "must not be NULL", TVMFFIHandleInitOnce(&slot, NULL));
  ck_assert_ptr_null(slot);
  ACCEPTED(TVMFFIHandleInitOnce(&slot, fill));
  ACCEPTED(TVMFFIHandleInitOnce(&slot, NULL));  // it isn't needed
  ck_assert_ptr_eq(slot, &deletions);
}

static void HandleDeinitOnce(void)
{
  void *slot = &deletions;
  REFUSED("ValueError", "`handle_addr`", "must not be NULL", TVMFFIHandleDeinitOnce(NULL, empty));
  REFUSED("ValueError", "`deinit_func`", "must not be NULL", TVMFFIHandleDeinitOnce(&slot, NULL));
  ck_assert_ptr_eq(slot, &deletions);
  ACCEPTED(TVMFFIHandleDeinitOnce(&slot, empty));
  ACCEPTED(TVMFFIHandleDeinitOnce(&slot, NULL));  // it isn't needed
}

//--------------------------------------------------------------------------------------------------
// The tables
//--------------------------------------------------------------------------------------------------

const BadFunction bad_input_functions[] = {
    BAD_ROW(GetVersion),
    BAD_ROW(ObjectIncRef),
    BAD_ROW(ObjectDecRef),
    BAD_ROW(ObjectCreateOpaque),
    BAD_ROW(AnyViewToOwnedAny),
    BAD_ROW(StringFromByteArray),
    BAD_ROW(BytesFromByteArray),
    BAD_ROW(BigIntFromByteArray),
    BAD_ROW(BigIntGetContentByteArray),
    BAD_ROW(FunctionCreate),
    BAD_ROW(FunctionCall),
    BAD_ROW(FunctionGetGlobal),
    BAD_ROW(FunctionSetGlobal),
    BAD_ROW(FunctionSetGlobalFromMethodInfo),
    BAD_ROW(ErrorMoveFromRaised),
    BAD_ROW(ErrorSetRaised),
    BAD_ROW(ErrorSetRaisedFromCStr),
    BAD_ROW(ErrorSetRaisedFromCStrParts),
    BAD_ROW(ErrorCreate),
    BAD_ROW(ErrorCreateWithCauseAndExtraContext),
    BAD_ROW(Backtrace),
    BAD_ROW(HandleInitOnce),
    BAD_ROW(HandleDeinitOnce),
    {NULL, NULL},
};

TEST(bad_input_is_refused_and_nothing_lost,
     .rows = sizeof bad_input_functions / sizeof *bad_input_functions - 1)
{
  bad_input_functions[_i].test();
}

static bool is_in(const BadFunction *table, const char *name)
{
  for (; table->name != NULL; ++table) {
    if (strcmp(table->name, name) == 0) return true;
  }
  return false;
}

TEST(no_function_is_missing)
{
  static const char *const all[] = {
#define ABI_FUNCTION(chapter, since, result, name, parameters) #name,
#include "abi/functions.def"
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    ck_assert_msg(is_in(bad_input_functions, all[i]) || is_in(bad_input_type_functions, all[i]) ||
                      is_in(bad_input_env_functions, all[i]),
                  "no test hands %s bad input", all[i]);
  }
}
