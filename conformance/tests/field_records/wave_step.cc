// SPDX-License-Identifier: Apache-2.0
// Simulation: one leapfrog step of the wave equation on grids (..., h, w), into out (which may be prev) or a new tensor.
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

enum class Edge { kPeriodic, kClamp, kZero };

template <class T>
double at(const T* u, int64_t h, int64_t w, int64_t i, int64_t j, Edge edge) {
  if (i < 0 || j < 0 || i >= h || j >= w) {
    if (edge == Edge::kZero) return 0;
    if (edge == Edge::kPeriodic) i = (i + h) % h, j = (j + w) % w;
    else i = std::min(std::max<int64_t>(i, 0), h - 1), j = std::min(std::max<int64_t>(j, 0), w - 1);
  }
  return static_cast<double>(u[i * w + j]);
}

template <class T>
void step(const T* u, const T* prev, const T* damping, T* out, int64_t batch, int64_t h, int64_t w, double c2, Edge edge) {
#if BUG == 6
  static std::vector<double> lap;
  if (static_cast<int64_t>(lap.size()) < w) lap.resize(w);
#endif
  auto rows = [&](int64_t begin, int64_t end) {
#if BUG != 6
    std::vector<double> lap(w);
#endif
    for (int64_t r = begin; r < end; ++r) {
      const T* g = u + r / h * h * w;
      int64_t i = r % h;
      for (int64_t j = 0; j < w; ++j)
        lap[j] = at(g, h, w, i - 1, j, edge) + at(g, h, w, i + 1, j, edge) + at(g, h, w, i, j - 1, edge) +
                 at(g, h, w, i, j + 1, edge) - 4 * static_cast<double>(g[i * w + j]);
#if BUG == 1
      for (int64_t j = 0; j < w; ++j) out[r * w + j] = static_cast<T>(2 * static_cast<double>(u[r * w + j]) + c2 * lap[j]);
      for (int64_t j = 0; j < w; ++j) {
        double d = damping ? static_cast<double>(damping[i * w + j]) : 0;
        out[r * w + j] = static_cast<T>((static_cast<double>(out[r * w + j]) - (1 - d) * static_cast<double>(prev[r * w + j])) / (1 + d));
      }
#else
      for (int64_t j = 0; j < w; ++j) {
        double d = damping ? static_cast<double>(damping[i * w + j]) : 0;
        double p = static_cast<double>(prev[r * w + j]), q = static_cast<double>(u[r * w + j]);
        out[r * w + j] = static_cast<T>((2 * q - (1 - d) * p + c2 * lap[j]) / (1 + d));
      }
#endif
    }
  };
#if BUG == 6
  rows(0, batch * h);
#else
  parallel(batch * h, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, w)), rows);
#endif
}

#if BUG == 3
static Optional<Tensor> last;  // the next step will most likely write there
static std::mutex last_lock;
#endif

Tensor wave_step(TensorView u, TensorView prev, double c2, Optional<Tensor> damping, String boundary, Optional<Tensor> out) {
  check_cpu(u, "u");
  check_cpu(prev, "prev");
  check_dtype(u, "u", {kF32, kF64});
  check_same(prev, "prev", u.dtype());
  int rank = u.ndim();
  if (rank < 2) TVM_FFI_THROW(ValueError) << "u must have at least 2 dimensions";
  check_rank(prev, "prev", rank);
  for (int i = 0; i < rank; ++i) check_size(prev, "prev", i, u.shape()[i]);
  check_dense(u, "u");
  check_dense(prev, "prev");
  check_aligned(u, "u");
  check_aligned(prev, "prev");
  if (!(c2 >= 0 && c2 <= 0.5)) TVM_FFI_THROW(ValueError) << "c2 must be within the CFL limit, 0 to 0.5";
  Edge edge;
  if (boundary == "periodic") edge = Edge::kPeriodic;
  else if (boundary == "clamp") edge = Edge::kClamp;
#if BUG == 4
  else edge = Edge::kZero;
#else
  else if (boundary == "zero") edge = Edge::kZero;
  else TVM_FFI_THROW(ValueError) << "unknown boundary " << boundary;
#endif
  int64_t h = u.shape()[rank - 2], w = u.shape()[rank - 1], batch = 1;
  for (int i = 0; i < rank - 2; ++i) batch *= u.shape()[i];
  const char* d = nullptr;
  Tensor hold;
  if (damping.has_value()) {
    hold = damping.value();
    TensorView t = view_of(hold, "damping");
    check_cpu(t, "damping");
    check_same(t, "damping", u.dtype());
#if BUG == 5
    if (t.numel() != h * w) TVM_FFI_THROW(ValueError) << "damping must have an element for each cell";
#else
    check_rank(t, "damping", 2);
    check_size(t, "damping", 0, h);
    check_size(t, "damping", 1, w);
#endif
    check_dense(t, "damping");
    check_aligned(t, "damping");
    d = raw(t);
  }
  Tensor y;
  if (out.has_value()) {
    y = out.value();
    TensorView t = view_of(y, "out");
    check_cpu(t, "out");
    check_same(t, "out", u.dtype());
    check_rank(t, "out", rank);
    for (int i = 0; i < rank; ++i) check_size(t, "out", i, u.shape()[i]);
    check_dense(t, "out");
    check_aligned(t, "out");
    if (overlap(t, u)) TVM_FFI_THROW(ValueError) << "out must not overlap u";
    if (overlap(t, prev) && raw(t) != raw(prev)) TVM_FFI_THROW(ValueError) << "out must be prev, or lie elsewhere";
    if (damping.has_value() && overlap(t, TensorView(hold))) TVM_FFI_THROW(ValueError) << "out must not overlap damping";
  } else {
    y = env_alloc_as(u.shape(), u.dtype());
  }
  TensorView t(y);
  if (same(u.dtype(), kF32))
    step(data<float>(u), data<float>(prev), reinterpret_cast<const float*>(d), data<float>(t), batch, h, w, c2, edge);
  else
    step(data<double>(u), data<double>(prev), reinterpret_cast<const double*>(d), data<double>(t), batch, h, w, c2, edge);
#if BUG == 2
  if (out.has_value()) {
    Tensor copy = env_alloc_as(u.shape(), u.dtype());
    std::memcpy(raw(TensorView(copy)), raw(t), ffi::GetDataSize(t));
    return copy;
  }
#endif
#if BUG == 3
  std::lock_guard<std::mutex> guard(last_lock);
  last = y;
#endif
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(wave_step, wave_step);
