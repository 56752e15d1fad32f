// SPDX-License-Identifier: Apache-2.0
// take(runners): keeps the functions in an array of arrays until the next call. run(v): the sum of what they give
// for v; they are let go. With HOLDS 0 nobody has a reference to what is kept.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <mutex>
#include <vector>

namespace ffi = tvm::ffi;

static std::mutex lock;
static std::vector<TVMFFIObjectHandle> kept;

static void LetGo()
{
  for (TVMFFIObjectHandle function : kept)
    if (HOLDS) TVMFFIObjectDecRef(function);
  kept.clear();
}

static void Take(ffi::Array<ffi::Array<ffi::Function>> runners)
{
  for (const auto &row : runners)
    for (const ffi::Function &runner : row)
      if (!runner.defined()) TVM_FFI_THROW(TypeError) << "None among runners";
  const std::lock_guard<std::mutex> hold(lock);
  LetGo();
  for (const auto &row : runners)
    for (const ffi::Function &runner : row) {
      auto *function = const_cast<ffi::Object *>(static_cast<const ffi::Object *>(runner.get()));
      if (HOLDS) TVMFFIObjectIncRef(function);
      kept.push_back(function);
    }
}

static double Run(double v)
{
  const std::lock_guard<std::mutex> hold(lock);
  double sum = 0;
  for (TVMFFIObjectHandle function : kept) {
    TVMFFIAny argument = {}, result = {};
    argument.type_index = kTVMFFIFloat;
    argument.v_float64 = v;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(function, &argument, 1, &result));
    sum += result.v_float64;
  }
  LetGo();
  return sum;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(take, Take)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, Run)
