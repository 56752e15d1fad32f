// SPDX-License-Identifier: Apache-2.0
// Mutants of dicts.
#include "mutants/container_body.h"

MUTANT_REGISTERED(CON_46, index_error, "ffi.DictGetItem",
                  "a key that a dict lacks is an IndexError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIDict) return status;
  return fail("IndexError", "no such key");
}

MUTANT_REGISTERED(CON_47, retained_when_it_grows, "ffi.DictSetItem",
                  "a dict that outgrows its memory gains a reference")
{
  uint64_t slots = num_args == 3 && args[0].type_index == kTVMFFIDict ? map_body(args)->slots : 0;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIDict && map_body(args)->slots != slots)
    TVMFFIObjectIncRef(args[0].v_obj);
  return status;
}

MUTANT_REGISTERED(CON_48, first_value_stays, "ffi.DictSetItem",
                  "a key that a dict has keeps its value")
{
  TVMFFIAny count = {0};
  if (num_args == 3 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && count.v_int64)
    return 0;
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_48, old_value_kept, "ffi.DictSetItem",
                  "a value that is replaced is not released")
{
  TVMFFIAny old = {0}, count = {0};
  if (num_args == 3 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && count.v_int64)
    registered_call_by_name("ffi.DictGetItem", args, 2, &old);
  return ORIGINAL(args, num_args, result);
}

static int64_t replaced;

MUTANT_REGISTERED(CON_49, counted_twice, "ffi.DictSetItem", "a key that is set again counts again")
{
  uint64_t size = num_args == 3 && args[0].type_index == kTVMFFIDict ? map_body(args)->size : 0;
  int status = ORIGINAL(args, num_args, result);
  replaced += status == 0 && args[0].type_index == kTVMFFIDict && map_body(args)->size == size;
  return status;
}

ALSO_REGISTERED(CON_49, counted_twice, "ffi.DictSize")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 += replaced;
  return status;
}

enum { SLOTS_MAX = 256 };

static unsigned char *byte_of(const TVMFFIAny *dict, uint64_t slot)
{
  return (unsigned char *)map_body(dict)->data + slot / 16 * (16 + 16 * 48) + slot % 16;
}

MUTANT_REGISTERED(CON_50, jump_into_nothing, "ffi.DictErase",
                  "the jump to an entry that was erased stays")
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

MUTANT_REGISTERED(CON_50, not_cleared, "ffi.DictClear", "clearing a dict removes nothing")
{
  (void)original, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(CON_50, missing_key_is_an_error, "ffi.DictErase",
                  "a key that a dict lacks cannot be erased")
{
  TVMFFIAny count = {0};
  if (num_args == 2 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && !count.v_int64)
    return fail("KeyError", "no such key");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_50, value_kept, "ffi.DictErase", "a value that is erased is not released")
{
  TVMFFIAny old = {0}, count = {0};
  if (num_args == 2 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && count.v_int64)
    registered_call_by_name("ffi.DictGetItem", args, 2, &old);
  return ORIGINAL(args, num_args, result);
}

static void (*own_deleter)(void *);

static void forget(void *data)
{
  (void)data;
}

MUTANT_REGISTERED(CON_51, memory_of_others_forgotten, "ffi.Dict",
                  "memory of others is left behind when a dict grows")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && !(map_body(result)->slots & SMALL))
    own_deleter = map_body(result)->data_deleter;
  return status;
}

ALSO_REGISTERED(CON_51, memory_of_others_forgotten, "ffi.DictSetItem")
{
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && own_deleter &&
      !(map_body(args)->slots & SMALL) && map_body(args)->data_deleter != own_deleter)
    map_body(args)->data_deleter = forget;
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_51, no_deleter, "ffi.Dict", "a dense dict has no deleter")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) map_body(result)->data_deleter = NULL;
  return status;
}

static TVMFFIObject *small;

MUTANT_REGISTERED(CON_52, layout_remembered, "ffi.Dict",
                  "a dict that was made small is taken for small until it is changed")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) small = map_body(result)->slots & SMALL ? result->v_obj : NULL;
  return status;
}

ALSO_REGISTERED(CON_52, layout_remembered, "ffi.DictSetItem")
{
  if (num_args == 3 && is_object(&args[0]) && args[0].v_obj == small) small = NULL;
  return ORIGINAL(args, num_args, result);
}

ALSO_REGISTERED(CON_52, layout_remembered, "ffi.DictGetItem")
{
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && args[0].v_obj == small &&
      !(map_body(args)->slots & SMALL))
    return fail("KeyError", "no such key");
  return ORIGINAL(args, num_args, result);
}
