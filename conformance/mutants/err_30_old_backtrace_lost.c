// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                      int32_t update_mode);

static void update_and_lose(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                            int32_t update_mode)
{
  static void **lost;
  void **block = malloc(cell_of(self)->backtrace.size + sizeof *block);
  if (block != NULL) *block = lost;
  lost = block;
  update(self, backtrace, update_mode);
}

MUTANT(ERR_30, "the memory of a backtrace that was replaced is lost")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = cell_of(*out)->update_backtrace;
  cell_of(*out)->update_backtrace = update_and_lose;
  return 0;
}
