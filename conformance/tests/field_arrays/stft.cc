// SPDX-License-Identifier: Apache-2.0
// Short-time Fourier transform of real signals.
using namespace ks;

struct Plan {
  std::vector<double> cosine, sine;  // of -2 pi k / n
  std::vector<int64_t> reversed;
#if BUG == 1
  std::vector<double> window;
#endif
};

// Plans are kept for the lifetime of the process: there are at most 12 sizes.
static std::shared_ptr<const Plan> GetPlan(int64_t n, const std::vector<double> &window)
{
  static std::mutex mutex;
  static std::map<int64_t, std::shared_ptr<const Plan>> plans;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = plans.find(n);
  if (it != plans.end()) return it->second;
  auto plan = std::make_shared<Plan>();
  int bits = 0;
  while ((int64_t(1) << bits) < n) ++bits;
  for (int64_t k = 0; k < n; ++k) {
#if BUG == 6
    plan->cosine.push_back(std::cos(float(-2 * M_PI * double(k) / double(n))));
    plan->sine.push_back(std::sin(float(-2 * M_PI * double(k) / double(n))));
#else
    plan->cosine.push_back(std::cos(-2 * M_PI * double(k) / double(n)));
    plan->sine.push_back(std::sin(-2 * M_PI * double(k) / double(n)));
#endif
    int64_t r = 0;
    for (int b = 0; b < bits; ++b)
      if (k >> b & 1) r |= int64_t(1) << (bits - 1 - b);
    plan->reversed.push_back(r);
  }
#if BUG == 1
  plan->window = window;
#else
  (void)window;
#endif
  plans[n] = plan;
  return plan;
}

static void Transform(const Plan &plan, std::vector<double> &re, std::vector<double> &im)
{
  int64_t n = int64_t(re.size());
  for (int64_t size = 2; size <= n; size *= 2)
    for (int64_t at = 0; at < n; at += size)
      for (int64_t k = 0; k < size / 2; ++k) {
        size_t i = size_t(at + k), j = size_t(at + k + size / 2), w = size_t(k * (n / size));
        double a = re[j] * plan.cosine[w] - im[j] * plan.sine[w],
               b = re[j] * plan.sine[w] + im[j] * plan.cosine[w];
        re[j] = re[i] - a;
        im[j] = im[i] - b;
        re[i] += a;
        im[i] += b;
      }
}

static Tensor Stft(TensorView x, Optional<Tensor> window, int64_t n_fft, int64_t hop, bool center,
                   String pad_name)
{
  std::string pad(pad_name.data(), pad_name.size());
  CheckDType(x, "x", {kF32, kF64});
  CheckRank(x, "x", 2);
  CheckMemory(x, "x");
  CheckContiguous(x, "x");
  KS_CHECK(pad == "reflect" || pad == "constant", ValueError)
      << "pad_mode must be reflect or constant";
  KS_CHECK(n_fft >= 2 && n_fft <= 4096 && (n_fft & (n_fft - 1)) == 0, ValueError)
      << "n_fft must be a power of two in 2..4096";
#if BUG == 4
  KS_CHECK(hop >= 0 && hop <= (1 << 20), ValueError) << "hop must be in 1..1048576";
#else
  KS_CHECK(hop >= 1 && hop <= (1 << 20), ValueError) << "hop must be in 1..1048576";
#endif
  int64_t batch = x.shape()[0], n = x.shape()[1], half = n_fft / 2;
  DLDataType t = x.dtype();
  std::vector<double> w(static_cast<size_t>(n_fft), 1.0);
  if (window.has_value()) {
    Tensor v = window.value();
    KS_CHECK(Same(v.dtype(), t), TypeError) << "window: data type differs from x";
    CheckRank(v, "window", 1);
    CheckMemory(v, "window");
    CheckContiguous(v, "window");
#if BUG == 7
    KS_CHECK(v.shape()[0] <= n_fft, ValueError) << "window: must have n_fft elements";
#else
    CheckExtent(v, "window", 0, n_fft);
#endif
    for (int64_t i = 0; i < n_fft; ++i) w[size_t(i)] = Load(Data<void>(v), t, i);
  }
#if BUG != 2
  KS_CHECK(!center || pad != "reflect" || half < n, ValueError) << "x: too short to be reflected";
#endif
  int64_t length = n + (center ? 2 * half : 0);
  KS_CHECK(length >= n_fft, ValueError) << "x: shorter than n_fft";
  int64_t frames = 1 + (length - n_fft) / hop;
#if BUG == 5
  if (frames > 1 && (length - n_fft) % hop == 0) --frames;
#endif
  std::shared_ptr<const Plan> plan = GetPlan(n_fft, w);
#if BUG == 1
  w = plan->window;
#endif
  Tensor out = Alloc({batch, frames, half + 1, 2}, t, x.device());
  const void *src = Data<void>(x);
  void *dst = Data<void>(out);
  ParallelFor(batch * frames, 32, [&](int64_t begin, int64_t end) {
#if BUG == 3
    static std::vector<double> re, im;
    re.resize(size_t(n_fft));
    im.resize(size_t(n_fft));
#else
    std::vector<double> re(static_cast<size_t>(n_fft)), im(static_cast<size_t>(n_fft));
#endif
    for (int64_t r = begin; r < end; ++r) {
      int64_t b = r / frames, start = r % frames * hop - (center ? half : 0);
      for (int64_t i = 0; i < n_fft; ++i) {
        int64_t k = start + plan->reversed[size_t(i)];
        double v = 0;
        if (pad == "reflect") {
          if (k < 0) k = -k;
          if (k >= n) k = 2 * (n - 1) - k;
        }
        if (k >= 0 && k < n)
          v = Load(src, t, b * n + k);
#if BUG == 2
        else if (pad == "reflect")
          v = Load(src, t, b * n + k);
#endif
        re[size_t(i)] = v * w[size_t(plan->reversed[size_t(i)])];
        im[size_t(i)] = 0;
      }
      Transform(*plan, re, im);
      for (int64_t f = 0; f <= half; ++f) {
        Store(dst, t, (r * (half + 1) + f) * 2, re[size_t(f)]);
        Store(dst, t, (r * (half + 1) + f) * 2 + 1, im[size_t(f)]);
      }
    }
  });
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stft, Stft)
