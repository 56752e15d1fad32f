// SPDX-License-Identifier: Apache-2.0
// Fills a CUDA tensor with a bit pattern, on the environment's stream, by the driver's own memset.
#include <dlfcn.h>

#include "field.h"

namespace field
{

using Memset = int (*)(uint64_t, unsigned, size_t, void *);

Memset FindMemset()
{
  static void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  REQUIRE(driver != nullptr, RuntimeError) << "there is no CUDA driver";
  void *symbol = dlsym(driver, "cuMemsetD32Async");
  REQUIRE(symbol != nullptr, RuntimeError) << "the CUDA driver has no cuMemsetD32Async";
  return reinterpret_cast<Memset>(symbol);
}

void FillCuda(TensorView x, int64_t pattern)
{
  REQUIRE(x.dtype().bits == 32 && x.dtype().lanes == 1, TypeError) << "x must have 32-bit elements";
#if BUG != 3
  REQUIRE(x.device().device_type == kDLCUDA, ValueError) << "x must be on CUDA";
#endif
  REQUIRE(x.IsContiguous(), ValueError) << "x must be contiguous";
  REQUIRE(Count(x) == 0 || x.data_ptr() != nullptr, ValueError) << "x has no data";
  REQUIRE(reinterpret_cast<uintptr_t>(Data<char>(x)) % 4 == 0, ValueError)
      << "x is not aligned to its elements";
  if (Count(x) == 0) return;
#if BUG == 1
  void *stream = nullptr;
#else
  void *stream = TVMFFIEnvGetStream(x.device().device_type, x.device().device_id);
#endif
#if BUG == 5
  uint64_t address = reinterpret_cast<uint64_t>(x.data_ptr());
#else
  uint64_t address = reinterpret_cast<uint64_t>(Data<char>(x));
#endif
#if BUG == 4
  size_t count = static_cast<size_t>(Count(x)) * 4;
#else
  size_t count = static_cast<size_t>(Count(x));
#endif
  int code = FindMemset()(address, static_cast<unsigned>(pattern), count, stream);
#if BUG == 2
  (void)code;
#else
  REQUIRE(code == 0, RuntimeError) << "cuMemsetD32Async failed: " << code;
#endif
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill_cuda, field::FillCuda);
