// SPDX-License-Identifier: Apache-2.0
// A tensor as a text for logs: "int32[2, 3]: 1, 2, 3, ...", with a separator and a number of items of choice.
#include <cstdio>

#include "vendor.h"

namespace vendor
{

String Describe(TensorView x, int64_t items, String separator)
{
  CHECK_INPUT(x);
  CHECK_DTYPE(x, kDLInt, 32);
#if BUG != 1
  CHECK_THAT(items >= 0, ValueError, "items must not be negative");
#endif
#if BUG == 2
  const std::string between = separator.c_str();
#else
  const std::string between = separator;
#endif
  std::string text = Spelled(x.dtype()) + "[";
  for (int i = 0; i < x.ndim(); ++i) text += (i ? ", " : "") + std::to_string(x.size(i));
  text += "]: ";
  const int64_t n = NumElements(x);
#if BUG == 1
  const uint64_t shown = std::min<uint64_t>(n, items);
#else
  const uint64_t shown = std::min<int64_t>(n, items);
#endif
  for (uint64_t i = 0; i < shown; ++i) {
#if BUG == 3
    char item[10];
    int length = std::sprintf(item, "%d", Ptr<int32_t>(x)[i]);
    text += (i ? between : "") + std::string(item, length);
#else
    text += (i ? between : "") + std::to_string(Ptr<int32_t>(x)[i]);
#endif
  }
#if BUG == 4
  text += between + "...";
#else
  if (static_cast<int64_t>(shown) < n) text += (shown ? between : "") + "...";
#endif
#if BUG == 5
  static std::vector<String> log;
  log.push_back(text);
#endif
  return text;
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(describe, vendor::Describe);
