// SPDX-License-Identifier: Apache-2.0
// passes
// crew(x, out): twice the elements of x, which two threads work out that are kept from the first call on: a
// copy of the process has none of them, and would wait for their work forever.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace ffi = tvm::ffi;

enum { THREADS = 2 };

class Crew
{
 public:
  Crew()
  {
    for (int i = 0; i < THREADS; ++i) std::thread([this, i] { Work(i); }).detach();
  }
  void Do(const float *from, float *to, int64_t count)
  {
    const std::lock_guard<std::mutex> one_at_a_time(calls);
    std::unique_lock<std::mutex> lock(mutex);
    x = from, y = to, n = count, left = THREADS, ++task;
    changed.notify_all();
    changed.wait(lock, [this] { return left == 0; });
  }

 private:
  void Work(int number)
  {
    int64_t done = 0;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [this, done] { return task > done; });
      done = task;
      lock.unlock();
      for (int64_t i = number; i < n; i += THREADS) y[i] = 2 * x[i];
      lock.lock();
      if (--left == 0) changed.notify_all();
    }
  }
  std::mutex calls, mutex;
  std::condition_variable changed;
  const float *x = nullptr;
  float *y = nullptr;
  int64_t n = 0, task = 0;
  int left = 0;
};

static char *Check(ffi::TensorView tensor, const char *name)
{
  const DLDataType type = tensor.dtype();
  if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " must be of float32";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must be a vector";
  if (tensor.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " is elsewhere";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  if (!tensor.data_ptr() && tensor.size(0) > 0) TVM_FFI_THROW(ValueError) << name << " has no data";
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

static void Double(ffi::TensorView x, ffi::TensorView out)
{
  static auto *crew = new Crew;
  const char *from = Check(x, "x");
  char *to = Check(out, "out");
  if (out.size(0) != x.size(0)) TVM_FFI_THROW(ValueError) << "out must be as long as x";
  crew->Do(reinterpret_cast<const float *>(from), reinterpret_cast<float *>(to), x.size(0));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(crew, Double)
