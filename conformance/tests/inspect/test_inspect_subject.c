// SPDX-License-Identifier: Apache-2.0
// All that `inspect` does with a file, on files that are damaged, by accident and on purpose:
// reading, rules, text, JSON and SARIF. Build with TVMFFI_SANITIZE=address,undefined to see every
// stray access.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "inspect/inspect_map.h"
#include "inspect_bytes.h"
#include "inspect_foreign.h"
#include "report/inspect_json.h"
#include "unit/unit.h"

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)
#define SANITIZED 1  // memory has another size, and SIGBUS another end
#else
#define SANITIZED 0
#endif

enum { MUTATIONS = 1500, SECONDS = 240 };

static const char *const fixtures[] = {INSPECT_FIXTURE_runtime, INSPECT_FIXTURE_stripped,
                                       INSPECT_FIXTURE_module, INSPECT_FIXTURE_importer,
                                       INSPECT_FIXTURE_object};
enum { FIXTURES = sizeof fixtures / sizeof fixtures[0] };

// What is written is for terminals: nothing of the file may steer one.
static void check_text(const char *text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    unsigned char byte = (unsigned char)text[i];
    ck_assert_msg(byte == '\n' || (byte >= ' ' && byte != 0x7f), "byte %d in the text", byte);
  }
}

static void write_all(const InspectSubject *subject)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  TextStyle style = {.columns = 100, .verbosity = 1};
  inspect_text_file(out, &style, subject);
  fclose(out);
  check_text(text, size);
  free(text);
  InspectJson json;
  inspect_json_begin(&json);
  inspect_json_file(&json, subject);
  ck_assert(!json.build.failed);
  ck_assert_uint_eq(json_array_size(json.files), 1);
  inspect_json_end(&json);
  InspectSarif sarif;
  inspect_sarif_begin(&sarif);
  inspect_sarif_file(&sarif, subject);
  ck_assert(!sarif.build.failed);
  inspect_sarif_end(&sarif);
}

// Either there is a subject that can be written, or a problem that says what is wrong.
static InspectStatus digest(const Bytes *bytes, size_t size)
{
  InspectProblem problem = {0};
  unsigned char *copy = malloc(size + 1);  // of its own, so that a sanitizer sees its end
  memcpy(copy, bytes->data, size);
  InspectSubject *subject = inspect_subject_read("a file", copy, size, true, NULL, &problem);
  ck_assert_int_eq(subject == NULL, problem.status != INSPECT_OK);
  ck_assert(!problem.no_memory);
  if (subject) {
    write_all(subject);
  } else {
    ck_assert(problem.text[0] != '\0');
  }
  inspect_subject_free(subject);
  free(copy);
  return problem.status;
}

TEST_GROUP(damaged, .timeout = SECONDS);

TEST(cut_at_every_length, .rows = FIXTURES)
{
  Bytes bytes = bytes_of_file(fixtures[_i]);
  unsigned refused = 0;
  for (size_t size = 0; size < bytes.size; ++size) {
    refused += digest(&bytes, size) != INSPECT_OK;
  }
  ck_assert_uint_gt(refused, bytes.size / 2);
  ck_assert_int_eq(digest(&bytes, bytes.size), INSPECT_OK);
  free(bytes.data);
}

static uint32_t next(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 32);
}

// Half of the changes go where tables are: to the ends of the file.
static size_t place(size_t size, uint64_t *state)
{
  uint32_t number = next(state), part = next(state) % 4;
  if (part == 0) return number % 1024 % size;
  if (part == 1) return size - 1 - number % 2048 % size;
  return number % size;
}

TEST(changed_at_random, .rows = FIXTURES)
{
  static const unsigned char favourites[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe, 0x08, 0x10};
  Bytes original = bytes_of_file(fixtures[_i]);
  Bytes changed = {malloc(original.size), original.size};
  uint64_t state = 4711;
  unsigned good = 0, bad = 0;
  for (unsigned i = 0; i < MUTATIONS; ++i) {
    memcpy(changed.data, original.data, original.size);
    for (uint32_t left = 1 + next(&state) % 8; left > 0; --left) {
      uint32_t choice = next(&state);
      changed.data[place(original.size, &state)] =
          choice & 1 ? favourites[choice >> 1 & 7] : (unsigned char)(choice >> 8);
    }
    InspectStatus status = digest(&changed, changed.size);
    good += status == INSPECT_OK;
    bad += status != INSPECT_OK;
  }
  ck_assert_uint_gt(good, MUTATIONS / 100);
  ck_assert_uint_gt(bad, MUTATIONS / 100);
  free(changed.data);
  free(original.data);
}

// Another word size and byte order.
TEST(foreign_library_with_each_bit_flipped)
{
  unsigned char image[FOREIGN_CAPACITY];
  Bytes bytes = {image, foreign_library(image)};
  ck_assert_int_eq(digest(&bytes, bytes.size), INSPECT_OK);
  for (size_t bit = 0; bit < 8 * bytes.size; ++bit) {
    image[bit / 8] ^= (unsigned char)(1u << bit % 8);
    digest(&bytes, bytes.size);
    image[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
}

static char *path_of(int descriptor)
{
  static char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return path;
}

static int file_of(const Bytes *bytes)
{
  int descriptor = memfd_create("inspected", MFD_CLOEXEC);
  ck_assert_int_eq(write(descriptor, bytes->data, bytes->size), (ssize_t)bytes->size);
  return descriptor;
}

TEST_GROUP(mapped, .timeout = SECONDS);

// It is cut short behind the back of who has it mapped. What was there reads as zeros, and the
// answer is that it changed.
TEST(shrinks_while_it_is_read, .rows = FIXTURES)
{
  Bytes bytes = bytes_of_file(fixtures[_i]);
  for (int to = 0; to <= 4096; to += 4096) {
    int descriptor = file_of(&bytes);
    InspectMap map;
    InspectProblem problem = {0}, after = {0};
    ck_assert(inspect_map_open(path_of(descriptor), &map, &problem));
    ck_assert_uint_eq(map.size, bytes.size);
    ck_assert_int_eq(ftruncate(descriptor, to), 0);
    InspectSubject *subject = inspect_subject_read("it", map.data, map.size, true, NULL, &problem);
    if (subject) write_all(subject);
    inspect_subject_free(subject);
    ck_assert(!inspect_map_is_whole(&map, &after));
    ck_assert_int_eq(after.status, INSPECT_UNREADABLE);
    inspect_map_close(&map);
    close(descriptor);
  }
  free(bytes.data);
}

TEST(stays_as_it_is, .rows = FIXTURES)
{
  Bytes bytes = bytes_of_file(fixtures[_i]);
  int descriptor = file_of(&bytes);
  InspectMap map;
  InspectProblem problem = {0};
  ck_assert(inspect_map_open(path_of(descriptor), &map, &problem));
  InspectSubject *subject = inspect_subject_read("it", map.data, map.size, true, NULL, &problem);
  ck_assert_ptr_nonnull(subject);
  ck_assert(inspect_map_is_whole(&map, &problem));
  inspect_subject_free(subject);
  inspect_map_close(&map);
  close(descriptor);
  free(bytes.data);
}

// A stray access elsewhere still ends the process as it always did.
TEST(other_bus_errors_are_not_ours, .signal = SIGBUS, .unless = SANITIZED)
{
  Bytes bytes = bytes_of_file(fixtures[0]);
  int descriptor = file_of(&bytes), other = memfd_create("other", MFD_CLOEXEC);
  InspectMap map;
  InspectProblem problem = {0};
  ck_assert(inspect_map_open(path_of(descriptor), &map, &problem));
  volatile char *nothing = mmap(NULL, 4096, PROT_READ, MAP_SHARED, other, 0);
  ck_assert(nothing != MAP_FAILED);
  (void)nothing[0];
}

static sigjmp_buf elsewhere;

static void on_bus_error(int signal)
{
  (void)signal;
  siglongjmp(elsewhere, 1);
}

// Who handled the signal before handles it for memory that is not ours, on both sides of a map, and
// for all of it when the map is gone.
TEST(who_handled_bus_errors_before_still_does, .unless = SANITIZED)
{
  Bytes bytes = bytes_of_file(fixtures[0]);
  int descriptor = file_of(&bytes), other = memfd_create("other", MFD_CLOEXEC);
  InspectProblem problem = {0};
  volatile char *nothing = mmap(NULL, 4096, PROT_READ, MAP_SHARED, other, 0);
  ck_assert(nothing != MAP_FAILED);
  ck_assert(signal(SIGBUS, on_bus_error) != SIG_ERR);
  for (volatile int turn = 0; turn < 4; ++turn) {
    InspectMap map, below = {.data = (unsigned char *)nothing - (1 << 20), .size = 4096};
    ck_assert(inspect_map_open(path_of(descriptor), &map, &problem));
    if (turn == 1) map.data = (unsigned char *)nothing + 8192;  // behind it
    if (turn == 2) map.data = below.data;                       // before it
    if (sigsetjmp(elsewhere, 1) == 0) {
      if (turn == 3) inspect_map_close(&map);
      (void)nothing[0];
      ck_abort_msg("there was nothing to read");
    }
    ck_assert(!map.torn);
    map.data = NULL;  // the page stays mapped until the process ends
    inspect_map_close(&map);
  }
  close(descriptor);
  free(bytes.data);
}

// Each of several maps is mended by itself, in whatever order they are opened and closed.
TEST(two_maps_at_once, .rows = 2)
{
  Bytes bytes = bytes_of_file(fixtures[0]);
  int descriptors[] = {file_of(&bytes), file_of(&bytes)};
  InspectMap maps[2];
  InspectProblem problem = {0}, after = {0};
  for (int i = 0; i < 2; ++i) {
    ck_assert(inspect_map_open(path_of(descriptors[i]), &maps[i], &problem));
  }
  ck_assert_int_eq(ftruncate(descriptors[_i], 0), 0);
  for (int i = 0; i < 2; ++i) {
    InspectSubject *subject =
        inspect_subject_read("it", maps[i].data, maps[i].size, true, NULL, &problem);
    if (i != _i) ck_assert_ptr_nonnull(subject);
    inspect_subject_free(subject);
    problem = (InspectProblem){0};
  }
  ck_assert(!inspect_map_is_whole(&maps[_i], &after));
  ck_assert_ptr_nonnull(strstr(after.text, "became shorter than"));
  ck_assert(inspect_map_is_whole(&maps[1 - _i], &problem));
  inspect_map_close(&maps[0]);
  inspect_map_close(&maps[1]);
  inspect_map_close(&maps[1]);  // once more does no harm
  for (int i = 0; i < 2; ++i) close(descriptors[i]);
  free(bytes.data);
}

// There is no room for it in the addresses that the process may use.
TEST(no_room_to_map_it, .unless = SANITIZED)
{
  InspectMap map;
  InspectProblem problem = {0};
  int descriptor = memfd_create("large", MFD_CLOEXEC);
  ck_assert_int_eq(ftruncate(descriptor, (off_t)3 << 30), 0);
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
  limit.rlim_cur = 1 << 30;
  ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
  ck_assert(!inspect_map_open(path_of(descriptor), &map, &problem));
  ck_assert_int_eq(problem.status, INSPECT_UNREADABLE);
  ck_assert_ptr_nonnull(strstr(problem.text, "Cannot allocate memory (copy it to a local disk"));
  inspect_map_close(&map);  // nothing is open
  close(descriptor);
}

TEST(empty_file)
{
  Bytes nothing = {(unsigned char *)"", 0};
  int descriptor = file_of(&nothing);
  InspectMap map;
  InspectProblem problem = {0};
  ck_assert(inspect_map_open(path_of(descriptor), &map, &problem));
  ck_assert_ptr_null(inspect_subject_read("it", map.data, map.size, true, NULL, &problem));
  ck_assert_int_eq(problem.status, INSPECT_NOT_ELF);
  inspect_map_close(&map);
  close(descriptor);
}

TEST_GROUP(large, .timeout = SECONDS);

// A million symbols that are all one name: what is kept of them is bounded.
TEST(a_million_symbols_in_bounded_memory)
{
  enum { COUNT = 1 << 20 };
  Bytes object = bytes_of_file(INSPECT_FIXTURE_object);
  ElfW(Shdr) *table = elf_section(object, SHT_SYMTAB);
  size_t size = table->sh_size, at = object.size;
  ElfW(Sym) last;
  memcpy(&last, object.data + table->sh_offset + size - sizeof last, sizeof last);
  Bytes large = {malloc(at + size + COUNT * sizeof last), at + size + COUNT * sizeof last};
  memcpy(large.data + at, object.data + table->sh_offset, size);
  table->sh_offset = at;
  table->sh_size = size + COUNT * sizeof last;
  memcpy(large.data, object.data, object.size);
  for (size_t i = 0; i < COUNT; ++i) {
    memcpy(large.data + at + size + i * sizeof last, &last, sizeof last);
  }
  InspectProblem problem = {0};
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  InspectSubject *subject =
      inspect_subject_read("it", large.data, large.size, false, NULL, &problem);
  getrusage(RUSAGE_SELF, &after);
  ck_assert_ptr_nonnull(subject);
  ck_assert_uint_gt(subject->facts->omitted, 0);
  if (!SANITIZED) ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 64 << 10);
  inspect_subject_free(subject);
  free(large.data);
  free(object.data);
}
