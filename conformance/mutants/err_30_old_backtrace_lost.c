// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

static void lose_one(TVMFFIObjectHandle error)
{
  static void **lost;
  void **block = malloc(backtrace_in(cell_of(error))->size + sizeof *block);
  if (block != NULL) *block = lost;
  lost = block;
}

#ifdef TVM_FFI_GENERATION_2025_09
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace);

static void update_and_lose(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace)
{
  lose_one(self);
  update(self, backtrace);
}
#define UPDATE update_traceback
#else
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                      int32_t update_mode);

static void update_and_lose(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                            int32_t update_mode)
{
  lose_one(self);
  update(self, backtrace, update_mode);
}
#define UPDATE update_backtrace
#endif

MUTANT(ERR_30, "the memory of a backtrace that was replaced is lost")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = cell_of(*out)->UPDATE;
  cell_of(*out)->UPDATE = update_and_lose;
  return 0;
}
