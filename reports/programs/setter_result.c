// SPDX-License-Identifier: Apache-2.0
// Makes an object with a field whose setter is a function, which returns an object, and tells how
// many references to that object are left. Exit code 1 if it is not released.
#include <stdio.h>
#include <stdlib.h>
#include <tvm/ffi/c_api.h>

static TVMFFIObjectHandle returned;
static int32_t type_index;

static void delete_nothing(void *handle)
{
  (void)handle;
}

static int set_field(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self, (void)args, (void)count;
  TVMFFIObjectIncRef(returned);
  *result = (TVMFFIAny){.type_index = kTVMFFIOpaquePyObject, .v_obj = returned};
  return 0;
}

static int get_field(void *field, TVMFFIAny *result)
{
  (void)field;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

static void delete_object(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static int create_object(TVMFFIObjectHandle *result)
{
  TVMFFIObject *made = calloc(1, sizeof *made + 16);
  *made = (TVMFFIObject){.combined_ref_count = (uint64_t)1 << 32 | 1,
                         .type_index = type_index,
                         .deleter = delete_object};
  *result = made;
  return 0;
}

int main(void)
{
  const TVMFFIByteArray key = {"demo.Object", 11}, name = {"ffi.MakeObjectFromPackedArgs", 28};
  type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIObjectHandle setter, make;
  TVMFFIObjectCreateOpaque(NULL, kTVMFFIOpaquePyObject, delete_nothing, &returned);
  TVMFFIFunctionCreate(NULL, set_field, NULL, &setter);
  const TVMFFIFieldInfo field = {.name = {"f", 1},
                                 .flags = kTVMFFIFieldFlagBitSetterIsFunctionObj,
                                 .size = 16,
                                 .alignment = 8,
                                 .offset = sizeof(TVMFFIObject),
                                 .getter = get_field,
                                 .setter = setter,
                                 .field_static_type_index = kTVMFFIAny};
  const TVMFFITypeMetadata metadata = {.creator = create_object,
                                       .total_size = sizeof(TVMFFIObject) + 16};
  if (TVMFFITypeRegisterField(type_index, &field)) return 2;
  if (TVMFFITypeRegisterMetadata(type_index, &metadata)) return 2;
  if (TVMFFIFunctionGetGlobal(&name, &make) || !make) return 2;
  TVMFFIAny args[] = {{.type_index = kTVMFFIInt, .v_int64 = type_index},
                      {.type_index = kTVMFFIRawStr, .v_c_str = "f"},
                      {.type_index = kTVMFFIInt, .v_int64 = 1}};
  TVMFFIAny made = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(make, args, 3, &made)) return 2;
  const unsigned left = (uint32_t)((TVMFFIObject *)returned)->combined_ref_count - 1;
  printf("%u references to the result of the setter are left\n", left);
  return left != 0;
}
