// SPDX-License-Identifier: Apache-2.0
// Types by index and by key. Indices lead through pages of pointers, of which the first, where
// programs find all of their types, needs no memory; nor does the table of keys for the types that
// exist from the start. These are entered at the first look-up that finds nothing.
#include "type/type.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/raise.h"

enum { PAGE_BITS = 12, BOOK_BITS = 10, SHELF_BITS = 31 - PAGE_BITS - BOOK_BITS };

typedef struct {
  _Atomic(Type *) types[1 << PAGE_BITS];
} TypePage;

typedef struct {
  _Atomic(TypePage *) pages[1 << BOOK_BITS];
} TypeBook;

static TypePage first_page;
static _Atomic(TypeBook *) shelf[1 << SHELF_BITS];
static _Atomic(int32_t) largest_index;

static TableSlot first_keys[128];  // holds twice the types that exist from the start, and more
static TableSlots first_slots = {.mask = 127, .slots = first_keys};
static Table keys;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static atomic_bool started;

//--------------------------------------------------------------------------------------------------
// Indices
//--------------------------------------------------------------------------------------------------

// Returns where the type of this index is or would be; NULL if its page doesn't exist.
static _Atomic(Type *) *type_place(int32_t type_index)
{
  uint32_t index = (uint32_t)type_index;
  if (index < 1 << PAGE_BITS) return &first_page.types[index];
  if (type_index < 0) return NULL;
  TypeBook *book =
      atomic_load_explicit(&shelf[index >> (PAGE_BITS + BOOK_BITS)], memory_order_acquire);
  if (book == NULL) return NULL;
  TypePage *page = atomic_load_explicit(&book->pages[index >> PAGE_BITS & ((1 << BOOK_BITS) - 1)],
                                        memory_order_acquire);
  return page == NULL ? NULL : &page->types[index & ((1 << PAGE_BITS) - 1)];
}

int type_reserve(int32_t type_index)
{
  if (table_reserve(&keys) != 0) return -1;
  if (type_place(type_index) != NULL) return 0;
  uint32_t index = (uint32_t)type_index;
  _Atomic(TypeBook *) *book_place = &shelf[index >> (PAGE_BITS + BOOK_BITS)];
  TypeBook *book = atomic_load_explicit(book_place, memory_order_relaxed);
  if (book == NULL) {
    book = calloc(1, sizeof *book);
    if (book == NULL) return -1;
    atomic_store_explicit(book_place, book, memory_order_release);
  }
  TypePage *page = calloc(1, sizeof *page);
  if (page == NULL) return -1;
  atomic_store_explicit(&book->pages[index >> PAGE_BITS & ((1 << BOOK_BITS) - 1)], page,
                        memory_order_release);
  return 0;
}

void type_publish(Type *type)
{
  int32_t index = type->info.type_index;
  type->key.name = type->info.type_key.data;
  type->key.size = type->info.type_key.size;
  type->key.value = type;
  atomic_store_explicit(type_place(index), type, memory_order_release);
  if (index > atomic_load_explicit(&largest_index, memory_order_relaxed)) {
    atomic_store_explicit(&largest_index, index, memory_order_release);
  }
  table_insert(&keys, &type->key);  // last: who has found the key finds the index, too
}

//--------------------------------------------------------------------------------------------------
// The start. It cannot fail, and may begin anew in the child of a process that forked during it.
//--------------------------------------------------------------------------------------------------

static void type_start(void)
{
  pthread_atfork(type_lock, type_unlock, type_unlock);  // first: from now on forks wait for the end
  first_slots.used = 0;
  atomic_store_explicit(&keys.newest, &first_slots, memory_order_relaxed);
  for (size_t i = 0; i < type_builtin_count; ++i) {  // TYPE-2 to TYPE-7
    TVMFFITypeInfo *info = &type_builtins[i].info;
    info->type_key_hash = type_hash(info->type_key.data, info->type_key.size);
    type_publish(&type_builtins[i]);
  }
  atomic_store_explicit(&started, true, memory_order_release);
}

// Returns true if this call may have made a difference.
__attribute__((cold, noinline)) static bool type_starts(void)
{
  if (atomic_load_explicit(&started, memory_order_acquire)) return false;
  pthread_once(&start_once, type_start);
  return true;
}

void type_lock(void)
{
  type_starts();
  pthread_mutex_lock(&lock);
}

void type_unlock(void)
{
  pthread_mutex_unlock(&lock);
}

//--------------------------------------------------------------------------------------------------
// Looking up
//--------------------------------------------------------------------------------------------------

__attribute__((noinline)) static Type *type_find_far(int32_t type_index)
{
  _Atomic(Type *) *place = type_place(type_index);
  if (place == NULL) return NULL;
  Type *type = atomic_load_explicit(place, memory_order_acquire);
  if (type == NULL && type_starts()) type = atomic_load_explicit(place, memory_order_acquire);
  return type;
}

static inline Type *type_find_near(int32_t type_index)
{
  uint32_t index = (uint32_t)type_index;
  if (index < 1 << PAGE_BITS) {
    Type *type = atomic_load_explicit(&first_page.types[index], memory_order_acquire);
    if (type != NULL) return type;
  }
  return type_find_far(type_index);
}

Type *type_find(int32_t type_index)
{
  return type_find_near(type_index);
}

Type *type_find_key(const char *key, size_t size)
{
  TableEntry *entry = table_find(&keys, key, size);  // TYPE-13
  if (entry == NULL && type_starts()) entry = table_find(&keys, key, size);
  return entry == NULL ? NULL : entry->value;
}

const TVMFFITypeInfo *type_next(int32_t type_index)
{
  type_starts();
  int64_t last = atomic_load_explicit(&largest_index, memory_order_acquire);
  for (int64_t i = (int64_t)type_index + 1; i <= last; ++i) {
    if (i < 0 || type_place((int32_t)i) == NULL) {
      i |= (1 << PAGE_BITS) - 1;  // the end of its page
      continue;
    }
    const Type *type = type_find((int32_t)i);
    if (type != NULL) return &type->info;
  }
  return NULL;
}

bool type_is_above(const Type *type, const Type *other)
{
  int32_t depth = type->info.type_depth;
  if (type == other) return true;
  return depth < other->info.type_depth && other->info.type_ancestors[depth] == &type->info;
}

const TVMFFITypeInfo *TVMFFIGetTypeInfo(int32_t type_index)
{
  const Type *type = type_find_near(type_index);
  return type == NULL ? NULL : &type->info;  // TYPE-15, TYPE-18
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  if (raise_unless_bytes(__func__, "type_key", type_key) != 0) return -1;
  if (out_tindex == NULL) return raise_null(__func__, "out_tindex");
  const Type *type = type_find_key(type_key->data, type_key->size);
  if (type == NULL) {  // TYPE-12
    return raise_error("InternalError", __func__, ": `type_key` is `", raise_name(type_key).text,
                       "`, which is the key of no type", NULL);
  }
  *out_tindex = type->info.type_index;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// The hash
//--------------------------------------------------------------------------------------------------

static uint64_t type_hash_word(uint64_t word)
{
  return word ^ word >> 47;
}

// The hash of strings of libstdc++ on 64-bit machines (Murmur), which the official runtime takes,
// too: hashes of structures that begin with it come out the same.
uint64_t type_hash(const char *key, size_t size)
{
  const uint64_t factor = UINT64_C(0xc6a4a7935bd1e995);
  uint64_t hash = UINT64_C(0xc70f6907) ^ size * factor;
  for (; size >= 8; key += 8, size -= 8) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; --i) word = word << 8 | (unsigned char)key[i];
    hash = (hash ^ type_hash_word(word * factor) * factor) * factor;
  }
  if (size != 0) {
    uint64_t tail = 0;
    while (size != 0) tail = tail << 8 | (unsigned char)key[--size];
    hash = (hash ^ tail) * factor;
  }
  return type_hash_word(type_hash_word(hash) * factor);
}
