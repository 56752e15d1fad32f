// SPDX-License-Identifier: Apache-2.0
// A kernel module in C: y = x + 1 for float32 vectors on the CPU.
//
// A module is a shared library. Each function in it is a symbol `__tvm_ffi_<name>` with the one
// signature that every call has. The kernel looks before it reads: number, type, then content.
// Build:
//
//   cc -shared -fPIC -fvisibility=hidden add_one_cpu.c $(pkg-config --cflags --libs tvm_ffi) -o
//   add_one_cpu.so
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

static int raise(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

// A tensor comes borrowed, as a DLTensor pointer, or owned, as an object with the DLTensor behind
// its header.
static const DLTensor *tensor_of(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIDLTensorPtr) return value->v_ptr;
  if (value->type_index == kTVMFFITensor) return (const DLTensor *)(value->v_obj + 1);
  return NULL;
}

static int is_float32_vector(const DLTensor *tensor)
{
  return tensor->device.device_type == kDLCPU && tensor->ndim == 1 &&
         tensor->dtype.code == kDLFloat && tensor->dtype.bits == 32 && tensor->dtype.lanes == 1 &&
         (!tensor->strides || tensor->strides[0] == 1 || tensor->shape[0] <= 1);
}

static float *data_of(const DLTensor *tensor)
{
  return (float *)((char *)tensor->data + tensor->byte_offset);
}

TVM_FFI_DLL_EXPORT int __tvm_ffi_add_one_cpu(void *handle, const TVMFFIAny *args, int32_t num_args,
                                             TVMFFIAny *result)
{
  (void)handle;
  (void)result;  // Left as it is: the function returns None.
  if (num_args != 2) return raise("TypeError", "add_one_cpu takes two tensors, x and y");
  const DLTensor *x = tensor_of(&args[0]), *y = tensor_of(&args[1]);
  if (!x || !y) return raise("TypeError", "x and y are tensors");
  if (!is_float32_vector(x) || !is_float32_vector(y))
    return raise("ValueError", "x and y are contiguous float32 vectors on the CPU");
  if (x->shape[0] != y->shape[0]) return raise("ValueError", "x and y have the same length");
  for (int64_t i = 0; i < x->shape[0]; ++i) data_of(y)[i] = data_of(x)[i] + 1.0f;
  return 0;
}
