// SPDX-License-Identifier: Apache-2.0
// Mutants of the functions that look into values.
#include "mutants/container_body.h"

// Tells whether a call is about two Arrays with as many elements.
static bool are_alike(const TVMFFIAny *args)
{
  return args[0].type_index == kTVMFFIArray && args[1].type_index == kTVMFFIArray &&
         sequence(&args[0])->size == sequence(&args[1])->size;
}

static int give_bool(bool truth, TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = truth};
  return 0;
}

static int give_again(const TVMFFIAny *value, TVMFFIAny *result)
{
  if (is_object(value)) TVMFFIObjectIncRef(value->v_obj);
  *result = *value;
  return 0;
}

MUTANT_REGISTERED(REFL_1, sizes_only, "ffi.RecursiveEq", "Arrays of equal size are equal")
{
  if (are_alike(args)) return give_bool(true, result);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REFL_2, by_address, "ffi.RecursiveHash", "the address counts")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(&args[0])) result->v_int64 ^= (int64_t)(intptr_t)args[0].v_obj;
  return status;
}

MUTANT_REGISTERED(REFL_3, le_is_lt, "ffi.RecursiveLe", "less or equal means less")
{
  (void)original;
  return registered_call_by_name("ffi.RecursiveLt", args, num_args, result);
}

MUTANT_REGISTERED(REFL_4, no_copy, "ffi.DeepCopy", "the copy is the value itself")
{
  (void)original, (void)num_args;
  return give_again(&args[0], result);
}

MUTANT_REGISTERED(REFL_5, copied_twice, "ffi.DeepCopy", "what stands twice is copied twice")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIArray || sequence(result)->size < 2) {
    return status;
  }
  TVMFFIAny *last = &elements(result)[1], copy = {.type_index = kTVMFFINone};
  status = ORIGINAL(last, 1, &copy);
  if (status != 0) return status;
  if (is_object(last)) TVMFFIObjectDecRef(last->v_obj);
  *last = copy;
  return 0;
}

MUTANT_REGISTERED(REFL_6, sizes_only, "ffi.StructuralEqual", "Arrays of equal size are equal")
{
  if (are_alike(args)) return give_bool(true, result);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REFL_7, by_address, "ffi.StructuralHash", "the address counts")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(&args[0])) result->v_int64 ^= (int64_t)(intptr_t)args[0].v_obj;
  return status;
}

MUTANT_REGISTERED(REFL_8, never_any, "ffi.GetFirstStructuralMismatch", "there is never a mismatch")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  if (is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_9, always_mapped, "ffi.StructuralEqual", "variables are always mapped")
{
  TVMFFIAny changed[4] = {args[0], args[1], {.type_index = kTVMFFIBool, .v_int64 = 1}, args[3]};
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(REFL_10, no_key, "ffi.StructuralKey", "the key is the value itself")
{
  (void)original, (void)num_args;
  return give_again(&args[0], result);
}

MUTANT_REGISTERED(REFL_11, always_before, "ffi.StructuralWalk",
                  "callbacks are always called before")
{
  TVMFFIAny changed[4] = {args[0], args[1], args[2], {.type_index = kTVMFFIInt, .v_int64 = 0}};
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(REFL_12, not_given, "ffi.StructuralWalk", "the interrupt is not returned")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !is_object(result)) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_13, nothing_replaced, "ffi.StructuralMap", "nothing is replaced")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  if (is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  return give_again(&args[0], result);
}

MUTANT_REGISTERED(REFL_16, bools_are_ints, "ffi.MakeFieldGetter", "bools are read as ints")
{
  TVMFFIAny changed = args[0];
  if (changed.v_int64 == kTVMFFIBool) changed.v_int64 = kTVMFFIInt;
  return ORIGINAL(&changed, num_args, result);
}

// A converter that gives what it gets.
static int convert_nothing(void *converter, const TVMFFIAny *value, TVMFFIAny *result)
{
  (void)converter;
  return give_again(value, result);
}

MUTANT_REGISTERED(REFL_17, unconverted, "ffi.MakeFieldSetter", "values are stored unconverted")
{
  int (*function)(void *, const TVMFFIAny *, TVMFFIAny *) = convert_nothing;
  TVMFFIAny changed[3] = {args[0], args[1], args[2]};
  changed[2].v_int64 = (int64_t)(intptr_t)function;
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(REFL_18, no_constructor, "ffi._PyClassRegisterTypeAttrColumns",
                  "the type gets no constructor")
{
  (void)original, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_19, not_within, "ffi.ContainerFindFirstNonCPUDevice",
                  "tensors in containers in Arrays are skipped")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIArray) return status;
  for (int64_t i = 0; i < sequence(&args[0])->size; ++i) {
    if (elements(&args[0])[i].type_index == kTVMFFIArray) result->v_int64 = kDLCPU;
  }
  return 0;
}

MUTANT_REGISTERED(REFL_20, no_elements, "ffi.ReprPrint", "the elements of Arrays are not shown")
{
  TVMFFIByteArray text = {"[...]", 5};
  if (args[0].type_index != kTVMFFIArray) return ORIGINAL(args, num_args, result);
  return TVMFFIStringFromByteArray(&text, result);
}

MUTANT_REGISTERED(REFL_21, first_only, "ffi.VisitErrorContext.FindAccessPaths",
                  "no more than one way is found")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || sequence(result)->size < 2) return status;
  TVMFFIAny whole = *result, one = elements(result)[0];
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  status = registered_call_by_name("ffi.Array", &one, 1, result);
  TVMFFIObjectDecRef(whole.v_obj);
  return status;
}
