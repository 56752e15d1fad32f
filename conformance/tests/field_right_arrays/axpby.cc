// SPDX-License-Identifier: Apache-2.0
// y <- alpha * x + beta * y for tensors of any layout. Without beta, y is not read.
namespace {

using namespace set;

template <typename T>
void Run(double alpha, const DLTensor* x, const Optional<double>& beta, const DLTensor* y) {
  const T* px = Elements<T>(x, "x");
  T* py = Elements<T>(y, "y");
  if (!beta.has_value()) {
    Walk({x, y}, [&](const int64_t* at) { py[at[1]] = static_cast<T>(alpha * px[at[0]]); });
    return;
  }
  const double b = beta.value();
  Walk({x, y}, [&](const int64_t* at) {
    py[at[1]] = static_cast<T>(alpha * px[at[0]] + b * py[at[1]]);
  });
}

void Axpby(double alpha, DLTensor* x, Optional<double> beta, DLTensor* y) {
  if (x == nullptr || y == nullptr) TVM_FFI_THROW(ValueError) << "axpby: null tensor";
  TVM_FFI_CHECK(SameShape(x, y), ValueError) << "axpby: x and y differ in shape";
  TVM_FFI_CHECK(Same(x->dtype, y->dtype), TypeError) << "axpby: x and y differ in data type";
  if (Is<double>(x->dtype)) return Run<double>(alpha, x, beta, y);
  Run<float>(alpha, x, beta, y);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(axpby, Axpby);
