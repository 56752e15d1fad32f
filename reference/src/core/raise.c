// SPDX-License-Identifier: Apache-2.0
// The error slot of the thread: what puts errors into it and what takes them out.
#include "core/raise.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/frames.h"
#include "core/memory.h"
#include "core/object.h"
#include "core/thread.h"

//--------------------------------------------------------------------------------------------------
// From within the runtime
//--------------------------------------------------------------------------------------------------

#ifdef TVM_FFI_GENERATION_2025_09
static void raise_ignore_traceback(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback)
{
  (void)self, (void)traceback;
}
#define NO_BACKTRACE .traceback = {"", 0}, .update_traceback = raise_ignore_traceback
#else
static void raise_ignore_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                                   int32_t update_mode)
{
  (void)self, (void)backtrace, (void)update_mode;
}
#define NO_BACKTRACE .backtrace = {"", 0}, .update_backtrace = raise_ignore_backtrace
#endif

// The error for want of memory exists before it happens. The runtime owns one reference for ever,
// so it never dies and threads may share it; it takes no backtrace for that reason.
static struct {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
} memory_error = {
    .header = {OBJECT_NEW_COUNTS, .type_index = kTVMFFIError, .deleter = object_keep},
    .cell = {.kind = {"InternalError", 13}, .message = {"out of memory", 13}, NO_BACKTRACE},
};

int raise_out_of_memory(void)
{
  object_retain(&memory_error.header);
  thread_raise(&memory_error.header);
  return -1;
}

// Joins `count` C strings, NULL ones left out, into the message of a new error and raises that.
static int raise_joined(const char *kind, const char *const *parts, int32_t count,
                        const TVMFFIByteArray *backtrace)
{
  size_t size = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (parts[i] == NULL) continue;  // ERR-19
    if (!memory_add(&size, strlen(parts[i]))) return raise_out_of_memory();
  }
  TVMFFIObject *error = error_new(strlen(kind), size, backtrace->size);
  if (error == NULL) return raise_out_of_memory();
  TVMFFIErrorCell *cell = error_cell(error);
  error_fill(&cell->kind, kind);
  error_fill(error_backtrace(cell), backtrace->data);
  char *end = (char *)cell->message.data;
  for (int32_t i = 0; i < count; ++i) {
    if (parts[i] != NULL) end = stpcpy(end, parts[i]);  // ERR-18
  }
  thread_raise(error);
  return -1;
}

int raise_error(const char *kind, const char *part, ...)
{
  enum { MAX_PARTS = 10 };
  const char *parts[MAX_PARTS] = {part};
  const TVMFFIByteArray none = {"", 0};
  int32_t count = 0;
  va_list more;
  va_start(more, part);
  while (parts[count] != NULL && ++count < MAX_PARTS) parts[count] = va_arg(more, const char *);
  va_end(more);
  return raise_joined(kind, parts, count, &none);
}

int raise_null(const char *function, const char *argument)
{
  return raise_error("ValueError", function, ": `", argument, "` must not be NULL", NULL);
}

int raise_bytes(const char *function, const char *argument, const TVMFFIByteArray *bytes)
{
  char size[32];
  snprintf(size, sizeof size, "%zu", bytes->size);
  return raise_error("ValueError", function, ": `", argument, "` announces ", size, " bytes, ",
                     bytes->data == NULL ? "but its data is NULL" : "more than memory can hold",
                     NULL);
}

int raise_wrong_type(const char *function, const char *argument, const char *due,
                     int32_t type_index)
{
  return raise_error("TypeError", function, ": `", argument, "` must be ", due,
                     ", but its type index is ", raise_number(type_index).text, NULL);
}

int raise_negative(const char *function, const char *argument, int64_t number)
{
  return raise_error("ValueError", function, ": `", argument, "` is ", raise_number(number).text,
                     ", but must not be negative", NULL);
}

int raise_no_type(const char *function, const char *argument, int32_t type_index)
{
  return raise_error("InternalError", function, ": `", argument, "` is ",
                     raise_number(type_index).text, ", which is the index of no type", NULL);
}

RaiseNumber raise_number(int64_t number)
{
  RaiseNumber out;
  snprintf(out.text, sizeof out.text, "%lld", (long long)number);
  return out;
}

RaiseName raise_name(const TVMFFIByteArray *name)
{
  RaiseName out;
  size_t size = name->size < sizeof out.text ? name->size : sizeof out.text - 1;
  while (size < name->size && size != 0 && (name->data[size] & 0xc0) == 0x80) --size;  // of UTF-8
  snprintf(out.text, sizeof out.text, "%.*s", (int)size, name->data == NULL ? "" : name->data);
  return out;
}

//--------------------------------------------------------------------------------------------------
// The C API
//--------------------------------------------------------------------------------------------------

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error)
{
  TVMFFIObject *object = error;
  if (object != NULL && object->type_index != kTVMFFIError) {
    raise_wrong_type(__func__, "error", "an Error", object->type_index);  // ERR-37
    return;
  }
  if (object != NULL) object_retain(object);  // ERR-6; before the slot lets go of it, for ERR-8
  thread_raise(object);                       // ERR-9
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle *result)
{
  if (result == NULL) return;
  *result = thread_take_raised();  // ERR-3, ERR-4
}

// ERR-37: a missing kind must not lose the message, nor leave an older error in the slot.
static const char *raise_kind(const char *kind)
{
  return kind != NULL ? kind : "RuntimeError";
}

// Raises for whoever called the function that returns to `from`.
static void raise_for(const void *from, const char *kind, const char *const *parts, int32_t count)
{
  char text[FRAMES_ROOM];
  const TVMFFIByteArray backtrace = {text, frames_write(from, false, false, text)};
  raise_joined(raise_kind(kind), parts, count, &backtrace);
}

#define RAISE_CALLER __builtin_extract_return_addr(__builtin_return_address(0))

void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message)
{
  raise_for(RAISE_CALLER, kind, &message, 1);  // ERR-14
}

void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **message_parts,
                                       int32_t num_parts)
{
  if (message_parts == NULL) num_parts = 0;  // ERR-20
  raise_for(RAISE_CALLER, kind, message_parts, num_parts);
}
