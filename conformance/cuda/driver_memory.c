// SPDX-License-Identifier: Apache-2.0
// The stand-in for the driver: memory. Copies and sets are done when they are asked for, whatever
// the stream.
#include <string.h>

#include "cuda/driver.h"
#include "cuda/state.h"

typedef uintptr_t Address;

// --- Taking and giving back ----------------------------------------------------------------------

static int allocate(Address *address, size_t size, const void *stream, bool on_host)
{
  int device = current_device(), error = need_context();
  if (error == OK) error = check_stream(stream, &device);
  if (error == OK && !address) error = INVALID_VALUE;
  if (error == OK && size == 0) error = INVALID_VALUE;
  if (error != OK) return error;
  CudaWork work = {.device = device, .stream = stream, .size = size};
  Address made = account_refuses(CUDA_ALLOCATION) ? 0 : memory_new(size, device, on_host);
  work.error = made ? OK : OUT_OF_MEMORY;
  work.to = made;
  account_note(CUDA_ALLOCATION, &work);
  if (made) *address = made;
  return work.error;
}

static int give_back(Address address)
{
  if (!is_initialized()) return NOT_INITIALIZED;
  if (!address) return OK;
  return memory_free(address) ? OK : INVALID_VALUE;
}

CUDA_EXPORT int cuMemAlloc_v2(Address *address, size_t size)
{
  return allocate(address, size, NULL, false);
}

CUDA_EXPORT int cuMemAllocAsync(Address *address, size_t size, void *stream)
{
  return allocate(address, size, stream, false);
}

CUDA_EXPORT int cuMemAllocFromPoolAsync(Address *address, size_t size, void *pool, void *stream)
{
  (void)pool;
  return allocate(address, size, stream, false);
}

CUDA_EXPORT int cuMemAllocManaged(Address *address, size_t size, unsigned flags)
{
  (void)flags;
  return allocate(address, size, NULL, true);
}

CUDA_EXPORT int cuMemAllocPitch_v2(Address *address, size_t *pitch, size_t width, size_t height,
                                   unsigned element)
{
  enum { PITCH = 512 };
  (void)element;
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return allocate(address, *pitch * height, NULL, false);
}

CUDA_EXPORT int cuMemFree_v2(Address address)
{
  return give_back(address);
}

CUDA_EXPORT int cuMemFreeAsync(Address address, void *stream)
{
  int device = 0, error = check_stream(stream, &device);
  return error == OK ? give_back(address) : error;
}

static int allocate_host(void **address, size_t size)
{
  Address made = 0;
  int error = allocate(&made, size, NULL, true);
  if (error == OK) memcpy(address, &made, sizeof made);
  return error;
}

CUDA_EXPORT int cuMemAllocHost_v2(void **address, size_t size)
{
  return allocate_host(address, size);
}

CUDA_EXPORT int cuMemHostAlloc(void **address, size_t size, unsigned flags)
{
  (void)flags;
  return allocate_host(address, size);
}

CUDA_EXPORT int cuMemFreeHost(void *address)
{
  return give_back((Address)address);
}

CUDA_EXPORT int cuMemHostRegister_v2(void *address, size_t size, unsigned flags)
{
  (void)flags;
  if (need_context() != OK) return need_context();
  return address && size ? OK : INVALID_VALUE;
}

CUDA_EXPORT int cuMemHostUnregister(void *address)
{
  (void)address;
  return need_context();
}

CUDA_EXPORT int cuMemHostGetDevicePointer_v2(Address *on_device, void *address, unsigned flags)
{
  (void)flags;
  if (need_context() != OK) return need_context();
  *on_device = (Address)address;
  return OK;
}

CUDA_EXPORT int cuMemGetInfo_v2(size_t *left, size_t *total)
{
  size_t all = 0;
  if (need_context() != OK) return need_context();
  cuDeviceTotalMem_v2(&all, current_device());
  if (left) *left = all - atomic_load(&tvmffi_cuda_account.live_bytes);
  if (total) *total = all;
  return OK;
}

CUDA_EXPORT int cuMemGetAddressRange_v2(Address *base, size_t *size, Address address)
{
  MemoryFacts facts;
  if (need_context() != OK) return need_context();
  if (!memory_find(address, &facts)) return NOT_FOUND;
  if (base) *base = facts.address;
  if (size) *size = facts.size;
  return OK;
}

// --- Pools: there is one, and it keeps nothing ---------------------------------------------------

static Object pool = {.kind = OBJECT_POOL};

CUDA_EXPORT int cuDeviceGetDefaultMemPool(void **out, int device)
{
  (void)device;
  *out = &pool;
  return is_initialized() ? OK : NOT_INITIALIZED;
}

CUDA_EXPORT int cuDeviceGetMemPool(void **out, int device)
{
  return cuDeviceGetDefaultMemPool(out, device);
}

CUDA_EXPORT int cuMemPoolSetAttribute(void *of, int attribute, void *value)
{
  (void)attribute, (void)value;
  return of == &pool ? OK : INVALID_VALUE;
}

CUDA_EXPORT int cuMemPoolGetAttribute(void *of, int attribute, void *value)
{
  (void)attribute;
  if (of != &pool || !value) return INVALID_VALUE;
  memset(value, 0, sizeof(int));
  return OK;
}

CUDA_EXPORT int cuMemPoolTrimTo(void *of, size_t keep)
{
  (void)keep;
  return of == &pool ? OK : INVALID_VALUE;
}

// --- What an address is --------------------------------------------------------------------------

enum {
  CONTEXT = 1,
  TYPE = 2,
  DEVICE_POINTER = 3,
  HOST_POINTER = 4,
  IS_MANAGED = 8,
  ORDINAL = 9,
  RANGE_START = 11,
  RANGE_SIZE = 12,
  MAPPED = 13
};

static int tell(void *value, int attribute, const MemoryFacts *facts, Address address)
{
  enum { TYPE_HOST = 1, TYPE_DEVICE = 2 };
  unsigned type = facts->on_host ? TYPE_HOST : TYPE_DEVICE, yes = 1, no = 0;
  switch (attribute) {
    case CONTEXT:
      return cuDevicePrimaryCtxRetain(value, facts->device);
    case TYPE:
      memcpy(value, &type, sizeof type);
      return OK;
    case DEVICE_POINTER:
      memcpy(value, &address, sizeof address);
      return OK;
    case HOST_POINTER:
      if (!facts->on_host) return INVALID_VALUE;
      memcpy(value, &address, sizeof address);
      return OK;
    case IS_MANAGED:
      memcpy(value, &no, sizeof no);
      return OK;
    case ORDINAL:
      memcpy(value, &facts->device, sizeof facts->device);
      return OK;
    case RANGE_START:
      memcpy(value, &facts->address, sizeof facts->address);
      return OK;
    case RANGE_SIZE:
      memcpy(value, &facts->size, sizeof facts->size);
      return OK;
    case MAPPED:
      memcpy(value, &yes, sizeof yes);
      return OK;
    default:
      return INVALID_VALUE;
  }
}

CUDA_EXPORT int cuPointerGetAttribute(void *value, int attribute, Address address)
{
  MemoryFacts facts;
  if (need_context() != OK) return need_context();
  if (!value || !memory_find(address, &facts)) return INVALID_VALUE;
  return tell(value, attribute, &facts, address);
}

CUDA_EXPORT int cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                                       Address address)
{
  MemoryFacts facts;
  if (need_context() != OK) return need_context();
  bool known = memory_find(address, &facts);
  for (unsigned i = 0; i < count; ++i)
    if (!known)
      memset(values[i], 0,
             attributes[i] == TYPE || attributes[i] == IS_MANAGED ? 4 : sizeof address);
    else
      tell(values[i], attributes[i], &facts, address);
  return OK;
}

// --- Copies --------------------------------------------------------------------------------------

static int copy(Address to, Address from, size_t size, const void *stream, bool waits)
{
  int device = current_device(), error = need_context();
  if (error == OK) error = check_stream(stream, &device);
  if (error != OK) return error;
  CudaWork work = {
      .device = device, .stream = stream, .waits = waits, .to = to, .from = from, .size = size};
  if (account_refuses(CUDA_COPY))
    work.error = UNKNOWN;
  else
    work.error = memory_copy(to, from, size) ? OK : INVALID_VALUE;
  account_note(CUDA_COPY, &work);
  return work.error;
}

CUDA_EXPORT int cuMemcpy(Address to, Address from, size_t size)
{
  return copy(to, from, size, NULL, true);
}

CUDA_EXPORT int cuMemcpyAsync(Address to, Address from, size_t size, void *stream)
{
  return copy(to, from, size, stream, false);
}

CUDA_EXPORT int cuMemcpyHtoD_v2(Address to, const void *from, size_t size)
{
  return copy(to, (Address)from, size, NULL, true);
}

CUDA_EXPORT int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t size, void *stream)
{
  return copy(to, (Address)from, size, stream, false);
}

CUDA_EXPORT int cuMemcpyDtoH_v2(void *to, Address from, size_t size)
{
  return copy((Address)to, from, size, NULL, true);
}

CUDA_EXPORT int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t size, void *stream)
{
  return copy((Address)to, from, size, stream, false);
}

CUDA_EXPORT int cuMemcpyDtoD_v2(Address to, Address from, size_t size)
{
  return copy(to, from, size, NULL, false);
}

CUDA_EXPORT int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t size, void *stream)
{
  return copy(to, from, size, stream, false);
}

CUDA_EXPORT int cuMemcpyPeer(Address to, void *to_context, Address from, void *from_context,
                             size_t size)
{
  (void)to_context, (void)from_context;
  return copy(to, from, size, NULL, false);
}

CUDA_EXPORT int cuMemcpyPeerAsync(Address to, void *to_context, Address from, void *from_context,
                                  size_t size, void *stream)
{
  (void)to_context, (void)from_context;
  return copy(to, from, size, stream, false);
}

// --- Sets ----------------------------------------------------------------------------------------

static int set(Address to, unsigned value, size_t width, size_t count, const void *stream)
{
  int device = current_device(), error = need_context();
  if (error == OK) error = check_stream(stream, &device);
  if (error != OK) return error;
  CudaWork work = {.device = device, .stream = stream, .to = to, .size = width * count};
  if (account_refuses(CUDA_SET))
    work.error = UNKNOWN;
  else
    work.error = memory_set(to, value, width, count) ? OK : INVALID_VALUE;
  account_note(CUDA_SET, &work);
  return work.error;
}

CUDA_EXPORT int cuMemsetD8_v2(Address to, unsigned char value, size_t count)
{
  return set(to, value, 1, count, NULL);
}

CUDA_EXPORT int cuMemsetD8Async(Address to, unsigned char value, size_t count, void *stream)
{
  return set(to, value, 1, count, stream);
}

CUDA_EXPORT int cuMemsetD16_v2(Address to, unsigned short value, size_t count)
{
  return set(to, value, 2, count, NULL);
}

CUDA_EXPORT int cuMemsetD16Async(Address to, unsigned short value, size_t count, void *stream)
{
  return set(to, value, 2, count, stream);
}

CUDA_EXPORT int cuMemsetD32_v2(Address to, unsigned value, size_t count)
{
  return set(to, value, 4, count, NULL);
}

CUDA_EXPORT int cuMemsetD32Async(Address to, unsigned value, size_t count, void *stream)
{
  return set(to, value, 4, count, stream);
}
