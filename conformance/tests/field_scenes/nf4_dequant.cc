// SPDX-License-Identifier: Apache-2.0
// nf4_dequant(packed, absmax, shape, blocksize, out_dtype, nested) -> tensor of `shape`: 4-bit NormalFloat with one
// scale per block; nested = (scales, offset, blocksize) where the scales are quantized to 8 bits themselves.
using namespace set;

static const float kTable[16] = {-1.0f, -0.6961928f, -0.52507305f, -0.3949175f, -0.28444138f, -0.18477343f, -0.091050036f, 0.0f,
                                 0.0795803f, 0.1609302f, 0.2461123f, 0.33791524f, 0.44070983f, 0.562617f, 0.72295684f, 1.0f};

using Nested = Tuple<Tensor, double, int64_t>;

template <class D>
static void unpack(const uint8_t* q, const float* scale, int64_t n, int64_t block, typename D::raw* out) {
  parallel((n + 1) / 2, 1 << 15, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      int64_t k = 2 * i;
      out[k] = D::store(kTable[q[i] >> 4] * scale[k / block]);
#if BUG != 1
      if (k + 1 >= n) break;
#endif
      out[k + 1] = D::store(kTable[q[i] & 15] * scale[(k + 1) / block]);
    }
  });
}

static Tensor nf4_dequant(TensorView packed, TensorView absmax, Shape shape, int64_t blocksize, DLDataType out_dtype,
                          Optional<Nested> nested) {
  REQUIRE(blocksize >= 2 && blocksize <= 4096 && (blocksize & (blocksize - 1)) == 0, ValueError,
          "blocksize must be a power of two from 2 to 4096");
#if BUG == 6
  bool half = out_dtype.code == kDLFloat && out_dtype.bits == 16, single = out_dtype.code == kDLFloat && out_dtype.bits == 32;
  REQUIRE(half || single || (out_dtype.code == kDLBfloat && out_dtype.bits == 16), TypeError, "out_dtype is not supported");
#else
  bool half = same(out_dtype, kF16), single = same(out_dtype, kF32);
  REQUIRE(half || single || same(out_dtype, kBF16), TypeError, "out_dtype is not supported");
#endif
  int64_t n = 1;
  bool empty = false;
  for (int64_t e : shape) {
    REQUIRE(e >= 0, ValueError, "shape has a negative extent");
    empty = empty || e == 0;
  }
  if (empty) n = 0;
  for (size_t i = 0; i < shape.size() && !empty; ++i) {
#if BUG == 7
    n *= shape[i];
#else
    REQUIRE(!__builtin_mul_overflow(n, shape[i], &n) && n <= (int64_t(1) << 40), ValueError, "shape is too large");
#endif
  }
  need(packed, "packed", kU8, 1);
  REQUIRE(packed.size(0) == n / 2 + n % 2, ValueError, "packed must have two elements of shape in each byte");
  need_basic(absmax, "absmax", 1);
  need_contiguous(absmax, "absmax");
  int64_t blocks = n / blocksize + (n % blocksize != 0);
  REQUIRE(absmax.size(0) == blocks, ValueError, "absmax must have one scale per block");
#if BUG == 4
  static thread_local std::vector<float> scale;
  static thread_local const void* last = nullptr;
#else
  std::vector<float> scale;
#endif
  if (nested.has_value()) {
    need_dtype(absmax, "absmax", kU8);
    Tensor scales = nested.value().get<0>();
    double offset = nested.value().get<1>();
    int64_t nb = nested.value().get<2>();
    need_some(scales, "nested[0]");
    need(scales, "nested[0]", kF32, 1);
#if BUG != 5
    REQUIRE(nb >= 1 && nb <= 65536, ValueError, "nested[2] must be from 1 to 65536");
#endif
    REQUIRE(std::isfinite(offset), ValueError, "nested[1] must be finite");
#if BUG == 2
    REQUIRE(scales.size(0) > 0 || blocks == 0, ValueError, "nested[0] must have one scale per nested block");
#else
    REQUIRE(scales.size(0) == blocks / nb + (blocks % nb != 0), ValueError, "nested[0] must have one scale per nested block");
#endif
#if BUG == 4
    if (last != ptr<void>(absmax) || int64_t(scale.size()) != blocks) {
#else
    {
#endif
      scale.resize(blocks);
      const uint8_t* a = ptr<uint8_t>(absmax);
      const float* s = ptr<float>(scales);
      for (int64_t i = 0; i < blocks; ++i) scale[i] = float(a[i] / 255.0 * s[i / nb] + offset);
    }
#if BUG == 4
    last = ptr<void>(absmax);
#endif
  } else {
#if BUG != 3
    need_dtype(absmax, "absmax", kF32);
#endif
    scale.assign(ptr<float>(absmax), ptr<float>(absmax) + blocks);
#if BUG == 4
    last = nullptr;
#endif
  }
  Tensor out = alloc(std::vector<int64_t>(shape.begin(), shape.end()), out_dtype, packed.device());
  if (n == 0) return out;
  const uint8_t* q = ptr<uint8_t>(packed);
  if (single) {
    unpack<F32>(q, scale.data(), n, blocksize, static_cast<float*>(out.data_ptr()));
  } else if (half) {
    unpack<F16>(q, scale.data(), n, blocksize, static_cast<uint16_t*>(out.data_ptr()));
  } else {
    unpack<BF16>(q, scale.data(), n, blocksize, static_cast<uint16_t*>(out.data_ptr()));
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(nf4_dequant, nf4_dequant);
