// SPDX-License-Identifier: Apache-2.0
// What a case says about what it saw. Every expectation records, in the evidence channel, that it held or what
// was expected and what was seen; it returns whether it held. An expectation that does not hold lets the case go
// on; wrap it in `require` where going on makes no sense. All of them may be called from any thread of the case.
//
// The case says what it is doing with note("..."); the note in force is shown with a failure, a crash or a hang.
#ifndef TVMFFI_CONFORMANCE_RUN_EXPECT_H_
#define TVMFFI_CONFORMANCE_RUN_EXPECT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "run/evidence.h"
#include "run/iut.h"

// --- The course of a case -------------------------------------------------------------------------------------

// Ends the case here if the expectation did not hold. Only on the main thread of a case.
#define require(expectation)                   \
  do {                                         \
    if (!(expectation)) case_end_unsatisfied(); \
  } while (0)

// Says what is being done, for the reader of a failure. printf-like; replaces the note before.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the case without a verdict because it could not observe what it has to; printf-like.
_Noreturn void case_inconclusive(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the case as not applicable to this library; printf-like.
_Noreturn void case_not_applicable(const char *format, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void case_end_unsatisfied(void);
_Noreturn void case_lacks_function(AbiFunctionId function);

// --- Expectations ---------------------------------------------------------------------------------------------
// Each is a macro that notes the line it stands on. `what` names the thing seen: "strong count of the closure".

#define EXPECT_HERE_(function) (expect_at(__FILE__, __LINE__), function)

// bool expect_that(bool holds, const char *expected, const char *seen_format, ...)
#define expect_that EXPECT_HERE_(expect_that_)
// bool expect_int(const char *what, int64_t seen, int64_t expected)
#define expect_int EXPECT_HERE_(expect_int_)
// bool expect_hex(const char *what, uint64_t seen, uint64_t expected)
#define expect_hex EXPECT_HERE_(expect_hex_)
// bool expect_pointer(const char *what, const void *seen, const void *expected)
#define expect_pointer EXPECT_HERE_(expect_pointer_)
// bool expect_not_null(const char *what, const void *seen)
#define expect_not_null EXPECT_HERE_(expect_not_null_)
// bool expect_memory(const char *what, const void *seen, size_t seen_size, const void *expected, size_t size)
#define expect_memory EXPECT_HERE_(expect_memory_)
// bool expect_text(const char *what, TVMFFIByteArray seen, const char *expected); `expected` ends in NUL
#define expect_text EXPECT_HERE_(expect_text_)

// All 16 bytes of two values are the same. bool expect_same_bytes(const TVMFFIAny *seen, const TVMFFIAny *expected)
#define expect_same_bytes EXPECT_HERE_(expect_same_bytes_)
// bool expect_type_index(const TVMFFIAny *seen, int32_t expected)
#define expect_type_index EXPECT_HERE_(expect_type_index_)
// All 16 bytes are those of a small string / small bytes of `size` <= 7 bytes: unused bytes and padding zero.
// bool expect_small_string(const TVMFFIAny *seen, const void *bytes, size_t size)
#define expect_small_string EXPECT_HERE_(expect_small_string_)
#define expect_small_bytes EXPECT_HERE_(expect_small_bytes_)
// A heap string / heap bytes with these contents: type index in value and header, padding 0, size, bytes, and the
// NUL behind them. bool expect_heap_string(Iut *iut, const TVMFFIAny *seen, const void *bytes, size_t size)
#define expect_heap_string EXPECT_HERE_(expect_heap_string_)
#define expect_heap_bytes EXPECT_HERE_(expect_heap_bytes_)

// The call returned 0. If it did not, the error it raised is shown. bool expect_ok(Iut *iut, int returned)
#define expect_ok EXPECT_HERE_(expect_ok_)
// The call returned -1 and raised an error of this kind, which is taken off the slot and released; `kind` NULL
// means any. bool expect_error(Iut *iut, int returned, const char *kind)
#define expect_error EXPECT_HERE_(expect_error_)
// No error is raised on this thread (asks by moving; a raised one is shown and released).
// bool expect_no_error(Iut *iut)
#define expect_no_error EXPECT_HERE_(expect_no_error_)

// Counts in the header of an object: expect_counts(iut, object, .strong = 2, .weak = 1).
#define expect_counts(iut, object, ...) \
  EXPECT_HERE_(expect_counts_)(iut, object, (ExpectedCounts){__VA_ARGS__})

typedef struct ExpectedCounts {
  uint64_t strong, weak;
} ExpectedCounts;

void expect_at(const char *file, int line);
bool expect_that_(bool holds, const char *expected, const char *seen_format, ...)
    __attribute__((format(printf, 3, 4)));
bool expect_int_(const char *what, int64_t seen, int64_t expected);
bool expect_hex_(const char *what, uint64_t seen, uint64_t expected);
bool expect_pointer_(const char *what, const void *seen, const void *expected);
bool expect_not_null_(const char *what, const void *seen);
bool expect_memory_(const char *what, const void *seen, size_t seen_size, const void *expected,
                    size_t size);
bool expect_text_(const char *what, TVMFFIByteArray seen, const char *expected);
bool expect_same_bytes_(const TVMFFIAny *seen, const TVMFFIAny *expected);
bool expect_type_index_(const TVMFFIAny *seen, int32_t expected);
bool expect_small_string_(const TVMFFIAny *seen, const void *bytes, size_t size);
bool expect_small_bytes_(const TVMFFIAny *seen, const void *bytes, size_t size);
bool expect_heap_string_(Iut *iut, const TVMFFIAny *seen, const void *bytes, size_t size);
bool expect_heap_bytes_(Iut *iut, const TVMFFIAny *seen, const void *bytes, size_t size);
bool expect_ok_(Iut *iut, int returned);
bool expect_error_(Iut *iut, int returned, const char *kind);
bool expect_no_error_(Iut *iut);
bool expect_counts_(Iut *iut, TVMFFIObjectHandle object, ExpectedCounts expected);

// --- The recorder (worker side) -------------------------------------------------------------------------------

// Starts recording into `evidence` (borrowed for the rest of the process).
void expect_record_into(Evidence *evidence);
// Writes how the case ended, and the seal. Only in the process that started recording, and only once.
void expect_seal(EvidenceEnd end);
// What to do when the case has ended early: by default the process exits. `repro` prints instead.
extern void (*expect_after_seal)(void);

#endif  // TVMFFI_CONFORMANCE_RUN_EXPECT_H_
