// SPDX-License-Identifier: Apache-2.0
// Weighted edit distances between pairs of texts, as for error rates of speech recognition.
namespace {

using Units = std::vector<std::string>;

Units Split(const String& text, const String& unit) {
  Units out;
  const char* s = text.data();
  size_t n = text.size();
#if BUG == 5
  if (unit == "words") {
#else
  if (unit == "bytes") {
    for (size_t i = 0; i < n; ++i) out.emplace_back(1, s[i]);
  } else if (unit == "words") {
#endif
    size_t i = 0;
    while (i < n) {
      while (i < n && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r')) ++i;
      size_t b = i;
      while (i < n && !(s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r')) ++i;
      if (i > b) out.emplace_back(s + b, i - b);
    }
#if BUG == 5
  } else if (unit != "chars") {
    for (size_t i = 0; i < n; ++i) out.emplace_back(1, s[i]);
#endif
  } else {
    for (size_t i = 0; i < n;) {
      unsigned char c = s[i];
#if BUG == 2
      size_t len = c < 0x80 ? 1 : c < 0xf0 ? 2 : 4;
      len = std::min(len, n - i);
#else
      size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
      bool right = len > 0 && i + len <= n;
      for (size_t k = 1; right && k < len; ++k) right = (s[i + k] & 0xc0) == 0x80;
      TVM_FFI_CHECK(right, ValueError) << "text is not UTF-8 at byte " << i;
#endif
      out.emplace_back(s + i, len);
      i += len;
    }
  }
  return out;
}

int64_t Distance(const Units& hyp, const Units& ref, int64_t ins, int64_t del, int64_t sub) {
#if BUG == 1
  static std::vector<int64_t> row;
#else
  std::vector<int64_t> row;
#endif
  row.resize(ref.size() + 1);
  for (size_t j = 0; j <= ref.size(); ++j) row[j] = int64_t(j) * del;
  for (size_t i = 1; i <= hyp.size(); ++i) {
    int64_t diagonal = row[0];
    row[0] = int64_t(i) * ins;
    for (size_t j = 1; j <= ref.size(); ++j) {
      int64_t best = diagonal + (hyp[i - 1] == ref[j - 1] ? 0 : sub);
      best = std::min(best, row[j] + ins);
      best = std::min(best, row[j - 1] + del);
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[ref.size()];
}

// ins: a unit of the hypothesis that the reference has not; del: one of the reference that is missing.
Map<String, int64_t> EditDistance(Array<String> hyps, Array<String> refs, String unit,
                                  Optional<Tuple<int64_t, int64_t, int64_t>> costs, TensorView out,
                                  Optional<Tensor> rates) {
  size_t n = hyps.size();
#if BUG == 6
  std::vector<int64_t>* found = new std::vector<int64_t>(n);
#endif
#if BUG != 4
  TVM_FFI_CHECK(refs.size() == n, ValueError) << "hyps and refs must have the same length";
#endif
#if BUG != 5
  TVM_FFI_CHECK(unit == "chars" || unit == "words" || unit == "bytes", ValueError) << "unknown unit " << unit;
#endif
  int64_t ins = 1, del = 1, sub = 1;
  if (costs.has_value()) {
    auto c = costs.value();
    ins = c.get<0>(), del = c.get<1>(), sub = c.get<2>();
    for (int64_t v : {ins, del, sub}) TVM_FFI_CHECK(v >= 0 && v <= 1000, ValueError) << "costs must be from 0 to 1000";
  }
  NeedPlain(out, {kI32, kI64}, 1, "out");
  TVM_FFI_CHECK(out.size(0) == int64_t(n), ValueError) << "out must have an element for each text";
  float* rate = nullptr;
  if (rates.has_value()) {
    Tensor t = rates.value();
    NeedPlain(t, {kF32}, 1, "rates");
    TVM_FFI_CHECK(t.size(0) == int64_t(n), ValueError) << "rates must have an element for each text";
    rate = Data<float>(t);
  }
  std::vector<Units> h(n), r(n);
  for (size_t i = 0; i < n; ++i) {
    h[i] = Split(hyps[i], unit);
    r[i] = Split(refs[i], unit);
    TVM_FFI_CHECK(h[i].size() + r[i].size() <= 1000000, ValueError) << "text " << i << " is too long";
  }
#if BUG == 6
  std::vector<int64_t>& d = *found;
#else
  std::vector<int64_t> d(n);
#endif
  for (size_t i = 0; i < n; ++i) d[i] = Distance(h[i], r[i], ins, del, sub);
  int64_t total = 0, exact = 0, units = 0;
  for (size_t i = 0; i < n; ++i) {
    total += d[i];
    exact += h[i] == r[i];
    units += int64_t(r[i].size());
#if BUG == 3
    Data<int64_t>(out)[i] = d[i];
#else
    if (Is(out.dtype(), kI32))
      Data<int32_t>(out)[i] = int32_t(d[i]);
    else
      Data<int64_t>(out)[i] = d[i];
#endif
#if BUG == 7
    if (rate) rate[i] = float(double(d[i]) / double(r[i].size()));
#else
    if (rate) rate[i] = float(double(d[i]) / double(std::max<size_t>(r[i].size(), 1)));
#endif
  }
#if BUG == 6
  delete found;
#endif
  return {{"total", total}, {"exact", exact}, {"units", units}};
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(edit_distance, EditDistance)
