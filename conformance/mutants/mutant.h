// SPDX-License-Identifier: Apache-2.0
// A mutant is the reference runtime, but for one clause: the proof that the battery would notice.
// One file is one mutant and becomes one shared library; the build finds it by itself. Its name
// begins with its clause: any_4_two_references.c.
//
//   #include "mutants/mutant.h"
//
//   MUTANT(ANY_4, "converting an object takes two references")
//   OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
//   {
//     int status = REFERENCE(AnyViewToOwnedAny)(view, out);
//     if (status == 0 && view->type_index >= kTVMFFIStaticObjectBegin)
//     TVMFFIObjectIncRef(out->v_obj); return status;
//   }
//
// OVERRIDE replaces a function of the C API; inside, REFERENCE(Name) is the one that was replaced.
// OMIT(Name) leaves a function out altogether. Every other function is the reference's own and is
// called by its name. What the reference calls internally is never the mutated one.
//
// WRAP(result, name, parameters), of wrap.h, stands between a function of the reference's own, or
// of the C library, and the files of the reference that call it; inside, REAL(name) is that
// function.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_MUTANT_H_
#define TVMFFI_CONFORMANCE_MUTANTS_MUTANT_H_

#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "mutants/wrap.h"
#include "spec_clauses.h"

// The text that names the frames of an error.
static inline TVMFFIByteArray *backtrace_in(TVMFFIErrorCell *cell)
{
#ifdef TVM_FFI_GENERATION_2025_09
  return &cell->traceback;
#else
  return &cell->backtrace;
#endif
}

#ifdef TVM_FFI_GENERATION_2025_09
// A mutant of a clause that holds in both generations is written for 0.1 and built for both. There
// TVMFFIErrorCreate had other parameters: former_error_create.c stands between.
extern int today_TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                   const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out);
#define TVMFFIErrorCreate today_TVMFFIErrorCreate
#endif

// Names the clause that is broken and says how, one sentence without a full stop. Read from the
// file by name, without loading it: the clause, a NUL, the title.
#define MUTANT(clause, title)                                     \
  _Static_assert(clause > CLAUSE_NONE, "no such clause");         \
  extern const char tvmffi_mutant[sizeof #clause + sizeof title]; \
  __attribute__((used, visibility("default")))                    \
  const char tvmffi_mutant[sizeof #clause + sizeof title] = #clause "\0" title;

// `name` without the prefix TVMFFI, then the parameters as in the header.
#define OVERRIDE(name, ...)                         \
  extern __typeof__(TVMFFI##name) ref_TVMFFI##name; \
  __attribute__((visibility("default"))) MUTANT_RETURNS_##name TVMFFI##name(__VA_ARGS__)

#define REFERENCE(name) ref_TVMFFI##name

#define OMIT(name) _Static_assert(sizeof(&TVMFFI##name) > 0, "no such function")

#include "mutant_returns.h"

#endif  // TVMFFI_CONFORMANCE_MUTANTS_MUTANT_H_
