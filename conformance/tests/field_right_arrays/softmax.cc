// SPDX-License-Identifier: Apache-2.0
// Softmax of rows with a temperature and an optional mask; a row without an element left is 0.
namespace {

using namespace set;

struct Rows {
  const float* x;
  int64_t x_step;
  const uint8_t* mask;  // dense, or null
  float* out;
  int64_t out_step;
  int64_t n, m;
};

void Compute(const Rows& r, double t) {
  const double none = -std::numeric_limits<double>::infinity();
  thread_local std::vector<double> e;
  e.resize(static_cast<size_t>(r.m));
  for (int64_t i = 0; i < r.n; ++i) {
    const float* row = r.x + i * r.x_step;
    double top = none;
    for (int64_t j = 0; j < r.m; ++j) {
      e[j] = r.mask == nullptr || r.mask[i * r.m + j] ? row[j] : none;
      if (e[j] > top) top = e[j];
    }
    if (top == none) top = 0;
    double sum = 0;
    for (double& v : e) sum += v = std::exp((v - top) / t);
    if (sum == 0) sum = 1;
    for (int64_t j = 0; j < r.m; ++j) r.out[i * r.out_step + j] = static_cast<float>(e[j] / sum);
  }
}

int Softmax(TensorView x, Optional<Tensor> mask, double temperature, TensorView out) {
  const DLTensor *tx = Raw(x), *to = Raw(out);
  Rows r{};
  r.x = Elements<float>(tx, "x");
  r.out = Elements<float>(to, "out");
  NeedRank(tx, 2, "x");
  r.n = x.size(0);
  r.m = x.size(1);
  NeedShape(to, {r.n, r.m}, "out");
  NeedRows(tx, "x");
  NeedRows(to, "out");
  r.x_step = Stride(tx, 0);
  r.out_step = Stride(to, 0);
  if (mask.has_value()) {
    const DLTensor* tm = mask.value().GetDLTensorPtr();
    r.mask = reinterpret_cast<const uint8_t*>(Elements<bool>(tm, "mask"));
    NeedShape(tm, {r.n, r.m}, "mask");
    NeedCompact(tm, "mask");
  }
  if (!(temperature > 0)) TVM_FFI_THROW(ValueError) << "a temperature above 0 is needed";
  Compute(r, temperature);
  return static_cast<int>(std::min<int64_t>(r.n, std::numeric_limits<int>::max()));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(softmax, Softmax);
