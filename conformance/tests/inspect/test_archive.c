// SPDX-License-Identifier: Apache-2.0
// Archives as inspect sees them: what is found in them, what is refused and in which words.
// Well-formed ones are made by libarchive; hostile ones by changing their bytes.
#include "inspect/archive.h"
#include "unit/unit.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 1 << 20, SEEN = 8, LINE = 512 };

#define ELF_BYTES "\177ELF of a kind"

typedef struct Made {
  unsigned char bytes[CAPACITY];
  size_t size;
} Made;

typedef struct Seen {
  unsigned members, problems, wanted;
  char paths[SEEN][LINE];
  char texts[SEEN][2 * LINE];  // "path: text"
  uint64_t sizes[SEEN];
} Seen;

static Made made, outer;
static Seen seen;

// Begins an archive in `out`: "zip", or "ar" in the manner of BSD, which needs no table of names.
static struct archive *begin(Made *out, const char *format)
{
  struct archive *writer = archive_write_new();
  out->size = 0;
  int status = strcmp(format, "zip") == 0 ? archive_write_set_format_zip(writer)
                                          : archive_write_set_format_ar_bsd(writer);
  ck_assert_int_eq(status, ARCHIVE_OK);
  ck_assert_int_eq(archive_write_set_bytes_in_last_block(writer, 1), ARCHIVE_OK);
  ck_assert_int_eq(archive_write_open_memory(writer, out->bytes, CAPACITY, &out->size), ARCHIVE_OK);
  return writer;
}

static void add(struct archive *writer, const char *name, const void *bytes, size_t size)
{
  struct archive_entry *entry = archive_entry_new();
  archive_entry_copy_pathname(entry, name);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, (int64_t)size);
  ck_assert_int_eq(archive_write_header(writer, entry), ARCHIVE_OK);
  ck_assert_int_eq(archive_write_data(writer, bytes, size), (la_ssize_t)size);
  archive_entry_free(entry);
}

static void add_text(struct archive *writer, const char *name, const char *text)
{
  add(writer, name, text, strlen(text));
}

static void end(struct archive *writer)
{
  ck_assert_int_eq(archive_write_free(writer), ARCHIVE_OK);
}

// A zip file with one ELF file, "lib.so", and a text.
static void make_simple_zip(Made *out)
{
  struct archive *writer = begin(out, "zip");
  add_text(writer, "README", "no library");
  add_text(writer, "lib.so", ELF_BYTES);
  end(writer);
}

static bool on_member(void *context, const ArchiveMember *member)
{
  Seen *to = context;
  if (to->members < SEEN) {
    snprintf(to->paths[to->members], LINE, "%s", member->path);
    to->sizes[to->members] = member->size;
  }
  ck_assert(memcmp(member->bytes, "\177ELF", 4) == 0);
  member->bytes[0] = 0;  // it may be changed
  return ++to->members != to->wanted;
}

static void on_problem(void *context, const char *path, const char *text)
{
  Seen *to = context;
  if (to->problems < SEEN) snprintf(to->texts[to->problems], 2 * LINE, "%s: %s", path, text);
  ++to->problems;
}

static bool visit_with(const Made *archive, const ArchiveLimits *limits, unsigned wanted)
{
  seen = (Seen){.wanted = wanted};
  const ArchiveVisitor visitor = {.context = &seen, .member = on_member, .problem = on_problem};
  // The bytes end where memory that may be read ends, for whoever runs this under a sanitizer.
  unsigned char *bytes = malloc(archive->size + 1);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, archive->bytes, archive->size);
  unsigned char *exact = realloc(bytes, archive->size != 0 ? archive->size : 1);
  bool complete = archive_visit("x.whl", exact, archive->size, limits, &visitor);
  free(exact);
  ck_assert_uint_eq(complete, seen.problems == 0 && (wanted == 0 || seen.members < wanted));
  return complete;
}

static bool visit(const Made *archive)
{
  return visit_with(archive, NULL, 0);
}

static void expect_member(unsigned index, const char *path)
{
  ck_assert_uint_lt(index, seen.members);
  ck_assert_str_eq(seen.paths[index], path);
}

static void expect_problem(unsigned index, const char *part)
{
  ck_assert_uint_lt(index, seen.problems);
  ck_assert_msg(strstr(seen.texts[index], part) != NULL, "'%s' has no '%s'", seen.texts[index],
                part);
}

// Where `what` begins in the archive, counted from its end: the directory's copy of a name.
static unsigned char *last(Made *archive, const char *what)
{
  size_t length = strlen(what);
  for (size_t at = archive->size - length + 1; at-- > 0;) {
    if (memcmp(archive->bytes + at, what, length) == 0) return archive->bytes + at;
  }
  ck_abort_msg("the archive has no %s", what);
  return NULL;
}

TEST_GROUP(archives, .timeout = 60);

TEST(kinds_are_told_by_how_bytes_begin)
{
  ck_assert_int_eq(archive_kind((const unsigned char *)"PK\3\4", 4), ARCHIVE_KIND_ZIP);
  ck_assert_int_eq(archive_kind((const unsigned char *)"PK\5\6", 4), ARCHIVE_KIND_ZIP);
  ck_assert_int_eq(archive_kind((const unsigned char *)"!<arch>\n", 8), ARCHIVE_KIND_AR);
  ck_assert_int_eq(archive_kind((const unsigned char *)"!<thin>\n", 8), ARCHIVE_KIND_THIN);
  ck_assert_int_eq(archive_kind((const unsigned char *)"!<arch>", 7), ARCHIVE_KIND_NONE);
  ck_assert_int_eq(archive_kind((const unsigned char *)"PK\3", 3), ARCHIVE_KIND_NONE);
  ck_assert_int_eq(archive_kind((const unsigned char *)"\177ELF", 4), ARCHIVE_KIND_NONE);
  ck_assert_int_eq(archive_kind(NULL, 0), ARCHIVE_KIND_NONE);
}

TEST(a_wheel_shows_its_libraries_and_nothing_else)
{
  make_simple_zip(&made);
  ck_assert(visit(&made));
  ck_assert_uint_eq(seen.members, 1);
  expect_member(0, "x.whl!lib.so");
  ck_assert_uint_eq(seen.sizes[0], strlen(ELF_BYTES));
}

TEST(a_static_archive_shows_its_objects)
{
  struct archive *writer = begin(&made, "ar");
  add_text(writer, "one.o", ELF_BYTES);
  add_text(writer, "note.txt", "no object");
  add_text(writer, "two.o", ELF_BYTES "!");
  end(writer);
  ck_assert(visit(&made));
  ck_assert_uint_eq(seen.members, 2);
  expect_member(0, "x.whl!one.o");
  expect_member(1, "x.whl!two.o");
  ck_assert_uint_eq(seen.sizes[1], strlen(ELF_BYTES) + 1);
}

TEST(one_name_twice_is_two_members)
{
  struct archive *writer = begin(&made, "ar");
  add_text(writer, "one.o", ELF_BYTES);
  add_text(writer, "one.o", ELF_BYTES);
  add_text(writer, "one.o", ELF_BYTES);
  end(writer);
  ck_assert(visit(&made));
  expect_member(0, "x.whl!one.o");
  expect_member(1, "x.whl!one.o#2");
  expect_member(2, "x.whl!one.o#3");
}

TEST(archives_within_archives_are_looked_into)
{
  make_simple_zip(&made);
  struct archive *writer = begin(&outer, "zip");
  add(writer, "inner.whl", made.bytes, made.size);
  add_text(writer, "own.so", ELF_BYTES);
  end(writer);
  ck_assert(visit(&outer));
  ck_assert_uint_eq(seen.members, 2);
  expect_member(0, "x.whl!inner.whl!lib.so");
  expect_member(1, "x.whl!own.so");
}

TEST(below_the_third_level_nothing_is_looked_into)
{
  make_simple_zip(&made);
  for (unsigned level = 2; level <= 4; ++level) {
    struct archive *writer = begin(&outer, "zip");
    add(writer, "inner.zip", made.bytes, made.size);
    end(writer);
    made = outer;
    ck_assert_uint_eq(visit(&made), level <= archive_limits.depth);
  }
  ck_assert_uint_eq(seen.members, 0);
  ck_assert_uint_eq(seen.problems, 1);
  expect_problem(0, "x.whl!inner.zip!inner.zip!inner.zip: is an archive within 3 others");
}

TEST(names_cannot_speak_to_a_terminal)
{
  struct archive *writer = begin(&made, "zip");
  add_text(writer, "a\033[2J\n\177b.so", ELF_BYTES);
  add_text(writer, "../../etc/passwd", ELF_BYTES);
  add_text(writer, "/abs.so", ELF_BYTES);
  end(writer);
  ck_assert(visit(&made));
  expect_member(0, "x.whl!a?[2J??b.so");
  expect_member(1, "x.whl!../../etc/passwd");
  expect_member(2, "x.whl!/abs.so");
}

// Where the header of a member begins, the `nth` from the end.
static unsigned char *header(Made *archive, unsigned nth)
{
  size_t at = archive->size;
  for (unsigned i = 0; i < nth; ++i) {
    do --at;
    while (memcmp(archive->bytes + at, "PK\3\4", 4) != 0);
  }
  return archive->bytes + at;
}

// Sets the flag that says that the member is encrypted.
static void mark_encrypted(Made *archive, unsigned nth)
{
  header(archive, nth)[6] |= 1;
}

// The flag for UTF-8 makes libarchive warn of a name that this process cannot show.
TEST(names_of_every_language_are_read)
{
  struct archive *writer = begin(&made, "zip");
  add_text(writer, "b\303\274b.so", ELF_BYTES);
  end(writer);
  header(&made, 1)[7] |= 8;
  last(&made, "PK\1\2")[9] |= 8;
  ck_assert(visit(&made));
  ck_assert_uint_eq(seen.members, 1);
  expect_member(0, "x.whl!b??b.so");
}

TEST(an_encrypted_member_is_refused_and_the_next_one_read)
{
  struct archive *writer = begin(&made, "zip");
  add_text(writer, "hidden.so", ELF_BYTES);
  add_text(writer, "open.so", ELF_BYTES);
  end(writer);
  mark_encrypted(&made, 2);
  ck_assert(!visit(&made));
  ck_assert_uint_eq(seen.problems, 1);
  expect_problem(0, "x.whl!hidden.so: is encrypted");
  ck_assert_uint_eq(seen.members, 1);
  expect_member(0, "x.whl!open.so");
}

// 16 MiB of zeros behind ELF's magic.
static void make_bomb(void)
{
  enum { BOMB = 16 << 20 };
  unsigned char *bytes = calloc(1, BOMB);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, "\177ELF", 4);
  struct archive *writer = begin(&made, "zip");
  add(writer, "bomb.so", bytes, BOMB);
  add_text(writer, "lib.so", ELF_BYTES);
  end(writer);
  free(bytes);
}

TEST(a_bomb_ends_the_visit)
{
  make_bomb();
  ArchiveLimits limits = archive_limits;
  limits.ratio_from = 1 << 20;
  ck_assert(!visit_with(&made, &limits, 0));
  ck_assert_uint_eq(seen.members, 0);
  ck_assert_uint_eq(seen.problems, 1);
  expect_problem(0, "x.whl!bomb.so: the archive unpacks to more than 200 times its size");

  limits = archive_limits;
  limits.total_bytes = 1 << 20;
  ck_assert(!visit_with(&made, &limits, 0));
  ck_assert_uint_eq(seen.members, 0);
  expect_problem(0, "the archive unpacks to more than 1 MiB");
}

TEST(a_member_too_large_is_refused_and_the_next_one_read)
{
  make_bomb();
  ArchiveLimits limits = archive_limits;
  limits.member_bytes = 1 << 20;
  ck_assert(!visit_with(&made, &limits, 0));
  expect_problem(0, "x.whl!bomb.so: is larger than 1 MiB");
  expect_member(0, "x.whl!lib.so");
}

// Larger than what is gathered in memory: it goes through a temporary file.
TEST(a_large_member_is_whole)
{
  enum { LARGE = 80 << 20 };
  unsigned char *bytes = calloc(1, LARGE);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, "\177ELF", 4);
  struct archive *writer = begin(&made, "zip");
  add(writer, "large.so", bytes, LARGE);
  end(writer);
  free(bytes);
  ArchiveLimits limits = archive_limits;
  limits.ratio_from = 2 * LARGE;
  ck_assert(visit_with(&made, &limits, 0));
  expect_member(0, "x.whl!large.so");
  ck_assert_uint_eq(seen.sizes[0], LARGE);
}

TEST(too_many_libraries_end_the_visit)
{
  struct archive *writer = begin(&made, "ar");
  for (unsigned i = 0; i < 5; ++i) add_text(writer, "one.o", ELF_BYTES);
  end(writer);
  ArchiveLimits limits = archive_limits;
  limits.libraries = 3;
  ck_assert(!visit_with(&made, &limits, 0));
  ck_assert_uint_eq(seen.members, 3);
  expect_problem(0, "the archive has more than 3 libraries");
}

TEST(many_problems_are_counted_not_told)
{
  struct archive *writer = begin(&made, "zip");
  for (unsigned i = 0; i < 7; ++i) add_text(writer, "hidden.so", ELF_BYTES);
  end(writer);
  for (unsigned i = 1; i <= 7; ++i) mark_encrypted(&made, i);
  ArchiveLimits limits = archive_limits;
  limits.problems = 2;
  ck_assert(!visit_with(&made, &limits, 0));
  ck_assert_uint_eq(seen.problems, 3);
  expect_problem(2, "x.whl: has 5 more unreadable members");
}

TEST(the_visitor_can_end_it)
{
  struct archive *writer = begin(&made, "ar");
  for (unsigned i = 0; i < 5; ++i) add_text(writer, "one.o", ELF_BYTES);
  end(writer);
  ck_assert(!visit_with(&made, NULL, 2));
  ck_assert_uint_eq(seen.members, 2);
}

TEST(a_wrong_checksum_is_a_problem)
{
  make_simple_zip(&made);
  unsigned char *entry = last(&made, "lib.so") - 46;
  ck_assert(memcmp(entry, "PK\1\2", 4) == 0);
  entry[16] ^= 1;
  ck_assert(!visit(&made));
  ck_assert_uint_eq(seen.members, 0);
  expect_problem(0, "x.whl!lib.so: ");
}

TEST(a_wrong_size_is_a_problem)
{
  make_simple_zip(&made);
  unsigned char *entry = last(&made, "lib.so") - 46;
  entry[24] += 9;
  ck_assert(!visit(&made));
  ck_assert_uint_eq(seen.members, 0);
  expect_problem(0, "x.whl!lib.so: Inconsistent uncompressed size");
}

TEST(a_large_directory_is_refused_unread)
{
  make_simple_zip(&made);
  ArchiveLimits limits = archive_limits;
  limits.directory_bytes = 64;
  ck_assert(!visit_with(&made, &limits, 0));
  ck_assert_uint_eq(seen.members, 0);
  expect_problem(0, "the directory of the zip file");
}

static void put_number(unsigned char *at, uint64_t number, unsigned width)
{
  for (unsigned i = 0; i < width; ++i) at[i] = (unsigned char)(number >> 8 * i);
}

// The simple zip file as one of more than 4 GB would end: a second end record with offsets of 64
// bits, and what leads to it. The old end record says `begin`; the new one's place and what it says
// of the directory are off by so much.
static void make_zip64(uint64_t begin, uint64_t place_off, uint64_t directory_off)
{
  enum { END = 22, END64 = 56, LOCATOR = 20 };
  unsigned char end[END];
  make_simple_zip(&made);
  size_t at = made.size - END, directory = last(&made, "README") - 46 - made.bytes;
  memcpy(end, made.bytes + at, END);
  ck_assert(memcmp(end, "PK\5\6", 4) == 0);
  unsigned char *end64 = made.bytes + at, *locator = end64 + END64;
  memset(end64, 0, END64 + LOCATOR);
  memcpy(end64, "PK\6\6", 4);
  put_number(end64 + 4, END64 - 12, 8);
  put_number(end64 + 24, 2, 8);
  put_number(end64 + 32, 2, 8);
  put_number(end64 + 40, at - directory, 8);
  put_number(end64 + 48, directory + directory_off, 8);
  memcpy(locator, "PK\6\7", 4);
  put_number(locator + 8, at + place_off, 8);
  put_number(locator + 16, 1, 4);
  put_number(end + 16, begin == 0 ? directory : begin, 4);
  memcpy(locator + LOCATOR, end, END);
  made.size += END64 + LOCATOR;
}

TEST(a_zip_file_with_offsets_of_64_bits_is_read, .rows = 2)
{
  make_zip64(_i == 0 ? UINT32_MAX : 0, 0, 0);
  ck_assert(visit(&made));
  ck_assert_uint_eq(seen.members, 1);
  expect_member(0, "x.whl!lib.so");
}

// The directory is as large as the smaller offset says, whichever record has it.
TEST(a_large_directory_is_refused_by_either_offset, .rows = 4)
{
  static const struct {
    uint64_t begin, directory_off;
    bool large;
  } rows[] = {{UINT32_MAX, 0, false}, {0, 0, false}, {60, 0, true}, {0, (uint64_t)-100, true}};
  make_zip64(rows[_i].begin, 0, rows[_i].directory_off);
  ArchiveLimits limits = archive_limits;
  limits.directory_bytes = 240;
  ck_assert_int_eq(visit_with(&made, &limits, 0), !rows[_i].large);
  ck_assert_uint_eq(seen.members, !rows[_i].large);
  if (rows[_i].large) expect_problem(0, "x.whl: the directory of the zip file, before byte");
}

// What is said to be a record of 56 bytes begins behind where it would have to end, or after it
// all.
TEST(an_end_record_elsewhere_is_refused, .rows = 3)
{
  static const uint64_t off[] = {21, 1000, UINT64_MAX / 2};
  make_zip64(UINT32_MAX, off[_i], 0);
  ck_assert(!visit(&made));
  ck_assert_uint_eq(seen.members, 0);
  expect_problem(0, "x.whl: the zip file has no directory at its end");
}

TEST(thin_archives_are_refused)
{
  made.size = 8;
  memcpy(made.bytes, "!<thin>\n", 8);
  ck_assert(!visit(&made));
  expect_problem(0, "x.whl: is a thin archive");
}

// No cut reads outside the file, and none passes for the whole.
TEST(a_zip_file_cut_anywhere_is_refused)
{
  make_simple_zip(&made);
  outer = made;
  for (size_t size = 0; size < made.size; ++size) {
    outer.size = size;
    ck_assert_msg(!visit(&outer) || size == 0, "cut to %zu bytes it passes", size);
  }
}

TEST(a_static_archive_cut_anywhere_is_safe)
{
  struct archive *writer = begin(&made, "ar");
  add_text(writer, "one.o", ELF_BYTES);
  add_text(writer, "a-name-that-is-longer-than-sixteen.o", ELF_BYTES);
  end(writer);
  size_t whole = made.size;
  ck_assert(visit(&made));
  ck_assert_uint_eq(seen.members, 2);
  for (made.size = 0; made.size < whole; ++made.size) visit(&made);
}

TEST(every_byte_may_be_wrong)
{
  make_simple_zip(&made);
  for (size_t at = 0; at < made.size; ++at) {
    for (unsigned flip = 1; flip < 256; flip = 2 * flip + 1) {
      outer = made;
      outer.bytes[at] ^= (unsigned char)flip;
      visit(&outer);
    }
  }
}
