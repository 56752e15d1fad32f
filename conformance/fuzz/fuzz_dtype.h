// SPDX-License-Identifier: Apache-2.0
// The surface dtype in parts: the grammar of data types by the clauses of its chapter, and what has
// to become of a text or a data type.
//
// An input is one byte, 0 or 1, and then a text that is read, or the four bytes of a data type that
// is printed.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_DTYPE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_DTYPE_H_

#include <dlpack/dlpack.h>

#include "fuzz/fuzz_call.h"

// X(constant, name, clause, due, what)
#define FUZZ_DTYPE_ASPECT_LIST(X)                                                                 \
  X(NOTHING, "nothing", DTYPE_10, ACCEPT, "nothing, or void, is read")                            \
  X(BITS, "bits", DTYPE_2, ACCEPT, "a name with a number of bits is read")                        \
  X(NAME, "name", DTYPE_3, ACCEPT, "a name alone is read")                                        \
  X(LANES, "lanes", DTYPE_4, ACCEPT, "a name with lanes is read")                                 \
  X(SCALABLE, "scalable", DTYPE_5, ACCEPT, "a name with scalable lanes is read")                  \
  X(BOOL, "bool", DTYPE_6, ACCEPT, "a bool is read")                                              \
  X(FORMAT_8, "float8", DTYPE_7, ACCEPT, "a float format of eight bits is read")                  \
  X(FORMAT_64, "float6-float4", DTYPE_8, ACCEPT, "a float format of six or four bits is read")    \
  X(FORMAT_LANES, "format-lanes", DTYPE_9, ACCEPT, "a float format with lanes is read")           \
  X(SHORT, "short-name", DTYPE_11, ACCEPT, "a short name is read")                                \
  X(SHORT_FORMAT, "short-format", DTYPE_12, ACCEPT, "a short name of a float format is read")     \
  X(UNDERSCORE, "underscore", DTYPE_13, ACCEPT, "float4_e2m1fn_x with lanes is read")             \
  X(CUSTOM, "custom", DTYPE_30, ACCEPT, "a custom type is read")                                  \
  X(CUSTOM_FAILS, "custom-fails", DTYPE_33, REFUSE, "the function that knows custom codes fails") \
  X(BRACKET, "bracket", DTYPE_17, REFUSE, "custom stands without a pair of brackets")             \
  X(LONG_NUMBER, "long-number", DTYPE_44, REFUSE, "a number needs more than 64 bits")             \
  X(RANGE, "range", DTYPE_15, REFUSE, "bits or lanes are out of range, or missing")               \
  X(HOLDS_NUL, "nul", DTYPE_18, REFUSE, "a text holds a NUL")                                     \
  X(NO_DTYPE, "no-dtype", DTYPE_14, REFUSE, "a text is not a data type")                          \
  X(OPEN_TEXT, "open-text", DTYPE_36, EITHER, "a text of which the spec does not speak")          \
  X(PRINT_NUMBER, "print-number", DTYPE_21, ACCEPT, "a number is printed")                        \
  X(PRINT_LANES, "print-lanes", DTYPE_22, ACCEPT, "lanes are printed")                            \
  X(PRINT_SCALABLE, "print-scalable", DTYPE_23, ACCEPT, "scalable lanes are printed")             \
  X(PRINT_BOOL, "print-bool", DTYPE_24, ACCEPT, "a bool is printed")                              \
  X(PRINT_BIT, "print-bit", DTYPE_25, ACCEPT, "an unsigned integer of one bit is printed")        \
  X(PRINT_FORMAT, "print-format", DTYPE_26, ACCEPT, "a float format is printed")                  \
  X(PRINT_HANDLE, "print-handle", DTYPE_27, ACCEPT, "a handle, or nothing, is printed")           \
  X(PRINT_CUSTOM, "print-custom", DTYPE_31, ACCEPT, "a custom type is printed")                   \
  X(PRINT_FAILS, "print-fails", DTYPE_33, REFUSE, "the function that knows custom names fails")   \
  X(PRINT_NAMELESS, "print-nameless", DTYPE_29, REFUSE, "a code without a name is printed")       \
  X(OPEN_PRINT, "open-print", DTYPE_39, EITHER, "a data type of which the spec does not speak")

typedef enum FuzzDtypeAspect {
#define X(constant, name, clause, due, what) FUZZ_DTYPE_##constant,
  FUZZ_DTYPE_ASPECT_LIST(X)
#undef X
      FUZZ_DTYPE_ASPECTS
} FuzzDtypeAspect;

extern const FuzzAspect fuzz_dtype_aspects[FUZZ_DTYPE_ASPECTS];

// What the spec makes of a text; `value` is what it is read as, where it has to be read.
FuzzDtypeAspect fuzz_dtype_read(const char *data, size_t size, DLDataType *value);

enum { FUZZ_DTYPE_TEXT_MAX = 64 };
// What the spec makes of a data type; `text` is what it is printed as, where it has to be printed.
FuzzDtypeAspect fuzz_dtype_print(DLDataType value, char text[FUZZ_DTYPE_TEXT_MAX]);

// The kind of the error that an input of this aspect has to be refused with.
const char *fuzz_dtype_kind(unsigned aspect);

// The code that our function gives a custom type; -1 if it fails.
int fuzz_dtype_custom_code(const char *name, size_t size);
// The name that our function gives a code; false if it fails.
bool fuzz_dtype_custom_name(unsigned code, char name[8]);

// The names of the grammar, for generation (fuzz_dtype_oracle.c).
extern const char *const fuzz_dtype_words[];
extern const size_t fuzz_dtype_word_count;

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_DTYPE_H_
