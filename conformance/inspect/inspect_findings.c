// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const InspectFindingKind inspect_finding_kinds[INSPECT_FINDING_COUNT] = {
#define INSPECT_FINDING(name, id, level, clause, source, what, remedy) \
  [INSPECT_FINDING_##name] = {id, INSPECT_LEVEL_##level, clause, source, what, remedy},
#include "inspect/inspect_findings.def"
};

static size_t stored_of(const InspectFindings *findings, InspectFindingId id)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; ++i) count += findings->items[i].id == id;
  return count;
}

static InspectFinding *append(InspectFindings *findings, InspectFindingId id)
{
  if (findings->unstored[id] > 0 || stored_of(findings, id) == INSPECT_MOST_OF_A_KIND) {
    if (findings->unstored[id]++ == 0) {
      findings->unstored_levels[id] = inspect_finding_kinds[id].level;
    }
    return NULL;
  }
  size_t size = (findings->count + 1) * sizeof *findings->items;
  InspectFinding *items = realloc(findings->items, size);
  if (!items) {
    findings->no_memory = true;
    return NULL;
  }
  findings->items = items;
  InspectFinding *finding = &items[findings->count++];
  *finding = (InspectFinding){.id = id, .level = inspect_finding_kinds[id].level};
  return finding;
}

void inspect_findings_add(InspectFindings *findings, InspectFindingId id, ElfText symbol,
                          const char *detail, ...)
{
  InspectFinding *finding = append(findings, id);
  if (!finding) return;
  va_list arguments;
  va_start(arguments, detail);
  vsnprintf(finding->detail, sizeof finding->detail, detail, arguments);
  va_end(arguments);
  finding->symbol = symbol;
}

void inspect_findings_free(InspectFindings *findings)
{
  free(findings->items);
  *findings = (InspectFindings){0};
}

// Insertion keeps the order of equals; there are few, and mostly in order already.
void inspect_findings_sort(InspectFindings *findings)
{
  for (size_t i = 1; i < findings->count; ++i) {
    InspectFinding moved = findings->items[i];
    size_t at = i;
    for (; at > 0; --at) {
      const InspectFinding *before = &findings->items[at - 1];
      bool in_order =
          before->level > moved.level || (before->level == moved.level && before->id <= moved.id);
      if (in_order) break;
      findings->items[at] = findings->items[at - 1];
    }
    findings->items[at] = moved;
  }
}

size_t inspect_findings_at(const InspectFindings *findings, InspectLevel level)
{
  bool seen[INSPECT_FINDING_COUNT] = {false};
  size_t count = 0;
  for (size_t i = 0; i < findings->count; ++i) {
    const InspectFinding *finding = &findings->items[i];
    if (finding->level == level) seen[finding->id] = true;
  }
  for (unsigned id = 0; id < INSPECT_FINDING_COUNT; ++id) {
    if (findings->unstored[id] > 0 && findings->unstored_levels[id] == level) seen[id] = true;
    count += seen[id];
  }
  return count;
}

size_t inspect_findings_places(const InspectFindings *findings)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; ++i) {
    count += findings->items[i].level > INSPECT_LEVEL_NONE;
  }
  for (unsigned id = 0; id < INSPECT_FINDING_COUNT; ++id) {
    if (findings->unstored_levels[id] > INSPECT_LEVEL_NONE) count += findings->unstored[id];
  }
  return count;
}

InspectFindingId inspect_finding_find(const char *id)
{
  unsigned found = 0;
  while (found < INSPECT_FINDING_COUNT && strcmp(inspect_finding_kinds[found].id, id) != 0) ++found;
  return (InspectFindingId)found;
}

const char *inspect_level_name(InspectLevel level)
{
  static const char *const names[] = {"none", "note", "warning", "error"};
  return names[level];
}
