// SPDX-License-Identifier: Apache-2.0
// Mutants that stand between a function of the table below, which is the reference's own or of the
// C library, and the files of the reference that call it.
//
//   #include "mutants/wrapped.h"
//
//   MUTANT_WRAP(MOD_44, no_context, module_context_set, "a library is given no context")
//   {
//   }
//
// REAL(name) is that function. ALSO_WRAP adds one to a mutant.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_WRAPPED_H_
#define TVMFFI_CONFORMANCE_MUTANTS_WRAPPED_H_

#include <library_bin.h>

#include "mutants/mutant.h"
#include "mutants/wrap.h"

// Calls by the runtime itself; those from outside reach the function directly.
#define WRAPPED_RESULT_TVMFFIFunctionCall int
#define WRAPPED_PARAMETERS_TVMFFIFunctionCall \
  (TVMFFIObjectHandle func, TVMFFIAny * args, int32_t num_args, TVMFFIAny * result)
#define WRAPPED_RESULT_dlclose int
#define WRAPPED_PARAMETERS_dlclose (void *handle)
#define WRAPPED_RESULT_dlopen void *
#define WRAPPED_PARAMETERS_dlopen (const char *file, int mode)
#define WRAPPED_RESULT_dlsym void *
#define WRAPPED_PARAMETERS_dlsym (void *handle, const char *symbol)
#define WRAPPED_RESULT_key_custom_call_equal int
#define WRAPPED_PARAMETERS_key_custom_call_equal \
  (const TVMFFIAny *callee, const TVMFFIAny *one, const TVMFFIAny *other)
#define WRAPPED_RESULT_key_custom_call_hash int
#define WRAPPED_PARAMETERS_key_custom_call_hash \
  (const TVMFFIAny *callee, const TVMFFIAny *value, uint64_t *hash)
#define WRAPPED_RESULT_library_bin_read bool
#define WRAPPED_PARAMETERS_library_bin_read \
  (const void *bytes, size_t size, LibraryBin *tree, LibraryBinProblem *problem)
#define WRAPPED_RESULT_module_context_fill_symbols void
#define WRAPPED_PARAMETERS_module_context_fill_symbols (const void *library)
#define WRAPPED_RESULT_module_context_set void
#define WRAPPED_PARAMETERS_module_context_set (void *library)
#define WRAPPED_RESULT_module_load_from_bytes int
#define WRAPPED_PARAMETERS_module_load_from_bytes                                             \
  (const char *name, size_t place, const TVMFFIByteArray *kind, const TVMFFIByteArray *value, \
   TVMFFIObjectHandle *out)
#define WRAPPED_RESULT_module_tree_load int
#define WRAPPED_PARAMETERS_module_tree_load \
  (TVMFFIObject * library, const char *name, const void *bytes, TVMFFIObject **out)
#define WRAPPED_RESULT_system_lib_symbol void *
#define WRAPPED_PARAMETERS_system_lib_symbol (const char *name, size_t size)

#define MUTANT_WRAP(clause, name, function, title) \
  MUTANT_TITLE_(clause, clause##_##name, title)    \
  ALSO_WRAP(clause, name, function)
#define ALSO_WRAP(clause, name, function) ALSO_WRAP_(function, clause##_##name)
#define ALSO_WRAP_(function, mutant)                                             \
  extern WRAPPED_RESULT_##function REAL(function) WRAPPED_PARAMETERS_##function; \
  extern WRAPPED_RESULT_##function __wrap_##function##__in__##mutant             \
      WRAPPED_PARAMETERS_##function;                                             \
  __attribute__((used))                                                          \
  WRAPPED_RESULT_##function __wrap_##function##__in__##mutant WRAPPED_PARAMETERS_##function

#endif  // TVMFFI_CONFORMANCE_MUTANTS_WRAPPED_H_
