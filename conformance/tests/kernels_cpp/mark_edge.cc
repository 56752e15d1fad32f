// SPDX-License-Identifier: Apache-2.0
// caught by buffer.number-inside
// Sets the bits of tokens in a row of words. The token behind the last one is taken.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace
{

namespace ffi = tvm::ffi;

void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

void Mark(ffi::TensorView words, ffi::Array<int64_t> tokens, int64_t vocabulary)
{
  Require(words.ndim() == 1, "words must have 1 dimension");
  Require(words.dtype().code == kDLInt && words.dtype().bits == 32 && words.dtype().lanes == 1,
          "words must be int32");
  Require(words.device().device_type == kDLCPU && words.IsContiguous(), "words must be compact");
  Require(words.data_ptr() || words.size(0) == 0, "words must have data");
  Require(vocabulary >= 0 && vocabulary <= 32 * words.size(0), "vocabulary is out of range");
  for (int64_t token : tokens)
    Require(0 <= token && token <= vocabulary, "a token is out of range");
  char *first = static_cast<char *>(words.data_ptr()) + words.byte_offset();
  for (int64_t token : tokens) first[token / 8] |= static_cast<char>(1 << token % 8);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(mark, Mark);
