// SPDX-License-Identifier: Apache-2.0
// passes
// tiles(x, block) -> int: how many blocks x has. An odd length is refused before the block is looked at: tiles.json states
// the error for that.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace ffi = tvm::ffi;

#ifndef WORDS
#define WORDS "block must divide the length of x"
#endif
#ifndef IS_LENGTH
#define IS_LENGTH(n) ((n) % 2 == 0)
#endif
#ifndef FIRST
#define FIRST(n) (void)0
#endif

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static int64_t Tiles(ffi::TensorView x, int64_t block)
{
  const DLDataType type = x.dtype();
  Require(type.code == kDLFloat && type.bits == 64 && type.lanes == 1, "x must be of float64");
  Require(x.ndim() == 1 && x.device().device_type == kDLCPU && x.IsContiguous(), "x must be a compact vector");
  Require(x.data_ptr() || x.numel() == 0, "x must have data");
  Require(block == 2 || block == 4 || block == 8, "block must be 2, 4 or 8");
  Require(IS_LENGTH(x.size(0)), "x must have another length");
  FIRST(x.size(0));
  Require(x.size(0) % block == 0, WORDS);
  return x.size(0) / block;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(tiles, Tiles);
