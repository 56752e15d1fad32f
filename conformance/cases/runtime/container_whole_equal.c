// SPDX-License-Identifier: Apache-2.0
// Comparisons and hashes of containers together with what is in them.
#include "cases/runtime/container_whole.h"

CHAPTER(container);

CASE(functions_of_whole_values_are_registered, .clauses = {CON_68},
     .title = "values can be copied, compared and hashed as a whole")
{
  static const char *const names[] = {copy, equal, hash};
  for (int i = 0; i < 3; ++i)
    expect_that(is_registered(iut, names[i]), "a function of this name", "no %s", names[i]);
}

// Two values that are written differently, or made twice.
typedef struct Same {
  const char *name, *one, *other;
} Same;

static const Same equals[] = {
    {"none", "n", "n"},
    {"integer", "-5", "-5"},
    {"bool", "t", "t"},
    {"float", "2.5", "2.50"},
    {"small-string", "'small", "'small"},
    {"string", "'longer-than-seven", "'longer-than-seven"},
    {"bytes", "\"longer-than-seven", "\"longer-than-seven"},
    {"shape", "#2,3", "#2,3"},
    {"array", "[1 'two \"three]", "[1 'two \"three]"},
    {"list", "<1 'longer-than-seven 2.5>", "<1 'longer-than-seven 2.50>"},
    {"empty-array", "[]", "[]"},
    {"empty-list", "<>", "<>"},
    {"empty-map", "{}", "{}"},
    {"empty-dict", "()", "()"},
    {"map-in-another-order", "{1 2, 3 4, 'five 6}", "{'five 6, 3 4, 1 2}"},
    {"dict-in-another-order", "(1 2, 3 4, 'five 6)", "('five 6, 3 4, 1 2)"},
    {"dense-map-in-another-order", "{1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8, 9 9, 10 10}",
     "{10 10, 9 9, 8 8, 7 7, 6 6, 5 5, 4 4, 3 3, 2 2, 1 1}"},
    {"nested", "[<1 [2 #3,4]> {5 (6 <7>)} n]", "[<1 [2 #3,4]> {5 (6 <7>)} n]"},
};

static const Same odd_floats[] = {
    {"zeros", "0.0", "-0.0"},
    {"not-a-number", "nan", "nan"},
    {"zero-in-a-list", "<1 0.0>", "<1 -0.0>"},
    {"array-of-not-a-number", "[nan]", "[nan]"},
};

static void expect_equal(Iut *iut, const Same *row)
{
  TVMFFIAny one = whole_value(iut, row->one), other = whole_value(iut, row->other);
  expect_gives(iut, view_of_bool(true), equal, VALUES(one, other));
  expect_gives(iut, view_of_bool(true), equal, VALUES(other, one));
  note("with itself");
  expect_gives(iut, view_of_bool(true), equal, VALUES(one, one));
  release_any(iut, &one);
  release_any(iut, &other);
}

static void expect_one_hash(Iut *iut, const Same *row)
{
  TVMFFIAny one = whole_value(iut, row->one), other = whole_value(iut, row->other);
  TVMFFIAny expected = value_of(iut, hash, VALUES(one));
  require(expect_type_index(&expected, kTVMFFIInt));
  expect_gives(iut, expected, hash, VALUES(other));
  note("of a copy");
  if (is_registered(iut, copy)) {
    TVMFFIAny made = value_of(iut, copy, VALUES(one));
    expect_gives(iut, expected, hash, VALUES(made));
    release_any(iut, &made);
  }
  release_any(iut, &one);
  release_any(iut, &other);
}

CASE_ROWS(same_content_is_equal, equals, .clauses = {CON_73},
          .title = "values of the same type and content are equal, in both directions")
{
  expect_equal(iut, row);
}

CASE_ROWS(same_content_has_one_hash, equals, .clauses = {CON_75},
          .title = "values of the same type and content have the same hash")
{
  expect_one_hash(iut, row);
}

CASE_ROWS(odd_floats_are_equal, odd_floats, .clauses = {CON_85},
          .title = "0.0 and -0.0 are equal, two NaNs are, and equal ones have the same hash")
{
  expect_equal(iut, row);
  expect_one_hash(iut, row);
}

CASE(forms_of_a_text_are_equal, .clauses = {CON_73, CON_75},
     .title = "a C string, a byte array and what they become are equal, and have one hash")
{
  static const char *const texts[] = {"small", "longer-than-seven"};
  for (int i = 0; i < 2; ++i) {
    note("\"%s\"", texts[i]);
    TVMFFIByteArray content = bytes_of(texts[i]);
    TVMFFIAny raw[] = {view_of_raw_string(texts[i]), view_of_byte_array(&content)};
    TVMFFIAny made[] = {any_none(), any_none()};
    require(expect_ok(iut, iut->StringFromByteArray(&content, &made[0])));
    require(expect_ok(iut, iut->BytesFromByteArray(&content, &made[1])));
    for (int kind = 0; kind < 2; ++kind) {
      expect_gives(iut, view_of_bool(true), equal, VALUES(raw[kind], made[kind]));
      TVMFFIAny expected = value_of(iut, hash, VALUES(made[kind]));
      expect_gives(iut, expected, hash, VALUES(raw[kind]));
      release_any(iut, &made[kind]);
      made[kind] = raw[kind];
    }
  }
}

typedef struct Different {
  const char *name, *one, *other, *twin;  // the twin is what `one` is equal to
} Different;

static const Different differents[] = {
    {"integers", "1", "2", "1"},
    {"number-and-not-a-number", "1.5", "nan", "1.5"},
    {"strings", "'longer-than-seven", "'longer-than-eight", "'longer-than-seven"},
    {"string-and-its-beginning", "'longer-than-seven", "'longer-than", "'longer-than-seven"},
    {"shapes", "#2,3", "#2,4", "#2,3"},
    {"shape-and-its-beginning", "#2,3", "#2", "#2,3"},
    {"last-element", "[1 2 3]", "[1 2 4]", "[1 2 3]"},
    {"first-element", "<1 2 3>", "<0 2 3>", "<1 2 3>"},
    {"order-of-an-array", "[1 2]", "[2 1]", "[1 2]"},
    {"array-and-its-beginning", "[1 2]", "[1]", "[1 2]"},
    {"list-and-its-beginning", "<1 2>", "<1>", "<1 2>"},
    {"value-of-a-map", "{1 2, 3 4}", "{1 2, 3 5}", "{3 4, 1 2}"},
    {"key-of-a-map", "{1 2, 3 4}", "{1 2, 5 4}", "{3 4, 1 2}"},
    {"map-and-a-part-of-it", "{1 2, 3 4}", "{1 2}", "{3 4, 1 2}"},
    {"value-of-a-dict", "(1 2, 3 4)", "(1 2, 3 5)", "(3 4, 1 2)"},
    {"key-of-a-dict", "(1 2, 3 4)", "(1 2, 5 4)", "(3 4, 1 2)"},
    {"dict-and-a-part-of-it", "(1 2, 3 4)", "(1 2)", "(3 4, 1 2)"},
    {"below-an-array", "[<1 [2 {3 4}]>]", "[<1 [2 {3 5}]>]", "[<1 [2 {3 4}]>]"},
    {"below-a-list", "<[1 <2>]>", "<[1 <3>]>", "<[1 <2>]>"},
    {"below-a-map", "{1 {2 [3]}}", "{1 {2 [4]}}", "{1 {2 [3]}}"},
    {"below-a-dict", "(1 (2 #3))", "(1 (2 #4))", "(1 (2 #3))"},
};

static const Different other_types[] = {
    {"integer-and-float", "1", "1.0", "1"},
    {"integer-and-bool", "1", "t", "1"},
    {"none-and-0", "n", "0", "n"},
    {"string-and-bytes", "'longer-than-seven", "\"longer-than-seven", "'longer-than-seven"},
    {"small-string-and-bytes", "'small", "\"small", "'small"},
    {"shape-and-array", "#2,3", "[2 3]", "#2,3"},
    {"array-and-list", "[1 2]", "<1 2>", "[1 2]"},
    {"map-and-dict", "{1 2}", "(1 2)", "{1 2}"},
    {"empty-array-and-list", "[]", "<>", "[]"},
    {"element-of-another-type", "[1 2]", "[1 2.0]", "[1 2]"},
    {"type-below", "[[1]]", "[<1>]", "[[1]]"},
};

static void expect_not_equal(Iut *iut, const Different *row)
{
  TVMFFIAny one = whole_value(iut, row->one), other = whole_value(iut, row->other);
  TVMFFIAny twin = whole_value(iut, row->twin);
  expect_gives(iut, view_of_bool(true), equal, VALUES(one, twin));
  expect_gives(iut, view_of_bool(false), equal, VALUES(one, other));
  expect_gives(iut, view_of_bool(false), equal, VALUES(other, one));
  release_any(iut, &one);
  release_any(iut, &other);
  release_any(iut, &twin);
}

CASE_ROWS(other_content_is_not_equal, differents, .clauses = {CON_74},
          .title = "values that differ in content are not equal, in either direction")
{
  expect_not_equal(iut, row);
}

CASE_ROWS(other_type_is_not_equal, other_types, .clauses = {CON_86},
          .title = "values that differ in type are not equal, in either direction")
{
  expect_not_equal(iut, row);
}

enum { HASHED = 2000 };

static int compare_hashes(const void *one, const void *other)
{
  int64_t left = *(const int64_t *)one, right = *(const int64_t *)other;
  return (left > right) - (left < right);
}

CASE(hashes_tell_values_apart, .clauses = {CON_76},
     .title = "few of two thousand small arrays have the same hash as another")
{
  static int64_t hashes[HASHED];
  for (int i = 0; i < HASHED; ++i) {
    TVMFFIAny elements[] = {view_of_int(i / 2), view_of_int(1)};
    TVMFFIAny array = value_of(iut, "ffi.Array", elements, i % 2 ? 2 : 1);
    TVMFFIAny made = value_of(iut, hash, VALUES(array));
    require(expect_type_index(&made, kTVMFFIInt));
    hashes[i] = made.v_int64;
    release_any(iut, &array);
  }
  qsort(hashes, HASHED, sizeof *hashes, compare_hashes);
  int shared = 0;
  for (int i = 1; i < HASHED; ++i) shared += hashes[i] == hashes[i - 1];
  expect_that(shared <= 20, "at most 20 hashes that another array has", "%d", shared);
}

static const struct {
  const char *name;
  bool dict;
} circles[] = {{"list", false}, {"dict", true}};

CASE_ROWS(circles_are_compared, circles, .clauses = {CON_77},
          .title = "comparing and hashing a container that holds itself terminates")
{
  TVMFFIAny one = new_circle(iut, row->dict), other = new_circle(iut, row->dict);
  TVMFFIAny seen = value_of(iut, equal, VALUES(one, other));
  expect_type_index(&seen, kTVMFFIBool);
  seen = value_of(iut, hash, VALUES(one));
  expect_type_index(&seen, kTVMFFIInt);
  end_circle(iut, &one, row->dict);
  end_circle(iut, &other, row->dict);
}
