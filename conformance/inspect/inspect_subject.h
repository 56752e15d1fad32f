// SPDX-License-Identifier: Apache-2.0
// One ELF image with all that `inspect` says about it: a file, or a member of an archive.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_SUBJECT_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_SUBJECT_H_

#include "inspect/inspect_api.h"
#include "inspect/inspect_blob.h"
#include "inspect/inspect_facts.h"
#include "inspect/inspect_findings.h"
#include "inspect/inspect_metadata.h"
#include "inspect/inspect_module.h"
#include "inspect/inspect_set.h"

typedef struct InspectSubject {
  char *name;  // own; the path as given, for a member "wheel.whl: lib/libx.so"; not clean
  uint64_t size;
  char sha256[65];      // "" if it was not asked for
  InspectFacts *facts;  // own, as are the parts below
  InspectApi api;
  InspectModule module;
  InspectBlob blob;
  InspectMetadata metadata;
  InspectFindings findings;
} InspectSubject;

// Reads `size` bytes at `bytes`, which may be written to and must outlive the subject. Returns the
// subject (own, by inspect_subject_free), or NULL with the problem recorded. `digest`: also hash
// it. `place`: the files that are inspected together with it, NULL if it is alone.
InspectSubject *inspect_subject_read(const char *name, unsigned char *bytes, uint64_t size,
                                     bool digest, const InspectPlace *place,
                                     InspectProblem *problem);
void inspect_subject_free(InspectSubject *subject);

// Whether the file has to do with the ABI at all: it exports of it, or needs of it.
bool inspect_subject_is_known(const InspectSubject *subject);

// "runtime", "module", "user of the API", "earlier generation", "none".
const char *inspect_subject_profile(const InspectSubject *subject);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_SUBJECT_H_
