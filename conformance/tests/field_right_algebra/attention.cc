// SPDX-License-Identifier: Apache-2.0
// Attention in one pass over the keys of each query, with grouped heads, masks of bools or of
// floats that are added, and causal order. Rows without a key to look at come out as 0.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Optional;
using vx::ffi::Tensor;
using vx::ffi::TensorView;

struct Job {
  View q, k, v, mask, out, lse;
  int64_t heads, ratio, s, t, d, e;
  double scale;
  bool masked = false, additive = false, causal = false, has_lse = false;
};

// A sum of values with weights exp(score), rescaled whenever a larger score comes.
void OneQuery(const Job& j, int64_t b, int64_t h, int64_t i, double* sum) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const int64_t g = h / j.ratio;
  const int64_t last = j.causal ? std::min(j.t, i + j.t - j.s + 1) : j.t;
  double top = kNone, weight = 0;
  std::fill(sum, sum + j.e, 0.0);
  for (int64_t c = 0; c < last; ++c) {
    double bias = 0;
    if (j.masked) {
      bias = j.additive ? j.mask.Get(i, c) : j.mask.Int(i, c) != 0 ? 0 : kNone;
      if (bias == kNone) continue;
    }
    double score = 0;
    for (int64_t x = 0; x < j.d; ++x) score += j.q.Get(b, h, i, x) * j.k.Get(b, g, c, x);
    score = score * j.scale + bias;
    if (!(score > kNone)) continue;
    if (score > top) {
      const double down = top == kNone ? 0 : std::exp(top - score);
      weight *= down;
      for (int64_t x = 0; x < j.e; ++x) sum[x] *= down;
      top = score;
    }
    const double p = std::exp(score - top);
    weight += p;
    for (int64_t x = 0; x < j.e; ++x) sum[x] += p * j.v.Get(b, g, c, x);
  }
  const double by = weight == 0 ? 0 : 1 / weight;
  for (int64_t x = 0; x < j.e; ++x) j.out.Put(sum[x] * by, b, h, i, x);
  if (j.has_lse) j.lse.Put(weight == 0 ? kNone : top + std::log(weight), b, h, i);
}

void CheckFinite(const View& v, const char* name) {
  for (int64_t i = 0; i < v.count; ++i) {
    const int64_t row = i / v.shape[3];
    const int64_t head = row / v.shape[2];
    if (!std::isfinite(v.Get(head / v.shape[1], head % v.shape[1], row % v.shape[2],
                             i % v.shape[3]))) {
      TVM_FFI_THROW(ValueError) << name << ": elements must be finite";
    }
  }
}

void Attention(TensorView q, TensorView k, TensorView v, Optional<Tensor> mask,
               Optional<double> scale, bool causal, TensorView out, Optional<Tensor> lse) {
  Job j;
  j.q = vx::Look(q, "q", 4, {Num::F16, Num::BF16, Num::F32, Num::F64});
  j.k = vx::Look(k, "k", 4, {j.q.num});
  j.v = vx::Look(v, "v", 4, {j.q.num});
  j.out = vx::Look(out, "out", 4, {j.q.num});
  const int64_t batch = j.q.shape[0], groups = j.k.shape[1];
  j.heads = j.q.shape[1];
  j.s = j.q.shape[2];
  j.d = j.q.shape[3];
  j.t = j.k.shape[2];
  j.e = j.v.shape[3];
  if (groups < 1 || j.heads % groups != 0) {
    TVM_FFI_THROW(ValueError) << "k: " << groups << " heads do not divide " << j.heads;
  }
  if (j.d < 1) TVM_FFI_THROW(ValueError) << "q: heads have no elements";
  j.ratio = j.heads / groups;
  vx::SameShape(j.k, "k", {batch, groups, j.t, j.d});
  vx::SameShape(j.v, "v", {batch, groups, j.t, j.e});
  vx::SameShape(j.out, "out", {batch, j.heads, j.s, j.e});
  j.causal = causal;
  if (causal && j.s > j.t) TVM_FFI_THROW(ValueError) << "causal: more queries than keys";
  j.scale = scale.has_value() ? *scale : 1 / std::sqrt(static_cast<double>(j.d));
  if (!(j.scale > 0 && j.scale <= 100)) TVM_FFI_THROW(ValueError) << "scale: above 0, up to 100";
  j.masked = mask.has_value();
  if (j.masked) {
    j.mask = vx::Look(mask.value(), "mask", 2, {Num::Bool, Num::F32});
    vx::SameShape(j.mask, "mask", {j.s, j.t});
    j.additive = j.mask.num == Num::F32;
    for (int64_t i = 0; j.additive && i < j.s * j.t; ++i) {
      if (!(j.mask.Get(i / j.t, i % j.t) <= 1e9)) TVM_FFI_THROW(ValueError) << "mask: up to 1e9";
    }
  }
  j.has_lse = lse.has_value();
  if (j.has_lse) {
    j.lse = vx::Look(lse.value(), "lse", 3, {Num::F32});
    vx::SameShape(j.lse, "lse", {batch, j.heads, j.s});
  }
  CheckFinite(j.q, "q");
  CheckFinite(j.k, "k");
  CheckFinite(j.v, "v");

  std::vector<std::vector<double>> sums(4, std::vector<double>(static_cast<size_t>(j.e)));
  const int64_t rows = batch * j.heads * j.s;
  const int64_t least = 1 + 20000 / (1 + j.t * (j.d + j.e));
  vx::Split(rows, least, [&](int64_t from, int64_t to, int64_t worker) {
    for (int64_t r = from; r < to; ++r) {
      OneQuery(j, r / j.s / j.heads, r / j.s % j.heads, r % j.s,
               sums[static_cast<size_t>(worker)].data());
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(attention, Attention);
