// SPDX-License-Identifier: Apache-2.0
// blend(xs, ys, spans, edges, options): ys[i] += scale * xs[i] + bias + the sum of spans[i] + edges[i + 1] - edges[i],
// where scale and bias (0 if missing) are options. An including file says what is not checked, or what is kept.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BLEND_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BLEND_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

#include <unordered_map>
#include <vector>

#include "vector.h"

#ifndef AS_MANY
#define AS_MANY(c) (ys.size() == (c) && spans.size() == (c) && edges.size() == (c) + 1)
#endif
#ifndef IS_AS_LONG
#define IS_AS_LONG(span, first) ((span).size() == (first).size())
#endif
// What element i has to be of the type of.
#ifndef TYPED_BY
#define TYPED_BY(i) 0
#endif
// The numbers of a map, and the tensors of an array.
#ifndef NUMBERS_OF
#define NUMBERS_OF(options) Read(options)
#endif
#ifndef TENSORS_OF
#define TENSORS_OF(array) Take(array)
#endif
// Where the sum is that is added to all elements of a tensor, and what comes between its making and its use.
#ifndef SUM
#define SUM double
#endif
#ifndef PAUSE
#define PAUSE
#endif

namespace kernels
{

using Tensors = ffi::Array<ffi::Tensor>;
using Spans = ffi::Array<ffi::Array<int64_t>>;
using Options = ffi::Map<ffi::String, ffi::Any>;

struct Numbers {
  double scale, bias;
};

inline double OptionOf(const Options &options, const char *name, double other)
{
  if (options.count(name) == 0) return other;
  auto number = options[name].try_cast<double>();
  if (!number.has_value()) TVM_FFI_THROW(TypeError) << name << " must be a float";
  return *number;
}

inline Numbers Read(const Options &options)
{
  if (options.count("scale") == 0) TVM_FFI_THROW(ValueError) << "options must have scale";
  return {OptionOf(options, "scale", 0), OptionOf(options, "bias", 0)};
}

// Where the elements are, and what a kernel looks at of each tensor.
struct Vector {
  char *elements;
  int64_t count;
  DLDataType dtype;
};

inline std::vector<Vector> Take(const Tensors &tensors)
{
  std::vector<Vector> taken;
  for (const ffi::Tensor &tensor : tensors) {
    if (!tensor.defined()) TVM_FFI_THROW(TypeError) << "a tensor is None";
    const DLDataType dtype = tensor.dtype();
    if (tensor.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "not on the CPU";
    if (dtype.code != kDLFloat || (dtype.bits != 32 && dtype.bits != 64) || dtype.lanes != 1)
      TVM_FFI_THROW(TypeError) << "a tensor is neither float32 nor float64";
    if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << "a tensor is no vector";
    if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << "a tensor has strides";
    if (!tensor.data_ptr() && tensor.size(0)) TVM_FFI_THROW(ValueError) << "a tensor has no data";
    taken.push_back(
        {static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset(), tensor.size(0), dtype});
  }
  return taken;
}

// What was made of an object that was at this address when it was first seen.
template <typename Made, typename O>
const Made &Remembered(const O &object, Made make(const O &))
{
  static auto *known = new std::unordered_map<const void *, Made>();
  auto found = known->find(object.get());
  if (found == known->end()) found = known->emplace(object.get(), make(object)).first;
  return found->second;
}

template <typename T>
void Add(const Vector &x, const Vector &y, double scale, double more)
{
  for (int64_t k = 0; k < x.count; ++k)
    reinterpret_cast<T *>(y.elements)[k] +=
        static_cast<T>(scale * reinterpret_cast<const T *>(x.elements)[k] + more);
}

inline void Blend(Tensors xs, Tensors ys, Spans spans, ffi::Array<double> edges, Options options)
{
  const Numbers numbers = NUMBERS_OF(options);
  for (const auto &option : options)
    if (option.first != "scale" && option.first != "bias")
      TVM_FFI_THROW(ValueError) << "options has an unknown key";
  if (!AS_MANY(xs.size())) TVM_FFI_THROW(ValueError) << "arrays differ in length";
  const std::vector<Vector> x = TENSORS_OF(xs), y = TENSORS_OF(ys);
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i].dtype.bits != y[i].dtype.bits || x[i].dtype.bits != x[TYPED_BY(i)].dtype.bits)
      TVM_FFI_THROW(TypeError) << "tensors differ in type";
    if (x[i].count != y[i].count || x[i].count != x[0].count)
      TVM_FFI_THROW(ValueError) << "tensors differ in length";
    if (!IS_AS_LONG(spans[i], spans[0])) TVM_FFI_THROW(ValueError) << "spans differ in length";
  }
  for (size_t i = 0; i < x.size(); ++i) {
    SUM more;
    more = numbers.bias + edges[i + 1] - edges[i];
    for (int64_t number : spans[i]) more = more + static_cast<double>(number);
    PAUSE;
    if (x[0].dtype.bits == 32)
      Add<float>(x[i], y[i], numbers.scale, more);
    else
      Add<double>(x[i], y[i], numbers.scale, more);
  }
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(blend, kernels::Blend);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BLEND_H_
