// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_vary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_refusal.h"

enum { EXTENT = 4, RANKS_MOST = 4 };

typedef struct Varying {
  ProbeCall *make;
  void *context;
} Varying;

static bool is_served(const Varying *varying, const Kernel *call)
{
  ProbeAnswer answer;
  return varying->make(varying->context, call, &answer) && answer.code == 0;
}

static bool is_refused(const Varying *varying, const Kernel *call)
{
  ProbeAnswer answer;
  return varying->make(varying->context, call, &answer) && answer.code != 0;
}

// --- Tensors, those in an array as one -----------------------------------------------------------

static void put(Kernel *call, uint32_t place, const KernelParameter *tensor)
{
  KernelParameter *at = kernel_place(call, place);
  if (at->kind != KERNEL_ARRAY) *at = *tensor;
  for (uint32_t i = 0; at->kind == KERNEL_ARRAY && i < at->element_count; ++i)
    call->elements[at->first_element + i] = *tensor;
}

static void set_checked(Kernel *call, uint32_t place, bool checked)
{
  KernelParameter tensor = *kernel_tensor_at(call, place);
  tensor.checked = checked;
  put(call, place, &tensor);
}

// --- What is checked -----------------------------------------------------------------------------

// Whether the function refuses the call with another tensor in this place.
static bool is_checked(const Varying *varying, const Kernel *found, uint32_t place)
{
  const KernelParameter own = *kernel_tensor_at(found, place);
  KernelParameter tensor = own;
  Kernel call = *found;
  for (size_t i = 0; i < KERNEL_DTYPES_TRIED; ++i) {
    tensor.dtype = kernel_dtypes_tried[i].dtype;
    put(&call, place, &tensor);
    if (memcmp(&own.dtype, &tensor.dtype, sizeof own.dtype) != 0 && is_refused(varying, &call))
      return true;
  }
  for (int32_t rank = own.rank + 1; rank >= own.rank - 1; rank -= 2) {
    tensor = own;
    if (rank < 0 || rank >= KERNEL_RANK_MAX) continue;
    kernel_set_rank(&tensor, rank);
    put(&call, place, &tensor);
    if (is_refused(varying, &call)) return true;
  }
  for (int32_t k = 0; k < own.rank; ++k) {
    tensor = own;
    ++tensor.shape[k].size;
    put(&call, place, &tensor);
    if (is_refused(varying, &call)) return true;
  }
  return false;
}

// --- Which extents vary together -----------------------------------------------------------------

// A dimension of a tensor.
typedef struct Dimension {
  uint32_t place;
  int32_t axis;
  bool known;
} Dimension;

enum { DIMENSIONS_MAX = 31, DIMENSIONS_FEW = 16 };  // (as bits)

static KernelExtent extent_of(const Kernel *call, const Dimension *dimension)
{
  return kernel_tensor_at(call, dimension->place)->shape[dimension->axis];
}

static void set_extent(Kernel *call, const Dimension *dimension, const KernelExtent *extent)
{
  KernelParameter tensor = *kernel_tensor_at(call, dimension->place);
  tensor.shape[dimension->axis] = *extent;
  put(call, dimension->place, &tensor);
}

static size_t list_dimensions(const Kernel *call, Dimension dimensions[DIMENSIONS_MAX])
{
  size_t count = 0;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    const KernelParameter *tensor = kernel_tensor_at(call, i);
    for (int32_t k = 0; tensor && k < tensor->rank && count < DIMENSIONS_MAX; ++k)
      dimensions[count++] = (Dimension){i, k, false};
  }
  return count;
}

// Whole numbers may be places in another tensor, where more of them, rising, do not fit: has each be
// the first. False if no tensor has any.
static bool keep_to_first(Kernel *call)
{
  bool any = false;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    const KernelParameter *at = kernel_tensor_at(call, i);
    const bool whole = at && (at->dtype.code == kDLInt || at->dtype.code == kDLUInt);
    if (!whole || at->value_count > 0 || kernel_counts(at)) continue;
    KernelParameter tensor = *at;
    tensor.value_count = 1;
    tensor.values[0] = tensor.number;
    put(call, i, &tensor);
    any = true;
  }
  return any;
}

// Dimensions that vary together with the first one, itself among them, as bits; 0 if none are found.
typedef unsigned FindGroup(const Varying *varying, const Kernel *found, const Dimension *dimensions,
                           size_t count, size_t first);

// The least extent of these dimensions, as bits: the others may be one more (offsets), or a multiple.
static int64_t least_of(const Kernel *call, const Dimension *dimensions, size_t count,
                        unsigned which)
{
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < count; ++i) {
    const int64_t size = extent_of(call, &dimensions[i]).size;
    if ((which & (1u << i)) && size < least) least = size;
  }
  return least;
}

static bool is_one_more(int64_t size, int64_t least)
{
  return least > 1 && size == least + 1;
}

static void set_twice_as_long(Kernel *call, const Dimension *dimensions, size_t count,
                              unsigned which)
{
  const int64_t least = least_of(call, dimensions, count, which);
  for (size_t i = 0; i < count; ++i) {
    KernelExtent extent = extent_of(call, &dimensions[i]);
    extent.size = 2 * extent.size - is_one_more(extent.size, least);
    if (which & (1u << i)) set_extent(call, &dimensions[i], &extent);
  }
  kernel_count_extents(call);
}

// Whether the call is served with each of these dimensions, as bits, twice as long. What is one more than the least
// of them stays one more.
static bool vary(const Varying *varying, const Kernel *found, const Dimension *dimensions,
                 size_t count, unsigned which)
{
  Kernel call = *found;
  set_twice_as_long(&call, dimensions, count, which);
  return is_served(varying, &call) || (keep_to_first(&call) && is_served(varying, &call));
}

static void name_group(Kernel *found, Dimension *dimensions, size_t count, unsigned which,
                       unsigned number)
{
  const int64_t least = least_of(found, dimensions, count, which);
  for (size_t i = 0; i < count; ++i)
    if (which & (1u << i)) {
      KernelExtent extent = extent_of(found, &dimensions[i]);
      snprintf(extent.symbol, sizeof extent.symbol, "n%u", number);
      extent.more = is_one_more(extent.size, least);
      extent.times = 0;
      if (!extent.more && least > 0 && extent.size > least && extent.size % least == 0)
        extent.times = (int32_t)(extent.size / least);
      set_extent(found, &dimensions[i], &extent);
      dimensions[i].known = true;
    }
}

// How many dimensions come behind this one.
static int32_t behind(const Kernel *call, const Dimension *dimension)
{
  return kernel_tensor_at(call, dimension->place)->rank - dimension->axis;
}

// The dimensions from the first one on that are not known yet and so long.
static unsigned of_extents(const Kernel *found, const Dimension *dimensions, size_t count,
                           size_t first, int64_t least, int64_t most)
{
  unsigned group = 0;
  for (size_t i = first; i < count; ++i) {
    const int64_t size = extent_of(found, &dimensions[i]).size;
    if (!dimensions[i].known && size >= least && size <= most) group |= 1u << i;
  }
  return group;
}

// All of the size of the first one; or with those that are one more, or where it is one more than the others itself. 0
// if the call is refused with all of them.
static unsigned find_all(const Varying *varying, const Kernel *found, const Dimension *dimensions,
                         size_t count, size_t first)
{
  const int64_t size = extent_of(found, &dimensions[first]).size;
  const unsigned equal = of_extents(found, dimensions, count, first, size, size);
  unsigned aligned = 0;
  for (size_t i = first; i < count; ++i)
    if ((equal & 1u << i) && behind(found, &dimensions[i]) == behind(found, &dimensions[first]))
      aligned |= 1u << i;
  if (vary(varying, found, dimensions, count, aligned)) return aligned;
  if (vary(varying, found, dimensions, count, equal)) return equal;
  for (int64_t least = size; least >= size - 1; --least) {
    const unsigned group = of_extents(found, dimensions, count, first, least, least + 1);
    if (group != equal && vary(varying, found, dimensions, count, group)) return group;
  }
  return 0;
}

// All dimensions that have to be as long as the first one, however many: of all that are not known yet, or of
// those with as many behind them, the ones without which the call is refused.
static unsigned find_large_group(const Varying *varying, const Kernel *found,
                                 const Dimension *dimensions, size_t count, size_t first)
{
  unsigned group = find_all(varying, found, dimensions, count, first);
  for (size_t i = first + 1; i < count; ++i)
    if ((group & 1u << i) && vary(varying, found, dimensions, count, group & ~(1u << i)))
      group &= ~(1u << i);
  return group;
}

// The first dimension, and one that has to be as long, if there is one, as bits; 0 if none is found with which it can be
// longer.
static unsigned find_pair(const Varying *varying, const Kernel *found, const Dimension *dimensions,
                          size_t count, size_t first)
{
  const unsigned own = 1u << first;
  if (vary(varying, found, dimensions, count, own)) return own;
  for (size_t i = first + 1; i < count; ++i)
    if (!dimensions[i].known && vary(varying, found, dimensions, count, own | 1u << i))
      return own | 1u << i;
  return 0;
}

// The same with two that have to be as long. Of many dimensions that would take too many calls.
static unsigned find_triple(const Varying *varying, const Kernel *found,
                            const Dimension *dimensions, size_t count, size_t first)
{
  const unsigned own = 1u << first;
  for (size_t i = first + 1; i < count && count <= DIMENSIONS_FEW; ++i)
    for (size_t k = i + 1; k < count; ++k) {
      bool apart = dimensions[i].place != dimensions[k].place &&
                   dimensions[i].place != dimensions[first].place;
      if (apart && !dimensions[i].known && !dimensions[k].known &&
          vary(varying, found, dimensions, count, own | 1u << i | 1u << k))
        return own | 1u << i | 1u << k;
    }
  return 0;
}

// What the call is refused with where each of these dimensions is twice as long, whole numbers being the first or not; false
// if it is served, or does not come back.
static bool refusal_of(const Varying *varying, const Kernel *found, const Dimension *dimensions,
                       size_t count, unsigned which, ProbeAnswer *answer)
{
  Kernel call = *found;
  set_twice_as_long(&call, dimensions, count, which);
  *answer = (ProbeAnswer){0};
  if (!varying->make(varying->context, &call, answer) || answer->code == 0) return false;
  return !keep_to_first(&call) || !is_served(varying, &call);
}

// Whether the words name the dimension `axis`, and this extent.
static bool names_extent(const char *words, int32_t axis, int64_t size)
{
  static const char *const leads[] = {"dimension ", "axis ", "dim "};
  double numbers[REFUSAL_NUMBERS_MAX];
  const size_t count = refusal_numbers(words, numbers);
  char *end;
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i) {
    const char *at = strcasestr(words, leads[i]);
    if (!at || strtol(at + strlen(leads[i]), &end, 10) != axis || end == at + strlen(leads[i]))
      continue;
    for (size_t k = 0; k < count; ++k)
      if (numbers[k] == (double)size) return true;
  }
  return false;
}

// Whether the words list the extents that the tensor of a dimension has where each of `group` is twice as long, and others
// that it has to have, or one of them, of which this one is as long as it is with the group.
static bool is_asked_for(const Kernel *found, const Dimension *dimensions, size_t count,
                         unsigned group, size_t which, const char *words)
{
  const Dimension *own = &dimensions[which];
  Kernel call = *found, with = *found;
  set_twice_as_long(&call, dimensions, count, group);
  set_twice_as_long(&with, dimensions, count, group | 1u << which);
  const KernelParameter *tensor = kernel_tensor_at(&call, own->place);
  const int64_t size = extent_of(&with, own).size;
  int64_t extents[2][KERNEL_RANK_MAX];
  unsigned lists = 0;
  while (lists < 2 && refusal_list(words, lists, extents[lists], KERNEL_RANK_MAX) == tensor->rank)
    ++lists;
  for (unsigned k = 0; k < lists; ++k) {
    bool same = true;
    for (int32_t i = 0; i < tensor->rank; ++i) same &= extents[k][i] == tensor->shape[i].size;
    if (same && lists == 2) return extents[1 - k][own->axis] == size;
    if (same) return names_extent(words, own->axis, size);
  }
  return false;
}

// Whether offsets or parts in the group count this dimension.
static bool is_counted(const Kernel *found, const Dimension *dimensions, size_t count,
                       unsigned group, size_t which)
{
  for (size_t i = 0; i < count; ++i) {
    const KernelParameter *at = kernel_tensor_at(found, dimensions[i].place);
    if ((group & 1u << i) && kernel_counts(at) && at->counts_place == dimensions[which].place + 1 &&
        at->counts_axis == dimensions[which].axis)
      return true;
  }
  return false;
}

// A dimension with those that vary together with it, as far as that is known.
static unsigned with_own_group(const Kernel *found, const Dimension *dimensions, size_t count,
                               size_t which)
{
  const KernelExtent own = extent_of(found, &dimensions[which]);
  unsigned group = 1u << which;
  for (size_t i = 0; i < count && own.symbol[0]; ++i) {
    const KernelExtent extent = extent_of(found, &dimensions[i]);
    if (strcmp(extent.symbol, own.symbol) == 0) group |= 1u << i;
  }
  return group;
}

// The same of any number of dimensions, where each that is missing has words of its own: one is added
// that leads to other words, which are not those of the first alone, until the call is served. Those that the words ask
// for come first, then what offsets count; the others only where `any` is set.
static unsigned find_by_words(const Varying *varying, const Kernel *found,
                              const Dimension *dimensions, size_t count, size_t first, bool any)
{
  const size_t classes = any ? 3 : 2;
  const int64_t size = extent_of(found, &dimensions[first]).size;
  unsigned group = 1u << first;
  ProbeAnswer heard, answer;
  char begun[sizeof heard.message];
  if (!refusal_of(varying, found, dimensions, count, group, &heard)) return 0;
  snprintf(begun, sizeof begun, "%s", heard.message);
  for (bool added = true; added;) {
    added = false;
    for (size_t turn = 0; turn < classes * count && !added; ++turn) {
      const size_t i = turn % count;
      const unsigned with = group | with_own_group(found, dimensions, count, i);
      const int64_t other = extent_of(found, &dimensions[i]).size;
      const bool counted = is_counted(found, dimensions, count, group, i);
      if (with == group || (dimensions[i].known && !counted) ||
          (other != size && !is_one_more(other, size)) ||
          dimensions[i].place == dimensions[first].place)
        continue;
      const bool asked = is_asked_for(found, dimensions, count, group, i, heard.message);
      if (turn / count != (asked ? 0u : counted ? 1u : 2u)) continue;
      if (!refusal_of(varying, found, dimensions, count, with, &answer)) {
        if (vary(varying, found, dimensions, count, with)) return with;
        continue;
      }
      if (strcmp(answer.message, heard.message) == 0 || strcmp(answer.message, begun) == 0)
        continue;
      group = with;
      heard = answer;
      added = true;
    }
  }
  return 0;
}

static unsigned find_asked_group(const Varying *varying, const Kernel *found,
                                 const Dimension *dimensions, size_t count, size_t first)
{
  return find_by_words(varying, found, dimensions, count, first, false);
}

static unsigned find_heard_group(const Varying *varying, const Kernel *found,
                                 const Dimension *dimensions, size_t count, size_t first)
{
  return find_by_words(varying, found, dimensions, count, first, true);
}

// The call with another size for each symbol.
static void set_apart(Kernel *call, const Dimension *dimensions, size_t count)
{
  static const int64_t sizes[] = {EXTENT, EXTENT + 2, EXTENT + 1, EXTENT - 1};
  for (size_t i = 0; i < count; ++i) {
    const KernelExtent extent = extent_of(call, &dimensions[i]);
    const unsigned number = (unsigned)atoi(extent.symbol + (extent.symbol[0] != '\0'));
    if (extent.symbol[0] && kernel_extent_size(&extent) == EXTENT)
      kernel_set_size(call, extent.symbol, sizes[number % 4]);
  }
  kernel_count_extents(call);
}

// The same where offsets or parts count another extent than the first one of this size.
static bool set_apart_by_other(const Varying *varying, const Kernel *found, Kernel *call,
                               const Dimension *dimensions, size_t count)
{
  for (uint32_t i = 0; i < kernel_place_count(found); ++i) {
    const KernelParameter *at = kernel_place_of(found, i);
    if (at->kind != KERNEL_TENSOR || !kernel_counts(at) || at->counts_place == 0) continue;
    for (size_t k = 0; k < count; ++k) {
      if (dimensions[k].place == i || (double)extent_of(found, &dimensions[k]).size != at->most)
        continue;
      *call = *found;
      kernel_place(call, i)->counts_place = dimensions[k].place + 1;
      kernel_place(call, i)->counts_axis = dimensions[k].axis;
      set_apart(call, dimensions, count);
      call->found = true;
      if (is_served(varying, call)) return true;
    }
  }
  return false;
}

// Different extents tell rows from columns: taken where such a call is served, too, and reads
// nothing behind its tensors.
static void tell_apart(const Varying *varying, Kernel *found, const Dimension *dimensions,
                       size_t count)
{
  Kernel call = *found;
  set_apart(&call, dimensions, count);
  call.found = true;
  if (is_served(varying, &call) || set_apart_by_other(varying, found, &call, dimensions, count))
    memcpy(found, &call, sizeof call);
  // So do different elements: a copy of equal ones is nothing that can be seen.
  call = *found;
  for (uint32_t i = 0; i < kernel_place_count(&call); ++i) {
    KernelParameter *at = kernel_place(&call, i);
    if (at->kind == KERNEL_TENSOR && at->number == 1) at->number += i;
  }
  if (is_served(varying, &call)) memcpy(found, &call, sizeof call);
  call = *found;
  bool texts = false;
  for (uint32_t i = 0; i < call.element_count; ++i) {
    KernelParameter *at = &call.elements[i];
    if ((at->kind != KERNEL_STRING && at->kind != KERNEL_BYTES) || at->text[0]) continue;
    snprintf(at->text, sizeof at->text, "%c", 'a' + (int)(i % 26));
    texts = true;
  }
  if (texts && is_served(varying, &call)) memcpy(found, &call, sizeof call);
}

// --- Integers that are extents -------------------------------------------------------------------

// Whether the call is served with these dimensions, as bits, and an integer twice as large: as it is, or with all
// extents so that have names.
static bool vary_with_integer(const Varying *varying, const Kernel *found,
                              const Dimension *dimensions, size_t count, unsigned which,
                              uint32_t integer)
{
  for (int named = 0; named < 2; ++named) {
    Kernel call = *found;
    set_twice_as_long(&call, dimensions, count, which);
    if (named && !kernel_change_sizes(&call, 2, 0)) return false;
    call.parameters[integer].integer *= 2;
    if (is_served(varying, &call) || (keep_to_first(&call) && is_served(varying, &call)))
      return true;
  }
  return false;
}

// The dimensions that have to be as long as an integer, of those that are; 0 if it can be larger without them, or with none.
static unsigned find_group_of_integer(const Varying *varying, const Kernel *found,
                                      const Dimension *dimensions, size_t count, uint32_t integer)
{
  const int64_t size = found->parameters[integer].integer;
  unsigned group = of_extents(found, dimensions, count, 0, size, size);
  if (!group || vary_with_integer(varying, found, dimensions, count, 0, integer)) return 0;
  if (!vary_with_integer(varying, found, dimensions, count, group, integer)) {
    for (size_t i = 0; i < count; ++i)
      if ((group & 1u << i) &&
          vary_with_integer(varying, found, dimensions, count, 1u << i, integer))
        return 1u << i;
    return 0;
  }
  for (size_t i = 0; i < count; ++i)
    if ((group & 1u << i) &&
        vary_with_integer(varying, found, dimensions, count, group & ~(1u << i), integer))
      group &= ~(1u << i);
  return group;
}

// Extents that can't be others alone may be with an integer that is as large: `k`, and that of the `k` greatest.
static void find_integers(const Varying *varying, Kernel *found, Dimension *dimensions,
                          size_t count, unsigned number)
{
  enum { LEAST = 2 };
  for (uint32_t i = 0; i < found->parameter_count; ++i) {
    KernelParameter *at = &found->parameters[i];
    if (at->kind != KERNEL_INT || at->integer < LEAST) continue;
    const unsigned group = find_group_of_integer(varying, found, dimensions, count, i);
    if (!group) continue;
    name_group(found, dimensions, count, group, number);
    at->shape[0] = (KernelExtent){.size = at->integer};
    snprintf(at->shape[0].symbol, sizeof at->shape[0].symbol, "n%u", number++);
  }
}

static void find_symbols(const Varying *varying, Kernel *found)
{
  Dimension dimensions[DIMENSIONS_MAX];
  size_t count = list_dimensions(found, dimensions);
  // Small groups first, and those that words tell: what is left is in large ones.
  static FindGroup *const turns[] = {find_pair, find_asked_group, find_triple, find_large_group,
                                     find_heard_group};
  unsigned number = 0;
  for (size_t turn = 0; turn < sizeof turns / sizeof *turns; ++turn)
    for (size_t i = 0; i < count; ++i) {
      if (dimensions[i].known) continue;
      const unsigned group = turns[turn](varying, found, dimensions, count, i);
      if (group) name_group(found, dimensions, count, group, number++);
    }
  find_integers(varying, found, dimensions, count, number);
  tell_apart(varying, found, dimensions, count);
}

// --- Other types and ranks -----------------------------------------------------------------------

// The types that tensors of the type of the one at `place` may have instead, all at once.
static uint32_t find_dtypes(const Varying *varying, const Kernel *found, uint32_t place)
{
  const DLDataType own = kernel_tensor_at(found, place)->dtype;
  uint32_t taken = 0;
  for (size_t i = 0; i < KERNEL_DTYPES_TRIED; ++i) {
    Kernel call = *found;
    if (kernel_is_same_dtype(own, kernel_dtypes_tried[i].dtype)) continue;
    kernel_change_dtypes(&call, own, kernel_dtypes_tried[i].dtype);
    if (is_served(varying, &call)) taken |= 1u << i;
  }
  return taken;
}

static uint32_t find_ranks(const Varying *varying, const Kernel *found, uint32_t place)
{
  const int32_t own = kernel_tensor_at(found, place)->rank;
  uint32_t taken = 0;
  for (int32_t rank = 1; rank <= RANKS_MOST; ++rank) {
    Kernel call = *found;
    if (rank == own) continue;
    kernel_change_ranks(&call, own, rank);
    if (is_served(varying, &call)) taken |= 1u << rank;
  }
  return taken;
}

static void find_others(const Varying *varying, Kernel *found)
{
  for (uint32_t i = 0; i < kernel_place_count(found); ++i) {
    const KernelParameter *at = kernel_tensor_at(found, i);
    if (!at) continue;
    KernelParameter tensor = *at;
    // What the first of a group has found holds for the others.
    bool has_dtypes = false, has_ranks = false;
    for (uint32_t k = 0; k < i; ++k) {
      const KernelParameter *other = kernel_tensor_at(found, k);
      if (other && kernel_is_same_dtype(other->dtype, tensor.dtype)) {
        tensor.other_dtypes = other->other_dtypes;
        has_dtypes = true;
      }
      if (other && other->rank == tensor.rank) {
        tensor.other_ranks = other->other_ranks;
        has_ranks = true;
      }
    }
    if (!has_dtypes) tensor.other_dtypes = find_dtypes(varying, found, i);
    if (!has_ranks) tensor.other_ranks = find_ranks(varying, found, i);
    // Those in an array have contents of their own.
    KernelParameter *own = kernel_place(found, i);
    if (own->kind != KERNEL_ARRAY) *own = tensor;
    for (uint32_t k = 0; own->kind == KERNEL_ARRAY && k < own->element_count; ++k) {
      found->elements[own->first_element + k].other_dtypes = tensor.other_dtypes;
      found->elements[own->first_element + k].other_ranks = tensor.other_ranks;
    }
  }
}

// Which dimension offsets of so many elements are about: of a vector of whole numbers, the next one behind them, else
// the first of any tensor; `count` if none is so long.
static size_t find_counted(const Kernel *found, const Dimension *dimensions, size_t count,
                           uint32_t offsets, int64_t size)
{
  size_t best = count;
  unsigned most = 0;
  for (size_t k = 0; k < count; ++k) {
    const KernelParameter *at = kernel_tensor_at(found, dimensions[k].place);
    if (dimensions[k].place == offsets || at->shape[dimensions[k].axis].size != size) continue;
    const bool vector = at->rank == 1 && at->dtype.code == kDLInt;
    const unsigned fit = vector && dimensions[k].place > offsets ? 3 : vector ? 2 : 1;
    if (fit <= most) continue;
    most = fit;
    best = k;
  }
  return best;
}

// Integers from 0 to an extent of another tensor, one more than that has: they are the offsets of its elements, which
// they are to stay where that is another one.
static void take_offsets(Kernel *found)
{
  enum { LEAST = 2 };
  Dimension dimensions[DIMENSIONS_MAX];
  const size_t count = list_dimensions(found, dimensions);
  for (uint32_t i = 0; i < found->parameter_count; ++i) {
    KernelParameter *at = &found->parameters[i];
    const bool rises = at->kind == KERNEL_TENSOR && at->typed && at->dtype.code == kDLInt &&
                       at->rank == 1 && at->contents == KERNEL_RISING && at->value_count == 0 &&
                       at->number == 0;
    const int64_t size = rises ? at->shape[0].size - 1 : 0;
    const size_t k = size < LEAST ? count : find_counted(found, dimensions, count, i, size);
    if (k == count) continue;
    at->contents = KERNEL_OFFSETS;
    at->most = (double)size;
    at->counts_place = dimensions[k].place + 1;
    at->counts_axis = dimensions[k].axis;
  }
}

void signature_vary(Kernel *found, ProbeCall *make, void *context)
{
  const Varying varying = {make, context};
  take_offsets(found);
  const Kernel served = *found;
  for (uint32_t i = 0; i < kernel_place_count(found); ++i)
    if (kernel_tensor_at(found, i)) set_checked(found, i, is_checked(&varying, &served, i));
  find_symbols(&varying, found);
  find_others(&varying, found);
}
