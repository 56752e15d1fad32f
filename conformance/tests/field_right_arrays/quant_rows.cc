// SPDX-License-Identifier: Apache-2.0
// Symmetric quantisation of rows to 8 bits: numbers from -127 to 127, and a scale for each row.
namespace {

using namespace set;

template <typename T>
double Largest(const T* row, int64_t d) {
  double most = 0;
  for (int64_t j = 0; j < d; ++j) {
    const double v = std::fabs(static_cast<double>(Load(row[j])));
    if (!std::isfinite(v)) TVM_FFI_THROW(ValueError) << "x holds what is no finite number";
    most = std::max(most, v);
  }
  return most;
}

template <typename T>
void Run(const DLTensor* x, int8_t* q, float* scale) {
  const T* data = Elements<T>(x, "x");
  const int64_t n = x->shape[0], d = x->shape[1], step = Stride(x, 0);
  std::vector<double> most(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) most[i] = Largest(data + i * step, d);
  for (int64_t i = 0; i < n; ++i) {
    scale[i] = static_cast<float>(most[i] / 127);
    const T* row = data + i * step;
    for (int64_t j = 0; j < d; ++j) {
      // The product is exact, so that halves are found where they are.
      const double v = Load(row[j]) * 127.0;
      q[i * d + j] = most[i] > 0 ? static_cast<int8_t>(std::nearbyint(v / most[i])) : int8_t{0};
    }
  }
}

void QuantRows(TensorView x, TensorView q, TensorView scale) {
  const DLTensor *tx = Raw(x), *tq = Raw(q), *ts = Raw(scale);
  NeedRank(tx, 2, "x");
  NeedShape(tq, {x.size(0), x.size(1)}, "q");
  NeedShape(ts, {x.size(0)}, "scale");
  NeedRows(tx, "x");
  NeedCompact(tq, "q");
  NeedCompact(ts, "scale");
  int8_t* pq = Elements<int8_t>(tq, "q");
  float* ps = Elements<float>(ts, "scale");
  if (Is<half>(tx->dtype)) return Run<half>(tx, pq, ps);
  Run<float>(tx, pq, ps);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quant_rows, QuantRows);
