// SPDX-License-Identifier: Apache-2.0
// A step of gradient descent for each parameter, with its options in a map: lr, and momentum (0 if missing).
#include "field.h"

namespace field
{

void Step(ffi::Array<ffi::Tensor> params, ffi::Array<ffi::Tensor> grads,
          ffi::Array<ffi::Tensor> velocities, ffi::Map<ffi::String, ffi::Any> options)
{
#if BUG != 1
  REQUIRE(params.size() == grads.size(), ValueError) << "there must be a gradient per parameter";
#endif
  REQUIRE(params.size() == velocities.size(), ValueError)
      << "there must be a velocity per parameter";
#if BUG == 2
  double lr = options.count("lr") ? options["lr"].cast<double>() : 0;
#else
  REQUIRE(options.count("lr") == 1, ValueError) << "options must have lr";
  double lr = options["lr"].cast<double>();
#endif
  double momentum = options.count("momentum") ? options["momentum"].cast<double>() : 0;
#if BUG != 3
  for (size_t p = 0; p < params.size(); ++p) {
    ffi::Tensor param = params[p], velocity = velocities[p];
    RequireTensor(param, kFloat32, 1, "a parameter");
#if BUG != 1
    ffi::Tensor grad = grads[p];
    RequireTensor(grad, kFloat32, 1, "a gradient");
    RequireSameShape(param, grad, "parameter and gradient");
#endif
    RequireTensor(velocity, kFloat32, 1, "a velocity");
    RequireSameShape(param, velocity, "parameter and velocity");
  }
#endif
  for (size_t p = 0; p < params.size(); ++p) {
    ffi::Tensor param = params[p], grad = grads[p], velocity = velocities[p];
#if BUG == 3
    RequireTensor(param, kFloat32, 1, "a parameter");
    RequireTensor(grad, kFloat32, 1, "a gradient");
    RequireSameShape(param, grad, "parameter and gradient");
    RequireTensor(velocity, kFloat32, 1, "a velocity");
    RequireSameShape(param, velocity, "parameter and velocity");
#endif
    for (int64_t i = 0; i < Count(param); ++i) {
      float &v = Data<float>(velocity)[i];
#if BUG == 4
      v = static_cast<float>(momentum * v - lr * Data<float>(grad)[i]);
      Data<float>(param)[i] -= v;
#elif BUG == 5
      float change = static_cast<float>(momentum * v + Data<float>(grad)[i]);
      Data<float>(param)[i] -= static_cast<float>(lr * change);
      (void)v;
#else
      v = static_cast<float>(momentum * v + Data<float>(grad)[i]);
      Data<float>(param)[i] -= static_cast<float>(lr * v);
#endif
    }
  }
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd, field::Step);
