// SPDX-License-Identifier: Apache-2.0
// out[k] = the sum, mean or maximum of x[at[k] : at[k + 1]], times a scale.
static void segments(ffi::TensorView x, ffi::TensorView at, ffi::Map<ffi::String, ffi::Any> options, ffi::TensorView out,
                     ffi::Optional<ffi::TensorView> counts) {
  View vx = view(x, "x", {F32, F64}, 1, kStrided);
  View va = view(at, "at", {I32}, 1);
  View vo = view(out, "out", {vx.dt}, 1);
  std::string mode, empty = "zero";
  bool has_mode = false;
  double scale = 1;
  for (auto entry : options) {
    ffi::String key = entry.first;
    if (key == "mode" || key == "empty") {
      auto text = entry.second.try_cast<ffi::String>();
      NEED(text.has_value(), TypeError) << key << " must be a string";
      (key == "mode" ? mode : empty) = std::string(text->data(), text->size());
      has_mode |= key == "mode";
    } else if (key == "scale") {
      NEED(entry.second.type_index() == ffi::TypeIndex::kTVMFFIFloat ||
               entry.second.type_index() == ffi::TypeIndex::kTVMFFIInt, TypeError) << "scale must be a number";
      scale = entry.second.cast<double>();
    } else {
      REFUSE(KeyError) << "unknown option " << std::string(key.data(), key.size());
    }
  }
  NEED(has_mode, KeyError) << "the option mode is missing";
  NEED(mode == "sum" || mode == "mean" || mode == "max", ValueError) << "mode must be sum, mean or max";
  NEED(empty == "zero" || empty == "refuse", ValueError) << "empty must be zero or refuse";
  NEED(scale >= 0 && scale <= 8, ValueError) << "scale must be within [0, 8]";
  NEED(va.n >= 1, ValueError) << "at must have an element";
  int64_t m = va.n - 1;
  NEED(vo.n == m, ValueError) << "out must have " << m << " elements";
  View vc;
  if (counts.has_value()) {
    vc = view(*counts, "counts", {I32}, 1);
    NEED(vc.n == m, ValueError) << "counts must have " << m << " elements";
  }
  std::vector<int64_t> a(va.n);
  for (int64_t k = 0; k <= m; k++) {
    a[k] = get<int32_t>(va.at(k));
    NEED(k == 0 ? a[k] == 0 : a[k] >= a[k - 1], ValueError) << "at must start with 0 and not fall";
    NEED(empty == "zero" || k == 0 || a[k] > a[k - 1], ValueError) << "segment " << k - 1 << " is empty";
  }
  NEED(a[m] == vx.n, ValueError) << "at must end with " << vx.n;
  for (int64_t k = 0; k < m; k++) {
    int64_t length = a[k + 1] - a[k];
    double v = 0;
    for (int64_t j = a[k]; j < a[k + 1]; j++) {
      double e = load(vx.dt, vx.at(j * vx.stride[0]));
      if (mode != "max") v += e;
      else if (j == a[k] || e > v || std::isnan(e)) v = e;
      else if (std::isnan(v)) continue;
    }
    if (mode == "mean" && length > 0) v /= static_cast<double>(length);
    store(vo.dt, vo.at(k), v * scale);
    if (counts.has_value()) put(vc.at(k), static_cast<int32_t>(length));
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(segments, segments);
