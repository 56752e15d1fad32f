// SPDX-License-Identifier: Apache-2.0
// Mutants of how data types are printed.
#include <stdio.h>

#include "mutants/byte_text.h"
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_20, output_must_be_clear, DataTypeToString, "an output that is not clear is refused")
{
  if (!out->v_obj) return REFERENCE(DataTypeToString)(dtype, out);
  return fail("ValueError", "the output holds something");
}

MUTANT(DTYPE_20, padding_left, DataTypeToString,
       "the padding of a printed text is what was there before")
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0) out->zero_padding = padding;
  return status;
}

MUTANT(DTYPE_20, small_string, DataTypeToString, "a short text is a small string")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || printed(out)->size > 7) return status;
  TVMFFIObjectHandle object = out->v_obj;
  status = TVMFFIStringFromByteArray(printed(out), out);
  TVMFFIObjectDecRef(object);
  return status;
}

MUTANT(DTYPE_21, usual_bits_left_out, DataTypeToString, "32 bits are not printed")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->bits != 32 || dtype->lanes != 1) return status;
  if (dtype->code <= kDLFloat) begin_with(out, 0, "");
  if (dtype->code <= kDLFloat) printed(out)->size -= 2;
  return status;
}

MUTANT(DTYPE_22, lanes_of_eight_bits, DataTypeToString,
       "the lanes that are printed are kept in eight bits")
{
  DLDataType cut = *dtype;
  if (cut.lanes > 255 && cut.lanes < 32768) cut.lanes &= 0xFF;
  return REFERENCE(DataTypeToString)(&cut, out);
}

MUTANT(DTYPE_22, lanes_of_formats_lost, DataTypeToString,
       "the lanes of float formats are not printed")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->code < kDLFloat8_e3m4 || dtype->lanes < 2 || dtype->lanes > 32767)
    return status;
  TVMFFIByteArray *text = printed(out);
  text->size = (size_t)((const char *)memrchr(text->data, 'x', text->size) - text->data);
  ((char *)text->data)[text->size] = '\0';
  return 0;
}

MUTANT(DTYPE_23, most_lanes_left_out, DataTypeToString, "32768 scalable lanes are not printed")
{
  DLDataType cut = *dtype;
  if (cut.lanes == 32768) cut.lanes = 1;
  return REFERENCE(DataTypeToString)(&cut, out);
}

MUTANT(DTYPE_23, scalable_lanes_unsigned, DataTypeToString,
       "scalable lanes are printed as the number that is stored")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->lanes < 32768 || dtype->lanes == 65535) return status;
  TVMFFIByteArray *text = printed(out);
  char *lanes = memmem(text->data, text->size, "xvscalex", 8);
  if (!lanes) return status;
  text->size = (size_t)(lanes - text->data) + (size_t)sprintf(lanes, "x%u", dtype->lanes);
  return status;
}

MUTANT(DTYPE_24, bits_always_printed, DataTypeToString, "bools are printed with their eight bits")
{
  if (dtype->code != kDLBool) return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = *dtype;
  number.code = kDLFloat;
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("float"), "bool");
  return status;
}

MUTANT(DTYPE_24, lanes_lost, DataTypeToString, "the lanes of bools are not printed")
{
  DLDataType single = *dtype;
  if (single.code == kDLBool) single.lanes = 1;
  return REFERENCE(DataTypeToString)(&single, out);
}

MUTANT(DTYPE_25, single_bit_is_a_bool, DataTypeToString,
       "an unsigned integer of one bit prints as bool")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0 && dtype->code == kDLUInt && dtype->bits == 1)
    begin_with(out, strlen("uint1"), "bool");
  return status;
}

MUTANT(DTYPE_26, names_swapped, DataTypeToString, "two float formats print each other's name")
{
  DLDataType other = *dtype;
  if (other.code == kDLFloat8_e4m3b11fnuz || other.code == kDLFloat8_e4m3fn)
    other.code ^= kDLFloat8_e4m3b11fnuz ^ kDLFloat8_e4m3fn;
  return REFERENCE(DataTypeToString)(&other, out);
}

MUTANT(DTYPE_27, bits_of_a_handle, DataTypeToString, "a handle is printed with its bits")
{
  if (dtype->code != kDLOpaqueHandle || dtype->bits != 64)
    return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = {kDLBfloat, dtype->bits, 1};
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("bfloat"), "handle");
  return status;
}

MUTANT(DTYPE_27, void_is_printed, DataTypeToString, "the type of no value prints as void")
{
  if (dtype->code != kDLOpaqueHandle || dtype->bits != 0 || dtype->lanes != 0)
    return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = {kDLFloat, 8, 1};
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("float8"), "void");
  return status;
}

MUTANT(DTYPE_28, lanes_of_odd_bits_lost, DataTypeToString,
       "the lanes of numbers with an odd number of bits are not printed")
{
  DLDataType single = *dtype;
  if (single.bits % 2) single.lanes = 1;
  return REFERENCE(DataTypeToString)(&single, out);
}

MUTANT(DTYPE_28, scalable_lanes_not_read_with_three_digits, DataTypeFromString,
       "xvscalex behind three digits of bits is refused")
{
  DLDataType dtype;
  int status = REFERENCE(DataTypeFromString)(str, &dtype);
  if (status != 0) return status;
  if (dtype.bits >= 100 && text_has(str, "xvscalex")) return fail("ValueError", "too long");
  *out = dtype;
  return 0;
}

MUTANT(DTYPE_29, output_cleared, DataTypeToString, "the output is None when a code has no name")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0) *out = (TVMFFIAny){.type_index = kTVMFFINone};
  return status;
}

MUTANT(DTYPE_29, printed_as_a_number, DataTypeToString, "a code without a name prints as a number")
{
  DLDataType number = *dtype;
  if (number.code >= 100 && number.code <= 128) number.code = kDLUInt;
  return REFERENCE(DataTypeToString)(&number, out);
}

MUTANT(DTYPE_29, type_error, DataTypeToString, "a code without a name raises a TypeError")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 && dtype->code <= 128) TVMFFIErrorSetRaisedFromCStr("TypeError", "no such code");
  return status;
}

MUTANT(DTYPE_35, two_references, DataTypeToString, "a printed text has two references")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0) TVMFFIObjectIncRef(out->v_obj);
  return status;
}

MUTANT(DTYPE_46, brain_floats_abbreviated, DataTypeToString, "bfloat16 prints as bf16")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->code != kDLBfloat || dtype->bits != 16 || dtype->lanes != 1)
    return status;
  begin_with(out, 6, "bf");
  return status;
}
