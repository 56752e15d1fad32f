// SPDX-License-Identifier: Apache-2.0
// The JUnit report, read back by a parser, held against the schema that the usual readers have in
// common, and asked with XPath.
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>
#include <stdlib.h>
#include <string.h>

#include "test_report.h"

// Whether a document is what readers of JUnit files understand; if not, libxml2 says why on stderr.
static bool fits_schema(xmlDoc *document)
{
  xmlSchemaParserCtxt *parser = xmlSchemaNewParserCtxt(JUNIT_SCHEMA);
  xmlSchema *schema = xmlSchemaParse(parser);
  ck_assert_ptr_nonnull(schema);
  xmlSchemaValidCtxt *context = xmlSchemaNewValidCtxt(schema);
  int faults = xmlSchemaValidateDoc(context, document);
  ck_assert_int_ge(faults, 0);
  xmlSchemaFreeValidCtxt(context);
  xmlSchemaFree(schema);
  xmlSchemaFreeParserCtxt(parser);
  return faults == 0;
}

static xmlDoc *write_and_parse(const Sample *sample, const char *name)
{
  size_t size;
  char *text = sample_file(sample, report_junit, name, &size);
  ck_assert(sample_is_clean(text, size, true));
  xmlDoc *document =
      xmlReadMemory(text, (int)size, name, NULL, XML_PARSE_NONET);  // warnings go to stderr
  ck_assert_ptr_nonnull(document);
  ck_assert(fits_schema(document));
  free(text);
  return document;
}

// What the XPath expression gives, as text. Own.
static char *ask(xmlDoc *document, const char *question)
{
  xmlXPathContext *context = xmlXPathNewContext(document);
  xmlXPathObject *object = xmlXPathEvalExpression(BAD_CAST question, context);
  ck_assert_msg(object != NULL, "%s", question);
  char *answer = (char *)xmlXPathCastToString(object);
  xmlXPathFreeObject(object);
  xmlXPathFreeContext(context);
  return answer;
}

static void expect_answer(xmlDoc *document, const char *question, const char *expected)
{
  char *answer = ask(document, question);
  ck_assert_msg(strcmp(answer, expected) == 0, "%s: expected \"%s\", seen \"%s\"", question,
                expected, answer);
  xmlFree(answer);
}

static const char *const answers[][2] = {
    {"count(/testsuites/@*)", "0"},
    {"sum(//testsuite/@tests)", "11"},
    {"sum(//testsuite/@failures)", "5"},
    {"sum(//testsuite/@errors)", "2"},
    {"sum(//testsuite/@skipped)", "3"},
    {"string(//testsuite[3]/@id)", "2"},
    {"string(//testsuite[3]/@package)", "libfoo_ffi.so"},
    {"string(//testsuite[3]/properties/property[@name='verdict']/@value)",
     "NOT CONFORMANT to TVM FFI ABI 0.1.9 (runtime)"},
    {"count(/testsuites/testsuite)", "3"},
    {"string(//testsuite[2]/@name)", "object"},
    {"string(//testsuite[2]/@tests)", "6"},
    {"string(//testsuite[2]/@failures)", "3"},
    {"string(//testsuite[2]/@errors)", "1"},
    {"string(//testsuite[2]/@skipped)", "2"},
    {"string(//testsuite[2]/@timestamp)", "2026-11-21T02:30:00"},
    {"count(//testcase)", "11"},
    {"count(//testcase[@name='any.fine' and @classname='any' and @time='0.002']/*)", "0"},
    {"string(//testcase[@name='any.wrong-bytes']/failure/@type)", "expectation"},
    {"string(//testcase[@name='any.wrong-bytes']/failure/@message)",
     "strong count of the object: expected 2, actual 1"},
    {"contains(//testcase[@name='any.wrong-bytes']/failure, 'MUST VER-1: ')", "true"},
    {"contains(//testcase[@name='any.wrong-bytes']/failure, 'at        after the second release "
     "(object.c:42)')",
     "true"},
    {"string(//testcase[@name='any.null']/failure/@type)", "crash"},
    {"string(//testcase[@name='any.null']/failure/@message)",
     "SIGSEGV at address 0x8 inside TVMFFIAnyViewToOwnedAny+0x1c"},
    {"contains(//testcase[@name='any.null']/failure, 'output\nfirst line\nsecond line\n')", "true"},
    {"string(//testcase[@name='object.leaves']/failure/@type)", "exit"},
    {"string(//testcase[@name='object.hangs']/failure/@type)", "timeout"},
    {"string(//testcase[@name='object.lost']/error/@message)", "no process"},
    {"string(//testcase[@name='object.advice']/skipped/@message)",
     "warning: strong count of the object: expected 2, actual 1"},
    {"string(//testcase[@name='object.known']/skipped/@message)",
     "waived: a deviation that is known"},
    {"string(//testcase[@name='object.mended']/failure/@type)", "xpass"},
    {"string(//testcase[@name='string.later']/skipped/@message)", "added in version 0.1.12"},
    {"string(//testcase[@name='string.not-run']/error/@message)", "the run ended before this case"},
};

TEST(every_kind)
{
  Sample sample;
  sample_begin_with_every_kind(&sample);
  xmlDoc *document = write_and_parse(&sample, "every.xml");
  for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i)
    expect_answer(document, answers[i][0], answers[i][1]);
  xmlFreeDoc(document);
  sample_end(&sample);
}

// A build is red exactly when the exit code is: strictness turns a warning into a failure, here as
// there.
TEST(strictness)
{
  Sample sample;
  sample_begin(&sample);
  sample_fail(sample_add(&sample, "any", "advice", CLAUSE_SHOULD));
  sample.report.gate.level = CLAUSE_SHOULD;
  sample_judge(&sample);
  xmlDoc *document = write_and_parse(&sample, "strict.xml");
  expect_answer(document, "count(//failure)", "1");
  expect_answer(document, "sum(//testsuite/@failures)", "1");
  xmlFreeDoc(document);
  sample_end(&sample);
}

TEST(hostile)
{
  Sample sample;
  sample_begin_hostile(&sample);
  xmlDoc *document = write_and_parse(&sample, "hostile.xml");
  expect_answer(document, "count(//testcase)", "5");
  expect_answer(document, "count(//testsuite)", "1");
  expect_answer(document, "contains(//testcase[1]/failure, ']]>--></testsuite>&lt;')", "true");
  expect_answer(document, "contains(//testcase[1]/failure, '\\x1b[2J')", "true");
  expect_answer(document, "string-length(//testcase[1]/failure) < 4 * 64 * 1024 + 1", "true");
  expect_answer(document, "string(//testcase[3]/failure/@message)", "an expectation failed");
  xmlFreeDoc(document);
  sample_end(&sample);
}

TEST(chapters_stay_together)
{
  Sample sample;
  sample_begin(&sample);
  sample_add(&sample, "any", "a", CLAUSE_MUST);  // as after --shuffle
  sample_add(&sample, "object", "b", CLAUSE_MUST);
  sample_add(&sample, "any", "c", CLAUSE_MUST);
  sample_judge(&sample);
  xmlDoc *document = write_and_parse(&sample, "shuffled.xml");
  expect_answer(document, "count(//testsuite)", "2");
  expect_answer(document, "count(//testsuite[@name='any']/testcase)", "2");
  xmlFreeDoc(document);
  sample_end(&sample);
}

TEST(nothing_and_unmatched_waivers)
{
  Sample sample;
  sample_begin(&sample);
  sample_judge(&sample);
  xmlDoc *document = write_and_parse(&sample, "empty.xml");
  expect_answer(document, "string(//testsuite/@tests)", "1");
  expect_answer(document, "string(//testsuite/@errors)", "1");
  expect_answer(document, "count(/testsuites/*)", "1");
  expect_answer(document, "string(//testcase/error/@message)",
                "INCONCLUSIVE on TVM FFI ABI 0.1.9 (runtime): no case was run");
  expect_answer(document, "string(//testcase/error/@type)", "inconclusive");
  xmlFreeDoc(document);
  Waiver waiver = {.case_id = "any.stale", .reason = "x"};
  sample.report.unmatched = malloc(sizeof *sample.report.unmatched);
  sample.report.unmatched[0] = &waiver;
  sample.report.unmatched_count = 1;
  verdict_decide(&sample.report);
  document = write_and_parse(&sample, "unmatched.xml");
  expect_answer(document, "sum(//testsuite/@failures)", "1");
  expect_answer(document, "string(//testcase[@name='any.stale']/failure/@message)",
                "the waiver matches no case that was run");
  xmlFreeDoc(document);
  sample_end(&sample);
}

TEST(where_it_cannot_be_written)
{
  Sample sample;
  char error[256];
  sample_begin(&sample);
  ck_assert_int_eq(report_junit(&sample.report, "/proc/nonexistent/r.xml", error, sizeof error),
                   -1);
  ck_assert_str_eq(
      error, "cannot write the JUnit report: /proc/nonexistent/r.xml: No such file or directory");
  sample_end(&sample);
}

#define SUITE \
  "<testsuite id='0' package='p' name='a' tests='1' failures='0' errors='0' skipped='0' time='0.1' "
#define STARTED "timestamp='2026-11-21T02:30:00' hostname='h'><properties/>"
#define ENDED "<system-out/><system-err/></testsuite></testsuites>"
#define CASE_IS "<testcase name='a' classname='b' "
#define FILE_WITH(testcase) "<testsuites>" SUITE STARTED testcase ENDED

// Each is refused by one of the two schemas, or by both.
static const char *const refused[] = {
    FILE_WITH("<testcase name='a' time='0.1'/>"),
    FILE_WITH("<testcase name='a' classname='b'/>"),
    FILE_WITH(CASE_IS "time='1e-05'/>"),
    FILE_WITH(CASE_IS "time='0.123456'/>"),
    FILE_WITH(CASE_IS "time='0' verdict='pass'/>"),
    FILE_WITH(CASE_IS "time='0'><failure message='m'/></testcase>"),
    FILE_WITH(CASE_IS "time='0'><skipped message='m'/><error message='m' type='t'/></testcase>"),
    FILE_WITH(CASE_IS "time='0'><failure message='m' type='t'/><system-out/></testcase>"),
    "<testsuites name='a'>" SUITE STARTED ENDED,
    "<testsuites skipped='0'>" SUITE STARTED ENDED,
    "<testsuites>" SUITE "timestamp='2026-11-21T02:30:00Z' hostname='h'><properties/>" ENDED,
    "<testsuites>" SUITE "timestamp='2026-11-21T02:30:00'><properties/>" ENDED,
    "<testsuites>" SUITE "timestamp='2026-11-21T02:30:00' hostname='h'>" ENDED,
    "<testsuites>" SUITE STARTED "</testsuite></testsuites>",
};

static bool text_fits_schema(const char *text)
{
  xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "refused.xml", NULL, XML_PARSE_NONET);
  ck_assert_ptr_nonnull(document);
  bool fits = fits_schema(document);
  xmlFreeDoc(document);
  return fits;
}

TEST(what_readers_do_not_understand)
{
  ck_assert(text_fits_schema(FILE_WITH(CASE_IS "time='0.1'/>")));
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    ck_assert_msg(!text_fits_schema(refused[i]), "%s", refused[i]);
}
