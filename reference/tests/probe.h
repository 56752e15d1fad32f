// SPDX-License-Identifier: Apache-2.0
// What the tests look with: objects that record their end, errors opened, memory that runs out.
#ifndef REFERENCE_TESTS_PROBE_H_
#define REFERENCE_TESTS_PROBE_H_

#include <check.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// A combined counter with these counts.
#define COUNTS(strong, weak) ((uint64_t)(weak) << 32 | (uint64_t)(strong))

// An object that lives where the test puts it, and notes what its deleter was told.
typedef struct {
  TVMFFIObject header;
  char behind[8];       // never touched by a runtime
  int calls;            // of the deleter
  int flags[2];         // of the first calls
  uint64_t counter[2];  // seen at those calls
} Probe;

// Makes a probe with one strong and one weak reference.
Probe probe_make(int32_t type_index);

// Checks the counts of an object.
#define expect_counts(object, strong, weak) \
  ck_assert_uint_eq(counts_of(object), COUNTS(strong, weak))
uint64_t counts_of(TVMFFIObjectHandle object);

// Checks that both values have the same 16 bytes.
void expect_same_value(const TVMFFIAny *seen, const TVMFFIAny *due);

// A value whose bytes are all rubbish, to be overwritten.
TVMFFIAny rubbish(void);

// A byte array of a literal, without its NUL.
#define BYTES(literal) (&(TVMFFIByteArray){(literal), sizeof(literal) - 1})

// Checks the content of a byte array, and that a NUL follows it.
#define expect_text(bytes, literal) expect_bytes(bytes, literal, sizeof(literal) - 1)
void expect_bytes(const TVMFFIByteArray *seen, const char *due, size_t size);

// Takes the error out of the slot and releases it; checks its kind, and that its message has this.
void expect_raised(const char *kind, const char *word);

// Checks that the slot is empty.
void expect_nothing_raised(void);

// Takes the error out of the slot. Own; there must be one.
TVMFFIObject *take_raised(void);

TVMFFIErrorCell *error_cell_of(TVMFFIObjectHandle error);

// Whether the tests run under Valgrind, which runs one thread at a time and each some fifty times as
// slowly (UNDER_VALGRIND in the environment).
bool under_valgrind(void);

// How often a test repeats what matters most in the first rounds: `many` times, a twentieth of that
// under Valgrind.
int rounds(int many);

// Lets this thread's n-th request for memory from now on fail (1 for the next), and only that.
void faults_arm(int n);

// Tells whether the armed request came, and disarms.
bool faults_disarm(void);

// What this thread has asked for: malloc and its like.
typedef struct FaultsMeter {
  size_t requests;
  size_t bytes;
} FaultsMeter;

// Tells what was asked for since the last call, and starts anew.
void faults_meter(FaultsMeter *since);

// Returns memory of `size` bytes whose end is followed by an unmapped page, filled with `data`.
// Lives as long as the process.
char *fenced(const char *data, size_t size);

#endif  // REFERENCE_TESTS_PROBE_H_
