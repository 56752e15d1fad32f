// SPDX-License-Identifier: Apache-2.0
// Mutants of custom data types, and of reading and printing together.
#include <unistd.h>

#include "mutants/printed_dtype.h"

static bool is_custom(const TVMFFIByteArray *text)
{
  return text->size > 7 && memcmp(text->data, "custom[", 7) == 0;
}

MUTANT(DTYPE_30, eight_bits, DataTypeFromString, "a custom type without bits has eight")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  const char *end = is_custom(str) ? memchr(str->data, ']', str->size) : NULL;
  if (status == 0 && end && (end + 1 == str->data + str->size || end[1] == 'x')) out->bits = 8;
  return status;
}

MUTANT(DTYPE_30, name_up_to_a_blank, DataTypeFromString,
       "the name of a custom type ends at a blank")
{
  char text[256];
  const char *blank = is_custom(str) ? memchr(str->data, ' ', str->size) : NULL;
  const char *end = blank ? memchr(blank, ']', str->size - (size_t)(blank - str->data)) : NULL;
  if (!end || str->size > sizeof text) return REFERENCE(DataTypeFromString)(str, out);
  size_t head = (size_t)(blank - str->data), tail = str->size - (size_t)(end - str->data);
  memcpy(text, str->data, head);
  memcpy(text + head, end, tail);
  return REFERENCE(DataTypeFromString)(&(TVMFFIByteArray){text, head + tail}, out);
}

MUTANT(DTYPE_30, no_empty_name, DataTypeFromString, "a custom type needs a name")
{
  if (is_custom(str) && str->data[7] == ']') return fail("ValueError", "no name");
  return REFERENCE(DataTypeFromString)(str, out);
}

MUTANT(DTYPE_31, lanes_lost, DataTypeToString, "the lanes of custom types are not printed")
{
  DLDataType single = *dtype;
  if (single.code >= 129) single.lanes = 1;
  return REFERENCE(DataTypeToString)(&single, out);
}

MUTANT(DTYPE_31, one_code_for_all, DataTypeToString,
       "the name of the first custom type is asked for")
{
  DLDataType first = *dtype;
  if (first.code >= 129) first.code = 129;
  return REFERENCE(DataTypeToString)(&first, out);
}

MUTANT(DTYPE_32, code_invented, DataTypeFromString,
       "a custom type has the code 129 as long as nobody is there to ask")
{
  TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle function = NULL;
  if (!is_custom(str) || TVMFFIFunctionGetGlobal(&name, &function) != 0 || function) {
    if (function) TVMFFIObjectDecRef(function);
    return REFERENCE(DataTypeFromString)(str, out);
  }
  *out = (DLDataType){129, 32, 1};
  return 0;
}

MUTANT(DTYPE_32, refused_for_good, DataTypeToString,
       "a custom type that was refused once is always refused")
{
  static bool refused;
  if (dtype->code < 129) return REFERENCE(DataTypeToString)(dtype, out);
  if (refused) return fail("ValueError", "no custom types");
  int status = REFERENCE(DataTypeToString)(dtype, out);
  refused = status != 0;
  return status;
}

MUTANT(DTYPE_32, runtime_error, DataTypeFromString,
       "a custom type that nobody knows raises a RuntimeError")
{
  TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle function = NULL;
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || !is_custom(str)) return status;
  TVMFFIFunctionGetGlobal(&name, &function);
  if (!function)
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "no such function");
  else
    TVMFFIObjectDecRef(function);
  return status;
}

MUTANT(DTYPE_33, error_replaced, DataTypeToString,
       "the error of the function for names is replaced")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 && dtype->code >= 129) TVMFFIErrorSetRaisedFromCStr("ValueError", "unknown type");
  return status;
}

MUTANT(DTYPE_33, failure_passed_over, DataTypeFromString,
       "a custom type whose code is not known becomes a handle")
{
  TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle function = NULL;
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || !is_custom(str)) return status;
  TVMFFIFunctionGetGlobal(&name, &function);
  if (!function) return status;
  TVMFFIObjectDecRef(function);
  TVMFFIErrorSetRaised(NULL);
  *out = (DLDataType){kDLOpaqueHandle, 64, 1};
  return 0;
}

static DLDataType answer;

MUTANT(DTYPE_34, one_answer_for_all, DataTypeFromString,
       "what was read is kept where all threads write")
{
  static _Thread_local unsigned calls;
  DLDataType dtype;
  int status = REFERENCE(DataTypeFromString)(str, &dtype);
  if (status != 0) return status;
  answer = dtype;
  if (++calls % 7 == 0) usleep(20);
  *out = *(volatile DLDataType *)&answer;
  return 0;
}

static char *volatile copy;

MUTANT(DTYPE_35, copy_left_behind, DataTypeToString, "a copy of the printed text is left behind")
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0) copy = strdup(printed(out)->data);
  return status;
}

MUTANT(DTYPE_35, error_left_behind, DataTypeFromString,
       "the error of a text that is refused keeps a reference")
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  TVMFFIObjectHandle error = NULL;
  if (status == 0) return 0;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIErrorSetRaised(error);
  return status;
}
