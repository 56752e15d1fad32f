// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_stated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "kernel/kernel_held.h"
#include "plan/case.h"
#include "signature/signature_words.h"

// --- The result ----------------------------------------------------------------------------------

static void describe_shape(const int64_t *shape, int32_t rank, char text[128])
{
  size_t at = 1;
  snprintf(text, 128, "[");
  for (int32_t i = 0; i < rank && i < 16 && at < 100; ++i)
    at += (size_t)snprintf(text + at, 128 - at, "%s%lld", i ? ", " : "", (long long)shape[i]);
  snprintf(text + at, 128 - at, "]");
}

static bool same_shape(const KernelParameter *stated, const DLTensor *seen)
{
  if (seen->ndim != stated->rank) return false;
  for (int32_t i = 0; i < stated->rank; ++i)
    if (!stated->shape[i].any && stated->shape[i].size != seen->shape[i]) return false;
  return true;
}

// "..." of a result may be of any rank.
static bool states_rank(const KernelParameter *stated)
{
  for (int32_t i = 0; i < stated->rank; ++i)
    if (stated->shape[i].any) return false;
  return true;
}

// Of a list in the result any one is right.
static bool is_dtype_of(const KernelParameter *stated, DLDataType dtype)
{
  const Signature *signature = signature_under_test();
  if (memcmp(&dtype, &stated->dtype, sizeof dtype) == 0) return true;
  if (!signature) return false;
  const SignatureType *type = signature_type(signature, stated->type);
  for (uint32_t i = 0; type->kind == KERNEL_TENSOR && i < type->dtypes.count; ++i) {
    DLDataType listed;
    const SignatureValue *word = signature_value(signature, type->dtypes.first + i);
    if (signature_dtype(signature_text(signature, word->text), &listed) &&
        memcmp(&dtype, &listed, sizeof dtype) == 0)
      return true;
  }
  return false;
}

static bool judge_tensor(const char *at, Iut *iut, const KernelParameter *stated,
                         const TVMFFIAny *value, const char *what)
{
  const DLTensor *seen = object_body(iut, value->v_obj);
  const DLDataType dtype = seen->dtype;
  char expected[400], wanted[128], shape[128], actual[32], device[32];
  if (!stated->typed) return true;
  snprintf(expected, sizeof expected, "%s is of type %s", what, stated->text);
  bool good = expect_that_(at, is_dtype_of(stated, dtype), expected, "%s",
                           signature_dtype_text(dtype, actual));
  int64_t extents[KERNEL_RANK_MAX];
  for (int32_t i = 0; i < stated->rank; ++i) extents[i] = stated->shape[i].size;
  describe_shape(extents, stated->rank, wanted);
  describe_shape(seen->shape, seen->ndim, shape);
  snprintf(expected, sizeof expected, "%s is of shape %s", what, wanted);
  if (states_rank(stated) || seen->ndim == stated->rank)
    good &= expect_that_(at, same_shape(stated, seen), expected, "%s", shape);
  snprintf(expected, sizeof expected, "%s is on %s", what,
           signature_device_text(stated->device, device));
  return expect_that_(at,
                      seen->device.device_type == stated->device.device_type &&
                          seen->device.device_id == stated->device.device_id,
                      expected, "%s", signature_device_text(seen->device, actual)) &&
         good;
}

bool kernel_is_of_kind(const KernelParameter *stated, int32_t index)
{
  static const int32_t indices[KERNEL_KIND_COUNT][2] = {
      [KERNEL_NONE] = {kTVMFFINone, kTVMFFINone},
      [KERNEL_INT] = {kTVMFFIInt, kTVMFFIInt},
      [KERNEL_BOOL] = {kTVMFFIBool, kTVMFFIBool},
      [KERNEL_FLOAT] = {kTVMFFIFloat, kTVMFFIFloat},
      [KERNEL_POINTER] = {kTVMFFIOpaquePtr, kTVMFFIOpaquePtr},
      [KERNEL_DTYPE] = {kTVMFFIDataType, kTVMFFIDataType},
      [KERNEL_DEVICE] = {kTVMFFIDevice, kTVMFFIDevice},
      [KERNEL_STRING] = {kTVMFFISmallStr, kTVMFFIStr},
      [KERNEL_BYTES] = {kTVMFFISmallBytes, kTVMFFIBytes},
      [KERNEL_SHAPE] = {kTVMFFIShape, kTVMFFIShape},
      [KERNEL_TENSOR] = {kTVMFFITensor, kTVMFFITensor},
      [KERNEL_FUNCTION] = {kTVMFFIFunction, kTVMFFIFunction},
      [KERNEL_ARRAY] = {kTVMFFIArray, kTVMFFIList},
      [KERNEL_TUPLE] = {kTVMFFIArray, kTVMFFIArray},
      [KERNEL_MAP] = {kTVMFFIMap, kTVMFFIDict},
  };
  if (stated->optional && index == kTVMFFINone) return true;
  if (stated->kind == KERNEL_ANY || stated->kind == KERNEL_VARIANT) return true;
  if (stated->kind == KERNEL_OBJECT) return index >= kTVMFFIObject;
  return index == indices[stated->kind][0] || index == indices[stated->kind][1];
}

static bool judge_value(const char *at, KernelCall *call, const KernelParameter *stated,
                        const TVMFFIAny *value, const char *what, int depth);

static bool judge_item(const char *at, KernelCall *call, const KernelParameter *stated,
                       const TVMFFIAny *container, TVMFFIAny key, const char *what, int depth)
{
  TVMFFIAny item;
  if (!expect_ok_(at, call->iut, kernel_held_item(call->iut, container, key, &item))) return false;
  const bool good = judge_value(at, call, stated, &item, what, depth + 1);
  release_any(call->iut, &item);
  return good;
}

static bool judge_array(const char *at, KernelCall *call, const KernelParameter *stated,
                        const TVMFFIAny *value, const char *what, int depth)
{
  int64_t size;
  char expected[160], name[128];
  bool good = true;
  if (!expect_ok_(at, call->iut, kernel_held_size(call->iut, value, &size))) return false;
  if (!stated->any_length) {
    snprintf(expected, sizeof expected, "%s has %u elements", what, stated->element_count);
    good = expect_that_(at, size == stated->element_count, expected, "%lld", (long long)size);
  }
  for (int64_t i = 0; good && i < size && i < KERNEL_HELD_MAX && stated->element_count > 0; ++i) {
    const uint32_t of = stated->any_length ? 0 : (uint32_t)i;
    snprintf(name, sizeof name, "%.90s[%lld]", what, (long long)i);
    good &= judge_item(at, call, &call->kernel->elements[stated->first_element + of], value,
                       view_of_int(i), name, depth);
  }
  return good;
}

static bool judge_entries(const char *at, KernelCall *call, const KernelParameter *stated,
                          const TVMFFIAny *value, const char *what, int depth)
{
  Iut *iut = call->iut;
  bool good = true;
  for (uint32_t i = 0; stated->keyed && i < stated->element_count; ++i) {
    const KernelParameter *element = &call->kernel->elements[stated->first_element + i];
    const TVMFFIByteArray text = bytes_of(element->name);
    char name[128], expected[160];
    TVMFFIAny key;
    bool there;
    if (!expect_ok_(at, iut, iut->StringFromByteArray(&text, &key)) ||
        !expect_ok_(at, iut, kernel_held_has(iut, value, key, &there)))
      return false;
    snprintf(name, sizeof name, "%.60s[\"%.40s\"]", what, element->name);
    snprintf(expected, sizeof expected, "%s is there", name);
    if (!there && !element->optional) good &= expect_that_(at, false, expected, "it is missing");
    if (there) good &= judge_item(at, call, element, value, key, name, depth);
    release_any(iut, &key);
  }
  return good;
}

static bool judge_value(const char *at, KernelCall *call, const KernelParameter *stated,
                        const TVMFFIAny *value, const char *what, int depth)
{
  char expected[160], text[48];
  abi_type_index_text(value->type_index, text);
  if (stated->kind == KERNEL_ANY || depth > SIGNATURE_DEPTH_MAX) return true;
  snprintf(expected, sizeof expected, "%s is %s", what, kernel_kind_names[stated->kind]);
  if (!expect_that_(at, kernel_is_of_kind(stated, value->type_index), expected, "%s", text))
    return false;
  if (value->type_index == kTVMFFINone) return true;
  switch (stated->kind) {
    case KERNEL_TENSOR:
      return judge_tensor(at, call->iut, stated, value, what);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
      return judge_array(at, call, stated, value, what, depth);
    case KERNEL_MAP:
      return judge_entries(at, call, stated, value, what, depth);
    default:
      return true;
  }
}

bool expect_result_as_stated_(const char *at, KernelCall *call)
{
  return judge_value(at, call, &call->kernel->result, call->result, "the result", 0);
}

const char *kernel_lacks_promise(const CaseInstance *instance, unsigned promise)
{
  const Kernel *kernel = instance->kernel;
  const Signature *signature = instance->signature;
  if (!signature || signature->tentative || kernel->source != KERNEL_FROM_FILE ||
      !(signature_form(signature, kernel->chosen ? kernel->form : 0)->promises & promise))
    return "no signature file promises it (\"promises\")";
  return NULL;
}

static bool is_own(const char *at, KernelCall *call, const TVMFFIAny *value, const char *what,
                   unsigned *compared)
{
  const DLTensor *seen = object_body(call->iut, value->v_obj);
  const char *first = (const char *)seen->data + seen->byte_offset;
  char name[64], expected[160];
  bool good = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (!tensor->tensor) continue;
    const char *memory = (const char *)tensor->memory;
    const bool shared = (void *)tensor->object == (void *)value->v_obj ||
                        (memory && first >= memory && first < memory + tensor->memory_size);
    snprintf(expected, sizeof expected, "%.60s shares no memory with %.60s", what,
             kernel_tensor_name(call->kernel, i, name));
    good &= expect_that_(at, !shared, expected, "it does");
    ++*compared;
  }
  return good;
}

static bool is_fresh(const char *at, KernelCall *call, const TVMFFIAny *value, const char *what,
                     int depth, unsigned *compared)
{
  KernelHeld held;
  char name[128];
  if (value->type_index == kTVMFFITensor) return is_own(at, call, value, what, compared);
  if ((!kernel_is_sequence(value) && !kernel_is_map(value)) || depth == SIGNATURE_DEPTH_MAX)
    return true;
  bool good = expect_ok_(at, call->iut, kernel_held_take(call->iut, value, &held));
  for (int64_t i = 0; good && i < held.count; ++i)
    good &= is_fresh(at, call, &held.items[i], kernel_held_name(call->iut, &held, i, what, name),
                     depth + 1, compared);
  kernel_held_release(call->iut, &held);
  return good;
}

bool expect_result_is_fresh_(const char *at, KernelCall *call, unsigned *compared)
{
  return is_fresh(at, call, call->result, "the result", 0, compared);
}

// --- The error -----------------------------------------------------------------------------------

static bool holds(TVMFFIByteArray text, const char *part)
{
  const size_t size = strlen(part);
  for (size_t i = 0; i + size <= text.size; ++i)
    if (memcmp(text.data + i, part, size) == 0) return true;
  return false;
}

static bool is_kind(const TVMFFIErrorCell *cell, const char *kind)
{
  return cell->kind.size == strlen(kind) && memcmp(cell->kind.data, kind, cell->kind.size) == 0;
}

bool kernel_error_is(const KernelCall *call, const char *kind, const char *message)
{
  if (call->returned != -1 || !call->error ||
      object_type_index(call->iut, call->error) != kTVMFFIError)
    return false;
  const TVMFFIErrorCell *cell = error_cell(call->iut, call->error);
  return (!*kind || is_kind(cell, kind)) && holds(cell->message, message);
}

bool expect_error_as_stated_(const char *at, KernelCall *call, const char *kind,
                             const char *message)
{
  char expected[192];
  if (!expect_refused_(at, call)) return false;
  if (call->returned != -1) return true;
  const bool raised = call->error && object_type_index(call->iut, call->error) == kTVMFFIError;
  if (!expect_that_(at, raised, "an error is raised", "%s", call->error_text)) return false;
  const TVMFFIErrorCell *cell = error_cell(call->iut, call->error);
  bool good = true;
  if (*kind) {
    snprintf(expected, sizeof expected, "the error is of kind %s", kind);
    good = expect_that_(at, is_kind(cell, kind), expected, "%s", call->error_text);
  }
  if (*message) {
    snprintf(expected, sizeof expected, "its message has \"%.150s\" in it", message);
    good &= expect_that_(at, holds(cell->message, message), expected, "%s", call->error_text);
  }
  return good;
}

// --- The outputs ---------------------------------------------------------------------------------

enum { FIRST_FILL = 0xA5, OTHER_FILL = 0x5A };

void refill_outputs(KernelCall *call)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    KernelTensor *tensor = kernel_call_tensor(call, i);
    if (!tensor->memory || tensor->role != KERNEL_OUT) continue;
    memset(tensor->memory, OTHER_FILL, tensor->memory_size);
    memset(tensor->before, OTHER_FILL, tensor->memory_size);
  }
}

static bool is_filled(const unsigned char *bytes, size_t size, unsigned char fill)
{
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] != fill) return false;
  return true;
}

// The first element that has kept both fillings, or the number of elements.
static size_t first_unwritten(const KernelTensor *one, const KernelTensor *other)
{
  const size_t bytes = one->element_bits / 8;
  unsigned char *copy, *other_copy;
  const unsigned char *a = kernel_tensor_elements(one, &copy);
  const unsigned char *b = kernel_tensor_elements(other, &other_copy);
  size_t i = 0;
  while (i < one->count && !(is_filled(a + i * bytes, bytes, FIRST_FILL) &&
                             is_filled(b + i * bytes, bytes, OTHER_FILL)))
    ++i;
  free(copy);
  free(other_copy);
  return i;
}

bool expect_outputs_written_(const char *at, KernelCall *call, KernelCall *again)
{
  bool good = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *one = kernel_call_tensor_of(call, i);
    const KernelTensor *other = kernel_call_tensor_of(again, i);
    char name[64], expected[112];
    if (!one->memory || one->role != KERNEL_OUT || !one->on_host || one->element_bits % 8 != 0 ||
        one->count != other->count || one->count == 0)
      continue;
    const size_t unwritten = first_unwritten(one, other);
    snprintf(expected, sizeof expected, "each element of %s is written",
             kernel_tensor_name(call->kernel, i, name));
    good &= expect_that_(at, unwritten == one->count, expected, "element %zu is not", unwritten);
  }
  return good;
}

bool expect_gaps_untouched_(const char *at, KernelCall *call)
{
  bool good = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    char name[64], expected[128];
    if (!tensor->memory || tensor->role == KERNEL_IN || !tensor->on_host) continue;
    snprintf(expected, sizeof expected, "the memory around the elements of %s is as it was",
             kernel_tensor_name(call->kernel, i, name));
    good &= expect_that_(at, kernel_tensor_gaps_untouched(tensor), expected, "it was written to");
  }
  return good;
}

bool replace_inputs(KernelCall *call, const KernelCall *other)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    KernelTensor *tensor = kernel_call_tensor(call, i);
    const KernelTensor *from = kernel_call_tensor_of(other, i);
    if (!tensor->tensor != !from->tensor) return false;
    if (!tensor->memory) continue;
    if (!from->memory || tensor->memory_size != from->memory_size ||
        tensor->first - tensor->memory != from->first - from->memory)
      return false;
    kernel_tensor_replace(tensor, from->before);
  }
  return true;
}
