// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                      int32_t update_mode);

static void borrow_the_first(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                             int32_t update_mode)
{
  TVMFFIErrorCell *cell = cell_of(self);
  if (cell->backtrace.size == 0 && backtrace->size > 0)
    cell->backtrace = *backtrace;
  else
    update(self, backtrace, update_mode);
}

MUTANT(ERR_25, "a backtrace that takes the place of an empty one is not copied")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = cell_of(*out)->update_backtrace;
  cell_of(*out)->update_backtrace = borrow_the_first;
  return 0;
}
