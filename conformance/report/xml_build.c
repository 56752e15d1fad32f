// SPDX-License-Identifier: Apache-2.0
#include "report/xml_build.h"

#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>

#include "judge/save.h"
#include "report/clean.h"

void xml_start(XmlBuild *build)
{
  build->buffer = xmlBufferCreate();
  build->xml = build->buffer ? xmlNewTextWriterMemory(build->buffer, 0) : NULL;
  build->failed = !build->xml || xmlTextWriterSetIndent(build->xml, 1) < 0 ||
                  xmlTextWriterStartDocument(build->xml, NULL, "UTF-8", NULL) < 0;
}

void xml_begin(XmlBuild *build, const char *name)
{
  if (build->xml) build->failed |= xmlTextWriterStartElement(build->xml, BAD_CAST name) < 0;
}

void xml_end(XmlBuild *build)
{
  if (build->xml) build->failed |= xmlTextWriterEndElement(build->xml) < 0;
}

void xml_attribute(XmlBuild *build, const char *name, const char *value)
{
  char *clean = clean_string(value, 0);
  build->failed |= !clean || !build->xml ||
                   xmlTextWriterWriteAttribute(build->xml, BAD_CAST name, BAD_CAST clean) < 0;
  free(clean);
}

void xml_number(XmlBuild *build, const char *name, unsigned value)
{
  if (build->xml)
    build->failed |= xmlTextWriterWriteFormatAttribute(build->xml, BAD_CAST name, "%u", value) < 0;
}

void xml_seconds(XmlBuild *build, uint64_t ns)
{
  if (build->xml)
    build->failed |= xmlTextWriterWriteFormatAttribute(build->xml, BAD_CAST "time", "%.3f",
                                                       (double)ns / 1e9) < 0;
}

void xml_text(XmlBuild *build, const char *bytes, size_t size)
{
  char *clean = clean_text(bytes, size, CLEAN_LINES);
  build->failed |=
      !clean || !build->xml || xmlTextWriterWriteString(build->xml, BAD_CAST clean) < 0;
  free(clean);
}

int xml_save(XmlBuild *build, const char *what, const char *path, char *error, size_t error_size)
{
  int status = -1;
  if (build->xml) {
    build->failed |= xmlTextWriterEndDocument(build->xml) < 0;
    xmlFreeTextWriter(build->xml);
  }
  if (build->failed)
    snprintf(error, error_size, "cannot write %s: %s: out of memory", what, path);
  else
    status = save_file(path, what, xmlBufferContent(build->buffer),
                       (size_t)xmlBufferLength(build->buffer), error, error_size);
  xmlBufferFree(build->buffer);
  return status;
}
