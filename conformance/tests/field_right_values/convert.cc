// SPDX-License-Identifier: Apache-2.0
// Data types and devices as arguments.
inline void cpu(DLDevice d) { REQUIRE(ValueError, d.device_type == kDLCPU && d.device_id == 0) << "device must be cpu"; }
inline void known(DLDataType t, std::initializer_list<DLDataType> all, const char* name) {
  for (DLDataType a : all)
    if (a == t) return;
  TVM_FFI_THROW(ValueError) << name << ": " << ffi::DLDataTypeToString(t) << " is not supported";
}
Tensor Convert(TensorView x, DLDataType to, Optional<DLDevice> device) {
  View v = view(x, "x", {F32, F16, BF16, I32}, -1, kStrided);
  known(to, {F32, F16, BF16, I32, U8, F64}, "to");
  if (device.has_value()) cpu(device.value());
  Tensor out = alloc(v.shape, to);
  View o;
  o.dtype = to, o.data = data<char>(out);
  std::vector<int64_t> at(v.shape.size(), 0);
  for (int64_t i = 0, from = 0; i < v.numel; ++i) {
    double d = load(v, from);
    if (to == I32 || to == U8) {
      int64_t whole = d >= -0x1p63 && d < 0x1p63 ? static_cast<int64_t>(d) : 0;  // NaN and infinity: 0
      if (to == I32) o.as<int32_t>()[i] = static_cast<int32_t>(whole);
      else o.as<uint8_t>()[i] = static_cast<uint8_t>(whole);
    } else {
      store(o, i, d);
    }
    for (int k = int(at.size()) - 1; k >= 0; --k) {
      from += v.strides[k];
      if (++at[k] < v.shape[k]) break;
      from -= at[k] * v.strides[k];
      at[k] = 0;
    }
  }
  return out;
}
int64_t Bits(DLDataType d) {
  known(d, {F32, F16, BF16, I32, I8, BOOL}, "d");
  return d.bits;
}
Tensor Ramp(Shape s, DLDataType dtype, DLDevice device, double step) {
  REQUIRE(ValueError, s.size() == 2) << "s must have two extents";
  for (int64_t e : s) REQUIRE(ValueError, e >= 0 && e <= 256) << "s: extents must be from 0 to 256";
  known(dtype, {F32, F64}, "dtype");
  cpu(device);
  REQUIRE(ValueError, step >= -8 && step <= 8) << "step must be from -8 to 8";
  Tensor out = alloc({s[0], s[1]}, dtype);
  View o;
  o.dtype = dtype, o.data = data<char>(out);
  for (int64_t i = 0; i < s[0] * s[1]; ++i) store(o, i, double(i) * step);
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(convert, Convert);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bits, Bits);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ramp, Ramp);
