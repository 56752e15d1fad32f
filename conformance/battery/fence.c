// SPDX-License-Identifier: Apache-2.0
#include "battery/fence.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/expect.h"

// Pages: one unmapped, the buffer's, one unmapped.
typedef struct Fence {
  char name[40];  // cut if it is longer
  char *mapping;
  size_t mapping_size;
  char *buffer;
  size_t size;
  bool read_only;
  bool device;  // no access at all
  bool gone;    // nor here
} Fence;

enum { FENCES_MAX = 16384 };
static Fence fences[FENCES_MAX];
static atomic_uint fence_count;

static size_t page_size(void)
{
  static size_t size;
  if (!size) size = (size_t)sysconf(_SC_PAGESIZE);
  return size;
}

static char *reserve(size_t size)
{
  return mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Pages without access for a fence. Most fences are small, and there are many: the first share a mapping.
static char *take_pages(size_t size)
{
  enum { SMALL = 1 << 18, SHARED = 1 << 24 };
  static _Atomic(char *) shared;
  static atomic_size_t used;
  char *pages = atomic_load(&shared);
  if (size > SMALL) return reserve(size);
  if (!pages) {
    char *none = NULL, *made = reserve(SHARED);
    if (made == MAP_FAILED) return made;
    pages = atomic_compare_exchange_strong(&shared, &none, made) ? made : none;
    if (pages != made) munmap(made, SHARED);
  }
  const size_t at = atomic_fetch_add(&used, size);
  return at + size <= SHARED ? pages + at : reserve(size);
}

static void set_name(Fence *fence, const char *name)
{
  snprintf(fence->name, sizeof fence->name, "%s", name);
}

// Maps the pages and registers the fence; the buffer is at the end, or at the front of its pages.
static Fence *build(const char *name, size_t size, bool front)
{
  size_t page = page_size();
  if (size > SIZE_MAX - 4 * page)
    case_inconclusive("a guarded buffer of %zu bytes is too large", size);
  size_t inner = (size + page - 1) / page * page;
  char *mapping = take_pages(inner + 2 * page);
  if (mapping == MAP_FAILED || (inner && mprotect(mapping + page, inner, PROT_READ | PROT_WRITE)))
    case_inconclusive("cannot map %zu bytes and guard pages for %s: %s", size, name,
                      strerror(errno));
  unsigned index = atomic_fetch_add(&fence_count, 1);
  static Fence unregistered;
  Fence *fence = index < FENCES_MAX ? &fences[index] : &unregistered;
  *fence = (Fence){.mapping = mapping, .mapping_size = inner + 2 * page, .size = size};
  set_name(fence, name);
  fence->buffer = front ? mapping + page : mapping + page + inner - size;
  return fence;
}

static void make_read_only(Fence *fence)
{
  size_t inner = fence->mapping_size - 2 * page_size();
  if (inner && mprotect(fence->mapping + page_size(), inner, PROT_READ))
    case_inconclusive("cannot make %s read-only: %s", fence->name, strerror(errno));
  fence->read_only = true;
}

static const void *copy(const char *name, const void *bytes, size_t size, bool front)
{
  Fence *fence = build(name, size, front);
  if (size) memcpy(fence->buffer, bytes, size);
  make_read_only(fence);
  return fence->buffer;
}

const void *fenced_copy(const char *name, const void *bytes, size_t size)
{
  return copy(name, bytes, size, false);
}

const void *fenced_front_copy(const char *name, const void *bytes, size_t size)
{
  return copy(name, bytes, size, true);
}

void *fenced_buffer(const char *name, size_t size)
{
  Fence *fence = build(name, size, false);
  memset(fence->buffer, 0xA5, size);
  return fence->buffer;
}

void *fenced_device_memory(const char *name, size_t size)
{
  Fence *fence = build(name, size, true);
  if (mprotect(fence->mapping, fence->mapping_size, PROT_NONE))
    case_inconclusive("cannot protect the memory of %s: %s", name, strerror(errno));
  fence->device = true;
  return fence->buffer;
}

void fence_name_device(const char *name, void *address, size_t size)
{
  unsigned index = atomic_fetch_add(&fence_count, 1);
  char *mapping = (char *)address - page_size();
  size_t inner = (size + page_size() - 1) / page_size() * page_size();
  if (index >= FENCES_MAX) return;
  fences[index] = (Fence){.mapping = mapping,
                          .mapping_size = inner + 2 * page_size(),
                          .buffer = address,
                          .size = size,
                          .device = true};
  set_name(&fences[index], name);
}

// The newest first: most are asked for soon after they were made.
static Fence *fence_of(const void *buffer)
{
  const unsigned count = atomic_load(&fence_count);
  for (unsigned i = count < FENCES_MAX ? count : FENCES_MAX; i > 0; --i)
    if (fences[i - 1].buffer == buffer) return &fences[i - 1];
  return NULL;
}

void fence_lock(void *buffer)
{
  Fence *fence = fence_of(buffer);
  if (!fence) case_inconclusive("the case asked to lock a buffer that is not fenced");
  make_read_only(fence);
}

void fence_unlock(void *buffer)
{
  Fence *fence = fence_of(buffer);
  if (!fence) case_inconclusive("the case asked to unlock a buffer that is not fenced");
  const size_t inner = fence->mapping_size - 2 * page_size();
  if (inner && mprotect(fence->mapping + page_size(), inner, PROT_READ | PROT_WRITE))
    case_inconclusive("cannot make %s writable: %s", fence->name, strerror(errno));
  fence->read_only = false;
}

void fence_take_away(void *memory, size_t size)
{
  if (!memory || !size) return;
  const size_t page = page_size(), before = (uintptr_t)memory % page;
  if (mprotect((char *)memory - before, (before + size + page - 1) / page * page, PROT_NONE))
    case_inconclusive("cannot protect memory: %s", strerror(errno));
  Fence *fence = fence_of(memory);
  if (fence) fence->gone = true;
}

unsigned fences_made(void)
{
  return atomic_load(&fence_count);
}

void fences_give_back(unsigned made)
{
  const unsigned count = atomic_load(&fence_count);
  for (unsigned i = made; i < count && i < FENCES_MAX; ++i) {
    if (fences[i].device) continue;
    if (mprotect(fences[i].mapping, fences[i].mapping_size, PROT_NONE) ||
        madvise(fences[i].mapping, fences[i].mapping_size, MADV_DONTNEED))
      case_inconclusive("cannot give back %s: %s", fences[i].name, strerror(errno));
  }
  if (made < count) atomic_store(&fence_count, made);
}

bool fences_are_scarce(void)
{
  return atomic_load(&fence_count) > FENCES_MAX / 4 * 3;
}

const char *fenced_string(const char *text)
{
  return fenced_copy("the C string", text, strlen(text) + 1);
}

const TVMFFIByteArray *fenced_bytes(const void *bytes, size_t size)
{
  TVMFFIByteArray array = {fenced_copy("the bytes", bytes, size), size};
  return fenced_copy("the byte array", &array, sizeof array);
}

TVMFFIAny *fenced_args(const TVMFFIAny *values, size_t count)
{
  const void *args = fenced_copy("args", values, count * sizeof *values);
  TVMFFIAny *writable;
  memcpy(&writable, &args, sizeof writable);
  return writable;
}

TVMFFIAny *fenced_result(void)
{
  TVMFFIAny *result = fenced_buffer("result", sizeof *result);
  *result = garbage_but_none();
  return result;
}

bool fence_find(const void *address, FenceFacts *facts)
{
  unsigned count = atomic_load(&fence_count);
  for (unsigned i = 0; i < count && i < FENCES_MAX; ++i) {
    const Fence *fence = &fences[i];
    uintptr_t start = (uintptr_t)fence->buffer, at = (uintptr_t)address;
    if (at < start || at > start + fence->size) continue;
    *facts = (FenceFacts){fence->name, fence->buffer, fence->size, fence->read_only, fence->device};
    return true;
  }
  return false;
}

#define GONE ", which the caller has freed"

#if defined(__s390x__)
// This processor tells of the page only.
static bool describe(const Fence *fence, uintptr_t address, char *out, size_t capacity)
{
  uintptr_t first = (uintptr_t)fence->mapping + page_size();
  uintptr_t behind = (uintptr_t)fence->mapping + fence->mapping_size - page_size();
  const char *before_name = "a write to ", *behind_name = ", which is read-only";
  if (fence->device) before_name = "", behind_name = ", which is on a device";
  if (fence->gone) before_name = "", behind_name = GONE;
  if (address >= behind) before_name = "past the end of ", behind_name = "";
  if (address < first) before_name = "before the start of ", behind_name = "";
  snprintf(out, capacity, "%s%s (%zu bytes)%s", before_name, fence->name, fence->size, behind_name);
  return true;
}
#else
static bool describe(const Fence *fence, uintptr_t address, char *out, size_t capacity)
{
  uintptr_t start = (uintptr_t)fence->buffer, end = start + fence->size;
  if (address >= end)
    snprintf(out, capacity, "byte %zu past the end of %s (%zu bytes)", (size_t)(address - end) + 1,
             fence->name, fence->size);
  else if (address < start)
    snprintf(out, capacity, "byte %zu before the start of %s (%zu bytes)",
             (size_t)(start - address), fence->name, fence->size);
  else if (fence->gone)
    snprintf(out, capacity, "byte %zu of %s (%zu bytes)" GONE, (size_t)(address - start),
             fence->name, fence->size);
  else if (fence->device)
    snprintf(out, capacity, "byte %zu of %s (%zu bytes), which is on a device",
             (size_t)(address - start), fence->name, fence->size);
  else
    snprintf(out, capacity, "a write to byte %zu of %s (%zu bytes), which is read-only",
             (size_t)(address - start), fence->name, fence->size);
  return true;
}

#endif

bool fence_describe(uintptr_t address, char *out, size_t capacity)
{
  unsigned count = atomic_load(&fence_count);
  for (unsigned i = 0; i < count && i < FENCES_MAX; ++i) {
    uintptr_t start = (uintptr_t)fences[i].mapping;
    if (address >= start && address < start + fences[i].mapping_size)
      return describe(&fences[i], address, out, capacity);
  }
  return false;
}
