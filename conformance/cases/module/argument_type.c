// SPDX-License-Identifier: Apache-2.0
// Every type index in the place of every argument.
#include <stdio.h>

#include "kernel/kernel_battery.h"

CHAPTER(argument);

#define REFUSED_ANYWAY "a valid call is refused with the same words, or crashes"

// Kinds of parameters that take a value of an index, as bits.
#define TAKES(kind) (1u << (kind))
enum {
  TAKEN_AS_NUMBER = TAKES(KERNEL_INT) | TAKES(KERNEL_BOOL) | TAKES(KERNEL_FLOAT),
  // What converters of frontends turn into other things is no mistake.
  TAKEN_AS_TEXT = TAKES(KERNEL_STRING) | TAKES(KERNEL_DTYPE) | TAKES(KERNEL_DEVICE),
};

typedef struct Spelling {
  const char *name;
  int32_t type_index;
  unsigned taken;  // TAKES() of the parameters that may take it
  bool unknown;    // no such type exists
} Spelling;

// The payload of each points to memory that can't be read, or is a number that no pointer is.
static const Spelling plain_values[] = {
    {"int", kTVMFFIInt, TAKEN_AS_NUMBER, false},
    {"bool", kTVMFFIBool, TAKEN_AS_NUMBER, false},
    {"float", kTVMFFIFloat, TAKES(KERNEL_FLOAT), false},
    {"opaque_pointer", kTVMFFIOpaquePtr, TAKES(KERNEL_POINTER) | TAKES(KERNEL_TENSOR), false},
    {"dtype", kTVMFFIDataType, TAKES(KERNEL_DTYPE), false},
    {"device", kTVMFFIDevice, TAKES(KERNEL_DEVICE), false},
    {"small_string", kTVMFFISmallStr, TAKEN_AS_TEXT, false},
    {"small_bytes", kTVMFFISmallBytes, TAKES(KERNEL_BYTES) | TAKES(KERNEL_STRING), false},
};

static bool may_take(const KernelParameter *parameter, unsigned taken)
{
  return kernel_takes_anything(parameter) || (taken & TAKES(parameter->kind)) ||
         (parameter->kind == KERNEL_OBJECT && !parameter->type_key[0]);
}

// Where spellings are listed, none but these is taken; else bytes may be taken for a string, too.
static bool may_take_plain(const KernelParameter *parameter, const Spelling *row)
{
  unsigned taken = row->taken;
  if (parameter->spellings && !kernel_takes_spelling(parameter, row->type_index))
    taken &= ~TAKES(parameter->kind);
  return may_take(parameter, taken);
}

// False, and nothing is judged, where the call is refused for another reason.
static bool invalidate(KernelCall *call, unsigned position, TVMFFIAny value, const char *what)
{
  char name[64];
  call->values[position] = value;
  note_call(call, "with %s for %s: ", what, parameter_name(call->kernel, position, name));
  make_call(call);
  if (refusal_says_nothing(call)) return false;
  expect_refused(call);
  return true;
}

static void require_right_if_known(Iut *iut, const Kernel *kernel)
{
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
}

KERNEL_CASE_ROWS(wrong_plain_value, plain_values, .clauses = {ARG_1, ARG_2}, .wrong_call = true,
                 .needs = KERNEL_NEEDS_ARITY, .promise = SIGNATURE_CHECKS_KIND,
                 .title =
                     "a plain value of another type is refused, and its payload is not "
                     "dereferenced")
{
  unsigned tried = 0;
  require_right_if_known(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (may_take_plain(&kernel->parameters[i], row) ||
        !value_is_due(kernel, i, row->type_index, SIGNATURE_CHECKS_KIND))
      continue;
    TVMFFIAny value = any_none();
    value.type_index = row->type_index;
    // 3 letters of a small string; as a pointer: no address.
    if (row->type_index == kTVMFFISmallStr || row->type_index == kTVMFFISmallBytes)
      value.small_str_len = 3;
    value.v_uint64 = row->type_index == kTVMFFIBool ? 1 : 0x7a6b5c;
    tried += invalidate(new_right_call(iut, kernel), i, value, row->name);
  }
  if (tried == 0)
    case_not_applicable("each of its parameters may take such a value, or " REFUSED_ANYWAY);
}

KERNEL_CASE(none_is_refused, .clauses = {ARG_5}, .wrong_call = true, .needs = KERNEL_NEEDS_ARITY,
            .promise = SIGNATURE_CHECKS_KIND,
            .title = "None is refused where the parameter is not optional")
{
  unsigned tried = 0;
  require_right_if_known(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    // A pointer may be NULL, and None is taken for that.
    if (parameter->optional || parameter->kind == KERNEL_NONE ||
        parameter->kind == KERNEL_POINTER || may_take(parameter, 0) ||
        !value_is_due(kernel, i, kTVMFFINone, SIGNATURE_CHECKS_KIND))
      continue;
    tried += invalidate(new_right_call(iut, kernel), i, any_none(), "None");
  }
  if (tried == 0) case_not_applicable("each of its parameters may be None, or " REFUSED_ANYWAY);
}

// --- Objects -------------------------------------------------------------------------------------

typedef struct ObjectRow {
  const char *name;
  int32_t type_index;  // -1: of a type that the case registers
  unsigned taken;
} ObjectRow;

// The object is one of ours: its header is right, and behind it stands a copy of the valid tensor's
// description, so that whoever takes it for a tensor finds nothing to complain of.
static const ObjectRow objects[] = {
    {"object", kTVMFFIObject, 0},
    {"string", kTVMFFIStr, TAKEN_AS_TEXT},
    {"bytes", kTVMFFIBytes, TAKES(KERNEL_BYTES)},
    {"error", kTVMFFIError, 0},
    {"function", kTVMFFIFunction, TAKES(KERNEL_FUNCTION)},
    {"shape", kTVMFFIShape, TAKES(KERNEL_SHAPE)},
    {"array", kTVMFFIArray, TAKES(KERNEL_SHAPE)},
    {"map", kTVMFFIMap, 0},
    {"list", kTVMFFIList, TAKES(KERNEL_SHAPE)},
    {"dict", kTVMFFIDict, 0},
    {"module", kTVMFFIModule, 0},
    {"user_defined", -1, 0},
};

KERNEL_CASE_ROWS(object_for_tensor, objects, .clauses = {ARG_3, ARG_1}, .wrong_call = true,
                 .needs = KERNEL_NEEDS_ARITY | KERNEL_NEEDS_TENSOR,
                 .promise = SIGNATURE_CHECKS_KIND,
                 .title = "an object that is not a tensor is refused as a tensor argument")
{
  TVMFFIByteArray key = bytes_of("tvmffi.conform.UserDefined");
  int32_t index = row->type_index;
  unsigned tried = 0;
  if (index < 0) index = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  require_type_index_of_version(iut, index);
  require_right_if_known(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_TENSOR ||
        !value_is_due(kernel, i, row->type_index, SIGNATURE_CHECKS_KIND))
      continue;
    TVMFFIObjectHandle object = new_probe_object_of(iut, index);
    TVMFFIAny value = view_of_object(iut, object);
    KernelCall *call = new_right_call(iut, kernel);
    if (call->tensors[i].tensor)
      memcpy(object_body(iut, object), call->tensors[i].tensor, sizeof(DLTensor));
    if (!invalidate(call, i, value, row->name)) continue;
    expect_counts(iut, object, .strong = 1, .weak = 1);
    ++tried;
  }
  if (tried == 0) case_not_applicable(REFUSED_ANYWAY);
}

static const Spelling indices[] = {
    {"minus_one", -1, 0, true},
    {"least", INT32_MIN, 0, true},
    {"thirteen", 13, 0, true},
    {"sixty_three", 63, 0, true},
    {"behind_the_built_in", 127, 0, true},
    {"greatest", INT32_MAX, 0, true},
};

KERNEL_CASE_ROWS(index_that_does_not_exist, indices, .clauses = {ARG_4},
                 .needs = KERNEL_NEEDS_ARITY,
                 .title = "a type index that was never allocated is refused")
{
  unsigned tried = 0;
  char what[64];
  snprintf(what, sizeof what, "type index %d, never allocated,", row->type_index);
  require_right_if_known(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (may_take(&kernel->parameters[i], 0)) continue;
    TVMFFIAny value = any_none();
    value.type_index = row->type_index;
    value.v_ptr = new_probe_object_of(iut, row->type_index);
    tried += invalidate(new_right_call(iut, kernel), i, value, what);
  }
  if (tried == 0) case_not_applicable("each of its parameters takes anything, or " REFUSED_ANYWAY);
}

// --- Spellings of the same value -----------------------------------------------------------------

KERNEL_CASE(tensor_object, .clauses = {ARG_8},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR,
            .title = "tensor objects give the same outputs as borrowed tensors")
{
  int first = -1;  // of those that are changed
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_TENSOR) continue;
    call_with_tensor(call, i, &(TensorForm){.as_object = true});
    if (first < 0 && !right->tensors[i].object && call->tensors[i].object) first = (int)i;
  }
  if (first < 0) case_not_applicable("each of its tensors is said to take one spelling only");
  note_call(call, "with tensor objects: ");
  make_call(call);
  kernel_hint_spelling(call, (unsigned)first, kTVMFFITensor);
  expect_same_outcome(call, right);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (call->tensors[i].object)
      expect_that(object_strong(iut, call->tensors[i].object) >= 1, "a reference is left", "none");
}

KERNEL_CASE(int_and_bool, .clauses = {ARG_6}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
            .title = "a bool for an int, and an int for a bool, give the same outputs")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelKind kind = kernel->parameters[i].kind;
    if (kind != KERNEL_INT && kind != KERNEL_BOOL) continue;
    // 1 may be no value that an int parameter takes: the int 1 goes first.
    KernelCall *as_int = new_right_call(iut, kernel), *as_bool = new_right_call(iut, kernel);
    as_int->values[i] = as_bool->values[i] = view_of_int(1);
    as_bool->values[i].type_index = kTVMFFIBool;
    char name[64];
    note_call(as_int, "with the int 1 for %s: ", parameter_name(kernel, i, name));
    make_call(as_int);
    if (kind == KERNEL_INT && as_int->returned != 0) continue;
    note_call(as_bool, "with true for %s: ", parameter_name(kernel, i, name));
    make_call(as_bool);
    expect_same_values(as_bool, as_int);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its parameters is an int that may be 1, or a bool");
}
