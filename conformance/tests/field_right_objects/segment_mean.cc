// SPDX-License-Identifier: Apache-2.0
// Means of ragged segments of rows: out[i] = mean of x[at[i]:at[i+1]], `fill` where there is none.
// Rows of x and out may lie apart. Sums are kept in a workspace by thread, which only grows.
namespace {

using tvm::ffi::Optional;
using tvm::ffi::TensorView;

double* Workspace(size_t n) {
  thread_local std::vector<double> space;
  if (space.size() < n) space.resize(n);
  return space.data();
}

// A DLTensor over a view: TensorView has no way to it but its own members.
struct Flat {
  std::vector<int64_t> shape, strides;
  DLTensor t{};
  explicit Flat(const TensorView& v) : shape(v.shape().begin(), v.shape().end()) {
    t.data = v.data_ptr();
    t.device = v.device();
    t.ndim = v.ndim();
    t.dtype = v.dtype();
    t.shape = shape.data();
    t.byte_offset = v.byte_offset();
    const DLTensor* raw = *tvm::ffi::AnyView(v).as<DLTensor*>();
    t.strides = raw->strides;
  }
  Flat(const Flat&) = delete;
};

template <typename I>
void Check(const I* at, int64_t m, int64_t n) {
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "at must begin with 0";
  for (int64_t i = 0; i < m; ++i) {
    if (at[i + 1] < at[i]) TVM_FFI_THROW(ValueError) << "at must not fall (at " << i + 1 << ")";
  }
  if (at[m] != n) TVM_FFI_THROW(ValueError) << "at must end with the rows of x, " << n;
}

template <typename I>
void Run(const DLTensor& x, const I* at, const DLTensor& out, float fill) {
  const int64_t m = out.shape[0], d = x.shape[1];
  const float* from = kit::Cells<float>(x, "x");
  float* to = kit::Cells<float>(out, "out");
  Check(at, m, x.shape[0]);
  double* sum = Workspace(static_cast<size_t>(d));
  for (int64_t i = 0; i < m; ++i) {
    float* row = to + i * kit::Step(out, 0);
    const int64_t begin = at[i], end = at[i + 1];
    if (begin == end) {
      std::fill(row, row + d, fill);
      continue;
    }
    std::fill(sum, sum + d, 0.0);
    for (int64_t r = begin; r < end; ++r) {
      const float* in = from + r * kit::Step(x, 0);
      for (int64_t j = 0; j < d; ++j) sum[j] += in[j];
    }
    for (int64_t j = 0; j < d; ++j) row[j] = static_cast<float>(sum[j] / double(end - begin));
  }
}

void RowsOnly(const DLTensor& t, const char* what) {
  kit::Rank(t, 2, what);
  if (t.shape[1] > 1 && kit::Count(t) != 0 && kit::Step(t, 1) != 1) {
    TVM_FFI_THROW(ValueError) << what << ": elements of a row must lie side by side";
  }
}

void SegmentMean(TensorView x_view, TensorView at_view, TensorView out_view,
                 Optional<double> fill) {
  const Flat x(x_view), at(at_view), out(out_view);
  RowsOnly(x.t, "x");
  RowsOnly(out.t, "out");
  kit::Rank(at.t, 1, "at");
  kit::Dense(at.t, "at");
  if (at.t.shape[0] != out.t.shape[0] + 1) {
    TVM_FFI_THROW(ValueError) << "at must have one element more than out has rows";
  }
  if (out.t.shape[1] != x.t.shape[1]) TVM_FFI_THROW(ValueError) << "out must be as wide as x";
  const float empty = static_cast<float>(fill.value_or(0));
  if (at.t.dtype.bits == 64) {
    Run(x.t, kit::Cells<int64_t>(at.t, "at"), out.t, empty);
  } else {
    Run(x.t, kit::Cells<int32_t>(at.t, "at"), out.t, empty);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_mean, SegmentMean);
