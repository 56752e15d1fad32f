// SPDX-License-Identifier: Apache-2.0
// Mutants of updates of a backtrace.
#include "mutants/object_body.h"

static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                      int32_t update_mode);

static void always_replace(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                           int32_t update_mode)
{
  if (backtrace->size > 0) update_mode = kTVMFFIBacktraceUpdateModeReplace;
  update(self, backtrace, update_mode);
}

MUTANT(ERR_23, always_replaced, ErrorCreate, "a backtrace that is appended to is replaced")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = error_cell(*out)->update_backtrace;
  error_cell(*out)->update_backtrace = always_replace;
  return 0;
}

MUTANT(ERR_23, no_update, ErrorSetRaisedFromCStr,
       "an error raised from C strings can't update its backtrace")
{
  REFERENCE(ErrorSetRaisedFromCStr)(kind, message);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return;
  error_cell(error)->update_backtrace = NULL;
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
}

static void put_in_front(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                         int32_t update_mode)
{
  TVMFFIByteArray old = error_cell(self)->backtrace;
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

MUTANT(ERR_23, put_in_front, ErrorCreate, "what is appended to a backtrace is put in front of it")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = error_cell(*out)->update_backtrace;
  error_cell(*out)->update_backtrace = put_in_front;
  return 0;
}

static void update_with_something(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                                  int32_t update_mode)
{
  if (backtrace->size > 0) update(self, backtrace, update_mode);
}

MUTANT(ERR_24, never_cleared, ErrorCreate, "a backtrace is not replaced by nothing")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = error_cell(*out)->update_backtrace;
  error_cell(*out)->update_backtrace = update_with_something;
  return 0;
}

static void borrow_the_first(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                             int32_t update_mode)
{
  TVMFFIErrorCell *cell = error_cell(self);
  if (cell->backtrace.size == 0 && backtrace->size > 0)
    cell->backtrace = *backtrace;
  else
    update(self, backtrace, update_mode);
}

MUTANT(ERR_25, borrowed, ErrorCreate,
       "a backtrace that takes the place of an empty one is not copied")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = error_cell(*out)->update_backtrace;
  error_cell(*out)->update_backtrace = borrow_the_first;
  return 0;
}

static void read_further(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                         int32_t update_mode)
{
  if (backtrace->data != NULL) (void)*(const volatile char *)(backtrace->data + backtrace->size);
  update(self, backtrace, update_mode);
}

MUTANT(ERR_25, one_byte_further, ErrorCreate, "the byte behind the text of a backtrace is read")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = error_cell(*out)->update_backtrace;
  error_cell(*out)->update_backtrace = read_further;
  return 0;
}

MUTANT(ERR_45, begun_anew, FunctionCall,
       "an error that passes through a call loses the backtrace that it had")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIObjectHandle error = NULL;
  const TVMFFIByteArray none = {"", 0};
  if (status == 0) return 0;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return status;
  if (error_cell(error)->update_backtrace)
    error_cell(error)->update_backtrace(error, &none, kTVMFFIBacktraceUpdateModeReplace);
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  return status;
}
