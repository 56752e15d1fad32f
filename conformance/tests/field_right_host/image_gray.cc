// SPDX-License-Identifier: Apache-2.0
// Three channels to one in fixed point, 256 being 1. The image may be any view: a crop, a flip,
// planes. The result saturates.
using namespace tvm::ffi;

static void check(const DLTensor* t, const char* name, int ndim) {
  if (t->dtype.code != kDLUInt || t->dtype.bits != 8 || t->dtype.lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " is not uint8";
  if (t->ndim != ndim) TVM_FFI_THROW(ValueError) << name << " does not have " << ndim << " dims";
  if (t->device.device_type != kDLCPU) TVM_FFI_THROW(RuntimeError) << name << " is on a device";
}

static void to_gray(DLTensor* image, Optional<Tuple<int64_t, int64_t, int64_t>> weights,
                    DLTensor* gray) {
  check(image, "image", 3);
  check(gray, "gray", 2);
  int64_t h = image->shape[0], w = image->shape[1];
  if (image->shape[2] != 3)
    TVM_FFI_THROW(ValueError) << "image has " << image->shape[2] << " channels";
  if (gray->shape[0] != h || gray->shape[1] != w)
    TVM_FFI_THROW(ValueError) << "gray has another size";
  if (!IsContiguous(*gray)) TVM_FFI_THROW(ValueError) << "gray must be contiguous";
  int64_t wr = 77, wg = 150, wb = 29;
  if (weights.has_value()) {
    auto t = *weights;
    wr = t.get<0>(), wg = t.get<1>(), wb = t.get<2>();
    for (int64_t v : {wr, wg, wb})
      if (v < 0 || v > 256) TVM_FFI_THROW(ValueError) << "weights are from 0 to 256";
  }
  int64_t sy = kit::stride(image, 0), sx = kit::stride(image, 1), sc = kit::stride(image, 2);
  const uint8_t* src = kit::start<uint8_t>(*image);
  uint8_t* dst = kit::start<uint8_t>(*gray);
  for (int64_t y = 0; y < h; ++y) {
    for (int64_t x = 0; x < w; ++x) {
      const uint8_t* p = src + y * sy + x * sx;
      int64_t v = (wr * p[0] + wg * p[sc] + wb * p[2 * sc] + 128) >> 8;
      *dst++ = static_cast<uint8_t>(std::min<int64_t>(v, 255));
    }
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(image_gray, to_gray);
