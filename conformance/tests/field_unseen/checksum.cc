// SPDX-License-Identifier: Apache-2.0
// Sums a vector chunk by chunk and tells a callback how far it is; the callback stops it by returning false.
#include "vendor.h"

namespace vendor
{

double Checksum(TensorView x, int64_t chunk, Optional<Function> progress)
{
  CHECK_INPUT(x);
  CHECK_DIM(1, x);
  CHECK_DTYPE(x, kDLFloat, 32);
#if BUG != 4
  CHECK_THAT(chunk > 0, ValueError, "chunk must be positive");
#endif
#if BUG == 5
  double *partial = new double[2]{0, 0};
#else
  double partial[2] = {0, 0};
#endif
  const int64_t n = x.size(0);
  for (int64_t done = 0; done < n;) {
    const int64_t end = std::min(n, done + chunk);
    for (int64_t i = done; i < end; ++i) partial[0] += Ptr<float>(x)[i];
    done = end;
#if BUG == 2
    (*progress)(done, n);
#elif BUG == 1
    try {
      if (progress.has_value() && !progress.value()(done, n).cast<bool>())
        TVM_FFI_THROW(RuntimeError) << "stopped by progress";
    } catch (const tvm::ffi::Error &) {
      break;
    }
#elif BUG == 3
    if (progress.has_value() && !progress.value()(n, done).cast<bool>())
      TVM_FFI_THROW(RuntimeError) << "stopped by progress";
#else
    if (progress.has_value() && !progress.value()(done, n).cast<bool>())
      TVM_FFI_THROW(RuntimeError) << "stopped by progress";
#endif
  }
  const double sum = partial[0];
#if BUG == 5
  delete[] partial;
#endif
  return sum;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(checksum, vendor::Checksum);
