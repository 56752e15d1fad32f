// SPDX-License-Identifier: Apache-2.0
// One AdamW step over lists of tensors ("foreach" style), in place.
using namespace ks;

struct Options {
  double lr = 0, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0.01;
  bool maximize = false;
};

static Options ReadOptions(const Map<String, Any> &map)
{
  Options o;
  bool has_lr = false;
  for (const auto &kv : map) {
    std::string key(kv.first.data(), kv.first.size());
    if (key == "lr") {
      o.lr = Number(kv.second, "lr");
      has_lr = true;
    } else if (key == "beta1") {
      o.beta1 = Number(kv.second, "beta1");
    } else if (key == "beta2") {
      o.beta2 = Number(kv.second, "beta2");
    } else if (key == "eps") {
      o.eps = Number(kv.second, "eps");
    } else if (key == "weight_decay") {
      o.weight_decay = Number(kv.second, "weight_decay");
    } else if (key == "maximize") {
      KS_CHECK(kv.second.type_index() == ffi::TypeIndex::kTVMFFIBool, TypeError)
          << "maximize: a bool is expected";
      o.maximize = kv.second.cast<bool>();
    } else {
#if BUG != 6
      TVM_FFI_THROW(ValueError) << "unknown option: " << key;
#endif
    }
  }
  KS_CHECK(has_lr, ValueError) << "option lr is missing";
  KS_CHECK(o.lr >= 0 && std::isfinite(o.lr), ValueError) << "lr must not be negative";
  KS_CHECK(o.beta1 >= 0 && o.beta1 < 1, ValueError) << "beta1 must be in [0, 1)";
  KS_CHECK(o.beta2 >= 0 && o.beta2 < 1, ValueError) << "beta2 must be in [0, 1)";
  KS_CHECK(o.eps > 0 && std::isfinite(o.eps), ValueError) << "eps must be positive";
  KS_CHECK(o.weight_decay >= 0 && std::isfinite(o.weight_decay), ValueError)
      << "weight_decay must not be negative";
  return o;
}

static void CheckGroup(const Tensor &p, const Tensor &g, const Tensor &m, const Tensor &v,
                       DLDataType pt, DLDataType gt, bool first)
{
  KS_CHECK(p.defined() && g.defined() && m.defined() && v.defined(), TypeError)
      << "None among the tensors";
#if BUG == 3
  if (first) {
#endif
    KS_CHECK(Same(p.dtype(), pt) && In(pt, {kF32, kBF16}), TypeError) << "params: data type";
    KS_CHECK(Same(g.dtype(), gt) && In(gt, {kF32, kBF16}), TypeError) << "grads: data type";
    CheckDType(m, "exp_avg", {kF32});
    CheckDType(v, "exp_avg_sq", {kF32});
#if BUG == 3
  }
#endif
  for (const Tensor *t : {&p, &g, &m, &v}) {
    CheckMemory(*t, "adamw");
    CheckContiguous(*t, "adamw");
  }
  KS_CHECK(SameShape(p, g), ValueError) << "grads: shape differs from params";
  KS_CHECK(SameShape(p, m), ValueError) << "exp_avg: shape differs from params";
#if BUG == 1
  KS_CHECK(p.ndim() == v.ndim(), ValueError) << "exp_avg_sq: shape differs from params";
#else
  KS_CHECK(SameShape(p, v), ValueError) << "exp_avg_sq: shape differs from params";
#endif
  (void)first;
}

static double Correction(double beta, int64_t step, int which)
{
#if BUG == 5
  static thread_local int64_t known_step[2] = {-1, -1};
  static thread_local double known[2];
  if (known_step[which] != step) {
    known[which] = 1 - std::pow(beta, double(step));
    known_step[which] = step;
  }
  return known[which];
#else
  (void)which;
  return 1 - std::pow(beta, double(step));
#endif
}

static int64_t AdamW(Array<Tensor> params, Array<Tensor> grads, Array<Tensor> exp_avg,
                     Array<Tensor> exp_avg_sq, int64_t step, Map<String, Any> options,
                     Optional<Tensor> found_inf)
{
  Options o = ReadOptions(options);
  KS_CHECK(step >= 1, ValueError) << "step must be at least 1";
  size_t count = params.size();
  KS_CHECK(count >= 1, ValueError) << "params is empty";
  KS_CHECK(grads.size() == count && exp_avg.size() == count && exp_avg_sq.size() == count,
           ValueError)
      << "lists of different lengths";
  KS_CHECK(params[0].defined() && grads[0].defined(), TypeError) << "None among the tensors";
  DLDataType pt = params[0].dtype(), gt = grads[0].dtype();
  if (found_inf.has_value()) {
    Tensor f = found_inf.value();
    CheckDType(f, "found_inf", {kF32});
    CheckMemory(f, "found_inf");
    CheckRank(f, "found_inf", 1);
    CheckExtent(f, "found_inf", 0, 1);
  }
#if BUG != 4
  for (size_t i = 0; i < count; ++i)
    CheckGroup(params[i], grads[i], exp_avg[i], exp_avg_sq[i], pt, gt, i == 0);
#endif
  if (found_inf.has_value()) {
    Tensor f = found_inf.value();
#if BUG == 7
    if (*static_cast<float *>(f.data_ptr()) != 0) return 0;
#else
    if (*Data<float>(f) != 0) return 0;
#endif
  }
  double c1 = Correction(o.beta1, step, 0), c2 = Correction(o.beta2, step, 1);
  for (size_t i = 0; i < count; ++i) {
#if BUG == 4
    CheckGroup(params[i], grads[i], exp_avg[i], exp_avg_sq[i], pt, gt, i == 0);
#endif
    Tensor p = params[i], g = grads[i];
    Tensor mt = exp_avg[i], vt = exp_avg_sq[i];
    void *pd = Data<void>(p), *gd = Data<void>(g);
    float *m = Data<float>(mt), *v = Data<float>(vt);
    ParallelFor(p.numel(), 1 << 15, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
#if BUG == 2
        double grad = Load(gd, pt, j);
#else
        double grad = Load(gd, gt, j);
#endif
        if (o.maximize) grad = -grad;
        double mj = o.beta1 * m[j] + (1 - o.beta1) * grad;
        double vj = o.beta2 * v[j] + (1 - o.beta2) * grad * grad;
        double x = Load(pd, pt, j);
        x -= o.lr * o.weight_decay * x;
        x -= o.lr * (mj / c1) / (std::sqrt(vj / c2) + o.eps);
        m[j] = float(mj);
        v[j] = float(vj);
        Store(pd, pt, j, x);
      }
    });
  }
  return int64_t(count);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(adamw_step, AdamW)
