// SPDX-License-Identifier: Apache-2.0
#include "table_writer.h"

#include <inttypes.h>

static const char notice[] =
    "// SPDX-License-Identifier: Apache-2.0\n"
    "// Made by tvmffi-extract-clauses from the chapters in spec/. Changes here are lost.\n";

// "ANY-3" as a C name: ANY_3.
static void write_name(FILE *out, const char *id)
{
  for (; *id; ++id) fputc(*id == '-' ? '_' : *id, out);
}

// A string literal, plain ASCII whatever the text is; NULL without quotes for NULL.
static void write_string(FILE *out, const char *text)
{
  if (!text) {
    fputs("NULL", out);
    return;
  }
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
    if (*c == '"' || *c == '\\' || *c == '?') {
      fprintf(out, "\\%c", *c);
    } else if (*c < 0x20 || *c >= 0x7f) {
      fprintf(out, "\\%03o", *c);
    } else {
      fputc(*c, out);
    }
  }
  fputc('"', out);
}

static void write_field(FILE *out, const char *name, const char *text)
{
  fprintf(out, "     .%s = ", name);
  write_string(out, text);
  fputs(",\n", out);
}

static void write_clause(FILE *out, const ParsedChapter *chapter, const ParsedClause *clause)
{
  static const char *const levels[] = {[CLAUSE_MUST] = "CLAUSE_MUST",
                                       [CLAUSE_SHOULD] = "CLAUSE_SHOULD",
                                       [CLAUSE_UNSPECIFIED] = "CLAUSE_UNSPECIFIED"};
  fputs("    {\n", out);
  write_field(out, "id", clause->id);
  write_field(out, "chapter", chapter->stem);
  write_field(out, "chapter_title", chapter->title);
  write_field(out, "title", clause->title);
  write_field(out, "text", clause->text);
  write_field(out, "on_32_bit", clause->on_32_bit);
  write_field(out, "on_big_endian", clause->on_big_endian);
  write_field(out, "rationale", clause->rationale);
  write_field(out, "untestable", clause->untestable);
  write_field(out, "source", clause->source);
  write_field(out, "since", clause->since);
  write_field(out, "until", clause->until);
  fprintf(out, "     .since_number = UINT32_C(%" PRIu32 "),\n", clause->since_number);
  fprintf(out, "     .until_number = UINT32_C(%" PRIu32 "),\n", clause->until_number);
  fprintf(out, "     .level = %s,\n", levels[clause->level]);
  fprintf(out, "     .profiles = %uu,\n", clause->profiles);
  fprintf(out, "     .digest = UINT64_C(0x%016" PRIx64 ")},\n", clause->digest);
}

void table_write_header(FILE *out, const ParsedChapter *chapters, size_t count)
{
  fputs(notice, out);
  fputs("#ifndef TVMFFI_GENERATED_SPEC_CLAUSES_H_\n#define TVMFFI_GENERATED_SPEC_CLAUSES_H_\n\n",
        out);
  fputs("typedef enum ClauseId {\n  CLAUSE_NONE = 0,\n", out);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < chapters[i].count; ++j) {
      fputs("  ", out);
      write_name(out, chapters[i].clauses[j].id);
      fputs(",\n", out);
    }
  }
  fputs("  CLAUSE_COUNT\n} ClauseId;\n\n#endif  // TVMFFI_GENERATED_SPEC_CLAUSES_H_\n", out);
}

void table_write_source(FILE *out, const ParsedChapter *chapters, size_t count)
{
  size_t total = 0;
  fputs(notice, out);
  fputs("#include <stddef.h>\n\n#include \"clause.h\"\n\n", out);
  fputs("extern const Clause clause_table[];\n\nconst Clause clause_table[] = {\n", out);
  for (size_t i = 0; i < count; total += chapters[i++].count)
    for (size_t j = 0; j < chapters[i].count; ++j)
      write_clause(out, &chapters[i], &chapters[i].clauses[j]);
  fprintf(out, "};\n\nconst unsigned clause_total = %zu;\n", total);
}
