// SPDX-License-Identifier: Apache-2.0
// clamp: of a tensor, a number or a list; span: the numbers of a range, called as Python's; join: tensors, one below the other
#define IS(v, KIND) ((v).type_index() == ffi::TypeIndex::kTVMFFI##KIND)
double Float(const ffi::AnyView& v, const char* name) {
  NEED(IS(v, Float) || IS(v, Int), TypeError, name << " must be a number");
  return v.cast<double>();
}
int64_t Int(const ffi::AnyView& v, const char* name) {
  NEED(IS(v, Int), TypeError, name << " must be an int");
  return v.cast<int64_t>();
}
ffi::Any Clamp(ffi::AnyView x, ffi::AnyView lo, ffi::AnyView hi) {
  if (IS(x, Int)) {
    int64_t v = Int(x, "x"), a = Int(lo, "lo"), b = Int(hi, "hi");
    NEED(a <= b, ValueError, "lo must not be above hi");
    return v < a ? a : v > b ? b : v;
  }
  NEED(IS(x, Tensor) || IS(x, DLTensorPtr) || IS(x, Array), TypeError, "x must be a tensor, an int or an array of floats");
  double a = Float(lo, "lo"), b = Float(hi, "hi");
  auto clip = [a, b](double v) { return v < a ? a : v > b ? b : v; };
  if (IS(x, Array)) {
    std::vector<double> in;
    for (ffi::Any e : x.cast<ffi::Array<ffi::Any>>()) in.push_back(Float(e, "an element of x"));
    NEED(a <= b, ValueError, "lo must not be above hi");
    ffi::Array<double> out;
    for (double v : in) out.push_back(clip(v));
    return out;
  }
  Arr t = Check(x.cast<TensorView>(), "x", {F32, F64}, -1, STRIDED);
  NEED(a <= b, ValueError, "lo must not be above hi");
  ffi::Tensor out = New(t.shape, t.code);
  for (int64_t i = 0; i < t.numel; ++i) Store(Data(out) + i * t.item, t.code, clip(Load(t.flat(i), t.code)));
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(clamp, Clamp);

ffi::Any Span(const ffi::AnyView* args, int32_t n) {
  NEED(n >= 1 && n <= 3, TypeError, "span takes 1 to 3 arguments, not " << n);
  int64_t lo = n == 1 ? 0 : Int(args[0], "lo"), hi = Int(args[n == 1 ? 0 : 1], "hi"), step = n == 3 ? Int(args[2], "step") : 1;
  NEED(lo >= -500 && hi <= 500 && lo <= hi, ValueError, "lo and hi must be within -500 and 500, and rise");
  NEED(step >= 1 && step <= 50, ValueError, "step must be within 1 and 50");
  ffi::Array<int64_t> out;
  for (int64_t v = lo; v < hi; v += step) out.push_back(v);
  return out;
}
EXPORT_PACKED(span, Span)

ffi::Any Join(const ffi::AnyView* args, int32_t n) {
  NEED(n >= 2, TypeError, "join takes a scale and one tensor at least");
  double scale = Float(args[0], "scale");
  NEED(scale >= -16 && scale <= 16, ValueError, "scale is not within -16 and 16");
  std::vector<Arr> parts;
  int64_t rows = 0;
  for (int32_t i = 1; i < n; ++i) {
    NEED(IS(args[i], Tensor) || IS(args[i], DLTensorPtr), TypeError, "argument " << i << " must be a tensor");
    parts.push_back(Check(args[i].cast<TensorView>(), "a part", {F32, BF16}, 2, ROWS));
    SameType(parts.back(), parts[0], "a part");
    NEED(parts.back().shape[1] == parts[0].shape[1], ValueError, "all parts must have as many columns");
    rows += parts.back().shape[0];
  }
  ffi::Tensor out = New({rows, parts[0].shape[1]}, parts[0].code);
  char* o = Data(out);
  for (const Arr& p : parts)
    for (int64_t i = 0; i < p.shape[0]; ++i)
      for (int64_t j = 0; j < p.shape[1]; ++j, o += p.item) Store(o, p.code, Load(p.at(i, j), p.code) * scale);
  return out;
}
EXPORT_PACKED(join, Join)
