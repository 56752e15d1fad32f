// SPDX-License-Identifier: Apache-2.0
// Who allocates tensors: an allocator of the thread, or else the one for all threads without.
#include <stdatomic.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "core/raise.h"
#include "core/tensor.h"

static _Thread_local DLPackManagedTensorAllocator own_allocator;
static _Atomic(DLPackManagedTensorAllocator) global_allocator;

int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  if (opt_out_original_allocator != NULL) {
    *opt_out_original_allocator = own_allocator;  // ENV-17, ENV-18
  }
  own_allocator = allocator;  // ENV-13, ENV-16
  if (write_to_global_context != 0) {
    atomic_store_explicit(&global_allocator, allocator, memory_order_release);  // ENV-14
  }
  return 0;
}

static inline DLPackManagedTensorAllocator env_allocator(void)
{
  DLPackManagedTensorAllocator own = own_allocator;
  if (own != NULL) return own;                                           // ENV-15
  return atomic_load_explicit(&global_allocator, memory_order_acquire);  // ENV-12
}

DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void)
{
  return env_allocator();
}

// What allocators report errors with (ENV-24). The context is NULL, and isn't needed.
static void env_report(void *context, const char *kind, const char *message)
{
  (void)context;
  raise_error(kind == NULL ? "RuntimeError" : kind, message == NULL ? "" : message, NULL);
}

static int env_check_prototype(const char *function, const DLTensor *prototype)
{
  if (prototype == NULL) return raise_null(function, "prototype");
  if (tensor_has_good_extents(prototype)) return 0;
  return tensor_refuse_shape(function, "prototype->", prototype);
}

int TVMFFIEnvTensorAlloc(DLTensor *prototype, TVMFFIObjectHandle *out)
{
  if (env_check_prototype(__func__, prototype) != 0) return -1;
  if (out == NULL) return raise_null(__func__, "out");
  DLPackManagedTensorAllocator allocator = env_allocator();
  if (allocator == NULL) {  // ENV-19
    return raise_error("RuntimeError", __func__, ": no allocator was set, neither for this thread ",
                       "nor for all, with TVMFFIEnvSetDLPackManagedTensorAllocator", NULL);
  }
  DLManagedTensorVersioned *made = NULL;
  int code = allocator(prototype, &made, NULL, env_report);  // ENV-20, ENV-26
  if (code != 0) return code;                                // ENV-23
  if (made == NULL) {                                        // ENV-25
    return raise_error("RuntimeError", __func__, ": the allocator succeeded without a tensor",
                       NULL);
  }
  if (tensor_import("TVMFFIEnvTensorAlloc: what the allocator made can't be taken", made, out) ==
      0) {
    return 0;  // ENV-21, ENV-22
  }
  if (made->deleter != NULL) made->deleter(made);
  return -1;
}
