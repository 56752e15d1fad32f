// SPDX-License-Identifier: Apache-2.0
// _foreach_lerp_: moves each tensor of a list towards its partner, in place.
using namespace tvm::ffi;

namespace {

template <class T>
void lerp(const Tensor& self, const Tensor& end, double w) {
  T* a = set::ptr<T>(self);
  const T* b = set::ptr<T>(end);
  for (int64_t i = 0, n = self.numel(); i < n; ++i) {
    double from = a[i];
    a[i] = static_cast<T>(from + w * (static_cast<double>(b[i]) - from));
  }
}

void foreach_lerp_(Array<Tensor> self, Array<Tensor> ends, Variant<double, Array<double>> weight) {
  const size_t count = self.size();
  TVM_FFI_CHECK(count > 0, ValueError) << "the tensor list must have at least one tensor";
  TVM_FFI_CHECK_EQ(ends.size(), count, ValueError) << "both lists must have the same length";
  std::vector<double> w;
  if (auto one = weight.as<double>()) {
    w.assign(count, *one);
  } else {
    Array<double> each = weight.get<Array<double>>();
    TVM_FFI_CHECK_EQ(each.size(), count, ValueError) << "one weight for each tensor";
    w.assign(each.begin(), each.end());
  }
  // Everything is looked at before the first element is written.
  set::need_given(self[0], "self");
  const DLDataType dtype = self[0].dtype();
  TVM_FFI_CHECK(set::is_f32(dtype) || set::is_f64(dtype), TypeError) << "float32 or float64";
  for (size_t i = 0; i < count; ++i) {
    set::need_dense(self[i], "self", -1);
    set::need_dense(ends[i], "end", -1);
    TVM_FFI_CHECK(set::same(self[i].dtype(), dtype) && set::same(ends[i].dtype(), dtype), TypeError)
        << "all tensors must have the same dtype";
    TVM_FFI_CHECK(set::same_shape(self[i], ends[i]), ValueError)
        << "tensors at index " << i << " have different shapes";
  }
  for (size_t i = 0; i < count; ++i) {
    set::is_f32(dtype) ? lerp<float>(self[i], ends[i], w[i]) : lerp<double>(self[i], ends[i], w[i]);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(foreach_lerp_, foreach_lerp_);
