// SPDX-License-Identifier: Apache-2.0
// conjugate_gradient: solves A x = b for a symmetric positive definite A that is given as a function.
//
// matvec(v) returns A v, a new or the same tensor: (n), of the type of b. precond(r), or None, returns
// an approximation of A^-1 r in the same way. b: (n) of float32 or float64, contiguous. x: (n), where
// the solution is put; it may be the memory of b or x0. x0: where to start, or None: from 0,
// which is also where it starts if that is nearer.
// Ends when the residual is at most tol times the norm of b; tol: 1e-12 to 1e-6. max_iter: 1 to
// 1000000. Returns the number of iterations. Each call of a function is given a tensor of its own,
// which it may keep. An error of a function is the error of the call; a refused call has not changed x.
namespace {

using namespace set;
using Vector = std::vector<double>;

#if BUG == 9
struct Borrowed {
  void AllocData(DLTensor* t, void* memory) { t->data = memory; }
  void FreeData(DLTensor*) {}
};
#endif

double Dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

template <typename T>
Vector Apply(const ffi::Function& f, const char* name, Vector* v, DLDataType type,
             [[maybe_unused]] std::vector<T>* scratch) {
  const int64_t n = static_cast<int64_t>(v->size());
#if BUG == 9
  scratch->resize(v->size());
  ffi::Tensor arg = ffi::Tensor::FromNDAlloc(Borrowed{}, ffi::ShapeView(&n, 1), type,
                                             DLDevice{kDLCPU, 0}, scratch->data());
#else
  ffi::Tensor arg = NewTensor(ffi::ShapeView(&n, 1), type);
#endif
  T* to = Data<T>(arg.GetDLTensorPtr());
  for (int64_t i = 0; i < n; ++i) {
    to[i] = static_cast<T>((*v)[i]);
    (*v)[i] = static_cast<double>(to[i]);
  }
  ffi::Any result = f(arg);
  auto tensor = result.try_cast<ffi::Tensor>();
  SET_CHECK(tensor.has_value() && tensor->defined(), TypeError)
      << name << " must return a tensor, not " << result.GetTypeKey();
  const DLTensor* t = tensor->GetDLTensorPtr();
  const std::string what = std::string("what ") + name + " returns";
#if BUG == 3
  CheckTensor(t, what.c_str(), {kF32, kF64});
#else
  CheckTensor(t, what.c_str(), {type});
#endif
#if BUG == 2
  CheckRank(t, what.c_str(), 1);
#else
  CheckShape(t, what.c_str(), {n});
#endif
  const T* from = Data<T>(t);
#if BUG == 1
  const int64_t stride = 1;
#else
  const int64_t stride = Stride(t, 0);
#endif
  Vector out(v->size());
  for (int64_t i = 0; i < n; ++i) out[i] = static_cast<double>(from[i * stride]);
  return out;
}

template <typename T>
double LargestOf(const DLTensor* t, const char* name) {
  const T* v = Data<T>(t);
  double largest = 0;
  for (int64_t i = 0; i < t->shape[0]; ++i) {
    SET_CHECK(std::isfinite(v[i]), ValueError) << name << " is not finite";
    largest = std::max(largest, std::abs(static_cast<double>(v[i])));
  }
  return largest;
}

template <typename T>
int64_t Solve(const ffi::Function& matvec, const DLTensor* tb, const DLTensor* tx,
              const DLTensor* tx0, double tol, int64_t max_iter, const ffi::Function* precond) {
  const size_t n = static_cast<size_t>(tb->shape[0]);
  const DLDataType type = tb->dtype;
  T* out = Data<T>(tx);
  const double scale = LargestOf<T>(tb, "b");  // so that squares neither overflow nor vanish
  if (tx0 != nullptr) LargestOf<T>(tx0, "x0");
  if (scale == 0) {
    std::fill(out, out + n, T(0));
    return 0;
  }
  std::vector<T> scratch;
  Vector x(n, 0.0), b(n), r(n);
  for (size_t i = 0; i < n; ++i) b[i] = static_cast<double>(Data<T>(tb)[i]) / scale;
  r = b;
  if (tx0 != nullptr) {
    for (size_t i = 0; i < n; ++i) x[i] = static_cast<double>(Data<T>(tx0)[i]) / scale;
#if BUG != 6
    const Vector ax = Apply<T>(matvec, "matvec", &x, type, &scratch);
    for (size_t i = 0; i < n; ++i) r[i] -= ax[i];
#endif
    if (Dot(r, r) > Dot(b, b)) {  // far off: its digits would be lost
      std::fill(x.begin(), x.end(), 0.0);
      r = b;
    }
  }
  const double limit = tol * std::sqrt(Dot(b, b));
  Vector p;
  double rz = 0;
  int64_t iterations = 0;
  for (;; ++iterations) {
    const double norm = std::sqrt(Dot(r, r));
#if BUG == 8
    if (!(norm > limit)) break;
#else
    SET_CHECK(std::isfinite(norm), RuntimeError) << "the residual is not finite";
    if (norm <= limit) break;
#endif
    SET_CHECK(iterations < max_iter, RuntimeError)
        << "did not converge in max_iter = " << max_iter << " iterations";
    Vector z = precond != nullptr ? Apply<T>(*precond, "precond", &r, type, &scratch) : r;
    const double now = Dot(r, z);
    SET_CHECK(now > 0, ValueError) << "precond is not positive definite, or too inexact";
    if (iterations == 0) {
      p = std::move(z);
    } else {
      const double beta = now / rz;
      for (size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
    }
    rz = now;
#if BUG == 4
    Vector q;
    try {
      q = Apply<T>(matvec, "matvec", &p, type, &scratch);
    } catch (const ffi::Error&) {
      break;  // as good as it gets
    }
#else
    const Vector q = Apply<T>(matvec, "matvec", &p, type, &scratch);
#endif
    const double pq = Dot(p, q);
#if BUG != 8
    SET_CHECK(std::isfinite(pq), RuntimeError) << "what matvec returns is not finite";
#endif
    SET_CHECK(BUG == 8 ? !(pq <= 0) : pq > 0, ValueError) << "matvec is not positive definite";
    const double alpha = rz / pq;
    for (size_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
#if BUG == 5
      out[i] = static_cast<T>(x[i] * scale);
#endif
    }
  }
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(x[i] * scale);
  return iterations;
}

int64_t ConjugateGradient(ffi::Function matvec, DLTensor* b, DLTensor* x,
                          ffi::Optional<ffi::Tensor> x0, double tol, int64_t max_iter,
                          ffi::Optional<ffi::Function> precond) {
  SET_CHECK(matvec != nullptr, TypeError) << "matvec must be a function, not None";
  CheckTensor(b, "b", {kF32, kF64});
  CheckTensor(x, "x", {b->dtype});
  CheckRank(b, "b", 1);
  CheckCompact(b, "b");
  CheckSameShape(x, "x", b, "b");
  CheckCompact(x, "x");
  const DLTensor* tx0 = Raw(x0);
  if (tx0 != nullptr) {
    CheckTensor(tx0, "x0", {b->dtype});
    CheckSameShape(tx0, "x0", b, "b");
    CheckCompact(tx0, "x0");
  }
  SET_CHECK(tol >= 1e-12 && tol <= 1e-6, ValueError) << "tol must be 1e-12 to 1e-6, not " << tol;
  SET_CHECK(max_iter >= 1 && max_iter <= 1000000, ValueError)
      << "max_iter must be 1 to 1000000, not " << max_iter;
  ffi::Function by = nullptr;
  if (precond.has_value()) by = precond.value();
#if BUG == 7
  static ffi::Function& last = *new ffi::Function(nullptr);
  static std::mutex lock;
  {
    std::lock_guard<std::mutex> guard(lock);
    if (by != nullptr) last = by;
    by = last;
  }
#endif
  const ffi::Function* use = by != nullptr ? &by : nullptr;
  if (Same(b->dtype, kF32)) return Solve<float>(matvec, b, x, tx0, tol, max_iter, use);
  return Solve<double>(matvec, b, x, tx0, tol, max_iter, use);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conjugate_gradient, ConjugateGradient);

}  // namespace
