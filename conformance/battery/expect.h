// SPDX-License-Identifier: Apache-2.0
// Expectations. Each records, in the evidence channel, that it held, or the expected and the actual
// value; it returns whether it held. A case continues after an expectation that did not hold; wrap
// the expectation in `require` to end the case. All may be called from any thread of the case.
//
// note("...") states what the case does next; the last note is shown with a failure, a crash or a
// hang.
#ifndef TVMFFI_CONFORMANCE_BATTERY_EXPECT_H_
#define TVMFFI_CONFORMANCE_BATTERY_EXPECT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "battery/iut.h"
#include "run/evidence.h"

// --- The course of a case ------------------------------------------------------------------------

// Ends the case here if the expectation did not hold. Only on the main thread of a case.
#define require(expectation)                    \
  do {                                          \
    if (!(expectation)) case_end_unsatisfied(); \
  } while (0)

// States what the case does next, for the reader of a failure. printf-like; replaces the last note.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The last note, "" if there is none.
const char *note_in_force(void);

// Keeps what the case does next as a C program (copied). The program of the first failure is shown
// with it; if the case crashes or hangs, the last one. Cut to EVIDENCE_TEXT_MAX bytes.
void note_program(const char *program, size_t size);

// Ends the case without a verdict because it could not make its observation; printf-like.
_Noreturn void case_inconclusive(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the case as not applicable to this library; printf-like.
_Noreturn void case_not_applicable(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the case because its clauses do not concern this library: it does not do what they are about,
// and need not; printf-like. Unlike what the library lacks, this does not count as unjudged.
_Noreturn void case_not_concerned(const char *format, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void case_end_unsatisfied(void);
_Noreturn void case_lacks_function(AbiFunctionId function);

// --- Expectations --------------------------------------------------------------------------------
// Each is a macro that records its own line. `what` names the value: "strong count of the closure".

#define EXPECT_TEXT_(line) #line
#define EXPECT_LINE_(line) EXPECT_TEXT_(line)
#define EXPECT_HERE_ __FILE__ ":" EXPECT_LINE_(__LINE__)

// bool expect_that(bool holds, const char *expected, const char *actual_format, ...)
#define expect_that(...) expect_that_(EXPECT_HERE_, __VA_ARGS__)
// The same, about memory or an object that has to be given back: what counts whatever the gate.
// bool expect_no_leak(bool holds, const char *expected, const char *actual_format, ...)
#define expect_no_leak(...) expect_no_leak_(EXPECT_HERE_, __VA_ARGS__)
// bool expect_int(const char *what, int64_t actual, int64_t expected)
#define expect_int(...) expect_int_(EXPECT_HERE_, __VA_ARGS__)
// bool expect_hex(const char *what, uint64_t actual, uint64_t expected)
#define expect_hex(...) expect_hex_(EXPECT_HERE_, __VA_ARGS__)
// bool expect_pointer(const char *what, const void *actual, const void *expected)
#define expect_pointer(...) expect_pointer_(EXPECT_HERE_, __VA_ARGS__)
// bool expect_not_null(const char *what, const void *actual)
#define expect_not_null(...) expect_not_null_(EXPECT_HERE_, __VA_ARGS__)
// bool expect_memory(const char *what, const void *actual, size_t actual_size,
//                    const void *expected, size_t size)
#define expect_memory(...) expect_memory_(EXPECT_HERE_, __VA_ARGS__)
// `expected` ends in NUL.
// bool expect_text(const char *what, TVMFFIByteArray actual, const char *expected)
#define expect_text(...) expect_text_(EXPECT_HERE_, __VA_ARGS__)

// All 16 bytes of two values are the same.
// bool expect_same_bytes(const TVMFFIAny *actual, const TVMFFIAny *expected)
#define expect_same_bytes(...) expect_same_bytes_(EXPECT_HERE_, __VA_ARGS__)
// bool expect_type_index(const TVMFFIAny *actual, int32_t expected)
#define expect_type_index(...) expect_type_index_(EXPECT_HERE_, __VA_ARGS__)
// All 16 bytes are those of a small string / small bytes of `size` <= 7 bytes: unused bytes and
// padding are zero.
// bool expect_small_string(const TVMFFIAny *actual, const void *bytes, size_t size)
#define expect_small_string(...) expect_small_string_(EXPECT_HERE_, __VA_ARGS__)
#define expect_small_bytes(...) expect_small_bytes_(EXPECT_HERE_, __VA_ARGS__)
// A heap string / heap bytes with these contents: type index in value and header, padding 0, size,
// bytes, and the NUL after them.
// bool expect_heap_string(Iut *iut, const TVMFFIAny *actual, const void *bytes, size_t size)
#define expect_heap_string(...) expect_heap_string_(EXPECT_HERE_, __VA_ARGS__)
#define expect_heap_bytes(...) expect_heap_bytes_(EXPECT_HERE_, __VA_ARGS__)

// The call returned 0. If it did not, the error it raised is shown.
// bool expect_ok(Iut *iut, int returned)
#define expect_ok(...) expect_ok_(EXPECT_HERE_, __VA_ARGS__)
// The call returned -1 and raised an error of this kind, which is taken off the slot and released;
// `kind` NULL means any.
// bool expect_error(Iut *iut, int returned, const char *kind)
#define expect_error(...) expect_error_(EXPECT_HERE_, __VA_ARGS__)
// The call returned a code other than 0 and raised an error, which is taken off the slot and
// released.
// bool expect_failure(Iut *iut, int returned)
#define expect_failure(...) expect_failure_(EXPECT_HERE_, __VA_ARGS__)
// No error is raised on this thread. It checks by moving: a raised error is shown and released.
// bool expect_no_error(Iut *iut)
#define expect_no_error(...) expect_no_error_(EXPECT_HERE_, __VA_ARGS__)

// Counts in the header of an object: expect_counts(iut, object, .strong = 2, .weak = 1).
#define expect_counts(iut, object, ...) \
  expect_counts_(EXPECT_HERE_, iut, object, (ExpectedCounts){__VA_ARGS__})

// The same for an object to which others may hold references, too, such as a string that the
// library shares: `added` strong references, or less than none, since the counts were read.
#define expect_counts_added(iut, object, before, added) \
  expect_counts_(EXPECT_HERE_, iut, object,             \
                 (ExpectedCounts){(before).strong + (uint64_t)(added), (before).weak})

typedef struct ExpectedCounts {
  uint64_t strong, weak;
} ExpectedCounts;

// The counts that an object has now.
ExpectedCounts counts_of(Iut *iut, TVMFFIObjectHandle object);

bool expect_that_(const char *at, bool holds, const char *expected, const char *actual_format, ...)
    __attribute__((format(printf, 4, 5)));
bool expect_no_leak_(const char *at, bool holds, const char *expected, const char *actual_format,
                     ...) __attribute__((format(printf, 4, 5)));
bool expect_int_(const char *at, const char *what, int64_t actual, int64_t expected);
bool expect_hex_(const char *at, const char *what, uint64_t actual, uint64_t expected);
bool expect_pointer_(const char *at, const char *what, const void *actual, const void *expected);
bool expect_not_null_(const char *at, const char *what, const void *actual);
bool expect_memory_(const char *at, const char *what, const void *actual, size_t actual_size,
                    const void *expected, size_t size);
bool expect_text_(const char *at, const char *what, TVMFFIByteArray actual, const char *expected);
bool expect_same_bytes_(const char *at, const TVMFFIAny *actual, const TVMFFIAny *expected);
bool expect_type_index_(const char *at, const TVMFFIAny *actual, int32_t expected);
bool expect_small_string_(const char *at, const TVMFFIAny *actual, const void *bytes, size_t size);
bool expect_small_bytes_(const char *at, const TVMFFIAny *actual, const void *bytes, size_t size);
bool expect_heap_string_(const char *at, Iut *iut, const TVMFFIAny *actual, const void *bytes,
                         size_t size);
bool expect_heap_bytes_(const char *at, Iut *iut, const TVMFFIAny *actual, const void *bytes,
                        size_t size);
bool expect_ok_(const char *at, Iut *iut, int returned);
bool expect_error_(const char *at, Iut *iut, int returned, const char *kind);
bool expect_failure_(const char *at, Iut *iut, int returned);
bool expect_no_error_(const char *at, Iut *iut);
bool expect_counts_(const char *at, Iut *iut, TVMFFIObjectHandle object, ExpectedCounts expected);

// Says of the case that its threads race: what comes of it may differ from run to run over the same
// bytes, and reports mark it. Called by what starts such threads.
void expect_races(void);

// A call of a function under test has come back: a case that runs out of time later does not hang for it. Said in copies
// of the process, too.
void expect_came_back(void);

// The suite itself is at work on what a call gave, or no longer: a case that runs out of time then does not hang.
void expect_at_work(bool at_work);

// --- The recorder (worker side) ------------------------------------------------------------------

// Starts recording into this (borrowed for the rest of the process). Processes that this one
// forks off do not record: a library may fork where the case does not expect it.
void expect_record_into(Evidence *into);
// Writes how the case ended, and the seal. Only in the process that started recording, and only
// once: a thread that comes to an end, or to an expectation, of a case that another one has ended
// waits there for the end of the process.
void expect_seal(EvidenceEnd end);
// What this process records into; NULL in a copy of it, and once the case has ended.
Evidence *expect_recording_into(void);
// What to do when the case has ended early: by default the process exits. `repro` prints instead.
extern void (*expect_after_seal)(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_EXPECT_H_
