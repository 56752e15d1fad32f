// SPDX-License-Identifier: Apache-2.0
// Deleters of objects that mutants put before the one that the reference gave them.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_DELETER_H_
#define TVMFFI_CONFORMANCE_MUTANTS_DELETER_H_

#include "mutants/mutant.h"

// The deleter that the reference gave.
static void (*inner_deleter)(void *self, int flags);

static inline void replace_deleter(TVMFFIObject *object, void (*deleter)(void *self, int flags))
{
  inner_deleter = object->deleter;
  object->deleter = deleter;
}

// The memory goes with a call for both flags, so that the content is destroyed a second time.
static inline void delete_for_each_flag(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong)
    inner_deleter(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    inner_deleter(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

// The content is destroyed when the memory is freed, and no earlier.
static inline void delete_with_the_memory(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    inner_deleter(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_DELETER_H_
