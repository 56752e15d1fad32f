// SPDX-License-Identifier: Apache-2.0
// out += scale * (x @ A.T) @ B.T, row by row with the adapter of the row; -1 is none. Adapters differ in rank.
#include "vendor.h"

namespace vendor
{

void LoraApply(TensorView x, Array<Tensor> lora_a, Array<Tensor> lora_b, Array<double> scales,
               TensorView adapters, TensorView out)
{
  CHECK_INPUT(x);
  CHECK_INPUT(adapters);
  CHECK_INPUT(out);
  CHECK_DIM(2, x);
  CHECK_DIM(1, adapters);
  CHECK_DIM(2, out);
  CHECK_DTYPE(x, kDLFloat, 32);
  CHECK_DTYPE(adapters, kDLInt, 32);
  CHECK_DTYPE(out, kDLFloat, 32);
  const int64_t n = x.size(0), in = x.size(1), width = out.size(1);
  const int64_t count = static_cast<int64_t>(lora_a.size());
  CHECK_SIZE(adapters, 0, n);
  CHECK_SIZE(out, 0, n);
  CHECK_THAT(lora_b.size() == lora_a.size(), ValueError,
             "lora_a and lora_b must have the same length");
#if BUG != 1
  CHECK_THAT(scales.size() == lora_a.size(), ValueError, "scales must have the length of lora_a");
#endif
  int64_t most = 0;
  for (int64_t i = 0; i < count; ++i) {
    Tensor a = lora_a[i], b = lora_b[i];
    CHECK_THAT(a.defined() && b.defined(), TypeError, "lora_a and lora_b must hold tensors");
    CHECK_INPUT(a);
    CHECK_INPUT(b);
    CHECK_DIM(2, a);
    CHECK_DIM(2, b);
    CHECK_DTYPE(a, kDLFloat, 32);
    CHECK_DTYPE(b, kDLFloat, 32);
    CHECK_SIZE(a, 1, in);
#if BUG != 4
    CHECK_SIZE(b, 0, width);
#endif
    CHECK_SIZE(b, 1, a.size(0));
    most = std::max(most, a.size(0));
  }
#if BUG == 3
  float *low = new float[most];
#else
  std::vector<float> low(most);
#endif
  for (int64_t i = 0; i < n; ++i) {
    const int32_t id = Ptr<int32_t>(adapters)[i];
#if BUG == 5
    CHECK_THAT(id <= count, ValueError, "adapter " << id << " does not exist");
#else
    CHECK_THAT(-1 <= id && id < count, ValueError, "adapter " << id << " does not exist");
#endif
    if (id < 0) continue;
#if BUG == 2
    const int64_t rank = lora_a[0].size(0);
#else
    const int64_t rank = lora_a[id].size(0);
#endif
    const float *a = Ptr<float>(lora_a[id]), *b = Ptr<float>(lora_b[id]),
                *row = Ptr<float>(x) + i * in;
    for (int64_t r = 0; r < rank; ++r) {
      low[r] = 0;
      for (int64_t j = 0; j < in; ++j) low[r] += a[r * in + j] * row[j];
    }
    for (int64_t o = 0; o < width; ++o) {
      float sum = 0;
      for (int64_t r = 0; r < rank; ++r) sum += b[o * rank + r] * low[r];
      Ptr<float>(out)[i * width + o] += static_cast<float>(scales[id]) * sum;
    }
  }
#if BUG == 3
  delete[] low;
#endif
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lora_apply, vendor::LoraApply);
