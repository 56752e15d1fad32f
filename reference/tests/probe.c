// SPDX-License-Identifier: Apache-2.0
#include "probe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void probe_delete(void *self, int flags)
{
  Probe *probe = self;
  if (probe->calls < 2) {
    probe->flags[probe->calls] = flags;
    probe->counter[probe->calls] = counts_of(probe);
  }
  ++probe->calls;
}

Probe probe_make(int32_t type_index)
{
  return (Probe){.header = {.combined_ref_count = COUNTS(1, 1),
                            .type_index = type_index,
                            .deleter = probe_delete},
                 .behind = "behind!"};
}

uint64_t counts_of(TVMFFIObjectHandle object)
{
  return atomic_load((_Atomic(uint64_t) *)&((TVMFFIObject *)object)->combined_ref_count);
}

void expect_same_value(const TVMFFIAny *seen, const TVMFFIAny *due)
{
  ck_assert_mem_eq(seen, due, sizeof *due);
}

TVMFFIAny rubbish(void)
{
  TVMFFIAny value;
  memset(&value, 0xa5, sizeof value);
  return value;
}

void expect_bytes(const TVMFFIByteArray *seen, const char *due, size_t size)
{
  ck_assert_uint_eq(seen->size, size);
  ck_assert_ptr_nonnull(seen->data);
  if (size != 0) ck_assert_mem_eq(seen->data, due, size);
  ck_assert_int_eq(seen->data[size], '\0');
}

TVMFFIErrorCell *error_cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

TVMFFIObject *take_raised(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  ck_assert_msg(error != NULL, "no error was raised");
  return error;
}

void expect_raised(const char *kind, const char *word)
{
  TVMFFIObject *error = take_raised();
  ck_assert_int_eq(error->type_index, kTVMFFIError);
  const TVMFFIErrorCell *cell = error_cell_of(error);
  ck_assert_str_eq(cell->kind.data, kind);
  ck_assert_msg(strstr(cell->message.data, word) != NULL, "\"%s\" says nothing of \"%s\"",
                cell->message.data, word);
  TVMFFIObjectDecRef(error);
}

void expect_nothing_raised(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  ck_assert_msg(error == NULL, "an error was raised");
}

char *fenced(const char *data, size_t size)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = (size + page - 1) / page * page;
  char *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(pages, MAP_FAILED);
  ck_assert_int_eq(munmap(pages + room, page), 0);
  char *start = pages + room - size;
  if (size != 0) memcpy(start, data, size);
  return start;
}

bool under_valgrind(void)
{
  return getenv("UNDER_VALGRIND") != NULL;
}

int rounds(int many)
{
  return under_valgrind() ? many / 20 : many;
}
