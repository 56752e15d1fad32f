// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_sequence.h"

#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz_threads.h"

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

static const FuzzSequenceApi *api;
static Node nodes[NODES_MAX];
static int node_count;
static int slots[SLOTS_MAX];      // what the program owns: a node in each, or NONE
static int raised[FUZZ_THREADS];  // what the slot of each thread owns
static void *streams[FUZZ_THREADS][STREAMS];
static int thread;      // the thread whose turn it is
static int registered;  // what the global table owns under the name; NONE: what stands for nothing
static TVMFFIObjectHandle nothing;  // own: it is registered when no node is

static const TVMFFIByteArray global_name = {"fuzz.api_sequence", 17};

// --- Promises ------------------------------------------------------------------------------------

static char broken_text[240];

static void break_promise(const char *clause, const char *words)
{
  if (broken_text[0] == '\0') snprintf(broken_text, sizeof broken_text, "%s: %s", clause, words);
}

const char *fuzz_sequence_broken(void)
{
  return broken_text[0] ? broken_text : NULL;
}

static bool holds(bool promise, const char *clause, const char *words)
{
  if (!promise) break_promise(clause, words);
  return promise;
}

// Ends a function that gives nothing back where a promise does not hold.
#define DUE(promise, clause, words)               \
  do {                                            \
    if (!holds((promise), clause, words)) return; \
  } while (0)

// --- The model -----------------------------------------------------------------------------------

static const int32_t type_of[] = {kTVMFFIOpaquePyObject, kTVMFFIFunction, kTVMFFIError, kTVMFFIStr};

static void on_delete(void *self)
{
  Node *node = self;
  holds(node->alive && !node->deleted && node->strong == 0, "OBJ-21",
        "a deleter runs once, when the last reference goes");
  node->deleted = true;
}

static void model_retain(int node)
{
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
  int before = raised[thread];
  if (node != NONE) model_retain(node);
  raised[thread] = node;
  if (before != NONE) model_release(before);
}

static void check_node(Node *node)
{
  static char words[80];
  if (!node->alive) return;
  if (node->strong == 0) {
    DUE(node->deleted == (node->kind == OPAQUE || node->kind == CLOSURE), "OBJ-21",
        "the deleter of an object has run once its last reference is gone");
    node->alive = false;
    return;
  }
  DUE(!node->deleted, "OBJ-21", "the deleter of an object runs with its last reference");
  uint64_t counts = node->object->combined_ref_count;
  snprintf(words, sizeof words, "the counts of an object are %u and 1, not %u and %u", node->strong,
           (unsigned)counts, (unsigned)(counts >> 32));
  DUE(counts == ((uint64_t)1 << 32 | node->strong), "OBJ-3", words);
  DUE(node->object->type_index == type_of[node->kind], "OBJ-3", "an object keeps its type");
}

static void check_model(void)
{
  for (int i = 0; i < node_count && !fuzz_sequence_broken(); ++i) check_node(&nodes[i]);
}

// An error of this kind, or of any if it is NULL, is in the slot; it is taken out.
static void expect_raised(const char *kind, const char *clause)
{
  TVMFFIObjectHandle error = NULL;
  api->ErrorMoveFromRaised(&error);
  DUE(error != NULL, clause, "a refusal raises an error");
  const TVMFFIObject *header = error;
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)(header + 1);
  DUE(header->type_index == kTVMFFIError && header->combined_ref_count == ((uint64_t)1 << 32 | 1),
      "ERR-4", "an error that was moved out is ours alone");
  DUE(!kind ||
          (cell->kind.size == strlen(kind) && memcmp(cell->kind.data, kind, cell->kind.size) == 0),
      clause, "the error of a refusal is of the kind that is due");
  DUE(cell->message.size != 0, clause, "the error of a refusal has a message");
  api->ObjectDecRef(error);
}

static bool is_same(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return one->type_index == other->type_index && one->zero_padding == other->zero_padding &&
         one->v_uint64 == other->v_uint64;
}

// --- Steps ---------------------------------------------------------------------------------------
// What a step adds to the slots stands in one that was empty.

static uint8_t take_byte(FuzzSequenceBytes *bytes)
{
  return bytes->at == bytes->end ? 0 : *bytes->at++;
}

static int pick(FuzzSequenceBytes *bytes)
{
  return take_byte(bytes) % SLOTS_MAX;
}

static int empty_slot(void)
{
  for (int i = 0; i < SLOTS_MAX; ++i)
    if (slots[i] == NONE) return i;
  return NONE;
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
  DUE(object != NULL, "OBJ-2", "what was made is an object");
  node->object = object;
  node->strong = 1;
  slots[slot] = node_count++;
}

// Gives back its first argument, raises it if that is an error, or fails without arguments.
static int callback(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Node *node = self;
  if (node && !holds(node->kind == CLOSURE && node->alive && !node->deleted, "FUN-4",
                     "a callback is given what it was made with"))
    return -1;
  if (num_args == 0) {
    api->ErrorSetRaisedFromCStr("TypeError", "an argument is due");
    return -1;
  }
  if (args[0].type_index == kTVMFFIError) {
    api->ErrorSetRaised(args[0].v_obj);
    return -1;
  }
  return api->AnyViewToOwnedAny(&args[0], result);
}

// What stands in for nothing fails whatever it is given.
static int fail(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  api->ErrorSetRaisedFromCStr("TypeError", "nothing is registered");
  return -1;
}

static void create_error(FuzzSequenceBytes *bytes, int slot)
{
  TVMFFIByteArray kind = {"KeyError", 8}, message = {"fuzz", 4}, backtrace = {NULL, 0};
  int cause = slots[pick(bytes)], context = slots[pick(bytes)];
  TVMFFIObjectHandle object = NULL;
  Node *node = new_node(ERROR);
  bool refused = cause != NONE && nodes[cause].kind != ERROR;
  if (refused && !api->is_reference) {  // ERR-37
    cause = NONE;
    refused = false;
  }
  if (refused) set_raised(NONE);
  int code = api->ErrorCreateWithCauseAndExtraContext(
      &kind, &message, &backtrace, cause == NONE ? NULL : nodes[cause].object,
      context == NONE ? NULL : nodes[context].object, &object);
  DUE((code != 0) == refused, "ERR-28", "an error is made with a cause and a context");
  if (refused) {
    expect_raised("TypeError", "ERR-37");
    return;
  }
  node->cause = cause;
  node->context = context;
  if (cause != NONE) model_retain(cause);
  if (context != NONE) model_retain(context);
  add(slot, node, object);
}

static void create(FuzzSequenceBytes *bytes)
{
  int slot = empty_slot();
  Kind kind = (Kind)(take_byte(bytes) % 4);
  if (slot == NONE || node_count == NODES_MAX) return;
  if (kind == ERROR) {
    create_error(bytes, slot);
    return;
  }
  TVMFFIObjectHandle object = NULL;
  TVMFFIAny text = {.type_index = kTVMFFINone};
  Node *node = new_node(kind);
  if (kind == OPAQUE) {
    DUE(api->ObjectCreateOpaque(node, kTVMFFIOpaquePyObject, on_delete, &object) == 0, "OBJ-20",
        "an opaque object is made");
  } else if (kind == CLOSURE) {
    DUE(api->FunctionCreate(node, callback, on_delete, &object) == 0, "FUN-2",
        "a function is made");
  } else {
    TVMFFIAny view = {.type_index = kTVMFFIRawStr, .v_c_str = "more than seven"};
    DUE(api->AnyViewToOwnedAny(&view, &text) == 0 && text.type_index == kTVMFFIStr, "ANY-8",
        "a long text becomes an object");
    object = text.v_obj;
  }
  add(slot, node, object);
}

static void retain(FuzzSequenceBytes *bytes)
{
  int node = slots[pick(bytes)], slot = empty_slot();
  if (node == NONE || slot == NONE) return;
  api->ObjectIncRef(nodes[node].object);
  model_retain(node);
  slots[slot] = node;
}

static void drop_slot(int slot)
{
  int node = slots[slot];
  if (node == NONE) return;
  slots[slot] = NONE;
  model_release(node);
  api->ObjectDecRef(nodes[node].object);
}

static void drop(FuzzSequenceBytes *bytes)
{
  drop_slot(pick(bytes));
}

static void convert(FuzzSequenceBytes *bytes)
{
  int node = slots[pick(bytes)], slot = empty_slot();
  if (node == NONE || slot == NONE) return;
  TVMFFIAny view = {.type_index = type_of[nodes[node].kind], .v_obj = nodes[node].object};
  TVMFFIAny owned = {.type_index = kTVMFFINone};
  DUE(api->AnyViewToOwnedAny(&view, &owned) == 0 && is_same(&view, &owned), "ANY-13",
      "an object is shared");
  model_retain(node);
  slots[slot] = node;
}

// Moves a slot's reference to another one, or to its own.
static void move(FuzzSequenceBytes *bytes)
{
  int from = pick(bytes), node = slots[from];
  TVMFFIObjectHandle handle = node == NONE ? NULL : nodes[node].object;
  TVMFFIAny view = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &handle};
  TVMFFIAny owned = {.type_index = kTVMFFINone};
  if (node == NONE) set_raised(NONE);
  int code = api->AnyViewToOwnedAny(&view, &owned);
  DUE((code != 0) == (node == NONE) && handle == NULL, node == NONE ? "ANY-17" : "ANY-15",
      "an rvalue reference is moved once");
  if (node == NONE) {
    expect_raised(NULL, "ANY-17");
    return;
  }
  DUE(owned.v_obj == nodes[node].object && owned.type_index == type_of[nodes[node].kind], "ANY-16",
      "what was moved is the object");
  slots[from] = NONE;
  slots[empty_slot()] = node;
}

static void raise_slot(FuzzSequenceBytes *bytes)
{
  int node = slots[pick(bytes)];
  bool is_error = node == NONE || nodes[node].kind == ERROR;
  if (!is_error && !api->is_reference) return;  // ERR-37
  set_raised(is_error ? node : NONE);
  api->ErrorSetRaised(node == NONE ? NULL : nodes[node].object);
  if (!is_error) expect_raised("TypeError", "ERR-37");
}

static void take(void)
{
  int slot = empty_slot();
  TVMFFIObjectHandle error = &error;
  if (slot == NONE) return;
  api->ErrorMoveFromRaised(&error);
  DUE(error == (raised[thread] == NONE ? NULL : nodes[raised[thread]].object),
      raised[thread] == NONE ? "ERR-3" : "ERR-4", "the error that was raised last is moved out");
  slots[slot] = raised[thread];
  raised[thread] = NONE;
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
  bool is_error = argument != NONE && nodes[argument].kind == ERROR && with_argument;
  bool is_wrong = !is_function || !with_argument;
  if (!is_function && !api->is_reference) return;  // FUN-38
  if (is_wrong || is_error) set_raised(is_wrong ? NONE : argument);
  int code = api->FunctionCall(nodes[function].object, with_argument ? &view : NULL,
                               with_argument ? 1 : 0, &result);
  if (is_wrong || is_error) {
    DUE(code == -1 && result.type_index == kTVMFFINone, "FUN-13",
        "a failure of the callback arrives");
    if (is_wrong) expect_raised("TypeError", "FUN-14");
    return;
  }
  DUE(code == 0 && is_same(&result, &view), "FUN-10", "the result arrives bit for bit");
  if (argument == NONE) return;
  model_retain(argument);
  if (slot != NONE) {
    slots[slot] = argument;
    return;
  }
  model_release(argument);
  api->ObjectDecRef(result.v_obj);
}

static void call(FuzzSequenceBytes *bytes)
{
  int function = slots[pick(bytes)], argument = slots[pick(bytes)];
  bool with_argument = take_byte(bytes) % 8 != 7;
  if (function != NONE) call_node(function, argument, with_argument, empty_slot());
}

// Calls what the table has under the name.
static void call_global(int argument)
{
  TVMFFIObjectHandle found = &found;
  DUE(api->FunctionGetGlobal(&global_name, &found) == 0, "FUN-20", "a name is looked up");
  DUE(found == (registered == NONE ? nothing : nodes[registered].object), "FUN-20",
      "what was registered is found");
  if (registered == NONE) {
    if (found) api->ObjectDecRef(found);
    return;
  }
  int function = registered;
  model_retain(function);
  call_node(function, argument, true, empty_slot());
  model_release(function);
  api->ObjectDecRef(found);
}

// Enters a function into the global table, or calls what is there.
static void use_global(FuzzSequenceBytes *bytes)
{
  int node = slots[pick(bytes)];
  bool override = take_byte(bytes) & 1;
  if (node == NONE || nodes[node].kind != CLOSURE) {
    call_global(node);
    return;
  }
  int before = registered;
  bool refused = !override;  // the name is taken, by nothing at least
  if (refused) set_raised(NONE);
  if (!refused) model_retain(node);
  if (!refused && before != NONE) model_release(before);
  if (!refused) registered = node;
  int code = api->FunctionSetGlobal(&global_name, nodes[node].object, override);
  DUE((code != 0) == refused, refused ? "FUN-26" : "FUN-28",
      "a name that is taken is replaced with permission alone");
  if (refused) expect_raised(NULL, "FUN-26");
}

// Empties the entry, which stays.
static void clear_global(void)
{
  if (registered != NONE) model_release(registered);
  registered = NONE;
  DUE(api->FunctionSetGlobal(&global_name, nothing, 1) == 0, "FUN-28",
      "a name is replaced with permission");
}

// --- Threads -------------------------------------------------------------------------------------

static void check_streams(void)
{
  for (int i = 0; i < STREAMS; ++i)
    DUE(api->EnvGetStream(kDLCUDA, i) == streams[thread][i], "ENV-6",
        "a thread finds the streams that it set");
}

// Makes another stream the thread's current one.
static void set_stream(FuzzSequenceBytes *bytes)
{
  unsigned device = take_byte(bytes) % STREAMS;
  void *stream = take_byte(bytes) & 1 ? &streams[thread][device] : NULL;
  TVMFFIStreamHandle before = &before;
  DUE(api->EnvSetStream(kDLCUDA, (int32_t)device, stream, &before) == 0, "ENV-4",
      "a stream is set");
  DUE(before == streams[thread][device], "ENV-7", "the stream that is replaced is told");
  streams[thread][device] = stream;
}

// A thread that ends lets go of its error; one that begins in its place has no streams.
static void end_thread(int ending)
{
  int error = raised[ending];
  if (ending == 0) return;
  raised[ending] = NONE;
  if (error != NONE) model_release(error);
  memset(streams[ending], 0, sizeof streams[ending]);
  fuzz_threads_end(ending);
}

// Gives the turn to another thread, or ends one that has not got it.
static void change_threads(FuzzSequenceBytes *bytes)
{
  int other = take_byte(bytes) % FUZZ_THREADS;
  if (take_byte(bytes) % 4 != 0)
    thread = other;
  else if (other != thread)
    end_thread(other);
}

static void act(void *context)
{
  static void (*const actions[])(FuzzSequenceBytes *) = {create,     create, create,  retain,
                                                         drop,       drop,   convert, move,
                                                         raise_slot, call,   call,    use_global};
  enum { ACTIONS = sizeof actions / sizeof *actions };
  FuzzSequenceBytes *bytes = context;
  uint8_t choice = take_byte(bytes);
  unsigned action = choice % (ACTIONS + 2);
  if (choice >= FUZZ_SEQUENCE_STREAM)
    set_stream(bytes);
  else if (action < ACTIONS)
    actions[action](bytes);
  else if (action == ACTIONS)
    take();
  else
    clear_global();
  if (!fuzz_sequence_broken()) check_streams();
}

// Empties what this thread keeps.
static void clear_thread(void *context)
{
  (void)context;
  set_raised(NONE);
  api->ErrorSetRaised(NULL);
  for (int i = 0; i < STREAMS; ++i) {
    api->EnvSetStream(kDLCUDA, i, NULL, NULL);
    streams[thread][i] = NULL;
  }
}

// --- Sequences -----------------------------------------------------------------------------------

void fuzz_sequence_begin(const FuzzSequenceApi *functions)
{
  api = functions;
  broken_text[0] = '\0';
  node_count = thread = 0;
  registered = NONE;
  for (int i = 0; i < FUZZ_THREADS; ++i) raised[i] = NONE;
  for (int i = 0; i < SLOTS_MAX; ++i) slots[i] = NONE;
  if (!api->is_reference && !nothing)
    DUE(api->FunctionCreate(NULL, fail, NULL, &nothing) == 0, "FUN-2", "a function is made");
  clear_global();
}

void fuzz_sequence_step(FuzzSequenceBytes *bytes)
{
  if (fuzz_sequence_broken()) {
    bytes->at = bytes->end;
  } else if (bytes->at != bytes->end && *bytes->at == FUZZ_SEQUENCE_CHANGE) {
    take_byte(bytes);
    change_threads(bytes);
  } else {
    fuzz_threads_run(thread, act, bytes);
  }
  check_model();
}

void fuzz_sequence_end(void)
{
  if (fuzz_sequence_broken()) return;
  clear_global();
  for (thread = 0; thread < FUZZ_THREADS; ++thread)
    if (fuzz_threads_have_begun(thread)) fuzz_threads_run(thread, clear_thread, NULL);
  for (int i = 0; i < SLOTS_MAX; ++i) drop_slot(i);
  check_model();
  for (int i = 0; i < node_count; ++i)
    holds(!nodes[i].alive, "OBJ-5", "nothing is left once every reference is given back");
}
