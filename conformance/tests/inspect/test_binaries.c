// SPDX-License-Identifier: Apache-2.0
// The readers of Mach-O and PE files, with every file of the fuzzers' seeds cut short and changed.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect_bytes.h"
#include "macho/macho.h"
#include "pe/pe.h"
#include "unit/unit.h"

// --- Numbers and texts ---------------------------------------------------------------------------

static BinaryProblem problem;

static BinaryBytes bytes_of(const void *data, size_t size)
{
  problem = (BinaryProblem){0};
  return (BinaryBytes){data, size, false, &problem};
}

TEST(numbers_of_either_byte_order)
{
  BinaryBytes bytes = bytes_of("\1\2\3\4\5\6\7\x8", 8);
  ck_assert_uint_eq(binary_number(&bytes, 0, 4), 0x04030201);
  ck_assert_uint_eq(binary_number(&bytes, 0, 8), UINT64_C(0x0807060504030201));
  bytes.big_endian = true;
  ck_assert_uint_eq(binary_number(&bytes, 6, 2), 0x0708);
  ck_assert_uint_eq(binary_number(&bytes, 5, 4), 0);
  ck_assert_uint_eq(binary_number(&bytes, UINT64_MAX, 4), 0);
}

TEST(numbers_in_leb128)
{
  static const struct {
    const char *bytes;
    size_t size;
    bool good;
    uint64_t value;
  } rows[] = {
      {"\x7f", 1, true, 127},
      {"\x80\1", 2, true, 128},
      {"\x80", 1, false, 0},
      {"", 0, false, 0},
      {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0", 11, true, 0},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10, true, UINT64_MAX},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 10, false, 0},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\1", 11, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    uint64_t at = 0, value = 0;
    BinaryBytes bytes = bytes_of(rows[i].bytes, rows[i].size);
    ck_assert_int_eq(binary_uleb128(&bytes, &at, UINT64_MAX, &value), rows[i].good);
    if (rows[i].good) ck_assert_uint_eq(value, rows[i].value);
    if (rows[i].good) ck_assert_uint_eq(at, rows[i].size);
  }
}

TEST(texts_end_where_the_file_does)
{
  BinaryBytes bytes = bytes_of("one\0two", 7);
  ck_assert(binary_text_is(binary_text(&bytes, 0, 7), "one"));
  ck_assert(binary_text_is(binary_text(&bytes, 4, UINT64_MAX), "two"));
  ck_assert(binary_text_is(binary_text(&bytes, 4, 6), "tw"));
  ck_assert_uint_eq(binary_text(&bytes, 7, 9).size, 0);
  ck_assert_uint_eq(binary_text(&bytes, UINT64_MAX, UINT64_MAX).size, 0);
}

// What a file does not have is a text without bytes, at no address.
TEST(a_text_may_be_nowhere)
{
  const BinaryText nowhere = {0}, empty = {"", 0}, some = {"some:text", 9};
  char *copy = binary_text_copy(nowhere), *whole = binary_text_copy(some);
  ck_assert_str_eq(copy, "");
  ck_assert_str_eq(whole, "some:text");
  ck_assert(binary_text_is(nowhere, "") && !binary_text_is(nowhere, "some"));
  ck_assert(binary_text_begins(nowhere, "") && !binary_text_begins(nowhere, "s"));
  ck_assert(binary_text_ends(nowhere, "") && !binary_text_ends(nowhere, "t"));
  ck_assert(binary_text_ends(some, "") && binary_text_ends(some, "text"));
  ck_assert(binary_text_has(nowhere, "") && !binary_text_has(nowhere, "me"));
  ck_assert(binary_text_has(some, "me:t") && !binary_text_has(some, "em"));
  ck_assert(binary_text_same(nowhere, empty) && binary_text_same(nowhere, nowhere));
  ck_assert(!binary_text_same(nowhere, some) && binary_text_same(some, some));
  ck_assert_ptr_null(binary_text_find(nowhere, ':'));
  ck_assert_ptr_eq(binary_text_find(some, ':'), some.data + 4);
  ck_assert_int_eq(binary_text_compare(nowhere, empty), 0);
  ck_assert_int_lt(binary_text_compare(nowhere, some), 0);
  free(whole);
  free(copy);
}

TEST(the_first_problem_stays)
{
  BinaryBytes bytes = bytes_of("", 0);
  ck_assert(!binary_needs(&bytes, 1, UINT64_MAX, "its bytes"));
  ck_assert(!binary_broken(&bytes, "has another"));
  ck_assert_ptr_nonnull(strstr(problem.text, "its bytes"));
}

// --- Damaged files -------------------------------------------------------------------------------

typedef void (*Reader)(const unsigned char *data, size_t size);

// Whatever the bytes are: they are read, or there is a reason.
static void read_macho(const unsigned char *data, size_t size)
{
  MachoSlice slice;
  BinaryProblem own = {0};
  for (size_t i = 0; macho_slice(data, size, i, &slice, &own); ++i) {
    ck_assert(slice.offset <= size && slice.size <= size - slice.offset);
  }
  own = (BinaryProblem){0};
  MachoFile *file = macho_open(data, size, &own);
  ck_assert_int_eq(file == NULL, own.text[0] != '\0');
  macho_close(file);
}

static void read_pe(const unsigned char *data, size_t size)
{
  BinaryProblem own = {0};
  PeFile *file = pe_open(data, size, &own);
  ck_assert_int_eq(file == NULL, own.text[0] != '\0');
  pe_close(file);
}

// A copy of just this size, so that a sanitizer sees what is read behind it.
static void read_copy(const unsigned char *data, size_t size, Reader read)
{
  unsigned char *copy = malloc(size ? size : 1);
  ck_assert_ptr_nonnull(copy);
  memcpy(copy, data, size);
  read(copy, size);
  free(copy);
}

static void damage(Bytes bytes, Reader read)
{
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  unsigned char *data = bytes.data;
  for (size_t i = 0; i < bytes.size; ++i) {
    if (data[i] == 0 && i > 0 && data[i - 1] == 0) continue;  // padding, mostly
    read_copy(data, i, read);
    unsigned char was = data[i];
    for (size_t k = 0; k < sizeof values; ++k) {
      data[i] = values[k];
      read(data, bytes.size);
    }
    data[i] = was;
  }
}

static size_t damage_all(const char *folder, Reader read)
{
  size_t count = 0;
  DIR *seeds = opendir(folder);
  ck_assert_ptr_nonnull(seeds);
  for (struct dirent *one; (one = readdir(seeds));) {
    char path[4096];
    if (one->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
    Bytes bytes = bytes_of_file(path);
    damage(bytes, read);
    free(bytes.data);
    ++count;
  }
  closedir(seeds);
  return count;
}

TEST(damaged_macho_files)
{
  ck_assert_uint_ge(damage_all(SEEDS "/macho", read_macho), 15);
}

TEST(damaged_pe_files)
{
  ck_assert_uint_ge(damage_all(SEEDS "/pe", read_pe), 7);
}

// --- Names ---------------------------------------------------------------------------------------

TEST(names_of_processors_and_platforms)
{
  static const struct {
    uint32_t cpu, subtype;
    const char *name;
  } rows[] = {
      {0x01000007, 3, "x86-64"},
      {0x01000007, 8, "x86-64h"},
      {0x0100000c, 0, "arm64"},
      {0x0100000c, 0x80000002, "arm64e"},
      {0x0200000c, 1, "arm64_32"},
      {7, 3, "i386"},
      {12, 9, "arm"},
      {18, 0, "ppc"},
      {0x01000012, 0, "ppc64"},
      {99, 0, "cpu 99"},
  };
  char name[24];
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    macho_cpu_name(rows[i].cpu, rows[i].subtype, name, sizeof name);
    ck_assert_str_eq(name, rows[i].name);
  }
  macho_platform_name(12, name, sizeof name);
  ck_assert_str_eq(name, "visionOS Simulator");
  macho_platform_name(0, name, sizeof name);
  ck_assert_str_eq(name, "platform 0");
}

TEST(names_of_machines)
{
  static const struct {
    uint32_t machine;
    const char *name;
  } rows[] = {{PE_MACHINE_AMD64, "x86-64"},    {PE_MACHINE_ARM64, "aarch64"},
              {PE_MACHINE_ARM64EC, "arm64ec"}, {PE_MACHINE_ARM64X, "arm64x"},
              {PE_MACHINE_I386, "i386"},       {4711, "machine 4711"}};
  char name[24];
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    const PeFile file = {.machine = rows[i].machine};
    pe_machine_name(&file, name, sizeof name);
    ck_assert_str_eq(name, rows[i].name);
  }
}

// Classes of Java begin as universal files do.
TEST(classes_of_java_are_no_libraries)
{
  static const unsigned char java[] = "\xca\xfe\xba\xbe\0\0\0\x41";
  static const unsigned char universal[] = "\xca\xfe\xba\xbe\0\0\0\2";
  ck_assert(!macho_is_universal(java, 8));
  ck_assert(macho_is_universal(universal, 8));
  ck_assert(!macho_is_universal(universal, 7));
}
