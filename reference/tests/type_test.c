// SPDX-License-Identifier: Apache-2.0
// The table of types lasts as long as the process, and without forking the tests share it: each
// uses keys and static indices of its own.
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

enum { OVERFLOW = 1 };

static TVMFFIByteArray text_of(const char *text)
{
  return (TVMFFIByteArray){text, strlen(text)};
}

// Returns the index of a key, INT_MIN if it is not registered.
static int32_t index_of(const char *key)
{
  TVMFFIByteArray text = text_of(key);
  int32_t index = INT_MIN;
  if (TVMFFITypeKeyToIndex(&text, &index) != 0) TVMFFIErrorSetRaised(NULL);
  return index;
}

static int32_t register_type(const char *key, int32_t depth, int32_t slots, int32_t overflow,
                             int32_t parent)
{
  TVMFFIByteArray text = text_of(key);
  return TVMFFITypeGetOrAllocIndex(&text, -1, depth, slots, overflow, parent);
}

static int32_t register_static(const char *key, int32_t index, int32_t depth, int32_t slots,
                               int32_t parent)
{
  TVMFFIByteArray text = text_of(key);
  return TVMFFITypeGetOrAllocIndex(&text, index, depth, slots, OVERFLOW, parent);
}

static void expect_type(int32_t index, const char *key, int32_t depth, int32_t parent)
{
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  ck_assert_ptr_nonnull(info);
  ck_assert_int_eq(info->type_index, index);
  ck_assert_int_eq(info->type_depth, depth);
  expect_bytes(&info->type_key, key, strlen(key));
  ck_assert_int_eq(index_of(key), index);
  if (depth == 0) {
    ck_assert_ptr_null(info->type_ancestors);
    return;
  }
  const TVMFFITypeInfo *above = TVMFFIGetTypeInfo(parent);
  ck_assert_ptr_eq(info->type_ancestors[depth - 1], above);
  for (int32_t i = 0; i < depth - 1; ++i) {
    ck_assert_ptr_eq(info->type_ancestors[i], above->type_ancestors[i]);
  }
}

//--------------------------------------------------------------------------------------------------
// Built-in types
//--------------------------------------------------------------------------------------------------

static const struct {
  int32_t index, depth;
  const char *key;
  uint64_t hash;
} builtins[] = {
    {0, 0, "None", 0xfb6ac968ce0ca5aa},
    {1, 0, "int", 0xaed305094b3d4a9f},
    {2, 0, "bool", 0xe5d6c19a7b27cfca},
    {3, 0, "float", 0x30fc3255e503d0f0},
    {4, 0, "void*", 0x93fff46616d48774},
    {5, 0, "DataType", 0x4f8fea07e78b865b},
    {6, 0, "Device", 0xbd3ec6f35b0ce31c},
    {7, 0, "DLTensor*", 0xcb2d26b2d1d8c04e},
    {8, 0, "const char*", 0xcd50ff68030dbbab},
    {9, 0, "TVMFFIByteArray*", 0x32519e4e9ab631a9},
    {10, 0, "ObjectRValueRef", 0x189c622331ab3f34},
    {11, 0, "ffi.SmallStr", 0xf2ac8dbc73691e03},
    {12, 0, "ffi.SmallBytes", 0x168b84b7018a151d},
    {13, 0, "ffi.Unchanged", 0x852fac5f072fc19e},
    {64, 0, "ffi.Object", 0x33a211b274fa0106},
    {65, 1, "ffi.String", 0x9cffcd16e9064976},
    {66, 1, "ffi.Bytes", 0x5ddcbe18da0b4aa8},
    {67, 1, "ffi.Error", 0xf5caa49da693165e},
    {68, 1, "ffi.Function", 0xb3b21b94552cae3d},
    {69, 1, "ffi.Shape", 0x98b3ac768e268d1e},
    {70, 1, "ffi.Tensor", 0xa0c01a8167c48cc0},
    {71, 1, "ffi.Array", 0x811300c104284401},
    {72, 1, "ffi.Map", 0x66acedc0a716b876},
    {73, 1, "ffi.Module", 0xfd67a8eacd498400},
    {74, 1, "ffi.OpaquePyObject", 0xad85a0b68e3b37a5},
    {75, 1, "ffi.List", 0x073959a12faa06c3},
    {76, 1, "ffi.Dict", 0x2fc59098b8d363a4},
    {77, 1, "ffi.VisitInterrupt", 0xcdf134df0ae8c86f},
    {78, 1, "ffi.BigInt", 0x487cadd8abd8177b},
};

TEST_GROUP(all, .timeout = 120);

// Every way to look at the table must find it filled, whichever is the first in the process.
static bool index_finds(void)
{
  return TVMFFIGetTypeInfo(kTVMFFIBigInt) != NULL;
}

static bool key_finds(void)
{
  return index_of("ffi.BigInt") == kTVMFFIBigInt;
}

static bool question_finds(void)
{
  return register_type("ffi.BigInt", 1, 0, 0, -2) == kTVMFFIBigInt;
}

static bool registration_finds(void)
{
  return register_type("type.first", 1, 0, 0, kTVMFFIObject) >= kTVMFFIDynObjectBegin &&
         register_static("type.string", kTVMFFIStr, 1, 0, kTVMFFIObject) == -1;
}

static bool (*const first_looks[])(void) = {index_finds, key_finds, question_finds,
                                            registration_finds};

TEST(the_first_look_finds_the_built_in_types, .rows = ROWS(first_looks))
{
  ck_assert(child_says(first_looks[_i]));
}

TEST(built_in_types_are_known, .rows = ROWS(builtins))
{
  expect_type(builtins[_i].index, builtins[_i].key, builtins[_i].depth, kTVMFFIObject);
  ck_assert(TVMFFIGetTypeInfo(builtins[_i].index)->type_key_hash == builtins[_i].hash);
  ck_assert_int_eq(register_type(builtins[_i].key, 7, 7, 0, 7), builtins[_i].index);
}

static const int32_t nobodys[] = {-1,  -2,   INT32_MIN, 14,      63,       79,
                                  127, 4095, 4096,      1 << 22, INT32_MAX};

TEST(an_index_without_a_type_has_no_information, .rows = ROWS(nobodys))
{
  ck_assert_ptr_null(TVMFFIGetTypeInfo(nobodys[_i]));
  expect_nothing_raised();
}

//--------------------------------------------------------------------------------------------------
// Keys
//--------------------------------------------------------------------------------------------------

TEST(every_byte_of_a_key_counts)
{
  static const TVMFFIByteArray keys[] = {
      {"type.bytes", 10}, {"type.byte", 9}, {"type.bytes\0a", 12}, {"type.bytes\0b", 12}, {"", 0}};
  int32_t seen[ROWS(keys)];
  for (int i = 0; i < ROWS(keys); ++i) {
    int32_t out = 4711;
    ck_assert_int_eq(TVMFFITypeKeyToIndex(&keys[i], &out), -1);
    expect_raised("InternalError", "which is the key of no type");
    ck_assert_int_eq(out, 4711);
    seen[i] = TVMFFITypeGetOrAllocIndex(&keys[i], -1, 1, 0, 0, kTVMFFIObject);
    ck_assert_int_ge(seen[i], kTVMFFIDynObjectBegin);
  }
  for (int i = 0; i < ROWS(keys); ++i) {
    TVMFFIByteArray copy = {fenced(keys[i].data, keys[i].size), keys[i].size};
    int32_t out;
    ck_assert_int_eq(TVMFFITypeKeyToIndex(&copy, &out), 0);
    ck_assert_int_eq(out, seen[i]);
    expect_bytes(&TVMFFIGetTypeInfo(out)->type_key, keys[i].data, keys[i].size);
  }
}

TEST(a_key_is_copied)
{
  char key[] = "type.copied";
  int32_t index = register_type(key, 1, 0, 0, kTVMFFIObject);
  memset(key, 'x', strlen(key));
  expect_type(index, "type.copied", 1, kTVMFFIObject);
}

TEST(a_known_key_keeps_its_index)
{
  int32_t index = register_type("type.known", 1, 2, 0, kTVMFFIObject);
  int32_t same[] = {
      register_type("type.known", 1, 2, 0, kTVMFFIObject),
      register_type("type.known", 3, 9, 1, kTVMFFIError),
      register_type("type.known", 1, -1, 0, -1),
      register_type("type.known", 1, 0, 0, -2),
      register_static("type.known", 65, 1, 0, kTVMFFIObject),
  };
  for (int i = 0; i < ROWS(same); ++i) ck_assert_int_eq(same[i], index);
  expect_type(index, "type.known", 1, kTVMFFIObject);
  expect_nothing_raised();
}

TEST(asking_registers_nothing)
{
  ck_assert_int_eq(register_type("type.asked", 1, 0, 0, -2), -2);
  ck_assert_int_eq(register_static("type.asked", 80, 1, 0, -2), -2);
  expect_nothing_raised();
  ck_assert_int_eq(index_of("type.asked"), INT_MIN);
  ck_assert_int_ge(register_type("type.asked", 1, 0, 0, kTVMFFIObject), kTVMFFIDynObjectBegin);
}

TEST(a_key_has_the_hash_of_the_official_runtime)
{
  int32_t index = register_type("ffi.reflection.AccessStep", 1, 0, 0, kTVMFFIObject);
  ck_assert(TVMFFIGetTypeInfo(index)->type_key_hash == UINT64_C(0x188651f5d43e9896));
}

//--------------------------------------------------------------------------------------------------
// Slots
//--------------------------------------------------------------------------------------------------

TEST(slots_go_to_descendants_only)
{
  int32_t parent = register_type("slots.parent", 1, 6, OVERFLOW, kTVMFFIObject);
  int32_t other = register_type("slots.other", 1, 0, 0, kTVMFFIObject);
  ck_assert_int_gt(other, parent + 6);
  int32_t son = register_type("slots.son", 2, 3, 0, parent);
  int32_t daughter = register_type("slots.daughter", 2, 1, 0, parent);
  ck_assert_int_eq(son, parent + 1);
  ck_assert_int_eq(daughter, parent + 5);
  for (int32_t i = 1; i <= 3; ++i) {
    char key[32];
    snprintf(key, sizeof key, "slots.grandson%d", (int)i);
    ck_assert_int_eq(register_type(key, 3, 0, 0, son), son + i);
    expect_type(son + i, key, 3, son);
  }
  ck_assert_int_eq(register_type("slots.granddaughter", 3, 0, 0, daughter), daughter + 1);
  int32_t late = register_type("slots.late", 2, 0, 0, parent);
  ck_assert_int_gt(late, other);
  expect_type(late, "slots.late", 2, parent);
}

TEST(a_child_that_needs_too_many_slots_goes_elsewhere)
{
  int32_t parent = register_type("wide.parent", 1, 2, OVERFLOW, kTVMFFIObject);
  int32_t child = register_type("wide.child", 2, 2, 0, parent);
  ck_assert_int_gt(child, parent + 2);
  ck_assert_int_eq(register_type("wide.fits", 2, 1, 0, parent), parent + 1);
  ck_assert_int_eq(register_type("wide.grandchild", 3, 0, 0, child), child + 1);
}

TEST(without_overflow_the_slots_are_all)
{
  int32_t parent = register_type("tight.parent", 1, 2, 0, kTVMFFIObject);
  int32_t child = register_type("tight.child", 2, 1, OVERFLOW, parent);
  ck_assert_int_eq(child, parent + 1);
  ck_assert_int_eq(register_type("tight.second", 2, 0, OVERFLOW, parent), -1);
  expect_raised("InternalError", "`parent_type_index`");
  // A child can't have what its parent hasn't.
  ck_assert_int_eq(register_type("tight.grandchild", 3, 0, 0, child), child + 1);
  ck_assert_int_eq(register_type("tight.another", 3, 0, 0, child), -1);
  expect_raised("InternalError", "no further child");
  ck_assert_int_eq(index_of("tight.second"), INT_MIN);
}

TEST(a_static_index_is_given_as_asked_for)
{
  ck_assert_int_eq(register_static("static.object", 100, 1, 3, kTVMFFIObject), 100);
  expect_type(100, "static.object", 1, kTVMFFIObject);
  ck_assert_int_eq(register_static("static.root", 127, 0, 0, -1), 127);
  expect_type(127, "static.root", 0, -1);
  ck_assert_int_eq(register_static("static.thief", 102, 1, 0, kTVMFFIObject), -1);
  expect_raised("InternalError", "`static_type_index` is 102, which is taken");
  ck_assert_int_eq(register_static("static.child", 102, 2, 0, 100), 102);
  expect_type(102, "static.child", 2, 100);
  ck_assert_int_eq(register_type("static.dynamic", 2, 0, 0, 100), 103);
  ck_assert_int_ge(register_type("static.late", 2, 0, 0, 100), kTVMFFIDynObjectBegin);
}

static const struct {
  int32_t static_index, depth, slots, parent;
  const char *word;
} misfits[] = {
    {-1, 1, -1, 64, "`num_child_slots` is -1, but must not be negative"},
    {-1, 1, INT32_MIN, 64, "must not be negative"},
    {-1, 1, INT32_MAX, 64, "`num_child_slots` is 2147483647, but there are not as many indices"},
    {-1, 0, 0, -1, "`parent_type_index` is -1, which is no type"},
    {-1, 1, 0, -3, "`parent_type_index` is -3"},
    {-1, 1, 0, 63, "`parent_type_index` is 63"},
    {-1, 1, 0, INT32_MAX, "`parent_type_index` is 2147483647"},
    {-1, 0, 0, 64, "`type_depth` is 0, but must be"},
    {-1, 2, 0, 64, "`type_depth` is 2"},
    {-1, -1, 0, 64, "`type_depth` is -1"},
    {-1, INT32_MIN, 0, 64, "`type_depth`"},
    {-1, 2, 0, 65, "`parent_type_index` is 65, a type that can have no further child"},
    {-1, 1, 0, 1, "`parent_type_index` is 1, a type"},
    {-1, 2, 0, 73, "no further child"},
    {-2, 1, 0, 64, "`static_type_index` is -2"},
    {64, 1, 0, 64, "`static_type_index` is 64, but must be above"},
    {13, 1, 0, 64, "`static_type_index` is 13, but must be above"},
    {70, 1, 0, 64, "`static_type_index` is 70, which is taken"},
    {128, 1, 0, 64, "`static_type_index` is 128, but must be below 128"},
    {INT32_MAX, 1, 0, 64, "but must be below 128"},
    {90, 1, 38, 64, "`num_child_slots` is 38"},
    {63, 0, 1, -1, "`num_child_slots` is 1, but there are not as many free indices"},
    {90, 1, INT32_MAX, 64, "`num_child_slots`"},
    {90, 1, 0, -1, "`type_depth` is 1"},
    {90, 1, 0, -5, "`parent_type_index` is -5"},
};

TEST(what_does_not_fit_is_refused, .rows = ROWS(misfits))
{
  TVMFFIByteArray key = text_of("type.misfit");
  for (int32_t overflow = 0; overflow <= 1; ++overflow) {
    ck_assert_int_eq(TVMFFITypeGetOrAllocIndex(&key, misfits[_i].static_index, misfits[_i].depth,
                                               misfits[_i].slots, overflow, misfits[_i].parent),
                     -1);
    expect_raised("InternalError", misfits[_i].word);
    ck_assert_int_eq(index_of("type.misfit"), INT_MIN);
  }
  expect_type(kTVMFFIStr, "ffi.String", 1, kTVMFFIObject);
}

//--------------------------------------------------------------------------------------------------
// Many types
//--------------------------------------------------------------------------------------------------

enum { MANY = 5000 };

// A registration asks for memory once, and more often when a table or the pages grow. Before
// there are too many types for that.
TEST(reports_want_of_memory)
{
  int32_t last = register_type("scarce.first", 1, 0, 0, kTVMFFIObject);
  int grown = 0;
  for (int i = 0; i < 9000; ++i) {
    char key[32];
    snprintf(key, sizeof key, "scarce.%d", i);
    int32_t index;
    for (int n = 1;; ++n) {
      faults_arm(n);
      index = register_type(key, 1, 0, 0, kTVMFFIObject);
      if (!faults_disarm()) break;
      ck_assert_int_eq(index, -1);
      expect_raised("InternalError", "memory");
      ck_assert_int_eq(index_of(key), INT_MIN);
      ck_assert_ptr_null(TVMFFIGetTypeInfo(last + 1));
      grown += n > 1;
    }
    ck_assert_int_eq(index, ++last);
  }
  ck_assert_int_gt(grown, 3);
}

TEST(thousands_of_types_stay_where_they_are)
{
  static const TVMFFITypeInfo *infos[MANY];
  static int32_t indices[MANY];
  char key[32];
  for (int i = 0; i < MANY; ++i) {
    snprintf(key, sizeof key, "many.%d", i);
    indices[i] = register_type(key, 1, 0, 0, kTVMFFIObject);
    infos[i] = TVMFFIGetTypeInfo(indices[i]);
  }
  for (int i = 0; i < MANY; ++i) {
    snprintf(key, sizeof key, "many.%d", i);
    ck_assert_ptr_eq(TVMFFIGetTypeInfo(indices[i]), infos[i]);
    expect_type(indices[i], key, 1, kTVMFFIObject);
  }
}

// In a child: what comes afterwards has large indices, too.
static bool far_types_are_found(void)
{
  int32_t near = register_type("far.near", 1, 1 << 30, 0, kTVMFFIObject);
  int32_t far = register_type("far.far", 1, 1 << 29, 0, kTVMFFIObject);
  int32_t child = register_type("far.child", 2, 0, 0, far);
  if (near < 0 || far != near + (1 << 30) + 1 || child != far + 1) return false;
  expect_type(far, "far.far", 1, kTVMFFIObject);
  expect_type(child, "far.child", 2, far);
  ck_assert_ptr_null(TVMFFIGetTypeInfo(far + 2));
  int32_t rest = INT32_MAX - (far + (1 << 29) + 1);
  ck_assert_int_eq(register_type("far.last", 1, rest, 0, kTVMFFIObject), -1);
  expect_raised("InternalError", "not as many indices");
  ck_assert_int_ge(register_type("far.last", 1, rest - 1, 0, kTVMFFIObject), far);
  ck_assert_int_eq(register_type("far.none", 1, 0, 0, kTVMFFIObject), -1);
  expect_raised("InternalError", "not as many indices");
  return true;
}

TEST(there_are_as_many_indices_as_numbers)
{
  ck_assert(child_says(far_types_are_found));
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

enum { THREADS = 4, RACES = 1500 };

static int32_t raced[THREADS][RACES];

static long register_in_race(int number)
{
  long wrong = 0;
  char key[32];
  for (int i = 0; i < RACES; ++i) {
    snprintf(key, sizeof key, "race.%d", i);
    raced[number][i] = register_type(key, 1, i % 3, 1, kTVMFFIObject);
    const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(raced[number][i]);
    wrong += info == NULL || strcmp(info->type_key.data, key) != 0;
    wrong += index_of(key) != raced[number][i] || index_of("ffi.String") != kTVMFFIStr;
    snprintf(key, sizeof key, "race.%d.%d", number, i);
    wrong += register_type(key, 1, 0, 1, kTVMFFIObject) < 0;
  }
  return wrong;
}

TEST(threads_that_register_a_key_get_the_same_index)
{
  ck_assert_int_eq(run_threads(THREADS, register_in_race), 0);
  for (int i = 0; i < RACES; ++i) {
    for (int number = 1; number < THREADS; ++number) {
      ck_assert_int_eq(raced[number][i], raced[0][i]);
    }
    char key[32];
    snprintf(key, sizeof key, "race.%d", i);
    expect_type(raced[0][i], key, 1, kTVMFFIObject);
  }
}

static int32_t crowded;

static long fill_slots(int number)
{
  char key[32];
  long got = 0;
  for (int i = 0; i < 100; ++i) {
    snprintf(key, sizeof key, "crowd.%d.%d", number, i);
    int32_t index = register_type(key, 2, 0, 0, crowded);
    if (index > crowded && index <= crowded + 50) ++got;
    if (index < 0) TVMFFIErrorSetRaised(NULL);
  }
  return got;
}

TEST(threads_share_the_slots)
{
  crowded = register_type("crowd.parent", 1, 50, 0, kTVMFFIObject);
  ck_assert_int_eq(run_threads(THREADS, fill_slots), 50);
  for (int32_t i = 1; i <= 50; ++i) ck_assert_ptr_nonnull(TVMFFIGetTypeInfo(crowded + i));
}

static atomic_bool stop;

// Takes the lock again and again, and no memory. Between, others have a chance to take it.
static long register_until_told(void)
{
  int32_t index = register_type("fork.busy", 1, 0, 0, kTVMFFIObject);
  while (!atomic_load(&stop)) {
    TVMFFITypeRegisterMetadata(index, &(TVMFFITypeMetadata){.total_size = 24});
    TVMFFIErrorSetRaised(NULL);
    sched_yield();
  }
  return 0;
}

static bool child_registers(void)
{
  return register_type("fork.child", 1, 0, 0, kTVMFFIObject) > 0 && index_of("fork.child") > 0;
}

static long fork_or_register(int number)
{
  if (number != 0) return register_until_told();
  long good = 0;
  for (int i = 0; i < 30; ++i) good += child_says(child_registers);
  atomic_store(&stop, true);
  return good;
}

TEST(a_child_of_a_process_that_registers_can_register)
{
  ck_assert_int_eq(run_threads(3, fork_or_register), 30);
}

//--------------------------------------------------------------------------------------------------
// Bad input
//--------------------------------------------------------------------------------------------------

TEST(refuses_missing_arguments)
{
  TVMFFIByteArray key = text_of("type.missing"), bad = {NULL, 3}, none = {NULL, 0};
  int32_t out = 4711;
  ck_assert_int_eq(TVMFFITypeKeyToIndex(NULL, &out), -1);
  expect_raised("ValueError", "`type_key`");
  ck_assert_int_eq(TVMFFITypeKeyToIndex(&bad, &out), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_int_eq(TVMFFITypeKeyToIndex(&key, NULL), -1);
  expect_raised("ValueError", "`out_tindex`");
  ck_assert_int_eq(TVMFFITypeGetOrAllocIndex(NULL, -1, 1, 0, 0, kTVMFFIObject), -1);
  expect_raised("ValueError", "`type_key`");
  ck_assert_int_eq(TVMFFITypeGetOrAllocIndex(NULL, -1, 1, 0, 0, -2), -1);
  expect_raised("ValueError", "`type_key`");
  ck_assert_int_eq(TVMFFITypeGetOrAllocIndex(&bad, -1, 1, 0, 0, kTVMFFIObject), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_int_eq(TVMFFITypeKeyToIndex(&none, &out) == 0, index_of("") != INT_MIN);
  TVMFFIErrorSetRaised(NULL);
}

TEST(a_pending_error_stays)
{
  TVMFFIErrorSetRaisedFromCStr("KeyError", "pending");
  register_type("type.pending", 1, 0, 0, kTVMFFIObject);
  register_type("type.pending.not", 1, 0, 0, -2);
  ck_assert_ptr_null(TVMFFIGetTypeInfo(-1));
  expect_raised("KeyError", "pending");
}
