// SPDX-License-Identifier: Apache-2.0
// The choices of a signature, which are worked out once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../plan/signature_text.h"
#include "kernel/kernel_chosen.h"
#include "unit/unit.h"

static unsigned worked_out;

// The linker has kernel_choices be this (--wrap).
size_t __real_kernel_choices(const Signature *signature, KernelChoice *choices, size_t capacity);
size_t __wrap_kernel_choices(const Signature *signature, KernelChoice *choices, size_t capacity);

size_t __wrap_kernel_choices(const Signature *signature, KernelChoice *choices, size_t capacity)
{
  ++worked_out;
  return __real_kernel_choices(signature, choices, capacity);
}

// f(k), an int of these values. Its list is left to the end of the process.
static const Signature *new_signature(const char *values)
{
  char text[256];
  snprintf(
      text, sizeof text,
      "{\"functions\": {\"add\": {\"parameters\": [{\"name\": \"k\", \"kind\": \"int\", \"values\": "
      "[%s]}]}}}",
      values);
  KernelList *list = signature_read(text);
  ck_assert_msg(list != NULL, "%s", signature_error);
  const Signature *read = kernel_list_signature(list, 0);
  Signature *own = malloc(read->size);
  ck_assert_ptr_nonnull(own);
  return memcpy(own, read, read->size);
}

static void check(const Signature *signature, unsigned times)
{
  static KernelChoice direct[KERNEL_CHOICES_MAX], chosen[KERNEL_CHOICES_MAX];
  worked_out = 0;
  const size_t count = kernel_chosen(signature, chosen);
  ck_assert_uint_eq(worked_out, times);
  ck_assert_uint_gt(count, 1);
  ck_assert_uint_eq(count, __real_kernel_choices(signature, direct, KERNEL_CHOICES_MAX));
  for (size_t i = 0; i < count; ++i) {
    ck_assert_str_eq(chosen[i].words, direct[i].words);
    ck_assert_mem_eq(chosen[i].options, direct[i].options, sizeof direct[i].options);
    ck_assert_uint_eq(chosen[i].standing, direct[i].standing);
  }
}

TEST(choices_are_worked_out_each_time_where_nothing_is_shared)
{
  const Signature *signature = new_signature("1, 2");
  check(signature, 1);
  check(signature, 1);
}

TEST(choices_are_worked_out_once)
{
  enum { COUNT = 40 };  // more than there is room for
  kernel_chosen_share();
  for (int i = 0; i < COUNT; ++i) {
    char values[32];
    snprintf(values, sizeof values, "1, %d, %d", 2 + i, 50 + i);
    const Signature *signature = new_signature(values);
    check(signature, 1);
    check(signature, 0);
  }
}

TEST(what_a_copy_of_the_process_works_out_is_known)
{
  kernel_chosen_share();
  const Signature *signature = new_signature("3, 4, 5");
  const pid_t copy = fork();
  ck_assert_int_ge(copy, 0);
  if (copy == 0) {
    static KernelChoice choices[KERNEL_CHOICES_MAX];
    _exit(kernel_chosen(signature, choices) > 1 ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(copy, &status, 0), copy);
  ck_assert_int_eq(status, 0);
  check(signature, 0);
}

// Writes over what lies in memory that copies share, as a library could; how many places there were.
static unsigned write_over_shared(const char *what)
{
  FILE *maps = fopen("/proc/self/maps", "r");
  ck_assert_ptr_nonnull(maps);
  char line[512];
  unsigned places = 0;
  while (fgets(line, sizeof line, maps)) {
    unsigned long first, behind;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s", &first, &behind, rights) != 3 || rights[3] != 's') continue;
    const size_t size = strlen(what);
    for (char *at = (char *)first; at + size <= (char *)behind; ++at)
      if (memcmp(at, what, size) == 0) {
        *at ^= 1;
        ++places;
      }
  }
  fclose(maps);
  return places;
}

TEST(what_was_written_over_is_worked_out_again)
{
  static KernelChoice choices[KERNEL_CHOICES_MAX];
  kernel_chosen_share();
  const Signature *signature = new_signature("6, 77");
  check(signature, 1);
  check(signature, 0);
  ck_assert_uint_gt(__real_kernel_choices(signature, choices, KERNEL_CHOICES_MAX), 1);
  ck_assert_uint_gt(strlen(choices[1].words), 2);
  ck_assert_uint_gt(write_over_shared(choices[1].words), 0);
  check(signature, 1);
  check(signature, 0);
}
