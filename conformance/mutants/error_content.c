// SPDX-License-Identifier: Apache-2.0
// Mutants of what an error holds.
#include <stdio.h>

#include "mutants/object_body.h"

MUTANT(ERR_14, reference_kept, ErrorSetRaisedFromCStr,
       "an error of C strings keeps the reference of its making")
{
  TVMFFIByteArray texts[] = {{kind, strlen(kind)}, {message, strlen(message)}, {NULL, 0}};
  TVMFFIObjectHandle error = NULL;
  if (TVMFFIErrorCreate(&texts[0], &texts[1], &texts[2], &error) == 0) TVMFFIErrorSetRaised(error);
}

MUTANT(ERR_14, texts_swapped, ErrorSetRaisedFromCStr, "kind and message change places")
{
  REFERENCE(ErrorSetRaisedFromCStr)(message, kind);
}

MUTANT(ERR_15, message_cut, ErrorSetRaisedFromCStr, "a message is cut after 1023 bytes")
{
  char buffer[1024];
  snprintf(buffer, sizeof buffer, "%s", message);
  REFERENCE(ErrorSetRaisedFromCStr)(kind, buffer);
}

MUTANT(ERR_15, not_ascii_replaced, ErrorSetRaisedFromCStr,
       "what is not ASCII in a message becomes a question mark")
{
  char *copy = strdup(message);
  if (copy == NULL) abort();
  for (char *at = copy; *at != 0; ++at) {
    if ((unsigned char)*at > 127) *at = '?';
  }
  REFERENCE(ErrorSetRaisedFromCStr)(kind, copy);
  free(copy);
}

MUTANT(ERR_15, unknown_kind_replaced, ErrorSetRaisedFromCStr,
       "a kind that is not the name of an error class becomes RuntimeError")
{
  size_t size = strlen(kind);
  int known = size > 5 && strcmp(kind + size - 5, "Error") == 0;
  REFERENCE(ErrorSetRaisedFromCStr)(known ? kind : "RuntimeError", message);
}

MUTANT(ERR_16, message_borrowed, ErrorCreate, "the message of an error that is made is not copied")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status == 0 && message->size > 0) error_cell(*out)->message = *message;
  return status;
}

MUTANT(ERR_16, one_byte_further, ErrorCreate,
       "the byte behind a kind is read, to see whether a NUL is there already")
{
  if (kind->data != NULL) (void)*(const volatile char *)(kind->data + kind->size);
  return REFERENCE(ErrorCreate)(kind, message, backtrace, out);
}

MUTANT(ERR_17, no_nul, ErrorCreate, "the message of an error that is made does not end with a NUL")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  const TVMFFIErrorCell *cell = error_cell(*out);
  ((char *)cell->message.data)[cell->message.size] = '#';
  return 0;
}

MUTANT(ERR_21, raised_as_well, ErrorCreate, "an error that is made is raised as well")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status == 0) TVMFFIErrorSetRaised(*out);
  return status;
}

MUTANT(ERR_22, cut_at_nul, ErrorCreate,
       "the message of an error that is made ends at its first NUL")
{
  TVMFFIByteArray cut = {message->data, message->data ? strnlen(message->data, message->size) : 0};
  return REFERENCE(ErrorCreate)(kind, &cut, backtrace, out);
}

MUTANT(ERR_22, no_data_refused, ErrorCreate, "NULL data is refused as a backtrace")
{
  if (backtrace->data != NULL) return REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  return fail("ValueError", "no backtrace");
}

MUTANT(ERR_30, kind_lost, ErrorSetRaisedFromCStr,
       "a copy of the kind is lost with every error of C strings")
{
  static void **lost;
  void **block = malloc(strlen(kind) + sizeof *block);
  if (block != NULL) *block = lost;
  lost = block;
  REFERENCE(ErrorSetRaisedFromCStr)(kind, message);
}

static void lose_one(TVMFFIObjectHandle error)
{
  static void **lost;
  void **block = malloc(backtrace_in(error_cell(error))->size + sizeof *block);
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
MUTANT(ERR_30, old_backtrace_lost, ErrorCreate,
       "the memory of a backtrace that was replaced is lost")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  update = error_cell(*out)->UPDATE;
  error_cell(*out)->UPDATE = update_and_lose;
  return 0;
}
