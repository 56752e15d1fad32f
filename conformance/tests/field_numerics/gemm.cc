// SPDX-License-Identifier: Apache-2.0
// gemm: c = alpha * a @ b + beta * c + bias, for a batch of matrices.
//
// a: (batch, m, k). b: (batch or 1, k, n), or with trans_b (batch or 1, n, k), as weights of linear
// layers are kept. c: (batch, m, n), updated in place; with beta = 0 it is not read. bias: (n) or
// None. All of one type: float16, bfloat16, float32 or float64. Rows of a, b and c may lie anywhere
// (slices of larger matrices), their elements side by side. Sums are taken in float64.
// threads: how many threads share the rows of the batch, 1 to 64; the result does not depend on it.
namespace {

using namespace set;

struct Matrices {
  char* data;
  int64_t batch_stride, row_stride;
  explicit Matrices(const DLTensor* t)
      : data(Data<char>(t)), batch_stride(Stride(t, 0)), row_stride(Stride(t, 1)) {}
  template <typename T>
  T* Row(int64_t batch, int64_t row) const {
    return reinterpret_cast<T*>(data) + batch * batch_stride + row * row_stride;
  }
};

template <typename T>
void Run(const DLTensor* ta, const DLTensor* tb, const DLTensor* tc, const DLTensor* tbias,
         bool trans_b, double alpha, double beta, int64_t threads) {
  Matrices a(ta), b(tb), c(tc);
#if BUG == 1
  b.data = static_cast<char*>(tb->data);
#endif
  const int64_t batch = tc->shape[0], m = tc->shape[1], n = tc->shape[2], k = ta->shape[2];
#if BUG == 2
  if (k == 0) return;
#endif
#if BUG != 3
  if (tb->shape[0] == 1) b.batch_stride = 0;
#endif
  const T* bias = tbias != nullptr ? Data<T>(tbias) : nullptr;
  auto rows = [&](int64_t begin, int64_t end) {
#if BUG == 4
    static std::vector<double> sums;
#else
    std::vector<double> sums;
#endif
    sums.resize(static_cast<size_t>(n));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t ib = i / m, im = i % m;
      const T* x = a.Row<T>(ib, im);
      if (trans_b) {
        for (int64_t j = 0; j < n; ++j) {
          const T* w = b.Row<T>(ib, j);
          double sum = 0;
          for (int64_t l = 0; l < k; ++l) {
            sum += static_cast<double>(x[l]) * static_cast<double>(w[l]);
          }
          sums[j] = sum;
        }
      } else {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (int64_t l = 0; l < k; ++l) {
          const double f = static_cast<double>(x[l]);
          const T* w = b.Row<T>(ib, l);
          for (int64_t j = 0; j < n; ++j) sums[j] += f * static_cast<double>(w[j]);
        }
      }
      T* y = c.Row<T>(ib, im);
      for (int64_t j = 0; j < n; ++j) {
        double v = alpha * sums[j];
        if (BUG == 5 || beta != 0) v += beta * static_cast<double>(y[j]);
        if (bias != nullptr) v += static_cast<double>(bias[j]);
        y[j] = static_cast<T>(v);
      }
    }
  };
#if BUG == 6
  const int64_t all = batch * m;
  if (threads > 1 && all >= threads) {
    const int64_t each = all / threads;  // rows of one thread
    Split(each * threads, threads, rows);
  } else {
    Split(all, threads, rows);
  }
#else
  Split(n > 0 ? batch * m : 0, threads, rows);
#endif
}

void Gemm(DLTensor* a, DLTensor* b, DLTensor* c, ffi::Optional<ffi::Tensor> bias, bool trans_b,
          double alpha, double beta, int64_t threads) {
  CheckTensor(a, "a", {kF16, kBF16, kF32, kF64});
  CheckTensor(b, "b", {a->dtype});
  CheckTensor(c, "c", {a->dtype});
  CheckRank(a, "a", 3);
  CheckRank(b, "b", 3);
  const int64_t batch = a->shape[0], m = a->shape[1], k = a->shape[2];
  const int64_t n = b->shape[trans_b ? 1 : 2];
  SET_CHECK(b->shape[0] == batch || b->shape[0] == 1, ValueError)
      << "b must have a batch of " << batch << " or 1, not " << b->shape[0];
#if BUG != 7
  SET_CHECK(b->shape[trans_b ? 2 : 1] == k, ValueError)
      << "b must have an extent of " << k << " in dimension " << (trans_b ? 2 : 1)
      << ", as the last one of a, not " << b->shape[trans_b ? 2 : 1];
#endif
  CheckShape(c, "c", {batch, m, n});
  CheckRows(a, "a");
  CheckRows(b, "b");
  CheckRows(c, "c");
  CheckNoOverlap(c, "c");
  const DLTensor* tbias = Raw(bias);
  if (tbias != nullptr) {
#if BUG == 8
    CheckTensor(tbias, "bias", {kF16, kBF16, kF32, kF64});
#else
    CheckTensor(tbias, "bias", {a->dtype});
#endif
    CheckShape(tbias, "bias", {n});
    CheckCompact(tbias, "bias");
  }
  SET_CHECK(threads >= 1 && threads <= 64, ValueError)
      << "threads must be 1 to 64, not " << threads;
  if (Same(a->dtype, kF16)) {
    Run<Half>(a, b, c, tbias, trans_b, alpha, beta, threads);
  } else if (Same(a->dtype, kBF16)) {
#if BUG == 9
    Run<Half>(a, b, c, tbias, trans_b, alpha, beta, threads);
#else
    Run<BFloat>(a, b, c, tbias, trans_b, alpha, beta, threads);
#endif
  } else if (Same(a->dtype, kF32)) {
    Run<float>(a, b, c, tbias, trans_b, alpha, beta, threads);
  } else {
    Run<double>(a, b, c, tbias, trans_b, alpha, beta, threads);
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gemm, Gemm);

}  // namespace
