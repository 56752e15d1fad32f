// SPDX-License-Identifier: Apache-2.0
// passes
// knot(n, pairs) -> int: how many of n threads are in none of the pairs, each of two other ones. Nobody describes it: a
// call is found whose array holds no pairs.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <vector>

namespace ffi = tvm::ffi;

static int64_t Knot(int64_t n, ffi::Array<ffi::Tuple<int64_t, int64_t>> pairs)
{
  if (n < 1 || n > 100) TVM_FFI_THROW(ValueError) << "n must be 1 to 100";
  std::vector<bool> tied(static_cast<size_t>(n), false);
  for (const auto &pair : pairs)
    for (int64_t thread : {pair.get<0>(), pair.get<1>()}) {
      if (thread < 0 || thread >= n) TVM_FFI_THROW(IndexError) << "unknown thread";
      if (tied[thread]) TVM_FFI_THROW(ValueError) << "a thread is tied twice";
      tied[thread] = true;
    }
  int64_t loose = 0;
  for (bool one : tied) loose += !one;
  return loose;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(knot, Knot);
