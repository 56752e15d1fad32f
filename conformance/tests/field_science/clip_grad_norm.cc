// SPDX-License-Identifier: Apache-2.0
// Scales gradients in place so that their joint norm is at most max_norm, and returns the norm they had.
// A norm that is not finite: an error with nothing changed, or, without error_if_nonfinite, no change.
namespace {

enum class Kind { kF32, kF64, kF16, kBF16 };

Kind kind_of(DLDataType t) {
  if (same(t, kF32)) return Kind::kF32;
  if (same(t, kF64)) return Kind::kF64;
  if (same(t, kF16)) return Kind::kF16;
  REQUIRE(same(t, kBF16), TypeError, "gradients must be float16, bfloat16, float32 or float64");
#if BUG == 4
  return Kind::kF16;
#else
  return Kind::kBF16;
#endif
}

double load(const char* p, int64_t i, Kind k) {
  switch (k) {
    case Kind::kF32:
      return reinterpret_cast<const float*>(p)[i];
    case Kind::kF64:
      return reinterpret_cast<const double*>(p)[i];
    case Kind::kF16:
      return fp16_to_float(reinterpret_cast<const uint16_t*>(p)[i]);
    default:
      return bf16_to_float(reinterpret_cast<const uint16_t*>(p)[i]);
  }
}

void store(char* p, int64_t i, Kind k, double v) {
  switch (k) {
    case Kind::kF32:
      reinterpret_cast<float*>(p)[i] = static_cast<float>(v);
      break;
    case Kind::kF64:
      reinterpret_cast<double*>(p)[i] = v;
      break;
    case Kind::kF16:
      reinterpret_cast<uint16_t*>(p)[i] = float_to_fp16(static_cast<float>(v));
      break;
    default:
      reinterpret_cast<uint16_t*>(p)[i] = float_to_bf16(static_cast<float>(v));
  }
}

struct Grad {
  char* p;
  int64_t n;
  Kind kind;
};

double clip_grad_norm(Array<Tensor> grads, double max_norm, Variant<double, String> norm_type,
                      bool error_if_nonfinite) {
  REQUIRE(max_norm > 0, ValueError, "max_norm must be positive");
  int p;
  if (auto text = norm_type.as<String>()) {
    REQUIRE(*text == "inf", ValueError, "unknown norm " << *text);
    p = 0;
  } else {
    const double v = norm_type.get<double>();
    REQUIRE(v == 1.0 || v == 2.0, ValueError, "norm_type must be 1, 2 or \"inf\"");
    p = static_cast<int>(v);
  }
#if BUG == 6
  static thread_local Array<Tensor> last;
  last = grads;
#endif
  std::vector<Grad> list;
  for (size_t i = 0; i < grads.size(); ++i) {
    const Tensor t = grads[i];
#if BUG != 2
    REQUIRE(t.defined(), TypeError, "gradient " << i << " is None");
#endif
#if BUG == 1
    if (i > 0) {
      check_cpu(t, "gradient");
      list.push_back({base(t, "gradient"), numel(t), list[0].kind});
      continue;
    }
#endif
    check_cpu(t, "gradient");
    check_rank(t, 1, "gradient");
    check_contiguous(t, "gradient");
    const Kind k = kind_of(t.dtype());
    list.push_back({base(t, "gradient"), numel(t), k});
  }
  double largest = 0;  // squares are taken of v / largest, so that they neither overflow nor vanish
  if (p == 2) {
    for (const Grad& g : list) {
      for (int64_t i = 0; i < g.n; ++i) largest = std::max(largest, std::fabs(load(g.p, i, g.kind)));
    }
    if (largest == 0 || !std::isfinite(largest)) largest = 1;
  }
  double norm = 0;
  for (const Grad& g : list) {
    for (int64_t i = 0; i < g.n; ++i) {
      const double v = load(g.p, i, g.kind);
      if (p == 2) {
        norm += (v / largest) * (v / largest);
      } else if (p == 1) {
        norm += std::fabs(v);
      } else if (v != v || norm != norm) {
        norm = std::numeric_limits<double>::quiet_NaN();
      } else {
#if BUG == 5
        norm = std::max(norm, v);
#else
        norm = std::max(norm, std::fabs(v));
#endif
      }
    }
  }
  if (p == 2) norm = largest * std::sqrt(norm);
  const double coef = max_norm / (norm + 1e-6);
#if BUG != 3
  if (!std::isfinite(norm)) {
    REQUIRE(!error_if_nonfinite, RuntimeError, "the norm of the gradients is " << norm);
    return norm;
  }
#endif
  if (coef < 1) {
    for (const Grad& g : list) {
      for (int64_t i = 0; i < g.n; ++i) store(g.p, i, g.kind, load(g.p, i, g.kind) * coef);
    }
  }
#if BUG == 3
  REQUIRE(std::isfinite(norm) || !error_if_nonfinite, RuntimeError, "the norm of the gradients is " << norm);
#endif
  return norm;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(clip_grad_norm, clip_grad_norm);
