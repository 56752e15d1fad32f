// SPDX-License-Identifier: Apache-2.0
// poll(weights, share) -> float: the first weight, or its share of all, which is refused where all are 0: no condition of
// the file says so. poll.json describes it by calls. An including file may refuse to share.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_POLL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_POLL_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#ifndef SHARES
#define SHARES true
#endif

static double Poll(tvm::ffi::Array<double> weights, bool share)
{
  double sum = 0;
  if (weights.size() == 0) TVM_FFI_THROW(ValueError) << "there are no weights";
  for (double weight : weights) {
    if (!(weight >= 0 && weight <= 100)) TVM_FFI_THROW(ValueError) << "weights are from 0 to 100";
    sum += weight;
  }
  if (share && (sum == 0 || !SHARES)) TVM_FFI_THROW(ValueError) << "there is nothing to share";
  return share ? weights[0] / sum : weights[0];
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(poll, Poll)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_POLL_H_
