// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_varied.h"

#include <math.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "kernel/kernel_element.h"
#include "plan/kernel_choice.h"

// --- One call ------------------------------------------------------------------------------------

bool kernel_is_typed_tensor(const Kernel *kernel, unsigned position)
{
  return kernel->parameters[position].kind == KERNEL_TENSOR && kernel->parameters[position].typed;
}

bool kernel_dtype_is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool;
}

bool kernel_varies_shape(VariedPart part)
{
  return part == VARIED_EXTENT || part == VARIED_SYMBOL || part == VARIED_LARGE ||
         part == VARIED_RANK || part == VARIED_TALLER;
}

enum { LARGE_SYMBOLS_MAX = 6 };

// A tensor with a type and a shape, of the arguments or in a container; NULL if it is none.
static const KernelParameter *typed_tensor(const Kernel *kernel, uint32_t place)
{
  const KernelParameter *at = kernel_place_of(kernel, place);
  const bool held = place < kernel->parameter_count || kernel_holder_of(kernel, place);
  return at->kind == KERNEL_TENSOR && at->typed && held ? at : NULL;
}

// The names of extents, each once; how many there are, of which LARGE_SYMBOLS_MAX are written.
static size_t symbols_of(const Kernel *kernel, const char *symbols[LARGE_SYMBOLS_MAX])
{
  size_t count = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = typed_tensor(kernel, i);
    for (int32_t k = 0; at && k < at->rank; ++k) {
      const char *symbol = at->shape[k].symbol;
      bool known = !symbol[0];
      for (size_t n = 0; n < count && n < LARGE_SYMBOLS_MAX; ++n)
        known |= strcmp(symbols[n], symbol) == 0;
      if (known) continue;
      if (count < LARGE_SYMBOLS_MAX) symbols[count] = symbol;
      ++count;
    }
  }
  return count;
}

// Whether each tensor has one dimension.
static bool has_vectors(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = typed_tensor(kernel, i);
    if (at && at->rank > 1) return false;
  }
  return true;
}

// The most extents with names that one tensor has.
static size_t most_in_one(const Kernel *kernel)
{
  size_t most = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = typed_tensor(kernel, i);
    size_t own = 0;
    for (int32_t k = 0; at && k < at->rank; ++k) own += at->shape[k].symbol[0] != '\0';
    if (own > most) most = own;
  }
  return most;
}

// What the names of extents are made, the first first, which are the larger: how many of them are wanted comes behind. NULL
// if there are none, or too many.
static const int64_t *large_sizes(const Kernel *kernel)
{
  enum { FEW = 3 };
  static const int64_t of_few[FEW][LARGE_SYMBOLS_MAX] = {{80021}, {401, 301}, {67, 61, 31}},
                       of_many[FEW][LARGE_SYMBOLS_MAX] = {
                           {80107, 80077, 80071, 80051, 80039, 80021},
                           {197, 193, 191, 181, 179, 173},
                           {43, 41, 37, 31, 29, 23}};
  const char *symbols[LARGE_SYMBOLS_MAX];
  const size_t count = symbols_of(kernel, symbols), own = most_in_one(kernel);
  if (count == 0 || count > LARGE_SYMBOLS_MAX || own > FEW) return NULL;
  if (has_vectors(kernel) || count > FEW) return of_many[own - 1];
  return of_few[(count > own ? count : own) - 1];
}

static int64_t large_extent(const Kernel *kernel, const KernelExtent *extent)
{
  const char *symbols[LARGE_SYMBOLS_MAX];
  const size_t count = symbols_of(kernel, symbols);
  const int64_t *sizes = large_sizes(kernel);
  for (size_t n = 0; n < count && sizes; ++n)
    if (strcmp(symbols[n], extent->symbol) == 0) return kernel_extent_of(extent, sizes[n]);
  return extent->size;
}

bool kernel_make_large(Kernel *kernel)
{
  const double most = 1 << 22;
  int64_t sizes[LARGE_SYMBOLS_MAX];
  const char *symbols[LARGE_SYMBOLS_MAX];
  char names[LARGE_SYMBOLS_MAX][KERNEL_SYMBOL_MAX];
  const int64_t *large = large_sizes(kernel);
  if (!large) return false;
  const size_t count = symbols_of(kernel, symbols);
  memcpy(sizes, large, sizeof sizes);
  for (size_t n = 0; n < count; ++n) snprintf(names[n], sizeof names[n], "%s", symbols[n]);
  for (size_t n = 0; n < count; ++n) kernel_set_size(kernel, names[n], sizes[n]);
  kernel_keep_to_first(kernel);
  return kernel_elements(kernel) <= most;
}

void kernel_keep_to_first(Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (at->kind != KERNEL_TENSOR || !at->typed || !kernel_dtype_is_whole(at->dtype) ||
        at->value_count > 0 || kernel_counts(at))
      continue;
    at->value_count = 1;
    at->values[0] = at->number;
  }
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
    form->shape[k] = same    ? kernel_extent_of(&parameter->shape[k], variation->integer)
                     : alone ? variation->integer
                             : parameter->shape[k].size;
    if (variation->part == VARIED_LARGE)
      form->shape[k] = large_extent(kernel, &parameter->shape[k]);
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

// An integer that is an extent which varies.
static void vary_integer(const Kernel *kernel, const Variation *variation, unsigned position,
                         KernelCall *call)
{
  const KernelParameter *own = &kernel->parameters[position];
  const KernelExtent *extent = &own->shape[0];
  if (own->kind != KERNEL_INT || !extent->symbol[0]) return;
  if (variation->part == VARIED_LARGE)
    call->values[position].v_int64 = large_extent(kernel, extent);
  if (variation->part != VARIED_SYMBOL) return;
  const KernelParameter *other = &kernel->parameters[variation->position];
  if (strcmp(extent->symbol, other->shape[variation->axis].symbol) == 0)
    call->values[position].v_int64 = kernel_extent_of(extent, variation->integer);
}

// Offsets and parts, made for the extents that vary.
static KernelParameter count_varied(const Kernel *kernel, const Variation *variation,
                                    unsigned position, const TensorForm *form)
{
  KernelParameter made = kernel->parameters[position];
  TensorForm counted = {0};
  made.rank = form->extents;
  for (int32_t k = 0; k < form->extents; ++k) made.shape[k].size = form->shape[k];
  if (made.counts_place == 0 || made.counts_place > kernel->parameter_count) return made;
  vary_shape(kernel, variation, made.counts_place - 1, &counted);
  if (made.counts_axis < counted.extents) made.most = (double)counted.shape[made.counts_axis];
  return made;
}

// Whole numbers may be indices, which have to fit the extents: where these vary, all are the first
// of the example, but for offsets and parts. Where other elements are wanted, those of the example with one or all set.
static unsigned char *vary_elements(const Kernel *kernel, const Variation *variation,
                                    unsigned position, const TensorForm *form)
{
  const KernelParameter made = count_varied(kernel, variation, position, form);
  const KernelParameter *parameter = &made;
  const bool large = variation->part == VARIED_LARGE && !kernel_dtype_is_whole(parameter->dtype);
  bool own = large || (variation->part == VARIED_ELEMENT && (int)position == variation->position);
  DLDataType dtype = form->has_dtype ? form->dtype : parameter->dtype;
  int64_t bits = (int64_t)dtype.bits * dtype.lanes, count = 1;
  bool fits = (variation->keeps_elements || !kernel_varies_shape(variation->part)) &&
              !(variation->part == VARIED_DTYPE && variation->axis == 1);
  if (!own && (fits || !kernel_dtype_is_whole(parameter->dtype))) return NULL;
  for (int32_t k = 0; k < form->extents; ++k) count *= form->shape[k];
  unsigned char *elements = fenced_buffer("elements", (size_t)(count * bits + 7) / 8);
  // Those that are not chosen, of which the first are worked out; then those that are.
  const int64_t places[] = {0, count - 1, -1, count / 2};
  const bool all = own && places[variation->axis] < 0;
  const bool same = kernel_dtype_is_whole(parameter->dtype) && !own && !kernel_counts(parameter);
  size_t first = all || same ? 1 : kernel_element_period(parameter);
  if (first == 0 || first > (size_t)count) first = (size_t)count;
  for (size_t i = 0; i < first; ++i)
    kernel_element_write(elements, (int64_t)i * bits, dtype,
                         all    ? variation->number
                         : same ? parameter->number
                                : (double)kernel_element_of(parameter, i));
  kernel_elements_repeat(elements, (size_t)bits, first, (size_t)count);
  if (own && !all && count > 0)
    kernel_element_write(elements, places[variation->axis] * bits, dtype, variation->number);
  return elements;
}

KernelCall *kernel_varied_call(Iut *iut, const Kernel *kernel, const void *context)
{
  const Variation *variation = context;
  KernelCall *call = new_call_without(iut, kernel, kernel_is_typed_tensor);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!kernel_is_typed_tensor(kernel, i)) continue;
    TensorForm form = {.at_end = !variation->at_start, .at_start = variation->at_start};
    vary_shape(kernel, variation, i, &form);
    form.has_dtype = variation->part == VARIED_DTYPE && (int)i == variation->position;
    form.dtype = variation->dtype;
    form.elements = vary_elements(kernel, variation, i, &form);
    call_with_tensor(call, i, &form);
  }
  for (unsigned i = 0; i < kernel->parameter_count; ++i) vary_integer(kernel, variation, i, call);
  if (variation->part == VARIED_NONE) call->values[variation->position] = any_none();
  if (variation->part == VARIED_TYPE) call->values[variation->position].v_dtype = variation->dtype;
  if (variation->part == VARIED_DEVICE)
    call->values[variation->position].v_device = (DLDevice){.device_type = kDLCUDA};
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

static void add(Variations *variations, Variation variation)
{
  for (int at_start = 0; at_start < 2; ++at_start) {
    variation.at_start = at_start;
    if (variations->count < VARIATIONS_MAX) variations->items[variations->count++] = variation;
  }
}

void kernel_vary_nothing(const Kernel *kernel, int position, Variations *variations)
{
  (void)kernel;
  add(variations, (Variation){.part = VARIED_NOTHING, .position = position});
}

// Whether another tensor holds whole numbers: none of them fits an extent of 0.
static bool has_indices_into(const Kernel *kernel, int position)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if ((int)i != position && kernel_is_typed_tensor(kernel, i) &&
        kernel_dtype_is_whole(kernel->parameters[i].dtype))
      return true;
  return false;
}

void kernel_vary_extents(const Kernel *kernel, int position, Variations *variations)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  for (int32_t k = 0; k < parameter->rank; ++k) {
    int64_t size = parameter->shape[k].size;
    const int64_t sizes[] = {size + 1, size - 1, 1, 2 * size, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
      if (sizes[i] != size && (sizes[i] > 0 || !has_indices_into(kernel, position)))
        add(variations,
            (Variation){
                .part = VARIED_EXTENT, .position = position, .axis = k, .integer = sizes[i]});
  }
}

// Whether tensors stay small where all extents of this name are so large.
static bool stays_small(const Kernel *kernel, const char *symbol, int64_t size)
{
  enum { ELEMENTS_MOST = 1 << 20 };
  double all = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    double count = at->kind == KERNEL_TENSOR;
    for (int32_t k = 0; k < at->rank; ++k)
      count *=
          (double)(strcmp(at->shape[k].symbol, symbol) == 0 ? kernel_extent_of(&at->shape[k], size)
                                                            : at->shape[k].size);
    all += count;
  }
  return all <= ELEMENTS_MOST;
}

void kernel_vary_symbols(const Kernel *kernel, int position, Variations *variations)
{
  static const int64_t sizes[] = {1, 2, 3, 5, 7, 33, 257, 0};
  const KernelParameter *parameter = &kernel->parameters[position];
  for (int32_t k = 0; k < parameter->rank; ++k)
    for (size_t i = 0; parameter->shape[k].symbol[0] && i < sizeof sizes / sizeof *sizes; ++i)
      if ((sizes[i] > 0 || !has_indices_into(kernel, position)) &&
          (sizes[i] < 257 || stays_small(kernel, parameter->shape[k].symbol, sizes[i])))
        add(variations,
            (Variation){
                .part = VARIED_SYMBOL, .position = position, .axis = k, .integer = sizes[i]});
}

void kernel_vary_large(const Kernel *kernel, int position, Variations *variations)
{
  static const double numbers[] = {1, NAN};
  const bool any = large_sizes(kernel) != NULL;
  for (int i = 0; i < position; ++i)
    if (kernel_is_typed_tensor(kernel, (unsigned)i)) return;  // once is enough
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (any)
      add(variations,
          (Variation){.part = VARIED_LARGE, .position = position, .axis = 2, .number = numbers[i]});
}

void kernel_vary_ranks(const Kernel *kernel, int position, Variations *variations)
{
  int32_t rank = kernel->parameters[position].rank;
  for (int32_t other = 0; other <= rank + 1 && other < KERNEL_RANK_MAX; ++other)
    if (other != rank)
      add(variations, (Variation){.part = VARIED_RANK, .position = position, .integer = other});
  for (int64_t size = 1; size <= 3 && rank + 1 < KERNEL_RANK_MAX; ++size)
    add(variations, (Variation){.part = VARIED_TALLER, .position = position, .integer = size});
}

void kernel_vary_dtypes(const Kernel *kernel, int position, Variations *variations)
{
  static const DLDataType dtypes[] = {{kDLInt, 8, 1},  {kDLUInt, 8, 1},  {kDLFloat, 16, 1},
                                      {kDLInt, 16, 1}, {kDLInt, 32, 1},  {kDLFloat, 32, 1},
                                      {kDLInt, 64, 1}, {kDLFloat, 64, 1}};
  DLDataType own = kernel->parameters[position].dtype;
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
    for (int32_t same = 0; same < 2 && memcmp(&own, &dtypes[i], sizeof own) != 0; ++same)
      add(variations,
          (Variation){
              .part = VARIED_DTYPE, .position = position, .axis = same, .dtype = dtypes[i]});
}

static void add_elements(Variations *variations, int position, double number)
{
  for (int32_t which = 0; which < 4; ++which)
    add(variations,
        (Variation){.part = VARIED_ELEMENT, .position = position, .axis = which, .number = number});
}

// Those next to a limit.
static void add_limit(Variations *variations, int position, int64_t limit)
{
  add_elements(variations, position, (double)limit);
  add_elements(variations, position, (double)limit + 1);
}

// Of indices, those next to the extents of the other tensors, and to products of these.
void kernel_vary_elements(const Kernel *kernel, int position, Variations *variations)
{
  if (!kernel_dtype_is_whole(kernel->parameters[position].dtype)) {
    static const double numbers[] = {0, -1, NAN, INFINITY, 1000};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
      add_elements(variations, position, numbers[i]);
    return;
  }
  int64_t last = 0;
  add_elements(variations, position, -1);
  add_elements(variations, position, -2);
  add_elements(variations, position, 1000000);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (int32_t k = 0; kernel_is_typed_tensor(kernel, i) && k < kernel->parameters[i].rank; ++k) {
      int64_t size = kernel->parameters[i].shape[k].size;
      if (size == last) continue;
      add_limit(variations, position, size);
      last = size;
    }
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *other = &kernel->parameters[i];
    if (kernel_is_typed_tensor(kernel, i) && other->rank > 1 && (int)i != position)
      add_limit(variations, position, other->shape[0].size * other->shape[1].size);
  }
  // Whose numbers are cut, or have no opposite.
  add_elements(variations, position, -2147483648.0);
  add_elements(variations, position, 4294967296.0);
}

void kernel_vary_numbers(const Kernel *kernel, int position, Variations *variations)
{
  static const int64_t integers[] = {
      0, -1, 1, 2, 3, 4, 5, 6, 7, 8, -2, -3, -5, 100, INT64_C(1) << 31, INT64_MIN};
  static const double numbers[] = {0, -1, 0.5, 2, NAN, INFINITY};
  if (kernel->parameters[position].kind == KERNEL_INT)
    for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i)
      add(variations,
          (Variation){.part = VARIED_NUMBER, .position = position, .integer = integers[i]});
  if (kernel->parameters[position].kind == KERNEL_FLOAT)
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
      add(variations,
          (Variation){.part = VARIED_NUMBER, .position = position, .number = numbers[i]});
}

void kernel_vary_texts(const Kernel *kernel, int position, Variations *variations)
{
  enum { LONG = 5000 };
  static char text[LONG];
  static TVMFFIByteArray texts[6];
  const KernelParameter *parameter = &kernel->parameters[position];
  const size_t size = kernel_text_length(parameter);
  if (parameter->kind != KERNEL_STRING && parameter->kind != KERNEL_BYTES) return;
  // The example, then as many letters as there is room for.
  memset(text, 'x', sizeof text);
  memcpy(text, parameter->text, size);
  const TVMFFIByteArray all[] = {{text, 0},        {text, LONG},     {text + size, LONG - size},
                                 {text, size / 2}, {text, size + 1}, {"\xc3\xbf\xc3\xbe", 4}};
  memcpy(texts, all, sizeof texts);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    add(variations, (Variation){.part = VARIED_TEXT, .position = position, .text = &texts[i]});
}

void kernel_vary_types(const Kernel *kernel, int position, Variations *variations)
{
  if (kernel->parameters[position].kind != KERNEL_DTYPE) return;
  for (size_t i = 0; i < KERNEL_DTYPES_TRIED; ++i)
    add(variations,
        (Variation){
            .part = VARIED_TYPE, .position = position, .dtype = kernel_dtypes_tried[i].dtype});
}

void kernel_vary_device(const Kernel *kernel, int position, Variations *variations)
{
  if (kernel->parameters[position].kind == KERNEL_DEVICE && !kernel->cuda)
    add(variations, (Variation){.part = VARIED_DEVICE, .position = position});
}

void kernel_vary_none(const Kernel *kernel, int position, Variations *variations)
{
  if (kernel->parameters[position].optional)
    add(variations, (Variation){.part = VARIED_NONE, .position = position});
}

bool kernel_with_other_data(const Kernel *kernel, Kernel *other)
{
  bool changed = false;
  kernel_copy(other, kernel);
  for (uint32_t i = 0; i < kernel->parameter_count + kernel->element_count; ++i) {
    KernelParameter *parameter = i < kernel->parameter_count
                                     ? &other->parameters[i]
                                     : &other->elements[i - kernel->parameter_count];
    if (parameter->kind != KERNEL_TENSOR || !parameter->typed ||
        !kernel_role_is_read(parameter->role))
      continue;
    const bool whole = parameter->dtype.code == kDLInt || parameter->dtype.code == kDLUInt;
    const bool rising = parameter->contents == KERNEL_RISING && parameter->value_count == 0;
    // Integers that nothing limits may be places in other tensors.
    if (parameter->contents == KERNEL_FROM_NPY || (rising && whole)) continue;
    parameter->seed += 5;
    if (rising) parameter->number += 3;
    changed = true;
  }
  return changed;
}
