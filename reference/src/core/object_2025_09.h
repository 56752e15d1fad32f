// SPDX-License-Identifier: Apache-2.0
// Counting references as the generation of September 2025 has it: two counters, a weak one of 32
// bits and a strong one of 64. What each function promises stands in object.h, which includes this.
#ifndef REFERENCE_SRC_CORE_OBJECT_2025_09_H_
#define REFERENCE_SRC_CORE_OBJECT_2025_09_H_

#define OBJECT_NEW_COUNTS .weak_ref_count = 1, .strong_ref_count = 1

_Static_assert(sizeof(_Atomic(uint64_t)) == sizeof(uint64_t) && ATOMIC_LLONG_LOCK_FREE == 2 &&
                   sizeof(_Atomic(uint32_t)) == sizeof(uint32_t) && ATOMIC_INT_LOCK_FREE == 2,
               "the counters in the header must be atomic words as they stand");

// structs.def has the layouts of the other generation. What differs in this one:
_Static_assert(offsetof(TVMFFIObject, type_index) == 0 &&
                   offsetof(TVMFFIObject, weak_ref_count) == 4 &&
                   offsetof(TVMFFIObject, strong_ref_count) == 8 &&
                   offsetof(TVMFFIObject, deleter) == 16 && sizeof(TVMFFIObject) == 24,
               "the header of objects");
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(offsetof(TVMFFIErrorCell, traceback) == 32 &&
                   offsetof(TVMFFIErrorCell, update_traceback) == 48 &&
                   sizeof(TVMFFIErrorCell) == 56 && sizeof(TVMFFIFunctionCell) == 8,
               "the cells of errors and functions");
#endif

static inline _Atomic(uint64_t) *object_strong(TVMFFIObject *object)
{
  return (_Atomic(uint64_t) *)&object->strong_ref_count;
}

static inline _Atomic(uint32_t) *object_weak(TVMFFIObject *object)
{
  return (_Atomic(uint32_t) *)&object->weak_ref_count;
}

static inline void object_init(TVMFFIObject *object, int32_t type_index, ObjectDeleter *deleter)
{
  object->type_index = type_index;  // LAY-3
  object->weak_ref_count = 1;
  object->strong_ref_count = 1;
  object->__ensure_align = 0;
  object->deleter = deleter;
}

static inline void object_retain(TVMFFIObject *object)
{
  atomic_fetch_add_explicit(object_strong(object), 1, memory_order_relaxed);
}

// Nobody makes a weak reference of none: when the strong ones have gone and only their weak one is
// left, it stays so.
static inline int object_drop_strong(TVMFFIObject *object)
{
  if (atomic_fetch_sub_explicit(object_strong(object), 1, memory_order_release) != 1) return 0;
  OBJECT_SEE_DROPS(object_strong(object));
  return atomic_load_explicit(object_weak(object), memory_order_acquire) == 1
             ? kTVMFFIObjectDeleterFlagBitMaskBoth
             : kTVMFFIObjectDeleterFlagBitMaskStrong;
}

static inline int object_drop_sole(TVMFFIObject *object)
{
  bool is_sole = atomic_load_explicit(object_strong(object), memory_order_acquire) == 1 &&
                 atomic_load_explicit(object_weak(object), memory_order_acquire) == 1;
  if (!is_sole) return 0;
  atomic_store_explicit(object_strong(object), 0, memory_order_relaxed);
  return kTVMFFIObjectDeleterFlagBitMaskBoth;
}

static inline bool object_try_retain(TVMFFIObject *object)
{
  _Atomic(uint64_t) *counter = object_strong(object);
  uint64_t count = atomic_load_explicit(counter, memory_order_relaxed);
  do {
    if (count == 0) return false;
  } while (!atomic_compare_exchange_weak_explicit(counter, &count, count + 1, memory_order_relaxed,
                                                  memory_order_relaxed));
  return true;
}

static inline uint32_t object_references(TVMFFIObject *object)
{
  return (uint32_t)atomic_load_explicit(object_strong(object), memory_order_acquire);
}

static inline bool object_drop_weak(TVMFFIObject *object)
{
  if (atomic_fetch_sub_explicit(object_weak(object), 1, memory_order_release) != 1) return false;
  OBJECT_SEE_DROPS(object_weak(object));
  return true;
}

#endif  // REFERENCE_SRC_CORE_OBJECT_2025_09_H_
