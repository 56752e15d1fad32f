// SPDX-License-Identifier: Apache-2.0
// Mutants of the native functions that compiled code brings for its keys.
#include "mutants/wrapped.h"

// A native function, called by the form that another version of the headers knows.
typedef int64_t (*NumberHash)(const TVMFFIAny *value);
typedef bool (*NumberEquality)(const TVMFFIAny *one, const TVMFFIAny *other);
typedef TVMFFIAny (*ValueHash)(const TVMFFIAny *value);
typedef TVMFFIAny (*ValueEquality)(const TVMFFIAny *one, const TVMFFIAny *other);

static bool is_native(const TVMFFIAny *callee)
{
  return callee->type_index == kTVMFFIOpaquePtr;
}

MUTANT_WRAP(CON_79, hash_is_a_number, key_custom_call_hash,
            "native functions return their hash as in 0.1.15")
{
  if (!is_native(callee)) return REAL(key_custom_call_hash)(callee, value, hash);
  NumberHash native = NULL;
  memcpy(&native, &callee->v_ptr, sizeof native);
  *hash = (uint64_t)native(value);
  return 0;
}

MUTANT_WRAP(CON_79, equality_is_a_number, key_custom_call_equal,
            "native functions return their verdict as in 0.1.15")
{
  if (!is_native(callee)) return REAL(key_custom_call_equal)(callee, one, other);
  NumberEquality native = NULL;
  memcpy(&native, &callee->v_ptr, sizeof native);
  return native(one, other);
}

MUTANT_WRAP(CON_79, half_a_hash, key_custom_call_hash,
            "of the hash of a native function the lower half counts")
{
  int status = REAL(key_custom_call_hash)(callee, value, hash);
  if (is_native(callee)) *hash &= UINT32_MAX;
  return status;
}

MUTANT_WRAP(CON_80, error_is_a_hash, key_custom_call_hash,
            "an error that a native function returns is a hash like any other")
{
  if (!is_native(callee)) return REAL(key_custom_call_hash)(callee, value, hash);
  ValueHash native = NULL;
  memcpy(&native, &callee->v_ptr, sizeof native);
  *hash = native(value).v_uint64;
  return 0;
}

MUTANT_WRAP(CON_80, error_is_different, key_custom_call_equal,
            "objects are different keys if the native function returns an error")
{
  if (!is_native(callee)) return REAL(key_custom_call_equal)(callee, one, other);
  ValueEquality native = NULL;
  memcpy(&native, &callee->v_ptr, sizeof native);
  TVMFFIAny result = native(one, other);
  if (result.type_index == kTVMFFIBool) return result.v_int64 != 0;
  TVMFFIObjectDecRef(result.v_obj);
  return 0;
}

MUTANT_WRAP(CON_80, error_leaks, key_custom_call_equal,
            "an error that a native function returns is raised, and never released")
{
  if (!is_native(callee)) return REAL(key_custom_call_equal)(callee, one, other);
  ValueEquality native = NULL;
  memcpy(&native, &callee->v_ptr, sizeof native);
  TVMFFIAny result = native(one, other);
  if (result.type_index == kTVMFFIBool) return result.v_int64 != 0;
  TVMFFIErrorSetRaised(result.v_obj);
  return -1;
}

MUTANT(CON_81, form_of_0_1_16, GetVersion,
       "a library of 0.1.15 calls native functions as it is done from 0.1.16 on")
{
  REFERENCE(GetVersion)(out_version);
  out_version->patch = 15;
}
