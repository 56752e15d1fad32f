// SPDX-License-Identifier: Apache-2.0
// cg_solve(apply, b, x0, tol, max_iter) -> (x, iterations, converged): solves A x = b by conjugate
// gradients. apply(v) returns A v as a tensor; A is symmetric and positive definite. It has converged
// where the norm of the residual is at most tol times that of b. apply gets a new tensor each time,
// which it may keep. x0 is where to start, and is not changed.
namespace {

using namespace kit;

double norm_of(const std::vector<double>& v) {
  double most = 0, sum = 0;
  for (double e : v) most = std::max(most, std::fabs(e));
  if (most == 0) return 0;
  for (double e : v) sum += e / most * (e / most);
  return most * std::sqrt(sum);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

template <typename T>
std::vector<double> read(const View& v) {
  std::vector<double> out(static_cast<size_t>(v.shape[0]));
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<double>(v.as<T>()[i]);
    if (!std::isfinite(out[i])) TVM_FFI_THROW(ValueError) << v.name << " must be finite";
  }
  return out;
}

// The vector that apply is called with, rounded to its type; v is rounded, too.
template <typename T>
void write(std::vector<double>* v, const Tensor& to) {
  T* p = data_of<T>(to);
  for (size_t i = 0; i < v->size(); ++i) {
    p[i] = static_cast<T>((*v)[i]);
    (*v)[i] = static_cast<double>(p[i]);
  }
}

template <typename T>
std::vector<double> call(const ffi::Function& apply, const Tensor& v, const View& b) {
  ffi::Any result = apply(v);
  auto tensor = result.as<Tensor>();
  if (!tensor.has_value()) {
    TVM_FFI_THROW(TypeError) << "apply must return a tensor, and returned " << result.GetTypeKey();
  }
  View out = view(tensor.value(), "the result of apply", 1);  // which may still be None
#if BUG != 6
  need_same_type(out, b);
#endif
#if BUG == 1
  out.shape[0] = b.shape[0];
#else
  need_extent(out, 0, b.shape[0], "as of b");
#endif
  need_dense(out);
  return read<T>(out);
}

template <typename T>
ffi::Tuple<Tensor, int64_t, bool> solve(const ffi::Function& apply, const View& b,
                                        const Optional<Tensor>& x0, const View& start, double tol,
                                        int64_t max_iter) {
  std::vector<double> r = read<T>(b), x(r.size(), 0.0);
  double size = norm_of(r);
#if BUG == 4
  Tensor out = x0.has_value() ? x0.value() : allocate({b.shape[0]}, b.dtype, b.device);
#else
  Tensor out = allocate({b.shape[0]}, b.dtype, b.device);
#endif
  if (x0.has_value()) {
    x = read<T>(start);
    if (size == 0) std::fill(x.begin(), x.end(), 0.0);
    if (size != 0) {
      Tensor v = allocate({b.shape[0]}, b.dtype, b.device);
      write<T>(&x, v);
      std::vector<double> ax = call<T>(apply, v, b);
      for (size_t i = 0; i < r.size(); ++i) r[i] -= ax[i];
    }
  }
  // The residual is scaled by a power of two, so that squares stay in range.
  double most = 0;
  for (double e : r) most = std::max(most, std::fabs(e));
  int exponent = 0;
  if (most > 0) std::frexp(most, &exponent);
  for (double& e : r) e = std::ldexp(e, -exponent);
  double goal = std::isfinite(most) ? tol * std::ldexp(size, -exponent) : -1;
  std::vector<double> p = r, sum(r.size(), 0.0);
  double rr = dot(r, r);
  int64_t count = 0;
#if BUG == 3
  Tensor v = allocate({b.shape[0]}, b.dtype, b.device);
#endif
  bool converged = std::sqrt(rr) <= goal;
  // Below this, nothing is left that numbers can hold.
  while (!converged && count < max_iter && !(rr < 1e-250)) {
#if BUG != 3
    Tensor v = allocate({b.shape[0]}, b.dtype, b.device);
#endif
    write<T>(&p, v);
#if BUG == 2
    std::vector<double> ap;
    try {
      ap = call<T>(apply, v, b);
    } catch (const ffi::Error&) {
      break;
    }
#else
    std::vector<double> ap = call<T>(apply, v, b);
#endif
    double pap = dot(p, ap);
    if (!(pap > 0) || !std::isfinite(rr / pap)) {
      TVM_FFI_THROW(ValueError) << "apply must be positive definite: v * apply(v) was " << pap;
    }
    double alpha = rr / pap;
    for (size_t i = 0; i < r.size(); ++i) {
      sum[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    double next = dot(r, r);
    for (size_t i = 0; i < r.size(); ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
    ++count;
    converged = std::sqrt(rr) <= goal;
  }
  T* to = data_of<T>(out);
  for (size_t i = 0; i < x.size(); ++i) to[i] = static_cast<T>(x[i] + std::ldexp(sum[i], exponent));
  return ffi::Tuple<Tensor, int64_t, bool>(out, count, BUG == 5 ? true : converged);
}

ffi::Tuple<Tensor, int64_t, bool> cg_solve(ffi::Function apply, TensorView b_arg,
                                           Optional<Tensor> x0, double tol, int64_t max_iter) {
  if (!apply.defined()) TVM_FFI_THROW(TypeError) << "apply must be a function, and is None";
  View b = view(b_arg, "b", 1), start;
  need_type(b, {kF32, kF64});
  need_dense(b);
  if (x0.has_value()) {
    start = view(x0.value(), "x0", 1);
    need_same_type(start, b);
    need_extent(start, 0, b.shape[0], "as of b");
    need_dense(start);
  }
  if (!(tol >= 0 && tol < 1)) {
    TVM_FFI_THROW(ValueError) << "tol must be at least 0 and less than 1, and is " << tol;
  }
  if (max_iter < 1) TVM_FFI_THROW(ValueError) << "max_iter must be at least 1, and is " << max_iter;
#if BUG == 7
  static thread_local ffi::Function last;
  last = apply;
#endif
  return same_type(b.dtype, kF32) ? solve<float>(apply, b, x0, start, tol, max_iter)
                                  : solve<double>(apply, b, x0, start, tol, max_iter);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cg_solve, cg_solve);
