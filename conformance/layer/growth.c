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

// A birth: the number of a site and 1, the generation, and whether the object was handed over.
enum { SITE_BITS = 16, HANDED_OVER = 1 << 24 };

static uint32_t birth_of(unsigned site, unsigned generation)
{
  return (site + 1) | generation << SITE_BITS;
}

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

static bool is_on(void)
{
  return layer_ring->enabled[CHECK_OBJECTS_LEFT] || layer_ring->enabled[CHECK_OBJECTS_KEPT];
}

void growth_begin(RingCall *call)
{
  unsigned site = call->callee && is_on() ? site_of(call) : SITES;
  if (site == SITES) return;
  unsigned number = atomic_fetch_add(&sites[site].calls, 1) + 1;
  unsigned generation = 31 - (unsigned)__builtin_clz(number);
  call->birth = birth_of(site, generation < GENERATIONS ? generation : GENERATIONS - 1);
}

// --- Objects -------------------------------------------------------------------------------------

uint32_t growth_birth(void)
{
  unsigned place = threads_own_place();
  if (place == RING_OWN_MAX) return 0;
  const RingThread *thread = &layer_process->threads[place];
  return atomic_load_explicit(&thread->depth, memory_order_relaxed) ? thread->call.birth : 0;
}

void growth_note_handed_over(const TVMFFIObject *object)
{
  uint32_t now = growth_birth(), *birth = now ? shadow_birth(object) : NULL;
  if (birth && __atomic_load_n(birth, __ATOMIC_RELAXED) == now)
    __atomic_store_n(birth, now | HANDED_OVER, __ATOMIC_RELAXED);
}

// --- The end of the program ----------------------------------------------------------------------

static uint32_t alive[SITES][2][GENERATIONS];  // handed over: 1
static int32_t types[SITES][2];

static void count(const TVMFFIObject *object, const ShadowEntry *entry)
{
  unsigned site = (entry->birth & ((1u << SITE_BITS) - 1)) - 1;
  if (site >= SITES) return;
  bool handed_over = entry->birth & HANDED_OVER;
  ++alive[site][handed_over][(entry->birth >> SITE_BITS & 0xff) % GENERATIONS];
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
  if (!is_on()) return;
  shadow_visit(count);
  for (unsigned site = 0; site < SITES; ++site) {
    unsigned calls = atomic_load(&sites[site].calls);
    for (unsigned handed_over = 0; handed_over < 2; ++handed_over)
      if (each_left_one(calls, alive[site][handed_over]))
        LAYER_REPORT(handed_over ? CHECK_OBJECTS_KEPT : CHECK_OBJECTS_LEFT, &sites[site].who, NULL,
                     calls, types[site][handed_over]);
  }
}
