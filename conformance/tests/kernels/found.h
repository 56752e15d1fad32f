// SPDX-License-Identifier: Apache-2.0
// found(x, where, y): y[i] = x[where[i]]. Nobody says how it is called, but its refusals suggest it. An
// including file may leave a check out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_FOUND_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_FOUND_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#ifndef CHECKS_TYPE
#define CHECKS_TYPE(tensor, wanted, bits_wanted) \
  ((tensor)->dtype.code == (wanted) && (tensor)->dtype.bits == (bits_wanted))
#endif
#ifndef CHECKS_RANK
#define CHECKS_RANK(tensor) ((tensor)->ndim == 1)
#endif
#ifndef CHECKS_EXTENT
#define CHECKS_EXTENT(where, y) ((where)->shape[0] == (y)->shape[0])
#endif
#ifndef CHECKS_ELEMENT
#define CHECKS_ELEMENT(element, extent) ((element) >= 0 && (element) < (extent))
#endif
#ifndef CHECKS_DEVICE
#define CHECKS_DEVICE(tensor) ((tensor)->device.device_type == kDLCPU)
#endif
#ifndef CHECKS_LAYOUT
#define CHECKS_LAYOUT(tensor)                                                      \
  ((!(tensor)->strides || (tensor)->shape[0] == 1 || (tensor)->strides[0] == 1) && \
   ((tensor)->data || (tensor)->shape[0] == 0) && CHECKS_DEVICE(tensor) &&         \
   (tensor)->dtype.lanes == 1)
#endif

// An element of the indices.
#ifndef AT
#define AT(tensor, i) (((const int32_t *)DATA(tensor))[i])
#endif

static inline int found_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static inline const DLTensor *found_tensor(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFIDLTensorPtr) return arg->v_ptr;
  // Its description stands behind the header.
  if (arg->type_index == kTVMFFITensor) return (const void *)((const TVMFFIObject *)arg->v_obj + 1);
  return NULL;
}

// What is written to y for an element of x.
#ifndef GIVES
#define GIVES(element) (element)
#endif
#ifndef DATA
#define DATA(tensor) ((void *)((char *)(tensor)->data + (tensor)->byte_offset))
#endif

__attribute__((visibility("default"))) int __tvm_ffi_found(void *handle, const TVMFFIAny *args,
                                                           int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_found(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  (void)result;
  if (num_args != 3) return found_fail("TypeError", "found takes 3 arguments");
  const DLTensor *x = found_tensor(&args[0]), *where = found_tensor(&args[1]);
  const DLTensor *y = found_tensor(&args[2]);
  if (!x) return found_fail("TypeError", "x must be a tensor");
  if (!where) return found_fail("TypeError", "where must be a tensor");
  if (!y) return found_fail("TypeError", "y must be a tensor");
  if (!CHECKS_RANK(x)) return found_fail("ValueError", "x must have 1 dimension");
  if (!CHECKS_RANK(where)) return found_fail("ValueError", "where must have 1 dimension");
  if (!CHECKS_RANK(y)) return found_fail("ValueError", "y must have 1 dimension");
  if (!CHECKS_TYPE(x, kDLFloat, 32)) return found_fail("TypeError", "x must be float32");
  if (!CHECKS_TYPE(where, kDLInt, 32)) return found_fail("TypeError", "where must be int32");
  if (!CHECKS_TYPE(y, kDLFloat, 32)) return found_fail("TypeError", "y must be float32");
  if (!CHECKS_LAYOUT(x)) return found_fail("ValueError", "x must be compact, on the CPU");
  if (!CHECKS_LAYOUT(where)) return found_fail("ValueError", "where must be compact, on the CPU");
  if (!CHECKS_LAYOUT(y)) return found_fail("ValueError", "y must be compact, on the CPU");
  if (!CHECKS_EXTENT(where, y)) return found_fail("ValueError", "where and y must be as long");
  for (int64_t i = 0; i < where->shape[0]; ++i)
    if (!CHECKS_ELEMENT(AT(where, i), x->shape[0]))
      return found_fail("ValueError", "an element of where is out of range");
  for (int64_t i = 0; i < where->shape[0]; ++i)
    ((float *)DATA(y))[i] = GIVES(((const float *)DATA(x))[AT(where, i)]);
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_FOUND_H_
