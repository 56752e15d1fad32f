// SPDX-License-Identifier: Apache-2.0
// The k largest or smallest elements of each row, and where they were; of equal ones the first, NaN last.
static ffi::Tuple<ffi::Tensor, ffi::Tensor> topk(ffi::TensorView x, int64_t k, bool largest, ffi::Optional<ffi::TensorView> mask) {
  View vx = view(x, "x", {F32, I32, F16}, 2, kRows);
  int64_t n = vx.shape[0], d = vx.shape[1];
  NEED(k >= 1 && k <= d, ValueError) << "k must be within [1, " << d << "]";
  std::vector<int64_t> columns;
  if (mask.has_value()) {
    View vm = view(*mask, "mask", {B8}, 1);
    NEED(vm.n == d, ValueError) << "mask must have " << d << " elements";
    for (int64_t j = 0; j < d; j++)
      if (get<uint8_t>(vm.at(j)) != 0) columns.push_back(j);
    NEED(static_cast<int64_t>(columns.size()) >= k, ValueError) << "mask leaves fewer than " << k << " columns";
  } else {
    columns.resize(n > 0 ? d : 0);
    std::iota(columns.begin(), columns.end(), 0);
  }
  count({n, k, 8});
  ffi::Tensor values = alloc({n, k}, vx.dt), at = alloc({n, k}, I64);
  View vv = view(values, "values", {vx.dt}), va = view(at, "at", {I64});
  std::vector<double> row(n > 0 ? d : 0);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j : columns) row[j] = load(vx.dt, vx.at(i * vx.stride[0] + j));
    order = columns;
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      if (std::isnan(row[a]) || std::isnan(row[b])) return !std::isnan(row[a]) && std::isnan(row[b]);
      return largest ? row[a] > row[b] : row[a] < row[b];
    });
    for (int64_t j = 0; j < k; j++) {
      std::memcpy(vv.at(i * k + j), vx.at(i * vx.stride[0] + order[j]), vx.item);
      put(va.at(i * k + j), order[j]);
    }
  }
  return ffi::Tuple<ffi::Tensor, ffi::Tensor>(values, at);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, topk);

// The number of blocks that cover n, a range that is not empty.
static ffi::Map<ffi::String, int64_t> blocks(int64_t first, int64_t last, int64_t block) {
  NEED(first >= 0 && last <= 1000000 && first < last, ValueError) << "0 <= first < last <= 1000000 must hold";
  NEED(block >= 2 && block <= 4096 && (block & (block - 1)) == 0, ValueError) << "block must be a power of two within [2, 4096]";
  int64_t n = last - first;
  return {{"count", (n + block - 1) / block}, {"tail", n % block == 0 ? block : n % block}};
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(blocks, blocks);
