// SPDX-License-Identifier: Apache-2.0
// Views into owned values. The result is built in a variable of its own and stored last, so that
// view and output may be the same (ANY-21) and a failure leaves the output alone.
#include "core/any.h"

#include <string.h>

#include "core/bytes.h"
#include "core/object.h"
#include "core/raise.h"

// Twice in the code, with the place known each time.
#define ANY_FAST __attribute__((always_inline)) static inline

// Whose view is made owned: this argument of this function.
typedef struct {
  const char *function;
  const char *argument;
} AnyPlace;

RAISE_COLD static int any_refuse(AnyPlace place, const char *what)
{
  return raise_error("ValueError", place.function, ": `", place.argument, "` holds ", what, NULL);
}

static int any_own_raw_string(AnyPlace place, const char *text, TVMFFIAny *out)
{
  if (text == NULL) return any_refuse(place, "a NULL string");
  return bytes_make_string(text, strlen(text), out);  // ANY-7, ANY-8
}

static int any_own_byte_array(AnyPlace place, const TVMFFIByteArray *bytes, TVMFFIAny *out)
{
  if (bytes == NULL) return any_refuse(place, "a NULL byte array");
  if (!raise_can_read(bytes)) return any_refuse(place, "a byte array without its data");
  return bytes_make_bytes(bytes->data, bytes->size, out);  // ANY-9, ANY-10
}

static int any_move_object(AnyPlace place, TVMFFIObject **slot, TVMFFIAny *out)
{
  if (slot == NULL) return any_refuse(place, "an rvalue reference to a NULL slot");
  TVMFFIObject *object = *slot;
  if (object == NULL) {  // ANY-17
    return raise_error("InternalError", place.function, ": `", place.argument,
                       "` holds an rvalue reference that was moved already", NULL);
  }
  *slot = NULL;                                          // ANY-15
  TVMFFIAny value = {.type_index = object->type_index};  // ANY-16
  value.v_obj = object;
  *out = value;
  return 0;
}

ANY_FAST int any_share_object(AnyPlace place, const TVMFFIAny *view, TVMFFIAny *out)
{
  TVMFFIObject *object = view->v_obj;
  if (object == NULL) return any_refuse(place, "a NULL object");
  TVMFFIAny value = {.type_index = view->type_index};  // read before: counting orders all reads
  value.v_obj = object;
  object_retain(object);  // ANY-13, ANY-14
  *out = value;
  return 0;
}

// Bytes behind the length are cleaned (ANY-2, ANY-22).
ANY_FAST int any_copy_small(AnyPlace place, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->small_str_len >= sizeof view->v_bytes) {
    return any_refuse(place, "a small string or small bytes longer than 7");
  }
  TVMFFIAny value = {.type_index = view->type_index, .small_str_len = view->small_str_len};
  memcpy(value.v_bytes, view->v_bytes, view->small_str_len);
  *out = value;
  return 0;
}

// Cleans the padding (ANY-1, ANY-20), and what None and data types leave of the payload (ANY-2).
ANY_FAST int any_copy_plain(const TVMFFIAny *view, TVMFFIAny *out)
{
  TVMFFIAny value = {.type_index = view->type_index};
  if (view->type_index == kTVMFFIDataType) {
    value.v_dtype = view->v_dtype;
  } else if (view->type_index != kTVMFFINone) {
    value.v_uint64 = view->v_uint64;  // ANY-4
  }
  *out = value;
  return 0;
}

// ANY-24: what holds nothing that could be owned is refused.
ANY_FAST int any_own_view(AnyPlace place, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  if (type_index >= kTVMFFIStaticObjectBegin) return any_share_object(place, view, out);
  if (type_index < kTVMFFIRawStr) return any_copy_plain(view, out);
  switch (type_index) {
    case kTVMFFIRawStr:
      return any_own_raw_string(place, view->v_c_str, out);
    case kTVMFFIByteArrayPtr:
      return any_own_byte_array(place, view->v_ptr, out);
    case kTVMFFIObjectRValueRef:
      return any_move_object(place, view->v_ptr, out);
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return any_copy_small(place, view, out);  // ANY-6
    default:
      return any_copy_plain(view, out);  // ANY-23
  }
}

int any_own_argument(const char *function, const char *argument, const TVMFFIAny *view,
                     TVMFFIAny *out)
{
  return any_own_view((AnyPlace){function, argument}, view, out);
}

// A number takes a few instructions, which one cache line holds.
__attribute__((aligned(64))) int TVMFFIAnyViewToOwnedAny(const TVMFFIAny *any_view, TVMFFIAny *out)
{
  if (any_view == NULL) return raise_null(__func__, "any_view");
  if (out == NULL) return raise_null(__func__, "out");
  return any_own_view((AnyPlace){__func__, "any_view"}, any_view, out);
}
