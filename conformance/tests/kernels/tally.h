// SPDX-License-Identifier: Apache-2.0
// tally(start): an object that counts, with the methods add(n) and adder(), which returns add as a
// function; total(tally) is its count. An including file says in ADD how n is added to *count, in
// REFUSED which n is refused, and in WHERE where the count is.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_TALLY_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_TALLY_H_

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef ADD
#define ADD(count, n) (*(count) += (n))
#endif
#ifndef REFUSED
#define REFUSED(n) ((n) < 0)
#endif
#ifndef WHERE
#define WHERE(tally) (&(tally)->count)
#endif

#define EXPORTED(name)                                                                            \
  __attribute__((visibility("default"))) int __tvm_ffi_##name(void *, const TVMFFIAny *, int32_t, \
                                                              TVMFFIAny *);                       \
  int __tvm_ffi_##name(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)

typedef struct Tally {
  TVMFFIObject header;
  int64_t count;
} Tally;

static int32_t tally_type;

static int tally_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static void tally_give(TVMFFIAny *result, int32_t type_index, int64_t payload)
{
  memset(result, 0, sizeof *result);
  result->type_index = type_index;
  result->v_int64 = payload;
}

static void tally_delete(void *object, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(object);
}

static Tally *tally_of(const TVMFFIAny *value)
{
  return value->type_index == tally_type ? (Tally *)(void *)value->v_obj : NULL;
}

static int tally_add(Tally *tally, const TVMFFIAny *n, TVMFFIAny *result)
{
  if (n->type_index != kTVMFFIInt) return tally_fail("TypeError", "n has to be an int");
  if (REFUSED(n->v_int64)) return tally_fail("ValueError", "n has to be 0 or more");
  ADD(WHERE(tally), n->v_int64);
  tally_give(result, kTVMFFIInt, *WHERE(tally));
  return 0;
}

static int add_method(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 2 || !tally_of(&args[0]))
    return tally_fail("TypeError", "add takes a tally and n");
  return tally_add(tally_of(&args[0]), &args[1], result);
}

static int add_function(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args != 1) return tally_fail("TypeError", "add takes 1 argument, n");
  return tally_add(self, &args[0], result);
}

static void let_go(void *self)
{
  TVMFFIObjectDecRef(self);
}

static int adder_method(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIObjectHandle function = NULL;
  (void)handle;
  if (num_args != 1 || !tally_of(&args[0])) return tally_fail("TypeError", "adder takes a tally");
  TVMFFIObjectIncRef(args[0].v_obj);
  if (TVMFFIFunctionCreate(args[0].v_obj, add_function, let_go, &function) != 0) {
    TVMFFIObjectDecRef(args[0].v_obj);
    return -1;
  }
  tally_give(result, kTVMFFIFunction, 0);
  result->v_obj = function;
  return 0;
}

static void register_method(const char *name, TVMFFISafeCallType call)
{
  TVMFFIMethodInfo info;
  TVMFFIObjectHandle function = NULL;
  memset(&info, 0, sizeof info);
  if (TVMFFIFunctionCreate(NULL, call, NULL, &function) != 0) abort();
  info.name = (TVMFFIByteArray){name, strlen(name)};
  info.method.type_index = kTVMFFIFunction;
  info.method.v_obj = function;
  if (TVMFFITypeRegisterMethod(tally_type, &info) != 0) abort();
  TVMFFIObjectDecRef(function);
}

__attribute__((constructor)) static void register_type(void)
{
  static const TVMFFIByteArray key = {"kernels.Tally", 13};
  tally_type = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(tally_type);
  if (info->num_methods > 0) return;
  register_method("add", add_method);
  register_method("adder", adder_method);
}

EXPORTED(tally)
{
  (void)handle;
  if (num_args != 1) return tally_fail("TypeError", "tally takes 1 argument, start");
  if (args[0].type_index != kTVMFFIInt && args[0].type_index != kTVMFFIBool)
    return tally_fail("TypeError", "start has to be an int");
  Tally *made = calloc(1, sizeof *made);
  if (!made) return tally_fail("MemoryError", "no memory for a tally");
  made->header.combined_ref_count = UINT64_C(1) << 32 | 1;
  made->header.type_index = tally_type;
  made->header.deleter = tally_delete;
  if (*WHERE(made) == 0) *WHERE(made) = args[0].v_int64;
  tally_give(result, tally_type, 0);
  result->v_obj = (TVMFFIObject *)made;
  return 0;
}

EXPORTED(total)
{
  (void)handle;
  if (num_args != 1) return tally_fail("TypeError", "total takes 1 argument, tally");
  if (!tally_of(&args[0])) return tally_fail("TypeError", "tally has to be a Tally");
  tally_give(result, kTVMFFIInt, *WHERE(tally_of(&args[0])));
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_TALLY_H_
