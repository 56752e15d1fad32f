// SPDX-License-Identifier: Apache-2.0
// out[i] = x[i] * table[ids[i]]: one expert for each row
Tensor Route(TensorView x, Array<int64_t> ids, Map<int64_t, Tensor> table, bool strict) {
  View v = view(x, "x", {F32}, 2);
  REQUIRE(ValueError, int64_t(ids.size()) == v.n(0)) << "ids: one for each row";
  int64_t d = v.n(1);
  for (int64_t id : ids) REQUIRE(ValueError, id >= 0 && id <= 7) << "ids must be from 0 to 7";
  std::vector<View> experts(8);
  for (auto [key, t] : table) {
    View e = view(t, "table", {F32}, 1);
    REQUIRE(ValueError, e.n(0) == d) << "table: experts have the length of rows";
    if (key >= 0 && key <= 7) experts[key] = e;
  }
  std::vector<const float*> chosen;
  for (int64_t id : ids) {
    bool there = table.count(id) != 0;
    REQUIRE(KeyError, there || !strict) << "no expert " << id;
    chosen.push_back(there ? experts[id].as<float>() : nullptr);
  }
  Tensor out = alloc(v.shape, F32);
  for (int64_t i = 0; i < v.n(0); ++i)
    for (int64_t j = 0; j < d; ++j) data<float>(out)[i * d + j] = chosen[i] ? v.as<float>()[i * d + j] * chosen[i][j] : 0;
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(route, Route);
