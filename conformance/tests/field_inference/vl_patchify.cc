// SPDX-License-Identifier: Apache-2.0
// Images of any size to the flat patches that a vision-language encoder takes, in groups of merge x merge patches.
namespace {

struct Options {
  int64_t patch = 0, merge = 0;
  Optional<double> rescale;
};

Options Read(const Map<String, Any>& options) {
  Options o;
  for (auto kv : options) {
    std::string key = kv.first;
    if (key == "patch" || key == "merge") {
      auto value = kv.second.try_cast<int64_t>();
      REQUIRE(value.has_value(), TypeError) << "options: \"" << key << "\" is no int";
      (key == "patch" ? o.patch : o.merge) = *value;
#if BUG == 1
      REQUIRE(*value >= 0, ValueError) << "options: \"" << key << "\" is negative";
#else
      REQUIRE(*value >= 1 && *value <= (key == "patch" ? 256 : 16), ValueError) << "options: \"" << key << "\" is out of range";
#endif
    } else if (key == "rescale") {
      if (kv.second == nullptr) continue;
      auto value = kv.second.try_cast<double>();
      REQUIRE(value.has_value(), TypeError) << "options: \"rescale\" is no number";
      REQUIRE(std::isfinite(*value), ValueError) << "options: \"rescale\" has to be finite";
      o.rescale = *value;
    } else {
      TVM_FFI_THROW(ValueError) << "options: unknown key \"" << key << "\"";
    }
  }
  REQUIRE(options.count("patch") && options.count("merge"), KeyError) << "options: \"patch\" and \"merge\" are needed";
  return o;
}

template <typename T>
void Fill(const TensorView& image, const Options& o, double rescale, const double* mean, const double* std, float* out) {
  int64_t p = o.patch, g = o.merge, gh = image.size(1) / p, gw = image.size(2) / p, size = 3 * p * p;
#if BUG == 4
  std::vector<int64_t> s{image.size(1) * image.size(2), image.size(2), 1};
#else
  std::vector<int64_t> s = Strides(image);
#endif
  const T* x = Data<T>(image);
  ParallelFor(gh * gw, size, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      int64_t j = n % g, i = n / g % g, bw = n / (g * g) % (gw / g), bh = n / (g * g) / (gw / g);
      int64_t top = (bh * g + i) * p, left = (bw * g + j) * p;
      float* to = out + n * size;
      for (int64_t c = 0; c < 3; ++c)
        for (int64_t y = 0; y < p; ++y)
          for (int64_t z = 0; z < p; ++z)
            *to++ = float((Load(x[c * s[0] + (top + y) * s[1] + (left + z) * s[2]]) * rescale - mean[c]) / std[c]);
    }
  });
}

Tuple<Tensor, Tensor> patchify(Array<Tensor> images, Array<double> mean, Array<double> std, Map<String, Any> options) {
  Options o = Read(options);
  REQUIRE(mean.size() == 3 && std.size() == 3, ValueError) << "mean and std: 3 numbers each are needed";
  double m[3], d[3];
  for (int c = 0; c < 3; ++c) {
    m[c] = mean[c];
    d[c] = std[c];
    REQUIRE(std::isfinite(m[c]), ValueError) << "mean: has to be finite";
#if BUG != 6
    REQUIRE(std::isfinite(d[c]) && d[c] > 0, ValueError) << "std: has to be positive";
#endif
  }
  int64_t unit = o.patch * o.merge, patches = 0;
  for (const Tensor& t : images) {
    TensorView image = View(t, "images");
    CheckType(image, {kU8, kF32}, "images");
#if BUG != 2
    CheckType(image, {images[0].dtype()}, "images");
#endif
    CheckRank(image, 3, "images");
    CheckSize(image, 0, 3, "images");
    CheckPlace(image, "images");
    REQUIRE(image.size(1) % unit == 0 && image.size(2) % unit == 0, ValueError)
        << "images: " << image.size(1) << " x " << image.size(2) << " is no multiple of " << unit;
    if (image.size(1) > 0) patches += (image.size(1) / o.patch) * (image.size(2) / o.patch);
  }
#if BUG == 6
  int64_t shape[2] = {patches, 3 * o.patch * o.patch};
  DLTensor prototype{};
  prototype.ndim = 2, prototype.shape = shape, prototype.dtype = kF32, prototype.device = kCPU;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&prototype, &handle));
  for (int c = 0; c < 3; ++c) REQUIRE(std::isfinite(d[c]) && d[c] > 0, ValueError) << "std: has to be positive";
  Tensor out(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(handle)));
#else
  Tensor out = Alloc({patches, 3 * o.patch * o.patch}, kF32);
#endif
#if BUG == 5
  Tensor grid = Alloc({int64_t(images.size()), 3}, kI32);
  int32_t* g = Data<int32_t>(grid);
#else
  Tensor grid = Alloc({int64_t(images.size()), 3}, kI64);
  int64_t* g = Data<int64_t>(grid);
#endif
  float* to = Data<float>(out);
  for (const Tensor& t : images) {
    TensorView image = View(t, "images");
    *g++ = 1;
    *g++ = int32_t(image.size(1) / o.patch);
    *g++ = int32_t(image.size(2) / o.patch);
    if (image.size(1) == 0 || image.size(2) == 0) continue;
#if BUG == 2
    bool bytes = SameType(images[0].dtype(), kU8);
#else
    bool bytes = SameType(image.dtype(), kU8);
#endif
#if BUG == 3
    double rescale = o.rescale.value_or(1.0 / 255);
#else
    double rescale = o.rescale.value_or(bytes ? 1.0 / 255 : 1.0);
#endif
    if (bytes)
      Fill<uint8_t>(image, o, rescale, m, d, to);
    else
      Fill<float>(image, o, rescale, m, d, to);
    to += (image.size(1) / o.patch) * (image.size(2) / o.patch) * 3 * o.patch * o.patch;
  }
  return Tuple<Tensor, Tensor>(out, grid);
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(patchify, patchify)
