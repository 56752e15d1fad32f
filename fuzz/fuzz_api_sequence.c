// SPDX-License-Identifier: Apache-2.0
// Sequences of calls, from several threads that take turns. A model keeps who owns what: each node
// of it stands for an object and knows how many references there are, which one dies when, and what
// each thread keeps: the error in its slot, and its streams. After each step the counts, types and
// errors are held against it.
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "lanes.h"
#include "producer.h"
#include "runtime.h"

enum { NODES_MAX = 48, SLOTS_MAX = 12, STREAMS = 4, NONE = -1 };

typedef enum { OPAQUE, CLOSURE, ERROR, TEXT } Kind;

// An object as the model sees it.
typedef struct {
  Kind kind;
  TVMFFIObject *object;
  uint32_t strong;
  bool alive, deleted;  // deleted: its deleter has run, if it has one
  int cause, context;   // nodes that an error owns
} Node;

static Node nodes[NODES_MAX];
static int node_count;
static int slots[SLOTS_MAX];  // what the program owns: a node in each, or NONE
static int raised[LANES];     // what the slot of each thread owns
static void *streams[LANES][STREAMS];
static int lane;        // the thread whose turn it is
static int registered;  // what the global table owns under the name

static const TVMFFIByteArray global_name = {"fuzz.api_sequence", 17};

//--------------------------------------------------------------------------------------------------
// The model
//--------------------------------------------------------------------------------------------------

static const int32_t type_of[] = {kTVMFFIOpaquePyObject, kTVMFFIFunction, kTVMFFIError, kTVMFFIStr};

static void on_delete(void *self)
{
  Node *node = self;
  FUZZ_CHECK(node->alive && !node->deleted && node->strong == 0);
  node->deleted = true;
}

static void model_retain(int node)
{
  FUZZ_CHECK(nodes[node].alive);
  ++nodes[node].strong;
}

// Takes a reference away, before the runtime does.
static void model_release(int node)
{
  while (node != NONE && --nodes[node].strong == 0) {
    int cause = nodes[node].cause;
    if (nodes[node].context != NONE) model_release(nodes[node].context);
    node = cause;
  }
}

// What the slot of the thread owns from now on.
static void set_raised(int node)
{
  int before = raised[lane];
  if (node != NONE) model_retain(node);
  raised[lane] = node;
  if (before != NONE) model_release(before);
}

static void check_node(Node *node)
{
  if (!node->alive) return;
  if (node->strong != 0) {
    FUZZ_CHECK(!node->deleted);
    runtime_has_counts(node->object, node->strong, 1);
    FUZZ_CHECK(node->object->type_index == type_of[node->kind]);
    return;
  }
  FUZZ_CHECK(node->deleted == (node->kind == OPAQUE || node->kind == CLOSURE));
  node->alive = false;
}

static void check_model(void)
{
  for (int i = 0; i < node_count; ++i) check_node(&nodes[i]);
}

//--------------------------------------------------------------------------------------------------
// Steps. What a step adds to the slots stands in one that was empty.
//--------------------------------------------------------------------------------------------------

static int empty_slot(void)
{
  for (int i = 0; i < SLOTS_MAX; ++i) {
    if (slots[i] == NONE) return i;
  }
  return NONE;
}

static int pick(Producer *producer)
{
  return (int)producer_below(producer, SLOTS_MAX);
}

static Node *new_node(Kind kind)
{
  Node *node = &nodes[node_count];
  *node = (Node){.kind = kind, .alive = true, .cause = NONE, .context = NONE};
  return node;
}

// A new object, which the program owns in the slot.
static void add(int slot, Node *node, TVMFFIObjectHandle object)
{
  node->object = object;
  node->strong = 1;
  slots[slot] = node_count++;
}

// Gives back its first argument, raises it if that is an error, or fails without arguments.
static int callback(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Node *node = self;
  FUZZ_CHECK(node->kind == CLOSURE && node->alive && !node->deleted);
  if (num_args == 0) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "an argument is due");
    return -1;
  }
  if (args[0].type_index == kTVMFFIError) {
    TVMFFIErrorSetRaised(args[0].v_obj);
    return -1;
  }
  return TVMFFIAnyViewToOwnedAny(&args[0], result);
}

static void create_error(Producer *producer, int slot)
{
  TVMFFIByteArray kind = {"KeyError", 8}, message = {"fuzz", 4}, backtrace = {NULL, 0};
  int cause = slots[pick(producer)], context = slots[pick(producer)];
  TVMFFIObjectHandle object = NULL;
  Node *node = new_node(ERROR);
  bool refused = cause != NONE && nodes[cause].kind != ERROR;
  if (refused) set_raised(NONE);
  int code = TVMFFIErrorCreateWithCauseAndExtraContext(
      &kind, &message, &backtrace, cause == NONE ? NULL : nodes[cause].object,
      context == NONE ? NULL : nodes[context].object, &object);
  FUZZ_CHECK((code != 0) == refused);
  if (refused) {
    runtime_has_raised("TypeError");
    return;
  }
  node->cause = cause;
  node->context = context;
  if (cause != NONE) model_retain(cause);
  if (context != NONE) model_retain(context);
  add(slot, node, object);
}

static void create(Producer *producer)
{
  int slot = empty_slot();
  Kind kind = (Kind)producer_below(producer, 4);
  if (slot == NONE || node_count == NODES_MAX) return;
  if (kind == ERROR) {
    create_error(producer, slot);
    return;
  }
  TVMFFIObjectHandle object = NULL;
  TVMFFIAny text;
  Node *node = new_node(kind);
  if (kind == OPAQUE) {
    FUZZ_CHECK(TVMFFIObjectCreateOpaque(node, kTVMFFIOpaquePyObject, on_delete, &object) == 0);
  } else if (kind == CLOSURE) {
    FUZZ_CHECK(TVMFFIFunctionCreate(node, callback, on_delete, &object) == 0);
  } else {
    TVMFFIAny view = {.type_index = kTVMFFIRawStr, .v_c_str = "more than seven"};
    FUZZ_CHECK(TVMFFIAnyViewToOwnedAny(&view, &text) == 0);
    object = text.v_obj;
  }
  add(slot, node, object);
}

static void retain(Producer *producer)
{
  int node = slots[pick(producer)], slot = empty_slot();
  if (node == NONE || slot == NONE) return;
  TVMFFIObjectIncRef(nodes[node].object);
  model_retain(node);
  slots[slot] = node;
}

static void drop_slot(int slot)
{
  int node = slots[slot];
  if (node == NONE) return;
  slots[slot] = NONE;
  model_release(node);
  TVMFFIObjectDecRef(nodes[node].object);
}

static void drop(Producer *producer)
{
  drop_slot(pick(producer));
}

static void convert(Producer *producer)
{
  int node = slots[pick(producer)], slot = empty_slot();
  if (node == NONE || slot == NONE) return;
  TVMFFIAny view = {.type_index = type_of[nodes[node].kind], .v_obj = nodes[node].object}, owned;
  FUZZ_CHECK(TVMFFIAnyViewToOwnedAny(&view, &owned) == 0 && runtime_same(&view, &owned));
  model_retain(node);
  slots[slot] = node;
}

// Moves a slot's reference to another one, or to its own.
static void move(Producer *producer)
{
  int from = pick(producer), node = slots[from];
  TVMFFIObjectHandle handle = node == NONE ? NULL : nodes[node].object;
  TVMFFIAny view = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &handle}, owned;
  if (node == NONE) set_raised(NONE);
  int code = TVMFFIAnyViewToOwnedAny(&view, &owned);
  FUZZ_CHECK((code != 0) == (node == NONE) && handle == NULL);
  if (node == NONE) {
    runtime_has_raised("InternalError");
    return;
  }
  FUZZ_CHECK(owned.v_obj == nodes[node].object && owned.type_index == type_of[nodes[node].kind]);
  slots[from] = NONE;
  slots[empty_slot()] = node;
}

static void raise_slot(Producer *producer)
{
  int node = slots[pick(producer)];
  bool is_error = node == NONE || nodes[node].kind == ERROR;
  set_raised(is_error ? node : NONE);
  TVMFFIErrorSetRaised(node == NONE ? NULL : nodes[node].object);
  if (!is_error) runtime_has_raised("TypeError");
}

static void take(void)
{
  int slot = empty_slot();
  TVMFFIObjectHandle error = &error;
  if (slot == NONE) return;
  TVMFFIErrorMoveFromRaised(&error);
  FUZZ_CHECK(error == (raised[lane] == NONE ? NULL : nodes[raised[lane]].object));
  slots[slot] = raised[lane];
  raised[lane] = NONE;
}

// Calls a function with one argument or none; what it gives back is dropped or kept.
static void call_node(int function, int argument, bool with_argument, int slot)
{
  TVMFFIAny view = {.type_index = kTVMFFINone}, result = {.type_index = kTVMFFINone};
  if (argument != NONE) {
    view.type_index = type_of[nodes[argument].kind];
    view.v_obj = nodes[argument].object;
  }
  bool is_function = nodes[function].kind == CLOSURE;
  bool is_error = argument != NONE && nodes[argument].kind == ERROR;
  bool is_wrong = !is_function || !with_argument;
  if (is_wrong || is_error) set_raised(is_wrong ? NONE : argument);
  int code = TVMFFIFunctionCall(nodes[function].object, with_argument ? &view : NULL,
                                with_argument ? 1 : 0, &result);
  if (is_wrong || is_error) {
    FUZZ_CHECK(code == -1 && result.type_index == kTVMFFINone);
    if (is_wrong) runtime_has_raised("TypeError");
  } else {
    FUZZ_CHECK(code == 0 && runtime_same(&result, &view));
    if (argument == NONE) return;
    model_retain(argument);
    if (slot != NONE) {
      slots[slot] = argument;
    } else {
      model_release(argument);
      TVMFFIObjectDecRef(result.v_obj);
    }
  }
}

static void call(Producer *producer)
{
  int function = slots[pick(producer)], argument = slots[pick(producer)];
  bool with_argument = producer_below(producer, 8) != 7;
  if (function != NONE) call_node(function, argument, with_argument, empty_slot());
}

// Enters a function into the global table, or calls what is there.
static void use_global(Producer *producer)
{
  int node = slots[pick(producer)];
  bool override = producer_flag(producer);
  if (node == NONE || nodes[node].kind != CLOSURE) {
    TVMFFIObjectHandle found = &found;
    FUZZ_CHECK(TVMFFIFunctionGetGlobal(&global_name, &found) == 0);
    FUZZ_CHECK(found == (registered == NONE ? NULL : nodes[registered].object));
    if (registered == NONE) return;
    model_retain(registered);
    call_node(registered, node, true, empty_slot());
    model_release(registered);
    TVMFFIObjectDecRef(found);
    return;
  }
  int before = registered;
  bool refused = !override;  // the name is taken, by nothing at least
  if (refused) set_raised(NONE);
  if (!refused) model_retain(node);
  if (!refused && before != NONE) model_release(before);
  if (!refused) registered = node;
  int code = TVMFFIFunctionSetGlobal(&global_name, nodes[node].object, override);
  FUZZ_CHECK((code != 0) == refused);
  if (refused) runtime_has_raised("RuntimeError");
}

// Empties the entry, which stays.
static void clear_global(void)
{
  if (registered != NONE) model_release(registered);
  registered = NONE;
  FUZZ_CHECK(TVMFFIFunctionSetGlobal(&global_name, NULL, 1) == 0);
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

static void check_streams(void)
{
  for (int i = 0; i < STREAMS; ++i) FUZZ_CHECK(TVMFFIEnvGetStream(kDLCUDA, i) == streams[lane][i]);
}

// Makes another stream the thread's current one.
static void set_stream(Producer *producer)
{
  unsigned device = producer_below(producer, STREAMS);
  void *stream = producer_flag(producer) ? &streams[lane][device] : NULL;
  TVMFFIStreamHandle before = &before;
  FUZZ_CHECK(TVMFFIEnvSetStream(kDLCUDA, (int32_t)device, stream, &before) == 0);
  FUZZ_CHECK(before == streams[lane][device]);
  streams[lane][device] = stream;
}

// A thread that ends lets go of its error; one that begins in its place has no streams.
static void end_lane(int ending)
{
  int error = raised[ending];
  if (ending == 0) return;
  raised[ending] = NONE;
  if (error != NONE) model_release(error);
  memset(streams[ending], 0, sizeof streams[ending]);
  lanes_end(ending);
}

// Gives the turn to another thread, or ends one that has not got it.
static void change_lanes(Producer *producer)
{
  int other = (int)producer_below(producer, LANES);
  if (producer_below(producer, 4) != 0)
    lane = other;
  else if (other != lane)
    end_lane(other);
}

static void step(void *context)
{
  static void (*const actions[])(Producer * producer) = {create,     create, create,  retain,
                                                         drop,       drop,   convert, move,
                                                         raise_slot, call,   call,    use_global};
  enum { ACTIONS = sizeof actions / sizeof *actions, FIRST_STREAM = 224 };
  Producer *producer = context;
  uint8_t choice = producer_byte(producer);
  unsigned action = choice % (ACTIONS + 2);
  if (choice >= FIRST_STREAM)
    set_stream(producer);
  else if (action < ACTIONS)
    actions[action](producer);
  else if (action == ACTIONS)
    take();
  else
    clear_global();
  check_streams();
}

// Empties what this thread keeps.
static void clear_lane(void *context)
{
  (void)context;
  set_raised(NONE);
  TVMFFIErrorSetRaised(NULL);
  for (int i = 0; i < STREAMS; ++i) {
    FUZZ_CHECK(TVMFFIEnvSetStream(kDLCUDA, i, NULL, NULL) == 0);
    streams[lane][i] = NULL;
  }
}

static void begin(void)
{
  node_count = lane = 0;
  registered = NONE;
  for (int i = 0; i < LANES; ++i) raised[i] = NONE;
  for (int i = 0; i < SLOTS_MAX; ++i) slots[i] = NONE;
  clear_global();
}

static void end(void)
{
  clear_global();
  for (lane = 0; lane < LANES; ++lane)
    if (lanes_has_begun(lane)) lanes_run(lane, clear_lane, NULL);
  for (int i = 0; i < SLOTS_MAX; ++i) drop_slot(i);
  check_model();
  for (int i = 0; i < node_count; ++i) FUZZ_CHECK(!nodes[i].alive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { CHANGE = 255 };
  Producer producer;
  producer_start(&producer, data, size);
  begin();
  while (producer_has_more(&producer)) {
    if (*producer.at == CHANGE) {
      producer_byte(&producer);
      change_lanes(&producer);
    } else {
      lanes_run(lane, step, &producer);
    }
    check_model();
  }
  end();
  return 0;
}
