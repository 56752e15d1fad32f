// SPDX-License-Identifier: Apache-2.0
// Calls, look-ups and registrations from several threads.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "cases/runtime/function_shorthand.h"
#include "cases/runtime/race.h"

CHAPTER(function);

//--------------------------------------------------------------------------------------------------
// Calls
//--------------------------------------------------------------------------------------------------

enum { MEETING = 4 };

static pthread_barrier_t meeting;

// Comes back only when all threads are in it; the result is the argument, doubled.
static int meet(__attribute__((unused)) void *handle, const TVMFFIAny *args,
                __attribute__((unused)) int32_t num_args, TVMFFIAny *result)
{
  pthread_barrier_wait(&meeting);
  *result = view_of_int(2 * args[0].v_int64);
  return 0;
}

static void call_and_check(Iut *iut, unsigned index, void *function)
{
  for (int64_t i = 0; i < 4; ++i) {
    TVMFFIAny argument = view_of_int(100 * i + index), result = any_none();
    TVMFFIAny expected = view_of_int(2 * argument.v_int64);
    int code = iut->FunctionCall(function, &argument, 1, &result);
    if (!expect_int("what the call returned", code, 0)) return;
    if (!expect_same_bytes(&result, &expected)) return;
  }
}

static const struct {
  const char *name;
  bool closure;
} kinds[] = {{"plain", false}, {"closure", true}};

CASE_ROWS(threads_are_inside_a_function_at_once, kinds, .clauses = {FUN_17},
          .title =
              "four threads that wait for each other inside the same function get through, each "
              "with its own arguments and result")
{
  pthread_barrier_init(&meeting, NULL, MEETING);
  TVMFFIObjectHandle function = new_function(iut, row->closure ? &meeting : NULL, meet, NULL);
  ExpectedCounts before = counts_of(iut, function);
  note("each thread waits inside the callback for the other %d", MEETING - 1);
  run_in_threads(iut, MEETING, call_and_check, function);
  expect_counts_added(iut, function, before, 0);
  release_object(iut, function);
}

// A function per thread, so that only a lock that all calls share would keep them apart.
static void call_own_and_check(Iut *iut, unsigned index, void *functions)
{
  call_and_check(iut, index, ((TVMFFIObjectHandle *)functions)[index]);
}

CASE(threads_are_inside_different_functions_at_once, .clauses = {FUN_17},
     .title =
         "four threads that wait for each other, each inside a function of its own, get through")
{
  pthread_barrier_init(&meeting, NULL, MEETING);
  TVMFFIObjectHandle functions[MEETING];
  for (int i = 0; i < MEETING; ++i) functions[i] = new_function(iut, &meeting, meet, end_nothing);
  note("each thread waits inside its callback for the other %d", MEETING - 1);
  run_in_threads(iut, MEETING, call_own_and_check, functions);
  for (int i = 0; i < MEETING; ++i) release_object(iut, functions[i]);
}

static int raise_number(void *handle, const TVMFFIAny *args,
                        __attribute__((unused)) int32_t num_args,
                        __attribute__((unused)) TVMFFIAny *result)
{
  char text[32];
  snprintf(text, sizeof text, "number %d", (int)args[0].v_int64);
  ((Iut *)handle)->ErrorSetRaisedFromCStr("ValueError", text);
  return -1;
}

static void fail_and_check(Iut *iut, unsigned index, void *function)
{
  for (int i = 0; i < 50; ++i) {
    TVMFFIAny argument = view_of_int(1 + 64 * i + index), result = any_none();
    char expected[32];
    snprintf(expected, sizeof expected, "number %d", (int)argument.v_int64);
    int code = iut->FunctionCall(function, &argument, 1, &result);
    if (!expect_int("what the call returned", code, -1)) return;
    TVMFFIObjectHandle error = take_error(iut);
    if (!expect_not_null("the error raised in this thread", error)) return;
    bool good = expect_text("message", error_cell(iut, error)->message, expected);
    iut->ObjectDecRef(error);
    if (!good) return;
  }
}

CASE(threads_fail_each_with_its_own_error, .clauses = {FUN_14, ERR_10},
     .title =
         "four threads call a function that fails, and each finds its own error every "
         "time")
{
  TVMFFIObjectHandle function = new_function(iut, iut, raise_number, NULL);
  ExpectedCounts before = counts_of(iut, function);
  run_in_threads(iut, 4, fail_and_check, function);
  expect_counts_added(iut, function, before, 0);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// Look-ups
//--------------------------------------------------------------------------------------------------

// The threads meet before each MEET_EVERY look-ups: all 400 take one of them less time than a busy
// machine takes to give the next one a processor.
enum { NAMES = 16, LOOK_UPS = 400, MEET_EVERY = 50 };

static TVMFFIObjectHandle named[NAMES];

static TVMFFIByteArray name_of(unsigned number, char text[32])
{
  int size = snprintf(text, 32, "conform.thread.%u", number);
  return (TVMFFIByteArray){text, (size_t)size};
}

static void enter_names(Iut *iut)
{
  char text[32];
  for (unsigned i = 0; i < NAMES; ++i) {
    TVMFFIByteArray name = name_of(i, text);
    named[i] = new_single_function(iut);
    enter_function(iut, &name, named[i]);
  }
}

// Looks one name up and gives the reference back.
static bool find_and_release(Iut *iut, unsigned number)
{
  char text[32];
  TVMFFIByteArray name = name_of(number, text);
  TVMFFIObjectHandle found = NULL;
  int code = iut->FunctionGetGlobal(&name, &found);
  if (!expect_int("what the look-up returned", code, 0)) return false;
  if (!expect_pointer("what the name leads to", found, named[number])) return false;
  iut->ObjectDecRef(found);
  return true;
}

static void meet_before(unsigned look_up)
{
  if (look_up % MEET_EVERY == 0) pthread_barrier_wait(&meeting);
}

static void look_up_in_turn(Iut *iut, unsigned index, __attribute__((unused)) void *context)
{
  bool good = true;
  for (unsigned i = 0; i < LOOK_UPS; ++i) {
    meet_before(i);
    good = good && find_and_release(iut, (index + i) % NAMES);
  }
}

static void look_up_the_same(Iut *iut, __attribute__((unused)) unsigned index,
                             __attribute__((unused)) void *context)
{
  bool good = true;
  for (unsigned i = 0; i < LOOK_UPS; ++i) {
    meet_before(i);
    good = good && find_and_release(iut, 0);
  }
}

static void look_up_and_keep(Iut *iut, unsigned index, __attribute__((unused)) void *context)
{
  char text[32];
  TVMFFIByteArray name = name_of(index % 2, text);
  for (unsigned i = 0; i < LOOK_UPS; ++i) {
    TVMFFIObjectHandle found = NULL;
    meet_before(i);
    iut->FunctionGetGlobal(&name, &found);
  }
}

static void look_up_in_threads(Iut *iut, unsigned count, void (*body)(Iut *, unsigned, void *))
{
  pthread_barrier_init(&meeting, NULL, count);
  run_in_threads(iut, count, body, NULL);
}

static const struct {
  const char *name;
  void (*body)(Iut *iut, unsigned index, void *context);
  uint64_t kept;  // references to the first name that are not given back
} patterns[] = {
    {"different_names", look_up_in_turn, 0},
    {"the_same_name", look_up_the_same, 0},
    {"keeping_the_references", look_up_and_keep, 2 * LOOK_UPS},
};

CASE_ROWS(threads_look_up_at_once, patterns, .clauses = {FUN_31},
          .title =
              "four threads that look names up at the same time find what was registered, and "
              "the counts are exact")
{
  enter_names(iut);
  look_up_in_threads(iut, MEETING, row->body);
  expect_counts(iut, named[0], .strong = 2 + row->kept, .weak = 1);
  expect_counts(iut, named[1], .strong = 2 + row->kept, .weak = 1);
  for (unsigned i = 2; i < NAMES; ++i) expect_counts(iut, named[i], .strong = 2, .weak = 1);
}

static void look_up_unknown(Iut *iut, unsigned index, __attribute__((unused)) void *context)
{
  char text[32];
  TVMFFIByteArray name = name_of(NAMES + index, text);
  for (unsigned i = 0; i < LOOK_UPS; ++i) {
    TVMFFIObjectHandle found = &found;
    int code = iut->FunctionGetGlobal(&name, &found);
    if (!expect_int("what the look-up of an unknown name returned", code, 0)) return;
    if (!expect_pointer("what the unknown name leads to", found, NULL)) return;
    if (!find_and_release(iut, i % NAMES)) return;
  }
}

CASE(threads_look_up_unknown_names_at_once, .clauses = {FUN_31, FUN_23},
     .title =
         "four threads that look up known and unknown names in turn find the known ones and "
         "nothing else")
{
  enter_names(iut);
  run_in_threads(iut, 4, look_up_unknown, NULL);
  for (unsigned i = 0; i < NAMES; ++i) expect_counts(iut, named[i], .strong = 2, .weak = 1);
}

static void enter_in_this_thread(Iut *iut, __attribute__((unused)) unsigned index,
                                 __attribute__((unused)) void *context)
{
  char text[32];
  for (unsigned i = 0; i < NAMES; ++i) {
    TVMFFIByteArray name = name_of(i, text);
    if (!expect_int("what the registration returned", iut->FunctionSetGlobal(&name, named[i], 0),
                    0))
      return;
  }
}

CASE(what_one_thread_registered_others_find, .clauses = {FUN_20, FUN_21},
     .title = "functions that a thread registered before it ended are found by other threads")
{
  for (unsigned i = 0; i < NAMES; ++i) named[i] = new_single_function(iut);
  run_in_threads(iut, 1, enter_in_this_thread, NULL);
  for (unsigned i = 0; i < NAMES; ++i) {
    expect_counts(iut, named[i], .strong = 2, .weak = 1);
    require(find_and_release(iut, i));
  }
  look_up_in_threads(iut, 2, look_up_in_turn);
}

//--------------------------------------------------------------------------------------------------
// Look-ups while another thread registers
//--------------------------------------------------------------------------------------------------

enum { REGISTRATIONS = 1500, REGISTRATIONS_LEAST = REGISTRATIONS / 10, STANDSTILL_MS = 50 };

static atomic_uint look_ups;
static atomic_bool lost, ended;

// Says nothing of the single look-ups, whose number is another in every run.
static void *keep_looking_up(void *context)
{
  Iut *iut = context;
  char text[32];
  for (unsigned i = 0; !atomic_load(&race_over); ++i) {
    TVMFFIByteArray name = name_of(i % NAMES, text);
    TVMFFIObjectHandle found = NULL;
    if (iut->FunctionGetGlobal(&name, &found) != 0 || found != named[i % NAMES]) {
      atomic_store(&lost, true);
      atomic_store(&race_over, true);
    } else {
      iut->ObjectDecRef(found);
    }
    atomic_fetch_add(&look_ups, 1);
  }
  atomic_store(&ended, true);
  return NULL;
}

// How long the other thread has had a processor.
static long looked_ms(pthread_t thread)
{
  clockid_t clock;
  struct timespec used = {0, 0};
  if (pthread_getcpuclockid(thread, &clock) == 0) clock_gettime(clock, &used);
  return (long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

// Waits for two look-ups to end: then the other thread has a processor, and is likely to be in the
// next one while this thread registers. False if that thread has a processor for STANDSTILL_MS and
// none ends, or if it is `end`.
static bool wait_for_look_ups(pthread_t thread, long end)
{
  unsigned seen = atomic_load(&look_ups);
  long start = -1;
  for (unsigned spin = 1; atomic_load(&look_ups) - seen < 2 && !atomic_load(&race_over); ++spin) {
    if (spin % RACE_SPINS != 0) continue;
    if (start < 0) start = looked_ms(thread);
    if (looked_ms(thread) - start > STANDSTILL_MS || !race_pause(end)) return false;
  }
  return true;
}

// Registers names until a look-up fails. Returns how many, which is fewer on a machine that is too
// busy.
static unsigned register_many(Iut *iut, TVMFFIObjectHandle function, pthread_t thread)
{
  char text[32];
  unsigned count = 0;
  long start = race_now_ms();
  while (count < REGISTRATIONS && !atomic_load(&race_over)) {
    long end = race_end(start, count >= REGISTRATIONS_LEAST);
    TVMFFIByteArray name = name_of(NAMES + count, text);
    if (race_now_ms() > end || !wait_for_look_ups(thread, end) ||
        iut->FunctionSetGlobal(&name, function, 0) != 0)
      break;
    ++count;
  }
  atomic_store(&race_over, true);
  return count;
}

// A look-up may have lost its way for good, with a processor or without one.
static bool look_ups_end(pthread_t thread)
{
  long start = looked_ms(thread), end = race_now_ms() + RACE_BUSY_MS / 2;
  while (!atomic_load(&ended) && looked_ms(thread) - start <= STANDSTILL_MS)
    if (!race_pause(end)) break;
  return atomic_load(&ended);
}

// The first look-up that fails ends the case, so that on a runtime that can't do it little else is
// tried. The threads are kept on different processors, since only then they meet often enough for
// the same verdict in every run.
CASE(names_are_found_while_others_are_registered, .clauses = {FUN_32}, .patience = RACE_PATIENCE,
     .title =
         "a thread that looks names up finds their functions while another one registers other "
         "names")
{
  enter_names(iut);
  TVMFFIObjectHandle function = new_single_function(iut);
  pthread_t thread = race_start_beside(keep_looking_up, iut);
  unsigned count = register_many(iut, function, thread);
  require(expect_that(look_ups_end(thread), "look-ups that come back", "one that does not"));
  require(expect_that(!lost, "look-ups that find their functions", "one that does not"));
  pthread_join(thread, NULL);
  if (count < REGISTRATIONS_LEAST) case_inconclusive("the machine is too busy for two threads");
  expect_counts(iut, function, .strong = 1 + count, .weak = 1);
  for (unsigned i = 0; i < NAMES; ++i) expect_counts(iut, named[i], .strong = 2, .weak = 1);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// Two threads and one name
//--------------------------------------------------------------------------------------------------

enum { RACED_NAMES = 100, RACED_LEAST = RACED_NAMES / 25 };

static TVMFFIObjectHandle raced[2];  // what each of the threads registers
static int raced_codes[2];
static atomic_bool undecided;

static TVMFFIByteArray raced_name(unsigned round, char text[32])
{
  int size = snprintf(text, 32, "conform.raced.%u", round);
  return (TVMFFIByteArray){text, (size_t)size};
}

// In each round both threads register a function under the same name at the same time. Returns how
// many rounds were decided.
static unsigned race_for_names(Iut *iut, unsigned thread)
{
  char text[32];
  long start = race_now_ms();
  unsigned round = 0;
  for (; round < RACED_NAMES; ++round) {
    long end = race_end(start, round >= RACED_LEAST);
    TVMFFIByteArray name = raced_name(round, text);
    if (!race_keep_step(thread, 2 * round + 1, end)) break;
    raced_codes[thread] = iut->FunctionSetGlobal(&name, raced[thread], 0);
    if (raced_codes[thread] != 0) release_object(iut, take_error(iut));
    if (!race_keep_step(thread, 2 * round + 2, end)) break;
    if ((raced_codes[0] == 0) == (raced_codes[1] == 0)) atomic_store(&undecided, true);
    if (atomic_load(&undecided)) break;
  }
  return round;
}

static void *race_for_names_beside(void *iut)
{
  race_for_names(iut, 1);
  return NULL;
}

// How many of the names lead to one of the two functions. The round in which time ran out may have
// entered one, too.
static unsigned count_raced_names(Iut *iut)
{
  char text[32];
  unsigned count = 0;
  for (unsigned round = 0; round < RACED_NAMES; ++round) {
    TVMFFIByteArray name = raced_name(round, text);
    TVMFFIObjectHandle found = look_up(iut, &name);
    if (!found) continue;
    count += found == raced[0] || found == raced[1];
    release_object(iut, found);
  }
  return count;
}

CASE(threads_register_one_name_at_once, .clauses = {FUN_41}, .patience = RACE_PATIENCE,
     .title =
         "of two threads that register the same name at the same time, one succeeds, and the "
         "name leads to its function")
{
  for (int i = 0; i < 2; ++i) raced[i] = new_single_function(iut);
  pthread_t thread = race_start_beside(race_for_names_beside, iut);
  unsigned rounds = race_for_names(iut, 0);
  if (rounds < RACED_NAMES) atomic_store(&race_over, true);
  require(expect_that(!undecided, "one success and one failure",
                      "in round %u the threads got %d and %d", rounds, raced_codes[0],
                      raced_codes[1]));
  pthread_join(thread, NULL);
  if (rounds < RACED_LEAST) case_inconclusive("the machine is too busy for two threads");
  unsigned names = count_raced_names(iut);
  uint64_t references = object_strong(iut, raced[0]) + object_strong(iut, raced[1]);
  expect_that(names >= rounds, "a function under each name", "%u names in %u rounds", names,
              rounds);
  expect_int("references that the table holds", (int64_t)references - 2, names);
}
