// SPDX-License-Identifier: Apache-2.0
// Streams and signals.
#include <pthread.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

//--------------------------------------------------------------------------------------------------
// Streams. Every test gives back what it set, and leaves none behind.
//--------------------------------------------------------------------------------------------------

static char streams[128];  // stand for streams by their addresses

static void set_stream(int type, int id, void *stream, void *due_original)
{
  TVMFFIStreamHandle original = &original;
  ck_assert_int_eq(TVMFFIEnvSetStream(type, id, stream, &original), 0);
  ck_assert_ptr_eq(original, due_original);
}

static void expect_stream(int type, int id, void *due)
{
  ck_assert_ptr_eq(TVMFFIEnvGetStream(type, id), due);
}

TEST(a_stream_is_found_and_told_when_replaced)
{
  expect_stream(kDLCUDA, 0, NULL);
  set_stream(kDLCUDA, 0, &streams[0], NULL);
  expect_stream(kDLCUDA, 0, &streams[0]);
  set_stream(kDLCUDA, 0, &streams[1], &streams[0]);
  expect_stream(kDLCUDA, 0, &streams[1]);
  set_stream(kDLCUDA, 0, NULL, &streams[1]);
  expect_stream(kDLCUDA, 0, NULL);
  set_stream(kDLCUDA, 0, NULL, NULL);
  ck_assert_int_eq(TVMFFIEnvSetStream(kDLCUDA, 0, &streams[2], NULL), 0);
  expect_stream(kDLCUDA, 0, &streams[2]);
  set_stream(kDLCUDA, 0, NULL, &streams[2]);
}

TEST(every_device_has_its_own)
{
  enum { TYPES = 18, IDS = 7 };
  for (int type = 1; type <= TYPES; ++type) {
    for (int id = 0; id < IDS; ++id)
      set_stream(type, id * id * 1000, &streams[type * IDS + id - IDS], NULL);
  }
  for (int type = 1; type <= TYPES; ++type) {
    for (int id = 0; id < IDS; ++id) {
      expect_stream(type, id * id * 1000, &streams[type * IDS + id - IDS]);
      expect_stream(type, id * id * 1000 + 1, NULL);
    }
  }
  expect_stream(TYPES + 1, 0, NULL);
  for (int type = 1; type <= TYPES; ++type) {
    for (int id = 0; id < IDS; ++id)
      set_stream(type, id * id * 1000, NULL, &streams[type * IDS + id - IDS]);
  }
}

static const struct {
  int type, id;
} farthest[] = {{kDLCUDA, INT32_MAX}, {INT32_MAX, 0}, {INT32_MAX, INT32_MAX}, {1, 1 << 30}};

TEST(devices_may_be_far_away, .rows = ROWS(farthest))
{
  set_stream(farthest[_i].type, farthest[_i].id, &streams[1], NULL);
  expect_stream(farthest[_i].type, farthest[_i].id, &streams[1]);
  expect_stream(farthest[_i].type, farthest[_i].id - 1, NULL);
  set_stream(farthest[_i].type, farthest[_i].id, NULL, &streams[1]);
}

static const struct {
  int type, id;
  const char *word;
} nowhere[] = {
    {-1, 0, "`device_type` is -1"},
    {INT32_MIN, 0, "`device_type` is -2147483648"},
    {0, 0, "`device_type` is 0"},
    {kDLCUDA, -1, "`device_id` is -1"},
    {kDLCUDA, INT32_MIN, "`device_id` is -2147483648"},
};

TEST(what_is_no_device_is_refused, .rows = ROWS(nowhere))
{
  TVMFFIStreamHandle original = &original;
  for (int tries = 0; tries < 2; ++tries) {
    ck_assert_int_eq(TVMFFIEnvSetStream(nowhere[_i].type, nowhere[_i].id, streams, &original), -1);
    expect_raised("ValueError", nowhere[_i].word);
    ck_assert_ptr_eq(original, &original);
    expect_stream(nowhere[_i].type, nowhere[_i].id, NULL);
    // The second time there is a table to look into.
    if (tries == 0) set_stream(kDLCUDA, 1, &streams[1], NULL);
  }
  set_stream(kDLCUDA, 1, NULL, &streams[1]);
}

static long streams_of_a_thread(int number)
{
  if (TVMFFIEnvGetStream(kDLCUDA, 5) != NULL) return 1;
  for (int i = 0; i < 40; ++i) {
    if (TVMFFIEnvSetStream(kDLCUDA, i, &streams[number + i], NULL) != 0) return 1;
  }
  for (int i = 0; i < 40; ++i) {
    if (TVMFFIEnvGetStream(kDLCUDA, i) != &streams[number + i]) return 1;
  }
  return 0;
}

TEST(every_thread_has_its_own)
{
  set_stream(kDLCUDA, 5, &streams[99], NULL);
  ck_assert_int_eq(run_threads(4, streams_of_a_thread), 0);
  expect_stream(kDLCUDA, 5, &streams[99]);
  expect_stream(kDLCUDA, 6, NULL);
  set_stream(kDLCUDA, 5, NULL, &streams[99]);
}

// In a thread of its own, whose table is new.
static long set_without_memory(int number)
{
  long refused = 0;
  (void)number;
  for (int id = 0; id < 20; ++id) {
    TVMFFIStreamHandle original = &original;
    faults_arm(1);
    int code = TVMFFIEnvSetStream(kDLCUDA, id, &streams[id], &original);
    if (faults_disarm()) {
      expect_raised("InternalError", "memory");
      if (code != -1 || original != &original || TVMFFIEnvGetStream(kDLCUDA, id) != NULL) return -1;
      if (TVMFFIEnvSetStream(kDLCUDA, id, &streams[id], NULL) != 0) return -1;
      ++refused;
    } else if (code != 0) {
      return -1;
    }
  }
  for (int id = 0; id < 20; ++id) {
    if (TVMFFIEnvGetStream(kDLCUDA, id) != &streams[id]) return -1;
  }
  return refused;
}

TEST(want_of_memory_is_reported)
{
  ck_assert_int_gt(run_threads(1, set_without_memory), 1);  // the table was made, and grew
}

//--------------------------------------------------------------------------------------------------
// Signals
//--------------------------------------------------------------------------------------------------

static char trace[8];  // the calls, by letter
static int signal_code;
static void *state_given;

static void note(char letter)
{
  size_t end = strlen(trace);
  if (end + 1 < sizeof trace) trace[end] = letter;
}

static int check_signals(void)
{
  note('c');
  if (signal_code == 7) TVMFFIErrorSetRaisedFromCStr("KeyboardInterrupt", "stop");
  return signal_code;
}

static void *take_lock(void)
{
  note('e');
  return state_given;
}

static void give_lock_back(void *state)
{
  note(state == state_given ? 'r' : '?');
}

static void register_all(bool check, bool ensure, bool release)
{
  void *functions[] = {check ? __extension__(void *) check_signals : NULL,
                       ensure ? __extension__(void *) take_lock : NULL,
                       release ? __extension__(void *) give_lock_back : NULL};
  ck_assert_int_eq(TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", functions[0]), 0);
  ck_assert_int_eq(TVMFFIEnvRegisterCAPI("PyGILState_Ensure", functions[1]), 0);
  ck_assert_int_eq(TVMFFIEnvRegisterCAPI("PyGILState_Release", functions[2]), 0);
}

static void expect_check(int code, int due, const char *calls)
{
  memset(trace, 0, sizeof trace);
  signal_code = code;
  ck_assert_int_eq(TVMFFIEnvCheckSignals(), due);
  ck_assert_str_eq(trace, calls);
}

TEST(without_surroundings_there_are_no_signals)
{
  expect_check(1, 0, "");
  register_all(false, true, true);
  expect_check(1, 0, "");
  expect_nothing_raised();
  register_all(false, false, false);
}

TEST(signals_are_checked_under_the_lock)
{
  register_all(true, true, true);
  for (int given = 0; given < 2; ++given) {  // the state 0 is one like others
    state_given = given ? streams : NULL;
    expect_check(0, 0, "ecr");
    expect_nothing_raised();
    expect_check(7, -1, "ecr");
    expect_raised("KeyboardInterrupt", "stop");
    expect_check(-3, -1, "ecr");
    expect_nothing_raised();
  }
  register_all(false, true, true);
  expect_check(7, 0, "");
  register_all(false, false, false);
}

TEST(half_of_the_surroundings_is_an_error)
{
  register_all(true, false, true);
  expect_check(7, -1, "");
  expect_raised("RuntimeError", "PyGILState_Ensure is not");
  register_all(true, true, false);
  expect_check(7, -1, "");
  expect_raised("RuntimeError", "PyGILState_Release is not");
  register_all(false, false, false);
}

static const char *const other_names[] = {
    "", "PyErr_CheckSignal", "PyErr_CheckSignals ", "pygilstate_ensure", "PyGILState_Releas", "x"};

TEST(other_names_are_refused, .rows = ROWS(other_names))
{
  ck_assert_int_eq(TVMFFIEnvRegisterCAPI(other_names[_i], streams), -1);
  expect_raised("ValueError", "`name` is `");
}
