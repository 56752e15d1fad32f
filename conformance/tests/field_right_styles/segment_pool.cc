// SPDX-License-Identifier: Apache-2.0
// Sums or means of runs of rows. A workspace of doubles is kept for each thread.
#define REQUIRE(cond, text) \
  if (!(cond)) TVM_FFI_THROW(ValueError) << "segment_pool: " << (text)

using namespace x4;

static std::vector<double>& workspace(size_t n) {
  static thread_local std::vector<double> w;
  if (w.size() < n) w.resize(n);
  return w;
}

template <typename T, typename I>
static void pool(const DLTensor* x, int64_t step, const I* at, T* y, int64_t m, bool mean) {
  int64_t d = x->shape[1];
  const T* base = first<T>(x);
  std::vector<double>& w = workspace(d);
  for (int64_t s = 0; s < m; ++s) {
    std::fill(w.begin(), w.begin() + d, 0.0);
    for (int64_t i = at[s]; i < at[s + 1]; ++i) {
      const T* row = base + i * step;
      for (int64_t j = 0; j < d; ++j) w[j] += row[j];
    }
    double by = mean ? std::max<double>(1, static_cast<double>(at[s + 1] - at[s])) : 1;
    for (int64_t j = 0; j < d; ++j) y[s * d + j] = static_cast<T>(w[j] / by);
  }
}

template <typename I>
static void check(const I* at, int64_t m, int64_t n) {
  REQUIRE(at[0] == 0 && at[m] == n, "the first offset is 0, the last the number of rows");
  for (int64_t s = 0; s < m; ++s) REQUIRE(at[s] <= at[s + 1], "offsets must not fall");
}

static void segment_pool(DLTensor* x, DLTensor* at, ffi::String mode, DLTensor* y) {
  REQUIRE(x && at && y, "a tensor is missing");
  bool mean = mode == "mean";
  REQUIRE(mean || mode == "sum", "mode is sum or mean");
  bool f64 = holds<double>(x->dtype);
  if (!(f64 || holds<float>(x->dtype)) || !(y->dtype == x->dtype) ||
      !(holds<int32_t>(at->dtype) || holds<int64_t>(at->dtype))) {
    TVM_FFI_THROW(TypeError) << "segment_pool: unsupported data types";
  }
  REQUIRE(x->ndim == 2 && at->ndim == 1 && y->ndim == 2, "ranks are 2, 1, 2");
  REQUIRE(at->shape[0] >= 1 && y->shape[0] == at->shape[0] - 1, "one offset more than segments");
  REQUIRE(y->shape[1] == x->shape[1], "widths differ");
  REQUIRE(x->device.device_type == kDLCPU, "x is elsewhere");
  plain(at, "at");
  plain(y, "y");
  std::vector<int64_t> step = strides_of(*x);
  bool empty = count(ffi::ShapeView(x->shape, 2)) == 0;
  REQUIRE(empty || x->shape[1] == 1 || step[1] == 1, "rows of x must be dense");
  REQUIRE(empty || reinterpret_cast<uintptr_t>(first<char>(x)) % (f64 ? 8 : 4) == 0, "alignment");
  int64_t m = y->shape[0], n = x->shape[0];
  auto go = [&](auto* offsets) {
    check(offsets, m, n);
    if (x->shape[1] == 0) return;
    if (f64) {
      pool<double>(x, step[0], offsets, first<double>(y), m, mean);
    } else {
      pool<float>(x, step[0], offsets, first<float>(y), m, mean);
    }
  };
  holds<int32_t>(at->dtype) ? go(first<int32_t>(at)) : go(first<int64_t>(at));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_pool, segment_pool);
