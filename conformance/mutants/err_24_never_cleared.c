// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                      int32_t update_mode);

static void update_with_something(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                                  int32_t update_mode)
{
  if (backtrace->size > 0) update(self, backtrace, update_mode);
}

MUTANT(ERR_24, "a backtrace is not replaced by nothing")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = cell_of(*out)->update_backtrace;
  cell_of(*out)->update_backtrace = update_with_something;
  return 0;
}
