// SPDX-License-Identifier: Apache-2.0
// The table takes no lock. An object may be entered twice, by two threads that see it at once; who
// then puts the layer's deleter into its header keeps the entry, and the other takes its own back.
// Entries never move, so whoever owns a reference to an object finds it while others come and go.
#include "layer/shadow.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "layer/calls.h"
#include "layer/closures.h"
#include "layer/errors.h"
#include "layer/growth.h"
#include "layer/memory.h"
#include "layer/objects.h"
#include "layer/quarantine.h"
#include "layer/recorder.h"
#include "layer/recorder_write.h"

enum {
  BUCKET = 8,
  LEVELS = 5,
  FIRST_BITS = 12
};  // buckets of the first level: 2^12; each level has 8 times as many

#define FREE ((uintptr_t)0)
#define GONE ((uintptr_t)1)  // was used
#define BUSY ((uintptr_t)2)  // is being filled

typedef struct Bucket {
  _Atomic uintptr_t keys[BUCKET];
  ShadowEntry entries[BUCKET];
} Bucket;

typedef struct Place {
  Bucket *bucket;
  unsigned slot;
} Place;

static Bucket *_Atomic levels[LEVELS];

static size_t buckets_of(unsigned level)
{
  return (size_t)1 << (FIRST_BITS + 3 * level);
}

static Bucket *bucket_of(Bucket *buckets, unsigned level, const void *object)
{
  uint64_t hash = ((uintptr_t)object >> 4) * UINT64_C(0x9e3779b97f4a7c15);
  return &buckets[(hash >> 24) & (buckets_of(level) - 1)];
}

// The level, which is made if it is not there. NULL: it can't be.
static Bucket *need_level(unsigned level)
{
  Bucket *buckets = atomic_load_explicit(&levels[level], memory_order_acquire);
  if (LIKELY(buckets != NULL)) return buckets;
  int saved = errno;
  size_t size = buckets_of(level) * sizeof *buckets;
  Bucket *made =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = saved;
  if (made == MAP_FAILED) return NULL;
  if (atomic_compare_exchange_strong(&levels[level], &buckets, made)) return made;
  munmap(made, size);
  return buckets;
}

typedef bool Fits(const ShadowEntry *entry);
typedef enum Search { NOT_THERE, FOUND, IS_FULL } Search;

__attribute__((always_inline)) static inline Search find_in(unsigned level, const void *object,
                                                            Fits *fits, Place *place)
{
  Bucket *buckets = atomic_load_explicit(&levels[level], memory_order_acquire);
  if (!buckets) return NOT_THERE;
  Bucket *bucket = bucket_of(buckets, level, object);
  for (unsigned slot = 0; slot < BUCKET; ++slot) {
    uintptr_t key = atomic_load_explicit(&bucket->keys[slot], memory_order_acquire);
    if (key == (uintptr_t)object && fits(&bucket->entries[slot])) {
      *place = (Place){bucket, slot};
      return FOUND;
    }
    if (key == FREE) return NOT_THERE;
  }
  return IS_FULL;
}

__attribute__((noinline)) static bool find_deeper(const void *object, Fits *fits, Place *place)
{
  Search search = IS_FULL;
  for (unsigned level = 1; level < LEVELS && search == IS_FULL; ++level)
    search = find_in(level, object, fits, place);
  return search == FOUND;
}

// The place of an entry with this key that `fits`.
__attribute__((always_inline)) static inline bool find(const void *object, Fits *fits, Place *place)
{
  Search search = find_in(0, object, fits, place);
  return LIKELY(search != IS_FULL) ? search == FOUND : find_deeper(object, fits, place);
}

// Who looks through all entries may read one that is being filled for another object.
static void write_entry(ShadowEntry *to, const ShadowEntry *entry)
{
  __atomic_store_n(&to->deleter, entry->deleter, __ATOMIC_RELAXED);
  __atomic_store_n(&to->safe_call, entry->safe_call, __ATOMIC_RELAXED);
  __atomic_store_n(&to->cpp_call, entry->cpp_call, __ATOMIC_RELAXED);
  __atomic_store_n(&to->code, entry->code, __ATOMIC_RELAXED);
  __atomic_store_n(&to->made, entry->made, __ATOMIC_RELAXED);
  __atomic_store_n(&to->runtime, entry->runtime, __ATOMIC_RELAXED);
  __atomic_store_n(&to->epoch, entry->epoch, __ATOMIC_RELAXED);
  __atomic_store_n(&to->phases, entry->phases, __ATOMIC_RELAXED);
  to->closure_self = entry->closure_self;
  __atomic_store_n(&to->birth, entry->birth, __ATOMIC_RELAXED);
  to->read_only = entry->read_only;
  to->fetched = entry->fetched;
  to->closure_deleter = entry->closure_deleter;
  to->record = entry->record;
}

// What tells of what the object needs.
static ShadowEntry read_entry(const ShadowEntry *from)
{
  return (ShadowEntry){.birth = __atomic_load_n(&from->birth, __ATOMIC_RELAXED),
                       .deleter = __atomic_load_n(&from->deleter, __ATOMIC_RELAXED),
                       .safe_call = __atomic_load_n(&from->safe_call, __ATOMIC_RELAXED),
                       .code = __atomic_load_n(&from->code, __ATOMIC_RELAXED),
                       .made = __atomic_load_n(&from->made, __ATOMIC_RELAXED),
                       .runtime = __atomic_load_n(&from->runtime, __ATOMIC_RELAXED)};
}

static bool insert(const void *object, const ShadowEntry *entry, Place *place)
{
  for (unsigned level = 0; level < LEVELS; ++level) {
    Bucket *buckets = need_level(level);
    if (!buckets) return false;
    Bucket *bucket = bucket_of(buckets, level, object);
    for (unsigned slot = 0; slot < BUCKET; ++slot) {
      uintptr_t key = atomic_load_explicit(&bucket->keys[slot], memory_order_relaxed);
      if (key > GONE || !atomic_compare_exchange_strong(&bucket->keys[slot], &key, BUSY)) continue;
      write_entry(&bucket->entries[slot], entry);
      atomic_store_explicit(&bucket->keys[slot], (uintptr_t)object, memory_order_release);
      *place = (Place){bucket, slot};
      return true;
    }
  }
  return false;
}

static void remove_at(const Place *place)
{
  atomic_store_explicit(&place->bucket->keys[place->slot], GONE, memory_order_release);
}

static bool any(const ShadowEntry *entry)
{
  (void)entry;
  return true;
}

static bool has_safe_call(const ShadowEntry *entry)
{
  return entry->safe_call != NULL;
}

// --- Objects -------------------------------------------------------------------------------------

typedef void (*Deleter)(void *self, int flags);

static TVMFFIFunctionCell *cell_of(const TVMFFIObject *function)
{
  return (TVMFFIFunctionCell *)((char *)(uintptr_t)function + sizeof(TVMFFIObject));
}

static void ffi_call_deleter(void *self, int flags);

// Gives the object back what the layer replaced.
static void restore(TVMFFIObject *object, const ShadowEntry *entry)
{
  if (entry->safe_call)
    __atomic_store_n(&cell_of(object)->safe_call, entry->safe_call, __ATOMIC_RELAXED);
  if (entry->cpp_call) cell_of(object)->cpp_call = (void *)(uintptr_t)entry->cpp_call;
  __atomic_store_n(&object->deleter, entry->deleter, __ATOMIC_RELAXED);
}

static void ffi_call_deleter(void *self, int flags)
{
  LAYER_TAKE_OVER(self);
  enum {
    STRONG = kTVMFFIObjectDeleterFlagBitMaskStrong,
    WEAK = kTVMFFIObjectDeleterFlagBitMaskWeak,
    BOTH = kTVMFFIObjectDeleterFlagBitMaskBoth
  };
  Place place;
  if (!find(self, any, &place)) return;
  ShadowEntry *there = &place.bucket->entries[place.slot];
  const ShadowEntry entry = *there;
  __atomic_fetch_or(&there->phases, (uint8_t)(flags & BOTH), __ATOMIC_RELAXED);
  const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  objects_check_deleter(self, flags, caller, &entry);
  if (flags & WEAK) {
    recorder_dead(&entry.record);
    errors_note_gone(entry.fetched);
    remove_at(&place);
    restore(self, &entry);
  }
  if (flags == BOTH && ffi_call_quarantined(self, &entry, caller)) return;
  bool was_dead = (uint32_t)((TVMFFIObject *)self)->combined_ref_count == 0;
  ffi_call_destroy(self, flags, &entry, caller);
  if (flags == STRONG && was_dead) objects_check_destroyed(self, &entry);
}

// Its memory may have had another object that died unseen. (An equal entry may be that of another
// thread.)
static void remove_stale(const TVMFFIObject *object, const ShadowEntry *entry)
{
  Place place;
  while (find(object, any, &place)) {
    const ShadowEntry there = read_entry(&place.bucket->entries[place.slot]);
    bool differs = there.safe_call && entry->safe_call && there.safe_call != entry->safe_call;
    if (there.deleter == entry->deleter && !differs) return;
    remove_at(&place);
  }
}

bool shadow_can_read(const TVMFFIObject *object)
{
  if (!object || (uintptr_t)object % _Alignof(TVMFFIObject) != 0) return false;
  uint32_t epoch = memory_epoch();
  Place place;
  uint32_t *seen = find(object, any, &place) ? &place.bucket->entries[place.slot].epoch : NULL;
  if (LIKELY(seen && __atomic_load_n(seen, __ATOMIC_RELAXED) == epoch)) return true;
  if (!memory_is_readable(object, sizeof *object) ||
      (object->type_index == kTVMFFIFunction &&
       !memory_is_readable(object, sizeof *object + sizeof(TVMFFIFunctionCell))))
    return false;
  if (seen) __atomic_store_n(seen, epoch, __ATOMIC_RELAXED);
  return true;
}

// Apart from shadow_see, which most often finds nothing to do.
__attribute__((noinline)) static bool see_new(TVMFFIObject *object, Deleter deleter,
                                              const LayerParties *who, TVMFFISafeCallType code)
{
  bool is_function = object->type_index == kTVMFFIFunction;
  TVMFFISafeCallType safe_call =
      is_function ? __atomic_load_n(&cell_of(object)->safe_call, __ATOMIC_ACQUIRE) : NULL;
  if (safe_call == ffi_call_cell) safe_call = NULL;  // another thread is faster
  // C++ code reads it in place, and hands on what it throws; nothing is checked there.
  LayerCppCall cpp_call = NULL;
  if (safe_call && recorder_is_on()) cpp_call = (LayerCppCall)(uintptr_t)cell_of(object)->cpp_call;
  if (deleter == quarantine_deleter || !memory_is_writable(&object->deleter) ||
      (is_function && !memory_is_writable(&cell_of(object)->safe_call)))
    return false;
  const ShadowEntry entry = {.deleter = deleter,
                             .safe_call = safe_call,
                             .cpp_call = cpp_call,
                             .code = code ? (uintptr_t)code : (uintptr_t)safe_call,
                             .made = who->caller,
                             .runtime = who->runtime,
                             .epoch = memory_epoch(),
                             .birth = layer_ring->looks_deeper ? growth_birth() : 0};
  Place place;
  remove_stale(object, &entry);
  if (!insert(object, &entry, &place)) return false;
  if (!__atomic_compare_exchange_n(&object->deleter, &deleter, ffi_call_deleter, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    remove_at(&place);
    return true;
  }
  if (safe_call) __atomic_store_n(&cell_of(object)->safe_call, ffi_call_cell, __ATOMIC_RELEASE);
  if (cpp_call)
    __atomic_store_n(&cell_of(object)->cpp_call, (void *)(uintptr_t)ffi_call_cpp, __ATOMIC_RELEASE);
  atomic_fetch_add_explicit(is_function ? &layer_process->functions : &layer_process->objects, 1,
                            memory_order_relaxed);
  return false;
}

bool shadow_see(TVMFFIObject *object, const LayerParties *who, TVMFFISafeCallType code)
{
  Deleter deleter = __atomic_load_n(&object->deleter, __ATOMIC_ACQUIRE);
  if (LIKELY(deleter == ffi_call_deleter)) return true;
  return deleter && see_new(object, deleter, who, code);
}

void shadow_set_read_only(const void *object)
{
  Place place;
  if (find(object, any, &place)) place.bucket->entries[place.slot].read_only = true;
}

bool shadow_set_fetched(const void *error, uint8_t site, uint8_t *before)
{
  Place place;
  if (!find(error, any, &place)) return false;
  uint8_t *fetched = &place.bucket->entries[place.slot].fetched;
  *before = *fetched;
  *fetched = site;
  return true;
}

bool shadow_set_closure(const void *function, const ShadowClosure *closure)
{
  Place place;
  if (!find(function, any, &place)) return false;
  place.bucket->entries[place.slot].closure_self = closure->self;
  place.bucket->entries[place.slot].closure_deleter = closure->deleter;
  return true;
}

uint32_t *shadow_birth(const void *object)
{
  Place place;
  return find(object, any, &place) ? &place.bucket->entries[place.slot].birth : NULL;
}

void shadow_close(const void *function)
{
  Place place;
  if (find(function, any, &place))
    __atomic_fetch_or(&place.bucket->entries[place.slot].phases, SHADOW_CLOSED, __ATOMIC_RELAXED);
}

ShadowRecord *shadow_record(const void *object)
{
  Place place;
  return find(object, any, &place) ? &place.bucket->entries[place.slot].record : NULL;
}

bool shadow_find(const void *object, ShadowEntry *entry)
{
  Place place;
  if (!find(object, any, &place)) return false;
  *entry = place.bucket->entries[place.slot];
  return true;
}

TVMFFISafeCallType shadow_find_function(const void *function, uintptr_t *code)
{
  Place place;
  if (!find(function, has_safe_call, &place)) return NULL;
  const ShadowEntry *entry = &place.bucket->entries[place.slot];
  *code = entry->code;
  return entry->safe_call;
}

LayerCppCall shadow_find_cpp(const void *function, uintptr_t *code)
{
  Place place;
  if (!find(function, has_safe_call, &place)) return NULL;
  const ShadowEntry *entry = &place.bucket->entries[place.slot];
  *code = entry->code;
  return entry->cpp_call;
}

TVMFFISafeCallType shadow_is_function(const TVMFFIObject *object, uintptr_t *code)
{
  Place place;
  if (!find(object, has_safe_call, &place)) return NULL;
  const ShadowEntry *entry = &place.bucket->entries[place.slot];
  if (__atomic_load_n(&entry->epoch, __ATOMIC_RELAXED) != memory_epoch() ||
      object->type_index != kTVMFFIFunction ||
      __atomic_load_n(&object->deleter, __ATOMIC_ACQUIRE) != ffi_call_deleter)
    return NULL;
  *code = entry->code;
  return entry->safe_call;
}

uintptr_t shadow_code_of(const TVMFFIObject *function)
{
  uintptr_t code;
  if (shadow_find_function(function, &code)) return code;
  return (uintptr_t)cell_of(function)->safe_call;
}

static bool is_within(uintptr_t address, uintptr_t start, uintptr_t end)
{
  return address - start < end - start;
}

// Whose memory was freed without its deleter is none of the layer's any more.
static bool is_followed(uintptr_t key)
{
  const TVMFFIObject *object = (const void *)key;
  return shadow_can_read(object) &&
         __atomic_load_n(&object->deleter, __ATOMIC_RELAXED) == ffi_call_deleter;
}

void shadow_visit(void (*see)(const TVMFFIObject *object, const ShadowEntry *entry))
{
  for (unsigned level = 0; level < LEVELS; ++level) {
    Bucket *buckets = atomic_load_explicit(&levels[level], memory_order_acquire);
    for (size_t i = 0; buckets && i < buckets_of(level) * BUCKET; ++i) {
      const Bucket *bucket = &buckets[i / BUCKET];
      uintptr_t key = atomic_load_explicit(&bucket->keys[i % BUCKET], memory_order_acquire);
      if (key <= BUSY) continue;
      const ShadowEntry found = read_entry(&bucket->entries[i % BUCKET]);
      bool same = atomic_load_explicit(&bucket->keys[i % BUCKET], memory_order_acquire) == key;
      if (same && is_followed(key)) see((const TVMFFIObject *)key, &found);
    }
  }
}

size_t shadow_count_in(uintptr_t start, uintptr_t end, ShadowEntry *entry)
{
  size_t count = 0;
  for (unsigned level = 0; level < LEVELS; ++level) {
    Bucket *buckets = atomic_load_explicit(&levels[level], memory_order_acquire);
    for (size_t i = 0; buckets && i < buckets_of(level) * BUCKET; ++i) {
      const Bucket *bucket = &buckets[i / BUCKET];
      uintptr_t key = atomic_load_explicit(&bucket->keys[i % BUCKET], memory_order_acquire);
      if (key <= BUSY) continue;
      const ShadowEntry found = read_entry(&bucket->entries[i % BUCKET]);
      bool same = atomic_load_explicit(&bucket->keys[i % BUCKET], memory_order_acquire) == key;
      if (!same ||
          !(is_within((uintptr_t)found.deleter, start, end) ||
            is_within((uintptr_t)found.safe_call, start, end)) ||
          !is_followed(key))
        continue;
      *entry = found;
      ++count;
    }
  }
  return count;
}

bool shadow_close_living(const ShadowClosure *closure, ShadowEntry *entry)
{
  for (unsigned level = 0; level < LEVELS; ++level) {
    Bucket *buckets = atomic_load_explicit(&levels[level], memory_order_acquire);
    for (size_t i = 0; buckets && i < buckets_of(level) * BUCKET; ++i) {
      Bucket *bucket = &buckets[i / BUCKET];
      uintptr_t key = atomic_load_explicit(&bucket->keys[i % BUCKET], memory_order_acquire);
      if (key <= BUSY) continue;
      ShadowEntry *there = &bucket->entries[i % BUCKET];
      if (there->closure_deleter != closure->deleter || there->closure_self != closure->self ||
          !is_followed(key) ||
          (uint32_t)__atomic_load_n((const uint64_t *)key, __ATOMIC_RELAXED) == 0)
        continue;
      __atomic_fetch_or(&there->phases, SHADOW_CLOSED, __ATOMIC_RELAXED);
      *entry = read_entry(there);
      return true;
    }
  }
  return false;
}
