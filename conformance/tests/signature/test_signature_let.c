// SPDX-License-Identifier: Apache-2.0
// "let": names for parts of formulas.
#include "tests/signature/read_text.h"

TEST_GROUP(signature_let);

typedef struct LetRow {
  const char *formula, *read;
} LetRow;

// p is "k + 1", q "2 * p", axis "0", T "n".
static const LetRow let_rows[] = {
    {"p > 0", "(k + 1) > 0"},
    {"p", "k + 1"},
    {" q\t", " 2 * (k + 1)\t"},
    {"-p * q", "-(k + 1) * (2 * (k + 1))"},
    {"p if p else p", "(k + 1) if (k + 1) else (k + 1)"},
    {"k==p", "k==(k + 1)"},
    {"p==k", "(k + 1)==k"},
    {"max(p == k, p != k)", "max((k + 1) == k, (k + 1) != k)"},
    {"p is not None", "(k + 1) is not None"},
    {"not p", "not (k + 1)"},
    {"x[p:q] + x[..., p]", "x[(k + 1):(2 * (k + 1))] + x[..., (k + 1)]"},
    {"1.5 < p < 2.", "1.5 < (k + 1) < 2."},
    {"pp + p_ + _p", "pp + p_ + _p"},
    {"mode == 'p' or mode == \"p q\" or p", "mode == 'p' or mode == \"p q\" or (k + 1)"},
    {"x.T + T", "x.T + (n)"},
    {"x . T", "x . T"},
    {"sum(x, axis=axis)", "sum(x, axis=(0))"},
    {"sum(x, axis =axis) + axis", "sum(x, axis =(0)) + (0)"},
    {"p.sum() + x.sum(axis)", "(k + 1).sum() + x.sum((0))"},
    {"sum(x)", "sum(x)"},
};

// As JSON: `formula` in each of the places where names are known.
static json_t *file_with(const char *formula)
{
  json_t *root = json_pack(
      "{s:{s:{s:[{ssssssss}{ssss}{ssss}{ssss}{ssss}{ssss}{ssssssss}],"
      "s:{ssssssss},s:[s],s:[{ss}],s:{ss},s:[{s:{si},s:{ss}}]}}}",
      "functions", "f", "parameters", "name", "x", "kind", "tensor", "dtype", "int8", "shape", "n",
      "name", "k", "kind", "int", "name", "pp", "kind", "int", "name", "p_", "kind", "int", "name",
      "_p", "kind", "int", "name", "mode", "kind", "string", "name", "y", "kind", "tensor", "dtype",
      "int8", "shape", "n", "let", "p", "k + 1", "q", "2 * p", "axis", "0", "T", "n", "where",
      formula, "refuses", "when", formula, "expected", "result", formula, "calls", "arguments", "k",
      1, "expected", "result", formula);
  ck_assert_ptr_nonnull(root);
  return root;
}

TEST(names_stand_for_parts_of_formulas, .rows = ROWS(let_rows))
{
  const LetRow *row = &let_rows[_i];
  json_t *root = file_with(row->formula);
  char *text = json_dumps(root, 0);
  Signature *signature = good(text);
  const SignatureForm *form = signature_form(signature, 0);
  const SignatureCall *call = signature_call(signature, form->calls.first);
  const SignatureExpected *expected = signature_expected(signature, form->expected.first);
  ck_assert_str_eq(signature_condition(signature, form->where.first), row->read);
  ck_assert_str_eq(text_of(signature, signature_refusal(signature, form->refusals.first)->when),
                   row->read);
  ck_assert_str_eq(text_of(signature, expected->formula), row->read);
  ck_assert_str_eq(text_of(signature, signature_expected(signature, call->expected.first)->formula),
                   row->read);
  free(signature);
  free(text);
  json_decref(root);
}

TEST(lengths_in_conditions_may_have_names)
{
  static const char *const wheres[] = {"len(a) == half", "a is None or len(a) == half", "fits"};
  for (size_t i = 0; i < sizeof wheres / sizeof wheres[0]; ++i) {
    char text[512];
    snprintf(
        text, sizeof text,
        FUNCTION(
            "\"parameters\": [{\"name\": \"a\", \"kind\": \"array\", \"element\": {\"kind\": "
            "\"int\"}}, {\"name\": \"n\", \"kind\": \"int\"}], \"let\": {\"half\": \"n // 2\", "
            "\"fits\": \"len(a) == half\"}, \"where\": [\"%s\"]"),
        wheres[i]);
    Signature *signature = good(text);
    ck_assert_str_eq(text_of(signature, parameter(signature, 0)->length), "(n // 2)");
    free(signature);
  }
}

TEST(each_signature_has_names_of_its_own)
{
  Signature *signature = good(FUNCTION(
      "\"signatures\": [{\"parameters\": [{\"name\": \"k\", \"kind\": \"int\"}], \"let\": {\"p\": "
      "\"k\"}, \"where\": [\"p > 0\"]}, {\"parameters\": [{\"name\": \"p\", \"kind\": \"int\"}, "
      "{\"name\": \"m\", \"kind\": \"int\"}], \"let\": {\"k\": \"m\"}, \"where\": [\"p > k\"]}]"));
  ck_assert_str_eq(signature_condition(signature, signature_form(signature, 0)->where.first),
                   "(k) > 0");
  ck_assert_str_eq(signature_condition(signature, signature_form(signature, 1)->where.first),
                   "p > (m)");
  free(signature);
}

// The members of "let", and one condition.
static Signature *read_let(const json_t *let, const char *condition)
{
  json_t *root = json_pack("{s:{s:{s:[{ssss}],s:O,s:[s]}}}", "functions", "f", "parameters", "name",
                           "k", "kind", "int", "let", let, "where", condition);
  ck_assert_ptr_nonnull(root);
  char *text = json_dumps(root, 0);
  Signature *signature = read_text(text);
  free(text);
  json_decref(root);
  return signature;
}

TEST(formulas_with_names_have_the_length_of_others)
{
  char formula[2046] = "k";
  for (int i = 0; i < 1022; ++i) strcat(formula, "+k");
  json_t *let = json_pack("{ss}", "p", formula);
  Signature *signature = read_let(let, "p*p ");  // 2 * (2045 + 2) + 2
  ck_assert_msg(signature != NULL, "%s", read_error);
  ck_assert_uint_eq(
      strlen(signature_condition(signature, signature_form(signature, 0)->where.first)), 4096);
  ck_assert_ptr_null(read_let(let, "p*p  "));
  ck_assert_msg(
      strstr(read_error, ": functions.f.where[0]: longer than 4096 characters with \"let\""), "%s",
      read_error);
  ck_assert_ptr_null(read_let(let, "p*p*p"));
  free(signature);
  json_decref(let);
}

TEST(names_that_double_each_other_have_an_end)
{
  json_t *let = json_pack("{ss}", "p0", "k");
  for (int i = 1; i < 32; ++i) {
    char name[8], formula[32];
    snprintf(name, sizeof name, "p%d", i);
    snprintf(formula, sizeof formula, "p%d * p%d", i - 1, i - 1);
    json_object_set_new(let, name, json_string(formula));
  }
  ck_assert_ptr_null(read_let(let, "k > 0"));
  ck_assert_msg(
      strstr(read_error, ": functions.f.let.p10: longer than 4096 characters with \"let\""), "%s",
      read_error);
  json_decref(let);
}

TEST(up_to_32_names_are_read)
{
  json_t *let = json_pack("{ss}", "p0", "k");
  for (int i = 1; i < 32; ++i) {
    char name[8], formula[32];
    snprintf(name, sizeof name, "p%d", i);
    snprintf(formula, sizeof formula, "1 + p%d", i - 1);
    json_object_set_new(let, name, json_string(formula));
  }
  Signature *signature = read_let(let, "p31 > 0");
  ck_assert_msg(signature != NULL, "%s", read_error);
  free(signature);
  json_object_set_new(let, "p32", json_string("k"));
  ck_assert_ptr_null(read_let(let, "k > 0"));
  ck_assert_msg(strstr(read_error, ": functions.f.let: more than 32 names"), "%s", read_error);
  json_decref(let);
}

// A condition of "refuses" is also looked at the other way round.
TEST(conditions_of_refusals_leave_room_for_not)
{
  for (int more = 0; more < 2; ++more) {
    char when[4097] = "k";
    while (strlen(when) < 4088 + (size_t)more) strcat(when, " ");
    json_t *root = json_pack("{s:{s:{s:[{ssss}],s:[{ss}]}}}", "functions", "f", "parameters",
                             "name", "k", "kind", "int", "refuses", "when", when);
    char *text = json_dumps(root, 0);
    Signature *signature = read_text(text);
    ck_assert_msg((signature != NULL) == (more == 0), "%s", read_error);
    if (more)
      ck_assert_msg(strstr(read_error, "refuses[0].when: longer than 4088 characters"), "%s",
                    read_error);
    free(signature);
    free(text);
    json_decref(root);
  }
}
