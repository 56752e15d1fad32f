// SPDX-License-Identifier: Apache-2.0
// Data loading: normalizes decoded images (h w c, any row pitch) into one batch (n c h w).
using ffi::Array;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;

struct F32Out { using T = float; static T cast(double v) { return static_cast<float>(v); } };
struct F16Out { using T = uint16_t; static T cast(double v) { return to_f16(static_cast<float>(v)); } };
struct BF16Out { using T = uint16_t; static T cast(double v) { return to_bf16(static_cast<float>(v)); } };

template <class In, class Out>
void image(const TensorView& x, typename Out::T* y, const double* mul, const double* add, bool flip) {
  int64_t h = x.shape()[0], w = x.shape()[1], c = x.shape()[2];
  const In* p = data<In>(x);
#if BUG == 2
  int64_t sh = w * c, sw = c;
#else
  std::vector<int64_t> s = strides_of(x);
  int64_t sh = s[0], sw = s[1];
#endif
  for (int64_t k = 0; k < c; ++k)
    for (int64_t i = 0; i < h; ++i) {
#if BUG == 3
      int64_t from = flip ? h - 1 - i : i;
      for (int64_t j = 0; j < w; ++j)
        y[(k * h + i) * w + j] = Out::cast(static_cast<double>(p[from * sh + j * sw + k]) * mul[k] + add[k]);
#else
      for (int64_t j = 0; j < w; ++j)
        y[(k * h + i) * w + j] =
            Out::cast(static_cast<double>(p[i * sh + (flip ? w - 1 - j : j) * sw + k]) * mul[k] + add[k]);
#endif
    }
}

template <class In>
void one(const TensorView& x, const TensorView& out, int64_t at, const double* mul, const double* add, bool flip) {
  if (same(out.dtype(), kF32)) image<In, F32Out>(x, data<float>(out) + at, mul, add, flip);
  else if (same(out.dtype(), kF16)) image<In, F16Out>(x, data<uint16_t>(out) + at, mul, add, flip);
  else image<In, BF16Out>(x, data<uint16_t>(out) + at, mul, add, flip);
}

void collate_images(Array<Tensor> images, Array<double> mean, Array<double> std_, Optional<Tensor> flip, double scale,
                    TensorView out) {
  check_cpu(out, "out");
  check_dtype(out, "out", {kF32, kF16, kBF16});
  check_rank(out, "out", 4);
  check_dense(out, "out");
  check_aligned(out, "out");
  int64_t n = out.shape()[0], c = out.shape()[1], h = out.shape()[2], w = out.shape()[3];
#if BUG == 5
  // so that a loader never sees stale pixels
  std::memset(raw(out), 0, ffi::GetDataSize(out));
#endif
  if (static_cast<int64_t>(images.size()) != n) TVM_FFI_THROW(ValueError) << "out has room for " << n << " images";
  std::vector<TensorView> views;
  std::vector<Tensor> hold;
  for (int64_t i = 0; i < n; ++i) {
    hold.push_back(images[i]);
    TensorView v = view_of(hold.back(), "images");
    check_cpu(v, "images");
#if BUG == 1
    if (i == 0) {
      check_dtype(v, "images", {kU8, kF32});
      check_rank(v, "images", 3);
    }
#else
    check_dtype(v, "images", {kU8, kF32});
    check_rank(v, "images", 3);
    if (i > 0) check_same(v, "images", views[0].dtype());
#endif
    check_size(v, "images", 0, h);
    check_size(v, "images", 1, w);
    check_size(v, "images", 2, c);
    if (!v.IsContiguous() && c > 1 && v.strides()[2] != 1)
      TVM_FFI_THROW(ValueError) << "channels of an image must lie side by side";
    check_aligned(v, "images");
    views.push_back(v);
  }
#if BUG == 4
  if (static_cast<int64_t>(mean.size()) != c) TVM_FFI_THROW(ValueError) << "a mean for each channel";
#else
  if (static_cast<int64_t>(mean.size()) != c || static_cast<int64_t>(std_.size()) != c)
    TVM_FFI_THROW(ValueError) << "a mean and a std for each channel";
#endif
  if (!std::isfinite(scale) || scale < 0) TVM_FFI_THROW(ValueError) << "scale must be finite, and not negative";
  for (double s : std_)
    if (!(s > 0) || !std::isfinite(s)) TVM_FFI_THROW(ValueError) << "std must be positive";
  for (double m : mean)
    if (!std::isfinite(m)) TVM_FFI_THROW(ValueError) << "mean must be finite";
  const uint8_t* flips = nullptr;
  Tensor flip_hold;
  if (flip.has_value()) {
    flip_hold = flip.value();
    TensorView f = view_of(flip_hold, "flip");
    check_cpu(f, "flip");
    check_same(f, "flip", kBool);
    check_rank(f, "flip", 1);
    check_size(f, "flip", 0, n);
    check_dense(f, "flip");
    flips = data<uint8_t>(f);
  }
#if BUG == 6
  // the same constants for every batch of a data set
  static std::vector<double> mul, add;
  static std::mutex once;
  std::lock_guard<std::mutex> guard(once);
  if (static_cast<int64_t>(mul.size()) != c) {
    mul.assign(c, 0), add.assign(c, 0);
    for (int64_t k = 0; k < c; ++k) mul[k] = scale / std_[k], add[k] = -mean[k] / std_[k];
  }
#else
  std::vector<double> mul(c), add(c);
  for (int64_t k = 0; k < c; ++k) mul[k] = scale / std_[k], add[k] = -mean[k] / std_[k];
#endif
  int64_t size = c * h * w;
  parallel(n, std::max<int64_t>(1, 4096 / std::max<int64_t>(1, size)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      bool f = flips && flips[i] != 0;
      if (same(views[i].dtype(), kU8)) one<uint8_t>(views[i], out, i * size, mul.data(), add.data(), f);
      else one<float>(views[i], out, i * size, mul.data(), add.data(), f);
    }
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(collate_images, collate_images);
