// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "abi/abi.h"
#include "report/bench_report.h"
#include "report/text_layout.h"

// Differences below this are not worth a word: other runs of the same two files differ by as much.
static const double alike = 0.05;

// A bar is as long as the logarithm of its ratio: so many columns for each doubling, up to a factor
// of 8 either way.
enum { BAR_DOUBLING = 6, BAR_HALF = 3 * BAR_DOUBLING, TITLE = 48 };

BenchVerdict bench_verdict(const BenchRecord *row)
{
  if (row->ratio > 1 + alike && row->ratio_low > 1) return BENCH_A_FASTER;
  if (row->ratio < 1 / (1 + alike) && row->ratio_high < 1) return BENCH_B_FASTER;
  return BENCH_ALIKE;
}

static TextPaint paint_of(BenchVerdict verdict)
{
  return verdict == BENCH_A_FASTER   ? PAINT_GOOD
         : verdict == BENCH_B_FASTER ? PAINT_BAD
                                     : PAINT_FAINT;
}

static void print_method(FILE *out, const BenchReport *report)
{
  bool both = report->count == 2;
  if (report->rounds == 0) {
    fprintf(out, "Instructions of one operation, as Callgrind counts them.\n");
    if (both) fprintf(out, "Fewer is what was so by more than %.0f%%.\n", 100 * alike);
    return;
  }
  fprintf(out, "Medians of %u round%s%s; spread is what lies between the quartiles.\n",
          report->rounds, report->rounds == 1 ? "" : "s", both ? ", A and B in turn" : "");
  if (both)
    fprintf(out, "Faster is what was so by more than %.0f%%, and in three rounds out of four.\n",
            100 * alike);
}

void bench_text_head(FILE *out, const TextStyle *style, const BenchReport *report)
{
  static const char *const labels[BENCH_SUBJECTS_MAX] = {"A  ", "B  "};
  for (unsigned i = 0; i < report->count; ++i) {
    char version[16] = "no version";
    bool known = report->version[i] != UINT32_MAX && report->version[i] != ABI_VERSION_2025_09;
    if (known) abi_version_text(report->version[i], version);
    fprintf(out, "%s", report->count == 1 ? "" : labels[i]);
    text_print(out, style, report->names[i], strlen(report->names[i]));
    fprintf(out, " (reports %s)\n", version);
  }
  print_method(out, report);
  const char *unit = report->rounds ? "ns" : "Ir";
  fprintf(out, "\n%-*s", TITLE, "");
  if (report->count == 1) fprintf(out, "%11s %7s", unit, report->rounds ? "spread" : "");
  if (report->count == 2)
    fprintf(out, "%8s %s %7s %8s %s %7s %8s", "A:", unit, report->rounds ? "spread" : "",
            "B:", unit, report->rounds ? "spread" : "", "B / A");
  fprintf(out, "\n");
}

static void print_sample(FILE *out, const BenchReport *report, const BenchSample *sample)
{
  static const char *const words[] = {
      [BENCH_NOT_THERE] = "not there",
      [BENCH_FAILED] = "a call failed",
      [BENCH_NOT_COUNTED] = "not counted",
  };
  if (sample->state != BENCH_MEASURED)
    fprintf(out, "%19s", words[sample->state]);
  else if (report->rounds)
    fprintf(out, "%11.1f %6.0f%%", sample->median, 100 * sample->spread / sample->median);
  else
    fprintf(out, "%11.1f %7s", sample->median, "");
}

static void print_ratio(FILE *out, const TextStyle *style, const BenchReport *report,
                        const BenchRecord *row)
{
  BenchVerdict verdict = bench_verdict(row);
  const char *word = report->rounds ? "is faster" : "needs fewer";
  fprintf(out, " %s%8.2f  ", text_paint(style, paint_of(verdict)), row->ratio);
  if (verdict == BENCH_ALIKE)
    fprintf(out, "alike");
  else
    fprintf(out, "%c %s", verdict == BENCH_A_FASTER ? 'A' : 'B', word);
  fprintf(out, "%s", text_paint(style, PAINT_NONE));
}

void bench_text_row(FILE *out, const TextStyle *style, const BenchReport *report,
                    const BenchRecord *row)
{
  fprintf(out, "%-*s", TITLE, row->text);
  for (unsigned i = 0; i < report->count; ++i) {
    print_sample(out, report, &row->sample[i]);
    if (i + 1 < report->count) fprintf(out, " ");
  }
  if (row->ratio > 0) print_ratio(out, style, report, row);
  fprintf(out, "\n");
  fflush(out);
}

// --- The bars ------------------------------------------------------------------------------------

// Columns of a bar, negative where B is faster; a half rounds away from nothing.
static int bar_length(double ratio)
{
  long columns = lround(BAR_DOUBLING * log2(ratio));
  return (int)(columns > BAR_HALF ? BAR_HALF : columns < -BAR_HALF ? -BAR_HALF : columns);
}

static void repeat(FILE *out, const char *text, int times)
{
  for (; times > 0; --times) fputs(text, out);
}

// The bar grows out of the middle: to the right where A is faster.
static void print_bar(FILE *out, const TextStyle *style, const BenchRecord *row)
{
  const char *block = style->utf8 ? "\u2588" : "#", *middle = style->utf8 ? "\u2502" : "|";
  int length = bar_length(row->ratio), left = length < 0 ? -length : 0,
      right = length > 0 ? length : 0;
  fprintf(out, "%-*s", TITLE, row->text);
  repeat(out, " ", BAR_HALF - left);
  fputs(text_paint(style, paint_of(bench_verdict(row))), out);
  repeat(out, block, left);
  fprintf(out, "%s%s%s", text_paint(style, PAINT_NONE), middle,
          text_paint(style, paint_of(bench_verdict(row))));
  repeat(out, block, right);
  fputs(text_paint(style, PAINT_NONE), out);
  repeat(out, " ", BAR_HALF - right);
  fprintf(out, " %7.2f\n", row->ratio);
}

static void print_scale(FILE *out, bool times)
{
  static const char *const marks[] = {"1/8", "1/4", "1/2", "1", "2", "4", "8"};
  char line[2 * BAR_HALF + 8];
  memset(line, ' ', sizeof line);
  for (int i = 0; i < 7; ++i)
    memcpy(line + i * BAR_DOUBLING + 1 - (int)strlen(marks[i]) / 2, marks[i], strlen(marks[i]));
  line[2 * BAR_HALF + 4] = '\0';
  fprintf(out, "\n%-*s%s\n", TITLE - 1,
          times ? "Time of B / time of A" : "Instructions of B / of A", line);
}

void bench_text_end(FILE *out, const TextStyle *style, const BenchReport *report)
{
  size_t rows = 0, verdicts[3] = {0};
  if (report->count != 2) return;
  print_scale(out, report->rounds != 0);
  for (size_t i = 0; i < report->row_count; ++i) {
    if (report->rows[i].ratio <= 0) continue;
    print_bar(out, style, &report->rows[i]);
    ++rows;
    ++verdicts[bench_verdict(&report->rows[i])];
  }
  fprintf(out, "\nOf %zu operations A is %s in %zu, alike in %zu, %s in %zu%s", rows,
          report->rounds ? "faster" : "shorter", verdicts[BENCH_A_FASTER], verdicts[BENCH_ALIKE],
          report->rounds ? "slower" : "longer", verdicts[BENCH_B_FASTER],
          verdicts[BENCH_B_FASTER] ? ":\n" : ".\n");
  for (size_t i = 0; i < report->row_count; ++i)
    if (report->rows[i].ratio > 0 && bench_verdict(&report->rows[i]) == BENCH_B_FASTER)
      fprintf(out, "  %s\n", report->rows[i].text);
}
