// SPDX-License-Identifier: Apache-2.0
// What the objects of a library say about its generation. Only functions that both generations have
// with one signature are called.
#include "battery/generation_objects.h"
#include "battery/access.h"

static int give_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static TVMFFIObjectHandle make_function(Iut *iut)
{
  TVMFFIObjectHandle made = NULL;
  if (!iut_has(iut, FN_FunctionCreate)) return NULL;
  return iut->FunctionCreate(NULL, give_nothing, NULL, &made) == 0 ? made : NULL;
}

static TVMFFIObjectHandle make_string(Iut *iut)
{
  TVMFFIByteArray text = bytes_of("longer than any text that is kept in a value");
  TVMFFIAny made = any_none();
  if (!iut_has(iut, FN_StringFromByteArray)) return NULL;
  bool good = iut->StringFromByteArray(&text, &made) == 0 && made.type_index == kTVMFFIStr;
  return good ? made.v_obj : NULL;
}

static void delete_nothing(void *handle)
{
  (void)handle;
}

static TVMFFIObjectHandle make_opaque(Iut *iut)
{
  TVMFFIObjectHandle made = NULL;
  if (!iut_has(iut, FN_ObjectCreateOpaque)) return NULL;
  int code = iut->ObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, delete_nothing, &made);
  return code == 0 ? made : NULL;
}

// True if a new object of this type would look like this one.
static bool is_header_of(const AbiLayout *layout, TVMFFIObjectHandle object, int32_t type_index)
{
  const Iut reader = {.layout = layout};
  return object_type_index(&reader, object) == type_index && object_strong(&reader, object) == 1 &&
         object_weak(&reader, object) == 1;
}

static unsigned recognise(TVMFFIObjectHandle object, int32_t type_index)
{
  unsigned seen = 0;
  for (unsigned i = 0; object && i < ABI_GENERATIONS; ++i)
    if (is_header_of(abi_layout((AbiGeneration)i), object, type_index)) seen |= GENERATION_BIT(i);
  return seen;
}

unsigned generation_of_objects(Iut *iut)
{
  unsigned seen = recognise(make_function(iut), kTVMFFIFunction);
  if (!seen) seen = recognise(make_string(iut), kTVMFFIStr);
  if (!seen) seen = recognise(make_opaque(iut), kTVMFFIOpaquePyObject);
  return seen;
}

void generation_speak(Iut *iut, unsigned seen)
{
  for (unsigned i = 0; i < ABI_GENERATIONS; ++i)
    if (seen == GENERATION_BIT(i) && iut->generation != i) iut_speak(iut, (AbiGeneration)i);
}
