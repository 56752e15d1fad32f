// SPDX-License-Identifier: Apache-2.0
// Values, objects, strings, wide integers, data types, the version: VER, LAY, ANY, OBJ, STR, INT, DTYPE.
#include "core_only.h"

#include <stdatomic.h>
#include <stdlib.h>

#define ONE_WEAK ((uint64_t)1 << 32)

void TVMFFIGetVersion(TVMFFIVersion *out_version)
{
  *out_version = (TVMFFIVersion){0, 1, 16};
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

static _Atomic(uint64_t) *counter(TVMFFIObjectHandle obj)
{
  return (_Atomic(uint64_t) *)obj;
}

void *core_object(size_t size, int32_t type_index, void (*deleter)(void *self, int flags))
{
  TVMFFIObject *object = calloc(1, size);
  if (object == NULL) return NULL;
  object->combined_ref_count = ONE_WEAK + 1;
  object->type_index = type_index;
  object->__padding = 0xdeadbeef;  // LAY-5
  object->deleter = deleter;
  return object;
}

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj)
{
  atomic_fetch_add_explicit(counter(obj), 1, memory_order_relaxed);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  const uint64_t before = atomic_fetch_sub(counter(obj), 1);
  if ((uint32_t)before != 1) return 0;
  if (before == ONE_WEAK + 1) {
    atomic_store(counter(obj), 0);  // OBJ-27
    object->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (atomic_fetch_sub(counter(obj), ONE_WEAK) >> 32 == 1)
    object->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}

typedef struct {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;
  void (*deleter)(void *handle);
} Opaque;

static void delete_opaque(void *self, int flags)
{
  Opaque *opaque = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) opaque->deleter(opaque->cell.handle);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free(self);
}

int TVMFFIObjectCreateOpaque(void *handle, int32_t type_index, void (*deleter)(void *handle),
                             TVMFFIObjectHandle *out)
{
  if (type_index != kTVMFFIOpaquePyObject)
    return core_fail("this is no type of opaque objects");  // OBJ-23
  Opaque *opaque = core_object(sizeof(Opaque), type_index, delete_opaque);
  opaque->cell.handle = handle;
  opaque->deleter = deleter;
  *out = opaque;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Strings and bytes
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFIObject header;
  TVMFFIByteArray cell;
} Text;  // the data behind it

static void delete_plain(void *self, int flags)
{
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free(self);
}

// A string object even where the text would fit a small string.
static TVMFFIAny text_object(TVMFFIByteArray from, int32_t type_index)
{
  Text *text = core_object(sizeof(Text) + from.size, type_index, delete_plain);
  if (text == NULL) abort();  // not STR-17
  char *data = (char *)(text + 1);
  memcpy(data, from.data, from.size);
  text->cell = (TVMFFIByteArray){data, from.size};
  return (TVMFFIAny){.type_index = type_index, .v_uint64 = (uintptr_t)text};
}

static int text_value(TVMFFIByteArray from, int32_t small, int32_t large, TVMFFIAny *out)
{
  if (from.size > 7) {
    *out = text_object(from, large);
    return 0;
  }
  TVMFFIAny value = {.type_index = small, .small_str_len = (uint32_t)from.size, .v_uint64 = 0};
  memcpy(value.v_bytes, from.data, from.size);
  *out = value;
  return 0;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return text_value(*input, kTVMFFISmallStr, kTVMFFIStr, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return text_value(*input, kTVMFFISmallBytes, kTVMFFIBytes, out);
}

TVMFFIByteArray core_copy(TVMFFIByteArray from)
{
  char *data = malloc(from.size + 1);
  if (from.size != 0) memcpy(data, from.data, from.size);
  return (TVMFFIByteArray){data, from.size};
}

bool core_same(TVMFFIByteArray a, TVMFFIByteArray b)
{
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool core_string(const TVMFFIAny *value, TVMFFIByteArray *out)
{
  switch (value->type_index) {
    case kTVMFFIRawStr:
      *out = (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
      return true;
    case kTVMFFISmallStr:
      *out = (TVMFFIByteArray){value->v_bytes, value->small_str_len};
      return true;
    case kTVMFFIStr:
      *out = ((Text *)value->v_obj)->cell;
      return true;
    default:
      return false;
  }
}

void *core_grow(void *array, size_t count, size_t item_size)
{
  return realloc(array, (count + 1) * item_size);
}

//--------------------------------------------------------------------------------------------------
// Values
//--------------------------------------------------------------------------------------------------

void core_release(TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
}

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny *any_view, TVMFFIAny *out)
{
  const TVMFFIAny view = *any_view;
  if (view.type_index == kTVMFFIRawStr) {
    const TVMFFIByteArray text = {view.v_c_str, strlen(view.v_c_str)};
    return TVMFFIStringFromByteArray(&text, out);
  }
  if (view.type_index == kTVMFFIByteArrayPtr) return TVMFFIBytesFromByteArray(view.v_ptr, out);
  if (view.type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject **slot = view.v_ptr;
    TVMFFIObject *object = *slot;
    *slot = NULL;
    *out = (TVMFFIAny){.type_index = object->type_index, .v_uint64 = (uintptr_t)object};
    return 0;
  }
  if (view.type_index < 0 || view.type_index == kTVMFFIDLTensorPtr ||
      (view.type_index > kTVMFFISmallBytes && view.type_index < kTVMFFIStaticObjectBegin)) {
    return core_fail("the value has no owned form");  // ANY-23
  }
  if (view.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(view.v_obj);
  *out = view;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Wide integers
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFIObject header;
  size_t count;
  int64_t words[];
} BigInt;

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  size_t count = input->size / 8;
  BigInt *number = core_object(sizeof(BigInt) + (count + 1) * 8, kTVMFFIBigInt, delete_plain);
  if (count != 0) memcpy(number->words, input->data, count * 8);
  while (count > 1 && number->words[count - 1] == (number->words[count - 2] < 0 ? -1 : 0)) --count;
  number->count = count;
  *out = (TVMFFIAny){.type_index = kTVMFFIBigInt, .v_uint64 = (uintptr_t)number};
  if (count <= 1) {
    *out = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number->words[0]};
    free(number);
  }
  return 0;
}

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIInt) return (TVMFFIByteArray){(const char *)&value->v_int64, 8};
  const BigInt *number = (const BigInt *)value->v_obj;
  return (TVMFFIByteArray){(const char *)number->words, number->count * 8};
}

//--------------------------------------------------------------------------------------------------
// Data types: which strings there are is for frontends
//--------------------------------------------------------------------------------------------------

int TVMFFIDataTypeFromString(const TVMFFIByteArray *str, DLDataType *out)
{
  (void)str;
  (void)out;
  return core_fail("this runtime knows no name of a data type");
}

int TVMFFIDataTypeToString(const DLDataType *dtype, TVMFFIAny *out)
{
  (void)dtype;
  *out = text_object((TVMFFIByteArray){"?", 1}, kTVMFFIStr);
  return 0;
}
