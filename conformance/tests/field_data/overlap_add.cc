// SPDX-License-Identifier: Apache-2.0
// overlap_add(frames, hop, window, normalize): a signal of its frames, as in an inverse STFT.
using namespace set;

template <typename T>
struct Cell {
  using Out = T;
  static double Load(T v) { return v; }
  static T Store(double v) { return static_cast<T>(v); }
};
struct Half {
  uint16_t bits;
};
template <>
struct Cell<Half> {
  static double Load(Half v) { return HalfToFloat(v.bits); }
#if BUG == 3
  using Out = float;
  static float Store(double v) { return static_cast<float>(v); }
#else
  using Out = Half;
  static Half Store(double v) { return Half{FloatToHalf(static_cast<float>(v))}; }
#endif
};

std::vector<double> Envelope(const std::vector<double>& window, int64_t f, int64_t hop) {
  int64_t w = window.size();
#if BUG == 5
  static std::mutex lock;
  static std::vector<double> kept;
  static int64_t key[3] = {-1, -1, -1};
  std::lock_guard<std::mutex> guard(lock);
  if (key[0] == f && key[1] == w && key[2] == hop) return kept;
#endif
  std::vector<double> sum((f - 1) * hop + w, 0.0);
  for (int64_t i = 0; i < f; ++i)
#if BUG == 6
    for (int64_t j = 0; j < w; ++j) sum[i * hop + j] += window[j];
#else
    for (int64_t j = 0; j < w; ++j) sum[i * hop + j] += window[j] * window[j];
#endif
#if BUG == 5
  key[0] = f, key[1] = w, key[2] = hop;
  kept = sum;
#endif
  return sum;
}

template <typename T>
void Run(const TensorView& frames, int64_t hop, const std::vector<double>& window, bool normalize, const Tensor& out) {
  int nd = frames.ndim();
  int64_t f = frames.size(nd - 2), w = frames.size(nd - 1), length = (f - 1) * hop + w, batch = 1;
  for (int i = 0; i < nd - 2; ++i) batch *= frames.size(i);
  std::vector<double> env;
  if (normalize) env = Envelope(window, f, hop);
  const T* src = Data<T>(frames);
  using Out = typename Cell<T>::Out;
  Out* dst = Data<Out>(out);
  int64_t sf = Stride(frames, nd - 2);
#if BUG == 2
  int64_t sw = 1;
#else
  int64_t sw = Stride(frames, nd - 1);
#endif
  ParallelFor(batch, 2, [&](int64_t begin, int64_t end) {
    std::vector<double> acc(length);
    for (int64_t b = begin; b < end; ++b) {
      int64_t offset = 0, rest = b;
      for (int i = nd - 3; i >= 0; --i) {
        offset += rest % frames.size(i) * Stride(frames, i);
        rest /= frames.size(i);
      }
      std::fill(acc.begin(), acc.end(), 0.0);
      for (int64_t i = 0; i < f; ++i)
        for (int64_t j = 0; j < w; ++j) acc[i * hop + j] += Cell<T>::Load(src[offset + i * sf + j * sw]) * window[j];
      for (int64_t t = 0; t < length; ++t) {
        double v = acc[t];
        if (normalize && env[t] > 1e-10) v /= env[t];
        dst[b * length + t] = Cell<T>::Store(v);
      }
    }
  });
}

template <typename T>
std::vector<double> Window(const Optional<Tensor>& window, int64_t w) {
  std::vector<double> out(w, 1.0);
  if (window.has_value())
    for (int64_t j = 0; j < w; ++j) out[j] = Cell<T>::Load(Data<T>(window.value())[j]);
  return out;
}

Tensor OverlapAdd(TensorView frames, int64_t hop, Optional<Tensor> window_, bool normalize) {
  CheckCPU(frames, "frames");
  int nd = frames.ndim();
  REQUIRE(nd >= 2, ValueError) << "frames must have 2 dimensions at least";
  CheckDtype(frames, "frames", {kF16, kF32, kF64});
  int64_t f = frames.size(nd - 2), w = frames.size(nd - 1), length;
  REQUIRE(f >= 1 && w >= 1, ValueError) << "a frame with an element is needed";
#if BUG == 4
  REQUIRE(hop != 0 && hop <= w, ValueError) << "hop must be in 1.." << w << ", is " << hop;
#else
  REQUIRE(hop >= 1 && hop <= w, ValueError) << "hop must be in 1.." << w << ", is " << hop;
#endif
  REQUIRE(!MulOverflow(f - 1, hop, &length) && !AddOverflow(length, w, &length), ValueError) << "frames are too large";
  if (window_.has_value()) {
    TensorView window = View(window_);
    CheckCPU(window, "window");
    CheckRank(window, "window", 1);
    REQUIRE(Same(window.dtype(), frames.dtype()), TypeError) << "window must have the dtype of frames";
#if BUG != 1
    REQUIRE(window.size(0) == w, ValueError) << "window must have " << w << " elements";
#endif
    CheckContiguous(window, "window");
  }
  std::vector<int64_t> shape;
  for (int i = 0; i < nd - 2; ++i) shape.push_back(frames.size(i));
  shape.push_back(length);
#if BUG == 3
  Tensor out = NewTensor(shape, Same(frames.dtype(), kF64) ? kF64 : kF32);
#else
  Tensor out = NewTensor(shape, frames.dtype());
#endif
  if (frames.numel() == 0) return out;
  if (Same(frames.dtype(), kF16)) {
    Run<Half>(frames, hop, Window<Half>(window_, w), normalize, out);
  } else if (Same(frames.dtype(), kF32)) {
    Run<float>(frames, hop, Window<float>(window_, w), normalize, out);
  } else {
    Run<double>(frames, hop, Window<double>(window_, w), normalize, out);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(overlap_add, OverlapAdd);
