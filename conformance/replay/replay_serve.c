// SPDX-License-Identifier: Apache-2.0
// The worker's side of `replay`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "replay/replay_player.h"

// Calls that no other call is around, of all threads, in the order in which they began.
static int by_serial(const void *a, const void *b)
{
  const RecordEvent *first = *(const RecordEvent *const *)a;
  const RecordEvent *second = *(const RecordEvent *const *)b;
  return first->serial < second->serial ? -1 : first->serial > second->serial;
}

static bool is_played(const RecordEvent *event)
{
  return event->depth == 0 && event->kind != RECORD_END;
}

static bool is_variable(const RecordEvent *event)
{
  return event->kind == RECORD_VARIABLE;
}

// Those of the process (and of the runtime, if that is not RECORD_RUNTIMES_MAX) that `fits`, in the order
// in which they began (own; NULL if memory is out).
static const RecordEvent **choose(const Recording *recording, unsigned process, unsigned runtime,
                                  bool (*fits)(const RecordEvent *event), size_t *count)
{
  const RecordEvent **chosen = calloc(recording->count + 1, sizeof *chosen);
  *count = 0;
  for (size_t i = 0; chosen && i < recording->count; ++i) {
    const RecordEvent *event = &recording->events[i];
    if (event->process == process && fits(event) &&
        (runtime == RECORD_RUNTIMES_MAX || event->runtime == runtime))
      chosen[(*count)++] = event;
  }
  if (*count) qsort(chosen, *count, sizeof *chosen, by_serial);
  return chosen;
}

static void play(Player *player, unsigned process)
{
  const Recording *recording = player->recording;
  const unsigned runtime = process >> RECORD_RUNTIME_SHIFT;
  size_t count;
  process &= (1u << RECORD_RUNTIME_SHIFT) - 1;
  player->variables =
      choose(recording, process, RECORD_RUNTIMES_MAX, is_variable, &player->variable_count);
  const RecordEvent **outer = choose(recording, process, runtime, is_played, &count);
  for (size_t i = 0; i < count; ++i) {
    size_t at = (size_t)(outer[i] - recording->events);
    player->frame = (PlayerFrame){at, at + 1, at};
    player_run(player);
  }
  free(outer);
  free(player->variables);
}

static int cannot(ReplayShared *shared, const char *why)
{
  snprintf(shared->error, sizeof shared->error, "%s", why);
  atomic_store(&shared->state, REPLAY_CANNOT_LOAD);
  return 3;
}

// What the player itself uses.
static const char *find_missing(const Iut *iut)
{
  static const AbiFunctionId needed[] = {FN_ObjectIncRef,        FN_ObjectDecRef,
                                         FN_AnyViewToOwnedAny,   FN_StringFromByteArray,
                                         FN_BytesFromByteArray,  FN_FunctionCreate,
                                         FN_FunctionCall,        FN_FunctionGetGlobal,
                                         FN_ErrorMoveFromRaised, FN_ErrorSetRaised,
                                         FN_ErrorCreate,         FN_TypeKeyToIndex,
                                         FN_GetTypeInfo,         FN_TensorFromDLPackVersioned};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!iut_has(iut, needed[i])) return abi_functions[needed[i]].symbol;
  return NULL;
}

int replay_serve(unsigned process, const char *recording, const char *library)
{
  static Iut iut;
  char error[REPLAY_TEXT_MAX];
  ReplayShared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, REPLAY_FD, 0);
  if (shared == MAP_FAILED) return 3;
  close(REPLAY_FD);
  Player player = {.iut = &iut, .shared = shared};
  player.recording = record_load(recording, error, sizeof error);
  player.types = calloc(65536, sizeof *player.types);
  if (!player.recording || !player.types || !player_open_objects(&player))
    return cannot(shared, player.recording ? "out of memory" : error);
  atomic_store(&shared->state, REPLAY_STARTED);
  if (!iut_load(&iut, library, error, sizeof error)) return cannot(shared, error);
  if (iut.generation != ABI_GENERATION_0_1)
    return cannot(shared, "is of another generation of the ABI than recordings are");
  const char *missing = find_missing(&iut);
  if (missing) {
    snprintf(error, sizeof error, "has no %s, which replay needs", missing);
    return cannot(shared, error);
  }
  shared->version = iut_ask_version(&iut);
  player_clear_variables();
  atomic_store(&shared->state, REPLAY_PLAYING);
  play(&player, process);
  atomic_store(&shared->state, REPLAY_DONE);
  _exit(0);
}
