// SPDX-License-Identifier: Apache-2.0
// resample_fir: change of the sample rate by the ratio up/down with a FIR filter in polyphase form.
//
//   x     [c, n]           float32 or float64, any strides, n >= 1
//   taps  [k]              same type, k >= 1, the filter at the rate that is up times that of x
//   up, down               1 to 1024
//   gain  float or None    factor of the output, finite; None is up (unity gain)
//   out   [c, m] or None   same type, m = ceil(n * up / down); must not overlap x or taps
//
// Returns out, or a new tensor if it is None. The delay of the filter, (k - 1) / 2 samples rounded
// down, is taken out.
namespace {

template <typename T>
void Run(const Arg& x, const Arg& taps, int64_t up, int64_t down, double gain, const Arg& out) {
  const int64_t n = x.dim(1);
  const int64_t k = taps.dim(0);
  const int64_t m = out.dim(1);
#if BUG == 4
  const int64_t delay = k / 2;
#else
  const int64_t delay = (k - 1) / 2;
#endif
#if BUG == 1
  const int64_t step = 1;
#else
  const int64_t step = x.stride(1);
#endif
  const T* h = taps.data<T>();
  for (int64_t c = 0; c < x.dim(0); ++c) {
    const T* row = x.data<T>() + c * x.stride(0);
    T* y = out.data<T>() + c * m;
    for (int64_t j = 0; j < m; ++j) {
      const int64_t center = j * down + delay;
#if BUG == 7
      float sum = 0;
#else
      double sum = 0;
#endif
      // Only each up-th tap meets a sample that is not one of the inserted zeros.
      for (int64_t t = center % up; t < k && t <= center; t += up) {
        const int64_t i = (center - t) / up;
        if (i < n) sum += static_cast<double>(row[i * step]) * static_cast<double>(h[t]);
      }
      y[j] = static_cast<T>(sum * gain);
    }
  }
}

Tensor ResampleFir(DLTensor* x_tensor, DLTensor* taps_tensor, int64_t up, int64_t down,
                   Optional<double> gain, Optional<Tensor> out_tensor) {
  const Arg x("x", x_tensor);
  const Arg taps("taps", taps_tensor);
  x.Type({kF32, kF64}).Rank(2).Cpu();
#if BUG == 6
  taps.Type({kF32, kF64}).Rank(1).Cpu().Contiguous();
#else
  taps.Type({x.type()}).Rank(1).Cpu().Contiguous();
#endif
  if (x.dim(1) < 1) TVM_FFI_THROW(ValueError) << "x must have samples";
  if (taps.dim(0) < 1) TVM_FFI_THROW(ValueError) << "taps must not be empty";
  if (up < 1 || up > 1024) TVM_FFI_THROW(ValueError) << "up must be from 1 to 1024, not " << up;
  if (down < 1 || down > 1024) {
    TVM_FFI_THROW(ValueError) << "down must be from 1 to 1024, not " << down;
  }
  if (gain.has_value() && !std::isfinite(gain.value())) {
    TVM_FFI_THROW(ValueError) << "gain must be finite";
  }
  double factor = static_cast<double>(up);
#if BUG == 3
  if (gain.has_value() && gain.value() != 0) factor = gain.value();
#else
  if (gain.has_value()) factor = gain.value();
#endif
  const int64_t m = BUG == 5 && !out_tensor.has_value() ? std::max<int64_t>(x.dim(1) * up / down, 1)
                                                        : (x.dim(1) * up + down - 1) / down;
  Tensor result;
  if (out_tensor.has_value()) {
    result = out_tensor.value();
    const Arg out("out", result);
    out.Type({x.type()}).Rank(2).Cpu().Contiguous();
#if BUG != 2
    out.Extent(0, x.dim(0)).Extent(1, m);
#endif
    if (out.Overlaps(taps)) TVM_FFI_THROW(ValueError) << "out must not overlap taps";
    // The memory that x spans, whatever its strides.
    int64_t low = 0, high = 0;
    for (int i = 0; i < 2; ++i) {
      const int64_t reach = (x.dim(i) - 1) * x.stride(i);
      (reach < 0 ? low : high) += reach;
    }
    const int64_t size = x.type().bits / 8;
    const char* first = x.data<char>();
    const char* o = out.data<char>();
    if (x.numel() > 0 && out.bytes() > 0 && o < first + (high + 1) * size &&
        first + low * size < o + out.bytes()) {
      TVM_FFI_THROW(ValueError) << "out must not overlap x";
    }
  } else {
    result = NewTensor({x.dim(0), m}, x.type(), x.device());
  }
  const Arg out("out", result);
#if BUG == 2
  // The shape that the caller was told to give.
  int64_t extents[2] = {x.dim(0), m};
  DLTensor assumed = *result.GetDLTensorPtr();
  assumed.shape = extents;
  assumed.strides = nullptr;
  const Arg target("out", &assumed);
#else
  const Arg& target = out;
#endif
  if (x.Is(kF32)) {
    Run<float>(x, taps, up, down, factor, target);
  } else {
    Run<double>(x, taps, up, down, factor, target);
  }
  return result;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(resample_fir, ResampleFir);
