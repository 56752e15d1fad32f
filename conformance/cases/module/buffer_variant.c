// SPDX-License-Identifier: Apache-2.0
// The views of buffer_view.c in calls with other data types and ranks that were found to be served.
#include <stdlib.h>

#include "kernel/kernel_battery.h"

CHAPTER(buffer);

enum { VARIANTS_MOST = 14 };

typedef struct VariantRow {
  const char *name, *words;
  TensorForm form;
} VariantRow;

static const VariantRow views[] = {
    {"byte_offset", "a byte_offset of 256", {.byte_offset = 256}},
    {"strides", "every second element", {.stride_factor = 2}},
    {"nothing_behind", "unmapped memory behind it", {.at_end = true}},
};

static bool is_viewed(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_TENSOR && parameter->typed &&
         parameter->device.device_type == kDLCPU;
}

static void judge_tensor(Iut *iut, const Kernel *kernel, const VariantRow *row, unsigned position,
                         KernelCall *right)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  const TensorForm form = row->form;
  char name[64];
  if (form.stride_factor && parameter->rank == 0) return;
  KernelCall *call = new_right_call(iut, kernel);
  call_with_tensor(call, position, &form);
  note_call(call, "with %s for %s: ", row->words, parameter_name(kernel, position, name));
  make_call(call);
  expect_same_or_refused(call, right);
  expect_refused_whatever_is_beside(iut, call, position, &form);
  expect_that(kernel_tensor_gaps_untouched(&call->tensors[position]),
              "memory between the elements is as it was", "it was written to");
}

static bool judge_variant(Iut *iut, const Kernel *kernel, const VariantRow *row)
{
  KernelCall *right = new_right_call(iut, kernel);
  note_call(right, "the call that was found with other data types, or ranks: ");
  make_call(right);
  if (right->returned != 0) return false;
  bool any = false;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_viewed(&kernel->parameters[i])) continue;
    judge_tensor(iut, kernel, row, i, right);
    any = true;
  }
  return any;
}

static const char no_variants[] = "no other data types or ranks were found to be served";

static const char *lacks_variant(const CaseInstance *instance)
{
  static Kernel variant;
  return kernel_variant(instance->kernel, 0, &variant) ? NULL : no_variants;
}

KERNEL_CASE_ROWS(
    other_types, views, .clauses = {BUF_1, BUF_2, BUF_8, BUF_17},
    .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .lacks = lacks_variant,
    .patience = 3,
    .title = "tensors of other data types and ranks give the outputs of their elements")
{
  unsigned judged = 0;
  for (unsigned i = 0; i < VARIANTS_MOST; ++i) {
    // A call holds on to its kernel.
    Kernel *variant = malloc(sizeof *variant);
    if (!variant) case_inconclusive("no memory for a signature");
    if (!kernel_variant(kernel, i, variant)) break;
    judged += judge_variant(iut, variant, row);
  }
  if (judged == 0) case_not_applicable("%s", no_variants);
}
