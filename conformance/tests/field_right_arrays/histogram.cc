// SPDX-License-Identifier: Apache-2.0
// Adds the number of elements in each bin to counts, and sums weights by bin; gives how many.
using namespace set;

namespace {

template <typename I>
int64_t Run(const DLTensor* x, const double* weights, int64_t weight_step, const DLTensor* counts,
            double* mass) {
  const I* data = Elements<I>(x, "x");
  int64_t* count = Elements<int64_t>(counts, "counts");
  const int64_t n = x->shape[0], bins = counts->shape[0], step = Stride(x, 0);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t bin = data[i * step];
    if (bin < 0 || bin >= bins) TVM_FFI_THROW(ValueError) << bin << " is in none of " << bins;
  }
  if (mass != nullptr) std::fill_n(mass, bins, 0.0);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t bin = data[i * step];
    count[bin] = static_cast<int64_t>(static_cast<uint64_t>(count[bin]) + 1);
    if (mass != nullptr) mass[bin] += weights != nullptr ? weights[i * weight_step] : 1.0;
  }
  return n;
}

int64_t Histogram(TensorView x, Optional<TensorView> weights, TensorView counts,
                  Optional<TensorView> mass) {
  const DLTensor *tx = Raw(x), *tc = Raw(counts);
  NeedRank(tx, 1, "x");
  NeedRank(tc, 1, "counts");
  NeedCompact(tc, "counts");
  const double* w = nullptr;
  double* m = nullptr;
  int64_t step = 1;
  if (weights.has_value()) {
    const TensorView v = weights.value();
    NeedShape(Raw(v), {x.size(0)}, "weights");
    w = Elements<double>(Raw(v), "weights");
    step = Stride(Raw(v), 0);
    if (!mass.has_value()) TVM_FFI_THROW(ValueError) << "weights without mass";
  }
  if (mass.has_value()) {
    const TensorView v = mass.value();
    NeedShape(Raw(v), {counts.size(0)}, "mass");
    NeedCompact(Raw(v), "mass");
    m = Elements<double>(Raw(v), "mass");
  }
  if (Is<uint8_t>(tx->dtype)) return Run<uint8_t>(tx, w, step, tc, m);
  if (Is<int32_t>(tx->dtype)) return Run<int32_t>(tx, w, step, tc, m);
  return Run<int64_t>(tx, w, step, tc, m);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(histogram, Histogram);
