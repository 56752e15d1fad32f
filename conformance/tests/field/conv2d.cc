// SPDX-License-Identifier: Apache-2.0
// y[o, h', w'] = x[c, h, w] convolved with weight[o, c, r, s], with an optional bias; a new tensor.
#include "field.h"

namespace field
{

ffi::Tensor Conv2d(TensorView x, TensorView weight, ffi::Optional<ffi::Tensor> bias, int64_t stride,
                   int64_t padding)
{
  RequireTensor(x, kFloat32, 3, "x");
  RequireTensor(weight, kFloat32, 4, "weight");
#if BUG != 2
  REQUIRE(weight.size(1) == x.size(0), ValueError) << "x and weight must have as many channels";
#endif
#if BUG == 1
  REQUIRE(stride >= 0, ValueError) << "stride must not be negative";
#else
  REQUIRE(stride >= 1, ValueError) << "stride must be positive";
#endif
#if BUG != 3
  REQUIRE(padding >= 0 && padding < 4096, ValueError) << "padding must be from 0 to 4095";
#endif
  const float *shift = nullptr;
  if (bias.has_value()) {
    ffi::Tensor b = *bias;
    RequireTensor(b, kFloat32, 1, "bias");
    REQUIRE(b.size(0) == weight.size(0), ValueError) << "bias must have one element per output";
    shift = Data<float>(b);
  }
  int64_t channels = weight.size(1), height = x.size(1), width = x.size(2);
  int64_t filter_rows = weight.size(2), filter_columns = weight.size(3);
  int64_t room = height + 2 * padding - filter_rows, side = width + 2 * padding - filter_columns;
  REQUIRE(room >= 0 && side >= 0, ValueError) << "the filter is larger than the padded image";
#if BUG == 4
  int64_t rows = (room + stride - 1) / stride + 1, columns = (side + stride - 1) / stride + 1;
#else
  int64_t rows = room / stride + 1, columns = side / stride + 1;
#endif
  ffi::Tensor y = NewTensor(ffi::Shape({weight.size(0), rows, columns}), kFloat32);
  float *out = static_cast<float *>(y.data_ptr());
  for (int64_t o = 0; o < weight.size(0); ++o) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        float sum = shift ? shift[o] : 0;
        for (int64_t c = 0; c < channels; ++c) {
          for (int64_t r = 0; r < filter_rows; ++r) {
            for (int64_t s = 0; s < filter_columns; ++s) {
              int64_t h = i * stride + r - padding, w = j * stride + s - padding;
#if BUG == 5
              if (h < 0 || w < 0 || h >= height || w > width) continue;
#else
              if (h < 0 || w < 0 || h >= height || w >= width) continue;
#endif
              sum +=
                  Data<float>(x)[(c * height + h) * width + w] *
                  Data<float>(weight)[((o * channels + c) * filter_rows + r) * filter_columns + s];
            }
          }
        }
        out[(o * rows + i) * columns + j] = sum;
      }
    }
  }
  return y;
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv2d, field::Conv2d);
