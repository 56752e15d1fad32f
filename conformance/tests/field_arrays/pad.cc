// SPDX-License-Identifier: Apache-2.0
// Pads the last two dimensions of an image batch in NCHW.
using namespace ks;

enum class Mode { kConstant, kReflect, kReplicate, kCircular };

static int64_t Source(int64_t i, int64_t n, Mode mode)
{
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case Mode::kReflect:
      return i < 0 ? -i : 2 * (n - 1) - i;
    case Mode::kReplicate:
      return i < 0 ? 0 : n - 1;
    case Mode::kCircular:
      return i < 0 ? i + n : i - n;
    default:
      return -1;
  }
}

static void CheckPad(int64_t pad, int64_t n, Mode mode)
{
#if BUG == 1
  if (mode == Mode::kReflect)
    KS_CHECK(pad <= n, ValueError) << "reflect: the pad must be less than the extent";
#else
  if (mode == Mode::kReflect)
    KS_CHECK(pad == 0 || pad < n, ValueError) << "reflect: the pad must be less than the extent";
#endif
  if (mode == Mode::kCircular)
    KS_CHECK(pad <= n, ValueError) << "circular: the pad must not exceed the extent";
#if BUG != 7
  if (mode == Mode::kReplicate)
    KS_CHECK(pad == 0 || n > 0, ValueError) << "replicate: the extent is 0";
#endif
}

static Tensor Pad(TensorView x, Variant<int64_t, Array<int64_t>> pads, String mode_name,
                  Optional<double> value)
{
  std::string name(mode_name.data(), mode_name.size());
  Mode mode;
  if (name == "constant")
    mode = Mode::kConstant;
  else if (name == "reflect")
    mode = Mode::kReflect;
  else if (name == "replicate")
    mode = Mode::kReplicate;
  else if (name == "circular")
    mode = Mode::kCircular;
  else
    TVM_FFI_THROW(ValueError) << "mode is unknown: " << name;
  CheckDType(x, "x", {kU8, kI32, kF16, kF32, kF64});
  CheckRank(x, "x", 4);
  CheckMemory(x, "x");
  int64_t p[4];
  if (auto all = pads.as<int64_t>()) {
    std::fill(p, p + 4, *all);
  } else {
    Array<int64_t> list = pads.get<Array<int64_t>>();
#if BUG == 4
    KS_CHECK(list.size() >= 4, ValueError) << "pads must be left, right, top, bottom";
#else
    KS_CHECK(list.size() == 4, ValueError) << "pads must be left, right, top, bottom";
#endif
#if BUG == 3
    for (int i = 0; i < 4; ++i) p[i ^ 2] = list[i];
#else
    for (int i = 0; i < 4; ++i) p[i] = list[i];
#endif
  }
#if BUG == 8
  for (int i = 0; i < 3; ++i)
#else
  for (int i = 0; i < 4; ++i)
#endif
    KS_CHECK(p[i] >= 0 && p[i] <= 64, ValueError) << "pads must be in 0..64";
  DLDataType t = x.dtype();
#if BUG != 5
  KS_CHECK(!value.has_value() || mode == Mode::kConstant, ValueError)
      << "value goes with mode constant only";
#endif
  double v = value.has_value() ? value.value() : 0.0;
  if (Same(t, kU8) || Same(t, kI32)) {
    double low = Same(t, kU8) ? 0 : -2147483648.0, high = Same(t, kU8) ? 255 : 2147483647.0;
#if BUG == 6
    KS_CHECK(v == std::floor(v) && std::isfinite(v), ValueError)
        << "value is not of the data type of x";
    v = std::fmod(v, high + 1);
    (void)low;
#else
    KS_CHECK(v >= low && v <= high && v == std::floor(v), ValueError)
        << "value is not of the data type of x";
#endif
  }
  int64_t n = x.shape()[0], c = x.shape()[1], h = x.shape()[2], w = x.shape()[3];
  CheckPad(p[0], w, mode);
  CheckPad(p[1], w, mode);
  CheckPad(p[2], h, mode);
  CheckPad(p[3], h, mode);
  int64_t oh = h + p[2] + p[3], ow = w + p[0] + p[1], item = ItemSize(t);
  Tensor out = Alloc({n, c, oh, ow}, t, x.device());
  char fill[8] = {0};
#if BUG == 2
  if (Same(t, kF16)) {
    uint16_t bits = uint16_t(int64_t(v));
    std::memcpy(fill, &bits, 2);
  } else {
    Store(fill, t, 0, v);
  }
#else
  Store(fill, t, 0, v);
#endif
  std::vector<int64_t> s = Strides(x);
  const char *src = Data<char>(x);
  char *dst = Data<char>(out);
  ParallelFor(n * c * oh, 256, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      int64_t b = r / oh / c, k = r / oh % c, i = r % oh;
      int64_t y = Source(i - p[2], h, mode);
      for (int64_t j = 0; j < ow; ++j) {
        int64_t z = Source(j - p[0], w, mode);
        bool outside = mode == Mode::kConstant && (y < 0 || z < 0);
        std::memcpy(dst + (r * ow + j) * item,
                    outside ? fill : src + (b * s[0] + k * s[1] + y * s[2] + z * s[3]) * item,
                    size_t(item));
      }
    }
  });
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad, Pad)
