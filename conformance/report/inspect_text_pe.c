// SPDX-License-Identifier: Apache-2.0
// How a PE file is linked, for people.
#include "inspect/inspect_crt.h"
#include "report/inspect_line.h"
#include "report/inspect_report.h"

enum { LIBRARIES_SHOWN = 20 };

static void write_linking(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  InspectLine line = {0};
  if (!subject->api.linking) return;
  inspect_line_add(&line, "%s", inspect_api_linking_name(subject->api.linking));
  if (subject->facts->kind == INSPECT_KIND_SHARED) {
    inspect_line_add(&line, ", tvm_ffi.dll is %samong its libraries",
                     subject->api.needs_libtvm_ffi ? "" : "not ");
  }
  inspect_line_field(out, style, "linking", &line);
}

static void write_exports(FILE *out, const TextStyle *style, const PeFile *pe)
{
  size_t forwarders = 0;
  InspectLine line = {0};
  for (size_t i = 0; i < pe->export_count; ++i) forwarders += pe->exports[i].forwarder.size > 0;
  if (pe->export_count == 0) return;
  inspect_line_add(&line, "%zu symbols by name", pe->export_count - pe->unnamed_exports);
  if (pe->unnamed_exports > 0) inspect_line_add(&line, ", %zu by number", pe->unnamed_exports);
  if (forwarders > 0) inspect_line_add(&line, ", %zu of them in other DLLs", forwarders);
  if (pe->name.size > 0) {
    inspect_line_add(&line, ", as ");
    inspect_line_add_text(&line, pe->name);
  }
  inspect_line_field(out, style, "table", &line);
}

static void write_libraries(FILE *out, const TextStyle *style, const PeFile *pe)
{
  size_t unnamed = 0;
  InspectLine line = {0};
  for (size_t i = 0; i < pe->library_count && i < LIBRARIES_SHOWN; ++i) {
    if (i > 0) inspect_line_add(&line, ", ");
    inspect_line_add_text(&line, pe->libraries[i].name);
    if (pe->libraries[i].delayed) inspect_line_add(&line, " (delayed)");
  }
  if (pe->library_count > LIBRARIES_SHOWN) {
    inspect_line_add(&line, " and %zu more", pe->library_count - LIBRARIES_SHOWN);
  }
  for (size_t i = 0; i < pe->import_count; ++i) unnamed += pe->imports[i].name.size == 0;
  if (unnamed > 0) {
    inspect_line_add(&line, "; %zu function%s by number", unnamed, unnamed == 1 ? "" : "s");
  }
  inspect_line_field(out, style, "libraries", &line);
}

static void add_crt(InspectLine *line, BinaryText library)
{
  if (library.size == 0) return;
  if (line->size > 0) inspect_line_add(line, ", ");
  inspect_line_add_text(line, library);
}

static void write_crt(FILE *out, const TextStyle *style, const PeFile *pe)
{
  InspectCrt crt;
  InspectLine line = {0};
  inspect_crt_read(pe, &crt);
  if (inspect_crt_is_static(&crt)) {
    inspect_line_add(&line, "none among its libraries: linked in, or not used");
  }
  add_crt(&line, crt.compiler);
  add_crt(&line, crt.cxx);
  add_crt(&line, crt.universal);
  add_crt(&line, crt.old);
  inspect_line_field(out, style, "C library", &line);
  inspect_line_add(&line, "Windows %u.%u or later, linker %u.%u", pe->system_major,
                   pe->system_minor, pe->linker_major, pe->linker_minor);
  inspect_line_field(out, style, "system", &line);
}

void inspect_text_pe(FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  const PeFile *pe = subject->facts->pe;
  write_linking(out, style, subject);
  write_exports(out, style, pe);
  write_libraries(out, style, pe);
  write_crt(out, style, pe);
}
