// SPDX-License-Identifier: Apache-2.0
// Values as keys: what is equal to what, and the hash that agrees with it. Both are part of the
// ABI, because compiled code looks up keys in the maps of this runtime by itself.
#ifndef REFERENCE_SRC_CONTAINER_KEY_H_
#define REFERENCE_SRC_CONTAINER_KEY_H_

#include <tvm/ffi/c_api.h>

#include "core/any.h"

// A key to look for. Strings and bytes count by their content, wherever that is.
typedef struct {
  TVMFFIAny value;  // borrow: clean; strings and bytes that are elsewhere have a NULL object
  TVMFFIByteArray
      text;       // borrow: the content of strings and bytes; its data is NULL for all others
  uint64_t hash;  // once `hashed`
  bool hashed;
} Key;

// What `key_read` does with a view that is more than a number or a pointer.
void key_read_other(const TVMFFIAny *view, Key *key);

// Reads a view, which must be a valid one and no rvalue reference. The key lasts as long as the
// view does, stays where it is, and needs no memory.
static inline void key_read(const TVMFFIAny *view, Key *key)
{
  if (any_is_word(view))
    *key = (Key){.value = any_word(view)};
  else
    key_read_other(view, key);
}

// Computes the hash, unless that was done. Returns 0; -1 with an error if the type has a hash of
// its own and that failed.
int key_hash(Key *key);

// What `key_equal` does when the bytes differ.
int key_equal_content(const Key *key, const TVMFFIAny *stored);

// Compares a key with an owned value. Returns 1 if they are equal, 0 if not; -1 with an error if
// the type has a comparison of its own and that failed.
static inline int key_equal(const Key *key, const TVMFFIAny *stored)
{
  if (any_same(&key->value, stored)) return 1;
  if (key->value.type_index < kTVMFFISmallStr) return 0;
  return key_equal_content(key, stored);
}

#endif  // REFERENCE_SRC_CONTAINER_KEY_H_
