// SPDX-License-Identifier: Apache-2.0
// Random walks on a lattice. The random numbers are a function of seed, walker and step, so that
// neither the number of walkers nor their order changes a walk.
namespace {

uint64_t Mix(uint64_t v) {
  v += 0x9E3779B97F4A7C15u;
  v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
  v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
  return v ^ (v >> 31);
}

void Walks(int64_t seed, int64_t steps, kit::ffi::Optional<kit::ffi::Tensor> start,
           kit::ffi::TensorView out) {
  int64_t* at = kit::Cells<int64_t>(out, "out", {kit::kAny, kit::kAny});
  const int64_t n = out.size(0), d = out.size(1);
  if (d < 1) TVM_FFI_THROW(ValueError) << "a walk needs a dimension";
  const int64_t* from = nullptr;
  if (start.has_value()) from = kit::Cells<int64_t>(*start, "start", {n, d});
  if (steps < 0 || steps > 1024) TVM_FFI_THROW(ValueError) << "steps must be from 0 to 1024";

  const uint64_t ways = 2 * static_cast<uint64_t>(d);
  const uint64_t key = Mix(static_cast<uint64_t>(seed));
  for (int64_t i = 0; i < n; ++i) {
    int64_t* p = at + i * d;
    for (int64_t k = 0; k < d; ++k) p[k] = from == nullptr ? 0 : from[i * d + k];
    const uint64_t walker = Mix(key ^ static_cast<uint64_t>(i));
    for (int64_t step = 0; step < steps; ++step) {
      const uint64_t way = Mix(walker ^ static_cast<uint64_t>(step)) % ways;
      // Unsigned, so that it wraps at the end of the range.
      p[way / 2] = static_cast<int64_t>(static_cast<uint64_t>(p[way / 2]) + (way % 2 ? -1 : 1));
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(walks, Walks);
