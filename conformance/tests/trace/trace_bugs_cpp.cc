// SPDX-License-Identifier: Apache-2.0
// Mistakes of trace_bugs.def that a program in C++ can make, each with a right twin.
//
//   trace_bugs_cpp RUNTIME.so FAULTY.so MODULE.so wrong|right|names
//
// FAULTY is trace_runtime.c, a runtime that is at fault or lets mistakes pass; MODULE is trace_module.c.
//
// The functions that make them have the names of the table; a callee is a lambda in one of them.
#include <dlfcn.h>
#include <pthread.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include <cstdio>
#include <cstring>

namespace
{

void *runtime, *faulty;
const char *module_path;
bool wrong;  // whether mistakes are made
constexpr uint64_t ONE_WEAK = uint64_t{1} << 32;

#define OF(library, name) reinterpret_cast<decltype(&TVMFFI##name)>(dlsym(library, "TVMFFI" #name))
#define API(name) OF(runtime, name)
#define FAULTY(name) OF(faulty, name)

void set_faulty(bool is_wrong)
{
  *static_cast<bool *>(dlsym(faulty, "trace_runtime_wrong")) = is_wrong;
}

struct Bug {
  const char *name;
  void (*make)();
  Bug *next;
};
Bug *first_bug, **last_bug = &first_bug;

struct Planted : Bug {
  Planted(const char *of, void (*code)()) : Bug{of, code, nullptr}
  {
    *last_bug = this;
    last_bug = &next;
  }
};

#define BUG(name)                      \
  void name();                         \
  Planted planted_##name{#name, name}; \
  __attribute__((noinline, noclone)) void name()

void forget_error()
{
  TVMFFIObjectHandle error = nullptr;
  API(ErrorMoveFromRaised)(&error);
  if (error) API(ObjectDecRef)(error);
}

int fail(int code = -1)
{
  API(ErrorSetRaisedFromCStr)("ValueError", "as planned");
  return code;
}

int take_anything(void *, const TVMFFIAny *, int32_t, TVMFFIAny *)
{
  return 0;
}

// A function object, released at the end.
struct Function {
  TVMFFIObjectHandle handle = nullptr;
  explicit Function(TVMFFISafeCallType code = take_anything)
  {
    API(FunctionCreate)(nullptr, code, nullptr, &handle);
  }
  Function(const Function &) = delete;
  Function &operator=(const Function &) = delete;
  ~Function()
  {
    API(ObjectDecRef)(handle);
  }
  TVMFFIObject *object() const
  {
    return static_cast<TVMFFIObject *>(handle);
  }
};

TVMFFIAny value(int32_t type, int64_t payload = 0, uint32_t padding = 0)
{
  TVMFFIAny made{};
  made.type_index = type;
  made.zero_padding = padding;
  made.v_int64 = payload;
  return made;
}

TVMFFIAny pointing(int32_t type, const void *to)
{
  return value(type, reinterpret_cast<intptr_t>(to));
}

TVMFFIObject object_of(uint64_t count, int32_t type = kTVMFFIObject,
                       void (*deleter)(void *, int) = nullptr)
{
  TVMFFIObject made{};
  made.combined_ref_count = count;
  made.type_index = type;
  made.deleter = deleter;
  return made;
}

void keep(void *, int)
{
}

TVMFFIObject living = object_of(ONE_WEAK + 1, kTVMFFIObject, keep), dead = object_of(ONE_WEAK);
TVMFFIByteArray text = {"bytes", 5}, no_text = {nullptr, 5};

// --- Arguments: the place of the call is that of the mistake, so it is made there --------------------

#define ARGUMENT(name, ...)                                           \
  BUG(name)                                                           \
  {                                                                   \
    Function function;                                                \
    TVMFFIAny argument, result{};                                     \
    __VA_ARGS__;                                                      \
    (void)!API(FunctionCall)(function.handle, &argument, 1, &result); \
  }

ARGUMENT(argument_padding, argument = value(kTVMFFIInt, 1, wrong ? 7 : 0))
ARGUMENT(argument_small_length, argument = value(kTVMFFISmallStr, 0, wrong ? 8 : 7))
ARGUMENT(argument_unused_bytes, argument = value(kTVMFFISmallBytes, 0, 2);
         memcpy(argument.v_bytes, wrong ? "hi x" : "hi\0\0", 4))
ARGUMENT(argument_dtype_tail, argument = value(kTVMFFIDataType, wrong ? int64_t{1} << 40 : 0x12002))
ARGUMENT(argument_none_payload, argument = value(kTVMFFINone, wrong))
ARGUMENT(argument_bool, argument = value(kTVMFFIBool, wrong ? 2 : 1))
ARGUMENT(argument_type_index, argument = value(wrong ? 40 : kTVMFFIFloat))
ARGUMENT(argument_null_object,
         argument = pointing(kTVMFFIFunction, wrong ? nullptr : function.handle))
ARGUMENT(argument_no_object,
         argument = pointing(kTVMFFIFunction,
                             wrong ? reinterpret_cast<void *>(0x1230) : function.handle))
ARGUMENT(argument_dead_object, argument = pointing(kTVMFFIObject, wrong ? &dead : &living))
ARGUMENT(argument_index_differs,
         argument = pointing(wrong ? kTVMFFIObject : kTVMFFIFunction, function.handle))
ARGUMENT(argument_null_string, argument = pointing(kTVMFFIRawStr, wrong ? nullptr : "text"))
ARGUMENT(argument_null_bytes, argument = pointing(kTVMFFIByteArrayPtr, wrong ? &no_text : &text))
ARGUMENT(argument_rvalue_moved, TVMFFIObject *slot = wrong ? nullptr : function.object();
         argument = pointing(kTVMFFIObjectRValueRef, &slot))

// --- Results and codes: a lambda makes the mistake ------------------------------------------------------

#define CALLED(name, ...)                                                               \
  BUG(name)                                                                             \
  {                                                                                     \
    Function function([](void *, const TVMFFIAny *args, int32_t, TVMFFIAny *result) {   \
      (void)args, (void)result;                                                         \
      __VA_ARGS__;                                                                      \
    });                                                                                 \
    TVMFFIAny argument = value(kTVMFFIInt), result{};                                   \
    if (API(FunctionCall)(function.handle, &argument, 1, &result) != 0) forget_error(); \
  }
#define RESULT(name, bad, good) CALLED(name, *result = wrong ? bad : good; return 0)

RESULT(result_padding, value(kTVMFFIInt, 1, 9), value(kTVMFFIInt, 1))
RESULT(result_small_length, value(kTVMFFISmallStr, 0, 9), value(kTVMFFISmallStr))
RESULT(result_unused_bytes, value(kTVMFFIDataType, int64_t{1} << 32), value(kTVMFFIDataType))
RESULT(result_none_payload, value(kTVMFFINone, 5), value(kTVMFFINone))
RESULT(result_bool, value(kTVMFFIBool, 3), value(kTVMFFIBool, 1))
RESULT(result_type_index, value(50), value(kTVMFFIInt, 1))
RESULT(result_view, pointing(kTVMFFIRawStr, "view"), value(kTVMFFIInt, 1))
RESULT(result_null_object, value(kTVMFFIObject), value(kTVMFFINone))
RESULT(result_dead_object, pointing(kTVMFFIObject, &dead), pointing(kTVMFFIObject, &living))
RESULT(result_index_differs, pointing(kTVMFFIStr, &living), pointing(kTVMFFIObject, &living))
CALLED(call_code, return fail(wrong ? 5 : -1))

int check_signals()
{
  static int (*interrupted)() = [] { return -1; };
  static void (*release)(int) = [](int) {};
  API(EnvRegisterCAPI)("PyGILState_Ensure", reinterpret_cast<void *>(interrupted));
  API(EnvRegisterCAPI)("PyGILState_Release", reinterpret_cast<void *>(release));
  API(EnvRegisterCAPI)("PyErr_CheckSignals", reinterpret_cast<void *>(interrupted));
  return API(EnvCheckSignals)();
}

CALLED(call_code_signal, return wrong || check_signals() != 0 ? -2 : 0)
CALLED(call_failed_without_error, return wrong ? -1 : fail())
CALLED(call_failed_result_changed, if (wrong) *result = value(kTVMFFIInt, 1); return fail())
CALLED(call_arguments_written, const_cast<TVMFFIAny *>(args)->v_int64 += wrong; return 0)
CALLED(stream_not_restored, TVMFFIStreamHandle before = nullptr;
       (void)!API(EnvSetStream)(kDLCUDA, 1, &living, &before);
       if (!wrong)(void) !API(EnvSetStream)(kDLCUDA, 1, before, nullptr); return 0)

// --- Calls ------------------------------------------------------------------------------------------------

BUG(call_argument_count)
{
  Function function;
  TVMFFIAny result{};
  TVMFFIFunctionCell *cell = TVMFFIFunctionGetCellPtr(function.handle);
  (void)!cell->safe_call(function.handle, nullptr, wrong ? -1 : 0, &result);
}

#define CALL(name, before, pointer)                                 \
  BUG(name)                                                         \
  {                                                                 \
    Function function;                                              \
    TVMFFIAny result = before;                                      \
    (void)!API(FunctionCall)(function.handle, nullptr, 0, pointer); \
  }

CALL(call_null_result, value(kTVMFFINone), wrong ? nullptr : &result)
CALL(call_result_holds_object, wrong ? pointing(kTVMFFIObject, &living) : value(kTVMFFINone),
     &result)
CALL(call_result_dirty, value(kTVMFFINone, wrong ? 77 : 0), &result)

// --- Lifetime ---------------------------------------------------------------------------------------------

BUG(object_retained_dead)
{
  TVMFFIObject object = object_of(2 * ONE_WEAK + !wrong);
  (void)!API(ObjectIncRef)(&object);
}

BUG(object_released_dead)
{
  TVMFFIObject object = object_of(2 * ONE_WEAK + 2 * !wrong);
  (void)!API(ObjectDecRef)(&object);
}

BUG(object_deleter_early)
{
  TVMFFIObject *object = nullptr;
  API(FunctionCreate)(nullptr, take_anything, nullptr, reinterpret_cast<void **>(&object));
  if (!wrong) object->combined_ref_count -= 1;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

BUG(conversion_output_holds_object)
{
  TVMFFIAny view = value(kTVMFFIInt), out = wrong ? pointing(kTVMFFIObject, &living) : value(0);
  (void)!API(AnyViewToOwnedAny)(&view, &out);
}

// An object that the layer follows, when its last strong reference is gone.
struct Followed : TVMFFIObject {
  explicit Followed(void (*with)(void *, int) = keep)
      : TVMFFIObject(object_of(2 * ONE_WEAK + 1, kTVMFFIObject, with))
  {
    (void)!API(ObjectIncRef)(this);
    combined_ref_count = 2 * ONE_WEAK;
  }
};

BUG(object_deleter_twice)
{
  Followed object;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (wrong) object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.combined_ref_count = 0;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

BUG(object_deleter_flags)
{
  Followed object;
  if (!wrong) object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

BUG(object_deleter_header)
{
  Followed object([](void *self, int flags) {
    if (wrong && flags == kTVMFFIObjectDeleterFlagBitMaskStrong)
      static_cast<TVMFFIObject *>(self)->combined_ref_count = 5;
  });
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object.combined_ref_count = 0;
  object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

BUG(object_count_overflow)
{
  TVMFFIObject object = object_of(ONE_WEAK + UINT32_MAX - !wrong);
  (void)!API(ObjectIncRef)(&object);
}

BUG(object_opaque_index)
{
  TVMFFIObjectHandle object = nullptr;
  int32_t type = wrong ? kTVMFFIObject : kTVMFFIOpaquePyObject;
  if (API(ObjectCreateOpaque)(
          nullptr, type, [](void *) {}, &object) == 0)
    API(ObjectDecRef)(object);
  else
    forget_error();
}

// --- Errors and registration ----------------------------------------------------------------------------------

BUG(error_raised_no_error)
{
  if (wrong)
    API(ErrorSetRaised)(&living);
  else
    fail();
  forget_error();
}

BUG(error_raised_cell)
{
  static struct {
    TVMFFIObject header;
    TVMFFIErrorCell cell;
  } error;
  error.header = object_of(ONE_WEAK + 2, kTVMFFIError);
  error.cell.kind = error.cell.message = text;
  error.cell.cause_chain = wrong ? reinterpret_cast<void *>(0x1238) : nullptr;
  API(ErrorSetRaised)(&error.header);
  TVMFFIObjectHandle moved = nullptr;
  API(ErrorMoveFromRaised)(&moved);
  error.cell.cause_chain = nullptr;
}

BUG(error_overwritten)
{
  fail();
  if (!wrong) forget_error();
  fail();
  forget_error();
}

BUG(name_registered_twice)
{
  Function function;
  (void)!API(FunctionSetGlobal)(&text, function.handle, 0);
  if (API(FunctionSetGlobal)(&text, function.handle, !wrong) != 0) forget_error();
}

BUG(attribute_registered_twice)
{
  TVMFFIByteArray key = {"trace.Attributes", 16}, name = {"trace.attribute", 15},
                  other = {"other", 5};
  TVMFFIAny one = value(kTVMFFIInt, 1);
  int32_t type = API(TypeGetOrAllocIndex)(&key, -1, 1, 0, 1, kTVMFFIObject);
  (void)!API(TypeRegisterAttr)(type, &name, &one);
  if (API(TypeRegisterAttr)(type, wrong ? &name : &other, &one) != 0) forget_error();
}

BUG(type_key_conflict)
{
  TVMFFIByteArray key = {"trace.Conflict", 14}, parent_key = {"trace.Parent", 12};
  int32_t parent = API(TypeGetOrAllocIndex)(&parent_key, -1, 1, 0, 1, kTVMFFIObject);
  API(TypeGetOrAllocIndex)(&key, -1, 1, 0, 1, kTVMFFIObject);
  API(TypeGetOrAllocIndex)(&key, -1, wrong ? 2 : 1, 0, 1, wrong ? parent : kTVMFFIObject);
}

BUG(type_index_unknown)
{
  (void)!API(GetTypeInfo)(wrong ? 1 << 20 : kTVMFFIObject);
}

// --- Tensors, environment, modules --------------------------------------------------------------------------------

alignas(16) float elements[8];
int64_t extents[2] = {2, 4}, strides[2] = {4, 1}, negative[2] = {2, -4}, huge[2] = {INT64_MAX, 4};

DLTensor right_tensor()
{
  return DLTensor{elements, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, extents, strides, 0};
}

#define TENSOR(name, ...)                          \
  ARGUMENT(name, DLTensor tensor = right_tensor(); \
           argument = pointing(kTVMFFIDLTensorPtr, &tensor); __VA_ARGS__)

TENSOR(tensor_unmapped, if (wrong) argument.v_ptr = reinterpret_cast<void *>(0x2468))
TENSOR(tensor_rank, tensor.ndim = wrong ? -1 : 0)
TENSOR(tensor_extent, if (wrong) tensor.shape = negative)
TENSOR(tensor_null_strides, if (wrong) tensor.strides = nullptr)
TENSOR(tensor_size, if (wrong) tensor.shape = huge)
TENSOR(tensor_alignment, if (wrong) tensor.data = reinterpret_cast<char *>(elements) + 2)
TENSOR(tensor_byte_offset, if (wrong) tensor.byte_offset = 8)

struct Managed : DLManagedTensorVersioned {
  Managed() : DLManagedTensorVersioned{}
  {
    version = {1, 1};
    deleter = [](DLManagedTensorVersioned *) {};
    dl_tensor = right_tensor();
  }
};

BUG(dlpack_version)
{
  Managed tensor;
  TVMFFIObjectHandle imported = nullptr;
  if (wrong) tensor.version.major = 2;
  if (API(TensorFromDLPackVersioned)(&tensor, 0, 0, &imported) == 0) API(ObjectDecRef)(imported);
  forget_error();
}

BUG(dlpack_released_by_importer)
{
  Managed tensor;
  TVMFFIObjectHandle imported = nullptr;
  if (API(TensorFromDLPackVersioned)(&tensor, 0, 0, &imported) != 0) return;
  if (wrong) {
    tensor.deleter(&tensor);
    tensor.deleter = nullptr;
  }
  API(ObjectDecRef)(imported);
}

BUG(device_negative)
{
  API(EnvGetStream)(kDLCUDA, wrong ? -1 : 0);
}

void *slot;

int give_handle(void **result)
{
  *result = &slot;
  return 0;
}

void initialize(int (*with)(void **))
{
  slot = nullptr;
  if (API(HandleInitOnce)(&slot, with) != 0) forget_error();
}

BUG(once_reentered)
{
  initialize([](void **result) {
    if (wrong && API(HandleInitOnce)(&slot, give_handle) != 0) forget_error();
    return give_handle(result);
  });
}

BUG(once_nested)
{
  static void *other;
  other = wrong ? nullptr : &other;
  initialize([](void **result) {
    if (API(HandleInitOnce)(&other, give_handle) != 0) forget_error();
    return give_handle(result);
  });
}

BUG(once_without_handle)
{
  initialize([](void **result) { return wrong ? 0 : give_handle(result); });
}

BUG(once_failed_without_error)
{
  initialize([](void **result) { return wrong ? -1 : give_handle(result); });
}

BUG(module_context_null)
{
  TVMFFIObjectHandle function = nullptr;
  if (wrong && API(EnvModLookupFromImports)(nullptr, "name", &function) != 0) forget_error();
}

// --- What the preset deep finds -------------------------------------------------------------------------------

ARGUMENT(argument_unmapped,
         argument = pointing(kTVMFFIRawStr, wrong ? reinterpret_cast<void *>(0x2468) : "text"))
TENSOR(tensor_data_unmapped, if (wrong) tensor.data = reinterpret_cast<void *>(0x2468))
CALLED(call_left_error, if (wrong) fail(); return 0)

BUG(call_argument_released)
{
  Function passed, function([](void *, const TVMFFIAny *args, int32_t, TVMFFIAny *) {
    return wrong ? API(ObjectDecRef)(args[0].v_obj) : 0;
  });
  TVMFFIAny argument = pointing(kTVMFFIFunction, passed.handle), result{};
  (void)!API(ObjectIncRef)(passed.handle);
  (void)!API(FunctionCall)(function.handle, &argument, 1, &result);
  if (!wrong) API(ObjectDecRef)(passed.handle);
}

// What each of many calls makes, and nobody releases.
int make_function(void *, const TVMFFIAny *, int32_t, TVMFFIAny *result)
{
  TVMFFIObjectHandle made = nullptr;
  int code = API(FunctionCreate)(nullptr, take_anything, nullptr, &made);
  *result = pointing(kTVMFFIFunction, made);
  return code;
}

BUG(objects_left)
{
  Function function([](void *, const TVMFFIAny *, int32_t, TVMFFIAny *) {
    TVMFFIAny made{};
    int code = make_function(nullptr, nullptr, 0, &made);
    if (!wrong) API(ObjectDecRef)(made.v_obj);
    return code;
  });
  for (int i = 0; i < 100; ++i) {
    TVMFFIAny result{};
    (void)!API(FunctionCall)(function.handle, nullptr, 0, &result);
  }
}

BUG(objects_kept)
{
  Function function(make_function);
  for (int i = 0; i < 100; ++i) {
    TVMFFIAny result{};
    (void)!API(FunctionCall)(function.handle, nullptr, 0, &result);
    if (!wrong) API(ObjectDecRef)(result.v_obj);
  }
}

// A function that was destroyed, or null where its memory is not kept: there is no layer.
TVMFFIObject *destroyed()
{
  TVMFFIObject *object = Function().object();
  return wrong && object->combined_ref_count == ONE_WEAK ? object : nullptr;
}

BUG(object_called_dead)
{
  TVMFFIObject *object = destroyed();
  TVMFFIAny result{};
  if (object && TVMFFIFunctionGetCellPtr(object)->safe_call(object, nullptr, 0, &result) != 0)
    forget_error();
}

BUG(object_counted_dead)
{
  if (TVMFFIObject *object = destroyed()) object->combined_ref_count += 1;
}

BUG(object_written_dead)
{
  if (TVMFFIObject *object = destroyed()) object->type_index = kTVMFFIObject;
}

// --- Through a runtime that is at fault, or lets mistakes pass ------------------------------------------------

BUG(error_raised_null_text)
{
  FAULTY(ErrorSetRaisedFromCStr)("ValueError", wrong ? nullptr : "planned");
}

BUG(dlpack_read_only_lost)
{
  Managed tensor;
  DLManagedTensorVersioned *exported = nullptr;
  TVMFFIObjectHandle imported = nullptr;
  set_faulty(wrong);
  tensor.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  (void)!FAULTY(TensorFromDLPackVersioned)(&tensor, 0, 0, &imported);
  (void)!FAULTY(TensorToDLPackVersioned)(imported, &exported);
  set_faulty(false);
}

BUG(allocator_original)
{
  DLPackManagedTensorAllocator original = nullptr;
  auto nothing = [](DLTensor *, DLManagedTensorVersioned **, void *,
                    void (*)(void *, const char *, const char *)) { return -1; };
  set_faulty(wrong);
  (void)!FAULTY(EnvSetDLPackManagedTensorAllocator)(nothing, 0, &original);
  (void)!FAULTY(EnvSetDLPackManagedTensorAllocator)(nullptr, 0, &original);
  set_faulty(false);
}

// With 1, that runtime closes no function.
BUG(closure_deleter_skipped)
{
  int *closes = static_cast<int *>(dlsym(faulty, "trace_runtime_closes"));
  *closes = wrong ? 1 : 0;
  TVMFFIObject *object = nullptr;
  auto close = [](void *) {};
  if (FAULTY(FunctionCreate)(&text, take_anything, close, reinterpret_cast<void **>(&object)) != 0)
    return;
  object->combined_ref_count = ONE_WEAK;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  *closes = 0;
}

BUG(runtimes_mixed)
{
  static TVMFFIObject object = object_of(ONE_WEAK + 1, kTVMFFIObject, keep);
  TVMFFIByteArray key = {"trace.Mixed", 11};
  object.type_index = API(TypeGetOrAllocIndex)(&key, -1, 1, 0, 1, kTVMFFIObject);
  Function function;
  TVMFFIAny argument = pointing(object.type_index, &object), result{};
  (void)!API(FunctionCall)(function.handle, &argument, 1, &result);
  if (wrong) (void)!FAULTY(FunctionCall)(function.handle, &argument, 1, &result);
}

BUG(call_raised_no_error)
{
  Function function([](void *, const TVMFFIAny *, int32_t, TVMFFIAny *) {
    if (!wrong) return fail();
    FAULTY(ErrorSetRaised)(&living);
    return -1;
  });
  TVMFFIObjectHandle raised = nullptr;
  TVMFFIAny result{};
  (void)!API(FunctionCall)(function.handle, nullptr, 0, &result);
  FAULTY(ErrorMoveFromRaised)(&raised);
  forget_error();
}

BUG(call_no_function)
{
  static struct {
    TVMFFIObject header;
    TVMFFIFunctionCell cell;
  } object = {object_of(ONE_WEAK + 1), {take_anything, nullptr}};
  TVMFFIAny result{};
  object.header.type_index = wrong ? kTVMFFIObject : kTVMFFIFunction;
  (void)!FAULTY(FunctionCall)(&object, nullptr, 0, &result);
}

BUG(lookup_nested)
{
  static void (*again)() = [] {
    static int depth;
    TVMFFIObjectHandle function = nullptr;
    if (depth++ == 0) (void)!FAULTY(EnvModLookupFromImports)(&living, "inner", &function);
    --depth;
  };
  auto on_lookup = static_cast<void (**)()>(dlsym(faulty, "trace_runtime_on_lookup"));
  TVMFFIObjectHandle function = nullptr;
  *on_lookup = wrong ? again : nullptr;
  (void)!FAULTY(EnvModLookupFromImports)(&living, "outer", &function);
  (void)!FAULTY(EnvModLookupFromImports)(&living, "next", &function);
  *on_lookup = nullptr;
}

BUG(function_of_data)
{
  static TVMFFIObject module = object_of(ONE_WEAK + 1, kTVMFFIModule);
  TVMFFIByteArray name = {"ffi.ModuleGetFunction", 21};
  TVMFFIObjectHandle getter = nullptr;
  TVMFFIAny result{}, args[] = {pointing(kTVMFFIModule, &module),
                                pointing(kTVMFFIRawStr, "_library_bin"), value(kTVMFFIBool)};
  set_faulty(wrong);
  (void)!FAULTY(FunctionGetGlobal)(&name, &getter);
  (void)!FAULTY(FunctionCall)(getter, args, 3, &result);
  set_faulty(false);
}

BUG(module_context_dead)
{
  static TVMFFIObject module = object_of(0, kTVMFFIModule);
  TVMFFIObjectHandle function = nullptr;
  module.combined_ref_count = wrong ? ONE_WEAK : ONE_WEAK + 1;
  (void)!FAULTY(EnvModLookupFromImports)(&module, "name", &function);
}

// --- Of modules -----------------------------------------------------------------------------------------------

BUG(stream_not_asked)
{
  void *module = dlopen(module_path, RTLD_NOW | RTLD_LOCAL);
  auto kernel = reinterpret_cast<TVMFFISafeCallType>(dlsym(module, "__tvm_ffi_kernel"));
  auto stream = static_cast<decltype(&TVMFFIEnvGetStream) *>(dlsym(module, "trace_module_stream"));
  *stream = wrong ? nullptr : API(EnvGetStream);
  DLTensor tensor = right_tensor();
  tensor.device = {kDLCUDA, 0};
  TVMFFIAny argument = pointing(kTVMFFIDLTensorPtr, &tensor), result{};
  (void)!kernel(nullptr, &argument, 1, &result);
  dlclose(module);
}

BUG(library_closed_early)
{
  static TVMFFIObject object;
  void *module = dlopen(module_path, RTLD_NOW | RTLD_LOCAL);
  auto deleter = reinterpret_cast<void (*)(void *, int)>(dlsym(module, "trace_module_deleter"));
  object = object_of(ONE_WEAK + 1, kTVMFFIObject, deleter);
  (void)!API(ObjectIncRef)(&object);
  object.combined_ref_count = ONE_WEAK;
  if (!wrong) object.deleter(&object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  dlclose(module);
}

BUG(error_never_released)
{
  for (int i = 0; i < 20; ++i) {
    TVMFFIObjectHandle error = nullptr;
    fail();
    API(ErrorMoveFromRaised)(&error);
    if (error && !wrong) API(ObjectDecRef)(error);
  }
}

// Last: they start threads. A function that is dropped by a registration has another thread register
// something.
BUG(registration_overlaps)
{
  static const TVMFFIByteArray first = {"trace.first", 11}, second = {"trace.second", 12};
  Function function;
  TVMFFIObjectHandle dropped = nullptr;
  auto register_second = [](void *unused) {
    Function mine;
    (void)!API(FunctionSetGlobal)(&second, mine.handle, 1);
    return unused;
  };
  static void *(*start)(void *) = register_second;
  auto on_end = [](void *is_wrong) {
    pthread_t thread;
    if (is_wrong && pthread_create(&thread, nullptr, start, nullptr) == 0)
      pthread_join(thread, nullptr);
  };
  if (API(FunctionCreate)(wrong ? function.handle : nullptr, take_anything, on_end, &dropped) != 0)
    return;
  (void)!API(FunctionSetGlobal)(&first, dropped, 1);
  API(ObjectDecRef)(dropped);
  (void)!API(FunctionSetGlobal)(&first, function.handle, 1);
}

BUG(error_fetched_elsewhere)
{
  Function function([](void *, const TVMFFIAny *, int32_t, TVMFFIAny *) { return fail(); });
  TVMFFIAny result{};
  (void)!API(FunctionCall)(function.handle, nullptr, 0, &result);
  auto fetch = [](void *unused) {
    TVMFFIObjectHandle error = nullptr;
    API(ErrorMoveFromRaised)(&error);
    return unused;
  };
  pthread_t thread;
  if (wrong && pthread_create(&thread, nullptr, fetch, nullptr) == 0) pthread_join(thread, nullptr);
  forget_error();
}

}  // namespace

int main(int argc, char **argv)
{
  if (argc != 5) return 64;
  runtime = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  faulty = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  module_path = argv[3];
  if (!runtime || !faulty) return 70;
  wrong = strcmp(argv[4], "wrong") == 0;
  bool names = strcmp(argv[4], "names") == 0;
  for (const Bug *bug = first_bug; bug; bug = bug->next)
    if (names)
      puts(bug->name);
    else
      bug->make();
  return 0;
}
