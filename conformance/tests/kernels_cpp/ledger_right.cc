// SPDX-License-Identifier: Apache-2.0
// passes
// ledger(x, out): out is twice x; each call takes a place of a table, and none is free after 12,000: no matter of threads.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <atomic>

namespace ledger
{

namespace ffi = tvm::ffi;

static float *Elements(ffi::TensorView tensor, const char *words)
{
  const DLDataType floats{kDLFloat, 32, 1};
  if (tensor.ndim() != 1 || tensor.dtype() != floats || !tensor.IsContiguous() ||
      tensor.device().device_type != kDLCPU || (!tensor.data_ptr() && tensor.numel() > 0))
    TVM_FFI_THROW(ValueError) << words;
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

static void Ledger(ffi::TensorView x, ffi::TensorView out)
{
  static std::atomic<int> taken{0};
  const float *from = Elements(x, "x must be a contiguous vector of float32 on the CPU");
  float *to = Elements(out, "out must be a contiguous vector of float32 on the CPU");
  if (x.size(0) != out.size(0)) TVM_FFI_THROW(ValueError) << "out must be as long as x";
  if (++taken > 12000) TVM_FFI_THROW(RuntimeError) << "the table is full";
  for (int64_t i = 0; i < x.size(0); ++i) to[i] = 2 * from[i];
}

}  // namespace ledger

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ledger, ledger::Ledger);
