// SPDX-License-Identifier: Apache-2.0
// As-of join of two tables, by sorted keys on the right: for each row on the left the row on the right that is next to it.
using OptT = ffi::Optional<ffi::Tensor>;
static const int64_t kLimit = int64_t(1) << 53;

static double distance(double a, double b) { return a - b; }
#if BUG == 3
static double distance(int64_t a, int64_t b) { return double(int32_t(a - b)); }
#else
static double distance(int64_t a, int64_t b) { return double(a - b); }
#endif

template <class T> struct Rows {   // some rows on the right, in order
  const T* key;
  const int64_t* at;   // nullptr: all of them
  int64_t n;
  T operator[](int64_t i) const { return key[at ? at[i] : i]; }
  int64_t below(T x, bool strict) const {   // how many keys are < x (strict) or <= x
    int64_t lo = 0, hi = n;
    while (lo < hi) {
      int64_t mid = lo + (hi - lo) / 2;
      T v = (*this)[mid];
      if (strict ? v < x : v <= x) lo = mid + 1; else hi = mid;
    }
    return lo;
  }
};

template <class T>
static int64_t run(TensorView left, TensorView right, const int32_t* lby, const int32_t* rby, int mode, double tol, bool exact,
                   int64_t* out) {
  const T *l = data<T>(left), *r = data<T>(right);
  int64_t n = left.size(0), m = right.size(0), found = 0;
  for (int64_t j = 0; j < m; ++j) {
    if (std::is_same<T, int64_t>::value)
      NEED(r[j] >= T(-kLimit) && r[j] <= T(kLimit), ValueError) << "right: a key beyond 2^53";
#if BUG == 1
    NEED(j == 0 || j == m - 1 || r[j] >= r[j - 1], ValueError) << "right must be sorted";
#else
    NEED(j == 0 || r[j] >= r[j - 1], ValueError) << "right must be sorted";
#endif
  }
  if (std::is_same<T, int64_t>::value)
    for (int64_t i = 0; i < n; ++i)
      NEED(l[i] >= T(-kLimit) && l[i] <= T(kLimit), ValueError) << "left: a key beyond 2^53";
#if BUG == 6
  static thread_local std::unordered_map<int32_t, std::vector<int64_t>> groups;
  static thread_local int64_t grouped = -1;
  if (rby && grouped != m) {
    groups.clear();
    for (int64_t j = 0; j < m; ++j) groups[rby[j]].push_back(j);
    grouped = m;
  }
#else
  std::unordered_map<int32_t, std::vector<int64_t>> groups;
  if (rby) for (int64_t j = 0; j < m; ++j) groups[rby[j]].push_back(j);
#endif
  for (int64_t i = 0; i < n; ++i) {
    Rows<T> rows{r, nullptr, m};
    if (lby) {
      auto it = groups.find(lby[i]);
#if BUG == 5
      if (it == groups.end()) continue;
#else
      if (it == groups.end()) { out[i] = -1; continue; }
#endif
      rows.at = it->second.data();
      rows.n = int64_t(it->second.size());
    }
    T x = l[i];
    int64_t b = -1, f = -1;
    if (x == x) {
      if (mode != 1) {
        b = rows.below(x, !exact) - 1;
        if (b >= 0 && !(distance(x, rows[b]) <= tol)) b = -1;
      }
      if (mode != 0) {
#if BUG == 4
        f = rows.below(x, mode != 1 ? exact : true);
#else
        f = rows.below(x, exact);
#endif
        if (f >= rows.n || !(distance(rows[f], x) <= tol)) f = -1;
      }
    }
    int64_t best = b < 0 ? f : f < 0 ? b : distance(x, rows[b]) <= distance(rows[f], x) ? b : f;
    out[i] = best < 0 ? -1 : rows.at ? rows.at[best] : best;
    found += best >= 0;
  }
  return found;
}

static int64_t asof_join(TensorView left, TensorView right, OptT left_by, OptT right_by, ffi::String direction,
                         ffi::Optional<double> tolerance, bool allow_exact, TensorView out) {
  check(left, "left", {kI64, kF64}, 1);
  check(right, "right", {kI64, kF64}, 1);
  NEED(same(left.dtype(), right.dtype()), TypeError) << "left and right must have one data type";
  check(out, "out", {kI64}, 1);
  check_n(out, "out", 0, left.size(0));
  NEED(!overlap(out, left) && !overlap(out, right), ValueError) << "out may not overlap the keys";
  const int32_t *lby = nullptr, *rby = nullptr;
#if BUG == 2
  NEED(!left_by.has_value() || right_by.has_value(), ValueError) << "left_by and right_by go together";
#else
  NEED(left_by.has_value() == right_by.has_value(), ValueError) << "left_by and right_by go together";
#endif
  if (left_by.has_value()) {
    ffi::Tensor t = left_by.value();
    TensorView v(t);
    check(v, "left_by", {kI32}, 1);
    check_n(v, "left_by", 0, left.size(0));
    NEED(!overlap(out, v), ValueError) << "out may not overlap left_by";
    lby = data<int32_t>(v);
  }
  if (right_by.has_value()) {
    ffi::Tensor t = right_by.value();
    TensorView v(t);
    check(v, "right_by", {kI32}, 1);
    check_n(v, "right_by", 0, right.size(0));
    NEED(!overlap(out, v), ValueError) << "out may not overlap right_by";
    rby = data<int32_t>(v);
  }
  if (!left_by.has_value()) rby = nullptr;
  int mode;
  if (direction == "backward") mode = 0;
  else if (direction == "forward") mode = 1;
  else if (direction == "nearest") mode = 2;
  else TVM_FFI_THROW(ValueError) << "unknown direction " << direction;
  double tol = std::numeric_limits<double>::infinity();
  if (tolerance.has_value()) {
    tol = tolerance.value();
    NEED(tol >= 0, ValueError) << "tolerance may not be negative";
  }
  if (same(left.dtype(), kI64)) return run<int64_t>(left, right, lby, rby, mode, tol, allow_exact, data<int64_t>(out));
  return run<double>(left, right, lby, rby, mode, tol, allow_exact, data<int64_t>(out));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(asof_join, asof_join);
