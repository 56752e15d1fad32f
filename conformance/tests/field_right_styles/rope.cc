// SPDX-License-Identifier: Apache-2.0
// Rotary embedding, in place, over the two halves of each head (as GPT-NeoX has it).
namespace {

struct View {  // what is left of a DLTensor once it has been checked
  char* data;
  int64_t n, h, d;
  int64_t sn, sh;
};

template <typename X, typename P>
void rotate(const View& v, const P* pos, double base) {
  std::vector<double> rate(v.d);
  for (int64_t j = 0; j < v.d; ++j) rate[j] = std::pow(base, -(static_cast<double>(j) / v.d));
  for (int64_t i = 0; i < v.n; ++i) {
    for (int64_t k = 0; k < v.h; ++k) {
      X* p = reinterpret_cast<X*>(v.data) + i * v.sn + k * v.sh;
      for (int64_t j = 0; j < v.d; ++j) {
        double a = static_cast<double>(pos[i]) * rate[j];
        double c = std::cos(a), s = std::sin(a);
        double lo = p[j], hi = p[j + v.d];
        p[j] = static_cast<X>(lo * c - hi * s);
        p[j + v.d] = static_cast<X>(lo * s + hi * c);
      }
    }
  }
}

template <typename P>
void check_positions(const P* pos, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    TVM_FFI_CHECK(pos[i] >= 0 && pos[i] <= 65536, IndexError) << "position " << pos[i];
  }
}

void rope(DLTensor* x, DLTensor* pos, double base) {
  using namespace x4;
  TVM_FFI_CHECK(x != nullptr && pos != nullptr, ValueError) << "no tensor";
  TVM_FFI_CHECK(x->device.device_type == kDLCPU, ValueError) << "x must be in host memory";
  TVM_FFI_CHECK(x->ndim == 3, ValueError) << "x must be [tokens, heads, size]";
  bool single = holds<float>(x->dtype);
  TVM_FFI_CHECK(single || holds<double>(x->dtype), TypeError) << "x must be float32 or float64";
  TVM_FFI_CHECK(pos->ndim == 1 && pos->shape[0] == x->shape[0], ValueError) << "one position each";
  bool narrow = holds<int32_t>(pos->dtype);
  TVM_FFI_CHECK(narrow || holds<int64_t>(pos->dtype), TypeError) << "positions are integers";
  plain(pos, "pos");
  TVM_FFI_CHECK(x->shape[2] % 2 == 0, ValueError) << "the size of a head must be even";
  TVM_FFI_CHECK(base >= 1 && base <= 1e6, ValueError) << "base must be from 1 to 1000000";
  std::vector<int64_t> s = strides_of(*x);
  TVM_FFI_CHECK(x->shape[2] <= 1 || s[2] == 1, ValueError) << "heads must not have gaps";
  const int32_t* p32 = first<int32_t>(pos);
  const int64_t* p64 = first<int64_t>(pos);
  narrow ? check_positions(p32, pos->shape[0]) : check_positions(p64, pos->shape[0]);
  if (count(ffi::ShapeView(x->shape, 3)) == 0) return;

  View v{bytes_of(x), x->shape[0], x->shape[1], x->shape[2] / 2, s[0], s[1]};
  TVM_FFI_CHECK(reinterpret_cast<uintptr_t>(v.data) % (single ? 4 : 8) == 0, ValueError)
      << "x is not aligned";
  if (narrow) {
    single ? rotate<float>(v, p32, base) : rotate<double>(v, p32, base);
  } else {
    single ? rotate<float>(v, p64, base) : rotate<double>(v, p64, base);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, rope);
