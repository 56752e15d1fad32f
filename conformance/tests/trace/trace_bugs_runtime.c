// SPDX-License-Identifier: Apache-2.0
// The mistakes around tensors, and those of runtimes.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace/trace_bugs.h"

// --- Tensors -------------------------------------------------------------------------------------

static float elements[8];
static int64_t extents[2] = {2, 4}, strides[2] = {4, 1}, negative[2] = {2, -4},
               huge[2] = {INT64_MAX, 4};

DLTensor right_tensor(void)
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

void keep(void *self, int flags)
{
  (void)self, (void)flags;
}

// A tensor object, which is looked at when it is first seen.
__attribute__((noinline)) void tensor_object_strides(bool wrong)
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

AbiApi wrong_api;

void choose_runtime(bool wrong)
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

__attribute__((noinline)) void dlpack_version(bool wrong)
{
  int releases = 0;
  DLManagedTensorVersioned tensor = managed(&releases);
  TVMFFIObjectHandle imported = NULL;
  if (wrong) tensor.version.major = 2;
  if (api.TensorFromDLPackVersioned(&tensor, 0, 0, &imported) == 0) api.ObjectDecRef(imported);
  forget_error();
}

__attribute__((noinline)) void dlpack_released_by_importer(bool wrong)
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
__attribute__((noinline)) void dlpack_released_twice(bool wrong)
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

__attribute__((noinline)) void dlpack_read_only_lost(bool wrong)
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

__attribute__((noinline)) void allocator_original(bool wrong)
{
  DLPackManagedTensorAllocator original = NULL;
  choose_runtime(wrong);
  wrong_api.EnvSetDLPackManagedTensorAllocator(allocate_nothing, 0, &original);
  wrong_api.EnvSetDLPackManagedTensorAllocator(NULL, 0, &original);
}

// --- Closures of such a runtime ------------------------------------------------------------------

enum { CLOSE_ONCE, CLOSE_NEVER, CLOSE_TWICE, CLOSE_ALIVE, CLOSE_AT_ONCE };

static void count_end(void *self)
{
  ++*(int *)self;
}

static void set_closing(int way)
{
  *(int *)dlsym(open_library(TRACE_RUNTIME), "trace_runtime_closes") = way;
}

static TVMFFIObject *make_closure(int way, int *ends)
{
  TVMFFIObjectHandle function = NULL;
  choose_runtime(false);
  set_closing(way);
  if (wrong_api.FunctionCreate(ends, take_anything, count_end, &function) != 0) exit(72);
  return function;
}

// Whoever drops the last reference in place calls the deleter in the header.
static void destroy_closure(TVMFFIObject *function)
{
  function->combined_ref_count = UINT64_C(1) << 32;
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

// Two of them have the same data, which one of them closes.
__attribute__((noinline)) void closure_deleter_skipped(bool wrong)
{
  static int ends;
  TVMFFIObject *other = make_closure(CLOSE_ONCE, &ends);
  destroy_closure(make_closure(wrong ? CLOSE_NEVER : CLOSE_ONCE, &ends));
  destroy_closure(other);
}

// Apart: a weak reference is left after the last strong one.
__attribute__((noinline)) void closure_deleter_twice(bool wrong)
{
  static int ends;
  TVMFFIObject *function = make_closure(wrong ? CLOSE_TWICE : CLOSE_ONCE, &ends);
  function->combined_ref_count = UINT64_C(2) << 32;
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskStrong);
  function->combined_ref_count = 0;
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

__attribute__((noinline)) void closure_deleter_early(bool wrong)
{
  static int ends;
  TVMFFIObject *function = make_closure(wrong ? CLOSE_ALIVE : CLOSE_ONCE, &ends);
  TVMFFIAny result = {0};
  (void)!wrong_api.FunctionCall(function, NULL, 0, &result);
  set_closing(CLOSE_ONCE);
  if (!wrong) destroy_closure(function);
}

__attribute__((noinline)) void closure_deleter_at_once(bool wrong)
{
  static int ends;
  TVMFFIObject *function = make_closure(wrong ? CLOSE_AT_ONCE : CLOSE_ONCE, &ends);
  if (!wrong) destroy_closure(function);
}

// The runtime calls its deleter again, and is not to blame.
__attribute__((noinline)) void closure_destroyed_twice(bool wrong)
{
  static int ends;
  TVMFFIObject *function = make_closure(CLOSE_ONCE, &ends);
  function->combined_ref_count = UINT64_C(2) << 32;
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (wrong) function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskStrong);
  function->combined_ref_count = 0;
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

// An object of a type that the first runtime has an index for.
__attribute__((noinline)) void runtimes_mixed(bool wrong)
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

void call_raised_no_error(bool wrong)
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
__attribute__((noinline)) void call_no_function(bool wrong)
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
