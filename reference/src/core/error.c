// SPDX-License-Identifier: Apache-2.0
// Error objects: one allocation for the object and its three texts. Only a backtrace that has
// outgrown its place moves into a buffer of its own.
#include "core/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/object.h"
#include "core/raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIErrorCell cell;    // LAY-11, LAY-12
  size_t backtrace_room;   // bytes that fit where the backtrace stands, its NUL not counted
  char *backtrace_buffer;  // own; NULL while the backtrace stands in `texts`
  char texts[];
} ErrorObject;

//--------------------------------------------------------------------------------------------------
// Backtrace
//--------------------------------------------------------------------------------------------------

// Moves the backtrace into a larger buffer and puts `added` behind its first `kept` bytes.
static void error_grow_backtrace(ErrorObject *error, size_t kept, const TVMFFIByteArray *added)
{
  size_t size = kept;
  if (!memory_add(&size, added->size)) return;
  size_t room = size + size / 2;  // so that appending many times stays linear
  char *buffer = room < PTRDIFF_MAX ? malloc(room + 1) : NULL;
  if (buffer == NULL) return;  // nobody to tell: the backtrace stays what it was
  memcpy(buffer, error_backtrace(&error->cell)->data, kept);
  memcpy(buffer + kept, added->data, added->size);  // ERR-26: it may lie in the old buffer
  buffer[size] = '\0';
  free(error->backtrace_buffer);
  error->backtrace_buffer = buffer;
  error->backtrace_room = room;
  *error_backtrace(&error->cell) = (TVMFFIByteArray){buffer, size};
}

// Puts the text into the place of the old one, or behind it.
static inline void error_write_backtrace(ErrorObject *error, const TVMFFIByteArray *text,
                                         bool replaces)
{
  if (error == NULL || text == NULL) return;
  if (text->data == NULL && text->size != 0) return;
  TVMFFIByteArray *old = error_backtrace(&error->cell);
  TVMFFIByteArray added = *text;  // `text` may be the one in the cell
  size_t kept = replaces ? 0 : old->size;
  if (added.size > error->backtrace_room - kept) {
    error_grow_backtrace(error, kept, &added);
    return;
  }
  char *place = (char *)old->data;                                     // memory of this error
  if (added.size != 0) memmove(place + kept, added.data, added.size);  // ERR-23, ERR-24, ERR-26
  place[kept + added.size] = '\0';
  old->size = kept + added.size;
}

//--------------------------------------------------------------------------------------------------
// What differs between the generations: the signature of the update, and what ends the cell
//--------------------------------------------------------------------------------------------------

#ifdef TVM_FFI_GENERATION_2025_09
static void error_update_traceback(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback)
{
  error_write_backtrace(self, traceback, true);
}

static inline void error_begin_rest(TVMFFIErrorCell *cell)
{
  cell->update_traceback = error_update_traceback;
}

void error_end(TVMFFIObject *error, Nest *nest)
{
  (void)nest;
  free(((ErrorObject *)error)->backtrace_buffer);
}
#else
static void error_update_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                                   int32_t update_mode)
{
  // ERR-36: every mode but "replace" appends.
  error_write_backtrace(self, backtrace, update_mode == kTVMFFIBacktraceUpdateModeReplace);
}

static inline void error_begin_rest(TVMFFIErrorCell *cell)
{
  cell->update_backtrace = error_update_backtrace;
  cell->cause_chain = NULL;  // ERR-27
  cell->extra_context = NULL;
}

void error_end(TVMFFIObject *error, Nest *nest)
{
  const ErrorObject *dead = (ErrorObject *)error;
  nest_drop(nest, dead->cell.cause_chain);  // ERR-29
  nest_drop(nest, dead->cell.extra_context);
  free(dead->backtrace_buffer);
}
#endif

//--------------------------------------------------------------------------------------------------
// Beginning
//--------------------------------------------------------------------------------------------------

// Takes the next `size` bytes and a NUL of the room behind the object (ERR-17).
static TVMFFIByteArray error_next_text(char **room, size_t size)
{
  char *data = *room;
  data[size] = '\0';
  *room = data + size + 1;
  return (TVMFFIByteArray){data, size};
}

TVMFFIObject *error_new(size_t kind_size, size_t message_size, size_t backtrace_size)
{
  size_t size = sizeof(ErrorObject) + 3;
  if (!memory_add(&size, kind_size) || !memory_add(&size, message_size) ||
      !memory_add(&size, backtrace_size)) {
    return NULL;
  }
  ErrorObject *error = malloc(size);
  if (error == NULL) return NULL;
  object_init(&error->header, kTVMFFIError, nest_delete);
  char *room = error->texts;
  error->cell.kind = error_next_text(&room, kind_size);
  error->cell.message = error_next_text(&room, message_size);
  *error_backtrace(&error->cell) = error_next_text(&room, backtrace_size);
  error_begin_rest(&error->cell);
  error->backtrace_room = backtrace_size;
  error->backtrace_buffer = NULL;
  return &error->header;
}

void error_fill(const TVMFFIByteArray *text, const char *source)
{
  if (text->size != 0) memcpy((char *)text->data, source, text->size);  // ERR-15, ERR-16, ERR-22
}

// Makes an error of three texts that can be read. Returns own; NULL without memory.
__attribute__((always_inline)) static inline TVMFFIObject *error_of_texts(
    const TVMFFIByteArray *kind, const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace)
{
  TVMFFIObject *error = error_new(kind->size, message->size, backtrace->size);
  if (error == NULL) return NULL;
  TVMFFIErrorCell *cell = error_cell(error);
  error_fill(&cell->kind, kind->data);
  error_fill(&cell->message, message->data);
  error_fill(error_backtrace(cell), backtrace->data);
  return error;
}

#ifdef TVM_FFI_GENERATION_2025_09
TVMFFIObjectHandle TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                     const TVMFFIByteArray *traceback)
{
  if (raise_unless_bytes(__func__, "kind", kind) != 0 ||
      raise_unless_bytes(__func__, "message", message) != 0 ||
      raise_unless_bytes(__func__, "traceback", traceback) != 0) {
    return NULL;
  }
  TVMFFIObject *error = error_of_texts(kind, message, traceback);  // ERR-21
  if (error == NULL) raise_out_of_memory();
  return error;
}
#else
static int error_check(const char *function, const TVMFFIByteArray *kind,
                       const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
                       const TVMFFIObject *cause, const TVMFFIObjectHandle *out)
{
  if (raise_unless_bytes(function, "kind", kind) != 0) return -1;
  if (raise_unless_bytes(function, "message", message) != 0) return -1;
  if (raise_unless_bytes(function, "backtrace", backtrace) != 0) return -1;
  if (out == NULL) return raise_null(function, "out");
  if (cause != NULL && cause->type_index != kTVMFFIError) {
    return raise_wrong_type(function, "cause_chain", "an Error", cause->type_index);
  }
  return 0;
}

int TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                      const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  if (error_check(__func__, kind, message, backtrace, NULL, out) != 0) return -1;
  TVMFFIObject *error = error_of_texts(kind, message, backtrace);
  if (error == NULL) return -1;  // ERR-46
  *out = error;                  // ERR-21
  return 0;
}

int TVMFFIErrorCreateWithCauseAndExtraContext(
    const TVMFFIByteArray *kind, const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
    TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out)
{
  if (error_check(__func__, kind, message, backtrace, cause_chain, out) != 0) return -1;
  TVMFFIObject *error = error_of_texts(kind, message, backtrace);
  if (error == NULL) return raise_out_of_memory();
  TVMFFIErrorCell *cell = error_cell(error);
  if (cause_chain != NULL) object_retain(cause_chain);  // ERR-28
  if (extra_context != NULL) object_retain(extra_context);
  cell->cause_chain = cause_chain;
  cell->extra_context = extra_context;
  *out = error;
  return 0;
}
#endif  // TVM_FFI_GENERATION_2025_09
