// SPDX-License-Identifier: Apache-2.0
// Activations times weights of 4 bits, two in a byte (the even column in the low half), with a
// scale and perhaps a zero point for each group of columns. Rows of weights go to several threads.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Optional;
using vx::ffi::Tensor;

void Multiply(Tensor x, Tensor weights, Tensor scales, Optional<Tensor> zeros, int64_t group,
              Tensor out) {
  const View a = vx::Look(x, "x", 2, {Num::F16, Num::BF16, Num::F32});
  const View w = vx::Look(weights, "weights", 2, {Num::U8});
  const View s = vx::Look(scales, "scales", 2, {a.num});
  const View y = vx::Look(out, "out", 2, {a.num});
  const int64_t m = a.shape[0];
  const int64_t k = a.shape[1];
  const int64_t n = w.shape[0];
  if (group < 2 || group > 1024 || group % 2 != 0 || k % group != 0) {
    TVM_FFI_THROW(ValueError) << "group: an even number from 2 to 1024 that divides " << k
                              << " is needed, not " << group;
  }
  vx::SameShape(w, "weights", {n, k / 2});
  vx::SameShape(s, "scales", {n, k / group});
  vx::SameShape(y, "out", {m, n});
  if (!w.dense) TVM_FFI_THROW(ValueError) << "weights: must be contiguous";
  View z;
  if (zeros.has_value()) {
    z = vx::Look(zeros.value(), "zeros", 2, {Num::U8});
    vx::SameShape(z, "zeros", {n, k / group});
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t g = 0; g < k / group; ++g) {
        if (z.Int(i, g) > 15) TVM_FFI_THROW(ValueError) << "zeros: more than 15 in row " << i;
      }
    }
  }
  const bool has_zeros = zeros.has_value();

  // Every worker has a row of weights of its own, made here, since threads must not throw.
  std::vector<std::vector<double>> rows(4, std::vector<double>(static_cast<size_t>(k)));
  const int64_t least = 1 + 20000 / (1 + k * m);
  vx::Split(n, least, [&](int64_t from, int64_t to, int64_t worker) {
    double* row = rows[static_cast<size_t>(worker)].data();
    for (int64_t i = from; i < to; ++i) {
      const uint8_t* packed = reinterpret_cast<const uint8_t*>(w.base) + i * (k / 2);
      for (int64_t c = 0; c < k; ++c) {
        const int64_t g = c / group;
        const int nibble = c % 2 == 0 ? packed[c / 2] & 15 : packed[c / 2] >> 4;
        const int64_t at = has_zeros ? z.Int(i, g) : 8;
        row[c] = static_cast<double>(nibble - at) * s.Get(i, g);
      }
      for (int64_t r = 0; r < m; ++r) {
        double sum = 0;
        for (int64_t c = 0; c < k; ++c) sum += a.Get(r, c) * row[c];
        y.Put(sum, r, i);
      }
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(w4_matmul, Multiply);
