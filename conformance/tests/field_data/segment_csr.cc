// SPDX-License-Identifier: Apache-2.0
// segment_csr(x, ptr, reduce, out): reduces rows ptr[i] .. ptr[i + 1] of x into row i.
using namespace set;

template <typename P>
void CheckPtr(const TensorView& ptr, int64_t n) {
  const P* p = Data<P>(ptr);
  int64_t m = ptr.size(0) - 1;
  REQUIRE(p[0] == 0, ValueError) << "ptr must begin with 0";
  for (int64_t i = 0; i < m; ++i) REQUIRE(p[i] <= p[i + 1], ValueError) << "ptr must not decrease";
#if BUG != 1
  REQUIRE(p[m] == n, ValueError) << "ptr must end with the number of rows, " << n;
#endif
}

#if BUG == 3
template <typename T>
struct AccOf { using type = float; };
template <>
struct AccOf<int32_t> { using type = uint64_t; };
template <>
struct AccOf<int64_t> { using type = uint64_t; };
#else
template <typename T>
struct AccOf { using type = std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>; };
#endif

template <typename T, typename P>
void Reduce(const TensorView& x, const TensorView& ptr, const std::string& reduce, const Tensor& out) {
  using Acc = typename AccOf<T>::type;
  const T* src = Data<T>(x);
  const P* p = Data<P>(ptr);
  T* dst = Data<T>(out);
  int64_t m = ptr.size(0) - 1, d = x.size(1);
#if BUG == 2
  int64_t step = d;
#else
  int64_t step = x.size(0) > 1 ? Stride(x, 0) : d;
#endif
  bool is_max = reduce == "max", is_mean = reduce == "mean";
  if (d == 0) return;
  ParallelFor(m, 4, [&](int64_t begin, int64_t end) {
#if BUG == 6
    static std::vector<Acc> acc;
    if (static_cast<int64_t>(acc.size()) < d) acc.resize(d);
#else
    std::vector<Acc> acc(d);
#endif
    for (int64_t i = begin; i < end; ++i) {
      int64_t a = p[i], b = p[i + 1];
      T* row = dst + i * d;
      if (a == b) {
#if BUG != 5
        std::fill(row, row + d, T(0));
#endif
        continue;
      }
      if (is_max) {
        std::copy(src + a * step, src + a * step + d, row);
        for (int64_t r = a + 1; r < b; ++r)
          for (int64_t c = 0; c < d; ++c) {
            T v = src[r * step + c];
            if (v > row[c] || v != v) row[c] = v;
          }
        continue;
      }
      std::fill(acc.begin(), acc.begin() + d, Acc(0));
      for (int64_t r = a; r < b; ++r)
        for (int64_t c = 0; c < d; ++c) acc[c] += static_cast<Acc>(src[r * step + c]);
      for (int64_t c = 0; c < d; ++c) row[c] = static_cast<T>(is_mean ? acc[c] / static_cast<Acc>(b - a) : acc[c]);
    }
  });
}

template <typename T>
void ByPtr(const TensorView& x, const TensorView& ptr, const std::string& reduce, const Tensor& out) {
  if (Same(ptr.dtype(), kI32)) {
    Reduce<T, int32_t>(x, ptr, reduce, out);
  } else {
    Reduce<T, int64_t>(x, ptr, reduce, out);
  }
}

Tensor SegmentCSR(TensorView x, TensorView ptr, String reduce_, Optional<Tensor> out_) {
  std::string reduce(reduce_);
  CheckCPU(x, "x");
  CheckRank(x, "x", 2);
  CheckDtype(x, "x", {kF32, kF64, kI32, kI64});
  CheckRows(x, "x");
  CheckVector(ptr, "ptr", {kI32, kI64});
  REQUIRE(ptr.size(0) >= 1, ValueError) << "ptr must have an element at least";
  REQUIRE(reduce == "sum" || reduce == "mean" || reduce == "max", ValueError) << "unknown reduce: " << reduce;
  REQUIRE(reduce != "mean" || x.dtype().code == kDLFloat, TypeError) << "mean needs floats";
  int64_t n = x.size(0), d = x.size(1), m = ptr.size(0) - 1;
  if (out_.has_value()) {
    TensorView out = View(out_);
    CheckCPU(out, "out");
    CheckRank(out, "out", 2);
    REQUIRE(Same(out.dtype(), x.dtype()), TypeError) << "out must have the dtype of x";
#if BUG == 4
    REQUIRE(out.size(1) == d, ValueError) << "out must have " << d << " columns";
#else
    REQUIRE(out.size(0) == m && out.size(1) == d, ValueError) << "out must have the shape (" << m << ", " << d << ")";
#endif
    CheckContiguous(out, "out");
#if BUG == 7
    if (out.numel() > 0) std::memset(Data<char>(out), 0, GetDataSize(out));
#endif
  }
  if (Same(ptr.dtype(), kI32)) {
    CheckPtr<int32_t>(ptr, n);
  } else {
    CheckPtr<int64_t>(ptr, n);
  }
  Tensor out = out_.has_value() ? out_.value() : NewTensor({m, d}, x.dtype());
  if (Same(x.dtype(), kF32)) {
    ByPtr<float>(x, ptr, reduce, out);
  } else if (Same(x.dtype(), kF64)) {
    ByPtr<double>(x, ptr, reduce, out);
  } else if (Same(x.dtype(), kI32)) {
    ByPtr<int32_t>(x, ptr, reduce, out);
  } else {
    ByPtr<int64_t>(x, ptr, reduce, out);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_csr, SegmentCSR);
