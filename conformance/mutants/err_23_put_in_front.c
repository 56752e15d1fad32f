// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                      int32_t update_mode);

static void put_in_front(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                         int32_t update_mode)
{
  TVMFFIByteArray old = cell_of(self)->backtrace;
  char *joined = malloc(old.size + backtrace->size + 1);
  if (joined == NULL) abort();
  if (backtrace->size > 0) memcpy(joined, backtrace->data, backtrace->size);
  memcpy(joined + backtrace->size, old.data, old.size);
  TVMFFIByteArray both = {joined, old.size + backtrace->size};
  if (update_mode == kTVMFFIBacktraceUpdateModeReplace)
    update(self, backtrace, update_mode);
  else
    update(self, &both, kTVMFFIBacktraceUpdateModeReplace);
  free(joined);
}

MUTANT(ERR_23, "what is appended to a backtrace is put in front of it")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = cell_of(*out)->update_backtrace;
  cell_of(*out)->update_backtrace = put_in_front;
  return 0;
}
