// SPDX-License-Identifier: Apache-2.0
// caught by load.loading-starts-no-thread
#include <unistd.h>

#include <thread>

#include "vector.h"

namespace kernels
{

// A constructor of the library, before anybody has called a function.
std::thread *worker = new std::thread([] {
  for (;;) pause();
});

void AddOne(ffi::TensorView x, ffi::TensorView y)
{
  CheckAddOne(x, y);
  AddOneTo(x, y);
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, kernels::AddOne);
