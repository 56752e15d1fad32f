// SPDX-License-Identifier: Apache-2.0
#include <mutex>

// One tensor is kept, until another takes its place or it is forgotten. It is never destroyed at exit.
struct Kept {
  std::mutex mutex;
  ffi::Tensor tensor;
};
static Kept& kept() {
  static Kept* k = new Kept;
  return *k;
}

static void remember(ffi::Tensor x) {
  view(x, "x", {F32, F64}, 1);
  std::lock_guard<std::mutex> lock(kept().mutex);
  std::swap(kept().tensor, x);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(remember, remember);

static ffi::Tensor current() {
  ffi::Tensor x;
  {
    std::lock_guard<std::mutex> lock(kept().mutex);
    x = kept().tensor;
  }
  NEED(x.defined(), RuntimeError) << "nothing is kept";
  return x;
}

static double total(double scale) {
  NEED(scale >= -4 && scale <= 4, ValueError) << "scale must be within [-4, 4]";
  ffi::Tensor x = current();
  View v = view(x, "x", {F32, F64}, 1);
  double sum = 0;
  for (int64_t i = 0; i < v.n; i++) sum += load(v.dt, v.at(i));
  return sum * scale;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(total, total);

static ffi::Tensor recall(int64_t times) {
  NEED(times >= 1 && times <= 10, ValueError) << "times must be within [1, 10]";
  ffi::Tensor x = current();
  View v = view(x, "x", {F32, F64}, 1);
  ffi::Tensor y = alloc({times * v.n}, v.dt);
  for (int64_t t = 0; t < times && v.n > 0; t++) std::memcpy(view(y, "y", {v.dt}).at(t * v.n), v.p, v.n * v.item);
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(recall, recall);

// How many were kept.
static int64_t forget() {
  ffi::Tensor x;
  std::lock_guard<std::mutex> lock(kept().mutex);
  std::swap(kept().tensor, x);
  return x.defined() ? 1 : 0;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(forget, forget);
