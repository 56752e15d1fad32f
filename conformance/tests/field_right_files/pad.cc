// SPDX-License-Identifier: Apache-2.0
// Elements before and behind a vector: how many is one number for both, two numbers, a shape, or None for none.
#define IS(v, KIND) ((v).type_index() == ffi::TypeIndex::kTVMFFI##KIND)
ffi::Tensor Pad(TensorView xt, ffi::AnyView pads, ffi::String mode, ffi::Optional<double> value) {
  Arr x = Check(xt, "x", {F32, F16, I32}, 1, STRIDED);
  int64_t before = 0, behind = 0, n = x.shape[0];
  if (IS(pads, Int)) before = behind = pads.cast<int64_t>();
  else if (IS(pads, Shape)) {
    auto s = pads.cast<ffi::Shape>();
    NEED(s.size() == 2, ValueError, "pads must be two numbers");
    before = s[0], behind = s[1];
  } else if (IS(pads, Array)) {
    auto a = pads.cast<ffi::Array<ffi::Any>>();
    NEED(a.size() == 2, ValueError, "pads must be two numbers");
    NEED(IS(a[0], Int) && IS(a[1], Int), TypeError, "pads must be ints");
    before = a[0].cast<int64_t>(), behind = a[1].cast<int64_t>();
  } else NEED(IS(pads, None), TypeError, "pads must be an int, two ints, a shape or None");
  NEED(before >= 0 && before <= 64 && behind >= 0 && behind <= 64, ValueError, "pads must be within 0 and 64");
  NEED(mode == "constant" || mode == "edge", ValueError, "mode must be constant or edge");
  NEED(mode == "constant" || n > 0, ValueError, "no edge to repeat");
  NEED(mode == "constant" || !value.has_value(), ValueError, "an edge has no value");
  double v = value.has_value() ? value.value() : 0;
  NEED(v >= -128 && v <= 127, ValueError, "value is not within -128 and 127");
  NEED(x.code != I32 || v == std::floor(v), ValueError, "value must be whole");
  ffi::Tensor out = New({before + n + behind}, x.code);
  char* o = Data(out);
  for (int64_t i = -before; i < n + behind; ++i, o += x.item) {
    bool inside = i >= 0 && i < n;
    if (inside || mode == "edge") std::memcpy(o, x.at(i < 0 ? 0 : i < n ? i : n - 1), x.item);
    else Store(o, x.code, v);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad, Pad);

int64_t SumBytes(ffi::Bytes data) {
  int64_t sum = 0;
  for (size_t i = 0; i < data.size(); ++i) sum += uint8_t(data.data()[i]);
  return sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum_bytes, SumBytes);

int64_t Tally(ffi::Map<ffi::String, int64_t> table, DLDevice device) {
  NEED(device.device_type == kDLCPU && device.device_id == 0, ValueError, "the device must be the CPU");
  int64_t sum = 0;
  for (auto kv : table) {
    NEED(kv.second >= 0 && kv.second <= 1000, ValueError, "a count is not within 0 and 1000");
    sum += kv.second;
  }
  return sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tally, Tally);
