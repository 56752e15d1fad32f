// SPDX-License-Identifier: Apache-2.0
// The malloc() that the worker puts before the C library's: this program is linked with it, too.
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "battery/faults.h"
#include "unit/unit.h"

// Kept from a compiler that knows what these do.
static void *(*volatile allocate)(size_t size) = malloc;
static void *(*volatile allocate_zeroed)(size_t count, size_t size) = calloc;
static void *(*volatile resize)(void *block, size_t size) = realloc;
static void *(*volatile allocate_aligned)(size_t alignment, size_t size) = aligned_alloc;
static int (*volatile allocate_into)(void **out, size_t alignment, size_t size) = posix_memalign;
static void (*volatile give_back)(void *block) = free;

static void *allocate_some(void *out)
{
  *(void **)out = allocate(10);
  return NULL;
}

TEST(libraries_find_these_names)
{
  const char *const names[] = {"malloc",   "calloc",        "realloc",       "free",
                               "memalign", "aligned_alloc", "posix_memalign"};
  Dl_info program, library;
  ck_assert_int_ne(dladdr((void *)(uintptr_t)&allocate_some, &program), 0);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    void *address = dlsym(RTLD_DEFAULT, names[i]);
    ck_assert_int_ne(dladdr(address, &library), 0);
    ck_assert_msg(library.dli_fbase == program.dli_fbase, "%s is another's", names[i]);
  }
  ck_assert_ptr_null(faults_unavailable());
}

TEST(memory_is_what_was_asked_for)
{
  char *zeroed = allocate_zeroed(3, 100), *aligned = allocate_aligned(256, 512);
  void *into = NULL;
  for (int i = 0; i < 300; ++i) ck_assert_int_eq(zeroed[i], 0);
  ck_assert_uint_eq((uintptr_t)aligned % 256, 0);
  ck_assert_int_eq(allocate_into(&into, 1024, 10), 0);
  ck_assert_uint_eq((uintptr_t)into % 1024, 0);
  ck_assert_int_eq(allocate_into(&into, 3, 10), EINVAL);
  memcpy(zeroed, "content", 8);
  zeroed = resize(zeroed, 100000);
  ck_assert_str_eq(zeroed, "content");
  ck_assert_ptr_null(allocate_zeroed(SIZE_MAX / 2, 3));
  give_back(zeroed), give_back(aligned), give_back(into), give_back(NULL);
}

TEST(one_request_is_refused)
{
  void *blocks[3];
  faults_watch(2, FAULTS_ONCE);
  for (int i = 0; i < 3; ++i) blocks[i] = allocate(10);
  FaultsSeen seen = faults_unwatch();
  ck_assert_uint_eq(seen.requests, 3);
  ck_assert_uint_eq(seen.refused, 1);
  ck_assert_ptr_nonnull(blocks[0]);
  ck_assert_ptr_null(blocks[1]);
  ck_assert_ptr_nonnull(blocks[2]);
  give_back(blocks[0]), give_back(blocks[2]);
}

TEST(all_that_follow_are_refused_in_every_way)
{
  void *block = allocate(10), *into = &into, *refused[4];
  faults_watch(1, FAULTS_FROM_THEN_ON);
  refused[0] = allocate(10);
  refused[1] = allocate_zeroed(1, 10);
  refused[2] = resize(block, 1000);
  refused[3] = allocate_aligned(64, 64);
  int status = allocate_into(&into, 64, 64);
  FaultsSeen seen = faults_unwatch();
  for (int i = 0; i < 4; ++i) ck_assert_ptr_null(refused[i]);
  ck_assert_int_eq(status, ENOMEM);
  ck_assert_ptr_eq(into, &into);
  ck_assert_uint_eq(seen.requests, 5);
  ck_assert_uint_eq(seen.refused, 5);
  void *granted = allocate(10);
  ck_assert_ptr_nonnull(granted);
  give_back(granted), give_back(block);
}

TEST(what_is_held_is_known_until_it_is_given_back)
{
  void *before = allocate(10);
  faults_watch(0, FAULTS_ONCE);
  void *first = allocate(100), *second = allocate(20);
  give_back(before);
  second = resize(second, 3000);
  faults_unwatch();
  void *after = allocate(10);
  ck_assert_uint_eq(faults_held().blocks, 2);
  ck_assert_uint_eq(faults_held().bytes, 3100);
  give_back(first);
  ck_assert_uint_eq(faults_held().bytes, 3000);
  second = resize(second, 10);
  ck_assert_uint_eq(faults_held().blocks, 0);
  give_back(second), give_back(after);
}

TEST(more_blocks_than_are_known_are_counted)
{
  enum { COUNT = 2000 };
  static void *blocks[COUNT];
  faults_watch(0, FAULTS_ONCE);
  for (int i = 0; i < COUNT; ++i) blocks[i] = allocate(8);
  faults_unwatch();
  ck_assert_uint_eq(faults_held().blocks, COUNT);
  for (int i = 0; i < COUNT; ++i) give_back(blocks[i]);
  faults_forget();
  ck_assert_uint_eq(faults_held().blocks, 0);
}

// Blocks that found no place among the known ones are taken off, too, when they are given back.
TEST(what_is_held_together_is_told)
{
  enum { COUNT = 1000, SIZE = 1000, ROUNDS = 10 };
  static void *blocks[COUNT];
  _Atomic(size_t) noted = 1;
  void *before = allocate(SIZE);
  faults_note_in(&noted);
  faults_watch(0, FAULTS_ONCE);
  ck_assert_uint_eq(noted, 0);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < COUNT; ++i) blocks[i] = resize(allocate(8), SIZE);
    for (int i = 0; i < COUNT; ++i) give_back(blocks[i]);
  }
  give_back(before);
  FaultsSeen seen = faults_unwatch();
  ck_assert_uint_eq(seen.largest, SIZE);
  ck_assert_uint_ge(seen.most, COUNT * SIZE - COUNT * SIZE / 20);
  ck_assert_uint_le(seen.most, COUNT * SIZE + SIZE);
  ck_assert_uint_eq(noted, seen.most);
  faults_note_in(NULL);
  faults_watch(0, FAULTS_ONCE);
  give_back(allocate(SIZE));
  faults_unwatch();
  ck_assert_uint_eq(noted, seen.most);
  faults_forget();
}

TEST(other_threads_are_not_watched)
{
  pthread_t thread;
  void *block = NULL;
  ck_assert_int_eq(pthread_create(&thread, NULL, allocate_some, &block), 0);
  faults_watch(1, FAULTS_FROM_THEN_ON);
  pthread_join(thread, NULL);
  FaultsSeen seen = faults_unwatch();
  ck_assert_ptr_nonnull(block);
  ck_assert_uint_eq(seen.requests, 0);
  give_back(block);
}
