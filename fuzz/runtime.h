// SPDX-License-Identifier: Apache-2.0
// What targets that call the reference runtime share: a promise that does not hold ends the program
// with the line that says which.
#ifndef TVMFFI_FUZZ_RUNTIME_H_
#define TVMFFI_FUZZ_RUNTIME_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

#include "fuzz_target.h"

// Expects an object with these references.
void runtime_has_counts(TVMFFIObjectHandle object, uint32_t strong, uint32_t weak);

// Expects an error of this kind in the thread's slot (any if NULL) and takes it out: a well-formed
// one, with a kind and a message, that nobody else has.
void runtime_has_raised(const char *kind);

// Expects an empty slot.
void runtime_has_raised_nothing(void);

// Returns the content of a string or bytes, small or not. Borrow: from the value.
TVMFFIByteArray runtime_content(const TVMFFIAny *value);

// Expects a string or bytes with this content, in the form that its size asks for, owned alone.
void runtime_is_text(const TVMFFIAny *value, bool is_bytes, const char *data, size_t size);

// Drops an owned value.
void runtime_drop(const TVMFFIAny *value);

static inline bool runtime_same(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return one->type_index == other->type_index && one->zero_padding == other->zero_padding &&
         one->v_uint64 == other->v_uint64;
}

// Calls a registered function.
// result: own, written on success. Returns what it returns.
int runtime_call(const char *name, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

// Tells whether the runtime says that two values are equal with all that is in them.
bool runtime_equal(const TVMFFIAny *one, const TVMFFIAny *other);

// Registers a global function, in place of an older one.
void runtime_register(const char *name, TVMFFISafeCallType function);

#endif  // TVMFFI_FUZZ_RUNTIME_H_
