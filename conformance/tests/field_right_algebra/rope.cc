// SPDX-License-Identifier: Apache-2.0
// Rotary embeddings in place. A packed function: rope(x, positions) turns the halves of each head
// against each other with base 10000, rope(x, positions, base, interleaved) has both stated.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::AnyView;

template <typename T>
T Argument(const AnyView* args, int32_t at, const char* what) {
  std::optional<T> value = args[at].try_cast<T>();
  if (!value.has_value()) {
    TVM_FFI_THROW(TypeError) << "rope: argument " << at << " must be " << what << ", not "
                             << args[at].GetTypeKey();
  }
  return *std::move(value);
}

void Rotate(const AnyView* args, int32_t count) {
  if (count != 2 && count != 4) {
    TVM_FFI_THROW(TypeError) << "rope: takes 2 or 4 arguments, not " << count;
  }
  const auto x = Argument<vx::ffi::TensorView>(args, 0, "a tensor");
  const auto positions = Argument<vx::ffi::TensorView>(args, 1, "a tensor");
  const double base = count == 4 ? Argument<double>(args, 2, "a number") : 10000.0;
  const bool interleaved = count == 4 && Argument<bool>(args, 3, "a bool");

  const View v = vx::Look(x, "x", 3, {Num::F16, Num::BF16, Num::F32, Num::F64});
  const View p = vx::Look(positions, "positions", 1, {Num::I32, Num::I64});
  const int64_t s = v.shape[0];
  const int64_t heads = v.shape[1];
  const int64_t d = v.shape[2];
  vx::SameShape(p, "positions", {s});
  if (d % 2 != 0) TVM_FFI_THROW(ValueError) << "x: heads must have an even number of elements";
  if (!(base >= 2 && base <= 1e7)) TVM_FFI_THROW(ValueError) << "base: from 2 to 1e7";
  for (int64_t i = 0; i < s; ++i) {
    if (p.Int(i) < 0 || p.Int(i) > 1048575) {
      TVM_FFI_THROW(IndexError) << "positions: from 0 to 1048575, not " << p.Int(i);
    }
  }

  const int64_t half = d / 2;
  const int64_t other = interleaved ? 1 : half;
  for (int64_t k = 0; k < half; ++k) {
    const double speed = std::pow(base, -static_cast<double>(2 * k) / static_cast<double>(d));
    const int64_t at = interleaved ? 2 * k : k;
    for (int64_t i = 0; i < s; ++i) {
      const double angle = speed * p.Get(i);
      const double c = std::cos(angle);
      const double n = std::sin(angle);
      for (int64_t h = 0; h < heads; ++h) {
        const double a = v.Get(i, h, at);
        const double b = v.Get(i, h, at + other);
        v.Put(a * c - b * n, i, h, at);
        v.Put(b * c + a * n, i, h, at + other);
      }
    }
  }
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_rope(void*, const TVMFFIAny* args, int32_t num_args,
                                                 TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  Rotate(reinterpret_cast<const AnyView*>(args), num_args);
  *reinterpret_cast<vx::ffi::Any*>(result) = nullptr;
  TVM_FFI_SAFE_CALL_END();
}
