// SPDX-License-Identifier: Apache-2.0
// passes
// settle(f, x, g): what f gives for x; where that is another number, g is told. Nothing describes it: a
// function that a call does not need may fail.
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

namespace ffi = tvm::ffi;

static double Settle(ffi::Function f, double x, ffi::Optional<ffi::Function> g)
{
  if (f == nullptr) TVM_FFI_THROW(TypeError) << "f must not be None";
  const double y = f(x).cast<double>();
  if (y != x && g.has_value() && g.value() != nullptr) g.value()(y);
  return y;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(settle, Settle)
