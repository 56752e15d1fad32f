// SPDX-License-Identifier: Apache-2.0
// spell(s, b, f, n, p): a number in which every character of the string s and the bytes b, the
// float f and the int n have a part; p, an opaque pointer, is not followed. An including file says
// in WRONG what it does not do as it should.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_SPELL_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_SPELL_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

enum {
  NO_RAW_STRING = 1 << 0,
  NO_SMALL_STRING = 1 << 1,
  NO_BYTE_ARRAY = 1 << 2,
  NO_SMALL_BYTES = 1 << 3,
  ENDS_AT_NUL = 1 << 4,
  NEEDS_DATA = 1 << 5,
  ONLY_FLOAT = 1 << 6,
  CUTS_INT = 1 << 7,
  FOLLOWS_POINTER = 1 << 8,
  BORROWS_RVALUE = 1 << 9,
};

#ifndef WRONG
#define WRONG 0
#endif

static inline bool is_wrong(int what)
{
  return (WRONG & what) != 0;
}

static inline int spell_fail(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("TypeError", message);
  return -1;
}

static TVMFFIByteArray cell_of(TVMFFIObjectHandle object)
{
  TVMFFIByteArray cell;
  memcpy(&cell, (const char *)object + sizeof(TVMFFIObject), sizeof cell);
  if (is_wrong(ENDS_AT_NUL)) cell.size = strlen(cell.data);
  return cell;
}

static bool take_string(const TVMFFIAny *arg, TVMFFIByteArray *out)
{
  if (arg->type_index == kTVMFFIRawStr && !is_wrong(NO_RAW_STRING))
    *out = (TVMFFIByteArray){arg->v_c_str, strlen(arg->v_c_str)};
  else if (arg->type_index == kTVMFFISmallStr && !is_wrong(NO_SMALL_STRING))
    *out = (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
  else if (arg->type_index == kTVMFFIStr)
    *out = cell_of(arg->v_obj);
  else if (arg->type_index == kTVMFFIObjectRValueRef && is_wrong(BORROWS_RVALUE))
    *out = cell_of(*(TVMFFIObjectHandle *)arg->v_ptr);
  else
    return false;
  return true;
}

static bool take_bytes(const TVMFFIAny *arg, TVMFFIByteArray *out)
{
  if (arg->type_index == kTVMFFIByteArrayPtr && !is_wrong(NO_BYTE_ARRAY))
    *out = *(const TVMFFIByteArray *)arg->v_ptr;
  else if (arg->type_index == kTVMFFISmallBytes && !is_wrong(NO_SMALL_BYTES))
    *out = (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
  else if (arg->type_index == kTVMFFIBytes)
    *out = cell_of(arg->v_obj);
  else
    return false;
  return !is_wrong(NEEDS_DATA) || out->data;
}

static bool take_float(const TVMFFIAny *arg, double *out)
{
  bool whole = arg->type_index == kTVMFFIInt || arg->type_index == kTVMFFIBool;
  if (arg->type_index == kTVMFFIFloat)
    *out = arg->v_float64;
  else if (whole && !is_wrong(ONLY_FLOAT))
    *out = (double)arg->v_int64;
  else
    return false;
  return true;
}

static int64_t sum_of(TVMFFIByteArray text)
{
  int64_t sum = (int64_t)text.size;
  for (size_t i = 0; i < text.size; ++i) sum = (sum * 31 + (unsigned char)text.data[i]) % 65521;
  return sum;
}

__attribute__((visibility("default"))) int __tvm_ffi_spell(void *handle, const TVMFFIAny *args,
                                                           int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_spell(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray s, b;
  double f;
  (void)handle;
  if (num_args != 5) return spell_fail("spell takes 5 arguments");
  if (!take_string(&args[0], &s)) return spell_fail("s has to be a string");
  if (!take_bytes(&args[1], &b)) return spell_fail("b has to be bytes");
  if (!take_float(&args[2], &f)) return spell_fail("f has to be a float");
  if (args[3].type_index != kTVMFFIInt && args[3].type_index != kTVMFFIBool)
    return spell_fail("n has to be an int");
  if (args[4].type_index != kTVMFFIOpaquePtr) return spell_fail("p has to be a pointer");
  int64_t n = is_wrong(CUTS_INT) ? (int32_t)args[3].v_int64 : args[3].v_int64;
  if (is_wrong(FOLLOWS_POINTER)) n += *(const volatile char *)args[4].v_ptr;
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFIInt;
  result->v_int64 = n + 3 * sum_of(s) + 5 * sum_of(b) + (int64_t)(f * 16);
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_SPELL_H_
