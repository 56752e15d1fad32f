// SPDX-License-Identifier: Apache-2.0
// Calls that differ from the example in one respect, all tensors beside unmapped memory. Whether
// such a call is right nobody knows: it may be refused. If it is not, or not at once, nothing
// outside the tensors is accessed, and it returns, by a function that refuses other calls for the
// same parameter: one that refuses none relies on its callers.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_element.h"
#include "plan/kernel_choice.h"

CHAPTER(buffer);

enum {
  NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
  EVERY_TENSOR = -1,
  VARIATIONS_MAX = 128,
};

typedef enum VariedPart {
  VARIED_NOTHING,  // but where the tensors lie
  VARIED_EXTENT,   // of one dimension
  VARIED_SYMBOL,   // all extents that are the same size
  VARIED_RANK,
  VARIED_TALLER,  // all tensors of this rank have another dimension in front, this one a shorter one
  VARIED_DTYPE,
  VARIED_ELEMENT,  // the first or the last one, or all, of a tensor
  VARIED_NUMBER,   // an int or a float
  VARIED_TEXT,     // a string or bytes
  VARIED_NONE,     // in the place of what may be None
  VARIED_TYPE,     // a data type among the values
} VariedPart;

typedef struct Variation {
  VariedPart part;
  int position;     // of the parameter
  int32_t axis;     // of the extent; of elements: 0 the first, 1 the last, 2 all; of a data type:
                    // 1 if whole numbers are all the same
  int64_t integer;  // the extent, the rank, the int
  double number;    // the element or float
  const TVMFFIByteArray *text;  // static
  DLDataType dtype;
  bool at_start;
} Variation;

// --- One call ------------------------------------------------------------------------------------

static bool is_tensor(const Kernel *kernel, unsigned position)
{
  return kernel->parameters[position].kind == KERNEL_TENSOR && kernel->parameters[position].typed;
}

static bool is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
}

static void vary_shape(const Kernel *kernel, const Variation *variation, unsigned position,
                       TensorForm *form)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  const bool own = (int)position == variation->position;
  for (int32_t k = 0; k < parameter->rank; ++k) {
    const char *symbol = parameter->shape[k].symbol;
    const KernelParameter *other = &kernel->parameters[variation->position];
    bool same = variation->part == VARIED_SYMBOL &&
                strcmp(symbol, other->shape[variation->axis].symbol) == 0;
    bool alone = variation->part == VARIED_EXTENT && own && k == variation->axis;
    form->shape[k] = same || alone ? variation->integer : parameter->shape[k].size;
  }
  form->has_shape = true;
  form->rank = parameter->rank;
  if (variation->part == VARIED_RANK && own) {
    form->rank = (int32_t)variation->integer;
    for (int32_t k = parameter->rank; k < form->rank; ++k) form->shape[k] = 2;
  }
  if (variation->part == VARIED_TALLER &&
      parameter->rank == kernel->parameters[variation->position].rank) {
    memmove(form->shape + 1, form->shape, (size_t)parameter->rank * sizeof *form->shape);
    form->shape[0] = own ? variation->integer : 3;
    ++form->rank;
  }
  form->extents = form->rank;
}

// Whole numbers may be indices, which have to fit the extents: where these vary, all are the first
// of the example. Where other elements are wanted, those of the example with one or all set.
static unsigned char *vary_elements(const Kernel *kernel, const Variation *variation,
                                    unsigned position, const TensorForm *form)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  bool own = variation->part == VARIED_ELEMENT && (int)position == variation->position;
  DLDataType dtype = form->has_dtype ? form->dtype : parameter->dtype;
  int64_t bits = (int64_t)dtype.bits * dtype.lanes, count = 1;
  bool fits = variation->part != VARIED_EXTENT && variation->part != VARIED_SYMBOL &&
              variation->part != VARIED_RANK && variation->part != VARIED_TALLER &&
              !(variation->part == VARIED_DTYPE && variation->axis == 1);
  if (!own && (fits || !is_whole(parameter->dtype))) return NULL;
  for (int32_t k = 0; k < form->extents; ++k) count *= form->shape[k];
  unsigned char *elements = fenced_buffer("elements", (size_t)(count * bits + 7) / 8);
  for (int64_t i = 0; i < count; ++i) {
    bool chosen = variation->axis == 2 || (variation->axis == 0 ? i == 0 : i == count - 1);
    const double plain = is_whole(parameter->dtype)
                             ? parameter->number
                             : (double)kernel_element_of(parameter, (size_t)i);
    kernel_element_write(elements, i * bits, dtype, own && chosen ? variation->number : plain);
  }
  return elements;
}

static KernelCall *new_varied_call(Iut *iut, const Kernel *kernel, const void *context)
{
  const Variation *variation = context;
  KernelCall *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!is_tensor(kernel, i)) continue;
    TensorForm form = {.at_end = !variation->at_start, .at_start = variation->at_start};
    vary_shape(kernel, variation, i, &form);
    form.has_dtype = variation->part == VARIED_DTYPE && (int)i == variation->position;
    form.dtype = variation->dtype;
    form.elements = vary_elements(kernel, variation, i, &form);
    call_with_tensor(call, i, &form);
  }
  if (variation->part == VARIED_NONE) call->values[variation->position] = any_none();
  if (variation->part == VARIED_TYPE) call->values[variation->position].v_dtype = variation->dtype;
  if (variation->part == VARIED_TEXT) {
    TVMFFIAny *value = &call->values[variation->position];
    int status = kernel->parameters[variation->position].kind == KERNEL_BYTES
                     ? iut->BytesFromByteArray(variation->text, value)
                     : iut->StringFromByteArray(variation->text, value);
    require(expect_ok(iut, status));
  }
  if (variation->part == VARIED_NUMBER) {
    TVMFFIAny *value = &call->values[variation->position];
    if (kernel->parameters[variation->position].kind == KERNEL_FLOAT)
      value->v_float64 = variation->number;
    else
      value->v_int64 = variation->integer;
  }
  return call;
}

// --- What is varied ------------------------------------------------------------------------------

typedef struct Plan {
  Variation items[VARIATIONS_MAX];
  unsigned count;
} Plan;

static void add(Plan *plan, Variation variation)
{
  for (int at_start = 0; at_start < 2; ++at_start) {
    variation.at_start = at_start;
    if (plan->count < VARIATIONS_MAX) plan->items[plan->count++] = variation;
  }
}

static void plan_nothing(const Kernel *kernel, int position, Plan *plan)
{
  (void)kernel;
  add(plan, (Variation){.part = VARIED_NOTHING, .position = position});
}

// Whether another tensor holds whole numbers: none of them fits an extent of 0.
static bool has_indices_into(const Kernel *kernel, int position)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if ((int)i != position && is_tensor(kernel, i) && is_whole(kernel->parameters[i].dtype))
      return true;
  return false;
}

static void plan_extents(const Kernel *kernel, int position, Plan *plan)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  for (int32_t k = 0; k < parameter->rank; ++k) {
    int64_t size = parameter->shape[k].size;
    const int64_t sizes[] = {size + 1, size - 1, 1, 2 * size, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      if (sizes[i] != size && (sizes[i] > 0 || !has_indices_into(kernel, position)))
        add(plan, (Variation){
                      .part = VARIED_EXTENT, .position = position, .axis = k, .integer = sizes[i]});
  }
}

static void plan_symbols(const Kernel *kernel, int position, Plan *plan)
{
  static const int64_t sizes[] = {1, 2, 3, 5, 7, 33};
  const KernelParameter *parameter = &kernel->parameters[position];
  for (int32_t k = 0; k < parameter->rank; ++k)
    for (size_t i = 0; parameter->shape[k].symbol[0] && i < sizeof sizes / sizeof *sizes; ++i)
      add(plan,
          (Variation){.part = VARIED_SYMBOL, .position = position, .axis = k, .integer = sizes[i]});
}

static void plan_ranks(const Kernel *kernel, int position, Plan *plan)
{
  int32_t rank = kernel->parameters[position].rank;
  for (int32_t other = 0; other <= rank + 1 && other < KERNEL_RANK_MAX; ++other)
    if (other != rank)
      add(plan, (Variation){.part = VARIED_RANK, .position = position, .integer = other});
  for (int64_t size = 1; size <= 3 && rank + 1 < KERNEL_RANK_MAX; ++size)
    add(plan, (Variation){.part = VARIED_TALLER, .position = position, .integer = size});
}

static void plan_dtypes(const Kernel *kernel, int position, Plan *plan)
{
  static const DLDataType dtypes[] = {{kDLInt, 8, 1},  {kDLUInt, 8, 1},  {kDLFloat, 16, 1},
                                      {kDLInt, 16, 1}, {kDLInt, 32, 1},  {kDLFloat, 32, 1},
                                      {kDLInt, 64, 1}, {kDLFloat, 64, 1}};
  DLDataType own = kernel->parameters[position].dtype;
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
    for (int32_t same = 0; same < 2 && memcmp(&own, &dtypes[i], sizeof own) != 0; ++same)
      add(plan, (Variation){
                    .part = VARIED_DTYPE, .position = position, .axis = same, .dtype = dtypes[i]});
}

static void add_elements(Plan *plan, int position, double number)
{
  for (int32_t which = 0; which < 3; ++which)
    add(plan,
        (Variation){.part = VARIED_ELEMENT, .position = position, .axis = which, .number = number});
}

// Those next to a limit.
static void add_limit(Plan *plan, int position, int64_t limit)
{
  add_elements(plan, position, (double)limit);
  add_elements(plan, position, (double)limit + 1);
}

// Of indices, those next to the extents of the other tensors, and to products of these.
static void plan_elements(const Kernel *kernel, int position, Plan *plan)
{
  if (!is_whole(kernel->parameters[position].dtype)) {
    static const double numbers[] = {0, -1, NAN, INFINITY, 1000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
      add_elements(plan, position, numbers[i]);
    return;
  }
  int64_t last = 0;
  add_elements(plan, position, -1);
  add_elements(plan, position, -2);
  add_elements(plan, position, 1000000);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (int32_t k = 0; is_tensor(kernel, i) && k < kernel->parameters[i].rank; ++k) {
      int64_t size = kernel->parameters[i].shape[k].size;
      if (size == last) continue;
      add_limit(plan, position, size);
      last = size;
    }
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *other = &kernel->parameters[i];
    if (is_tensor(kernel, i) && other->rank > 1 && (int)i != position)
      add_limit(plan, position, other->shape[0].size * other->shape[1].size);
  }
  // Whose numbers are cut, or have no opposite.
  add_elements(plan, position, -2147483648.0);
  add_elements(plan, position, 4294967296.0);
}

static void plan_numbers(const Kernel *kernel, int position, Plan *plan)
{
  static const int64_t integers[] = {0, -1, 1, 2, 3, 5, 7, 100, INT64_C(1) << 31, INT64_MIN};
  static const double numbers[] = {0, -1, 0.5, 2, NAN, INFINITY};
  if (kernel->parameters[position].kind == KERNEL_INT)
    for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i)
      add(plan, (Variation){.part = VARIED_NUMBER, .position = position, .integer = integers[i]});
  if (kernel->parameters[position].kind == KERNEL_FLOAT)
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
      add(plan, (Variation){.part = VARIED_NUMBER, .position = position, .number = numbers[i]});
}

static void plan_texts(const Kernel *kernel, int position, Plan *plan)
{
  enum { LONG = 5000 };
  static char text[LONG];
  static TVMFFIByteArray texts[6];
  const KernelParameter *parameter = &kernel->parameters[position];
  const size_t size = parameter->text_size ? parameter->text_size : strlen(parameter->text);
  if (parameter->kind != KERNEL_STRING && parameter->kind != KERNEL_BYTES) return;
  // The example, then as many letters as there is room for.
  memset(text, 'x', sizeof text);
  memcpy(text, parameter->text, size);
  const TVMFFIByteArray all[] = {{text, 0},        {text, LONG},     {text + size, LONG - size},
                                 {text, size / 2}, {text, size + 1}, {"\xc3\xbf\xc3\xbe", 4}};
  memcpy(texts, all, sizeof texts);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    add(plan, (Variation){.part = VARIED_TEXT, .position = position, .text = &texts[i]});
}

static void plan_types(const Kernel *kernel, int position, Plan *plan)
{
  if (kernel->parameters[position].kind != KERNEL_DTYPE) return;
  for (size_t i = 0; i < KERNEL_DTYPES_TRIED; ++i)
    add(plan,
        (Variation){
            .part = VARIED_TYPE, .position = position, .dtype = kernel_dtypes_tried[i].dtype});
}

static void plan_none(const Kernel *kernel, int position, Plan *plan)
{
  if (kernel->parameters[position].optional)
    add(plan, (Variation){.part = VARIED_NONE, .position = position});
}

// --- The cases -----------------------------------------------------------------------------------

typedef struct BoundsRow {
  const char *name, *what;
  void (*plan)(const Kernel *kernel, int position, Plan *plan);
  bool of_tensors;
  // That the function refuses another tensor in this place is not enough: it has to refuse another
  // of these values.
  bool by_value;
  // It need not refuse any: it says of itself that None is taken, or makes a tensor of the data type.
  bool stated;
} BoundsRow;

static const BoundsRow bounds[] = {
    {"as_it_is", "the example, ", plan_nothing, true, false, false},
    {"extent", "another extent of ", plan_extents, true, false, false},
    {"symbol", "other extents, those of other tensors with them, of ", plan_symbols, true, false,
     false},
    {"rank", "another rank of ", plan_ranks, true, false, false},
    {"dtype", "another data type of ", plan_dtypes, true, false, false},
    {"element", "other elements of ", plan_elements, true, true, false},
    {"number", "another value of ", plan_numbers, false, true, false},
    {"text", "another text for ", plan_texts, false, true, false},
    {"type", "another data type for ", plan_types, false, false, true},
    {"none", "None for ", plan_none, true, false, true},
    {"none_of_a_value", "None for ", plan_none, false, false, true},
};

// On a slow machine fewer calls are made, rather than the time limit of the case reached.
static bool has_time(void)
{
  enum { SECONDS = 4 };
  static struct timespec since;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (since.tv_sec == 0) since = now;
  return now.tv_sec - since.tv_sec < SECONDS;
}

// An integer may be an address, or become one.
static bool may_be_address(const Kernel *kernel, unsigned position)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  return parameter->kind == KERNEL_INT ||
         (parameter->kind == KERNEL_TENSOR && is_whole(parameter->dtype));
}

// Whether the call ended the process, and nobody but the function is to blame.
static bool is_lost(const Kernel *kernel, const Variation *variation, Explored end)
{
  const bool of_memory = end == EXPLORED_NO_ADDRESS || end == EXPLORED_LOST;
  if (end == EXPLORED_SIGNALLED || end == EXPLORED_OUTSIDE_HEAP) return true;
  if (!of_memory) return false;
  if (variation->part == VARIED_TEXT || variation->part == VARIED_NONE) return true;
  return end == EXPLORED_NO_ADDRESS && !may_be_address(kernel, (unsigned)variation->position);
}

// Judges what is varied of one parameter; true if anything was.
static bool judge(Iut *iut, const Kernel *kernel, const BoundsRow *row, unsigned position)
{
  static Plan plan;
  unsigned refused = 0, outside = 0, lost = 0, came_back = 0;
  const Variation *first = NULL;
  char name[64];
  plan.count = 0;
  row->plan(kernel, (int)position, &plan);
  for (unsigned i = 0; i < plan.count && has_time(); ++i) {
    Explored end = explore_call(iut, kernel, new_varied_call, &plan.items[i]);
    refused += end == EXPLORED_REFUSED;
    outside += end == EXPLORED_OUTSIDE || end == EXPLORED_OUTSIDE_RESULT;
    came_back += end == EXPLORED_REFUSED || end == EXPLORED_SERVED;
    const bool gone = is_lost(kernel, &plan.items[i], end);
    lost += gone;
    if ((end == EXPLORED_OUTSIDE || gone) && !first) first = &plan.items[i];
  }
  bool by_value =
      row->by_value && (!row->of_tensors || is_whole(kernel->parameters[position].dtype));
  bool checks = refused > 0 || (!by_value && kernel->parameters[position].checked) || row->stated;
  if (!checks || came_back + outside + lost == 0) return false;
  // Of values that mostly end the process, it may be said elsewhere which do not.
  if (by_value && lost > came_back) return false;
  note("with %s%s", row->what, parameter_name(kernel, position, name));
  if (first) {
    KernelCall *call = new_varied_call(iut, kernel, first);
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
    .title = "a call that varies the example returns, and accesses nothing outside the tensors")
{
  unsigned judged = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (row->of_tensors == is_tensor(kernel, i)) judged += judge(iut, kernel, row, i);
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
    if (!is_tensor(kernel, i) || kernel->parameters[i].device.device_type != kDLCPU) continue;
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
