// SPDX-License-Identifier: Apache-2.0
// A mask for dropout: each byte is 0 with probability p, else 1. It differs from call to call.
#include <atomic>
#include <random>

static uint64_t next_seed() {
  static std::atomic<uint64_t> drawn{0x9e3779b97f4a7c15u};
  return drawn.fetch_add(0xbf58476d1ce4e5b9u, std::memory_order_relaxed);
}

static tvm::ffi::Tensor keep_mask(int64_t n, double p) {
  // Each thread has a generator of its own, so that no lock is needed.
  static thread_local std::mt19937_64 generator(next_seed());
  TVM_FFI_CHECK(n >= 0 && n <= 65536, ValueError) << "n is from 0 to 65536";
  TVM_FFI_CHECK(p >= 0.0 && p <= 1.0, ValueError) << "p is a probability";
  tvm::ffi::Tensor mask = x4::make({n}, x4::type_of<uint8_t>());
  uint8_t* m = x4::first<uint8_t>(mask);
  for (int64_t i = 0; i < n; ++i) {
    double u = static_cast<double>(generator() >> 11) * 0x1p-53;  // at least 0, less than 1
    m[i] = u < p ? 0 : 1;
  }
  return mask;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(keep_mask, keep_mask);
