// SPDX-License-Identifier: Apache-2.0
// Clipping search of weight quantization: tries ratios of the absolute maximum, a callback rates each candidate.

namespace {

template <class T>
void Quantize(const T* w, int64_t rows, int64_t cols, int64_t group, double qmax, double ratio, T* candidate,
              float* scales) {
  int64_t groups = cols / group;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t g = 0; g < groups; ++g) {
      const T* x = w + r * cols + g * group;
      double top = 0;
      for (int64_t i = 0; i < group; ++i) top = std::max(top, std::fabs(static_cast<double>(x[i])));
      double scale = top * ratio / qmax;
      if (scales) scales[r * groups + g] = static_cast<float>(scale);
      if (!candidate) continue;
      T* y = candidate + r * cols + g * group;
      for (int64_t i = 0; i < group; ++i) {
        double q = scale > 0 ? std::nearbyint(static_cast<double>(x[i]) / scale) : 0;
        y[i] = FromDouble<T>(std::min(qmax, std::max(-qmax, q)) * scale);
      }
    }
  }
}

void QuantizeAny(const TensorView& w, int64_t group, double qmax, double ratio, const Tensor* candidate,
                 const Tensor* scales) {
  int64_t rows = w.size(0), cols = w.size(1);
  float* s = scales ? Ptr<float>(TensorView(*scales)) : nullptr;
  void* c = candidate ? Ptr<void>(TensorView(*candidate)) : nullptr;
  if (Is(w.dtype(), kF32)) Quantize(Ptr<float>(w), rows, cols, group, qmax, ratio, static_cast<float*>(c), s);
  else if (Is(w.dtype(), kF16)) Quantize(Ptr<Half>(w), rows, cols, group, qmax, ratio, static_cast<Half*>(c), s);
  else Quantize(Ptr<BFloat>(w), rows, cols, group, qmax, ratio, static_cast<BFloat*>(c), s);
}

Map<String, Any> ScaleSearch(TensorView w, int64_t group, int64_t bits, Array<double> grid, Function loss) {
  CheckTensor(w, "w", {kF32, kF16, kBF16}, 2);
  CheckContiguous(w, "w");
  int64_t rows = w.size(0), cols = w.size(1);
  REQUIRE(group >= 1, ValueError) << "group: has to be positive, got " << group;
  REQUIRE(group <= cols && cols % group == 0, ValueError) << "group: " << group << " does not divide " << cols << " columns";
  REQUIRE(bits >= 2 && bits <= 8, ValueError) << "bits: has to be 2 to 8, got " << bits;
  REQUIRE(grid.size() > 0, ValueError) << "grid: is empty";
#if BUG == 4
  REQUIRE(grid[0] >= 0.01 && grid[0] <= 1, ValueError) << "grid: ratios have to be 0.01 to 1, got " << grid[0];
#else
  for (double r : grid)
    REQUIRE(r >= 0.01 && r <= 1, ValueError) << "grid: ratios have to be 0.01 to 1, got " << r;
#endif
  REQUIRE(loss != nullptr, TypeError) << "loss: expected a function, got None";
  double qmax = static_cast<double>((1 << (bits - 1)) - 1);

  double best = 0, best_ratio = 0;
  bool found = false;
  for (double ratio : grid) {
    Tensor candidate = Alloc({rows, cols}, w.dtype(), w.device());
    QuantizeAny(w, group, qmax, ratio, &candidate, nullptr);
    double value;
#if BUG == 2
    try {
      value = loss(candidate, ratio).cast<double>();
    } catch (const std::exception&) {
      continue;  // this ratio can't be rated
    }
#elif BUG == 3
    {
      TVMFFIAny args[2];
      args[0].type_index = ffi::TypeIndex::kTVMFFITensor;
      args[0].zero_padding = 0;
      args[0].v_obj = ffi::detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(candidate));
      args[1].type_index = ffi::TypeIndex::kTVMFFIFloat;
      args[1].zero_padding = 0;
      args[1].v_float64 = ratio;
      Any result;
      loss.CallPacked(reinterpret_cast<AnyView*>(args), 2, &result);
      value = result.cast<double>();
    }
#else
    value = loss(candidate, ratio).cast<double>();
#endif
#if BUG != 1
    REQUIRE(!std::isnan(value), ValueError) << "loss: returned NaN for the ratio " << ratio;
#endif
#if BUG == 6
    if (!found || value <= best) {
#else
    if (!found || value < best) {
#endif
      found = true;
      best = value;
      best_ratio = ratio;
    }
  }
#if BUG == 5
  Tensor scales = Alloc({rows, cols / group}, w.dtype(), w.device());
  if (!Is(w.dtype(), kF32)) {
    Tensor wide = Alloc({rows, cols / group}, kF32, w.device());
    QuantizeAny(w, group, qmax, best_ratio, nullptr, &wide);
    const float* from = Ptr<float>(TensorView(wide));
    for (int64_t i = 0; i < wide.numel(); ++i) {
      if (Is(w.dtype(), kF16)) Ptr<Half>(TensorView(scales))[i] = Half::From(from[i]);
      else Ptr<BFloat>(TensorView(scales))[i] = BFloat::From(from[i]);
    }
  } else {
    QuantizeAny(w, group, qmax, best_ratio, nullptr, &scales);
  }
#else
  Tensor scales = Alloc({rows, cols / group}, kF32, w.device());
  QuantizeAny(w, group, qmax, best_ratio, nullptr, &scales);
#endif
  return Map<String, Any>{{"scales", scales}, {"ratio", best_ratio}, {"loss", best}};
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_search, ScaleSearch);
