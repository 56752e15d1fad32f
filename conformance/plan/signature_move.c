// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_move.h"

#include <stdio.h>
#include <string.h>

#include "plan/signature_example.h"

static bool change(KernelParameter *parameter, const Move *move)
{
  KernelParameter before = *parameter;
  bool tensor = parameter->kind == KERNEL_TENSOR;
  switch (move->kind) {
    case MOVE_DTYPE:
      if (tensor) kernel_set_dtype(parameter, kernel_dtypes_tried[(size_t)move->value].dtype);
      break;
    case MOVE_RANK:
      if (tensor && move->value >= 0 && move->value < KERNEL_RANK_MAX)
        kernel_set_rank(parameter, (int32_t)move->value);
      break;
    case MOVE_FORM:
      if (!tensor) break;
      kernel_set_dtype(parameter, kernel_dtypes_tried[(size_t)move->value].dtype);
      kernel_set_rank(parameter, move->dimension);
      break;
    case MOVE_EXTENT:
      if ((tensor || parameter->kind == KERNEL_SHAPE) && move->dimension < parameter->rank &&
          move->value >= 0)
        parameter->shape[move->dimension].size = (int64_t)move->value;
      break;
    case MOVE_LENGTH:
      if (parameter->kind == KERNEL_SHAPE && move->value < KERNEL_RANK_MAX)
        kernel_set_rank(parameter, (int32_t)move->value);
      break;
    case MOVE_VALUE:
      if (tensor) break;
      parameter->integer = (int64_t)move->value;
      parameter->number = move->value;
      break;
    case MOVE_TEXT:
      if (parameter->kind == KERNEL_STRING || parameter->kind == KERNEL_DTYPE ||
          parameter->kind == KERNEL_FUNCTION)
        snprintf(parameter->text, sizeof parameter->text, "%s", move->text);
      break;
    case MOVE_FILL:
      if (tensor) parameter->number = move->value;
      break;
    case MOVE_NONE:
      if (parameter->optional) parameter->kind = KERNEL_ANY;
      break;
    case MOVE_EQUAL:
      if (!tensor) break;
      parameter->contents = KERNEL_RISING;
      parameter->value_count = 1;
      parameter->number = parameter->values[0] = move->value;
      break;
    case MOVE_OFFSETS:
    case MOVE_PARTS:
      if (!tensor) break;
      parameter->value_count = 0;
      parameter->contents = move->kind == MOVE_OFFSETS ? KERNEL_OFFSETS : KERNEL_PARTS;
      parameter->most = move->value;
      parameter->counts_place = move->place;
      parameter->counts_axis = move->dimension;
      break;
    case MOVE_DEVICE:
      if (tensor) parameter->device = (DLDevice){(DLDeviceType)move->value, 0};
      break;
    default:
      break;
  }
  return memcmp(&before, parameter, sizeof before) != 0;
}

// The extents that the message lists.
static bool take_shape(KernelParameter *parameter, const char *message, unsigned which)
{
  enum { EXTENT_MOST = 4096, ELEMENTS_MOST = 1 << 20 };
  const KernelParameter before = *parameter;
  int64_t extents[KERNEL_RANK_MAX];
  const int count = refusal_list(message, which, extents, KERNEL_RANK_MAX - 1);
  if (count < 0 || (parameter->kind != KERNEL_TENSOR && parameter->kind != KERNEL_SHAPE))
    return false;
  int64_t all = 1;
  for (int i = 0; i < count; ++i) {
    if (extents[i] > EXTENT_MOST) return false;
    all *= extents[i] > 0 ? extents[i] : 1;
    if (all > ELEMENTS_MOST) return false;
  }
  kernel_set_rank(parameter, count);
  for (int i = 0; i < count; ++i) parameter->shape[i].size = extents[i];
  return memcmp(&before, parameter, sizeof before) != 0;
}

bool signature_move_place(Kernel *call, uint32_t place, const Move *move)
{
  KernelParameter *parameter = kernel_place(call, place);
  bool changed = false;
  if (parameter->kind != KERNEL_ARRAY || move->kind == MOVE_NONE) return change(parameter, move);
  for (uint32_t i = 0; i < parameter->element_count; ++i)
    changed |= change(&call->elements[parameter->first_element + i], move);
  return changed;
}

// An entry for each word that the message quotes, or else for each word, of the same kind.
static bool add_entries(const Signature *known, Kernel *call, const char *message, const Move *move)
{
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  size_t count = refusal_quoted(message, words);
  bool changed = false;
  if (count == 0) count = refusal_words(message, words);
  for (size_t i = 0; i < count; ++i)
    changed |=
        signature_add_entry(known, call, (uint32_t)move->position, words[i], (unsigned)move->value);
  return changed;
}

static bool change_lengths(Kernel *call, const Move *move)
{
  bool changed = false;
  for (uint32_t i = 0; i < call->parameter_count; ++i)
    if (move->kind == MOVE_LENGTHS || !kernel_tensor_at(call, i))
      changed |= signature_set_length(call, i, (uint32_t)move->value);
  return changed;
}

// All extents of one size at once, as far as the tensors stay small.
static bool change_extents(Kernel *call, const Move *move)
{
  enum { ELEMENTS_MOST = 1 << 20 };
  const int64_t own = kernel_tensor_at(call, (uint32_t)move->position)->shape[move->dimension].size;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    const KernelParameter *at = kernel_tensor_at(call, i);
    int64_t count = 1;
    for (int32_t k = 0; at && k < at->rank; ++k) {
      if (at->shape[k].size == own)
        signature_move_place(call, i,
                             &(Move){MOVE_EXTENT, (int)i, k, move->value, "", false, 0, 0});
      count *= at->shape[k].size;
    }
    if (count > ELEMENTS_MOST) return false;
  }
  return (double)own != move->value;
}

static bool change_shape(Kernel *call, const char *message, const Move *move)
{
  KernelParameter *at = kernel_place(call, (uint32_t)move->position);
  bool changed = false;
  if (at->kind != KERNEL_ARRAY) return take_shape(at, message, (unsigned)move->value);
  for (uint32_t i = 0; i < at->element_count; ++i)
    changed |= take_shape(&call->elements[at->first_element + i], message, (unsigned)move->value);
  return changed;
}

// An edge between two nodes, so often as there are elements, makes no cycle.
static bool change_edges(Kernel *call, const Move *move)
{
  const Move from = {.kind = MOVE_EQUAL, .value = 0}, to = {.kind = MOVE_EQUAL, .value = 1};
  const bool changed = signature_move_place(call, (uint32_t)move->position, &from);
  return signature_move_place(call, move->place - 1, &to) || changed;
}

static bool change_call(const Signature *known, Kernel *call, const char *message, const Move *move)
{
  const uint32_t position = (uint32_t)move->position;
  bool changed = false;
  if (move->kind == MOVE_EXTENTS) return change_extents(call, move);
  if (move->kind == MOVE_LENGTH && kernel_place(call, position)->kind != KERNEL_SHAPE)
    return signature_set_length(call, position, (uint32_t)move->value);
  if (move->kind == MOVE_LENGTHS || move->kind == MOVE_PLAIN_LENGTHS)
    return change_lengths(call, move);
  if (move->kind == MOVE_SHAPE) return change_shape(call, message, move);
  if (move->kind == MOVE_EDGES) return change_edges(call, move);
  if (move->kind == MOVE_ENTRY)
    return signature_add_entry(known, call, position, move->text, (unsigned)move->value);
  if (move->kind == MOVE_ENTRIES) return add_entries(known, call, message, move);
  if (move->kind == MOVE_ALTERNATIVE)
    return signature_take_alternative(known, call, position, (uint32_t)move->value);
  if (move->position != EVERY_TENSOR) changed = signature_move_place(call, position, move);
  for (uint32_t i = 0; i < kernel_place_count(call) && i < 32; ++i)
    if (move->also & 1u << i) changed |= signature_move_place(call, i, move);
  if (move->position != EVERY_TENSOR) return changed;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i)
    if (kernel_tensor_at(call, i)) changed |= signature_move_place(call, i, move);
  return changed;
}

bool signature_move_make(const Signature *known, Kernel *call, const char *message,
                         const Move *move)
{
  if (!change_call(known, call, message, move)) return false;
  kernel_count_extents(call);
  return true;
}
