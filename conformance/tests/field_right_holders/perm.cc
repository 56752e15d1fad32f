// SPDX-License-Identifier: Apache-2.0
// columns in another order; rows of x may lie anywhere
struct Strided {
  const DLTensor* t;
  int64_t s0, s1;
  Strided(const DLTensor* t, const char* name, DLDataType type) : t(t) {
    REQUIRE(t != nullptr, TypeError, name << " must be a tensor, not None");
    REQUIRE(same(t->dtype, type), TypeError, name << " has an unsupported data type");
    REQUIRE(t->device.device_type == kDLCPU, ValueError, name << " must be on the CPU");
    REQUIRE(t->ndim == 2, ValueError, name << " must have 2 dimensions");
    REQUIRE(t->shape[0] >= 0 && t->shape[1] >= 0, ValueError, name << " has a negative extent");
    s0 = t->strides ? t->strides[0] : t->shape[1];
    s1 = t->strides ? t->strides[1] : 1;
  }
};
Tensor permute(Tensor x, Array<int64_t> order, int64_t hint, Optional<Tensor> out) {
  (void)hint;  // for other backends
  Strided a(dl(x), "x", F32);
  int64_t m = x.size(0), n = x.size(1);
  REQUIRE(n <= 1 || m == 0 || a.s1 == 1, ValueError, "elements of a row must lie side by side");
  REQUIRE(static_cast<int64_t>(order.size()) == n, ValueError, "order must have an element for each column");
  std::vector<bool> seen(order.size());
  for (int64_t c : order) {
    REQUIRE(c >= 0 && c < n, IndexError, "order: no column " << c);
    REQUIRE(!seen[c], ValueError, "order: column " << c << " twice");
    seen[c] = true;
  }
  Tensor y;
  if (out.has_value()) {
    y = *out;
    check(dl(y), "out", {F32}, 2);
    REQUIRE(y.size(0) == m && y.size(1) == n, ValueError, "out must be of the shape of x");
  } else {
    y = alloc({m, n}, F32);
  }
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) data<float>(dl(y))[i * n + j] = data<float>(dl(x))[i * a.s0 + order[j] * a.s1];
  return y;
}
void row_sums(Tensor x, Tensor y) {
  Strided a(dl(x), "x", I32);
  check(dl(y), "y", {I64}, 1);
  REQUIRE(y.size(0) == x.size(0), ValueError, "y must have an element for each row");
  for (int64_t i = 0; i < x.size(0); ++i) {
    int64_t sum = 0;
    for (int64_t j = 0; j < x.size(1); ++j) sum += data<int32_t>(dl(x))[i * a.s0 + j * a.s1];
    data<int64_t>(dl(y))[i] = sum;
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(permute, permute);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(row_sums, row_sums);
