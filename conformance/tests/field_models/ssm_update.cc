// SPDX-License-Identifier: Apache-2.0
// One decoding step of a selective state space model (Mamba-2): a state per slot of a pool is updated and read.
using namespace q1;

static void selective_state_update(TensorView state, TensorView x, TensorView dt, TensorView A, TensorView B,
                                   TensorView C, Optional<Tensor> D, Optional<Tensor> z,
                                   Optional<Tensor> dt_bias, Optional<Tensor> slots, bool dt_softplus,
                                   TensorView out) {
  check_rank(state, 4, "state");
  check_rank(x, 3, "x");
  check_rank(dt, 2, "dt");
  check_rank(A, 1, "A");
  check_rank(B, 3, "B");
  check_rank(C, 3, "C");
  check_rank(out, 3, "out");
  DLDataType T = x.dtype(), S = state.dtype();
  REQUIRE(same(T, kF32) || same(T, kF16), TypeError, "x: expected float32 or float16");
  REQUIRE(same(S, kF32) || same(S, kF16), TypeError, "state: expected float32 or float16");
  check_dtype(dt, T, "dt");
  check_dtype(A, kF32, "A");
  check_dtype(B, T, "B");
  check_dtype(C, T, "C");
  check_dtype(out, T, "out");
  const int64_t P = state.shape()[0], h = state.shape()[1], p = state.shape()[2], d = state.shape()[3];
  const int64_t b = x.shape()[0], g = B.shape()[1];
  check_size(x, 1, h, "x");
  check_size(x, 2, p, "x");
  check_size(dt, 0, b, "dt");
  check_size(dt, 1, h, "dt");
  check_size(A, 0, h, "A");
  check_size(B, 0, b, "B");
  check_size(B, 2, d, "B");
  check_size(C, 0, b, "C");
  check_size(C, 1, g, "C");
  check_size(C, 2, d, "C");
  for (int i = 0; i < 3; ++i) check_size(out, i, x.shape()[i], "out");
  REQUIRE(g >= 1 && h % g == 0, ValueError, "B: heads are no multiple of groups");
  auto vector_of_heads = [&](const Optional<Tensor>& t, const char* name) -> const float* {
    if (!t.has_value()) return nullptr;
    TensorView v = view(t);
    check_rank(v, 1, name);
    check_dtype(v, kF32, name);
    check_size(v, 0, h, name);
    check_cpu(v, name);
    check_contiguous(v, name);
    check_aligned(v, name);
    return ptr<float>(v);
  };
  const float* dp = vector_of_heads(D, "D");
  const float* bp = vector_of_heads(dt_bias, "dt_bias");
  const char* zp = nullptr;
  if (z.has_value()) {
    TensorView v = view(z);
    check_rank(v, 3, "z");
    check_dtype(v, T, "z");
    for (int i = 0; i < 3; ++i) check_size(v, i, x.shape()[i], "z");
    check_cpu(v, "z");
    check_contiguous(v, "z");
    check_aligned(v, "z");
    zp = base(v);
  }
  const int32_t* sp = nullptr;
  if (slots.has_value()) {
    TensorView v = view(slots);
    check_rank(v, 1, "slots");
    check_dtype(v, kI32, "slots");
    check_size(v, 0, b, "slots");
    check_cpu(v, "slots");
    check_contiguous(v, "slots");
    check_aligned(v, "slots");
#if BUG == 2
    sp = static_cast<const int32_t*>(v.data_ptr());
#else
    sp = ptr<int32_t>(v);
#endif
  } else {
    REQUIRE(P >= b, ValueError, "state: fewer slots than rows");
  }
  for (auto t : {&state, &x, &dt, &A, &B, &C, &out}) {
    check_cpu(*t, "tensor");
    check_aligned(*t, "tensor");
  }
  check_contiguous(state, "state");
  check_contiguous(dt, "dt");
  check_contiguous(A, "A");
  check_contiguous(out, "out");
  std::set<int64_t> seen;
  auto claim = [&](int64_t i) {
    int64_t s = sp[i];
    if (s == -1) return;
    REQUIRE(seen.insert(s).second, ValueError, "slots: " << s << " is there twice");
  };
  if (sp) {
    for (int64_t i = 0; i < b; ++i) {
      int64_t s = sp[i];
#if BUG == 1
      REQUIRE(s >= -1 && s <= P, ValueError, "slots: " << s << " is out of range");
#else
      REQUIRE(s >= -1 && s < P, ValueError, "slots: " << s << " is out of range");
#endif
    }
#if BUG != 4
    for (int64_t i = 0; i < b; ++i) claim(i);
#endif
  }
  const auto xs = strides_of(x), cs = strides_of(C);
  auto bs = strides_of(B);
#if BUG == 5
  bs[0] = g * d;
#endif
  const char *xp = base(x), *tp = base(dt), *Bp = base(B), *Cp = base(C);
  const float* ap = ptr<float>(A);
  char *stp = base(state), *op = base(out);
  auto row = [&](int64_t i) {
    const int64_t slot = sp ? sp[i] : i;
    if (slot < 0) {
#if BUG != 3
      for (int64_t e = 0; e < h * p; ++e) store(op, i * h * p + e, T, 0);
#endif
      return;
    }
    for (int64_t k = 0; k < h; ++k) {
      const int64_t group = k / (h / g);
      double step = load(tp, i * h + k, T);
      if (bp) step += bp[k];
      if (dt_softplus) step = step > 20 ? step : std::log1p(std::exp(step));
      const double decay = std::exp(step * ap[k]);
      for (int64_t q = 0; q < p; ++q) {
        const double xv = load(xp, i * xs[0] + k * xs[1] + q * xs[2], T);
        double sum = 0;
        for (int64_t e = 0; e < d; ++e) {
          const int64_t at = ((slot * h + k) * p + q) * d + e;
          const double in = load(Bp, i * bs[0] + group * bs[1] + e * bs[2], T);
#if BUG == 6
          const double v = load(stp, at, T) * decay + step * in * xv;
          store(stp, at, T, v);
#else
          const double v = load(stp, at, S) * decay + step * in * xv;
          store(stp, at, S, v);
#endif
          sum += v * load(Cp, i * cs[0] + group * cs[1] + e * cs[2], T);
        }
        if (dp) sum += dp[k] * xv;
        const int64_t o = (i * h + k) * p + q;
        if (zp) {
          const double zv = load(zp, o, T);
          sum *= zv / (1 + std::exp(-zv));
        }
        store(op, o, T, sum);
      }
    }
  };
#if BUG == 4
  for (int64_t i = 0; i < b; ++i) {
    if (sp) claim(i);
    row(i);
  }
#else
  parallel_for(b, grain(1.0 * h * p * d), row);
#endif
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(selective_state_update, selective_state_update);
