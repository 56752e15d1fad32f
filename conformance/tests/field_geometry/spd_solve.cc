// SPDX-License-Identifier: Apache-2.0
// spd_solve: solves a batch of symmetric positive definite systems a x = b by Cholesky's method.
//
//   a       (m, n, n)  float32 or float64; only the triangle that `uplo` names is read. Rows may
//                      lie anywhere (a leading dimension, a padded batch)
//   b       (m, n, k)  right-hand sides
//   uplo               "L" or "U"
//   x       (m, n, k)  solutions; may be the memory of b
//   info    (m)        int32, optional: 0, or the order of the leading minor that is not positive;
//                      the solution of such a system is NaN. Without `info` it is an error.
//   threads            0 (as many as the machine has) to 64
//
// Works in double precision throughout. A refused call has written nothing.
namespace {
using namespace set;

// Factors the lower triangle of l in place: 0, or the order of the first bad leading minor.
int32_t Factor(double* l, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    double pivot = l[j * n + j];
    for (int64_t k = 0; k < j; ++k) pivot -= l[j * n + k] * l[j * n + k];
#if BUG == 8
    if (pivot <= 0) return static_cast<int32_t>(j + 1);
#else
    if (!(pivot > 0) || !std::isfinite(pivot)) return static_cast<int32_t>(j + 1);
#endif
    double root = std::sqrt(pivot);
    l[j * n + j] = root;
    for (int64_t i = j + 1; i < n; ++i) {
      double s = l[i * n + j];
      for (int64_t k = 0; k < j; ++k) s -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = s / root;
    }
  }
  return 0;
}

// Solves l l' r = r in place, for k right-hand sides.
void Substitute(const double* l, double* r, int64_t n, int64_t k) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      for (int64_t c = 0; c < k; ++c) r[i * k + c] -= l[i * n + j] * r[j * k + c];
    }
    for (int64_t c = 0; c < k; ++c) r[i * k + c] /= l[i * n + i];
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    for (int64_t j = i + 1; j < n; ++j) {
      for (int64_t c = 0; c < k; ++c) r[i * k + c] -= l[j * n + i] * r[j * k + c];
    }
    for (int64_t c = 0; c < k; ++c) r[i * k + c] /= l[i * n + i];
  }
}

template <typename T>
void Run(const TensorView& a, const TensorView& b, bool lower, const TensorView& x, int32_t* info,
         int64_t threads) {
  const int64_t m = a.shape()[0], n = a.shape()[1], k = b.shape()[2];
  const T* a_data = Data<T>(a);
  const T* b_data = Data<T>(b);
  const std::vector<int64_t> stride = Strides(a);
#if BUG == 3
  const int64_t batch = stride[1] * n;
#else
  const int64_t batch = stride[0];
#endif
  // Solutions are staged, so that nothing is written if a system cannot be solved.
  std::vector<T> staged(static_cast<size_t>(m * n * k));
#if BUG == 4
  T* target = Data<T>(x);
#else
  T* target = staged.data();
#endif
  std::vector<int32_t> status(static_cast<size_t>(m), 0);
#if BUG == 6
  std::vector<double> factor(static_cast<size_t>(n * n));
#endif
  ParallelFor(m, Workers(threads, m), [&](int64_t begin, int64_t end, int64_t) {
#if BUG == 5
    double* l = new double[static_cast<size_t>(n * n)];
#elif BUG == 6
    double* l = factor.data();
#else
    std::vector<double> factor(static_cast<size_t>(n * n));
    double* l = factor.data();
#endif
    std::vector<double> r(static_cast<size_t>(n * k));
    for (int64_t s = begin; s < end; ++s) {
      const T* from = a_data + s * batch;
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j <= i; ++j) {
#if BUG == 2
          l[i * n + j] = from[i * stride[1] + j];
          (void)lower;
#else
          l[i * n + j] = lower ? from[i * stride[1] + j] : from[j * stride[1] + i];
#endif
        }
      }
      status[s] = Factor(l, n);
#if BUG == 5
      if (status[s] != 0 && info == nullptr) return;
#endif
      T* to = target + s * n * k;
      if (status[s] != 0) {
#if BUG == 4
        if (info == nullptr) continue;
#endif
        if (BUG != 7) std::fill(to, to + n * k, std::numeric_limits<T>::quiet_NaN());
        continue;
      }
      for (int64_t i = 0; i < n * k; ++i) r[i] = b_data[s * n * k + i];
      Substitute(l, r.data(), n, k);
      for (int64_t i = 0; i < n * k; ++i) to[i] = static_cast<T>(r[i]);
    }
#if BUG == 5
    delete[] l;
#endif
  });
  if (info == nullptr) {
    for (int64_t s = 0; s < m; ++s) {
      SET_REQUIRE(status[s] == 0, ValueError)
          << "`a` is not positive definite: leading minor " << status[s] << " of system " << s;
    }
  } else {
    std::copy(status.begin(), status.end(), info);
  }
#if BUG != 4
  std::copy(staged.begin(), staged.end(), Data<T>(x));
#endif
}

void SpdSolve(TensorView a, TensorView b, String uplo, TensorView x, Optional<Tensor> info,
              int64_t threads) {
  CheckCpu(a, "a");
  CheckCpu(b, "b");
  CheckCpu(x, "x");
  CheckFloat(a, "a");
  CheckSameType(b, "b", a, "a");
  CheckSameType(x, "x", a, "a");
  CheckRank(a, "a", 3);
  CheckRank(b, "b", 3);
  const int64_t m = a.shape()[0], n = a.shape()[1];
  CheckShape(a, "a", {m, n, n});
  CheckShape(b, "b", {m, n, b.shape()[2]});
  CheckShape(x, "x", {m, n, b.shape()[2]});
  CheckRows(a, "a");
  CheckContiguous(b, "b");
  CheckContiguous(x, "x");
  SET_REQUIRE(uplo == "L" || uplo == "U", ValueError)
      << "`uplo` must be \"L\" or \"U\", but is \"" << std::string(uplo) << "\"";
  CheckThreads(threads);
  int32_t* info_data = nullptr;
  Tensor info_tensor;
  if (info.has_value()) {
    info_tensor = info.value();
    TensorView view(info_tensor);
    CheckCpu(view, "info");
    SET_REQUIRE(IsInt32(view.dtype()), TypeError) << "`info` must be of int32";
#if BUG == 1
    CheckRank(view, "info", 1);
#else
    CheckShape(view, "info", {m});
#endif
    CheckContiguous(view, "info");
    info_data = Data<int32_t>(view);
  }
  // Without systems there is no data to point to, and still someone who asked for `info`.
  int32_t nothing = 0;
  if (info.has_value() && info_data == nullptr) info_data = &nothing;
  const bool lower = uplo == "L";
  if (IsFloat32(a.dtype())) {
    Run<float>(a, b, lower, x, info_data, threads);
  } else {
    Run<double>(a, b, lower, x, info_data, threads);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spd_solve, SpdSolve);
