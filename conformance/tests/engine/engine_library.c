// SPDX-License-Identifier: Apache-2.0
// As little of a runtime as the engine needs, with a note of the process that loaded it.
#include <tvm/ffi/c_api.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

extern EXPORT int engine_loaded_in;
int engine_loaded_in;

__attribute__((constructor)) static void note_process(void)
{
  engine_loaded_in = (int)getpid();
}

EXPORT void TVMFFIGetVersion(TVMFFIVersion *version)
{
  *version = (TVMFFIVersion){0, 1, 9};
}
