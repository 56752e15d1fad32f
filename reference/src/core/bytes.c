// SPDX-License-Identifier: Apache-2.0
// Strings and bytes: up to seven bytes inside the value, else an object in one piece with its data.
#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/object.h"
#include "core/raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray cell;  // LAY-10
  char data[];
} BytesObject;

#define BYTES_SMALL_MAX (sizeof(((TVMFFIAny *)NULL)->v_bytes) - 1)

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// Loads up to 7 bytes into the low end of a word, some of them twice and none behind the last.
static uint64_t bytes_load_small(const char *data, size_t size)
{
  uint32_t first = 0, last = 0;
  if (size >= 4) {
    memcpy(&first, data, 4);
    memcpy(&last, data + size - 4, 4);
    return first | (uint64_t)last << (8 * size - 32);
  }
  if (size == 0) return 0;
  const unsigned char *bytes = (const unsigned char *)data;
  return bytes[0] | (uint64_t)bytes[size / 2] << (size / 2 * 8) |
         (uint64_t)bytes[size - 1] << (size * 8 - 8);
}
#else
static uint64_t bytes_load_small(const char *data, size_t size)
{
  uint64_t word = 0;
  if (size != 0) memcpy(&word, data, size);
  return word;
}
#endif

// Makes an object whose data are still to be written. Own; NULL if there is no memory.
static BytesObject *bytes_new(size_t size, int32_t type_index)
{
  size_t room = sizeof(BytesObject) + 1;
  BytesObject *object = memory_add(&room, size) ? malloc(room) : NULL;
  if (object == NULL) {
    raise_out_of_memory();  // STR-17
    return NULL;
  }
  object_init(&object->header, type_index, object_free);
  object->cell = (TVMFFIByteArray){object->data, size};
  object->data[size] = '\0';  // STR-7
  return object;
}

static void bytes_give(BytesObject *object, TVMFFIAny *out)
{
  TVMFFIAny value = {.type_index = object->header.type_index};  // LAY-6
  value.v_obj = &object->header;
  *out = value;
}

static int bytes_make_object(const char *data, size_t size, int32_t type_index, TVMFFIAny *out)
{
  BytesObject *object = bytes_new(size, type_index);
  if (object == NULL) return -1;
  memcpy(object->data, data, size);  // STR-6, STR-8, STR-11
  bytes_give(object, out);
  return 0;
}

char *bytes_new_string(size_t size, TVMFFIAny *out)
{
  BytesObject *object = bytes_new(size, kTVMFFIStr);
  if (object == NULL) return NULL;
  bytes_give(object, out);
  return object->data;
}

static inline int bytes_make(const char *data, size_t size, int32_t small_index,
                             int32_t object_index, TVMFFIAny *out)
{
  if (size > BYTES_SMALL_MAX) return bytes_make_object(data, size, object_index, out);
  TVMFFIAny value = {.type_index = small_index, .small_str_len = (uint32_t)size};
  value.v_uint64 = bytes_load_small(data, size);
  *out = value;  // STR-13
  return 0;
}

int bytes_make_string(const char *data, size_t size, TVMFFIAny *out)
{
  return bytes_make(data, size, kTVMFFISmallStr, kTVMFFIStr, out);  // STR-2, STR-3
}

int bytes_make_bytes(const char *data, size_t size, TVMFFIAny *out)
{
  return bytes_make(data, size, kTVMFFISmallBytes, kTVMFFIBytes, out);  // STR-4, STR-5
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (raise_unless_bytes(__func__, "input", input) != 0) return -1;  // STR-10, STR-18
  if (out == NULL) return raise_null(__func__, "out");
  return bytes_make_string(input->data, input->size, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (raise_unless_bytes(__func__, "input", input) != 0) return -1;
  if (out == NULL) return raise_null(__func__, "out");
  return bytes_make_bytes(input->data, input->size, out);
}
