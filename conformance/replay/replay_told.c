// SPDX-License-Identifier: Apache-2.0
// What is noted of events: how they differ, whether that has a known reason, and why they could not be
// replayed.
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "replay/replay_player.h"

static void add(char *out, size_t size, const char *text)
{
  size_t used = strlen(out);
  if (used + 1 < size) snprintf(out + used, size - used, "%s", text);
}

void player_call_text(Player *player, const RecordEvent *event, char *out, size_t size)
{
  const char *leaf = event->kind == RECORD_LEAF ? record_leaf_name(event->what) : NULL;
  char text[REPLAY_TEXT_MAX];
  RecordItem item;
  uint32_t at = 0, count = 0;
  snprintf(out, size, "%s%s", leaf ? "TVMFFI" : "", leaf ? leaf : "");
  if (leaf) add(out, size, "(");
  if (event->kind == RECORD_FIELD)
    add(out, size, event->what ? "write a field of " : "read a field of ");
  while (record_next(event, &at, &item)) {
    player_describe(player, &item, false, text, sizeof text);
    if (!leaf && count == 0)
      add(out, size, text);
    else
      add(out, size, count > (leaf ? 0 : 1) ? ", " : "");
    if (!leaf && count == 0) add(out, size, "(");
    if (leaf || count > 0) add(out, size, text);
    ++count;
  }
  add(out, size, ")");
}

RecordText player_name(Player *player, const RecordEvent *event)
{
  RecordItem item;
  uint32_t at = 0;
  if (!record_next(event, &at, &item)) return (RecordText){"", 0};
  if (event->kind == RECORD_LEAF && item.tag == RECORD_TEXT) return item.text;
  const PlayerObject *place = item.number ? player_object(player, item.number) : NULL;
  return place ? place->name : (RecordText){"", 0};
}

static bool is_excluded(const Player *player, const char *name)
{
  for (size_t i = 0; i < REPLAY_GLOBS_MAX; ++i) {
    const char *glob = player->shared->excluded[i];
    if (*glob && fnmatch(glob, name, 0) == 0) return true;
  }
  return false;
}

// --- Known reasons -------------------------------------------------------------------------------

static const char own_hashes[] = "the numbers of hashes are the runtime's own";

// What these functions give is a runtime's own, and so is what is asked of it afterwards.
static const struct {
  const char *name, *why;
} own[] = {
    {"ffi.FunctionListGlobalNamesFunctor",
     "which functions are registered, and in what order they are listed, is the runtime's own"},
    {"ffi.GetRegisteredTypeKeys",
     "which types are registered, and in what order they are listed, is the runtime's own"},
    {"ffi.StructuralHash", own_hashes},
    {"ffi.RecursiveHash", own_hashes},
    {"ffi.MakeFieldGetter", "it gives an address as a number"},
};

static bool is_text(RecordText text, const char *expected)
{
  return strlen(expected) == text.size && memcmp(expected, text.data, text.size) == 0;
}

// ffi.StructuralKey keeps the hash of what it is a key of.
static bool reads_hash(const Player *player, const RecordEvent *event)
{
  RecordItem object, name;
  uint32_t at = 0;
  return event->kind == RECORD_FIELD && record_next(event, &at, &object) &&
         object.tag == RECORD_OBJECT && object.type_index >= 0 && object.type_index < 65536 &&
         is_text(player->types[object.type_index], "ffi.StructuralKey") &&
         record_next(event, &at, &name) && name.tag == RECORD_TEXT &&
         is_text(name.text, "hash_i64");
}

const char *player_reason(Player *player, const RecordEvent *event)
{
  RecordText name = player_name(player, event);
  RecordItem item;
  uint32_t at = 0;
  for (size_t i = 0; event->kind == RECORD_CALL && i < sizeof own / sizeof *own; ++i)
    if (is_text(name, own[i].name)) return own[i].why;
  if (reads_hash(player, event)) return own_hashes;
  while (record_next(event, &at, &item)) {
    const PlayerObject *place = item.number ? player_object(player, item.number) : NULL;
    if (place && place->why) return place->why;
  }
  return NULL;
}

// The end of an address at `at`, "0x" and six digits or more; 0: there is none.
static size_t address_end(RecordText text, size_t at)
{
  size_t end = at + 2;
  if (text.size < at + 8 || memcmp(text.data + at, "0x", 2) != 0) return 0;
  while (end < text.size && isxdigit((unsigned char)text.data[end])) ++end;
  return end >= at + 8 ? end : 0;
}

static bool differ_in_addresses(RecordText a, RecordText b)
{
  size_t i = 0, j = 0;
  while (i < a.size && j < b.size) {
    size_t a_end = address_end(a, i), b_end = address_end(b, j);
    if (a_end && b_end) {
      i = a_end;
      j = b_end;
    } else if (a.data[i++] != b.data[j++]) {
      return false;
    }
  }
  return i == a.size && j == b.size;
}

// --- What is noted -------------------------------------------------------------------------------

static bool same_difference(const ReplayDifference *a, const ReplayDifference *b)
{
  return a->kind == b->kind && strcmp(a->call, b->call) == 0 &&
         strcmp(a->recorded, b->recorded) == 0 && strcmp(a->came, b->came) == 0 &&
         strcmp(a->why, b->why) == 0;
}

// Those with a known reason leave room for others.
static void keep(ReplayShared *shared, const ReplayDifference *difference)
{
  unsigned room = *difference->why ? REPLAY_DIFFERENCES_MAX / 2 : REPLAY_DIFFERENCES_MAX;
  unsigned count = atomic_load(&shared->difference_count), place = 0;
  while (place < count && !same_difference(&shared->differences[place], difference)) ++place;
  if (place < count) {
    ++shared->differences[place].count;
  } else if (place < room) {
    shared->differences[place] = *difference;
    atomic_store(&shared->difference_count, count + 1);
  }
}

static void note_difference(Player *player, const RecordEvent *event, ReplayClass kind,
                            const char *why, const char *recorded, const char *came)
{
  static ReplayDifference difference;
  char name[REPLAY_GLOB_MAX];
  RecordText text = player_name(player, event);
  snprintf(name, sizeof name, "%.*s", (int)text.size, text.data);
  if (player->differs || is_excluded(player, name)) return;
  player->differs = true;
  if (!why) why = player_reason(player, event);
  atomic_fetch_add(why ? &player->shared->explained : &player->shared->differing[kind], 1);
  difference = (ReplayDifference){.serial = event->serial, .count = 1, .kind = kind};
  player_call_text(player, event, difference.call, sizeof difference.call);
  snprintf(difference.recorded, sizeof difference.recorded, "%s", recorded);
  snprintf(difference.came, sizeof difference.came, "%s", came);
  snprintf(difference.why, sizeof difference.why, "%s", why ? why : "");
  keep(player->shared, &difference);
}

void player_differs(Player *player, const RecordEvent *event, ReplayClass kind,
                    const char *recorded, const char *came)
{
  note_difference(player, event, kind, NULL, recorded, came);
}

// What a call would have changed that could not be replayed.
static void mark_objects(Player *player, const RecordEvent *event)
{
  RecordItem item;
  uint32_t at = 0;
  record_next(event, &at, &item);  // what is called stays as it is
  while (record_next(event, &at, &item)) {
    PlayerObject *place = item.tag == RECORD_OBJECT && item.type_index != kTVMFFIFunction
                              ? player_object(player, item.number)
                              : NULL;
    if (place && !place->why) place->why = "a call before it that took the object was not replayed";
  }
}

void player_leave_out(Player *player, const RecordEvent *event, const char *why)
{
  ReplayShared *shared = player->shared;
  unsigned count = atomic_load(&shared->reason_count), place = 0;
  atomic_fetch_add(&shared->left_out, 1);
  if (event->kind == RECORD_CALL) mark_objects(player, event);
  for (const RecordEvent *inner = event;; ++inner) {
    player_refresh(player, inner);
    if (inner >= &player->recording->events[event->end]) break;
  }
  while (place < count && strncmp(shared->reasons[place].why, why, REPLAY_TEXT_MAX - 1) != 0)
    ++place;
  if (place == REPLAY_REASONS_MAX) return;
  ReplayReason *reason = &shared->reasons[place];
  if (place == count) {
    reason->serial = event->serial;
    snprintf(reason->why, sizeof reason->why, "%s", why);
    player_call_text(player, event, reason->call, sizeof reason->call);
    atomic_store(&shared->reason_count, count + 1);
  }
  ++reason->count;
}

void player_compare(Player *player, const RecordEvent *event, ReplayClass kind,
                    const RecordItem *recorded, const TVMFFIAny *came)
{
  char texts[2][REPLAY_TEXT_MAX];
  const RecordItem item = player_look(player, came);
  if (player_equal(player, recorded, &item)) return;
  bool addresses = recorded->tag == RECORD_TEXT && item.tag == RECORD_TEXT &&
                   differ_in_addresses(recorded->text, item.text);
  player_describe(player, recorded, false, texts[0], sizeof texts[0]);
  player_describe(player, &item, true, texts[1], sizeof texts[1]);
  note_difference(player, event, kind, addresses ? "the texts differ in addresses only" : NULL,
                  texts[0], texts[1]);
}
