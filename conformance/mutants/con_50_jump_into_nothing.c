// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

enum { SLOTS_MAX = 256 };

static unsigned char *byte_of(const TVMFFIAny *dict, uint64_t slot)
{
  return (unsigned char *)map_body(dict)->data + slot / 16 * (16 + 16 * 48) + slot % 16;
}

MUTANT(CON_50, "the jump to an entry that was erased stays")
REGISTERED("ffi.DictErase")
{
  unsigned char before[SLOTS_MAX];
  uint64_t slots = num_args == 2 ? map_body(&args[0])->slots : 0;
  if (slots > SLOTS_MAX) slots = 0;  // a small dict, too
  for (uint64_t slot = 0; slot < slots; ++slot) before[slot] = *byte_of(&args[0], slot);
  int status = ORIGINAL(args, num_args, result);
  for (uint64_t slot = 0; slot < slots; ++slot) {
    unsigned char *byte = byte_of(&args[0], slot);
    if (*byte < 254 && (*byte & 127) == 0) *byte |= before[slot] & 127;
  }
  return status;
}
