// SPDX-License-Identifier: Apache-2.0
// A function in C++ that lets an exception out, through the frames of C of a caller that catches it.
//
//   trace_exception RUNTIME.so wrong|right
#include <dlfcn.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static bool wrong;

extern "C" __attribute__((noinline)) int throwing_code(void *, const TVMFFIAny *, int32_t,
                                                       TVMFFIAny *)
{
  if (wrong) throw 1;
  return 0;
}

int main(int argc, char **argv)
{
  if (argc != 3) return 64;
  void *runtime = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!runtime) return 70;
  auto create =
      reinterpret_cast<decltype(&TVMFFIFunctionCreate)>(dlsym(runtime, "TVMFFIFunctionCreate"));
  TVMFFIObjectHandle function = nullptr;
  wrong = strcmp(argv[2], "wrong") == 0;
  if (create(nullptr, throwing_code, nullptr, &function) != 0) return 71;
  int caught = 0;
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny result = {};
    try {
      TVMFFIFunctionGetCellPtr(function)->safe_call(function, nullptr, 0, &result);
    } catch (int thrown) {
      caught += thrown;
    }
  }
  return caught == (wrong ? 3 : 0) ? 0 : 72;
}
