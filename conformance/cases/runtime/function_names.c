// SPDX-License-Identifier: Apache-2.0
// Names: which are the same, and what becomes of the memory that holds them.
#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

//--------------------------------------------------------------------------------------------------
// Which names are the same
//--------------------------------------------------------------------------------------------------

#define TEXT_OF_62 "conform.name.of.sixty.two.bytes.that.is.long.for.a.name.really"

// tvm-ffi#674 was a comparison over the length of one of the two names.
static const struct {
  const char *name;
  const char *one;
  size_t one_size;
  const char *two;
  size_t two_size;
} pairs[] = {
    {"longer_by_a_letter", "conform.f", 9, "conform.fn", 10},
    {"longer_by_a_nul", "conform.f", 9, "conform.f\0", 10},
    {"behind_a_nul", "conform\0one", 11, "conform\0two", 11},
    {"up_to_a_nul", "conform", 7, "conform\0two", 11},
    {"one_nul_and_two", "\0", 1, "\0\0", 2},
    {"other_case", "Conform.F", 9, "conform.f", 9},
    {"trailing_blank", "conform.f", 9, "conform.f ", 10},
    {"leading_blank", "conform.f", 9, " conform.f", 10},
    {"swapped_words", "conform.a.b", 11, "conform.b.a", 11},
    {"ill_formed_utf8", "conform.\xFF", 9, "conform.\xFE", 9},
    {"composed_letter", "conform.\xC3\xA9", 10, "conform.e\xCC\x81", 11},
    {"high_bit", "conform.\x41", 9, "conform.\xC1", 9},
    {"last_of_8_bytes", "conform1", 8, "conform2", 8},
    {"first_of_8_bytes", "1conform", 8, "2conform", 8},
    {"last_of_63_bytes", TEXT_OF_62 "1", 63, TEXT_OF_62 "2", 63},
    {"first_of_63_bytes", "1" TEXT_OF_62, 63, "2" TEXT_OF_62, 63},
    {"zero_filled", "conform\0\0\0\0\0\0\0\0", 15, "conform\0\0\0\0\0\0\0\0\0", 16},
};

CASE_ROWS(different_names_lead_to_different_functions, pairs, .clauses = {FUN_24},
          .title = "names that differ in any byte or in size are different names")
{
  const TVMFFIByteArray *one = fenced_name(row->one, row->one_size);
  const TVMFFIByteArray *two = fenced_name(row->two, row->two_size);
  TVMFFIObjectHandle first = new_single_function(iut), second = new_single_function(iut);
  note("registering the first name");
  enter_function(iut, one, first);
  expect_entered(iut, two, NULL);
  note("registering the second name");
  enter_function(iut, two, second);
  expect_entered(iut, one, first);
  expect_entered(iut, two, second);
  release_object(iut, first);
  release_object(iut, second);
}

CASE(every_byte_makes_a_name_of_its_own, .clauses = {FUN_24},
     .title = "the 256 names of one byte are 256 different names")
{
  TVMFFIObjectHandle functions[256];
  for (unsigned i = 0; i < 256; ++i) {
    char byte = (char)i;
    functions[i] = new_single_function(iut);
    enter_function(iut, &(TVMFFIByteArray){&byte, 1}, functions[i]);
  }
  for (unsigned i = 0; i < 256; ++i) {
    char byte = (char)i;
    note("looking up the name of the byte 0x%02x", i);
    require(expect_entered(iut, &(TVMFFIByteArray){&byte, 1}, functions[i]));
    release_object(iut, functions[i]);
  }
}

//--------------------------------------------------------------------------------------------------
// The memory of a name
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  size_t size;
} sizes[] = {
    {"1", 1},   {"6", 6},   {"7", 7},   {"8", 8},       {"15", 15},         {"16", 16},
    {"17", 17}, {"63", 63}, {"64", 64}, {"4096", 4096}, {"1_mib", 1 << 20},
};

// Bytes without a NUL; no two neighbours of the same kind repeat within 256.
static char *new_name(size_t size)
{
  char *text = malloc(size ? size : 1);
  if (!text) case_inconclusive("no memory for a name of %zu bytes", size);
  for (size_t i = 0; i < size; ++i) text[i] = (char)(1 + i % 255);
  return text;
}

CASE_ROWS(
    name_is_read_up_to_its_size, sizes, .clauses = {FUN_25, FUN_20},
    .title = "registering and looking up read no byte before or after the name, and write none")
{
  char *text = new_name(row->size);
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIByteArray front = {fenced_front_copy("the name", text, row->size), row->size};
  const TVMFFIByteArray *name = fenced_bytes(text, row->size);
  note("registering a name that ends before an unmapped page");
  enter_function(iut, name, function);
  note("looking up a name that ends before an unmapped page");
  expect_entered(iut, name, function);
  note("looking up a name that begins behind an unmapped page");
  expect_entered(iut, fenced_copy("the byte array", &front, sizeof front), function);
  note("being refused a name that begins behind an unmapped page");
  expect_error(iut, iut->FunctionSetGlobal(&front, function, 0), NULL);
  free(text);
  release_object(iut, function);
}

CASE_ROWS(name_is_copied, sizes, .clauses = {FUN_25, FUN_20},
          .title =
              "a registered function is found under its name after the memory of the name was "
              "overwritten and freed")
{
  char *text = new_name(row->size), *other = new_name(row->size);
  TVMFFIByteArray *name = malloc(sizeof *name);
  if (!name) case_inconclusive("no memory for a byte array");
  *name = (TVMFFIByteArray){text, row->size};
  TVMFFIObjectHandle function = new_single_function(iut);
  enter_function(iut, name, function);
  memset(text, '#', row->size);
  memset(name, 0xA5, sizeof *name);
  free(name);
  expect_entered(iut, &(TVMFFIByteArray){other, row->size}, function);
  if (row->size > 0) expect_entered(iut, &(TVMFFIByteArray){text, row->size}, NULL);
  free(text);
  expect_entered(iut, &(TVMFFIByteArray){other, row->size}, function);
  release_object(iut, function);
}

CASE(name_of_a_replacement_is_copied, .clauses = {FUN_25, FUN_28},
     .title = "a name registered again with override is found after its memory was overwritten")
{
  char text[] = "conform.function";
  TVMFFIByteArray name = bytes_of(text), other = bytes_of("conform.function");
  TVMFFIObjectHandle old = new_single_function(iut), new = new_single_function(iut);
  enter_function(iut, &other, old);
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, new, 1)));
  memset(text, '#', sizeof text - 1);
  expect_entered(iut, &other, new);
  expect_entered(iut, &name, NULL);
  release_object(iut, old);
  release_object(iut, new);
}
