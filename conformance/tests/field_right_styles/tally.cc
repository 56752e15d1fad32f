// SPDX-License-Identifier: Apache-2.0
// tally(x) or tally(x, bins): how often each number from 0 on occurs. A packed function, since
// the number of arguments is not fixed.
namespace {

constexpr int64_t kMost = 4096;

template <typename I>
void check(const I* x, int64_t n, int64_t bins) {
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] < 0 || x[i] >= bins) {
      TVM_FFI_THROW(ValueError) << "tally: " << x[i] << " is not from 0 to " << bins - 1;
    }
  }
}

template <typename I>
x4::ffi::Tensor run(const x4::ffi::TensorView& x, bool given, int64_t bins) {
  const I* p = x4::first<I>(x);
  int64_t n = x.size(0);
  check(p, n, bins);
  if (!given) bins = n == 0 ? 0 : static_cast<int64_t>(*std::max_element(p, p + n)) + 1;
  x4::ffi::Tensor out = x4::make({bins}, x4::type_of<int64_t>());
  int64_t* c = x4::first<int64_t>(out);
  std::fill(c, c + bins, 0);
  for (int64_t i = 0; i < n; ++i) ++c[p[i]];
  return out;
}

void tally(x4::ffi::PackedArgs args, x4::ffi::Any* result) {
  if (args.size() != 1 && args.size() != 2) {
    TVM_FFI_THROW(TypeError) << "tally: 1 or 2 arguments expected, got " << args.size();
  }
  auto x = args[0].try_cast<DLTensor*>();
  if (!x.has_value() || *x == nullptr) TVM_FFI_THROW(TypeError) << "tally: x is a tensor";
  int64_t bins = kMost;
  if (args.size() == 2) {
    auto b = args[1].try_cast<int64_t>();
    if (!b.has_value()) TVM_FFI_THROW(TypeError) << "tally: bins is an int";
    if (*b < 1 || *b > kMost) TVM_FFI_THROW(ValueError) << "tally: 1 to " << kMost << " bins";
    bins = *b;
  }
  x4::ffi::TensorView view(*x);
  if (view.ndim() != 1) TVM_FFI_THROW(ValueError) << "tally: x has 1 dimension";
  x4::plain(view, "tally: x");
  if (x4::holds<int32_t>(view.dtype())) {
    *result = run<int32_t>(view, args.size() == 2, bins);
  } else if (x4::holds<int64_t>(view.dtype())) {
    *result = run<int64_t>(view, args.size() == 2, bins);
  } else {
    TVM_FFI_THROW(TypeError) << "tally: x is of int32 or int64";
  }
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_tally(void*, const TVMFFIAny* args, int32_t num_args,
                                                  TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  tally(x4::ffi::PackedArgs(reinterpret_cast<const x4::ffi::AnyView*>(args), num_args),
        reinterpret_cast<x4::ffi::Any*>(result));
  TVM_FFI_SAFE_CALL_END();
}
