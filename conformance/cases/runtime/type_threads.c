// SPDX-License-Identifier: Apache-2.0
// Types from several threads.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "cases/runtime/type_registering.h"

CHAPTER(type);

enum { THREADS = 4, TYPES = 16 };

typedef struct Known {
  int32_t index;
  char key[32];
  size_t size;
  const TVMFFITypeInfo *info;
} Known;

static Known known[TYPES];
static const TVMFFITypeAttrColumn *known_column;

static void register_known(Iut *iut)
{
  TVMFFIByteArray attribute = bytes_of("conform.attribute");
  for (unsigned i = 0; i < TYPES; ++i) {
    known[i].size = (size_t)snprintf(known[i].key, sizeof known[i].key, "conform.known.%u", i);
    TVMFFIByteArray key = {known[i].key, known[i].size};
    known[i].index = register_key(iut, &key, (TypePlan){.slots = 1});
    known[i].info = info_of(iut, known[i].index);
    TVMFFIAny value = view_of_int(known[i].index);
    require(expect_ok(iut, iut->TypeRegisterAttr(known[i].index, &attribute, &value)));
  }
  known_column = iut->GetTypeAttrColumn(&attribute);
  require(expect_not_null("the column", known_column));
}

// Whether a type is found by key and by index, as it was before.
static bool finds(Iut *iut, const Known *type)
{
  TVMFFIByteArray key = {type->key, type->size};
  int32_t index = -1;
  return iut->TypeKeyToIndex(&key, &index) == 0 && index == type->index &&
         iut->GetTypeInfo(index) == type->info && type->info->type_key.size == type->size &&
         memcmp(type->info->type_key.data, type->key, type->size) == 0;
}

static bool finds_attribute(Iut *iut, const Known *type)
{
  TVMFFIByteArray attribute = bytes_of("conform.attribute");
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(&attribute);
  return column == known_column && column->data[type->index].type_index == kTVMFFIInt &&
         column->data[type->index].v_int64 == type->index;
}

static void look_up(Iut *iut, unsigned index, __attribute__((unused)) void *context)
{
  for (unsigned i = 0; i < 200; ++i) {
    const Known *type = &known[(index + i) % TYPES];
    if (!expect_that(finds(iut, type) && finds_attribute(iut, type),
                     "key, information and attribute as one thread found them",
                     "something else for %s", type->key))
      return;
  }
}

CASE(threads_look_types_up_at_once, .clauses = {TYPE_29},
     .title = "four threads that look up keys, information and attributes find what is there")
{
  register_known(iut);
  run_in_threads(iut, THREADS, look_up, NULL);
}

//--------------------------------------------------------------------------------------------------
// Looking up while another thread registers
//--------------------------------------------------------------------------------------------------

enum { REGISTRATIONS = 3000, REGISTERING_MS = 400 };

static atomic_uint look_ups;
static atomic_bool over, lost;

static void *keep_looking_up(void *iut)
{
  for (unsigned i = 0; !atomic_load(&over); ++i) {
    if (!finds(iut, &known[i % TYPES])) atomic_store(&lost, true);
    atomic_fetch_add(&look_ups, 1);
  }
  return NULL;
}

static long now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Lets the other thread look something up between any two registrations, so that they meet.
static unsigned register_meanwhile(Iut *iut)
{
  unsigned count = 0;
  for (long end = now_ms() + REGISTERING_MS; count < REGISTRATIONS && now_ms() < end; ++count) {
    unsigned seen = atomic_load(&look_ups);
    while (atomic_load(&look_ups) == seen && !atomic_load(&lost)) sched_yield();
    if (atomic_load(&lost)) break;
    if (new_numbered_type(iut, "conform.meanwhile", count, (TypePlan){.slots = 1}) < 0) break;
  }
  return count;
}

CASE(types_are_found_while_others_are_registered, .clauses = {TYPE_30},
     .title = "types are found by key and by index while another thread registers thousands")
{
  register_known(iut);
  pthread_t thread;
  if (pthread_create(&thread, NULL, keep_looking_up, iut) != 0)
    case_inconclusive("no thread can be started");
  unsigned count = register_meanwhile(iut);
  atomic_store(&over, true);
  pthread_join(thread, NULL);
  expect_that(!atomic_load(&lost), "every look-up finds its type", "one did not, among %u others",
              count);
  expect_that(count > 0, "types can be registered meanwhile", "not one");
}

//--------------------------------------------------------------------------------------------------
// Registering from several threads
//--------------------------------------------------------------------------------------------------

enum { KEYS = 300 };

static int32_t given[THREADS][KEYS];

static void register_shared_keys(Iut *iut, unsigned thread, __attribute__((unused)) void *context)
{
  char text[32];
  for (unsigned i = 0; i < KEYS; ++i) {
    TVMFFIByteArray key = {text, (size_t)snprintf(text, sizeof text, "conform.shared.%u", i)};
    given[thread][i] = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  }
}

static void register_own_keys(Iut *iut, unsigned thread, __attribute__((unused)) void *context)
{
  char text[32];
  for (unsigned i = 0; i < KEYS; ++i) {
    TVMFFIByteArray key = {text,
                           (size_t)snprintf(text, sizeof text, "conform.own.%u.%u", thread, i)};
    given[thread][i] = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  }
}

CASE(threads_that_register_the_same_keys_get_the_same_indices, .clauses = {TYPE_31},
     .title = "four threads that register 300 keys at the same time agree on their indices")
{
  run_in_threads(iut, THREADS, register_shared_keys, NULL);
  char text[32];
  for (unsigned i = 0; i < KEYS; ++i) {
    TVMFFIByteArray key = {text, (size_t)snprintf(text, sizeof text, "conform.shared.%u", i)};
    require(expect_index(iut, &key, given[0][i]));
    for (unsigned thread = 1; thread < THREADS; ++thread)
      require(expect_int("the index that another thread got", given[thread][i], given[0][i]));
  }
}

CASE(threads_that_register_different_keys_get_different_indices, .clauses = {TYPE_31},
     .title = "the 1200 keys that four threads register at the same time have their own indices")
{
  run_in_threads(iut, THREADS, register_own_keys, NULL);
  char text[32];
  for (unsigned thread = 0; thread < THREADS; ++thread)
    for (unsigned i = 0; i < KEYS; ++i) {
      size_t size = (size_t)snprintf(text, sizeof text, "conform.own.%u.%u", thread, i);
      TVMFFIByteArray key = {text, size};
      require(expect_index(iut, &key, given[thread][i]));
      require(expect_named(iut, given[thread][i], text, size));
    }
}
