// SPDX-License-Identifier: Apache-2.0
// Memory fences: one byte too many is a fault that names the buffer; what the library may read and
// write works.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "test_engine.h"

static volatile char sink;

static void read_behind_a_copy(void *context)
{
  const volatile char *copy = fenced_copy("args", "0123456789", 10);
  (void)context;
  sink = copy[10];
}

static void read_far_behind_a_copy(void *context)
{
  const volatile char *copy = fenced_copy("args", "0123456789", 10);
  (void)context;
  sink = copy[10 + 99];
}

static void write_to_a_copy(void *context)
{
  const char *copy = fenced_copy("args", "0123456789", 10);
  volatile char *writable;
  (void)context;
  memcpy(&writable, &copy, sizeof copy);
  writable[3] = 'x';
}

static void read_before_a_front_copy(void *context)
{
  const volatile char *copy = fenced_front_copy("shape", "01234567", 8);
  (void)context;
  sink = copy[-1];
}

static void read_an_empty_copy(void *context)
{
  const volatile char *copy = fenced_copy("nothing", "", 0);
  (void)context;
  sink = copy[0];
}

static void write_behind_a_buffer(void *context)
{
  volatile char *buffer = fenced_buffer("result", 16);
  (void)context;
  buffer[15] = 1;
  buffer[16] = 1;
}

static void write_to_a_locked_buffer(void *context)
{
  volatile char *buffer = fenced_buffer("result", 16);
  (void)context;
  buffer[0] = 1;
  fence_lock((void *)buffer);
  sink = buffer[0];
  buffer[0] = 1;
}

static void read_what_was_freed(void *context)
{
  char name[] = "x";
  volatile char *buffer = fenced_buffer(name, 16);
  name[0] = 'y';
  (void)context;
  fence_take_away((void *)buffer, 16);
  sink = buffer[2];
}

static void read_behind_a_string(void *context)
{
  const volatile char *text = fenced_string("four");
  (void)context;
  sink = text[4];
  sink = text[5];
}

static void read_behind_bytes(void *context)
{
  const TVMFFIByteArray *array = fenced_bytes("four", 4);
  (void)context;
  sink = array->data[array->size];
}

static void read_behind_a_byte_array(void *context)
{
  const TVMFFIByteArray *array = fenced_bytes("four", 4);
  (void)context;
  sink = *(const volatile char *)(array + 1);
}

static void write_to_args(void *context)
{
  TVMFFIAny values[2] = {view_of_int(1), view_of_int(2)};
  volatile TVMFFIAny *args = fenced_args(values, 2);
  (void)context;
  args[1].v_int64 = 3;
}

static void write_behind_a_result(void *context)
{
  volatile char *result = (volatile char *)fenced_result();
  (void)context;
  result[sizeof(TVMFFIAny)] = 1;
}

#if UINTPTR_MAX == UINT64_MAX
#define BYTE_ARRAY "16"
#else
#define BYTE_ARRAY "8"
#endif

typedef struct FaultRow {
  void (*body)(void *context);
  const char *fence;
} FaultRow;

static const FaultRow fault_rows[] = {
    {read_behind_a_copy, "byte 1 past the end of args (10 bytes)"},
    {read_far_behind_a_copy, "byte 100 past the end of args (10 bytes)"},
    {write_to_a_copy, "a write to byte 3 of args (10 bytes), which is read-only"},
    {read_before_a_front_copy, "byte 1 before the start of shape (8 bytes)"},
    {read_an_empty_copy, "byte 1 past the end of nothing (0 bytes)"},
    {write_behind_a_buffer, "byte 1 past the end of result (16 bytes)"},
    {write_to_a_locked_buffer, "a write to byte 0 of result (16 bytes), which is read-only"},
    {read_what_was_freed, "byte 2 of x (16 bytes), which the caller has freed"},
    {read_behind_a_string, "byte 1 past the end of the C string (5 bytes)"},
    {read_behind_bytes, "byte 1 past the end of the bytes (4 bytes)"},
    {read_behind_a_byte_array, "byte 1 past the end of the byte array (" BYTE_ARRAY " bytes)"},
    {write_to_args, "a write to byte 24 of args (32 bytes), which is read-only"},
    {write_behind_a_result, "byte 1 past the end of result (16 bytes)"},
};
enum { FAULT_ROWS = sizeof fault_rows / sizeof fault_rows[0] };

// What is said of the fault on this machine: an s390x tells of the page only, so not which byte.
static const char *said(const char *fence)
{
#if defined(__s390x__)
  static char text[160];
  const char *byte = strstr(fence, "byte ");
  size_t digits = strspn(byte + 5, "0123456789");
  const char *rest = byte + 5 + digits + 1;
  if (strncmp(rest, "of ", 3) == 0) rest += 3;
  snprintf(text, sizeof text, "%.*s%s", (int)(byte - fence), fence, rest);
  return text;
#else
  return fence;
#endif
}

TEST_GROUP(fence, .timeout = 30);

TEST(a_byte_too_many_is_a_fault_with_a_name, .rows = FAULT_ROWS)
{
  const FaultRow *row = &fault_rows[_i];
  Evidence *evidence = engine_evidence(1);
  int status = engine_in_child(evidence, row->body, NULL);
  ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "%s: status 0x%x", row->fence,
                (unsigned)status);
  ck_assert_str_eq(evidence->crash.fence, said(row->fence));
  ck_assert_int_eq(evidence->crash.signal, SIGSEGV);
  ck_assert_int_gt(evidence->crash.code, 0);
  ck_assert_uint_ge(evidence->crash.frame_count, 2);
  ck_assert_uint_eq(evidence->end, EVIDENCE_NOT_ENDED);
}

static void use_everything(void *context)
{
  char bytes[5000];
  (void)context;
  memset(bytes, 7, sizeof bytes);
  for (size_t size = 0; size <= sizeof bytes; size += 1 + size / 3) {
    expect_memory("copy", fenced_copy("copy", bytes, size), size, bytes, size);
    expect_memory("front copy", fenced_front_copy("front", bytes, size), size, bytes, size);
    char *buffer = fenced_buffer("buffer", size);
    for (size_t i = 0; i < size; ++i) {
      if ((unsigned char)buffer[i] != 0xA5) expect_int("byte of a new buffer", buffer[i], 0xA5);
      buffer[i] = 1;
    }
  }
  expect_text("string", bytes_of(fenced_string("text")), "text");
  expect_text("bytes", *fenced_bytes("text", 4), "text");
  TVMFFIAny *result = fenced_result(), rubbish = garbage_but_none();
  expect_same_bytes(result, &rubbish);
  *result = view_of_int(1);
}

TEST(what_is_inside_can_be_used)
{
  Evidence *evidence = engine_evidence(1);
  ck_assert_int_eq(engine_in_child(evidence, use_everything, NULL), 0);
  ck_assert_uint_eq(evidence->end, EVIDENCE_FINISHED);
  ck_assert_uint_eq(atomic_load(&evidence->failed), 0);
  ck_assert_uint_ge(atomic_load(&evidence->held), 40);
}

static void build_many(void *context)
{
  const volatile char *last = NULL;
  (void)context;
  for (int i = 0; i < 2000; ++i) last = fenced_copy("one of many", "x", 1);
  expect_int("byte of the last fence", last[0], 'x');
  sink = last[1];
}

// There are names for some hundreds; the fences beyond them work without.
TEST(fences_without_end)
{
  Evidence *evidence = engine_evidence(1);
  int status = engine_in_child(evidence, build_many, NULL);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  ck_assert_uint_eq(atomic_load(&evidence->held), 1);
}

static void give_many_back(void *context)
{
  const unsigned before = fences_made();
  const volatile char *kept = fenced_copy("kept", "x", 1), *last = NULL;
  (void)context;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 4000; ++i) last = fenced_copy("one of many", "y", 1);
    expect_that(!fences_are_scarce(), "fences are there", "they are scarce");
    expect_int("byte of the last fence", last[0], 'y');
    fences_give_back(before + 1);
  }
  expect_int("fences", (int64_t)fences_made(), before + 1);
  expect_int("byte of the first one", kept[0], 'x');
  sink = last[0];
}

TEST(what_is_given_back_is_out_of_use)
{
  Evidence *evidence = engine_evidence(1);
  int status = engine_in_child(evidence, give_many_back, NULL);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  ck_assert_uint_eq(atomic_load(&evidence->held), 18);
  ck_assert_uint_eq(atomic_load(&evidence->failed), 0);
}

static void ask_for_too_much(void *context)
{
  fenced_buffer("everything", *(size_t *)context);
}

TEST(no_memory_is_no_verdict)
{
  size_t sizes[] = {SIZE_MAX, SIZE_MAX / 16 * 15};
  for (int i = 0; i < 2; ++i) {
    Evidence *evidence = engine_evidence(1);
    ck_assert_int_eq(engine_in_child(evidence, ask_for_too_much, &sizes[i]), 0);
    ck_assert_uint_eq(evidence->end, EVIDENCE_INCONCLUSIVE);
    ck_assert_ptr_nonnull(strstr(evidence->reason, "guard"));
  }
}

TEST(other_addresses_are_in_no_fence)
{
  char text[160] = "untouched", local;
  const char *copy = fenced_copy("args", "x", 1);
  ck_assert(!fence_describe((uintptr_t)&local, text, sizeof text));
  ck_assert(!fence_describe(0, text, sizeof text));
  ck_assert_str_eq(text, "untouched");
  ck_assert(fence_describe((uintptr_t)copy + 1, text, sizeof text));
  ck_assert_str_eq(text, said("byte 1 past the end of args (1 bytes)"));
}

// --- Crashes -------------------------------------------------------------------------------------

static void raise_signal(void *context)
{
  expect_int("before", 1, 1);
  raise(*(int *)context);
}

#if defined(__x86_64__)
static void touch_nowhere_at_all(void *context)
{
  // An address that no processor takes: 0x4141414141414141.
  volatile char *nowhere = (volatile char *)context;
  memset((void *)&nowhere, 0x41, sizeof nowhere);
  *nowhere = 1;
}
#endif

TEST(crashes_are_noted)
{
  int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
    Evidence *evidence = engine_evidence(1);
    int status = engine_in_child(evidence, raise_signal, &signals[i]);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
    ck_assert_int_eq(evidence->crash.signal, signals[i]);
    ck_assert_int_le(evidence->crash.code, 0);
    ck_assert_str_eq(evidence->crash.fence, "");
    ck_assert_uint_eq(atomic_load(&evidence->held), 1);
  }
#if defined(__x86_64__)
  Evidence *evidence = engine_evidence(1);
  int status = engine_in_child(evidence, touch_nowhere_at_all, NULL);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  ck_assert_msg(evidence->crash.code <= 0, "an address is claimed that the processor did not give");
#endif
}
