// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_69, "keys that are containers are not copied")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIMap || !(map_body(result)->slots & SMALL))
    return status;
  const MapEntry *from = map_body(&args[0])->data;
  MapEntry *to = map_body(result)->data;
  for (uint64_t i = 0; i < map_body(result)->size; ++i) {
    if (!is_object(&to[i].key)) continue;
    TVMFFIObjectIncRef(from[i].key.v_obj);
    TVMFFIObjectDecRef(to[i].key.v_obj);
    to[i].key = from[i].key;
  }
  return 0;
}
