// SPDX-License-Identifier: Apache-2.0
// What becomes of values, errors and memory while a load runs, and after it has failed.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "battery/faults.h"
#include "battery/faults_fence.h"
#include "battery/utf8.h"
#include "cases/runtime/library_bin_tree.h"

CHAPTER(library_bin);

static const char node_loader[] = "ffi.Module.load_from_bytes.conform_node";

// --- Loads that fail -----------------------------------------------------------------------------

// One number of a payload that is wrong, or none; `kind` is what a loader does.
typedef struct Refusal {
  const char *name, *tree;
  enum {
    NO_NUMBER,
    LARGE_VALUE,
    LONG_VALUE,
    ODD_VALUE,
    ROW_COUNT,
    ROW,
    CHILD_COUNT,
    CHILD,
    KIND,
    VALUE,
    SHORTER,
    LONGER
  } field;
  size_t index;
  uint64_t number;
} Refusal;

// In the trees, f is the entry of a kind that no loader is registered for, e of one that fails, d of
// one that gives no module and c of one that gives another object.
static const Refusal refusals[] = {
    {"unknown_kind", "L:12 1 f", NO_NUMBER, 0, 0},
    {"unknown_kind_before_a_long_value", "L:1 f", LONG_VALUE, 0, 0},
    {"loader_fails", "L:12 1 e", NO_NUMBER, 0, 0},
    {"loader_fails_at_once", "e:1 L", NO_NUMBER, 0, 0},
    {"loader_fails_behind_the_library", "1:1 L e", NO_NUMBER, 0, 0},
    {"loader_fails_with_a_large_value", "L:1 e", LARGE_VALUE, 0, 0},
    {"loader_gives_none", "L:12 1 d", NO_NUMBER, 0, 0},
    {"loader_gives_a_function", "L:12 1 c", NO_NUMBER, 0, 0},
    {"rows_too_many", "L:12 1 2", ROW_COUNT, 0, 1000},
    {"no_rows", "L:12 1 2", ROW_COUNT, 0, 0},
    {"children_too_many", "L:12 1 2", CHILD_COUNT, 0, 1000},
    {"first_row", "L:12 1 2", ROW, 0, 1},
    {"row_falls", "L:12 1:2 2", ROW, 2, 1},
    {"row_beyond", "L:12 1 2", ROW, 3, 3},
    {"row_short", "L 1 2:11", ROW, 3, 1},
    {"child_range", "L:12 1 2", CHILD, 1, 3},
    {"cycle", "L:1 1:2 2", CHILD, 1, 0},
    {"self_import", "L 1:2 2", CHILD, 0, 1},
    {"kind_too_large", "L:12 1 2", KIND, 1, 1000},
    {"value_too_large", "L:12 1 2", VALUE, 2, 1000},
    {"number_cut_short", "L:12 1 2", SHORTER, 0, 4},
    {"bytes_left", "L:12 1 2", LONGER, 0, 8},
    {"bytes_left_behind_an_odd_value", "L:1 1", ODD_VALUE, 0, 0},
};

static Payload resized(Payload payload, size_t size)
{
  unsigned char *bytes = calloc(1, size);
  if (!bytes) case_inconclusive("no memory for a payload");
  memcpy(bytes, payload.bytes, size < payload.size ? size : payload.size);
  payload.bytes = bytes;
  payload.size = size;
  put_number(&payload, 0, size - 8);
  return payload;
}

// A value of so many octets, 500 at most: what has more than a few has memory of its own.
static Payload payload_with_value(const char *kind, size_t size)
{
  static const char octets[500] = "a value of some hundred octets";
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  const LibraryBinEntry entries[] = {
      {.is_library = true}, {.kind = {kind, sizeof node_kind - 1}, .value = {octets, size}}};
  return payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
}

// A value that is no text, and bytes behind it.
static Payload odd_value_payload(void)
{
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  const LibraryBinEntry entries[] = {
      {.is_library = true},
      {.kind = {node_kind, sizeof node_kind - 1}, .value = {"\xff\xfe\x80", 3}}};
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  return resized(payload, payload.size + 8);
}

static Payload refusal_payload(const Refusal *row)
{
  static const char *const kinds[] = {['c'] = "conform_thng",
                                      ['d'] = "conform_none",
                                      ['e'] = "conform_fail",
                                      ['f'] = "conform_odd_"};
  if (row->field == LARGE_VALUE) return payload_with_value(kinds['e'], 100);
  // The number that stands right behind the kind begins with an octet that is no text.
  if (row->field == LONG_VALUE) return payload_with_value(kinds['f'], 500);
  if (row->field == ODD_VALUE) return odd_value_payload();
  Payload payload = payload_of(row->tree);
  for (size_t entry = 0; entry < payload.modules; ++entry) {
    unsigned char *kind = payload.bytes + at_kind(&payload, entry) + 8;
    if (number_at(&payload, at_kind(&payload, entry)) != sizeof node_kind - 1) continue;
    unsigned char letter = kind[sizeof node_kind - 1 + 8];
    if (letter >= 'c' && letter <= 'f') memcpy(kind, kinds[letter], sizeof node_kind - 1);
  }
  switch (row->field) {
    case ROW_COUNT:
      return with_number(payload, AT_ROW_COUNT, row->number);
    case ROW:
      return with_number(payload, at_row(row->index), row->number);
    case CHILD_COUNT:
      return with_number(payload, at_child_count(&payload), row->number);
    case CHILD:
      return with_number(payload, at_child(&payload, row->index), row->number);
    case KIND:
      return with_number(payload, at_kind(&payload, row->index), row->number);
    case VALUE:
      return with_number(payload, at_value(&payload, row->index), row->number);
    case SHORTER:
      return resized(payload, payload.size - 1 - row->number);
    case LONGER:
      return resized(payload, payload.size + row->number);
    default:
      return payload;
  }
}

// Modules of ours that are never made anew, so that loaders take no memory.
typedef struct Modules {
  Iut *iut;
  TVMFFIObjectHandle one, thing;  // own
  unsigned calls, ended;          // loaders that were called; and that are no more
} Modules;

static int load_one(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Modules *modules = self;
  (void)args, (void)num_args;
  ++modules->calls;
  modules->iut->ObjectIncRef(modules->one);
  *result = view_of_object(modules->iut, modules->one);
  return 0;
}

static int load_nothing(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static int load_thing(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Modules *modules = self;
  (void)args, (void)num_args;
  modules->iut->ObjectIncRef(modules->thing);
  *result = view_of_object(modules->iut, modules->thing);
  return 0;
}

static int load_and_fail(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Modules *modules = self;
  (void)args, (void)num_args, (void)result;
  modules->iut->ErrorSetRaisedFromCStr("ConformError", "the device is missing");
  return -1;
}

static Modules *enter_loaders(Iut *iut)
{
  static Modules modules;
  modules.iut = iut;
  modules.one = load_node(iut, 1);
  modules.thing = new_function(iut, &modules, load_nothing, NULL);
  enter_function(iut, node_loader, &modules, load_one);
  enter_function(iut, "ffi.Module.load_from_bytes.conform_none", &modules, load_nothing);
  enter_function(iut, "ffi.Module.load_from_bytes.conform_thng", &modules, load_thing);
  enter_function(iut, "ffi.Module.load_from_bytes.conform_fail", &modules, load_and_fail);
  return &modules;
}

// Own: the error of a load that has to fail. Where it does not (other clauses ask for that), there
// is nothing to be judged.
static TVMFFIObjectHandle fail_to_load(Iut *iut, const char *path)
{
  TVMFFIObjectHandle module = NULL;
  if (try_to_load(iut, path, &module) == 0) {
    release_object(iut, module);
    case_not_applicable("the library loads this payload");
  }
  return take_error(iut);
}

CASE_ROWS(no_memory_remains, refusals, .clauses = {BIN_49},
          .title = "the memory in use does not grow with the number of failed loads")
{
  enum { LOADS = 12 };
  if (faults_unavailable()) case_not_applicable("%s", faults_unavailable());
  enter_loaders(iut);
  Payload payload = refusal_payload(row);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  unsigned held[3] = {0};
  for (int part = 0; part < 3; ++part) {
    for (int i = 0; i < LOADS; ++i) {
      faults_watch(0, FAULTS_ONCE);
      TVMFFIObjectHandle error = fail_to_load(iut, carrier.path);
      if (error) iut->ObjectDecRef(error);
      faults_unwatch();
    }
    held[part] = faults_held().blocks;
  }
  faults_forget();
  expect_that(held[1] < held[0] + LOADS || held[2] < held[1] + LOADS,
              "no block more for each failed load", "%u blocks after 12, %u after 24, %u after 36",
              held[0], held[1], held[2]);
  carrier_close(&carrier);
}

static const Refusal failures[] = {
    {"loader_fails", "L:12 1 e", NO_NUMBER, 0, 0},
    {"loader_gives_none", "L:12 1 d", NO_NUMBER, 0, 0},
    {"loader_gives_a_function", "L:12 1 c", NO_NUMBER, 0, 0},
};

static void count_end(void *self)
{
  ++((Modules *)self)->ended;
}

// Has new functions take the place of the loaders that fail.
static void replace_loaders(Iut *iut, Modules *modules)
{
  static const struct {
    const char *name;
    TVMFFISafeCallType call;
  } loaders[] = {{"ffi.Module.load_from_bytes.conform_none", load_nothing},
                 {"ffi.Module.load_from_bytes.conform_thng", load_thing},
                 {"ffi.Module.load_from_bytes.conform_fail", load_and_fail}};
  for (size_t i = 0; i < sizeof loaders / sizeof loaders[0]; ++i) {
    TVMFFIByteArray name = bytes_of(loaders[i].name);
    TVMFFIObjectHandle loader = new_function(iut, modules, loaders[i].call, count_end);
    require(expect_ok(iut, iut->FunctionSetGlobal(&name, loader, 1)));
    iut->ObjectDecRef(loader);
  }
}

// One of them may be kept, to be found the sooner.
CASE_ROWS(loader_of_a_failed_load_is_not_kept, failures, .clauses = {BIN_49},
          .title = "a loader that failed is released once another has taken its place")
{
  enum { LOADS = 12, DUE = 3 * LOADS - 1 };
  Modules *modules = enter_loaders(iut);
  Payload payload = refusal_payload(row);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  modules->ended = 0;
  for (int i = 0; i < LOADS; ++i) {
    replace_loaders(iut, modules);
    TVMFFIObjectHandle error = fail_to_load(iut, carrier.path);
    if (error) release_object(iut, error);
  }
  replace_loaders(iut, modules);
  expect_that(modules->ended >= DUE, "the end of 36 loaders, or of all but one", "%u",
              modules->ended);
  carrier_close(&carrier);
}

static const Refusal taken[] = {
    {"loader_fails", "L:12 1 e", NO_NUMBER, 0, 0},
    {"loader_gives_none", "L:12 1 d", NO_NUMBER, 0, 0},
    {"loader_gives_a_function", "L:12 1 c", NO_NUMBER, 0, 0},
    {"kind_is_unknown", "L:12 1 f", NO_NUMBER, 0, 0},
};

CASE_ROWS(
    loader_stays_registered, taken, .clauses = {MOD_81},
    .title = "the function of a loader is still that of the registry, too, after loads that fail")
{
  enum { LOADS = 3, SPARE = 16, COUNT = 4 };
  static const char *const names[COUNT] = {node_loader, "ffi.Module.load_from_bytes.conform_none",
                                           "ffi.Module.load_from_bytes.conform_thng",
                                           "ffi.Module.load_from_bytes.conform_fail"};
  TVMFFIObjectHandle loaders[COUNT];
  enter_loaders(iut);
  for (size_t i = 0; i < COUNT; ++i) {
    TVMFFIByteArray name = bytes_of(names[i]);
    require(expect_ok(iut, iut->FunctionGetGlobal(&name, &loaders[i])));
    for (int k = 1; k < SPARE; ++k) iut->ObjectIncRef(loaders[i]);
  }
  Payload payload = refusal_payload(row);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  for (int i = 0; i < LOADS; ++i) {
    TVMFFIObjectHandle module = NULL;
    release_object(iut, try_to_load(iut, carrier.path, &module) ? take_error(iut) : module);
  }
  for (size_t i = 0; i < COUNT; ++i) {
    uint64_t strong = object_strong(iut, loaders[i]);
    expect_that(strong > SPARE, "a reference of the registry besides our 16", "%" PRIu64, strong);
    for (int k = 0; k < SPARE; ++k) iut->ObjectDecRef(loaders[i]);
  }
  carrier_close(&carrier);
}

enum { TRIAL_SECONDS = 4 };

// Ends the case where the process does not bear the payload: that it is refused is asked for by other
// clauses than the one about these loads. It is tried in a copy of the process.
static void require_survival(Iut *iut, const Carrier *carrier, const Payload *payload, int loads)
{
  int status;
  fflush(NULL);
  pid_t trial = fork();
  if (trial == 0) {
    for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
    alarm(TRIAL_SECONDS);
    for (int i = 0; i < loads; ++i) {
      TVMFFIObjectHandle module = NULL;
      carrier_place(carrier, payload->bytes, payload->size);
      release_object(iut, try_to_load(iut, carrier->path, &module) ? take_error(iut) : module);
    }
    _exit(0);
  }
  if (trial < 0 || waitpid(trial, &status, 0) != trial)
    case_inconclusive("no copy of the process can be made");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    case_not_applicable("the process ends when this payload is loaded");
}

// Whether a payload is refused for its own sake.
static bool is_broken(const Refusal *row)
{
  return row->field != NO_NUMBER && row->field != LARGE_VALUE && row->field != LONG_VALUE;
}

CASE_ROWS(equal_loads_raise_equal_errors, refusals, .clauses = {BIN_50},
          .title = "the message of a load that fails is text, and the same each time")
{
  enum { ROOM = 4096, LOADS = 4 };
  static char first[ROOM], next[ROOM];
  enter_loaders(iut);
  Payload payload = refusal_payload(row);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  size_t size = 0;
  // What is used after it was given back tells something else than text.
  bool fenced = faults_fence_overwriting(0xdb);
  require_survival(iut, &carrier, &payload, LOADS);
  for (int i = 0; i < LOADS; ++i) {
    TVMFFIObjectHandle error = fail_to_load(iut, carrier.path);
    if (!error) break;
    TVMFFIByteArray message = error_cell(iut, error)->message;
    bool text = is_utf8(message.data, message.size);
    size_t words = words_of(message, i ? next : first, ROOM);
    bool same = i == 0 || (words == size && memcmp(first, next, size) == 0);
    if (i == 0) size = words;
    expect_that(text, "a message that is UTF-8", "one of %zu bytes", message.size);
    expect_that(same, "the same message", "`%.*s`", (int)(message.size < 200 ? message.size : 200),
                message.data);
    release_object(iut, error);
    if (!text || !same) break;
  }
  if (fenced) faults_unfence();
  carrier_close(&carrier);
}

CASE_ROWS(refusals_say_what_is_wrong, refusals, .clauses = {BIN_51},
          .title = "the error of a load that fails has a kind and a message")
{
  enter_loaders(iut);
  Payload payload = refusal_payload(row);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  require_survival(iut, &carrier, &payload, 1);
  TVMFFIObjectHandle error = fail_to_load(iut, carrier.path);
  if (!error) case_not_applicable("no error is raised");
  expect_that(error_cell(iut, error)->kind.size > 0, "a kind", "an empty one");
  expect_that(error_cell(iut, error)->message.size > 0, "a message", "an empty one");
  release_object(iut, error);
  carrier_close(&carrier);
}

// Of trees in which a module imports itself the clause does not speak.
static bool is_circle(const Refusal *row)
{
  return strcmp(row->name, "cycle") == 0 || strcmp(row->name, "self_import") == 0;
}

CASE_ROWS(refusal_leaves_nothing_open, refusals, .clauses = {MOD_80}, .wrong_call = true,
          .title = "a load that fails leaves the library closed, and no module or object held")
{
  enum { LOADS = 3 };
  if (is_circle(row)) case_not_applicable("a module imports itself");
  Modules *modules = enter_loaders(iut);
  Payload payload = refusal_payload(row);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  if (is_broken(row)) require_survival(iut, &carrier, &payload, LOADS);
  ExpectedCounts one = counts_of(iut, modules->one), thing = counts_of(iut, modules->thing);
  for (int i = 0; i < LOADS; ++i) {
    TVMFFIObjectHandle error = fail_to_load(iut, carrier.path);
    if (error) release_object(iut, error);
  }
  carrier_close(&carrier);
  expect_counts_(EXPECT_HERE_, iut, modules->one, one);
  expect_counts_(EXPECT_HERE_, iut, modules->thing, thing);
  expect_unmapped("carrier.so");
  note("with a payload as it should be");
  release_object(iut, load_payload(iut, payload_of("L:12 1 2")));
}

enum { MANY_FAILURES = 300 };

CASE_ROWS(payload_loads_after_one_that_failed, refusals, .clauses = {MOD_81},
          .title = "a payload loads as ever after another that was refused, and after many")
{
  Modules *modules = enter_loaders(iut);
  Payload payload = refusal_payload(row), good = payload_of("L:12 1 2");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  if (is_broken(row)) require_survival(iut, &carrier, &payload, MANY_FAILURES + 1);
  for (int i = 0; i <= MANY_FAILURES; ++i) {
    carrier_place(&carrier, payload.bytes, payload.size);
    TVMFFIObjectHandle error = fail_to_load(iut, carrier.path), module = NULL;
    if (error) release_object(iut, error);
    if (i && i != MANY_FAILURES) continue;
    note("after %d that were refused", i + 1);
    modules->calls = 0;
    replace_payload(&carrier, &payload, &good);
    require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
    expect_int("calls of the loader", modules->calls, 2);
    TVMFFIObjectHandle found = NULL;
    void *context = *(void **)carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
    require(expect_ok(iut, iut->EnvModLookupFromImports(context, "only_1", &found)));
    expect_int("only_1", integer_of(iut, found), 1);
    release_object(iut, module);
  }
  carrier_close(&carrier);
}

// Own: what is in the slot when a good payload was loaded behind a failed load, whose error nobody took.
static TVMFFIObjectHandle load_behind_an_error(Iut *iut)
{
  Modules *modules = enter_loaders(iut);
  Payload payload = refusal_payload(&refusals[0]), good = payload_of("L:12 1 2");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  require(expect_int("code of the load that fails", code, -1));
  note("while its error is in the slot");
  modules->calls = 0;
  carrier_place(&carrier, good.bytes, good.size);
  code = try_to_load(iut, carrier.path, &module);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_int("code", code, 0));
  expect_int("calls of the loader", modules->calls, 2);
  release_object(iut, module);
  carrier_close(&carrier);
  return error;
}

CASE(payload_loads_while_an_error_is_raised, .clauses = {MOD_81},
     .title = "a payload loads as ever while the error of a failed load is in the slot")
{
  release_object(iut, load_behind_an_error(iut));
}

CASE(load_leaves_the_error_in_the_slot, .clauses = {ERR_12},
     .title = "a load that succeeds leaves the error of the one before in the slot")
{
  TVMFFIObjectHandle error = load_behind_an_error(iut);
  expect_not_null("the error in the slot", error);
  release_object(iut, error);
}

// --- Loaders that keep ---------------------------------------------------------------------------

typedef struct Keeper {
  Iut *iut;
  TVMFFIAny kept;  // own
  bool fails;
} Keeper;

static int load_and_keep(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Keeper *keeper = self;
  if (num_args != 1) return -1;
  // (That of the first load; a later one must not change it.)
  if (keeper->kept.type_index == kTVMFFINone &&
      keeper->iut->AnyViewToOwnedAny(&args[0], &keeper->kept) != 0)
    return -1;
  if (keeper->fails) {
    keeper->iut->ErrorSetRaisedFromCStr("ConformError", "the device is missing");
    return -1;
  }
  *result = view_of_object(keeper->iut, load_node(keeper->iut, 1));
  return 0;
}

// What was read from where the payload is becomes something else.
static void overwrite(char *bytes, size_t size)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *start = bytes - (uintptr_t)bytes % page;
  if (mprotect(start, (size_t)(bytes + size - start), PROT_READ | PROT_WRITE) != 0)
    case_inconclusive("cannot overwrite the payload");
  memset(bytes, 0xdb, size);
}

// Loads a tree like the one of which the value was kept, with other octets.
static void load_with_other_value(Iut *iut, const uint64_t *rows, const uint64_t *imports,
                                  size_t size)
{
  static char octets[1000];
  const LibraryBinEntry entries[] = {
      {.is_library = true},
      {.kind = {node_kind, sizeof node_kind - 1}, .value = {memset(octets, '#', size), size}}};
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  release_object(iut, code ? take_error(iut) : module);
  carrier_close(&carrier);
}

static const struct {
  const char *name;
  size_t size;
  bool fails;
} values[] = {{"of_7_octets", 7, false},
              {"of_8_octets", 8, false},
              {"of_1000_octets", 1000, false},
              {"of_1000_octets_and_the_loader_fails", 1000, true}};

CASE_ROWS(
    loader_may_keep_the_value, values, .clauses = {BIN_46},
    .title =
        "a value that a loader kept stays what it is when the library is closed, and another loaded")
{
  static char octets[1000];
  static Keeper keeper;
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  keeper = (Keeper){.iut = iut, .kept = any_none(), .fails = row->fails};
  for (size_t i = 0; i < sizeof octets; ++i) octets[i] = (char)('a' + i % 23);
  const LibraryBinEntry entries[] = {
      {.is_library = true},
      {.kind = {node_kind, sizeof node_kind - 1}, .value = {octets, row->size}}};
  enter_function(iut, node_loader, &keeper, load_and_keep);
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  char *placed = carrier_symbol(&carrier, "__tvm_ffi__library_bin");
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  require(expect_that((code != 0) == row->fails, "a load that ends as its loader does", "code %d",
                      code));
  release_object(iut, code ? take_error(iut) : module);
  carrier_close(&carrier);
  // (A runtime may keep it open as long as the value lives.)
  if (!library_is_mapped("carrier.so")) overwrite(placed, payload.size);
  load_with_other_value(iut, rows, imports, row->size);
  TVMFFIByteArray kept = bytes_in(iut, &keeper.kept);
  if (expect_int("octets that were kept", (int64_t)kept.size, (int64_t)row->size))
    expect_that(memcmp(kept.data, octets, row->size) == 0, "the octets of the value", "others");
  release_any(iut, &keeper.kept);
}

// Loaders of one load that keep what they are given.
typedef struct Keepers {
  Iut *iut;
  unsigned count;
  TVMFFIAny kept[TREE_MODULES];  // own
} Keepers;

static int load_and_keep_each(void *self, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  Keepers *keepers = self;
  if (num_args != 1 || keepers->count == TREE_MODULES ||
      keepers->iut->AnyViewToOwnedAny(&args[0], &keepers->kept[keepers->count]) != 0)
    return -1;
  ++keepers->count;
  *result = view_of_object(keepers->iut, load_node(keepers->iut, 1));
  return 0;
}

static const struct {
  const char *name;
  size_t first, second, third;  // octets of the values
} kept_sizes[] = {{"of_one_size", 100, 100, 100},
                  {"falling", 300, 200, 100},
                  {"rising", 9, 100, 1000},
                  {"small_between", 100, 3, 100}};

CASE_ROWS(
    loaders_of_a_load_may_keep_their_values, kept_sizes, .clauses = {BIN_46},
    .title = "a value that a loader kept stays what it is when the next loader is given its own")
{
  enum { COUNT = 3, ROOM = 1000 };
  static char octets[COUNT][ROOM];
  static Keepers keepers;
  const size_t sizes[COUNT] = {row->first, row->second, row->third};
  const uint64_t rows[] = {0, COUNT, COUNT, COUNT, COUNT}, imports[] = {1, 2, 3};
  LibraryBinEntry entries[COUNT + 1] = {{.is_library = true}};
  keepers = (Keepers){.iut = iut};
  for (size_t i = 0; i < COUNT; ++i) {
    memset(octets[i], 'a' + (int)i, sizes[i]);
    entries[i + 1] = (LibraryBinEntry){.kind = {node_kind, sizeof node_kind - 1},
                                       .value = {octets[i], sizes[i]}};
  }
  enter_function(iut, node_loader, &keepers, load_and_keep_each);
  TVMFFIObjectHandle root =
      load_payload(iut, payload_of_tree(&(LibraryBin){COUNT + 1, COUNT, rows, imports, entries}));
  release_object(iut, root);
  require(expect_int("values that were kept", keepers.count, COUNT));
  for (size_t i = 0; i < COUNT; ++i) {
    TVMFFIByteArray kept = bytes_in(iut, &keepers.kept[i]);
    note("value %zu", i);
    expect_memory("what was kept", kept.data, kept.size, octets[i], sizes[i]);
    release_any(iut, &keepers.kept[i]);
  }
}

// --- Which modules are made, and when they go ----------------------------------------------------

static const struct {
  const char *name, *tree;
  unsigned calls;
} counted[] = {{"equal_entries", "L:123 1 1 1", 3},
               {"equal_entries_that_nobody_imports", "L 1 1", 2},
               {"not_imported", "L:1 1 2:3 3", 3},
               {"equal_ones_below_each_other", "1:1 1:2 1", 3}};

CASE_ROWS(
    loader_is_called_for_each_entry, counted, .clauses = {BIN_4},
    .title = "each entry has its own call of the loader, imported or not, like another or not")
{
  NodeLoads *loads = serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(row->tree));
  expect_int("calls of the loader", loads->calls, row->calls);
  forget_loads(iut, loads);
  release_object(iut, root);
}

static const struct {
  const char *name, *tree;
} closing[] = {{"library_as_root", "L:1 1"},
               {"library_below_another", "1:1 L"},
               {"library_that_nobody_imports", "1 L"},
               {"no_library", "1 2"}};

CASE_ROWS(library_of_a_tree_is_closed, closing, .clauses = {MOD_73},
          .title = "a library with modules of its own is closed when its tree is released")
{
  Modules *modules = enter_loaders(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(row->tree));
  release_object(iut, root);
  // Its modules are ours, and may import the library.
  release_object(iut, modules->one);
  expect_unmapped("carrier.so");
}
