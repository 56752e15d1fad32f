// SPDX-License-Identifier: Apache-2.0
// Tables of names: what a look-up without a lock finds while another thread adds names.
#include "core/table.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

// As many names as the first slots hold: nothing is moved.
enum { TABLES = 15000, NAMES = 30, MISSING = 64 };

TEST_GROUP(all, .timeout = 120);

static Table tables[TABLES];
static atomic_int table_in_use;

static void *add_names(void *arg)
{
  (void)arg;
  for (int i = 0; i < rounds(TABLES); ++i) {
    atomic_store(&table_in_use, i);
    for (int j = 0; j < NAMES; ++j) {
      char name[16];
      int size = snprintf(name, sizeof name, "there-%d", j);
      if (table_add(&tables[i], name, (size_t)size, NULL) != 0) abort();
    }
  }
  atomic_store(&table_in_use, rounds(TABLES));
  return NULL;
}

// The look-up reads a slot once only: read again, it could hold another name than the one compared.
TEST(a_missing_name_is_not_found_while_others_are_added)
{
  char missing[MISSING][16];
  size_t sizes[MISSING];
  for (int i = 0; i < MISSING; ++i)
    sizes[i] = (size_t)snprintf(missing[i], sizeof missing[i], "where-%d", i);
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, add_names, NULL), 0);
  long wrong = 0;
  for (int i; (i = atomic_load(&table_in_use)) < rounds(TABLES);) {
    for (int j = 0; j < MISSING; ++j) wrong += table_find(&tables[i], missing[j], sizes[j]) != NULL;
  }
  pthread_join(thread, NULL);
  ck_assert_int_eq(wrong, 0);
}

TEST(a_name_is_found_from_when_it_was_added)
{
  static Table table;  // what it holds stays for the life of the process
  for (int i = 0; i < 500; ++i) {
    char name[16];
    int size = snprintf(name, sizeof name, "name-%d", i);
    ck_assert_ptr_null(table_find(&table, name, (size_t)size));
    ck_assert_int_eq(table_add(&table, name, (size_t)size, &table), 0);
    TableEntry *entry = table_find(&table, name, (size_t)size);
    ck_assert_ptr_nonnull(entry);
    ck_assert_ptr_eq(entry->value, &table);
    ck_assert_int_eq(memcmp(entry->name, name, (size_t)size), 0);
  }
}
