// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_ideas.h"

#include <stdio.h>
#include <string.h>

#include "plan/signature_example.h"

static bool is_whole(const KernelParameter *tensor)
{
  return tensor && (tensor->dtype.code == kDLInt || tensor->dtype.code == kDLUInt);
}

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
    for (size_t i = 0; i < MOVE_DTYPES; ++i)
      if (refusal_has_word(frame->message, kernel_dtypes_tried[i].name) == named)
        add(frame, (Move){MOVE_DTYPE, position, 0, (double)i, "", false, 0, 0});
}

enum { RECKONED_MAX = 24, RECKONED_MOST = 4096 };

typedef struct Reckoned {
  double sizes[RECKONED_MAX];
  size_t count;
} Reckoned;

static void put_once(Reckoned *reckoned, double size)
{
  for (size_t i = 0; i < reckoned->count; ++i)
    if (reckoned->sizes[i] == size) return;
  if (size > 0 && size <= RECKONED_MOST && reckoned->count < RECKONED_MAX)
    reckoned->sizes[reckoned->count++] = size;
}

// The sums and products of extents and ints of the call, where the message tells of any.
static Reckoned reckon(const Frame *frame)
{
  Reckoned terms = {.count = 0}, reckoned = {.count = 0};
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
    const KernelParameter *at = kernel_tensor_at(&frame->call, i);
    for (int32_t k = 0; at && k < at->rank; ++k) put_once(&terms, (double)at->shape[k].size);
    if (kernel_place_of(&frame->call, i)->kind == KERNEL_INT)
      put_once(&terms, (double)kernel_place_of(&frame->call, i)->integer);
  }
  const bool sums = refusal_reckons(frame->message, '+');
  for (size_t i = 0; i < terms.count && sums; ++i) put_once(&reckoned, terms.sizes[i] + 1);
  for (size_t i = 0; i < terms.count; ++i)
    for (size_t k = i; k < terms.count; ++k) {
      if (refusal_reckons(frame->message, '*'))
        put_once(&reckoned, terms.sizes[i] * terms.sizes[k]);
      if (sums) put_once(&reckoned, terms.sizes[i] + terms.sizes[k]);
    }
  return reckoned;
}

// Of one extent, those that the message names, and the usual ones.
static void add_sizes(Frame *frame, int position, int32_t axis)
{
  static const char *const whole[] = {"multiple", "divi", "align", "even", "whole", "power", NULL};
  static const double powers[] = {8, 16, 32, 64, 128, 256};
  const KernelParameter *parameter = kernel_leader(&frame->call, (uint32_t)position);
  const bool tensor = parameter->kind == KERNEL_TENSOR;
  const double size = (double)parameter->shape[axis].size;
  const double sizes[] = {size * 2, size + 1, size - 1, 1, size / 2, size * 8, size * 64};
  const size_t usual = refusal_asks_for_more(frame->message) ? 7 : 5;
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  for (size_t i = 0; i < count; ++i)
    if (numbers[i] > 0 && numbers[i] <= 1024)
      add(frame, (Move){MOVE_EXTENT, position, axis, numbers[i], "", false, 0, 0});
  for (size_t i = 0; i < usual; ++i)
    add(frame, (Move){MOVE_EXTENT, position, axis, (double)(int64_t)sizes[i], "", false, 0, 0});
  for (size_t i = 0; tensor && i < count; ++i)
    if (numbers[i] > 0 && numbers[i] <= 1024)
      add(frame, (Move){MOVE_EXTENTS, position, axis, numbers[i], "", false, 0, 0});
  if (!refusal_has_any(frame->message, whole)) return;
  for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
    add(frame, (Move){MOVE_EXTENT, position, axis, powers[i], "", false, 0, 0});
    if (tensor) add(frame, (Move){MOVE_EXTENTS, position, axis, powers[i], "", false, 0, 0});
  }
}

// Of all extents, the one that the message names first.
static void add_extents(Frame *frame, int position)
{
  const KernelParameter *parameter = kernel_leader(&frame->call, (uint32_t)position);
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  const int named = refusal_axis(frame->message, parameter->rank);
  const Reckoned reckoned = reckon(frame);
  for (size_t i = 0; named >= 0 && i < count; ++i)
    add(frame, (Move){MOVE_EXTENT, position, named, numbers[i], "", false, 0, 0});
  for (int turn = 0; turn < 2; ++turn)
    for (int32_t k = 0; k < parameter->rank; ++k)
      for (size_t i = 0; (k == named) == (turn == 0) && i < reckoned.count; ++i)
        add(frame, (Move){MOVE_EXTENT, position, k, reckoned.sizes[i], "", false, 0, 0});
  if (named >= 0) add_sizes(frame, position, named);
  for (int32_t k = 0; k < parameter->rank; ++k)
    if (k != named) add_sizes(frame, position, k);
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
  static const char *const of_trees[] = {"parent", "in front of", "ancestor", "root", NULL};
  const KernelParameter *tensor = kernel_tensor_at(&frame->call, (uint32_t)position);
  const bool whole = is_whole(tensor);
  const double last = tensor->rank > 0 ? (double)tensor->shape[tensor->rank - 1].size : 1;
  double numbers[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, numbers);
  if (whole && (refusal_names_none(frame->message) || refusal_has_any(frame->message, of_trees)))
    add(frame, (Move){MOVE_EQUAL, position, 0, -1, "", false, 0, 0});
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
    if (refusal_asks_for_more(frame->message))
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
  snprintf(move.text, sizeof move.text, "%.*s", (int)sizeof move.text - 1, text);
  add(frame, move);
}

static void add_texts(const Search *search, Frame *frame, int position)
{
  static const char *const usual[] = {
      "",        "sum",    "mean", "max",   "min", "add", "mul", "none", "relu", "gelu", "silu",
      "nearest", "linear", "same", "valid", "row", "col", "N",   "T",    "NHD",  "C",    "F"};
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  KernelKind kind = kernel_leader(&frame->call, (uint32_t)position)->kind;
  size_t count = refusal_words(frame->message, words);
  for (size_t i = 0; kind == KERNEL_STRING && i < count; ++i) add_text(frame, position, words[i]);
  for (size_t i = 0; kind == KERNEL_STRING && i < sizeof usual / sizeof *usual; ++i)
    add_text(frame, position, usual[i]);
  for (size_t i = 0; kind == KERNEL_STRING && search->words && i < search->words->literals.count;
       ++i)
    add_text(frame, position, search->words->literals.items[i]);
  for (size_t i = 0; kind == KERNEL_DTYPE && i < MOVE_DTYPES; ++i)
    add_text(frame, position, kernel_dtypes_tried[i].name);
}

// What functions among the arguments return, where the message may be about that.
static void add_returns(Frame *frame)
{
  static const char *const kinds[] = {"bool", "int", "float", "none", "string"};
  static const char *const words[] = {"return",     "result",   "convert",  "cast", "callback",
                                      "comparator", "expected", "mismatch", "type", NULL};
  if (!refusal_has_any(frame->message, words)) return;
  for (uint32_t i = 0; i < frame->call.parameter_count; ++i) {
    if (frame->call.parameters[i].kind != KERNEL_FUNCTION) continue;
    if (strcasestr(frame->message, "tensor")) add_text(frame, (int)i, "tensor");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) add_text(frame, (int)i, kinds[k]);
  }
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

static void add_topic(const Search *search, Frame *frame, RefusalTopic topic, int position)
{
  bool tensor = kernel_tensor_at(&frame->call, (uint32_t)position) != NULL;
  if (topic == REFUSAL_RANK && tensor) add_ranks(frame, position);
  if (topic == REFUSAL_DTYPE && tensor) add_dtypes(frame, position);
  if (topic == REFUSAL_EXTENT && tensor) add_extents(frame, position);
  if (topic != REFUSAL_VALUE) return;
  if (kernel_place_of(&frame->call, (uint32_t)position)->kind == KERNEL_SHAPE)
    add_shape(frame, position);
  add_values(frame, position);
  add_texts(search, frame, position);
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
    return refusal_names(frame->message, subject);
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
  for (size_t i = 0; dtype && i < MOVE_DTYPES; ++i)
    if (refusal_has_word(frame->message, kernel_dtypes_tried[i].name))
      add_together(frame, &(Move){MOVE_DTYPE, 0, 0, (double)i, "", false, 0, 0});
  for (size_t i = 0; rank && i < count; ++i)
    if (numbers[i] > 0 && numbers[i] <= 5)
      add_together(frame, &(Move){MOVE_RANK, 0, 0, numbers[i], "", false, 0, 0});
}

// One check of both the data type and the rank of a tensor: neither alone makes a difference.
static void add_forms(Frame *frame)
{
  static const double usual[] = {2, 1, 3, 4};
  double ranks[REFUSAL_NUMBERS_MAX];
  size_t count = refusal_numbers(frame->message, ranks);
  const bool vector = strcasestr(frame->message, "vector"),
             matrix = strcasestr(frame->message, "matri");
  if (!refusal_is_about(frame->message, REFUSAL_DTYPE) ||
      !refusal_is_about(frame->message, REFUSAL_RANK))
    return;
  if (vector || matrix) {
    ranks[0] = matrix ? 2 : 1;
    count = 1;
  } else if (count == 0) {
    memcpy(ranks, usual, sizeof usual);
    count = sizeof usual / sizeof *usual;
  }
  for (size_t i = 0; i < MOVE_DTYPES; ++i)
    for (size_t k = 0; k < count && refusal_has_word(frame->message, kernel_dtypes_tried[i].name);
         ++k)
      for (uint32_t at = 0; at < kernel_place_count(&frame->call); ++at)
        if (kernel_tensor_at(&frame->call, at) && ranks[k] >= 0 && ranks[k] <= 5)
          add(frame, (Move){MOVE_FORM, (int)at, (int32_t)ranks[k], (double)i, "", false, 0, 0});
}

// A message that says what is expected mostly names the texts that a parameter takes: of those of which no word is
// known.
static void add_expected_texts(const Search *search, Frame *frame)
{
  static const char *const leads[] = {"expect", "must be", "one of", "should be", " or ", NULL};
  char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX];
  const size_t count = refusal_words(frame->message, words);
  if (!refusal_has_any(frame->message, leads)) return;
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
    const bool text = kernel_leader(&frame->call, i)->kind == KERNEL_STRING;
    if (!text || *search->subjects[i] || !is_live(&frame->call, i)) continue;
    for (size_t k = 0; k < count; ++k) add_text(frame, (int)i, words[k]);
  }
}

// What costs few calls: another number for each int, float and bool.
static void add_scalars(const Search *search, Frame *frame)
{
  static const char *const limits[] = {"more than", "at most",   "exceed", "beyond",
                                       "too many",  "too large", "limit",  NULL};
  static const double large[] = {16, 1024, 65536};
  const bool is_limit = refusal_has_any(frame->message, limits);
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
    for (size_t k = 0; k < sizeof large / sizeof *large && is_limit && kind == KERNEL_INT; ++k)
      add(frame, (Move){MOVE_VALUE, (int)i, 0, large[k], "", false, 0, 0});
  }
}

// The place that the message is about by the word that it begins with; 0 if it is not known.
static uint32_t place_of_subject(const Search *search, const Frame *frame)
{
  char subject[REFUSAL_WORD_MAX];
  refusal_subject(frame->message, subject);
  for (uint32_t i = 0; *subject && i < kernel_place_count(&frame->call); ++i)
    if (refusal_same_word(search->subjects[i], subject)) return i;
  return 0;
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
  // Words of no topic are about what is checked behind types and ranks.
  bool topics[REFUSAL_COUNT], any = false;
  for (size_t n = 0; n < REFUSAL_COUNT; ++n)
    any |= topics[n] = refusal_is_about(frame->message, (RefusalTopic)n);
  if (!any) topics[REFUSAL_EXTENT] = topics[REFUSAL_VALUE] = true;
  // The elements of few whole numbers are tried with few calls.
  for (uint32_t i = 0; about && !of_form && i < kernel_place_count(&frame->call); ++i) {
    const bool whole = is_whole(kernel_tensor_at(&frame->call, i));
    if (whole && is_named(search, frame, i)) add_elements(frame, (int)i);
  }
  const uint32_t count = kernel_place_count(&frame->call),
                 subject = place_of_subject(search, frame);
  for (int group = about ? NAMED : NEW; group < GROUPS; ++group) {
    if (about && group == NEW && !of_form) add_expected_texts(search, frame);
    if (about && group == NEW && !of_form) add_scalars(search, frame);
    for (int turn = 0; turn < (group == NAMED ? 2 : 1); ++turn)
      for (size_t n = 0; n < REFUSAL_COUNT; ++n)
        for (uint32_t k = 0; k < count; ++k) {
          // What the message begins with comes before what it is compared with.
          const uint32_t i = k == 0 ? subject : k <= subject ? k - 1 : k;
          const RefusalTopic topic = order[turn][n];
          const int own = is_named(search, frame, i) ? NAMED : *search->subjects[i] ? OTHERS : NEW;
          if (own == group && is_live(&frame->call, i) && topics[topic] == (about && turn == 0))
            add_topic(search, frame, topic, (int)i);
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

// A call that does not come back may have places in a tensor that are outside of another one.
static void add_first_places(Frame *frame)
{
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
    const bool whole = is_whole(kernel_tensor_at(&frame->call, i));
    for (int value = 0; whole && value < 2; ++value)
      add(frame, (Move){MOVE_EQUAL, (int)i, 0, value, "", false, 0, 0});
  }
}

// A message that names a dimension mostly says how large it has to be: of whichever tensor that is.
static void add_named_dimension(Frame *frame)
{
  double numbers[REFUSAL_NUMBERS_MAX];
  const size_t count = refusal_numbers(frame->message, numbers);
  const int named = refusal_dimension(frame->message);
  for (uint32_t i = 0; named >= 0 && i < kernel_place_count(&frame->call); ++i) {
    const KernelParameter *at = kernel_tensor_at(&frame->call, i);
    for (size_t k = 0; at && named < at->rank && k < count; ++k)
      if (numbers[k] > 0 && numbers[k] <= 1024 && numbers[k] != (double)at->shape[named].size)
        add(frame, (Move){MOVE_EXTENT, (int)i, named, numbers[k], "", false, 0, 0});
  }
}

// A message that lists extents mostly says which a shape has to have, and then which it got.
static void add_listed(const Search *search, Frame *frame)
{
  int64_t extents[KERNEL_RANK_MAX];
  for (unsigned which = 0; which < 2; ++which) {
    if (refusal_list(frame->message, which, extents, KERNEL_RANK_MAX - 1) < 0) return;
    for (int named = 1; named >= 0; --named)
      for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
        const KernelKind kind = kernel_leader(&frame->call, i)->kind;
        if ((kind == KERNEL_TENSOR || kind == KERNEL_SHAPE) && is_live(&frame->call, i) &&
            is_named(search, frame, i) == named)
          add(frame, (Move){MOVE_SHAPE, (int)i, 0, which, "", false, 0, 0});
      }
  }
}

// How long arrays and shapes among the arguments are, where the message has a number.
static void add_lengths(Frame *frame)
{
  enum { LENGTH_MOST = 12 };
  double numbers[REFUSAL_NUMBERS_MAX];
  const size_t count = refusal_numbers(frame->message, numbers);
  for (size_t k = 0; k < count; ++k) {
    unsigned arrays = 0;
    if (numbers[k] > LENGTH_MOST) continue;
    for (uint32_t i = 0; i < frame->call.parameter_count; ++i) {
      const KernelKind kind = frame->call.parameters[i].kind;
      arrays += kind == KERNEL_ARRAY;
      const bool shaped = kind == KERNEL_SHAPE && numbers[k] < KERNEL_RANK_MAX;
      if (kind == KERNEL_ARRAY || shaped)
        add(frame, (Move){MOVE_LENGTH, (int)i, 0, numbers[k], "", false, 0, 0});
    }
    if (arrays > 1) add(frame, (Move){MOVE_LENGTHS, EVERY_TENSOR, 0, numbers[k], "", false, 0, 0});
  }
}

// A message that names a text mostly says that it is none of those that are known.
static void add_named_texts(const Search *search, Frame *frame)
{
  for (uint32_t i = 0; i < kernel_place_count(&frame->call); ++i) {
    const KernelParameter *at = kernel_leader(&frame->call, i);
    if (at->kind == KERNEL_STRING && is_live(&frame->call, i) &&
        refusal_has_word(frame->message, at->text))
      add_texts(search, frame, (int)i);
  }
}

// How long all arrays are that hold no tensors, where there is something for each of a thing.
static void add_plain_lengths(Frame *frame)
{
  static const char *const words[] = {"each", "every", "per ", "as many", "one for", NULL};
  static const double lengths[] = {4, 3, 1, 2};
  unsigned arrays = 0;
  for (uint32_t i = 0; i < frame->call.parameter_count; ++i)
    arrays += frame->call.parameters[i].kind == KERNEL_ARRAY && !kernel_tensor_at(&frame->call, i);
  for (size_t k = 0; arrays > 1 && k < 4 && refusal_has_any(frame->message, words); ++k)
    add(frame, (Move){MOVE_PLAIN_LENGTHS, EVERY_TENSOR, 0, lengths[k], "", false, 0, 0});
}

// Two tensors of whole numbers may be the ends of edges, which may have to lead in one direction.
static void add_edges(Frame *frame)
{
  static const char *const words[] = {"cycl", "loop", "topolog", "order", "itself", "edge", NULL};
  const uint32_t count = kernel_place_count(&frame->call);
  if (!refusal_has_any(frame->message, words)) return;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < count; ++k)
      if (i != k && is_whole(kernel_tensor_at(&frame->call, i)) &&
          is_whole(kernel_tensor_at(&frame->call, k)))
        add(frame, (Move){MOVE_EDGES, (int)i, 0, 0, "", false, k + 1, 0});
}

void signature_ideas(const Search *search, Frame *frame)
{
  static const char *const cuda[] = {"cuda", "gpu", "driver", "device", "cuM", "cuL", NULL};
  static const char *const cpu[] = {"cpu", "host", NULL};
  static const char *const keys[] = {"key", "entry", "lack", "missing", "must be given", NULL};
  static const char *const elements[] = {"range", "index", "indices", "element", "position", NULL};
  frame->count = frame->next = 0;
  memset(frame->doubted, 0, sizeof frame->doubted);
  if (strcmp(frame->message, SEARCH_LOST) == 0) {
    add_first_places(frame);
    frame->likely = frame->count;
    return;
  }
  add_named_texts(search, frame);
  add_named_dimension(frame);
  add_listed(search, frame);
  add_lengths(frame);
  add_plain_lengths(frame);
  add_edges(frame);
  if (refusal_has_any(frame->message, cuda)) add_devices(search, frame, kDLCUDA);
  if (refusal_has_any(frame->message, cpu)) add_devices(search, frame, kDLCPU);
  if (refusal_has_any(frame->message, keys)) add_containers(search, frame);
  // Elements that are no index may be of a type that is none.
  for (size_t i = 0; i < MOVE_DTYPES && refusal_has_any(frame->message, elements); ++i)
    for (uint32_t k = 0;
         kernel_dtypes_tried[i].dtype.code == kDLInt && k < kernel_place_count(&frame->call); ++k)
      if (kernel_tensor_at(&frame->call, k))
        add(frame, (Move){MOVE_DTYPE, (int)k, 0, (double)i, "", false, 0, 0});
  add_returns(frame);
  add_topics(search, frame, true);
  add_forms(frame);
  add_groups(frame);
  frame->likely = frame->count;
  for (size_t i = 0; i < MOVE_DTYPES && refusal_is_about(frame->message, REFUSAL_DTYPE); ++i)
    add(frame, (Move){MOVE_DTYPE, EVERY_TENSOR, 0, (double)i, "", false, 0, 0});
  for (int rank = 1; rank < 5; ++rank)
    add(frame, (Move){MOVE_RANK, EVERY_TENSOR, 0, rank, "", false, 0, 0});
  for (uint32_t i = 0; i < frame->call.parameter_count; ++i)
    if (frame->call.parameters[i].optional)
      add(frame, (Move){MOVE_NONE, (int)i, 0, 0, "", false, 0, 0});
  add_containers(search, frame);
  add_topics(search, frame, false);
}
