// SPDX-License-Identifier: Apache-2.0
// Sets the bits of allowed tokens in a row of a bitmask, clears the others, and says whether there are others.
#include "kit.h"

namespace kit
{

bool FillBitmask(TensorView bitmask, int64_t row, Array<int64_t> allowed, int64_t vocab)
{
  OnHost(bitmask, "bitmask");
  Rank(bitmask, 2, "bitmask");
  Typed(IsI32(bitmask), "bitmask");
  const int64_t words = bitmask.size(1);
  TVM_FFI_CHECK(words <= 1 || bitmask.stride(1) == 1, ValueError)
      << "bitmask: words of a row must lie side by side";
#if BUG == 1
  TVM_FFI_CHECK(row < bitmask.size(0), IndexError) << "row " << row << " is out of range";
#else
  TVM_FFI_CHECK(0 <= row && row < bitmask.size(0), IndexError)
      << "row " << row << " is out of range";
#endif
  TVM_FFI_CHECK(vocab >= 0 && vocab <= words * 32, ValueError)
      << "bitmask: too few words for " << vocab << " tokens";
  for (const int64_t token : allowed)
#if BUG == 2
    TVM_FFI_CHECK(0 <= token && token <= vocab, ValueError)
#else
    TVM_FFI_CHECK(0 <= token && token < vocab, ValueError)
#endif
        << "allowed: " << token << " is not a token";
#if BUG == 3
  int32_t *mask = Data<int32_t>(bitmask) + row * words;
#else
  int32_t *mask = Data<int32_t>(bitmask) + row * bitmask.stride(0);
#endif
#if BUG == 4
  for (int64_t i = 0; i < vocab / 32; ++i) mask[i] = 0;
#else
  for (int64_t i = 0; i < words; ++i) mask[i] = 0;
#endif
  for (const int64_t token : allowed) {
#if BUG == 5
    mask[token / 32] |= 1 << token % 31;
#else
    mask[token / 32] |= static_cast<int32_t>(1u << token % 32);
#endif
  }
  int64_t set = 0;
  for (int64_t i = 0; i < words; ++i) set += __builtin_popcount(static_cast<uint32_t>(mask[i]));
#if BUG == 6
  return static_cast<int64_t>(allowed.size()) < vocab;
#else
  return set < vocab;
#endif
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill_bitmask, kit::FillBitmask);
