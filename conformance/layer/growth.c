// SPDX-License-Identifier: Apache-2.0
// Calls are counted in generations: the first, the next two, the next four, and so on. What a program
// makes once and keeps, such as a cache, is of the first generations; where each call leaves
// something, as many objects of each generation are alive as it has calls.
#include "layer/growth.h"

#include "layer/threads.h"

enum { SITES = 1024, PROBES = 16, GENERATIONS = 24, JUDGED = 3, CALLS_MIN = 64 };

// Calls of a function from a place. What has no room is not counted.
static struct {
  atomic_ullong key;  // 0: free
  atomic_uint calls;
  LayerParties who;  // written by whoever took the place
} sites[SITES];

// --- Calls ---------------------------------------------------------------------------------------

static unsigned site_of(const RingCall *call)
{
  uint64_t hash =
      (call->caller * 31 + call->callee) * UINT64_C(0x9e3779b97f4a7c15) ^ call->callee >> 7;
  unsigned long long key = hash | 1;
  for (unsigned i = 0; i < PROBES; ++i) {
    unsigned place = (unsigned)((hash >> 32) + i) % SITES;
    unsigned long long none = 0;
    if (atomic_compare_exchange_strong(&sites[place].key, &none, key)) {
      sites[place].who = (LayerParties){call->caller, call->callee, call->function, NULL};
      return place;
    }
    if (none == key) return place;
  }
  return SITES;
}

void growth_begin(RingCall *call)
{
  unsigned site = call->callee ? site_of(call) : SITES;
  if (site == SITES) return;
  unsigned number = atomic_fetch_add(&sites[site].calls, 1) + 1;
  unsigned generation = 31 - (unsigned)__builtin_clz(number);
  call->birth.site = (uint16_t)(site + 1);
  call->birth.generation = (uint8_t)(generation < GENERATIONS ? generation : GENERATIONS - 1);
}

// --- Objects -------------------------------------------------------------------------------------

ShadowBirth growth_birth(void)
{
  const ShadowBirth none = {0, 0, false};
  unsigned place = threads_own_place();
  if (place == RING_OWN_MAX) return none;
  const RingThread *thread = &layer_process->threads[place];
  if (atomic_load_explicit(&thread->depth, memory_order_relaxed) == 0) return none;
  return (ShadowBirth){thread->call.birth.site, thread->call.birth.generation, false};
}

void growth_note_handed_over(const TVMFFIObject *object)
{
  ShadowBirth now = growth_birth(), *birth = now.site ? shadow_birth(object) : NULL;
  if (birth && birth->site == now.site && birth->generation == now.generation)
    birth->handed_over = true;
}

// --- The end of the program ----------------------------------------------------------------------

static uint32_t alive[SITES][2][GENERATIONS];  // handed over: 1
static int32_t types[SITES][2];

static void count(const TVMFFIObject *object, const ShadowEntry *entry)
{
  if (entry->birth.site == 0 || entry->birth.site > SITES) return;
  unsigned site = entry->birth.site - 1u, handed_over = entry->birth.handed_over;
  ++alive[site][handed_over][entry->birth.generation % GENERATIONS];
  types[site][handed_over] = object->type_index;
}

// Of the last generations that are whole.
static bool each_left_one(unsigned calls, const uint32_t of[GENERATIONS])
{
  unsigned whole = 31 - (unsigned)__builtin_clz(calls + 1);
  if (calls < CALLS_MIN || whole >= GENERATIONS) return false;
  for (unsigned i = whole - JUDGED; i < whole; ++i)
    if (of[i] < UINT32_C(1) << i) return false;
  return true;
}

void growth_take(void)
{
  if (!layer_ring->enabled[CHECK_OBJECTS_LEFT] && !layer_ring->enabled[CHECK_OBJECTS_KEPT]) return;
  shadow_visit(count);
  for (unsigned site = 0; site < SITES; ++site) {
    unsigned calls = atomic_load(&sites[site].calls);
    for (unsigned handed_over = 0; handed_over < 2; ++handed_over)
      if (each_left_one(calls, alive[site][handed_over]))
        LAYER_REPORT(handed_over ? CHECK_OBJECTS_KEPT : CHECK_OBJECTS_LEFT, &sites[site].who, NULL,
                     calls, types[site][handed_over]);
  }
}
