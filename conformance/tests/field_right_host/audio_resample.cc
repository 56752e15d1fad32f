// SPDX-License-Identifier: Apache-2.0
// Linear resampling of channels. Positions are kept as fractions, so that they do not drift.
static void audio_resample_impl(tvm::ffi::TensorView x, int64_t from_khz, int64_t to_khz,
                                tvm::ffi::TensorView y) {
  for (int64_t rate : {from_khz, to_khz}) {
    if (rate < 1 || rate > 192)
      TVM_FFI_THROW(ValueError) << "rates are from 1 to 192 kHz, got " << rate;
  }
  const float* src = kit::dense<float>(x, "x", 2);
  float* dst = kit::dense<float>(y, "y", 2);
  const int64_t channels = x.size(0), n = x.size(1);
  const int64_t m = n * to_khz / from_khz;
  if (y.size(0) != channels || y.size(1) != m)
    TVM_FFI_THROW(ValueError) << "y must be [" << channels << ", " << m << "]";

  for (int64_t c = 0; c < channels; ++c, src += n) {
    for (int64_t j = 0; j < m; ++j) {
      const int64_t at = j * from_khz;
      const int64_t left = at / to_khz;             // below n, for j is below n * to / from
      const int64_t right = std::min(left + 1, n - 1);
      const double part = double(at % to_khz) / double(to_khz);
      *dst++ = static_cast<float>(src[left] * (1.0 - part) + src[right] * part);
    }
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(audio_resample, audio_resample_impl);
