// SPDX-License-Identifier: Apache-2.0
// fk_chain(parents, kinds, axes, offsets, q, base, out) -> {"links", "depth", "roots"}: forward kinematics of a tree of joints.
using namespace set;

template <class T>
static void world(const std::vector<int64_t>& parents, const std::vector<int>& kinds, const std::vector<double>& axes, const T* offsets,
                  const T* q, const double* base, T* out, int64_t batch, int64_t J) {
  parallel(batch, std::max<int64_t>(1, 512 / std::max<int64_t>(J, 1)), [&](int64_t b0, int64_t b1) {
#if BUG == 7
    static std::vector<double> m;
#else
    std::vector<double> m;
#endif
    m.resize(J * 12);
    for (int64_t b = b0; b < b1; ++b) {
      for (int64_t j = 0; j < J; ++j) {
        const double v = double(q[b * J + j]);
        const double *a = &axes[j * 3], *p;
#if BUG == 3
        p = parents[j] < 0 ? (j == 0 ? base : nullptr) : &m[parents[j] * 12];
#else
        p = parents[j] < 0 ? base : &m[parents[j] * 12];
#endif
        double l[12] = {1, 0, 0, double(offsets[j * 3]), 0, 1, 0, double(offsets[j * 3 + 1]), 0, 0, 1, double(offsets[j * 3 + 2])};
        if (kinds[j] == 1) {
          double c = std::cos(v), s = std::sin(v), t = 1 - c, x = a[0], y = a[1], z = a[2];
          double r[9] = {t * x * x + c, t * x * y - s * z, t * x * z + s * y, t * x * y + s * z, t * y * y + c,
                         t * y * z - s * x, t * x * z - s * y, t * y * z + s * x, t * z * z + c};
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) l[i * 4 + k] = r[i * 3 + k];
        } else if (kinds[j] == 2) {
          for (int i = 0; i < 3; ++i) l[i * 4 + 3] += a[i] * v;
        }
        double* w = &m[j * 12];
        if (p == nullptr) {
          std::copy(l, l + 12, w);
        } else {
          for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 4; ++k)
              w[i * 4 + k] = p[i * 4] * l[k] + p[i * 4 + 1] * l[4 + k] + p[i * 4 + 2] * l[8 + k] + (k == 3 ? p[i * 4 + 3] : 0);
        }
      }
      for (int64_t j = 0; j < J; ++j) {
        T* o = out + (b * J + j) * 16;
        for (int i = 0; i < 12; ++i) o[i] = T(m[j * 12 + i]);
        o[12] = o[13] = o[14] = 0;
        o[15] = 1;
      }
    }
  });
}

template <class T>
static void run(const std::vector<int64_t>& parents, const std::vector<int>& kinds, const TensorView& axes, const TensorView& offsets,
                const TensorView& q, const Optional<Tensor>& base, const TensorView& out) {
  const int64_t J = int64_t(parents.size());
  const T* a = ptr<T>(axes);
  std::vector<double> unit(J * 3);
  for (int64_t j = 0; j < J; ++j) {
    double x = a[j * 3], y = a[j * 3 + 1], z = a[j * 3 + 2], len = std::sqrt(x * x + y * y + z * z);
    if (kinds[j] == 0) continue;
#if BUG == 4
    if (!(len > 0 && std::isfinite(len)) && J > 0) {
      T* o = ptr<T>(out);
      for (int64_t i = 0; i < std::min<int64_t>(count(out), j * 16); ++i) o[i] = T(i % 5 == 0);
      FAIL(ValueError, "axis " << j << " has no direction");
    }
#else
    REQUIRE(len > 0 && std::isfinite(len), ValueError, "axis " << j << " has no direction");
#endif
    unit[j * 3] = x / len;
    unit[j * 3 + 1] = y / len;
    unit[j * 3 + 2] = z / len;
  }
  double m[12];
  if (base.has_value()) {
    Tensor kept = base.value();
    TensorView bt(kept);
    const T* b = ptr<T>(bt);
    for (int i = 0; i < 12; ++i) m[i] = double(b[i]);
  }
  int64_t batch = J == 0 ? 0 : count(q) / J;
  world<T>(parents, kinds, unit, ptr<T>(offsets), ptr<T>(q), base.has_value() ? m : nullptr, ptr<T>(out), batch, J);
}

static Map<String, Any> fk_chain(TensorView parents, Array<String> kinds, TensorView axes, TensorView offsets, TensorView q,
                                 Optional<Tensor> base, TensorView out) {
  DLDataType t = q.dtype();
  REQUIRE(same(t, kF32) || same(t, kF64), TypeError, "q must be float32 or float64");
  need_basic(q, "q", -1);
  need_contiguous(q, "q");
  REQUIRE(q.ndim() >= 1, ValueError, "q must have a dimension of joints");
  const int64_t J = q.size(-1);
  DLDataType it = parents.dtype();
  REQUIRE(same(it, kI32) || same(it, kI64), TypeError, "parents must be int32 or int64");
  need(parents, "parents", it, 1);
  need(axes, "axes", t, 2);
  need(offsets, "offsets", t, 2);
  need(out, "out", t, q.ndim() + 2);
  REQUIRE(parents.size(0) == J && int64_t(kinds.size()) == J, ValueError, "parents and kinds must have one element per joint");
  REQUIRE(axes.size(0) == J && axes.size(1) == 3, ValueError, "axes must be joints x 3");
  REQUIRE(offsets.size(0) == J && offsets.size(1) == 3, ValueError, "offsets must be joints x 3");
  for (int i = 0; i < q.ndim(); ++i) REQUIRE(out.size(i) == q.size(i), ValueError, "out must have the extents of q first");
  REQUIRE(out.size(-1) == 4 && out.size(-2) == 4, ValueError, "out must end in 4 x 4");
  if (base.has_value()) {
    Tensor kept = base.value();
    TensorView b(kept);
    need_basic(b, "base", 2);
    need_contiguous(b, "base");
#if BUG != 6
    need_dtype(b, "base", t);
#endif
    REQUIRE(b.size(0) == 4 && b.size(1) == 4, ValueError, "base must be 4 x 4");
  }
  std::vector<int64_t> up(J), depth(J);
  std::vector<int> kind(J);
  Array<int64_t> roots;
  int64_t deepest = 0;
  for (int64_t j = 0; j < J; ++j) {
#if BUG == 2
    int64_t p = same(it, kI32) ? ptr<int32_t>(parents)[j] : int32_t(ptr<int64_t>(parents)[j]);
#else
    int64_t p = same(it, kI32) ? ptr<int32_t>(parents)[j] : ptr<int64_t>(parents)[j];
#endif
#if BUG == 1
    REQUIRE(p >= -1 && p <= j, ValueError, "parents must come before their children");
#else
    REQUIRE(p >= -1 && p < j, ValueError, "parents must come before their children");
#endif
    up[j] = p;
    depth[j] = p < 0 || p == j ? 1 : depth[p] + 1;
    deepest = std::max(deepest, depth[j]);
    if (p < 0) roots.push_back(j);
    String k = kinds[j];
#if BUG == 5
    kind[j] = k == "revolute" ? 1 : k == "prismatic" ? 2 : 0;
#else
    REQUIRE(k == "fixed" || k == "revolute" || k == "prismatic", ValueError, "unknown kind of joint: " << k);
    kind[j] = k == "revolute" ? 1 : k == "prismatic" ? 2 : 0;
#endif
  }
  if (same(t, kF32)) {
    run<float>(up, kind, axes, offsets, q, base, out);
  } else {
    run<double>(up, kind, axes, offsets, q, base, out);
  }
  return Map<String, Any>{{"links", J}, {"depth", deepest}, {"roots", roots}};
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fk_chain, fk_chain);
