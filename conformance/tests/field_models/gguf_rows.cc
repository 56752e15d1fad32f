// SPDX-License-Identifier: Apache-2.0
// Rows of a quantized weight in the formats of GGML, looked up and dequantized.
using namespace q1;

struct Format {
  const char* name;
  int64_t elements, bytes;
};
static const Format kFormats[] = {{"f16", 1, 2}, {"q4_0", 32, 18}, {"q4_1", 32, 20}, {"q8_0", 32, 34}};

static const Format& format_of(const String& name) {
  for (const Format& f : kFormats) {
    if (name == f.name) return f;
  }
  TVM_FFI_THROW(ValueError) << "type: unknown format";
  throw 0;  // not reached
}

static float half_at(const uint8_t* p) {
  uint16_t h;
  std::memcpy(&h, p, 2);
  return half_to_float(h);
}

static void dequantize(const Format& f, const uint8_t* p, int64_t blocks, float* y) {
  const std::string name = f.name;
  for (int64_t b = 0; b < blocks; ++b, p += f.bytes, y += f.elements) {
    const float d = half_at(p);
    if (name == "f16") {
      y[0] = d;
    } else if (name == "q8_0") {
      for (int i = 0; i < 32; ++i) y[i] = d * static_cast<float>(static_cast<int8_t>(p[2 + i]));
    } else if (name == "q4_0") {
      for (int i = 0; i < 16; ++i) {
#if BUG == 5
        y[2 * i] = d * static_cast<float>((p[2 + i] & 15) - 8);
        y[2 * i + 1] = d * static_cast<float>((p[2 + i] >> 4) - 8);
#else
        y[i] = d * static_cast<float>((p[2 + i] & 15) - 8);
        y[i + 16] = d * static_cast<float>((p[2 + i] >> 4) - 8);
#endif
      }
    } else {
      const float m = half_at(p + 2);
      for (int i = 0; i < 16; ++i) {
        y[i] = d * static_cast<float>(p[4 + i] & 15) + m;
        y[i + 16] = d * static_cast<float>(p[4 + i] >> 4) + m;
      }
    }
  }
}

static Tensor gguf_get_rows(TensorView data, TensorView ids, String type, DLDataType dtype) {
  const Format& f = format_of(type);
  check_rank(data, 2, "data");
  check_dtype(data, kU8, "data");
  check_cpu(data, "data");
  check_cpu(ids, "ids");
  REQUIRE(same(ids.dtype(), kI32) || same(ids.dtype(), kI64), TypeError, "ids: expected int32 or int64");
  REQUIRE(ids.ndim() >= 1, ValueError, "ids: expected a dimension or more");
  check_contiguous(ids, "ids");
  check_aligned(ids, "ids");
  REQUIRE(same(dtype, kF32) || same(dtype, kF16), ValueError, "dtype: expected float32 or float16");
  REQUIRE(compact_from(data, 1), ValueError, "data: rows must be contiguous");
  const int64_t rows = data.shape()[0], width = data.shape()[1];
#if BUG != 6
  REQUIRE(width % f.bytes == 0, ValueError, "data: rows are no whole number of blocks");
#endif
  const int64_t blocks = width / f.bytes, cols = blocks * f.elements, m = ids.numel();
  std::vector<int64_t> shape(ids.shape().begin(), ids.shape().end());
  shape.push_back(cols);
#if BUG == 4
  if (type == "f16") dtype = kF16;
#endif
#if BUG == 2
  TVMFFIObjectHandle handle = nullptr;
  DLTensor prototype{};
  prototype.device = data.device();
  prototype.dtype = dtype;
  prototype.shape = shape.data();
  prototype.ndim = static_cast<int>(shape.size());
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&prototype, &handle));
#endif
  std::vector<int64_t> at(m);
  for (int64_t i = 0; i < m; ++i) {
#if BUG == 3
    const int64_t id = static_cast<int32_t>(same(ids.dtype(), kI32) ? ptr<int32_t>(ids)[i] : ptr<int64_t>(ids)[i]);
#else
    const int64_t id = same(ids.dtype(), kI32) ? ptr<int32_t>(ids)[i] : ptr<int64_t>(ids)[i];
#endif
#if BUG == 1
    REQUIRE(id < rows, IndexError, "ids: " << id << " is out of range");
#else
    REQUIRE(id >= 0 && id < rows, IndexError, "ids: " << id << " is out of range");
#endif
    at[i] = id;
  }
#if BUG == 2
  Tensor y(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(handle)));
#else
  Tensor y = alloc(shape, dtype, data.device());
#endif
  const uint8_t* p = ptr<uint8_t>(data);
  const int64_t pitch = strides_of(data)[0];
  char* yp = static_cast<char*>(y.data_ptr()) + y.byte_offset();
  parallel_for(m, grain(1.0 * cols), [&](int64_t i) {
    std::vector<float> line(cols);
    dequantize(f, p + at[i] * pitch, blocks, line.data());
    for (int64_t c = 0; c < cols; ++c) store(yp, i * cols + c, dtype, line[c]);
  });
  return y;
}

static int64_t gguf_row_bytes(String type, int64_t cols) {
  const Format& f = format_of(type);
  REQUIRE(cols >= 0 && cols <= (int64_t{1} << 40), ValueError, "cols: must be in [0, 2**40]");
  REQUIRE(cols % f.elements == 0, ValueError, "cols: no whole number of blocks");
  return cols / f.elements * f.bytes;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gguf_get_rows, gguf_get_rows);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(gguf_row_bytes, gguf_row_bytes);
