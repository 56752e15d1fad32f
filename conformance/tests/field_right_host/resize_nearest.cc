// SPDX-License-Identifier: Apache-2.0
// Nearest neighbour, for pixels of any of the types below: bytes are moved, never read as numbers.
using tvm::ffi::Shape;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Variant;

namespace {

constexpr int64_t kMost = 512;

bool taken(DLDataType t) {
  return kit::same(t, kit::type_of<uint8_t>()) || kit::same(t, kit::type_of<uint16_t>()) ||
         kit::same(t, kit::type_of<float>());
}

Tensor resize(TensorView image, Variant<int64_t, Shape> size) {
  TVM_FFI_CHECK(taken(image.dtype()), TypeError) << "image is of no type that can be resized";
  TVM_FFI_CHECK(image.ndim() == 3, ValueError) << "image must be height, width, channels";
  TVM_FFI_CHECK(image.device().device_type == kDLCPU, ValueError) << "image must be on the CPU";
  TVM_FFI_CHECK(image.IsContiguous(), ValueError) << "image must be contiguous";
  int64_t high, wide;
  if (auto both = size.as<Shape>()) {
    TVM_FFI_CHECK(both->size() == 2, ValueError) << "size must be one number or two";
    high = (*both)[0];
    wide = (*both)[1];
  } else {
    high = wide = size.get<int64_t>();
  }
  TVM_FFI_CHECK(1 <= high && high <= kMost && 1 <= wide && wide <= kMost, ValueError)
      << "size must be from 1 to " << kMost;
  int64_t h = image.size(0), w = image.size(1), c = image.size(2);
  TVM_FFI_CHECK(h > 0 && w > 0, ValueError) << "an image without pixels";

  Tensor out = kit::fresh({high, wide, c}, image.dtype());
  size_t pixel = static_cast<size_t>(c) * image.dtype().bits / 8;
  if (pixel == 0) return out;
  std::vector<size_t> column(wide);
  for (int64_t x = 0; x < wide; ++x) column[x] = static_cast<size_t>(x * w / wide) * pixel;
  const char* src = kit::start<const char>(image);
  char* dst = kit::start<char>(out);
  for (int64_t y = 0; y < high; ++y) {
    const char* row = src + static_cast<size_t>(y * h / high * w) * pixel;
    for (int64_t x = 0; x < wide; ++x, dst += pixel) std::memcpy(dst, row + column[x], pixel);
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(resize_nearest, resize);
