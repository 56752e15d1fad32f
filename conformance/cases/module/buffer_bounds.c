// SPDX-License-Identifier: Apache-2.0
// Calls that differ from the example in one respect, all tensors beside unmapped memory. Whether
// such a call is right nobody knows: it may be refused. If it is not, or not at once, nothing
// outside the tensors is accessed, and it returns, by a function that refuses other calls for the
// same parameter: one that refuses none relies on its callers.
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_varied.h"
#include "plan/kernel_choice.h"

CHAPTER(buffer);

enum {
  NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
  SECONDS = 4,
};

// --- The cases -----------------------------------------------------------------------------------

typedef struct BoundsRow {
  const char *name, *what;
  AddVariations *plan;
  bool of_tensors;
  // That the function refuses another tensor in this place is not enough: it has to refuse another
  // of these values.
  bool by_value;
  // It need not refuse any: it says of itself that None is taken, or makes a tensor of the data type,
  // or on the device.
  bool stated;
} BoundsRow;

static const BoundsRow bounds[] = {
    {"as_it_is", "the example, ", kernel_vary_nothing, true, false, false},
    {"extent", "another extent of ", kernel_vary_extents, true, false, false},
    {"symbol", "other extents, those of other tensors with them, of ", kernel_vary_symbols, true,
     false, false},
    {"large", "large tensors, also ", kernel_vary_large, true, false, false},
    {"rank", "another rank of ", kernel_vary_ranks, true, false, false},
    {"dtype", "another data type of ", kernel_vary_dtypes, true, false, false},
    {"element", "other elements of ", kernel_vary_elements, true, true, false},
    {"number", "another value of ", kernel_vary_numbers, false, true, false},
    {"text", "another text for ", kernel_vary_texts, false, true, false},
    {"type", "another data type for ", kernel_vary_types, false, false, true},
    {"device", "another device for ", kernel_vary_device, false, false, true},
    {"none", "None for ", kernel_vary_none, true, false, true},
    {"none_of_a_value", "None for ", kernel_vary_none, false, false, true},
};

// An integer may be an address, or become one.
static bool may_be_address(const Kernel *kernel, unsigned position)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  return parameter->kind == KERNEL_INT ||
         (parameter->kind == KERNEL_TENSOR && kernel_dtype_is_whole(parameter->dtype));
}

// Whether nothing that the function is given can be an address, so that one that is next to nothing
// is of its own making.
static bool has_no_address(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_INT || at->kind == KERNEL_POINTER || at->kind == KERNEL_OBJECT ||
        (at->kind == KERNEL_TENSOR && kernel_dtype_is_whole(at->dtype) && at->dtype.bits == 64))
      return false;
  }
  return true;
}

// Whether what is varied is a float, of which no address is made.
static bool is_of_float(const Kernel *kernel, const Variation *variation)
{
  if (variation->part != VARIED_ELEMENT && variation->part != VARIED_NUMBER) return false;
  const KernelParameter *parameter = &kernel->parameters[variation->position];
  return parameter->kind == KERNEL_FLOAT ||
         (parameter->kind == KERNEL_TENSOR && parameter->dtype.code == kDLFloat);
}

// Whether the call ended the process, and nobody but the function is to blame.
static bool is_lost(const Kernel *kernel, const Variation *variation, Explored end)
{
  const bool of_memory = end == EXPLORED_NO_ADDRESS || end == EXPLORED_LOST;
  if (end == EXPLORED_SIGNALLED || end == EXPLORED_OUTSIDE_HEAP) return true;
  if (!of_memory) return false;
  if (variation->part == VARIED_TEXT || variation->part == VARIED_NONE) return true;
  if (kernel_varies_shape(variation->part) && has_no_address(kernel)) return true;
  if (is_of_float(kernel, variation)) return true;
  return end == EXPLORED_NO_ADDRESS && !may_be_address(kernel, (unsigned)variation->position);
}

// What is varied, as a number: an integer, or an element that is one.
static double value_of(const Variation *variation)
{
  return variation->part == VARIED_NUMBER ? (double)variation->integer : variation->number;
}

// Calls with integers that are varied, or with elements that are.
typedef struct Sides {
  unsigned refused_above, refused_below;  // 0
  unsigned lost_above, lost_below;        // at an address that is next to nothing
  const Variation *first_above, *first_below;
} Sides;

static void count_side(const Kernel *kernel, const Variation *variation, Explored end, Sides *sides)
{
  const bool lost = end == EXPLORED_LOST || end == EXPLORED_NO_ADDRESS;
  const double value = value_of(variation);
  if (variation->part != VARIED_NUMBER && variation->part != VARIED_ELEMENT) return;
  if (!may_be_address(kernel, (unsigned)variation->position) || value == 0) return;
  if (value > 0) {
    sides->refused_above += end == EXPLORED_REFUSED;
    if (lost && sides->lost_above++ == 0) sides->first_above = variation;
  } else {
    sides->refused_below += end == EXPLORED_REFUSED;
    if (lost && sides->lost_below++ == 0) sides->first_below = variation;
  }
}

// How many of those calls are lost on the one side of 0 by a function that refuses some on the other
// side. What it refuses there is out of its range, so it is no address.
static unsigned lost_on_one_side(const Sides *sides, const Variation **first)
{
  const bool below = sides->lost_below > 0 && sides->refused_above > 0;
  const bool above = sides->lost_above > 0 && sides->refused_below > 0;
  if (!*first && (below || above)) *first = below ? sides->first_below : sides->first_above;
  return (below ? sides->lost_below : 0) + (above ? sides->lost_above : 0);
}

// Whether each tensor of whole numbers is looked at: the function refuses the call with elements that
// are far out of any range, so it trusts none, and these may be what they are in calls of other extents.
static bool trusts_no_elements(Iut *iut, const Kernel *kernel)
{
  unsigned judged = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const Variation far = {.part = VARIED_ELEMENT, .position = (int)i, .axis = 2, .number = 1e9};
    if (!kernel_is_typed_tensor(kernel, i) || !kernel_dtype_is_whole(kernel->parameters[i].dtype))
      continue;
    if (explore_call(iut, kernel, kernel_varied_call, &far) != EXPLORED_REFUSED) return false;
    ++judged;
  }
  return judged > 0;
}

// Whether an element of another tensor of whole numbers is refused that is far out of any range: a function
// that trusts no element of one tensor trusts none of another.
static bool trusts_no_other(Iut *iut, const Kernel *kernel, unsigned position)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const Variation far = {.part = VARIED_ELEMENT, .position = (int)i, .axis = 2, .number = 1e9};
    if (i != position && kernel_is_typed_tensor(kernel, i) &&
        kernel_dtype_is_whole(kernel->parameters[i].dtype) &&
        explore_call(iut, kernel, kernel_varied_call, &far) == EXPLORED_REFUSED)
      return true;
  }
  return false;
}

// The same calls with the elements of the example.
static void keep_elements(Variations *plan)
{
  const unsigned count = plan->count;
  for (unsigned i = 0; i < count && plan->count < VARIATIONS_MAX; ++i) {
    plan->items[plan->count] = plan->items[i];
    plan->items[plan->count++].keeps_elements = true;
  }
}

enum { RANGED_LEAST = 3 };

// Judges what is varied of one parameter; true if anything was.
static bool judge(Iut *iut, const Kernel *kernel, const BoundsRow *row, unsigned position)
{
  static Variations plan;
  unsigned refused = 0, outside = 0, lost = 0, came_back = 0;
  const Variation *first = NULL;
  Sides sides = {0};
  char name[64];
  plan.count = 0;
  row->plan(kernel, (int)position, &plan);
  if (row->plan == kernel_vary_extents && trusts_no_elements(iut, kernel)) keep_elements(&plan);
  const void *tried[VARIATIONS_MAX];
  Explored ends[VARIATIONS_MAX + EXPLORED_AT_ONCE];
  unsigned made = 0;
  for (unsigned i = 0; i < plan.count; ++i) tried[i] = &plan.items[i];
  while (made < plan.count && clock_leaves(SECONDS))
    made += explore_calls(iut, kernel, kernel_varied_call, tried + made, plan.count - made,
                          ends + made);
  for (unsigned i = 0; i < made; ++i) {
    const Explored end = ends[i];
    refused += end == EXPLORED_REFUSED;
    outside += end == EXPLORED_OUTSIDE || end == EXPLORED_OUTSIDE_RESULT;
    came_back += end == EXPLORED_REFUSED || end == EXPLORED_SERVED;
    const bool gone = is_lost(kernel, &plan.items[i], end);
    lost += gone;
    if (!gone) count_side(kernel, &plan.items[i], end, &sides);
    if ((end == EXPLORED_OUTSIDE || gone) && !first) first = &plan.items[i];
  }
  lost += lost_on_one_side(&sides, &first);
  bool by_value = row->by_value &&
                  (!row->of_tensors || kernel_dtype_is_whole(kernel->parameters[position].dtype));
  bool checks = refused > 0 || (!by_value && kernel->parameters[position].checked) || row->stated;
  const bool by_others = !checks && by_value && row->of_tensors && outside > 0 &&
                         trusts_no_other(iut, kernel, position);
  checks |= by_others;
  if (!checks || came_back + outside + lost == 0) return false;
  // Of values that mostly end the process, it may be said elsewhere which do not; not where several
  // elements are refused for being out of a range.
  const bool ranged = row->of_tensors && refused >= RANGED_LEAST;
  if (by_others) lost = 0;
  if (by_value && lost > came_back && !ranged) return false;
  note("with %s%s", row->what, parameter_name(kernel, position, name));
  if (first) {
    KernelCall *call = kernel_varied_call(iut, kernel, first);
    note_call(call, "with %s%s: ", row->what, parameter_name(kernel, position, name));
    make_call(call);
  }
  expect_that(outside == 0, "nothing outside the tensors is accessed",
              "%u of %u such calls access memory next to a tensor", outside, plan.count);
  expect_that(lost == 0, "each such call returns", "%u of %u end the process", lost, plan.count);
  return true;
}

KERNEL_CASE_ROWS(
    bounds, bounds, .clauses = {BUF_8, KER_60}, .needs = NEEDS_A_RUN, .patience = 5,
    .explores = true,
    .title = "a call that varies the example returns, and accesses nothing outside the tensors")
{
  unsigned judged = 0;
  require_right_call(iut, kernel);
  // Whole numbers first: they may be places in others, and the time is short.
  for (int whole = 1; whole >= 0; --whole)
    for (unsigned i = 0; i < kernel->parameter_count; ++i)
      if (row->of_tensors == kernel_is_typed_tensor(kernel, i) &&
          kernel_dtype_is_whole(kernel->parameters[i].dtype) == whole)
        judged += judge(iut, kernel, row, i);
  if (judged == 0)
    case_not_applicable("it refuses none of these calls, and may rely on its callers");
}

// --- Another device ------------------------------------------------------------------------------

static KernelCall *new_call_on_device(Iut *iut, const Kernel *kernel, const void *context)
{
  const unsigned position = *(const unsigned *)context;
  KernelCall *call = new_right_call(iut, kernel);
  call_with_tensor(call, position,
                   &(TensorForm){.has_device = true, .device = {.device_type = kDLCUDA}});
  return call;
}

KERNEL_CASE(device_of_one_tensor, .clauses = {BUF_10}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR,
            .patience = 2,
            .title = "memory on a device is not accessed where another tensor on it is refused")
{
  unsigned refused = 0, accessed = 0, first = 0;
  KernelCall *right = require_right_call(iut, kernel);
  if (right->launched) case_not_applicable("it works on the device");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!kernel_is_typed_tensor(kernel, i) || kernel->parameters[i].device.device_type != kDLCPU)
      continue;
    const Explored end = explore_call(iut, kernel, new_call_on_device, &i);
    refused += end == EXPLORED_REFUSED;
    if (end != EXPLORED_OUTSIDE_HEAP && end != EXPLORED_OUTSIDE && end != EXPLORED_LOST) continue;
    if (accessed++ == 0) first = i;
  }
  if (refused == 0) case_not_applicable("it refuses no tensor for its device");
  char name[64];
  if (accessed > 0) {
    KernelCall *call = new_call_on_device(iut, kernel, &first);
    note_call(call, "with %s on cuda:0, which is refused of others: ",
              parameter_name(kernel, first, name));
  }
  expect_that(accessed == 0, "no memory on the device is accessed", "that of %u of %u tensors is",
              accessed, accessed + refused);
}
