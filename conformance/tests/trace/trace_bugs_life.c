// SPDX-License-Identifier: Apache-2.0
// The mistakes around errors, registration, environment, modules and lifetime.
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/trace/trace_bugs.h"

// --- Errors --------------------------------------------------------------------------------------

__attribute__((noinline)) void error_raised_no_error(bool wrong)
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
__attribute__((noinline)) void error_raised_null_text(bool wrong)
{
  choose_runtime(false);
  wrong_api.ErrorSetRaisedFromCStr("ValueError", wrong ? NULL : "planned");
}

__attribute__((noinline)) void error_raised_null_kind(bool wrong)
{
  choose_runtime(false);
  wrong_api.ErrorSetRaisedFromCStr(wrong ? NULL : "ValueError", "planned");
}

// It is no object at all, which this runtime does not look at.
__attribute__((noinline)) void error_raised_no_object(bool wrong)
{
  TVMFFIObjectHandle error = wrong ? (void *)(uintptr_t)0x1230 : NULL;
  choose_runtime(false);
  if (error) wrong_api.ErrorSetRaised(error);
  wrong_api.ErrorMoveFromRaised(&error);
}

static struct {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
} own_error;

static void make_error(void *cause, void *context)
{
  own_error.header =
      (TVMFFIObject){.combined_ref_count = UINT64_C(0x100000001), .type_index = kTVMFFIError};
  own_error.cell = (TVMFFIErrorCell){.kind = {"ValueError", 10},
                                     .message = {"planned", 7},
                                     .cause_chain = cause,
                                     .extra_context = context};
  (void)!api.ObjectIncRef(&own_error.header);
}

static void take_error(void)
{
  TVMFFIObjectHandle moved = NULL;
  api.ErrorMoveFromRaised(&moved);
  own_error.cell.cause_chain = own_error.cell.extra_context = NULL;
}

__attribute__((noinline)) void error_raised_cell(bool wrong)
{
  make_error(wrong ? (void *)(uintptr_t)0x1238 : NULL, NULL);
  api.ErrorSetRaised(&own_error.header);
  take_error();
}

__attribute__((noinline)) void error_raised_context(bool wrong)
{
  make_error(NULL, wrong ? (void *)(uintptr_t)0x1238 : NULL);
  api.ErrorSetRaised(&own_error.header);
  take_error();
}

__attribute__((noinline)) void error_overwritten(bool wrong)
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

__attribute__((noinline)) void error_fetched_elsewhere(bool wrong)
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

__attribute__((noinline)) void name_registered_twice(bool wrong)
{
  TVMFFIByteArray name = {"trace.twice", 11};
  TVMFFIObjectHandle function = make(take_anything);
  (void)!api.FunctionSetGlobal(&name, function, 0);
  if (api.FunctionSetGlobal(&name, function, !wrong) != 0) forget_error();
  api.ObjectDecRef(function);
}

__attribute__((noinline)) void attribute_registered_twice(bool wrong)
{
  TVMFFIByteArray key = {"trace.Attributes", 16}, name = {"trace.attribute", 15},
                  other = {"trace.other", 11};
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = 1};
  int32_t type = api.TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  (void)!api.TypeRegisterAttr(type, &name, &value);
  if (api.TypeRegisterAttr(type, wrong ? &name : &other, &value) != 0) forget_error();
}

__attribute__((noinline)) void type_key_conflict(bool wrong)
{
  TVMFFIByteArray key = {"trace.Conflict", 14}, parent_key = {"trace.Parent", 12};
  int32_t parent = api.TypeGetOrAllocIndex(&parent_key, -1, 1, 0, 1, kTVMFFIObject);
  api.TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  api.TypeGetOrAllocIndex(&key, -1, wrong ? 2 : 1, 0, 1, wrong ? parent : kTVMFFIObject);
}

__attribute__((noinline)) void type_index_unknown(bool wrong)
{
  volatile int32_t index = wrong ? 1 << 20 : kTVMFFIObject;
  (void)!api.GetTypeInfo(index);
}

__attribute__((noinline)) void type_index_negative(bool wrong)
{
  volatile int32_t index = wrong ? -1 : kTVMFFIObject;
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

__attribute__((noinline)) void stream_not_asked(bool wrong)
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

__attribute__((noinline)) void device_negative(bool wrong)
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

// Of a slot that is filled a runtime has nothing to do.
static void *other_slot;

__attribute__((noinline)) static int nesting(void **result)
{
  if (api.HandleInitOnce(&other_slot, give_handle) != 0) forget_error();
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

void once_reentered(bool wrong)
{
  init(wrong ? reentering : give_handle);
}

void once_nested(bool wrong)
{
  other_slot = wrong ? NULL : &slot;
  init(nesting);
}

void once_without_handle(bool wrong)
{
  init(wrong ? gives_nothing : give_handle);
}

void once_failed_without_error(bool wrong)
{
  init(wrong ? fails_silently : give_handle);
}

__attribute__((noinline)) static void look_up_again(void)
{
  static int depth;
  TVMFFIObjectHandle function = NULL;
  if (depth++ == 0) (void)!wrong_api.EnvModLookupFromImports(&slot, "inner", &function);
  --depth;
}

// One after the other is right.
__attribute__((noinline)) void lookup_nested(bool wrong)
{
  TVMFFIObjectHandle function = NULL;
  choose_runtime(false);
  void (**on_lookup)(void) = dlsym(open_library(TRACE_RUNTIME), "trace_runtime_on_lookup");
  *on_lookup = wrong ? look_up_again : NULL;
  (void)!wrong_api.EnvModLookupFromImports(&slot, "outer", &function);
  (void)!wrong_api.EnvModLookupFromImports(&slot, "next", &function);
  *on_lookup = NULL;
}

__attribute__((noinline)) void module_context_null(bool wrong)
{
  TVMFFIObjectHandle function = NULL;
  if (!wrong) return;
  if (api.EnvModLookupFromImports(NULL, "name", &function) != 0) forget_error();
}

// --- Lifetime ------------------------------------------------------------------------------------

__attribute__((noinline)) void object_retained_dead(bool wrong)
{
  TVMFFIObject object = {.combined_ref_count = (UINT64_C(2) << 32) + (wrong ? 0 : 1),
                         .type_index = kTVMFFIObject};
  (void)!api.ObjectIncRef(&object);
}

__attribute__((noinline)) void object_released_dead(bool wrong)
{
  TVMFFIObject object = {.combined_ref_count = (UINT64_C(2) << 32) + (wrong ? 0 : 2),
                         .type_index = kTVMFFIObject};
  (void)!api.ObjectDecRef(&object);
}

__attribute__((noinline)) void object_deleter_early(bool wrong)
{
  TVMFFIObject *function = make(take_anything);
  (void)!api.ObjectIncRef(function);
  __atomic_fetch_sub(&function->combined_ref_count, wrong ? 1 : 2, __ATOMIC_ACQ_REL);
  function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

__attribute__((noinline)) void conversion_output_holds_object(bool wrong)
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

__attribute__((noinline)) void object_deleter_twice(bool wrong)
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

__attribute__((noinline)) void object_deleter_flags(bool wrong)
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

__attribute__((noinline)) void object_deleter_header(bool wrong)
{
  TVMFFIObject object = new_object(2 * ONE_WEAK + ONE_STRONG, wrong ? bad_deleter : keep);
  show(&object);
  object.combined_ref_count = 2 * ONE_WEAK;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.combined_ref_count = 0;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

static void unmapping_deleter(void *self, int flags)
{
  (void)flags;
  munmap(self, 1);
}

__attribute__((noinline)) void object_deleter_unmaps(bool wrong)
{
  TVMFFIObject *object = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (object == MAP_FAILED) exit(1);
  *object = new_object(2 * ONE_WEAK + ONE_STRONG, wrong ? unmapping_deleter : keep);
  show(object);
  object->combined_ref_count = 2 * ONE_WEAK;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (wrong) return;
  object->combined_ref_count = 0;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  munmap(object, 1);
}

__attribute__((noinline)) void object_count_overflow(bool wrong)
{
  TVMFFIObject object = new_object(ONE_WEAK + UINT32_MAX - !wrong, NULL);
  (void)!api.ObjectIncRef(&object);
}

static void forget_handle(void *handle)
{
  (void)handle;
}

__attribute__((noinline)) void object_opaque_index(bool wrong)
{
  TVMFFIObjectHandle object = NULL;
  int32_t type = wrong ? kTVMFFIObject : kTVMFFIOpaquePyObject;
  if (api.ObjectCreateOpaque(NULL, type, forget_handle, &object) == 0)
    api.ObjectDecRef(object);
  else
    forget_error();
}

__attribute__((noinline)) void library_closed_early(bool wrong)
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

__attribute__((noinline)) void module_context_dead(bool wrong)
{
  static TVMFFIObject module = {.type_index = kTVMFFIModule};
  TVMFFIObjectHandle function = NULL;
  module.combined_ref_count = wrong ? ONE_WEAK : ONE_WEAK + ONE_STRONG;
  choose_runtime(false);
  (void)!wrong_api.EnvModLookupFromImports(&module, "name", &function);
}

void function_of_data(bool wrong)
{
  static TVMFFIObject module = {.combined_ref_count = ONE_WEAK + 1, .type_index = kTVMFFIModule};
  const TVMFFIByteArray name = {"ffi.ModuleGetFunction", 21};
  TVMFFIObjectHandle getter = NULL;
  choose_runtime(wrong);
  if (wrong_api.FunctionGetGlobal(&name, &getter) != 0) exit(74);
  TVMFFIAny args[] = {{.type_index = kTVMFFIModule, .v_obj = &module},
                      {.type_index = kTVMFFIRawStr, .v_c_str = "_library_ctx"},
                      {.type_index = kTVMFFIBool}},
            result = {0};
  (void)!wrong_api.FunctionCall(getter, args, 3, &result);
  choose_runtime(false);
}

void import_of_data(bool wrong)
{
  TVMFFIObjectHandle function = NULL;
  choose_runtime(wrong);
  (void)!wrong_api.EnvModLookupFromImports(&slot, "_library_bin", &function);
  choose_runtime(false);
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

void call_argument_released(bool wrong)
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

__attribute__((noinline)) void object_deleted_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  if (wrong && is_kept(function)) function->deleter(function, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

__attribute__((noinline)) void object_called_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  TVMFFIAny result = {0};
  if (wrong && is_kept(function) && cell_of(function)->safe_call(function, NULL, 0, &result) != 0)
    forget_error();
}

__attribute__((noinline)) void object_counted_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  if (wrong && is_kept(function)) function->combined_ref_count += ONE_STRONG;
}

__attribute__((noinline)) void object_written_dead(bool wrong)
{
  TVMFFIObject *function = destroyed_function();
  if (wrong && is_kept(function)) function->type_index = kTVMFFIObject;
}

// Each call of a function makes an object. A program may keep those of the first calls.
enum { KEPT_CALLS = 20, GROWTH_CALLS = 200 };
static int growth_round;

static bool is_to_release(bool wrong)
{
  return !wrong && growth_round >= KEPT_CALLS;
}

__attribute__((noinline)) static int objects_left_code(void *self, const TVMFFIAny *args,
                                                       int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  TVMFFIObjectHandle made = make(take_anything);
  if (is_to_release(wrong_now)) api.ObjectDecRef(made);
  return 0;
}

void objects_left(bool wrong)
{
  TVMFFIObjectHandle function = make(objects_left_code);
  wrong_now = wrong;
  for (growth_round = 0; growth_round < GROWTH_CALLS; ++growth_round) {
    TVMFFIAny result = {0};
    (void)!api.FunctionCall(function, NULL, 0, &result);
  }
  api.ObjectDecRef(function);
}

static int give_function(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  return give_object(result, kTVMFFIFunction, make(take_anything));
}

__attribute__((noinline)) void objects_kept(bool wrong)
{
  TVMFFIObjectHandle function = make(give_function);
  for (growth_round = 0; growth_round < GROWTH_CALLS; ++growth_round) {
    TVMFFIAny result = {0};
    (void)!api.FunctionCall(function, NULL, 0, &result);
    if (is_to_release(wrong)) api.ObjectDecRef(result.v_obj);
  }
  api.ObjectDecRef(function);
}

__attribute__((noinline)) void error_never_released(bool wrong)
{
  enum { MANY = 20 };
  TVMFFIObjectHandle error;
  for (int i = 0; i < MANY; ++i) {
    error = NULL;
    fail(-1);
    api.ErrorMoveFromRaised(&error);
    if (error && !wrong) api.ObjectDecRef(error);
  }
}

// A function that is dropped by a registration, which has another thread register something.
static const TVMFFIByteArray first_name = {"trace.first", 11}, second_name = {"trace.second", 12};

static void *register_second(void *unused)
{
  TVMFFIObjectHandle function = make(take_anything);
  api.FunctionSetGlobal(&second_name, function, 1);
  api.ObjectDecRef(function);
  return unused;
}

static void in_another_thread(void *wrong)
{
  pthread_t thread;
  if (wrong && pthread_create(&thread, NULL, register_second, NULL) == 0)
    pthread_join(thread, NULL);
}

void registration_overlaps(bool wrong)
{
  TVMFFIObjectHandle dropped = NULL, function = make(take_anything);
  if (api.FunctionCreate(wrong ? function : NULL, take_anything, in_another_thread, &dropped) != 0)
    exit(71);
  api.FunctionSetGlobal(&first_name, dropped, 1);
  api.ObjectDecRef(dropped);
  api.FunctionSetGlobal(&first_name, function, 1);
  api.ObjectDecRef(function);
}
