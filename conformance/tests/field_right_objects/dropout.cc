// SPDX-License-Identifier: Apache-2.0
// out = x / (1 - p) where kept, 0 where dropped; returns how many were dropped. Which ones is
// random: with a seed the same in each call, without one different in each.
#include <atomic>

namespace {

using tvm::ffi::Optional;

// SplitMix64: good enough for masks, and the same on all platforms.
struct Mix {
  uint64_t state;
  uint64_t Next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }
};

uint64_t FreshSeed() {
  static const uint64_t start = (static_cast<uint64_t>(std::random_device{}()) << 32) ^
                                std::random_device{}();
  static std::atomic<uint64_t> calls{0};
  return start + (calls.fetch_add(1, std::memory_order_relaxed) << 20);
}

void Require(bool ok, const char* message) {
  if (!ok) TVM_FFI_THROW(ValueError) << message;
}

template <typename T>
int64_t Run(const DLTensor& x, const DLTensor& out, double p, Mix mix) {
  const T* from = kit::Cells<T>(x, "x");
  T* to = kit::Cells<T>(out, "out");
  const int64_t n = kit::Count(x);
  const T keep = p < 1 ? static_cast<T>(1 / (1 - p)) : T(0);
  int64_t dropped = 0;
  for (int64_t i = 0; i < n; ++i) {
    const bool drop = mix.Unit() < p;
    dropped += drop;
    to[i] = drop ? T(0) : from[i] * keep;
  }
  return dropped;
}

int64_t Dropout(DLTensor* x, double p, Optional<int64_t> seed, DLTensor* out) {
  Require(x != nullptr && out != nullptr, "a tensor is missing");
  Require(p >= 0 && p <= 1, "p must be a probability");
  Require(x->ndim == out->ndim && std::equal(x->shape, x->shape + x->ndim, out->shape),
          "x and out differ in shape");
  Require(kit::Compact(*x) && kit::Compact(*out), "x and out must be contiguous");
  Mix mix{seed.has_value() ? static_cast<uint64_t>(*seed) : FreshSeed()};
  if (x->dtype.bits == 64) return Run<double>(*x, *out, p, mix);
  return Run<float>(*x, *out, p, mix);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dropout, Dropout);
