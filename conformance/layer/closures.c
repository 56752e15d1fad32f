// SPDX-License-Identifier: Apache-2.0
#include "layer/closures.h"

#include "layer/hooks.h"
#include "layer/threads.h"

typedef void (*Deleter)(void *self);

// --- Creations and destructions that are not over ------------------------------------------------

// A runtime may call the deleter in any of them. What has no room is not checked, and from then on
// calls can't be told apart.
enum { PHASES = 64 };
typedef struct Phase {
  atomic_ullong closure;  // its key; 0: over
  atomic_uint calls;      // of its deleter
  uint64_t order;
  LayerParties who;
  bool creates, deleted;  // deleted: it was called in an earlier phase
  bool judged;            // else whoever destroys the function has made a mistake
} Phase;
static _Atomic uintptr_t owners[PHASES];  // threads_pointer; 0: free
static Phase phases[PHASES];
static atomic_ullong orders;
static atomic_bool lost;

static uint64_t key_of(const ShadowClosure *closure)
{
  return (uint64_t)closure->deleter << 32 | closure->self;
}

static Phase *begin(const Phase *started, const ShadowClosure *closure)
{
  uint64_t hash = threads_hash();
  for (unsigned i = 0; i < PHASES; ++i) {
    unsigned place = (unsigned)((hash + i) % PHASES);
    uintptr_t nobody = 0;
    if (!atomic_compare_exchange_strong(&owners[place], &nobody, threads_pointer())) continue;
    Phase *phase = &phases[place];
    phase->order = atomic_fetch_add(&orders, 1);
    phase->who = started->who;
    phase->creates = started->creates;
    phase->deleted = started->deleted;
    phase->judged = started->judged;
    atomic_store(&phase->calls, 0);
    atomic_store(&phase->closure, key_of(closure));
    return phase;
  }
  atomic_store(&lost, true);
  return NULL;
}

// How often the deleter was called in it.
static unsigned end(Phase *phase)
{
  atomic_store(&phase->closure, 0);
  unsigned calls = atomic_load(&phase->calls);
  atomic_store(&owners[phase - phases], 0);
  return calls;
}

// The innermost one of this thread; else, as a runtime may have another thread do its work, one of
// another thread in which the deleter was not called.
static Phase *find(const ShadowClosure *closure, bool *is_own)
{
  Phase *own = NULL, *other = NULL;
  uint64_t key = key_of(closure);
  for (unsigned i = 0; i < PHASES; ++i) {
    Phase *phase = &phases[i];
    uintptr_t owner = atomic_load_explicit(&owners[i], memory_order_relaxed);
    if (owner == 0 || atomic_load(&phase->closure) != key) continue;
    if (owner != threads_pointer())
      other = atomic_load(&phase->calls) == 0 ? phase : other;
    else if (!own || phase->order > own->order)
      own = phase;
  }
  *is_own = own;
  return own ? own : other;
}

void closures_forked(void)
{
  for (unsigned i = 0; i < PHASES; ++i)
    if (atomic_load(&owners[i]) != threads_pointer()) atomic_store(&owners[i], 0);
}

// --- Calls of deleters ---------------------------------------------------------------------------

static void report(const LayerParties *who, const char *what)
{
  if (!atomic_load(&lost)) LAYER_REPORT(CHECK_CLOSURE_DELETER, who, what, 0);
}

// Before the deleter is called, which may crash when that is wrong.
static void note(const ShadowClosure *closure, uintptr_t caller)
{
  bool is_own;
  Phase *phase = find(closure, &is_own);
  if (phase) {
    unsigned before = atomic_fetch_add(&phase->calls, 1);
    if (is_own && phase->judged && !phase->creates && (before > 0 || phase->deleted))
      report(&phase->who, "is called a second time");
    return;
  }
  ShadowEntry entry;
  if (atomic_load(&lost) || !shadow_close_living(closure, &entry)) return;
  const LayerParties who = {entry.made, caller, ABI_FUNCTION_COUNT, entry.runtime};
  report(&who, "is called while the function is alive");
}

enum { DELETERS = 256, NO_PLACE = DELETERS - 1, PROBES = 16 };
static _Atomic Deleter deleters[DELETERS];

static void ffi_call_closure(unsigned place, uintptr_t caller, void *self)
{
  const ShadowClosure closure = {(uint32_t)(uintptr_t)self, (uint8_t)(place + 1)};
  Deleter deleter = atomic_load(&deleters[place]);
  note(&closure, caller);
  deleter(self);
}

#define ENTRY(place)                                                       \
  static void ffi_call_closure_##place(void *self)                         \
  {                                                                        \
    ffi_call_closure(place, (uintptr_t)__builtin_return_address(0), self); \
  }
#define ROW(m, row)                                                                         \
  m(row##0) m(row##1) m(row##2) m(row##3) m(row##4) m(row##5) m(row##6) m(row##7) m(row##8) \
      m(row##9) m(row##a) m(row##b) m(row##c) m(row##d) m(row##e) m(row##f)
#define FOUR(m, a, b, c, d) ROW(m, a) ROW(m, b) ROW(m, c) ROW(m, d)
#define ROWS(m)               \
  FOUR(m, 0x0, 0x1, 0x2, 0x3) \
  FOUR(m, 0x4, 0x5, 0x6, 0x7) \
  FOUR(m, 0x8, 0x9, 0xa, 0xb) FOUR(m, 0xc, 0xd, 0xe, 0xf)
ROWS(ENTRY)

#define NAME(place) ffi_call_closure_##place,
static const Deleter entries[] = {ROWS(NAME)};

// The place of a deleter, which may be a new one; NO_PLACE: there is no room.
static unsigned place_of(Deleter deleter)
{
  uint64_t hash = ((uintptr_t)deleter >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (unsigned i = 0; i < PROBES; ++i) {
    unsigned place = (unsigned)((hash + i) % NO_PLACE);
    Deleter there = NULL;
    if (atomic_compare_exchange_strong(&deleters[place], &there, deleter) || there == deleter)
      return place;
  }
  return NO_PLACE;
}

// --- Functions -----------------------------------------------------------------------------------

void ffi_call_destroy_closure(TVMFFIObject *object, int flags, const ShadowEntry *entry,
                              uintptr_t caller)
{
  enum { STRONG = kTVMFFIObjectDeleterFlagBitMaskStrong };
  const ShadowClosure closure = {entry->closure_self, entry->closure_deleter};
  bool again = flags & entry->phases & STRONG;
  const Phase started = {
      .who = {caller, (uintptr_t)entry->deleter, ABI_FUNCTION_COUNT, entry->runtime},
      .deleted = entry->phases & SHADOW_CLOSED,
      .judged = !again && (uint32_t)object->combined_ref_count == 0};
  Phase *phase = begin(&started, &closure);
  if (flags == STRONG) shadow_close(object);
  entry->deleter(object, flags);
  if (!phase || end(phase) > 0) return;
  if ((flags & STRONG) && started.judged && !started.deleted)
    report(&started.who, "was not called when the function was destroyed");
}

// With a deleter.
__attribute__((noinline)) static int ffi_call_closure_made(const LayerSite *at, void *self,
                                                           TVMFFISafeCallType safe_call,
                                                           Deleter deleter, TVMFFIObjectHandle *out)
{
  const AbiApi *real = &at->runtime->real;
  const LayerParties who = {at->caller, (uintptr_t)real->FunctionCreate, at->function, at->runtime};
  unsigned place = place_of(deleter);
  const ShadowClosure closure = {(uint32_t)(uintptr_t)self, (uint8_t)(place + 1)};
  const Phase started = {.who = who, .creates = true};
  Phase *phase = place < NO_PLACE ? begin(&started, &closure) : NULL;
  int code = real->FunctionCreate(self, safe_call, phase ? entries[place] : deleter, out);
  unsigned calls = phase ? end(phase) : 0;
  if (code != 0 || !out || !*out) return code;
  shadow_see(*out, &who, safe_call);
  if (!phase) return code;
  if (!shadow_set_closure(*out, &closure))
    atomic_store(&lost, true);
  else if (calls > 0)
    report(&who, "is called while the function is made");
  return code;
}

int ffi_call_closures_FunctionCreate(const LayerSite *at, void *self, TVMFFISafeCallType safe_call,
                                     Deleter deleter, TVMFFIObjectHandle *out)
{
  if (LIKELY(!deleter || !layer_ring->enabled[CHECK_CLOSURE_DELETER])) {
    int code = at->runtime->real.FunctionCreate(self, safe_call, deleter, out);
    const LayerParties who = {at->caller, 0, at->function, at->runtime};
    if (code == 0 && out && *out) shadow_see(*out, &who, safe_call);
    return code;
  }
  return ffi_call_closure_made(at, self, safe_call, deleter, out);
}
