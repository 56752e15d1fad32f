// SPDX-License-Identifier: Apache-2.0
// library_bin for people: the tree of modules, or the bytes where a rule is broken.
#include <inttypes.h>
#include <stdlib.h>

#include "report/inspect_line.h"
#include "report/inspect_report.h"
#include "report/text_layout.h"

enum { LINES_SHOWN = 32, LINES_SHOWN_AT_MOST = 4000, DEEPEST_SHOWN = 12, LONGEST_KIND = 64 };

// --- The tree ------------------------------------------------------------------------------------

// A module whose imports are being drawn.
typedef struct Step {
  uint64_t module, next;  // next: the place of its next import in children
} Step;

typedef struct Drawing {
  FILE *out;
  const TextStyle *style;
  const LibraryBin *tree;
  unsigned char *drawn;  // modules whose imports were drawn
  Step *steps;
  size_t depth, lines, most;
} Drawing;

static void add_branches(const Drawing *drawing, InspectLine *line)
{
  bool utf8 = drawing->style->utf8;
  for (size_t i = 0; i < drawing->depth && i < DEEPEST_SHOWN; ++i) {
    const Step *step = &drawing->steps[i];
    bool last = step->next >= drawing->tree->rows[step->module + 1];
    bool own = i + 1 == drawing->depth;
    if (own)
      inspect_line_add(line, "%s", utf8 ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- "));
    else
      inspect_line_add(line, "%s", last ? "   " : utf8 ? "│  " : "|  ");
  }
  if (drawing->depth > DEEPEST_SHOWN) {
    inspect_line_add(line, "... (depth %zu) ", drawing->depth);
  }
}

static void draw_module(Drawing *drawing, uint64_t module, bool shared)
{
  char size[32];
  InspectLine line = {0};
  const LibraryBinEntry *entry = &drawing->tree->entries[module];
  if (drawing->lines++ >= drawing->most) return;
  add_branches(drawing, &line);
  ElfText kind = {entry->kind.data,
                  entry->kind.size < LONGEST_KIND ? entry->kind.size : LONGEST_KIND};
  inspect_line_add_text(&line, kind);
  if (entry->is_library) {
    inspect_line_add(&line, "  this library");
  } else {
    inspect_line_add(&line, "  %s", inspect_text_size(entry->value.size, size));
  }
  if (shared) inspect_line_add(&line, "  (module %" PRIu64 ", above)", module);
  text_field(drawing->out, drawing->style, "", line.text, line.size);
  free(line.text);
}

static void enter(Drawing *drawing, uint64_t module)
{
  bool shared = drawing->drawn[module];
  draw_module(drawing, module, shared);
  if (shared) return;
  drawing->drawn[module] = 1;
  drawing->steps[drawing->depth++] = (Step){module, drawing->tree->rows[module]};
}

// Each module is entered once, so that there are never more steps than modules.
static void draw_from(Drawing *drawing)
{
  enter(drawing, 0);
  while (drawing->depth > 0) {
    Step *step = &drawing->steps[drawing->depth - 1];
    if (step->next == drawing->tree->rows[step->module + 1]) {
      --drawing->depth;
    } else {
      enter(drawing, drawing->tree->children[step->next++]);
    }
  }
}

static void draw(FILE *out, const TextStyle *style, const LibraryBin *tree)
{
  Drawing drawing = {.out = out, .style = style, .tree = tree};
  drawing.most = style->verbosity > 0 ? LINES_SHOWN_AT_MOST : LINES_SHOWN;
  drawing.drawn = calloc(tree->num_modules, 1);
  drawing.steps = calloc(tree->num_modules, sizeof *drawing.steps);
  if (drawing.drawn && drawing.steps) {
    draw_from(&drawing);
  } else {
    text_field(out, style, "", "(out of memory)", sizeof "(out of memory)" - 1);
  }
  if (drawing.lines > drawing.most) {
    InspectLine line = {0};
    inspect_line_add(&line, "... %zu more", drawing.lines - drawing.most);
    text_field(out, style, "", line.text, line.size);
    free(line.text);
  }
  free(drawing.drawn);
  free(drawing.steps);
}

// --- Bytes ---------------------------------------------------------------------------------------

static void add_dump_line(InspectLine *line, const unsigned char *bytes, uint64_t at, size_t count,
                          uint64_t marked)
{
  inspect_line_add(line, "%06" PRIx64 " ", at);
  for (size_t i = 0; i < 16; ++i) {
    char mark = at + i == marked ? '>' : ' ';
    if (i < count) {
      inspect_line_add(line, "%c%02x", mark, bytes[i]);
    } else {
      inspect_line_add(line, "%c  ", mark);
    }
  }
  inspect_line_add(line, "  ");
  for (size_t i = 0; i < count; ++i) {
    inspect_line_add(line, "%c", bytes[i] > ' ' && bytes[i] < 0x7f ? bytes[i] : '.');
  }
}

static void dump(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  uint64_t begin;
  size_t count;
  const InspectBlob *blob = &subject->blob;
  inspect_blob_window(blob, &begin, &count);
  for (size_t done = 0; done < count || done == 0; done += 16) {
    InspectLine line = {0};
    size_t part = count - done < 16 ? count - done : 16;
    add_dump_line(&line, subject->facts->file.bytes + blob->offset + begin + done, begin + done,
                  part, blob->problem.offset);
    text_field(out, style, "", line.text, line.size);
    free(line.text);
    if (count == 0) return;
  }
}

void inspect_text_blob(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  char text[128];
  const InspectBlob *blob = &subject->blob;
  if (blob->state == INSPECT_BLOB_NONE || blob->state == INSPECT_BLOB_NO_BYTES) return;
  int size = snprintf(text, sizeof text, "%" PRIu64 " bytes at %#" PRIx64 " of the file",
                      blob->size, blob->offset);
  if (blob->state == INSPECT_BLOB_SOUND) {
    size = snprintf(text, sizeof text,
                    "%" PRIu64 " bytes at %#" PRIx64 " of the file, %zu module%s", blob->nbytes + 8,
                    blob->offset, blob->tree.num_modules, blob->tree.num_modules == 1 ? "" : "s");
  }
  text_field(out, style, "embedded", text, (size_t)size);
  if (blob->state == INSPECT_BLOB_SOUND) draw(out, style, &blob->tree);
  if (blob->state == INSPECT_BLOB_BROKEN) dump(out, style, subject);
}
