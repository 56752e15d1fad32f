// SPDX-License-Identifier: Apache-2.0
// The parts of playing a recording: objects by their numbers, values from items and back, what is
// noted.
#ifndef TVMFFI_CONFORMANCE_REPLAY_REPLAY_PLAYER_H_
#define TVMFFI_CONFORMANCE_REPLAY_REPLAY_PLAYER_H_

#include <stdbool.h>
#include <stddef.h>

#include "abi/abi.h"
#include "battery/iut.h"
#include "record/record.h"
#include "replay/replay.h"

struct Player;

enum { PLAYER_TYPES_MAX = 1024, PLAYER_THREADS_MAX = 16 };

// An object of the recording.
typedef struct PlayerObject {
  uint64_t number;       // 0: free
  TVMFFIObject *object;  // own; NULL: it is not there
  RecordText name;       // of a function, where it is known
  uint64_t since;        // the event that gave it
  const char *why;       // why what is asked of it may differ; NULL
  struct Player *player;
} PlayerObject;

// The calls that a function of the program is in, or the program itself: which events come next.
typedef struct PlayerFrame {
  size_t next, end, begin;
} PlayerFrame;

typedef struct Player {
  Iut *iut;
  Recording *recording;
  ReplayShared *shared;
  PlayerObject *objects;  // a hash table
  size_t object_room;
  RecordText *types;  // keys by type index, 65536
  PlayerFrame frame;
  // What is raised in a thread of the program, until it fetches it; the last 16 threads.
  struct {
    uint32_t thread;
    TVMFFIObject *error;  // own; NULL: nothing is
  } raised[PLAYER_THREADS_MAX];
  unsigned raised_next;
  const RecordEvent **variables;  // own: changes of environment variables, in their order
  size_t variable_count, variable_next;
  uint64_t serial;   // of the event that is played
  bool differs;      // the event that is played does, which is told once
  bool file_lost;    // a file that a call takes was not there: what it registers is not, either
  bool error_lost;   // the last call could not be replayed, and may have left an error
  const char *lost;  // why a function of the program could not answer in this call; NULL
  RecordText own_types[PLAYER_TYPES_MAX];  // keys of types that the program made
  size_t own_type_count;
  void **scratch;  // own: memory of the arguments of this call
  size_t scratch_count;
} Player;

// --- Objects (replay_objects.c) ------------------------------------------------------------------

bool player_open_objects(Player *player);

// The entry of the number, made if it is not there; NULL: there is no room.
PlayerObject *player_object(Player *player, uint64_t number);

// Gives the number to an object, whose reference is taken over. One that has it keeps it.
void player_bind(Player *player, uint64_t number, TVMFFIObject *object);
void player_release(Player *player, uint64_t number);

// Takes what is raised here for the thread of the program: everything is played in one thread here.
// Borrowed, until it is fetched; NULL: nothing is raised.
TVMFFIObject *player_keep_raised(Player *player, uint32_t thread);

// What is raised in the thread, which is raised no longer (own), or NULL.
TVMFFIObject *player_fetch_raised(Player *player, uint32_t thread);

// A function in the place of one of the program, which answers as the recording says. NULL: it could
// not be made.
TVMFFIObject *player_stand_in(Player *player, uint64_t number);

// --- Values (replay_values.c) --------------------------------------------------------------------

// Memory until the call is over; NULL if it is out.
void *player_scratch(Player *player, size_t size);
void player_free_scratch(Player *player, size_t from);

// A view of what the item says. NULL, or why it can't be had.
const char *player_make(Player *player, const RecordItem *item, TVMFFIAny *view);

// The same as a value that the receiver owns.
const char *player_make_owned(Player *player, const RecordItem *item, TVMFFIAny *value);

// Writes to a tensor what the item has of its bytes.
void player_write(const TVMFFIAny *tensor, const RecordItem *item);

// Writes to the tensors of an event what they held then: nothing else did.
void player_refresh(Player *player, const RecordEvent *event);

// What a value is, in the form of an item; `text` of the type's key of an object.
RecordItem player_look(const Player *player, const TVMFFIAny *value);

// Whether what came back is what was recorded.
bool player_equal(const Player *player, const RecordItem *recorded, const RecordItem *came);

// An item in words, with the names of types and functions. `came`: of the library that is played on.
void player_describe(Player *player, const RecordItem *item, bool came, char *out, size_t size);

void player_drop(const Player *player, TVMFFIAny *value);

// A DLPack tensor with the bytes of the item, owned by whoever gets it. NULL, with `why`, if the
// recording lacks them.
DLManagedTensor *player_dlpack(const RecordItem *item, const char **why);
DLManagedTensorVersioned *player_dlpack_versioned(const RecordItem *item, const char **why);

// --- Environment (replay_environment.c) ----------------------------------------------------------

// Forgets the variables that recordings have, so that a replay is the same wherever it is done.
void player_clear_variables(void);

// Sets variables as they were at this event.
void player_set_variables(Player *player, uint64_t serial);

// --- Calls (replay_calls.c, replay_leaves.c) -----------------------------------------------------

// Plays the events from `frame.next` up to its end.
void player_run(Player *player);
void player_leaf(Player *player, const RecordEvent *event);
void player_field(Player *player, const RecordEvent *event);
void player_note_method(Player *player, const RecordEvent *event);
int player_answer(PlayerObject *function, const TVMFFIAny *args, int32_t num_args,
                  TVMFFIAny *result);

// --- What is noted (replay_told.c) ---------------------------------------------------------------

// What an event is about.
void player_call_text(Player *player, const RecordEvent *event, char *out, size_t size);

// What the function is called that an event is about; "" if it has no name.
RecordText player_name(Player *player, const RecordEvent *event);

// Why what came of the event may differ from what was recorded, on any runtime; NULL: for no reason
// that is known.
const char *player_reason(Player *player, const RecordEvent *event);

void player_differs(Player *player, const RecordEvent *event, ReplayClass kind,
                    const char *recorded, const char *came);
void player_leave_out(Player *player, const RecordEvent *event, const char *why);

// Compares, and tells a difference.
void player_compare(Player *player, const RecordEvent *event, ReplayClass kind,
                    const RecordItem *recorded, const TVMFFIAny *came);

#endif  // TVMFFI_CONFORMANCE_REPLAY_REPLAY_PLAYER_H_
