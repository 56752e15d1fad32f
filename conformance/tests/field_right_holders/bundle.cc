// SPDX-License-Identifier: Apache-2.0
// rows of several matrices below each other, with a table of contents
Map<String, Any> bundle(Array<Tensor> parts, Map<String, Any> options) {
  for (const auto& kv : options)
    REQUIRE(kv.first == "scale" || kv.first == "label", ValueError, "unknown option: " << kv.first);
  double scale = 1;
  Any given = entry(options, String("scale"));
  if (given != nullptr) {
    auto number = given.try_cast<double>();
    REQUIRE(number.has_value(), TypeError, "scale must be a float");
    scale = *number;
    REQUIRE(scale >= -8 && scale <= 8, ValueError, "scale must lie in [-8, 8]");
  }
  auto label = entry(options, String("label")).try_cast<String>();
  REQUIRE(label.has_value(), TypeError, "label must be a string");
  REQUIRE(*label == "train" || *label == "eval", ValueError, "label must be train or eval");
  REQUIRE(parts.size() > 0, ValueError, "parts must not be empty");
  int64_t rows = 0, d = 0;
  Array<int64_t> offsets{0};
  for (size_t i = 0; i < parts.size(); ++i) {
    Tensor p = parts[i];
    check(dl(p), "an element of parts", {F32}, 2);
    if (i == 0) d = p.size(1);
    REQUIRE(p.size(1) == d, ValueError, "parts must have equally many columns");
    rows += p.size(0);
    offsets.push_back(rows);
  }
  Tensor cat = alloc({rows, d}, F32);
  int64_t at = 0;
  for (Tensor p : parts) {
    for (int64_t i = 0, n = count(dl(p)); i < n; ++i) store(dl(cat), at + i, load(dl(p), i) * scale);
    at += count(dl(p));
  }
  return Map<String, Any>{{"cat", cat}, {"offsets", offsets}, {"rows", rows}, {"label", String(std::string(label->data(), label->size()))}};
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bundle, bundle);
