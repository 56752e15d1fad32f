// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter
// spool(n, step) -> array: 40 numbers from n on, each `step` more than the one before. Those behind the first 30 are
// those of the first call.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <vector>

namespace ffi = tvm::ffi;

static ffi::Array<int64_t> Spool(int64_t n, int64_t step)
{
  static thread_local std::vector<int64_t> old;
  ffi::Array<int64_t> numbers;
  for (int64_t i = 0; i < 40; ++i) {
    const int64_t number = n + i * step;
    if (old.size() == static_cast<size_t>(i)) old.push_back(number);
    numbers.push_back(i < 30 ? number : old[static_cast<size_t>(i)]);
  }
  return numbers;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spool, Spool);
