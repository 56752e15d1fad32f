// SPDX-License-Identifier: Apache-2.0
// The same elements, described in other ways: honoured or refused, never something else.
#include "kernel/kernel_battery.h"
#include "kernel/kernel_strides.h"

CHAPTER(buffer);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR };

static bool is_tensor(const Kernel *kernel, unsigned position)
{
  return kernel->parameters[position].kind == KERNEL_TENSOR;
}

typedef struct ViewRow {
  const char *name;
  TensorForm form;
} ViewRow;

static void judge_views(Iut *iut, const Kernel *kernel, const ViewRow *row, const char *words)
{
  KernelCall *right = require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_tensor(kernel, i)) continue;
    KernelCall *call = new_right_call(iut, kernel);
    char name[64];
    call_with_tensor(call, i, &row->form);
    note_call(call, "with %s (%s) for %s: ", words, row->name, parameter_name(kernel, i, name));
    make_call(call);
    expect_same_or_refused(call, right);
    expect_refused_whatever_is_beside(iut, call, i, &row->form);
    expect_that(kernel_tensor_gaps_untouched(&call->tensors[i]),
                "memory outside the elements is as it was", "it was written to");
  }
}

static const ViewRow offsets[] = {
    {"256_bytes", {.byte_offset = 256}},
    {"64_bytes", {.byte_offset = 64}},
    {"one_page", {.byte_offset = 4096}},
    {"256_bytes_of_an_object", {.byte_offset = 256, .as_object = true}},
};

KERNEL_CASE_ROWS(
    byte_offset, offsets, .clauses = {BUF_1}, .needs = NEEDS_A_RUN,
    .title = "a tensor with a byte_offset gives the outputs of its elements, or is refused")
{
  judge_views(iut, kernel, row, "a byte_offset");
}

static const ViewRow no_strides[] = {
    {"borrowed", {.no_strides = true}},
};

KERNEL_CASE_ROWS(no_strides, no_strides, .clauses = {BUF_3}, .wrong_call = true,
                 .needs = NEEDS_A_RUN,
                 .title = "strides NULL gives the outputs of compact rows, or is refused")
{
  judge_views(iut, kernel, row, "strides NULL");
}

static const ViewRow misaligned[] = {
    {"by_1", {.misaligned = 1}}, {"by_2", {.misaligned = 2}},   {"by_4", {.misaligned = 4}},
    {"by_8", {.misaligned = 8}}, {"by_16", {.misaligned = 16}}, {"by_32", {.misaligned = 32}},
};

KERNEL_CASE_ROWS(misaligned, misaligned, .clauses = {BUF_14}, .wrong_call = true,
                 .needs = NEEDS_A_RUN,
                 .title = "misaligned data gives the same outputs, or is refused")
{
  judge_views(iut, kernel, row, "misaligned data");
}

static const ViewRow ends[] = {
    {"last_element", {.at_end = true}},
};

KERNEL_CASE_ROWS(nothing_behind, ends, .clauses = {BUF_8}, .needs = NEEDS_A_RUN,
                 .title = "nothing is read or written after the last element")
{
  judge_views(iut, kernel, row, "unmapped memory behind it");
}

typedef struct StrideRow {
  const char *name;
  int32_t least_rank;
  KernelStrides *fill;
} StrideRow;

static const StrideRow stride_rows[] = {{"padded", 1, kernel_strides_apart},
                                        {"negative", 1, kernel_strides_backward},
                                        {"rows_apart", 2, kernel_strides_first_apart},
                                        {"gaps", 2, kernel_strides_with_gaps},
                                        {"columns", 2, kernel_strides_of_columns}};

static const char no_dimensions[] = "none of its tensors has so many dimensions";

static const char *lacks_dimensions(const CaseInstance *instance)
{
  const Kernel *kernel = instance->kernel;
  const StrideRow *row = instance->row;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (is_tensor(kernel, i) && kernel->parameters[i].rank >= row->least_rank) return NULL;
  return no_dimensions;
}

KERNEL_CASE_ROWS(strides, stride_rows, .clauses = {BUF_2, BUF_17}, .needs = NEEDS_A_RUN,
                 .lacks = lacks_dimensions, .after_right_call = true,
                 .title = "tensors with strides give the outputs of their elements, or are refused")
{
  KernelCall *right = require_right_call(iut, kernel);
  unsigned tried = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    int64_t strides[KERNEL_RANK_MAX] = {0};
    char name[64];
    if (!is_tensor(kernel, i) || parameter->rank < row->least_rank) continue;
    row->fill(parameter, strides);
    KernelCall *call = new_right_call(iut, kernel);
    call_with_tensor(call, i, &(TensorForm){.strides = strides});
    note_call(call, "with strides (%s) for %s: ", row->name, parameter_name(kernel, i, name));
    make_call(call);
    expect_same_or_refused(call, right);
    expect_refused_whatever_is_beside(iut, call, i, &(TensorForm){.strides = strides});
    expect_that(kernel_tensor_gaps_untouched(&call->tensors[i]),
                "memory between the elements is as it was", "it was written to");
    ++tried;
  }
  if (tried == 0) case_not_applicable("%s", no_dimensions);
}

typedef struct FarRow {
  const char *name;
  int64_t stride;
} FarRow;

// Cut to 32 bits, the second one is 1: what lies right behind the first element is none.
static const FarRow far_strides[] = {{"beyond_31_bits", (INT64_C(1) << 31) + 1},
                                     {"beyond_32_bits", (INT64_C(1) << 32) + 1}};

KERNEL_CASE_ROWS(far_strides, far_strides, .clauses = {BUF_21}, .wrong_call = true,
                 .needs = NEEDS_A_RUN,
                 .title = "strides of more than 31 or 32 bits are followed, or refused")
{
  KernelCall *right = require_right_call(iut, kernel);
  unsigned tried = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    int64_t strides[KERNEL_RANK_MAX] = {0};
    char name[64];
    if (!is_tensor(kernel, i) || parameter->rank == 0 || parameter->shape[0].size < 2 ||
        parameter->device.device_type != kDLCPU)
      continue;
    kernel_strides_compact(parameter, strides);
    strides[0] = row->stride;
    KernelCall *call = new_right_call(iut, kernel);
    call_with_tensor(call, i, &(TensorForm){.strides = strides, .far = true});
    note_call(call, "with a stride of %lld for %s: ", (long long)row->stride,
              parameter_name(kernel, i, name));
    make_call(call);
    expect_same_or_refused(call, right);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its tensors has two rows on the host");
}

// All elements are the same memory, as of a value that was broadcast. Of an output that is no call
// that could be right.
KERNEL_CASE(
    overlapping_inputs, .clauses = {BUF_2}, .needs = NEEDS_A_RUN,
    .title = "an input with strides of 0 gives the outputs of equal elements, or is refused")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    static const int64_t strides[KERNEL_RANK_MAX];
    char name[64];
    if (!is_tensor(kernel, i) || parameter->rank == 0 || parameter->role != KERNEL_IN ||
        parameter->device.device_type != kDLCPU)
      continue;
    KernelCall *call = new_right_call(iut, kernel), *compact = new_right_call(iut, kernel);
    call_with_tensor(call, i, &(TensorForm){.strides = strides});
    unsigned char *elements =
        fenced_buffer("elements", kernel_tensor_gather(&call->tensors[i], NULL));
    kernel_tensor_gather(&call->tensors[i], elements);
    call_with_tensor(compact, i, &(TensorForm){.elements = elements});
    note_call(compact, "with equal elements for %s: ", parameter_name(kernel, i, name));
    make_call(compact);
    if (compact->returned != 0) continue;
    note_call(call, "with strides of 0 for %s: ", parameter_name(kernel, i, name));
    make_call(call);
    expect_same_or_refused(call, compact);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its inputs may have equal elements");
}
