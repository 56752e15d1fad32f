// SPDX-License-Identifier: Apache-2.0
// How a Mach-O file is linked, for people.
#include "report/inspect_line.h"
#include "report/inspect_report.h"

enum { LIBRARIES_SHOWN = 20 };

// 0xXXXXYYZZ: "11.0", "10.9.5".
static void add_version(InspectLine *line, uint32_t version)
{
  inspect_line_add(line, "%u.%u", version >> 16, version >> 8 & 0xff);
  if (version & 0xff) inspect_line_add(line, ".%u", version & 0xff);
}

static void write_lookup(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  static const char *const bindings[] = {"imports by the symbol table", "imports by opcodes",
                                         "imports by chained fixups"};
  InspectLine line = {0};
  const InspectFacts *facts = subject->facts;
  if (subject->api.linking) {
    inspect_line_add(&line, "%s", inspect_api_linking_name(subject->api.linking));
    if (facts->kind == INSPECT_KIND_SHARED) {
      inspect_line_add(&line, ", libtvm_ffi.dylib is %samong its libraries",
                       subject->api.needs_libtvm_ffi ? "" : "not ");
    }
    inspect_line_add(&line, ", ");
  }
  if (facts->kind != INSPECT_KIND_OBJECT) {
    inspect_line_add(&line, "%s namespace, ",
                     facts->macho->flags & MACHO_FLAG_TWO_LEVEL ? "two-level" : "flat");
  }
  inspect_line_add(&line, "%s", bindings[facts->macho->binding]);
  inspect_line_field(out, style, "linking", &line);
}

static void write_name(FILE *out, const TextStyle *style, const MachoFile *macho)
{
  InspectLine line = {0};
  if (macho->id.size == 0) return;
  inspect_line_add_text(&line, macho->id);
  inspect_line_add(&line, ", version ");
  add_version(&line, macho->id_current);
  inspect_line_add(&line, ", compatible with ");
  add_version(&line, macho->id_compatible);
  inspect_line_field(out, style, "named", &line);
}

static void write_libraries(FILE *out, const TextStyle *style, const MachoFile *macho)
{
  static const char *const kinds[] = {"", " (weak)", " (re-exported)", " (lazy)", " (upward)"};
  InspectLine line = {0};
  for (size_t i = 0; i < macho->library_count && i < LIBRARIES_SHOWN; ++i) {
    if (i > 0) inspect_line_add(&line, ", ");
    inspect_line_add_text(&line, macho->libraries[i].name);
    inspect_line_add(&line, "%s", kinds[macho->libraries[i].kind]);
  }
  if (macho->library_count > LIBRARIES_SHOWN) {
    inspect_line_add(&line, " and %zu more", macho->library_count - LIBRARIES_SHOWN);
  }
  inspect_line_field(out, style, "libraries", &line);
  for (size_t i = 0; i < macho->rpath_count && i < LIBRARIES_SHOWN; ++i) {
    if (i > 0) inspect_line_add(&line, ", ");
    inspect_line_add_text(&line, macho->rpaths[i]);
  }
  inspect_line_field(out, style, "rpaths", &line);
}

static void write_system(FILE *out, const TextStyle *style, const MachoFile *macho)
{
  char name[24];
  InspectLine line = {0};
  if (macho->platform) {
    macho_platform_name(macho->platform, name, sizeof name);
    inspect_line_add(&line, "%s ", name);
    add_version(&line, macho->minimum_system);
    inspect_line_add(&line, " or later, ");
  }
  inspect_line_add(&line, "%ssigned", macho->signature.size ? "" : "not ");
  inspect_line_field(out, style, "system", &line);
}

void inspect_text_macho(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  const MachoFile *macho = subject->facts->macho;
  write_lookup(out, style, subject);
  write_name(out, style, macho);
  write_libraries(out, style, macho);
  write_system(out, style, macho);
}
