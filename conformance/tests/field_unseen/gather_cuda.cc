// SPDX-License-Identifier: Apache-2.0
// Copies blocks of a KV cache on one device, from src to dst, by a list of pairs on the host, on the environment's
// stream and through a staging buffer of the stream's pool.
#include <dlfcn.h>

#include "vendor.h"

namespace vendor
{

struct Driver {
  int (*copy)(uint64_t, uint64_t, size_t, void *);
  int (*allocate)(uint64_t *, size_t, void *);
  int (*release)(uint64_t, void *);
};

const Driver &GetDriver()
{
  static Driver driver = [] {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    CHECK_THAT(library != nullptr, RuntimeError, "there is no CUDA driver");
    Driver found;
    found.copy = reinterpret_cast<decltype(found.copy)>(dlsym(library, "cuMemcpyDtoDAsync_v2"));
    found.allocate = reinterpret_cast<decltype(found.allocate)>(dlsym(library, "cuMemAllocAsync"));
    found.release = reinterpret_cast<decltype(found.release)>(dlsym(library, "cuMemFreeAsync"));
    CHECK_THAT(found.copy && found.allocate && found.release, RuntimeError,
               "the CUDA driver is too old");
    return found;
  }();
  return driver;
}

void GatherCuda(TensorView src, TensorView dst, TensorView rows)
{
#if BUG == 5
  CHECK_THAT(src.device().device_type == kDLCUDA, ValueError, "src must be on CUDA");
#else
  CHECK_THAT(src.device().device_type == kDLCUDA && dst.device().device_type == kDLCUDA, ValueError,
             "src and dst must be on CUDA");
#endif
  CHECK_THAT(src.device().device_id == dst.device().device_id, ValueError,
             "src and dst must be on one device");
  CHECK_CONTIGUOUS(src);
  CHECK_CONTIGUOUS(dst);
  CHECK_INPUT(rows);
  CHECK_DIM(2, src);
  CHECK_DIM(2, dst);
  CHECK_DIM(1, rows);
  CHECK_DTYPE(src, kDLFloat, 32);
  CHECK_DTYPE(dst, kDLFloat, 32);
  CHECK_DTYPE(rows, kDLInt, 64);
  CHECK_SIZE(dst, 0, rows.size(0));
  CHECK_SIZE(dst, 1, src.size(1));
  const size_t width = static_cast<size_t>(src.size(1)) * 4;
  const int64_t *from = Ptr<int64_t>(rows);
#if BUG != 4
  for (int64_t i = 0; i < rows.size(0); ++i)
    CHECK_THAT(0 <= from[i] && from[i] < src.size(0), IndexError,
               "row " << from[i] << " is out of range");
#endif
  if (NumElements(dst) == 0) return;
  const Driver &driver = GetDriver();
#if BUG == 1
  void *stream = nullptr;
#else
  void *stream = TVMFFIEnvGetStream(kDLCUDA, src.device().device_id);
#endif
  uint64_t staging = 0;
  int code = driver.allocate(&staging, width, stream);
  CHECK_THAT(code == 0, RuntimeError, "cuMemAllocAsync failed with code " << code);
  for (int64_t i = 0; code == 0 && i < rows.size(0); ++i) {
    code = driver.copy(
        staging, reinterpret_cast<uint64_t>(Ptr<char>(src)) + static_cast<size_t>(from[i]) * width,
        width, stream);
    if (code == 0)
      code =
          driver.copy(reinterpret_cast<uint64_t>(Ptr<char>(dst)) + static_cast<size_t>(i) * width,
                      staging, width, stream);
  }
#if BUG == 2
  CHECK_THAT(code == 0, RuntimeError, "cuMemcpyDtoDAsync failed with code " << code);
  driver.release(staging, stream);
#elif BUG == 3
  driver.release(staging, stream);
#else
  driver.release(staging, stream);
  CHECK_THAT(code == 0, RuntimeError, "cuMemcpyDtoDAsync failed with code " << code);
#endif
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gather_cuda, vendor::GatherCuda);
