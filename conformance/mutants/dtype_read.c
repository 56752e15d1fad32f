// SPDX-License-Identifier: Apache-2.0
// Mutants of how data types are read.
#include <ctype.h>
#include <stdio.h>

#include "mutants/byte_text.h"
#include "mutants/mutant.h"

MUTANT_WITHOUT(DTYPE_1, no_printing, DataTypeToString, "data types can not be printed");

MUTANT(DTYPE_2, leading_zero_refused, DataTypeFromString, "a number with a leading zero is refused")
{
  for (size_t i = 1; i + 1 < str->size; ++i)
    if (str->data[i] == '0' && isalpha((unsigned char)str->data[i - 1]) &&
        isdigit((unsigned char)str->data[i + 1]))
      return fail("ValueError", "a leading zero");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_2, seven_bits, DataTypeFromString, "the number of bits is kept in seven bits")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0) out->bits &= 0x7F;
  return status;
}

MUTANT(DTYPE_3, bfloat_of_32_bits, DataTypeFromString, "bfloat alone has 32 bits")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && text_is(str, "bfloat")) out->bits = 32;
  return status;
}

MUTANT(DTYPE_4, lanes_of_eight_bits, DataTypeFromString,
       "the number of lanes is kept in eight bits")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->lanes < 32768) out->lanes &= 0xFF;
  return status;
}

MUTANT(DTYPE_5, scalable_lanes_positive, DataTypeFromString,
       "scalable lanes are stored like others")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->lanes > 32768) out->lanes = (uint16_t)-out->lanes;
  return status;
}

MUTANT(DTYPE_6, bool_of_one_bit, DataTypeFromString, "bool alone has one bit")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && text_is(str, "bool")) out->bits = 1;
  return status;
}

MUTANT(DTYPE_6, unsigned_integer, DataTypeFromString, "bool is an unsigned integer of one bit")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->code == kDLBool) {
    out->code = kDLUInt;
    out->bits = 1;
  }
  return status;
}

MUTANT(DTYPE_7, codes_swapped, DataTypeFromString,
       "two float formats of eight bits have each other's code")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status != 0) return status;
  if (out->code == kDLFloat8_e4m3b11fnuz || out->code == kDLFloat8_e4m3fn)
    out->code ^= kDLFloat8_e4m3b11fnuz ^ kDLFloat8_e4m3fn;
  return 0;
}

MUTANT(DTYPE_8, padded_to_a_byte, DataTypeFromString, "float formats of six bits take eight")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && (out->code == kDLFloat6_e2m3fn || out->code == kDLFloat6_e3m2fn))
    out->bits = 8;
  return status;
}

MUTANT(DTYPE_9, lanes_lost, DataTypeFromString, "the lanes of float formats are lost")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->code >= kDLFloat8_e3m4 && out->code <= kDLFloat4_e2m1fn) out->lanes = 1;
  return status;
}

MUTANT(DTYPE_10, data_demanded, DataTypeFromString, "an empty text without data is refused")
{
  if (!str->data) return fail("ValueError", "no text");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_10, nothing_refused, DataTypeFromString, "the empty text is refused")
{
  if (str->size == 0) return fail("ValueError", "an empty text");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_10, void_is_a_handle, DataTypeFromString, "void is a handle of 64 bits")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && text_is(str, "void")) *out = (DLDataType){kDLOpaqueHandle, 64, 1};
  return status;
}

MUTANT(DTYPE_11, short_float_is_brain_float, DataTypeFromString, "f means bfloat")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && str->size > 1 && str->data[0] == 'f' && isdigit((unsigned char)str->data[1]) &&
      out->code == kDLFloat)
    out->code = kDLBfloat;
  return status;
}

MUTANT(DTYPE_11, unknown, DataTypeFromString, "short names are not known")
{
  if (str->size > 1 && strchr("iuf", str->data[0]) && isdigit((unsigned char)str->data[1]) &&
      !memchr(str->data, '_', str->size))
    return fail("ValueError", "a short name");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_12, shorter_ones_unknown, DataTypeFromString, "f8_, f6_ and f4_ are not known")
{
  if (str->size > 2 && str->data[0] == 'f' && str->data[2] == '_')
    return fail("ValueError", "a short name");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_13, lanes_lost, DataTypeFromString, "the lanes behind an underscore are lost")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && text_has(str, "_x")) out->lanes = 1;
  return status;
}

MUTANT(DTYPE_13, underscore_refused, DataTypeFromString,
       "the second spelling of the packed format is refused")
{
  if (text_has(str, "_x")) return fail("ValueError", "an underscore");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_14, any_case, DataTypeFromString, "capital letters mean the same as small ones")
{
  char lower[256];
  if (str->size > sizeof lower) return REFERENCE(DataTypeFromString)(str, out);
  for (size_t i = 0; i < str->size; ++i) lower[i] = (char)tolower((unsigned char)str->data[i]);
  TVMFFIByteArray text = {lower, str->size};
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_14, blanks_passed_over, DataTypeFromString, "blanks behind a text are ignored")
{
  TVMFFIByteArray text = *str;
  while (text.size > 0 && strchr(" \n\r", text.data[text.size - 1])) --text.size;
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_14, custom_tail_passed_over, DataTypeFromString,
       "words behind the bracket of a custom type are ignored")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || str->size < 7 || memcmp(str->data, "custom[", 7) != 0) return status;
  const char *end = memchr(str->data, ']', str->size);
  if (end == NULL || end + 1 == str->data + str->size) return status;
  if (end[1] == 'x' || (end[1] >= '0' && end[1] <= '9')) return status;
  TVMFFIErrorSetRaised(NULL);
  TVMFFIByteArray text = {str->data, (size_t)(end + 1 - str->data)};
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_14, rest_passed_over, DataTypeFromString, "what follows the lanes is ignored")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  TVMFFIByteArray text = *str;
  while (status != 0 && text.size > 4 && isdigit((unsigned char)text.data[0]) == 0) {
    --text.size;
    if (!isdigit((unsigned char)text.data[text.size - 1])) continue;
    TVMFFIErrorSetRaised(NULL);
    return REFERENCE(DataTypeFromString)(&text, out);
  }
  return status;
}

MUTANT(DTYPE_14, type_error, DataTypeFromString,
       "a text that is not a data type raises a TypeError")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("TypeError", "no data type");
  return status;
}

MUTANT(DTYPE_15, bits_wrap, DataTypeFromString, "bits above 255 are kept in eight bits")
{
  size_t name = 0, end;
  while (name < str->size && isalpha((unsigned char)str->data[name])) ++name;
  for (end = name; end < str->size && isdigit((unsigned char)str->data[end]); ++end) continue;
  if (end == name || end - name > 6 || str->size > 64)
    return REFERENCE(DataTypeFromString)(str, out);
  unsigned bits = 0;
  for (size_t i = name; i < end; ++i) bits = bits * 10 + (unsigned)(str->data[i] - '0');
  char text[128];
  int size = snprintf(text, sizeof text, "%.*s%u%.*s", (int)name, str->data, bits % 256,
                      (int)(str->size - end), str->data + end);
  return REFERENCE(DataTypeFromString)(&(TVMFFIByteArray){text, (size_t)size}, out);
}

MUTANT(DTYPE_15, custom_bits_wrap, DataTypeFromString, "the bits of a custom type wrap around")
{
  char text[256];
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || str->size >= sizeof text || str->size < 7) return status;
  memcpy(text, str->data, str->size);
  text[str->size] = '\0';
  char *bits = strrchr(text, ']');
  if (memcmp(text, "custom[", 7) != 0 || bits == NULL) return status;
  unsigned long number = strtoul(bits + 1, &bits, 10);
  if (*bits != '\0' || number < 256) return status;
  TVMFFIErrorSetRaised(NULL);
  TVMFFIByteArray name = {text, (size_t)(strrchr(text, ']') + 1 - text)};
  status = REFERENCE(DataTypeFromString)(&name, out);
  if (status == 0) out->bits = (uint8_t)number;
  return status;
}

MUTANT(DTYPE_15, lanes_wrap, DataTypeFromString, "lanes above 65535 are kept in 16 bits")
{
  const char *x = str->data ? memrchr(str->data, 'x', str->size) : NULL;
  size_t digits = x ? (size_t)(str->data + str->size - x) - 1 : 0;
  if (digits < 5 || digits > 9) return REFERENCE(DataTypeFromString)(str, out);
  unsigned long lanes = 0;
  for (size_t i = 1; i <= digits; ++i) {
    if (x[i] < '0' || x[i] > '9') return REFERENCE(DataTypeFromString)(str, out);
    lanes = lanes * 10 + (unsigned long)(x[i] - '0');
  }
  if (lanes < 65536) return REFERENCE(DataTypeFromString)(str, out);
  TVMFFIByteArray text = {str->data, str->size - digits - 1};
  int status = REFERENCE(DataTypeFromString)(&text, out);
  if (status == 0) out->lanes = (uint16_t)lanes;
  return status;
}

MUTANT(DTYPE_15, no_lanes, DataTypeFromString, "a missing number of lanes means none")
{
  TVMFFIByteArray text = *str;
  if (text.size < 2 || text.data[text.size - 1] != 'x')
    return REFERENCE(DataTypeFromString)(str, out);
  --text.size;
  int status = REFERENCE(DataTypeFromString)(&text, out);
  if (status == 0) out->lanes = 0;
  return status;
}

MUTANT(DTYPE_15, signs_passed_over, DataTypeFromString, "plus signs before numbers are ignored")
{
  char plain[256];
  TVMFFIByteArray text = {plain, 0};
  if (str->size > sizeof plain) return REFERENCE(DataTypeFromString)(str, out);
  for (size_t i = 0; i < str->size; ++i)
    if (str->data[i] != '+') plain[text.size++] = str->data[i];
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_16, digits_behind, DataTypeFromString, "digits behind a text belong to it")
{
  TVMFFIByteArray text = *str;
  while (text.size > 0 && isdigit((unsigned char)text.data[text.size])) ++text.size;
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_16, one_byte_further, DataTypeFromString, "the byte behind a text is read")
{
  if (str->data && ((const volatile char *)str->data)[str->size] == '?') return -1;
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_18, cut_at_nul, DataTypeFromString, "a text ends at the first NUL in it")
{
  TVMFFIByteArray text = {str->data, str->data ? strnlen(str->data, str->size) : 0};
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_18, last_nul_taken_off, DataTypeFromString, "a NUL at the end of a text is taken off")
{
  TVMFFIByteArray text = *str;
  if (text.size > 1 && text.data[text.size - 1] == '\0') --text.size;
  return REFERENCE(DataTypeFromString)(&text, out);
}

MUTANT(DTYPE_19, nul_written, DataTypeFromString,
       "a NUL is written to the end of the text while it is read")
{
  if (str->size == 0) return REFERENCE(DataTypeFromString)(str, out);
  char *last = (char *)str->data + str->size - 1, before = *last;
  *(volatile char *)last = '\0';
  *(volatile char *)last = before;
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_19, output_cleared, DataTypeFromString, "the output is cleared before a text is read")
{
  *out = (DLDataType){0, 0, 0};
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_45, no_low_floats, DataTypeFromString, "floats of four bits are refused")
{
  if (str->size >= 6 && memcmp(str->data, "float4", 6) == 0)
    return fail("ValueError", "no such type");
  return REFERENCE(DataTypeFromString)(str, out);
}
