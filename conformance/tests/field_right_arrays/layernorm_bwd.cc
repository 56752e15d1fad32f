// SPDX-License-Identifier: Apache-2.0
// Gradients of layer normalisation: of the input, and on demand of weight and bias.
namespace {

using namespace set;

// An optional vector of floats: null if it is not there.
float* Vector(const Optional<Tensor>& t, int64_t length, const char* name) {
  if (!t.has_value()) return nullptr;
  const DLTensor* p = t.value().GetDLTensorPtr();
  NeedShape(p, {length}, name);
  NeedCompact(p, name);
  return Elements<float>(p, name);
}

void LayerNormBackward(TensorView dy, TensorView x, Optional<Tensor> weight, double eps,
                       TensorView dx, Optional<Tensor> dw, Optional<Tensor> db) {
  NeedRank(Raw(x), 2, "x");
  const int64_t n = x.size(0), d = x.size(1);
  if (d == 0) TVM_FFI_THROW(ValueError) << "rows without elements";
  NeedShape(Raw(dy), {n, d}, "dy");
  NeedShape(Raw(dx), {n, d}, "dx");
  for (const TensorView* v : {&dy, &x, &dx}) NeedCompact(Raw(*v), "dy, x and dx");
  const float* pdy = Elements<float>(Raw(dy), "dy");
  const float* px = Elements<float>(Raw(x), "x");
  float* pdx = Elements<float>(Raw(dx), "dx");
  const float* w = Vector(weight, d, "weight");
  float* pdw = Vector(dw, d, "dw");
  float* pdb = Vector(db, d, "db");
  if (!(eps > 0)) TVM_FFI_THROW(ValueError) << "eps must be greater than 0";
  if (w == nullptr && pdw != nullptr) {
    TVM_FFI_THROW(ValueError) << "there is no weight to have a gradient";
  }

  const auto columns = static_cast<size_t>(d);
  std::vector<double> normal(columns), g(columns), sum_w(columns, 0.0), sum_b(columns, 0.0);
  for (int64_t i = 0; i < n; ++i, px += d, pdy += d, pdx += d) {
    double mean = 0, square = 0, mean_g = 0, mean_gx = 0;
    for (int64_t j = 0; j < d; ++j) mean += px[j];
    mean /= static_cast<double>(d);
    for (int64_t j = 0; j < d; ++j) square += (px[j] - mean) * (px[j] - mean);
    const double deviation = std::sqrt(square / static_cast<double>(d) + eps);
    for (int64_t j = 0; j < d; ++j) {
      normal[j] = (px[j] - mean) / deviation;
      g[j] = w != nullptr ? static_cast<double>(pdy[j]) * w[j] : pdy[j];
      mean_g += g[j];
      mean_gx += g[j] * normal[j];
      sum_w[j] += pdy[j] * normal[j];
      sum_b[j] += pdy[j];
    }
    mean_g /= static_cast<double>(d);
    mean_gx /= static_cast<double>(d);
    for (int64_t j = 0; j < d; ++j) {
      pdx[j] = static_cast<float>((g[j] - mean_g - normal[j] * mean_gx) / deviation);
    }
  }
  if (pdw != nullptr) std::copy(sum_w.begin(), sum_w.end(), pdw);
  if (pdb != nullptr) std::copy(sum_b.begin(), sum_b.end(), pdb);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(layernorm_bwd, LayerNormBackward);
