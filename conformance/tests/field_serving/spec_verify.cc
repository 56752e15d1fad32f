// SPDX-License-Identifier: Apache-2.0
// Speculative decoding: verification of a chain of draft tokens by rejection sampling; the mask of a tree of drafts.
static Map<String, Tensor> SpecVerify(TensorView draft_ids, TensorView draft_probs,
                                      TensorView target_probs, TensorView uniform,
                                      Optional<Tensor> lengths)
{
  Check(draft_ids, "draft_ids", 2, {kI32});
  Check(draft_probs, "draft_probs", 3, {kF32});
  Check(target_probs, "target_probs", 3, {kF32});
  Check(uniform, "uniform", 2, {kF32});
  int64_t b = draft_ids.size(0), s = draft_ids.size(1), v = target_probs.size(2);
  TVM_FFI_CHECK(v >= 1 && v <= 0x7fffffff, ValueError)
      << "the vocabulary must have 1 to 2^31-1 tokens";
  CheckSize(draft_probs, "draft_probs", 0, b);
  CheckSize(draft_probs, "draft_probs", 1, s);
#if BUG != 4
  CheckSize(draft_probs, "draft_probs", 2, v);
#endif
  CheckSize(target_probs, "target_probs", 0, b);
  CheckSize(target_probs, "target_probs", 1, s + 1);
  CheckSize(uniform, "uniform", 0, b);
  CheckSize(uniform, "uniform", 1, s + 1);
  const int32_t *ids = Ptr<int32_t>(draft_ids), *lp = nullptr;
  const float *q = Ptr<float>(draft_probs), *p = Ptr<float>(target_probs), *u = Ptr<float>(uniform);
  Tensor held;
  if (lengths.has_value()) {
    held = lengths.value();
    TensorView l(held);
    Check(l, "lengths", 1, {kI32});
    CheckSize(l, "lengths", 0, b);
    lp = Ptr<int32_t>(l);
#if BUG != 3
    for (int64_t i = 0; i < b; ++i)
      TVM_FFI_CHECK(lp[i] >= 0 && lp[i] <= s, ValueError) << "lengths must be in [0, drafts]";
#endif
  }
  for (int64_t i = 0; i < b * s; ++i)
    TVM_FFI_CHECK(ids[i] >= 0 && ids[i] < v, IndexError)
        << "draft_ids: unknown token " << ids[i];
  auto in_unit = [](const float *x, int64_t n, const char *name) {
    for (int64_t i = 0; i < n; ++i)
      TVM_FFI_CHECK(x[i] >= 0 && x[i] <= 1, ValueError) << name << " must be in [0, 1]";
  };
  in_unit(q, Numel(draft_probs), "draft_probs");
  in_unit(p, Numel(target_probs), "target_probs");
  in_unit(u, Numel(uniform), "uniform");
  Tensor accepted = NewTensor(Shape({b}), kI32), tokens = NewTensor(Shape({b, s + 1}), kI32);
  TensorView av(accepted), tv(tokens);
  int32_t *ap = Ptr<int32_t>(av), *tp = Ptr<int32_t>(tv);
#if BUG != 1
  std::fill(tp, tp + b * (s + 1), -1);
#endif
  ParallelFor(b, 4, [&](int64_t from, int64_t to) {
    std::vector<double> rest(v);
    for (int64_t i = from; i < to; ++i) {
      int64_t len = lp == nullptr ? s : lp[i], n = 0;
      for (; n < len; ++n) {
        int32_t id = ids[i * s + n];
        if (!(double(u[i * (s + 1) + n]) * q[(i * s + n) * v + id] < p[(i * (s + 1) + n) * v + id]))
          break;
        tp[i * (s + 1) + n] = id;
      }
      ap[i] = int32_t(n);
      double total = 0;
      const float *pr = p + (i * (s + 1) + n) * v;
      for (int64_t j = 0; j < v; ++j) {
        rest[j] = n < len ? std::max(0.0, double(pr[j]) - q[(i * s + n) * v + j]) : pr[j];
        total += rest[j];
      }
      int64_t token = 0;
      if (total == 0) {
        for (int64_t j = 1; j < v; ++j)
          if (pr[j] > pr[token]) token = j;
      } else {
#if BUG == 2
        double at = 0, limit = u[i * (s + 1) + n] * total;
#else
        double at = 0, limit = u[i * (s + 1) + s] * total;
#endif
        for (int64_t j = 0; j < v; ++j) {
          if (rest[j] > 0) token = j;
          at += rest[j];
          if (at > limit) break;
        }
      }
      tp[i * (s + 1) + n] = int32_t(token);
    }
  });
#if BUG == 7
  TVMFFIObjectIncRef(
      const_cast<ffi::Object *>(ffi::detail::ObjectUnsafe::RawObjectPtrFromObjectRef(tokens)));
#endif
  return Map<String, Tensor>({{"accepted", accepted}, {"tokens", tokens}});
}

// mask[i, j]: j is i, or above i in the tree. A parent stands before its children; -1: none.
static Tensor TreeMask(TensorView parents)
{
  Check(parents, "parents", 1, {kI32, kI64});
  int64_t n = parents.size(0);
  std::vector<int64_t> up(n);
  DispatchIndex(parents.dtype(), [&](auto tag) {
    using I = decltype(tag);
    for (int64_t i = 0; i < n; ++i) {
      int64_t x = Ptr<I>(parents)[i];
#if BUG == 6
      TVM_FFI_CHECK(x >= -1 && x <= i, ValueError)
          << "parents[" << i << "] must be in [-1, " << i << ")";
#else
      TVM_FFI_CHECK(x >= -1 && x < i, ValueError) << "parents[" << i << "] must be in [-1, " << i << ")";
#endif
      up[i] = x;
    }
  });
#if BUG == 5
  Tensor mask = NewTensor(Shape({n, n}), kU8);
#else
  Tensor mask = NewTensor(Shape({n, n}), kBool);
#endif
  TensorView mv(mask);
  uint8_t *mp = Ptr<uint8_t>(mv);
  std::fill(mp, mp + n * n, uint8_t(0));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i; j >= 0; j = up[j]) mp[i * n + j] = 1;
  }
  return mask;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(spec_verify, SpecVerify);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tree_mask, TreeMask);
