// SPDX-License-Identifier: Apache-2.0
// A margin around a matrix, and the matrix without one.
static ffi::Tensor pad2d(DLTensor* x_, ffi::Shape pads, ffi::Optional<double> fill) {
  View x(x_, "x");
  x.cpu().type({F32, I8, F16}).rank(2);
  NEED(pads.defined(), TypeError, "pads: expected a shape, not None");
  NEED(pads.size() == 4, ValueError, "pads: expected top, bottom, left, right");
  for (int64_t e : pads) NEED(e >= 0 && e <= 16, ValueError, "pads: expected 0 to 16, got " << e);
  double f = fill ? *fill : 0;
  NEED(f >= -128 && f <= 127, ValueError, "fill: expected -128 to 127");
  int64_t h = x.n(0), w = x.n(1), H = h + pads[0] + pads[1], W = w + pads[2] + pads[3];
  ffi::Tensor out = make({H, W}, x.dtype());
  auto run = [&](auto t) {
    using T = decltype(t);
    T v = put<T>(f), *o = static_cast<T*>(out.data_ptr());
    std::fill_n(o, H * W, v);
    for (int64_t i = 0; i < h; ++i)
      for (int64_t j = 0; j < w; ++j) o[(i + pads[0]) * W + pads[2] + j] = x.p<T>()[i * x.stride(0) + j * x.stride(1)];
  };
  if (x.dtype() == F32) run(float());
  else if (x.dtype() == F16) run(half_t());
  else run(int8_t());
  return out;
}

// `out` where it is given, else a new tensor
static ffi::Tensor crop2d(ffi::Tensor x_, ffi::Array<int64_t> from, ffi::Shape size, ffi::Optional<ffi::Tensor> out_) {
  View x(x_, "x");
  x.cpu().type({F32}).rank(2);
  NEED(from.defined() && size.defined(), TypeError, "from, size: expected numbers, not None");
  NEED(from.size() == 2 && size.size() == 2, ValueError, "from, size: expected two numbers");
  for (int i = 0; i < 2; ++i) {
    NEED(from[i] >= 0 && from[i] <= x.n(i), ValueError, "from: outside of x");
    NEED(size[i] >= 0 && size[i] <= x.n(i) - from[i], ValueError, "size: beyond x");
  }
  if (out_) View(*out_, "out").cpu().type({F32}).rank(2).extent(0, size[0]).extent(1, size[1]).contiguous();
  ffi::Tensor out = out_ ? *out_ : make(size, F32);
  float* o = View(out, "out").p<float>();
  for (int64_t i = 0; i < size[0]; ++i)
    for (int64_t j = 0; j < size[1]; ++j) o[i * size[1] + j] = x.p<float>()[(i + from[0]) * x.stride(0) + (j + from[1]) * x.stride(1)];
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad2d, pad2d);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(crop2d, crop2d);
