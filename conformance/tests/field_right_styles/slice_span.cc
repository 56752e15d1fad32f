// SPDX-License-Identifier: Apache-2.0
// A copy of every step-th row from begin up to, and without, end.
using namespace tvm::ffi;

static Tensor slice_span(DLTensor* x, Tuple<int64_t, int64_t> span, Optional<int64_t> step) {
  const int64_t begin = span.get<0>(), end = span.get<1>(), by = step.value_or(1);
  TVM_FFI_CHECK(x != nullptr, ValueError) << "x is null";
  TVM_FFI_CHECK(x->ndim == 2, ValueError) << "x has 2 dimensions";
  TVM_FFI_CHECK(x->device.device_type == kDLCPU, ValueError) << "x is on the CPU";
  TVM_FFI_CHECK(x4::holds<float>(x->dtype) || x4::holds<int32_t>(x->dtype), TypeError)
      << "x is of float32 or int32";
  TVM_FFI_CHECK(0 <= begin && begin <= end && end <= x->shape[0], IndexError)
      << "span " << begin << ", " << end;
  TVM_FFI_CHECK(1 <= by && by <= 16, ValueError) << "step is from 1 to 16";

  const int64_t m = (end - begin + by - 1) / by, n = x->shape[1];
  std::vector<int64_t> s = x4::strides_of(*x);
  Tensor y = x4::make({m, n}, x->dtype);
  const char* from = x4::bytes_of(x);
  char* to = x4::first<char>(y);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j, to += 4) {
      std::memcpy(to, from + ((begin + i * by) * s[0] + j * s[1]) * 4, 4);
    }
  }
  return y;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(slice_span, slice_span);
