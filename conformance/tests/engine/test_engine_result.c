// SPDX-License-Identifier: Apache-2.0
// Which bytes of a result count, on machines of every width and byte order: what KER-28 is judged
// by. (That modules are caught by it: kernels/give_dirty_*.c.)
#include <string.h>

#include "kernel/kernel_result.h"
#include "test_engine.h"

enum { POINTER = sizeof(void *) };

static const struct {
  int32_t type_index;
  uint32_t length;  // of small strings and bytes
  size_t used;      // bytes of the payload, from its first on
} values[] = {
    {kTVMFFINone, 0, 0},
    {kTVMFFIInt, 0, 8},
    {kTVMFFIBool, 0, 8},
    {kTVMFFIFloat, 0, 8},
    {kTVMFFIOpaquePtr, 0, POINTER},
    {kTVMFFIDataType, 0, 4},
    {kTVMFFIDevice, 0, 8},
    {kTVMFFIDLTensorPtr, 0, POINTER},
    {kTVMFFIRawStr, 0, POINTER},
    {kTVMFFIByteArrayPtr, 0, POINTER},
    {kTVMFFIObjectRValueRef, 0, POINTER},
    {kTVMFFISmallStr, 0, 0},
    {kTVMFFISmallStr, 3, 3},
    {kTVMFFISmallBytes, 7, 7},
    {kTVMFFISmallBytes, 8, 8},
    {kTVMFFISmallStr, 1 << 20, 8},
    {kTVMFFIObject, 0, POINTER},
    {kTVMFFITensor, 0, POINTER},
    {kTVMFFIDynObjectBegin, 0, POINTER},
};
enum { VALUES = sizeof values / sizeof values[0] };

TEST(the_first_bytes_of_a_payload_are_used, .rows = VALUES)
{
  TVMFFIAny value;
  memset(&value, 0xa5, sizeof value);
  value.type_index = values[_i].type_index;
  value.small_str_len = values[_i].length;
  const uint64_t mask = result_used_bytes(&value);
  unsigned char bytes[sizeof mask];
  memcpy(bytes, &mask, sizeof mask);
  for (size_t i = 0; i < sizeof bytes; ++i)
    ck_assert_msg(bytes[i] == (i < values[_i].used ? 0xff : 0),
                  "byte %zu of a payload of type index %d", i, values[_i].type_index);
}
