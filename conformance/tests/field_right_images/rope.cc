// SPDX-License-Identifier: Apache-2.0
// Rotary embedding by a table of cosines and sines, for the head sizes that are compiled in.
using namespace kit;

template <int D>
static void rotate(const float* x, const float* table, double gain, bool interleaved, float* y) {
  constexpr int H = D / 2;
  for (int i = 0; i < H; ++i) {
    int p = interleaved ? 2 * i : i, q = interleaved ? 2 * i + 1 : i + H;
    double a = x[p], b = x[q], c = table[i], s = table[H + i];
    y[p] = float((a * c - b * s) * gain);
    y[q] = float((b * c + a * s) * gain);
  }
}

using Rotation = void (*)(const float*, const float*, double, bool, float*);

static Rotation rotation_for(int64_t d) {
  switch (d) {
    case 64: return rotate<64>;
    case 128: return rotate<128>;
    case 256: return rotate<256>;
    default: TVM_FFI_THROW(NotImplementedError) << "head_dim " << d << " (64, 128 or 256)";
  }
  return nullptr;
}

static void rope(TensorView x, TensorView positions, TensorView table, bool interleaved,
                 ffi::Optional<double> gain, ffi::Optional<ffi::Tensor> gains, TensorView out) {
  const float* from = elements<float>(x, "x", 3);
  int64_t t = x.size(0), h = x.size(1), d = x.size(2);
  Rotation run = rotation_for(d);
  bool wide = holds<int64_t>(positions);
  const int64_t* at64 = wide ? elements<int64_t>(positions, "positions", 1) : nullptr;
  const int32_t* at32 = wide ? nullptr : elements<int32_t>(positions, "positions", 1);
  if (positions.size(0) != t) TVM_FFI_THROW(ValueError) << "a position for each token is needed";
  const float* rows = elements<float>(table, "table", 2);
  if (table.size(1) != d) TVM_FFI_THROW(ValueError) << "the table is for another head_dim";
  float* to = elements<float>(out, "out", 3);
  if (out.size(0) != t || out.size(1) != h || out.size(2) != d) {
    TVM_FFI_THROW(ValueError) << "out must have the shape of x";
  }
  if (gain.has_value() && gains.has_value()) {
    TVM_FFI_THROW(ValueError) << "gain and gains exclude each other";
  }
  if (gain.has_value() && !(std::isfinite(gain.value()) && gain.value() > 0)) {
    TVM_FFI_THROW(ValueError) << "gain must be positive and finite";
  }
  const float* each = nullptr;
  ffi::Tensor kept = gains.value_or(ffi::Tensor());
  if (gains.has_value()) {
    TensorView view(kept);
    each = elements<float>(view, "gains", 1);
    if (view.size(0) != h) TVM_FFI_THROW(ValueError) << "gains must have an element for each head";
  }
  std::vector<int64_t> at(t);
  for (int64_t i = 0; i < t; ++i) {
    at[i] = wide ? at64[i] : at32[i];
    if (at[i] < 0 || at[i] >= table.size(0)) {
      TVM_FFI_THROW(IndexError) << "position " << at[i] << " is not in the table";
    }
  }
  for (int64_t i = 0; i < t; ++i) {
    for (int64_t j = 0; j < h; ++j, from += d, to += d) {
      double by = each ? double(each[j]) : gain.value_or(1.0);
      run(from, rows + at[i] * d, by, interleaved, to);
    }
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, rope);
