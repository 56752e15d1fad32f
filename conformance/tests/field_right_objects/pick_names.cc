// SPDX-License-Identifier: Apache-2.0
// k of the names, at random, none of them twice; in no particular order.
namespace {

using namespace tvm::ffi;

std::mt19937_64& Generator() {
  thread_local std::mt19937_64 generator{std::random_device{}()};
  return generator;
}

Array<String> Pick(Array<String> names, int64_t k, Optional<int64_t> seed) {
  const int64_t n = static_cast<int64_t>(names.size());
  TVM_FFI_CHECK(k >= 0, ValueError) << "k must not be negative";
  TVM_FFI_CHECK(k <= n, ValueError) << "k = " << k << " of only " << n << " names";
  std::mt19937_64 seeded;
  if (seed.has_value()) seeded.seed(static_cast<uint64_t>(*seed));
  std::mt19937_64& random = seed.has_value() ? seeded : Generator();

  std::vector<int64_t> order(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  Array<String> picked;
  picked.reserve(k);
  for (int64_t i = 0; i < k; ++i) {
    std::swap(order[i], order[std::uniform_int_distribution<int64_t>(i, n - 1)(random)]);
    picked.push_back(names[order[i]]);
  }
  return picked;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pick_names, Pick);
