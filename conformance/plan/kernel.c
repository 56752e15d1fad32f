// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool kernel_takes_spelling(const KernelParameter *parameter, int32_t type_index)
{
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i) {
    const KernelSpelling *spelling = &kernel_spellings[i];
    if (spelling->kind == parameter->kind && spelling->type_index == type_index)
      return !parameter->spellings || (parameter->spellings & spelling->bit);
  }
  return false;
}

// --- On its way ----------------------------------------------------------------------------------

// The parts of a Kernel that are sent: all of it but parameters and elements that it has not.
typedef struct KernelPart {
  size_t at, size;
} KernelPart;

enum { PACKED_PARTS = 4 };

static void parts_of(uint32_t parameters, uint32_t elements, KernelPart parts[PACKED_PARTS])
{
  const size_t behind = offsetof(Kernel, parameters) + sizeof((Kernel *)0)->parameters;
  parts[0] = (KernelPart){0, offsetof(Kernel, parameters)};
  parts[1] = (KernelPart){offsetof(Kernel, parameters), parameters * sizeof(KernelParameter)};
  parts[2] = (KernelPart){behind, offsetof(Kernel, elements) - behind};
  parts[3] = (KernelPart){offsetof(Kernel, elements), elements * sizeof(KernelParameter)};
}

_Static_assert(sizeof(Kernel) == offsetof(Kernel, elements) + sizeof((Kernel *)0)->elements,
               "the elements are the last of a Kernel");

size_t kernel_pack(const Kernel *kernel, void *out)
{
  KernelPart parts[PACKED_PARTS];
  size_t size = 0;
  parts_of(kernel->parameter_count, kernel->element_count, parts);
  for (int i = 0; i < PACKED_PARTS; ++i) {
    memcpy((char *)out + size, (const char *)kernel + parts[i].at, parts[i].size);
    size += parts[i].size;
  }
  return size;
}

bool kernel_unpack(const void *bytes, size_t size, Kernel *kernel)
{
  KernelPart parts[PACKED_PARTS];
  size_t used = 0;
  // The counts first: one is before the parameters, the other one behind them.
  parts_of(0, 0, parts);
  if (size < parts[0].size + parts[2].size) return false;
  memcpy(kernel, bytes, parts[0].size);
  if (kernel->parameter_count > KERNEL_PARAMETERS_MAX) return false;
  parts_of(kernel->parameter_count, 0, parts);
  if (size < parts[0].size + parts[1].size + parts[2].size) return false;
  memcpy((char *)kernel + parts[2].at, (const char *)bytes + parts[0].size + parts[1].size,
         parts[2].size);
  if (kernel->element_count > KERNEL_ELEMENTS_MAX) return false;
  parts_of(kernel->parameter_count, kernel->element_count, parts);
  for (int i = 0; i < PACKED_PARTS; ++i) {
    if (size - used < parts[i].size) return false;
    memcpy((char *)kernel + parts[i].at, (const char *)bytes + used, parts[i].size);
    used += parts[i].size;
  }
  return used == size;
}

void kernel_copy(Kernel *to, const Kernel *from)
{
  KernelPart parts[PACKED_PARTS];
  parts_of(from->parameter_count, from->element_count, parts);
  for (int i = 0; i < PACKED_PARTS; ++i)
    memcpy((char *)to + parts[i].at, (const char *)from + parts[i].at, parts[i].size);
}

// --- Places --------------------------------------------------------------------------------------

size_t kernel_text_length(const KernelParameter *parameter)
{
  return parameter->text_size ? parameter->text_size : strlen(parameter->text);
}

uint32_t kernel_place_count(const Kernel *kernel)
{
  return kernel->parameter_count + kernel->element_count;
}

double kernel_elements(const Kernel *kernel)
{
  double all = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    double count = at->kind == KERNEL_TENSOR;
    for (int32_t k = 0; k < at->rank; ++k) count *= (double)at->shape[k].size;
    all += count;
  }
  return all;
}

const KernelParameter *kernel_place_of(const Kernel *kernel, uint32_t place)
{
  return place < kernel->parameter_count ? &kernel->parameters[place]
                                         : &kernel->elements[place - kernel->parameter_count];
}

KernelParameter *kernel_place(Kernel *kernel, uint32_t place)
{
  return place < kernel->parameter_count ? &kernel->parameters[place]
                                         : &kernel->elements[place - kernel->parameter_count];
}

bool kernel_add_entry(Kernel *kernel, KernelParameter *map, const char *key)
{
  const uint32_t count = map->element_count, first = kernel->element_count;
  if (first + count + 1 > KERNEL_ELEMENTS_MAX) return false;
  memcpy(&kernel->elements[first], &kernel->elements[map->first_element],
         count * sizeof *kernel->elements);
  KernelParameter *added = &kernel->elements[first + count];
  *added = (KernelParameter){.kind = KERNEL_INT, .integer = 1, .type = map->type};
  snprintf(added->name, sizeof added->name, "%s", key);
  map->first_element = first;
  map->element_count = count + 1;
  kernel->element_count = first + count + 1;
  return true;
}

// A key that no entry of the map has. False if it is of another kind than an int or a text.
static bool make_other_key(const Kernel *kernel, const KernelParameter *map, KernelParameter *key)
{
  for (uint32_t i = 0; i < map->element_count; i += 2) {
    const KernelParameter *other = &kernel->elements[map->first_element + i];
    if (other->kind == KERNEL_INT && other->integer >= key->integer)
      key->integer = other->integer + 1;
  }
  if (key->kind == KERNEL_STRING) {
    memset(key->text, 0, sizeof key->text);
    snprintf(key->text, sizeof key->text, "one_more");
    key->text_size = 0;
  }
  return key->kind == KERNEL_INT || key->kind == KERNEL_STRING;
}

bool kernel_add_element(Kernel *kernel, KernelParameter *container)
{
  const uint32_t count = container->element_count, first = kernel->element_count;
  const uint32_t more = container->kind == KERNEL_MAP ? 2 : 1;
  KernelParameter *elements = &kernel->elements[first];
  if (count < more || container->keyed || first + count + more > KERNEL_ELEMENTS_MAX) return false;
  memcpy(elements, &kernel->elements[container->first_element], count * sizeof *elements);
  memcpy(elements + count, elements + count - more, more * sizeof *elements);
  if (more == 2 && !make_other_key(kernel, container, elements + count)) return false;
  container->first_element = first;
  container->element_count = count + more;
  kernel->element_count = first + count + more;
  return true;
}

const KernelParameter *kernel_leader(const Kernel *kernel, uint32_t place)
{
  const KernelParameter *at = kernel_place_of(kernel, place);
  return at->kind == KERNEL_ARRAY && at->element_count > 0 ? &kernel->elements[at->first_element]
                                                           : at;
}

static bool is_within(const KernelParameter *container, uint32_t element)
{
  return element >= container->first_element &&
         element - container->first_element < container->element_count;
}

const KernelParameter *kernel_holder_of(const Kernel *kernel, uint32_t place)
{
  if (place < kernel->parameter_count) return NULL;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (is_within(at, place - kernel->parameter_count)) return at;
  }
  return NULL;
}

// Whether the element is in an array, or in nothing.
static bool is_led(const Kernel *kernel, uint32_t place)
{
  const KernelParameter *container = kernel_holder_of(kernel, place);
  return !container || container->kind == KERNEL_ARRAY;
}

const KernelParameter *kernel_tensor_at(const Kernel *kernel, uint32_t place)
{
  const KernelParameter *leader = kernel_leader(kernel, place);
  if (leader->kind != KERNEL_TENSOR) return NULL;
  if (place >= kernel->parameter_count && is_led(kernel, place)) return NULL;
  return leader;
}

// --- What is known -------------------------------------------------------------------------------

// Whether a value of this kind can be made from the example alone.
static bool has_example(const KernelParameter *parameter)
{
  switch (parameter->kind) {
    case KERNEL_TENSOR:
      return parameter->typed;
    case KERNEL_OBJECT:
      return parameter->optional || parameter->text[0];
    case KERNEL_ANY:
      return parameter->optional;
    default:
      return true;
  }
}

bool kernel_takes_anything(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_ANY || parameter->open;
}

bool kernel_has_example(const Kernel *kernel)
{
  if (!kernel_is_promised(kernel) && !kernel->found) return false;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (!has_example(&kernel->parameters[i])) return false;
  if (kernel_is_promised(kernel)) return true;
  // What takes any memory for a tensor relies on its callers: the example may be a wrong one.
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *tensor = kernel_tensor_at(kernel, i);
    if (tensor && !tensor->checked) return false;
  }
  return true;
}

bool kernel_is_promised(const Kernel *kernel)
{
  return kernel->source == KERNEL_FROM_FILE;
}

static bool has_tensor(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR) return true;
  return false;
}

// What the case needs to be told of the function, and was not; NULL if it knows enough.
static const char *lacking(const Kernel *kernel, unsigned needs)
{
  if ((needs & KERNEL_NEEDS_ARITY) && kernel->source == KERNEL_UNKNOWN)
    return "its signature is unknown (--signatures)";
  // What a function of which a part is known has is asked first.
  if ((needs & KERNEL_NEEDS_TENSOR) && !has_tensor(kernel)) return NULL;
  if ((needs & KERNEL_NEEDS_EXAMPLE) && !kernel_has_example(kernel))
    return "no example of a valid call (--signatures)";
  if ((needs & KERNEL_NEEDS_RUN) && kernel->launches) return "it launches work on a device";
  return NULL;
}

// Why nothing is said of the calls by which the function was asked for its signature.
static const char *no_lost_call(const Kernel *kernel)
{
  static const char *const reasons[] = {
      [KERNEL_LOST_NONE] = "no call that asked for its signature ended the process",
      [KERNEL_LOST_HUNG] =
          "a call that asked for its signature did not return in time, but may wait rightly",
      [KERNEL_LOST_OPEN] =
          "a call that asked for its signature ended the process, but may have been a valid one",
      [KERNEL_LOST_ENDED] = NULL,
  };
  return reasons[kernel->lost];
}

// The property that the case is about and that the function does not have, or NULL.
static const char *missing(const Kernel *kernel, unsigned needs)
{
  if ((needs & KERNEL_NEEDS_TENSOR) && !has_tensor(kernel)) return "it takes no tensor";
  if ((needs & KERNEL_NEEDS_DEVICE) && (!kernel->cuda || kernel->cuda_stands_in))
    return "no real device is used (--device), or the function uses none";
  if ((needs & KERNEL_NEEDS_ACCOUNT) && !kernel->cuda_stands_in)
    return "no stand-in for CUDA is used (--device), or the function uses no device";
  if ((needs & KERNEL_NEEDS_RESULT) &&
      (kernel->result.kind == KERNEL_ANY || kernel->result.kind == KERNEL_NONE))
    return "it returns nothing, or its result type is unknown";
  if ((needs & KERNEL_NEEDS_METADATA) && !kernel->has_metadata)
    return "the module has no metadata for it";
  if ((needs & KERNEL_NEEDS_EXPECTED) && !kernel->expected[0] && !kernel->expects)
    return "no expected result is given (--signatures)";
  if ((needs & KERNEL_NEEDS_OTHER) && !kernel->has_other)
    return "no other build that has it is named (--same-as)";
  if (needs & KERNEL_NEEDS_LOST_CALL) return no_lost_call(kernel);
  return NULL;
}

KernelMeets kernel_meets(const Kernel *kernel, unsigned needs, char *why, size_t capacity)
{
  const char *unknown = lacking(kernel, needs), *other = unknown ? NULL : missing(kernel, needs);
  snprintf(why, capacity, "%s", unknown ? unknown : other ? other : "");
  return unknown ? KERNEL_UNDESCRIBED : other ? KERNEL_NOT_APPLICABLE : KERNEL_MEETS;
}

void kernel_stand_in(KernelParameter *parameter)
{
  parameter->typed = true;
  parameter->role = KERNEL_INOUT;
  parameter->dtype = (DLDataType){kDLFloat, 32, 1};
  parameter->rank = 1;
  parameter->shape[0] = (KernelExtent){.size = 4};
  parameter->device = (DLDevice){kDLCPU, 0};
  parameter->alignment = 1;
}

const KernelDtype kernel_dtypes_tried[KERNEL_DTYPES_TRIED] = {
    {"float32", {kDLFloat, 32, 1}},
    {"int64", {kDLInt, 64, 1}},
    {"int32", {kDLInt, 32, 1}},
    {"float64", {kDLFloat, 64, 1}},
    {"float16", {kDLFloat, 16, 1}},
    {"uint8", {kDLUInt, 8, 1}},
    {"int8", {kDLInt, 8, 1}},
    {"bfloat16", {kDLBfloat, 16, 1}},
    {"bool", {kDLBool, 8, 1}},
    {"int16", {kDLInt, 16, 1}},
    {"uint32", {kDLUInt, 32, 1}},
    {"float8_e4m3fn", {kDLFloat8_e4m3fn, 8, 1}},
    {"float8_e5m2", {kDLFloat8_e5m2, 8, 1}},
    {"float8_e8m0fnu", {kDLFloat8_e8m0fnu, 8, 1}},
    {"uint16", {kDLUInt, 16, 1}},
    {"uint64", {kDLUInt, 64, 1}},
    {"float32x2", {kDLFloat, 32, 2}},
};

void kernel_set_dtype(KernelParameter *parameter, DLDataType dtype)
{
  parameter->dtype = dtype;
  // Whole numbers may be indices: those are right from 0 to an extent.
  bool real = dtype.code != kDLInt && dtype.code != kDLUInt && dtype.code != kDLBool;
  parameter->number = real ? 1 : 0;
}

void kernel_set_rank(KernelParameter *parameter, int32_t rank)
{
  enum { EXTENT = 4 };
  for (int32_t i = parameter->rank; i < rank; ++i)
    parameter->shape[i] = (KernelExtent){.size = EXTENT};
  parameter->rank = rank;
}

bool kernel_counts(const KernelParameter *parameter)
{
  const bool counts = parameter->contents == KERNEL_OFFSETS || parameter->contents == KERNEL_PARTS;
  return counts && parameter->value_count == 0;
}

void kernel_count_extents(Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (at->kind != KERNEL_TENSOR || !kernel_counts(at) || at->counts_place == 0) continue;
    const KernelParameter *counted = kernel_leader(kernel, at->counts_place - 1);
    if (at->counts_axis < counted->rank) at->most = (double)counted->shape[at->counts_axis].size;
  }
}

void kernel_change_dtypes(Kernel *kernel, DLDataType own, DLDataType other)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    bool same = at->dtype.code == own.code && at->dtype.bits == own.bits &&
                at->dtype.lanes == own.lanes && at->kind == KERNEL_TENSOR && at->typed;
    const double number = at->number;
    if (!same) continue;
    kernel_set_dtype(at, other);
    // Different tensors keep different elements, where these are no indices.
    if (at->number == 1 && number > 0) at->number = number;
  }
}

void kernel_change_ranks(Kernel *kernel, int32_t own, int32_t other)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->typed && at->rank == own) kernel_set_rank(at, other);
  }
}

int64_t kernel_extent_size(const KernelExtent *extent)
{
  return (extent->size - extent->more) / (extent->times > 1 ? extent->times : 1);
}

int64_t kernel_extent_of(const KernelExtent *extent, int64_t size)
{
  return size * (extent->times > 1 ? extent->times : 1) + extent->more;
}

bool kernel_is_same_extent(const KernelExtent *one, const KernelExtent *other)
{
  return one->symbol[0] && strcmp(one->symbol, other->symbol) == 0 && one->times == other->times &&
         one->more == other->more;
}

const char *kernel_extent_text(const KernelExtent *extent, char text[KERNEL_EXTENT_TEXT_MAX])
{
  char times[16] = "", more[16] = "";
  if (!extent->symbol[0]) {
    snprintf(text, KERNEL_EXTENT_TEXT_MAX, "%" PRId64, extent->size);
    return text;
  }
  if (extent->times > 1) snprintf(times, sizeof times, "%d*", (int)extent->times);
  if (extent->more) snprintf(more, sizeof more, "+%d", (int)extent->more);
  snprintf(text, KERNEL_EXTENT_TEXT_MAX, "%s%s%s", times, extent->symbol, more);
  return text;
}

KernelExtent *kernel_extent_at(KernelParameter *at, int32_t axis)
{
  const bool number = at->kind == KERNEL_INT && at->shape[0].symbol[0];
  const int32_t count = at->kind == KERNEL_TENSOR ? at->rank : number ? 1 : 0;
  return axis < count ? &at->shape[axis] : NULL;
}

void kernel_take_extent(KernelParameter *at)
{
  if (at->kind == KERNEL_INT && at->shape[0].symbol[0]) at->integer = at->shape[0].size;
}

bool kernel_change_sizes(Kernel *kernel, int64_t times, int64_t more)
{
  bool changed = false;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    KernelExtent *extent;
    for (int32_t k = 0; (extent = kernel_extent_at(at, k)); ++k) {
      if (!extent->symbol[0]) continue;
      extent->size = kernel_extent_of(extent, kernel_extent_size(extent) * times + more);
      changed = true;
    }
    kernel_take_extent(at);
  }
  kernel_count_extents(kernel);
  return changed;
}

void kernel_set_size(Kernel *kernel, const char *symbol, int64_t size)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    KernelExtent *extent;
    for (int32_t k = 0; (extent = kernel_extent_at(at, k)); ++k)
      if (strcmp(extent->symbol, symbol) == 0) extent->size = kernel_extent_of(extent, size);
    kernel_take_extent(at);
  }
  kernel_count_extents(kernel);
}

static bool is_first_of(const Kernel *kernel, uint32_t place, bool by_rank)
{
  const KernelParameter *own = kernel_tensor_at(kernel, place);
  for (uint32_t i = 0; i < place; ++i) {
    const KernelParameter *other = kernel_tensor_at(kernel, i);
    if (other && (by_rank ? other->rank == own->rank
                          : memcmp(&other->dtype, &own->dtype, sizeof own->dtype) == 0))
      return false;
  }
  return true;
}

bool kernel_variant(const Kernel *kernel, unsigned number, Kernel *variant)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *own = kernel_tensor_at(kernel, i);
    if (!own) continue;
    *variant = *kernel;
    for (unsigned k = 0; k < KERNEL_DTYPES_TRIED && is_first_of(kernel, i, false); ++k)
      if ((own->other_dtypes & (1u << k)) && number-- == 0) {
        kernel_change_dtypes(variant, own->dtype, kernel_dtypes_tried[k].dtype);
        return true;
      }
    for (unsigned k = 1; k < KERNEL_RANK_MAX && is_first_of(kernel, i, true); ++k)
      if ((own->other_ranks & (1u << k)) && number-- == 0) {
        kernel_change_ranks(variant, own->rank, (int32_t)k);
        return true;
      }
  }
  return false;
}

static int compare_name(const void *name, const void *kernel)
{
  return strcmp(name, ((const Kernel *)kernel)->name);
}

const char *kernel_label(const Kernel *kernel, char text[KERNEL_LABEL_MAX])
{
  if (kernel->way == 0) return kernel->name;
  snprintf(text, KERNEL_LABEL_MAX, "%s#%u", kernel->name, (unsigned)kernel->way + 1);
  return text;
}

Kernel *kernel_find(const KernelList *list, const char *name)
{
  const size_t count = list->count - list->ways;
  char text[KERNEL_LABEL_MAX];
  for (size_t i = count; i < list->count; ++i)
    if (strcmp(kernel_label(&list->items[i], text), name) == 0) return &list->items[i];
  return count ? bsearch(name, list->items, count, sizeof *list->items, compare_name) : NULL;
}

// An array with room for one more item, which is zero; NULL, and the array as it was, without memory.
static void *with_room(void *array, size_t count, size_t size)
{
  unsigned char *larger = realloc(array, (count + 1) * size);
  if (larger) memset(larger + count * size, 0, size);
  return larger;
}

bool kernel_list_add(KernelList *list, const Kernel *kernel, Signature *signature)
{
  Kernel *items = with_room(list->items, list->count, sizeof *items);
  if (items) list->items = items;
  Signature **signatures =
      list->signatures ? with_room(list->signatures, list->count, sizeof *signatures) : NULL;
  if (signatures) list->signatures = signatures;
  Kernel *lost = list->lost_calls ? with_room(list->lost_calls, list->count, sizeof *lost) : NULL;
  if (lost) list->lost_calls = lost;
  // They are made anew.
  free(list->drafts);
  list->drafts = NULL;
  if (!items || (list->signatures && !signatures) || (list->lost_calls && !lost)) {
    free(signature);
    return false;
  }
  items[list->count++] = *kernel;
  ++list->ways;
  return kernel_list_know(list, list->count - 1, signature);
}

size_t kernel_list_index(const KernelList *list, const Kernel *kernel)
{
  const Kernel *const of[] = {list->items, list->lost_calls, list->drafts};
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i)
    if (of[i] && kernel >= of[i] && kernel < of[i] + list->count) return (size_t)(kernel - of[i]);
  return list->count;
}

void kernel_list_free(KernelList *list)
{
  for (size_t i = 0; list->signatures && i < list->count; ++i) free(list->signatures[i]);
  free(list->signatures);
  free(list->items);
  free(list->lost_calls);
  free(list->drafts);
  *list = (KernelList){0};
}

const Signature *kernel_list_signature(const KernelList *list, size_t index)
{
  return list->signatures ? list->signatures[index] : NULL;
}

bool kernel_list_know(KernelList *list, size_t index, Signature *signature)
{
  if (!list->signatures) list->signatures = calloc(list->count, sizeof(Signature *));
  if (list->signatures) {
    free(list->signatures[index]);
    list->signatures[index] = signature;
  } else {
    free(signature);
  }
  return list->signatures != NULL;
}

uint32_t kernel_list_beside(const KernelList *list, const Kernel *kernel,
                            const Kernel *beside[KERNELS_BESIDE_MAX])
{
  uint32_t count = 0;
  if (!list) return 0;
  // Other ways to call them come behind the functions themselves.
  const size_t functions = list->count - list->ways;
  const Kernel *items = list->drafts ? list->drafts : list->items;
  size_t own = 0;
  while (own < functions && strcmp(list->items[own].name, kernel->name) != 0) ++own;
  for (size_t away = 1; away <= functions && count < KERNELS_BESIDE_MAX; ++away) {
    if (away <= own) beside[count++] = &items[own - away];
    if (own + away < functions && count < KERNELS_BESIDE_MAX) beside[count++] = &items[own + away];
  }
  return count;
}

static bool put_on_cuda(KernelParameter *parameter, uint32_t number)
{
  if (parameter->device.device_type != kDLCUDA) return false;
  parameter->device.device_id = (int32_t)number;
  return true;
}

bool kernel_on_cuda(Kernel *kernel, uint32_t number)
{
  bool has_any = kernel->launches;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    has_any |= put_on_cuda(kernel_place(kernel, i), number);
  if (!has_any) return false;
  kernel->cuda = number + 1;
  kernel->launches = false;
  return true;
}

void kernel_list_on_cuda(KernelList *list, uint32_t number)
{
  for (size_t i = 0; i < list->count; ++i) kernel_on_cuda(&list->items[i], number);
}

bool kernel_list_on_stand_in(KernelList *list)
{
  bool any = false;
  for (size_t i = 0; i < list->count; ++i)
    list->items[i].launches_without = list->items[i].launches;
  kernel_list_on_cuda(list, 0);
  for (size_t i = 0; i < list->count; ++i) {
    list->items[i].cuda_stands_in = list->items[i].cuda != 0;
    any |= list->items[i].cuda_stands_in;
  }
  return any;
}

void kernel_off_stand_in(Kernel *kernel)
{
  kernel->cuda = 0;
  kernel->cuda_stands_in = false;
  kernel->launches = kernel->launches_without;
}

bool kernel_is_same_dtype(DLDataType one, DLDataType other)
{
  return one.code == other.code && one.bits == other.bits && one.lanes == other.lanes;
}
