// SPDX-License-Identifier: Apache-2.0
// Applies the activation of that name in place.
#include "field.h"

namespace field
{

#if BUG == 3
static const char *last = "";
#endif

void Activation(TensorView x, ffi::String name)
{
  RequireTensor(x, kFloat32, 1, "x");
#if BUG == 2
  std::string kind(name.c_str());
#elif BUG == 3
  last = name.c_str();
  std::string kind(name.data(), name.size());
#elif BUG == 4
  char buffer[16];
  std::strcpy(buffer, name.c_str());
  std::string kind(buffer, name.size() < sizeof buffer ? name.size() : sizeof buffer);
#else
  std::string kind(name.data(), name.size());
#endif
#if BUG != 1
  REQUIRE(kind == "relu" || kind == "sigmoid" || kind == "identity", ValueError)
      << "unknown activation";
#endif
  for (int64_t i = 0; i < x.size(0); ++i) {
    float value = Data<float>(x)[i];
#if BUG == 3
    if (std::strcmp(last, "relu") == 0) Data<float>(x)[i] = std::max(value, 0.0f);
#elif BUG == 5
    if (kind == "relu") Data<float>(x)[i] = std::fabs(value);
#else
    if (kind == "relu") Data<float>(x)[i] = std::max(value, 0.0f);
#endif
    if (kind == "sigmoid") Data<float>(x)[i] = 1 / (1 + std::exp(-value));
  }
}

#if BUG == 3
ffi::String Last()
{
  return ffi::String(last);
}
#endif

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(activation, field::Activation);
#if BUG == 3
TVM_FFI_DLL_EXPORT_TYPED_FUNC(last_activation, field::Last);
#endif
