// SPDX-License-Identifier: Apache-2.0
// What `inspect` says of data that loaders read: embedded modules that are odd, texts that describe
// functions, and words of constant data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inspect/inspect_words.h"
#include "inspect_made.h"
#include "unit/unit.h"

enum { DATA = SHF_ALLOC | SHF_WRITE, CONSTANT = SHF_ALLOC };

// --- Embedded modules ----------------------------------------------------------------------------

typedef struct Blob {
  unsigned char *bytes;  // own
  size_t size;
} Blob;

static void put(Blob *blob, const void *data, size_t size)
{
  blob->bytes = realloc(blob->bytes, blob->size + size + 1);
  ck_assert_ptr_nonnull(blob->bytes);
  memcpy(blob->bytes + blob->size, data, size);
  blob->size += size;
}

static void put_number(Blob *blob, uint64_t number)
{
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(number >> 8 * i);
  put(blob, bytes, sizeof bytes);
}

static void put_text(Blob *blob, const char *text)
{
  put_number(blob, strlen(text));
  put(blob, text, strlen(text));
}

// The size stands in front of it all.
static void finish(Blob *blob)
{
  uint64_t size = blob->size - 8;
  for (int i = 0; i < 8; ++i) blob->bytes[i] = (unsigned char)(size >> 8 * i);
}

// Modules "_lib", then custom ones of these kinds without values; rows and children as they are
// given.
static Blob tree(const uint64_t *rows, size_t row_count, const uint64_t *children,
                 size_t child_count, const char *const *kinds)
{
  Blob blob = {0};
  put_number(&blob, 0);
  put_number(&blob, row_count);
  for (size_t i = 0; i < row_count; ++i) put_number(&blob, rows[i]);
  put_number(&blob, child_count);
  for (size_t i = 0; i < child_count; ++i) put_number(&blob, children[i]);
  put_text(&blob, "_lib");
  for (size_t i = 0; i + 2 < row_count; ++i) {
    put_text(&blob, kinds[i]);
    put_text(&blob, "");
  }
  finish(&blob);
  return blob;
}

// What is said of a library_bin whose symbol has another size than its section (`symbol_size`; 0:
// none is given). The blob is freed.
static Seen seen_of(Blob *blob, uint64_t symbol_size)
{
  MadeSection sections[] = {{".rodata", SHT_PROGBITS, CONSTANT, blob->bytes, blob->size, 0}};
  MadeSymbol symbols[] = {{"__tvm_ffi__library_bin", STT_OBJECT, STB_GLOBAL, 0, 1, 0, symbol_size}};
  Seen seen = seen_in_made(&(MadeFile){MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)});
  free(blob->bytes);
  return seen;
}

static const char *const two_kinds[] = {"cuda", "c"};

TEST_GROUP(data, .timeout = 60);

// Two ways lead to the last one.
TEST(a_diamond)
{
  static const uint64_t rows[] = {0, 2, 3, 3}, children[] = {1, 2, 2};
  Blob blob = tree(rows, 4, children, 3, two_kinds);
  Seen seen = seen_of(&blob, blob.size);
  ck_assert_int_eq(seen.subject->blob.state, INSPECT_BLOB_SOUND);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BIN_UNREACHABLE), 0);
  seen_free(&seen);
}

TEST(an_unreachable_module_with_a_long_kind)
{
  static const uint64_t rows[] = {0, 0, 0};
  char kind[101] = "", expected[128];
  memset(kind, 'k', sizeof kind - 1);
  const char *const kinds[] = {kind};
  Blob blob = tree(rows, 3, NULL, 0, kinds);
  Seen seen = seen_of(&blob, blob.size);
  snprintf(expected, sizeof expected, "module 1, of kind %.64s", kind);
  seen_expect(&seen, INSPECT_FINDING_BIN_UNREACHABLE, "__tvm_ffi__library_bin", expected);
  seen_free(&seen);
}

// Where the symbol does not say how large it is, or more than there is, the section does.
TEST(sizes_of_the_symbol, .rows = 3)
{
  static const uint64_t rows[] = {0, 1, 1}, children[] = {1};
  Blob blob = tree(rows, 3, children, 1, two_kinds);
  uint64_t whole = blob.size, sizes[] = {0, whole, 2 * whole};
  Seen seen = seen_of(&blob, sizes[_i]);
  ck_assert_int_eq(seen.subject->blob.state, INSPECT_BLOB_SOUND);
  ck_assert_uint_eq(seen.subject->blob.size, whole);
  if (_i == 2) {
    char expected[100];
    snprintf(expected, sizeof expected, "the symbol has %zu bytes, 8 + nbytes are %zu",
             (size_t)(2 * whole), (size_t)whole);
    seen_expect(&seen, INSPECT_FINDING_BIN_SIZE, "__tvm_ffi__library_bin", expected);
  } else {
    ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BIN_SIZE), 0);
  }
  seen_free(&seen);
}

// The last entry is cut: bytes that are missing, and what is said first.
static const struct {
  size_t missing;
  const char *says;
} cuts[] = {
    {4, "value-cut, BIN-22: "},
    {8, "value-cut, BIN-22: "},
    {9, "kind-too-large, BIN-31: "},
    {20, "kind-cut, BIN-22: "},
};

TEST(a_cut_entry_cites_the_clause_about_it, .rows = ROWS(cuts))
{
  static const uint64_t rows[] = {0, 1, 1}, children[] = {1};
  Blob blob = tree(rows, 3, children, 1, two_kinds);
  blob.size -= cuts[_i].missing;
  finish(&blob);
  Seen seen = seen_of(&blob, blob.size);
  const InspectFinding *finding = seen_first(&seen, INSPECT_FINDING_BIN_BROKEN);
  ck_assert_ptr_nonnull(finding);
  ck_assert_msg(strncmp(finding->detail, cuts[_i].says, strlen(cuts[_i].says)) == 0, "%s",
                finding->detail);
  seen_free(&seen);
}

// A number of entries, then a text: what is no text is not of that layout.
static const struct {
  uint64_t length;
  const char *text;
  bool old;
} texts[] = {
    {12, "_import_tree", true},
    {5, " ~ ~ ", true},
    {0, "_import_tree", false},
    {64, NULL, true},
    {65, NULL, false},
    {UINT64_MAX, "_import_tree", false},
    {5,
     "abc\x1f"
     "e",
     false},
    {5,
     "abc\x7f"
     "e",
     false},
};

TEST(the_layout_of_before, .rows = ROWS(texts))
{
  Blob blob = {0};
  put_number(&blob, 0);
  put_number(&blob, 2);
  put_number(&blob, texts[_i].length);
  char text[80];
  memset(text, 'x', sizeof text);
  if (texts[_i].text) memcpy(text, texts[_i].text, strlen(texts[_i].text));
  put(&blob, text, sizeof text);
  finish(&blob);
  Seen seen = seen_of(&blob, blob.size);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BIN_OLD), texts[_i].old);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BIN_BROKEN), !texts[_i].old);
  seen_free(&seen);
}

// The text is said to be longer than what is left.
TEST(the_layout_of_before_that_is_cut)
{
  Blob blob = {0};
  for (uint64_t number = 0; number < 3; ++number) put_number(&blob, number == 2 ? 20 : number);
  put(&blob, "_import_tree_of_2", 16);
  finish(&blob);
  Seen seen = seen_of(&blob, blob.size);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BIN_OLD), 0);
  ck_assert_uint_eq(seen_count(&seen, INSPECT_FINDING_BIN_BROKEN), 1);
  seen_free(&seen);
}

// One module that imports more than two million: the reader would take many times their memory.
TEST(more_imports_than_are_judged)
{
  enum { CHILDREN = (1 << 21) + 1 };
  static const uint64_t rows[] = {0, CHILDREN};
  uint64_t *children = calloc(CHILDREN, sizeof *children);
  Blob blob = {0};
  put_number(&blob, 0);
  put_number(&blob, 2);
  for (size_t i = 0; i < 2; ++i) put_number(&blob, rows[i]);
  put_number(&blob, CHILDREN);
  put(&blob, children, CHILDREN * sizeof *children);
  finish(&blob);
  free(children);
  Seen seen = seen_of(&blob, blob.size);
  seen_expect(&seen, INSPECT_FINDING_BIN_TOO_LARGE, "__tvm_ffi__library_bin", "");
  seen_free(&seen);
}

// --- Where a symbol is ---------------------------------------------------------------------------

TEST(places_of_symbols)
{
  static const char room[64];
  static const MadeSection sections[] = {{".data", SHT_PROGBITS, DATA, room, 64, 0},
                                         {".bss", SHT_NOBITS, DATA, NULL, 64, 0}};
  static const MadeSymbol symbols[] = {
      {"inside", STT_OBJECT, STB_GLOBAL, 0, 1, 60, 8},
      {"behind", STT_OBJECT, STB_GLOBAL, 0, 1, 64, 8},
      {"nowhere", STT_OBJECT, STB_GLOBAL, 0, SHN_UNDEF, 0, 8},
      {"common", STT_OBJECT, STB_GLOBAL, 0, SHN_COMMON, 8, 8},
      {"of nothing", STT_OBJECT, STB_GLOBAL, 0, 77, 8, 8},
      {"zeros", STT_OBJECT, STB_GLOBAL, 0, 2, 8, 8},
  };
  Seen seen = seen_in_made(&(MadeFile){MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)});
  const InspectFacts *facts = seen.subject->facts;
  uint64_t offset = 0, available = 0;
  ck_assert_uint_eq(facts->symbol_count, 6);
  ck_assert(inspect_facts_place(facts, &facts->symbols[0], &offset, &available));
  ck_assert_uint_eq(available, 4);
  for (size_t i = 1; i < 6; ++i) {
    ck_assert_msg(!inspect_facts_place(facts, &facts->symbols[i], &offset, &available), "%s",
                  symbols[i].name);
  }
  seen_free(&seen);
}

// --- Metadata ------------------------------------------------------------------------------------

#define SCHEMA "{\"type_schema\":\"{}\"}"

static Seen seen_with_texts(const char *texts_of, size_t size, uint64_t flags, const char *getter)
{
  MadeSection sections[] = {{".rodata", SHT_PROGBITS, flags, texts_of, size, 0},
                            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 16, 0}};
  MadeSymbol symbols[] = {{"__tvm_ffi_add", STT_FUNC, STB_GLOBAL, 0, 2, 0, 8},
                          {getter, STT_FUNC, STB_GLOBAL, 0, 2, 8, 8}};
  return seen_in_made(&(MadeFile){MADE_SECTIONS(sections), MADE_SYMBOLS(symbols)});
}

TEST(metadata_of_an_object)
{
  static const char data[] = "of two\0" SCHEMA "\0" SCHEMA "\0{\"type_schema\": cut\0" SCHEMA;
  Seen seen = seen_with_texts(data, sizeof data - 1, CONSTANT, "__tvm_ffi__metadata_add");
  const InspectMetadata *metadata = &seen.subject->metadata;
  ck_assert_uint_eq(metadata->count, 2);  // the last one has no end
  ck_assert_uint_eq(metadata->unstored, 0);
  for (size_t i = 0; i < 2; ++i) ck_assert(binary_text_is(metadata->texts[i], SCHEMA));
  seen_free(&seen);
}

// Nobody asks for it, or it is none: it can be written to, or is not loaded.
TEST(no_metadata, .rows = 3)
{
  static const struct {
    const char *getter;
    uint64_t flags;
  } rows[] = {{"__tvm_ffi__doc_add", CONSTANT},
              {"__tvm_ffi__metadata_add", DATA},
              {"__tvm_ffi__metadata_add", 0}};
  Seen seen = seen_with_texts(SCHEMA, sizeof SCHEMA, rows[_i].flags, rows[_i].getter);
  ck_assert_uint_eq(seen.subject->metadata.count, 0);
  seen_free(&seen);
}

TEST(more_metadata_than_is_stored)
{
  enum { TEXTS = INSPECT_MOST_METADATA + 3 };
  char data[TEXTS * sizeof SCHEMA];
  for (size_t i = 0; i < TEXTS; ++i) memcpy(data + i * sizeof SCHEMA, SCHEMA, sizeof SCHEMA);
  Seen seen = seen_with_texts(data, sizeof data, CONSTANT, "__tvm_ffi__metadata_add");
  ck_assert_uint_eq(seen.subject->metadata.count, INSPECT_MOST_METADATA);
  ck_assert_uint_eq(seen.subject->metadata.unstored, 3);
  seen_free(&seen);
}

// A text that goes on for too long is none, however it ends.
TEST(metadata_that_is_too_long, .rows = 2)
{
  char data[INSPECT_LONGEST_METADATA + 2];
  size_t length = INSPECT_LONGEST_METADATA - (_i == 0);
  memset(data, ' ', sizeof data);
  memcpy(data, SCHEMA, sizeof SCHEMA - 1);
  memcpy(data + length - 1, "}", 2);
  Seen seen = seen_with_texts(data, length + 1, CONSTANT, "__tvm_ffi__metadata_add");
  ck_assert_uint_eq(seen.subject->metadata.count, _i == 0 ? 1 : 0);
  seen_free(&seen);
}

// --- Words ---------------------------------------------------------------------------------------

static void read_words(Bytes bytes, InspectWords *words)
{
  const int descriptor = memfd_create("words", MFD_CLOEXEC);
  char path[64];
  ck_assert_int_ge(descriptor, 0);
  ck_assert_int_eq(write(descriptor, bytes.data, bytes.size), (ssize_t)bytes.size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  inspect_words_read(path, words);
  close(descriptor);
}

TEST(words_of_constant_data)
{
  static const char constant[] =
      "low_first\0NHD\0low_first\0Mixed\0x\0two words\0block: too large\0"
      "\x01raw\0with-minus_9\0cut.here\0"
      "9th\0of-more-letters-than-are-room-for-it";
  static const char other[] = "elsewhere\0";
  const MadeSection sections[] = {{".rodata", SHT_PROGBITS, CONSTANT, constant, sizeof constant, 0},
                                  {".data", SHT_PROGBITS, DATA, other, sizeof other, 0},
                                  {".interp", SHT_PROGBITS, CONSTANT, other, sizeof other, 0}};
  Bytes bytes = made_file(&(MadeFile){MADE_SECTIONS(sections)});
  static InspectWords words;
  read_words(bytes, &words);
  ck_assert_uint_eq(words.literals.count, 4);
  ck_assert_str_eq(words.literals.items[0], "low_first");
  ck_assert_str_eq(words.literals.items[1], "NHD");
  ck_assert_str_eq(words.literals.items[2], "raw");
  ck_assert_str_eq(words.literals.items[3], "with-minus_9");
  ck_assert_uint_eq(words.subjects.count, 2);
  ck_assert_str_eq(words.subjects.items[0], "two");
  ck_assert_str_eq(words.subjects.items[1], "block");
  // Cut anywhere, it is read within its bounds.
  for (size_t size = bytes.size; size-- > 0;) read_words((Bytes){bytes.data, size}, &words);
  free(bytes.data);
}

TEST(no_more_words_than_there_is_room_for)
{
  char constant[3 * 2 * INSPECT_WORDS_MAX];
  for (int i = 0; i < 2 * INSPECT_WORDS_MAX; ++i)
    memcpy(constant + 3 * i, (char[]){(char)('a' + i % 26), (char)('a' + i / 26), '\0'}, 3);
  const MadeSection sections[] = {{".rodata", SHT_PROGBITS, CONSTANT, constant, sizeof constant, 0},
                                  {".bss", SHT_NOBITS, DATA, NULL, 0, 0}};
  Bytes bytes = made_file(&(MadeFile){MADE_SECTIONS(sections)});
  static InspectWords words;
  read_words(bytes, &words);
  ck_assert_uint_eq(words.literals.count, INSPECT_WORDS_MAX);
  ck_assert_str_eq(words.literals.items[INSPECT_WORDS_MAX - 1], "lc");
  inspect_words_read("/nowhere", &words);
  ck_assert_uint_eq(words.literals.count, 0);
  free(bytes.data);
}
