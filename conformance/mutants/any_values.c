// SPDX-License-Identifier: Apache-2.0
// Mutants of what a value becomes when it is owned: plain values, text and bytes.
#include "mutants/mutant.h"

static TVMFFIObjectHandle get_item;

MUTANT(ANY_1, padding_kept, AnyViewToOwnedAny,
       "the padding of a value that holds an object is left as it was in the output")
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && out->type_index >= kTVMFFIStaticObjectBegin) out->zero_padding = padding;
  return status;
}

MUTANT(ANY_2, tail_kept, AnyViewToOwnedAny,
       "bytes behind the length of a small string are left as they were in the output")
{
  int32_t type_index = any_view->type_index;
  char before[8];
  memcpy(before, out->v_bytes, sizeof before);
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIRawStr && out->type_index == kTVMFFISmallStr) {
    size_t used = out->small_str_len;
    memcpy(out->v_bytes + used, before + used, sizeof before - used);
  }
  return status;
}

MUTANT_WITHOUT(ANY_3, missing, AnyViewToOwnedAny, "there is no TVMFFIAnyViewToOwnedAny");

MUTANT(ANY_4, nan_made_canonical, AnyViewToOwnedAny, "every NaN becomes the same NaN")
{
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && out->type_index == kTVMFFIFloat && out->v_float64 != out->v_float64)
    out->v_uint64 = UINT64_C(0x7ff8000000000000);
  return status;
}

MUTANT(ANY_4, upper_half_lost, AnyViewToOwnedAny, "integers lose their upper half")
{
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && out->type_index == kTVMFFIInt) out->v_int64 = (int32_t)out->v_int64;
  return status;
}

MUTANT(ANY_5, null_becomes_none, AnyViewToOwnedAny, "a NULL opaque pointer becomes None")
{
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && out->type_index == kTVMFFIOpaquePtr && !out->v_ptr)
    out->type_index = kTVMFFINone;
  return status;
}

MUTANT(ANY_6, length_to_first_nul, AnyViewToOwnedAny,
       "the length of a small string is counted again, to its first NUL")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFISmallStr)
    out->small_str_len = (uint32_t)strnlen(out->v_bytes, out->small_str_len);
  return status;
}

MUTANT(ANY_7, seven_bytes_on_the_heap, AnyViewToOwnedAny,
       "a raw string of seven bytes becomes an object")
{
  if (any_view->type_index != kTVMFFIRawStr || strlen(any_view->v_c_str) != 7)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  TVMFFIByteArray with_nul = {any_view->v_c_str, 8};
  int status = TVMFFIStringFromByteArray(&with_nul, out);
  if (status == 0) ((TVMFFIByteArray *)(out->v_obj + 1))->size = 7;
  return status;
}

MUTANT(ANY_8, eight_bytes_fit, AnyViewToOwnedAny,
       "a raw string of eight bytes is put into the value")
{
  if (any_view->type_index != kTVMFFIRawStr || strlen(any_view->v_c_str) != 8)
    return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  TVMFFIAny value = {.type_index = kTVMFFISmallStr, .small_str_len = 8};
  memcpy(value.v_bytes, any_view->v_c_str, 8);
  *out = value;
  return 0;
}

MUTANT(ANY_9, bytes_become_text, AnyViewToOwnedAny, "a short byte array becomes a small string")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFISmallBytes)
    out->type_index = kTVMFFISmallStr;
  return status;
}

MUTANT(ANY_10, cut_at_nul, AnyViewToOwnedAny, "a long byte array ends at its first NUL")
{
  int32_t type_index = any_view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFIBytes) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    cell->size = strnlen(cell->data, cell->size);
  }
  return status;
}

MUTANT(ANY_11, bytes_borrowed, AnyViewToOwnedAny,
       "a bytes object points to the bytes that it was made of")
{
  int32_t type_index = any_view->type_index;
  const TVMFFIByteArray *source = any_view->v_ptr;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0 && type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFIBytes)
    ((TVMFFIByteArray *)(out->v_obj + 1))->data = source->data;
  return status;
}

static volatile char taken;

MUTANT(ANY_12, nul_taken_along, AnyViewToOwnedAny,
       "one byte behind a byte array is read, for the NUL that is thought to be there")
{
  if (any_view->type_index == kTVMFFIByteArrayPtr) {
    const TVMFFIByteArray *source = any_view->v_ptr;
    if (source->data) taken = source->data[source->size];
  }
  return REFERENCE(AnyViewToOwnedAny)(any_view, out);
}

static volatile char word[8];

MUTANT(ANY_12, text_read_as_a_word, AnyViewToOwnedAny,
       "eight bytes of a raw string are read at once, however short it is")
{
  if (any_view->type_index == kTVMFFIRawStr)
    for (int i = 0; i < 8; ++i) word[i] = any_view->v_c_str[i];
  return REFERENCE(AnyViewToOwnedAny)(any_view, out);
}

MUTANT(ANY_18, none_keeps_its_payload, AnyViewToOwnedAny,
       "of a None only the type index and the padding are written")
{
  if (any_view->type_index != kTVMFFINone) return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  out->type_index = kTVMFFINone;
  out->zero_padding = 0;
  return 0;
}

MUTANT(ANY_18, output_released, AnyViewToOwnedAny,
       "an output that names a borrowed text is taken for one that must be freed")
{
  if (out->type_index == kTVMFFIRawStr) free(out->v_ptr);
  return REFERENCE(AnyViewToOwnedAny)(any_view, out);
}

MUTANT(ANY_19, view_cleaned, AnyViewToOwnedAny, "the padding is cleaned in the view")
{
  if (any_view->type_index < kTVMFFISmallStr) {
    volatile uint32_t *padding = (volatile uint32_t *)(uintptr_t)&any_view->zero_padding;
    *padding = 0;
  }
  return REFERENCE(AnyViewToOwnedAny)(any_view, out);
}

static _Thread_local TVMFFIAny last;

MUTANT(ANY_27, taken_for_its_own, AnyViewToOwnedAny,
       "a value that is the same as the last one made is taken for it, and not counted again")
{
  TVMFFIAny given = *any_view;
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status != 0) return status;
  if (given.type_index > kTVMFFIFunction && memcmp(&given, &last, sizeof given) == 0)
    TVMFFIObjectDecRef(out->v_obj);
  last = *out;
  return 0;
}

MUTANT(ANY_30, records_stay, AnyViewToOwnedAny,
       "for every value that is converted a record is made, and those of objects stay")
{
  static void *volatile record;
  record = malloc(sizeof *any_view);
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status != 0 || out->type_index < kTVMFFIStaticObjectBegin) free(record);
  return status;
}

MUTANT(ANY_31, bool_is_no_integer, FunctionGetGlobal, "a bool is refused as an index")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && name->size == 16 && memcmp(name->data, "ffi.ArrayGetItem", 16) == 0)
    get_item = *out;
  return status;
}

ALSO(ANY_31, bool_is_no_integer, FunctionCall)
{
  if (!func || func != get_item || num_args != 2 || args[1].type_index != kTVMFFIBool)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  return TVMFFIErrorSetRaisedFromCStr("TypeError", "an index must be an int"), -1;
}

MUTANT(ANY_33, float_cut_off, FunctionGetGlobal,
       "a float is taken as an index, without its fraction")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && name->size == 16 && memcmp(name->data, "ffi.ArrayGetItem", 16) == 0)
    get_item = *out;
  return status;
}

ALSO(ANY_33, float_cut_off, FunctionCall)
{
  if (!func || func != get_item || num_args != 2 || args[1].type_index != kTVMFFIFloat)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIAny whole[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = (int64_t)args[1].v_float64}};
  return REFERENCE(FunctionCall)(func, whole, 2, result);
}
