// SPDX-License-Identifier: Apache-2.0
// Strings and bytes: up to seven bytes inside the value, else one allocation for header, cell, data
// and NUL.
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray cell;  // LAY-10
  char data[];
} BytesObject;

#define BYTES_SMALL_MAX (sizeof(((TVMFFIAny *)NULL)->v_bytes) - 1)

static void bytes_delete(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

// Copies up to 7 bytes with loads of fixed width, of which two may overlap.
static void bytes_copy_small(char *to, const char *from, size_t size)
{
  if (size >= 4) {
    memcpy(to, from, 4);
    memcpy(to + size - 4, from + size - 4, 4);
  } else if (size >= 2) {
    memcpy(to, from, 2);
    memcpy(to + size - 2, from + size - 2, 2);
  } else if (size == 1) {
    *to = *from;
  }
}

static int bytes_make_object(const char *data, size_t size, int32_t type_index, TVMFFIAny *out)
{
  size_t bytes;
  if (__builtin_add_overflow(size, sizeof(BytesObject) + 1, &bytes)) return raise_out_of_memory();
  BytesObject *object = malloc(bytes);
  if (object == NULL) return raise_out_of_memory();  // STR-17
  object_init(&object->header, type_index, bytes_delete);
  object->cell = (TVMFFIByteArray){object->data, size};
  memcpy(object->data, data, size);  // STR-6, STR-8, STR-11
  object->data[size] = '\0';         // STR-7
  out->type_index = type_index;      // LAY-6
  out->zero_padding = 0;
  out->v_int64 = 0;
  out->v_obj = &object->header;
  return 0;
}

static inline int bytes_make(const char *data, size_t size, int32_t small_index,
                             int32_t object_index, TVMFFIAny *out)
{
  if (size > BYTES_SMALL_MAX) return bytes_make_object(data, size, object_index, out);
  TVMFFIAny value = {.type_index = small_index, .small_str_len = (uint32_t)size};
  bytes_copy_small(value.v_bytes, data, size);
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
