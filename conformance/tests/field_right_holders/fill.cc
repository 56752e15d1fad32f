// SPDX-License-Identifier: Apache-2.0
// shapes, data types and devices as values
static bool known(DLDataType t) { return same(t, F32) || same(t, F16) || same(t, BF16) || same(t, I32); }
Tensor fill(ffi::Shape s, double value, DLDataType dtype, DLDevice device) {
  REQUIRE(known(dtype), TypeError, "dtype must be float32, float16, bfloat16 or int32");
  REQUIRE(device.device_type == kDLCPU && device.device_id == 0, ValueError, "device must be cpu");
  REQUIRE(value >= -1000 && value <= 1000, ValueError, "value must lie in [-1000, 1000]");
  REQUIRE(s.size() <= 8, ValueError, "up to 8 dimensions");
  int64_t n = 1;
  for (int64_t e : s) {
    REQUIRE(e >= 0 && e <= 64, ValueError, "an extent must lie in [0, 64]");
    n *= e;
  }
  REQUIRE(n <= 1 << 20, ValueError, "up to 1048576 elements");
  Tensor y = alloc(std::vector<int64_t>(s.begin(), s.end()), dtype);
  threads(n, [&](int64_t i) { store(dl(y), i, value); });
  return y;
}
DLDataType promote(DLDataType a, DLDataType b) {
  REQUIRE(known(a) && known(b), TypeError, "promote: unknown data type");
  if (same(a, b)) return a;
  if (same(a, I32)) return b;
  if (same(b, I32)) return a;
  return F32;
}
int64_t itemsize(DLDataType t, Optional<DLDevice> where) {
  REQUIRE(known(t), TypeError, "itemsize: unknown data type");
  REQUIRE(!where.has_value() || ((*where).device_id == 0 && ((*where).device_type == kDLCPU || (*where).device_type == kDLCUDA)), ValueError, "itemsize: cpu or cuda");
  return t.bits / 8;
}
DLDevice home(Array<DLDevice> devices) {
  REQUIRE(devices.size() > 0, ValueError, "no devices");
  return devices[0];
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill, fill);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(promote, promote);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(itemsize, itemsize);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(home, home);
