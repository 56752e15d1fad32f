// SPDX-License-Identifier: Apache-2.0
// Data types as text.
#include <string.h>

#include "core/any.h"
#include "core/bytes.h"
#include "core/dtype.h"
#include "core/memory.h"
#include "core/raise.h"

static const char function[] = "TVMFFIDataTypeToString";

const DtypeFormat dtype_formats[] = {
#define FORMAT(name, bits)       \
  {                              \
    name, sizeof(name) - 1, bits \
  }
    FORMAT("float8_e3m4", 8),     FORMAT("float8_e4m3", 8),     FORMAT("float8_e4m3b11fnuz", 8),
    FORMAT("float8_e4m3fn", 8),   FORMAT("float8_e4m3fnuz", 8), FORMAT("float8_e5m2", 8),
    FORMAT("float8_e5m2fnuz", 8), FORMAT("float8_e8m0fnu", 8),  FORMAT("float6_e2m3fn", 6),
    FORMAT("float6_e3m2fn", 6),   FORMAT("float4_e2m1fn", 4),
};

// The longest name is that of a format; bits and lanes are "255xvscalex32768" at most.
enum { TAIL_MAX = 16, TEXT_MAX = 40 };
_Static_assert(sizeof("float8_e4m3b11fnuz") + TAIL_MAX <= TEXT_MAX, "every text must fit");

// These write to `at` and return the place behind.

static char *dtype_print_text(char *at, const char *text, size_t size)
{
  if (size != 0) memcpy(at, text, size);
  return at + size;
}

#define PRINT(at, literal) dtype_print_text(at, literal, sizeof(literal) - 1)

static char *dtype_print_number(char *at, unsigned number)
{
  char digits[8], *first = digits + sizeof digits;
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return dtype_print_text(at, first, (size_t)(digits + sizeof digits - first));
}

static char *dtype_print_lanes(char *at, uint16_t lanes)
{
  int number = (int16_t)lanes;
  if (number > 1) return dtype_print_number(PRINT(at, "x"), (unsigned)number);           // DTYPE-22
  if (number < -1) return dtype_print_number(PRINT(at, "xvscalex"), (unsigned)-number);  // DTYPE-23
  return at;
}

// Prints a type whose code has a name that is no custom one.
static char *dtype_print(char *at, DLDataType dtype)
{
  if (dtype.code >= DTYPE_FIRST_FORMAT && dtype.code <= DTYPE_LAST_FORMAT) {  // DTYPE-26
    const DtypeFormat *format = &dtype_formats[dtype.code - DTYPE_FIRST_FORMAT];
    return dtype_print_lanes(dtype_print_text(at, format->name, format->size), dtype.lanes);
  }
  switch (dtype.code) {  // DTYPE-21
    case kDLInt:
      at = PRINT(at, "int");
      break;
    case kDLUInt:
      at = PRINT(at, "uint");  // DTYPE-25
      break;
    case kDLFloat:
      at = PRINT(at, "float");
      break;
    case kDLBfloat:
      at = PRINT(at, "bfloat");
      break;
    case kDLBool:
      at = PRINT(at, "bool");
      if (dtype.bits == DTYPE_BOOL_BITS) return dtype_print_lanes(at, dtype.lanes);  // DTYPE-24
      break;
    case kDLOpaqueHandle:  // DTYPE-27
      return dtype.bits == 0 && dtype.lanes == 0 ? at : PRINT(at, "handle");
    default:
      break;
  }
  return dtype_print_lanes(dtype_print_number(at, dtype.bits), dtype.lanes);
}

static int dtype_print_custom(DLDataType dtype, TVMFFIAny *out)
{
  TVMFFIAny owner;
  TVMFFIByteArray name;
  if (dtype_custom_name(function, dtype.code, &owner, &name) != 0) return -1;  // DTYPE-33
  char tail[TAIL_MAX + 1], *end = PRINT(tail, "]");
  if (dtype.bits != DTYPE_NUMBER_BITS) end = dtype_print_number(end, dtype.bits);
  end = dtype_print_lanes(end, dtype.lanes);
  size_t tail_size = (size_t)(end - tail), size = sizeof("custom[") - 1 + tail_size;
  char *at = NULL;
  if (memory_add(&size, name.size)) at = bytes_new_string(size, out);
  if (at == NULL) {
    raise_out_of_memory();
  } else {  // DTYPE-31
    at = dtype_print_text(PRINT(at, "custom["), name.data, name.size);
    dtype_print_text(at, tail, tail_size);
  }
  any_release(&owner);
  return at == NULL ? -1 : 0;
}

// Apart, so that what programs mostly ask for needs hardly a register.
__attribute__((noinline)) static int dtype_print_any(DLDataType dtype, TVMFFIAny *out)
{
  if (dtype.code >= DTYPE_CUSTOM_FIRST) return dtype_print_custom(dtype, out);
  if (dtype.code > DTYPE_LAST_FORMAT || dtype.code == kDLComplex) {  // DTYPE-29
    return raise_error("ValueError", function, ": `dtype` has the type code ",
                       raise_number(dtype.code).text, ", which has no name", NULL);
  }
  char *text = bytes_new_string(TEXT_MAX, out);  // DTYPE-20
  if (text == NULL) return -1;
  bytes_end_string(out, dtype_print(text, dtype));
  return 0;
}

int TVMFFIDataTypeToString(const DLDataType *dtype, TVMFFIAny *out)
{
  if (dtype == NULL) return raise_null(function, "dtype");
  if (out == NULL) return raise_null(function, "out");
  if (dtype->code != kDLBool || dtype->bits != DTYPE_BOOL_BITS || dtype->lanes != 1) {
    return dtype_print_any(*dtype, out);
  }
  char *name = bytes_new_string(sizeof("bool") - 1, out);  // as programs mostly ask
  if (name == NULL) return -1;
  memcpy(name, "bool", sizeof("bool") - 1);
  return 0;
}
