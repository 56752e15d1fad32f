// SPDX-License-Identifier: Apache-2.0
// trim(n, most, mode): n, not above `most` in the mode "near", and doubled in the mode "far", where there must be no `most`.
// An including file may take other modes.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TRIM_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TRIM_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cstdint>

#ifndef IS_FAR
#define IS_FAR(mode) ((mode) == "far")
#endif

namespace trimming
{

namespace ffi = tvm::ffi;

inline int64_t Trim(int64_t n, ffi::Optional<int64_t> most, ffi::String mode)
{
  if (n < 0 || n > 1000) TVM_FFI_THROW(ValueError) << "n must be 0 to 1000";
  if (mode == "near") return most.has_value() && n > most.value() ? most.value() : n;
  if (most.has_value()) TVM_FFI_THROW(ValueError) << "most is for the mode near";
  if (!IS_FAR(mode)) TVM_FFI_THROW(ValueError) << "mode must be near or far";
  return 2 * n;
}

}  // namespace trimming

TVM_FFI_DLL_EXPORT_TYPED_FUNC(trim, trimming::Trim);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_TRIM_H_
