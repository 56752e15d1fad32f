// SPDX-License-Identifier: Apache-2.0
// The surfaces of single calls without a library: what is generated is sound, what is changed
// reaches every aspect, and the oracle of data types says what the vectors of the spec say.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause.h"
#include "fuzz/fuzz_dtype.h"
#include "fuzz/fuzz_engine.h"
#include "unit/unit.h"

enum { MANY = 20000 };

static uint8_t bytes[FUZZ_INPUT_MAX], others[FUZZ_INPUT_MAX];
static FuzzInput input = {bytes, 0, sizeof bytes}, other = {others, 0, sizeof others};

// --- Inputs --------------------------------------------------------------------------------------

TEST_GROUP(fuzz_surfaces, .timeout = 60);

TEST(what_is_generated_has_to_be_accepted, .first = 1, .rows = (int)fuzz_surface_count)
{
  const FuzzSurface *surface = fuzz_surfaces[_i];
  unsigned refused = 0;
  for (unsigned i = 0; i < MANY; ++i) {
    FuzzRandom random = fuzz_random(1, 2, i);
    surface->generate(&random, &input);
    ck_assert(surface->repair(&input));
    refused += surface->aspects[surface->aspect(&input)].due == FUZZ_DUE_REFUSE;
  }
  // (Functions of ours that have to fail are among what is generated, and tensors that are not
  // contiguous because they are not aligned.)
  ck_assert_uint_lt(refused, MANY / 8);
  surface->sample(&input);
  ck_assert_int_eq(surface->aspects[surface->aspect(&input)].due, FUZZ_DUE_ACCEPT);
}

TEST(every_aspect_is_reached, .first = 1, .rows = (int)fuzz_surface_count)
{
  const FuzzSurface *surface = fuzz_surfaces[_i];
  static FuzzArena arena;
  unsigned seen[FUZZ_ASPECTS_MAX] = {0};
  arena.seed = 3;
  arena.slots = 1;
  arena.corpus_count = 0;
  for (unsigned i = 0; i < 10 * MANY; ++i)
    if (fuzz_make_input(&arena, surface, i, &input)) ++seen[surface->aspect(&input)];
  // (Where there is a list of inputs, some aspects are what is seen of those of others.)
  for (unsigned i = 0; i < surface->aspect_count; ++i)
    ck_assert_msg(seen[i] > 0 || (surface->count && surface->aspects[i].due == FUZZ_DUE_EITHER),
                  "%s: no input is about: %s", surface->name, surface->aspects[i].what);
}

// Any bytes at all are an input, or none; a smaller one of them, too.
TEST(whatever_comes_is_an_input, .first = 1, .rows = (int)fuzz_surface_count)
{
  const FuzzSurface *surface = fuzz_surfaces[_i];
  for (unsigned i = 0; i < MANY; ++i) {
    FuzzRandom random = fuzz_random(4, 0, i);
    input.size = fuzz_below(&random, 200);
    for (size_t k = 0; k < input.size; ++k) bytes[k] = (uint8_t)fuzz_draw(&random);
    fuzz_havoc(&random, &input);
    if (!surface->repair(&input)) continue;
    ck_assert_uint_le(input.size, surface->input_max);
    ck_assert_uint_lt(surface->aspect(&input), surface->aspect_count);
    size_t step = fuzz_below(&random, 2 * input.size);
    other.size = 0;
    if (!surface->shrink(&input, step, &other)) continue;
    ck_assert_uint_le(other.size, input.size);
    if (surface->repair(&other)) ck_assert_uint_lt(surface->aspect(&other), surface->aspect_count);
  }
}

TEST(aspects_have_clauses_that_judge, .first = 1, .rows = (int)fuzz_surface_count)
{
  const FuzzSurface *surface = fuzz_surfaces[_i];
  ck_assert_uint_le(surface->aspect_count, FUZZ_ASPECTS_MAX);
  ck_assert_ptr_eq(fuzz_surface_find(surface->name), surface);
  for (unsigned i = 0; i < surface->aspect_count; ++i) {
    const Clause *clause = clause_get(surface->aspects[i].clause);
    ck_assert_ptr_nonnull(clause);
    if (surface->aspects[i].due != FUZZ_DUE_EITHER)
      ck_assert_int_ne(clause->level, CLAUSE_UNSPECIFIED);
    for (unsigned k = 0; k < i; ++k)
      ck_assert_str_ne(surface->aspects[i].name, surface->aspects[k].name);
  }
}

// --- The oracle of data types --------------------------------------------------------------------

// What became of an entry in the last release that was measured.
static json_t *last_outcome(json_t *entry)
{
  json_t *outcomes = json_object_get(entry, "outcomes");
  return json_array_get(outcomes, json_array_size(outcomes) - 1);
}

// Whether the clause of an outcome leaves it open, or there is none.
static bool is_open(json_t *outcome)
{
  const char *id = json_string_value(json_object_get(outcome, "clause"));
  const Clause *clause = id ? clause_find(id) : NULL;
  return !clause || clause->level == CLAUSE_UNSPECIFIED;
}

static int number_of(json_t *object, const char *key)
{
  return (int)json_integer_value(json_object_get(object, key));
}

static json_t *vectors(const char *name)
{
  json_t *all = json_load_file(DTYPE_VECTORS, JSON_ALLOW_NUL, NULL);
  json_t *found = json_object_get(all, name);
  ck_assert_uint_gt(json_array_size(found), 100);
  return found;
}

TEST(texts_are_read_as_the_vectors_say)
{
  size_t place, judged = 0;
  json_t *entry, *all = vectors("parse");
  json_array_foreach(all, place, entry)
  {
    DLDataType value;
    json_t *text = json_object_get(entry, "text"), *outcome = last_outcome(entry);
    if (!text || is_open(outcome)) continue;
    const char *data = json_string_value(text);
    FuzzDue due = fuzz_dtype_aspects[fuzz_dtype_read(data, json_string_length(text), &value)].due;
    if (strncmp(data, "custom", 6) == 0 && strchr(data, ']')) continue;  // there is a function here
    ++judged;
    // A deviation of the official runtime is written down as what it is, not as what is due.
    bool deviates = !strcmp(json_string_value(json_object_get(outcome, "clause")), "DTYPE-44");
    bool refuse = deviates || json_object_get(outcome, "error");
    ck_assert_msg(due == (refuse ? FUZZ_DUE_REFUSE : FUZZ_DUE_ACCEPT), "%s", data);
    if (refuse) continue;
    ck_assert_msg(value.code == number_of(outcome, "code") &&
                      value.bits == number_of(outcome, "bits") &&
                      value.lanes == number_of(outcome, "lanes"),
                  "%s is read as %d, %d, %d", data, value.code, value.bits, value.lanes);
  }
  ck_assert_uint_gt(judged, 150);
}

TEST(data_types_are_printed_as_the_vectors_say)
{
  size_t place, judged = 0;
  json_t *entry, *all = vectors("print");
  json_array_foreach(all, place, entry)
  {
    char text[FUZZ_DTYPE_TEXT_MAX];
    json_t *outcome = last_outcome(entry);
    DLDataType value = {(uint8_t)number_of(entry, "code"), (uint8_t)number_of(entry, "bits"),
                        (uint16_t)number_of(entry, "lanes")};
    if (is_open(outcome) || value.code >= 129) continue;
    FuzzDue due = fuzz_dtype_aspects[fuzz_dtype_print(value, text)].due;
    ++judged;
    const char *printed = json_string_value(json_object_get(outcome, "text"));
    ck_assert_int_eq(due, printed ? FUZZ_DUE_ACCEPT : FUZZ_DUE_REFUSE);
    if (printed) ck_assert_str_eq(text, printed);
  }
  ck_assert_uint_gt(judged, 80);
}
