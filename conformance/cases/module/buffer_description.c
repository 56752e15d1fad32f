// SPDX-License-Identifier: Apache-2.0
// Tensors that the function was not made for: another type, rank, shape or device, or no data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_expected.h"

CHAPTER(buffer);

enum { NEEDS_TENSORS = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR };

static bool is_tensor(const Kernel *kernel, unsigned position)
{
  return kernel->parameters[position].kind == KERNEL_TENSOR;
}

static void require_right_if_it_runs(Iut *iut, const Kernel *kernel)
{
  if (!kernel->launches) require_right_call(iut, kernel);
}

// False, and nothing is judged, where the signature takes such a tensor. `check`: of the case.
static bool judge_refused(Iut *iut, const Kernel *kernel, unsigned position, const TensorForm *form,
                          const char *what, unsigned check)
{
  char name[64];
  if (!tensor_is_due(kernel, position, form, check)) return false;
  KernelCall *call = new_right_call(iut, kernel);
  call_with_tensor(call, position, form);
  note_call(call, "with %s for %s: ", what, parameter_name(kernel, position, name));
  make_call(call);
  expect_refused(call);
  return true;
}

#define TAKEN "the signature takes such tensors"

static TensorForm form_of_shape(const KernelParameter *parameter)
{
  TensorForm form = {.has_shape = true, .rank = parameter->rank, .extents = parameter->rank};
  for (int32_t i = 0; i < parameter->rank; ++i) form.shape[i] = parameter->shape[i].size;
  return form;
}

// --- Type ----------------------------------------------------------------------------------------

typedef struct TypeRow {
  const char *name;
  int code;  // -1: the parameter's own
  int bits;  // 0: the parameter's own; -1: twice as many; -2: half as many
  int lanes;
  int last_code;  // 0: `code` alone; else each from that one to this
} TypeRow;

static const TypeRow types[] = {
    {"int", kDLInt, 0, 1, 0},
    {"uint", kDLUInt, 0, 1, 0},
    {"float", kDLFloat, 0, 1, 0},
    {"bfloat", kDLBfloat, 0, 1, 0},
    {"handle", kDLOpaqueHandle, 64, 1, 0},
    {"twice_as_wide", -1, -1, 1, 0},
    {"half_as_wide", -1, -2, 1, 0},
    {"bool", kDLBool, 8, 1, 0},
    {"float8", kDLFloat8_e3m4, 8, 1, kDLFloat8_e8m0fnu},
    {"two_lanes", -1, 0, 2, 0},
};

// Own: elements of the other type whose bytes begin with those of the example, so that who reads them as the
// type of the example finds what is right there; NULL if there are none, or they have no room.
static unsigned char *new_right_bytes(const KernelTensor *tensor, DLDataType other)
{
  const size_t width = (size_t)other.bits * other.lanes / 8;
  if (!tensor->on_host || !kernel_role_is_read(tensor->role) || tensor->count == 0 ||
      tensor->element_bits % 8 != 0 || width * 8 < tensor->element_bits || other.bits % 8 != 0)
    return NULL;
  unsigned char *bytes = calloc(tensor->count, width);
  if (!bytes) case_inconclusive("no memory for the elements");
  kernel_tensor_gather(tensor, bytes);
  return bytes;
}

static unsigned judge_type(const KernelCall *right, unsigned position, DLDataType other,
                           const char *name, bool with_bytes)
{
  TensorForm form = {.has_dtype = true, .dtype = other};
  char words[64];
  if (!judge_refused(right->iut, right->kernel, position, &form, name, SIGNATURE_CHECKS_DTYPE))
    return 0;
  const bool may_be_made = with_bytes && !fences_are_scarce();
  unsigned char *bytes = may_be_made ? new_right_bytes(&right->tensors[position], other) : NULL;
  if (!bytes) return 1;
  form.elements = bytes;
  snprintf(words, sizeof words, "%s, and the bytes of the right elements,", name);
  judge_refused(right->iut, right->kernel, position, &form, words, SIGNATURE_CHECKS_DTYPE);
  free(bytes);
  return 2;
}

// Of several types the first is tried with the right bytes: there are so many tensors that a process may have.
static unsigned judge_types(const KernelCall *right, unsigned position, const TypeRow *row)
{
  const DLDataType own = right->kernel->parameters[position].dtype;
  const int last = row->last_code ? row->last_code : row->code;
  unsigned tried = 0;
  for (int code = row->code; code <= last; ++code) {
    DLDataType other = own;
    if (code >= 0) other.code = (uint8_t)code;
    if (row->bits > 0) other.bits = (uint8_t)row->bits;
    if (row->bits == -1 && own.bits <= 64) other.bits = (uint8_t)(2 * own.bits);
    if (row->bits == -2 && own.bits >= 8) other.bits = (uint8_t)(own.bits / 2);
    other.lanes = (uint16_t)row->lanes;
    if (memcmp(&own, &other, sizeof own) == 0) continue;
    tried += judge_type(right, position, other, row->name, code == row->code);
  }
  return tried;
}

KERNEL_CASE_ROWS(wrong_dtype, types, .clauses = {BUF_5}, .wrong_call = true, .needs = NEEDS_TENSORS,
                 .promise = SIGNATURE_CHECKS_DTYPE, .unpromised = "handle two_lanes ",
                 .title = "a tensor of another data type is refused")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  const KernelCall *right = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (is_tensor(kernel, i)) tried += judge_types(right, i, row);
  if (tried == 0) case_not_applicable("its tensors are of this type, or " TAKEN);
}

static const char *lacks_stated_types(const CaseInstance *instance)
{
  return case_promise(instance) & SIGNATURE_CHECKS_DTYPE
             ? NULL
             : "no signature file promises that it checks data types";
}

// The call with all tensors of one type of another one; NULL if the file takes it, or rules it out by
// something else.
static Kernel *new_retyped(const Kernel *kernel, DLDataType own, DLDataType other)
{
  Kernel *changed = malloc(sizeof *changed);
  if (!changed) case_inconclusive("no memory for a signature");
  kernel_copy(changed, kernel);
  kernel_change_dtypes(changed, own, other);
  const KernelOutside outside = kernel_outside(signature_under_test(), changed, NULL);
  if (outside.by == SIGNATURE_CHECKS_DTYPE && outside.promised) return changed;
  free(changed);
  return NULL;
}

static unsigned judge_retyped(Iut *iut, const Kernel *kernel, DLDataType own)
{
  unsigned tried = 0;
  for (unsigned i = 0; i < KERNEL_DTYPES_TRIED; ++i) {
    const DLDataType other = kernel_dtypes_tried[i].dtype;
    const bool same = memcmp(&own, &other, sizeof own) == 0;
    // A call holds on to its kernel.
    const Kernel *changed = same ? NULL : new_retyped(kernel, own, other);
    if (!changed) continue;
    KernelCall *call = new_right_call(iut, changed);
    note_call(call, "with %s for all tensors of one type: ", kernel_dtypes_tried[i].name);
    make_call(call);
    expect_refused_or_right(call);
    ++tried;
  }
  return tried;
}

KERNEL_CASE(
    wrong_dtype_of_all, .clauses = {BUF_5}, .wrong_call = true, .needs = NEEDS_TENSORS,
    .promise = SIGNATURE_CHECKS_DTYPE, .lacks = lacks_stated_types,
    .title =
        "tensors that are all of another data type are refused, unless what comes of them is right")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    bool seen = at->kind != KERNEL_TENSOR || !at->typed;
    for (uint32_t k = 0; k < i && !seen; ++k) {
      const KernelParameter *before = kernel_place_of(kernel, k);
      seen = before->kind == KERNEL_TENSOR && before->typed &&
             memcmp(&before->dtype, &at->dtype, sizeof at->dtype) == 0;
    }
    if (!seen) tried += judge_retyped(iut, kernel, at->dtype);
  }
  if (tried == 0) case_not_applicable(TAKEN);
}

// --- Rank and shape ------------------------------------------------------------------------------

KERNEL_CASE(rank_one_more, .clauses = {BUF_6}, .wrong_call = true, .needs = NEEDS_TENSORS,
            .promise = SIGNATURE_CHECKS_RANK,
            .title = "a tensor with one dimension more is refused")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_tensor(kernel, i)) continue;
    TensorForm form = form_of_shape(&kernel->parameters[i]);
    form.shape[form.rank++] = 1;
    form.extents = form.rank;
    tried += judge_refused(iut, kernel, i, &form, "one dimension more", SIGNATURE_CHECKS_RANK);
  }
  if (tried == 0) case_not_applicable(TAKEN);
}

KERNEL_CASE(
    rank_one_less, .clauses = {BUF_6}, .wrong_call = true, .needs = NEEDS_TENSORS,
    .promise = SIGNATURE_CHECKS_RANK,
    .title = "a tensor without its last dimension is refused, and nothing is read after its shape")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_tensor(kernel, i) || kernel->parameters[i].rank == 0) continue;
    TensorForm form = form_of_shape(&kernel->parameters[i]);
    form.extents = --form.rank;
    tried += judge_refused(iut, kernel, i, &form, "one dimension less", SIGNATURE_CHECKS_RANK);
  }
  if (tried == 0) case_not_applicable("none of its tensors has a dimension, or " TAKEN);
}

// One longer and one shorter: where the signature fixes the extent, or another tensor has the same.
static bool is_tied(const Kernel *kernel, unsigned position, int32_t dimension)
{
  const KernelExtent *extent = &kernel->parameters[position].shape[dimension];
  if (!extent->symbol[0]) return !extent->any;
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (int32_t k = 0; is_tensor(kernel, i) && k < kernel->parameters[i].rank; ++k)
      if ((i != position || k != dimension) &&
          strcmp(kernel->parameters[i].shape[k].symbol, extent->symbol) == 0)
        return true;
  return false;
}

typedef struct ExtentRow {
  const char *name, *words;
  int64_t more;  // 0: it is exchanged with the next one
} ExtentRow;

static const ExtentRow extents[] = {{"longer", "a longer extent", 1},
                                    {"shorter", "a shorter extent", -1},
                                    {"exchanged", "two extents exchanged", 0}};

// Changes the form as the row says. False if that is no other shape.
static bool change_extent(const ExtentRow *row, const KernelParameter *of, int32_t k,
                          TensorForm *form)
{
  *form = form_of_shape(of);
  form->shape[k] += row->more;
  if (row->more != 0) return form->shape[k] >= 0;
  if (k + 1 == of->rank || form->shape[k] == form->shape[k + 1]) return false;
  form->shape[k] = of->shape[k + 1].size;
  form->shape[k + 1] = of->shape[k].size;
  return true;
}

// The same vector with the last element of the right one as its last, so that it ends as offsets must: it may be refused
// for that else. Numbers between are those of the right one.
static void judge_same_ends(const KernelCall *right, unsigned position, TensorForm form,
                            const ExtentRow *row)
{
  const KernelTensor *tensor = &right->tensors[position];
  const size_t width = tensor->element_bits / 8, count = (size_t)form.shape[0];
  char words[64];
  if (form.rank != 1 || !tensor->on_host || !kernel_role_is_read(tensor->role) ||
      tensor->element_bits % 8 != 0 || tensor->count < 2 || count < 2 || fences_are_scarce())
    return;
  if (!shape_is_due(right->kernel, position, &form)) return;
  unsigned char *elements = calloc(count + 1, width);
  unsigned char *own = calloc(tensor->count, width);
  if (!elements || !own) case_inconclusive("no memory for the elements");
  kernel_tensor_gather(tensor, own);
  memcpy(elements, own, (count < tensor->count ? count : tensor->count) * width);
  memcpy(elements + (count - 1) * width, own + (tensor->count - 1) * width, width);
  form.elements = elements;
  snprintf(words, sizeof words, "%s, and the same last element,", row->words);
  judge_refused(right->iut, right->kernel, position, &form, words, SIGNATURE_CHECKS_SHAPE);
  free(own);
  free(elements);
}

KERNEL_CASE_ROWS(
    shape_disagrees, extents, .clauses = {BUF_7}, .wrong_call = true, .needs = NEEDS_TENSORS,
    .promise = SIGNATURE_CHECKS_SHAPE,
    .title = "a tensor whose shape disagrees with the signature or another tensor is refused")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  const KernelCall *right = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    for (int32_t k = 0; is_tensor(kernel, i) && k < kernel->parameters[i].rank; ++k) {
      TensorForm form;
      if (!change_extent(row, &kernel->parameters[i], k, &form)) continue;
      const bool tied = is_tied(kernel, i, k) || (row->more == 0 && is_tied(kernel, i, k + 1));
      if (!tied && !tensor_is_outside(kernel, i, &form, SIGNATURE_CHECKS_SHAPE)) continue;
      if (!judge_refused(iut, kernel, i, &form, row->words, SIGNATURE_CHECKS_SHAPE)) continue;
      ++tried;
      if (row->more != 0) judge_same_ends(right, i, form, row);
    }
  }
  if (tried == 0) case_not_applicable("no extent of its tensors is tied to anything");
}

// Whether an extent of 2 to the 32nd more has to be refused. So does one of 2 to the 10th more, then, which can be tried
// and keeps multiples, too.
static bool is_bound(const Kernel *kernel, unsigned position, int32_t dimension)
{
  TensorForm form = form_of_shape(&kernel->parameters[position]);
  form.shape[dimension] += INT64_C(1) << 10;
  return is_tied(kernel, position, dimension) && shape_is_due(kernel, position, &form);
}

// Its lower 32 bits are right. The description alone says so: there is no such memory.
KERNEL_CASE(extent_beyond_32_bits, .clauses = {BUF_21, BUF_7}, .wrong_call = true,
            .needs = NEEDS_TENSORS, .title = "an extent of more than 32 bits is not truncated")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    for (int32_t k = 0; is_tensor(kernel, i) && k < kernel->parameters[i].rank; ++k) {
      if (!is_bound(kernel, i, k)) continue;
      KernelCall *call = new_right_call(iut, kernel);
      DLTensor tensor = *call->tensors[i].tensor;
      int64_t shape[KERNEL_RANK_MAX] = {0};
      size_t size = (size_t)tensor.ndim * sizeof *shape;
      char name[64];
      memcpy(shape, tensor.shape, size);
      shape[k] += INT64_C(1) << 32;
      const void *wide = fenced_copy("a shape", shape, size);
      memcpy(&tensor.shape, &wide, sizeof wide);
      kernel_tensor_describe(iut, &call->tensors[i], &tensor);
      call->values[i] = kernel_tensor_value(&call->tensors[i]);
      note_call(call,
                "with an extent of 2 to the 32nd more for %s: ", parameter_name(kernel, i, name));
      make_call(call);
      expect_refused(call);
      ++tried;
    }
  }
  if (tried == 0) case_not_applicable("no extent of its tensors is tied to anything");
}

// --- Device and data -----------------------------------------------------------------------------

typedef struct DeviceRow {
  const char *name;
  DLDevice device;
} DeviceRow;

static const DeviceRow devices[] = {
    {"cpu", {kDLCPU, 0}},     {"cuda", {kDLCUDA, 0}},     {"rocm", {kDLROCM, 0}},
    {"metal", {kDLMetal, 0}}, {"vulkan", {kDLVulkan, 0}}, {"no_such_device", {(DLDeviceType)99, 0}},
};

KERNEL_CASE_ROWS(
    wrong_device, devices, .clauses = {BUF_9}, .wrong_call = true, .needs = NEEDS_TENSORS,
    .promise = SIGNATURE_CHECKS_DEVICE, .unpromised = "no_such_device ",
    .title = "a tensor on a device of another type is refused, and its memory is not accessed")
{
  unsigned tried = 0;
  require_right_if_it_runs(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (!is_tensor(kernel, i) || parameter->device.device_type == row->device.device_type) continue;
    tried += judge_refused(iut, kernel, i, &(TensorForm){.has_device = true, .device = row->device},
                           row->name, SIGNATURE_CHECKS_DEVICE);
  }
  if (tried == 0) case_not_applicable("its tensors are on such a device, or " TAKEN);
}

KERNEL_CASE(no_data, .clauses = {BUF_13}, .needs = NEEDS_TENSORS,
            .title = "a tensor with elements and data NULL is refused")
{
  require_right_if_it_runs(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (is_tensor(kernel, i)) {
      KernelCall *call = new_right_call(iut, kernel);
      char name[64];
      call_with_tensor(call, i, &(TensorForm){.no_data = true});
      note_call(call, "with data NULL for %s: ", parameter_name(kernel, i, name));
      make_call(call);
      expect_refused(call);
    }
}

KERNEL_CASE(null_tensor, .clauses = {BUF_19}, .needs = KERNEL_NEEDS_ARITY | KERNEL_NEEDS_TENSOR,
            .title = "a borrowed tensor that is NULL is refused")
{
  unsigned tried = 0;
  if (kernel_has_example(kernel)) require_right_if_it_runs(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_tensor(kernel, i)) continue;
    KernelCall *call = new_right_call(iut, kernel);
    char name[64];
    call->values[i] = any_none();
    call->values[i].type_index = kTVMFFIDLTensorPtr;
    note_call(call, "with NULL for %s: ", parameter_name(kernel, i, name));
    make_call(call);
    if (refusal_says_nothing(call)) continue;
    expect_refused(call);
    ++tried;
  }
  if (tried == 0) case_not_applicable("a valid call is refused with the same words");
}
