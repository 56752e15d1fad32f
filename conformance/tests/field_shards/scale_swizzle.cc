// SPDX-License-Identifier: Apache-2.0
// Rearranges block scaling factors of one byte into tiles of 128 rows and 4 columns, as tensor
// cores read them, and back. Within a tile the factor of row r and column c lies at
// (r % 32) * 16 + (r / 32) * 4 + c; tiles follow each other by rows. What is beyond the matrix is 0.
//
// scale_swizzle(scales, out=None) -> tensor
//   scales  uint8 or float8_e4m3fn (b, m, k), any strides
//   out     the same type (b, padded m * padded k); returned if it is given, else a new one
// scale_unswizzle(swizzled, m, k) -> tensor (b, m, k)
namespace {

using namespace set;

constexpr int64_t kMost = int64_t{1} << 31;

int64_t RoundUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

void CheckFactorType(const char* name, const TensorView& t) {
  if (!IsU8(t.dtype()) && !Is(t.dtype(), kDLFloat8_e4m3fn, 8)) {
    TVM_FFI_THROW(TypeError) << name << " must be of uint8 or float8_e4m3fn, not "
                             << TypeName(t.dtype());
  }
}

// The place of a factor in the tiles of its matrix.
int64_t Place(int64_t row, int64_t column, int64_t tiles_m, int64_t tiles_k) {
#if BUG == 2
  (void)tiles_k;
  int64_t tile = (row / 128) * tiles_m + column / 4;
#else
  (void)tiles_m;
  int64_t tile = (row / 128) * tiles_k + column / 4;
#endif
  return tile * 512 + (row % 32) * 16 + (row % 128) / 32 * 4 + column % 4;
}

Tensor ScaleSwizzle(TensorView scales, Optional<Tensor> out) {
  CheckFactorType("scales", scales);
  CheckBasics("scales", scales, 3);
  int64_t b = scales.shape()[0], m = scales.shape()[1], k = scales.shape()[2];
  if (m >= kMost || k >= kMost) {
    TVM_FFI_THROW(ValueError) << "scales is too large: " << ShapeText(scales);
  }
  int64_t padded = 0;
  if (__builtin_mul_overflow(RoundUp(m, 128), RoundUp(k, 4), &padded)) {
    TVM_FFI_THROW(ValueError) << "scales is too large: " << ShapeText(scales);
  }
  Tensor result;
  if (out.has_value()) {
    Tensor given = out.value();
    TensorView o = View(given);
    CheckType("out", o, scales.dtype());
    CheckBasics("out", o, 2);
#if BUG != 4
    CheckExtent("out", o, 0, b, "batches of scales");
#endif
    CheckExtent("out", o, 1, padded, "rows and columns of scales, padded");
    CheckCompact("out", o);
    result = given;
  }
  if (!out.has_value() || BUG == 5) {
    Tensor fresh = Allocate({b, padded}, scales.dtype(), scales.device());
    result = fresh;
  }
  TensorView r = View(result);
#if BUG == 3
  uint8_t* to = static_cast<uint8_t*>(r.data_ptr());
  const uint8_t* from = static_cast<const uint8_t*>(scales.data_ptr());
#else
  uint8_t* to = As<uint8_t>(r);
  const uint8_t* from = As<uint8_t>(scales);
#endif
  std::vector<int64_t> step = Strides(scales);
#if BUG == 7
  if (step[2] == 1) step[0] = m * step[1];
#endif
  int64_t tiles_m = RoundUp(m, 128) / 128, tiles_k = RoundUp(k, 4) / 4;
#if BUG == 1
  if (!out.has_value() && b * padded != 0) std::memset(to, 0, b * padded);
#else
  if (b * padded != 0) std::memset(to, 0, b * padded);
#endif
  if (b == 0 || k == 0) return result;
  for (int64_t i = 0; i < b; ++i) {
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < k; ++column) {
        to[i * padded + Place(row, column, tiles_m, tiles_k)] =
            from[i * step[0] + row * step[1] + column * step[2]];
      }
    }
  }
#if BUG == 5
  if (out.has_value() && b * padded != 0) {
    Tensor given = out.value();
    std::memcpy(As<uint8_t>(View(given)), to, b * padded);
  }
#endif
  return result;
}

Tensor ScaleUnswizzle(TensorView swizzled, int64_t m, int64_t k) {
  CheckFactorType("swizzled", swizzled);
  CheckBasics("swizzled", swizzled, 2);
  CheckCompact("swizzled", swizzled);
  if (m < 0 || m >= kMost) TVM_FFI_THROW(ValueError) << "m must be 0 to 2^31 - 1, not " << m;
  if (k < 0 || k >= kMost) TVM_FFI_THROW(ValueError) << "k must be 0 to 2^31 - 1, not " << k;
  int64_t b = swizzled.shape()[0], padded = 0;
  if (__builtin_mul_overflow(RoundUp(m, 128), RoundUp(k, 4), &padded)) {
    TVM_FFI_THROW(ValueError) << "m and k are too large: " << m << ", " << k;
  }
  CheckExtent("swizzled", swizzled, 1, padded, "m and k, padded");
  Tensor result = Allocate({b, m, k}, swizzled.dtype(), swizzled.device());
  int64_t tiles_m = RoundUp(m, 128) / 128, tiles_k = RoundUp(k, 4) / 4;
  if (b == 0 || k == 0) return result;
  const uint8_t* from = As<uint8_t>(swizzled);
  uint8_t* to = As<uint8_t>(View(result));
  int64_t batch_step = BUG == 6 ? m * k : padded;
  for (int64_t i = 0; i < b; ++i) {
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < k; ++column) {
        to[(i * m + row) * k + column] =
            from[i * batch_step + Place(row, column, tiles_m, tiles_k)];
      }
    }
  }
  return result;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_swizzle, ScaleSwizzle);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_unswizzle, ScaleUnswizzle);
