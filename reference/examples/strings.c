// SPDX-License-Identifier: Apache-2.0
// The three forms of a string, read by one function. Prints
//
//   raw string: a borrowed text
//   small string: seven!!
//   string object: longer than seven bytes
//
// Build: cc strings.c $(pkg-config --cflags --libs tvm_ffi) -o strings
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

// The bytes of a string in any of its forms, borrowed from the value. {NULL, 0} if it is no string.
static TVMFFIByteArray read_string(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIRawStr)
    return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr) return *(const TVMFFIByteArray *)(value->v_obj + 1);
  return (TVMFFIByteArray){NULL, 0};
}

static void print(const char *form, const TVMFFIAny *value)
{
  TVMFFIByteArray text = read_string(value);
  printf("%s: %.*s\n", form, (int)text.size, text.data);
}

// Makes an owned string: small if it has at most seven bytes, an object otherwise.
static int own(const char *text, TVMFFIAny *string)
{
  TVMFFIByteArray bytes = {text, strlen(text)};
  *string = (TVMFFIAny){.type_index = kTVMFFINone};
  return TVMFFIStringFromByteArray(&bytes, string);
}

int main(void)
{
  TVMFFIAny raw = {.type_index = kTVMFFIRawStr, .v_c_str = "a borrowed text"}, small, heap;
  if (own("seven!!", &small) != 0 || own("longer than seven bytes", &heap) != 0) return 1;
  if (small.type_index != kTVMFFISmallStr || heap.type_index != kTVMFFIStr) return 1;
  print("raw string", &raw);
  print("small string", &small);
  print("string object", &heap);
  TVMFFIObjectDecRef(heap.v_obj);
  return 0;
}
