// SPDX-License-Identifier: Apache-2.0
// What has a traced program call the layer where the loader takes no library for LD_AUDIT. It is
// preloaded, too: its TVMFFI* come before those of a runtime where a symbol is bound, and its dlsym
// answers with the layer's functions. Under LD_AUDIT, audit.c takes all of its symbols away.
//
// Who is asked for depends on who asks, so whatever is handed on is handed on with a jump: the return
// address stays that of the caller.
#include "audit/preload.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "audit/claim.h"
#include "audit/library.h"

#define EXPORTED __attribute__((visibility("default")))

// Of the places that are given out. The loader, which has locks of its own, is not called under it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LayerLink *_Atomic the_link;

static const char *const symbols[ABI_FUNCTION_COUNT] = {
#define ABI_FUNCTION(chapter, since, result, name, parameters) "TVMFFI" #name,
#include "abi/functions.def"
};

// --- The C library's -----------------------------------------------------------------------------

typedef void *(*Look)(void *handle, const char *name);
static Look _Atomic real_dlsym;
static int (*_Atomic real_dlclose)(void *handle);

// dlsym can't be asked for itself.
static Look find_dlsym(void)
{
  static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
  Look look = NULL;
  for (size_t i = 0; i < sizeof versions / sizeof *versions && !look; ++i)
    *(void **)(void *)&look = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  if (!look) abort();
  atomic_store(&real_dlsym, look);
  return look;
}

static inline Look look(void)
{
  Look known = atomic_load_explicit(&real_dlsym, memory_order_relaxed);
  return __builtin_expect(known != NULL, 1) ? known : find_dlsym();
}

static int close_library(void *handle)
{
  int (*close)(void *) = atomic_load(&real_dlclose);
  if (!close) {
    *(void **)(void *)&close = look()(RTLD_NEXT, "dlclose");
    atomic_store(&real_dlclose, close);
  }
  return close(handle);
}

// NULL: the layer is not there.
static LayerLink *layer_link(void)
{
  LayerLink *link = atomic_load_explicit(&the_link, memory_order_relaxed);
  if (__builtin_expect(link != NULL, 1)) return link;
  link = (LayerLink *)look()(RTLD_DEFAULT, LAYER_LINK_SYMBOL);
  atomic_store(&the_link, link);
  return link;
}

// --- Libraries -----------------------------------------------------------------------------------

enum { LIBRARIES_MAX = 2048 };

// Those that the layer was told of.
typedef struct Told {
  uintptr_t base, start, end;
} Told;
static Told told[LIBRARIES_MAX];
static unsigned told_count;

static bool is_new(const LayerImage *image)
{
  if (told_count == LIBRARIES_MAX) return false;
  for (unsigned i = 0; i < told_count; ++i)
    if (told[i].start == image->start && told[i].end == image->end) return false;
  told[told_count++] = (Told){image->base, image->start, image->end};
  return true;
}

static void tell(const LayerImage *image)
{
  void (*on_open)(const LayerImage *image) = atomic_load(&layer_link()->on_open);
  if (!on_open || image->end == 0) return;
  pthread_mutex_lock(&lock);
  bool is_told = is_new(image);
  pthread_mutex_unlock(&lock);
  if (is_told) on_open(image);
}

static bool read_library(struct link_map *map, Library *library)
{
  const ElfW(Phdr) *headers = map->l_name[0] ? NULL : (const void *)getauxval(AT_PHDR);
  return library_read(map, headers, getauxval(AT_PHNUM), library);
}

// dl_iterate_phdr does not know libraries of other namespaces; dladdr does.
static bool is_there(uintptr_t address)
{
  Dl_info about;
  return dladdr((const void *)address, &about) != 0;
}

// What was told first that is gone now. False: nothing is.
static bool take_gone(Told *gone)
{
  for (unsigned i = 0;; ++i) {
    pthread_mutex_lock(&lock);
    bool any = i < told_count;
    if (any) *gone = told[i];
    pthread_mutex_unlock(&lock);
    if (!any) return false;
    if (is_there(gone->start)) continue;
    pthread_mutex_lock(&lock);
    bool same = i < told_count && told[i].start == gone->start;
    if (same) told[i] = told[--told_count];
    pthread_mutex_unlock(&lock);
    if (same) return true;
  }
}

static struct link_map *map_of(const void *address)
{
  Dl_info about;
  struct link_map *map = NULL;
  return dladdr1(address, &about, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static int tell_of(struct dl_phdr_info *info, size_t size, void *unused)
{
  (void)size, (void)unused;
  struct link_map map = {.l_addr = info->dlpi_addr, .l_name = (char *)(uintptr_t)info->dlpi_name};
  Library library;
  if (library_read(&map, info->dlpi_phdr, info->dlpi_phnum, &library)) tell(&library.image);
  return 0;
}

static bool is_own(const void *address)
{
  const struct link_map *map = map_of(address);
  return !map || map == map_of((const void *)&lock) || map == map_of(layer_link());
}

// --- Runtimes ------------------------------------------------------------------------------------

static unsigned known_runtime(const LayerImage *image)
{
  LayerLink *link = layer_link();
  unsigned number = 0, count = atomic_load(&link->runtime_count);
  while (number < count && atomic_load(&link->runtimes[number].start) != image->start) ++number;
  return number < count ? number : (unsigned)LAYER_RUNTIMES_MAX;
}

// The number of the runtime that has this function; LAYER_RUNTIMES_MAX: it is not of one that is watched.
static unsigned runtime_of(const void *function)
{
  Library library;
  struct link_map *map = map_of(function);
  if (!map || !read_library(map, &library)) return LAYER_RUNTIMES_MAX;
  const LayerImage image = library.image;
  unsigned number = known_runtime(&image);
  if (number < LAYER_RUNTIMES_MAX) return number;
  AbiApi real;
  if (!library_read_symbols(&library)) return number;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&real)[i] = (void *)library_find(&library, symbols[i], STT_FUNC);
  if (!real.GetVersion || !real.FunctionCall) return number;
  pthread_mutex_lock(&lock);
  number = known_runtime(&image);  // another thread may have been faster
  if (number == LAYER_RUNTIMES_MAX) {
    number = claim_runtime(layer_link(), image.start, image.end);
    if (number < LAYER_RUNTIMES_MAX) layer_link()->runtimes[number].real = real;
    claim_is_filled(layer_link(), number);
  }
  pthread_mutex_unlock(&lock);
  tell(&image);
  return number;
}

static void *layer_function(unsigned runtime, AbiFunctionId function)
{
  char name[128];
  snprintf(name, sizeof name, LAYER_FUNCTION_PREFIX "%u_%s", runtime,
           symbols[function] + strlen("TVMFFI"));
  return look()(RTLD_DEFAULT, name);
}

// What the symbol is bound to in the library that an address is in: what all see comes first, as the
// loader has it.
static void *real_for(const void *caller, const char *name)
{
  void *found = look()(RTLD_NEXT, name);
  if (found && !is_own(found)) return found;
  const struct link_map *map = map_of(caller);
  void *handle = map && map->l_name[0] ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!handle) return NULL;
  found = look()(handle, name);
  close_library(handle);
  return found && !is_own(found) ? found : NULL;
}

// --- Functions that are called by their names ----------------------------------------------------

// Code of libraries that called before, and what it calls.
enum { CALLERS_MAX = 256 };
static struct {
  _Atomic uintptr_t start, end;  // start 0: it was closed
  unsigned runtime;
} callers[CALLERS_MAX];
static atomic_uint caller_count;
static void *_Atomic functions[LAYER_RUNTIMES_MAX][ABI_FUNCTION_COUNT];

static unsigned known_caller(uintptr_t caller)
{
  unsigned count = atomic_load_explicit(&caller_count, memory_order_acquire);
  for (unsigned i = 0; i < count; ++i) {
    uintptr_t start = atomic_load_explicit(&callers[i].start, memory_order_relaxed);
    uintptr_t end = atomic_load_explicit(&callers[i].end, memory_order_relaxed);
    if (start && caller - start < end - start) return callers[i].runtime;
  }
  return LAYER_RUNTIMES_MAX;
}

static void remember_caller(const LayerImage *image, unsigned runtime)
{
  pthread_mutex_lock(&lock);
  unsigned count = atomic_load(&caller_count);
  if (image->end && count < CALLERS_MAX && known_caller(image->start) == LAYER_RUNTIMES_MAX) {
    callers[count].runtime = runtime;
    atomic_store(&callers[count].end, image->end);
    atomic_store(&callers[count].start, image->start);
    atomic_store(&caller_count, count + 1);
  }
  pthread_mutex_unlock(&lock);
}

static void forget_caller(uintptr_t start)
{
  unsigned count = atomic_load(&caller_count);
  for (unsigned i = 0; i < count; ++i)
    if (atomic_load(&callers[i].start) == start) atomic_store(&callers[i].start, 0);
}

static unsigned runtime_for(const char *symbol, uintptr_t caller)
{
  unsigned runtime = known_caller(caller);
  if (__builtin_expect(runtime < LAYER_RUNTIMES_MAX, 1)) return runtime;
  Library library;
  struct link_map *map = map_of((const void *)caller);
  void *real = real_for((const void *)caller, symbol);
  if (real) runtime = runtime_of(real);
  dl_iterate_phdr(tell_of, NULL);
  if (map && runtime < LAYER_RUNTIMES_MAX && read_library(map, &library))
    remember_caller(&library.image, runtime);
  return runtime;
}

void *preload_function(AbiFunctionId function, uintptr_t caller)
{
  void *found = NULL;
  unsigned runtime =
      layer_link() ? runtime_for(symbols[function], caller) : (unsigned)LAYER_RUNTIMES_MAX;
  if (runtime < LAYER_RUNTIMES_MAX) {
    found = atomic_load_explicit(&functions[runtime][function], memory_order_relaxed);
    if (!found) {
      found = layer_function(runtime, function);
      atomic_store(&functions[runtime][function], found);
    }
  } else {
    found = real_for((const void *)caller, symbols[function]);
  }
  if (found) return found;
  fprintf(stderr, "symbol lookup error: undefined symbol: %s\n", symbols[function]);
  _exit(127);
}

// --- Functions that are looked up ----------------------------------------------------------------

static const char module_prefix[] = "__tvm_ffi_";

static bool concerns(const char *name)
{
  return name && (strncmp(name, "TVMFFI", 6) == 0 ||
                  (strncmp(name, module_prefix, sizeof module_prefix - 1) == 0 &&
                   name[sizeof module_prefix - 1] != '_' && name[sizeof module_prefix - 1]));
}

static AbiFunctionId function_of(const char *name)
{
  unsigned i = 0;
  while (i < ABI_FUNCTION_COUNT && strcmp(symbols[i], name) != 0) ++i;
  return (AbiFunctionId)i;
}

static void *entry_of(void *real)
{
  Dl_info about;
  const ElfW(Sym) *symbol = NULL;
  if (!dladdr1(real, &about, (void **)(void *)&symbol, RTLD_DL_SYMENT) || !symbol ||
      (symbol->st_info & 15) != STT_FUNC)
    return real;
  TVMFFISafeCallType code;
  memcpy(&code, &real, sizeof code);
  pthread_mutex_lock(&lock);
  LayerLink *link = layer_link();
  unsigned number = 0, count = atomic_load(&link->entry_count);
  while (number < count && atomic_load(&link->entries[number].real) != code) ++number;
  if (number == count) number = claim_entry(link, code);
  pthread_mutex_unlock(&lock);
  if (number >= LAYER_ENTRIES_MAX) return real;
  char name[64];
  snprintf(name, sizeof name, LAYER_ENTRY_PREFIX "%u", number);
  return look()(RTLD_DEFAULT, name);
}

static void *redirected(void *handle, const char *name, const void *caller)
{
  bool any = handle == RTLD_DEFAULT || handle == RTLD_NEXT;
  void *real = any ? real_for(caller, name) : look()(handle, name);
  // A handle of the program itself is one of all that is global.
  if (real && !any && is_own(real)) real = real_for(caller, name);
  if (!real) return look()(RTLD_NEXT, name);  // which says why
  AbiFunctionId function = function_of(name);
  if (strncmp(name, "TVMFFI", 6) != 0) return entry_of(real);
  if (function == ABI_FUNCTION_COUNT) return real;
  unsigned runtime = runtime_of(real);
  return runtime < LAYER_RUNTIMES_MAX ? layer_function(runtime, function) : real;
}

EXPORTED void *dlsym(void *restrict handle, const char *restrict name)
{
  if (!concerns(name) || !layer_link()) return look()(handle, name);
  dl_iterate_phdr(tell_of, NULL);
  return redirected(handle, name, __builtin_return_address(0));
}

EXPORTED int dlclose(void *handle)
{
  LayerLink *link = layer_link();
  void (*before_close)(void) = link ? atomic_load(&link->before_close) : NULL;
  if (!before_close) return close_library(handle);
  dl_iterate_phdr(tell_of, NULL);
  before_close();
  int result = close_library(handle);
  for (Told gone; take_gone(&gone);) {
    forget_caller(gone.start);
    void (*on_close)(uintptr_t base, int namespace_id) = atomic_load(&link->on_close);
    if (on_close) on_close(gone.base, 0);
  }
  return result;
}

static void hold(void)
{
  pthread_mutex_lock(&lock);
}

static void let_go(void)
{
  pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void start(void)
{
  LayerLink *link = layer_link();
  if (!link || atomic_load(&link->early_count)) return;
  atomic_store(&link->by_preload, true);
  pthread_atfork(hold, let_go, let_go);
  dl_iterate_phdr(tell_of, NULL);
}
