// SPDX-License-Identifier: Apache-2.0
// The implementation under test as a case sees it: its C API as typed members,
// iut->ObjectIncRef(object). A function that the library lacks is a stand-in that ends the case as
// "not applicable" when it is called, so no case needs to ask first; iut_has() is for cases that
// can do without.
#ifndef TVMFFI_CONFORMANCE_BATTERY_IUT_H_
#define TVMFFI_CONFORMANCE_BATTERY_IUT_H_

#include "abi/abi.h"

typedef struct Iut {
#define ABI_FUNCTION(chapter, since, result, name, parameters) result(*name) parameters;
#include "abi/functions.def"
  bool present[ABI_FUNCTION_COUNT];
  AbiGeneration generation;
  const AbiLayout *layout;  // the generation's
  uint32_t version;         // what it reports, ABI_VERSION; UINT32_MAX if it can't be asked;
                            // ABI_VERSION_2025_09 for a library of that generation
  const char *path;         // borrowed
  void *handle;             // from dlopen
  uintptr_t load_address;   // what to take off a program counter to get an address of the file
} Iut;

// Loads the library at `path` with all its symbols resolved, visible to nobody else. Its
// constructors run here. It is taken to be of the generation that its names tell, 0.1 if they
// don't. False on failure, with the loader's words in `error`.
bool iut_load(Iut *iut, const char *path, char *error, size_t error_size);

// Looks up the functions anew, as those of this generation: its names, its signatures, and nothing
// that it did not have. A case is written for 0.1 and need not know; only one library in a process
// can be of the older generation.
void iut_speak(Iut *iut, AbiGeneration generation);

static inline bool iut_has(const Iut *iut, AbiFunctionId function)
{
  return iut->present[function];
}

// The version that the library reports when asked now, or UINT32_MAX if it has no TVMFFIGetVersion.
uint32_t iut_ask_version(const Iut *iut);

#endif  // TVMFFI_CONFORMANCE_BATTERY_IUT_H_
