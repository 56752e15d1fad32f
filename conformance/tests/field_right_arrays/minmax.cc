// SPDX-License-Identifier: Apache-2.0
// The least and the largest number of a tensor of any layout, and how many elements are none.
using namespace set;

template <typename T>
static ffi::Tuple<double, double, int64_t> Scan(const DLTensor* t) {
  const T* p = Elements<T>(t, "argument");
  double least = INFINITY, most = -INFINITY;
  int64_t nans = 0;
  Walk({t}, [&](const int64_t* at) {
    const double v = p[*at];
    if (v != v) {
      ++nans;
    } else {
      if (v < least) least = v;
      if (v > most) most = v;
    }
  });
  return ffi::Tuple<double, double, int64_t>(least, most, nans);
}

static ffi::Tuple<double, double, int64_t> MinMax(DLTensor* t) {
  if (!t) TVM_FFI_THROW(TypeError) << "null";
  if (Count(t) == 0) TVM_FFI_THROW(ValueError) << "no elements";
  switch (t->dtype.bits) {
    case 32:
      return Scan<float>(t);
    case 64:
      return Scan<double>(t);
    default:
      TVM_FFI_THROW(TypeError) << "float32 or float64, please";
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(minmax, MinMax);
