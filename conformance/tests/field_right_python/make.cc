// SPDX-License-Identifier: Apache-2.0
static ffi::Tensor full(ffi::Shape shape, ffi::AnyView value, DLDataType dtype, DLDevice device) {
  NEED(shape.size() <= 8, ValueError) << "up to 8 extents are made";
  std::vector<int64_t> s(shape.begin(), shape.end());
  for (auto e : s) NEED(e >= 0 && e <= 64, ValueError) << "the extent " << e << " is not within [0, 64]";
  int64_t n = count(s);
  NEED(n <= 4096, ValueError) << "up to 4096 elements are made";
  bool whole = value.type_index() == ffi::TypeIndex::kTVMFFIInt;
  NEED(whole || value.type_index() == ffi::TypeIndex::kTVMFFIFloat, TypeError)
      << "value must be a number, not " << value.GetTypeKey();
  double v = value.cast<double>();
  NEED(v >= -100 && v <= 100, ValueError) << "value must be within [-100, 100]";
  NEED(one_of(dtype, {F32, I32, BF16}), TypeError) << "no tensors of " << dtype << " are made";
  NEED(whole || dtype != I32, TypeError) << "elements of int32 are whole numbers";
  NEED(device.device_type == kDLCPU && device.device_id == 0, ValueError) << "tensors are made on the CPU";
  ffi::Tensor y = alloc(s, dtype);
  View vy = view(y, "y", {dtype});
  for (int64_t i = 0; i < n; i++) store(dtype, vy.at(i), v);
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(full, full);

static ffi::Shape row_strides(ffi::Shape extents) {
  NEED(extents.size() <= 8, ValueError) << "up to 8 extents are taken";
  std::vector<int64_t> s(extents.size());
  int64_t step = 1;
  for (size_t i = s.size(); i-- > 0;) {
    NEED(extents[i] >= 1 && extents[i] <= 40, ValueError) << "the extent " << extents[i] << " is not within [1, 40]";
    s[i] = step;
    step *= extents[i];
  }
  return ffi::Shape(s);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(row_strides, row_strides);

// y[i] = (x[i], i), of the shape that s states.
static ffi::Tensor number_rows(ffi::TensorView x, ffi::Shape s) {
  View vx = view(x, "x", {I32}, 1);
  NEED(s.size() == 2 && s[0] == vx.n && s[1] == 2, ValueError) << "the shape must be (" << vx.n << ", 2)";
  ffi::Tensor y = alloc({vx.n, 2}, I32);
  View vy = view(y, "y", {I32});
  for (int64_t i = 0; i < vx.n; i++) {
    put(vy.at(2 * i), get<int32_t>(vx.at(i)));
    put(vy.at(2 * i + 1), static_cast<int32_t>(i));
  }
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(number_rows, number_rows);

static bool same_type(DLDataType a, DLDataType b) { return a == b; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same_type, same_type);

static int64_t staging(DLDevice device, ffi::TensorView x) {
  View v = view(x, "x", {F32, I32}, 1);
  NEED((device.device_type == kDLCPU || device.device_type == kDLCUDA) && device.device_id == 0, ValueError)
      << "device must be cpu or cuda";
  return device.device_type == kDLCPU ? 0 : v.n * v.item;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(staging, staging);
