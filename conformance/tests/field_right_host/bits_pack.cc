// SPDX-License-Identifier: Apache-2.0
// Truth values to bits and back, with the first in the lowest or in the highest bit.
using tvm::ffi::Optional;
using tvm::ffi::String;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

static bool lowest_first(const String& order) {
  if (order == "little") return true;
  if (order == "big") return false;
  TVM_FFI_THROW(ValueError) << "bit order must be little or big, not " << order;
}

// Bytes of bool and of uint8 are read alike: what is not 0 is true.
static Tensor pack_bits_impl(TensorView x, String order) {
  bool little = lowest_first(order);
  const uint8_t* src;
  if (kit::same(x.dtype(), kit::type_of<bool>())) {
    src = reinterpret_cast<const uint8_t*>(kit::dense<bool>(x, "x", 1));
  } else {
    src = kit::dense<uint8_t>(x, "x", 1);
  }
  int64_t n = x.size(0);
  Tensor packed = kit::fresh({(n + 7) / 8}, kit::type_of<uint8_t>());
  uint8_t* dst = kit::start<uint8_t>(packed);
  for (int64_t at = 0; at < n; at += 8) {
    unsigned byte = 0;
    for (int64_t i = at; i < std::min(at + 8, n); ++i) {
      int bit = static_cast<int>(i - at);
      if (src[i] != 0) byte |= 1u << (little ? bit : 7 - bit);
    }
    *dst++ = static_cast<uint8_t>(byte);
  }
  return packed;
}

static Tensor unpack_bits_impl(TensorView packed, Optional<int64_t> count, String order) {
  bool little = lowest_first(order);
  const uint8_t* src = kit::dense<uint8_t>(packed, "packed", 1);
  int64_t most = packed.size(0) * 8;
  int64_t n = count.value_or(most);
  if (n < 0 || n > most)
    TVM_FFI_THROW(ValueError) << "count must be from 0 to " << most << ", not " << n;
  Tensor x = kit::fresh({n}, kit::type_of<uint8_t>());
  uint8_t* dst = kit::start<uint8_t>(x);
  for (int64_t i = 0; i < n; ++i) {
    int bit = static_cast<int>(i & 7);
    dst[i] = src[i >> 3] >> (little ? bit : 7 - bit) & 1;
  }
  return x;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_bits, pack_bits_impl);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unpack_bits, unpack_bits_impl);
