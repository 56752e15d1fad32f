// SPDX-License-Identifier: Apache-2.0
// Draws a token for each row of probabilities, from a counter-based generator: the same seed, the same tokens.
#include "vendor.h"

namespace vendor
{

uint64_t Mix(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

Tensor SampleFromProbs(TensorView probs, int64_t seed)
{
  CHECK_INPUT(probs);
  CHECK_DIM(2, probs);
  CHECK_DTYPE(probs, kDLFloat, 32);
  const int64_t batch = probs.size(0), vocab = probs.size(1);
  CHECK_THAT(vocab > 0, ValueError, "probs has no columns");
#if BUG == 5
  Tensor out = Empty(Shape({batch}), Type(kDLInt, 64));
#else
  Tensor out = Empty(Shape({batch}), Type(kDLInt, 32));
#endif
#if BUG == 1
  static uint64_t calls = 0;
  const uint64_t base = Mix(static_cast<uint64_t>(seed) + calls++);
#elif BUG == 2
  const uint64_t base = Mix(static_cast<uint32_t>(seed));
#else
  const uint64_t base = Mix(static_cast<uint64_t>(seed));
#endif
  for (int64_t i = 0; i < batch; ++i) {
#if BUG == 3
    const double u = static_cast<double>(Mix(base) >> 11) * 0x1p-53;
#else
    const double u = static_cast<double>(Mix(base + static_cast<uint64_t>(i)) >> 11) * 0x1p-53;
#endif
    const float *p = Ptr<float>(probs) + i * vocab;
    double total = 0, sum = 0;
    for (int64_t v = 0; v < vocab; ++v) total += p[v];
#if BUG == 4
    int32_t token = 0;
    while (sum <= u * total) sum += p[token++];
    --token;
#else
    int32_t token = static_cast<int32_t>(vocab) - 1;
    for (int64_t v = 0; v < vocab; ++v) {
      sum += p[v];
      if (sum > u * total) {
        token = static_cast<int32_t>(v);
        break;
      }
    }
#endif
    static_cast<int32_t *>(out.data_ptr())[i] = token;
  }
  return out;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sample_from_probs, vendor::SampleFromProbs);
