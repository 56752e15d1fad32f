// SPDX-License-Identifier: Apache-2.0
// passes, and the headers fail by argument.index-that-does-not-exist
//
// What people export with the typed-function macro: every kind of parameter and of result that it
// converts. A value that does not fit is refused by the headers, with the name of its type in the
// message: of a type that does not exist they follow a NULL, or the runtime ends the process.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include "vector.h"

namespace kernels
{

// --- Plain values

double AddScalars(int64_t n, double f, bool b)
{
  return static_cast<double>(n) + f + (b ? 1 : 0);
}

int64_t Double(int64_t n)
{
  return 2 * n;
}

bool IsNull(void *pointer)
{
  return pointer == nullptr;
}

int64_t BitsOf(DLDataType dtype, DLDevice device)
{
  return dtype.bits * dtype.lanes + device.device_id;
}

// One of two data types, the second shorter than the first.
int64_t WidthOf(DLDataType dtype)
{
  const std::string name = tvm::ffi::DLDataTypeToString(dtype);
  if (name != "float32" && name != "int8") TVM_FFI_THROW(TypeError) << "dtype: " << name;
  return dtype.bits;
}

void DoNothing()
{
}

// --- Texts

ffi::String Join(ffi::String left, ffi::String right)
{
  return ffi::String(std::string(left.data(), left.size()) +
                     std::string(right.data(), right.size()));
}

ffi::Bytes Reverse(ffi::Bytes bytes)
{
  std::string reversed(bytes.data(), bytes.size());
  return ffi::Bytes(std::string(reversed.rbegin(), reversed.rend()));
}

// It takes bytes, too. No signature file speaks of it: it is judged by its metadata, where there
// are any.
int64_t LengthOf(std::string text)
{
  return static_cast<int64_t>(text.size());
}

// --- Tensors

void AddOne(ffi::TensorView x, ffi::TensorView y)
{
  CheckVector(x, "x", kDLCPU);
  CheckVector(y, "y", kDLCPU);
  CheckSameLength(x, y);
  for (int64_t i = 0; i < x.size(0); ++i) FloatsOf(y)[i] = FloatsOf(x)[i] + 1;
}

ffi::Tensor MakeOnes(int64_t n)
{
  if (n < 0 || n > 1024) TVM_FFI_THROW(ValueError) << "n has to be from 0 to 1024";
  ffi::Tensor made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::Shape({n}),
                                               DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  for (int64_t i = 0; i < n; ++i) static_cast<float *>(made.data_ptr())[i] = 1;
  return made;
}

// Work would be put on the stream; that it is asked for is what can be seen without a device.
void Enqueue(ffi::TensorView x)
{
  CheckVector(x, "x", kDLCUDA);
  TVMFFIEnvGetStream(x.device().device_type, x.device().device_id);
}

// --- Objects

int64_t Elements(ffi::Shape shape)
{
  int64_t product = 1;
  for (int64_t extent : shape) product *= extent;
  return product;
}

int64_t SumOf(ffi::Array<int64_t> numbers)
{
  int64_t sum = 0;
  for (int64_t number : numbers) sum += number;
  return sum;
}

ffi::Optional<int64_t> LookUp(ffi::Map<ffi::String, int64_t> map, ffi::String key)
{
  if (map.count(key) == 0) return ffi::Optional<int64_t>();
  return map[key];
}

ffi::Array<ffi::String> Names(int64_t n)
{
  if (n < 0 || n > 1024) TVM_FFI_THROW(ValueError) << "n has to be from 0 to 1024";
  ffi::Array<ffi::String> names;
  for (int64_t i = 0; i < n; ++i) names.push_back("the name of number " + std::to_string(i));
  return names;
}

int64_t OrZero(ffi::Optional<int64_t> number)
{
  return number.has_value() ? number.value() : 0;
}

ffi::Optional<ffi::Array<int64_t>> Same(ffi::Optional<ffi::Array<int64_t>> numbers)
{
  return numbers;
}

int64_t EitherOf(ffi::Variant<int64_t, ffi::String> value)
{
  if (auto number = value.as<int64_t>()) return *number;
  return static_cast<int64_t>(value.get<ffi::String>().size());
}

// --- Functions

// A reference may be NULL, and is then made of None.
ffi::Any Apply(ffi::Function function, int64_t n)
{
  if (function == nullptr) TVM_FFI_THROW(TypeError) << "function is None";
  return function(n);
}

ffi::Function Adder(int64_t n)
{
  return ffi::Function::FromTyped([n](int64_t m) { return n + m; });
}

// --- Errors

int64_t Refuse(int64_t n)
{
  if (n == 1) TVM_FFI_THROW(TypeError) << "n is not taken";
  if (n == 2) TVM_FFI_THROW(ValueError) << "n is too large";
  if (n == 3) TVM_FFI_THROW(KernelError) << "n is of another kind";
  if (n == 4) throw ffi::Error("ValueError", "n is four", "");
  return n;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_scalars, kernels::AddScalars);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, kernels::Double);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(is_null, kernels::IsNull);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bits_of, kernels::BitsOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(width_of, kernels::WidthOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(do_nothing, kernels::DoNothing);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(join, kernels::Join);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reverse, kernels::Reverse);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(length_of, kernels::LengthOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, kernels::AddOne);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_ones, kernels::MakeOnes);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(enqueue, kernels::Enqueue);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(elements, kernels::Elements);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum_of, kernels::SumOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(look_up, kernels::LookUp);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(names, kernels::Names);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(or_zero, kernels::OrZero);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, kernels::Same);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(either_of, kernels::EitherOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply, kernels::Apply);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(adder, kernels::Adder);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(refuse, kernels::Refuse);
