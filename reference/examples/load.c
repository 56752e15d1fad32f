// SPDX-License-Identifier: Apache-2.0
// Loads a module and calls a function in it. With add_one_cpu.so beside it, prints
//
//   [ 2.000000 3.000000 4.000000 5.000000 6.000000 ]
//   TypeError: add_one_cpu takes two tensors, x and y
//
// The second line is what the kernel says when it is called with one argument. Build and run:
//
//   cc load.c $(pkg-config --cflags --libs tvm_ffi) -o load
//   ./load ./add_one_cpu.so
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

// Calls a function that is registered under a name. `result` owns what it gets.
static int call_global(const char *name, TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray key = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  int code = TVMFFIFunctionGetGlobal(&key, &function);
  if (code) return code;
  if (!function) {
    TVMFFIErrorSetRaisedFromCStr("KeyError", name);
    return -1;
  }
  code = TVMFFIFunctionCall(function, args, num_args, result);
  TVMFFIObjectDecRef(function);
  return code;
}

static void release(const TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
}

// Takes the error of a call that failed out of the thread, and prints it.
static void print_error(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  printf("%.*s: %.*s\n", (int)cell->kind.size, cell->kind.data, (int)cell->message.size,
         cell->message.data);
  TVMFFIObjectDecRef(error);
}

static int load(const char *path, const char *name, TVMFFIAny *module, TVMFFIAny *function)
{
  TVMFFIAny load_args[2] = {{.type_index = kTVMFFIRawStr, .v_c_str = path},
                            {.type_index = kTVMFFIRawStr, .v_c_str = "so"}};
  int code = call_global("ffi.Module.load_from_file.so", load_args, 2, module);
  if (code) return code;
  TVMFFIAny get_args[3] = {*module,
                           {.type_index = kTVMFFIRawStr, .v_c_str = name},
                           {.type_index = kTVMFFIBool, .v_int64 = 0}};
  code = call_global("ffi.ModuleGetFunction", get_args, 3, function);
  if (code) return code;
  // A name that is not there is no error of the look-up: the result is None.
  if (function->type_index == kTVMFFIFunction) return 0;
  TVMFFIErrorSetRaisedFromCStr("AttributeError", name);
  return -1;
}

static int add_one(const TVMFFIAny *function, int32_t num_args)
{
  float x_data[5] = {1, 2, 3, 4, 5}, y_data[5] = {0};
  int64_t shape[1] = {5}, strides[1] = {1};
  DLTensor x = {.data = x_data,
                .device = {kDLCPU, 0},
                .ndim = 1,
                .dtype = {kDLFloat, 32, 1},
                .shape = shape,
                .strides = strides};
  DLTensor y = x;
  y.data = y_data;
  TVMFFIAny args[2] = {{.type_index = kTVMFFIDLTensorPtr, .v_ptr = &x},
                       {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &y}};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int code = TVMFFIFunctionCall(function->v_obj, args, num_args, &result);
  if (code) return code;
  release(&result);
  printf("[ ");
  for (int i = 0; i < 5; ++i) printf("%f ", y_data[i]);
  printf("]\n");
  return 0;
}

int main(int argc, char **argv)
{
  const char *path = argc > 1 ? argv[1] : "./add_one_cpu.so";
  TVMFFIAny module = {.type_index = kTVMFFINone}, function = {.type_index = kTVMFFINone};
  int code = load(path, "add_one_cpu", &module, &function);
  if (!code) code = add_one(&function, 2);
  if (code) print_error();
  if (!code && add_one(&function, 1) != 0) print_error();
  release(&function);
  release(&module);
  return code != 0;
}
