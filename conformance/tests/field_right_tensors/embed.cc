// SPDX-License-Identifier: Apache-2.0
// Rows of a table by index, and the gradient of the table.
template <class I> static void check_ids(const View& ids, int64_t v) {
  const I* p = ids.p<I>();
  for (int64_t i = 0, n = ids.numel(); i < n; ++i)
    NEED(p[i] >= 0 && p[i] < v, IndexError, "ids: " << p[i] << " is not below " << v);
}

static void embed(DLTensor* table_, DLTensor* ids_, ffi::Optional<int64_t> pad, DLTensor* out_) {
  View table(table_, "table"), ids(ids_, "ids"), out(out_, "out");
  auto type = table.t->device.device_type;
  NEED(type == kDLCPU || type == kDLCUDAHost, ValueError, "table: expected in host memory");
  NEED(same_device(table, ids) && same_device(table, out), ValueError, "tensors on different devices");
  table.type({F16, F32, BF16}).rank(2).rows();
  ids.type({I32, I64}).contiguous();
  out.same_type(table).rank(ids.nd() + 1).contiguous().aligned(16);
  for (int i = 0; i < ids.nd(); ++i) out.extent(i, ids.n(i));
  int64_t v = table.n(0), d = table.n(1), size = table.dtype().bits / 8, step = table.stride(0);
  out.extent(ids.nd(), d);
  NEED(!pad || (*pad >= 0 && *pad < v), ValueError, "pad: not below " << v);
  with_index(ids.dtype(), [&](auto i0) {
    using I = decltype(i0);
    check_ids<I>(ids, v);
    const I* p = ids.p<I>();
    for (int64_t i = 0, n = d ? ids.numel() : 0; i < n; ++i) {
      char* to = out.p<char>() + i * d * size;
      if (pad && *pad == p[i]) std::memset(to, 0, d * size);
      else std::memcpy(to, table.p<char>() + p[i] * step * size, d * size);
    }
  });
}

static ffi::Tensor embed_grad(DLTensor* ids_, DLTensor* grad_, int64_t v) {
  View ids(ids_, "ids"), grad(grad_, "grad");
  ids.cpu().type({I32, I64}).contiguous();
  grad.cpu().type({F32}).rank(ids.nd() + 1).contiguous();
  for (int i = 0; i < ids.nd(); ++i) grad.extent(i, ids.n(i));
  NEED(v >= 1 && v <= 4096, ValueError, "v: expected 1 to 4096, got " << v);
  int64_t d = grad.n(-1), n = ids.numel();
  std::vector<double> sum(v * d, 0.0);
  with_index(ids.dtype(), [&](auto i0) {
    using I = decltype(i0);
    check_ids<I>(ids, v);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < d; ++j) sum[ids.p<I>()[i] * d + j] += grad.p<float>()[i * d + j];
  });
  ffi::Tensor out = make({v, d}, F32);
  std::transform(sum.begin(), sum.end(), static_cast<float*>(out.data_ptr()), [](double x) { return float(x); });
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embed, embed);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(embed_grad, embed_grad);
