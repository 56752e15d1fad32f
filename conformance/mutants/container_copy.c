// SPDX-License-Identifier: Apache-2.0
// Mutants of deep copies, recursive comparisons and hashes.
#include "mutants/container_body.h"

MUTANT_UNREGISTERED(CON_68, no_deep_copy, "ffi.DeepCopy",
                    "nothing copies containers in containers");

MUTANT_REGISTERED(CON_69, copied_by_reference, "ffi.DeepCopy",
                  "the copy of a dict is the dict itself")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIDict) return ORIGINAL(args, num_args, result);
  TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}

MUTANT_REGISTERED(CON_69, elements_shared, "ffi.DeepCopy",
                  "the copy of a list holds the containers that the list holds")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  for (int64_t i = 0; i < sequence(result)->size; ++i) {
    TVMFFIAny *copy = &elements(result)[i], *element = &elements(&args[0])[i];
    if (!is_object(copy) || copy->v_obj == result->v_obj) continue;
    TVMFFIObjectIncRef(element->v_obj);
    TVMFFIObjectDecRef(copy->v_obj);
    *copy = *element;
  }
  return 0;
}

MUTANT_REGISTERED(CON_69, keys_shared, "ffi.DeepCopy", "keys that are containers are not copied")
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

MUTANT_REGISTERED(CON_69, last_left_out, "ffi.DeepCopy",
                  "the last element of a long array is not copied")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIArray || sequence(result)->size < 10)
    return status;
  TVMFFIAny *last = &elements(result)[--sequence(result)->size];
  if (is_object(last)) TVMFFIObjectDecRef(last->v_obj);
  return 0;
}

MUTANT_REGISTERED(CON_70, shapes_copied, "ffi.DeepCopy", "shapes in a list are copied")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  for (int64_t i = 0; i < sequence(result)->size; ++i) {
    TVMFFIAny *shape = &elements(result)[i], extents[8], made = {.type_index = kTVMFFINone};
    if (shape->type_index != kTVMFFIShape) continue;
    const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(shape->v_obj + 1);
    if (cell->size > 8) continue;
    for (size_t j = 0; j < cell->size; ++j)
      extents[j] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = cell->data[j]};
    if (registered_call_by_name("ffi.Shape", extents, (int32_t)cell->size, &made) != 0) return -1;
    TVMFFIObjectDecRef(shape->v_obj);
    *shape = made;
  }
  return 0;
}

MUTANT_REGISTERED(CON_70, strings_copied, "ffi.DeepCopy", "the copy of a string is another string")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIStr) return ORIGINAL(args, num_args, result);
  return TVMFFIStringFromByteArray((const TVMFFIByteArray *)(args[0].v_obj + 1), result);
}

MUTANT_REGISTERED(CON_71, circle_leads_back, "ffi.DeepCopy",
                  "the copy of a list that holds itself holds the list")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  for (int64_t i = 0; i < sequence(result)->size; ++i) {
    TVMFFIAny *element = &elements(result)[i];
    if (!is_object(element) || element->v_obj != result->v_obj) continue;
    TVMFFIObjectIncRef(args[0].v_obj);
    TVMFFIObjectDecRef(element->v_obj);
    *element = args[0];
  }
  return 0;
}

MUTANT_REGISTERED(CON_71, copied_twice, "ffi.DeepCopy",
                  "what an array holds in two places is copied for each of them")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIArray) return status;
  for (int64_t i = 1; i < sequence(result)->size; ++i) {
    TVMFFIAny *element = &elements(result)[i], made = {.type_index = kTVMFFINone};
    if (element->type_index != kTVMFFIList || element->v_obj != elements(result)[i - 1].v_obj)
      continue;
    if (ORIGINAL(&elements(&args[0])[i], 1, &made) != 0) return -1;
    TVMFFIObjectDecRef(element->v_obj);
    *element = made;
  }
  return 0;
}

MUTANT_REGISTERED(CON_73, dicts_by_identity, "ffi.RecursiveEq",
                  "dicts are equal to nothing but themselves")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIDict && args[0].v_obj != args[1].v_obj)
    result->v_int64 = 0;
  return status;
}

MUTANT_REGISTERED(CON_85, not_a_number_differs, "ffi.RecursiveEq",
                  "not-a-number is not equal to itself")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIFloat && args[0].v_float64 != args[0].v_float64)
    result->v_int64 = 0;
  return status;
}

MUTANT_REGISTERED(CON_73, order_of_a_map_counts, "ffi.RecursiveEq",
                  "small maps with entries in another order differ")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !result->v_int64 || args[0].type_index != kTVMFFIMap) return status;
  const MapBody *one = map_body(&args[0]), *other = map_body(&args[1]);
  if (!(one->slots & other->slots & SMALL) || one->size == 0) return 0;
  const MapEntry *first = one->data, *second = other->data;
  return ORIGINAL(((TVMFFIAny[]){first->key, second->key}), 2, result);
}

MUTANT_REGISTERED(CON_74, beginning_is_enough, "ffi.RecursiveEq",
                  "a list is equal to one that goes on")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIList ||
      sequence(&args[0])->size >= sequence(&args[1])->size)
    return ORIGINAL(args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
  for (int64_t i = 0; i < sequence(&args[0])->size && result->v_int64; ++i) {
    TVMFFIAny pair[] = {elements(&args[0])[i], elements(&args[1])[i]};
    if (ORIGINAL(pair, 2, result) != 0) return -1;
  }
  return 0;
}

MUTANT_REGISTERED(CON_86, integer_is_a_bool, "ffi.RecursiveEq", "1 and true are equal")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIInt && args[1].type_index == kTVMFFIBool)
    result->v_int64 = args[0].v_int64 == args[1].v_int64;
  return status;
}

MUTANT_REGISTERED(CON_86, type_does_not_count, "ffi.RecursiveEq",
                  "an array is equal to a list of the same elements")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIList)
    return ORIGINAL(args, num_args, result);
  int64_t size = sequence(&args[0])->size;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = size == sequence(&args[1])->size};
  for (int64_t i = 0; i < size && result->v_int64; ++i) {
    TVMFFIAny pair[] = {elements(&args[0])[i], elements(&args[1])[i]};
    if (ORIGINAL(pair, 2, result) != 0) return -1;
  }
  return 0;
}

MUTANT_REGISTERED(CON_74, values_of_maps_unseen, "ffi.RecursiveEq",
                  "maps of the same size are equal")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIMap && args[1].type_index == kTVMFFIMap)
    result->v_int64 = map_body(&args[0])->size == map_body(&args[1])->size;
  return status;
}

MUTANT_REGISTERED(CON_75, lists_by_identity, "ffi.RecursiveHash",
                  "the hash of a list is that of its address")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIList)
    result->v_int64 ^= (int64_t)(uintptr_t)args[0].v_obj;
  return status;
}

MUTANT_REGISTERED(CON_75, order_of_a_map_counts, "ffi.RecursiveHash",
                  "the hash of a small map depends on the order of its entries")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIMap || !(map_body(&args[0])->slots & SMALL))
    return status;
  const MapEntry *first = map_body(&args[0])->data;
  if (map_body(&args[0])->size) result->v_int64 ^= first->key.v_int64;
  return 0;
}

MUTANT_REGISTERED(CON_85, sign_of_zero_counts, "ffi.RecursiveHash",
                  "0.0 and -0.0 have hashes of their own")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIFloat) result->v_int64 ^= args[0].v_int64;
  return status;
}

MUTANT_REGISTERED(CON_76, size_is_the_hash, "ffi.RecursiveHash", "the hash of an array is its size")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIArray) result->v_int64 = sequence(&args[0])->size;
  return status;
}

MUTANT_REGISTERED(CON_77, circle_is_walked_for_ever, "ffi.RecursiveHash",
                  "the hash of a list that holds itself is never found")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  const volatile TVMFFISeqCell *list = sequence(&args[0]);
  for (int64_t i = 0; i < list->size; ++i)
    while (elements(&args[0])[i].v_obj == args[0].v_obj) TVMFFIGetVersion(&(TVMFFIVersion){0});
  return 0;
}
