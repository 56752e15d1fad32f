// SPDX-License-Identifier: Apache-2.0
#include "report/text_case.h"

#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "report/facts.h"
#include "report/text_layout.h"

enum { OUTPUT_LINES_SHOWN = 10, OUTPUT_BYTES_SHOWN = 1200 };

typedef struct Label {
  const char *text;
  TextPaint paint;
} Label;

static Label label_of(const RunReport *report, const CaseResult *result)
{
  static const Label fails[] = {[FAIL_NONE] = {"FAIL", PAINT_BAD},
                                [FAIL_EXPECTATION] = {"FAIL", PAINT_BAD},
                                [FAIL_CRASH] = {"CRASH", PAINT_BAD},
                                [FAIL_EXIT] = {"EXIT", PAINT_BAD},
                                [FAIL_TIMEOUT] = {"HANG", PAINT_BAD}};
  switch (result->verdict) {
    case VERDICT_XFAIL:
      return (Label){"XFAIL", PAINT_FAINT};
    case VERDICT_XPASS:
      return (Label){"XPASS", PAINT_BAD};
    case VERDICT_INCONCLUSIVE:
      return (Label){"VOID", judge_counts_against(report, result) ? PAINT_BAD : PAINT_WARN};
    default:
      if (judge_counts_against(report, result)) return fails[result->fail_kind];
      return (Label){"WARN", PAINT_WARN};
  }
}

static void write_title(FILE *out, const TextStyle *style, const RunReport *report,
                        const CaseResult *result)
{
  char right[200];
  const ClauseId *clauses = result->instance->clauses;
  int length = snprintf(right, sizeof right, "%s ", clause_level_name(result->instance->level));
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i)
    length += snprintf(right + length, sizeof right - (size_t)length, " %.16s",
                       clause_get(clauses[i])->id);
  Label label = label_of(report, result);
  text_title(out, style, label.paint, label.text, result->instance->id, right);
}

// What the clause says of the machine that this was compiled for, besides its text; "" if nothing.
// Own; NULL without memory.
static char *said_of_this_machine(const Clause *clause)
{
  const char *narrow = sizeof(void *) == 4 ? clause->on_32_bit : NULL;
  const char *reversed = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? clause->on_big_endian : NULL;
  char *text = NULL;
  int length =
      asprintf(&text, "%s%s%s%s", narrow ? "\nOn 32-bit machines: " : "", narrow ? narrow : "",
               reversed ? "\nOn big-endian machines: " : "", reversed ? reversed : "");
  return length < 0 ? NULL : text;
}

// The first clause with its text, unless it was just told, the others by their titles.
static void write_spec(FILE *out, const TextStyle *style, const CaseResult *result, bool is_told)
{
  const ClauseId *clauses = result->instance->clauses;
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i) {
    const Clause *clause = clause_get(clauses[i]);
    bool whole = i == 0 && !is_told;
    char *text = NULL, *here = whole ? said_of_this_machine(clause) : NULL;
    int length = whole ? asprintf(&text, "%s.\n%s%s", clause->title, clause->text, here ? here : "")
                       : asprintf(&text, "%s: %s.", clause->id, clause->title);
    free(here);
    if (length < 0) continue;
    text_field(out, style, i == 0 ? "clause" : "also", text, (size_t)length);
    free(text);
  }
}

// The note in force when a case crashed or hung, and the address if the reason leaves it out.
static void write_circumstances(FILE *out, const TextStyle *style, const CaseResult *result)
{
  const Evidence *evidence = result->outcome.evidence;
  if (!evidence || result->fail_kind == FAIL_EXPECTATION || result->fail_kind == FAIL_NONE) return;
  size_t note = strnlen(evidence->note, sizeof evidence->note);
  if (note) text_field(out, style, "at", evidence->note, note);
  if (result->fail_kind != FAIL_CRASH || evidence->crash.code <= 0 ||
      evidence->crash.address < 4096)
    return;
  char address[32];
  int length =
      snprintf(address, sizeof address, "0x%llx", (unsigned long long)evidence->crash.address);
  text_field(out, style, "address", address, (size_t)length);
}

// The first lines of what the case wrote.
static void write_output(FILE *out, const TextStyle *style, const Outcome *outcome)
{
  if (!outcome->output || !outcome->output[0]) return;
  size_t size = strnlen(outcome->output, OUTPUT_BYTES_SHOWN), shown = 0;
  for (int lines = 0; lines < OUTPUT_LINES_SHOWN && shown < size; ++lines) {
    const char *feed = memchr(outcome->output + shown, '\n', size - shown);
    shown = feed ? (size_t)(feed - outcome->output) + 1 : size;
  }
  text_quote(out, style, "output", outcome->output, shown);
  if (shown < outcome->output_bytes)
    fprintf(out, "%*s(the first %zu of %llu bytes)\n", TEXT_COLUMN, "", shown,
            (unsigned long long)outcome->output_bytes);
}

// How the function is called, where nobody said so.
static void write_signature(FILE *out, const TextStyle *style, const CaseResult *result)
{
  const Kernel *kernel = result->instance->kernel;
  if (!facts_is_probed(result)) return;
  char text[512];
  int length = snprintf(text, sizeof text, "probed from its errors and type checks: (");
  for (uint32_t i = 0; i < kernel->parameter_count && length < 480; ++i)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s%s", i ? ", " : "",
                       kernel_kind_names[kernel->parameters[i].kind]);
  length += snprintf(text + length, sizeof text - (size_t)length, ")");
  text_field(out, style, "signature", text, (size_t)length);
}

// The call that failed, in C: with -v whole, else where it is to be had. Lines are never wrapped.
static void write_program(FILE *out, const TextStyle *style, const CaseResult *result)
{
  static const char hint[] = "-v, repro and JSON reports have the call as a C program";
  const char *program;
  size_t size = facts_program(result, &program);
  if (size == 0) return;
  text_field(out, style, "C program", style->verbosity > 0 ? "the call:" : hint,
             style->verbosity > 0 ? 9 : sizeof hint - 1);
  for (size_t at = 0; style->verbosity > 0 && at < size;) {
    const char *feed = memchr(program + at, '\n', size - at);
    size_t length = feed ? (size_t)(feed - program) - at : size - at;
    fprintf(out, "%*s| ", TEXT_COLUMN, "");
    text_print(out, style, program + at, length);
    fputc('\n', out);
    at += length + 1;
  }
}

// A path as a shell takes it.
static char *quoted(const char *path)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,@%";
  char *text = malloc(strlen(path) * 4 + 3), *end = text;
  if (!text) return NULL;
  if (path[0] && path[strspn(path, plain)] == '\0') return strcpy(text, path);
  *end++ = '\'';
  for (; *path; ++path) {
    if (*path == '\'')
      end = stpcpy(end, "'\\''");
    else
      *end++ = *path;
  }
  strcpy(end, "'");
  return text;
}

static void write_word(FILE *out, const TextStyle *style, const char *word)
{
  char *text = quoted(word);
  fputc(' ', out);
  text_print(out, style, text ? text : "", text ? strlen(text) : 0);
  free(text);
}

// Never wrapped, so that it can be copied.
static void write_again(FILE *out, const TextStyle *style, const RunReport *report,
                        const CaseResult *result)
{
  fprintf(out, "%*s%s%-*s%stvmffi-conform repro %s", TEXT_INDENT, "",
          text_paint(style, PAINT_FAINT), TEXT_LABEL, "reproduce", text_paint(style, PAINT_NONE),
          result->instance->id);
  write_word(out, style, report->library->path);
  for (size_t i = 0; i < REPORT_AGAIN_MAX && report->again[i]; ++i)
    write_word(out, style, report->again[i]);
  fputc('\n', out);
}

static void write_waiver(FILE *out, const TextStyle *style, const RunReport *report,
                         const CaseResult *result)
{
  const Waiver *waiver = result->waiver;
  text_field(out, style, "waived", waiver->reason, strlen(waiver->reason));
  if (waiver->url) text_field(out, style, "", waiver->url, strlen(waiver->url));
  if (waiver->expires) fprintf(out, "%*suntil %s\n", TEXT_COLUMN, "", waiver->expires);
  if (result->verdict != VERDICT_XPASS || !report->waivers) return;
  static const char passed[] = "it passes; remove its entry from ";
  char *text = NULL;
  int length = asprintf(&text, "%s%s", passed, report->waivers->path);
  if (length < 0) return;
  text_field(out, style, "actual", text, (size_t)length);
  free(text);
}

void text_case(FILE *out, const TextStyle *style, const RunReport *report, const CaseResult *result,
               const TextKin *kin)
{
  static const char races[] = "its threads race: another run may end otherwise";
  write_title(out, style, report, result);
  if (kin->all_turns > 1)
    fprintf(out, "%*s%zu of %zu runs of this case failed; the first:\n", TEXT_INDENT, "",
            kin->turns, kin->all_turns);
  if (result->reason[0])
    text_block(out, style, result->reason, strnlen(result->reason, sizeof result->reason));
  if (result->verdict == VERDICT_XFAIL || result->verdict == VERDICT_XPASS) {
    write_waiver(out, style, report, result);
  } else {
    const char *title = result->instance->test->title;
    text_field(out, style, "case", title, strlen(title));
    write_spec(out, style, result, kin->clause_is_told);
    write_signature(out, style, result);
    text_evidence(out, style, &result->outcome);
    write_circumstances(out, style, result);
    if (result->outcome.races) text_field(out, style, "timing", races, sizeof races - 1);
    write_output(out, style, &result->outcome);
    write_program(out, style, result);
    write_again(out, style, report, result);
  }
  if (kin->rows) text_field(out, style, "also failing", kin->rows, strlen(kin->rows));
  fputc('\n', out);
}
