// SPDX-License-Identifier: Apache-2.0
#include "report/inspect_policy_write.h"

#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "report/facts.h"

// Longer lists are no policy that anybody reads: then all names are allowed.
enum { MOST_NAMES = 1000 };

// A glob that matches this name and no other, or NULL if memory is out.
static json_t *glob_of(const char *name, size_t size)
{
  char *glob = malloc(2 * size + 1), *end = glob;
  if (!glob) return NULL;
  for (size_t i = 0; i < size; ++i) {
    if (strchr("*?[]\\", name[i])) *end++ = '\\';
    *end++ = name[i];
  }
  json_t *string = json_clean(glob, (size_t)(end - glob), false);
  free(glob);
  return string;
}

static void put_version(JsonBuild *build, json_t *rules, const char *key, uint32_t version,
                        int parts)
{
  char text[16];
  if (version) json_put(build, rules, key, json_string(inspect_text_version(version, parts, text)));
}

typedef bool Wanted(const InspectEntry *entry);

static bool is_import(const InspectEntry *entry)
{
  return entry->section == SHN_UNDEF && entry->binding != STB_WEAK;
}

static bool is_abi_export(const InspectEntry *entry)
{
  return entry->role != INSPECT_ROLE_NONE && inspect_facts_exports(entry);
}

// NULL if there are more than a person reads.
static json_t *names(JsonBuild *build, const InspectFacts *facts, Wanted *wanted)
{
  json_t *list = json_array();
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (!wanted(entry)) continue;
    if (json_array_size(list) == MOST_NAMES) {
      json_decref(list);
      return NULL;
    }
    json_add(build, list, glob_of(entry->name.data, entry->name.size));
  }
  return list;
}

static void put_names(JsonBuild *build, json_t *rules, const char *key, const char *inner,
                      json_t *list)
{
  if (!list) return;
  json_t *object = json_object_get(rules, key);
  if (!object) {
    json_put(build, rules, key, json_object());
    object = json_object_get(rules, key);
  }
  json_put(build, object, inner, list);
}

// What counts today is lowered to a note, once for each kind.
static json_t *findings(JsonBuild *build, const InspectFindings *found)
{
  json_t *list = json_array();
  for (size_t i = 0; i < found->count; ++i) {
    const InspectFinding *finding = &found->items[i];
    bool again = i > 0 && found->items[i - 1].id == finding->id;
    if (finding->level < INSPECT_LEVEL_WARNING || again) continue;
    json_t *item = json_object();
    json_put(build, item, "id", json_string(inspect_finding_kinds[finding->id].id));
    json_put(build, item, "level", json_string("note"));
    json_put(build, item, "reason", json_string("it was there when this policy was written"));
    json_add(build, list, item);
  }
  return list;
}

void inspect_policy_draft_file(InspectPolicyDraft *draft, const InspectSubject *subject)
{
  JsonBuild *build = &draft->build;
  const InspectFacts *facts = subject->facts;
  json_t *rules = json_object();
  put_version(build, rules, "abi_floor", subject->api.floor, 3);
  put_version(build, rules, "glibc", facts->floors.glibc, 2);
  put_version(build, rules, "glibcxx", facts->floors.glibcxx, 2);
  put_version(build, rules, "cxxabi", facts->floors.cxxabi, 2);
  put_names(build, rules, "exports", "required", names(build, facts, is_abi_export));
  put_names(build, rules, "exports", "allowed", names(build, facts, inspect_facts_exports));
  put_names(build, rules, "imports", "allowed", names(build, facts, is_import));
  json_put(build, rules, "findings", findings(build, &subject->findings));
  const char *name = facts_base_name(subject->name);
  json_t *glob = glob_of(name, strlen(name));
  if (glob) {
    json_put(build, draft->files, json_string_value(glob), rules);
  } else {
    build->failed = true;
    json_decref(rules);
  }
  json_decref(glob);
}

void inspect_policy_draft_begin(InspectPolicyDraft *draft)
{
  *draft = (InspectPolicyDraft){.files = json_object()};
}

void inspect_policy_draft_end(InspectPolicyDraft *draft)
{
  json_decref(draft->files);
}

int inspect_policy_draft_write(const InspectPolicyDraft *draft, const char *path, char *error,
                               size_t error_size)
{
  JsonBuild build = draft->build;
  json_t *root = json_object(), *rules;
  const char *key;
  json_put(&build, root, "format", json_string("tvmffi-conform-policy/1"));
  if (json_object_size(draft->files) == 1) {
    json_object_foreach(draft->files, key, rules) json_object_update(root, rules);
  } else {
    json_put(&build, root, "files", json_incref(draft->files));
  }
  return json_save(root, build.failed, "the policy", path, error, error_size);
}
