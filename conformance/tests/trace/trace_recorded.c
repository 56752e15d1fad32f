// SPDX-License-Identifier: Apache-2.0
// A program whose calls can all be replayed, or, with the word "pointer", all but one.
//
//   trace_recorded RUNTIME.so [pointer|crash|fork|own|two|MODULE.so]
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/abi.h"

static AbiApi api;

static void load(void *runtime)
{
  if (!runtime) exit(70);
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&api)[i] = dlsym(runtime, abi_functions[i].symbol);
}

static TVMFFIByteArray text(const char *content)
{
  return (TVMFFIByteArray){content, strlen(content)};
}

static void must(bool good)
{
  if (!good) abort();
}

static TVMFFIObjectHandle global(const char *name)
{
  TVMFFIByteArray bytes = text(name);
  TVMFFIObjectHandle function = NULL;
  must(api.FunctionGetGlobal(&bytes, &function) == 0 && function);
  return function;
}

static void drop(TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin) api.ObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){.type_index = kTVMFFINone};
}

static TVMFFIAny number(int64_t value)
{
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value};
}

// --- Functions of the program --------------------------------------------------------------------

// What it was called with and one more; of what is no number it complains.
static int add_one(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  if (num_args == 1 && args->type_index == kTVMFFIInt) {
    *result = number(args->v_int64 + 1);
    return 0;
  }
  api.ErrorSetRaisedFromCStr("TypeError", "takes a number");
  return -1;
}

static int double_all(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)result;
  must(num_args == 1 && args->type_index == kTVMFFITensor);
  const DLTensor *tensor = (const DLTensor *)(args->v_obj + 1);
  for (int64_t i = 0; i < tensor->shape[0]; ++i) ((float *)tensor->data)[i] *= 2;
  return 0;
}

static int take(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static TVMFFIObjectHandle function_of(TVMFFISafeCallType code)
{
  TVMFFIObjectHandle function = NULL;
  must(api.FunctionCreate(NULL, code, NULL, &function) == 0);
  return function;
}

// --- What is done --------------------------------------------------------------------------------

static void use_registry(void)
{
  TVMFFIByteArray name = text("recorded.add_one");
  TVMFFIObjectHandle mine = function_of(add_one), found;
  must(api.FunctionSetGlobal(&name, mine, 0) == 0);
  found = global("recorded.add_one");
  TVMFFIAny argument = number(41), result = {0};
  must(api.FunctionCall(found, &argument, 1, &result) == 0 && result.v_int64 == 42);
  argument = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "no number"};
  result = number(0);
  result.type_index = kTVMFFINone;
  must(api.FunctionCall(found, &argument, 1, &result) != 0);
  TVMFFIObjectHandle error = NULL;
  api.ErrorMoveFromRaised(&error);
  must(error);
  api.ObjectDecRef(error);
  api.ObjectDecRef(found);
  api.ObjectDecRef(mine);
}

// Asks for the number of registered functions, and for the first three names.
static void list_names(void)
{
  TVMFFIObjectHandle make = global("ffi.FunctionListGlobalNamesFunctor");
  TVMFFIAny list = {0}, name = {0}, argument;
  must(api.FunctionCall(make, NULL, 0, &list) == 0 && list.type_index == kTVMFFIFunction);
  for (int i = -1; i < 3; ++i) {
    argument = number(i);
    must(api.FunctionCall(list.v_obj, &argument, 1, &name) == 0);
    drop(&name);
  }
  drop(&list);
  api.ObjectDecRef(make);
}

static void use_values(void)
{
  TVMFFIByteArray bytes = text("a text of more than seven bytes"), type = text("float32x4");
  TVMFFIAny value = {0}, view = {.type_index = kTVMFFIRawStr, .v_c_str = "seen"}, printed = {0};
  DLDataType dtype;
  must(api.StringFromByteArray(&bytes, &value) == 0);
  drop(&value);
  must(api.AnyViewToOwnedAny(&view, &value) == 0);
  drop(&value);
  must(api.DataTypeFromString(&type, &dtype) == 0 && api.DataTypeToString(&dtype, &printed) == 0);
  drop(&printed);
}

static void use_containers(void)
{
  TVMFFIObjectHandle make = global("ffi.Array"), size = global("ffi.ArraySize");
  TVMFFIAny items[] = {number(1), {.type_index = kTVMFFIRawStr, .v_c_str = "two"}};
  TVMFFIAny array = {0}, result = {0};
  must(api.FunctionCall(make, items, 2, &array) == 0);
  must(api.FunctionCall(size, &array, 1, &result) == 0 && result.v_int64 == 2);
  drop(&array);
  api.ObjectDecRef(make);
  api.ObjectDecRef(size);
}

static void delete_tensor(DLManagedTensorVersioned *self)
{
  (void)self;
}

static void use_tensors(void)
{
  static float data[] = {1, 2, 3};
  static int64_t shape[] = {3}, strides[] = {1};
  static DLManagedTensorVersioned managed = {.version = {1, 0},
                                             .deleter = delete_tensor,
                                             .dl_tensor = {.data = data,
                                                           .device = {kDLCPU, 0},
                                                           .ndim = 1,
                                                           .dtype = {kDLFloat, 32, 1},
                                                           .shape = shape,
                                                           .strides = strides}};
  TVMFFIObjectHandle tensor = NULL, function = function_of(double_all);
  TVMFFIAny argument = {.type_index = kTVMFFITensor}, result = {0};
  must(api.TensorFromDLPackVersioned(&managed, 0, 0, &tensor) == 0);
  argument.v_obj = tensor;
  must(api.FunctionCall(function, &argument, 1, &result) == 0 && data[2] == 6);
  must(api.FunctionCall(function, &argument, 1, &result) == 0 && data[2] == 12);
  data[0] = 7;
  must(api.FunctionCall(function, &argument, 1, &result) == 0 && data[0] == 14);
  api.ObjectDecRef(tensor);
  api.ObjectDecRef(function);
}

// A function that calls itself through the runtime, so often.
enum { DEEP = 300 };

static int descend(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  must(num_args == 2 && args[0].type_index == kTVMFFIInt && args[1].type_index == kTVMFFIFunction);
  TVMFFIAny next[] = {number(args[0].v_int64 - 1), args[1]};
  if (args[0].v_int64 > 0) return api.FunctionCall(args[1].v_obj, next, 2, result);
  *result = number(7);
  return 0;
}

static void call_deeply(void)
{
  TVMFFIObjectHandle function = function_of(descend);
  TVMFFIAny args[] = {number(DEEP), {.type_index = kTVMFFIFunction, .v_obj = function}};
  TVMFFIAny result = {0};
  must(api.FunctionCall(function, args, 2, &result) == 0 && result.v_int64 == 7);
  api.ObjectDecRef(function);
}

static TVMFFIObjectHandle call_for_object(const char *name, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIObjectHandle function = global(name);
  TVMFFIAny result = {0};
  must(api.FunctionCall(function, args, num_args, &result) == 0 &&
       result.type_index >= kTVMFFIStaticObjectBegin);
  api.ObjectDecRef(function);
  return result.v_obj;
}

static TVMFFIObjectHandle tensor_of(float *data, int64_t *extent)
{
  static int64_t stride = 1;
  DLManagedTensorVersioned *managed = calloc(1, sizeof *managed);
  TVMFFIObjectHandle tensor = NULL;
  managed->version.major = 1;
  managed->deleter = delete_tensor;
  managed->dl_tensor = (DLTensor){.data = data,
                                  .device = {kDLCPU, 0},
                                  .ndim = 1,
                                  .dtype = {kDLFloat, 32, 1},
                                  .shape = extent,
                                  .strides = &stride};
  must(api.TensorFromDLPackVersioned(managed, 0, 0, &tensor) == 0);
  return tensor;
}

// A function that is called as C++ code does, past the C API.
static void call_as_cpp(TVMFFIAny *get_args)
{
  get_args[1].v_c_str = "native";
  TVMFFIObjectHandle make = call_for_object("ffi.ModuleGetFunction", get_args, 3);
  TVMFFIAny made = {0}, argument = number(41), result = {0};
  must(api.FunctionCall(make, NULL, 0, &made) == 0 && made.type_index == kTVMFFIFunction);
  const TVMFFIFunctionCell *cell = (const void *)(made.v_obj + 1);
  void (*cpp_call)(void *, const TVMFFIAny *, int32_t, TVMFFIAny *) =
      (void (*)(void *, const TVMFFIAny *, int32_t, TVMFFIAny *))(uintptr_t)cell->cpp_call;
  cpp_call(made.v_obj, &argument, 1, &result);
  must(result.v_int64 == 42);
  drop(&made);
  api.ObjectDecRef(make);
}

static void use_module(const char *path)
{
  static float in[4] = {1, 2, 3, 4}, out[4];
  static int64_t extents[] = {4, 3};
  TVMFFIAny load_args[] = {{.type_index = kTVMFFIRawStr, .v_c_str = path}};
  TVMFFIAny get_args[] = {{.type_index = kTVMFFIModule},
                          {.type_index = kTVMFFIRawStr, .v_c_str = "scale"},
                          {.type_index = kTVMFFIBool, .v_int64 = 0}};
  get_args[0].v_obj = call_for_object("ffi.ModuleLoadFromFile", load_args, 1);
  TVMFFIObjectHandle function = call_for_object("ffi.ModuleGetFunction", get_args, 3);
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny args[] = {{.type_index = kTVMFFITensor}, {.type_index = kTVMFFITensor}, number(3)};
    TVMFFIAny result = {0};
    args[0].v_obj = tensor_of(in, &extents[i]);
    args[1].v_obj = tensor_of(out, &extents[i]);
    must(api.FunctionCall(function, args, 3, &result) == 0 && out[2] == 9);
    out[2] = 0;
    api.ObjectDecRef(args[0].v_obj);
    api.ObjectDecRef(args[1].v_obj);
  }
  call_as_cpp(get_args);
  api.ObjectDecRef(function);
  api.ObjectDecRef(get_args[0].v_obj);
}

static void hand_over_pointer(void)
{
  TVMFFIObjectHandle function = function_of(take);
  TVMFFIAny argument = {.type_index = kTVMFFIOpaquePtr, .v_ptr = &api}, result = {0};
  must(api.FunctionCall(function, &argument, 1, &result) == 0);
  api.ObjectDecRef(function);
}

// A call that cannot be replayed changes a list, which is asked afterwards.
static void append_pointer(void)
{
  TVMFFIObjectHandle append = global("ffi.ListAppend"), size = global("ffi.ListSize");
  TVMFFIObjectHandle list = call_for_object("ffi.List", NULL, 0);
  TVMFFIAny args[] = {{.type_index = kTVMFFIList, .v_obj = list},
                      {.type_index = kTVMFFIOpaquePtr, .v_ptr = &api}};
  TVMFFIAny result = {0};
  must(api.FunctionCall(append, args, 2, &result) == 0);
  must(api.FunctionCall(size, args, 1, &result) == 0 && result.v_int64 == 1);
  api.ObjectDecRef(list);
  api.ObjectDecRef(size);
  api.ObjectDecRef(append);
}

// Reads and writes a field of an object whose type the runtime has.
static void use_field(void)
{
  static const TVMFFIByteArray key = {"ffi.reflection.AccessStep", 25};
  TVMFFIAny args[] = {{.type_index = kTVMFFIRawStr, .v_c_str = key.data},
                      {.type_index = kTVMFFIRawStr, .v_c_str = "kind"},
                      number(1),
                      {.type_index = kTVMFFIRawStr, .v_c_str = "key"},
                      number(5)};
  TVMFFIAny value = {0}, two = number(2);
  int32_t index;
  must(api.TypeKeyToIndex(&key, &index) == 0);
  const TVMFFIFieldInfo *kind = api.GetTypeInfo(index)->fields;
  TVMFFIObjectHandle step = call_for_object("ffi.MakeObjectFromPackedArgs", args, 5);
  void *place = (char *)step + kind->offset;
  must(kind->getter(place, &value) == 0 && value.v_int64 == 1);
  must(kind->setter && ((TVMFFIFieldSetter)(uintptr_t)kind->setter)(place, &two) == 0);
  must(kind->getter(place, &value) == 0 && value.v_int64 == 2);
  api.ObjectDecRef(step);
}

// What a runtime gives as it likes: a hash, and a text with an address, if the environment asks for one.
static void ask_for_what_is_own(void)
{
  TVMFFIAny argument = number(5), array = {0}, text = {0};
  TVMFFIAny hash_args[] = {number(5), {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  TVMFFIObjectHandle hash = global("ffi.StructuralHash"), make = global("ffi.Array");
  TVMFFIObjectHandle print = global("ffi.ReprPrint");
  must(api.FunctionCall(hash, hash_args, 3, &text) == 0);
  must(api.FunctionCall(make, &argument, 1, &array) == 0);
  text = (TVMFFIAny){0};
  setenv("TVM_FFI_REPR_WITH_ADDR", "1", 1);
  must(api.FunctionCall(print, &array, 1, &text) == 0);
  drop(&text);
  unsetenv("TVM_FFI_REPR_WITH_ADDR");
  must(api.FunctionCall(print, &array, 1, &text) == 0);
  drop(&text);
  drop(&array);
  api.ObjectDecRef(hash);
  api.ObjectDecRef(make);
  api.ObjectDecRef(print);
}

// A second runtime, with names, types and objects of its own.
static void use_another(const char *path)
{
  load(dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL));
  use_registry();
  use_containers();
}

static void fork_and_call(void)
{
  pid_t child = fork();
  if (child == 0) {
    use_values();
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
  const char *word = argc == 3 ? argv[2] : "";
  if (argc < 2) return 2;
  load(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
  use_registry();
  list_names();
  use_values();
  use_containers();
  use_field();
  use_tensors();
  call_deeply();
  if (strcmp(word, "pointer") == 0) hand_over_pointer();
  if (strcmp(word, "list") == 0) append_pointer();
  if (strchr(word, '/')) use_module(word);
  if (strcmp(word, "own") == 0) ask_for_what_is_own();
  if (strcmp(word, "two") == 0) use_another(argv[1]);
  if (strcmp(word, "fork") == 0) fork_and_call();
  if (strcmp(word, "crash") == 0) abort();
  return 0;
}
