// SPDX-License-Identifier: Apache-2.0
// Accepts drafted tokens of speculative decoding, so that what comes out follows the target model.
//
// speculative_accept(draft_tokens, draft_probs, target_probs, uniform, pick, accepted, tokens)
//   draft_tokens  int32 or int64 (b, k), 0 to v - 1
//   draft_probs   float32 (b, k, v), or None: the draft was greedy, its tokens have probability 1
//   target_probs  float32 (b, k + 1, v)
//   uniform       float32 (b, k), 0 <= u < 1: token i is accepted if u * draft < target
//   pick          float32 (b), 0 <= u < 1: draws the token behind the accepted ones, by inversion
//   accepted      int32 (b): how many are accepted, up to the first that is not
//   tokens        (b, k + 1), the type of draft_tokens: the accepted ones, one more, then -1
// The token behind them is drawn from max(target - draft, 0), where that is not 0 everywhere, else
// from target; behind k accepted ones from the last row of target.
namespace {

using namespace set;

struct Problem {
  int64_t b, k, v;
  const float *draft, *target, *uniform, *pick;
  int32_t* accepted;
};

// Finite and not negative; with `below_one` less than 1, too.
void CheckValues(const char* name, const TensorView& t, bool below_one) {
  const float* data = As<float>(t);
  int64_t n = Count(t);
  for (int64_t i = 0; i < n; ++i) {
    if (!(data[i] >= 0) || !std::isfinite(data[i])) {
      TVM_FFI_THROW(ValueError) << name << " must be finite and not negative, not " << data[i];
    }
    if (below_one && data[i] >= 1) {
      TVM_FFI_THROW(ValueError) << name << " must be less than 1, not " << data[i];
    }
  }
}

// The first index at which the sum of `mass` exceeds u times all of it.
template <typename Mass>
int64_t Invert(int64_t v, double u, Mass mass) {
  double total = 0;
  for (int64_t i = 0; i < v; ++i) total += mass(i);
  double goal = u * total, sum = 0;
  for (int64_t i = 0; i < v; ++i) {
    sum += mass(i);
    if (sum > goal) return i;
  }
  return v - 1;
}

template <typename Token>
void Accept(const Problem& p, const Token* draft_tokens, Token* tokens) {
  for (int64_t r = 0; r < p.b; ++r) {
    const Token* drafted = draft_tokens + r * p.k;
    const float* target = p.target + r * (p.k + 1) * p.v;
    const float* draft = p.draft == nullptr ? nullptr : p.draft + r * p.k * p.v;
    int64_t count = 0;
    for (int64_t i = 0; i < p.k; ++i) {
      int64_t token = drafted[i];
      double q = draft == nullptr ? 1 : draft[i * p.v + token];
      double u = p.uniform[r * p.k + i], t = target[i * p.v + token];
#if BUG == 5
      bool ok = u * q <= t;
#else
      bool ok = u * q < t;
#endif
#if BUG == 6
      if (ok) ++count;
#else
      if (!ok) break;
      ++count;
#endif
    }
#if BUG == 3
    const float* row = target + std::min(count, std::max<int64_t>(p.k - 1, 0)) * p.v;
#else
    const float* row = target + count * p.v;
#endif
    bool rejected = count < p.k;
    auto residual = [&](int64_t i) {
      double q = 0;
#if BUG != 2
      if (rejected && draft != nullptr) q = draft[count * p.v + i];
#endif
#if BUG != 7
      if (rejected && draft == nullptr && i == drafted[count]) q = 1;
#endif
      return std::max(static_cast<double>(row[i]) - q, 0.0);
    };
    double left = 0;
    for (int64_t i = 0; i < p.v; ++i) left += residual(i);
    double u = p.pick[r];
    int64_t next =
        left > 0 ? Invert(p.v, u, residual)
                 : Invert(p.v, u, [&](int64_t i) { return static_cast<double>(row[i]); });
    Token* out = tokens + r * (p.k + 1);
    for (int64_t i = 0; i < count; ++i) out[i] = drafted[i];
    out[count] = static_cast<Token>(next);
#if BUG != 1
    for (int64_t i = count + 1; i <= p.k; ++i) out[i] = -1;
#endif
    p.accepted[r] = static_cast<int32_t>(count);
  }
}

template <typename Token>
void CheckTokens(const TensorView& t, int64_t v) {
  const Token* data = As<Token>(t);
  int64_t n = Count(t);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 4
    if (data[i] >= v) {
#else
    if (data[i] < 0 || data[i] >= v) {
#endif
      TVM_FFI_THROW(ValueError) << "draft_tokens must be 0 to " << v - 1 << ", not " << data[i];
    }
  }
}

void SpeculativeAccept(TensorView draft_tokens, Optional<Tensor> draft_probs,
                       TensorView target_probs, TensorView uniform, TensorView pick,
                       TensorView accepted, TensorView tokens) {
  bool wide = IsI64(draft_tokens.dtype());
  if (!wide && !IsI32(draft_tokens.dtype())) {
    TVM_FFI_THROW(TypeError) << "draft_tokens must be of int32 or int64, not "
                             << TypeName(draft_tokens.dtype());
  }
  CheckBasics("draft_tokens", draft_tokens, 2);
  CheckCompact("draft_tokens", draft_tokens);
  int64_t b = draft_tokens.shape()[0], k = draft_tokens.shape()[1];
  CheckType("target_probs", target_probs, Type(kDLFloat, 32));
  CheckBasics("target_probs", target_probs, 3);
  CheckExtent("target_probs", target_probs, 0, b, "rows of draft_tokens");
  CheckExtent("target_probs", target_probs, 1, k + 1, "columns of draft_tokens, and 1");
  CheckCompact("target_probs", target_probs);
  int64_t v = target_probs.shape()[2];
  if (v < 1) TVM_FFI_THROW(ValueError) << "target_probs must be of 1 token or more";
  Problem p{b, k, v, nullptr, As<float>(target_probs), nullptr, nullptr, nullptr};
  if (draft_probs.has_value()) {
    TensorView view = View(draft_probs.value());
    CheckType("draft_probs", view, Type(kDLFloat, 32));
    CheckBasics("draft_probs", view, 3);
    CheckExtent("draft_probs", view, 0, b, "rows of draft_tokens");
    CheckExtent("draft_probs", view, 1, k, "columns of draft_tokens");
    CheckExtent("draft_probs", view, 2, v, "tokens of target_probs");
    CheckCompact("draft_probs", view);
    CheckValues("draft_probs", view, false);
    p.draft = As<float>(view);
  }
  CheckType("uniform", uniform, Type(kDLFloat, 32));
  CheckBasics("uniform", uniform, 2);
  CheckExtent("uniform", uniform, 0, b, "rows of draft_tokens");
  CheckExtent("uniform", uniform, 1, k, "columns of draft_tokens");
  CheckCompact("uniform", uniform);
  CheckType("pick", pick, Type(kDLFloat, 32));
  CheckBasics("pick", pick, 1);
  CheckExtent("pick", pick, 0, b, "rows of draft_tokens");
  CheckCompact("pick", pick);
  CheckType("accepted", accepted, Type(kDLInt, 32));
  CheckBasics("accepted", accepted, 1);
  CheckExtent("accepted", accepted, 0, b, "rows of draft_tokens");
  CheckCompact("accepted", accepted);
  CheckType("tokens", tokens, draft_tokens.dtype());
  CheckBasics("tokens", tokens, 2);
  CheckExtent("tokens", tokens, 0, b, "rows of draft_tokens");
  CheckExtent("tokens", tokens, 1, k + 1, "columns of draft_tokens, and 1");
  CheckCompact("tokens", tokens);
  CheckValues("target_probs", target_probs, false);
  CheckValues("uniform", uniform, true);
#if BUG != 8
  CheckValues("pick", pick, true);
#endif
  p.uniform = As<float>(uniform);
  p.pick = As<float>(pick);
  p.accepted = As<int32_t>(accepted);
  if (wide) {
    CheckTokens<int64_t>(draft_tokens, v);
    Accept(p, As<int64_t>(draft_tokens), As<int64_t>(tokens));
  } else {
    CheckTokens<int32_t>(draft_tokens, v);
    Accept(p, As<int32_t>(draft_tokens), As<int32_t>(tokens));
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(speculative_accept, SpeculativeAccept);
