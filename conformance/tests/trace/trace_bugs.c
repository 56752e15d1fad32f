// SPDX-License-Identifier: Apache-2.0
// A program with a mistake of every kind that the validation layer looks for, and with each a right
// twin. The function that makes the mistake has its name, so a report that blames the right one names
// it. A mistake must not crash without the layer.
//
//   trace_bugs RUNTIME.so wrong|right [NAME...]    all, or these
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace/trace_bugs.h"

AbiApi api;

void *open_library(const char *path)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  fprintf(stderr, "%s\n", dlerror());
  exit(70);
}

static void load(const char *path)
{
  void *runtime = open_library(path);
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&api)[i] = dlsym(runtime, abi_functions[i].symbol);
}

TVMFFIObjectHandle make(TVMFFISafeCallType code)
{
  static int self;
  TVMFFIObjectHandle function = NULL;
  if (api.FunctionCreate(&self, code, NULL, &function) != 0) exit(71);
  return function;
}

// Through the cell, as C++ and Rust call.
int call_in_place(TVMFFIObjectHandle function, TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIFunctionCell *cell = (TVMFFIFunctionCell *)((char *)function + sizeof(TVMFFIObject));
  return cell->safe_call(function, args, num_args, result);
}

void forget_error(void)
{
  TVMFFIObjectHandle error = NULL;
  api.ErrorMoveFromRaised(&error);
  if (error) api.ObjectDecRef(error);
}

// --- Arguments -----------------------------------------------------------------------------------

int take_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static TVMFFIByteArray some_bytes = {"bytes", 5}, no_bytes = {NULL, 5};

ARGUMENT(argument_padding, argument.type_index = kTVMFFIInt; argument.zero_padding = wrong ? 7 : 0)
ARGUMENT(argument_small_length, argument.type_index = kTVMFFISmallStr;
         argument.small_str_len = wrong ? 8 : 7; memcpy(argument.v_bytes, "letters", 8))
ARGUMENT(argument_unused_bytes, argument.type_index = kTVMFFISmallBytes; argument.small_str_len = 2;
         memcpy(argument.v_bytes, wrong ? "hi x" : "hi\0\0", 4))
ARGUMENT(argument_dtype_tail, argument.type_index = kTVMFFIDataType;
         argument.v_dtype = (DLDataType){kDLFloat, 32, 1}; argument.v_bytes[5] = wrong)
ARGUMENT(argument_none_payload, argument.v_int64 = wrong ? 1 : 0)
ARGUMENT(argument_bool, argument.type_index = kTVMFFIBool; argument.v_int64 = wrong ? 2 : 1)
ARGUMENT(argument_type_index, argument.type_index = wrong ? 40 : kTVMFFIFloat)
ARGUMENT(argument_null_object, argument.type_index = kTVMFFIFunction;
         argument.v_obj = wrong ? NULL : function)
ARGUMENT(argument_no_object, argument.type_index = kTVMFFIFunction;
         argument.v_obj = wrong ? (TVMFFIObject *)(uintptr_t)0x1230 : function)
ARGUMENT(argument_dead_object,
         TVMFFIObject dead = {.combined_ref_count = UINT64_C(1) << 32, .type_index = kTVMFFIObject};
         argument.type_index = kTVMFFIObject; dead.combined_ref_count += !wrong;
         argument.v_obj = &dead)
ARGUMENT(argument_index_differs, argument.type_index = wrong ? kTVMFFIObject : kTVMFFIFunction;
         argument.v_obj = function)
ARGUMENT(argument_null_string, argument.type_index = kTVMFFIRawStr;
         argument.v_c_str = wrong ? NULL : "text")
ARGUMENT(argument_null_bytes, argument.type_index = kTVMFFIByteArrayPtr;
         argument.v_ptr = wrong ? &no_bytes : &some_bytes)
ARGUMENT(argument_rvalue_moved, TVMFFIObject *slot = wrong ? NULL : function;
         argument.type_index = kTVMFFIObjectRValueRef; argument.v_ptr = &slot)

// --- Results: the callee is to blame -------------------------------------------------------------

bool wrong_now;

static int give(TVMFFIAny *result, int32_t type, uint32_t padding, int64_t payload)
{
  *result = (TVMFFIAny){.type_index = type, .zero_padding = padding, .v_int64 = payload};
  return 0;
}

TVMFFIObject static_object = {.combined_ref_count = UINT64_C(0x100000001),
                              .type_index = kTVMFFIObject};
static TVMFFIObject dead_object = {.combined_ref_count = UINT64_C(1) << 32,
                                   .type_index = kTVMFFIObject};

int give_object(TVMFFIAny *result, int32_t type, TVMFFIObject *object)
{
  *result = (TVMFFIAny){.type_index = type, .v_obj = object};
  return 0;
}

int fail(int code)
{
  api.ErrorSetRaisedFromCStr("ValueError", "as planned");
  return code;
}

RESULT(result_padding, return give(result, kTVMFFIInt, wrong ? 9 : 0, 1))
RESULT(result_small_length, return give(result, kTVMFFISmallStr, wrong ? 9 : 0, 0))
RESULT(result_unused_bytes,
       return give(result, kTVMFFIDataType, 0, wrong ? INT64_C(0x100000000) : 0))
RESULT(result_none_payload, return give(result, kTVMFFINone, 0, wrong ? 5 : 0))
RESULT(result_bool, return give(result, kTVMFFIBool, 0, wrong ? 3 : 1))
RESULT(result_type_index, return give(result, wrong ? 50 : kTVMFFIInt, 0, 1))
RESULT(result_view, return wrong ? give(result, kTVMFFIRawStr, 0, (intptr_t) "view")
                                 : give(result, kTVMFFIInt, 0, 1))
RESULT(result_null_object, return give_object(result, wrong ? kTVMFFIObject : kTVMFFINone, NULL))
RESULT(result_dead_object,
       return give_object(result, kTVMFFIObject, wrong ? &dead_object : &static_object))
RESULT(result_index_differs,
       return give_object(result, wrong ? kTVMFFIStr : kTVMFFIObject, &static_object))
RESULT(call_code, return fail(wrong ? 5 : -1))

// A frontend whose user has interrupted the program.
static int interrupted(void)
{
  return -1;
}

static void release_lock(int state)
{
  (void)state;
}

static int check_signals(void)
{
  api.EnvRegisterCAPI("PyGILState_Ensure", (void *)(uintptr_t)interrupted);
  api.EnvRegisterCAPI("PyGILState_Release", (void *)(uintptr_t)release_lock);
  api.EnvRegisterCAPI("PyErr_CheckSignals", (void *)(uintptr_t)interrupted);
  return api.EnvCheckSignals();
}

RESULT(call_code_signal, return wrong || check_signals() != 0 ? -2 : 0)
RESULT(call_failed_without_error, return wrong ? -1 : fail(-1))
RESULT(call_failed_result_changed, if (wrong) give(result, kTVMFFIInt, 0, 1); return fail(-1))
RESULT(call_arguments_written, if (wrong)((TVMFFIAny *)(uintptr_t)args)->v_int64 += 1; return 0)

// A call within another one, for timelines.
static int nested_inner_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static int nested_outer_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  TVMFFIObjectHandle inner = make(nested_inner_code);
  int code = call_in_place(inner, NULL, 0, result);
  api.ObjectDecRef(inner);
  return code;
}

static void nest(void)
{
  TVMFFIObjectHandle function = make(nested_outer_code);
  TVMFFIAny result = {0};
  (void)!api.FunctionCall(function, NULL, 0, &result);
  api.ObjectDecRef(function);
}

// --- Calls ---------------------------------------------------------------------------------------

__attribute__((noinline)) void call_argument_count(bool wrong)
{
  TVMFFIObjectHandle function = make(take_anything);
  TVMFFIAny result = {0};
  (void)!call_in_place(function, NULL, wrong ? -1 : 0, &result);
  TVMFFIFunctionCell *cell = (TVMFFIFunctionCell *)((char *)function + sizeof(TVMFFIObject));
  (void)!cell->safe_call(function, NULL, wrong ? 2 : 0, &result);
  api.ObjectDecRef(function);
}

#define CALL(name, before_call, pointer)                 \
  __attribute__((noinline)) void name(bool wrong)        \
  {                                                      \
    TVMFFIObjectHandle function = make(take_anything);   \
    TVMFFIAny result = {0};                              \
    before_call;                                         \
    (void)!api.FunctionCall(function, NULL, 0, pointer); \
    api.ObjectDecRef(function);                          \
  }

CALL(call_null_result, (void)0, wrong ? NULL : &result)
CALL(call_result_holds_object, if (wrong) give_object(&result, kTVMFFIObject, &static_object),
     &result)
CALL(call_result_dirty, if (wrong) result.v_int64 = 77, &result)

ARGUMENT(argument_unmapped, argument.type_index = kTVMFFIRawStr;
         argument.v_c_str = wrong ? unmapped() : "text")

// --- All -----------------------------------------------------------------------------------------

static const struct {
  const char *name;
  void (*make)(bool wrong);
} bugs[] = {
#define BUG(name, ...) {#name, name},
#define DEEP_BUGS
#include "tests/trace/trace_bugs.def"
};
enum { BUGS = sizeof bugs / sizeof bugs[0] };

static bool is_wanted(const char *name, char **wanted)
{
  if (!*wanted) return true;
  for (; *wanted; ++wanted)
    if (strcmp(*wanted, name) == 0) return true;
  return false;
}

int main(int argc, char **argv)
{
  if (argc < 3) return 64;
  load(argv[1]);
  for (unsigned i = 0; i < BUGS; ++i)
    if (is_wanted(bugs[i].name, argv + 3)) bugs[i].make(strcmp(argv[2], "wrong") == 0);
  if (argc == 3) nest();
  puts("end");
  return 0;
}
