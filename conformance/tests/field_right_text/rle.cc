// SPDX-License-Identifier: Apache-2.0
// Run-length encoding of bytes and masks, and back.
namespace ffi = tvm::ffi;

namespace {

constexpr int64_t kMost = int64_t{1} << 24;

struct Input {
  const uint8_t* data;
  int64_t n;
  bool mask;
  uint8_t operator[](int64_t i) const { return mask ? data[i] != 0 : data[i]; }
};

Input bytes(const ffi::TensorView& t, const char* name) {
  const bool mask = set::same(t.dtype(), set::kBool);
  set::dense(t, mask ? set::kBool : set::kU8, 1, name);
  return {set::begin<const uint8_t>(t), t.size(0), mask};
}

ffi::Tuple<ffi::Tensor, ffi::Tensor> encode(ffi::TensorView x) {
  const Input in = bytes(x, "x");
  TVM_FFI_CHECK(in.n <= kMost, ValueError) << "x is too long";
  std::vector<uint8_t> values;
  std::vector<int32_t> lengths;
  for (int64_t i = 0; i < in.n; ++i) {
    if (values.empty() || values.back() != in[i]) {
      values.push_back(in[i]);
      lengths.push_back(0);
    }
    ++lengths.back();
  }
  return ffi::Tuple<ffi::Tensor, ffi::Tensor>(set::copy_of(values, x.dtype()),
                                              set::copy_of(lengths, set::kI32));
}

ffi::Tensor decode(ffi::TensorView values, ffi::TensorView lengths) {
  const Input in = bytes(values, "values");
  set::dense(lengths, set::kI32, 1, "lengths");
  TVM_FFI_CHECK(lengths.size(0) == in.n, ValueError) << "as many lengths as values are needed";
  const int32_t* run = set::begin<const int32_t>(lengths);
  int64_t total = 0;
  for (int64_t i = 0; i < in.n; ++i) {
    TVM_FFI_CHECK(run[i] >= 0, ValueError) << "lengths[" << i << "] is negative";
    total += run[i];
    TVM_FFI_CHECK(total <= kMost, ValueError) << "the runs are too long together";
  }
  ffi::Tensor y = set::make({total}, values.dtype());
  uint8_t* out = set::begin<uint8_t>(y);
  for (int64_t i = 0; i < in.n; ++i) {
    if (run[i] == 0) continue;
    std::memset(out, in[i], static_cast<size_t>(run[i]));
    out += run[i];
  }
  return y;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rle_encode, encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rle_decode, decode);
