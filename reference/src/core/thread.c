// SPDX-License-Identifier: Apache-2.0
// The key of pthreads is there for its destructor alone; the data are thread-local variables, which
// are faster to reach. A thread that ends while the process goes on gives everything back (ERR-13);
// at the end of the process nothing is, because foreign deleters may no longer run then.
#include "core/thread.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/object.h"

typedef struct Spare {
  struct Spare *next;
} Spare;

typedef struct {
  TVMFFIObject *raised;  // own
  TVMFFIByteArray view;
  char *text;  // own
  size_t capacity;
  void *streams;  // own
  Spare *spare;   // own
  int spares;
  bool watched;  // the key holds the address of this record
} Thread;

static _Thread_local Thread thread;  // ERR-10

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_bool key_alive;

static void thread_end(void *record)
{
  Thread *ending = record;
  ending->watched = false;  // whoever raises from now on has the thread watched again
  thread_raise(NULL);
  free(ending->text);
  ending->text = NULL;
  ending->capacity = 0;
  ending->view = (TVMFFIByteArray){"", 0};
  free(ending->streams);
  ending->streams = NULL;
  while (ending->spare != NULL) free(thread_take_spare());
}

static void thread_make_key(void)
{
  if (pthread_key_create(&key, thread_end) == 0) atomic_store(&key_alive, true);
}

// A static copy of this runtime may be unloaded with the plugin that holds it, while threads live
// on that would call `thread_end` there.
__attribute__((destructor)) static void thread_drop_key(void)
{
  if (atomic_exchange(&key_alive, false)) pthread_key_delete(key);
}

// Without a key, for want of memory, what the thread keeps is lost when it ends.
static void thread_watch(Thread *self)
{
  pthread_once(&key_once, thread_make_key);
  if (atomic_load(&key_alive)) self->watched = pthread_setspecific(key, self) == 0;
}

void thread_raise(TVMFFIObject *error)
{
  Thread *self = &thread;
  if (error != NULL && !self->watched) thread_watch(self);
  TVMFFIObject *earlier = self->raised;
  self->raised = NULL;
  if (earlier != NULL) object_release(earlier);  // ERR-7
  // Releasing may have run code that raised, too; what was to be raised has the last word.
  earlier = self->raised;
  self->raised = error;
  if (earlier != NULL) object_release(earlier);
}

TVMFFIObject *thread_take_raised(void)
{
  Thread *self = &thread;
  TVMFFIObject *error = self->raised;
  self->raised = NULL;  // ERR-5
  return error;
}

char *thread_text(size_t size)
{
  Thread *self = &thread;
  if (size <= self->capacity) return self->text;
  if (!self->watched) thread_watch(self);
  char *larger = realloc(self->text, size);
  if (larger == NULL) return NULL;
  self->text = larger;
  self->capacity = size;
  return larger;
}

TVMFFIByteArray *thread_text_view(void)
{
  return &thread.view;
}

void *thread_streams(void)
{
  return thread.streams;
}

void thread_keep_streams(void *streams)
{
  Thread *self = &thread;
  if (!self->watched) thread_watch(self);
  self->streams = streams;
}

void *thread_take_spare(void)
{
  Thread *self = &thread;
  Spare *spare = self->spare;
  if (spare == NULL) return NULL;
  self->spare = spare->next;
  --self->spares;
  return spare;
}

void thread_keep_spare(void *memory)
{
#ifdef THREAD_KEEPS_SPARES
  Thread *self = &thread;
  if (!self->watched) thread_watch(self);
  if (self->watched && self->spares < THREAD_SPARES) {
    Spare *spare = memory;
    *spare = (Spare){self->spare};
    self->spare = spare;
    ++self->spares;
    return;
  }
#endif
  free(memory);
}
