// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_allocator.h"

#include <stdlib.h>
#include <string.h>

#include "battery/fence.h"
#include "kernel/kernel_cuda.h"

enum { RANK_MAX = 64, SIZE_LIMIT = 1 << 30, ALIGNMENT = 256, FILL = 0xA5 };

// What is handed out, and the extents that its description points to.
typedef struct Handout {
  DLManagedTensorVersioned managed;
  void *memory;        // own; NULL for memory of a device
  uint64_t on_device;  // own; memory of a real device, or 0
  int64_t extents[2 * RANK_MAX];
} Handout;

static void delete_handout(DLManagedTensorVersioned *managed)
{
  Handout *handout = managed->manager_ctx;
  free(handout->memory);
  kernel_cuda_free(handout->on_device);
  free(handout);
}

// Shape and compact strides; false if there are too many dimensions or bytes.
static bool describe(Handout *handout, const DLTensor *prototype, size_t *size)
{
  DLTensor *tensor = &handout->managed.dl_tensor;
  int64_t count = 1, bits = (int64_t)prototype->dtype.bits * prototype->dtype.lanes;
  if (prototype->ndim < 0 || prototype->ndim > RANK_MAX) return false;
  *tensor = *prototype;
  tensor->shape = handout->extents;
  tensor->strides = handout->extents + RANK_MAX;
  tensor->byte_offset = 0;
  for (int32_t i = prototype->ndim; i-- > 0;) {
    tensor->shape[i] = prototype->shape[i];
    tensor->strides[i] = count;
    if (prototype->shape[i] < 0 || __builtin_mul_overflow(count, prototype->shape[i], &count) ||
        count > SIZE_LIMIT)
      return false;
  }
  if (__builtin_mul_overflow(count, bits, &bits)) return false;
  *size = ((size_t)bits + 7) / 8;
  return *size <= SIZE_LIMIT;
}

static bool is_host(DLDevice device)
{
  return device.device_type == kDLCPU || device.device_type == kDLCUDAHost ||
         device.device_type == kDLROCMHost;
}

static bool fill(Handout *handout, size_t size)
{
  DLTensor *tensor = &handout->managed.dl_tensor;
  if (kernel_cuda_holds(tensor->device)) {
    handout->on_device = kernel_cuda_try_allocate(size);
    memcpy(&tensor->data, &handout->on_device, sizeof tensor->data);
    return handout->on_device != 0;
  }
  if (!is_host(tensor->device)) {
    tensor->data = fenced_device_memory("a tensor of the environment", size + 1);
    return true;
  }
  if (posix_memalign(&handout->memory, ALIGNMENT, size + 1) != 0) return false;
  memset(handout->memory, FILL, size + 1);
  tensor->data = handout->memory;
  return true;
}

static int allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *, const char *, const char *))
{
  size_t size;
  Handout *handout = calloc(1, sizeof *handout);
  if (!handout || !describe(handout, prototype, &size) || !fill(handout, size)) {
    free(handout);
    report(context, "MemoryError", "the environment has no memory for this tensor");
    return -1;
  }
  handout->managed.version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  handout->managed.manager_ctx = handout;
  handout->managed.deleter = delete_handout;
  *out = &handout->managed;
  return 0;
}

void kernel_allocator_offer(Iut *iut)
{
  if (iut_has(iut, FN_EnvSetDLPackManagedTensorAllocator))
    iut->EnvSetDLPackManagedTensorAllocator(allocate, 1, NULL);
}
