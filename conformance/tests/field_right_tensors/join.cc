// SPDX-License-Identifier: Apache-2.0
// Tensors of an array after each other, in a map with what is known of them; the same into memory that is given.
static std::vector<View> views(const ffi::Array<ffi::Tensor>& parts, std::vector<ffi::Tensor>& keep) {
  NEED(parts.defined(), TypeError, "parts: expected an array, not None");
  NEED(parts.size() >= 1, ValueError, "parts: none");
  std::vector<View> all;
  for (ffi::Tensor t : parts) {
    View v(t, "parts");
    v.cpu().type({F32, F16, I64}).rank(2).rows();
    if (!all.empty()) v.same_type(all[0]).extent(1, all[0].n(1));
    keep.push_back(t);
    all.push_back(v);
  }
  return all;
}
static void copy(const std::vector<View>& all, char* to) {
  for (const View& v : all) {
    int64_t size = v.dtype().bits / 8, row = v.n(1) * size;
    for (int64_t i = 0; row && i < v.n(0); ++i, to += row) std::memcpy(to, v.p<char>() + i * v.stride(0) * size, row);
  }
}

static ffi::Map<ffi::String, ffi::Any> join(ffi::Array<ffi::Tensor> parts) {
  std::vector<ffi::Tensor> keep;
  auto all = views(parts, keep);
  int64_t rows = 0;
  ffi::Array<int64_t> lengths;
  for (const View& v : all) rows += v.n(0), lengths.push_back(v.n(0));
  ffi::Tensor data = make({rows, all[0].n(1)}, all[0].dtype());
  copy(all, static_cast<char*>(data.data_ptr()));
  return {{"data", data}, {"rows", rows}, {"lengths", lengths}};
}

static int64_t stack_into(ffi::Array<ffi::Tensor> parts, DLTensor* out_) {
  std::vector<ffi::Tensor> keep;
  auto all = views(parts, keep);
  View out(out_, "out");
  out.cpu().same_type(all[0]).rank(3).extent(0, int64_t(all.size())).extent(1, all[0].n(0)).extent(2, all[0].n(1)).contiguous();
  for (const View& v : all) NEED(v.n(0) == all[0].n(0), ValueError, "parts: different numbers of rows");
  copy(all, out.p<char>());
  return int64_t(all.size());
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(join, join);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(stack_into, stack_into);
