// SPDX-License-Identifier: Apache-2.0
// The end of an object: when its deleter is called, how often, with which flags, and what it sees.
#include <sched.h>
#include <time.h>

#include "object_header.h"

CHAPTER(object);

// --- One thread ----------------------------------------------------------------------------------

CASE(last_reference_runs_deleter_for_both, .clauses = {OBJ_5},
     .title = "releasing the last reference calls the deleter once, with flags 3")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_deleter_calls(object, "3");
}

static const struct {
  const char *name;
  uint64_t weak;
} weakly_held[] = {
    {"one-weak-reference", 2}, {"two-weak-references", 3}, {"very-many", 0xffffffff}};

CASE_ROWS(last_strong_reference_runs_deleter_for_content, weakly_held, .clauses = {OBJ_6},
          .title =
              "releasing the last strong reference of a weakly held object calls the deleter once, "
              "with flags 1")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  object_set_counts(iut, object, 1, row->weak);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_deleter_calls(object, "1");
}

CASE_ROWS(
    strong_side_drops_its_weak_reference_last, weakly_held, .clauses = {OBJ_7},
    .title = "the weak reference of the strong side is released after the content is destroyed")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  object_set_counts(iut, object, 1, row->weak);
  require(expect_ok(iut, iut->ObjectDecRef(object)));
  require(expect_deleter_calls(object, "1"));
  uint64_t strong = 0, weak = 0;
  probe_counts_in_deleter(object, &strong, &weak);
  expect_int("weak count while the deleter ran", (int64_t)weak, (int64_t)row->weak);
  expect_counts(iut, object, .strong = 0, .weak = row->weak - 1);
}

static const struct {
  const char *name;
  uint64_t strong, weak;
} without_deleter[] = {{"only-reference", 1, 1}, {"shared", 3, 1}, {"weakly-held", 1, 2}};

CASE_ROWS(object_without_deleter_is_only_counted, without_deleter, .clauses = {OBJ_11},
          .wrong_call = true,
          .title =
              "releasing an object whose deleter is NULL lowers the strong count to 0 and calls "
              "nothing")
{
  TVMFFIObjectHandle object = new_probe_object_without_deleter(iut);
  object_set_counts(iut, object, row->strong, row->weak);
  for (uint64_t left = row->strong; left-- > 0;) {
    expect_ok(iut, iut->ObjectDecRef(object));
    expect_int("strong count", (int64_t)object_strong(iut, object), (int64_t)left);
  }
}

// --- What the deleter sees -----------------------------------------------------------------------

// A deleter of ours that notes what it sees. With `drops_weak`, destroying the content drops a weak
// reference, in this thread or in another.
typedef struct SeenCall {
  void *self;
  int flags;
  uint64_t strong;
} SeenCall;

static struct {
  Iut *iut;
  SeenCall calls[4];
  unsigned count;
  bool drops_weak, in_another_thread;
} watched;

static void drop_weak(Iut *iut, unsigned index, void *object)
{
  (void)index;
  object_release_weak(iut, object);
}

static void watch_deletion(void *self, int flags)
{
  if (watched.count < 4)
    watched.calls[watched.count] = (SeenCall){self, flags, object_strong(watched.iut, self)};
  ++watched.count;
  if (flags != kTVMFFIObjectDeleterFlagBitMaskStrong || !watched.drops_weak) return;
  if (watched.in_another_thread)
    run_in_threads(watched.iut, 1, drop_weak, self);
  else
    drop_weak(watched.iut, 0, self);
}

static TVMFFIObjectHandle watched_object(Iut *iut)
{
  watched.iut = iut;
  TVMFFIObjectHandle object = new_probe_object(iut);
  object_set_deleter(iut, object, watch_deletion);
  return object;
}

// Releases an object that loses its weak reference while its content is destroyed.
static TVMFFIObjectHandle release_with_weak_dropped_meanwhile(Iut *iut)
{
  TVMFFIObjectHandle object = watched_object(iut);
  watched.drops_weak = true;
  object_take_weak(iut, object);
  expect_ok(iut, iut->ObjectDecRef(object));
  return object;
}

static void expect_content_then_memory(void)
{
  require(expect_int("calls of the deleter", watched.count, 2));
  expect_int("flags of the first call", watched.calls[0].flags,
             kTVMFFIObjectDeleterFlagBitMaskStrong);
  expect_int("flags of the second call", watched.calls[1].flags,
             kTVMFFIObjectDeleterFlagBitMaskWeak);
}

CASE(weak_reference_dropped_by_the_deleter, .clauses = {OBJ_8},
     .title =
         "when destroying the content drops the last weak reference, the memory is freed after it")
{
  release_with_weak_dropped_meanwhile(iut);
  expect_content_then_memory();
}

CASE(weak_reference_dropped_by_a_thread_meanwhile, .clauses = {OBJ_8},
     .title =
         "when another thread drops the last weak reference while the content is destroyed, the "
         "memory is freed after it")
{
  watched.in_another_thread = true;
  release_with_weak_dropped_meanwhile(iut);
  expect_content_then_memory();
}

CASE(deleter_gets_the_handle, .clauses = {OBJ_9},
     .title = "the first argument of the deleter is the handle, whatever the flags")
{
  TVMFFIObjectHandle object = watched_object(iut);
  require(expect_ok(iut, iut->ObjectDecRef(object)));
  require(expect_int("calls of the deleter", watched.count, 1));
  expect_pointer("self with flags 3", watched.calls[0].self, object);

  note("a weak reference goes while the content is destroyed");
  watched.count = 0;
  object = release_with_weak_dropped_meanwhile(iut);
  require(expect_int("calls of the deleter", watched.count, 2));
  expect_pointer("self with flags 1", watched.calls[0].self, object);
  expect_pointer("self with flags 2", watched.calls[1].self, object);
}

CASE(strong_count_is_zero_in_the_deleter, .clauses = {OBJ_10},
     .title = "the strong count reads 0 whenever the deleter is called")
{
  require(expect_ok(iut, iut->ObjectDecRef(watched_object(iut))));
  require(expect_int("calls of the deleter", watched.count, 1));
  expect_int("strong count with flags 3", (int64_t)watched.calls[0].strong, 0);

  note("a weak reference goes while the content is destroyed");
  watched.count = 0;
  release_with_weak_dropped_meanwhile(iut);
  require(expect_int("calls of the deleter", watched.count, 2));
  expect_int("strong count with flags 1", (int64_t)watched.calls[0].strong, 0);
  expect_int("strong count with flags 2", (int64_t)watched.calls[1].strong, 0);
}

// --- Every order ---------------------------------------------------------------------------------

// S, W: take a strong, a weak reference; s, w: give one back. The object begins with one strong
// reference.
static const struct {
  const char *name, *steps, *flags;
} orders[] = {
    {"strong", "s", "3"},
    {"strong-strong", "Sss", "3"},
    {"weak-strong", "Wws", "3"},
    {"strong-weak", "Wsw", "1 2"},
    {"weak-weak-strong", "WWwws", "3"},
    {"weak-strong-weak", "WWwsw", "1 2"},
    {"strong-weak-weak", "WWsww", "1 2"},
    {"weak-strong-strong", "SWwss", "3"},
    {"strong-weak-strong", "SWsws", "3"},
    {"strong-strong-weak", "SWssw", "1 2"},
    {"retained-between", "SsWsw", "1 2"},
    {"by-turns-strong-last", "SSWWswsws", "3"},
    {"by-turns-weak-last", "SSWWswssw", "1 2"},
};

typedef struct Step {
  TVMFFIObjectHandle object;
  char kind;
} Step;

static void take_step(Iut *iut, unsigned index, void *context)
{
  (void)index;
  const Step *step = context;
  switch (step->kind) {
    case 'S':
      expect_ok(iut, iut->ObjectIncRef(step->object));
      break;
    case 's':
      expect_ok(iut, iut->ObjectDecRef(step->object));
      break;
    case 'W':
      object_take_weak(iut, step->object);
      break;
    default:
      object_release_weak(iut, step->object);
  }
}

// The counts that are due after a step; false when the object is gone and they mean nothing.
static bool count_along(ExpectedCounts *counts, char kind)
{
  if (kind == 'S') ++counts->strong;
  if (kind == 'W') ++counts->weak;
  if (kind == 's' && --counts->strong == 0) --counts->weak;
  if (kind == 'w') --counts->weak;
  return counts->weak > 0;
}

static void follow_steps(Iut *iut, const char *steps, const char *flags, bool in_threads)
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  ExpectedCounts counts = {1, 1};
  for (const char *at = steps; *at; ++at) {
    note("step %d of \"%s\" (S, W: take a strong, a weak reference; s, w: give it back)",
         (int)(at - steps) + 1, steps);
    Step step = {object, *at};
    if (in_threads)
      run_in_threads(iut, 1, take_step, &step);
    else
      take_step(iut, 0, &step);
    if (!count_along(&counts, *at)) continue;
    expect_counts(iut, object, .strong = counts.strong, .weak = counts.weak);
    expect_deleter_calls(object, counts.strong ? "" : "1");
  }
  expect_deleter_calls(object, flags);
}

CASE_ROWS(flags_follow_the_order_of_release, orders, .clauses = {OBJ_6, OBJ_5, OBJ_7, OBJ_4, OBJ_3},
          .title =
              "content and memory are freed once each, in whatever order strong and weak "
              "references are released")
{
  follow_steps(iut, row->steps, row->flags, false);
}

// The same with each step in a thread of its own: fewer of them, for threads take their time.
static const struct {
  const char *name, *steps, *flags;
} orders_in_threads[] = {
    {"strong-strong", "Sss", "3"},          {"weak-strong", "Wws", "3"},
    {"strong-weak", "Wsw", "1 2"},          {"strong-weak-strong", "SWsws", "3"},
    {"strong-strong-weak", "SWssw", "1 2"},
};

CASE_ROWS(
    flags_follow_the_order_across_threads, orders_in_threads,
    .clauses = {OBJ_6, OBJ_5, OBJ_7, OBJ_4, OBJ_3},
    .title = "the flags follow the order of release, also when each step runs in a new thread")
{
  follow_steps(iut, row->steps, row->flags, true);
}

// --- Races ---------------------------------------------------------------------------------------

enum { RACERS = 4, RACED_OBJECTS = 300 };

static TVMFFIObjectHandle raced[RACED_OBJECTS];

static void release_each(Iut *iut, unsigned index, void *context)
{
  (void)index, (void)context;
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) iut->ObjectDecRef(raced[i]);
}

CASE(
    one_of_the_racing_threads_runs_the_deleter, .clauses = {OBJ_14}, .patience = 2,
    .title = "when threads release the last references at once, the deleter is called exactly once")
{
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) {
    raced[i] = new_probe_object(iut);
    object_set_counts(iut, raced[i], RACERS, 1);
  }
  run_in_threads(iut, RACERS, release_each, NULL);
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) require(expect_deleter_calls(raced[i], "3"));
}

static void release_strong_or_weak_of_each(Iut *iut, unsigned index, void *context)
{
  if (index % 2) {
    release_each(iut, index, context);
    return;
  }
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) object_release_weak(iut, raced[i]);
}

CASE(strong_and_weak_references_race, .clauses = {OBJ_14, OBJ_8, OBJ_6, OBJ_5}, .patience = 2,
     .title =
         "when strong and weak references go at once, content and memory are given up once each, "
         "in this order")
{
  for (unsigned i = 0; i < RACED_OBJECTS; ++i) {
    raced[i] = new_probe_object(iut);
    object_set_counts(iut, raced[i], RACERS / 2, 1 + RACERS / 2);
  }
  run_in_threads(iut, RACERS, release_strong_or_weak_of_each, NULL);
  for (unsigned i = 0; i < RACED_OBJECTS; ++i)
    require(expect_deleter_calls(raced[i], probe_deleter_calls(raced[i]) == 1 ? "3" : "1 2"));
}

// --- Weak references that become strong ones -----------------------------------------------------

CASE(weak_reference_is_promoted, .clauses = {OBJ_28},
     .title = "a strong reference that a weak holder adds keeps the content until it is dropped")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  object_take_weak(iut, object);
  require(expect_that(object_promote(iut, object), "a strong reference", "none"));
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_deleter_calls(object, "");
  expect_counts(iut, object, .strong = 1, .weak = 2);
  expect_ok(iut, iut->ObjectDecRef(object));
  expect_deleter_calls(object, "1");
  expect_that(!object_promote(iut, object), "no strong reference to what is destroyed", "one");
  object_release_weak(iut, object);
  expect_deleter_calls(object, "1 2");
}

enum { PROMOTED_OBJECTS = 200 };

static atomic_uint promotion_steps[2];
static atomic_uint released_objects, destroyed_too_early;

// Waits until both threads are at this object.
static void meet_at(unsigned thread, unsigned object)
{
  atomic_store(&promotion_steps[thread], object + 1);
  while (atomic_load(&promotion_steps[1 - thread]) < object + 1) sched_yield();
}

// The first thread drops the only strong reference, the other makes one of its weak reference: of
// every other object a moment later, when the release has begun.
static void release_or_promote(Iut *iut, unsigned index, void *context)
{
  (void)context;
  for (unsigned i = 0; i < PROMOTED_OBJECTS; ++i) {
    meet_at(index, i);
    if (index == 0) {
      iut->ObjectDecRef(raced[i]);
      atomic_store(&released_objects, i + 1);
      continue;
    }
    if (i % 2) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    if (object_promote(iut, raced[i])) {
      while (atomic_load(&released_objects) < i + 1) sched_yield();
      if (probe_deleter_calls(raced[i]) != 0) atomic_fetch_add(&destroyed_too_early, 1);
      iut->ObjectDecRef(raced[i]);
    }
  }
}

CASE(release_and_promotion_race, .clauses = {OBJ_28}, .patience = 4,
     .title =
         "when a weak holder adds a strong reference while the last one is dropped, the content is "
         "destroyed once, and not while it is held")
{
  for (unsigned i = 0; i < PROMOTED_OBJECTS; ++i) {
    raced[i] = new_probe_object(iut);
    object_take_weak(iut, raced[i]);
  }
  run_in_threads(iut, 2, release_or_promote, NULL);
  expect_int("objects destroyed while they were held", destroyed_too_early, 0);
  for (unsigned i = 0; i < PROMOTED_OBJECTS; ++i) {
    require(expect_deleter_calls(raced[i], "1"));
    expect_counts(iut, raced[i], .strong = 0, .weak = 1);
  }
}

// --- Deleters that use the runtime ---------------------------------------------------------------

enum { LINKS = 50 };

// Link i holds link i + 1: its deleter is told by its place in the chain.
static struct {
  Iut *iut;
  TVMFFIObjectHandle links[LINKS];
  unsigned destroyed;
} chain;

static void destroy_link(void *self, int flags)
{
  expect_int("flags of a link", flags, kTVMFFIObjectDeleterFlagBitMaskBoth);
  unsigned at = chain.destroyed++;
  if (at >= LINKS) return;
  expect_pointer("the link that is destroyed", self, chain.links[at]);
  if (at + 1 < LINKS) expect_ok(chain.iut, chain.iut->ObjectDecRef(chain.links[at + 1]));
}

CASE(deleter_releases_other_objects, .clauses = {OBJ_16},
     .title = "a deleter may release another object, whose deleter releases another, and so on")
{
  chain.iut = iut;
  for (unsigned i = 0; i < LINKS; ++i) {
    chain.links[i] = new_probe_object(iut);
    object_set_deleter(iut, chain.links[i], destroy_link);
  }
  expect_ok(iut, iut->ObjectDecRef(chain.links[0]));
  expect_int("links destroyed when the first release returns", chain.destroyed, LINKS);
}

static Iut *iut_of_deleter;

static void make_and_raise(void *self, int flags)
{
  (void)self, (void)flags;
  Iut *iut = iut_of_deleter;
  TVMFFIAny string = garbage_but_none();
  TVMFFIByteArray text = bytes_of("made in a deleter");
  if (expect_ok(iut, iut->StringFromByteArray(&text, &string)))
    expect_heap_string(iut, &string, text.data, text.size);
  release_any(iut, &string);
  iut->ErrorSetRaisedFromCStr("ValueError", "raised in a deleter");
}

CASE(deleter_makes_objects_and_raises, .clauses = {OBJ_16},
     .title = "a deleter may make objects, and an error that it raises is in the slot afterwards")
{
  iut_of_deleter = iut;
  TVMFFIObjectHandle object = new_probe_object(iut);
  object_set_deleter(iut, object, make_and_raise);
  expect_int("returned by ObjectDecRef", iut->ObjectDecRef(object), 0);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the error raised by the deleter", error));
  expect_text("its message", error_cell(iut, error)->message, "raised in a deleter");
  release_object(iut, error);
}
