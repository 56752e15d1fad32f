// SPDX-License-Identifier: Apache-2.0
#include "judge/known_headers.h"

#include <fnmatch.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

// tvm::ffi::TypeIndexToTypeKey(int), with or without the tag of its ABI.
// Compilers put it into the exported functions where it is called once: no name of it is left then, but
// others of the headers are.
static const char type_name_function[] = "_ZN3tvm3ffi18TypeIndexToTypeKey";
static const char headers_namespace[] = "_ZN3tvm3ffi";

static bool begins_with(const char *text, const char *prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Whether code of the headers is in the module: a function whose name is in their namespace. A
// module that hides and strips all names shows nothing of it, and is not excused.
static bool has_function(const InspectReport *library, const char *prefix)
{
  for (size_t i = 0; i < library->symbol_count; ++i)
    if (begins_with(library->symbols[i].name, prefix)) return true;
  return false;
}

// Whether a member of a TVMFFITypeInfo was read at NULL: the bytes from `begin` to `end` of one.
static bool is_read_at_null(const Outcome *outcome, size_t begin, size_t end)
{
  const EvidenceCrash *crash = outcome->evidence ? &outcome->evidence->crash : NULL;
  return crash && outcome->signal == SIGSEGV && crash->signal == SIGSEGV && crash->code > 0 &&
         crash->address >= begin && crash->address < end;
}

// The name of a type that does not exist is read, in the function of the headers that does so, or where that
// was put. Nothing else that these cases hand over is NULL, and a function that goes on with a value of a
// wrong type crashes with other wrong types, too, for which nothing is excused.
static bool reads_missing_type(const InspectReport *library, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  size_t name = offsetof(TVMFFITypeInfo, type_key);
  return result->fail_kind == FAIL_CRASH && outcome->where &&
         (begins_with(outcome->where, type_name_function) ||
          (!has_function(library, type_name_function) &&
           has_function(library, headers_namespace))) &&
         is_read_at_null(outcome, name, name + sizeof(TVMFFIByteArray));
}

// How many ancestors such a type has is read: the same.
static bool reads_missing_depth(const InspectReport *library, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  size_t depth = offsetof(TVMFFITypeInfo, type_depth);
  return result->fail_kind == FAIL_CRASH && outcome->where &&
         has_function(library, headers_namespace) && is_read_at_null(outcome, depth, depth + 1);
}

// The official runtime says so, and ends the process, when it is asked for such a type.
static bool asks_runtime_that_ends(const InspectReport *library, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  return result->fail_kind == FAIL_EXIT && outcome->exit_code == 255 && outcome->output &&
         strstr(outcome->output, "Exception caught during TVMFFIGetTypeInfo:") &&
         strstr(outcome->output, "Cannot find type info for type_index=") &&
         has_function(library, headers_namespace);
}

// "Cannot convert from type `A` to `B`", in quotes, and nothing else.
static bool is_of_a_cast(const char *text)
{
  static const char begin[] = "\"Cannot convert from type `", middle[] = "` to `", end[] = "`\"";
  if (!begins_with(text, begin)) return false;
  const char *between = strstr(text + sizeof begin - 1, middle);
  if (!between) return false;
  const char *rest = between + sizeof middle - 1;
  size_t length = strlen(rest);
  return !strpbrk(text, "\n\\") && length > sizeof end - 1 &&
         strcmp(rest + length - (sizeof end - 1), end) == 0 &&
         !memchr(rest, '`', length - (sizeof end - 1));
}

static bool says_cannot_convert(const InspectReport *library, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  if (result->fail_kind != FAIL_EXPECTATION || !outcome->evidence) return false;
  if (outcome->failed > EVIDENCE_FAILURES_MAX || outcome->end != EVIDENCE_FINISHED) return false;
  for (uint32_t i = 0; i < outcome->failed; ++i)
    if (!is_of_a_cast(outcome->evidence->failures[i].seen)) return false;
  return has_function(library, headers_namespace);
}

#define KNOWN_HEADERS(case_, matches_, reason_) {case_, matches_, reason_},
static const struct {
  const char *cases;
  bool (*matches)(const InspectReport *library, const CaseResult *result);
  const char *reason;
} known[] = {
#include "judge/known_headers.def"
};

const char *known_headers(const InspectReport *library, const CaseResult *result)
{
  char id[CASE_ID_MAX];
  if (result->verdict != VERDICT_FAIL || !result->instance->kernel || !library) return NULL;
  size_t length = strcspn(result->instance->id, "@");
  memcpy(id, result->instance->id, length);
  id[length] = '\0';
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (fnmatch(known[i].cases, id, 0) == 0 && known[i].matches(library, result))
      return known[i].reason;
  return NULL;
}
