// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include <string.h>

void runtime_has_counts(TVMFFIObjectHandle object, uint32_t strong, uint32_t weak)
{
  const TVMFFIObject *header = object;
  FUZZ_CHECK(header != NULL);
  FUZZ_CHECK(header->combined_ref_count == ((uint64_t)weak << 32 | strong));
}

static void runtime_is_terminated(const TVMFFIByteArray *text)
{
  FUZZ_CHECK(text->data != NULL && text->data[text->size] == '\0');
}

void runtime_has_raised(const char *kind)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  FUZZ_CHECK(error != NULL && ((TVMFFIObject *)error)->type_index == kTVMFFIError);
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  FUZZ_CHECK(cell->kind.size != 0 && cell->message.size != 0);
  FUZZ_CHECK(kind == NULL || strcmp(cell->kind.data, kind) == 0);
  runtime_is_terminated(&cell->kind);
  runtime_is_terminated(&cell->message);
  runtime_is_terminated(&cell->backtrace);
  runtime_has_counts(error, 1, 1);
  TVMFFIObjectDecRef(error);
}

void runtime_has_raised_nothing(void)
{
  TVMFFIObjectHandle error = &error;
  TVMFFIErrorMoveFromRaised(&error);
  FUZZ_CHECK(error == NULL);
}

TVMFFIByteArray runtime_content(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFISmallBytes)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  FUZZ_CHECK(value->type_index == kTVMFFIStr || value->type_index == kTVMFFIBytes);
  return *(const TVMFFIByteArray *)(value->v_obj + 1);
}

void runtime_is_text(const TVMFFIAny *value, bool is_bytes, const char *data, size_t size)
{
  TVMFFIByteArray content = runtime_content(value);
  FUZZ_CHECK(content.size == size);
  FUZZ_CHECK(size == 0 || memcmp(content.data, data, size) == 0);
  if (size < sizeof value->v_bytes) {
    FUZZ_CHECK(value->type_index == (is_bytes ? kTVMFFISmallBytes : kTVMFFISmallStr));
    for (size_t i = size; i < sizeof value->v_bytes; ++i) FUZZ_CHECK(value->v_bytes[i] == 0);
    return;
  }
  FUZZ_CHECK(value->type_index == (is_bytes ? kTVMFFIBytes : kTVMFFIStr));
  FUZZ_CHECK(value->zero_padding == 0 && value->v_obj->type_index == value->type_index);
  runtime_is_terminated(&content);
  runtime_has_counts(value->v_obj, 1, 1);
}

void runtime_drop(const TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
}

int runtime_call(const char *name, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIAny *writable, given = {.type_index = kTVMFFINone};
  memcpy(&writable, &args, sizeof writable);
  FUZZ_CHECK(TVMFFIFunctionGetGlobal(&text, &function) == 0 && function != NULL);
  int code = TVMFFIFunctionCall(function, writable, num_args, &given);
  TVMFFIObjectDecRef(function);
  if (code == 0) *result = given;
  return code;
}

bool runtime_equal(const TVMFFIAny *one, const TVMFFIAny *other)
{
  TVMFFIAny args[] = {*one, *other}, equal;
  FUZZ_CHECK(runtime_call("ffi.RecursiveEq", args, 2, &equal) == 0);
  return equal.v_int64 != 0;
}

void runtime_register(const char *name, TVMFFISafeCallType function)
{
  TVMFFIObjectHandle object = NULL;
  TVMFFIByteArray text = {name, strlen(name)};
  FUZZ_CHECK(TVMFFIFunctionCreate(NULL, function, NULL, &object) == 0);
  FUZZ_CHECK(TVMFFIFunctionSetGlobal(&text, object, 1) == 0);
  TVMFFIObjectDecRef(object);
}
