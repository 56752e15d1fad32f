// SPDX-License-Identifier: Apache-2.0
// Any number of matrices beside or below each other.
Any Cat(ffi::PackedArgs args) {
  REQUIRE(TypeError, args.size() >= 1) << "cat: expected an axis";
  int64_t axis = to_int(args[0], "axis");
  REQUIRE(ValueError, axis == 0 || axis == 1) << "axis must be 0 or 1";
  REQUIRE(ValueError, args.size() >= 2) << "cat: expected a matrix";
  std::vector<View> v;
  int64_t rows = 0, columns = 0;
  for (int i = 1; i < args.size(); ++i) {
    auto t = args[i].try_cast<TensorView>();
    REQUIRE(TypeError, t.has_value()) << "parts: must be tensors";
    v.push_back(view(*t, "parts", {F32, I32}, 2));
    same_dtype(v.back(), v[0], "parts");
    REQUIRE(ValueError, v.back().n(1 - int(axis)) == v[0].n(1 - int(axis))) << "parts do not fit";
    rows += v.back().n(0), columns += v.back().n(1);
  }
  if (axis == 0) columns = v[0].n(1);
  else rows = v[0].n(0);
  Tensor out = alloc({rows, columns}, v[0].dtype);
  uint32_t* to = data<uint32_t>(out);
  int64_t r = 0, c = 0;
  for (const View& part : v) {
    for (int64_t i = 0; i < part.n(0); ++i)
      for (int64_t j = 0; j < part.n(1); ++j) to[(r + i) * columns + c + j] = part.as<uint32_t>()[i * part.n(1) + j];
    if (axis == 0) r += part.n(0);
    else c += part.n(1);
  }
  return out;
}
// a vector of one number, of a type and on a device that are named
Tensor Full(int64_t n, double value, DLDataType dtype, DLDevice device) {
  REQUIRE(ValueError, n >= 0 && n <= 4096) << "n must be from 0 to 4096";
  REQUIRE(ValueError, dtype == F32 || dtype == F16 || dtype == BF16) << "dtype is not supported";
  REQUIRE(ValueError, device.device_type == kDLCPU && device.device_id == 0) << "device must be cpu";
  REQUIRE(ValueError, value >= -1000 && value <= 1000) << "value must be from -1000 to 1000";
  Tensor out = alloc({n}, dtype);
  View o = view(out, "out", {dtype}, 1);
  for (int64_t i = 0; i < n; ++i) store(o, i, value);
  return out;
}
EXPORT_PACKED(cat, Cat);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(full, Full);
