// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_45, "a dict in which a jump leads further than 15 slots is searched no further")

static int has_far_jump(const TVMFFIAny *dict)
{
  if (dict->type_index != kTVMFFIDict || map_body(dict)->slots & SMALL) return 0;
  const unsigned char *data = map_body(dict)->data;
  for (uint64_t slot = 0; slot < map_body(dict)->slots; ++slot) {
    unsigned char byte = data[slot / 16 * (16 + 16 * 48) + slot % 16];
    if (byte < 254 && (byte & 127) > 15) return 1;
  }
  return 0;
}

REGISTERED("ffi.DictCount")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && has_far_jump(&args[0])) result->v_int64 = 0;
  return status;
}
