// SPDX-License-Identifier: Apache-2.0
// shelf_put(x): keeps x until another one is put, and reads it then. shelf_get(): the one that was put last. A file that
// includes it says what is wrong with it.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_SHELF_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_SHELF_H_

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef TAKE
#define TAKE(x) TVMFFIObjectIncRef(x)
#endif
#ifndef ONLY_MEMORY
#define ONLY_MEMORY 0
#endif

static atomic_flag shelf_lock = ATOMIC_FLAG_INIT;
static TVMFFIObjectHandle shelf_holds;

static void shelf_enter(void)
{
  while (atomic_flag_test_and_set(&shelf_lock)) continue;
}

typedef struct ShelfMemory {
  const float *first;
  int64_t count, stride;
} ShelfMemory;

static ShelfMemory shelf_memory(const DLTensor *x)
{
  const char *data = (const char *)x->data + x->byte_offset;
  return (ShelfMemory){(const float *)(const void *)data, x->shape[0],
                       x->strides ? x->strides[0] : 1};
}

// What is kept may be read at any time.
static void shelf_read(ShelfMemory kept)
{
  static volatile float read;
  for (int64_t i = 0; i < kept.count; ++i) read = kept.first[i * kept.stride];
  (void)read;
}

static const DLTensor *shelf_tensor(TVMFFIObjectHandle x)
{
  return (const DLTensor *)(const void *)((char *)x + sizeof(TVMFFIObject));
}

static int shelf_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

__attribute__((visibility("default"))) int __tvm_ffi_shelf_put(void *handle, const TVMFFIAny *args,
                                                               int32_t num_args, TVMFFIAny *result);
__attribute__((visibility("default"))) int __tvm_ffi_shelf_get(void *handle, const TVMFFIAny *args,
                                                               int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_shelf_put(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)result;
  if (num_args != 1) return shelf_fail("TypeError", "shelf_put takes 1 argument, x");
  if (args[0].type_index != kTVMFFITensor) return shelf_fail("TypeError", "x must be a tensor");
  const DLTensor *x = shelf_tensor(args[0].v_obj);
  if (x->ndim != 1 || x->dtype.code != kDLFloat || x->dtype.bits != 32 || x->dtype.lanes != 1)
    return shelf_fail("TypeError", "x must be a vector of float32");
  if (x->device.device_type != kDLCPU) return shelf_fail("ValueError", "x must be on the CPU");
  if (x->shape[0] > 0 && !x->data) return shelf_fail("ValueError", "x has no data");
  shelf_enter();
  if (ONLY_MEMORY) {
    static ShelfMemory kept;
    shelf_read(kept);
    kept = shelf_memory(x);
    atomic_flag_clear(&shelf_lock);
    return 0;
  }
  if (shelf_holds) shelf_read(shelf_memory(shelf_tensor(shelf_holds)));
  TAKE(args[0].v_obj);
  if (shelf_holds) TVMFFIObjectDecRef(shelf_holds);
  shelf_holds = args[0].v_obj;
  atomic_flag_clear(&shelf_lock);
  return 0;
}

int __tvm_ffi_shelf_get(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args;
  if (num_args != 0) return shelf_fail("TypeError", "shelf_get takes no arguments");
  shelf_enter();
  TVMFFIObjectHandle held = shelf_holds;
  if (held) TVMFFIObjectIncRef(held);
  atomic_flag_clear(&shelf_lock);
  if (!held) return shelf_fail("ValueError", "nothing was put");
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFITensor;
  result->v_obj = held;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_SHELF_H_
