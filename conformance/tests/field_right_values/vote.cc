// SPDX-License-Identifier: Apache-2.0
// Nested containers: for each voter a list of (candidate, weight).
Tuple<Tensor, Map<String, int64_t>> Vote(Map<String, Array<Tuple<int64_t, double>>> ballots, int64_t n, Map<String, Any> options) {
  REQUIRE(ValueError, n >= 1 && n <= 64) << "n must be from 1 to 64";
  bool share = false;
  double cap = INFINITY;
  for (auto [key, value] : options) {
    if (key == "share") {
      REQUIRE(TypeError, value.type_index() == ffi::TypeIndex::kTVMFFIBool) << "share: must be a bool";
      share = value.cast<bool>();
    } else if (key == "cap") {
      cap = to_float(value, "cap");
      REQUIRE(ValueError, cap >= 0 && cap <= 10) << "cap must be from 0 to 10";
    } else {
      TVM_FFI_THROW(ValueError) << "unknown option " << key;
    }
  }
  std::vector<double> sums(n, 0);
  Map<String, int64_t> counts;
  double all = 0;
  for (auto [name, ballot] : ballots) {
    for (auto entry : ballot) {
      int64_t who = entry.get<0>();
      double weight = entry.get<1>();
      REQUIRE(IndexError, who >= 0 && who < n) << "no candidate " << who;
      REQUIRE(ValueError, weight >= 0 && weight <= 100) << "weights must be from 0 to 100";
      weight = std::min(weight, cap);
      sums[who] += weight, all += weight;
    }
    counts.Set(name, int64_t(ballot.size()));
  }
  REQUIRE(ValueError, !share || all > 0) << "no votes to share";
  Tensor out = alloc({n}, F64);
  for (int64_t i = 0; i < n; ++i) data<double>(out)[i] = share ? sums[i] / all : sums[i];
  return Tuple<Tensor, Map<String, int64_t>>(out, counts);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vote, Vote);
