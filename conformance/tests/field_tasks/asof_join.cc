// SPDX-License-Identifier: Apache-2.0
// For each row of the left table, the row of the right one that is nearest in time, before or after it.
namespace {

template <class T>
bool Within(T low, T high, bool limited, double tolerance) {
  if (!limited) return true;
  if constexpr (std::is_integral_v<T>) {
    uint64_t gap = uint64_t(int64_t(high)) - uint64_t(int64_t(low));
    return static_cast<long double>(gap) <= static_cast<long double>(tolerance);
  } else {
    return double(high) - double(low) <= tolerance;
  }
}

struct Plan {
  bool backward, exact, limited;
  double tolerance;
};

// The rows of the right table in order, by key.
struct Groups {
  std::vector<int64_t> all;
  std::unordered_map<int32_t, std::vector<int64_t>> by;
};

template <class T>
int64_t Join(const TensorView& left, const TensorView& right, const int32_t* left_by, const int32_t* right_by,
             const Plan& plan, int64_t* index) {
  int64_t n = left.size(0), m = right.size(0);
  int64_t stride = left.IsContiguous() ? 1 : left.stride(0);
#if BUG == 5
  stride = 1;
#endif
  const T* l = Data<T>(left);
  const T* r = Data<T>(right);
#if BUG != 1
  for (int64_t j = 1; j < m; ++j) TVM_FFI_CHECK(r[j - 1] <= r[j], ValueError) << "right is not sorted at " << j;
#endif
  Groups groups;
  if (right_by) {
    for (int64_t j = 0; j < m; ++j) groups.by[right_by[j]].push_back(j);
  } else {
    groups.all.resize(m);
    std::iota(groups.all.begin(), groups.all.end(), int64_t(0));
  }
  static const std::vector<int64_t> none;
  ParallelFor(n, 1024, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      const std::vector<int64_t>* rows = &groups.all;
      if (left_by) {
        auto it = groups.by.find(left_by[i]);
        rows = it == groups.by.end() ? &none : &it->second;
      }
#if BUG == 4
      double t = double(l[i * stride]);
      auto less = [&](int64_t j, double v) { return double(r[j]) < v; };
      auto more = [&](double v, int64_t j) { return v < double(r[j]); };
#else
      T t = l[i * stride];
      auto less = [&](int64_t j, T v) { return r[j] < v; };
      auto more = [&](T v, int64_t j) { return v < r[j]; };
#endif
      bool nan = t != t;
      int64_t found = -1;
      if (plan.backward) {
        auto it = plan.exact ? std::upper_bound(rows->begin(), rows->end(), t, more)
                             : std::lower_bound(rows->begin(), rows->end(), t, less);
        if (!nan && it != rows->begin() && Within<T>(r[*(it - 1)], T(t), plan.limited, plan.tolerance)) found = *(it - 1);
      } else {
#if BUG == 3
        auto it = std::lower_bound(rows->begin(), rows->end(), t, less);
#else
        auto it = plan.exact ? std::lower_bound(rows->begin(), rows->end(), t, less)
                             : std::upper_bound(rows->begin(), rows->end(), t, more);
#endif
        if (!nan && it != rows->end() && Within<T>(T(t), r[*it], plan.limited, plan.tolerance)) found = *it;
      }
      if (found >= 0 && !(r[found] == r[found])) found = -1;
#if BUG == 7
      if (found >= 0) index[i] = found;
#else
      index[i] = found;
#endif
    }
  });
  int64_t matched = 0;
  for (int64_t i = 0; i < n; ++i) matched += index[i] >= 0;
  return matched;
}

Tuple<Tensor, int64_t> AsofJoin(TensorView left, TensorView right, String direction, bool allow_exact,
                                Optional<double> tolerance, Optional<Tensor> left_by, Optional<Tensor> right_by) {
  NeedCPU(left, "left");
  NeedType(left, {kI64, kF64, kF32}, "left");
  NeedRank(left, 1, "left");
  NeedAligned(left, "left");
  NeedPlain(right, {kI64, kF64, kF32}, 1, "right");
  TVM_FFI_CHECK(Is(left.dtype(), right.dtype()), TypeError) << "left and right must have the same data type";
  int64_t n = left.size(0), m = right.size(0);
  Plan plan{direction == "backward", allow_exact, false, 0.0};
  TVM_FFI_CHECK(plan.backward || direction == "forward", ValueError) << "direction must be backward or forward";
#if BUG == 2
  plan.limited = true;
  plan.tolerance = tolerance.value_or(0.0);
#else
  if (tolerance.has_value()) {
    plan.limited = true;
    plan.tolerance = tolerance.value();
  }
#endif
  TVM_FFI_CHECK(plan.tolerance >= 0, ValueError) << "tolerance must not be negative";
  TVM_FFI_CHECK(left_by.has_value() == right_by.has_value(), ValueError) << "left_by and right_by go together";
  const int32_t* lb = nullptr;
  const int32_t* rb = nullptr;
  if (left_by.has_value()) {
    Tensor a = left_by.value(), b = right_by.value();
    NeedPlain(a, {kI32}, 1, "left_by");
    NeedPlain(b, {kI32}, 1, "right_by");
    TVM_FFI_CHECK(a.size(0) == n, ValueError) << "left_by must be as long as left";
#if BUG != 6
    TVM_FFI_CHECK(b.size(0) == m, ValueError) << "right_by must be as long as right";
#endif
    lb = Data<int32_t>(a);
    rb = Data<int32_t>(b);
  }
  Tensor index = Alloc({n}, kI64);
  int64_t* out = Data<int64_t>(index);
  int64_t matched;
  if (Is(left.dtype(), kI64))
    matched = Join<int64_t>(left, right, lb, rb, plan, out);
  else if (Is(left.dtype(), kF64))
    matched = Join<double>(left, right, lb, rb, plan, out);
  else
    matched = Join<float>(left, right, lb, rb, plan, out);
  return Tuple<Tensor, int64_t>(index, matched);
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(asof_join, AsofJoin)
