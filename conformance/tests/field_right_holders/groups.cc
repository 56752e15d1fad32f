// SPDX-License-Identifier: Apache-2.0
// nested containers of indexes; tables with numbers as keys
Array<double> group_sums(TensorView x, Array<Array<int64_t>> groups) {
  Raw raw(x);
  check(raw, "x", {F32}, 1);
  const DLTensor* t = &raw;
  Array<double> out;
  for (const auto& group : groups) {
    double sum = 0;
    for (int64_t i : group) {
      REQUIRE(i >= 0 && i < t->shape[0], IndexError, "index " << i << " is out of range");
      sum += load(t, i);
    }
    out.push_back(sum);
  }
  return out;
}
// how many numbers stand under each of the keys, and the greatest of them
ffi::Tuple<Array<int64_t>, ffi::Tuple<bool, Optional<double>>> lookup(Map<int64_t, Array<double>> table, Array<int64_t> keys) {
  Array<int64_t> counts;
  Optional<double> greatest;
  for (int64_t k : keys) {
    auto it = table.find(k);
    REQUIRE(it != table.end(), KeyError, "no key " << k);
    Array<double> row = (*it).second;
    counts.push_back(static_cast<int64_t>(row.size()));
    for (double v : row)
      if (!greatest.has_value() || v > *greatest) greatest = v;
  }
  return ffi::Tuple<Array<int64_t>, ffi::Tuple<bool, Optional<double>>>(counts, ffi::Tuple<bool, Optional<double>>(greatest.has_value(), greatest));
}
// the sum of a span of x: (first, last), where None is the end
int64_t span_sum(Array<int64_t> x, ffi::Tuple<int64_t, Optional<int64_t>> span) {
  int64_t n = static_cast<int64_t>(x.size()), a = span.get<0>(), b = span.get<1>().value_or(n);
  REQUIRE(a >= 0 && a <= n, IndexError, "the span begins outside");
  REQUIRE(b >= a && b <= n, IndexError, "the span ends outside");
  uint64_t sum = 0;
  for (int64_t i = a; i < b; ++i) {
    REQUIRE(x[i] >= -1000000 && x[i] <= 1000000, ValueError, "an element is too large");
    sum += static_cast<uint64_t>(x[i]);
  }
  for (int64_t v : x) REQUIRE(v >= -1000000 && v <= 1000000, ValueError, "an element is too large");
  return static_cast<int64_t>(sum);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(group_sums, group_sums);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lookup, lookup);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(span_sum, span_sum);
