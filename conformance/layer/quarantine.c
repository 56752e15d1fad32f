// SPDX-License-Identifier: Apache-2.0
#include "layer/quarantine.h"

#include <string.h>

#include "layer/closures.h"
#include "layer/link.h"
#include "layer/objects.h"

enum { PLACES = 1024, WEAK = kTVMFFIObjectDeleterFlagBitMaskWeak };

// The counter of an object whose content is destroyed and whose memory is not freed.
#define DEAD_COUNT (UINT64_C(1) << 32)

typedef struct Kept {
  TVMFFIObject *object;
  TVMFFIObject header;  // as the deleter left it
  TVMFFISafeCallType safe_call;
  ShadowEntry entry;
} Kept;

enum { EMPTY, BUSY, FULL };
static struct {
  atomic_int state;
  Kept kept;
} places[PLACES];
static atomic_uint next;

static TVMFFIFunctionCell *cell_of(TVMFFIObject *function)
{
  return (TVMFFIFunctionCell *)(function + 1);
}

// --- Use after death -----------------------------------------------------------------------------

static bool find(const void *object, Kept *kept)
{
  for (int i = 0; i < PLACES; ++i) {
    *kept = places[i].kept;
    if (kept->object == object && atomic_load(&places[i].state) == FULL) return true;
  }
  return false;
}

void quarantine_deleter(void *self, int flags)
{
  Kept kept;
  const TVMFFIObject *object = self;
  LayerParties who = {(uintptr_t)__builtin_return_address(0), 0, ABI_FUNCTION_COUNT, NULL};
  if (find(self, &kept)) who.callee = (uintptr_t)kept.entry.deleter;
  LAYER_REPORT(CHECK_DELETER_TWICE, &who, NULL, object->type_index, flags, 3);
}

static int ffi_call_dead(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args, (void)result;
  Kept kept;
  LayerParties who = {(uintptr_t)__builtin_return_address(0), 0, ABI_FUNCTION_COUNT, NULL};
  if (find(self, &kept)) who.callee = kept.entry.code;
  LAYER_REPORT(CHECK_DEAD_CALLED, &who, NULL, 0);
  for (int i = 0; i < LAYER_RUNTIMES_MAX; ++i) {
    const LayerRuntime *runtime = &tvmffi_layer_link.runtimes[i];
    if (!runtime->start || !runtime->real.ErrorSetRaisedFromCStr) continue;
    runtime->real.ErrorSetRaisedFromCStr("RuntimeError", "the function was already destroyed");
    break;
  }
  return -1;
}

// Nobody knows who wrote it: code that counts in place is not seen.
static void check(const Kept *kept)
{
  const TVMFFIObject *object = kept->object;
  const LayerParties who = {kept->entry.made, (uintptr_t)kept->entry.deleter, ABI_FUNCTION_COUNT,
                            kept->entry.runtime};
  if (object->combined_ref_count != DEAD_COUNT)
    LAYER_REPORT(CHECK_DEAD_COUNTED, &who, NULL, kept->header.type_index,
                 (int64_t)(object->combined_ref_count - DEAD_COUNT));
  if (object->type_index != kept->header.type_index || object->deleter != quarantine_deleter ||
      (kept->safe_call && cell_of(kept->object)->safe_call != ffi_call_dead))
    LAYER_REPORT(CHECK_DEAD_WRITTEN, &who, NULL, kept->header.type_index, object->type_index);
}

// --- Keeping -------------------------------------------------------------------------------------

static void free_kept(const Kept *kept)
{
  check(kept);
  *kept->object = kept->header;
  if (kept->safe_call) cell_of(kept->object)->safe_call = kept->safe_call;
  ffi_call_destroy(kept->object, WEAK, &kept->entry, kept->entry.made);
}

// The memory that lies in the place goes free first.
static bool claim(unsigned place, Kept *there, int *was)
{
  *was = atomic_exchange(&places[place].state, BUSY);
  if (*was == FULL) *there = places[place].kept;
  return *was != BUSY;
}

bool ffi_call_quarantined(TVMFFIObject *object, const ShadowEntry *entry, uintptr_t caller)
{
  if (!layer_ring->keeps_dead || !layer_is_in_runtime((uintptr_t)entry->deleter) ||
      (uint32_t)object->combined_ref_count != 0)
    return false;
  unsigned place = atomic_fetch_add(&next, 1) % PLACES;
  Kept old;
  int was;
  if (!claim(place, &old, &was)) return false;
  Kept kept = {.object = object, .entry = *entry};
  ffi_call_destroy(object, kTVMFFIObjectDeleterFlagBitMaskStrong, entry, caller);
  kept.entry.phases |= SHADOW_CLOSED;
  objects_check_destroyed(object, entry);
  kept.header = *object;
  object->combined_ref_count = DEAD_COUNT;
  object->deleter = quarantine_deleter;
  if (entry->safe_call) {
    kept.safe_call = cell_of(object)->safe_call;
    cell_of(object)->safe_call = ffi_call_dead;
  }
  places[place].kept = kept;
  atomic_store(&places[place].state, FULL);
  if (was == FULL) free_kept(&old);
  return true;
}

void quarantine_flush(bool frees)
{
  for (unsigned i = 0; layer_ring->keeps_dead && i < PLACES; ++i) {
    int full = FULL;
    if (!frees) {
      if (atomic_load(&places[i].state) == FULL) check(&places[i].kept);
    } else if (atomic_compare_exchange_strong(&places[i].state, &full, BUSY)) {
      const Kept kept = places[i].kept;
      atomic_store(&places[i].state, EMPTY);
      free_kept(&kept);
    }
  }
}
