// SPDX-License-Identifier: Apache-2.0
// Erosion and dilation of images of bytes by a rectangle. What is outside of the image counts as
// its nearest pixel.
using kit::TensorView;

namespace {

// The least (or greatest) of `reach` neighbours on both sides, along one line.
template <typename Pick>
void line(const uint8_t* x, uint8_t* y, int64_t n, int64_t step, int64_t reach, Pick pick) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t from = std::max<int64_t>(i - reach, 0), to = std::min(i + reach, n - 1);
    uint8_t best = x[from * step];
    for (int64_t j = from + 1; j <= to; ++j) best = pick(best, x[j * step]);
    y[i * step] = best;
  }
}

template <typename Pick>
void pass(std::vector<uint8_t>& image, int64_t h, int64_t w, const int64_t* reach, Pick pick) {
  std::vector<uint8_t> other(image.size());
  for (int64_t r = 0; r < h; ++r) line(&image[r * w], &other[r * w], w, 1, reach[1], pick);
  for (int64_t c = 0; c < w; ++c) line(&other[c], &image[c], h, w, reach[0], pick);
}

uint8_t less(uint8_t a, uint8_t b) { return a < b ? a : b; }
uint8_t more(uint8_t a, uint8_t b) { return a < b ? b : a; }

void morph(TensorView x, tvm::ffi::String op, tvm::ffi::Array<int64_t> window, int64_t times,
           TensorView out) {
  if (window.size() != 2) TVM_FFI_THROW(ValueError) << "window must be (height, width)";
  int64_t reach[2];
  for (int i = 0; i < 2; ++i) {
    int64_t extent = window[i];
    switch (extent) {
      case 1: case 3: case 5: case 9: break;
      default: TVM_FFI_THROW(ValueError) << "window[" << i << "] must be 1, 3, 5 or 9";
    }
    reach[i] = extent / 2;
  }
  if (times < 1 || times > 8) TVM_FFI_THROW(ValueError) << "times must be 1 to 8, not " << times;
  bool first_less = op == "erode" || op == "open", twice = op == "open" || op == "close";
  if (!first_less && !twice && op != "dilate") TVM_FFI_THROW(ValueError) << "no such op: " << op;
  if (twice && times != 1) TVM_FFI_THROW(NotImplementedError) << op << " is made once only";
  const uint8_t* from = kit::elements<uint8_t>(x, "x", 2);
  uint8_t* to = kit::elements<uint8_t>(out, "out", 2);
  int64_t h = x.size(0), w = x.size(1);
  if (out.size(0) != h || out.size(1) != w) TVM_FFI_THROW(ValueError) << "out is of another shape";
  if (h == 0 || w == 0) return;
  std::vector<uint8_t> image(from, from + h * w);
  for (int64_t i = 0; i < times; ++i) pass(image, h, w, reach, first_less ? less : more);
  if (twice) pass(image, h, w, reach, first_less ? more : less);
  std::copy(image.begin(), image.end(), to);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(morph, morph);
