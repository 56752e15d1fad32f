// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report.h"
#include "report/text_layout.h"

// A bar is drawn where its line, which is about BAR_MINIMUM long, does not wrap.
enum { BAR_CELLS = 32, BAR_MINIMUM = 60, NAME_COLUMNS = 10, REDRAW_MS = 40 };

// The table has room for four digits before and behind the slash.
enum { TABLE_COLUMNS = 4, COUNT_COLUMNS = 9 };

// Of a case, and of the cell of a bar: there the worst one shows.
typedef enum State { STATE_WAITING, STATE_SKIPPED, STATE_GOOD, STATE_WARN, STATE_BAD } State;

typedef struct Chapter {
  const char *name;
  size_t *turns;  // own; items of the plan, in its order
  size_t total, done, skipped, good, warned, bad;
  size_t first_waiting;  // no turn before it is waiting
} Chapter;

struct TextProgress {
  FILE *out;
  TextStyle style;
  const Plan *plan;
  State *states;      // own; one an item of the plan
  Chapter *chapters;  // own
  size_t chapter_count;
  int name_columns;
  size_t current;  // the chapters before it are finished and, off a terminal, written
  size_t cells;    // of the table, that are written
  int gap;         // what is missing behind the last one for the next; -1 before the first
  bool live;       // the line of the current chapter is on the screen, without an end
  uint64_t drawn_ms;
};

static uint64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// --- Chapters ------------------------------------------------------------------------------------

static Chapter *chapter_of(TextProgress *progress, const CaseInstance *instance)
{
  for (size_t i = 0; i < progress->chapter_count; ++i)
    if (strcmp(progress->chapters[i].name, instance->test->chapter) == 0)
      return &progress->chapters[i];
  return NULL;
}

// One chapter for every name among the applicable items, in the order of the plan.
static bool collect_chapters(TextProgress *progress)
{
  const Plan *plan = progress->plan;
  for (size_t i = 0; i < plan->count; ++i) {
    if (plan->items[i].skip[0]) continue;
    Chapter *chapter = chapter_of(progress, plan->items[i].instance);
    if (!chapter) {
      chapter = &progress->chapters[progress->chapter_count++];
      chapter->name = plan->items[i].instance->test->chapter;
    }
    ++chapter->total;
    int length = (int)strlen(chapter->name);
    if (length > progress->name_columns) progress->name_columns = length;
  }
  for (size_t i = 0; i < progress->chapter_count; ++i) {
    Chapter *chapter = &progress->chapters[i];
    chapter->turns = calloc(chapter->total, sizeof *chapter->turns);
    if (!chapter->turns) return false;
    chapter->total = 0;
  }
  for (size_t i = 0; i < plan->count; ++i) {
    if (plan->items[i].skip[0]) continue;
    Chapter *chapter = chapter_of(progress, plan->items[i].instance);
    chapter->turns[chapter->total++] = i;
  }
  return true;
}

static void release(TextProgress *progress)
{
  for (size_t i = 0; progress->chapters && i < progress->chapter_count; ++i)
    free(progress->chapters[i].turns);
  free(progress->chapters);
  free(progress->states);
  free(progress);
}

TextProgress *report_text_progress_new(FILE *out, const TextStyle *style, const Plan *plan)
{
  TextProgress *progress = calloc(1, sizeof *progress);
  if (!progress) return NULL;
  progress->out = out;
  progress->style = *style;
  progress->plan = plan;
  progress->name_columns = NAME_COLUMNS;
  progress->gap = -1;
  size_t room = plan->count ? plan->count : 1;
  progress->states = calloc(room, sizeof *progress->states);
  progress->chapters = calloc(room, sizeof *progress->chapters);
  if (progress->states && progress->chapters && collect_chapters(progress)) return progress;
  release(progress);
  return NULL;
}

// --- Lines ---------------------------------------------------------------------------------------

static State cell_state(const TextProgress *progress, const Chapter *chapter, size_t cell)
{
  size_t first = cell * chapter->total / BAR_CELLS, end = (cell + 1) * chapter->total / BAR_CELLS;
  if (end <= first) end = first + 1;
  bool waiting = false;
  State worst = STATE_WAITING;
  for (size_t i = first; i < end; ++i) {
    State state = progress->states[chapter->turns[i]];
    waiting |= state == STATE_WAITING;
    if (state > worst) worst = state;
  }
  return waiting && worst <= STATE_GOOD ? STATE_WAITING : worst;
}

static void write_bar(const TextProgress *progress, const Chapter *chapter)
{
  static const char *const blocks[] = {"\u2591", "\u00b7", "\u2588", "\u2592", "\u2593"};
  static const char *const letters[] = {".", "-", "#", "w", "X"};
  static const TextPaint paints[] = {PAINT_FAINT, PAINT_FAINT, PAINT_GOOD, PAINT_WARN, PAINT_BAD};
  State before = STATE_WAITING;
  for (size_t cell = 0; cell < BAR_CELLS; ++cell) {
    State state = cell_state(progress, chapter, cell);
    if (cell == 0 || state != before)
      fprintf(progress->out, "%s%s", cell ? text_paint(&progress->style, PAINT_NONE) : "",
              text_paint(&progress->style, paints[state]));
    fputs((progress->style.utf8 ? blocks : letters)[state], progress->out);
    before = state;
  }
  fputs(text_paint(&progress->style, PAINT_NONE), progress->out);
}

// The line of the chapter that runs, on a terminal.
static void write_line(const TextProgress *progress, const Chapter *chapter)
{
  fprintf(progress->out, "  %-*s ", progress->name_columns, chapter->name);
  const TextStyle *style = &progress->style;
  if (style->columns <= 0 || style->columns >= BAR_MINIMUM) {
    write_bar(progress, chapter);
    fputs("  ", progress->out);
  }
  fprintf(progress->out, "%zu/%zu", chapter->good, chapter->total - chapter->skipped);
}

// A cell of the table: "any        316/320".
static void write_cell(TextProgress *progress, const Chapter *chapter)
{
  char count[48];
  const TextStyle *style = &progress->style;
  TextPaint paint = chapter->bad ? PAINT_BAD : chapter->warned ? PAINT_WARN : PAINT_NONE;
  bool painted = paint != PAINT_NONE;
  int length =
      snprintf(count, sizeof count, "%zu/%zu", chapter->good, chapter->total - chapter->skipped);
  bool begins = progress->cells++ % TABLE_COLUMNS == 0;
  if (begins && progress->gap >= 0) fputc('\n', progress->out);
  fprintf(progress->out, "%*s  %-*s %s%s%s", begins ? 0 : progress->gap, "", progress->name_columns,
          chapter->name, painted ? text_paint(style, paint) : "", count,
          painted ? text_paint(style, PAINT_NONE) : "");
  progress->gap = length < COUNT_COLUMNS ? COUNT_COLUMNS - length : 0;
}

static void begin_line(TextProgress *progress)
{
  if (progress->live) fputs("\r\033[K", progress->out);
  progress->live = false;
}

// Writes what has become final, and on a terminal the chapter that is being worked on.
static void draw(TextProgress *progress)
{
  uint64_t now = now_ms();
  const Chapter *chapters = progress->chapters;
  bool moved = false, tty = progress->style.tty;
  while (progress->current < progress->chapter_count &&
         chapters[progress->current].done == chapters[progress->current].total) {
    if (!tty) write_cell(progress, &chapters[progress->current]);
    ++progress->current;
    moved = true;
  }
  bool due = moved || now - progress->drawn_ms >= REDRAW_MS;
  if (tty && due && progress->current < progress->chapter_count) {
    begin_line(progress);
    write_line(progress, &chapters[progress->current]);
    progress->live = true;
    progress->drawn_ms = now;
    moved = true;
  }
  if (moved) fflush(progress->out);
}

// --- Steps ---------------------------------------------------------------------------------------

static State state_of(const CaseResult *result)
{
  bool advice = result->instance->level != CLAUSE_MUST;
  switch (result->verdict) {
    case VERDICT_FAIL:
    case VERDICT_INCONCLUSIVE:
      return advice ? STATE_WARN : STATE_BAD;
    case VERDICT_XPASS:
      return STATE_BAD;
    case VERDICT_SKIP:
      return STATE_SKIPPED;
    default:
      return STATE_GOOD;
  }
}

void report_text_progress_step(TextProgress *progress, const CaseResult *result)
{
  if (!progress || progress->style.verbosity < 0) return;
  Chapter *chapter = chapter_of(progress, result->instance);
  if (!chapter) return;
  State *states = progress->states;
  while (chapter->first_waiting < chapter->total &&
         states[chapter->turns[chapter->first_waiting]] != STATE_WAITING)
    ++chapter->first_waiting;
  for (size_t i = chapter->first_waiting; i < chapter->total; ++i) {
    size_t turn = chapter->turns[i];
    if (states[turn] != STATE_WAITING || progress->plan->items[turn].instance != result->instance)
      continue;
    states[turn] = state_of(result);
    ++chapter->done;
    chapter->skipped += states[turn] == STATE_SKIPPED;
    chapter->good += states[turn] == STATE_GOOD;
    chapter->warned += states[turn] == STATE_WARN;
    chapter->bad += states[turn] == STATE_BAD;
    break;
  }
  draw(progress);
}

void report_text_progress_end(TextProgress *progress)
{
  if (!progress) return;
  begin_line(progress);
  for (size_t i = progress->cells; i < progress->chapter_count; ++i)
    if (progress->chapters[i].done == progress->chapters[i].total)
      write_cell(progress, &progress->chapters[i]);
  if (progress->cells) fputc('\n', progress->out);
  fflush(progress->out);
  release(progress);
}
