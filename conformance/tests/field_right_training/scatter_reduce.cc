// SPDX-License-Identifier: Apache-2.0
// Tensor.scatter_reduce_(0, index, src, reduce, include_self) on matrices.
namespace {
using tvm::ffi::String;
using tvm::ffi::TensorView;

enum Op { kSum, kProd, kMax, kMin };

template <class T>
T combine(Op op, T a, T b) {
  // Integers wrap, so they are added and multiplied without a sign.
  using U = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                        std::common_type<T>>::type;
  switch (op) {
    case kSum: return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    case kProd: return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    case kMax: return b > a || b != b ? b : a;
    default: return b < a || b != b ? b : a;
  }
}

// Acc: what one element is collected in.
template <class T, class Acc>
void run(const TensorView& self, const TensorView& index, const TensorView& src, Op op, bool keep) {
  const int64_t d = self.shape()[1], m = src.shape()[0], ds = src.shape()[1];
  T* to = set::ptr<T>(self);
  const T* from = set::ptr<T>(src);
  const int64_t* at = set::ptr<int64_t>(index);
  std::vector<Acc> acc(static_cast<size_t>(self.numel()));
  std::vector<char> seen(acc.size(), keep ? 1 : 0);
  for (size_t i = 0; i < acc.size(); ++i) acc[i] = to[i];
  for (int64_t i = 0; i < m * ds; ++i) {
    const int64_t k = at[i] * d + i % ds;
    acc[k] = seen[k] ? combine<Acc>(op, acc[k], Acc(from[i])) : Acc(from[i]);
    seen[k] = 1;
  }
  for (size_t i = 0; i < acc.size(); ++i) to[i] = static_cast<T>(acc[i]);
}

void scatter_reduce_(TensorView self, TensorView index, TensorView src, String reduce,
                     bool include_self) {
  Op op;
  if (reduce == "sum") op = kSum;
  else if (reduce == "prod") op = kProd;
  else if (reduce == "amax") op = kMax;
  else if (reduce == "amin") op = kMin;
  else TVM_FFI_THROW(ValueError) << "reduce must be sum, prod, amax or amin, got " << reduce;
  set::need_dense(self, "self", 2);
  set::need_dense(index, "index", 2);
  set::need_dense(src, "src", 2);
  if (!set::is_i64(index.dtype())) TVM_FFI_THROW(TypeError) << "index must be int64";
  if (!set::same(self.dtype(), src.dtype())) TVM_FFI_THROW(TypeError) << "self and src differ";
  if (!set::same_shape(index, src)) TVM_FFI_THROW(ValueError) << "index must be shaped as src";
  if (src.shape()[1] != self.shape()[1]) TVM_FFI_THROW(ValueError) << "extents of dimension 1";
  for (int64_t i = 0, n = index.numel(); i < n; ++i) {
    int64_t v = set::ptr<int64_t>(index)[i];
    if (v < 0 || v >= self.shape()[0]) TVM_FFI_THROW(IndexError) << "index " << v << " at " << i;
  }
  if (set::is_f32(self.dtype())) run<float, double>(self, index, src, op, include_self);
  else if (set::is_i32(self.dtype())) run<int32_t, int64_t>(self, index, src, op, include_self);
  else if (set::is_i64(self.dtype())) run<int64_t, int64_t>(self, index, src, op, include_self);
  else TVM_FFI_THROW(TypeError) << "float32, int32 or int64";
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scatter_reduce_, scatter_reduce_);
