// SPDX-License-Identifier: Apache-2.0
// One name, several signatures.
constexpr int64_t kMost = 1000000000000;
Any Fold(ffi::PackedArgs args) {
  REQUIRE(TypeError, args.size() >= 1) << "fold: expected arguments";
  if (auto texts = args[0].try_cast<String>()) {
    std::string out(texts->data(), texts->size());
    for (int i = 1; i < args.size(); ++i) {
      String t = to_string(args[i], "texts");
      out.append(t.data(), t.size());
    }
    return String(out);
  }
  if (args.size() == 1) {
    auto xs = args[0].try_cast<Array<Tensor>>();
    REQUIRE(TypeError, xs.has_value()) << "fold: expected an array of tensors";
    REQUIRE(ValueError, xs->size() >= 1) << "fold: no tensors";
    std::vector<View> v;
    for (size_t i = 0; i < xs->size(); ++i) v.push_back(view((*xs)[i], "xs", {F32}, 1)), same_shape(v[i], v[0], "xs");
    Tensor out = alloc({v[0].numel}, F32);
    for (int64_t j = 0; j < v[0].numel; ++j) {
      double s = 0;
      for (const View& x : v) s += x.as<float>()[j];
      data<float>(out)[j] = float(s);
    }
    return out;
  }
  REQUIRE(TypeError, args.size() == 2) << "fold: expected two numbers";
  if (args[0].type_index() == ffi::TypeIndex::kTVMFFIInt && args[1].type_index() == ffi::TypeIndex::kTVMFFIInt) {
    int64_t a = to_int(args[0], "a"), b = to_int(args[1], "b");
    REQUIRE(ValueError, a >= -kMost && a <= kMost && b >= -kMost && b <= kMost) << "fold: too large";
    return a + b;
  }
  return to_float(args[0], "a") + to_float(args[1], "b");
}
// x * k, where k is a number, one for each column, or left out
Tensor Scale(TensorView x, Optional<Variant<double, Tensor>> k) {
  View v = view(x, "x", {F32, F64}, 2), f;
  double number = 1;
  bool columns = false;
  if (k.has_value()) {
    if (auto t = k.value().as<Tensor>()) {
      f = view(*t, "k", {v.dtype}, 1);
      REQUIRE(ValueError, f.n(0) == v.n(1)) << "k: must have one element for each column";
      columns = true;
    } else {
      number = k.value().get<double>();
    }
  }
  Tensor out = alloc(v.shape, v.dtype);
  View o = view(out, "out", {v.dtype}, 2);
  for (int64_t i = 0; i < v.numel; ++i) store(o, i, load(v, i) * (columns ? load(f, i % v.n(1)) : number));
  return out;
}
Any Total(ffi::PackedArgs args) {
  REQUIRE(TypeError, args.size() >= 1) << "total: expected a number";
  int64_t first = to_int(args[0], "first");
  REQUIRE(ValueError, first >= 0 && first <= 1000) << "first must be from 0 to 1000";
  double sum = double(first);
  for (int i = 1; i < args.size(); ++i) {
    double x = to_float(args[i], "more");
    REQUIRE(ValueError, x >= -1000 && x <= 1000) << "more: must be from -1000 to 1000";
    REQUIRE(ValueError, i > 1 || x > 0) << "more: the first must be positive";
    sum += x;
  }
  return sum;
}
EXPORT_PACKED(fold, Fold);
EXPORT_PACKED(total, Total);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale, Scale);
