// SPDX-License-Identifier: Apache-2.0
// Tensors with other strides than the layout that a signature file states: refused, as anything else
// that the file rules out, even by a function that would follow the strides.
#include "kernel/kernel_battery.h"
#include "kernel/kernel_strides.h"

CHAPTER(buffer);

static const Signature *file_of(const Signature *signature, const Kernel *kernel)
{
  const bool stated = signature && signature->origin == SIGNATURE_FROM_FILE &&
                      !signature->tentative && kernel->chosen;
  return stated ? signature : NULL;
}

static SignatureLayout layout_of(const Signature *signature, const KernelParameter *at)
{
  return at->kind == KERNEL_TENSOR && at->typed ? signature_type(signature, at->type)->layout
                                                : SIGNATURE_LAYOUT_UNSAID;
}

static bool excludes(SignatureLayout layout)
{
  return layout == SIGNATURE_CONTIGUOUS || layout == SIGNATURE_ROWS;
}

// Whether a tensor of these strides is not of the layout. Strides of dimensions with one element say
// nothing.
static bool is_ruled_out(SignatureLayout layout, const KernelParameter *at, const int64_t *strides)
{
  int64_t compact = 1;
  bool outside = false;
  for (int32_t k = at->rank; k-- > 0; compact *= at->shape[k].size) {
    const bool fixed = layout == SIGNATURE_CONTIGUOUS || k + 1 == at->rank;
    outside |= fixed && at->shape[k].size > 1 && strides[k] != compact;
  }
  return outside && excludes(layout);
}

// The last one is for inputs: in an output, elements would be in each other's place.
static const struct {
  const char *words;
  KernelStrides *fill;
} layouts[] = {{"elements apart", kernel_strides_apart},
               {"rows apart", kernel_strides_rows_apart},
               {"columns side by side", kernel_strides_of_columns},
               {"only the first dimension apart", kernel_strides_first_apart},
               {"equal elements in a row", kernel_strides_repeated}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts, REPEATED = LAYOUTS - 1 };

static bool has_extents(const KernelParameter *at)
{
  for (int32_t k = 0; k < at->rank; ++k)
    if (at->shape[k].size < 1) return false;
  return true;
}

static unsigned judge_tensor(Iut *iut, const Kernel *kernel, unsigned position)
{
  const KernelParameter *at = &kernel->parameters[position];
  const SignatureLayout layout = layout_of(signature_under_test(), at);
  unsigned judged = 0;
  for (size_t i = 0; has_extents(at) && i < LAYOUTS; ++i) {
    int64_t strides[KERNEL_RANK_MAX] = {0};
    char name[64];
    layouts[i].fill(at, strides);
    if (!is_ruled_out(layout, at, strides) || (i == REPEATED && at->role != KERNEL_IN)) continue;
    KernelCall *call = new_right_call(iut, kernel);
    call_with_tensor(call, position, &(TensorForm){.strides = strides});
    note_call(call, "with %s in %s, of which the file says \"layout\": \"%s\": ", layouts[i].words,
              parameter_name(kernel, position, name),
              layout == SIGNATURE_ROWS ? "rows" : "contiguous");
    make_call(call);
    expect_refused(call);
    ++judged;
  }
  return judged;
}

// All tensors in containers at once: with one that is not as it has to be the call is wrong.
static unsigned judge_elements(Iut *iut, const Kernel *kernel)
{
  static const TensorForm apart = {.stride_factor = 2};
  bool outside = false;
  for (uint32_t i = 0; i < kernel->element_count; ++i) {
    const KernelParameter *at = &kernel->elements[i];
    int64_t strides[KERNEL_RANK_MAX] = {0};
    if (at->kind != KERNEL_TENSOR || !has_extents(at)) continue;
    kernel_strides_apart(at, strides);
    outside |= is_ruled_out(layout_of(signature_under_test(), at), at, strides);
  }
  if (!outside) return 0;
  KernelCall *call = new_call_with_elements(iut, kernel, &apart);
  note_call(call,
            "with elements apart in the tensors of containers, of which the file states "
            "another \"layout\": ");
  make_call(call);
  expect_refused(call);
  return 1;
}

static const char *lacks_layout(const CaseInstance *instance)
{
  const Signature *signature = file_of(instance->signature, instance->kernel);
  if (!signature || signature->forms.count != 1 ||
      !(signature_form(signature, 0)->checks & SIGNATURE_CHECKS_LAYOUT))
    return "no signature file promises that it checks a layout";
  for (uint32_t i = 0; i < kernel_place_count(instance->kernel); ++i)
    if (excludes(layout_of(signature, kernel_place_of(instance->kernel, i)))) return NULL;
  return "its signature file states no \"layout\" that excludes others";
}

KERNEL_CASE(other_layout_is_refused, .clauses = {KER_47, KER_11}, .needs = KERNEL_NEEDS_EXAMPLE,
            .lacks = lacks_layout,
            .title =
                "a tensor is refused whose strides are not of the layout that the signature "
                "file states")
{
  unsigned judged = 0;
  if (!kernel->launches) require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) judged += judge_tensor(iut, kernel, i);
  judged += judge_elements(iut, kernel);
  if (judged == 0) case_not_applicable("its tensors are too small for other strides");
}
