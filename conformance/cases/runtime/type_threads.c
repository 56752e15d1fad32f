// SPDX-License-Identifier: Apache-2.0
// Looking types up, and registering them, from several threads.
#include "cases/runtime/race.h"
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

enum { REGISTRATIONS = 1500, REGISTRATIONS_LEAST = REGISTRATIONS / 50 };

static atomic_bool lost;

static void *keep_looking_up(void *iut)
{
  for (unsigned i = 0; !atomic_load(&race_over); ++i) {
    if (!finds(iut, &known[i % TYPES])) {
      atomic_store(&lost, true);
      atomic_store(&race_over, true);
    }
    atomic_fetch_add(&race_steps[1], 1);
  }
  return NULL;
}

// Registers types, each when the other thread is in the middle of look-ups. Returns how many.
static unsigned register_meanwhile(Iut *iut)
{
  unsigned count = 0;
  for (long start = race_now_ms(); count < REGISTRATIONS; ++count) {
    long end = race_end(start, count >= REGISTRATIONS_LEAST);
    if (!race_keep_step(0, atomic_load(&race_steps[1]) + 2, end)) break;
    if (new_numbered_type(iut, "conform.meanwhile", count, (TypePlan){.slots = 1}) < 0) break;
  }
  atomic_store(&race_over, true);
  return count;
}

CASE(types_are_found_while_others_are_registered, .clauses = {TYPE_30}, .patience = RACE_PATIENCE,
     .title = "a thread finds types by key and by index while another one registers types")
{
  register_known(iut);
  pthread_t thread = race_start_beside(keep_looking_up, iut);
  unsigned count = register_meanwhile(iut);
  require(expect_that(!lost, "look-ups that find their types", "one that does not"));
  pthread_join(thread, NULL);
  if (count < REGISTRATIONS_LEAST) case_inconclusive("the machine is too busy for two threads");
}

//--------------------------------------------------------------------------------------------------
// Registering from two threads
//--------------------------------------------------------------------------------------------------

enum { ROUNDS = 500, ROUNDS_LEAST = ROUNDS / 25 };

static int32_t given[2][ROUNDS];
static bool own_keys;  // each thread has keys of its own

static TVMFFIByteArray raced_key(unsigned thread, unsigned round, char text[32])
{
  int size = snprintf(text, 32, "conform.raced.%u.%u", own_keys ? thread : 0, round);
  return (TVMFFIByteArray){text, (size_t)size};
}

// In each round both threads register a type at the same time, and then look at what they got.
static unsigned race(Iut *iut, unsigned thread)
{
  char text[32];
  long start = race_now_ms();
  unsigned round = 0;
  for (; round < ROUNDS; ++round) {
    long end = race_end(start, round >= ROUNDS_LEAST);
    TVMFFIByteArray key = raced_key(thread, round, text);
    if (!race_keep_step(thread, 2 * round + 1, end)) break;
    given[thread][round] = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
    if (!race_keep_step(thread, 2 * round + 2, end)) break;
    if ((given[0][round] == given[1][round]) == own_keys) atomic_store(&lost, true);
    if (atomic_load(&lost)) break;
  }
  return round;
}

static void *race_beside(void *iut)
{
  race(iut, 1);
  return NULL;
}

static const struct {
  const char *name;
  bool own;
} races[] = {{"the_same_key", false}, {"different_keys", true}};

CASE_ROWS(threads_register_at_once, races, .clauses = {TYPE_31}, .patience = RACE_PATIENCE,
          .title =
              "two threads that register the same key at the same time get the same index, and "
              "those that register different keys get different ones")
{
  own_keys = row->own;
  pthread_t thread = race_start_beside(race_beside, iut);
  unsigned rounds = race(iut, 0);
  if (rounds < ROUNDS) atomic_store(&race_over, true);
  require(expect_that(!lost, own_keys ? "different indices" : "the same index",
                      "in round %u the threads got %" PRId32 " and %" PRId32, rounds,
                      given[0][rounds % ROUNDS], given[1][rounds % ROUNDS]));
  pthread_join(thread, NULL);
  if (rounds < ROUNDS_LEAST) case_inconclusive("the machine is too busy for two threads");
  char text[32];
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < 2; ++i) {
      TVMFFIByteArray key = raced_key(i, round, text);
      require(expect_index(iut, &key, given[i][round]));
      require(expect_named(iut, given[i][round], key.data, key.size));
    }
}
