// SPDX-License-Identifier: Apache-2.0
using Span = ffi::Tuple<int64_t, int64_t>;
// The least and the greatest number of all spans; None of none.
static ffi::Optional<Span> cover(ffi::Array<Span> spans, ffi::Tuple<int64_t, ffi::String> move) {
  int64_t lo = 0, hi = 0, by = move.get<0>();
  NEED(by >= -50 && by <= 50, ValueError) << "a move is within [-50, 50]";
  ffi::String way = move.get<1>();
  NEED(way == "left" || way == "right", ValueError) << "spans are moved left or right";
  if (way == "left") by = -by;
  bool first = true;
  for (Span s : spans) {
    int64_t a = s.get<0>(), b = s.get<1>();
    NEED(a >= 0 && a <= 100 && b >= 0 && b <= 100, ValueError) << "ends of spans are within [0, 100]";
    NEED(a <= b, ValueError) << "the span (" << a << ", " << b << ") ends before it starts";
    lo = first ? a : std::min(lo, a);
    hi = first ? b : std::max(hi, b);
    first = false;
  }
  if (first) return std::nullopt;
  return Span(lo + by, hi + by);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cover, cover);

static ffi::Map<ffi::String, double> totals(ffi::Map<ffi::String, ffi::Array<double>> groups) {
  ffi::Map<ffi::String, double> sums;
  for (auto entry : groups) {
    double sum = 0;
    for (double v : entry.second) sum += v;
    sums.Set(entry.first, sum);
  }
  return sums;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(totals, totals);

// The sum of the items if they are numbers, else their text.
static ffi::Variant<ffi::String, int64_t> describe(ffi::Array<ffi::Any> items, ffi::Optional<ffi::String> sep) {
  int64_t sum = 0, words = 0, at = 0;
  std::string text, between = sep.has_value() ? std::string(sep.value().data(), sep.value().size()) : ", ";
  for (ffi::Any item : items) {
    if (at++ > 0) text += between;
    if (item.type_index() == ffi::TypeIndex::kTVMFFIInt) {
      int64_t v = item.cast<int64_t>();
      NEED(v >= -1000 && v <= 1000, ValueError) << "numbers are within [-1000, 1000]";
      sum += v;
      text += std::to_string(v);
    } else if (auto word = item.as<ffi::String>()) {
      words++;
      text.append(word->data(), word->size());
    } else {
      REFUSE(TypeError) << "items are ints and strings, not " << item.GetTypeKey();
    }
  }
  if (words == 0) return sum;
  return ffi::String(text);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(describe, describe);

// out = the sum of the tensors that are there.
static void add_all(ffi::Array<ffi::Optional<ffi::Tensor>> xs, ffi::TensorView out) {
  View vo = view(out, "out", {F32}, 1);
  std::vector<double> sum(vo.n, 0.0);
  for (auto x : xs) {
    if (!x.has_value()) continue;
    View v = view(*x, "an element of xs", {F32}, 1);
    NEED(v.n == vo.n, ValueError) << "each of xs must have " << vo.n << " elements";
    for (int64_t i = 0; i < v.n; i++) sum[i] += get<float>(v.at(i));
  }
  for (int64_t i = 0; i < vo.n; i++) put(vo.at(i), static_cast<float>(sum[i]));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_all, add_all);
