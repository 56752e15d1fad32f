// SPDX-License-Identifier: Apache-2.0
// The oracle for payloads: against the vectors, and against the reader on payloads that were changed
// at random.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bin_agree.h"
#include "oracle/bin_oracle.h"
#include "unit/unit.h"

enum { CHANGED = 120000, ROOM = 1 << 14, NUMBER = 8 };

typedef struct Payload {
  uint8_t *data;
  size_t size;
} Payload;

static json_t *document, *rows;
static Payload *payloads;
static size_t count;

static Payload from_hex(const json_t *text)
{
  const char *digits = json_string_value(text);
  Payload payload = {NULL, strlen(digits) / 2};
  payload.data = malloc(payload.size ? payload.size : 1);
  for (size_t i = 0; i < payload.size; ++i) {
    unsigned byte = 0;
    sscanf(digits + 2 * i, "%2x", &byte);
    payload.data[i] = (uint8_t)byte;
  }
  return payload;
}

static void expect_bytes(const char *id, BinOracleBytes seen, const json_t *text)
{
  Payload due = from_hex(text);
  ck_assert_msg(seen.size == due.size && memcmp(seen.data, due.data, due.size) == 0,
                "%s: other bytes than %s", id, json_string_value(text));
  free(due.data);
}

static void expect_module(const char *id, const BinOracleModule *module, const json_t *due)
{
  const json_t *value = json_object_get(due, "value_hex"), *imports;
  expect_bytes(id, module->kind, json_object_get(due, "kind_hex"));
  ck_assert_msg(module->is_library == (value == NULL), "%s: the library", id);
  if (value) expect_bytes(id, module->value, value);
  imports = json_object_get(due, "imports");
  ck_assert_msg(module->num_imports == json_array_size(imports), "%s: imports", id);
  for (size_t i = 0; i < module->num_imports; ++i)
    ck_assert_msg((json_int_t)module->imports[i] == json_integer_value(json_array_get(imports, i)),
                  "%s: import %zu", id, i);
}

static void expect_problem(const char *id, const BinOracle *oracle, const json_t *due)
{
  BinOracleRule rule = bin_agree_first_rule(oracle);
  const char *name = json_string_value(json_object_get(due, "rule"));
  json_int_t offset = json_integer_value(json_object_get(due, "offset"));
  ck_assert_msg(strcmp(bin_oracle_name(rule), name) == 0, "%s: the rule %s", id,
                bin_oracle_name(rule));
  if (rule != BIN_ORACLE_CYCLE)
    ck_assert_msg((json_int_t)oracle->offset[rule] == offset, "%s: offset %zu", id,
                  oracle->offset[rule]);
}

// The verdict of the row, and its tree, or its problem with the clause about it.
static void expect_row(const json_t *row, const BinOracle *oracle)
{
  static const char *const verdicts[] = {[BIN_ORACLE_ACCEPT] = "accept",
                                         [BIN_ORACLE_OPEN] = "unspecified",
                                         [BIN_ORACLE_REFUSE] = "reject"};
  const char *id = json_string_value(json_object_get(row, "id"));
  const char *verdict = json_string_value(json_object_get(row, "verdict"));
  const json_t *tree = json_object_get(row, "tree");
  ck_assert_msg(strcmp(verdict, verdicts[oracle->verdict]) == 0, "%s: %s", id,
                verdicts[oracle->verdict]);
  ck_assert_msg(bin_oracle_is_tree(oracle) == (tree != NULL), "%s: a tree", id);
  if (!tree) {
    char clause[16];
    snprintf(clause, sizeof clause, "BIN-%d", bin_oracle_clause(bin_agree_first_rule(oracle)));
    ck_assert_str_eq(clause, json_string_value(json_object_get(row, "clause")));
    expect_problem(id, oracle, json_object_get(row, "problem"));
    return;
  }
  ck_assert_msg(oracle->num_modules == json_array_size(tree), "%s: modules", id);
  for (size_t i = 0; i < oracle->num_modules; ++i)
    expect_module(id, &oracle->modules[i], json_array_get(tree, i));
}

TEST_GROUP(payloads, .timeout = 60);

TEST(each_row_of_the_vectors_is_judged_as_it_says)
{
  for (size_t i = 0; i < count; ++i) {
    BinOracle oracle;
    ck_assert(bin_oracle_judge(payloads[i].data, payloads[i].size, &oracle));
    expect_row(json_array_get(rows, i), &oracle);
    bin_oracle_free(&oracle);
  }
  ck_assert_uint_gt(count, 300);
}

TEST(all_rules_are_reported_not_just_the_first)
{
  // 2 rows, 1 and 0; 1 child, 7; an entry of kind _lib; a byte behind it.
  static const uint8_t bytes[] = {45, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0,   0,   0,   0,   1, 0,
                                  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,   0,   0,   0, 0,
                                  0,  0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, '_', 'l', 'i', 'b', 0};
  BinOracle oracle;
  ck_assert(bin_oracle_judge(bytes, sizeof bytes, &oracle));
  ck_assert(oracle.verdict == BIN_ORACLE_REFUSE && oracle.num_modules == 0);
  for (int rule = 0; rule < BIN_ORACLE_NUM_RULES; ++rule)
    ck_assert_int_eq(oracle.broken[rule], rule == BIN_ORACLE_FIRST_ROW ||
                                              rule == BIN_ORACLE_ROW_FALLS ||
                                              rule == BIN_ORACLE_TRAILING);
  ck_assert_int_eq(bin_oracle_rule(&oracle), BIN_ORACLE_FIRST_ROW);
  ck_assert_int_eq(bin_oracle_clause(BIN_ORACLE_FIRST_ROW), 26);
  bin_oracle_free(&oracle);
}

// --- Changed payloads ----------------------------------------------------------------------------

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static size_t draw(size_t below)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return below ? (size_t)(state % below) : 0;
}

static void put_number(uint8_t *bytes, uint64_t number)
{
  for (int i = 0; i < NUMBER; ++i) bytes[i] = (uint8_t)(number >> 8 * i);
}

// Numbers that are likely to be wrong where they stand.
static uint64_t draw_number(size_t size)
{
  const uint64_t wide[] = {0,
                           1,
                           2,
                           3,
                           4,
                           7,
                           size,
                           size / 8,
                           UINT64_MAX,
                           UINT64_C(1) << 61,
                           UINT64_C(1) << 63,
                           UINT64_MAX - size};
  return draw(3) ? draw(12) : wide[draw(sizeof wide / sizeof wide[0])];
}

static size_t change(uint8_t *bytes, size_t size)
{
  size_t at = draw(size + 1), last = size - at, length;
  switch (draw(6)) {
    case 0:
      if (at < size) bytes[at] ^= (uint8_t)(1 + draw(255));
      return size;
    case 1:
    case 2:
      at &= ~(size_t)7;
      if (at + NUMBER <= size) put_number(bytes + at, draw_number(size));
      return size;
    case 3:  // takes some out
      length = draw(24) < last ? draw(24) % (last + 1) : last;
      memmove(bytes + at, bytes + at + length, last - length);
      return size - length;
    case 4:  // doubles some
      length = draw(33) % (last + 1);
      if (size + length > ROOM) return size;
      memmove(bytes + at + length, bytes + at, last);
      return size + length;
    default:
      if (at + NUMBER <= size) put_number(bytes + at, draw_number(size));
      return size;
  }
}

// Mostly nbytes is right, so that more than that is looked at.
static size_t make_payload(uint8_t *bytes)
{
  const Payload *first = &payloads[draw(count)];
  size_t size = first->size < ROOM ? first->size : 0;
  memcpy(bytes, first->data, size);
  for (size_t changes = draw(4); changes-- > 0;) size = change(bytes, size);
  if (size >= NUMBER && draw(16)) put_number(bytes, size - NUMBER);
  return size;
}

TEST(reader_and_oracle_agree_on_changed_payloads)
{
  static uint8_t bytes[ROOM];
  size_t met[BIN_ORACLE_NUM_RULES] = {0}, trees = 0;
  for (int i = 0; i < CHANGED; ++i) {
    BinOracle oracle;
    size_t size = make_payload(bytes);
    const char *difference = bin_agree(bytes, size);
    ck_assert_msg(difference == NULL, "payload %d, %zu bytes: %s", i, size, difference);
    ck_assert(bin_oracle_judge(bytes, size, &oracle));
    for (int rule = 0; rule < BIN_ORACLE_NUM_RULES; ++rule) met[rule] += oracle.broken[rule];
    trees += bin_oracle_is_tree(&oracle);
    bin_oracle_free(&oracle);
  }
  ck_assert_uint_gt(trees, CHANGED / 50);
  for (int rule = 0; rule < BIN_ORACLE_NUM_RULES; ++rule)
    ck_assert_msg(met[rule] > 20, "%s: in %zu payloads only", bin_oracle_name((BinOracleRule)rule),
                  met[rule]);
}

static bool load_vectors(void)
{
  json_error_t error;
  document = json_load_file(VECTORS_FOLDER "/library_bin.json", 0, &error);
  if (!document) return fprintf(stderr, "%s: %s\n", error.source, error.text), false;
  rows = json_object_get(document, "payloads");
  count = json_array_size(rows);
  payloads = calloc(count, sizeof *payloads);
  for (size_t i = 0; i < count; ++i)
    payloads[i] = from_hex(json_object_get(json_array_get(rows, i), "bytes"));
  return true;
}

int main(void)
{
  if (!load_vectors()) return EXIT_FAILURE;
  bool passed = unit_run(NULL);
  for (size_t i = 0; i < count; ++i) free(payloads[i].data);
  free(payloads);
  json_decref(document);
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
