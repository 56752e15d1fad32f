// SPDX-License-Identifier: Apache-2.0
// caught by kernel.error-kind
#include <stdexcept>

#include "vector.h"

namespace kernels
{

// What the headers make of an exception that is none of theirs is an InternalError.
ffi::TensorView Take(ffi::AnyView value, const char *name)
{
  auto taken = value.try_cast<ffi::TensorView>();
  if (!taken.has_value()) throw std::invalid_argument(std::string(name) + " has to be a tensor");
  return *taken;
}

void AddOne(ffi::AnyView x, ffi::AnyView y)
{
  CheckAddOne(Take(x, "x"), Take(y, "y"));
  AddOneTo(Take(x, "x"), Take(y, "y"));
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, kernels::AddOne);
