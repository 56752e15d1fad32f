// SPDX-License-Identifier: Apache-2.0
// Playing the events of a thread: calls of functions, and functions of the program that are called
// back in them.
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/replay_player.h"

enum { ARGS_MAX = 256 };

// --- A call --------------------------------------------------------------------------------------

typedef struct Call {
  const RecordEvent *event, *end;
  RecordItem items[ARGS_MAX];
  TVMFFIAny args[ARGS_MAX];
  int32_t num_args;
  TVMFFIAny function, result;
  int code;
  const char *lost;
} Call;

// An index is handed over as a number like any other.
static bool takes_type_index(RecordText name)
{
  static const char registers[] = "ffi._PyClassRegisterTypeAttrColumns";
  return name.size == sizeof registers - 1 && memcmp(name.data, registers, name.size) == 0;
}

static const char *make_call(Player *player, Call *call)
{
  RecordItem item;
  uint32_t at = 0;
  if (!record_next(call->event, &at, &item)) return "the recording does not say what is called";
  const char *why = item.tag == RECORD_OBJECT ? player_make(player, &item, &call->function)
                                              : "it is called by its symbol, without a runtime";
  if (!why && call->function.type_index != kTVMFFIFunction)
    why = "what is called is not a function";
  if (!why && takes_type_index(player_name(player, call->event)))
    why = "it takes the index of a type, which each process numbers";
  while (!why && record_next(call->event, &at, &item)) {
    if (call->num_args == ARGS_MAX) return "it has more than 256 arguments";
    call->items[call->num_args] = item;
    why = player_make(player, &item, &call->args[call->num_args++]);
  }
  return why;
}

// What was handed over as a moved reference and is still there was not taken.
static void drop_moved(const Player *player, Call *call)
{
  for (int32_t i = 0; i < call->num_args; ++i) {
    if (call->args[i].type_index != kTVMFFIObjectRValueRef) continue;
    TVMFFIObject **slot = call->args[i].v_ptr;
    if (*slot) player->iut->ObjectDecRef(*slot);
    *slot = NULL;
  }
}

static void code_text(const RecordItem *error, int64_t code, char *out, size_t size)
{
  if (code == 0)
    snprintf(out, size, "success");
  else if (error->tag == RECORD_ERROR)
    snprintf(out, size, "%.*s: %.*s", (int)error->both[0].size, error->both[0].data,
             (int)error->both[1].size, error->both[1].data);
  else
    snprintf(out, size, "failure (%" PRId64 ")", code);
}

// What failed leaves an error, which is kept for the event in which the program fetches it.
static RecordItem take_raised(Player *player, const RecordEvent *event)
{
  TVMFFIObject *raised = player_keep_raised(player, event->thread);
  if (!raised) return (RecordItem){.tag = RECORD_NONE};
  const TVMFFIAny value = {.type_index = kTVMFFIError, .v_obj = raised};
  return player_look(player, &value);
}

// What functions of the program wrote in the call is in the events of these.
static void expect_written(Call *call)
{
  for (const RecordEvent *inner = call->event + 1; inner < call->end; ++inner) {
    RecordItem item;
    for (uint32_t at = 0; inner->kind == RECORD_END && record_next(inner, &at, &item);)
      for (int32_t i = 0; item.tag == RECORD_TENSOR && item.number && i < call->num_args; ++i)
        if (call->items[i].number == item.number) call->items[i] = item;
  }
}

static void compare_tensors(Player *player, Call *call, uint32_t at)
{
  RecordItem index, after;
  expect_written(call);
  while (record_next(call->end, &at, &index) && record_next(call->end, &at, &after))
    if (index.tag == RECORD_INT && index.integer >= 0 && index.integer < call->num_args &&
        after.tag == RECORD_TENSOR)
      call->items[index.integer] = after;
  for (int32_t i = 0; i < call->num_args; ++i) {
    if (call->items[i].tag != RECORD_TENSOR || (call->args[i].type_index != kTVMFFITensor &&
                                                call->args[i].type_index != kTVMFFIDLTensorPtr))
      continue;
    player_compare(player, call->event, REPLAY_TENSOR, &call->items[i], &call->args[i]);
  }
}

// The library may give an object where a string was small, and the other way round. An object of another
// type has another part in what follows.
static void bind_result(Player *player, const RecordItem *recorded, TVMFFIAny *value)
{
  const RecordItem came = player_look(player, value);
  bool is_other = recorded->tag == RECORD_OBJECT && !player_equal(player, recorded, &came);
  if (recorded->number && !is_other && value->type_index >= kTVMFFIStaticObjectBegin) {
    player_bind(player, recorded->number, value->v_obj);
    *value = (TVMFFIAny){.type_index = kTVMFFINone};
  }
  player_drop(player, value);
}

// A function that another one gave is called after it.
static void name_result(Player *player, const RecordEvent *event, const RecordItem *result)
{
  PlayerObject *place = player_object(player, result->number);
  RecordText text = player_name(player, event);
  char *name = place && !place->name.size && text.size ? malloc((size_t)text.size + 2) : NULL;
  if (!name) return;
  memcpy(name, text.data, text.size);
  memcpy(name + text.size, "()", 2);
  place->name = (RecordText){name, text.size + 2};
}

// Whether the library complains of a type that the program made: code of the program reads the fields
// of such objects and makes them, and is not there.
static bool is_of_own_type(const Player *player, const RecordItem *raised)
{
  RecordText message = raised->both[1];
  for (size_t i = 0; i < player->own_type_count; ++i) {
    RecordText key = player->own_types[i];
    if (key.size && memmem(message.data, message.size, key.data, key.size)) return true;
  }
  return false;
}

// Whether it takes the path of a file that is not there, or out of reach.
static bool names_lost_file(const Call *call)
{
  for (int32_t i = 0; i < call->num_args; ++i) {
    const RecordItem *item = &call->items[i];
    char path[4096];
    if (item->tag != RECORD_TEXT || item->text.size < 2 || item->text.size >= sizeof path ||
        item->text.data[0] != '/')
      continue;
    memcpy(path, item->text.data, item->text.size);
    path[item->text.size] = '\0';
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // the sandbox answers this alone
    if (file < 0) return true;
    close(file);
  }
  return false;
}

// Why a failure says nothing of the library; NULL: it does.
static const char *excuse(Player *player, const Call *call, const RecordItem *raised)
{
  if (raised->tag != RECORD_ERROR) return NULL;
  if (is_of_own_type(player, raised))
    return "it needs code of the program for a type of the program";
  if (!names_lost_file(call)) return NULL;
  player->file_lost = true;
  return "it takes a file that is not there, or not in the sandbox";
}

static void compare_call(Player *player, Call *call)
{
  RecordItem code = {.tag = RECORD_NONE}, result = {.tag = RECORD_NONE}, error = result;
  uint32_t at = 0;
  record_next(call->end, &at, &code);
  record_next(call->end, &at, &result);
  record_next(call->end, &at, &error);
  RecordItem raised = {.tag = RECORD_NONE};
  if (call->code != 0) raised = take_raised(player, call->event);
  char texts[2][REPLAY_TEXT_MAX];
  code_text(&error, code.integer, texts[0], sizeof texts[0]);
  code_text(&raised, call->code, texts[1], sizeof texts[1]);
  bool both_failed = code.integer != 0 && call->code != 0;
  bool same_failure = both_failed && player_equal(player, &error, &raised);
  call->lost = call->code != 0 && !same_failure ? excuse(player, call, &raised) : NULL;
  if (call->lost) return;
  if (!code.integer != !call->code)
    player_differs(player, call->event, REPLAY_OUTCOME, texts[0], texts[1]);
  else if (both_failed && error.tag == RECORD_ERROR && !same_failure)
    player_differs(player, call->event, REPLAY_ERROR, texts[0], texts[1]);
  else if (code.integer == 0)
    player_compare(player, call->event, REPLAY_VALUE, &result, &call->result);
  if (!player->differs) compare_tensors(player, call, at);
  if (call->code != 0) return;
  if (call->result.type_index == kTVMFFIFunction) name_result(player, call->event, &result);
  bind_result(player, &result, &call->result);
  PlayerObject *place = result.number ? player_object(player, result.number) : NULL;
  if (place) place->why = player_reason(player, call->event);
}

static void note(Player *player, const RecordEvent *event)
{
  player->serial = event->serial;
  player_set_variables(player, event->serial);
  atomic_store(&player->shared->at, event->serial);
}

static size_t index_of(const Player *player, const RecordEvent *event)
{
  return (size_t)(event - player->recording->events);
}

// What came of the call says nothing of the library.
static void give_up(Player *player, Call *call, const char *why)
{
  if (call->code != 0) take_raised(player, call->event);
  player_drop(player, &call->result);
  drop_moved(player, call);
  player->lost = NULL;
  player->error_lost = true;
  player_leave_out(player, call->event, why);
}

static PlayerFrame frame_of(const Player *player, const RecordEvent *event)
{
  size_t begin = index_of(player, event) + 1;
  return (PlayerFrame){begin, event->end, begin};
}

// Whether the recording has a function of the program called that was not.
static bool lacks_back(const Player *player)
{
  bool lacks = false;
  for (size_t i = player->frame.next; i < player->frame.end;) {
    const RecordEvent *inner = &player->recording->events[i];
    lacks = lacks || inner->kind == RECORD_BACK;
    i = inner->end > i ? inner->end + 1 : i + 1;
  }
  return lacks;
}

static void make_and_compare(Player *player, Call *call)
{
  const RecordEvent *event = call->event;
  player->frame = frame_of(player, event);
  call->code =
      player->iut->FunctionCall(call->function.v_obj, call->args, call->num_args, &call->result);
  if (player->lost) {
    give_up(player, call, player->lost);
    return;
  }
  bool lacks = lacks_back(player);
  TVMFFIObjectHandle raised = NULL;  // what the program did within may raise other errors
  if (call->code != 0) player->iut->ErrorMoveFromRaised(&raised);
  player_run(player);
  if (raised) {
    player->iut->ErrorSetRaised(raised);
    player->iut->ObjectDecRef(raised);
  }
  note(player, event);
  player->differs = false;
  if (lacks)
    player_differs(player, event, REPLAY_CALLBACK, "it calls back a function of the program",
                   "it does not");
  compare_call(player, call);
  drop_moved(player, call);
  player->error_lost = call->lost;
  if (call->lost)
    player_leave_out(player, event, call->lost);
  else if (!player->differs)
    atomic_fetch_add(&player->shared->same, 1);
}

// (What is known of a call is too much for the stack, on which there may be many.)
static void play_call(Player *player, const RecordEvent *event)
{
  size_t scratch = player->scratch_count;
  PlayerFrame outer = player->frame;
  Call *call = player_scratch(player, sizeof *call);
  note(player, event);
  player->differs = false;
  player->lost = NULL;
  const char *why = event->end ? NULL : "the recording ends inside of it";
  if (call) {
    call->event = event;
    call->end = &player->recording->events[event->end];
    if (!why) why = make_call(player, call);
  } else {
    why = "memory is out";
  }
  if (why) {
    player->error_lost = true;
    if (call) drop_moved(player, call);
    player_leave_out(player, event, why);
  } else {
    make_and_compare(player, call);
  }
  player_free_scratch(player, scratch);
  player->frame = outer;
}

// --- Being called --------------------------------------------------------------------------------

static int fail(Player *player, const RecordItem *error)
{
  const TVMFFIByteArray none = {NULL, 0};
  TVMFFIByteArray kind = {"RuntimeError", 12}, message = {"of the program", 14};
  TVMFFIObjectHandle made = NULL;
  const PlayerObject *there =
      error->tag == RECORD_ERROR ? player_object(player, error->number) : NULL;
  if (error->tag == RECORD_ERROR) {
    kind = (TVMFFIByteArray){error->both[0].data, error->both[0].size};
    message = (TVMFFIByteArray){error->both[1].data, error->both[1].size};
  }
  if (there && there->object) {
    player->iut->ErrorSetRaised(there->object);
  } else if (player->iut->ErrorCreate(&kind, &message, &none, &made) == 0) {
    player->iut->ErrorSetRaised(made);
    player->iut->ObjectDecRef(made);
  }
  return -1;
}

// What the program was given belongs to the caller; the recording may use it until it died.
static void bind_arguments(Player *player, const RecordEvent *event, const TVMFFIAny *args,
                           int32_t num_args)
{
  RecordItem item;
  uint32_t at = 0;
  record_next(event, &at, &item);
  for (int32_t i = 0; record_next(event, &at, &item); ++i) {
    if (i >= num_args) {
      player_differs(player, event, REPLAY_CALLBACK, "more arguments", "fewer arguments");
      return;
    }
    if (item.moved) continue;
    player_compare(player, event, REPLAY_CALLBACK, &item, &args[i]);
    if (!item.number || args[i].type_index < kTVMFFIStaticObjectBegin) continue;
    player->iut->ObjectIncRef(args[i].v_obj);
    player_bind(player, item.number, args[i].v_obj);
  }
}

// The next event in which a function of the program is called, in the call that is played.
static const RecordEvent *next_back(Player *player)
{
  while (player->frame.next < player->frame.end) {
    const RecordEvent *event = &player->recording->events[player->frame.next];
    if (event->kind == RECORD_BACK) return event;
    PlayerFrame frame = player->frame;
    size_t behind = event->end > frame.next ? event->end + 1 : frame.next + 1;
    player->frame.end = behind;
    player_run(player);
    player->frame = (PlayerFrame){behind, frame.end, frame.begin};
  }
  return NULL;
}

// Whether the recording shows the function called in the call that is played: then it was called more
// often here. Else it was recorded in a way that does not show it.
static bool is_shown(const Player *player, uint64_t number)
{
  for (size_t i = player->frame.begin; i < player->frame.end; ++i) {
    const RecordEvent *event = &player->recording->events[i];
    RecordItem item;
    uint32_t at = 0;
    if (event->kind == RECORD_BACK && record_next(event, &at, &item) && item.number == number)
      return true;
  }
  return false;
}

int player_answer(PlayerObject *function, const TVMFFIAny *args, int32_t num_args,
                  TVMFFIAny *result)
{
  Player *player = function->player;
  const RecordItem nothing = {.tag = RECORD_NONE};
  const RecordEvent *event = next_back(player);
  RecordItem item = nothing, error = nothing;
  uint32_t at = 0;
  if (event) record_next(event, &at, &item);
  if (!event || item.number != function->number || !event->end) {
    if (!is_shown(player, function->number))
      player->lost = "the recording does not show what a function of the program did in it";
    return fail(player, &nothing);
  }
  PlayerFrame outer = {event->end + 1, player->frame.end, player->frame.begin};
  player->frame = frame_of(player, event);
  note(player, event);
  player->differs = false;
  bind_arguments(player, event, args, num_args);
  if (!player->differs) atomic_fetch_add(&player->shared->same, 1);
  player_run(player);
  player->frame = outer;
  const RecordEvent *end = &player->recording->events[event->end];
  RecordItem code = nothing, value = nothing;
  at = 0;
  record_next(end, &at, &code);
  record_next(end, &at, &value);
  record_next(end, &at, &error);
  for (RecordItem index, tensor; record_next(end, &at, &index) && record_next(end, &at, &tensor);)
    if (index.tag == RECORD_INT && index.integer >= 0 && index.integer < num_args)
      player_write(&args[index.integer], &tensor);
  if (code.integer != 0) return fail(player, &error);
  size_t scratch = player->scratch_count;
  const char *why = player_make_owned(player, &value, result);
  player_free_scratch(player, scratch);
  if (!why) return 0;
  player_leave_out(player, event, why);
  player->lost = "a function of the program that it calls could not answer";
  return fail(player, &nothing);
}

// --- Events in turn ------------------------------------------------------------------------------

static void note_type(Player *player, const RecordEvent *event)
{
  RecordItem index, key;
  uint32_t at = 0;
  if (record_next(event, &at, &index) && record_next(event, &at, &key) && index.tag == RECORD_INT &&
      key.tag == RECORD_TEXT && index.integer >= 0 && index.integer < 65536)
    player->types[index.integer] = key.text;
}

static void note_death(Player *player, const RecordEvent *event)
{
  RecordItem number;
  uint32_t at = 0;
  if (record_next(event, &at, &number) && number.tag == RECORD_INT)
    player_release(player, (uint64_t)number.integer);
}

void player_run(Player *player)
{
  while (player->frame.next < player->frame.end) {
    const RecordEvent *event = &player->recording->events[player->frame.next];
    size_t behind = event->end > player->frame.next ? event->end + 1 : player->frame.next + 1;
    player->frame.next = behind;
    if (event->kind == RECORD_CALL) {
      play_call(player, event);
      continue;
    }
    note(player, event);
    player->differs = false;
    if (event->kind == RECORD_LEAF) player_leaf(player, event);
    if (event->kind == RECORD_FIELD) player_field(player, event);
    if (event->kind == RECORD_TYPE) note_type(player, event);
    if (event->kind == RECORD_METHOD) player_note_method(player, event);
    if (event->kind == RECORD_DEAD) note_death(player, event);
  }
}
