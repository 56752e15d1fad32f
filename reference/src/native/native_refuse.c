// SPDX-License-Identifier: Apache-2.0
// What a caller is told who calls a function of the runtime wrongly: the function with all that it
// takes, what is due, and what came instead.
#include <stdio.h>

#include "core/raise.h"
#include "native/native.h"
#include "type/type.h"

static const char *const type_names[] = {
#define NATIVE_NAME(type, name, schema) name,
    NATIVE_TYPES(NATIVE_NAME)
#undef NATIVE_NAME
};

typedef struct {
  char text[160];
} NativeSignature;

// Writes "ffi.ArrayGetItem(ffi.Array, int) -> Any".
static NativeSignature native_signature(const NativeSpec *spec)
{
  NativeSignature out;
  size_t room = sizeof out.text;
  size_t end = (size_t)snprintf(out.text, room, "%s(%s", spec->name, spec->arity < 0 ? "..." : "");
  for (int32_t i = 0; i < spec->arity && end < room; ++i) {
    end += (size_t)snprintf(out.text + end, room - end, "%s%s", i == 0 ? "" : ", ",
                            type_names[spec->params[i]]);
  }
  if (end < room) snprintf(out.text + end, room - end, ") -> %s", type_names[spec->result]);
  return out;
}

int native_refuse_result(const NativeSpec *spec, const TVMFFIAny *result)
{
  if (result == NULL) return raise_null(spec->name, "result");
  return raise_error("InternalError", spec->name,
                     ": `result` must hold no object before the call, but its type index is ",
                     raise_number(result->type_index).text, NULL);
}

int native_refuse_count(const NativeSpec *spec, int32_t num_args)
{
  return raise_error("TypeError", native_signature(spec).text, ": Expected ",
                     spec->arity < 0 ? "any number of" : raise_number(spec->arity).text,
                     " but got ", raise_number(num_args).text, " arguments", NULL);
}

// Tells whether the type may be right, so that it must be the content that is wrong.
static bool native_is_hollow(const TVMFFIAny *arg)
{
  switch (arg->type_index) {
    case kTVMFFIRawStr:
    case kTVMFFIObjectRValueRef:
      return arg->v_ptr == NULL;
    case kTVMFFIByteArrayPtr:
      return arg->v_ptr == NULL || !raise_can_read(arg->v_ptr);
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return arg->small_str_len >= sizeof arg->v_bytes;
    default:
      return arg->type_index >= kTVMFFIStaticObjectBegin && arg->v_obj == NULL;
  }
}

int native_refuse_argument(const NativeSpec *spec, const TVMFFIAny *arg, int32_t place)
{
  NativeType due = spec->arity < 0 ? NATIVE_ANY : spec->params[place];
  const TVMFFIObject *object = any_held(arg);
  int32_t type_index = object != NULL ? object->type_index : arg->type_index;
  const Type *type = type_find(type_index);
  return raise_error("TypeError", native_signature(spec).text, ": argument #",
                     raise_number(place).text, ": Expected `", type_names[due], "` but got `",
                     type != NULL ? type->info.type_key.data : raise_number(type_index).text, "`",
                     native_is_hollow(arg)           ? " without content"
                     : type_index != arg->type_index ? " in a view of another type"
                                                     : "",
                     NULL);
}

int native_fail(const NativeCall *call, const char *kind, const char *what)
{
  return raise_error(kind, call->spec->name, ": ", what, NULL);
}

int native_fail_index(const NativeCall *call, int64_t index, int64_t size)
{
  return raise_error("IndexError", call->spec->name, ": Index ", raise_number(index).text,
                     " out of bounds ", raise_number(size).text, NULL);
}
