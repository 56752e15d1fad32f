// SPDX-License-Identifier: Apache-2.0
// What the "ABI Overview" writes into values and reads from them, in the sections "Storing a POD Value", "DLPack Compatible
// Tensor", "AnyView and Managed Any" and "String and Bytes", with values that the runtime made. Prints
//
//   int 1, padding 0, value 42
//   pointer 4, padding 0
//   raw: hello
//   small: hello
//   object: longer than 7
//   borrowed tensor: 3 elements
//   tensor: 3 elements
//
// Corrected: the casts, which are those of C++ there.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

void SetIntValue(TVMFFIAny *any, int value)
{
  any->type_index = kTVMFFIInt;
  any->zero_padding = 0;
  any->v_int64 = value;
}

void SetOpaquePtrValue(TVMFFIAny *any, void *opaque_ptr)
{
  any->type_index = kTVMFFIOpaquePtr;
  any->zero_padding = 0;
  // A pointer of 32 bits leaves half of it.
  any->v_uint64 = 0;
  any->v_ptr = opaque_ptr;
}

DLTensor *ReadDLTensorPtr(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIDLTensorPtr) {
    return (DLTensor *)(value->v_ptr);
  }
  assert(value->type_index == kTVMFFITensor);
  return (DLTensor *)((char *)(value->v_obj) + sizeof(TVMFFIObject));
}

TVMFFIByteArray ReadString(const TVMFFIAny *value)
{
  TVMFFIByteArray ret;
  if (value->type_index == kTVMFFIRawStr) {
    ret.data = value->v_c_str;
    ret.size = strlen(ret.data);
  } else if (value->type_index == kTVMFFISmallStr) {
    ret.data = value->v_bytes;
    ret.size = value->small_str_len;
  } else {
    assert(value->type_index == kTVMFFIStr);
    ret = *(TVMFFIByteArray *)((char *)(value->v_obj) + sizeof(TVMFFIObject));
  }
  return ret;
}

static void print_string(const char *name, const TVMFFIAny *value)
{
  TVMFFIByteArray text = ReadString(value);
  printf("%s: %.*s\n", name, (int)text.size, text.data);
}

// An owned value of a raw string, as TVMFFIAnyViewToOwnedAny makes it.
static TVMFFIAny owned(const char *text)
{
  TVMFFIAny view = {.type_index = kTVMFFIRawStr, .v_c_str = text}, value;
  SetIntValue(&value, 0);
  if (TVMFFIAnyViewToOwnedAny(&view, &value) != 0) value.type_index = kTVMFFINone;
  return value;
}

static void give_back(DLManagedTensor *self)
{
  self->manager_ctx = NULL;
}

int main(void)
{
  TVMFFIAny value;
  SetIntValue(&value, 42);
  printf("int %d, padding %u, value %d\n", value.type_index, value.zero_padding,
         (int)value.v_int64);
  SetOpaquePtrValue(&value, &value);
  printf("pointer %d, padding %u\n", value.type_index, value.zero_padding);

  TVMFFIAny raw = {.type_index = kTVMFFIRawStr, .v_c_str = "hello"};
  TVMFFIAny small = owned("hello"), object = owned("longer than 7");
  print_string("raw", &raw);
  print_string("small", &small);
  print_string("object", &object);
  if (small.type_index >= kTVMFFIObject) TVMFFIObjectDecRef(small.v_obj);
  if (object.type_index >= kTVMFFIObject) TVMFFIObjectDecRef(object.v_obj);

  float elements[3] = {0};
  int64_t shape[1] = {3}, strides[1] = {1};
  DLManagedTensor managed = {.dl_tensor = {.data = elements,
                                           .device = {kDLCPU, 0},
                                           .ndim = 1,
                                           .dtype = {kDLFloat, 32, 1},
                                           .shape = shape,
                                           .strides = strides},
                             .deleter = give_back};
  TVMFFIAny borrowed = {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &managed.dl_tensor};
  TVMFFIAny tensor = {.type_index = kTVMFFITensor};
  TVMFFIObjectHandle made = NULL;
  printf("borrowed tensor: %d elements\n", (int)ReadDLTensorPtr(&borrowed)->shape[0]);
  if (TVMFFITensorFromDLPack(&managed, 0, 0, &made) != 0) return 1;
  tensor.v_ptr = made;
  printf("tensor: %d elements\n", (int)ReadDLTensorPtr(&tensor)->shape[0]);
  return TVMFFIObjectDecRef(made);
}
