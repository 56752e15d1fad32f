// SPDX-License-Identifier: Apache-2.0
// alpha * a @ b by square blocks, with a function for each block size of the table.
namespace {
using namespace kit;

template <typename T, int B>
void multiply(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, double alpha) {
  double sum[B][B];
  for (int64_t i = 0; i < m; i += B) {
    for (int64_t j = 0; j < n; j += B) {
      for (auto& row : sum) std::fill(row, row + B, 0.0);
      for (int64_t p = 0; p < k; p += B) {
        for (int x = 0; x < B; ++x) {
          for (int z = 0; z < B; ++z) {
            double left = double(a[(i + x) * k + p + z]);
            const T* right = b + (p + z) * n + j;
            for (int y = 0; y < B; ++y) sum[x][y] += left * double(right[y]);
          }
        }
      }
      for (int x = 0; x < B; ++x) {
        for (int y = 0; y < B; ++y) c[(i + x) * n + j + y] = T(alpha * sum[x][y]);
      }
    }
  }
}

template <typename T>
struct Entry {
  int64_t block;
  void (*run)(const T*, const T*, T*, int64_t, int64_t, int64_t, double);
};

template <typename T>
constexpr Entry<T> kTable[] = {
    {8, multiply<T, 8>},
    {16, multiply<T, 16>},
    {32, multiply<T, 32>},
};

template <typename T>
ffi::Tensor of_type(const TensorView& a, const TensorView& b, int64_t block, double alpha) {
  const T* left = elements<T>(a, "a", 2);
  const T* right = elements<T>(b, "b", 2);
  int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  if (b.size(0) != k) TVM_FFI_THROW(ValueError) << "inner extents: " << k << " and " << b.size(0);
  for (const Entry<T>& e : kTable<T>) {
    if (e.block != block) continue;
    if (m % block) TVM_FFI_THROW(ValueError) << "m is not a multiple of " << block;
    if (k % block) TVM_FFI_THROW(ValueError) << "k is not a multiple of " << block;
    if (n % block) TVM_FFI_THROW(ValueError) << "n is not a multiple of " << block;
    if (!m || !n || !k) TVM_FFI_THROW(ValueError) << "an extent is 0";
    ffi::Tensor c = make<T>({m, n});
    e.run(left, right, fresh<T>(c), m, k, n, alpha);
    return c;
  }
  TVM_FFI_THROW(NotImplementedError) << "no kernel for blocks of " << block;
  TVM_FFI_UNREACHABLE();
}

ffi::Tensor block_matmul(TensorView a, TensorView b, int64_t block, ffi::Optional<double> alpha) {
  double by = alpha.has_value() ? alpha.value() : 1.0;
  if (!std::isfinite(by)) TVM_FFI_THROW(ValueError) << "alpha must be finite";
  if (std::fabs(by) > 1000) TVM_FFI_THROW(ValueError) << "alpha is beyond 1000";
  if (holds<double>(a)) return of_type<double>(a, b, block, by);
  return of_type<float>(a, b, block, by);
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_matmul, block_matmul);
