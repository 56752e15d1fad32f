// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback);

static void append(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback)
{
  TVMFFIErrorCell *cell = (TVMFFIErrorCell *)((TVMFFIObject *)self + 1);
  TVMFFIByteArray old = *backtrace_in(cell), both = {NULL, old.size + traceback->size};
  char *joined = malloc(both.size + 1);
  if (!joined) return;
  memcpy(joined, old.data, old.size);
  memcpy(joined + old.size, traceback->data, traceback->size);
  both.data = joined;
  update(self, &both);
  free(joined);
}

MUTANT(ERR_40, "a traceback is put behind the old one")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  TVMFFIErrorCell *cell = (TVMFFIErrorCell *)((TVMFFIObject *)*out + 1);
  update = cell->update_traceback;
  cell->update_traceback = append;
  return 0;
}
