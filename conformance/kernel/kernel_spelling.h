// SPDX-License-Identifier: Apache-2.0
// Strings and bytes in each of their spellings.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_SPELLING_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_SPELLING_H_

#include "battery/iut.h"
#include "plan/kernel.h"

// The text in the spelling of this type index: 8, 9, 11, 12, 65 or 66; a small one is of at most 7
// bytes, the others of at most KERNEL_TEXT_MAX + 4. Nothing behind it can be read. An object has
// one reference, the caller's, and is not freed with it.
TVMFFIAny kernel_spell_text(Iut *iut, int32_t type_index, const char *text, size_t size);

// A spelling that the parameter, a string or bytes, is promised to take, and in which a text of
// `size` bytes can be written: with `counted`, one that carries its length. -1 if there is none.
int32_t kernel_spelling_for(const KernelParameter *parameter, size_t size, bool counted);

// How many spellings the parameter is promised to take.
unsigned kernel_spelling_count(const KernelParameter *parameter);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_SPELLING_H_
