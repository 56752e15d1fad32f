// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_subject.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_read.h"
#include "inspect/inspect_rules.h"

static bool fill(InspectSubject *subject, const InspectPlace *place)
{
  const InspectFacts *facts = subject->facts;
  inspect_api_read(facts, &subject->api);
  if (!inspect_module_read(facts, &subject->module) || !inspect_blob_read(facts, &subject->blob)) {
    return false;
  }
  inspect_metadata_read(facts, &subject->metadata);
  InspectLinks links;
  inspect_set_follow(place, facts, inspect_rules_knows, &links);
  InspectCase file = {.facts = facts,
                      .api = &subject->api,
                      .module = &subject->module,
                      .blob = &subject->blob,
                      .place = place,
                      .links = &links,
                      .findings = &subject->findings};
  inspect_rules_apply(&file);
  return !subject->findings.no_memory;
}

InspectSubject *inspect_subject_read(const char *name, unsigned char *bytes, uint64_t size,
                                     bool digest, const InspectPlace *place,
                                     InspectProblem *problem)
{
  InspectSubject *subject = calloc(1, sizeof *subject);
  if (subject) subject->name = strdup(name);
  if (!subject || !subject->name) {
    inspect_subject_free(subject);
    inspect_problem_no_memory(problem);
    return NULL;
  }
  subject->size = size;
  if (digest) {
    InspectBytes all = {bytes, (size_t)size};
    inspect_read_digest(&all, subject->sha256);
  }
  subject->facts = inspect_facts_read(bytes, size, problem);
  if (subject->facts && (fill(subject, place) || inspect_problem_no_memory(problem)))
    return subject;
  inspect_subject_free(subject);
  return NULL;
}

void inspect_subject_free(InspectSubject *subject)
{
  if (!subject) return;
  inspect_findings_free(&subject->findings);
  inspect_blob_free(&subject->blob);
  inspect_module_free(&subject->module);
  inspect_facts_free(subject->facts);
  free(subject->name);
  free(subject);
}

// Names of an earlier generation are all that such a file has.
static bool is_stale(const InspectSubject *subject)
{
  for (size_t i = 0; i < subject->findings.count; ++i) {
    InspectFindingId id = subject->findings.items[i].id;
    if (id == INSPECT_FINDING_STALE_EXPORT || id == INSPECT_FINDING_STALE_IMPORT) return true;
  }
  return false;
}

static bool is_of_today(const InspectSubject *subject)
{
  return inspect_rules_is_known(subject->facts, &subject->api);
}

bool inspect_subject_is_known(const InspectSubject *subject)
{
  return is_of_today(subject) || is_stale(subject);
}

const char *inspect_subject_profile(const InspectSubject *subject)
{
  if (subject->facts->profile != INSPECT_PROFILE_NONE) {
    return inspect_profile_name(subject->facts->profile);
  }
  if (is_of_today(subject)) return "user of the API";
  return is_stale(subject) ? "earlier generation" : "none";
}
