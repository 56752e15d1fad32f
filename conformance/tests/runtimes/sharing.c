// SPDX-License-Identifier: Apache-2.0
// A runtime that shares equal values: the reference with a cache of strings, bytes, big integers,
// shapes, functions without a deleter, and empty arrays and maps, to each of which it holds one
// reference. No document promises a new object where the value can't be changed, so no case may
// rely on one.
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#define PUBLIC __attribute__((visibility("default")))

extern __typeof__(TVMFFIBigIntFromByteArray) reference_TVMFFIBigIntFromByteArray;
extern __typeof__(TVMFFIBytesFromByteArray) reference_TVMFFIBytesFromByteArray;
extern __typeof__(TVMFFIDataTypeToString) reference_TVMFFIDataTypeToString;
extern __typeof__(TVMFFIFunctionCreate) reference_TVMFFIFunctionCreate;
extern __typeof__(TVMFFIStringFromByteArray) reference_TVMFFIStringFromByteArray;

// Functions inside the reference, which other files of it call as __wrap_.
extern int __real_bytes_make_bytes(const char *data, size_t size, TVMFFIAny *out);
extern int __real_bytes_make_string(const char *data, size_t size, TVMFFIAny *out);
typedef int Native(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);
extern Native __real_map_native_call_make_map, __real_sequence_native_call_make_array;
extern Native __real_shape_call;

//--------------------------------------------------------------------------------------------------
// The cache
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFISafeCallType call;
  void *self;
} Maker;

// What makes two values equal, besides their type index. Borrow.
typedef struct {
  const void *bytes;
  size_t size;
} Content;

// A value takes the place of another one that has the same hash: the cache is bounded.
static struct {
  TVMFFIAny value;
  Maker maker;  // of a function
} places[1024];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t place_of(int32_t type_index, Content content)
{
  const unsigned char *bytes = content.bytes;
  uint64_t hash = 14695981039346656037u ^ (uint64_t)type_index;
  for (size_t i = 0; i < content.size; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return (size_t)((hash ^ hash >> 32) % (sizeof places / sizeof *places));
}

// Of a string, bytes, a shape or a big integer.
static Content content_of(const TVMFFIAny *value)
{
  TVMFFIByteArray cell;  // that of a shape has the same layout
  if (value->type_index == kTVMFFIBigInt) {
    cell = TVMFFIBigIntGetContentByteArray(value);
  } else {
    memcpy(&cell, value->v_obj + 1, sizeof cell);
  }
  size_t element = value->type_index == kTVMFFIShape ? sizeof(int64_t) : 1;
  return (Content){cell.data, cell.size * element};
}

static bool holds(size_t place, int32_t type_index, Content content)
{
  const TVMFFIAny *value = &places[place].value;
  if (value->type_index != type_index) return false;
  if (type_index == kTVMFFIArray || type_index == kTVMFFIMap) return true;  // empty
  Content other = type_index == kTVMFFIFunction
                      ? (Content){&places[place].maker, sizeof places[place].maker}
                      : content_of(value);
  return other.size == content.size &&
         (content.size == 0 || memcmp(other.bytes, content.bytes, content.size) == 0);
}

// Replaces a new value by the one in the cache that is equal to it, or adds it to the cache.
static void share_content(TVMFFIAny *value, Content content)
{
  size_t place = place_of(value->type_index, content);
  pthread_mutex_lock(&lock);
  TVMFFIAny released = places[place].value;
  if (holds(place, value->type_index, content)) {
    released = *value;
    *value = places[place].value;
  } else {
    places[place].value = *value;
    if (value->type_index == kTVMFFIFunction) {
      memcpy(&places[place].maker, content.bytes, content.size);
    }
  }
  TVMFFIObjectIncRef(value->v_obj);
  pthread_mutex_unlock(&lock);
  if (released.type_index != kTVMFFINone) TVMFFIObjectDecRef(released.v_obj);
}

// The same for what a function of the reference has just made, if it is of a type that is shared.
static int share(int status, TVMFFIAny *out)
{
  if (status != 0) return status;
  int32_t type_index = out->type_index;
  if (type_index == kTVMFFIStr || type_index == kTVMFFIBytes || type_index == kTVMFFIShape ||
      type_index == kTVMFFIBigInt) {
    share_content(out, content_of(out));
  }
  return status;
}

//--------------------------------------------------------------------------------------------------
// What makes values
//--------------------------------------------------------------------------------------------------

PUBLIC int TVMFFIStringFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return share(reference_TVMFFIStringFromByteArray(input, out), out);
}

PUBLIC int TVMFFIBytesFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return share(reference_TVMFFIBytesFromByteArray(input, out), out);
}

PUBLIC int TVMFFIDataTypeToString(const DLDataType *dtype, TVMFFIAny *out)
{
  return share(reference_TVMFFIDataTypeToString(dtype, out), out);
}

PUBLIC int TVMFFIBigIntFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return share(reference_TVMFFIBigIntFromByteArray(input, out), out);
}

PUBLIC int TVMFFIFunctionCreate(void *self, TVMFFISafeCallType safe_call,
                                void (*deleter)(void *self), TVMFFIObjectHandle *out)
{
  int status = reference_TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (status != 0 || deleter != NULL) return status;
  const Maker maker = {safe_call, self};
  TVMFFIAny value = {.type_index = kTVMFFIFunction, .v_obj = *out};
  share_content(&value, (Content){&maker, sizeof maker});
  *out = value.v_obj;
  return 0;
}

int __wrap_bytes_make_string(const char *data, size_t size, TVMFFIAny *out)
{
  return share(__real_bytes_make_string(data, size, out), out);
}

int __wrap_bytes_make_bytes(const char *data, size_t size, TVMFFIAny *out)
{
  return share(__real_bytes_make_bytes(data, size, out), out);
}

int __wrap_shape_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  return share(__real_shape_call(handle, args, num_args, result), result);
}

int __wrap_sequence_native_call_make_array(void *handle, const TVMFFIAny *args, int32_t num_args,
                                           TVMFFIAny *result)
{
  int status = __real_sequence_native_call_make_array(handle, args, num_args, result);
  if (status == 0 && num_args == 0) share_content(result, (Content){NULL, 0});
  return status;
}

int __wrap_map_native_call_make_map(void *handle, const TVMFFIAny *args, int32_t num_args,
                                    TVMFFIAny *result)
{
  int status = __real_map_native_call_make_map(handle, args, num_args, result);
  if (status == 0 && num_args == 0) share_content(result, (Content){NULL, 0});
  return status;
}
