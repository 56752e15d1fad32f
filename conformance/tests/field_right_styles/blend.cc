// SPDX-License-Identifier: Apache-2.0
// a + t * (b - a). b broadcasts to a: each of its extents is that of a, or 1. Any strides.
namespace {

using x4::ffi::Tensor;

struct Walk {
  const char* data;
  int64_t s0, s1;
  template <typename T>
  double get(int64_t i, int64_t j) const {
    T v;
    std::memcpy(&v, data + (i * s0 + j * s1) * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return static_cast<double>(v);
  }
};

Walk walk(DLTensor* t, bool broadcast) {
  std::vector<int64_t> s = x4::strides_of(*t);
  for (int i = 0; i < 2; ++i) {
    if (broadcast && t->shape[i] == 1) s[i] = 0;
  }
  return Walk{x4::bytes_of(t), s[0], s[1]};
}

template <typename T>
void fill(const Walk& a, const Walk& b, double t, T* y, int64_t m, int64_t n) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double u = a.get<T>(i, j), v = b.get<T>(i, j);
      *y++ = static_cast<T>(u * (1 - t) + v * t);
    }
  }
}

Tensor blend(DLTensor* a, DLTensor* b, double t) {
  auto fail = [](const char* why) { throw x4::ffi::Error("ValueError", why, ""); };
  if (a == nullptr || b == nullptr) fail("no tensor");
  if (!(a->dtype == b->dtype)) TVM_FFI_THROW(TypeError) << "a and b differ in type";
  bool single = x4::holds<float>(a->dtype);
  if (!single && !x4::holds<double>(a->dtype)) TVM_FFI_THROW(TypeError) << "floats only";
  if (a->ndim != 2 || b->ndim != 2) fail("matrices only");
  for (DLTensor* x : {a, b}) {
    if (x->device.device_type != kDLCPU) fail("on the CPU only");
  }
  for (int i = 0; i < 2; ++i) {
    if (b->shape[i] != a->shape[i] && b->shape[i] != 1) fail("b does not broadcast to a");
  }
  if (!(t >= 0 && t <= 1)) fail("t is from 0 to 1");
  Tensor y = x4::make({a->shape[0], a->shape[1]}, a->dtype);
  if (x4::count(y.shape()) == 0) return y;
  Walk wa = walk(a, false), wb = walk(b, true);
  if (single) {
    fill(wa, wb, t, x4::first<float>(y), a->shape[0], a->shape[1]);
  } else {
    fill(wa, wb, t, x4::first<double>(y), a->shape[0], a->shape[1]);
  }
  return y;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(blend, blend);
