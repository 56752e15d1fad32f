// SPDX-License-Identifier: Apache-2.0
// The surface library_bin in parts: its oracle, and how its findings are told.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_BIN_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_BIN_H_

#include "fuzz/fuzz.h"
#include "oracle/bin_oracle.h"

typedef enum FuzzBinPhase {
  FUZZ_BIN_LOADING,
  FUZZ_BIN_READING,
  FUZZ_BIN_LOOKING_UP,
  FUZZ_BIN_RELEASING,
  FUZZ_BIN_PHASES
} FuzzBinPhase;

// X(constant, name, clause, due, sized, what): what payloads are about.
#define FUZZ_BIN_ASPECT_LIST(X)                                                                    \
  X(WHOLE, "whole", BIN_9, ACCEPT, false, "a sound tree")                                          \
  X(EMPTY_VALUE, "empty-value", BIN_6, ACCEPT, false,                                              \
    "a sound tree in which a value has length 0")                                                  \
  X(UNREACHED, "unreached", BIN_12, ACCEPT, false,                                                 \
    "a sound tree with modules that are not imported")                                             \
  X(PATHS, "many-paths", MOD_42, ACCEPT, false,                                                    \
    "a sound tree with more than 4096 ways from the root to its modules")                          \
  X(COUNT_CUT, "count-cut", BIN_22, REFUSE, false, "the number of rows or children is cut short")  \
  X(COUNT_TOO_LARGE, "count-too-large", BIN_23, REFUSE, true,                                      \
    "more rows or children are announced than there is room for")                                  \
  X(NO_ROWS, "no-rows", BIN_25, REFUSE, false, "the table of imports has a single row, or none")   \
  X(FIRST_ROW, "first-row", BIN_26, REFUSE, false, "the first row is not 0")                       \
  X(ROW_FALLS, "row-falls", BIN_27, REFUSE, false, "a row is less than the one before it")         \
  X(ROW_BEYOND, "row-beyond", BIN_28, REFUSE, false,                                               \
    "the last row is more than there are children")                                                \
  X(ROW_SHORT, "row-short", BIN_28, REFUSE, false,                                                 \
    "the last row is less than the number of children")                                            \
  X(CHILD_RANGE, "child-range", BIN_29, REFUSE, false, "a child is none of the modules")           \
  X(CYCLE, "cycle", BIN_30, REFUSE, false, "a module imports itself, at once or through others")   \
  X(KIND_CUT, "kind-cut", BIN_22, REFUSE, false, "the length of a kind is cut short")              \
  X(KIND_TOO_LARGE, "kind-too-large", BIN_31, REFUSE, true, "a kind is cut short")                 \
  X(VALUE_CUT, "value-cut", BIN_22, REFUSE, false, "the length of a value is cut short")           \
  X(VALUE_TOO_LARGE, "value-too-large", BIN_32, REFUSE, true, "a value is cut short")              \
  X(TWICE, "library-twice", BIN_35, EITHER, false, "there are two entries of kind _lib")           \
  X(TRAILING, "trailing", BIN_33, REFUSE, false, "bytes stand behind the last entry")              \
  X(STRANGER, "unknown-kind", BIN_16, REFUSE, false, "no loader is registered for a kind")         \
  X(NO_KIND, "empty-kind", BIN_36, REFUSE, false, "a kind has length 0, and no loader")            \
  X(MIXED, "mixed", BIN_6, EITHER, false, "a value has length 0, and the loader of a kind fails")  \
  X(FAILS, "loader-fails", BIN_18, REFUSE, false, "the loader of a kind fails")                    \
  X(NO_MODULE, "loader-gives-none", BIN_19, REFUSE, false, "the loader of a kind gives no module") \
  X(IN_PART, "in-part", BIN_34, EITHER, false,                                                     \
    "loaders are called for a payload that is refused afterwards")                                 \
  X(CONTEXT, "context", BIN_20, EITHER, false,                                                     \
    "the library of a payload that is refused has a context afterwards")                           \
  X(LEFT_OPEN, "left-open", MOD_80, EITHER, false,                                                 \
    "the library of a sound payload that is refused stays open")                                   \
  X(BROKEN_OPEN, "broken-left-open", BIN_34, EITHER, false,                                        \
    "the library of a broken payload that is refused stays open")                                  \
  X(KEPT_OPEN, "kept-open", MOD_73, EITHER, false,                                                 \
    "a library stays open though all its modules were released")

typedef enum FuzzBinAspect {
#define X(constant, name, clause, due, sized, what) FUZZ_BIN_##constant,
  FUZZ_BIN_ASPECT_LIST(X)
#undef X
      FUZZ_BIN_ASPECTS
} FuzzBinAspect;

// From here on they are what is seen of a payload of another aspect, and no payload is about them.
enum { FUZZ_BIN_OF_PAYLOADS = FUZZ_BIN_IN_PART };

extern const FuzzAspect fuzz_bin_aspects[FUZZ_BIN_ASPECTS];

// FuzzSurface.repair: nbytes is the number of bytes that follow. What is shorter than nbytes itself
// can't be told from memory that belongs to others.
bool fuzz_bin_repair(FuzzInput *input);

// FuzzSurface.aspect, by the oracle.
unsigned fuzz_bin_aspect(const FuzzInput *input);

// FuzzSurface.describe and .program (fuzz_library_bin_emit.c).
void fuzz_bin_describe(const FuzzInput *input, unsigned aspect, FILE *out);
void fuzz_bin_program(const FuzzSurface *surface, const FuzzInput *input, const FuzzReport *report,
                      FILE *out);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_BIN_H_
