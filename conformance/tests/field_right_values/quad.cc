// SPDX-License-Identifier: Apache-2.0
// Callbacks and bytes, for Python signatures.
double Integrate(Function f, double a, double b, int64_t steps) {
  REQUIRE(TypeError, f.defined()) << "f must be a function";
  REQUIRE(ValueError, a >= -10 && a <= 10 && b >= -10 && b <= 10) << "ends must be from -10 to 10";
  REQUIRE(ValueError, steps >= 1 && steps <= 100) << "steps must be from 1 to 100";
  double h = (b - a) / double(steps), sum = 0;
  for (int64_t i = 0; i < steps; ++i) sum += to_float(f(a + (double(i) + 0.5) * h), "what f returned");
  return sum * h;
}
// FNV-1a of 32 bits, or CRC-32
int64_t Digest(Bytes data, String method) {
  uint32_t h;
  if (method == "fnv") {
    h = 2166136261u;
    for (size_t i = 0; i < data.size(); ++i) h = (h ^ uint8_t(data.data()[i])) * 16777619u;
  } else if (method == "crc") {
    h = ~0u;
    for (size_t i = 0; i < data.size(); ++i) {
      h ^= uint8_t(data.data()[i]);
      for (int k = 0; k < 8; ++k) h = (h >> 1) ^ (h & 1 ? 0xedb88320u : 0);
    }
    h = ~h;
  } else {
    TVM_FFI_THROW(ValueError) << "unknown method " << method;
  }
  return h;
}
// the tensor of the largest sum, itself; the first of equal ones. None of an empty list.
Optional<Tensor> Heaviest(Array<Tensor> parts) {
  Optional<Tensor> best;
  double most = 0;
  for (Tensor t : parts) {
    View v = view(t, "parts", {I32}, 1);
    double s = 0;
    for (int64_t i = 0; i < v.numel; ++i) s += v.as<int32_t>()[i];
    if (!best.has_value() || s > most) best = t, most = s;
  }
  return best;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(integrate, Integrate);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(digest, Digest);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(heaviest, Heaviest);
