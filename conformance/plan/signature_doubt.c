// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_doubt.h"

#include <stdio.h>
#include <string.h>

#include "plan/signature_limit.h"

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
  if (move->kind == MOVE_LENGTH) {
    other->value += move->value == 1 ? 2 : 1;
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
    const DLDataType *type = &kernel_dtypes_tried[types[i]].dtype;
    other->value = (double)types[i];
    if (memcmp(type, &before->dtype, sizeof *type) != 0 &&
        memcmp(type, &after->dtype, sizeof *type) != 0)
      return true;
  }
  return false;
}

void signature_doubt_name_old_type(const Frame *frame, const Move *move, const char *message,
                                   char out[512])
{
  const KernelParameter *before = move->position == EVERY_TENSOR
                                      ? NULL
                                      : kernel_tensor_at(&frame->call, (uint32_t)move->position);
  const char *from = move->kind == MOVE_DTYPE ? kernel_dtypes_tried[(size_t)move->value].name : "",
             *to = "";
  for (size_t i = 0; before && i < KERNEL_DTYPES_TRIED; ++i)
    if (memcmp(&kernel_dtypes_tried[i].dtype, &before->dtype, sizeof before->dtype) == 0)
      to = kernel_dtypes_tried[i].name;
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

// Whether an extent was changed that the message before compares with another one.
static bool is_compared(const Frame *frame, const Move *move)
{
  static const char *const words[] = {"as many", "same", "equal", "match",
                                      " more ",  "*",    "+",     NULL};
  return move->kind == MOVE_EXTENT && refusal_has_any(frame->message, words) &&
         !refusal_asks_for_more(frame->message);
}

// Whether a complaint that does not say which value a change had is likely to be about it: two values
// that right are few, but one that is large enough leads to others, too.
static bool is_about_place(const Search *search, const Frame *frame, const Move *move,
                           const char *message)
{
  char subject[REFUSAL_WORD_MAX];
  const char *own = search->subjects[move->position];
  const bool sized = move->kind == MOVE_EXTENT || move->kind == MOVE_VALUE;
  if (move->kind == MOVE_LENGTH) return !refusal_asks_for_more(message);
  const bool typed = move->kind == MOVE_DTYPE && refusal_is_about(frame->message, REFUSAL_DTYPE);
  // It came with a change of what it is about, which the one before was not about.
  if (is_of_form(message, frame->message, move)) return true;
  refusal_subject(message, subject);
  if (!sized && !typed) return false;
  // Of what has to equal something, two sizes are not right.
  if (*own && strcmp(own, subject) != 0 && !is_compared(frame, move)) return false;
  if (*own && strcmp(own, subject) == 0) return true;
  return typed || !refusal_asks_for_more(frame->message);
}

// Whether a number that the message before was not about is what the message is about: it names nothing
// that is known, and tells of the limits of a value.
static bool is_about_number(const Search *search, const Frame *frame, const Move *move,
                            const char *message)
{
  char before[REFUSAL_WORD_MAX], subject[REFUSAL_WORD_MAX];
  const KernelKind kind = kernel_leader(&frame->call, (uint32_t)move->position)->kind;
  bool other = false;
  if (move->kind != MOVE_VALUE || (kind != KERNEL_INT && kind != KERNEL_FLOAT)) return false;
  if (*search->subjects[move->position]) return false;
  refusal_subject(frame->message, before);
  refusal_subject(message, subject);
  for (size_t i = 0; i < KERNEL_PLACES_MAX; ++i) {
    if (refusal_same_word(search->subjects[i], subject)) return false;
    other |= refusal_same_word(search->subjects[i], before);
  }
  other |= !refusal_is_about(frame->message, REFUSAL_VALUE);
  return *before && *subject && other && refusal_is_about(message, REFUSAL_VALUE) &&
         !refusal_is_about(message, REFUSAL_RANK) && !refusal_is_about(message, REFUSAL_DTYPE) &&
         !refusal_is_about(message, REFUSAL_EXTENT);
}

// Whether the message is about the number that a value got with the change, and the one before was not.
static bool refuses_number(const Frame *frame, const Move *move, const char *message)
{
  char was[REFUSAL_WORD_MAX], is[REFUSAL_WORD_MAX];
  if (move->kind != MOVE_VALUE || move->position == EVERY_TENSOR) return false;
  const KernelParameter *at = kernel_leader(&frame->call, (uint32_t)move->position);
  const double before = at->kind == KERNEL_FLOAT ? at->number : (double)at->integer;
  if (at->kind != KERNEL_INT && at->kind != KERNEL_FLOAT) return false;
  refusal_subject(frame->message, was);
  refusal_subject(message, is);
  // Too small first, and too large then, is about the same number.
  if (refusal_excludes(frame->message, before) && (!*was || !*is || refusal_same_word(was, is)))
    return false;
  return refusal_excludes(message, move->value) && !refusal_excludes(message, before);
}

bool signature_doubt_change(Search *search, const Frame *frame, const Move *move,
                            const char *message)
{
  ProbeAnswer again;
  Move other;
  if (move->kind == MOVE_RANK && move->position != EVERY_TENSOR &&
      asks_for_the_old_rank(frame, move, message))
    return true;
  if (refuses_number(frame, move, message)) return true;
  if (!other_value(search, frame, move, &other)) return false;
  const Kernel kept = search->call;
  search->call = frame->call;
  const bool asked = signature_move_make(search->known, &search->call, frame->message, &other) &&
                     signature_heard_ask(search, &search->call, &again) && again.code != 0;
  search->call = kept;
  if (!asked) return false;
  if (strcmp(again.message, frame->message) == 0 && is_about_number(search, frame, move, message))
    return true;
  if (strcmp(again.message, message) == 0) return is_about_place(search, frame, move, message);
  char one[512], another[512];
  if (move->kind == MOVE_TEXT) {
    name_old_text(message, move->text, other.text, one);
    return strcmp(one, again.message) == 0;
  }
  signature_doubt_name_old_type(frame, move, message, one);
  signature_doubt_name_old_type(frame, &other, again.message, another);
  return signature_heard_hash(one) == signature_heard_hash(another) &&
         strcmp(one, frame->message) != 0;
}

bool signature_doubt_kind(Frame *frame, const Move *move)
{
  if (move->doubted || move->position == EVERY_TENSOR) return false;
  if (move->kind != MOVE_RANK && move->kind != MOVE_DTYPE) return false;
  return frame->doubted[move->position] & 1u << move->kind;
}

void signature_doubt_put_off(Frame *frame, Move move)
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
