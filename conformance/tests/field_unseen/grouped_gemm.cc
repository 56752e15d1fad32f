// SPDX-License-Identifier: Apache-2.0
// Rows of x are in groups, one after the other; each group is multiplied with the weight of its expert.
#include "vendor.h"

namespace vendor
{

void GroupedGemm(TensorView x, TensorView weight, TensorView indptr, TensorView out)
{
  CHECK_INPUT(x);
  CHECK_INPUT(weight);
  CHECK_INPUT(indptr);
  CHECK_INPUT(out);
  CHECK_DIM(2, x);
  CHECK_DIM(3, weight);
  CHECK_DIM(1, indptr);
  CHECK_DIM(2, out);
  CHECK_DTYPE(indptr, kDLInt, 32);
  CHECK_THAT(SameType(weight.dtype(), x.dtype()), TypeError, "weight must have the dtype of x");
#if BUG == 5
  CHECK_THAT(out.dtype().bits == x.dtype().bits, TypeError, "out must have the dtype of x");
#else
  CHECK_THAT(SameType(out.dtype(), x.dtype()), TypeError, "out must have the dtype of x");
#endif
  const int64_t m = x.size(0), k = x.size(1), groups = weight.size(0), n = weight.size(2);
  CHECK_SIZE(weight, 1, k);
  CHECK_SIZE(indptr, 0, groups + 1);
  CHECK_SIZE(out, 0, m);
  CHECK_SIZE(out, 1, n);
  const int32_t *begin = Ptr<int32_t>(indptr);
  CHECK_THAT(begin[0] == 0, ValueError, "indptr must begin with 0");
#if BUG != 1
  CHECK_THAT(begin[groups] == m, ValueError, "indptr must end with the rows of x");
#endif
#if BUG != 2
  for (int64_t g = 0; g < groups; ++g)
    CHECK_THAT(begin[g] <= begin[g + 1], ValueError, "indptr must not decrease");
#endif
  DispatchFloat(x.dtype(), "x", [&](auto zero) {
    using T = decltype(zero);
    int64_t expert = 0;
    for (int64_t g = 0; g < groups; ++g) {
#if BUG == 3
      if (begin[g] == begin[g + 1]) continue;
      const T *w = Ptr<T>(weight) + expert * k * n;
#else
      const T *w = Ptr<T>(weight) + g * k * n;
#endif
      ++expert;
      for (int64_t i = begin[g]; i < begin[g + 1]; ++i)
        for (int64_t j = 0; j < n; ++j) {
#if BUG == 4
          T sum = T(0.0f);
          for (int64_t l = 0; l < k; ++l)
            sum = T(float(sum) + float(Ptr<T>(x)[i * k + l]) * float(w[l * n + j]));
#else
          float sum = 0;
          for (int64_t l = 0; l < k; ++l) sum += float(Ptr<T>(x)[i * k + l]) * float(w[l * n + j]);
#endif
          Ptr<T>(out)[i * n + j] = T(sum);
        }
    }
  });
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(grouped_gemm, vendor::GroupedGemm);
