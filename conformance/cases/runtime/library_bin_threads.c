// SPDX-License-Identifier: Apache-2.0
// Loads that go on at the same time: within a loader of another, and in two threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "cases/runtime/library_bin_tree.h"

CHAPTER(library_bin);

static const char node_loader[] = "ffi.Module.load_from_bytes.conform_node";

// --- Loads within loads --------------------------------------------------------------------------

// A loader that has another library with a payload of its own loaded before it returns.
typedef struct Within {
  Iut *iut;
  bool in_thread;
  unsigned depth, inner_calls;
  int64_t inner_imports;
  bool changed;  // the argument of a loader, while another library was loaded
} Within;

static int load_within(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

static void *load_inner(void *self)
{
  Within *within = self;
  TVMFFIObjectHandle inner = NULL;
  if (try_to_load(within->iut, library_path_of("constructing.so"), &inner) != 0) {
    TVMFFIObjectHandle error = take_error(within->iut);
    if (error) within->iut->ObjectDecRef(error);
    return NULL;
  }
  within->inner_imports = number_of_imports(within->iut, inner);
  within->iut->ObjectDecRef(inner);
  return NULL;
}

static int load_within(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Within *within = self;
  pthread_t thread;
  TVMFFIByteArray before = {NULL, 0}, after = {NULL, 0};
  if (num_args == 1) before = bytes_in(within->iut, args);
  char first = before.size ? *before.data : '\0';
  if (within->depth++) {
    ++within->inner_calls;
  } else if (!within->in_thread) {
    load_inner(within);
  } else {
    if (pthread_create(&thread, NULL, load_inner, within) != 0)
      case_inconclusive("cannot start a thread");
    pthread_join(thread, NULL);
  }
  --within->depth;
  if (num_args == 1) after = bytes_in(within->iut, args);
  within->changed |= after.size != before.size || (after.size && *after.data != first);
  *result = view_of_object(within->iut, load_node(within->iut, 1));
  return 0;
}

static void load_one_within_another(Iut *iut, bool in_thread)
{
  static Within within;
  within = (Within){.iut = iut, .in_thread = in_thread};
  enter_function(iut, node_loader, &within, load_within);
  TVMFFIObjectHandle root = load_payload(iut, payload_of("L:1234 1:5 2:5 3 4 5"));
  expect_int("calls of the loader for the inner library", within.inner_calls, 5);
  expect_that(!within.changed, "the argument of the outer loader as it was", "another value");
  expect_int("imports of the inner library", within.inner_imports, 1);
  expect_int("imports of the outer one", number_of_imports(iut, root), 4);
  for (int64_t i = 0; i < 2; ++i)
    expect_int("imports of one of these", number_of_imports(iut, import_at(iut, root, i)), 1);
  release_object(iut, root);
}

CASE(loader_may_load_a_tree, .clauses = {BIN_15}, .wrong_call = true,
     .title = "a loader that loads a library with modules of its own disturbs neither load")
{
  load_one_within_another(iut, false);
}

CASE(two_threads_load_trees, .clauses = {MOD_77},
     .title = "a thread loads a tree while a loader of another thread's load waits for it")
{
  load_one_within_another(iut, true);
}

// What comes behind the loader that loads a library is of the first load again.
CASE(library_behind_a_load_is_its_own, .clauses = {BIN_15}, .wrong_call = true,
     .title = "an entry of the library behind a loader that loads another library is that library")
{
  static Within within;
  within = (Within){.iut = iut};
  enter_function(iut, node_loader, &within, load_within);
  const Payload payload = payload_of("1:12 L:2 2");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle root = load_path(iut, carrier.path);
  void **context = carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
  require(expect_int("imports of the root", number_of_imports(iut, root), 2));
  expect_function(iut, import_at(iut, root, 0), "self", false, CARRIER_SELF);
  expect_not_null("the context of the library", *context);
  release_object(iut, root);
  carrier_close(&carrier);
}

// Loads within each other: the first loader that each of them calls makes the next one.
enum { NESTED = 4 };

typedef struct Nest {
  Iut *iut;
  Carrier carriers[NESTED];
  TVMFFIObjectHandle roots[NESTED];  // own
  unsigned depth, calls[NESTED + 1];
} Nest;

static int load_the_next(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Nest *nest = self;
  const unsigned depth = nest->depth;
  (void)args, (void)num_args;
  if (++nest->calls[depth] == 1 && depth < NESTED) {
    ++nest->depth;
    nest->roots[depth] = load_path(nest->iut, nest->carriers[depth].path);
    --nest->depth;
  }
  *result = view_of_object(nest->iut, load_node(nest->iut, (int64_t)depth));
  return 0;
}

CASE(loads_may_stand_within_each_other, .clauses = {BIN_15}, .wrong_call = true,
     .title = "loaders that load libraries with such loaders, four deep, disturb none of the loads")
{
  static Nest nest;
  nest = (Nest){.iut = iut};
  enter_function(iut, node_loader, &nest, load_the_next);
  const Payload tree = payload_of("L:12 1 2");
  for (int i = 0; i < NESTED; ++i) nest.carriers[i] = carrier_open(tree.bytes, tree.size);
  TVMFFIObjectHandle root = load_payload(iut, tree);
  for (unsigned i = 0; i <= NESTED; ++i) {
    TVMFFIObjectHandle of = i == 0 ? root : nest.roots[i - 1];
    expect_int("calls of the loader in one of the loads", nest.calls[i], 2);
    require(expect_not_null("what one of the loads gives", of));
    require(expect_int("imports of what it gives", number_of_imports(iut, of), 2));
    expect_function(iut, import_at(iut, of, 0), "self", false, i);
    expect_function(iut, import_at(iut, of, 1), "self", false, i);
    release_object(iut, of);
  }
  for (int i = 0; i < NESTED; ++i) carrier_close(&nest.carriers[i]);
}

// The second loader of a load has another library loaded, of which the second loader fails, and goes on.
typedef struct Survived {
  Iut *iut;
  Carrier inner;
  bool within, failed;
  unsigned calls, inner_calls;
  TVMFFIObjectHandle first;  // own: what the first loader of the outer load made
  uint64_t references;       // of it, behind the load that failed
} Survived;

static bool fails_within(Survived *survived)
{
  TVMFFIObjectHandle module = NULL;
  survived->within = true;
  const bool failed = try_to_load(survived->iut, survived->inner.path, &module) != 0;
  survived->within = false;
  TVMFFIObjectHandle left = failed ? take_error(survived->iut) : module;
  if (left) survived->iut->ObjectDecRef(left);
  survived->references = object_strong(survived->iut, survived->first);
  return failed;
}

static int survive_a_failed_load(void *self, const TVMFFIAny *args, int32_t num_args,
                                 TVMFFIAny *result)
{
  Survived *survived = self;
  (void)args, (void)num_args;
  if (survived->within && ++survived->inner_calls == 2) {
    survived->iut->ErrorSetRaisedFromCStr("ValueError", "of the inner library");
    return -1;
  }
  if (!survived->within && ++survived->calls == 2) survived->failed = fails_within(survived);
  TVMFFIObjectHandle node = load_node(survived->iut, survived->within ? 9 : survived->calls);
  if (!survived->within && survived->calls == 1) {
    survived->iut->ObjectIncRef(node);
    survived->first = node;
  }
  *result = view_of_object(survived->iut, node);
  return 0;
}

CASE(load_that_fails_within_another, .clauses = {BIN_15}, .wrong_call = true,
     .title = "a load that fails inside a loader does not affect the outer load")
{
  static Survived survived;
  survived = (Survived){.iut = iut};
  enter_function(iut, node_loader, &survived, survive_a_failed_load);
  const Payload tree = payload_of("L:12 1 2");
  survived.inner = carrier_open(tree.bytes, tree.size);
  TVMFFIObjectHandle root = load_payload(iut, tree);
  expect_that(survived.failed, "the load within a loader fails", "it does not");
  require(expect_not_null("what the first loader made", survived.first));
  expect_that(survived.references >= 2, "the outer load holds what its first loader made",
              "nobody but this case does");
  require(expect_int("imports of the root", number_of_imports(iut, root), 2));
  for (int64_t i = 0; i < 2; ++i)
    expect_function(iut, import_at(iut, root, i), "self", false, i + 1);
  release_object(iut, survived.first);
  release_object(iut, root);
  carrier_close(&survived.inner);
}

// --- Loads that overlap --------------------------------------------------------------------------

// Two loads, of which the second one begins in a loader of the first, and ends behind it: its own loader waits
// until the first load is over. A runtime that loads one library after the other lets both wait in vain, for
// WAIT_S at most.
typedef struct Overlap {
  Iut *iut;
  pthread_t first;
  TVMFFIObjectHandle nodes[3];  // own: what is given for "1", "2", and anything else
  atomic_bool in_second, first_is_over, changed;
  pthread_t second;
  bool started, cannot_start;
  int64_t second_imports;
} Overlap;

enum { WAIT_S = 1 };

static void wait_for_flag(atomic_bool *flag)
{
  const double end = clock_seconds() + WAIT_S;
  while (!atomic_load(flag) && clock_seconds() < end)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *load_second(void *self)
{
  Overlap *overlap = self;
  TVMFFIObjectHandle module = NULL;
  const int code = try_to_load(overlap->iut, library_path_of("constructing.so"), &module);
  if (code == 0) overlap->second_imports = number_of_imports(overlap->iut, module);
  release_object(overlap->iut, code ? take_error(overlap->iut) : module);
  atomic_store(&overlap->in_second, true);
  return NULL;
}

static int give_while_others_load(void *self, const TVMFFIAny *args, int32_t num_args,
                                  TVMFFIAny *result)
{
  Overlap *overlap = self;
  const TVMFFIByteArray before = num_args == 1 ? bytes_in(overlap->iut, args) : bytes_of("");
  const char value = before.size == 1 ? *before.data : '?';
  if (!pthread_equal(pthread_self(), overlap->first)) {
    atomic_store(&overlap->in_second, true);
    wait_for_flag(&overlap->first_is_over);
  } else if (!overlap->started) {
    overlap->started = pthread_create(&overlap->second, NULL, load_second, overlap) == 0;
    overlap->cannot_start = !overlap->started;
    if (overlap->started) wait_for_flag(&overlap->in_second);
  }
  const TVMFFIByteArray after = num_args == 1 ? bytes_in(overlap->iut, args) : bytes_of("");
  if (after.size != before.size || (after.size == 1 && *after.data != value))
    atomic_store(&overlap->changed, true);
  TVMFFIObjectHandle node = overlap->nodes[value == '1' ? 0 : value == '2' ? 1 : 2];
  overlap->iut->ObjectIncRef(node);
  *result = view_of_object(overlap->iut, node);
  return 0;
}

CASE(loads_may_overlap, .clauses = {MOD_77}, .patience = 2,
     .title = "a load that ends while another thread is in a loader is right, and so is the other")
{
  static Overlap overlap;
  overlap = (Overlap){.iut = iut, .first = pthread_self()};
  for (int i = 0; i < 3; ++i) overlap.nodes[i] = load_node(iut, i + 1);
  enter_function(iut, node_loader, &overlap, give_while_others_load);
  TVMFFIObjectHandle root = NULL;
  const Payload payload = payload_of("1:12 2 L");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  const int code = try_to_load(iut, carrier.path, &root);
  atomic_store(&overlap.first_is_over, true);
  if (overlap.cannot_start) case_inconclusive("cannot start a thread");
  if (overlap.started) pthread_join(overlap.second, NULL);
  require(expect_int("code of the first load", code, 0));
  expect_that(!atomic_load(&overlap.changed), "the arguments of the loaders are as they were",
              "one has another value");
  require(expect_int("imports of the first root", number_of_imports(iut, root), 2));
  expect_function(iut, root, "self", false, 1);
  expect_function(iut, import_at(iut, root, 0), "self", false, 2);
  expect_function(iut, import_at(iut, root, 1), "self", false, CARRIER_SELF);
  expect_int("imports of the other root", overlap.second_imports, 1);
  release_object(iut, root);
  for (int i = 0; i < 3; ++i) release_object(iut, overlap.nodes[i]);
  carrier_close(&carrier);
}

// --- Threads that end ----------------------------------------------------------------------------

typedef struct OneForAll {
  Iut *iut;
  TVMFFIObjectHandle module;  // own
} OneForAll;

static int give_one_for_all(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const OneForAll *gives = self;
  (void)args, (void)num_args;
  gives->iut->ObjectIncRef(gives->module);
  *result = view_of_object(gives->iut, gives->module);
  return 0;
}

typedef struct Ending {
  Iut *iut;
  Carrier carrier;
  bool cannot_start;
} Ending;

static void *load_and_release(void *self)
{
  const Ending *ending = self;
  TVMFFIObjectHandle module = NULL;
  const int code = try_to_load(ending->iut, ending->carrier.path, &module);
  release_object(ending->iut, code ? take_error(ending->iut) : module);
  return NULL;
}

static void load_in_a_thread(__attribute__((unused)) Iut *iut, void *self)
{
  Ending *ending = self;
  pthread_t thread;
  if (pthread_create(&thread, NULL, load_and_release, ending) != 0)
    ending->cannot_start = true;
  else
    pthread_join(thread, NULL);
}

CASE(threads_that_load_leave_nothing, .clauses = {MOD_92}, .patience = 2,
     .title = "threads that load a tree, and end, leave no memory behind")
{
  enum { THREADS = 200 };
  static OneForAll gives;
  static Ending ending;
  const Payload payload = payload_of("L:1 1");
  gives = (OneForAll){iut, load_node(iut, 1)};
  enter_function(iut, node_loader, &gives, give_one_for_all);
  ending = (Ending){.iut = iut, .carrier = carrier_open(payload.bytes, payload.size)};
  expect_no_heap_growth(iut, THREADS, load_in_a_thread, &ending);
  if (ending.cannot_start) case_inconclusive("cannot start a thread");
  carrier_close(&ending.carrier);
}

// --- Loads at the same time ----------------------------------------------------------------------

enum { LONG_KIND = 65000 };

// A thread that loads a library again and again, until it has done so often enough.
typedef struct AtOnce {
  Iut *iut;
  const char *path;
  TVMFFIObjectHandle due;  // borrowed: what its library imports
  unsigned times;
  pthread_barrier_t *start;
  unsigned wrong;
} AtOnce;

static void *load_at_once(void *self)
{
  AtOnce *loads = self;
  pthread_barrier_wait(loads->start);
  for (unsigned i = 0; i < loads->times && !loads->wrong; ++i) {
    TVMFFIObjectHandle module = NULL;
    int code = try_to_load(loads->iut, loads->path, &module);
    loads->wrong += code != 0 || number_of_imports(loads->iut, module) != 1 ||
                    import_at(loads->iut, module, 0) != loads->due;
    release_object(loads->iut, code ? take_error(loads->iut) : module);
  }
  return NULL;
}

// A long kind takes its time: what both loads use is then used by the other one meanwhile.
static const struct {
  const char *name;
  size_t size;
  unsigned times;
} unlike[] = {{"of_65000_letters", LONG_KIND, 2000}, {"of_100_letters", 100, 60000}};

CASE_ROWS(
    two_threads_load_other_kinds, unlike, .clauses = {MOD_77}, .patience = 2,
    .title = "two threads that load trees of unlike kinds at once get the modules of their own")
{
  static char kind[LONG_KIND + 1], name[LONG_KIND + 64];
  const uint64_t rows[] = {0, 1, 1}, imports[] = {1};
  memset(kind, 'k', row->size);
  const LibraryBinEntry entries[] = {{.is_library = true},
                                     {.kind = {kind, row->size}, .value = {"1", 1}}};
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", kind);
  static OneForAll gives, gives_other;
  gives = (OneForAll){iut, load_node(iut, 1)};
  gives_other = (OneForAll){iut, load_node(iut, 2)};
  enter_function(iut, name, &gives, give_one_for_all);
  enter_function(iut, node_loader, &gives_other, give_one_for_all);
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, imports, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, 2);
  const char *other_path = library_path_of("constructing.so");
  AtOnce ours = {iut, carrier.path, gives.module, row->times, &start, 0},
         others = {iut, other_path, gives_other.module, row->times, &start, 0};
  // Both libraries stay mapped: to map them takes a lock of the C library, and most of the time.
  TVMFFIObjectHandle kept = load_library(iut, "constructing.so");
  pthread_t thread;
  if (pthread_create(&thread, NULL, load_at_once, &others) != 0)
    case_inconclusive("cannot start a thread");
  load_at_once(&ours);
  pthread_join(thread, NULL);
  release_object(iut, kept);
  expect_int("loads of the long kind that are not right", ours.wrong, 0);
  expect_int("loads of the other kind that are not right", others.wrong, 0);
  carrier_close(&carrier);
}
