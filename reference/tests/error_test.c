// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

static TVMFFIObject *make(const char *message)
{
  TVMFFIObjectHandle out = NULL;
  TVMFFIByteArray text = {message, strlen(message)};
  ck_assert_int_eq(TVMFFIErrorCreate(BYTES("ValueError"), &text, BYTES("first\n"), &out), 0);
  return out;
}

static TVMFFIObject *make_caused(TVMFFIObject *cause, TVMFFIObject *context)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIErrorCreateWithCauseAndExtraContext(BYTES("E"), BYTES("caused"), BYTES(""),
                                                             cause, context, &out),
                   0);
  return out;
}

//--------------------------------------------------------------------------------------------------
// The slot
//--------------------------------------------------------------------------------------------------

TEST(an_empty_slot_gives_null)
{
  TVMFFIObjectHandle out = &out;
  TVMFFIErrorMoveFromRaised(&out);
  ck_assert_ptr_null(out);
  TVMFFIErrorMoveFromRaised(NULL);
}

TEST(raising_shares_and_moving_hands_over)
{
  TVMFFIObject *error = make("shared");
  TVMFFIErrorSetRaised(error);
  expect_counts(error, 2, 1);
  ck_assert_ptr_eq(take_raised(), error);
  expect_counts(error, 2, 1);
  expect_nothing_raised();
  TVMFFIObjectDecRef(error);
  TVMFFIObjectDecRef(error);
}

TEST(a_later_error_replaces)
{
  Probe first = probe_make(kTVMFFIError), second = probe_make(kTVMFFIError);
  TVMFFIErrorSetRaised(&first);
  TVMFFIObjectDecRef(&first);
  TVMFFIErrorSetRaised(&second);
  ck_assert_int_eq(first.calls, 1);
  TVMFFIErrorSetRaisedFromCStr("KeyError", "third");
  expect_counts(&second, 1, 1);
  expect_raised("KeyError", "third");
}

TEST(an_error_may_be_raised_again)
{
  TVMFFIObject *error = make("again");
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  TVMFFIErrorSetRaised(error);  // the slot holds the only reference
  expect_counts(error, 1, 1);
  expect_raised("ValueError", "again");
}

TEST(null_clears_the_slot)
{
  Probe error = probe_make(kTVMFFIError);
  TVMFFIErrorSetRaised(&error);
  TVMFFIErrorSetRaised(NULL);
  expect_counts(&error, 1, 1);
  expect_nothing_raised();
}

static void raise_when_deleted(void *self, int flags)
{
  (void)self, (void)flags;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "from a deleter");
}

TEST(the_error_raised_wins_over_what_the_old_one_raises)
{
  Probe old = probe_make(kTVMFFIError);
  old.header.deleter = raise_when_deleted;
  TVMFFIErrorSetRaised(&old);
  TVMFFIObjectDecRef(&old);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "meant");
  expect_raised("ValueError", "meant");
}

TEST(only_errors_are_raised)
{
  Probe probe = probe_make(kTVMFFIStr);
  TVMFFIErrorSetRaised(&probe);
  expect_counts(&probe, 1, 1);
  expect_raised("TypeError", "65");
}

// An error of a maker who knows of no cause: its cell ends after 56 bytes.
TEST(errors_made_elsewhere_are_only_counted)
{
  size_t size = sizeof(TVMFFIObject) + 56;
  char bytes[80];
  memset(bytes, 0xa5, sizeof bytes);
  TVMFFIObject *error = (TVMFFIObject *)fenced(bytes, size);
  *error = (TVMFFIObject){.combined_ref_count = COUNTS(1, 1), .type_index = kTVMFFIError};
  TVMFFIErrorSetRaised(error);
  ck_assert_ptr_eq(take_raised(), error);
  TVMFFIObjectDecRef(error);
  TVMFFIObjectDecRef(error);
  ck_assert_mem_eq(error + 1, bytes, 56);
}

//--------------------------------------------------------------------------------------------------
// From texts
//--------------------------------------------------------------------------------------------------

TEST(a_kind_and_a_message_are_raised)
{
  static const char odd_kind[] = "Odd\xffKind %s\n", odd_message[] = "100%n\xc3\n";
  char *kind = fenced(odd_kind, sizeof odd_kind);
  char *message = fenced(odd_message, sizeof odd_message);
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  memset(kind, 'x', strlen(kind));
  memset(message, 'x', strlen(message));
  TVMFFIObject *error = take_raised();
  expect_counts(error, 1, 1);
  const TVMFFIErrorCell *cell = error_cell_of(error);
  expect_bytes(&cell->kind, odd_kind, strlen(odd_kind));
  expect_bytes(&cell->message, odd_message, strlen(odd_message));
  expect_text(&cell->backtrace, "");
  ck_assert(cell->update_backtrace != NULL);
  ck_assert_ptr_null(cell->cause_chain);
  ck_assert_ptr_null(cell->extra_context);
  TVMFFIObjectDecRef(error);
}

static void expect_joined(const char **parts, int32_t count, const char *due)
{
  TVMFFIErrorSetRaisedFromCStrParts("TypeError", parts, count);
  TVMFFIObject *error = take_raised();
  expect_text(&error_cell_of(error)->kind, "TypeError");
  expect_bytes(&error_cell_of(error)->message, due, strlen(due));
  TVMFFIObjectDecRef(error);
}

TEST(parts_are_joined)
{
  const char *parts[] = {NULL, "one", "", " two", NULL, fenced(" three", 7), NULL};
  expect_joined(parts, 7, "one two three");
  expect_joined(parts, 2, "one");
  expect_joined(parts, 1, "");
  expect_joined(parts, 0, "");
  expect_joined(parts, -1, "");
  expect_joined(NULL, 0, "");
  expect_joined(NULL, 3, "");
}

TEST(missing_texts_lose_nothing_else)
{
  TVMFFIErrorSetRaisedFromCStr(NULL, "the message");
  expect_raised("RuntimeError", "the message");
  TVMFFIErrorSetRaisedFromCStr("KeyError", NULL);
  expect_raised("KeyError", "");
  const char *parts[] = {"the ", "message"};
  TVMFFIErrorSetRaisedFromCStrParts(NULL, parts, 2);
  expect_raised("RuntimeError", "the message");
}

TEST(want_of_memory_is_raised_without_memory)
{
  faults_arm(1);
  TVMFFIErrorSetRaisedFromCStr("KeyError", "lost");
  ck_assert(faults_disarm());
  TVMFFIObject *error = take_raised();
  TVMFFIErrorCell *cell = error_cell_of(error);
  expect_text(&cell->kind, "InternalError");
  expect_text(&cell->message, "out of memory");
  expect_text(&cell->backtrace, "");
  ck_assert_ptr_null(cell->cause_chain);
  ck_assert_ptr_null(cell->extra_context);
  ck_assert(error->deleter != NULL);
  expect_counts(error, 2, 1);  // this one, and the one that the runtime never gives up
  cell->update_backtrace(error, BYTES("shared by threads: ignored"), 1);
  expect_text(&cell->backtrace, "");
  TVMFFIObjectDecRef(error);
  faults_arm(1);
  TVMFFIErrorSetRaisedFromCStr("KeyError", "lost");
  faults_disarm();
  expect_raised("InternalError", "memory");
}

//--------------------------------------------------------------------------------------------------
// Creation
//--------------------------------------------------------------------------------------------------

TEST(an_error_is_made_without_being_raised)
{
  TVMFFIObjectHandle out = NULL;
  TVMFFIByteArray kind = {fenced("K\0K", 3), 3}, none = {NULL, 0};
  TVMFFIErrorSetRaisedFromCStr("KeyError", "before");
  ck_assert_int_eq(TVMFFIErrorCreate(&kind, &none, BYTES("\0"), &out), 0);
  expect_raised("KeyError", "before");
  const TVMFFIErrorCell *cell = error_cell_of(out);
  expect_text(&cell->kind, "K\0K");
  expect_text(&cell->message, "");
  expect_text(&cell->backtrace, "\0");
  ck_assert_ptr_null(cell->cause_chain);
  ck_assert_ptr_null(cell->extra_context);
  TVMFFIObjectDecRef(out);
}

TEST(refuses_what_it_cannot_read_or_write)
{
  TVMFFIByteArray good = {"text", 4}, bad = {NULL, 5};
  TVMFFIObjectHandle out = &out;
  const TVMFFIByteArray *texts[3];
  static const char *const names[] = {"kind", "message", "backtrace"};
  for (int i = 0; i < 3; ++i) {
    texts[0] = texts[1] = texts[2] = &good;
    texts[i] = NULL;
    ck_assert_int_eq(TVMFFIErrorCreate(texts[0], texts[1], texts[2], &out), -1);
    expect_raised("ValueError", names[i]);
    texts[i] = &bad;
    ck_assert_int_eq(TVMFFIErrorCreate(texts[0], texts[1], texts[2], &out), -1);
    expect_raised("ValueError", names[i]);
  }
  ck_assert_int_eq(TVMFFIErrorCreate(&good, &good, &good, NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_ptr_eq(out, &out);
}

TEST(reports_want_of_memory)
{
  TVMFFIByteArray text = {"text", 4}, half = {"", SIZE_MAX / 2}, huge = {"", SIZE_MAX};
  TVMFFIObjectHandle out = &out;
  Probe context = probe_make(200);
  ck_assert_int_eq(TVMFFIErrorCreate(&text, &huge, &text, &out), -1);
  expect_raised("ValueError", "`message` announces");
  TVMFFIErrorSetRaisedFromCStr("KeyError", "before");
  ck_assert_int_eq(TVMFFIErrorCreate(&half, &half, &text, &out), -1);
  expect_raised("KeyError", "before");  // ERR-46: it says so by its code alone
  faults_arm(1);
  ck_assert_int_eq(TVMFFIErrorCreate(&text, &text, &text, &out), -1);
  ck_assert(faults_disarm());
  TVMFFIObjectHandle raised = &out;
  TVMFFIErrorMoveFromRaised(&raised);
  ck_assert_ptr_null(raised);
  faults_arm(1);
  int code = TVMFFIErrorCreateWithCauseAndExtraContext(&text, &text, &text, NULL, &context, &out);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  expect_counts(&context, 1, 1);
  ck_assert_ptr_eq(out, &out);
}

//--------------------------------------------------------------------------------------------------
// Cause and context
//--------------------------------------------------------------------------------------------------

TEST_GROUP(content, .timeout = 120);

TEST(cause_and_context_are_shared_and_let_go)
{
  Probe cause = probe_make(kTVMFFIError), context = probe_make(200);
  TVMFFIObject *error = make_caused(&cause.header, &context.header);
  expect_counts(&cause, 2, 1);
  expect_counts(&context, 2, 1);
  ck_assert_ptr_eq(error_cell_of(error)->cause_chain, &cause);
  ck_assert_ptr_eq(error_cell_of(error)->extra_context, &context);
  TVMFFIObjectDecRef(error);
  expect_counts(&cause, 1, 1);
  expect_counts(&context, 1, 1);
}

TEST(a_cause_must_be_an_error)
{
  Probe cause = probe_make(kTVMFFIFunction);
  TVMFFIObjectHandle out = &out;
  ck_assert_int_eq(TVMFFIErrorCreateWithCauseAndExtraContext(BYTES("E"), BYTES(""), BYTES(""),
                                                             &cause, NULL, &out),
                   -1);
  expect_raised("TypeError", "cause_chain");
  expect_counts(&cause, 1, 1);
  ck_assert_ptr_eq(out, &out);
}

static void *let_go_of_chain(void *error)
{
  TVMFFIObjectDecRef(error);
  return NULL;
}

// The thread that lets go has a stack of about one byte for each error.
TEST(a_long_chain_is_let_go_on_a_short_stack)
{
  Probe end = probe_make(kTVMFFIError);
  TVMFFIObject *error = &end.header;
  for (int i = 0; i < 100000; ++i) {
    TVMFFIObject *next = i % 2 == 0 ? make_caused(error, NULL) : make_caused(NULL, error);
    TVMFFIObjectDecRef(error);
    error = next;
  }
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
  ck_assert_int_eq(pthread_create(&thread, &attributes, let_go_of_chain, error), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  ck_assert_int_eq(end.calls, 1);
}

TEST(a_chain_is_let_go_as_far_as_nobody_else_holds_it)
{
  Probe end = probe_make(kTVMFFIError);
  TVMFFIObject *deep = make_caused(&end.header, NULL);
  TVMFFIObject *held = make_caused(deep, NULL);
  TVMFFIObject *weakly = make_caused(held, held);
  TVMFFIObject *top = make_caused(weakly, NULL);
  weakly->combined_ref_count += COUNTS(0, 1);
  TVMFFIObjectDecRef(deep);
  TVMFFIObjectDecRef(weakly);
  TVMFFIObjectDecRef(top);
  expect_counts(weakly, 0, 1);  // destroyed, but there
  expect_counts(held, 1, 1);
  expect_counts(deep, 1, 1);
  weakly->deleter(weakly, kTVMFFIObjectDeleterFlagBitMaskWeak);
  TVMFFIObjectDecRef(held);
  expect_counts(&end, 1, 1);
}

//--------------------------------------------------------------------------------------------------
// Updating the backtrace
//--------------------------------------------------------------------------------------------------

static void update(TVMFFIObject *error, const TVMFFIByteArray *text, int32_t mode)
{
  error_cell_of(error)->update_backtrace(error, text, mode);
}

TEST(a_backtrace_is_replaced_and_appended_to)
{
  TVMFFIObject *error = make("message");
  TVMFFIErrorCell *cell = error_cell_of(error), before = *cell;
  update(error, &(TVMFFIByteArray){fenced("second\n", 7), 7}, 1);
  expect_text(&cell->backtrace, "first\nsecond\n");
  update(error, BYTES("x"), 0);
  expect_text(&cell->backtrace, "x");
  update(error, BYTES("\0y"), 1);
  expect_text(&cell->backtrace, "x\0y");
  update(error, &(TVMFFIByteArray){NULL, 0}, 1);
  expect_text(&cell->backtrace, "x\0y");
  update(error, &(TVMFFIByteArray){NULL, 0}, 0);
  expect_text(&cell->backtrace, "");
  update(error, BYTES("a line that is longer than all that was there before"), 7);
  expect_text(&cell->backtrace, "a line that is longer than all that was there before");
  ck_assert_mem_eq(&cell->kind, &before.kind, sizeof cell->kind);
  ck_assert_mem_eq(&cell->message, &before.message, sizeof cell->message);
  expect_text(&cell->kind, "ValueError");
  expect_text(&cell->message, "message");
  expect_counts(error, 1, 1);
  TVMFFIObjectDecRef(error);
}

TEST(a_backtrace_may_come_from_itself)
{
  TVMFFIObject *error = make("message");
  TVMFFIErrorCell *cell = error_cell_of(error);
  update(error, &cell->backtrace, 1);
  expect_text(&cell->backtrace, "first\nfirst\n");
  update(error, &(TVMFFIByteArray){cell->backtrace.data + 2, 5}, 0);
  expect_text(&cell->backtrace, "rst\nf");
  update(error, &(TVMFFIByteArray){cell->backtrace.data + 1, 3}, 1);
  expect_text(&cell->backtrace, "rst\nfst\n");
  update(error, &cell->backtrace, 0);
  expect_text(&cell->backtrace, "rst\nfst\n");
  for (int i = 0; i < 10; ++i) update(error, &cell->backtrace, 1);
  ck_assert_uint_eq(cell->backtrace.size, 8 << 10);
  ck_assert_mem_eq(cell->backtrace.data + (8 << 10) - 8, "rst\nfst\n", 9);
  TVMFFIObjectDecRef(error);
}

TEST(a_backtrace_that_cannot_be_updated_stays)
{
  TVMFFIObject *error = make("message");
  TVMFFIErrorCell *cell = error_cell_of(error);
  cell->update_backtrace(NULL, BYTES("x"), 0);
  update(error, NULL, 0);
  update(error, &(TVMFFIByteArray){NULL, 5}, 0);
  update(error, &(TVMFFIByteArray){"", SIZE_MAX}, 1);
  update(error, &(TVMFFIByteArray){"", SIZE_MAX - 6}, 1);
  update(error, &(TVMFFIByteArray){"", SIZE_MAX / 2}, 1);
  faults_arm(1);
  update(error, BYTES("no room for this"), 1);
  ck_assert(faults_disarm());
  expect_text(&cell->backtrace, "first\n");
  TVMFFIObjectDecRef(error);
}
