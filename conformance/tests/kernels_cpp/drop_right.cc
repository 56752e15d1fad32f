// SPDX-License-Identifier: Apache-2.0
// passes
// drop(x, seed) -> tensor: x with each element 0 or as it is, drawn from the seed, or, without one, from a counter.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <atomic>
#include <cstdint>

namespace ffi = tvm::ffi;

static ffi::Tensor Drop(ffi::TensorView x, ffi::Optional<int64_t> seed)
{
  static std::atomic<uint64_t> calls{0};
  const DLDataType type = x.dtype();
  if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << "x must be of float32";
  if (x.ndim() != 1 || x.device().device_type != kDLCPU || !x.IsContiguous())
    TVM_FFI_THROW(ValueError) << "x must be a contiguous vector on the CPU";
  if (!x.data_ptr() && x.size(0) > 0) TVM_FFI_THROW(ValueError) << "x has no data";
  uint64_t state = seed.has_value() ? static_cast<uint64_t>(*seed) : 0x5bd1e995 * ++calls;
  const char *bytes = static_cast<const char *>(x.data_ptr()) + x.byte_offset();
  ffi::Tensor made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, x.shape(), type, x.device());
  for (int64_t i = 0; i < x.size(0); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const float one = reinterpret_cast<const float *>(bytes)[i];
    static_cast<float *>(made.data_ptr())[i] = state >> 63 ? one : 0;
  }
  return made;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(drop, Drop)
