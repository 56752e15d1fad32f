// SPDX-License-Identifier: Apache-2.0
// binary(x, y, out, op, alpha): out = x op y, element by element. All three have three dimensions;
// x and y are broadcast where an extent is 1. Any strides are taken. out may be x or y itself.
namespace {

using namespace kit;

enum class Op { kAdd, kSub, kMul, kDiv, kMod, kMax, kMin };

Op parse_op(const String& name) {
  std::string text(name.data(), name.size());
  static const std::pair<const char*, Op> known[] = {
      {"add", Op::kAdd}, {"sub", Op::kSub},     {"mul", Op::kMul},    {"div", Op::kDiv},
      {"mod", Op::kMod}, {"maximum", Op::kMax}, {"minimum", Op::kMin}};
  for (auto& [word, op] : known) {
    if (text == word) return op;
  }
  TVM_FFI_THROW(ValueError) << "op must be add, sub, mul, div, mod, maximum or minimum, and is \""
                            << text << "\"";
}

template <typename T>
T apply_float(Op op, T x, T y, double alpha) {
  switch (op) {
    case Op::kAdd:
      return static_cast<T>(x + alpha * y);
    case Op::kSub:
      return static_cast<T>(x - (BUG == 4 ? 1.0 : alpha) * y);
    case Op::kMul:
      return x * y;
    case Op::kDiv:
      return x / y;
    case Op::kMod: {  // the sign of y, as in Python
      T r = std::fmod(x, y);
      if (r == 0) return std::copysign(T(0), y);
      if (std::isfinite(r) && (r < 0) != (y < 0)) r += y;
      return r;
    }
#if BUG == 6
    case Op::kMax:
      return x > y ? x : y;
    case Op::kMin:
      return x < y ? x : y;
#else
    case Op::kMax:
      return std::isnan(x) ? x : std::isnan(y) ? y : x > y ? x : y;
    case Op::kMin:
      return std::isnan(x) ? x : std::isnan(y) ? y : x < y ? x : y;
#endif
  }
  return T(0);
}

// Integers wrap around.
int32_t apply_int(Op op, int32_t x, int32_t y, uint32_t alpha) {
  uint32_t a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y);
  switch (op) {
    case Op::kAdd:
      return static_cast<int32_t>(a + alpha * b);
    case Op::kSub:
      return static_cast<int32_t>(a - (BUG == 4 ? 1u : alpha) * b);
    case Op::kMul:
      return static_cast<int32_t>(a * b);
    case Op::kMod: {
      if (BUG == 3 && y == 0) TVM_FFI_THROW(ValueError) << "y must not be 0 for op mod";
      if (BUG != 7 && y == -1) return 0;  // the least number % -1 is a trap on some CPUs
      int32_t r = x % y;
      return r != 0 && (r < 0) != (y < 0) ? r + y : r;
    }
    case Op::kMax:
      return std::max(x, y);
    case Op::kMin:
      return std::min(x, y);
    case Op::kDiv:
      break;
  }
  return 0;
}

template <typename T, typename F>
void run(const View& x, const View& y, const View& out, const F& f) {
  int64_t sx[3], sy[3];
  for (int i = 0; i < 3; ++i) {
    sx[i] = x.shape[i] == 1 ? 0 : x.stride[i];
    sy[i] = y.shape[i] == 1 && !(BUG == 2 && i == 0) ? 0 : y.stride[i];
  }
  for (int64_t i = 0; i < out.shape[0]; ++i) {
    for (int64_t j = 0; j < out.shape[1]; ++j) {
      const T* px = x.as<T>() + i * sx[0] + j * sx[1];
      const T* py = y.as<T>() + i * sy[0] + j * sy[1];
      T* po = out.as<T>() + i * out.stride[0] + j * out.stride[1];
      for (int64_t k = 0; k < out.shape[2]; ++k) {
        po[k * out.stride[2]] = f(px[k * sx[2]], py[k * sy[2]]);
      }
    }
  }
}

bool any_zero(const View& y) {
  for (int64_t i = 0; i < y.shape[0]; ++i) {
    for (int64_t j = 0; j < y.shape[1]; ++j) {
      for (int64_t k = 0; k < y.shape[2]; ++k) {
        if (y.as<int32_t>()[i * y.stride[0] + j * y.stride[1] + k * y.stride[2]] == 0) return true;
      }
    }
  }
  return false;
}

void check_input(const View& v, const View& out) {
  for (int i = 0; i < 3; ++i) {
    if (v.shape[i] != 1 && v.shape[i] != out.shape[i]) {
      TVM_FFI_THROW(ValueError) << v.name << " of shape " << v.shape_text()
                                << " can't be broadcast to the shape " << out.shape_text()
                                << " of out";
    }
  }
  if (!overlap(v, out)) return;
  bool same = v.data == out.data;
  for (int i = 0; i < 3; ++i) {
    same = same && v.shape[i] == out.shape[i] && (v.shape[i] == 1 || v.stride[i] == out.stride[i]);
  }
  if (!same) {
    TVM_FFI_THROW(ValueError) << "out must be " << v.name << " itself or not overlap it";
  }
}

void binary(TensorView x_arg, TensorView y_arg, TensorView out_arg, String op_name,
            Optional<double> alpha_arg) {
  View x = view(x_arg, "x", 3), out = view(out_arg, "out", 3);
  View y = view_of(y_arg, "y", 3, 3, /*use_offset=*/BUG != 1);
  need_type(x, {kF32, kF64, kI32});
  need_same_type(y, x);
#if BUG == 5
  if (out.dtype.bits != x.dtype.bits) need_same_type(out, x);
#else
  need_same_type(out, x);
#endif
  check_input(x, out);
  check_input(y, out);
  for (int i = 0; i < 3; ++i) {
    if (out.shape[i] > 1 && out.stride[i] == 0 && out.numel() != 0) {
      TVM_FFI_THROW(ValueError) << "out must not overlap itself (stride 0 in dimension " << i << ")";
    }
  }
  Op op = parse_op(op_name);
  bool is_int = same_type(x.dtype, kI32);
  double alpha = 1;
  if (alpha_arg.has_value()) {
    alpha = alpha_arg.value();
    if (op != Op::kAdd && op != Op::kSub) {
      TVM_FFI_THROW(ValueError) << "alpha is only for add and sub";
    }
    if (!std::isfinite(alpha)) TVM_FFI_THROW(ValueError) << "alpha must be finite";
    if (is_int && (alpha != std::floor(alpha) || std::fabs(alpha) > 2147483647.0)) {
      TVM_FFI_THROW(ValueError) << "alpha must be a whole number of 32 bits for int32";
    }
  }
  if (is_int && op == Op::kDiv) {
    TVM_FFI_THROW(TypeError) << "x must be float32 or float64 for op div, and is int32";
  }
  if (BUG != 3 && is_int && op == Op::kMod && any_zero(y)) {
    TVM_FFI_THROW(ValueError) << "y must not be 0 for op mod";
  }
  if (is_int) {
    uint32_t factor = static_cast<uint32_t>(static_cast<int64_t>(alpha));
    run<int32_t>(x, y, out, [=](int32_t a, int32_t b) { return apply_int(op, a, b, factor); });
  } else if (same_type(x.dtype, kF32)) {
    run<float>(x, y, out, [=](float a, float b) { return apply_float(op, a, b, alpha); });
  } else {
    run<double>(x, y, out, [=](double a, double b) { return apply_float(op, a, b, alpha); });
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(binary, binary);
