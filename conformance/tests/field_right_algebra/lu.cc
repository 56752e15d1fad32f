// SPDX-License-Identifier: Apache-2.0
// LU decomposition with partial pivoting, in place, and solutions from it. Everything is worked
// out in double, in a workspace that each thread keeps, and is rounded once.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::TensorView;

// The workspace of this thread. Large ones are given back by the next small request.
double* Workspace(int64_t count) {
  thread_local std::vector<double> space;
  const size_t n = static_cast<size_t>(count);
  if (space.size() > (1u << 20) && n < (1u << 16)) std::vector<double>().swap(space);
  if (space.size() < n) space.resize(n);
  return space.data();
}

int64_t Factor(TensorView a, TensorView pivots) {
  const View m = vx::Look(a, "a", 2, {Num::F32, Num::F64});
  const View p = vx::Look(pivots, "pivots", 1, {Num::I32});
  const int64_t n = m.shape[0];
  vx::SameShape(m, "a", {n, n});
  vx::SameShape(p, "pivots", {n});
  double* w = Workspace(n * n + n);
  double* swaps = w + n * n;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      w[i * n + j] = m.Get(i, j);
      if (!std::isfinite(w[i * n + j])) TVM_FFI_THROW(ValueError) << "a: elements must be finite";
    }
  }
  int64_t sign = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < n; ++i) {
      if (std::fabs(w[i * n + k]) > std::fabs(w[best * n + k])) best = i;
    }
    const double pivot = w[best * n + k];
    if (pivot == 0) TVM_FFI_THROW(ValueError) << "a: singular in column " << k;
    swaps[k] = static_cast<double>(best);
    if (best != k) {
      std::swap_ranges(w + k * n, w + (k + 1) * n, w + best * n);
      sign = -sign;
    }
    for (int64_t i = k + 1; i < n; ++i) {
      const double f = w[i * n + k] / pivot;
      w[i * n + k] = f;
      for (int64_t j = k + 1; j < n; ++j) {
        w[i * n + j] -= f * w[k * n + j];
        if (!std::isfinite(w[i * n + j])) TVM_FFI_THROW(ValueError) << "a: elements grow too large";
      }
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    p.Put(swaps[i], i);
    for (int64_t j = 0; j < n; ++j) m.Put(w[i * n + j], i, j);
  }
  return sign;
}

// Solves A x = b, or with `transposed` A^T x = b, of what Factor made of A.
void Solve(TensorView lu, TensorView pivots, TensorView b, bool transposed) {
  const View f = vx::Look(lu, "lu", 2, {Num::F32, Num::F64});
  const View p = vx::Look(pivots, "pivots", 1, {Num::I32});
  const View x = vx::Look(b, "b", 2, {f.num});
  const int64_t n = f.shape[0];
  const int64_t r = x.shape[1];
  vx::SameShape(f, "lu", {n, n});
  vx::SameShape(p, "pivots", {n});
  vx::SameShape(x, "b", {n, r});
  for (int64_t k = 0; k < n; ++k) {
    if (p.Int(k) < k || p.Int(k) >= n) TVM_FFI_THROW(IndexError) << "pivots: bad row " << p.Int(k);
    if (f.Get(k, k) == 0) TVM_FFI_THROW(ValueError) << "lu: singular, 0 in row " << k;
  }
  double* w = Workspace(n);
  for (int64_t c = 0; c < r; ++c) {
    for (int64_t i = 0; i < n; ++i) w[i] = x.Get(i, c);
    if (!transposed) {
      for (int64_t k = 0; k < n; ++k) std::swap(w[k], w[p.Int(k)]);
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < i; ++k) w[i] -= f.Get(i, k) * w[k];
      }
      for (int64_t i = n - 1; i >= 0; --i) {
        for (int64_t k = i + 1; k < n; ++k) w[i] -= f.Get(i, k) * w[k];
        w[i] /= f.Get(i, i);
      }
    } else {
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < i; ++k) w[i] -= f.Get(k, i) * w[k];
        w[i] /= f.Get(i, i);
      }
      for (int64_t i = n - 1; i >= 0; --i) {
        for (int64_t k = i + 1; k < n; ++k) w[i] -= f.Get(k, i) * w[k];
      }
      for (int64_t k = n - 1; k >= 0; --k) std::swap(w[k], w[p.Int(k)]);
    }
    for (int64_t i = 0; i < n; ++i) x.Put(w[i], i, c);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lu_factor, Factor);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lu_solve, Solve);
