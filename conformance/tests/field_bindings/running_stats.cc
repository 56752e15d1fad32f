// SPDX-License-Identifier: Apache-2.0
// Running mean and variance of columns (Welford), kept in an object; used to normalise features while data streams in.
#include <tvm/ffi/reflection/registry.h>

class RunningStatsObj : public ffi::Object {
 public:
  explicit RunningStatsObj(int64_t columns) : d(columns), mean(size_t(columns), 0.0), m2(size_t(columns), 0.0) {}

  int64_t Update(TensorView x, Optional<Tensor> weights);
  int64_t Merge(const ffi::ObjectRef& other);
  Tensor Mean();
  Tensor Variance(int64_t ddof);
  int64_t Columns() const { return d; }
  double Weight();
  void Reset();

  int64_t d;
  double total = 0;
  int64_t rows = 0;
  std::vector<double> mean, m2;
#if BUG == 1
  View pending, pending_w;
  int64_t extent[2], step[2];
  void Flush();
#endif
#if BUG == 3
  Tensor mean_out{nullptr};
#endif
  std::mutex mu;

  void Accept(const View& x, const View* w);
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("r2.RunningStats", RunningStatsObj, ffi::Object);
};

class RunningStats : public ffi::ObjectRef {
 public:
  explicit RunningStats(int64_t columns) { data_ = ffi::make_object<RunningStatsObj>(columns); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(RunningStats, ffi::ObjectRef, RunningStatsObj);
};

template <class T>
static void accept(RunningStatsObj* s, const View& x, const View* w) {
  for (int64_t r = 0; r < x.shape[0]; ++r) {
    double wt = w ? double(w->as<float>()[r]) : 1.0;
    if (wt == 0) continue;
    const T* row = x.as<T>() + r * x.stride0();
    s->total += wt;
    for (int64_t j = 0; j < s->d; ++j) {
      double delta = load(row[j]) - s->mean[j];
      s->mean[j] += delta * wt / s->total;
      s->m2[j] += wt * delta * (load(row[j]) - s->mean[j]);
    }
  }
}

void RunningStatsObj::Accept(const View& x, const View* w) {
  if (x.dtype.bits == 32)
    accept<float>(this, x, w);
  else
    accept<double>(this, x, w);
}

#if BUG == 1
void RunningStatsObj::Flush() {
  if (pending.p == nullptr) return;
  Accept(pending, pending_w.p ? &pending_w : nullptr);
  pending = View();
  pending_w = View();
}
#endif

int64_t RunningStatsObj::Update(TensorView x, Optional<Tensor> weights) {
  View v = check(x, "x", {kF32, kF64}, 2, kRows);
  REQUIRE(v.shape[1] == d, ValueError, "x must have " << d << " columns, has " << v.shape[1]);
  std::lock_guard<std::mutex> hold(mu);
#if BUG == 2
  rows += v.shape[0];
#endif
  View w;
  if (weights.has_value()) {
    w = check(weights.value(), "weights", {kF32}, 1);
    REQUIRE(w.shape[0] == v.shape[0], ValueError, "weights must have an element for each row");
    for (int64_t i = 0; i < w.numel; ++i)
      REQUIRE(std::isfinite(w.as<float>()[i]) && w.as<float>()[i] >= 0, ValueError,
              "weights must be finite and not negative");
  }
#if BUG == 1
  Flush();
  if (v.numel > 0) {
    pending = v;
    pending_w = w;
    extent[0] = v.shape[0];
    extent[1] = v.shape[1];
    step[0] = v.stride0();
    step[1] = 1;
    pending.shape = extent;
    pending.strides = step;
  }
#else
  Accept(v, weights.has_value() ? &w : nullptr);
#endif
#if BUG != 2
  rows += v.shape[0];
#endif
  return rows;
}

int64_t RunningStatsObj::Merge(const ffi::ObjectRef& ref) {
  auto* other = ref.as<RunningStatsObj>();
  REQUIRE(other != nullptr, TypeError, "other must be a r2.RunningStats");
#if BUG != 4
  REQUIRE(other->d == d, ValueError, "the numbers of columns differ");
#endif
  double wt;
  int64_t n;
  std::vector<double> om, o2;
  {
    auto* o = const_cast<RunningStatsObj*>(other);
    std::lock_guard<std::mutex> hold(o->mu);
#if BUG == 1
    o->Flush();
#endif
    wt = o->total;
    n = o->rows;
    om = o->mean;
    o2 = o->m2;
  }
  std::lock_guard<std::mutex> hold(mu);
#if BUG == 1
  Flush();
#endif
  double sum = total + wt;
#if BUG != 5
  if (sum > 0)
#endif
    for (int64_t j = 0; j < d; ++j) {
      double delta = om[j] - mean[j];
      mean[j] += delta * wt / sum;
      m2[j] += o2[j] + delta * delta * total * wt / sum;
    }
  total = sum;
  rows += n;
  return rows;
}

Tensor RunningStatsObj::Mean() {
  std::lock_guard<std::mutex> hold(mu);
#if BUG == 1
  Flush();
#endif
#if BUG == 3
  if (!mean_out.defined()) mean_out = alloc({d}, kF64);
  Tensor out = mean_out;
#else
  Tensor out = alloc({d}, kF64);
#endif
  std::copy(mean.begin(), mean.end(), data<double>(out));
  return out;
}

Tensor RunningStatsObj::Variance(int64_t ddof) {
  std::lock_guard<std::mutex> hold(mu);
#if BUG == 1
  Flush();
#endif
  REQUIRE(ddof >= 0 && ddof <= 8, ValueError, "ddof must be 0 to 8");
  REQUIRE(total > double(ddof), ValueError, "too little weight for ddof = " << ddof);
  Tensor out = alloc({d}, kF64);
  double* o = data<double>(out);
  for (int64_t j = 0; j < d; ++j) o[j] = m2[j] / (total - double(ddof));
#if BUG == 6
  TVMFFIAny raw = AnyView(out).CopyToTVMFFIAny();
  TVMFFIObjectIncRef(raw.v_obj);
#endif
  return out;
}

double RunningStatsObj::Weight() {
  std::lock_guard<std::mutex> hold(mu);
#if BUG == 1
  Flush();
#endif
  return total;
}

void RunningStatsObj::Reset() {
  std::lock_guard<std::mutex> hold(mu);
#if BUG == 1
  pending = View();
#endif
  total = 0;
  rows = 0;
  std::fill(mean.begin(), mean.end(), 0.0);
  std::fill(m2.begin(), m2.end(), 0.0);
}

static RunningStats stats_new(int64_t columns) {
  REQUIRE(columns >= 1 && columns <= 65536, ValueError, "columns must be 1 to 65536");
  return RunningStats(columns);
}

static Tensor stats_normalize(TensorView x, Tensor mean, Optional<Tensor> var, double eps) {
  View v = check(x, "x", {kF32, kF64}, 2, kRows);
  View m = check(mean, "mean", {kF64}, 1);
  REQUIRE(m.shape[0] == v.shape[1], ValueError, "mean must have an element for each column");
  View s;
  if (var.has_value()) {
    s = check(var.value(), "var", {kF64}, 1);
    REQUIRE(s.shape[0] == v.shape[1], ValueError, "var must have an element for each column");
    for (int64_t j = 0; j < s.numel; ++j)
      REQUIRE(s.as<double>()[j] >= 0, ValueError, "var must not be negative");
  }
  REQUIRE(eps > 0 && std::isfinite(eps), ValueError, "eps must be positive");
  Tensor out = alloc_like(v);
  auto fill = [&](auto* o, auto* in) {
    for (int64_t r = 0; r < v.shape[0]; ++r)
      for (int64_t j = 0; j < v.shape[1]; ++j) {
        double y = load(in[r * v.stride0() + j]) - m.as<double>()[j];
        if (s.p) y /= std::sqrt(s.as<double>()[j] + eps);
        store(o[r * v.shape[1] + j], y);
      }
  };
  if (v.dtype.bits == 32)
    fill(data<float>(out), v.as<const float>());
  else
    fill(data<double>(out), v.as<const double>());
  return out;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  // A second build of this module in one process finds the type described.
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(RunningStatsObj::RuntimeTypeIndex());
  if (info != nullptr && info->num_methods > 0) return;
  namespace refl = ffi::reflection;
  refl::ObjectDef<RunningStatsObj>()
      .def("update", &RunningStatsObj::Update)
      .def("merge", &RunningStatsObj::Merge)
      .def("mean", &RunningStatsObj::Mean)
      .def("variance", &RunningStatsObj::Variance)
      .def("columns", &RunningStatsObj::Columns)
      .def("weight", &RunningStatsObj::Weight)
      .def("reset", &RunningStatsObj::Reset);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stats_new, stats_new);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(stats_normalize, stats_normalize);
