// SPDX-License-Identifier: Apache-2.0
// stft_power: power or magnitude spectrum of overlapping, windowed frames, for feature extraction.
//
//   x       [b, n]               float32 or float64, each row dense
//   window  [n_fft] or None      same type; None is a rectangular window
//   out     [b, frames, bins]    same type; frames = (n + 2*pad - n_fft) / hop + 1,
//                                bins = n_fft / 2 + 1
//   n_fft   power of two, 2 to 2048
//   hop     1 to 4096
//   pad     samples added at both ends, 0 to n_fft
//   mode    "reflect" (pad < n) or "constant" (zeros)
//   power   1: magnitude, 2: power
//   normalize   the power is divided by the sum of the squares of the window
namespace {

struct Plan {
  std::vector<int> reversed;
  std::vector<std::complex<double>> twiddle;  // exp(-2 pi i k / n), k < n/2
};

std::shared_ptr<const Plan> GetPlan(int n) {
  static std::mutex lock;
  static std::unordered_map<int, std::shared_ptr<const Plan>> plans;  // at most 11 sizes
  std::lock_guard<std::mutex> guard(lock);
#if BUG == 4
  // One plan for all sizes up to the largest that was seen.
  for (const auto& kv : plans) {
    if (kv.first >= n) return kv.second;
  }
#endif
  std::shared_ptr<const Plan>& entry = plans[n];
  if (entry == nullptr) {
    auto plan = std::make_shared<Plan>();
    plan->reversed.assign(n, 0);
    for (int i = 1; i < n; ++i) {
      plan->reversed[i] = (plan->reversed[i >> 1] >> 1) | ((i & 1) != 0 ? n >> 1 : 0);
    }
    plan->twiddle.resize(n / 2);
    for (int k = 0; k < n / 2; ++k) {
      plan->twiddle[k] = std::polar(1.0, -2.0 * M_PI * k / n);
    }
    entry = plan;
  }
  return entry;
}

void Transform(const Plan& plan, int n, std::vector<std::complex<double>>* a) {
  std::complex<double>* p = a->data();
  for (int i = 0; i < n; ++i) {
    const int r = plan.reversed[i] & (n - 1);
    if (i < r) std::swap(p[i], p[r]);
  }
  for (int len = 2; len <= n; len <<= 1) {
    const int half = len / 2;
    const int step = n / len;
    for (int s = 0; s < n; s += len) {
      for (int k = 0; k < half; ++k) {
        const std::complex<double> w = plan.twiddle[k * step];
        const std::complex<double> u = p[s + k];
        const std::complex<double> v(
            p[s + k + half].real() * w.real() - p[s + k + half].imag() * w.imag(),
            p[s + k + half].real() * w.imag() + p[s + k + half].imag() * w.real());
        p[s + k] = u + v;
        p[s + k + half] = u - v;
      }
    }
  }
}

struct Options {
  int64_t n_fft, hop, pad, frames;
  bool reflect, magnitude, normalize;
};

template <typename T>
void Run(const Arg& x, const T* window, const Arg& out, const Options& o) {
  const int64_t n = x.dim(1);
  const int64_t bins = o.n_fft / 2 + 1;
  double norm = 1;
  if (o.normalize) {
    norm = 0;
    for (int64_t i = 0; i < o.n_fft; ++i) {
      const double w = window != nullptr ? static_cast<double>(window[i]) : 1.0;
      norm += w * w;
    }
    if (!(norm > 0)) TVM_FFI_THROW(ValueError) << "window must not be all zero with normalize";
  }
  const std::shared_ptr<const Plan> plan = GetPlan(static_cast<int>(o.n_fft));
#if BUG == 1
  static std::vector<std::complex<double>> frame;  // workspace, grows as needed
  if (static_cast<int64_t>(frame.size()) < o.n_fft) frame.resize(2048);
#else
  std::vector<std::complex<double>> frame(o.n_fft);
#endif
  T* y = out.data<T>();
#if BUG == 7
  const int64_t row_stride = n;
#else
  const int64_t row_stride = x.stride(0);
#endif
  for (int64_t b = 0; b < x.dim(0); ++b) {
    const T* row = x.data<T>() + b * row_stride;
    for (int64_t f = 0; f < o.frames; ++f) {
      for (int64_t i = 0; i < o.n_fft; ++i) {
        int64_t p = f * o.hop + i - o.pad;
        double v = 0;
        if (o.reflect) {
          if (p < 0) p = -p;
#if BUG == 2
          if (p >= n) p = 2 * n - 1 - p;
#else
          if (p >= n) p = 2 * (n - 1) - p;
#endif
        }
        if (p >= 0 && p < n) v = static_cast<double>(row[p]);
        if (window != nullptr) v *= static_cast<double>(window[i]);
        frame[i] = v;
      }
      Transform(*plan, static_cast<int>(o.n_fft), &frame);
      for (int64_t k = 0; k < bins; ++k) {
        double e = frame[k].real() * frame[k].real() + frame[k].imag() * frame[k].imag();
        e /= norm;
        const bool root = BUG == 5 ? o.magnitude && sizeof(T) == 4 : o.magnitude;
        *y++ = static_cast<T>(root ? std::sqrt(e) : e);
      }
    }
  }
}

void StftPower(TensorView x_view, Optional<Tensor> window, TensorView out_view, int64_t n_fft,
               int64_t hop, int64_t pad, String mode, int64_t power, bool normalize) {
  ffi::AnyView x_any(x_view), out_any(out_view);
  const Arg x("x", x_any.cast<DLTensor*>());
  const Arg out("out", out_any.cast<DLTensor*>());
  x.Type({kF32, kF64}).Rank(2).Cpu().Packed(1);
  out.Type({x.type()}).Rank(3).Cpu().Contiguous();
  if (n_fft < 2 || n_fft > 2048 || (n_fft & (n_fft - 1)) != 0) {
    TVM_FFI_THROW(ValueError) << "n_fft must be a power of two from 2 to 2048, not " << n_fft;
  }
  if (hop < 1 || hop > 4096) TVM_FFI_THROW(ValueError) << "hop must be from 1 to 4096, not " << hop;
  if (pad < 0 || pad > n_fft) TVM_FFI_THROW(ValueError) << "pad must be from 0 to n_fft";
  const bool reflect = mode == "reflect";
  if (!reflect && mode != "constant") {
    TVM_FFI_THROW(ValueError) << "mode must be \"reflect\" or \"constant\"";
  }
  if (power != 1 && power != 2) TVM_FFI_THROW(ValueError) << "power must be 1 or 2, not " << power;
  const int64_t n = x.dim(1);
  if (n < 1) TVM_FFI_THROW(ValueError) << "x must have samples";
  if (reflect && pad >= n) TVM_FFI_THROW(ValueError) << "pad must be less than the length of x";
  if (n + 2 * pad < n_fft) TVM_FFI_THROW(ValueError) << "x is shorter than one frame of n_fft";
  const int64_t frames = (n + 2 * pad - n_fft) / hop + 1;
  out.Extent(0, x.dim(0)).Extent(1, frames).Extent(2, n_fft / 2 + 1);
  const void* w = nullptr;
  if (window.has_value()) {
    const Arg win("window", window.value());
#if BUG == 3
    win.Type({kF32, kF64});
#else
    win.Type({x.type()});
#endif
    win.Rank(1).Extent(0, n_fft).Cpu().Contiguous();
#if BUG == 6
    w = window.value().data_ptr();
#else
    w = win.data<char>();
#endif
  }
  const Options o{n_fft, hop, pad, frames, reflect, power == 1, normalize};
  if (x.Is(kF32)) {
    Run(x, static_cast<const float*>(w), out, o);
  } else {
    Run(x, static_cast<const double*>(w), out, o);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stft_power, StftPower);
