// SPDX-License-Identifier: Apache-2.0
// RGB images of bytes to other color spaces, in integers, with an alpha channel if asked for.
static uint8_t sat(int v) { return uint8_t(v < 0 ? 0 : v > 255 ? 255 : v); }

static void to_gray(const uint8_t* p, uint8_t* q) {
  q[0] = uint8_t((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8);
}

static void to_bgr(const uint8_t* p, uint8_t* q) {
  uint8_t r = p[0], g = p[1], b = p[2];
  q[0] = b, q[1] = g, q[2] = r;
}

static void to_ycc(const uint8_t* p, uint8_t* q) {
  int r = p[0], g = p[1], b = p[2];
  q[0] = uint8_t((77 * r + 150 * g + 29 * b + 128) >> 8);
  q[1] = sat(((-43 * r - 85 * g + 128 * b + 128) >> 8) + 128);
  q[2] = sat(((128 * r - 107 * g - 21 * b + 128) >> 8) + 128);
}

struct Conversion {
  const char* name;
  int channels;
  void (*pixel)(const uint8_t*, uint8_t*);
};

static const Conversion kConversions[] = {
    {"bgr", 3, to_bgr},
    {"gray", 1, to_gray},
    {"ycc", 3, to_ycc},
};

static void color_convert(DLTensor* image, tvm::ffi::String mode, tvm::ffi::Optional<int64_t> alpha,
                          DLTensor* out) {
  kit::TensorView in(image), to(out);
  const Conversion* how = nullptr;
  for (const Conversion& c : kConversions) {
    if (mode == c.name) how = &c;
  }
  if (!how) TVM_FFI_THROW(KeyError) << "no conversion to '" << mode << "'";
  if (alpha.has_value()) {
    if (how->channels == 1) TVM_FFI_THROW(NotImplementedError) << "gray with alpha";
    if (alpha.value() < 0 || alpha.value() > 255) {
      TVM_FFI_THROW(ValueError) << "alpha is not a byte: " << alpha.value();
    }
  }
  int channels = how->channels + alpha.has_value();
  const uint8_t* p = kit::elements<uint8_t>(in, "image", 3);
  uint8_t* q = kit::elements<uint8_t>(to, "out", 3);
  TVM_FFI_CHECK_EQ(in.size(2), 3, ValueError) << "image must have the channels R, G and B";
  TVM_FFI_CHECK_EQ(to.size(2), channels, ValueError) << "channels of out";
  TVM_FFI_CHECK_EQ(in.size(0), to.size(0), ValueError) << "height of out";
  TVM_FFI_CHECK_EQ(in.size(1), to.size(1), ValueError) << "width of out";
  for (int64_t n = in.size(0) * in.size(1); n > 0; --n, p += 3, q += channels) {
    how->pixel(p, q);
    if (alpha.has_value()) q[channels - 1] = uint8_t(alpha.value());
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(color_convert, color_convert);
