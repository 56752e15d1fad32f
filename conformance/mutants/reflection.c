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

MUTANT_REGISTERED(REFL_3, gt_is_ge, "ffi.RecursiveGt", "greater means greater or equal")
{
  (void)original;
  return registered_call_by_name("ffi.RecursiveGe", args, num_args, result);
}

MUTANT_REGISTERED(REFL_3, ge_is_gt, "ffi.RecursiveGe", "greater or equal means greater")
{
  (void)original;
  return registered_call_by_name("ffi.RecursiveGt", args, num_args, result);
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

MUTANT_REGISTERED(REFL_22, no_constructor, "ffi._RegisterFFIInit", "the type gets no constructor")
{
  (void)original, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

static int nothing_called(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

MUTANT_REGISTERED(REFL_23, another_object, "ffi.GetKwargsObject", "each call gives another object")
{
  (void)original, (void)args, (void)num_args;
  TVMFFIObjectHandle made;
  if (TVMFFIFunctionCreate(NULL, nothing_called, NULL, &made) != 0) return -1;
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = made};
  return 0;
}

MUTANT(REFL_24, no_defaults, TypeRegisterField, "fields have no defaults")
{
  TVMFFIFieldInfo changed = *info;
  changed.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskHasDefault;
  return REFERENCE(TypeRegisterField)(type_index, &changed);
}

MUTANT_REGISTERED(REFL_25, always_on, "ffi.StructuralVisit", "a visit always goes on")
{
  (void)original, (void)num_args;
  TVMFFIAny none = {.type_index = kTVMFFINone}, order = {.type_index = kTVMFFIInt};
  int status = registered_call_by_name("ffi.Array", NULL, 0, &none);
  if (status != 0) return status;
  TVMFFIAny walk[4] = {args[0], args[1], none, order};
  status = registered_call_by_name("ffi.StructuralWalk", walk, 4, result);
  TVMFFIObjectDecRef(none.v_obj);
  return status;
}

MUTANT_REGISTERED(REFL_25, never_on, "ffi.StructuralVisitorDefaultVisit",
                  "what a value holds is not visited")
{
  (void)original, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_26, not_given, "ffi.StructuralVisit", "the interrupt is not returned")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !is_object(result)) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_27, nothing_replaced, "ffi.StructuralMutate", "nothing is replaced")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  if (is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  return give_again(&args[0], result);
}

MUTANT_REGISTERED(REFL_27, not_within, "ffi.StructuralMutatorDefaultMutate",
                  "what a value holds is not mutated")
{
  (void)original, (void)num_args;
  return give_again(&args[1], result);
}

MUTANT_REGISTERED(REFL_28, no_region, "ffi.StructuralVisitorWithDefRegionKind",
                  "the region stays what it was")
{
  TVMFFIAny changed[3] = {args[0], args[1], args[2]};
  changed[1].v_int64 = 0;
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(REFL_28, no_region_of_mutators, "ffi.StructuralMutatorWithDefRegionKind",
                  "the region of a mutator stays what it was")
{
  TVMFFIAny changed[3] = {args[0], args[1], args[2]};
  changed[1].v_int64 = 0;
  return ORIGINAL(changed, num_args, result);
}

static int give_zero(TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  return 0;
}

MUTANT_REGISTERED(REFL_28, untold, "ffi.StructuralVisitorDefRegionKind",
                  "visitors are always in region 0")
{
  (void)original, (void)args, (void)num_args;
  return give_zero(result);
}

MUTANT_REGISTERED(REFL_28, untold_by_mutators, "ffi.StructuralMutatorDefRegionKind",
                  "mutators are always in region 0")
{
  (void)original, (void)args, (void)num_args;
  return give_zero(result);
}

MUTANT_REGISTERED(REFL_29, no_context, "ffi.StructuralWalk", "errors have no extra context")
{
  int status = ORIGINAL(args, num_args, result);
  TVMFFIObjectHandle error = NULL, plain = NULL;
  if (status == 0) return 0;
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  if (TVMFFIErrorCreate(&cell->kind, &cell->message, &cell->backtrace, &plain) == 0) {
    TVMFFIErrorSetRaised(plain);
    TVMFFIObjectDecRef(plain);
  }
  TVMFFIObjectDecRef(error);
  return -1;
}

static bool is_named(const TVMFFIByteArray *text, const char *name)
{
  return text->size == strlen(name) && memcmp(text->data, name, text->size) == 0;
}

MUTANT(REFL_31, no_conversions, GetTypeAttrColumn, "types have no conversions")
{
  if (is_named(attr_name, "__ffi_convert__")) return NULL;
  return REFERENCE(GetTypeAttrColumn)(attr_name);
}

MUTANT(REFL_32, no_attrs, GetTypeInfo, "the state of an enumeration has two fields")
{
  static TVMFFITypeInfo changed;
  const TVMFFITypeInfo *info = REFERENCE(GetTypeInfo)(type_index);
  if (info == NULL || !is_named(&info->type_key, "ffi.EnumState")) return info;
  changed = *info;
  changed.num_fields = 2;
  return &changed;
}

MUTANT(REFL_33, prefixes_are_equal, GetTypeInfo, "only equal paths begin with each other")
{
  static TVMFFITypeInfo changed;
  static TVMFFIMethodInfo methods[16];
  const TVMFFITypeInfo *info = REFERENCE(GetTypeInfo)(type_index);
  const TVMFFIMethodInfo *equal = NULL;
  if (info == NULL || info->num_methods > 16) return info;
  if (!is_named(&info->type_key, "ffi.reflection.AccessPath")) return info;
  changed = *info;
  memcpy(methods, info->methods, (size_t)info->num_methods * sizeof *methods);
  for (int i = 0; i < info->num_methods; ++i) {
    if (is_named(&methods[i].name, "_path_equal")) equal = &methods[i];
  }
  for (int i = 0; i < info->num_methods && equal != NULL; ++i) {
    if (is_named(&methods[i].name, "_is_prefix_of")) methods[i].method = equal->method;
  }
  changed.methods = methods;
  return &changed;
}

MUTANT_REGISTERED(REFL_34, by_address, "ffi.StructuralKeyEqual", "a key is equal to itself alone")
{
  (void)original, (void)num_args;
  return give_bool(args[0].v_obj == args[1].v_obj, result);
}

MUTANT_REGISTERED(REFL_35, never_skipped, "ffi.StructuralEqual", "the content of tensors counts")
{
  TVMFFIAny changed[4] = {args[0], args[1], args[2], {.type_index = kTVMFFIBool}};
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(REFL_35, hashed_with_content, "ffi.StructuralHash",
                  "the content of tensors counts")
{
  TVMFFIAny changed[3] = {args[0], args[1], {.type_index = kTVMFFIBool}};
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(REFL_36, not_visited, "ffi.StructuralVisitorVisit",
                  "visitors visit no other values")
{
  (void)original, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_36, not_given, "ffi.StructuralVisitorVisit", "the interrupt is not returned")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !is_object(result)) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

MUTANT_REGISTERED(REFL_37, not_mutated, "ffi.StructuralMutatorMutate",
                  "mutators mutate no other values")
{
  (void)original, (void)num_args;
  return give_again(&args[1], result);
}

MUTANT_REGISTERED(REFL_38, the_variable, "ffi.StructuralMutatorVarRemapGet",
                  "a variable stands for itself at first")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFINone) return status;
  return give_again(&args[1], result);
}

MUTANT_REGISTERED(REFL_38, not_noted, "ffi.StructuralMutatorVarRemapSet",
                  "what stands for a variable is forgotten")
{
  (void)original, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}
