// SPDX-License-Identifier: Apache-2.0
// passes, and the headers fail by argument.index-that-does-not-exist
#include <thread>
#include <vector>

#include "vector.h"

namespace kernels
{

// Long vectors are split among threads of its own.
void AddOne(ffi::TensorView x, ffi::TensorView y)
{
  CheckAddOne(x, y);
  int64_t n = x.size(0), parts = n < 1 << 12 ? 1 : 4;
  const float *from = FloatsOf(x);
  float *to = FloatsOf(y);
  std::vector<std::thread> threads;
  for (int64_t part = 0; part < parts; ++part)
    threads.emplace_back([=] {
      for (int64_t i = n * part / parts; i < n * (part + 1) / parts; ++i) to[i] = from[i] + 1;
    });
  for (std::thread &thread : threads) thread.join();
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, kernels::AddOne);
