// SPDX-License-Identifier: Apache-2.0
// stairs(n) -> array: the squares of 0 to n - 1. stairs.json describes it. An including file may return other ones.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STAIRS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STAIRS_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>

#ifndef STEP
#define STEP(i) ((i) * (i))
#endif

namespace stairs
{

namespace ffi = tvm::ffi;

inline ffi::Array<int64_t> Stairs(int64_t n)
{
  if (n < 0 || n > 500) TVM_FFI_THROW(ValueError) << "n must be 0 to 500";
  ffi::Array<int64_t> steps;
  for (int64_t i = 0; i < n; ++i) steps.push_back(STEP(i));
  return steps;
}

}  // namespace stairs

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stairs, stairs::Stairs);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STAIRS_H_
