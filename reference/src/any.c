// SPDX-License-Identifier: Apache-2.0
// Views into owned values. The result is built in a variable of its own and stored last, so that
// view and output may be the same (ANY-21) and a failure leaves the output alone.
#include <string.h>

#include "bytes.h"
#include "object.h"
#include "raise.h"

static const char function[] = "TVMFFIAnyViewToOwnedAny";

static int any_refuse(const char *what)
{
  return raise_error("ValueError", function, ": `any_view` holds ", what, NULL);  // ANY-24
}

static int any_own_raw_string(const char *text, TVMFFIAny *out)
{
  if (text == NULL) return any_refuse("a NULL string");
  return bytes_make_string(text, strlen(text), out);  // ANY-7, ANY-8
}

static int any_own_byte_array(const TVMFFIByteArray *bytes, TVMFFIAny *out)
{
  if (bytes == NULL) return any_refuse("a NULL byte array");
  if (bytes->data == NULL && bytes->size != 0) return any_refuse("a byte array without its data");
  return bytes_make_bytes(bytes->data, bytes->size, out);  // ANY-9, ANY-10
}

static int any_move_object(TVMFFIObject **slot, TVMFFIAny *out)
{
  if (slot == NULL) return any_refuse("an rvalue reference to a NULL slot");
  TVMFFIObject *object = *slot;
  if (object == NULL) {  // ANY-17
    return raise_error("InternalError", function, ": the rvalue reference was moved already", NULL);
  }
  *slot = NULL;                                          // ANY-15
  TVMFFIAny value = {.type_index = object->type_index};  // ANY-16
  value.v_obj = object;
  *out = value;
  return 0;
}

static int any_share_object(const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->v_obj == NULL) return any_refuse("a NULL object");
  object_retain(view->v_obj);  // ANY-13, ANY-14
  TVMFFIAny value = {.type_index = view->type_index};
  value.v_obj = view->v_obj;
  *out = value;
  return 0;
}

// Bytes behind the length are cleaned (ANY-2, ANY-22).
static int any_copy_small(const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->small_str_len >= sizeof view->v_bytes) {
    return any_refuse("a small string or small bytes longer than 7");
  }
  TVMFFIAny value = {.type_index = view->type_index, .small_str_len = view->small_str_len};
  memcpy(value.v_bytes, view->v_bytes, view->small_str_len);
  *out = value;
  return 0;
}

// Cleans the padding (ANY-1, ANY-20), and what None and data types leave of the payload (ANY-2).
static int any_copy_plain(const TVMFFIAny *view, TVMFFIAny *out)
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

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny *any_view, TVMFFIAny *out)
{
  if (any_view == NULL) return raise_null(function, "any_view");
  if (out == NULL) return raise_null(function, "out");
  int32_t type_index = any_view->type_index;
  if (type_index >= kTVMFFIStaticObjectBegin) return any_share_object(any_view, out);
  if (type_index < kTVMFFIRawStr) return any_copy_plain(any_view, out);
  switch (type_index) {
    case kTVMFFIRawStr:
      return any_own_raw_string(any_view->v_c_str, out);
    case kTVMFFIByteArrayPtr:
      return any_own_byte_array(any_view->v_ptr, out);
    case kTVMFFIObjectRValueRef:
      return any_move_object(any_view->v_ptr, out);
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return any_copy_small(any_view, out);  // ANY-6
    default:
      return any_copy_plain(any_view, out);  // ANY-23
  }
}
