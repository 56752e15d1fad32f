// SPDX-License-Identifier: Apache-2.0
// A library as a compiler would emit it. It needs nothing but what the loader fills in.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define EXPORT __attribute__((visibility("default")))
#define FUNCTION(name)                                                               \
  EXPORT int __tvm_ffi_##name(void *handle, const TVMFFIAny *args, int32_t num_args, \
                              TVMFFIAny *result);                                    \
  int __tvm_ffi_##name(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)

// Filled in by the loader.
EXPORT void *__tvm_ffi__library_ctx;
EXPORT __typeof__(&TVMFFIEnvModLookupFromImports) __TVMFFIEnvModLookupFromImports;
EXPORT __typeof__(&TVMFFIFunctionCall) __TVMFFIFunctionCall;
EXPORT __typeof__(&TVMFFIErrorSetRaisedFromCStr) __TVMFFIErrorSetRaisedFromCStr;

// Not exported functions of modules.
EXPORT int bare(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);
int bare(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static void give_int(TVMFFIAny *result, int64_t number)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number};
}

FUNCTION(add_one)
{
  if (handle != NULL || num_args != 1 || args[0].type_index != kTVMFFIInt) return -7;
  give_int(result, args[0].v_int64 + 1);
  return 0;
}

FUNCTION(_underscore)
{
  (void)handle, (void)args, (void)num_args;
  give_int(result, 5);
  return 0;
}

FUNCTION(fail)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  __TVMFFIErrorSetRaisedFromCStr("ValueError", "as it was asked to");
  return -1;
}

// args: the code to return.
FUNCTION(fail_silently)
{
  (void)handle, (void)num_args, (void)result;
  return (int)args[0].v_int64;
}

FUNCTION(context)
{
  (void)handle, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = __tvm_ffi__library_ctx};
  return 0;
}

// Calls a function that the module imports.
// args: its name.
FUNCTION(call_import)
{
  TVMFFIObjectHandle function = NULL;
  (void)handle, (void)num_args;
  int code = __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, args[0].v_c_str, &function);
  return code != 0 ? code : __TVMFFIFunctionCall(function, NULL, 0, result);
}

// The same, as generated code does it: what was found is kept in a variable.
FUNCTION(call_import_kept)
{
  static void *function;
  (void)handle, (void)num_args;
  if (function == NULL &&
      __TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, args[0].v_c_str, &function) != 0) {
    return -1;
  }
  return __TVMFFIFunctionCall(function, NULL, 0, result);
}

static TVMFFIObject object;

static void end_object(void *self, int flags)
{
  (void)flags;
  ((TVMFFIObject *)self)->combined_ref_count = 0;
}

// An object whose deleter is here.
FUNCTION(give_object)
{
  (void)handle, (void)args, (void)num_args;
  object = (TVMFFIObject){.combined_ref_count = (uint64_t)1 << 32 | 1,
                          .type_index = kTVMFFIObject,
                          .deleter = end_object};
  *result = (TVMFFIAny){.type_index = kTVMFFIObject};
  result->v_obj = &object;
  return 0;
}

FUNCTION(_metadata_add_one)
{
  if (handle != NULL || args != NULL || num_args != 0) return -1;
  *result =
      (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "{\"type_schema\": \"a longer text\"}"};
  return 0;
}

FUNCTION(_doc_add_one)
{
  (void)handle, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 4, .v_bytes = "adds"};
  return 0;
}

FUNCTION(_doc_fail)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return -1;
}

FUNCTION(_metadata_fail)
{
  (void)handle, (void)args, (void)num_args;
  give_int(result, 3);
  return 0;
}

#ifdef UNRESOLVED
void nobody_defines_this(void);

FUNCTION(unresolved)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  nobody_defines_this();
  return 0;
}
#endif

#ifdef MISSING_DATA
extern int nobody_defines_this_data;
EXPORT int *missing_data = &nobody_defines_this_data;
#endif

#define W(byte) (byte), 0, 0, 0, 0, 0, 0, 0

#ifdef TREE  // the library imports a node, which has a function "embedded"
EXPORT const unsigned char __tvm_ffi__library_bin[] = {
    W(0x54 + 4), W(3), W(0), W(1), W(1), W(1), W(1),  //
    W(4),        '_',  'l',  'i',  'b',               //
    W(4),        'n',  'o',  'd',  'e',  W(8), 'e',  'm', 'b', 'e', 'd', 'd', 'e', 'd',
};
#endif

#ifdef BROKEN  // the second row is more than there are children
EXPORT const unsigned char __tvm_ffi__library_bin[] = {
    W(44), W(2), W(0), W(9), W(0), W(4), '_', 'l', 'i', 'b',
};
#endif

#ifdef UNKNOWN  // _lib, then a kind that nobody loads
EXPORT const unsigned char __tvm_ffi__library_bin[] = {
    W(0x4f), W(3), W(0), W(1), W(1), W(1), W(1),  //
    W(4),    '_',  'l',  'i',  'b',               //
    W(7),    'u',  'n',  'k',  'n',  'o',  'w',  'n', W(0),
};
#endif

#ifdef LONG_SYMBOL  // nbytes is more than the symbol has
// A sanitized symbol of clang's has the guarded bytes behind the array as well (gcc's has not).
#ifdef __clang__
__attribute__((no_sanitize("address")))
#endif
EXPORT const unsigned char __tvm_ffi__library_bin[] = {
    W(45), W(2), W(0), W(0), W(0), W(4), '_', 'l', 'i', 'b',
};
#endif
