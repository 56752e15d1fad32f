// SPDX-License-Identifier: Apache-2.0
// Merges the copies of a tensor that several ranks hold, as an all-reduce would.
//
// merge_shards(shards, op, weights, threads, out)
//   shards   array of tensors (n,), one type: float32, float16, bfloat16 or int32
//   op       "sum", "mean" (not of int32) or "max", of which a NaN makes NaN
//   weights  one for each shard, or None; for "sum" and "mean" of floats, which is then weighted
//   threads  1 to 16
//   out      (n,), the type of the shards
// Floats are summed in double precision and rounded once; int32 wraps around.
namespace {

using namespace set;

enum class Op { kSum, kMean, kMax };

struct Plan {
  std::vector<const void*> shards;
  std::vector<double> weights;  // empty: all 1
  double divisor = 1;
  Op op = Op::kSum;
  bool integer = false;
  Real kind = Real::kFloat32;
  void* out = nullptr;
};

void MergeIntegers(const Plan& p, int64_t begin, int64_t end) {
  int32_t* out = static_cast<int32_t*>(p.out);
  for (int64_t i = begin; i < end; ++i) {
    int32_t value = static_cast<const int32_t*>(p.shards[0])[i];
    for (size_t s = 1; s < p.shards.size(); ++s) {
      int32_t v = static_cast<const int32_t*>(p.shards[s])[i];
      value = p.op == Op::kMax ? std::max(value, v)
                               : static_cast<int32_t>(static_cast<uint32_t>(value) +
                                                      static_cast<uint32_t>(v));
    }
    out[i] = value;
  }
}

// `partial` has room for end - begin numbers.
void MergeFloats(const Plan& p, int64_t begin, int64_t end, double* partial) {
  for (size_t s = 0; s < p.shards.size(); ++s) {
    double weight = p.weights.empty() ? 1 : p.weights[s];
    for (int64_t i = begin; i < end; ++i) {
      double v = Load(p.shards[s], i, p.kind);
      double& sum = partial[i - begin];
      if (p.op == Op::kMax) {
#if BUG == 5
        sum = s == 0 ? v : (sum < v ? v : sum);
#else
        sum = s == 0 || v > sum || std::isnan(v) ? v : sum;
#endif
      } else {
        sum = s == 0 ? weight * v : sum + weight * v;
      }
#if BUG == 3
      if (p.kind == Real::kFloat16) sum = HalfToFloat(FloatToHalf(static_cast<float>(sum)));
#endif
    }
  }
  for (int64_t i = begin; i < end; ++i) {
    Store(p.out, i, p.kind, static_cast<float>(partial[i - begin] / p.divisor));
  }
}

void Run(const Plan& p, int64_t n, int64_t threads) {
  threads = std::max<int64_t>(1, std::min(threads, n));
  int64_t chunk = BUG == 1 ? n / threads : (n + threads - 1) / threads;
  // All memory is had before the first thread starts: nothing fails in one.
#if BUG == 2
  std::vector<double> partial(p.integer ? 0 : chunk);
#else
  std::vector<double> partial(p.integer ? 0 : n);
#endif
  auto work = [&](int64_t t) {
    int64_t begin = std::min(n, t * chunk), end = std::min(n, begin + chunk);
    if (p.integer) {
      MergeIntegers(p, begin, end);
    } else {
      MergeFloats(p, begin, end, partial.data() + (BUG == 2 ? 0 : begin));
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(threads);
  std::vector<int64_t> left;
  left.reserve(threads);
  for (int64_t t = 1; t < threads; ++t) {
    try {
      helpers.emplace_back(work, t);
    } catch (const std::exception&) {  // no more threads to be had: this one does it
      left.push_back(t);
    }
  }
  work(0);
  for (int64_t t : left) work(t);
  for (std::thread& helper : helpers) helper.join();
}

void MergeShards(Array<Tensor> shards, String op_name, Optional<Array<double>> weights,
                 int64_t threads, TensorView out) {
  Plan p;
  std::string op = op_name;
  if (op == "sum") {
    p.op = Op::kSum;
  } else if (op == "mean") {
    p.op = Op::kMean;
  } else if (op == "max") {
    p.op = Op::kMax;
  } else {
    TVM_FFI_THROW(ValueError) << "op must be \"sum\", \"mean\" or \"max\", not \"" << op << "\"";
  }
  if (shards.empty()) TVM_FFI_THROW(ValueError) << "shards must not be empty";
  if (threads < 1 || threads > 16) {
    TVM_FFI_THROW(ValueError) << "threads must be 1 to 16, not " << threads;
  }
  p.integer = IsI32(out.dtype());
  if (!p.integer) {
    if (!IsF32(out.dtype()) && !IsF16(out.dtype()) && !IsBF16(out.dtype())) {
      TVM_FFI_THROW(TypeError) << "out must be of float32, float16, bfloat16 or int32, not "
                               << TypeName(out.dtype());
    }
    p.kind = CheckReal("out", out);
  }
  CheckBasics("out", out, 1);
  CheckCompact("out", out);
  int64_t n = out.shape()[0];
  for (size_t s = 0; s < shards.size(); ++s) {
    std::string name = "shards[" + std::to_string(s) + "]";
    Tensor shard = shards[s];
    TensorView view = View(shard, name);
    CheckType(name, view, out.dtype());
    CheckBasics(name, view, 1);
#if BUG == 6
    if (s == 0) CheckExtent(name, view, 0, n, "elements of out");
#else
    CheckExtent(name, view, 0, n, "elements of out");
#endif
    CheckCompact(name, view);
    p.shards.push_back(Data(view));
  }
  if (p.op == Op::kMean && p.integer) {
    TVM_FFI_THROW(ValueError) << "op must not be \"mean\" for int32";
  }
#if BUG == 7
  static thread_local std::vector<double> kept;
  if (kept.size() == shards.size() && p.op != Op::kMax && !p.integer) p.weights = kept;
#endif
  double total = static_cast<double>(shards.size());
  if (weights.has_value()) {
    Array<double> list = weights.value();
    if (p.op == Op::kMax) TVM_FFI_THROW(ValueError) << "weights must be None for op \"max\"";
    if (p.integer) TVM_FFI_THROW(ValueError) << "weights must be None for int32";
    if (list.size() != shards.size()) {
      TVM_FFI_THROW(ValueError) << "weights must have one element for each shard: " << list.size()
                                << " for " << shards.size();
    }
    p.weights.clear();
    total = 0;
    for (size_t s = 0; s < list.size(); ++s) {
      double w = list[s];
      if (!(w >= 0) || !std::isfinite(w)) {
        TVM_FFI_THROW(ValueError) << "weights[" << s << "] must be finite and not negative, not "
                                  << w;
      }
      p.weights.push_back(w);
      total += w;
    }
    if (p.op == Op::kMean && !(total > 0 && std::isfinite(total))) {
      TVM_FFI_THROW(ValueError) << "weights must have a finite sum above 0";
    }
#if BUG == 4
    total = static_cast<double>(shards.size());
#endif
#if BUG == 7
    kept = p.weights;
#endif
  }
  if (p.op == Op::kMean) p.divisor = total;
  p.out = Data(out);
  if (n != 0) Run(p, n, threads);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge_shards, MergeShards);
