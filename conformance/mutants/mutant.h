// SPDX-License-Identifier: Apache-2.0
// A mutant is the reference runtime with one clause broken: the proof that the battery notices.
// Each block below becomes a shared library of its own, named by clause and name:
// obj_3_counts_twice.so. A file holds the mutants of a topic, in the order of the clauses.
//
//   #include "mutants/mutant.h"
//
//   MUTANT(OBJ_3, counts_twice, ObjectIncRef, "retaining counts twice")
//   {
//     REFERENCE(ObjectIncRef)(obj);
//     return REFERENCE(ObjectIncRef)(obj);
//   }
//
// MUTANT replaces a function of the C API, named without the prefix TVMFFI. Result and parameters
// are those of abi/functions.def, under the names they have there. REFERENCE(Name) is the function
// that was replaced; every other function is the reference's and is called by its name. What the
// reference calls internally is never the mutated function. The title is one sentence without a
// full stop.
//
// MUTANT_WITHOUT(OBJ_1, name, Function, "title"); leaves a function out. registered.h replaces
// functions that are reached by name, wrapped.h functions inside the reference.
//
// A mutant that changes several functions starts with one of these; ALSO(OBJ_3, counts_twice,
// ObjectDecRef) and its siblings, such as ALSO_WITHOUT, add the others. AT_LOAD(OBJ_3, counts_twice)
// runs when the library is loaded. What stands between the blocks belongs to all mutants of the
// file; the linker drops what a mutant does not use.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_MUTANT_H_
#define TVMFFI_CONFORMANCE_MUTANTS_MUTANT_H_

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "spec_clauses.h"

#ifdef TVM_FFI_GENERATION_2025_09
// A mutant of a clause that holds in both generations is written for 0.1 and built for both. In
// September 2025 TVMFFIErrorCreate had other parameters: 2025_09/former_error_create.c adapts them.
extern int today_TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                   const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out);
#define TVMFFIErrorCreate today_TVMFFIErrorCreate
#endif

// link_mutants.sh gives SYMBOL__in__MUTANT the name SYMBOL in the library of that mutant, and there
// alone. What the reference calls SYMBOL is ref_SYMBOL in that library, also if the mutant has
// SYMBOL__not_in__MUTANT. Section .at_load__in__MUTANT becomes .init_array.
#define MUTANT_IN_(symbol, mutant) symbol##__in__##mutant
#define MUTANT_NOT_IN_(symbol, mutant) symbol##__not_in__##mutant
#define MUTANT_TEXT_(text) #text
#define MUTANT_EXPORTED_ __attribute__((used, visibility("default")))

// Read from the file by name, without loading it: the clause, a NUL, the title.
#define MUTANT_TITLE_(clause, mutant, title)              \
  _Static_assert(clause > CLAUSE_NONE, "no such clause"); \
  MUTANT_DESCRIPTION_(tvmffi_mutant__in__##mutant, #clause "\0" title)
#define MUTANT_DESCRIPTION_(symbol, text) \
  extern const char symbol[sizeof text];  \
  MUTANT_EXPORTED_ const char symbol[sizeof text] = text;

#define MUTANT(clause, name, function, title)   \
  MUTANT_TITLE_(clause, clause##_##name, title) \
  ALSO(clause, name, function)
#define ALSO(clause, name, function) ALSO_(TVMFFI##function, function, clause##_##name)
#define ALSO_(symbol, function, mutant)                 \
  extern __typeof__(symbol) MUTANT_IN_(symbol, mutant); \
  MUTANT_EXPORTED_ MUTANT_RESULT_##function MUTANT_IN_(symbol, mutant) MUTANT_PARAMETERS_##function

#define MUTANT_WITHOUT(clause, name, function, title) \
  MUTANT_TITLE_(clause, clause##_##name, title)       \
  ALSO_WITHOUT(clause, name, function)
#define ALSO_WITHOUT(clause, name, function) ALSO_WITHOUT_(TVMFFI##function, clause##_##name)
#define ALSO_WITHOUT_(symbol, mutant)                        \
  extern __typeof__(&symbol) MUTANT_NOT_IN_(symbol, mutant); \
  __typeof__(&symbol) MUTANT_NOT_IN_(symbol, mutant)

#define REFERENCE(function) REFERENCE_(TVMFFI##function)
#define REFERENCE_(symbol) REFERENCE_NAME_(symbol)
#define REFERENCE_NAME_(symbol) ref_##symbol

#define AT_LOAD(clause, name) AT_LOAD_(clause##_##name, __COUNTER__)
#define AT_LOAD_(mutant, number) AT_LOAD_NUMBERED_(mutant, number)
#define AT_LOAD_NUMBERED_(mutant, number)                                     \
  static void mutant_load_##number(void);                                     \
  static void (*mutant_at_load_##number)(void)                                \
      __attribute__((used, section(".at_load__in__" MUTANT_TEXT_(mutant)))) = \
          mutant_load_##number;                                               \
  static void mutant_load_##number(void)

#include "mutant_functions.h"

// Raises an error in place of any other, and returns -1.
static inline int fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_MUTANT_H_
