// SPDX-License-Identifier: Apache-2.0
// One number by row, worked out by a callback. Each call of it gets a tensor of its own, so that
// it may keep the row; nothing is locked, so that it may call map_rows again.
using tvm::ffi::Any;
using tvm::ffi::Function;
using tvm::ffi::Tensor;

namespace {

Tensor MapRows(DLTensor* x, Function f) {
  if (x == nullptr) TVM_FFI_THROW(TypeError) << "x must be a tensor";
  kit::Rank(*x, 2, "x");
  const double* from = kit::Cells<double>(*x, "x");
  if (!f.defined()) TVM_FFI_THROW(TypeError) << "f must be a function";
  const int64_t m = x->shape[0], n = x->shape[1];
  const int64_t down = kit::Step(*x, 0), right = kit::Step(*x, 1);

  Tensor out = kit::NewTensor({m}, x->dtype);
  double* to = static_cast<double*>(out.data_ptr());
  for (int64_t i = 0; i < m; ++i) {
    Tensor row = kit::NewTensor({n}, x->dtype);
    double* cells = static_cast<double*>(row.data_ptr());
    for (int64_t j = 0; j < n; ++j) cells[j] = from[i * down + j * right];
    Any value = f(row);
    std::optional<double> number = value.try_cast<double>();
    if (!number) {
      TVM_FFI_THROW(TypeError) << "f must return a number, not " << value.GetTypeKey();
    }
    to[i] = *number;
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_rows, MapRows);
