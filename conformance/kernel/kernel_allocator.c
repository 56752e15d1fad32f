// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_allocator.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/fence.h"
#include "kernel/kernel_cuda.h"

enum { RANK_MAX = 64, SIZE_LIMIT = 1 << 30, ALIGNMENT = 64 };

static unsigned char filling = 0xA5;

// What is handed out, and the extents that its description points to. Its memory ends, but for the
// alignment, at an unmapped page, and there is one before it.
typedef struct Handout {
  DLManagedTensorVersioned managed;
  struct Handout *next, **link;  // of those that are not deleted
  unsigned char *mapping;        // own; NULL for memory of a device
  size_t mapping_size;
  size_t size;         // of the elements
  uint64_t on_device;  // own; memory of a real device, or 0
  int64_t extents[2 * RANK_MAX];
} Handout;

static Handout *handouts;
static pthread_mutex_t handouts_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool was_damaged;

static void enlist(Handout *handout)
{
  pthread_mutex_lock(&handouts_lock);
  handout->next = handouts;
  handout->link = &handouts;
  if (handouts) handouts->link = &handout->next;
  handouts = handout;
  pthread_mutex_unlock(&handouts_lock);
}

static void unlist(Handout *handout)
{
  if (!handout->link) return;
  pthread_mutex_lock(&handouts_lock);
  *handout->link = handout->next;
  if (handout->next) handout->next->link = handout->link;
  pthread_mutex_unlock(&handouts_lock);
}

// Whether what is left of the pages before and behind the elements is as it was filled.
static bool is_whole(const Handout *handout)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const unsigned char *first = handout->managed.dl_tensor.data;
  const unsigned char *end = handout->mapping + handout->mapping_size - page;
  for (const unsigned char *at = handout->mapping + page; at < end; ++at)
    if ((at < first || at >= first + handout->size) && *at != filling) return false;
  return true;
}

bool kernel_allocator_is_damaged(void)
{
  bool damaged = atomic_load(&was_damaged);
  pthread_mutex_lock(&handouts_lock);
  for (const Handout *handout = handouts; handout && !damaged; handout = handout->next)
    damaged = !is_whole(handout);
  pthread_mutex_unlock(&handouts_lock);
  return damaged;
}

bool kernel_allocator_is_next_to(uintptr_t address)
{
  for (const Handout *handout = handouts; handout; handout = handout->next) {
    uintptr_t first = (uintptr_t)handout->mapping;
    if (address >= first && address < first + handout->mapping_size) return true;
  }
  return false;
}

static void delete_handout(DLManagedTensorVersioned *managed)
{
  Handout *handout = managed->manager_ctx;
  unlist(handout);
  if (handout->mapping) {
    if (!is_whole(handout)) atomic_store(&was_damaged, true);
    munmap(handout->mapping, handout->mapping_size);
  }
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

static bool map_memory(Handout *handout, size_t size)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t inner = (size + ALIGNMENT + page - 1) / page * page;
  void *mapping = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return false;
  handout->mapping = mapping;
  handout->mapping_size = inner + 2 * page;
  if (mprotect(handout->mapping + page, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, handout->mapping_size);
    return false;
  }
  memset(handout->mapping + page, filling, inner);
  size_t room = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  handout->managed.dl_tensor.data = handout->mapping + page + inner - room;
  handout->size = size;
  enlist(handout);
  return true;
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
  return map_memory(handout, size);
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

void kernel_allocator_fill(unsigned char byte)
{
  filling = byte;
}

void kernel_allocator_offer(Iut *iut)
{
  if (iut_has(iut, FN_EnvSetDLPackManagedTensorAllocator))
    iut->EnvSetDLPackManagedTensorAllocator(allocate, 1, NULL);
}
