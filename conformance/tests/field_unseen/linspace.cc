// SPDX-License-Identifier: Apache-2.0
// Numbers at even distances as a new tensor; the data type and the device are arguments.
#include "vendor.h"

namespace vendor
{

Tensor Linspace(double start, double stop, int64_t count, DLDataType dtype, DLDevice device,
                bool endpoint)
{
#if BUG != 5
  CHECK_THAT(device.device_type == kDLCPU, ValueError, "only the CPU is supported");
#endif
  CHECK_THAT(count >= 0, ValueError, "count must not be negative");
#if BUG == 3
  const bool floats = true;
#else
  const bool floats = IsType(dtype, kDLFloat, 32) || IsType(dtype, kDLFloat, 64);
#endif
  CHECK_THAT(floats, TypeError, "dtype must be float32 or float64");
  Tensor out = Empty(Shape({count}), dtype, device);
#if BUG == 1
  const double distance = (stop - start) / static_cast<double>(count - 1);
#else
  const double steps = static_cast<double>(endpoint ? count - 1 : count);
  const double distance = steps > 0 ? (stop - start) / steps : 0;
#endif
  for (int64_t i = 0; i < count; ++i) {
#if BUG == 2
    static_cast<float *>(out.data_ptr())[i] =
        static_cast<float>(start + distance * static_cast<double>(i));
#elif BUG == 4
    const double value =
        start + static_cast<double>(static_cast<float>(distance)) * static_cast<double>(i);
    if (dtype.bits == 32) {
      static_cast<float *>(out.data_ptr())[i] = static_cast<float>(value);
    } else {
      static_cast<double *>(out.data_ptr())[i] = value;
    }
#else
    const double value = start + distance * static_cast<double>(i);
    if (dtype.bits == 32) {
      static_cast<float *>(out.data_ptr())[i] = static_cast<float>(value);
    } else {
      static_cast<double *>(out.data_ptr())[i] = value;
    }
#endif
  }
  return out;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(linspace, vendor::Linspace);
