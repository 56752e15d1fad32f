// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_example.h"
#include "plan/signature_refusal.h"
#include "plan/signature_vary.h"

enum {
  SEEN_MAX = 256,
  MOVES_MAX = 1024,
  DEPTH_MAX = 48,
  IDLE_MAX = 400,  // calls in which nothing new is heard
  EVERY_TENSOR = -1,
};

typedef enum MoveKind {
  MOVE_DTYPE,
  MOVE_RANK,
  MOVE_EXTENT,   // of a tensor, or of a shape among the values
  MOVE_EXTENTS,  // all extents of the size that this one has
  MOVE_VALUE,    // of an int, a bool or a float
  MOVE_TEXT,
  MOVE_FILL,     // the first element of a tensor
  MOVE_EQUAL,    // all elements of a tensor
  MOVE_OFFSETS,  // the elements rise from 0 to an extent of a tensor: `place` and `value`, or `value`
  MOVE_PARTS,    // they add up to it
  MOVE_NONE,     // None for what may be None
  MOVE_DEVICE,
  MOVE_LENGTH,       // of an array
  MOVE_ENTRY,        // one more, in a map
  MOVE_ENTRIES,      // all words of the message
  MOVE_ALTERNATIVE,  // of a variant
} MoveKind;

// One change of a call.
typedef struct Move {
  MoveKind kind;
  int position;  // a place of the call (kernel_place), or EVERY_TENSOR
  int32_t dimension;
  double value;  // or the index of a type
  char text[REFUSAL_WORD_MAX];
  bool doubted;    // what it led to was about the change: left for the end
  uint32_t place;  // of the tensor whose extent `dimension` counts, and 1; 0: none
  uint32_t also;   // as bits, places that are changed in the same way
} Move;

// A call that was refused, and what is still to be tried on it.
typedef struct Frame {
  Kernel call;
  char message[512];
  Move moves[MOVES_MAX];
  unsigned count, next;
  unsigned likely;                      // so many moves are about what the message is about
  uint32_t doubted[KERNEL_PLACES_MAX];  // as bits, the kinds of changes of which one was
} Frame;

typedef struct Search {
  const Signature *known;  // borrowed; or NULL
  ProbeCall *make;
  void *context;
  unsigned left;
  unsigned idle;            // calls since something new was heard
  uint64_t seen[SEEN_MAX];  // hashes of messages
  size_t seen_count;
  // The word with which messages about a parameter begin, once it is known.
  char subjects[KERNEL_PLACES_MAX][REFUSAL_WORD_MAX];
  Frame *frames;  // own; DEPTH_MAX
  unsigned depth;
  Kernel call;
  uint32_t kept;  // the parameter whose alternative is not changed
} Search;

// Those that are searched for: the first of kernel_dtypes_tried.
enum { DTYPES = 15 };
#define dtypes kernel_dtypes_tried

// --- Calls ---------------------------------------------------------------------------------------

static bool ask(Search *search, const Kernel *call, ProbeAnswer *answer)
{
  *answer = (ProbeAnswer){0};
  if (search->left == 0) return false;
  --search->left;
  ++search->idle;
  if (!search->make(search->context, call, answer)) return false;
  refusal_shorten(answer->message);
  return true;
}

// The same for messages that differ in what was got, not in what they are about.
static uint64_t hash_of(const char *message)
{
  char form[512];
  uint64_t hash = UINT64_C(14695981039346656037);
  refusal_form(message, form, sizeof form);
  for (const char *c = form; *c; ++c) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
  return hash;
}

// Whether it is the first message of its kind.
static bool is_news(Search *search, const char *message)
{
  uint64_t hash = hash_of(message);
  for (size_t i = 0; i < search->seen_count; ++i)
    if (search->seen[i] == hash) return false;
  if (search->seen_count == SEEN_MAX) return false;
  search->seen[search->seen_count++] = hash;
  search->idle = 0;
  return true;
}

// --- Changes -------------------------------------------------------------------------------------

static bool change(KernelParameter *parameter, const Move *move)
{
  KernelParameter before = *parameter;
  bool tensor = parameter->kind == KERNEL_TENSOR;
  switch (move->kind) {
    case MOVE_DTYPE:
      if (tensor) kernel_set_dtype(parameter, dtypes[(size_t)move->value].dtype);
      break;
    case MOVE_RANK:
      if (tensor && move->value >= 0 && move->value < KERNEL_RANK_MAX)
        kernel_set_rank(parameter, (int32_t)move->value);
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
      if (parameter->kind == KERNEL_STRING || parameter->kind == KERNEL_DTYPE)
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

// What is in an array changes together; None is for the array itself.
static bool change_place(Kernel *call, uint32_t place, const Move *move)
{
  KernelParameter *parameter = kernel_place(call, place);
  bool changed = false;
  if (parameter->kind != KERNEL_ARRAY || move->kind == MOVE_NONE) return change(parameter, move);
  for (uint32_t i = 0; i < parameter->element_count; ++i)
    changed |= change(&call->elements[parameter->first_element + i], move);
  return changed;
}

// An entry for each word of the message, of the same kind.
static bool add_entries(const Search *search, Kernel *call, const char *message, const Move *move)
{
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  const size_t count = refusal_words(message, words);
  bool changed = false;
  for (size_t i = 0; i < count; ++i)
    changed |= signature_add_entry(search->known, call, (uint32_t)move->position, words[i],
                                   (unsigned)move->value);
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
        change_place(call, i, &(Move){MOVE_EXTENT, (int)i, k, move->value, "", false, 0, 0});
      count *= at->shape[k].size;
    }
    if (count > ELEMENTS_MOST) return false;
  }
  return (double)own != move->value;
}

static bool change_call(const Search *search, Kernel *call, const char *message, const Move *move)
{
  const uint32_t position = (uint32_t)move->position;
  bool changed = false;
  if (move->kind == MOVE_EXTENTS) return change_extents(call, move);
  if (move->kind == MOVE_LENGTH && kernel_place(call, position)->kind != KERNEL_SHAPE)
    return signature_set_length(call, position, (uint32_t)move->value);
  if (move->kind == MOVE_ENTRY)
    return signature_add_entry(search->known, call, position, move->text, (unsigned)move->value);
  if (move->kind == MOVE_ENTRIES) return add_entries(search, call, message, move);
  if (move->kind == MOVE_ALTERNATIVE)
    return signature_take_alternative(search->known, call, position, (uint32_t)move->value);
  if (move->position != EVERY_TENSOR) changed = change_place(call, position, move);
  for (uint32_t i = 0; i < kernel_place_count(call) && i < 32; ++i)
    if (move->also & 1u << i) changed |= change_place(call, i, move);
  if (move->position != EVERY_TENSOR) return changed;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i)
    if (kernel_tensor_at(call, i)) changed |= change_place(call, i, move);
  return changed;
}

static bool apply(const Search *search, Kernel *call, const char *message, const Move *move)
{
  if (!change_call(search, call, message, move)) return false;
  kernel_count_extents(call);
  return true;
}

// --- What to try ---------------------------------------------------------------------------------

static const char *const words_of_more[] = {"small",   "short",  "enough",  "least",  "larger",
                                            "greater", "above",  "too few", "memory", "workspace",
                                            "beyond",  "exceed", "room",    NULL};

static void add(Frame *frame, Move move)
{
  if (frame->count < MOVES_MAX) frame->moves[frame->count++] = move;
}

static void add_ranks(Frame *frame, int position)
{
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  for (size_t i = 0; i < count; ++i)
    if (numbers[i] <= 5) add(frame, (Move){MOVE_RANK, position, 0, numbers[i], "", false, 0, 0});
  static const double ranks[] = {2, 1, 3, 4, 0};
  for (size_t i = 0; i < sizeof ranks / sizeof *ranks; ++i)
    add(frame, (Move){MOVE_RANK, position, 0, ranks[i], "", false, 0, 0});
}

static void add_dtypes(Frame *frame, int position)
{
  for (int named = 1; named >= 0; --named)
    for (size_t i = 0; i < DTYPES; ++i)
      if (refusal_has_word(frame->message, dtypes[i].name) == named)
        add(frame, (Move){MOVE_DTYPE, position, 0, (double)i, "", false, 0, 0});
}

// Of an extent, those that the message names, and the usual ones.
static void add_extents(Frame *frame, int position)
{
  static const char *const whole[] = {"multiple", "divi", "align", "even", "whole", "power", NULL};
  static const double powers[] = {8, 16, 32, 64, 128, 256};
  const KernelParameter *parameter = kernel_leader(&frame->call, (uint32_t)position);
  const bool tensor = parameter->kind == KERNEL_TENSOR;
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  const int named = refusal_dimension(frame->message);
  for (size_t i = 0; named >= 0 && named < parameter->rank && i < count; ++i)
    add(frame, (Move){MOVE_EXTENT, position, named, numbers[i], "", false, 0, 0});
  for (int32_t k = 0; k < parameter->rank; ++k) {
    double size = (double)parameter->shape[k].size;
    const double sizes[] = {size * 2, size + 1, size - 1, 1, size / 2, size * 8, size * 64};
    const size_t usual = refusal_has_any(frame->message, words_of_more) ? 7 : 5;
    for (size_t i = 0; i < count; ++i)
      if (numbers[i] > 0 && numbers[i] <= 1024)
        add(frame, (Move){MOVE_EXTENT, position, k, numbers[i], "", false, 0, 0});
    for (size_t i = 0; i < usual; ++i)
      add(frame, (Move){MOVE_EXTENT, position, k, (double)(int64_t)sizes[i], "", false, 0, 0});
    for (size_t i = 0; tensor && i < count; ++i)
      if (numbers[i] > 0 && numbers[i] <= 1024)
        add(frame, (Move){MOVE_EXTENTS, position, k, numbers[i], "", false, 0, 0});
    if (!refusal_has_any(frame->message, whole)) continue;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
      add(frame, (Move){MOVE_EXTENT, position, k, powers[i], "", false, 0, 0});
      if (tensor) add(frame, (Move){MOVE_EXTENTS, position, k, powers[i], "", false, 0, 0});
    }
  }
}

// Whole numbers may say where parts of another tensor end, or how large they are.
static void add_parts(Frame *frame, int position)
{
  double numbers[REFUSAL_NUMBERS_MAX], tried[KERNEL_PLACES_MAX];
  size_t count = refusal_numbers(frame->message, numbers), done = 0;
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
    const KernelParameter *at = kernel_tensor_at(&frame->call, i);
    for (int32_t k = 0; at && (int)i != position && k < at->rank && done < KERNEL_PLACES_MAX; ++k) {
      const double size = (double)at->shape[k].size;
      bool known = false;
      for (size_t n = 0; n < done; ++n) known |= tried[n] == size;
      if (known) continue;
      tried[done++] = size;
      add(frame, (Move){MOVE_OFFSETS, position, k, size, "", false, i + 1, 0});
      add(frame, (Move){MOVE_PARTS, position, k, size, "", false, i + 1, 0});
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (numbers[i] > 4096) continue;
    add(frame, (Move){MOVE_OFFSETS, position, 0, numbers[i], "", false, 0, 0});
    add(frame, (Move){MOVE_PARTS, position, 0, numbers[i], "", false, 0, 0});
  }
}

static void add_elements(Frame *frame, int position)
{
  const KernelParameter *tensor = kernel_tensor_at(&frame->call, (uint32_t)position);
  const bool whole = tensor->dtype.code == kDLInt || tensor->dtype.code == kDLUInt;
  const double last = tensor->rank > 0 ? (double)tensor->shape[tensor->rank - 1].size : 1;
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  for (int i = 0; i < 2; ++i) add(frame, (Move){MOVE_EQUAL, position, 0, i, "", false, 0, 0});
  for (int i = 0; i < 2; ++i) add(frame, (Move){MOVE_FILL, position, 0, i, "", false, 0, 0});
  if (whole) add_parts(frame, position);
  for (size_t i = 0; i < count; ++i)
    add(frame, (Move){MOVE_EQUAL, position, 0, numbers[i], "", false, 0, 0});
  // Shares of a whole.
  if (!whole && last > 0) add(frame, (Move){MOVE_EQUAL, position, 0, 1 / last, "", false, 0, 0});
}

static void add_values(Frame *frame, int position)
{
  KernelKind kind = kernel_leader(&frame->call, (uint32_t)position)->kind;
  static const double integers[] = {1, 0, 2, 3, 4, 8, 16, -1},
                      large[] = {32, 64, 128, 256, 1024, 4096, 65536, 1 << 20},
                      floats[] = {1, 0, 0.5, 2, -1, 1e-5, 100};
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  for (size_t i = 0; i < count; ++i)
    if (kind == KERNEL_INT || kind == KERNEL_FLOAT)
      add(frame, (Move){MOVE_VALUE, position, 0, numbers[i], "", false, 0, 0});
  for (size_t i = 0; kind == KERNEL_INT && i < sizeof integers / sizeof *integers; ++i)
    add(frame, (Move){MOVE_VALUE, position, 0, integers[i], "", false, 0, 0});
  for (size_t i = 0; kind == KERNEL_INT && i < sizeof large / sizeof *large; ++i)
    if (refusal_has_any(frame->message, words_of_more))
      add(frame, (Move){MOVE_VALUE, position, 0, large[i], "", false, 0, 0});
  for (size_t i = 0; kind == KERNEL_FLOAT && i < sizeof floats / sizeof *floats; ++i)
    add(frame, (Move){MOVE_VALUE, position, 0, floats[i], "", false, 0, 0});
  for (int i = 0; kind == KERNEL_BOOL && i < 2; ++i)
    add(frame, (Move){MOVE_VALUE, position, 0, i, "", false, 0, 0});
  if (kernel_tensor_at(&frame->call, (uint32_t)position)) add_elements(frame, position);
}

static void add_text(Frame *frame, int position, const char *text)
{
  Move move = {.kind = MOVE_TEXT, .position = position};
  snprintf(move.text, sizeof move.text, "%s", text);
  add(frame, move);
}

static void add_texts(Frame *frame, int position)
{
  static const char *const usual[] = {"",      "sum",  "mean", "max",  "min",     "add",    "mul",
                                      "none",  "relu", "gelu", "silu", "nearest", "linear", "same",
                                      "valid", "row",  "col",  "N",    "T",       "NHD"};
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  KernelKind kind = kernel_leader(&frame->call, (uint32_t)position)->kind;
  size_t count = refusal_words(frame->message, words);
  for (size_t i = 0; kind == KERNEL_STRING && i < count; ++i) add_text(frame, position, words[i]);
  for (size_t i = 0; kind == KERNEL_STRING && i < sizeof usual / sizeof *usual; ++i)
    add_text(frame, position, usual[i]);
  for (size_t i = 0; kind == KERNEL_DTYPE && i < DTYPES; ++i)
    add_text(frame, position, dtypes[i].name);
}

// How many extents a shape among the values has, and which.
static void add_shape(Frame *frame, int position)
{
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  for (size_t i = 0; i < count; ++i)
    if (numbers[i] < KERNEL_RANK_MAX)
      add(frame, (Move){MOVE_LENGTH, position, 0, numbers[i], "", false, 0, 0});
  for (int length = 1; length < 5; ++length)
    add(frame, (Move){MOVE_LENGTH, position, 0, length, "", false, 0, 0});
  add_extents(frame, position);
}

static void add_topic(Frame *frame, RefusalTopic topic, int position)
{
  bool tensor = kernel_tensor_at(&frame->call, (uint32_t)position) != NULL;
  if (topic == REFUSAL_RANK && tensor) add_ranks(frame, position);
  if (topic == REFUSAL_DTYPE && tensor) add_dtypes(frame, position);
  if (topic == REFUSAL_EXTENT && tensor) add_extents(frame, position);
  if (topic != REFUSAL_VALUE) return;
  if (kernel_place_of(&frame->call, (uint32_t)position)->kind == KERNEL_SHAPE)
    add_shape(frame, position);
  add_values(frame, position);
  add_texts(frame, position);
}

// Whether a value is at the place: a container that has grown has left what it held before.
static bool is_live(const Kernel *call, uint32_t place)
{
  if (place < call->parameter_count) return true;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    const KernelParameter *at = kernel_place_of(call, i);
    const uint32_t element = place - call->parameter_count;
    if (i != place && element >= at->first_element &&
        element - at->first_element < at->element_count)
      return true;
  }
  return false;
}

// Whether the message names a parameter by the word that it had before, or by its place; an entry of a
// map by its key.
static bool is_named(const Search *search, const Frame *frame, uint32_t place)
{
  static const char *const leads[] = {"argument", "arg", "parameter", "input"};
  const char *subject = search->subjects[place];
  if (place >= frame->call.parameter_count) subject = kernel_place_of(&frame->call, place)->name;
  if (*subject || place >= frame->call.parameter_count)
    return refusal_has_word(frame->message, subject);
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i)
    for (int sharp = 0; sharp < 2; ++sharp) {
      char words[48];
      snprintf(words, sizeof words, "%s %s%u", leads[i], sharp ? "#" : "", (unsigned)place);
      const char *at = strcasestr(frame->message, words);
      if (at && (at[strlen(words)] < '0' || at[strlen(words)] > '9')) return true;
    }
  return false;
}

// The same change of two or three tensors, where the message says which type or rank is right: they
// may be checked together.
static void add_together(Frame *frame, const Move *move)
{
  const uint32_t count = frame->call.parameter_count < 8 ? frame->call.parameter_count : 8;
  for (int size = 2; size <= 3; ++size)
    for (uint32_t which = 0; which < 1u << count; ++which) {
      Move all = *move;
      int tensors = 0;
      for (uint32_t i = 0; i < count; ++i)
        tensors += (which & 1u << i) && kernel_tensor_at(&frame->call, i);
      if (__builtin_popcount(which) != size || tensors != size) continue;
      all.position = __builtin_ctz(which);
      all.also = which & (which - 1);
      add(frame, all);
    }
}

static void add_groups(Frame *frame)
{
  double numbers[REFUSAL_NUMBERS_MAX];
  const size_t count = refusal_numbers(frame->message, numbers);
  const bool dtype = refusal_is_about(frame->message, REFUSAL_DTYPE);
  const bool rank = refusal_is_about(frame->message, REFUSAL_RANK);
  for (size_t i = 0; dtype && i < DTYPES; ++i)
    if (refusal_has_word(frame->message, dtypes[i].name))
      add_together(frame, &(Move){MOVE_DTYPE, 0, 0, (double)i, "", false, 0, 0});
  for (size_t i = 0; rank && i < count; ++i)
    if (numbers[i] > 0 && numbers[i] <= 5)
      add_together(frame, &(Move){MOVE_RANK, 0, 0, numbers[i], "", false, 0, 0});
}

// What costs few calls: another number for each int, float and bool.
static void add_scalars(const Search *search, Frame *frame)
{
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
    const KernelKind kind = kernel_leader(&frame->call, i)->kind;
    if (kind != KERNEL_INT && kind != KERNEL_BOOL && kind != KERNEL_FLOAT) continue;
    if (!is_live(&frame->call, i)) continue;
    if (is_named(search, frame, i)) continue;
    for (int value = 0; value < 2; ++value)
      add(frame, (Move){MOVE_VALUE, (int)i, 0, value, "", false, 0, 0});
    for (size_t k = 0; k < count && kind == KERNEL_INT; ++k)
      add(frame, (Move){MOVE_VALUE, (int)i, 0, numbers[k], "", false, 0, 0});
  }
}

// Of the parameters that the message names everything, what it is about first. Then what it is about
// of those of which no word is known, and of the rest.
static void add_topics(const Search *search, Frame *frame, bool about)
{
  enum { NAMED, NEW, OTHERS, GROUPS };
  static const RefusalTopic order[][REFUSAL_COUNT] = {
      {REFUSAL_RANK, REFUSAL_DTYPE, REFUSAL_VALUE, REFUSAL_EXTENT},
      {REFUSAL_VALUE, REFUSAL_EXTENT, REFUSAL_RANK, REFUSAL_DTYPE}};
  const bool of_form = refusal_is_about(frame->message, REFUSAL_RANK) ||
                       refusal_is_about(frame->message, REFUSAL_DTYPE);
  // The elements of few whole numbers are tried with few calls.
  for (uint32_t i = 0; about && !of_form && i < kernel_place_count(&frame->call); ++i) {
    const KernelParameter *at = kernel_tensor_at(&frame->call, i);
    const bool whole = at && (at->dtype.code == kDLInt || at->dtype.code == kDLUInt);
    if (whole && is_named(search, frame, i)) add_elements(frame, (int)i);
  }
  for (int group = about ? NAMED : NEW; group < GROUPS; ++group) {
    if (about && group == NEW && !of_form) add_scalars(search, frame);
    for (int turn = 0; turn < (group == NAMED ? 2 : 1); ++turn)
      for (size_t n = 0; n < REFUSAL_COUNT; ++n)
        for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
          const RefusalTopic topic = order[turn][n];
          const int own = is_named(search, frame, i) ? NAMED : *search->subjects[i] ? OTHERS : NEW;
          if (own == group && is_live(&frame->call, i) &&
              refusal_is_about(frame->message, topic) == (about && turn == 0))
            add_topic(frame, topic, (int)i);
        }
  }
}

// Numbers of elements, entries with the words of the message as keys, other alternatives.
static void add_containers(const Search *search, Frame *frame)
{
  static const double lengths[] = {1, 3, 0, 4};
  static const int many[] = {1, 0, 2};  // ints, floats, strings
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  size_t count = refusal_words(frame->message, words);
  for (uint32_t i = 0; i < frame->call.parameter_count; ++i) {
    const KernelParameter *parameter = &frame->call.parameters[i];
    for (int turn = 0; signature_takes_entries(parameter) && count > 1 && turn < 3; ++turn)
      add(frame, (Move){MOVE_ENTRIES, (int)i, 0, many[turn], "", false, 0, 0});
    for (size_t k = 0; signature_takes_entries(parameter) && k < count; ++k)
      for (int turn = 0; turn < 4; ++turn) {
        Move move = {.kind = MOVE_ENTRY, .position = (int)i, .value = turn};
        snprintf(move.text, sizeof move.text, "%.*s", (int)sizeof move.text - 1, words[k]);
        add(frame, move);
      }
    for (size_t k = 0; parameter->kind == KERNEL_ARRAY && k < 4; ++k)
      add(frame, (Move){MOVE_LENGTH, (int)i, 0, lengths[k], "", false, 0, 0});
    for (uint32_t k = 0; i != search->kept && k < signature_alternatives(search->known, i); ++k)
      add(frame, (Move){MOVE_ALTERNATIVE, (int)i, 0, k, "", false, 0, 0});
  }
}

// Of the tensors that the message names, of all, of each.
static void add_devices(const Search *search, Frame *frame, DLDeviceType type)
{
  for (int named = 1; named >= 0; --named) {
    for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i)
      if (kernel_tensor_at(&frame->call, i) &&
          refusal_has_word(frame->message, search->subjects[i]) == named)
        add(frame, (Move){MOVE_DEVICE, (int)i, 0, type, "", false, 0, 0});
    if (named) add(frame, (Move){MOVE_DEVICE, EVERY_TENSOR, 0, type, "", false, 0, 0});
  }
}

// What may help against the refusal, the likeliest first.
static void plan_moves(const Search *search, Frame *frame)
{
  static const char *const cuda[] = {"cuda", "gpu", "driver", "device", "cuM", "cuL", NULL};
  static const char *const cpu[] = {"cpu", "host", NULL};
  static const char *const keys[] = {"key", "entry", "lack", "missing", "must be given", NULL};
  static const char *const elements[] = {"range", "index", "indices", "element", "position", NULL};
  frame->count = frame->next = 0;
  memset(frame->doubted, 0, sizeof frame->doubted);
  if (refusal_has_any(frame->message, cuda)) add_devices(search, frame, kDLCUDA);
  if (refusal_has_any(frame->message, cpu)) add_devices(search, frame, kDLCPU);
  if (refusal_has_any(frame->message, keys)) add_containers(search, frame);
  // Elements that are no index may be of a type that is none.
  for (size_t i = 0; i < DTYPES && refusal_has_any(frame->message, elements); ++i)
    for (uint32_t k = 0; dtypes[i].dtype.code == kDLInt && k < kernel_place_count(&frame->call);
         ++k)
      if (kernel_tensor_at(&frame->call, k))
        add(frame, (Move){MOVE_DTYPE, (int)k, 0, (double)i, "", false, 0, 0});
  add_topics(search, frame, true);
  add_groups(frame);
  frame->likely = frame->count;
  for (size_t i = 0; i < DTYPES && refusal_is_about(frame->message, REFUSAL_DTYPE); ++i)
    add(frame, (Move){MOVE_DTYPE, EVERY_TENSOR, 0, (double)i, "", false, 0, 0});
  for (int rank = 1; rank < 5; ++rank)
    add(frame, (Move){MOVE_RANK, EVERY_TENSOR, 0, rank, "", false, 0, 0});
  for (uint32_t i = 0; i < frame->call.parameter_count; ++i)
    if (frame->call.parameters[i].optional)
      add(frame, (Move){MOVE_NONE, (int)i, 0, 0, "", false, 0, 0});
  add_containers(search, frame);
  add_topics(search, frame, false);
}

// --- The search ----------------------------------------------------------------------------------

static void push(Search *search, const char *message)
{
  if (search->depth == DEPTH_MAX) return;
  Frame *frame = &search->frames[search->depth++];
  frame->call = search->call;
  snprintf(frame->message, sizeof frame->message, "%s", message);
  plan_moves(search, frame);
}

// The message is about what was changed: it came with the change, or went.
static void learn_subject(Search *search, const char *message, const Move *move)
{
  char subject[REFUSAL_WORD_MAX];
  if (move->position == EVERY_TENSOR || search->subjects[move->position][0]) return;
  refusal_subject(message, subject);
  for (size_t i = 0; i < KERNEL_PLACES_MAX; ++i)
    if (strcmp(search->subjects[i], subject) == 0) return;
  snprintf(search->subjects[move->position], REFUSAL_WORD_MAX, "%s", subject);
}

// --- What a change led to ------------------------------------------------------------------------

static int rank_of(const Kernel *call, int position)
{
  const KernelParameter *tensor = kernel_tensor_at(call, (uint32_t)position);
  return tensor ? tensor->rank : -1;
}

// Whether the message asks for the rank that the tensor had before, and that all others have.
static bool asks_for_the_old_rank(const Frame *frame, const Move *move, const char *message)
{
  double numbers[REFUSAL_NUMBERS_MAX];
  static const char *const leads[] = {" got", ", not ", " but ", " found", "(not"};
  char asked[512];
  snprintf(asked, sizeof asked, "%s", message);
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i) {
    char *given = strcasestr(asked, leads[i]);
    if (given) *given = '\0';
  }
  const size_t count = refusal_numbers(asked, numbers);
  const int own = rank_of(&frame->call, move->position);
  bool named = false;
  for (size_t i = 0; i < count; ++i) named |= numbers[i] == own;
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i)
    named &= !kernel_tensor_at(&frame->call, i) || rank_of(&frame->call, (int)i) == own;
  return named && refusal_is_about(message, REFUSAL_RANK);
}

// A third value in the same place; false if there is none to try.
static bool other_value(const Search *search, const Frame *frame, const Move *move, Move *other)
{
  static const size_t types[] = {9, 3, 10};  // int16, float64, uint32
  *other = *move;
  if (move->position == EVERY_TENSOR) return false;
  const KernelParameter *before = kernel_tensor_at(&frame->call, (uint32_t)move->position);
  const KernelParameter *after = kernel_tensor_at(&search->call, (uint32_t)move->position);
  if (move->kind == MOVE_TEXT) {
    const bool type = kernel_leader(&frame->call, (uint32_t)move->position)->kind == KERNEL_DTYPE;
    snprintf(other->text, sizeof other->text, "%s", type ? "uint16" : "quux");
    return true;
  }
  if (move->kind == MOVE_EXTENT || move->kind == MOVE_VALUE || move->kind == MOVE_EQUAL) {
    other->value += move->value > 100 ? -7 : 7;
    return true;
  }
  if (!before || !after) return false;
  if (move->kind == MOVE_RANK) {
    other->value = before->rank == after->rank + 1 ? after->rank + 2 : after->rank + 1;
    return other->value < KERNEL_RANK_MAX;
  }
  for (size_t i = 0; move->kind == MOVE_DTYPE && i < sizeof types / sizeof *types; ++i) {
    const DLDataType *type = &dtypes[types[i]].dtype;
    other->value = (double)types[i];
    if (memcmp(type, &before->dtype, sizeof *type) != 0 &&
        memcmp(type, &after->dtype, sizeof *type) != 0)
      return true;
  }
  return false;
}

// The message with the name of the type that a tensor got in place of the one that it had: what is
// left of a difference says more than that it is another type.
static void name_old_type(const Frame *frame, const Move *move, const char *message, char out[512])
{
  const KernelParameter *before = move->position == EVERY_TENSOR
                                      ? NULL
                                      : kernel_tensor_at(&frame->call, (uint32_t)move->position);
  const char *from = move->kind == MOVE_DTYPE ? dtypes[(size_t)move->value].name : "", *to = "";
  for (size_t i = 0; before && i < KERNEL_DTYPES_TRIED; ++i)
    if (memcmp(&dtypes[i].dtype, &before->dtype, sizeof before->dtype) == 0) to = dtypes[i].name;
  const char *at = *to && *from ? strstr(message, from) : NULL;
  if (at)
    snprintf(out, 512, "%.*s%s%s", (int)(at - message), message, to, at + strlen(from));
  else
    snprintf(out, 512, "%s", message);
}

// The message with another text in the place of the one that a value got.
static void name_old_text(const char *message, const char *own, const char *other, char out[512])
{
  const char *at = *own ? strstr(message, own) : NULL;
  if (at)
    snprintf(out, 512, "%.*s%s%s", (int)(at - message), message, other, at + strlen(own));
  else
    snprintf(out, 512, "%s", message);
}

static bool is_of_form(const char *message, const char *before, const Move *move)
{
  const RefusalTopic topic = move->kind == MOVE_RANK ? REFUSAL_RANK : REFUSAL_DTYPE;
  if (move->kind != MOVE_RANK && move->kind != MOVE_DTYPE) return false;
  return refusal_is_about(message, topic) && !refusal_is_about(before, topic);
}

// Whether a complaint that does not say which value a change had is likely to be about it: two values
// that right are few, but one that is large enough leads to others, too.
static bool is_about_place(const Search *search, const Frame *frame, const Move *move,
                           const char *message)
{
  char subject[REFUSAL_WORD_MAX];
  const char *own = search->subjects[move->position];
  const bool sized = move->kind == MOVE_EXTENT || move->kind == MOVE_VALUE;
  const bool typed = move->kind == MOVE_DTYPE && refusal_is_about(frame->message, REFUSAL_DTYPE);
  // It came with a change of what it is about, which the one before was not about.
  if (is_of_form(message, frame->message, move)) return true;
  refusal_subject(message, subject);
  if (!sized && !typed) return false;
  if (*own) return strcmp(own, subject) == 0;
  return typed || !refusal_has_any(frame->message, words_of_more);
}

// Whether the new complaint is about the change itself: with a third value in its place it comes
// again, with that value in its words.
static bool is_about_the_change(Search *search, const Frame *frame, const Move *move,
                                const char *message)
{
  ProbeAnswer again;
  Move other;
  if (move->kind == MOVE_RANK && move->position != EVERY_TENSOR &&
      asks_for_the_old_rank(frame, move, message))
    return true;
  if (!other_value(search, frame, move, &other)) return false;
  const Kernel kept = search->call;
  search->call = frame->call;
  const bool asked = apply(search, &search->call, frame->message, &other) &&
                     ask(search, &search->call, &again) && again.code != 0;
  search->call = kept;
  if (!asked) return false;
  if (strcmp(again.message, message) == 0) return is_about_place(search, frame, move, message);
  char one[512], another[512];
  if (move->kind == MOVE_TEXT) {
    name_old_text(message, move->text, other.text, one);
    return strcmp(one, again.message) == 0;
  }
  name_old_type(frame, move, message, one);
  name_old_type(frame, &other, again.message, another);
  return hash_of(one) == hash_of(another) && strcmp(one, frame->message) != 0;
}

// Whether the same change with another value has turned out to be one that is complained of.
static bool is_doubtful(Frame *frame, const Move *move)
{
  if (move->doubted || move->position == EVERY_TENSOR) return false;
  if (move->kind != MOVE_RANK && move->kind != MOVE_DTYPE) return false;
  return frame->doubted[move->position] & 1u << move->kind;
}

static void put_off(Frame *frame, Move move)
{
  if (move.position != EVERY_TENSOR) frame->doubted[move.position] |= 1u << move.kind;
  move.doubted = true;
  if (frame->count == MOVES_MAX) return;
  // Behind what is likely to help, before the rest.
  const unsigned at = frame->next < frame->likely ? frame->likely : frame->count;
  memmove(&frame->moves[at + 1], &frame->moves[at], (frame->count - at) * sizeof *frame->moves);
  frame->moves[at] = move;
  ++frame->count;
}

static void forget_last(Search *search)
{
  if (search->seen_count > 0) --search->seen_count;
}

// Each change that leads to a complaint not heard before is kept; where none does, the one before
// is taken back.
static bool find_served(Search *search)
{
  ProbeAnswer answer;
  if (!ask(search, &search->call, &answer)) return false;
  if (answer.code == 0) return true;
  is_news(search, answer.message);
  push(search, answer.message);
  while (search->depth > 0 && search->left > 0 && search->idle < IDLE_MAX) {
    Frame *frame = &search->frames[search->depth - 1];
    if (frame->next == frame->count) {
      --search->depth;
      continue;
    }
    Move move = frame->moves[frame->next++];
    search->call = frame->call;
    if (is_doubtful(frame, &move)) {
      put_off(frame, move);
      continue;
    }
    if (!apply(search, &search->call, frame->message, &move) ||
        !ask(search, &search->call, &answer))
      continue;
    if (answer.code == 0) return true;
    char comparable[512];
    name_old_type(frame, &move, answer.message, comparable);
    if (hash_of(comparable) == hash_of(frame->message) || !is_news(search, answer.message))
      continue;
    if (!move.doubted && is_about_the_change(search, frame, &move, answer.message)) {
      learn_subject(search, answer.message, &move);
      forget_last(search);
      put_off(frame, move);
      continue;
    }
    learn_subject(search, frame->message, &move);
    push(search, answer.message);
  }
  return false;
}

// --- What is found -------------------------------------------------------------------------------

static bool begin(Search *search, const Kernel *kernel)
{
  search->call = *kernel;
  search->call.element_count = 0;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (!signature_example(search->known, &search->call, i)) return false;
  return true;
}

static bool ask_of_found(void *context, const Kernel *call, ProbeAnswer *answer)
{
  return ask(context, call, answer);
}

// Entries of maps that the call does without were words of a message, and no keys.
static void drop_entries(Search *search, Kernel *found)
{
  ProbeAnswer answer;
  for (uint32_t i = 0; i < found->parameter_count; ++i)
    for (uint32_t k = found->parameters[i].element_count; k-- > 0;) {
      Kernel without = *found;
      KernelParameter *map = &without.parameters[i];
      KernelParameter *at = &without.elements[map->first_element];
      if (map->kind != KERNEL_MAP || map->element_count < 2) break;
      memmove(at + k, at + k + 1, (--map->element_count - k) * sizeof *at);
      if (ask(search, &without, &answer) && answer.code == 0) *found = without;
    }
}

// Whether the call is served with unmapped memory behind its tensors.
static bool is_fenced(Search *search, Kernel *call)
{
  ProbeAnswer answer;
  const bool found = call->found;
  call->found = true;
  search->left += search->left == 0;
  const bool served = ask(search, call, &answer) && answer.code == 0;
  call->found = found;
  return served;
}

// A function that trusts its callers reads behind its tensors where whole numbers are places or sizes
// in them that are not there: has those be the first ones. False if that is not it.
static bool keep_inside(Search *search, Kernel *call)
{
  if (is_fenced(search, call)) return true;
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    KernelParameter *at = kernel_place(call, i);
    const bool whole = at->dtype.code == kDLInt || at->dtype.code == kDLUInt;
    const bool tensor = at->kind == KERNEL_TENSOR && whole;
    for (int number = 0; number < (tensor ? 1 : at->kind == KERNEL_INT ? 2 : 0); ++number) {
      const KernelParameter own = *at;
      if (tensor) {
        at->contents = KERNEL_RISING;
        at->value_count = 1;
        at->values[0] = at->number = 0;
      } else {
        change_place(call, i, &(Move){MOVE_VALUE, (int)i, 0, number, "", false, 0, 0});
      }
      ProbeAnswer answer;
      const bool served = ask(search, call, &answer) && answer.code == 0;
      if (!served) *at = own;
      if (served && is_fenced(search, call)) return true;
    }
  }
  return false;
}

// Places that are all the first one show little: has them be others, too, where that is served.
static void tell_places_apart(Search *search, Kernel *call)
{
  static const struct {
    uint32_t count;
    double values[4];
  } tried[] = {{4, {0, 1, 2, 3}}, {3, {0, 1, 2}}, {2, {1, 0}}};
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    KernelParameter *at = kernel_place(call, i);
    const bool whole = at->dtype.code == kDLInt || at->dtype.code == kDLUInt;
    if (at->kind != KERNEL_TENSOR || !whole || at->value_count != 1 || at->values[0] != 0) continue;
    const KernelParameter own = *at;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; ++k) {
      at->value_count = tried[k].count;
      memcpy(at->values, tried[k].values, sizeof tried[k].values);
      if (is_fenced(search, call)) break;
      *at = own;
    }
  }
}

static void take(Search *search, Kernel *kernel)
{
  Kernel found = search->call;
  drop_entries(search, &found);
  // One that reaches further whatever it is given does so by itself: the cases are to tell.
  Kernel inside = found;
  if (keep_inside(search, &inside)) {
    found = inside;
    tell_places_apart(search, &found);
  }
  signature_vary(&found, ask_of_found, search);
  memcpy(kernel->parameters, found.parameters, sizeof kernel->parameters);
  memcpy(kernel->elements, found.elements, sizeof kernel->elements);
  kernel->element_count = found.element_count;
  kernel->found = true;
}

static Search *new_search(const Signature *known, unsigned most, ProbeCall *make, void *context)
{
  Search *search = calloc(1, sizeof *search);
  if (!search) return NULL;
  search->known = known;
  search->make = make;
  search->context = context;
  search->left = most;
  search->kept = KERNEL_PARAMETERS_MAX;
  search->frames = calloc(DEPTH_MAX, sizeof *search->frames);
  if (search->frames) return search;
  free(search);
  return NULL;
}

static void free_search(Search *search)
{
  if (search) free(search->frames);
  free(search);
}

void signature_search(Kernel *kernel, const Signature *known, unsigned most, ProbeCall *make,
                      void *context)
{
  Search *search = new_search(known, most, make, context);
  if (search && begin(search, kernel) && find_served(search)) take(search, kernel);
  free_search(search);
}

bool signature_search_way(Kernel *kernel, const Signature *known, uint32_t position,
                          uint32_t alternative, unsigned most, ProbeCall *make, void *context)
{
  Search *search = new_search(known, most, make, context);
  if (!search) return false;
  search->call = *kernel;
  search->call.found = false;
  search->kept = position;
  kernel->found = false;
  // What varies is found anew.
  for (uint32_t i = 0; i < kernel_place_count(&search->call); ++i) {
    KernelParameter *at = kernel_place(&search->call, i);
    at->checked = false;
    at->other_dtypes = at->other_ranks = 0;
    for (int32_t k = 0; k < KERNEL_RANK_MAX; ++k) at->shape[k].symbol[0] = '\0';
  }
  if (signature_take_alternative(known, &search->call, position, alternative) &&
      find_served(search))
    take(search, kernel);
  free_search(search);
  return kernel->found;
}
