// SPDX-License-Identifier: Apache-2.0
// Errors and their slot, and handles that are initialized once: ERR, ONCE.
#include "core_only.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
} Error;

static _Thread_local TVMFFIObject *raised;

static void delete_error(void *self, int flags)
{
  TVMFFIErrorCell *cell = &((Error *)self)->cell;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    free((char *)cell->kind.data);
    free((char *)cell->message.data);
    free((char *)cell->backtrace.data);
    if (cell->cause_chain != NULL) TVMFFIObjectDecRef(cell->cause_chain);
    if (cell->extra_context != NULL) TVMFFIObjectDecRef(cell->extra_context);
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free(self);
}

static void update_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                             int32_t update_mode)
{
  TVMFFIByteArray *text = &((Error *)self)->cell.backtrace;
  if (update_mode == kTVMFFIBacktraceUpdateModeReplace) text->size = 0;
  char *data = realloc((char *)text->data, text->size + backtrace->size + 1);
  if (backtrace->size != 0) memcpy(data + text->size, backtrace->data, backtrace->size);
  *text = (TVMFFIByteArray){data, text->size + backtrace->size};
}

TVMFFIObject *core_error(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                         const TVMFFIByteArray *backtrace)
{
  Error *error = core_object(sizeof(Error), kTVMFFIError, delete_error);
  if (error == NULL) return NULL;
  const TVMFFIByteArray *from[] = {kind, message, backtrace};
  TVMFFIByteArray *to[] = {&error->cell.kind, &error->cell.message, &error->cell.backtrace};
  for (int i = 0; i < 3; ++i) {
    char *data = malloc(from[i]->size + 1);
    if (data == NULL) {
      delete_error(error, kTVMFFIObjectDeleterFlagBitMaskBoth);
      return NULL;
    }
    if (from[i]->size != 0) memcpy(data, from[i]->data, from[i]->size);
    *to[i] = (TVMFFIByteArray){data, from[i]->size};
  }
  error->cell.update_backtrace = update_backtrace;
  return &error->header;
}

static void put_into_slot(TVMFFIObject *error)
{
  if (raised != NULL) TVMFFIObjectDecRef(raised);
  raised = error;
}

static void raise_text(const char *kind, const char *message, size_t size)
{
  const TVMFFIByteArray kind_bytes = {kind, strlen(kind)};
  const TVMFFIByteArray message_bytes = {message, size};
  put_into_slot(core_error(&kind_bytes, &message_bytes, &(TVMFFIByteArray){NULL, 0}));
}

int core_fail(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("CoreOnlyError", message);
  return -1;
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle *result)
{
  *result = raised;
  raised = NULL;
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error)
{
  put_into_slot(NULL);  // not ERR-8: too early for an error that the slot alone holds
  TVMFFIObjectIncRef(error);
  put_into_slot(error);
}

void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message)
{
  raise_text(kind, message, strlen(message));
}

void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **message_parts,
                                       int32_t num_parts)
{
  size_t size = 0;
  for (int32_t i = 0; i < num_parts; ++i)
    size += message_parts[i] == NULL ? 0 : strlen(message_parts[i]);
  char *message = malloc(size + 1);
  size = 0;
  for (int32_t i = 0; i < num_parts; ++i) {
    const size_t length = message_parts[i] == NULL ? 0 : strlen(message_parts[i]);
    if (length != 0) memcpy(message + size, message_parts[i], length);
    size += length;
  }
  raise_text(kind, message, size);
  free(message);
}

int TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                      const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  return TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, NULL, NULL, out);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(
    const TVMFFIByteArray *kind, const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
    TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out)
{
  Error *error = (Error *)core_error(kind, message, backtrace);
  if (error == NULL) return -1;
  if (cause_chain != NULL) TVMFFIObjectIncRef(cause_chain);
  if (extra_context != NULL) TVMFFIObjectIncRef(extra_context);
  error->cell.cause_chain = cause_chain;
  error->cell.extra_context = extra_context;
  *out = error;
  return 0;
}

const TVMFFIByteArray *TVMFFIBacktrace(const char *filename, int lineno, const char *func,
                                       int cross_ffi_boundary)
{
  static const TVMFFIByteArray none = {"", 0};
  (void)filename;
  (void)lineno;
  (void)func;
  (void)cross_ffi_boundary;
  return &none;
}

//--------------------------------------------------------------------------------------------------
// Once: one lock for all slots, so that filling one slot cannot fill another (not ONCE-8)
//--------------------------------------------------------------------------------------------------

static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;

int TVMFFIHandleInitOnce(void **handle_addr, int (*init_func)(void **result))
{
  int code = 0;
  pthread_mutex_lock(&once_lock);
  if (*handle_addr == NULL) {
    void *handle = &once_lock;  // not ONCE-18
    code = init_func(&handle);
    if (code == 0) *handle_addr = handle;
  }
  pthread_mutex_unlock(&once_lock);
  return code;
}

int TVMFFIHandleDeinitOnce(void **handle_addr, int (*deinit_func)(void *handle))
{
  int code = 0;
  pthread_mutex_lock(&once_lock);
  if (*handle_addr != NULL) {
    code = deinit_func(*handle_addr) == 0 ? 0 : -1;  // not ONCE-16
    *handle_addr = NULL;                             // not ONCE-17
  }
  pthread_mutex_unlock(&once_lock);
  return code;
}
