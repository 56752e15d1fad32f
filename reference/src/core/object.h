// SPDX-License-Identifier: Apache-2.0
// Counting references, for the files of the runtime that make or hold objects.
#ifndef REFERENCE_SRC_CORE_OBJECT_H_
#define REFERENCE_SRC_CORE_OBJECT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <tvm/ffi/c_api.h>

typedef void ObjectDeleter(void *self, int flags);

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OBJECT_RACES_ARE_WATCHED
#endif
#elif defined(__SANITIZE_THREAD__)
#define OBJECT_RACES_ARE_WATCHED
#endif

// Sees all that other threads did before they dropped references, of which the caller dropped the
// last (OBJ-15). Race detectors don't understand the fence, so they get a load, which reads a value
// that ends the release sequence of all earlier drops; it takes as long as dropping itself.
#ifdef OBJECT_RACES_ARE_WATCHED
#define OBJECT_SEE_DROPS(counter) (void)atomic_load_explicit(counter, memory_order_acquire)
#else
#define OBJECT_SEE_DROPS(counter) ((void)(counter), atomic_thread_fence(memory_order_acquire))
#endif

#ifdef TVM_FFI_GENERATION_2025_09
#include "core/object_2025_09.h"
#else
// What one reference adds to the combined counter (LAY-4).
#define OBJECT_STRONG ((uint64_t)1)
#define OBJECT_WEAK ((uint64_t)1 << 32)

// The counts of a new object, as designators of its header.
#define OBJECT_NEW_COUNTS .combined_ref_count = OBJECT_STRONG + OBJECT_WEAK

_Static_assert(sizeof(_Atomic(uint64_t)) == sizeof(uint64_t) && ATOMIC_LLONG_LOCK_FREE == 2,
               "the counter in the header must be an atomic word as it stands");

static inline _Atomic(uint64_t) *object_counter(TVMFFIObject *object)
{
  return (_Atomic(uint64_t) *)&object->combined_ref_count;
}

// Fills the header of a new object, which its maker owns (LAY-2, LAY-5, OBJ-2).
static inline void object_init(TVMFFIObject *object, int32_t type_index, ObjectDeleter *deleter)
{
  object->combined_ref_count = OBJECT_STRONG + OBJECT_WEAK;
  object->type_index = type_index;
  object->__padding = 0;
  object->__ensure_align = 0;
  object->deleter = deleter;
}

// Adds a strong reference. Who calls this can reach the object already: there is nothing to order.
static inline void object_retain(TVMFFIObject *object)
{
  atomic_fetch_add_explicit(object_counter(object), OBJECT_STRONG, memory_order_relaxed);  // OBJ-3
}

// Drops a strong reference. Returns the flags with which the deleter is due, or 0 (OBJ-13, OBJ-14).
static inline int object_drop_strong(TVMFFIObject *object)
{
  _Atomic(uint64_t) *counter = object_counter(object);
  uint64_t before = atomic_fetch_sub_explicit(counter, OBJECT_STRONG, memory_order_release);
  if ((uint32_t)before != 1) return 0;  // OBJ-4, OBJ-10
  OBJECT_SEE_DROPS(counter);
  return before == OBJECT_STRONG + OBJECT_WEAK ? kTVMFFIObjectDeleterFlagBitMaskBoth
                                               : kTVMFFIObjectDeleterFlagBitMaskStrong;  // OBJ-6
}

// Does what object_drop_strong does if there is no other reference, strong or weak: then nobody else
// can reach the object, and a store is enough. Returns 0 if there is.
static inline int object_drop_sole(TVMFFIObject *object)
{
  _Atomic(uint64_t) *counter = object_counter(object);
  if (atomic_load_explicit(counter, memory_order_acquire) != OBJECT_STRONG + OBJECT_WEAK) return 0;
  atomic_store_explicit(counter, OBJECT_WEAK, memory_order_relaxed);
  return kTVMFFIObjectDeleterFlagBitMaskBoth;
}

// Adds a strong reference unless the last one has gone already. Returns whether it did.
static inline bool object_try_retain(TVMFFIObject *object)
{
  _Atomic(uint64_t) *counter = object_counter(object);
  uint64_t count = atomic_load_explicit(counter, memory_order_relaxed);
  do {
    if ((uint32_t)count == 0) return false;
  } while (!atomic_compare_exchange_weak_explicit(counter, &count, count + OBJECT_STRONG,
                                                  memory_order_relaxed, memory_order_relaxed));
  return true;
}

// Returns how many strong references there are, that of the one who asks included.
static inline uint32_t object_references(TVMFFIObject *object)
{
  return (uint32_t)atomic_load_explicit(object_counter(object), memory_order_acquire);
}

// Drops a weak reference and tells whether it was the last, so that the memory is to be freed.
static inline bool object_drop_weak(TVMFFIObject *object)
{
  _Atomic(uint64_t) *counter = object_counter(object);
  uint64_t before = atomic_fetch_sub_explicit(counter, OBJECT_WEAK, memory_order_release);
  if (before != OBJECT_WEAK) return false;
  OBJECT_SEE_DROPS(counter);
  return true;
}
#endif  // TVM_FFI_GENERATION_2025_09

// Tells whether somebody else holds a strong reference than the one who asks.
static inline bool object_is_shared(TVMFFIObject *object)
{
  return object_references(object) != 1;
}

// A deleter for objects that hold nothing but their memory.
void object_free(void *self, int flags);

// A deleter for objects that the runtime owns a reference to for ever, so that they never die.
void object_keep(void *self, int flags);

// Does what is due when the last strong reference went and weak ones may be left.
void object_destroy(TVMFFIObject *object);

// Does what is due when the last strong reference went: `flags` is what dropping it returned.
static inline void object_finish(TVMFFIObject *object, int flags)
{
  if (flags != kTVMFFIObjectDeleterFlagBitMaskBoth) {
    object_destroy(object);
  } else if (object->deleter != NULL) {
    object->deleter(object, flags);  // OBJ-5, OBJ-9, OBJ-11
  }
}

// Drops a strong reference and does all that follows from it.
static inline void object_release(TVMFFIObject *object)
{
  int flags = object_drop_strong(object);
  if (flags != 0) object_finish(object, flags);
}

#endif  // REFERENCE_SRC_CORE_OBJECT_H_
