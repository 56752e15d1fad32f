// SPDX-License-Identifier: Apache-2.0
// peg_put(x): remembers the first element of x. peg_get(): the one that was put last. A file that
// includes it says in KEEP what is remembered, and in SEEN what it is.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_PEG_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_PEG_H_

#include <stdatomic.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef KEEP
static _Atomic float peg_value;
#define KEEP(element) atomic_store(&peg_value, *(element))
#define SEEN() atomic_load(&peg_value)
#endif

#define EXPORTED(name)                                                                            \
  __attribute__((visibility("default"))) int __tvm_ffi_##name(void *, const TVMFFIAny *, int32_t, \
                                                              TVMFFIAny *);                       \
  int __tvm_ffi_##name(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)

static int peg_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static const DLTensor *peg_tensor(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIDLTensorPtr) return value->v_ptr;
  if (value->type_index != kTVMFFITensor) return NULL;
  return (const DLTensor *)(const void *)((const char *)value->v_obj + sizeof(TVMFFIObject));
}

EXPORTED(peg_put)
{
  (void)handle, (void)result;
  if (num_args != 1) return peg_fail("TypeError", "peg_put takes 1 argument, x");
  const DLTensor *x = peg_tensor(&args[0]);
  if (!x) return peg_fail("TypeError", "x must be a tensor");
  if (x->ndim != 1 || x->dtype.code != kDLFloat || x->dtype.bits != 32 || x->dtype.lanes != 1)
    return peg_fail("TypeError", "x must be a vector of float32");
  if (x->device.device_type != kDLCPU) return peg_fail("ValueError", "x must be on the CPU");
  if (x->shape[0] < 1 || !x->data) return peg_fail("ValueError", "x must have an element");
  if ((uintptr_t)((const char *)x->data + x->byte_offset) % sizeof(float))
    return peg_fail("ValueError", "x must be aligned");
  KEEP((const float *)(const void *)((const char *)x->data + x->byte_offset));
  return 0;
}

EXPORTED(peg_get)
{
  (void)handle, (void)args;
  if (num_args != 0) return peg_fail("TypeError", "peg_get takes no arguments");
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFIFloat;
  result->v_float64 = SEEN();
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_PEG_H_
