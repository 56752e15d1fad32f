// SPDX-License-Identifier: Apache-2.0
#include "worker/frames.h"

#if __has_include(<execinfo.h>)

#include <execinfo.h>

int frames_walk(void **frames, int size)
{
  return backtrace(frames, size);
}

#else

// musl has no backtrace(). GCC's unwinder is what glibc's rests on, too; it is there wherever C++
// is.
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

static __typeof__(_Unwind_Backtrace) *unwind;
static __typeof__(_Unwind_GetIP) *address_of;

typedef struct Walk {
  void **frames;
  int size, count;
} Walk;

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
  Walk *walk = argument;
  if (walk->count == walk->size) return _URC_END_OF_STACK;
  uintptr_t address = address_of(context);
  memcpy(&walk->frames[walk->count++], &address, sizeof address);
  return _URC_NO_REASON;
}

static void find_unwinder(void)
{
  void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
  void *walker = library ? dlsym(library, "_Unwind_Backtrace") : NULL;
  void *teller = library ? dlsym(library, "_Unwind_GetIP") : NULL;
  if (!walker || !teller) return;
  memcpy(&address_of, &teller, sizeof teller);
  memcpy(&unwind, &walker, sizeof walker);
}

int frames_walk(void **frames, int size)
{
  static bool looked;
  Walk walk = {frames, size, 0};
  if (!looked) find_unwinder();
  looked = true;
  if (unwind) unwind(note_frame, &walk);
  return walk.count;
}

#endif

void frames_prepare(void)
{
  void *frames[4];
  frames_walk(frames, 4);
}
