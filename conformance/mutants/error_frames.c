// SPDX-License-Identifier: Apache-2.0
// Mutants of the frames of a backtrace, and of tracebacks in the generation of September 2025.
#include "mutants/object_body.h"

MUTANT(ERR_31, null_without_names, Backtrace, "without a file or a function there is no backtrace")
{
  if (filename == NULL || func == NULL) return NULL;
  return REFERENCE(Backtrace)(filename, lineno, func, cross_ffi_boundary);
}

MUTANT(ERR_32, lines_from_0, Backtrace, "lines are counted from 0")
{
  return REFERENCE(Backtrace)(filename, lineno > 0 ? lineno - 1 : lineno, func, cross_ffi_boundary);
}

MUTANT(ERR_32, long_names_cut, Backtrace, "a frame is cut to what fits a line buffer")
{
  static _Thread_local char text[512];
  static _Thread_local TVMFFIByteArray cut;
  cut = *REFERENCE(Backtrace)(filename, lineno, func, cross_ffi_boundary);
  if (cut.size >= sizeof text) cut.size = sizeof text - 1;
  memcpy(text, cut.data, cut.size);
  text[cut.size] = 0;
  cut.data = text;
  return &cut;
}

MUTANT(ERR_34, one_buffer_for_all, Backtrace, "all threads share the buffer of the backtrace")
{
  static char text[16384];
  static TVMFFIByteArray shared = {text, 0};
  TVMFFIByteArray mine = *REFERENCE(Backtrace)(filename, lineno, func, cross_ffi_boundary);
  if (mine.size >= sizeof text) mine.size = sizeof text - 1;
  memcpy(text, mine.data, mine.size);
  text[mine.size] = 0;
  shared.size = mine.size;
  return &shared;
}

#ifdef TVM_FFI_GENERATION_2025_09
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback);

static void append(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback)
{
  TVMFFIErrorCell *cell = error_cell(self);
  TVMFFIByteArray old = *backtrace_in(cell), both = {NULL, old.size + traceback->size};
  char *joined = malloc(both.size + 1);
  if (!joined) return;
  memcpy(joined, old.data, old.size);
  memcpy(joined + old.size, traceback->data, traceback->size);
  both.data = joined;
  update(self, &both);
  free(joined);
}

MUTANT(ERR_40, replaced_by_appending, ErrorCreate, "a traceback is put behind the old one")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  TVMFFIErrorCell *cell = error_cell(*out);
  update = cell->update_traceback;
  cell->update_traceback = append;
  return 0;
}

MUTANT(ERR_41, reference_kept, ErrorCreate,
       "the runtime keeps a reference to an error that it returns")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}

MUTANT_WITHOUT(ERR_42, missing, Backtrace, "TVMFFITraceback is not exported");
#endif
