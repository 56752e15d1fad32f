// SPDX-License-Identifier: Apache-2.0
// Two numbers of 4 bits in a byte, the lower half first: both directions.
namespace nibbles {

using namespace set;

struct Pair {
  const DLTensor *wide, *narrow;
  int64_t n, d;
};

Pair Check(const TensorView& wide, const TensorView& narrow) {
  Pair p{Raw(wide), Raw(narrow), 0, 0};
  NeedRank(p.narrow, 2, "bytes");
  p.n = p.narrow->shape[0];
  p.d = p.narrow->shape[1];
  NeedShape(p.wide, {p.n, 2 * p.d}, "numbers");
  NeedCompact(p.wide, "numbers");
  NeedCompact(p.narrow, "bytes");
  return p;
}

void Pack(TensorView numbers, TensorView bytes) {
  const Pair p = Check(numbers, bytes);
  const int8_t* from = Elements<int8_t>(p.wide, "numbers");
  uint8_t* to = Elements<uint8_t>(p.narrow, "bytes");
  const int64_t count = p.n * p.d;
  for (int64_t i = 0; i < 2 * count; ++i) {
    if (from[i] < -8 || from[i] > 7) {
      TVM_FFI_THROW(ValueError) << "numbers[" << i << "] = " << int{from[i]} << " needs more bits";
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<uint8_t>((from[2 * i] & 15) | (from[2 * i + 1] & 15) << 4);
  }
}

void Unpack(TensorView bytes, TensorView numbers, Optional<TensorView> scale,
            Optional<TensorView> scaled) {
  const Pair p = Check(numbers, bytes);
  const uint8_t* from = Elements<uint8_t>(p.narrow, "bytes");
  int8_t* to = Elements<int8_t>(p.wide, "numbers");
  if (scale.has_value() != scaled.has_value()) {
    TVM_FFI_THROW(ValueError) << "scale and scaled go together";
  }
  const float* factor = nullptr;
  float* product = nullptr;
  if (scale.has_value()) {
    const TensorView s = scale.value(), t = scaled.value();
    NeedShape(Raw(s), {p.n}, "scale");
    NeedShape(Raw(t), {p.n, 2 * p.d}, "scaled");
    NeedCompact(Raw(s), "scale");
    NeedCompact(Raw(t), "scaled");
    factor = Elements<float>(Raw(s), "scale");
    product = Elements<float>(Raw(t), "scaled");
  }
  for (int64_t i = 0; i < p.n * p.d; ++i) {
    const int pair[2] = {from[i] & 15, from[i] >> 4};
    for (int half = 0; half < 2; ++half) {
      const int number = pair[half] < 8 ? pair[half] : pair[half] - 16;
      to[2 * i + half] = static_cast<int8_t>(number);
      if (product != nullptr) product[2 * i + half] = factor[i / p.d] * static_cast<float>(number);
    }
  }
}

}  // namespace nibbles

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_nibbles, nibbles::Pack);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unpack_nibbles, nibbles::Unpack);
