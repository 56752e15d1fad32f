// SPDX-License-Identifier: Apache-2.0
#include "battery/expect.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/clock.h"

static Evidence *evidence;
static uint64_t nonce;  // of the run that this process may seal
static pid_t recorder;  // the process of the case; a copy that the library forked off may not seal
static atomic_bool ended;      // a thread has ended the case, and nothing is recorded any more
static atomic_uint recording;  // threads that are in the middle of it
static _Thread_local bool ended_here;  // it was this thread
static bool is_copy;                   // this process was forked off by the one that records

static void leave_process(void)
{
  _exit(0);
}

void (*expect_after_seal)(void) = leave_process;

static void become_copy(void)
{
  is_copy = true;
}

void expect_record_into(Evidence *into)
{
  evidence = into;
  nonce = into->nonce;
  recorder = getpid();
  is_copy = false;
  atomic_store(&ended, false);
  ended_here = false;
  static bool watching;
  if (!watching) watching = pthread_atfork(NULL, NULL, become_copy) == 0;
}

// The program that was in force at the first failure; later ones stay only if the case is cut off.
static char program_of_failure[EVIDENCE_TEXT_MAX];
static uint32_t program_of_failure_size;

static void keep_program(void)
{
  uint32_t size = evidence->text_size;
  program_of_failure_size = size < EVIDENCE_TEXT_MAX ? size : 0;
  memcpy(program_of_failure, evidence->text, program_of_failure_size);
}

static void restore_program(void)
{
  evidence->text_size = program_of_failure_size;
  memcpy(evidence->text, program_of_failure, program_of_failure_size);
}

// --- The end -------------------------------------------------------------------------------------

// Another thread has ended the case, and is about to end the process.
static void wait_for_that_thread(void)
{
  while (!ended_here) pause();
}

// True if this thread may record, until it calls stop_recording.
static bool start_recording(void)
{
  if (is_copy) return false;
  atomic_fetch_add(&recording, 1);
  if (!atomic_load(&ended)) return true;
  atomic_fetch_sub(&recording, 1);
  wait_for_that_thread();
  return false;
}

static void stop_recording(void)
{
  atomic_fetch_sub(&recording, 1);
}

// Of all threads that come to an end of the case, one seals; what the seal covers must not change
// after it.
static void seal(EvidenceEnd end, const char *reason)
{
  if (is_copy || recorder != getpid()) return;
  if (atomic_exchange(&ended, true)) {
    wait_for_that_thread();
    return;
  }
  ended_here = true;
  while (atomic_load(&recording)) sched_yield();
  if (evidence->nonce != nonce) return;
  if (atomic_load(&evidence->failed)) restore_program();
  if (reason) snprintf(evidence->reason, sizeof evidence->reason, "%s", reason);
  evidence->end = end;
  evidence->seal = evidence_seal(evidence);
}

Evidence *expect_recording_into(void)
{
  return is_copy || atomic_load(&ended) ? NULL : evidence;
}

void expect_races(void)
{
  Evidence *into = expect_recording_into();
  if (into) into->races = 1;
}

void expect_came_back(void)
{
  if (!evidence) return;
  atomic_store(&evidence->back_ms, (uint32_t)(uint64_t)(clock_seconds() * 1e3));
  atomic_fetch_add(&evidence->calls, 1);
}

void expect_at_work(bool at_work)
{
  Evidence *into = expect_recording_into();
  if (into) atomic_store(&into->at_work, at_work);
}

void expect_seal(EvidenceEnd end)
{
  seal(end, NULL);
}

static _Noreturn void end_with(EvidenceEnd end, const char *format, va_list arguments)
{
  char reason[sizeof evidence->reason];
  vsnprintf(reason, sizeof reason, format, arguments);
  seal(end, reason);
  expect_after_seal();
  _exit(0);
}

// --- The course of a case ------------------------------------------------------------------------

void note(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(evidence->note, sizeof evidence->note, format, arguments);
  va_end(arguments);
}

const char *note_in_force(void)
{
  return evidence->note;
}

void note_program(const char *program, size_t size)
{
  if (is_copy) return;
  if (size > EVIDENCE_TEXT_MAX - 1) size = EVIDENCE_TEXT_MAX - 1;
  evidence->text_size = 0;
  memcpy(evidence->text, program, size);
  evidence->text_size = (uint32_t)size;
}

void case_inconclusive(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  end_with(EVIDENCE_INCONCLUSIVE, format, arguments);
}

void case_not_applicable(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  end_with(EVIDENCE_SKIPPED, format, arguments);
}

void case_not_concerned(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  end_with(EVIDENCE_NOT_CONCERNED, format, arguments);
}

void case_end_unsatisfied(void)
{
  seal(EVIDENCE_REQUIREMENT, NULL);
  expect_after_seal();
  _exit(0);
}

void case_lacks_function(AbiFunctionId function)
{
  case_not_applicable("the library has no %s", abi_functions[function].symbol);
}

// --- Recording -----------------------------------------------------------------------------------

static bool held(void)
{
  if (!start_recording()) return true;
  atomic_fetch_add(&evidence->held, 1);
  stop_recording();
  return true;
}

// A zeroed failure with what, note and place filled in.
static EvidenceFailure failure(const char *at, const char *what)
{
  EvidenceFailure failure;
  memset(&failure, 0, sizeof failure);
  const char *base = strrchr(at, '/');
  snprintf(failure.what, sizeof failure.what, "%s", what);
  snprintf(failure.note, sizeof failure.note, "%s", evidence->note);
  snprintf(failure.source, sizeof failure.source, "%s", base ? base + 1 : at);
  return failure;
}

// Always false. The failure is complete by now: nothing of the library's is read while it is
// recorded.
static bool failed(const EvidenceFailure *failure)
{
  if (!start_recording()) return false;
  uint32_t index = atomic_fetch_add(&evidence->failed, 1);
  if (index == 0) keep_program();
  if (index < EVIDENCE_FAILURES_MAX) evidence->failures[index] = *failure;
  stop_recording();
  return false;
}

static bool failed_with(const char *at, const char *what, const char *expected, const char *actual)
{
  EvidenceFailure seen = failure(at, what);
  snprintf(seen.expected, sizeof seen.expected, "%s", expected);
  snprintf(seen.seen, sizeof seen.seen, "%s", actual);
  return failed(&seen);
}

// Bytes as text in quotes, unprintable ones as \xNN, cut with "..." when they do not fit.
static void quote(char *out, size_t capacity, const char *bytes, size_t size)
{
  size_t at = 0;
  out[at++] = '"';
  size_t i = 0;
  for (; i < size && at + 10 < capacity; ++i) {
    unsigned char c = (unsigned char)bytes[i];
    if (c >= 32 && c < 127 && c != '"' && c != '\\')
      out[at++] = (char)c;
    else
      at += (size_t)snprintf(out + at, capacity - at, "\\x%02x", c);
  }
  out[at++] = '"';
  snprintf(out + at, capacity - at, i < size ? "..." : "");
}

// --- Expectations --------------------------------------------------------------------------------

bool expect_that_(const char *at, bool holds, const char *expected, const char *actual_format, ...)
{
  if (holds) return held();
  char actual[sizeof(((EvidenceFailure *)0)->seen)];
  va_list arguments;
  va_start(arguments, actual_format);
  vsnprintf(actual, sizeof actual, actual_format, arguments);
  va_end(arguments);
  return failed_with(at, "", expected, actual);
}

bool expect_no_leak_(const char *at, bool holds, const char *expected, const char *actual_format,
                     ...)
{
  if (holds) return held();
  EvidenceFailure seen = failure(at, "");
  seen.leak = true;
  snprintf(seen.expected, sizeof seen.expected, "%s", expected);
  va_list arguments;
  va_start(arguments, actual_format);
  vsnprintf(seen.seen, sizeof seen.seen, actual_format, arguments);
  va_end(arguments);
  return failed(&seen);
}

bool expect_int_(const char *at, const char *what, int64_t actual, int64_t expected)
{
  if (actual == expected) return held();
  char expected_text[32], actual_text[32];
  snprintf(expected_text, sizeof expected_text, "%" PRId64, expected);
  snprintf(actual_text, sizeof actual_text, "%" PRId64, actual);
  return failed_with(at, what, expected_text, actual_text);
}

bool expect_hex_(const char *at, const char *what, uint64_t actual, uint64_t expected)
{
  if (actual == expected) return held();
  char expected_text[32], actual_text[32];
  snprintf(expected_text, sizeof expected_text, "0x%" PRIx64, expected);
  snprintf(actual_text, sizeof actual_text, "0x%" PRIx64, actual);
  return failed_with(at, what, expected_text, actual_text);
}

// Addresses differ from run to run, so they are described by how they relate, not printed.
bool expect_pointer_(const char *at, const char *what, const void *actual, const void *expected)
{
  if (actual == expected) return held();
  return failed_with(at, what, expected ? "the pointer that was given" : "NULL",
                     actual ? expected ? "another pointer" : "a pointer" : "NULL");
}

bool expect_not_null_(const char *at, const char *what, const void *actual)
{
  return actual ? held() : failed_with(at, what, "a pointer", "NULL");
}

bool expect_memory_(const char *at, const char *what, const void *actual, size_t actual_size,
                    const void *expected, size_t size)
{
  if (actual_size == size && (size == 0 || (actual && memcmp(actual, expected, size) == 0)))
    return held();
  EvidenceFailure seen = failure(at, what);
  if (actual_size != size) {
    snprintf(seen.expected, sizeof seen.expected, "%zu bytes", size);
    snprintf(seen.seen, sizeof seen.seen, "%zu bytes", actual_size);
    return failed(&seen);
  }
  if (!actual) {
    snprintf(seen.expected, sizeof seen.expected, "%zu bytes", size);
    snprintf(seen.seen, sizeof seen.seen, "NULL");
    return failed(&seen);
  }
  size_t from = 0;
  while (((const char *)actual)[from] == ((const char *)expected)[from]) ++from;
  char expected_text[200], actual_text[200];
  size_t shown = size - from < 24 ? size - from : 24;
  quote(expected_text, sizeof expected_text, (const char *)expected + from, shown);
  quote(actual_text, sizeof actual_text, (const char *)actual + from, shown);
  snprintf(seen.expected, sizeof seen.expected, "%s at byte %zu of %zu", expected_text, from, size);
  snprintf(seen.seen, sizeof seen.seen, "%s", actual_text);
  return failed(&seen);
}

bool expect_text_(const char *at, const char *what, TVMFFIByteArray actual, const char *expected)
{
  size_t size = strlen(expected);
  if (actual.size == size &&
      (size == 0 || (actual.data && memcmp(actual.data, expected, size) == 0)))
    return held();
  EvidenceFailure seen = failure(at, what);
  quote(seen.expected, sizeof seen.expected, expected, size);
  if (actual.data || actual.size == 0)
    quote(seen.seen, sizeof seen.seen, actual.data, actual.size);
  else
    snprintf(seen.seen, sizeof seen.seen, "data NULL with size %zu", actual.size);
  return failed(&seen);
}

// --- Values --------------------------------------------------------------------------------------

static void describe_value(char *out, size_t capacity, const TVMFFIAny *value)
{
  char type[48];
  abi_type_index_text(value->type_index, type);
  if (value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFISmallBytes) {
    char text[40];
    quote(text, sizeof text, value->v_bytes, value->small_str_len < 8 ? value->small_str_len : 8);
    snprintf(out, capacity, "%s, length %" PRIu32 ", %s", type, value->small_str_len, text);
  } else if (value->type_index >= kTVMFFIStaticObjectBegin) {
    snprintf(out, capacity, "%s, padding %" PRIu32 ", %s", type, value->zero_padding,
             value->v_obj ? "an object" : "a NULL object");
  } else {
    snprintf(out, capacity, "%s, padding %" PRIu32 ", payload 0x%016" PRIx64, type,
             value->zero_padding, value->v_uint64);
  }
}

static bool value_failure(const char *at, const TVMFFIAny *actual, const TVMFFIAny *expected)
{
  EvidenceFailure seen = failure(at, "the value");
  describe_value(seen.expected, sizeof seen.expected, expected);
  describe_value(seen.seen, sizeof seen.seen, actual);
  seen.has_bytes = true;
  memcpy(seen.expected_bytes, expected, 16);
  memcpy(seen.seen_bytes, actual, 16);
  return failed(&seen);
}

bool expect_same_bytes_(const char *at, const TVMFFIAny *actual, const TVMFFIAny *expected)
{
  return memcmp(actual, expected, sizeof *actual) == 0 ? held()
                                                       : value_failure(at, actual, expected);
}

bool expect_type_index_(const char *at, const TVMFFIAny *actual, int32_t expected)
{
  if (actual->type_index == expected) return held();
  char expected_text[48], actual_text[48];
  abi_type_index_text(expected, expected_text);
  abi_type_index_text(actual->type_index, actual_text);
  return failed_with(at, "type index of the value", expected_text, actual_text);
}

static bool expect_small(const char *at, const TVMFFIAny *actual, int32_t type_index,
                         const void *bytes, size_t size)
{
  TVMFFIAny expected;
  memset(&expected, 0, sizeof expected);
  expected.type_index = type_index;
  expected.small_str_len = (uint32_t)size;
  memcpy(expected.v_bytes, bytes, size);
  return expect_same_bytes_(at, actual, &expected);
}

bool expect_small_string_(const char *at, const TVMFFIAny *actual, const void *bytes, size_t size)
{
  return expect_small(at, actual, kTVMFFISmallStr, bytes, size);
}

bool expect_small_bytes_(const char *at, const TVMFFIAny *actual, const void *bytes, size_t size)
{
  return expect_small(at, actual, kTVMFFISmallBytes, bytes, size);
}

static bool expect_heap(const char *at, Iut *iut, const TVMFFIAny *actual, int32_t type_index,
                        const void *bytes, size_t size)
{
  if (!expect_type_index_(at, actual, type_index)) return false;
  bool good = expect_int_(at, "padding of the value", actual->zero_padding, 0);
  if (!expect_not_null_(at, "object of the value", actual->v_obj)) return false;
  good &= expect_int_(at, "type index in the object's header",
                      object_type_index(iut, actual->v_obj), type_index);
  const TVMFFIByteArray *cell = object_body(iut, actual->v_obj);
  if (!expect_memory_(at, "contents of the object", cell->data, cell->size, bytes, size))
    return false;
  if (!cell->data) return expect_not_null_(at, "data of the object", NULL);
  return good;
}

bool expect_heap_string_(const char *at, Iut *iut, const TVMFFIAny *actual, const void *bytes,
                         size_t size)
{
  return expect_heap(at, iut, actual, kTVMFFIStr, bytes, size);
}

bool expect_heap_bytes_(const char *at, Iut *iut, const TVMFFIAny *actual, const void *bytes,
                        size_t size)
{
  return expect_heap(at, iut, actual, kTVMFFIBytes, bytes, size);
}

// --- Calls and errors ----------------------------------------------------------------------------

// Takes the raised error, describes it as "ValueError: message", and releases it. False if none is
// raised.
static bool take_raised(Iut *iut, char *kind, size_t kind_size, char *text, size_t text_size)
{
  TVMFFIObjectHandle error = NULL;
  iut->ErrorMoveFromRaised(&error);
  if (!error) return false;
  const TVMFFIErrorCell *cell = object_body(iut, error);
  int kind_length = cell->kind.size < 64 ? (int)cell->kind.size : 64;
  snprintf(kind, kind_size, "%.*s", kind_length, cell->kind.data);
  char message[200];
  quote(message, sizeof message, cell->message.data, cell->message.size);
  snprintf(text, text_size, "%s: %s", kind, message);
  iut->ObjectDecRef(error);
  return true;
}

bool expect_ok_(const char *at, Iut *iut, int returned)
{
  if (returned == 0) return held();
  char kind[65], raised[300] = "no error raised", actual[360];
  take_raised(iut, kind, sizeof kind, raised, sizeof raised);
  snprintf(actual, sizeof actual, "%d, %s", returned, raised);
  return failed_with(at, "returned", "0", actual);
}

bool expect_error_(const char *at, Iut *iut, int returned, const char *kind)
{
  char seen_kind[65] = "", raised[300] = "no error raised", actual[360], expected[120];
  bool has_error = take_raised(iut, seen_kind, sizeof seen_kind, raised, sizeof raised);
  if (returned == -1 && has_error && (!kind || strcmp(kind, seen_kind) == 0)) return held();
  snprintf(expected, sizeof expected, "-1 and a raised %s", kind ? kind : "error");
  snprintf(actual, sizeof actual, "%d and %s", returned, raised);
  return failed_with(at, "returned", expected, actual);
}

bool expect_failure_(const char *at, Iut *iut, int returned)
{
  char kind[65], raised[300] = "no error raised", actual[360];
  bool has_error = take_raised(iut, kind, sizeof kind, raised, sizeof raised);
  if (returned != 0 && has_error) return held();
  snprintf(actual, sizeof actual, "%d and %s", returned, raised);
  return failed_with(at, "returned", "a code other than 0, and an error raised", actual);
}

bool expect_no_error_(const char *at, Iut *iut)
{
  char kind[65], raised[300];
  if (!take_raised(iut, kind, sizeof kind, raised, sizeof raised)) return held();
  return failed_with(at, "raised on this thread", "nothing", raised);
}

ExpectedCounts counts_of(Iut *iut, TVMFFIObjectHandle object)
{
  return (ExpectedCounts){object_strong(iut, object), object_weak(iut, object)};
}

bool expect_counts_(const char *at, Iut *iut, TVMFFIObjectHandle object, ExpectedCounts expected)
{
  uint64_t strong = object_strong(iut, object), weak = object_weak(iut, object);
  if (strong == expected.strong && weak == expected.weak) return held();
  char expected_text[64], actual_text[64];
  snprintf(expected_text, sizeof expected_text, "strong %" PRIu64 ", weak %" PRIu64,
           expected.strong, expected.weak);
  snprintf(actual_text, sizeof actual_text, "strong %" PRIu64 ", weak %" PRIu64, strong, weak);
  return failed_with(at, "counts of the object", expected_text, actual_text);
}
