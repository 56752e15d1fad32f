// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_61, "a list whose elements have moved is taken for damaged")

// Of the list that was made last.
static TVMFFIObject *list;
static void *data;
static void (*deleter)(void *);

static void remember(TVMFFIObject *made)
{
  TVMFFIAny value = {.type_index = kTVMFFIList, .v_obj = made};
  list = made;
  data = sequence(&value)->data;
  deleter = sequence(&value)->data_deleter;
}

REGISTERED("ffi.List")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) remember(result->v_obj);
  return status;
}

REGISTERED("ffi.ListAppend")
{
  if (num_args == 2 && is_object(&args[0]) && args[0].v_obj == list &&
      sequence(&args[0])->data_deleter == deleter && sequence(&args[0])->data != data)
    return fail("RuntimeError", "the list is damaged");
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(&args[0]) && args[0].v_obj == list) remember(list);
  return status;
}
