// SPDX-License-Identifier: Apache-2.0
// The different numbers of a tensor, in no particular order, and how many they are.
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Tuple;

template <typename I>
static std::unordered_set<int64_t> collect(const TensorView& x) {
  const I* p = x4::first<I>(x);
  return std::unordered_set<int64_t>(p, p + x4::count(x.shape()));
}

static Tuple<Tensor, int64_t> unique(TensorView x) {
  auto t = x.dtype();
  if (t.code != kDLInt || t.lanes != 1 || (t.bits != 16 && t.bits != 32 && t.bits != 64)) {
    throw tvm::ffi::Error("TypeError", "integers of 16, 32 or 64 bits, please", "");
  }
  x4::plain(x, "x");
  auto found = t.bits == 16   ? collect<int16_t>(x)
               : t.bits == 32 ? collect<int32_t>(x)
                              : collect<int64_t>(x);
  int64_t n = static_cast<int64_t>(found.size());
  Tensor out = x4::make({n}, x4::type_of<int64_t>());
  std::copy(found.begin(), found.end(), x4::first<int64_t>(out));
  return Tuple<Tensor, int64_t>(out, n);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(unique, unique);
