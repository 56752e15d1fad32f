// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/signature_doubt.h"
#include "plan/signature_example.h"
#include "plan/signature_ideas.h"
#include "plan/signature_sense.h"
#include "plan/signature_vary.h"

enum {
  DEPTH_MAX = 48,
  IDLE_MAX = 1600,  // calls in which nothing new is heard
};

// --- The search ----------------------------------------------------------------------------------

static void push(Search *search, const char *message)
{
  if (search->depth == DEPTH_MAX) return;
  Frame *frame = &search->frames[search->depth++];
  frame->call = search->call;
  snprintf(frame->message, sizeof frame->message, "%.*s", (int)sizeof frame->message - 1, message);
  signature_ideas(search, frame);
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

static void forget_last(Search *search)
{
  if (search->seen_count > 0) --search->seen_count;
}

// A call that was made and did not come back is past what the one before was refused for: it is a step
// forward once, as a complaint not heard before is.
static void look_at_lost(Search *search, bool could_ask)
{
  if (could_ask && signature_heard_is_news(search, SEARCH_LOST)) push(search, SEARCH_LOST);
}

// Whether the message is the same about two numbers that are nearer to each other: "8 rows for 4".
static bool is_nearer(const char *before, const char *message)
{
  double from[REFUSAL_NUMBERS_MAX], to[REFUSAL_NUMBERS_MAX];
  if (refusal_numbers(before, from) != 2 || refusal_numbers(message, to) != 2) return false;
  return signature_heard_hash(before) == signature_heard_hash(message) &&
         fabs(to[0] - to[1]) < fabs(from[0] - from[1]);
}

// Whether the function does not know a key that was added to a map. (Of an unknown value it says so, too.)
static bool is_unknown_key(const Move *move, const char *message)
{
  static const char *const words[] = {"unknown key",      "unexpected key",    "unsupported key",
                                      "invalid key",      "no such key",       "unrecognized key",
                                      "unknown option",   "unexpected option", "unknown entry",
                                      "unexpected entry", "unknown field",     NULL};
  const bool named = move->kind == MOVE_ENTRIES ||
                     (move->kind == MOVE_ENTRY && refusal_has_word(message, move->text));
  return named && refusal_has_any(message, words);
}

// Whether the function knows the key, and takes another kind of value there.
static bool is_entry_of_other_kind(const Move *move, const char *message)
{
  static const char *const words[] = {"TypeError", "must be a", "expected a", "not a", NULL};
  return move->kind == MOVE_ENTRY && !move->doubted && refusal_has_word(message, move->text) &&
         refusal_has_any(message, words);
}

// Each change that leads to a complaint not heard before is kept; where none does, the one before
// is taken back.
static bool find_served(Search *search)
{
  ProbeAnswer answer;
  if (!signature_heard_ask(search, &search->call, &answer)) return false;
  if (answer.code == 0) return true;
  signature_heard_is_news(search, answer.message);
  push(search, answer.message);
  while (search->depth > 0 && search->left > 0 && search->idle < IDLE_MAX) {
    Frame *frame = &search->frames[search->depth - 1];
    if (frame->next == frame->count) {
      --search->depth;
      continue;
    }
    Move move = frame->moves[frame->next++];
    search->call = frame->call;
    if (move.kind == MOVE_TEXT && move.position == (int)search->kept_text) continue;
    if (signature_doubt_kind(frame, &move)) {
      signature_doubt_put_off(frame, move);
      continue;
    }
    if (!signature_move_make(search->known, &search->call, frame->message, &move)) continue;
    const unsigned left = search->left;
    if (!signature_heard_ask(search, &search->call, &answer)) {
      look_at_lost(search, left > 0);
      continue;
    }
    if (answer.code == 0) return true;
    if (is_unknown_key(&move, answer.message)) continue;
    if (is_entry_of_other_kind(&move, answer.message)) {
      signature_doubt_put_off(frame, move);
      continue;
    }
    if (is_nearer(frame->message, answer.message)) {
      push(search, answer.message);
      continue;
    }
    char comparable[512];
    signature_doubt_name_old_type(frame, &move, answer.message, comparable);
    if (signature_heard_hash(comparable) == signature_heard_hash(frame->message) ||
        !signature_heard_is_news(search, answer.message))
      continue;
    if (!move.doubted && signature_doubt_change(search, frame, &move, answer.message)) {
      learn_subject(search, answer.message, &move);
      forget_last(search);
      // (A text that is named as another one would be is refused like that one.)
      if (move.kind != MOVE_TEXT) signature_doubt_put_off(frame, move);
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
  // A message that names such a text is about that parameter.
  for (uint32_t i = 0; i < kernel_place_count(&search->call); ++i) {
    KernelParameter *at = kernel_place(&search->call, i);
    if (at->kind == KERNEL_STRING && !at->text[0])
      snprintf(at->text, sizeof at->text, "text%u", (unsigned)i);
  }
  return true;
}

static bool ask_of_found(void *context, const Kernel *call, ProbeAnswer *answer)
{
  return signature_heard_ask(context, call, answer);
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
      if (signature_heard_ask(search, &without, &answer) && answer.code == 0) *found = without;
    }
}

// Whether the call is served with unmapped memory behind its tensors.
static bool is_fenced(Search *search, Kernel *call)
{
  ProbeAnswer answer;
  const bool found = call->found;
  call->found = true;
  search->left += search->left == 0;
  const bool served = signature_heard_ask(search, call, &answer) && answer.code == 0;
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
        signature_move_place(call, i, &(Move){MOVE_VALUE, (int)i, 0, number, "", false, 0, 0});
      }
      ProbeAnswer answer;
      const bool served = signature_heard_ask(search, call, &answer) && answer.code == 0;
      if (!served) *at = own;
      if (served && is_fenced(search, call)) return true;
    }
  }
  return false;
}

// Places that are all the first one, or none (-1), show little: has them be others, too, where that is served.
static void tell_places_apart(Search *search, Kernel *call)
{
  static const struct {
    uint32_t count;
    double values[4];
  } tried[] = {{4, {0, 1, 2, 3}}, {3, {0, 1, 2}},     {2, {1, 0}},
               {2, {1, 2}},       {4, {-1, 0, 0, 1}}, {2, {-1, 0}}};
  enum { OF_NONE = 4 };  // the first of those that may be none
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    KernelParameter *at = kernel_place(call, i);
    const bool whole = at->dtype.code == kDLInt || at->dtype.code == kDLUInt;
    if (at->kind != KERNEL_TENSOR || !whole || at->value_count != 1) continue;
    if (at->values[0] != 0 && at->values[0] != -1) continue;
    const KernelParameter own = *at;
    const size_t first = own.values[0] < 0 ? OF_NONE : 0;
    const size_t end = own.values[0] < 0 ? sizeof tried / sizeof *tried : OF_NONE;
    for (size_t k = first; k < end; ++k) {
      at->value_count = tried[k].count;
      memcpy(at->values, tried[k].values, sizeof tried[k].values);
      if (is_fenced(search, call)) break;
      *at = own;
    }
  }
}

static bool ask_served(Search *search, const Kernel *call)
{
  ProbeAnswer answer;
  return signature_heard_ask(search, call, &answer) && answer.code == 0;
}

// The entry of a map that was added to it last.
static KernelParameter *last_entry(Kernel *call, uint32_t map)
{
  const KernelParameter *at = &call->parameters[map];
  return &call->elements[at->first_element + at->element_count - 1];
}

// Adds a value that nothing takes to what would be a map: a text, or NaN where it holds floats alone. False if there
// is none.
static bool add_wrong_value(Search *search, Kernel *call, uint32_t map, const char *key)
{
  enum { TEXT = 2 };
  if (signature_add_entry(search->known, call, map, key, TEXT)) return true;
  if (!signature_add_entry(search->known, call, map, key, 0)) return false;
  last_entry(call, map)->number = NAN;
  return last_entry(call, map)->kind == KERNEL_FLOAT;
}

// A map may have keys that it need not have. One is known by that another value is refused for it: has the map
// hold it, with a value of a kind that is taken.
static bool add_key(Search *search, Kernel *found, uint32_t map, const char *key)
{
  enum { TURNS = 4, TEXT = 2 };
  ProbeAnswer answer;
  Kernel with = *found;
  if (!add_wrong_value(search, &with, map, key)) return false;
  if (!signature_heard_ask(search, &with, &answer) || answer.code == 0) return false;
  for (unsigned turn = 0; turn < TURNS; ++turn) {
    with = *found;
    if (turn == TEXT || !signature_add_entry(search->known, &with, map, key, turn)) continue;
    bool served = ask_served(search, &with);
    if (!served && last_entry(&with, map)->kind == KERNEL_FLOAT) {
      last_entry(&with, map)->number = 0.5;
      served = ask_served(search, &with);
    }
    if (!served) continue;
    *found = with;
    return true;
  }
  return false;
}

static void add_keys(Search *search, Kernel *found)
{
  enum { KEYS_MOST = 6 };
  const InspectWordList *lists[] = {&search->words->literals, &search->words->subjects};
  for (uint32_t i = 0; i < found->parameter_count; ++i) {
    unsigned added = 0;
    if (!signature_takes_entries(&found->parameters[i])) continue;
    for (size_t list = 0; list < sizeof lists / sizeof *lists; ++list)
      for (size_t k = 0; k < lists[list]->count && added < KEYS_MOST; ++k)
        added += add_key(search, found, i, lists[list]->items[k]);
  }
}

// Whether the call is served with one extent so much larger, of whichever tensor, beside its memory; the
// call stays so.
static bool grow_with(Search *search, Kernel *call, int64_t by)
{
  for (uint32_t i = 0; i < kernel_place_count(call); ++i) {
    const KernelParameter own = *kernel_place_of(call, i);
    if (own.kind != KERNEL_TENSOR || !own.typed) continue;
    for (int32_t k = 0; k < own.rank; ++k) {
      kernel_place(call, i)->shape[k].size += by;
      if (is_fenced(search, call)) return true;
      *kernel_place(call, i) = own;
    }
  }
  return false;
}

// Numbers in containers, up to so many: floats between 0 and 1 that differ, and integers of more than one.
static void enrich_held(Search *search, Kernel *call)
{
  enum { MOST = 12 };
  static const double floats[] = {0.5, 0.625, 0.75};
  static const int64_t integers[] = {3, 2};
  unsigned count = 0;
  for (uint32_t i = call->parameter_count; i < kernel_place_count(call) && count < MOST; ++i) {
    KernelParameter *at = kernel_place(call, i);
    const KernelParameter own = *at;
    if (!kernel_holder_of(call, i)) continue;
    if (at->kind == KERNEL_FLOAT && (at->number == 0 || at->number == 1)) {
      at->number = floats[count++ % 3];
      if (!is_fenced(search, call)) *at = own;
    }
    if (own.kind != KERNEL_INT || own.integer != 1) continue;
    ++count;
    for (size_t k = 0; k < sizeof integers / sizeof *integers; ++k) {
      at->integer = integers[k];
      if (is_fenced(search, call)) break;
      *at = own;
    }
  }
}

// Tensors without elements show nothing: has extents of 0 be others, one after the other, where that is served.
static void fill_empty(Search *search, Kernel *call)
{
  static const int64_t sizes[] = {4, 2, 1};
  for (uint32_t i = 0; i < call->parameter_count; ++i)
    for (int32_t k = 0; call->parameters[i].kind == KERNEL_TENSOR && k < call->parameters[i].rank;
         ++k) {
      KernelExtent *extent = &call->parameters[i].shape[k];
      const KernelExtent own = *extent;
      for (size_t n = 0; own.size == 0 && n < sizeof sizes / sizeof *sizes; ++n) {
        extent->size = sizes[n];
        if (is_fenced(search, call)) break;
        *extent = own;
      }
    }
}

// One of a thing, and all or nothing of a share, show little of what is done with the tensors: has numbers
// that are 1 or 0 be larger, or between, where that is served, an extent that goes with one as well.
static void enrich(Search *search, Kernel *call)
{
  static const int64_t integers[] = {3, 2};
  fill_empty(search, call);
  enrich_held(search, call);
  for (uint32_t i = 0; i < call->parameter_count; ++i) {
    KernelParameter *at = &call->parameters[i];
    const KernelParameter own = *at;
    if (at->kind == KERNEL_FLOAT && (at->number == 0 || at->number == 1)) {
      at->number = 0.5;
      if (!is_fenced(search, call)) *at = own;
    }
    for (size_t k = 0; own.kind == KERNEL_INT && own.integer == 1 && k < 2; ++k) {
      at->integer = integers[k];
      if (is_fenced(search, call) || grow_with(search, call, integers[k] - 1)) break;
      *at = own;
    }
  }
}

// Whether the call is served and does nothing. What is written may be what was there: each tensor has other
// elements, where that is served.
static bool is_idle(Search *search, const Kernel *call, bool *served)
{
  ProbeAnswer answer;
  Kernel apart = *call;
  for (uint32_t i = 0; i < kernel_place_count(&apart); ++i) {
    KernelParameter *at = kernel_place(&apart, i);
    const bool whole = at->dtype.code == kDLInt || at->dtype.code == kDLUInt;
    if (at->kind == KERNEL_TENSOR && !whole && at->value_count == 0) at->number += 2 * (int)i + 1;
  }
  *served = signature_heard_ask(search, call, &answer) && answer.code == 0;
  if (!*served || strcmp(answer.message, SIGNATURE_PROBE_IDLE) != 0) return false;
  return !signature_heard_ask(search, &apart, &answer) || answer.code != 0 ||
         strcmp(answer.message, SIGNATURE_PROBE_IDLE) == 0;
}

// A call in which nothing is done shows nothing of it: one argument may say so. Has that be another, where
// something is done then.
static void wake(Search *search, Kernel *found)
{
  static const Move moves[] = {{.kind = MOVE_EQUAL, .value = 0},
                               {.kind = MOVE_EQUAL, .value = 1},
                               {.kind = MOVE_NONE},
                               {.kind = MOVE_VALUE, .value = 1},
                               {.kind = MOVE_VALUE, .value = 0},
                               {.kind = MOVE_VALUE, .value = 2}};
  bool served;
  if (!is_idle(search, found, &served)) return;
  for (uint32_t i = 0; i < found->parameter_count; ++i)
    for (size_t k = 0; k < sizeof moves / sizeof *moves; ++k) {
      Kernel other = *found;
      Move move = moves[k];
      move.position = (int)i;
      if (move.kind == MOVE_NONE && !other.parameters[i].optional) continue;
      if (!signature_move_make(search->known, &other, "", &move)) continue;
      if (is_idle(search, &other, &served) || !served) continue;
      *found = other;
      return;
    }
}

static void take(Search *search, Kernel *kernel)
{
  Kernel found = search->call;
  drop_entries(search, &found);
  wake(search, &found);
  if (search->words) add_keys(search, &found);
  // One that reaches further whatever it is given does so by itself: the cases are to tell.
  Kernel inside = found;
  if (keep_inside(search, &inside)) {
    found = inside;
    enrich(search, &found);
    tell_places_apart(search, &found);
  }
  signature_vary(&found, ask_of_found, search);
  signature_sense(search, &found);
  memcpy(kernel->parameters, found.parameters, sizeof kernel->parameters);
  memcpy(kernel->elements, found.elements, sizeof kernel->elements);
  kernel->element_count = found.element_count;
  kernel->found = true;
}

static Search *new_search(const Signature *known, const InspectWords *words, unsigned most,
                          ProbeCall *make, void *context)
{
  Search *search = calloc(1, sizeof *search);
  if (!search) return NULL;
  search->known = known;
  search->words = words;
  search->make = make;
  search->context = context;
  search->left = most;
  search->kept = search->kept_text = KERNEL_PARAMETERS_MAX;
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

static bool has_optional(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].optional) return true;
  return false;
}

// The first call without what may be left out; false if there is nothing that may.
static bool begin_without(Search *search, const Kernel *kernel)
{
  bool changed = false;
  search->depth = search->idle = 0;
  search->seen_count = 0;
  if (!begin(search, kernel)) return false;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    changed |= search->call.parameters[i].optional &&
               signature_move_place(&search->call, i, &(Move){.kind = MOVE_NONE});
  return changed;
}

void signature_search(Kernel *kernel, const Signature *known, const InspectWords *words,
                      unsigned most, ProbeCall *make, void *context)
{
  // What may be left out asks for more than the rest together, now and then.
  const unsigned without = has_optional(kernel) ? most / 3 : 0;
  Search *search = new_search(known, words, most - without, make, context);
  bool found = search && begin(search, kernel) && find_served(search);
  if (search) search->left += without;
  if (search && !found && begin_without(search, kernel)) found = find_served(search);
  if (found) take(search, kernel);
  free_search(search);
}

// Another way to make a call that was found: what varies is found anew.
static void begin_way(Search *search, const Kernel *kernel, uint32_t position)
{
  search->call = *kernel;
  search->call.found = false;
  search->kept = position;
  for (uint32_t i = 0; i < kernel_place_count(&search->call); ++i) {
    KernelParameter *at = kernel_place(&search->call, i);
    at->checked = false;
    at->other_dtypes = at->other_ranks = 0;
    for (int32_t k = 0; k < KERNEL_RANK_MAX; ++k) at->shape[k].symbol[0] = '\0';
  }
}

bool signature_search_way(Kernel *kernel, const Signature *known, const InspectWords *words,
                          uint32_t position, uint32_t alternative, unsigned most, ProbeCall *make,
                          void *context)
{
  Search *search = new_search(known, words, most, make, context);
  if (!search) return false;
  begin_way(search, kernel, position);
  kernel->found = false;
  if (signature_take_alternative(known, &search->call, position, alternative) &&
      find_served(search))
    take(search, kernel);
  free_search(search);
  return kernel->found;
}

bool signature_search_text_way(Kernel *kernel, const Signature *known, const InspectWords *words,
                               uint32_t position, const char *text, unsigned most, ProbeCall *make,
                               void *context)
{
  Search *search = new_search(known, words, most, make, context);
  if (!search) return false;
  begin_way(search, kernel, KERNEL_PARAMETERS_MAX);
  search->kept_text = position;
  kernel->found = false;
  KernelParameter *at = &search->call.parameters[position];
  snprintf(at->text, sizeof at->text, "%s", text);
  at->text_size = 0;
  if (find_served(search)) take(search, kernel);
  free_search(search);
  return kernel->found;
}
