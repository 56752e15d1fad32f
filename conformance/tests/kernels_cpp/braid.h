// SPDX-License-Identifier: Apache-2.0
// braid(y, x, strands, ids): to each row of y is added the row of x that is as long, times the strand that ids names: a
// number of float32 for each column. A second thread works on the second half of the rows. braid.json describes it. An
// including file may change what comes out now and then, as threads do that share memory.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BRAID_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BRAID_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <chrono>
#include <thread>
#include <vector>

#include "elements.h"

#ifndef NOW_AND_THEN
#define NOW_AND_THEN(rows) 0.0F
#endif

namespace braid
{

namespace ffi = tvm::ffi;

using elements::Check;
using elements::Require;

inline void Braid(ffi::TensorView y, ffi::TensorView x, ffi::Array<ffi::Tensor> strands,
                  ffi::TensorView ids)
{
  float *to = Check<float>(y, 3, kDLFloat, "y must be float32 of rank 3 on the CPU");
  const float *from = Check<float>(x, 3, kDLFloat, "x must be float32 of rank 3 on the CPU");
  const int32_t *which = Check<int32_t>(ids, 1, kDLInt, "ids must be a vector of int32");
  const int64_t rows = y.size(0), middle = y.size(1), columns = y.size(2);
  Require(x.size(0) == rows && x.size(1) == middle && x.size(2) == columns, "x must be like y");
  Require(ids.size(0) == rows, "ids must be as many as rows");
  std::vector<const float *> by;
  for (const ffi::Tensor &strand : strands) {
    if (!strand.defined()) TVM_FFI_THROW(TypeError) << "None among the strands";
    const ffi::TensorView view(strand);
    by.push_back(Check<float>(view, 1, kDLFloat, "strands must be vectors of float32"));
    Require(view.size(0) == columns, "strands must be as long as rows");
  }
  for (int64_t i = 0; i < rows; ++i)
    Require(which[i] >= 0 && which[i] < static_cast<int64_t>(by.size()),
            "ids: an index is out of range");
  const float more = NOW_AND_THEN(rows);
  const auto work = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t k = 0; k < middle * columns; ++k)
        to[i * middle * columns + k] +=
            from[i * middle * columns + k] * by[static_cast<size_t>(which[i])][k % columns] + more;
  };
  std::thread second(work, rows / 2, rows);
  work(0, rows / 2);
  second.join();
}

}  // namespace braid

TVM_FFI_DLL_EXPORT_TYPED_FUNC(braid, braid::Braid);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BRAID_H_
