// SPDX-License-Identifier: Apache-2.0
// What cases bring along: probe objects, callees that note their calls, threads, and the gauge of
// the heap.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/probe.h"
#include "test_engine.h"

static Evidence *evidence;
static Iut iut;

static const AbiLayout *const layouts[] = {&abi_layout_0_1, &abi_layout_2025_09};
enum { LAYOUTS = 2 };

static void prepare(void)
{
  evidence = engine_evidence(1);
  expect_record_into(evidence);
  memset(&iut, 0, sizeof iut);
  iut.layout = &abi_layout_0_1;
}

static void call_deleter(TVMFFIObjectHandle object, int flags)
{
  void (*deleter)(void *self, int flags);
  memcpy(&deleter, (char *)object + iut.layout->deleter_offset, sizeof deleter);
  deleter(object, flags);
}

TEST_GROUP(probe, .timeout = 30, .setup = prepare);

TEST(a_probe_is_an_object_of_its_generation, .rows = LAYOUTS)
{
  iut.layout = layouts[_i];
  TVMFFIObjectHandle probe = new_probe_object(&iut);
  ck_assert_uint_eq((uintptr_t)probe % 16, 0);
  ck_assert_uint_eq(object_strong(&iut, probe), 1);
  ck_assert_uint_eq(object_weak(&iut, probe), 1);
  ck_assert_int_eq(object_type_index(&iut, probe), PROBE_TYPE_INDEX);
  const unsigned char *body = object_body(&iut, probe);
  for (int i = 0; i < 64; ++i) ck_assert_uint_eq(body[i], 0x5A);
  ck_assert_int_eq(object_type_index(&iut, new_probe_object_of(&iut, 1234)), 1234);
  void *deleter;
  memcpy(&deleter, (char *)new_probe_object_without_deleter(&iut) + iut.layout->deleter_offset,
         sizeof deleter);
  ck_assert_ptr_null(deleter);
}

TEST(a_probe_notes_what_its_deleter_sees, .rows = LAYOUTS)
{
  iut.layout = layouts[_i];
  TVMFFIObjectHandle probe = new_probe_object(&iut);
  ck_assert(expect_deleter_calls(probe, ""));
  ck_assert(!expect_deleter_calls(probe, "3"));
  uint64_t strong, weak;
  object_take_weak(&iut, probe);
  ck_assert_uint_eq(object_weak(&iut, probe), 2);
  call_deleter(probe, 1);
  ck_assert(expect_deleter_calls(probe, "1"));
  ck_assert(!expect_deleter_calls(probe, ""));
  probe_counts_in_deleter(probe, &strong, &weak);
  ck_assert_uint_eq(strong, 1);
  ck_assert_uint_eq(weak, 2);
  object_release_weak(&iut, probe);
  ck_assert(expect_deleter_calls(probe, "1"));
  object_release_weak(&iut, probe);
  ck_assert(expect_deleter_calls(probe, "1 2"));
  ck_assert(!expect_deleter_calls(probe, "2 1"));
  ck_assert_uint_eq(probe_deleter_calls(probe), 2);
  // It notes the first counts, and goes on noting the flags.
  probe_counts_in_deleter(probe, &strong, &weak);
  ck_assert_uint_eq(weak, 2);
}

TEST(missing_calls_of_a_deleter_are_a_leak)
{
  static const struct {
    int first, second;  // the flags it is called with; 0: it is not
    const char *flags;
    bool leak;
  } calls[] = {{0, 0, "3", true}, {1, 0, "1 2", true}, {2, 0, "1 2", false},
               {3, 0, "", false}, {3, 3, "3", false},  {1, 0, "3", false}};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
    prepare();
    TVMFFIObjectHandle probe = new_probe_object(&iut);
    if (calls[i].first) call_deleter(probe, calls[i].first);
    if (calls[i].second) call_deleter(probe, calls[i].second);
    ck_assert(!expect_deleter_calls(probe, calls[i].flags));
    ck_assert_int_eq(evidence->failures[0].leak, calls[i].leak);
  }
}

TEST(a_probe_notices_when_its_body_is_touched, .rows = LAYOUTS)
{
  iut.layout = layouts[_i];
  for (int at = 0; at < 64; at += 63) {
    TVMFFIObjectHandle probe = new_probe_object(&iut);
    ((unsigned char *)object_body(&iut, probe))[at] = 0;
    ck_assert(!expect_deleter_calls(probe, ""));
  }
}

TEST(more_calls_than_are_kept)
{
  TVMFFIObjectHandle probe = new_probe_object(&iut);
  for (int i = 0; i < 1000; ++i) call_deleter(probe, 3);
  ck_assert_uint_eq(probe_deleter_calls(probe), 1000);
  ck_assert(!expect_deleter_calls(probe, "3"));
}

TEST(a_callee_notes_its_call)
{
  CallLog log = {.gives = true, .give = view_of_int(7), .returns = -1};
  TVMFFIAny args[2] = {view_of_int(1), view_of_int(2)}, result = garbage_but_none();
  TVMFFIAny before = result, seven = view_of_int(7);
  ck_assert_int_eq(call_log_callee(&log, args, 2, &result), -1);
  ck_assert_uint_eq(atomic_load(&log.calls), 1);
  ck_assert_ptr_eq(log.handle, &log);
  ck_assert_ptr_eq(log.args, args);
  ck_assert_int_eq(log.num_args, 2);
  ck_assert_ptr_eq(log.result, &result);
  ck_assert_int_eq(memcmp(&log.result_before, &before, sizeof before), 0);
  ck_assert_int_eq(memcmp(&result, &seven, sizeof seven), 0);
  call_log_delete(&log);
  call_log_delete(&log);
  ck_assert_uint_eq(atomic_load(&log.deleted), 2);

  int handle;
  ck_assert_int_eq(call_log_callee_without_self(&handle, NULL, 0, &result), 0);
  ck_assert_ptr_eq(call_log_without_self.handle, &handle);
  ck_assert_uint_eq(atomic_load(&call_log_without_self.calls), 1);
}

static atomic_uint running, together;

static void count_thread(Iut *library, unsigned index, void *context)
{
  ck_assert_ptr_eq(library, &iut);
  atomic_fetch_add((atomic_uint *)context, 1u << index);
  unsigned now = atomic_fetch_add(&running, 1) + 1, most = atomic_load(&together);
  while (now > most && !atomic_compare_exchange_weak(&together, &most, now)) continue;
  while (atomic_load(&together) < 8) continue;  // for ever, if they ran one after the other
}

TEST(threads_run_at_the_same_time)
{
  atomic_uint seen = 0;
  run_in_threads(&iut, 8, count_thread, &seen);
  ck_assert_uint_eq(atomic_load(&seen), 0xff);
}

static void leak(Iut *library, void *context)
{
  (void)library;
  *(void *volatile *)context = malloc(16);
}

static void take_and_give_back(Iut *library, void *context)
{
  leak(library, context);
  free(*(void **)context);
}

static void *volatile kept[32];
static unsigned kept_count;

// Has so many bytes more whenever their number is a power of two, as what holds one more of a thing each time.
static void grow_by_leaps(Iut *library, void *context)
{
  size_t *count = context;
  (void)library;
  ++*count;
  if ((*count & (*count - 1)) == 0) kept[kept_count++] = malloc(*count * 64);
}

// Keeps something of the first calls: 64 to warm up, and 100 more.
static void grow_at_first(Iut *library, void *context)
{
  size_t *count = context;
  static void *block;
  if (++*count <= 164) leak(library, &block);
}

// Keeps once, behind the calls to warm up, more than 8 bytes for each call of three.
static void grow_once(Iut *library, void *context)
{
  size_t *count = context;
  (void)library;
  if (++*count == 100) kept[kept_count++] = malloc(5000);
}

// Eight bytes more with each call, in a block that is twice as large whenever it is full.
typedef struct Vector {
  uint64_t *items;
  size_t count, capacity;
} Vector;

static void append(Iut *library, void *context)
{
  Vector *vector = context;
  (void)library;
  if (vector->count == vector->capacity) {
    vector->capacity = vector->capacity ? 2 * vector->capacity : 16;
    vector->items = realloc(vector->items, vector->capacity * sizeof *vector->items);
    ck_assert_ptr_nonnull(vector->items);
  }
  vector->items[vector->count] = vector->count;
  ++vector->count;
}

TEST(what_grows_at_first_or_once_is_no_leak_and_what_grows_by_leaps_is)
{
  static const size_t before[] = {0, 60, 100, 150, 190};
  size_t count = 0;
  ck_assert(expect_no_heap_growth(&iut, 200, grow_at_first, &count));
  count = 0;
  ck_assert(expect_no_heap_growth(&iut, 200, grow_once, &count));
  count = 0;
  ck_assert(!expect_no_heap_growth(&iut, 200, grow_by_leaps, &count));
  for (size_t i = 0; i < sizeof before / sizeof *before; ++i) {
    Vector vector = {NULL, 0, 0};
    for (size_t k = 0; k < before[i]; ++k) append(&iut, &vector);
    ck_assert_msg(!expect_no_heap_growth(&iut, 200, append, &vector), "after %zu", before[i]);
    free(vector.items);
  }
}

TEST(a_leak_is_seen)
{
  void *block;
  ck_assert(expect_no_heap_growth(&iut, 1000, take_and_give_back, &block));
  ck_assert(!expect_no_heap_growth(&iut, 1000, leak, &block));
  ck_assert(evidence->failures[0].leak);
  ck_assert_uint_eq(atomic_load(&evidence->held), 1);
  ck_assert_uint_eq(atomic_load(&evidence->failed), 1);
}

static unsigned slow_runs;

static void leak_slowly(Iut *library, void *block)
{
  ++slow_runs;
  usleep(5000);
  leak(library, block);
}

// 4,000 runs would take each series 20 seconds.
TEST(what_is_slow_is_run_less_often)
{
  void *block;
  slow_runs = 0;
  ck_assert(!expect_no_heap_growth(&iut, 4000, leak_slowly, &block));
  ck_assert(evidence->failures[0].leak);
  ck_assert_uint_lt(slow_runs, 4000);
}

TEST(the_heap_has_a_gauge)
{
  size_t before = heap_in_use();
  char *volatile block = malloc(10000000);
  ck_assert_uint_ge(heap_in_use(), before + 10000000);
  free(block);
  ck_assert_uint_lt(heap_in_use(), before + 10000);
}
