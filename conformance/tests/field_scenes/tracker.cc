// SPDX-License-Identifier: Apache-2.0
// tracker_open(x0, alpha, beta, gamma) -> step(dt, z) : an alpha-beta-gamma filter. A step moves the state by dt and corrects it
// by the measurement z, if there is one; it returns position, velocity and acceleration, [3, d].
// predict(state, dt, out): the same motion without a filter, of any number of states.
using namespace set;

struct State {
  std::mutex lock;
  DLDataType dtype;
  int64_t d;
  double alpha, beta, gamma;
  std::vector<double> p, v, a;
#if BUG == 1
  const void* start;
  bool started = false;
#endif
#if BUG == 5
  Tensor last{ObjectPtr<TensorObj>(nullptr)};
#endif
};

static double load(const void* x, DLDataType t, int64_t i) {
  return t.bits == 32 ? double(static_cast<const float*>(x)[i]) : static_cast<const double*>(x)[i];
}

static Tensor step(State& s, double dt, const AnyView& measured) {
  REQUIRE(dt > 0 && dt <= 1e6, ValueError, "dt must be above 0, up to 1e6");
  std::vector<double> z;
#if BUG == 7
  {
#else
  if (measured.type_index() != TypeIndex::kTVMFFINone) {
#endif
    auto t = measured.try_cast<TensorView>();
    REQUIRE(t.has_value(), TypeError, "z must be a tensor or None");
    TensorView view(*t);
    need(view, "z", s.dtype, 1);
#if BUG == 4
    REQUIRE(view.size(0) > 0, ValueError, "z must have the extent of x0");
#else
    REQUIRE(view.size(0) == s.d, ValueError, "z must have the extent of x0");
#endif
    z.resize(s.d);
    for (int64_t i = 0; i < s.d; ++i) {
      z[i] = load(ptr<void>(view), s.dtype, i);
#if BUG != 3
      REQUIRE(std::isfinite(z[i]), ValueError, "z must be finite");
#endif
    }
  }
  std::lock_guard<std::mutex> guard(s.lock);
#if BUG == 1
  if (!s.started)
    for (int64_t i = 0; i < s.d; ++i) s.p[i] = load(s.start, s.dtype, i);
  s.started = true;
#endif
  for (int64_t i = 0; i < s.d; ++i) {
#if BUG == 3
    if (!z.empty()) REQUIRE(std::isfinite(z[i]), ValueError, "z must be finite");
#endif
    double p = s.p[i] + dt * s.v[i] + dt * dt / 2 * s.a[i], v = s.v[i] + dt * s.a[i], a = s.a[i];
    if (!z.empty()) {
      double r = z[i] - p;
      p += s.alpha * r;
      v += s.beta / dt * r;
      a += 2 * s.gamma / (dt * dt) * r;
    }
    s.p[i] = p;
    s.v[i] = v;
    s.a[i] = a;
  }
#if BUG == 5
  if (!s.last.defined()) s.last = alloc({3, s.d}, s.dtype);
  Tensor out = s.last;
#else
  Tensor out = alloc({3, s.d}, s.dtype);
#endif
  for (int64_t i = 0; i < s.d; ++i)
    for (int k = 0; k < 3; ++k) {
      double x = k == 0 ? s.p[i] : k == 1 ? s.v[i] : s.a[i];
      if (s.dtype.bits == 32) {
        static_cast<float*>(out.data_ptr())[k * s.d + i] = float(x);
      } else {
        static_cast<double*>(out.data_ptr())[k * s.d + i] = x;
      }
    }
  return out;
}

static Function tracker_open(TensorView x0, double alpha, double beta, double gamma) {
  DLDataType t = x0.dtype();
  REQUIRE(same(t, kF32) || same(t, kF64), TypeError, "x0 must be float32 or float64");
  need(x0, "x0", t, 1);
  REQUIRE(x0.size(0) >= 1, ValueError, "x0 must not be empty");
  REQUIRE(alpha >= 0 && alpha <= 1, ValueError, "alpha must be from 0 to 1");
  REQUIRE(beta >= 0 && beta <= 2, ValueError, "beta must be from 0 to 2");
  REQUIRE(gamma >= 0 && gamma <= 2, ValueError, "gamma must be from 0 to 2");
  int64_t d = x0.size(0);
#if BUG == 2
  static std::mutex all;
  static std::unordered_map<int64_t, std::shared_ptr<State>> states;
  std::lock_guard<std::mutex> guard(all);
  std::shared_ptr<State>& s = states[d * 2 + (t.bits == 32)];
  if (!s) s = std::make_shared<State>();
#else
  auto s = std::make_shared<State>();
#endif
  s->dtype = t;
  s->d = d;
  s->alpha = alpha;
  s->beta = beta;
  s->gamma = gamma;
  s->p.assign(d, 0);
  s->v.assign(d, 0);
  s->a.assign(d, 0);
#if BUG == 1
  s->start = ptr<void>(x0);
#else
  for (int64_t i = 0; i < d; ++i) s->p[i] = load(ptr<void>(x0), t, i);
#endif
  std::shared_ptr<State> held = s;
  return Function::FromPacked([held](PackedArgs args, Any* result) {
    REQUIRE(args.size() == 2, TypeError, "step takes dt and z");
    auto dt = args[0].try_cast<double>();
    REQUIRE(dt.has_value(), TypeError, "dt must be a number");
    *result = step(*held, *dt, args[1]);
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tracker_open, tracker_open);

template <class T>
static void move(const T* x, double dt, T* y, int64_t n, int64_t d) {
  parallel(n, 1 << 14, [&](int64_t b, int64_t e) {
    for (int64_t k = b; k < e; ++k) {
      const T* s = x + k * 3 * d;
      T* o = y + k * 3 * d;
      for (int64_t i = 0; i < d; ++i) {
#if BUG == 6
        o[2 * d + i] = s[2 * d + i];
        o[d + i] = T(double(s[d + i]) + dt * double(s[2 * d + i]));
        o[i] = T(double(s[i]) + dt * double(s[d + i]) + dt * dt / 2 * double(s[2 * d + i]));
#else
        double p = s[i], v = s[d + i], a = s[2 * d + i];
        o[i] = T(p + dt * v + dt * dt / 2 * a);
        o[d + i] = T(v + dt * a);
        o[2 * d + i] = T(a);
#endif
      }
    }
  });
}

static void predict(TensorView state, double dt, TensorView out) {
  DLDataType t = state.dtype();
  REQUIRE(same(t, kF32) || same(t, kF64), TypeError, "state must be float32 or float64");
  need_basic(state, "state", -1);
  need_contiguous(state, "state");
  REQUIRE(state.ndim() >= 2 && state.size(-2) == 3, ValueError, "state must be ... x 3 x d");
  need(out, "out", t, state.ndim());
  for (int i = 0; i < state.ndim(); ++i) REQUIRE(out.size(i) == state.size(i), ValueError, "out must have the shape of state");
  REQUIRE(std::abs(dt) <= 1e6, ValueError, "dt must be from -1e6 to 1e6");
  int64_t d = state.size(-1), total = count(state);
  if (total == 0) return;
  int64_t n = total / (3 * d);
  if (same(t, kF32)) {
    move(ptr<float>(state), dt, ptr<float>(out), n, d);
  } else {
    move(ptr<double>(state), dt, ptr<double>(out), n, d);
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(predict, predict);
