// SPDX-License-Identifier: Apache-2.0
#include "clause_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "attribute_line.h"
#include "digest.h"
#include "span.h"
#include "utf8.h"

enum { PREFIX_MIN = 3, QUOTE_MAX = 48 };

// The normative notes: what holds in addition, or instead, on such machines.
#define LABEL_32_BIT "On 32-bit machines:"
#define LABEL_BIG_ENDIAN "On big-endian machines:"

typedef struct Parser {
  const char *file;
  ParsedChapter *chapter;
  ParseError *error;
  Span rest;        // lines that have not been read
  Span current;     // the line read last, without the blanks and the line feed at its end
  int line;         // its number
  bool held;        // next_line returns it again
  size_t used;      // bytes of chapter->strings that are taken
  size_t room;      // bytes of chapter->strings
  Span prefix;      // of all ids of the chapter; points into the first heading
  size_t capacity;  // of chapter->clauses
} Parser;

// A string under construction after the finished strings; one at a time.
typedef struct Text {
  const char *what;  // for messages
  size_t size;
  bool paragraph_ended;
} Text;

// Writes "file:line: message"; appends `where` in quotes unless it is empty. Always false.
__attribute__((format(printf, 4, 5))) static bool fail(Parser *parser, int line, Span where,
                                                       const char *format, ...)
{
  char *message = parser->error->message;
  const size_t size = sizeof parser->error->message;
  int length = snprintf(message, size, "%.200s:%d: ", parser->file, line);
  size_t at = length < 0 ? 0 : (size_t)length;
  va_list arguments;
  va_start(arguments, format);
  length = vsnprintf(message + at, size - at, format, arguments);
  va_end(arguments);
  at += length < 0 ? 0 : (size_t)length;
  if (where.size == 0 || at >= size) return false;
  size_t shown = utf8_cut(where.data, where.size, QUOTE_MAX);
  snprintf(message + at, size - at, "; actual: \"%.*s%s\"", (int)shown, where.data,
           shown < where.size ? "..." : "");
  return false;
}

static bool fail_here(Parser *parser, const char *reason)
{
  return fail(parser, parser->line, parser->current, "%s", reason);
}

static bool next_line(Parser *parser)
{
  if (parser->held) {
    parser->held = false;
    return true;
  }
  if (parser->rest.size == 0) return false;
  Span line = span_cut(&parser->rest, "\n");
  if (line.size > 0 && line.data[line.size - 1] == '\r') --line.size;
  while (line.size > 0 && char_is_blank(line.data[line.size - 1])) --line.size;
  parser->current = line;
  ++parser->line;
  return true;
}

// The number of '#' of a heading; 0 if the line is not a heading.
static size_t heading_depth(Span line)
{
  size_t depth = 0;
  while (depth < line.size && line.data[depth] == '#') ++depth;
  return depth < line.size && line.data[depth] == ' ' ? depth : 0;
}

// Appends words to `text`, with single blanks between them.
static bool text_add_line(Parser *parser, Text *text, Span words)
{
  char *start = parser->chapter->strings + parser->used;
  words = span_trim(words);
  // Every byte stored was read, and each line feed makes room for a separator or a NUL.
  if (parser->used + text->size + words.size + 3 > parser->room ||
      text->size + words.size + 2 > CLAUSE_STRING_MAX)
    return fail(parser, parser->line, words, "%s is too long; expected at most %d bytes",
                text->what, CLAUSE_STRING_MAX);
  if (text->size > 0) start[text->size++] = text->paragraph_ended ? '\n' : ' ';
  if (text->size > 0 && text->paragraph_ended) start[text->size++] = '\n';
  text->paragraph_ended = false;
  for (size_t i = 0; i < words.size; ++i) {
    bool blank = char_is_blank(words.data[i]);
    if (blank && char_is_blank(words.data[i - 1])) continue;
    start[text->size++] = blank ? ' ' : words.data[i];
  }
  return true;
}

// Ends the string: its NUL is set, and the next string begins after it.
static const char *text_finish(Parser *parser, const Text *text)
{
  char *start = parser->chapter->strings + parser->used;
  start[text->size] = '\0';
  parser->used += text->size + 1;
  return start;
}

static const char *keep(Parser *parser, const char *what, Span words)
{
  Text text = {.what = what};
  return text_add_line(parser, &text, words) ? text_finish(parser, &text) : NULL;
}

// The stem of "spec/any.md" is "any".
static bool take_stem(Parser *parser)
{
  const char *slash = strrchr(parser->file, '/');
  const char *name = slash ? slash + 1 : parser->file;
  size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
  if (size < PREFIX_MIN || size >= CHAPTER_STEM_MAX || strcmp(name + size, ".md") != 0)
    return fail(parser, 1, (Span){NULL, 0},
                "not a chapter name; expected %d to %d lower-case letters, then .md", PREFIX_MIN,
                CHAPTER_STEM_MAX - 1);
  memcpy(parser->chapter->stem, name, size);
  return true;
}

static bool take_chapter_title(Parser *parser)
{
  while (next_line(parser) && parser->current.size == 0) continue;
  if (heading_depth(parser->current) != 1 || parser->current.size < 3) {
    if (parser->line == 0) parser->line = 1;
    return fail_here(parser, "expected a chapter that begins with \"# Title\"");
  }
  parser->chapter->title = keep(parser, "the title", span_skip(parser->current, 2));
  return parser->chapter->title != NULL;
}

// Whether the prefix is the beginning of a word, in capitals.
static bool begins_word(Span prefix, const char *word)
{
  bool fits = prefix.size >= PREFIX_MIN && prefix.size <= strlen(word);
  for (size_t i = 0; fits && i < prefix.size; ++i) fits = prefix.data[i] == word[i] - 'a' + 'A';
  return fits;
}

// The prefix of a chapter is the beginning of its stem, in capitals: ANY, LAY(out), STR(ing); or of
// the last word of its stem: (library_)BIN.
static bool check_prefix(Parser *parser, Span prefix)
{
  const char *stem = parser->chapter->stem, *underscore = strrchr(stem, '_');
  if (!begins_word(prefix, stem) && !(underscore && begins_word(prefix, underscore + 1)))
    return fail(parser, parser->line, prefix,
                "the id does not belong to this chapter; expected the first %d or more letters of "
                "\"%s\" in "
                "capitals",
                PREFIX_MIN, stem);
  if (parser->prefix.size == 0) parser->prefix = prefix;
  if (prefix.size == parser->prefix.size &&
      memcmp(prefix.data, parser->prefix.data, prefix.size) == 0)
    return true;
  return fail(parser, parser->line, prefix,
              "the id differs from the others; expected the prefix %.*s", (int)parser->prefix.size,
              parser->prefix.data);
}

// Splits "ANY-13" and returns its number; 0 if it is not an id.
static unsigned split_id(Span id, Span *prefix)
{
  unsigned number = 0;
  Span rest = id;
  *prefix = span_cut(&rest, "-");
  if (id.size >= CLAUSE_ID_MAX || rest.size == 0 || rest.size > 3 || rest.data[0] == '0') return 0;
  for (size_t i = 0; i < prefix->size; ++i)
    if (prefix->data[i] < 'A' || prefix->data[i] > 'Z') return 0;
  for (size_t i = 0; i < rest.size; ++i) {
    if (rest.data[i] < '0' || rest.data[i] > '9') return 0;
    number = number * 10 + (unsigned)(rest.data[i] - '0');
  }
  return number;
}

static bool take_id(Parser *parser, Span id, ParsedClause *clause)
{
  Span prefix;
  if (split_id(id, &prefix) == 0)
    return fail(parser, parser->line, id,
                "not an id; expected capitals, a hyphen and a number up to 999");
  if (!check_prefix(parser, prefix)) return false;
  memcpy(clause->id, id.data, id.size);
  for (size_t i = 0; i < parser->chapter->count; ++i) {
    const ParsedClause *other = &parser->chapter->clauses[i];
    if (strcmp(other->id, clause->id) == 0)
      return fail(parser, parser->line, (Span){NULL, 0},
                  "the id %s is already used in line %d; expected an unused number", clause->id,
                  other->line);
  }
  return true;
}

// "### ANY-3 · A raw C string becomes an owned string"
static bool take_heading(Parser *parser, ParsedClause *clause)
{
  Span rest = span_skip(parser->current, 4);
  Span id = span_cut(&rest, ATTRIBUTE_SEPARATOR);
  Span title = span_trim(rest);
  clause->line = parser->line;
  if (title.size == 0)
    return fail_here(
        parser,
        "bad heading; expected \"### ID \xc2\xb7 Title\", with spaces around the middle dot");
  if (title.data[title.size - 1] == '.')
    return fail_here(parser, "the title ends with a full stop; expected none");
  clause->title = keep(parser, "the title", title);
  return clause->title && take_id(parser, id, clause);
}

static bool keep_optional(Parser *parser, const char *what, Span words, const char **out)
{
  if (words.size > 0) *out = keep(parser, what, words);
  return words.size == 0 || *out;
}

static bool take_attributes(Parser *parser, ParsedClause *clause)
{
  AttributeLine line;
  AttributeFault fault;
  if (!next_line(parser) || parser->current.size == 0)
    return fail(parser, clause->line, (Span){NULL, 0},
                "no attribute line; expected one right below the heading of %s", clause->id);
  if (!attribute_line_parse(parser->current, &line, &fault))
    return fail(parser, parser->line, fault.where, "%s", fault.reason);
  clause->level = line.level;
  clause->scopes = line.scopes;
  clause->since_number = line.since_number;
  clause->until_number = line.until_number;
  clause->source = "";
  return keep_optional(parser, "the version", line.since, &clause->since) &&
         keep_optional(parser, "the version", line.until, &clause->until) &&
         keep_optional(parser, "the source", line.source, &clause->source);
}

// Reads the paragraphs of the normative text, up to a note, a heading or the end.
static bool take_text(Parser *parser, ParsedClause *clause)
{
  Text text = {.what = "the text of a clause"};
  while (next_line(parser)) {
    Span line = parser->current;
    if (heading_depth(line) > 0 || span_starts(line, ">") || span_starts(line, "###")) {
      parser->held = true;
      break;
    }
    if (span_starts(line, "```"))
      return fail_here(parser,
                       "a code block in a clause; expected it in the prose before the clause");
    if (line.size == 0) {
      text.paragraph_ended = true;
    } else if (text.size == 0 && !text.paragraph_ended) {
      return fail_here(parser, "expected an empty line below the attribute line");
    } else if (!text_add_line(parser, &text, line)) {
      return false;
    }
  }
  if (text.size == 0)
    return fail(parser, clause->line, (Span){NULL, 0},
                "%s has no text; expected at least one sentence", clause->id);
  clause->text = text_finish(parser, &text);
  return true;
}

// Where the note that begins in this line belongs, NULL if its label is unknown; `*words` is what
// stands behind the label.
static const char **note_slot(ParsedClause *clause, Span line, Span *words)
{
  const struct {
    const char *label;
    const char **slot;
  } notes[] = {{LABEL_32_BIT, &clause->on_32_bit},
               {LABEL_BIG_ENDIAN, &clause->on_big_endian},
               {"Why:", &clause->rationale},
               {"Not testable:", &clause->untestable}};
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
    if (!span_starts(line, notes[i].label)) continue;
    *words = span_trim(span_skip(line, strlen(notes[i].label)));
    return notes[i].slot;
  }
  return NULL;
}

// Reads one note, whose first line is the current one.
static bool take_note(Parser *parser, ParsedClause *clause)
{
  Text text = {.what = "a note"};
  Span words;
  const char **slot = note_slot(clause, span_trim(span_skip(parser->current, 1)), &words);
  if (!slot)
    return fail_here(parser,
                     "unknown note; expected \"> Why: ...\", \"> Not testable: ...\", "
                     "\"> " LABEL_32_BIT " ...\" or \"> " LABEL_BIG_ENDIAN " ...\"");
  if (*slot) return fail_here(parser, "a second note of this kind; expected one");
  if (clause->level == CLAUSE_UNSPECIFIED && slot == &clause->untestable)
    return fail_here(parser, "no case judges an unspecified clause; expected no \"Not testable\"");
  if (words.size == 0) return fail_here(parser, "the note is empty; expected a sentence");
  if (!text_add_line(parser, &text, words)) return false;
  while (next_line(parser)) {
    Span line = span_trim(span_skip(parser->current, 1));
    if (!span_starts(parser->current, ">") || note_slot(clause, line, &words)) {
      parser->held = true;
      break;
    }
    if (line.size == 0) {
      text.paragraph_ended = true;
    } else if (!text_add_line(parser, &text, line)) {
      return false;
    }
  }
  *slot = text_finish(parser, &text);
  return true;
}

static bool take_notes(Parser *parser, ParsedClause *clause)
{
  while (next_line(parser)) {
    Span line = parser->current;
    if (line.size == 0) continue;
    if (heading_depth(line) > 0 || span_starts(line, "###")) {
      parser->held = true;
      return true;
    }
    if (!span_starts(line, ">"))
      return fail_here(parser, "text after a note; expected another note or a heading");
    if (!take_note(parser, clause)) return false;
  }
  return true;
}

static ParsedClause *new_clause(Parser *parser)
{
  ParsedChapter *chapter = parser->chapter;
  if (chapter->count == CHAPTER_CLAUSES_MAX) {
    fail(parser, parser->line, (Span){NULL, 0},
         "too many clauses; expected at most %d in a chapter", CHAPTER_CLAUSES_MAX);
    return NULL;
  }
  if (chapter->count == parser->capacity) {
    size_t capacity = parser->capacity ? parser->capacity * 2 : 32;
    ParsedClause *grown = realloc(chapter->clauses, capacity * sizeof *grown);
    if (!grown) {
      fail(parser, parser->line, (Span){NULL, 0}, "out of memory");
      return NULL;
    }
    chapter->clauses = grown;
    parser->capacity = capacity;
  }
  ParsedClause *clause = &chapter->clauses[chapter->count];
  *clause = (ParsedClause){0};
  return clause;
}

// Of what is normative, so that a clause without notes on machines has the digest of its text.
static uint64_t digest_of(const ParsedClause *clause)
{
  const char *const parts[][2] = {{LABEL_32_BIT, clause->on_32_bit},
                                  {LABEL_BIG_ENDIAN, clause->on_big_endian}};
  uint64_t digest = digest_byte(digest_words(DIGEST_START, clause->title), '\n');
  digest = digest_words(digest, clause->text);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
    if (!parts[i][1]) continue;
    digest = digest_words(digest_byte(digest, '\n'), parts[i][0]);
    digest = digest_words(digest, parts[i][1]);
  }
  return digest;
}

static bool take_clause(Parser *parser)
{
  ParsedClause *clause = new_clause(parser);
  if (!clause || !take_heading(parser, clause) || !take_attributes(parser, clause) ||
      !take_text(parser, clause) || !take_notes(parser, clause))
    return false;
  clause->digest = digest_of(clause);
  ++parser->chapter->count;
  return true;
}

static bool skip_code_block(Parser *parser)
{
  int opened = parser->line;
  while (next_line(parser))
    if (span_starts(parser->current, "```")) return true;
  return fail(parser, opened, (Span){NULL, 0},
              "the code block has no end; expected a line of three backticks");
}

// A line outside clauses. Refuses headings that look like clauses but are not: they would be
// silently lost.
static bool take_prose(Parser *parser)
{
  Span line = parser->current;
  size_t depth = heading_depth(line);
  if (span_starts(line, "```")) return skip_code_block(parser);
  if (depth == 3) return take_clause(parser);
  if (depth == 1) return fail_here(parser, "a second title; expected one in a chapter");
  Span prefix, id = span_skip(line, depth), rest = span_trim(id);
  bool heading = depth > 0 || span_starts(line, "###");
  id = span_cut(&rest, " ");
  if ((depth > 0 && split_id(id, &prefix) > 0) || (heading && depth == 0))
    return fail_here(parser, "bad heading; expected a clause that begins with \"### ID\"");
  return true;
}

static bool parse_all(Parser *parser, size_t size)
{
  parser->room = size + 8;
  parser->chapter->strings = malloc(parser->room);
  if (!parser->chapter->strings) return fail(parser, 1, (Span){NULL, 0}, "out of memory");
  if (!take_stem(parser) || !take_chapter_title(parser)) return false;
  while (next_line(parser))
    if (!take_prose(parser)) return false;
  return parser->chapter->count > 0 ||
         fail(parser, parser->line, (Span){NULL, 0},
              "no clause; expected at least one \"### ID \xc2\xb7 Title\"");
}

bool clause_parse_chapter(const char *file, const char *bytes, size_t size, ParsedChapter *chapter,
                          ParseError *error)
{
  Parser parser = {.file = file, .chapter = chapter, .error = error, .rest = {bytes, size}};
  int bad_line = 0;
  *chapter = (ParsedChapter){0};
  error->message[0] = '\0';
  if (size > CHAPTER_BYTES_MAX)
    return fail(&parser, 1, (Span){NULL, 0}, "the chapter is too long; expected at most %d bytes",
                CHAPTER_BYTES_MAX);
  if (!utf8_is_text(bytes, size, &bad_line))
    return fail(&parser, bad_line, (Span){NULL, 0},
                "an invalid byte; expected UTF-8 without control characters");
  if (parse_all(&parser, size)) return true;
  parsed_chapter_free(chapter);
  return false;
}

void parsed_chapter_free(ParsedChapter *chapter)
{
  free(chapter->clauses);
  free(chapter->strings);
  *chapter = (ParsedChapter){0};
}
