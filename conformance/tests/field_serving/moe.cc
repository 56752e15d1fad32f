// SPDX-License-Identifier: Apache-2.0
// Mixture of experts: choice of experts, alignment of tokens to blocks, sum of partial results.
static Tuple<Tensor, Tensor> MoeGate(TensorView logits, Optional<Tensor> bias, int64_t k,
                                     String scoring, bool renormalize)
{
  Check(logits, "logits", 2, {kF32, kF16, kBF16}, Layout::kRows);
  int64_t t = logits.size(0), e = logits.size(1);
  const float *bp = nullptr;
  Tensor held;
  if (bias.has_value()) {
    held = bias.value();
    TensorView b(held);
    Check(b, "bias", 1, {kF32});
    CheckSize(b, "bias", 0, e);
    bp = Ptr<float>(b);
    for (int64_t j = 0; j < e; ++j)
      TVM_FFI_CHECK(std::isfinite(bp[j]), ValueError) << "bias must be finite";
  }
#if BUG == 6
  TVM_FFI_CHECK(k >= 1, ValueError) << "k must be in [1, number of experts]";
#else
  TVM_FFI_CHECK(k >= 1 && k <= e, ValueError) << "k must be in [1, number of experts]";
#endif
  bool softmax = scoring == "softmax";
#if BUG != 3
  TVM_FFI_CHECK(softmax || scoring == "sigmoid", ValueError) << "unknown scoring " << scoring;
#endif
  DispatchFloat(logits.dtype(), [&](auto tag) {
    using T = decltype(tag);
    for (int64_t i = 0; i < t; ++i) {
      for (int64_t j = 0; j < e; ++j) {
        TVM_FFI_CHECK(std::isfinite(ToFloat(Ptr<T>(logits)[i * StrideOf(logits, 0) + j])),
                      ValueError)
            << "logits must be finite";
      }
    }
  });
  Tensor weights = NewTensor(Shape({t, k}), kF32), ids = NewTensor(Shape({t, k}), kI32);
  TensorView wv(weights), iv(ids);
  float *wp = Ptr<float>(wv);
  int32_t *ip = Ptr<int32_t>(iv);
  auto rows = [&](auto tag) {
    using T = decltype(tag);
    int64_t stride = StrideOf(logits, 0);
    ParallelFor(t, 64, [&](int64_t from, int64_t to) {
      std::vector<double> score(e), key(e);
      std::vector<int32_t> order(std::max(e, k));
      for (int64_t i = from; i < to; ++i) {
        const T *row = Ptr<T>(logits) + i * stride;
        double top = -std::numeric_limits<double>::infinity(), total = 0;
        for (int64_t j = 0; j < e; ++j) top = std::max<double>(top, ToFloat(row[j]));
        for (int64_t j = 0; j < e; ++j) {
          double x = ToFloat(row[j]);
          score[j] = softmax ? std::exp(x - top) : 1 / (1 + std::exp(-x));
          total += score[j];
        }
        for (int64_t j = 0; j < e; ++j) {
          if (softmax) score[j] /= total;
          key[j] = bp == nullptr ? double(ToFloat(row[j])) : score[j] + bp[j];
        }
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.begin() + e,
                         [&](int32_t a, int32_t b) { return key[a] > key[b]; });
        double sum = 0;
#if BUG == 2
        for (int64_t j = 0; j < e; ++j) sum += score[j];
#else
        for (int64_t j = 0; j < k; ++j) sum += score[order[j]];
#endif
        for (int64_t j = 0; j < k; ++j) {
          double s = score[order[j]];
          wp[i * k + j] = float(renormalize ? s / (sum + 1e-20) : s);
          ip[i * k + j] = order[j];
        }
      }
    });
  };
  DLDataType dtype = logits.dtype();
#if BUG == 7
  if (dtype.bits == 16) dtype = kF16;
#endif
  DispatchFloat(dtype, rows);
  return Tuple<Tensor, Tensor>(weights, ids);
}

static Map<String, Any> MoeAlign(TensorView ids, int64_t num_experts, int64_t block)
{
  Check(ids, "ids", 2, {kI32});
  TVM_FFI_CHECK(num_experts >= 1 && num_experts <= 65536, ValueError)
      << "num_experts must be in [1, 65536]";
  TVM_FFI_CHECK(block >= 1 && block <= 65536, ValueError) << "block must be in [1, 65536]";
  int64_t n = Numel(ids);
  const int32_t *ip = Ptr<int32_t>(ids);
  std::vector<int64_t> count(num_experts, 0), start(num_experts, 0);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 4
    TVM_FFI_CHECK(ip[i] >= 0 && ip[i] <= num_experts, IndexError)
        << "ids: there is no expert " << ip[i];
#else
    TVM_FFI_CHECK(ip[i] >= 0 && ip[i] < num_experts, IndexError)
        << "ids: there is no expert " << ip[i];
#endif
    ++count[ip[i]];
  }
  int64_t total = 0;
  for (int64_t x = 0; x < num_experts; ++x) {
    start[x] = total;
    total += (count[x] + block - 1) / block * block;
  }
  Tensor sorted = NewTensor(Shape({total}), kI32),
         experts = NewTensor(Shape({total / block}), kI32);
  TensorView sv(sorted), ev(experts);
  int32_t *sp = Ptr<int32_t>(sv), *ep = Ptr<int32_t>(ev);
#if BUG != 1
  std::fill(sp, sp + total, int32_t(n));
#endif
  for (int64_t x = 0; x < num_experts; ++x) {
    int64_t end = start[x] + (count[x] + block - 1) / block * block;
    for (int64_t y = start[x]; y < end; y += block) ep[y / block] = int32_t(x);
  }
  std::vector<int64_t> next = start;
  for (int64_t i = 0; i < n; ++i) sp[next[ip[i]]++] = int32_t(i);
  Map<String, Any> result;
  result.Set("sorted_ids", sorted);
  result.Set("expert_ids", experts);
  result.Set("num_padded", total);
  return result;
}

// reduce_sum(out, part...): any number of parts
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_reduce_sum(void *, const TVMFFIAny *args,
                                                       int32_t num_args, TVMFFIAny *)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  TVM_FFI_CHECK(num_args >= 1, TypeError) << "reduce_sum needs an output";
  ffi::PackedArgs packed(reinterpret_cast<const AnyView *>(args), num_args);
  std::vector<TensorView> all;
  for (int i = 0; i < num_args; ++i) {
    auto t = packed[i].try_cast<TensorView>();
    TVM_FFI_CHECK(t.has_value(), TypeError)
        << "argument " << i << " of reduce_sum must be a tensor";
    all.push_back(*t);
    Check(all[i], i == 0 ? "out" : "part", -1, {i == 0 ? kF32 : all[std::min(i, 1)].dtype()});
#if BUG == 5
    if (i > 1) continue;
#endif
    TVM_FFI_CHECK(Same(all[i].dtype(), kF32), TypeError) << "argument " << i << " must be float32";
    TVM_FFI_CHECK(all[i].ndim() == all[0].ndim(), ValueError)
        << "argument " << i << " must have the rank of out";
    for (int d = 0; d < all[0].ndim(); ++d) CheckSize(all[i], "part", d, all[0].size(d));
  }
  float *out = Ptr<float>(all[0]);
  int64_t n = Numel(all[0]);
  for (int64_t x = 0; x < n; ++x) {
    double sum = 0;
    for (int i = 1; i < num_args; ++i) sum += Ptr<float>(all[i])[x];
    out[x] = float(sum);
  }
  TVM_FFI_SAFE_CALL_END();
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(moe_gate, MoeGate);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(moe_align, MoeAlign);
