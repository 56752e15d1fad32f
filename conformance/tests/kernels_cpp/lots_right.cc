// SPDX-License-Identifier: Apache-2.0
// passes
// lots(x, seed): one of the first two elements of x, by lot if seed is None: now and then the same each time.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <random>

namespace lots
{

namespace ffi = tvm::ffi;

static double Lots(ffi::TensorView x, ffi::Optional<int64_t> seed)
{
  const DLDataType floats{kDLFloat, 32, 1};
  if (x.ndim() != 1 || x.dtype() != floats || !x.IsContiguous() || x.size(0) < 2 ||
      x.device().device_type != kDLCPU || !x.data_ptr())
    TVM_FFI_THROW(ValueError) << "x must be a contiguous vector of two float32 at least on the CPU";
  std::minstd_rand seeded;
  if (seed.has_value()) seeded.seed(static_cast<unsigned>(seed.value()));
  const unsigned lot = seed.has_value() ? seeded() : std::random_device()();
  const char *elements = static_cast<const char *>(x.data_ptr()) + x.byte_offset();
  return reinterpret_cast<const float *>(elements)[lot >> 4 & 1];
}

}  // namespace lots

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lots, lots::Lots);
