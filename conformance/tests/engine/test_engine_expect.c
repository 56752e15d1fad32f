// SPDX-License-Identifier: Apache-2.0
// What expectations record: that they hold, or what was expected, what was seen, and where.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "test_engine.h"

static Evidence *evidence;

static void start_recording(void)
{
  evidence = engine_evidence(42);
  expect_record_into(evidence);
}

// The last expectation held, and nothing else was recorded since the last of these.
#define HELD(expectation)                                         \
  do {                                                            \
    uint32_t before_ = atomic_load(&evidence->held);              \
    ck_assert(expectation);                                       \
    ck_assert_uint_eq(atomic_load(&evidence->held), before_ + 1); \
    ck_assert_uint_eq(atomic_load(&evidence->failed), 0);         \
  } while (0)

// It failed, with these texts in the slot.
#define FAILED(expectation, what_, expected_, seen_)                    \
  do {                                                                  \
    start_recording();                                                  \
    ck_assert(!(expectation));                                          \
    ck_assert_uint_eq(atomic_load(&evidence->failed), 1);               \
    ck_assert_str_eq(evidence->failures[0].what, what_);                \
    ck_assert_str_eq(evidence->failures[0].expected, expected_);        \
    ck_assert_str_eq(evidence->failures[0].seen, seen_);                \
    ck_assert_ptr_nonnull(strstr(evidence->failures[0].source, ".c:")); \
  } while (0)

TEST_GROUP(expect, .setup = start_recording);

TEST(plain_expectations)
{
  int here;
  HELD(expect_that(true, "no more than 3", "%d", 2));
  FAILED(expect_that(false, "no more than 3", "%d of them", 4), "", "no more than 3", "4 of them");
  ck_assert(!evidence->failures[0].leak);
  start_recording();
  HELD(expect_no_leak(true, "nothing is left", "%d", 2));
  FAILED(expect_no_leak(false, "nothing is left", "%d bytes", 4), "", "nothing is left", "4 bytes");
  ck_assert(evidence->failures[0].leak);
  start_recording();
  HELD(expect_int("count", INT64_MIN, INT64_MIN));
  FAILED(expect_int("count", -1, INT64_MAX), "count", "9223372036854775807", "-1");
  start_recording();
  HELD(expect_hex("bits", 0xff, 0xff));
  FAILED(expect_hex("bits", 0xff, UINT64_MAX), "bits", "0xffffffffffffffff", "0xff");
  start_recording();
  HELD(expect_pointer("self", &here, &here));
  FAILED(expect_pointer("self", NULL, &here), "self", "the pointer that was given", "NULL");
  FAILED(expect_pointer("self", &evidence, &here), "self", "the pointer that was given",
         "another pointer");
  FAILED(expect_pointer("self", &here, NULL), "self", "NULL", "a pointer");
  start_recording();
  HELD(expect_not_null("object", &here));
  FAILED(expect_not_null("object", NULL), "object", "a pointer", "NULL");
}

TEST(texts_and_memory)
{
  start_recording();
  HELD(expect_memory("contents", "a\0b", 3, "a\0b", 3));
  HELD(expect_memory("contents", NULL, 0, "", 0));
  FAILED(expect_memory("contents", "abc", 3, "abcd", 4), "contents", "4 bytes", "3 bytes");
  FAILED(expect_memory("contents", NULL, 4, "abcd", 4), "contents", "4 bytes", "NULL");
  FAILED(expect_memory("contents", "ab\1d", 4, "abcd", 4), "contents", "\"cd\" at byte 2 of 4",
         "\"\\x01d\"");
  start_recording();
  HELD(expect_text("kind", bytes_of("ValueError"), "ValueError"));
  HELD(expect_text("kind", ((TVMFFIByteArray){NULL, 0}), ""));
  FAILED(expect_text("kind", bytes_of("Value\"\n"), "ValueError"), "kind", "\"ValueError\"",
         "\"Value\\x22\\x0a\"");
  FAILED(expect_text("kind", ((TVMFFIByteArray){NULL, 5}), "Value"), "kind", "\"Value\"",
         "data NULL with size 5");
}

TEST(values)
{
  TVMFFIAny one = view_of_int(1), two = view_of_int(2), dirty = view_of_int(1);
  dirty.zero_padding = 9;
  start_recording();
  HELD(expect_same_bytes(&one, &one));
  FAILED(expect_same_bytes(&two, &one), "the value",
         "Int (1), padding 0, payload 0x0000000000000001",
         "Int (1), padding 0, payload 0x0000000000000002");
  ck_assert(evidence->failures[0].has_bytes);
  ck_assert_int_eq(memcmp(evidence->failures[0].expected_bytes, &one, 16), 0);
  ck_assert_int_eq(memcmp(evidence->failures[0].seen_bytes, &two, 16), 0);
  FAILED(expect_same_bytes(&dirty, &one), "the value",
         "Int (1), padding 0, payload 0x0000000000000001",
         "Int (1), padding 9, payload 0x0000000000000001");
  start_recording();
  HELD(expect_type_index(&one, kTVMFFIInt));
  FAILED(expect_type_index(&one, kTVMFFIStr), "type index of the value", "Str (65)", "Int (1)");
}

TEST(small_texts)
{
  TVMFFIAny small = any_none();
  small.type_index = kTVMFFISmallStr;
  small.small_str_len = 3;
  memcpy(small.v_bytes, "abc", 3);
  start_recording();
  HELD(expect_small_string(&small, "abc", 3));
  ck_assert(!expect_small_string(&small, "abd", 3));
  ck_assert(!expect_small_string(&small, "ab", 2));
  ck_assert(!expect_small_bytes(&small, "abc", 3));
  small.v_bytes[7] = 1;
  ck_assert(!expect_small_string(&small, "abc", 3));
  ck_assert_uint_eq(atomic_load(&evidence->failed), 4);
}

// A string object as the generation 0.1 has it, made by hand.
typedef struct HandMade {
  TVMFFIObject header;
  TVMFFIByteArray cell;
} HandMade;

static TVMFFIAny hand_made(HandMade *made, const char *data, size_t size)
{
  memset(made, 0, sizeof *made);
  made->header.type_index = kTVMFFIStr;
  made->cell = (TVMFFIByteArray){data, size};
  Iut iut = {.layout = &abi_layout_0_1};
  return view_of_object(&iut, made);
}

TEST(heap_texts)
{
  HandMade made;
  Iut iut = {.layout = &abi_layout_0_1};
  TVMFFIAny value = hand_made(&made, "nine bytes", 10);
  start_recording();
  ck_assert(expect_heap_string(&iut, &value, "nine bytes", 10));
  ck_assert_uint_eq(atomic_load(&evidence->failed), 0);
  FAILED(expect_heap_bytes(&iut, &value, "nine bytes", 10), "type index of the value", "Bytes (66)",
         "Str (65)");
  made.cell.size = 9;
  ck_assert(
      expect_heap_string(&iut, &value, "nine byte", 9));  // without a NUL: only headers need it
  made.cell.size = 10;
  value.zero_padding = 1;
  ck_assert(!expect_heap_string(&iut, &value, "nine bytes", 10));
  value = hand_made(&made, NULL, 0);
  ck_assert(!expect_heap_string(&iut, &value, "", 0));
  value.v_obj = NULL;
  ck_assert(!expect_heap_string(&iut, &value, "", 0));
}

// --- Errors --------------------------------------------------------------------------------------

typedef struct HandMadeError {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
} HandMadeError;

static HandMadeError error;
static TVMFFIObjectHandle raised;
static int released;

static void move_raised(TVMFFIObjectHandle *out)
{
  *out = raised;
  raised = NULL;
}

static int count_release(TVMFFIObjectHandle object)
{
  released += object == &error;
  return 0;
}

static Iut library_that_raises(const char *kind, const char *message)
{
  Iut iut = {.layout = &abi_layout_0_1};
  iut.ErrorMoveFromRaised = move_raised;
  iut.ObjectDecRef = count_release;
  error.cell.kind = bytes_of(kind);
  error.cell.message = bytes_of(message);
  raised = &error;
  released = 0;
  return iut;
}

TEST(errors_are_taken_and_released)
{
  Iut iut = library_that_raises("ValueError", "bad");
  start_recording();
  HELD(expect_ok(&iut, 0));
  ck_assert_ptr_eq(raised, &error);
  HELD(expect_error(&iut, -1, "ValueError"));
  ck_assert_ptr_null(raised);
  ck_assert_int_eq(released, 1);
  HELD(expect_no_error(&iut));

  iut = library_that_raises("ValueError", "bad");
  HELD(expect_error(&iut, -1, NULL));
  iut = library_that_raises("ValueError", "bad");
  FAILED(expect_ok(&iut, -1), "returned", "0", "-1, ValueError: \"bad\"");
  ck_assert_int_eq(released, 1);
  FAILED(expect_ok(&iut, -2), "returned", "0", "-2, no error raised");
  FAILED(expect_error(&iut, -1, "ValueError"), "returned", "-1 and a raised ValueError",
         "-1 and no error raised");
  iut = library_that_raises("TypeError", "bad");
  FAILED(expect_error(&iut, -1, "ValueError"), "returned", "-1 and a raised ValueError",
         "-1 and TypeError: \"bad\"");
  iut = library_that_raises("ValueError", "bad");
  FAILED(expect_error(&iut, 0, NULL), "returned", "-1 and a raised error",
         "0 and ValueError: \"bad\"");
  iut = library_that_raises("ValueError", "bad");
  FAILED(expect_no_error(&iut), "raised on this thread", "nothing", "ValueError: \"bad\"");
  ck_assert_int_eq(released, 1);
}

TEST(counts_of_both_generations)
{
  uint64_t combined = (UINT64_C(1) << 32) | 2;
  unsigned char header[32] = {0};
  Iut iut = {.layout = &abi_layout_0_1};
  memcpy(header, &combined, sizeof combined);
  start_recording();
  HELD(expect_counts(&iut, header, .strong = 2, .weak = 1));
  FAILED(expect_counts(&iut, header, .strong = 2, .weak = 2), "counts of the object",
         "strong 2, weak 2", "strong 2, weak 1");
  iut.layout = &abi_layout_2025_09;
  memset(header, 0, sizeof header);
  memcpy(header + iut.layout->strong_offset, &(uint64_t){5}, sizeof(uint64_t));
  memcpy(header + iut.layout->weak_offset, &(uint32_t){6}, sizeof(uint32_t));
  start_recording();
  HELD(expect_counts(&iut, header, .strong = 5, .weak = 6));
}

// --- The course of a case ------------------------------------------------------------------------

TEST(the_note_in_force_is_kept_with_a_failure)
{
  start_recording();
  note("step %d", 1);
  expect_int("first", 1, 2);
  note("step %d", 2);
  expect_int("second", 1, 2);
  ck_assert_str_eq(evidence->failures[0].note, "step 1");
  ck_assert_str_eq(evidence->failures[1].note, "step 2");
  char here[64];
  snprintf(here, sizeof here, "test_engine_expect.c:%d", __LINE__ + 1);
  expect_int("third", 1, 2);
  ck_assert_str_eq(evidence->failures[2].source, here);
}

TEST(failures_beyond_the_slots_are_counted)
{
  start_recording();
  for (int i = 0; i < 3 * EVIDENCE_FAILURES_MAX; ++i) expect_int("number", i, -1);
  ck_assert_uint_eq(atomic_load(&evidence->failed), 3 * EVIDENCE_FAILURES_MAX);
  ck_assert_str_eq(evidence->failures[EVIDENCE_FAILURES_MAX - 1].seen, "7");
}

TEST(long_texts_are_cut)
{
  char *text = malloc(100001);
  memset(text, 'x', 100000);
  text[100000] = '\0';
  start_recording();
  expect_that(false, text, "%s", text);
  note("%s", text);
  expect_text("kind", bytes_of(text), "y");
  ck_assert_uint_eq(strlen(evidence->failures[0].expected),
                    sizeof evidence->failures[0].expected - 1);
  ck_assert_uint_eq(strlen(evidence->failures[0].seen), sizeof evidence->failures[0].seen - 1);
  ck_assert_uint_eq(strlen(evidence->failures[1].note), sizeof evidence->failures[1].note - 1);
  ck_assert_ptr_nonnull(strstr(evidence->failures[1].seen, "\"..."));
  free(text);
}

static void miss_a_requirement(void *context)
{
  require(expect_int("first", 1, 1));
  require(expect_int("second", 1, 2));
  *(int *)context = 1;
  expect_int("third", 1, 1);
}

static void tell_nothing(void *context)
{
  expect_int("first", 1, 1);
  case_inconclusive("no %s to be had", (const char *)context);
}

static void lack_a_function(void *context)
{
  (void)context;
  case_lacks_function(FN_FunctionCall);
}

TEST(a_case_may_end_early)
{
  int unchanged = 0;
  Evidence *seen = engine_evidence(1);
  ck_assert_int_eq(engine_in_child(seen, miss_a_requirement, &unchanged), 0);
  ck_assert_uint_eq(seen->end, EVIDENCE_REQUIREMENT);
  ck_assert_uint_eq(atomic_load(&seen->held), 1);
  ck_assert_uint_eq(atomic_load(&seen->failed), 1);
  ck_assert_uint_eq(seen->seal, evidence_seal(seen));

  seen = engine_evidence(2);
  ck_assert_int_eq(engine_in_child(seen, tell_nothing, "gauge"), 0);
  ck_assert_uint_eq(seen->end, EVIDENCE_INCONCLUSIVE);
  ck_assert_str_eq(seen->reason, "no gauge to be had");
  ck_assert_uint_eq(seen->seal, evidence_seal(seen));

  seen = engine_evidence(3);
  ck_assert_int_eq(engine_in_child(seen, lack_a_function, NULL), 0);
  ck_assert_uint_eq(seen->end, EVIDENCE_SKIPPED);
  ck_assert_str_eq(seen->reason, "the library has no TVMFFIFunctionCall");
  ck_assert_uint_eq(seen->seal, evidence_seal(seen));
}
