// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(REG_16, "only the keys of built-in types are listed")
REGISTERED("ffi.GetRegisteredTypeKeys")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny all = *result, some[256];
  int32_t count = 0;
  for (int64_t i = 0; i < sequence(&all)->size && count < 256; ++i) {
    TVMFFIAny *key = &elements(&all)[i];
    TVMFFIByteArray text = {key->v_bytes, key->small_str_len};
    int32_t type_index = 0;
    if (is_object(key)) text = *(TVMFFIByteArray *)(key->v_obj + 1);
    TVMFFITypeKeyToIndex(&text, &type_index);
    if (type_index < kTVMFFIDynObjectBegin) some[count++] = *key;
  }
  memset(result, 0, sizeof *result);
  status = registered_call_by_name("ffi.Array", some, count, result);
  TVMFFIObjectDecRef(all.v_obj);
  return status;
}
