// SPDX-License-Identifier: Apache-2.0
// A program with a mistake of every kind that the validation layer looks for, and with each a right
// twin. The function that makes the mistake has its name, so a report that blames the right one names
// it. A mistake must not crash without the layer.
//
//   trace_bugs RUNTIME.so wrong|right [NAME...]    all, or these
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"

static AbiApi api;

static void *open_library(const char *path)
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

static TVMFFIObjectHandle make(TVMFFISafeCallType code)
{
  static int self;
  TVMFFIObjectHandle function = NULL;
  if (api.FunctionCreate(&self, code, NULL, &function) != 0) exit(71);
  return function;
}

// Through the cell, as C++ and Rust call.
static int call_in_place(TVMFFIObjectHandle function, TVMFFIAny *args, int32_t num_args,
                         TVMFFIAny *result)
{
  TVMFFIFunctionCell *cell = (TVMFFIFunctionCell *)((char *)function + sizeof(TVMFFIObject));
  return cell->safe_call(function, args, num_args, result);
}

static void forget_error(void)
{
  TVMFFIObjectHandle error = NULL;
  api.ErrorMoveFromRaised(&error);
  if (error) api.ObjectDecRef(error);
}

// --- Arguments -----------------------------------------------------------------------------------

static int take_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

// A call is made by the function with the mistake, so each has its own.
#define ARGUMENT(name, ...)                                         \
  __attribute__((noinline)) static void name(bool wrong)            \
  {                                                                 \
    TVMFFIObjectHandle function = make(take_anything);              \
    TVMFFIAny argument = {.type_index = kTVMFFINone}, result = {0}; \
    __VA_ARGS__;                                                    \
    (void)!api.FunctionCall(function, &argument, 1, &result);       \
    api.ObjectDecRef(function);                                     \
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

static bool wrong_now;

#define RESULT(name, ...)                                                                   \
  __attribute__((noinline)) static int name##_code(void *self, const TVMFFIAny *args,       \
                                                   int32_t num_args, TVMFFIAny *result)     \
  {                                                                                         \
    bool wrong = wrong_now;                                                                 \
    (void)self, (void)args, (void)num_args, (void)wrong, (void)result;                      \
    __VA_ARGS__;                                                                            \
  }                                                                                         \
  static void name(bool wrong)                                                              \
  {                                                                                         \
    for (int way = 0; way < 2; ++way) {                                                     \
      TVMFFIObjectHandle function = make(name##_code);                                      \
      TVMFFIAny argument = {.type_index = kTVMFFIInt}, result = {0};                        \
      wrong_now = wrong;                                                                    \
      int code = (way ? call_in_place : api.FunctionCall)(function, &argument, 1, &result); \
      if (code != 0) forget_error();                                                        \
      api.ObjectDecRef(function);                                                           \
    }                                                                                       \
  }

static int give(TVMFFIAny *result, int32_t type, uint32_t padding, int64_t payload)
{
  *result = (TVMFFIAny){.type_index = type, .zero_padding = padding, .v_int64 = payload};
  return 0;
}

static TVMFFIObject static_object = {.combined_ref_count = UINT64_C(0x100000001),
                                     .type_index = kTVMFFIObject};
static TVMFFIObject dead_object = {.combined_ref_count = UINT64_C(1) << 32,
                                   .type_index = kTVMFFIObject};

static int give_object(TVMFFIAny *result, int32_t type, TVMFFIObject *object)
{
  *result = (TVMFFIAny){.type_index = type, .v_obj = object};
  return 0;
}

static int fail(int code)
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

__attribute__((noinline)) static void call_argument_count(bool wrong)
{
  TVMFFIObjectHandle function = make(take_anything);
  TVMFFIAny result = {0};
  (void)!call_in_place(function, NULL, wrong ? -1 : 0, &result);
  TVMFFIFunctionCell *cell = (TVMFFIFunctionCell *)((char *)function + sizeof(TVMFFIObject));
  (void)!cell->safe_call(function, NULL, wrong ? 2 : 0, &result);
  api.ObjectDecRef(function);
}

#define CALL(name, before_call, pointer)                 \
  __attribute__((noinline)) static void name(bool wrong) \
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

// Nothing is mapped as low.
static void *unmapped(void)
{
  return (void *)(uintptr_t)0x2468;
}

ARGUMENT(argument_unmapped, argument.type_index = kTVMFFIRawStr;
         argument.v_c_str = wrong ? unmapped() : "text")

// --- Tensors -------------------------------------------------------------------------------------

static float elements[8];
static int64_t extents[2] = {2, 4}, strides[2] = {4, 1}, negative[2] = {2, -4},
               huge[2] = {INT64_MAX, 4};

static DLTensor right_tensor(void)
{
  return (DLTensor){.data = elements,
                    .device = {kDLCPU, 0},
                    .ndim = 2,
                    .dtype = {kDLFloat, 32, 1},
                    .shape = extents,
                    .strides = strides};
}

#define TENSOR(name, ...)                                                                    \
  ARGUMENT(name, DLTensor tensor = right_tensor(); argument.type_index = kTVMFFIDLTensorPtr; \
           argument.v_ptr = &tensor; __VA_ARGS__)

TENSOR(tensor_unmapped, if (wrong) argument.v_ptr = unmapped())
TENSOR(tensor_rank, tensor.ndim = wrong ? -1 : 0)
TENSOR(tensor_extent, if (wrong) tensor.shape = negative)
TENSOR(tensor_null_strides, if (wrong) tensor.strides = NULL)
TENSOR(tensor_size, if (wrong) tensor.shape = huge)
TENSOR(tensor_alignment, if (wrong) tensor.data = (char *)elements + 2)
TENSOR(tensor_byte_offset, if (wrong) tensor.byte_offset = 8)
TENSOR(tensor_data_unmapped, if (wrong) tensor.data = unmapped())

static void keep(void *self, int flags)
{
  (void)self, (void)flags;
}

// A tensor object, which is looked at when it is first seen.
__attribute__((noinline)) static void tensor_object_strides(bool wrong)
{
  struct {
    TVMFFIObject header;
    DLTensor tensor;
  } object = {
      {.combined_ref_count = UINT64_C(0x100000001), .type_index = kTVMFFITensor, .deleter = keep},
      right_tensor()};
  if (wrong) object.tensor.strides = NULL;
  TVMFFIObjectHandle function = make(take_anything);
  TVMFFIAny argument = {.type_index = kTVMFFITensor, .v_obj = &object.header}, result = {0};
  (void)!api.FunctionCall(function, &argument, 1, &result);
  object.header.combined_ref_count -= 1;
  object.header.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  api.ObjectDecRef(function);
}

static AbiApi wrong_api;

static void choose_runtime(bool wrong)
{
  static void *runtime;
  if (!runtime) runtime = open_library(TRACE_RUNTIME);
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&wrong_api)[i] = dlsym(runtime, abi_functions[i].symbol);
  *(bool *)dlsym(runtime, "trace_runtime_wrong") = wrong;
}

static void count_releases(DLManagedTensorVersioned *self)
{
  ++*(int *)self->manager_ctx;
}

static DLManagedTensorVersioned managed(int *releases)
{
  return (DLManagedTensorVersioned){.version = {1, 1},
                                    .manager_ctx = releases,
                                    .deleter = count_releases,
                                    .dl_tensor = right_tensor()};
}

__attribute__((noinline)) static void dlpack_version(bool wrong)
{
  int releases = 0;
  DLManagedTensorVersioned tensor = managed(&releases);
  TVMFFIObjectHandle imported = NULL;
  if (wrong) tensor.version.major = 2;
  if (api.TensorFromDLPackVersioned(&tensor, 0, 0, &imported) == 0) api.ObjectDecRef(imported);
  forget_error();
}

__attribute__((noinline)) static void dlpack_released_by_importer(bool wrong)
{
  int releases = 0;
  DLManagedTensorVersioned tensor = managed(&releases);
  TVMFFIObjectHandle imported = NULL;
  if (api.TensorFromDLPackVersioned(&tensor, 0, 0, &imported) != 0) exit(72);
  if (wrong) tensor.deleter(&tensor);
  tensor.deleter = wrong ? NULL : tensor.deleter;
  api.ObjectDecRef(imported);
}

// The first deleter is one that can be called again, as many are.
__attribute__((noinline)) static void dlpack_released_twice(bool wrong)
{
  int releases = 0;
  DLManagedTensorVersioned *exported = NULL;
  choose_runtime(false);
  wrong_api.TensorToDLPackVersioned(NULL, &exported);
  exported->manager_ctx = &releases;
  exported->deleter(exported);
  if (wrong) exported->deleter(exported);
}

// --- Runtimes that are at fault ------------------------------------------------------------------

__attribute__((noinline)) static void dlpack_read_only_lost(bool wrong)
{
  int releases = 0;
  DLManagedTensorVersioned tensor = managed(&releases), *exported = NULL;
  TVMFFIObjectHandle imported = NULL;
  choose_runtime(wrong);
  tensor.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  wrong_api.TensorFromDLPackVersioned(&tensor, 0, 0, &imported);
  wrong_api.TensorToDLPackVersioned(imported, &exported);
}

static int allocate_nothing(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                            void (*set_error)(void *context, const char *kind, const char *message))
{
  (void)prototype, (void)out, (void)context, (void)set_error;
  return -1;
}

__attribute__((noinline)) static void allocator_original(bool wrong)
{
  DLPackManagedTensorAllocator original = NULL;
  choose_runtime(wrong);
  wrong_api.EnvSetDLPackManagedTensorAllocator(allocate_nothing, 0, &original);
  wrong_api.EnvSetDLPackManagedTensorAllocator(NULL, 0, &original);
}

// An object of a type that the first runtime has an index for.
__attribute__((noinline)) static void runtimes_mixed(bool wrong)
{
  TVMFFIByteArray key = {"trace.Mixed", 11};
  static TVMFFIObject object = {.combined_ref_count = UINT64_C(0x100000001), .deleter = keep};
  object.type_index = api.TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  choose_runtime(false);
  TVMFFIObjectHandle function = make(take_anything);
  TVMFFIAny argument = {.type_index = object.type_index, .v_obj = &object}, result = {0};
  (void)!api.FunctionCall(function, &argument, 1, &result);
  if (wrong) (void)!wrong_api.FunctionCall(function, &argument, 1, &result);
  api.ObjectDecRef(function);
}

// Others refuse to raise what is no error; this one keeps it.
static int call_raised_no_error_code(void *self, const TVMFFIAny *args, int32_t num_args,
                                     TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  if (!wrong_now) return fail(-1);
  wrong_api.ErrorSetRaised(&static_object);
  return -1;
}

static void call_raised_no_error(bool wrong)
{
  TVMFFIObjectHandle function = make(call_raised_no_error_code), raised = NULL;
  TVMFFIAny result = {0};
  choose_runtime(false);
  wrong_now = wrong;
  (void)!api.FunctionCall(function, NULL, 0, &result);
  wrong_api.ErrorMoveFromRaised(&raised);
  forget_error();
  api.ObjectDecRef(function);
}

// It looks like a function, but for the type index.
__attribute__((noinline)) static void call_no_function(bool wrong)
{
  static struct {
    TVMFFIObject header;
    TVMFFIFunctionCell cell;
  } object = {{.combined_ref_count = UINT64_C(0x100000001)}, {.safe_call = take_anything}};
  TVMFFIAny result = {0};
  choose_runtime(false);
  object.header.type_index = wrong ? kTVMFFIObject : kTVMFFIFunction;
  (void)!wrong_api.FunctionCall(&object, NULL, 0, &result);
}

// --- Errors --------------------------------------------------------------------------------------

__attribute__((noinline)) static void error_raised_no_error(bool wrong)
{
  static TVMFFIObject object = {.combined_ref_count = UINT64_C(0x100000001),
                                .type_index = kTVMFFIObject};
  if (wrong)
    api.ErrorSetRaised(&object);
  else
    fail(-1);
  forget_error();
}

// Runtimes crash on a kind that is NULL; this one does not look at it.
__attribute__((noinline)) static void error_raised_null_text(bool wrong)
{
  choose_runtime(false);
  wrong_api.ErrorSetRaisedFromCStr("ValueError", wrong ? NULL : "planned");
}

__attribute__((noinline)) static void error_raised_cell(bool wrong)
{
  static struct {
    TVMFFIObject header;
    TVMFFIErrorCell cell;
  } error = {{.combined_ref_count = UINT64_C(0x100000001), .type_index = kTVMFFIError},
             {.kind = {NULL, 0}}};
  error.cell.kind = (TVMFFIByteArray){"ValueError", 10};
  error.cell.message = (TVMFFIByteArray){"planned", 7};
  error.cell.cause_chain = wrong ? (void *)(uintptr_t)0x1238 : NULL;
  (void)!api.ObjectIncRef(&error.header);
  api.ErrorSetRaised(&error.header);
  TVMFFIObjectHandle moved = NULL;
  api.ErrorMoveFromRaised(&moved);
  error.cell.cause_chain = NULL;
}

__attribute__((noinline)) static void error_overwritten(bool wrong)
{
  fail(-1);
  if (!wrong) forget_error();
  fail(-1);
  forget_error();
}

static int fail_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return fail(-1);
}

static void *fetch_elsewhere(void *unused)
{
  TVMFFIObjectHandle error = NULL;
  api.ErrorMoveFromRaised(&error);
  return unused;
}

__attribute__((noinline)) static void error_fetched_elsewhere(bool wrong)
{
  pthread_t thread;
  TVMFFIObjectHandle function = make(fail_code);
  TVMFFIAny result = {0};
  (void)!api.FunctionCall(function, NULL, 0, &result);
  if (wrong && pthread_create(&thread, NULL, fetch_elsewhere, NULL) == 0)
    pthread_join(thread, NULL);
  forget_error();
  api.ObjectDecRef(function);
}

// --- Registration --------------------------------------------------------------------------------

__attribute__((noinline)) static void name_registered_twice(bool wrong)
{
  TVMFFIByteArray name = {"trace.twice", 11};
  TVMFFIObjectHandle function = make(take_anything);
  (void)!api.FunctionSetGlobal(&name, function, 0);
  if (api.FunctionSetGlobal(&name, function, !wrong) != 0) forget_error();
  api.ObjectDecRef(function);
}

__attribute__((noinline)) static void attribute_registered_twice(bool wrong)
{
  TVMFFIByteArray key = {"trace.Attributes", 16}, name = {"trace.attribute", 15},
                  other = {"trace.other", 11};
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = 1};
  int32_t type = api.TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  (void)!api.TypeRegisterAttr(type, &name, &value);
  if (api.TypeRegisterAttr(type, wrong ? &name : &other, &value) != 0) forget_error();
}

__attribute__((noinline)) static void type_key_conflict(bool wrong)
{
  TVMFFIByteArray key = {"trace.Conflict", 14}, parent_key = {"trace.Parent", 12};
  int32_t parent = api.TypeGetOrAllocIndex(&parent_key, -1, 1, 0, 1, kTVMFFIObject);
  api.TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  api.TypeGetOrAllocIndex(&key, -1, wrong ? 2 : 1, 0, 1, wrong ? parent : kTVMFFIObject);
}

__attribute__((noinline)) static void type_index_unknown(bool wrong)
{
  volatile int32_t index = wrong ? 1 << 20 : kTVMFFIObject;
  (void)!api.GetTypeInfo(index);
}

// --- Environment and modules ---------------------------------------------------------------------

RESULT(stream_not_restored, TVMFFIStreamHandle before = NULL;
       (void)!api.EnvSetStream(kDLCUDA, 1, (char *)before + 0x10, &before);
       if (!wrong)(void) !api.EnvSetStream(kDLCUDA, 1, before, NULL); return 0)

static void *open_module(void)
{
  static void *module;
  if (!module) module = open_library(TRACE_MODULE);
  return module;
}

__attribute__((noinline)) static void stream_not_asked(bool wrong)
{
  void *module = open_module();
  TVMFFISafeCallType kernel = NULL;
  *(void **)&kernel = dlsym(module, "__tvm_ffi_kernel");
  TVMFFIStreamHandle (**stream)(int32_t, int32_t) = dlsym(module, "trace_module_stream");
  *stream = wrong ? NULL : api.EnvGetStream;
  DLTensor tensor = right_tensor();
  tensor.device = (DLDevice){kDLCUDA, 0};
  TVMFFIAny argument = {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &tensor}, result = {0};
  (void)!kernel(NULL, &argument, 1, &result);
}

__attribute__((noinline)) static void device_negative(bool wrong)
{
  api.EnvGetStream(kDLCUDA, wrong ? -1 : 0);
}

static void *slot;

static int give_handle(void **result)
{
  *result = &slot;
  return 0;
}

__attribute__((noinline)) static int reentering(void **result)
{
  if (api.HandleInitOnce(&slot, give_handle) != 0) forget_error();
  return give_handle(result);
}

static int gives_nothing(void **result)
{
  *result = NULL;
  return 0;
}

static int fails_silently(void **result)
{
  (void)result;
  return -1;
}

static void init(int (*function)(void **result))
{
  slot = NULL;
  if (api.HandleInitOnce(&slot, function) != 0) forget_error();
}

static void once_reentered(bool wrong)
{
  init(wrong ? reentering : give_handle);
}

static void once_without_handle(bool wrong)
{
  init(wrong ? gives_nothing : give_handle);
}

static void once_failed_without_error(bool wrong)
{
  init(wrong ? fails_silently : give_handle);
}

__attribute__((noinline)) static void module_context_null(bool wrong)
{
  TVMFFIObjectHandle function = NULL;
  if (!wrong) return;
  if (api.EnvModLookupFromImports(NULL, "name", &function) != 0) forget_error();
}

// --- Lifetime ------------------------------------------------------------------------------------

__attribute__((noinline)) static void object_retained_dead(bool wrong)
{
  TVMFFIObject object = {.combined_ref_count = (UINT64_C(2) << 32) + (wrong ? 0 : 1),
                         .type_index = kTVMFFIObject};
  (void)!api.ObjectIncRef(&object);
}

__attribute__((noinline)) static void object_released_dead(bool wrong)
{
  TVMFFIObject object = {.combined_ref_count = (UINT64_C(2) << 32) + (wrong ? 0 : 2),
                         .type_index = kTVMFFIObject};
  (void)!api.ObjectDecRef(&object);
}

__attribute__((noinline)) static void object_deleter_early(bool wrong)
{
  TVMFFIObject *function = make(take_anything);
  (void)!api.ObjectIncRef(function);
  __atomic_fetch_sub(&function->combined_ref_count, wrong ? 1 : 2, __ATOMIC_ACQ_REL);
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

__attribute__((noinline)) static void conversion_output_holds_object(bool wrong)
{
  TVMFFIAny view = {.type_index = kTVMFFIInt}, out = {0};
  if (wrong) give_object(&out, kTVMFFIObject, &static_object);
  (void)!api.AnyViewToOwnedAny(&view, &out);
}

static TVMFFIObject new_object(uint64_t count, void (*deleter)(void *self, int flags))
{
  return (TVMFFIObject){
      .combined_ref_count = count, .type_index = kTVMFFIObject, .deleter = deleter};
}

enum { ONE_STRONG = 1 };
#define ONE_WEAK (UINT64_C(1) << 32)

// The layer follows it from here on.
static void show(TVMFFIObject *object)
{
  (void)!api.ObjectIncRef(object);
}

__attribute__((noinline)) static void object_deleter_twice(bool wrong)
{
  TVMFFIObject object = new_object(2 * ONE_WEAK, keep);
  object.combined_ref_count += ONE_STRONG;
  show(&object);
  object.combined_ref_count = 2 * ONE_WEAK;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (wrong) object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.combined_ref_count = 0;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

__attribute__((noinline)) static void object_deleter_flags(bool wrong)
{
  TVMFFIObject object = new_object(2 * ONE_WEAK + ONE_STRONG, keep);
  show(&object);
  object.combined_ref_count = 2 * ONE_WEAK;
  if (!wrong) object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

static void bad_deleter(void *self, int flags)
{
  TVMFFIObject *object = self;
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) object->combined_ref_count = UINT64_C(5);
}

__attribute__((noinline)) static void object_deleter_header(bool wrong)
{
  TVMFFIObject object = new_object(2 * ONE_WEAK + ONE_STRONG, wrong ? bad_deleter : keep);
  show(&object);
  object.combined_ref_count = 2 * ONE_WEAK;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.combined_ref_count = 0;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

__attribute__((noinline)) static void object_count_overflow(bool wrong)
{
  TVMFFIObject object = new_object(ONE_WEAK + UINT32_MAX - !wrong, NULL);
  (void)!api.ObjectIncRef(&object);
}

static void forget_handle(void *handle)
{
  (void)handle;
}

__attribute__((noinline)) static void object_opaque_index(bool wrong)
{
  TVMFFIObjectHandle object = NULL;
  int32_t type = wrong ? kTVMFFIObject : kTVMFFIOpaquePyObject;
  if (api.ObjectCreateOpaque(NULL, type, forget_handle, &object) == 0)
    api.ObjectDecRef(object);
  else
    forget_error();
}

__attribute__((noinline)) static void library_closed_early(bool wrong)
{
  static TVMFFIObject object;
  void *module = open_library(TRACE_MODULE_TOO);
  void (*deleter)(void *self, int flags) = NULL;
  *(void **)&deleter = dlsym(module, "trace_module_deleter");
  object = new_object(ONE_WEAK + ONE_STRONG, deleter);
  show(&object);
  object.combined_ref_count = ONE_WEAK;
  if (!wrong) object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  dlclose(module);
}

__attribute__((noinline)) static void module_context_dead(bool wrong)
{
  static TVMFFIObject module = {.type_index = kTVMFFIModule};
  TVMFFIObjectHandle function = NULL;
  module.combined_ref_count = wrong ? ONE_WEAK : ONE_WEAK + ONE_STRONG;
  choose_runtime(false);
  (void)!wrong_api.EnvModLookupFromImports(&module, "name", &function);
}

// --- What the preset deep finds ------------------------------------------------------------------

RESULT(call_left_error, if (wrong) fail(0); return 0)

__attribute__((noinline)) static int call_argument_released_code(void *self, const TVMFFIAny *args,
                                                                 int32_t num_args,
                                                                 TVMFFIAny *result)
{
  (void)self, (void)num_args, (void)result;
  if (wrong_now) api.ObjectDecRef(args[0].v_obj);
  return 0;
}

static void call_argument_released(bool wrong)
{
  TVMFFIObjectHandle function = make(call_argument_released_code), passed = make(take_anything);
  TVMFFIAny argument = {.type_index = kTVMFFIFunction, .v_obj = passed}, result = {0};
  (void)!api.ObjectIncRef(passed);
  wrong_now = wrong;
  (void)!api.FunctionCall(function, &argument, 1, &result);
  if (!wrong) api.ObjectDecRef(passed);
  api.ObjectDecRef(passed);
  api.ObjectDecRef(function);
}

// Without the layer the memory of a function that was destroyed is that of another soon, so nothing
// is done there.
static bool is_kept(const TVMFFIObject *object)
{
  return object->combined_ref_count == ONE_WEAK;
}

static TVMFFIFunctionCell *cell_of(TVMFFIObject *function)
{
  return (TVMFFIFunctionCell *)(function + 1);
}

static TVMFFIObject *destroyed_function(void)
{
  TVMFFIObject *function = make(take_anything);
  api.ObjectDecRef(function);
  return function;
}

__attribute__((noinline)) static void object_called_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  TVMFFIAny result = {0};
  if (wrong && is_kept(function) && cell_of(function)->safe_call(function, NULL, 0, &result) != 0)
    forget_error();
}

__attribute__((noinline)) static void object_counted_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  if (wrong && is_kept(function)) function->combined_ref_count += ONE_STRONG;
}

__attribute__((noinline)) static void object_written_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  if (wrong && is_kept(function)) function->type_index = kTVMFFIObject;
}

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
