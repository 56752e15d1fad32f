// SPDX-License-Identifier: Apache-2.0
// y = a + b; large vectors are split among threads. The sum of y is returned.
#include <mutex>

#include "field.h"

namespace field
{

#if BUG == 5
static double partial[4];
#endif

double ParallelAdd(TensorView a, TensorView b, TensorView y)
{
  RequireTensor(a, kFloat32, 1, "a");
  RequireTensor(b, kFloat32, 1, "b");
  RequireTensor(y, kFloat32, 1, "y");
  RequireSameShape(a, b, "a and b");
  RequireSameShape(a, y, "a and y");
  const float *first = Data<float>(a), *second = Data<float>(b);
  float *out = Data<float>(y);
  int64_t n = a.size(0);
  double total = 0;
#if BUG == 1
  int64_t grain = 1 << 14, part = n / 4;
  if (n >= 2 * grain) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([=] {
        for (int64_t i = t * part; i < (t + 1) * part; ++i) out[i] = first[i] + second[i];
      });
    for (std::thread &thread : threads) thread.join();
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = first[i] + second[i];
  }
#elif BUG == 3
  if (n >= 1 << 15) {
    std::thread([=] {
      for (int64_t i = n / 2; i < n; ++i) out[i] = first[i] + second[i];
    }).detach();
  }
  for (int64_t i = 0; i < (n >= 1 << 15 ? n / 2 : n); ++i) out[i] = first[i] + second[i];
#else
  Parallel(n, 1 << 14, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) out[i] = first[i] + second[i];
#if BUG == 2
    for (int64_t i = from; i < to; ++i) total += out[i];
#endif
#if BUG == 4
    for (int64_t i = from; i < to; ++i)
      if (out[i] != out[i]) TVM_FFI_THROW(ValueError) << "the sum is not a number";
#endif
  });
#endif
#if BUG == 5
  for (double &part : partial) part = 0;
  for (int64_t i = 0; i < n; ++i) partial[i % 4] += out[i];
  for (double part : partial) total += part;
#elif BUG != 2
  for (int64_t i = 0; i < n; ++i) total += out[i];
#endif
  return total;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(parallel_add, field::ParallelAdd);
