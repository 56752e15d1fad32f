// SPDX-License-Identifier: Apache-2.0
// veil(x, rows): the rows of x, a matrix of float32, that are listed become minus infinity; all of them if rows is None.
// Nobody describes it. An including file may remember which rows an earlier call has listed.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_VEIL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_VEIL_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <limits>
#include <vector>

#include "elements.h"

#ifndef LISTED
#define LISTED(count) std::vector<char> listed(count)
#endif

namespace veil
{

namespace ffi = tvm::ffi;

using elements::Check;
using elements::Require;

inline void Veil(ffi::TensorView x, ffi::Optional<ffi::Tensor> rows)
{
  float *to = Check<float>(x, 2, kDLFloat, "x must be a matrix of float32 on the CPU");
  const int64_t count = x.size(0), columns = x.size(1);
  LISTED(static_cast<size_t>(count));
  if (!rows.has_value()) std::fill(listed.begin(), listed.end(), 1);
  if (rows.has_value()) {
    const ffi::Tensor given = rows.value();
    const ffi::TensorView view(given);
    const int32_t *from = Check<int32_t>(view, 1, kDLInt, "rows must be a vector of int32");
    for (int64_t i = 0; i < view.size(0); ++i)
      Require(from[i] >= 0 && from[i] < count, "rows: an index is out of range");
    for (int64_t i = 0; i < view.size(0); ++i) listed[static_cast<size_t>(from[i])] = 1;
  }
  for (int64_t i = 0; i < count * columns; ++i)
    if (listed[static_cast<size_t>(i / columns)]) to[i] = -std::numeric_limits<float>::infinity();
}

}  // namespace veil

TVM_FFI_DLL_EXPORT_TYPED_FUNC(veil, veil::Veil);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_VEIL_H_
