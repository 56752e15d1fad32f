// SPDX-License-Identifier: Apache-2.0
// y[i] = function(x[i]); the function is the caller's.
#include "field.h"

namespace field
{

#if BUG == 3
static std::vector<ffi::Function> functions;
#endif

void MapElements(ffi::Function function, TensorView x, TensorView y)
{
#if BUG != 5
  REQUIRE(function.defined(), TypeError) << "function must not be None";
#endif
  RequireTensor(x, kFloat64, 1, "x");
  RequireTensor(y, kFloat64, 1, "y");
  RequireSameShape(x, y, "x and y");
#if BUG == 3
  functions.push_back(function);
#endif
  for (int64_t i = 0; i < x.size(0); ++i) {
#if BUG == 2
    try {
      Data<double>(y)[i] = function(Data<double>(x)[i]).cast<double>();
    } catch (const ffi::Error &) {
      Data<double>(y)[i] = 0;
    }
#elif BUG == 1
    ffi::Any result = function(Data<double>(x)[i]);
    TVMFFIAny raw = ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
    Data<double>(y)[i] = raw.v_float64;
#elif BUG == 4
    Data<double>(y)[i] = function(static_cast<float>(Data<double>(x)[i])).cast<float>();
#else
    Data<double>(y)[i] = function(Data<double>(x)[i]).cast<double>();
#endif
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_elements, field::MapElements);
