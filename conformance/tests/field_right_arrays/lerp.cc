// SPDX-License-Identifier: Apache-2.0
// a + w * (b - a), with a number as the weight, or a tensor that may be broadcast.
namespace {

using namespace set;
using Weight = ffi::Variant<double, Tensor>;

template <typename T>
void Run(const DLTensor* a, const DLTensor* b, const Weight& weight, const DLTensor* out) {
  const T *pa = Elements<T>(a, "a"), *pb = Elements<T>(b, "b");
  T* po = Elements<T>(out, "out");
  if (auto number = weight.as<double>()) {
    const double w = *number;
    Walk({a, b, out}, [&](const int64_t* at) {
      const double low = pa[at[0]], high = pb[at[1]];
      po[at[2]] = static_cast<T>(low + w * (high - low));
    });
    return;
  }
  const Tensor tensor = weight.get<Tensor>();
  DLTensor w = *tensor.GetDLTensorPtr();
  NeedRank(&w, 2, "weight");
  // What has one element in a dimension stands still there.
  int64_t strides[2];
  for (int i = 0; i < 2; ++i) {
    if (w.shape[i] != a->shape[i] && w.shape[i] != 1) {
      TVM_FFI_THROW(ValueError) << "weight can't be broadcast in dimension " << i;
    }
    strides[i] = w.shape[i] == 1 ? 0 : Stride(&w, i);
  }
  const T* pw = Elements<T>(&w, "weight");
  w.strides = strides;
  Walk({a, b, out, &w}, [&](const int64_t* at) {
    const double low = pa[at[0]], high = pb[at[1]];
    po[at[2]] = static_cast<T>(low + pw[at[3]] * (high - low));
  });
}

Tensor Lerp(Tensor a, Tensor b, Weight weight, Tensor out) {
  const DLTensor *ta = a.GetDLTensorPtr(), *tb = b.GetDLTensorPtr(), *to = out.GetDLTensorPtr();
  NeedRank(ta, 2, "a");
  if (!SameShape(ta, tb) || !SameShape(ta, to)) {
    TVM_FFI_THROW(ValueError) << "a, b and out must have one shape";
  }
  if (Is<double>(ta->dtype)) {
    Run<double>(ta, tb, weight, to);
  } else {
    Run<float>(ta, tb, weight, to);
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lerp, Lerp);
