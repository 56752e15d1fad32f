// SPDX-License-Identifier: Apache-2.0
// What an operand of `inspect` names: a library, an archive of them, or a folder.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_INPUT_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_INPUT_H_

#include "inspect/inspect_map.h"
#include "inspect/inspect_set.h"

enum { INSPECT_INPUT_DEPTH = 64 };  // folders within folders

// A file, or a member of an archive. Everything is borrowed for the time of the call.
typedef struct InspectInput {
  const char *package;   // the archive that it is a member of, or the folder that it lies in
  const char *path;      // as people see it
  const char *file;      // the same without the processor of a part of a universal file
  unsigned char *bytes;  // may be written to
  uint64_t size;
  const InspectMap *map;  // of a file on disk; NULL for a member
} InspectInput;

// What inspect_input_visit calls.
typedef struct InspectInputVisitor {
  void *context;
  void (*image)(void *context, const InspectInput *input);
  // What a wheel says of itself, packed or not; NULL: not wanted.
  void (*document)(void *context, const InspectInput *input);
  // Something that cannot be read; NULL: no matter.
  void (*problem)(void *context, const char *path, const InspectProblem *problem);
} InspectInputVisitor;

// Visits what `path` names: the file, or every library in the archive. Of a folder, those below it
// whose names end as .so, .so.1, .dylib, .dll, .pyd or .whl, in the order of their names; links are not followed.
void inspect_input_visit(const char *path, const InspectInputVisitor *visitor);

// Adds to the set what `path` names; of a library on disk also those that it needs and that lie
// where its RUNPATH leads, or beside it. What cannot be read is passed over. False if memory is out.
bool inspect_input_gather(const char *path, InspectSet *set);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_INPUT_H_
