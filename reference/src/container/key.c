// SPDX-License-Identifier: Apache-2.0
#include "container/key.h"

#include <string.h>

#include "container/key_custom.h"

static uint64_t key_combine(uint64_t hash, uint64_t value)
{
  return hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >> 2));
}

//--------------------------------------------------------------------------------------------------
// Reading
//--------------------------------------------------------------------------------------------------

// Small strings and small bytes are what they are, all others are represented by their content.
static void key_read_text(const char *data, size_t size, int32_t object_index, Key *key)
{
  key->value = (TVMFFIAny){.type_index = object_index};
  key->text = (TVMFFIByteArray){size == 0 ? "" : data, size};
}

static void key_read_small(const TVMFFIAny *view, Key *key)
{
  key->value = (TVMFFIAny){.type_index = view->type_index, .small_str_len = view->small_str_len};
  memcpy(key->value.v_bytes, view->v_bytes, view->small_str_len);
  key->text = (TVMFFIByteArray){key->value.v_bytes, view->small_str_len};
}

static void key_read_object_text(const TVMFFIAny *view, Key *key)
{
  const TVMFFIByteArray *cell = (const TVMFFIByteArray *)(view->v_obj + 1);
  key->value = any_object(view->v_obj);
  key->text = (TVMFFIByteArray){cell->size == 0 ? "" : cell->data, cell->size};
}

// Keys are compared by all of their bytes, so those that a type doesn't use are cleaned.
static void key_read_plain(const TVMFFIAny *view, Key *key)
{
  TVMFFIAny value = {.type_index = view->type_index};
  if (view->type_index == kTVMFFIDataType) {
    value.v_dtype = view->v_dtype;
  } else if (view->type_index != kTVMFFINone) {
    value.v_uint64 = view->v_uint64;
  }
  key->value = value;
  key->text = (TVMFFIByteArray){NULL, 0};
}

void key_read_other(const TVMFFIAny *view, Key *key)
{
  const TVMFFIByteArray *bytes;
  key->hashed = false;
  switch (view->type_index) {
    case kTVMFFIRawStr:
      key_read_text(view->v_c_str, strlen(view->v_c_str), kTVMFFIStr, key);
      break;
    case kTVMFFIByteArrayPtr:
      bytes = view->v_ptr;
      key_read_text(bytes->data, bytes->size, kTVMFFIBytes, key);
      break;
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      key_read_small(view, key);
      break;
    case kTVMFFIStr:
    case kTVMFFIBytes:
      key_read_object_text(view, key);
      break;
    default:
      key_read_plain(view, key);
      break;
  }
}

//--------------------------------------------------------------------------------------------------
// Hash
//--------------------------------------------------------------------------------------------------

// Returns `word` modulo 2^31 - 1: the digits of a number to the base 2^31 are added up until one is
// left.
static uint64_t key_modulo(uint64_t word)
{
  const uint64_t modulus = 0x7fffffff;
  word = (word & modulus) + (word >> 31);
  word = (word & modulus) + (word >> 31);
  return word >= modulus ? word - modulus : word;
}

// Loads up to 8 bytes into the low end of a word.
static uint64_t key_load(const char *from, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t word = 0;
  if (size == 8) {
    memcpy(&word, from, 8);
    return word;
  }
#else
  uint64_t word = 0;
#endif
  for (size_t i = 0; i < size; ++i) word |= (uint64_t)(unsigned char)from[i] << (8 * i);
  return word;
}

static uint64_t key_hash_text(const TVMFFIByteArray *text)
{
  const uint64_t multiplier = UINT64_C(1099511628211);
  const char *at = text->data;
  size_t left = text->size;
  uint64_t hash = 0;
  for (; left >= 8; at += 8, left -= 8) hash = key_modulo(hash * multiplier + key_load(at, 8));
  if (left != 0) hash = key_modulo(hash * multiplier + key_load(at, left));
  return hash;
}

int key_hash(Key *key)
{
  if (key->hashed) return 0;
  int32_t type_index = key->value.type_index;
  uint64_t payload = key->value.v_uint64;
  if (key->text.data != NULL) {
    bool is_string = type_index == kTVMFFIStr || type_index == kTVMFFISmallStr;
    type_index = is_string ? kTVMFFIStr : kTVMFFIBytes;
    payload = key_hash_text(&key->text);
  } else if (type_index >= kTVMFFIStaticObjectBegin) {
    const TVMFFIAny *custom = attribute_of(&key_custom_hash, type_index);
    if (custom != NULL && key_custom_call_hash(custom, &key->value, &payload) != 0) return -1;
  }
  key->hash = key_combine((uint64_t)(int64_t)type_index, payload);
  key->hashed = true;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Equality
//--------------------------------------------------------------------------------------------------

// Compares with a string or bytes; `small_index` and `object_index` say which.
static bool key_equal_text(const TVMFFIByteArray *text, const TVMFFIAny *stored,
                           int32_t small_index, int32_t object_index)
{
  if (stored->type_index == object_index) {
    const TVMFFIByteArray *cell = (const TVMFFIByteArray *)(stored->v_obj + 1);
    return cell->size == text->size &&
           (cell->size == 0 || memcmp(cell->data, text->data, text->size) == 0);
  }
  return stored->type_index == small_index && stored->small_str_len == text->size &&
         text->size < sizeof stored->v_bytes &&
         memcmp(stored->v_bytes, text->data, text->size) == 0;
}

int key_equal_content(const Key *key, const TVMFFIAny *stored)
{
  int32_t type_index = key->value.type_index;
  switch (type_index) {
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return key_equal_text(&key->text, stored, kTVMFFISmallStr, kTVMFFIStr);
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return key_equal_text(&key->text, stored, kTVMFFISmallBytes, kTVMFFIBytes);
    default:
      break;
  }
  if (type_index < kTVMFFIStaticObjectBegin || stored->type_index != type_index) return 0;
  const TVMFFIAny *custom = attribute_of(&key_custom_equal, type_index);
  if (custom == NULL) return 0;
  TVMFFIAny kept = any_share(stored);  // foreign code may take it out of its container
  int equal = key_custom_call_equal(custom, &key->value, &kept);
  any_release(&kept);
  return equal;
}
