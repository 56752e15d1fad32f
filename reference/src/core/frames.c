// SPDX-License-Identifier: Apache-2.0
#include "core/frames.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TVM_FFI_NO_UNWINDER

size_t frames_write(const void *from, bool skip, bool across, char *text)
{
  (void)from, (void)skip, (void)across, (void)text;
  return 0;
}

#else
#include "core/unwinder.h"

//--------------------------------------------------------------------------------------------------
// Names
//--------------------------------------------------------------------------------------------------

// Where frontends take over; and what only passes calls on, or raises for others.
static const char *const boundary[] = {"TVMFFIFunctionCall", "_Py", "PyObject", "slot_tp_call",
                                       "object_is_not_callable"};
static const char *const passed_over[] = {"tvm::ffi::Function",
                                          "tvm::ffi::detail::",
                                          "TVMFFIBacktrace",
                                          "TVMFFIErrorSetRaisedFromCStr",
                                          "__libc_",
                                          "ffi_call_"};
#define FRAMES_COUNT(names) (sizeof(names) / sizeof *(names))

static bool frames_begins(const char *name, const char *const *beginnings, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return true;
  }
  return false;
}

typedef char *FramesDemangle(const char *name, char *room, size_t *size, int *status);

// Returns what makes names of C++ readable; NULL if no library of C++ is loaded. It stays loaded.
static FramesDemangle *frames_find_demangle(void)
{
  static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
  static _Atomic(FramesDemangle *) found;
  FramesDemangle *demangle = atomic_load_explicit(&found, memory_order_relaxed);
  for (size_t i = 0; demangle == NULL && i < FRAMES_COUNT(libraries); ++i) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = library == NULL ? NULL : dlsym(library, "__cxa_demangle");
    memcpy(&demangle, &symbol, sizeof demangle);
    atomic_store_explicit(&found, demangle, memory_order_relaxed);
  }
  return demangle;
}

// To look through all symbols of a library takes microseconds, so the last names are kept. An
// address in a library that a thread is in means the same until a library is unloaded.
typedef struct {
  uintptr_t address;
  unsigned long long unloads;
  const char *name;  // borrow: of the library; NULL: the function there has none
} FramesName;

enum { FRAMES_NAMES = 512 };

// Returns the name of the function that an address lies in; NULL if there is none. Borrow: as long
// as the library stays loaded.
static const char *frames_name(uintptr_t address, unsigned long long unloads)
{
  static FramesName names[FRAMES_NAMES];
  static atomic_flag busy = ATOMIC_FLAG_INIT;
  FramesName *kept = &names[(address ^ address >> 9) % FRAMES_NAMES];
  bool mine = !atomic_flag_test_and_set_explicit(&busy, memory_order_acquire), known = false;
  const char *name = NULL;
  if (mine && kept->address == address && kept->unloads == unloads) {
    name = kept->name;
    known = true;
  }
  Dl_info info;
  if (!known && dladdr((const void *)address, &info) != 0) name = info.dli_sname;
  if (mine) {
    *kept = (FramesName){address, unloads, name};
    atomic_flag_clear_explicit(&busy, memory_order_release);
  }
  return name;
}

static int frames_count_unloads(struct dl_phdr_info *info, size_t size, void *unloads)
{
  (void)size;
  *(unsigned long long *)unloads = info->dlpi_subs;
  return 1;
}

// Returns own; NULL for what is not a name of C++.
static char *frames_demangle(const char *name)
{
  int status = -1;
  if (strncmp(name, "_Z", 2) != 0) return NULL;
  FramesDemangle *demangle = frames_find_demangle();
  return demangle == NULL ? NULL : demangle(name, NULL, NULL, &status);
}

//--------------------------------------------------------------------------------------------------
// The walk
//--------------------------------------------------------------------------------------------------

typedef struct {
  Unwinder unwinder;
  const void *from;
  unsigned long long unloads;  // of libraries, so far
  bool skip, across, has_begun;
  char *text;
  size_t size;
} FramesWalk;

// Returns whether the walk goes on.
static bool frames_add(FramesWalk *walk, const char *name)
{
  if (!walk->across && frames_begins(name, boundary, FRAMES_COUNT(boundary))) return false;
  if (frames_begins(name, passed_over, FRAMES_COUNT(passed_over))) return true;
  size_t room = FRAMES_ROOM - walk->size;
  int size = snprintf(walk->text + walk->size, room, FRAMES_LINE, "<unknown>", 0, name);
  if (size < 0 || (size_t)size >= room) return false;
  walk->size += (size_t)size;
  return true;
}

static bool frames_meet(FramesWalk *walk, uintptr_t address)
{
  const char *name = frames_name(address, walk->unloads);
  if (name == NULL) return true;
  char *readable = frames_demangle(name);
  bool goes_on = frames_add(walk, readable != NULL ? readable : name);
  free(readable);
  return goes_on;
}

static _Unwind_Reason_Code frames_step(struct _Unwind_Context *context, void *data)
{
  FramesWalk *walk = data;
  int before_call = 0;
  uintptr_t address = walk->unwinder.get_ip_info(context, &before_call);
  if (address == 0) return _URC_END_OF_STACK;
  if (!walk->has_begun) {
    if (address != (uintptr_t)walk->from) return _URC_NO_REASON;
    walk->has_begun = true;
    if (walk->skip) return _URC_NO_REASON;
  }
  // What follows the call may belong to the next function already.
  return frames_meet(walk, address - !before_call) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

size_t frames_write(const void *from, bool skip, bool across, char *text)
{
  FramesWalk walk = {.from = from, .skip = skip, .across = across, .text = text};
  if (!unwinder_get(&walk.unwinder)) return 0;
  dl_iterate_phdr(frames_count_unloads, &walk.unloads);
  walk.unwinder.backtrace(frames_step, &walk);
  return walk.size;
}
#endif
