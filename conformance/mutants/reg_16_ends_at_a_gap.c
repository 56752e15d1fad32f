// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(REG_16, "the list of type keys ends where a hundred indices are free")
REGISTERED("ffi.GetRegisteredTypeKeys")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny all = *result;
  int64_t count = 0;
  for (int32_t last = 0; count < sequence(&all)->size; ++count) {
    TVMFFIAny *key = &elements(&all)[count];
    TVMFFIByteArray text = {key->v_bytes, key->small_str_len};
    int32_t type_index = 0;
    if (is_object(key)) text = *(TVMFFIByteArray *)(key->v_obj + 1);
    TVMFFITypeKeyToIndex(&text, &type_index);
    if (type_index > last + 100) break;
    last = type_index;
  }
  memset(result, 0, sizeof *result);
  status = registered_call_by_name("ffi.Array", elements(&all), (int32_t)count, result);
  TVMFFIObjectDecRef(all.v_obj);
  return status;
}
