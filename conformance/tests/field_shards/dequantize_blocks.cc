// SPDX-License-Identifier: Apache-2.0
// Dequantizes 4-bit values that are packed two in a byte, with one scale for each block of a row.
//
// dequantize_blocks(q, scales, zeros, format, block, out)
//   q       uint8 (m, k / 2): the even column in the low half of a byte
//   scales  float32, float16 or bfloat16 (m, k / block), any strides (quantizers write it by columns)
//   zeros   uint8 (m, k / block), 0 to 15, or None; only for "uint4", where None stands for 8
//   format  "int4": two's complement, "uint4": less a zero point, "fp4": E2M1, "nf4": normal floats
//   out     float32, float16 or bfloat16 (m, k)
namespace {

using namespace set;

enum class Format { kInt4, kUint4, kFp4, kNf4 };

constexpr float kNormalFloats[16] = {
    -1.0f,        -0.69619280f, -0.52507305f, -0.39491749f, -0.28444138f, -0.18477343f,
    -0.09105004f, 0.0f,         0.07958030f,  0.16093020f,  0.24611230f,  0.33791524f,
    0.44070983f,  0.56261700f,  0.72295684f,  1.0f};

Format ParseFormat(const std::string& text) {
  if (text == "int4") return Format::kInt4;
  if (text == "uint4") return Format::kUint4;
  if (text == "fp4") return Format::kFp4;
  if (text == "nf4") return Format::kNf4;
  TVM_FFI_THROW(ValueError) << "format must be \"int4\", \"uint4\", \"fp4\" or \"nf4\", not \""
                            << text << "\"";
  TVM_FFI_UNREACHABLE();
}

float DecodeE2M1(int code) {
  int exponent = (code >> 1) & 3, fraction = code & 1;
#if BUG == 4
  float magnitude = std::ldexp(1.0f + 0.5f * fraction, exponent - 1);
  if ((code & 7) == 0) magnitude = 0;
#else
  float magnitude =
      exponent == 0 ? 0.5f * fraction : std::ldexp(1.0f + 0.5f * fraction, exponent - 1);
#endif
  return (code & 8) != 0 ? -magnitude : magnitude;
}

float Decode(int code, Format format, int zero) {
  switch (format) {
    case Format::kInt4:
      return static_cast<float>(code >= 8 ? code - 16 : code);
    case Format::kUint4:
      return static_cast<float>(code - zero);
    case Format::kFp4:
      return DecodeE2M1(code);
    case Format::kNf4:
      return kNormalFloats[code];
  }
  return 0;
}

void DequantizeBlocks(TensorView q, TensorView scales, Optional<Tensor> zeros, String format_name,
                      int64_t block, TensorView out) {
  Format format = ParseFormat(format_name);
  if (block < 1) TVM_FFI_THROW(ValueError) << "block must be at least 1, not " << block;
  CheckType("q", q, Type(kDLUInt, 8));
  CheckBasics("q", q, 2);
  CheckCompact("q", q);
  Real out_kind = CheckReal("out", out);
  CheckBasics("out", out, 2);
  CheckCompact("out", out);
  int64_t m = out.shape()[0], k = out.shape()[1];
  if (k % 2 != 0) TVM_FFI_THROW(ValueError) << "out must have an even number of columns, not " << k;
  if (k % block != 0) {
    TVM_FFI_THROW(ValueError) << "block must divide the columns of out: " << k
                              << " is not a multiple of " << block;
  }
  CheckExtent("q", q, 0, m, "rows of out");
  CheckExtent("q", q, 1, k / 2, "half the columns of out");
  int64_t blocks = k / block;
  Real scale_kind = CheckReal("scales", scales);
  CheckBasics("scales", scales, 2);
  CheckExtent("scales", scales, 0, m, "rows of out");
  CheckExtent("scales", scales, 1, blocks, "blocks of a row");
  const uint8_t* zero_data = nullptr;
  if (zeros.has_value()) {
#if BUG != 6
    if (format != Format::kUint4) {
      TVM_FFI_THROW(ValueError) << "zeros must be None for format \"" << std::string(format_name)
                                << "\"";
    }
#endif
    TensorView z = View(zeros.value());
    CheckType("zeros", z, Type(kDLUInt, 8));
    CheckBasics("zeros", z, 2);
    CheckExtent("zeros", z, 0, m, "rows of out");
    CheckExtent("zeros", z, 1, blocks, "blocks of a row");
    CheckCompact("zeros", z);
    zero_data = As<uint8_t>(z);
#if BUG != 5
    for (int64_t i = 0; i < m * blocks; ++i) {
      if (zero_data[i] > 15) {
        TVM_FFI_THROW(ValueError) << "zeros must be at most 15, not " << int{zero_data[i]};
      }
    }
#endif
  }
#if BUG == 3
  if (scale_kind != Real::kFloat32 && out_kind != Real::kFloat32) scale_kind = out_kind;
#endif
  std::vector<int64_t> step = Strides(scales);
#if BUG == 2
  step = {blocks, 1};
#endif
  const void* scale_data = Data(scales);
  const uint8_t* bytes = As<uint8_t>(q);
  void* result = Data(out);
  for (int64_t r = 0; r < m; ++r) {
    for (int64_t c = 0; c < k; ++c) {
#if BUG == 7
      int64_t b = (c & ~int64_t{1}) / block;
#else
      int64_t b = c / block;
#endif
      int byte = bytes[(r * k + c) / 2];
      int code = c % 2 == 0 ? byte & 15 : byte >> 4;
      int zero = zero_data != nullptr ? zero_data[r * blocks + b] : (BUG == 1 ? 0 : 8);
      float scale = Load(scale_data, r * step[0] + b * step[1], scale_kind);
      Store(result, r * k + c, out_kind, Decode(code, format, zero) * scale);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequantize_blocks, DequantizeBlocks);
