// SPDX-License-Identifier: Apache-2.0
// A tensor or a number, times a number; and a product of two tensors of which only some pairs of types are served.
static ffi::Any scale(ffi::Variant<ffi::Tensor, double> x_, double k) {
  if (auto f = x_.as<double>()) return *f * k;
  auto tensor = x_.as<ffi::Tensor>();
  NEED(tensor && tensor->defined(), TypeError, "x: expected a tensor or a number");
  View x(*tensor, "x");
  x.cpu().type({F32, F64});
  ffi::Tensor out = make(tensor->shape(), x.dtype());
  for (int64_t i = 0, n = x.numel(); i < n; ++i) {
    int64_t o = x.at(i, x.nd());
    if (x.dtype() == F32) static_cast<float*>(out.data_ptr())[i] = float(double(x.p<float>()[o]) * k);
    else static_cast<double*>(out.data_ptr())[i] = x.p<double>()[o] * k;
  }
  return out;
}

static double dot(ffi::TensorView x_, ffi::TensorView y_) {
  View x(x_, "x"), y(y_, "y");
  x.cpu().type({F32, F16}).rank(1).contiguous();
  y.cpu().type({F32, I8}).rank(1).extent(0, x.n(0)).contiguous();
  NEED((x.dtype() == F32) == (y.dtype() == F32), TypeError, "y: data type " << y.dtype() << " with " << x.dtype());
  double s = 0;
  for (int64_t i = 0; i < x.n(0); ++i)
    s += x.dtype() == F32 ? double(x.p<float>()[i]) * double(y.p<float>()[i]) : get(x.p<half_t>()[i]) * double(y.p<int8_t>()[i]);
  return s;
}

// Looks at neither the extents (the shorter one counts) nor the number of rounds (as many as 0 to 10).
static void decay(ffi::TensorView x_, ffi::TensorView y_, int64_t rounds) {
  View x(x_, "x"), y(y_, "y");
  x.cpu().type({F64}).rank(1).contiguous();
  y.cpu().type({F64}).rank(1).contiguous();
  double k = std::ldexp(1.0, -static_cast<int>(std::clamp<int64_t>(rounds, 0, 10)));
  for (int64_t i = 0, n = std::min(x.n(0), y.n(0)); i < n; ++i) y.p<double>()[i] = y.p<double>()[i] * k + x.p<double>()[i];
}

static ffi::Tensor ramp(int64_t n, DLDataType type, DLDevice device) {
  NEED(device.device_type == kDLCPU && device.device_id == 0, ValueError, "device: only cpu");
  NEED(type == F32 || type == I32, TypeError, "type: " << type << " is not supported");
  NEED(n >= 0 && n <= 100000, ValueError, "n: expected 0 to 100000, got " << n);
  ffi::Tensor out = make({n}, type);
  for (int64_t i = 0; i < n; ++i) {
    if (type == F32) static_cast<float*>(out.data_ptr())[i] = float(i);
    else static_cast<int32_t*>(out.data_ptr())[i] = int32_t(i);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, scale);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dot, dot);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(decay, decay);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ramp, ramp);
