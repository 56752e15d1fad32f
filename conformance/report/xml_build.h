// SPDX-License-Identifier: Apache-2.0
// Building XML without looking at every single call: a failure is remembered and told at the end.
#ifndef TVMFFI_CONFORMANCE_REPORT_XML_BUILD_H_
#define TVMFFI_CONFORMANCE_REPORT_XML_BUILD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct XmlBuild {
  struct _xmlBuffer *buffer;
  struct _xmlTextWriter *xml;  // NULL: memory is out
  bool failed;
} XmlBuild;

void xml_start(XmlBuild *build);

// An element; what follows is within it until its end.
void xml_begin(XmlBuild *build, const char *name);
void xml_end(XmlBuild *build);

// Attributes of the element that was begun last, made valid.
void xml_attribute(XmlBuild *build, const char *name, const char *value);
void xml_number(XmlBuild *build, const char *name, unsigned value);
void xml_seconds(XmlBuild *build, uint64_t ns);  // as "time"

// Text, made valid; lines stay.
void xml_text(XmlBuild *build, const char *bytes, size_t size);

// Writes the document to the path and frees it. 0, or -1 with `error` saying what was being written
// (`what`: "the JUnit report"), where, and why it could not be.
int xml_save(XmlBuild *build, const char *what, const char *path, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_XML_BUILD_H_
