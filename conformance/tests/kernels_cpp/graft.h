// SPDX-License-Identifier: Apache-2.0
// graft(parts, weights, options, threads, out): out is the sum of the parts, each times its weight, 1 if none are given,
// times options["scale"] ** options["step"], which is 1 if it is left out. Nobody describes it. An including file may
// leave something out, or keep something.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_GRAFT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_GRAFT_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cmath>
#include <vector>

// How many elements each of the threads gets.
#ifndef SHARE
#define SHARE(count, threads) (((count) + (threads)-1) / (threads))
#endif
#ifndef WEIGHTS
#define WEIGHTS(given, count) WeightsOf(given, count)
#endif
#ifndef STEP
#define STEP(options) OptionOf(options, "step", 1)
#endif
#ifndef FACTOR
#define FACTOR(scale, step) std::pow(scale, step)
#endif
// Where the elements of a part are read.
#ifndef FROM
#define FROM(elements, count) (elements)
#endif
// What the sum of an element begins with, and what is left of it.
#ifndef BEGIN
#define BEGIN 0
#define END(sum) (void)(sum)
#endif

namespace graft
{

namespace ffi = tvm::ffi;
using Options = ffi::Map<ffi::String, double>;
using Weights = ffi::Optional<ffi::Array<double>>;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Elements(ffi::TensorView tensor, int64_t count, const char *words)
{
  const bool type = tensor.dtype().code == kDLFloat && tensor.dtype().bits == 32 &&
                    tensor.dtype().lanes == 1 && tensor.device().device_type == kDLCPU;
  const bool compact = tensor.ndim() == 1 &&
                       (tensor.size(0) <= 1 || !tensor.strides().data() || tensor.stride(0) == 1);
  Require(type && compact && tensor.size(0) == count, words);
  Require(tensor.data_ptr() || count == 0, words);
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline double OptionOf(const Options &options, const char *name, double other)
{
  const double number = options.count(name) ? options[name] : other;
  Require(std::isfinite(number), "options must be finite");
  return number;
}

inline std::vector<double> WeightsOf(const Weights &given, size_t count)
{
  if (!given.has_value()) return std::vector<double>(count, 1);
  const ffi::Array<double> weights = given.value();
  Require(weights.size() == count, "weights must be as many as parts");
  return std::vector<double>(weights.begin(), weights.end());
}

inline void Graft(ffi::Array<ffi::Tensor> parts, Weights weights, Options options, int64_t threads,
                  ffi::TensorView out)
{
  const int64_t count = out.ndim() == 1 ? out.size(0) : -1;
  float *to = Elements(out, count, "out must be a contiguous vector of float32 on the CPU");
  Require(parts.size() > 0, "parts must not be empty");
  Require(threads >= 1 && threads <= 16, "threads must be 1 to 16");
  Require(options.count("scale") > 0, "options must have scale");
  const std::vector<double> factors = WEIGHTS(weights, parts.size());
  const double all = FACTOR(OptionOf(options, "scale", 1), STEP(options));
  const int64_t share = SHARE(count, threads);
  std::vector<const float *> from;
  for (size_t p = 0; p < parts.size(); ++p) {
    const ffi::Tensor part = parts[p];
    Require(part.defined(), "a part is None");
    from.push_back(FROM(Elements(ffi::TensorView(part), count, "parts must be like out"), count));
  }
  for (int64_t t = 0; t < threads; ++t)
    for (int64_t i = t * share; i < (t + 1) * share && i < count; ++i) {
      double sum = BEGIN;
      for (size_t p = 0; p < parts.size(); ++p) {
        sum += factors[p] * from[p][i];
        END(sum);
        Require(!std::isnan(from[p][i]), "parts must not hold NaN");
      }
      to[i] = static_cast<float>(sum * all);
      END(0);
    }
}

}  // namespace graft

TVM_FFI_DLL_EXPORT_TYPED_FUNC(graft, graft::Graft);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_GRAFT_H_
