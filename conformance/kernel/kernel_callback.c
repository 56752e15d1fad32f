// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_callback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/faults_fence.h"
#include "battery/objects.h"
#include "battery/probe.h"
#include "expression/expression.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_given.h"
#include "plan/case.h"
#include "signature/signature_words.h"

const char kernel_callback_kind[] = "ValueError";
const char kernel_callback_other_kind[] = "RuntimeError";
const char kernel_callback_message[] = "the callback fails (on purpose)";

// --- What it is given ----------------------------------------------------------------------------

static bool is_of_kind(KernelKind kind, int32_t index)
{
  switch (kind) {
    case KERNEL_NONE:
      return index == kTVMFFINone;
    case KERNEL_INT:
      return index == kTVMFFIInt;
    case KERNEL_BOOL:
      return index == kTVMFFIBool;
    case KERNEL_FLOAT:
      return index == kTVMFFIFloat;
    case KERNEL_POINTER:
      return index == kTVMFFIOpaquePtr;
    case KERNEL_DTYPE:
      return index == kTVMFFIDataType;
    case KERNEL_DEVICE:
      return index == kTVMFFIDevice;
    case KERNEL_STRING:
      return index == kTVMFFIRawStr || index == kTVMFFISmallStr || index == kTVMFFIStr;
    case KERNEL_BYTES:
      return index == kTVMFFIByteArrayPtr || index == kTVMFFISmallBytes || index == kTVMFFIBytes;
    case KERNEL_SHAPE:
      return index == kTVMFFIShape;
    case KERNEL_TENSOR:
      return index == kTVMFFITensor || index == kTVMFFIDLTensorPtr;
    case KERNEL_FUNCTION:
      return index == kTVMFFIFunction;
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
      return index == kTVMFFIArray || index == kTVMFFIList;
    case KERNEL_MAP:
      return index == kTVMFFIMap || index == kTVMFFIDict;
    default:
      return true;
  }
}

static bool fits(const Signature *signature, uint32_t type_index, int32_t index)
{
  const SignatureType *type = signature_type(signature, type_index);
  if (type->optional && index == kTVMFFINone) return true;
  if (type->kind != KERNEL_VARIANT) return is_of_kind(type->kind, index);
  for (uint32_t i = 0; i < type->children.count; ++i)
    if (fits(signature, type->children.first + i, index)) return true;
  return false;
}

// Whether it is called as the signature says, so far as that says anything.
static void look_at_arguments(KernelCallback *callback, const TVMFFIAny *args, int32_t count)
{
  if (!callback->type || callback->wrong[0]) return;
  const SignatureRange parameters = callback->type->children;
  if (parameters.count == 0) return;
  if (count != (int32_t)parameters.count) {
    snprintf(callback->wrong, sizeof callback->wrong, "%d arguments, not %u", (int)count,
             parameters.count);
    return;
  }
  for (int32_t i = 0; i < count; ++i) {
    if (fits(callback->signature, parameters.first + (uint32_t)i, args[i].type_index)) continue;
    char text[48];
    const SignatureType *type = signature_type(callback->signature, parameters.first + (uint32_t)i);
    abi_type_index_text(args[i].type_index, text);
    snprintf(callback->wrong, sizeof callback->wrong, "argument %d is %s, not %s", (int)i, text,
             kernel_kind_names[type->kind]);
    return;
  }
}

// Octets at the beginning of a tensor on the host, whose elements lie one behind the other.
static uint32_t see_elements(const Iut *iut, const TVMFFIAny *value,
                             unsigned char seen[KERNEL_SEEN_MAX])
{
  const DLTensor *tensor = object_body(iut, value->v_obj);
  size_t bits = (size_t)tensor->dtype.bits * tensor->dtype.lanes;
  int64_t compact = 1;
  if (tensor->device.device_type != kDLCPU || !tensor->data) return 0;
  for (int32_t i = tensor->ndim; i-- > 0; compact *= tensor->shape[i]) {
    if (tensor->shape[i] > 1 && tensor->strides && tensor->strides[i] != compact) return 0;
    if (tensor->shape[i] < 0 || tensor->shape[i] > 1 << 20 || compact > 1 << 20) return 0;
  }
  bits *= (size_t)compact;
  const size_t size = bits / 8 < KERNEL_SEEN_MAX ? bits / 8 : KERNEL_SEEN_MAX;
  memcpy(seen, (const unsigned char *)tensor->data + tensor->byte_offset, size);
  return (uint32_t)size;
}

static void keep(KernelCallback *callback, const TVMFFIAny *args, int32_t count)
{
  for (int32_t i = 0; i < count && callback->kept_count < KERNEL_KEPT_MAX; ++i) {
    const uint32_t at = callback->kept_count;
    if (args[i].type_index < kTVMFFIStaticObjectBegin || !args[i].v_obj ||
        callback->iut->ObjectIncRef(args[i].v_obj) != 0)
      continue;
    callback->kept[at] = args[i];
    callback->seen_size[at] = args[i].type_index == kTVMFFITensor
                                  ? see_elements(callback->iut, &args[i], callback->seen[at])
                                  : 0;
    ++callback->kept_count;
  }
}

// --- What it returns -----------------------------------------------------------------------------

typedef struct Arguments {
  const KernelCallback *callback;
  const TVMFFIAny *args;
  int32_t count;
} Arguments;

static bool is_tensor(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFITensor || value->type_index == kTVMFFIDLTensorPtr;
}

// A number, a text or None.
static bool plain_value_of(const Iut *iut, const TVMFFIAny *value, ExpressionValue *out)
{
  TVMFFIByteArray text;
  switch (value->type_index) {
    case kTVMFFINone:
      return true;
    case kTVMFFIRawStr:
      return value->v_c_str && expression_value_string(out, value->v_c_str, strlen(value->v_c_str));
    case kTVMFFISmallStr:
      return expression_value_string(out, value->v_bytes, value->small_str_len);
    case kTVMFFIStr:
      text = *(const TVMFFIByteArray *)object_body(iut, value->v_obj);
      return expression_value_string(out, text.data, text.size);
    case kTVMFFIInt:
      return expression_value_scalar(out, EXPRESSION_INT, value->v_int64);
    case kTVMFFIBool:
      return expression_value_scalar(out, EXPRESSION_BOOL, value->v_int64 != 0);
    case kTVMFFIFloat:
      return expression_value_scalar(out, EXPRESSION_FLOAT, value->v_float64);
    default:
      return false;
  }
}

static const DLTensor *tensor_of(const Iut *iut, const TVMFFIAny *value)
{
  return value->type_index == kTVMFFITensor ? object_body(iut, value->v_obj) : value->v_ptr;
}

static bool elements_of(const Iut *iut, const TVMFFIAny *value, ExpressionValue *out)
{
  const DLTensor *tensor = tensor_of(iut, value);
  if (!tensor || tensor->device.device_type != kDLCPU || tensor->ndim > EXPRESSION_RANK_MAX ||
      tensor->ndim < 0)
    return false;
  const bool whole = tensor->dtype.code == kDLInt || tensor->dtype.code == kDLUInt;
  if (!expression_value_new(out, whole ? EXPRESSION_INT : EXPRESSION_FLOAT, tensor->ndim,
                            tensor->shape))
    return false;
  const unsigned char *base = (const unsigned char *)tensor->data + tensor->byte_offset;
  for (size_t i = 0; i < out->count; ++i) {
    size_t rest = i;
    int64_t at = 0, compact = 1;
    double element;
    for (int32_t d = tensor->ndim; d-- > 0;) {
      const size_t extent = (size_t)tensor->shape[d];
      at += (int64_t)(rest % extent) * (tensor->strides ? tensor->strides[d] : compact);
      compact *= tensor->shape[d];
      rest /= extent;
    }
    if (!kernel_element_read(base, at * tensor->dtype.bits, tensor->dtype, &element)) return false;
    out->elements[i] = (long double)element;
  }
  return true;
}

static bool argument_of_name(void *context, const char *name, ExpressionValue *value)
{
  const Arguments *arguments = context;
  const KernelCallback *callback = arguments->callback;
  const SignatureRange parameters = callback->type->children;
  for (int32_t i = 0; i < arguments->count && i < (int32_t)parameters.count; ++i) {
    const SignatureType *type = signature_type(callback->signature, parameters.first + (uint32_t)i);
    const TVMFFIAny *given = &arguments->args[i];
    if (strcmp(signature_text(callback->signature, type->name), name) != 0) continue;
    return is_tensor(given) ? elements_of(callback->iut, given, value)
                            : plain_value_of(callback->iut, given, value);
  }
  return false;
}

static int raise(const KernelCallback *callback, const char *message)
{
  callback->iut->ErrorSetRaisedFromCStr(kernel_callback_kind, message);
  return -1;
}

// What a tensor that is returned takes, until its deleter is called.
typedef struct GivenTensor {
  DLManagedTensor managed;
  int64_t shape[EXPRESSION_RANK_MAX + 1], strides[EXPRESSION_RANK_MAX + 1];
  size_t size;  // of the block with its elements
} GivenTensor;

enum { GIVEN_ALIGNMENT = 64, GIVEN_OFFSET = 64, GIVEN_FILL = 0xA5, FORGOTTEN_FILL = 0xDB };

// What is read of it later is not what it was.
static void forget_tensor(DLManagedTensor *managed)
{
  GivenTensor *given = (GivenTensor *)managed;  // its first member
  memset(given->managed.manager_ctx, FORGOTTEN_FILL, given->size);
  free(given->managed.manager_ctx);
  memset(given, FORGOTTEN_FILL, sizeof *given);
  free(given);
}

// The data type of a result that is said to be `type`: the one that is listed, that of the first argument
// which has to have the same one, else that of the first tensor among the arguments.
static DLDataType dtype_to_give(const Arguments *arguments, const SignatureType *type,
                                const ExpressionValue *value)
{
  const KernelCallback *callback = arguments->callback;
  const Signature *signature = callback->signature;
  const SignatureRange parameters = callback->type->children;
  const char *variable = type ? signature_text(signature, type->dtype_variable) : "";
  DLDataType dtype = value->kind == EXPRESSION_FLOAT  ? (DLDataType){kDLFloat, 32, 1}
                     : value->kind == EXPRESSION_BOOL ? (DLDataType){kDLBool, 8, 1}
                                                      : (DLDataType){kDLInt, 64, 1};
  const bool listed = type && !*variable && type->dtypes.count == 1;
  if (listed &&
      signature_dtype(
          signature_text(signature, signature_value(signature, type->dtypes.first)->text), &dtype))
    return dtype;
  for (int32_t i = arguments->count; i-- > 0;) {
    if (!is_tensor(&arguments->args[i])) continue;
    const bool stated = i < (int32_t)parameters.count;
    const char *own =
        stated ? signature_text(
                     signature,
                     signature_type(signature, parameters.first + (uint32_t)i)->dtype_variable)
               : "";
    if (!*variable || strcmp(own, variable) == 0)
      dtype = tensor_of(callback->iut, &arguments->args[i])->dtype;
  }
  return dtype;
}

static uint8_t other_code(DLDataType dtype)
{
  if (dtype.code != kDLInt && dtype.code != kDLUInt) return kDLInt;
  if (dtype.bits >= 16) return kDLFloat;
  return dtype.code == kDLInt ? kDLUInt : kDLInt;
}

// Has a tensor, whose `count` elements lie one behind the other, another form. False if it has no such form.
static bool take_form(KernelGivenForm form, DLTensor *tensor, size_t count)
{
  const bool wide = tensor->dtype.code == kDLFloat && tensor->dtype.bits == 64;
  const int32_t last = tensor->ndim - 1;
  switch (form) {
    case KERNEL_GIVEN_OTHER_DTYPE:
      tensor->dtype = (DLDataType){kDLFloat, wide ? 32 : 64, 1};
      return true;
    case KERNEL_GIVEN_SAME_BYTES:
      tensor->dtype.code = other_code(tensor->dtype);
      return true;
    case KERNEL_GIVEN_OTHER_WIDTH:
      if (tensor->dtype.code != kDLFloat || tensor->dtype.bits < 32 || count == 0) return false;
      tensor->dtype.bits = wide ? 32 : 64;
      return true;
    case KERNEL_GIVEN_SHORTER:
      if (last < 0 || tensor->shape[last] < 1) return false;
      --tensor->shape[last];
      return true;
    case KERNEL_GIVEN_OTHER_RANK:
      tensor->shape[tensor->ndim++] = 1;
      return true;
    case KERNEL_GIVEN_OFFSET:
      tensor->byte_offset = GIVEN_OFFSET;
      return count > 0;
    case KERNEL_GIVEN_APART:
      return last >= 0 && count > 1;
    default:
      return false;
  }
}

// Elements so many times as far apart as compact ones.
static void give_strides(DLTensor *tensor, int64_t *strides, int64_t apart)
{
  for (int32_t k = tensor->ndim; k-- > 0; apart *= tensor->shape[k]) strides[k] = apart;
  tensor->strides = strides;
}

static bool give_tensor(KernelCallback *callback, const Arguments *arguments,
                        const SignatureType *type, const ExpressionValue *value, TVMFFIAny *result)
{
  const Iut *iut = callback->iut;
  GivenTensor *given = calloc(1, sizeof *given);
  if (!given) return false;
  DLTensor *tensor = &given->managed.dl_tensor;
  const size_t count = value->count;
  size_t apart = 1;
  memcpy(given->shape, value->shape, (size_t)value->rank * sizeof *value->shape);
  tensor->shape = given->shape;
  tensor->ndim = value->rank;
  tensor->device.device_type = kDLCPU;
  tensor->dtype = dtype_to_give(arguments, type, value);
  DLDataType written = tensor->dtype;
  if (take_form(callback->form, tensor, count)) {
    ++callback->formed;
    if (callback->form == KERNEL_GIVEN_APART) apart = 2;
    if (callback->form != KERNEL_GIVEN_SAME_BYTES && callback->form != KERNEL_GIVEN_OTHER_WIDTH)
      written = tensor->dtype;
  }
  give_strides(tensor, given->strides, (int64_t)apart);
  const size_t stated = ((size_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  const size_t width = ((size_t)written.bits * written.lanes + 7) / 8;
  const size_t room = tensor->byte_offset + count * apart * (stated > width ? stated : width);
  // (Blocks of an alignment of their own would leave the heap in pieces, and seem to be a leak.)
  unsigned char *block = malloc(room + GIVEN_ALIGNMENT);
  if (!block) {
    free(given);
    return false;
  }
  given->size = room + GIVEN_ALIGNMENT;
  memset(block, callback->fill ? callback->fill : GIVEN_FILL, given->size);
  unsigned char *data = block + (GIVEN_ALIGNMENT - (uintptr_t)block % GIVEN_ALIGNMENT);
  given->managed.manager_ctx = block;
  for (size_t i = 0; i < count; ++i)
    kernel_element_write(data + tensor->byte_offset, (int64_t)(i * apart * width) * 8, written,
                         value->elements[i]);
  tensor->data = data;
  given->managed.deleter = forget_tensor;
  TVMFFIObjectHandle object = NULL;
  if (iut->TensorFromDLPack(&given->managed, 0, 0, &object) != 0) {
    forget_tensor(&given->managed);
    return false;
  }
  *result = view_of_object(iut, object);
  return true;
}

// What the signature says of the result; NULL: nothing, or several things.
static const SignatureType *stated_result(const KernelCallback *callback)
{
  if (callback->type->returns == SIGNATURE_NONE) return NULL;
  const SignatureType *type = signature_type(callback->signature, callback->type->returns);
  return type->kind == KERNEL_ANY || type->kind == KERNEL_VARIANT ? NULL : type;
}

// None and a text as they are; a number in the type that the result is said to have, or its own; and what
// has elements, or has to have some, as a tensor.
static bool give_value(KernelCallback *callback, const Arguments *arguments, ExpressionValue *value,
                       TVMFFIAny *result)
{
  const SignatureType *type = stated_result(callback);
  KernelKind kind = value->kind == EXPRESSION_FLOAT  ? KERNEL_FLOAT
                    : value->kind == EXPRESSION_BOOL ? KERNEL_BOOL
                                                     : KERNEL_INT;
  *result = any_none();
  if (value->kind == EXPRESSION_NONE) return true;
  if (value->kind == EXPRESSION_STRING) {
    const TVMFFIByteArray text = {value->string, value->count};
    return callback->iut->StringFromByteArray(&text, result) == 0;
  }
  if (!expression_value_make_array(value)) return false;
  if (type ? type->kind == KERNEL_TENSOR : value->rank > 0)
    return give_tensor(callback, arguments, type, value, result);
  if (value->count != 1) return false;
  if (type) kind = type->kind;
  result->type_index = kind == KERNEL_FLOAT  ? kTVMFFIFloat
                       : kind == KERNEL_BOOL ? kTVMFFIBool
                                             : kTVMFFIInt;
  if (kind == KERNEL_FLOAT)
    result->v_float64 = (double)value->elements[0];
  else
    result->v_int64 = (int64_t)value->elements[0];
  return true;
}

// The formula of this time that it is called.
static const Expression *formula_of_turn(KernelCallback *callback)
{
  if (callback->turn_count == 0) return callback->does;
  if (!callback->of_step && callback->turns_of != kernel_calls_made) callback->next_turn = 0;
  callback->turns_of = kernel_calls_made;
  const uint32_t turn = callback->next_turn;
  if (turn + 1 < callback->turn_count) ++callback->next_turn;
  return callback->turns[turn];
}

static int work_by_formula(KernelCallback *callback, const TVMFFIAny *args, int32_t count,
                           TVMFFIAny *result)
{
  Arguments arguments = {callback, args, count};
  const ExpressionScope scope = {.lookup = argument_of_name, .context = &arguments};
  ExpressionError error;
  ExpressionValue value = {0};
  // Working it out takes many blocks.
  const bool fenced = faults_fence_pause();
  const bool evaluated = expression_evaluate(formula_of_turn(callback), &scope, &value, &error);
  faults_fence_resume(fenced);
  if (!evaluated) return raise(callback, error.message);
  const bool given = give_value(callback, &arguments, &value, result);
  expression_value_free(&value);
  return given ? 0
               : raise(callback, "the formula of the callback gives nothing that it may return");
}

// The value of a type that the signature gives as an example.
static int give_example(const KernelCallback *callback, const SignatureType *type,
                        TVMFFIAny *result)
{
  const Signature *signature = callback->signature;
  const SignatureValue *value =
      type->example != SIGNATURE_NONE ? signature_value(signature, type->example)
      : type->values.count            ? signature_value(signature, type->values.first)
                                      : NULL;
  *result = any_none();
  if (type->kind == KERNEL_INT || type->kind == KERNEL_BOOL) {
    result->type_index = type->kind == KERNEL_INT ? kTVMFFIInt : kTVMFFIBool;
    result->v_int64 = value ? value->integer : 1;
  } else if (type->kind == KERNEL_FLOAT) {
    result->type_index = kTVMFFIFloat;
    result->v_float64 = !value                      ? 1
                        : value->kind == KERNEL_INT ? (double)value->integer
                                                    : value->number;
  } else if (type->kind == KERNEL_STRING) {
    TVMFFIByteArray text = {"", 0};
    if (value) text = (TVMFFIByteArray){signature_text(signature, value->text), value->text_size};
    return callback->iut->StringFromByteArray(&text, result);
  }
  return 0;
}

static bool makes_example(KernelKind kind)
{
  return kind == KERNEL_NONE || kind == KERNEL_INT || kind == KERNEL_BOOL || kind == KERNEL_FLOAT ||
         kind == KERNEL_STRING;
}

// What it was given first, as an owned value.
static int hand_back(KernelCallback *callback, const TVMFFIAny *args, int32_t count,
                     TVMFFIAny *result)
{
  *result = any_none();
  if (count < 1) return 0;
  callback->handed_back = true;
  return callback->iut->AnyViewToOwnedAny(&args[0], result);
}

// A number of the kind, of its first arguments: a bool tells whether the first is less than the second. Of
// tensors the first one that it was given.
static int give_found(KernelCallback *callback, const TVMFFIAny *args, int32_t count,
                      TVMFFIAny *result)
{
  double numbers[2] = {1, 1};
  *result = any_none();
  for (int32_t i = 0; i < count && i < 2; ++i)
    numbers[i] = args[i].type_index == kTVMFFIFloat ? args[i].v_float64
                 : args[i].type_index == kTVMFFIInt ? (double)args[i].v_int64
                                                    : 1;
  switch (callback->found) {
    case KERNEL_BOOL:
      result->type_index = kTVMFFIBool;
      result->v_int64 = numbers[0] < numbers[1];
      break;
    case KERNEL_INT:
      result->type_index = kTVMFFIInt;
      result->v_int64 = fabs(numbers[0]) < 1e6 ? (int64_t)numbers[0] : 1;
      break;
    case KERNEL_FLOAT:
      result->type_index = kTVMFFIFloat;
      result->v_float64 = numbers[0] * callback->times;
      break;
    case KERNEL_STRING: {
      TVMFFIByteArray text = bytes_of("text");
      return callback->iut->StringFromByteArray(&text, result);
    }
    case KERNEL_TENSOR:
      while (count > 0 && args->type_index != kTVMFFITensor) ++args, --count;
      return hand_back(callback, args, count, result);
    default:
      break;
  }
  return 0;
}

static KernelKind found_kind(const KernelParameter *parameter)
{
  for (int kind = KERNEL_NONE; kind <= KERNEL_TENSOR && parameter->text[0]; ++kind)
    if (strcmp(kernel_kind_names[kind], parameter->text) == 0) return (KernelKind)kind;
  return KERNEL_ANY;
}

static int work(KernelCallback *callback, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  if (callback->found != KERNEL_ANY) return give_found(callback, args, count, result);
  if (callback->does || callback->turn_count) return work_by_formula(callback, args, count, result);
  if (callback->type && callback->type->returns != SIGNATURE_NONE) {
    const SignatureType *type = signature_type(callback->signature, callback->type->returns);
    if (makes_example(type->kind)) return give_example(callback, type, result);
  }
  return hand_back(callback, args, count, result);
}

// --- Between steps -------------------------------------------------------------------------------

static KernelCallback *of_steps[KERNEL_PLACES_MAX];  // whose functions are held for a step
static unsigned of_steps_count;
static atomic_uint called_late;
static atomic_uint calls_of_steps;
static unsigned fails_at;

void kernel_callbacks_let_go(Iut *iut)
{
  while (of_steps_count > 0) {
    KernelCallback *callback = of_steps[--of_steps_count];
    iut->ObjectDecRef(callback->function);
    callback->function = NULL;
  }
}

void kernel_callbacks_fail_at(unsigned number)
{
  atomic_store(&calls_of_steps, 0);
  fails_at = number;
}

unsigned kernel_callbacks_calls(void)
{
  return atomic_load(&calls_of_steps);
}

unsigned kernel_callbacks_called_late(void)
{
  return atomic_exchange(&called_late, 0);
}

// --- What is called ------------------------------------------------------------------------------

static int called(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  KernelCallback *callback = self;
  const unsigned before = atomic_fetch_add(&callback->calls, 1);
  atomic_fetch_add(&call_log_without_self.calls, 1);
  if (atomic_load(&callback->deleted)) atomic_fetch_add(&called_late, 1);
  look_at_arguments(callback, args, count);
  kernel_given_note(callback->iut, args, count);
  if (callback->of_step && atomic_fetch_add(&calls_of_steps, 1) + 1 >= fails_at && fails_at)
    return raise(callback, kernel_callback_message);
  if (before + 1 < callback->from) return work(callback, args, count, result);
  switch (callback->turn) {
    case KERNEL_CALLBACK_FAILS:
      return raise(callback, kernel_callback_message);
    case KERNEL_CALLBACK_FAILS_OTHERWISE:
      callback->iut->ErrorSetRaisedFromCStr(kernel_callback_other_kind, kernel_callback_message);
      return -1;
    case KERNEL_CALLBACK_RETURNS_NONE:
      *result = any_none();
      return 0;
    case KERNEL_CALLBACK_RETURNS_TEXT: {
      TVMFFIByteArray text = bytes_of("a text, which nobody has asked for");
      return callback->iut->StringFromByteArray(&text, result);
    }
    case KERNEL_CALLBACK_KEEPS:
      keep(callback, args, count);
      break;
    case KERNEL_CALLBACK_CALLS_BACK:
      if (before == (callback->from ? callback->from - 1 : 0) && callback->inner)
        make_call(callback->inner);
      break;
    default:
      break;
  }
  return work(callback, args, count, result);
}

static void deleted(void *self)
{
  KernelCallback *callback = self;
  atomic_fetch_add(&callback->deleted, 1);
}

// --- Making one ----------------------------------------------------------------------------------

static void take_turns(KernelCallback *callback, SignatureRange turns)
{
  ExpressionError error;
  for (uint32_t i = 0; i < turns.count && i < KERNEL_TURNS_MAX; ++i) {
    const SignatureValue *turn = signature_value(callback->signature, turns.first + i);
    const char *text = signature_text(callback->signature, turn->text);
    if (!(callback->turns[i] = expression_parse(text, &error)))
      case_inconclusive("\"%s\" of the signature: %s", text, error.message);
    callback->turn_count = i + 1;
  }
}

KernelCallback *kernel_callback_new(KernelCall *call, const KernelParameter *parameter,
                                    KernelCallbackTurn turn)
{
  KernelCallback *callback = calloc(1, sizeof *callback);
  ExpressionError error;
  if (!callback) case_inconclusive("no memory for a function");
  callback->iut = call->iut;
  callback->turn = turn;
  callback->of_step = call->kernel->step;
  callback->found = call->kernel->chosen ? KERNEL_ANY : found_kind(parameter);
  callback->times = parameter->number == 0 ? 1 : parameter->number;
  if (call->kernel->chosen) {
    callback->signature = signature_under_test();
    callback->type = signature_type(callback->signature, parameter->type);
    const char *does = signature_text(callback->signature, callback->type->does);
    if (*does && !(callback->does = expression_parse(does, &error)))
      case_inconclusive("\"%s\" of the signature: %s", does, error.message);
    take_turns(callback, parameter->turns);
  }
  require(expect_ok(call->iut,
                    call->iut->FunctionCreate(callback, called, deleted, &callback->function)));
  if (callback->of_step && of_steps_count < KERNEL_PLACES_MAX)
    of_steps[of_steps_count++] = callback;
  return callback;
}

TVMFFIAny kernel_callback_value(KernelCall *call, const KernelParameter *parameter)
{
  const bool fails = parameter->fails_from > 0;
  KernelCallback *callback =
      kernel_callback_new(call, parameter, fails ? KERNEL_CALLBACK_FAILS : KERNEL_CALLBACK_WORKS);
  callback->from = parameter->fails_from;
  return view_of_object(call->iut, callback->function);
}
