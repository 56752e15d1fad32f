// SPDX-License-Identifier: Apache-2.0
#include "attribute_line.h"

enum { PARTS_MAX = 4, VERSION_NUMBER_MAX = 1023 };

static const struct {
  const char *name;
  ClauseLevel level;
} levels[] = {{"MUST", CLAUSE_MUST},
              {"SHOULD", CLAUSE_SHOULD},
              {"HARDENING", CLAUSE_HARDENING},
              {"UNSPECIFIED", CLAUSE_UNSPECIFIED}};

static const struct {
  const char *name;
  unsigned bit;
} scopes[] = {{"core", CLAUSE_SCOPE_CORE},
              {"frontend", CLAUSE_SCOPE_FRONTEND},
              {"headers", CLAUSE_SCOPE_HEADERS},
              {"module", CLAUSE_SCOPE_MODULE},
              {"caller", CLAUSE_SCOPE_CALLER}};

static bool fault_at(AttributeFault *fault, Span where, const char *reason)
{
  *fault = (AttributeFault){reason, where};
  return false;
}

// Splits the line at its middle dots; the number of parts, or PARTS_MAX + 1 if there are more.
static unsigned split(Span line, Span parts[PARTS_MAX])
{
  unsigned count = 0;
  for (Span rest = line; rest.data; ++count) {
    if (count == PARTS_MAX) return PARTS_MAX + 1;
    parts[count] = span_trim(span_cut(&rest, ATTRIBUTE_SEPARATOR));
  }
  return count;
}

static bool parse_level(Span name, ClauseLevel *level, AttributeFault *fault)
{
  for (size_t i = 0; i < sizeof levels / sizeof levels[0]; ++i) {
    if (!span_is(name, levels[i].name)) continue;
    *level = levels[i].level;
    return true;
  }
  return fault_at(fault, name, "unknown level; expected MUST, SHOULD, HARDENING or UNSPECIFIED");
}

// Reads one decimal number of a version; fails for an empty one, leading zeros and numbers that are
// too large.
static bool parse_number(Span digits, uint32_t *number)
{
  if (digits.size == 0 || digits.size > 4 || (digits.size > 1 && digits.data[0] == '0'))
    return false;
  *number = 0;
  for (size_t i = 0; i < digits.size; ++i) {
    if (digits.data[i] < '0' || digits.data[i] > '9') return false;
    *number = *number * 10 + (uint32_t)(digits.data[i] - '0');
  }
  return *number <= VERSION_NUMBER_MAX;
}

static bool parse_version(Span name, uint32_t *version, AttributeFault *fault)
{
  *version = 0;
  if (span_is(name, "2025-09")) return true;
  unsigned count = 0;
  for (Span rest = name; rest.data; ++count) {
    uint32_t number = 0;
    if (count == 3 || !parse_number(span_cut(&rest, "."), &number)) {
      count = 0;
      break;
    }
    *version = *version << 10 | number;
  }
  if (count == 3) return true;
  return fault_at(fault, name,
                  "unknown version; expected 2025-09 or three numbers up to 1023, such as 0.1.5");
}

// "since 0.1.0" or "since 0.1.0 until 0.1.9"
static bool parse_versions(Span part, AttributeLine *out, AttributeFault *fault)
{
  static const char expected[] = "expected \"since VERSION\" or \"since VERSION until VERSION\"";
  Span rest = part;
  if (!span_is(span_cut(&rest, " "), "since") || !rest.data) return fault_at(fault, part, expected);
  out->since = span_cut(&rest, " ");
  if (!parse_version(out->since, &out->since_number, fault)) return false;
  if (!rest.data) return true;
  if (!span_is(span_cut(&rest, " "), "until") || !rest.data) return fault_at(fault, part, expected);
  out->until = rest;
  if (!parse_version(out->until, &out->until_number, fault)) return false;
  if (out->until_number >= out->since_number) return true;
  return fault_at(fault, part,
                  "\"until\" is earlier than \"since\"; expected the same or a later version");
}

static bool parse_scopes(Span part, unsigned *bits, AttributeFault *fault)
{
  *bits = 0;
  for (Span rest = part; rest.data;) {
    Span name = span_trim(span_cut(&rest, ","));
    unsigned bit = 0;
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; ++i)
      if (span_is(name, scopes[i].name)) bit = scopes[i].bit;
    if (bit == 0)
      return fault_at(fault, name,
                      "unknown scope; expected core, frontend, headers, module or caller");
    if (*bits & bit) return fault_at(fault, name, "duplicate scope; expected each once");
    if ((bit & CLAUSE_PROFILE_RUNTIME) && (*bits & CLAUSE_PROFILE_RUNTIME))
      return fault_at(fault, name,
                      "a second scope of runtimes; expected one of core, frontend and headers");
    *bits |= bit;
  }
  if ((*bits & CLAUSE_SCOPE_CALLER) && *bits != CLAUSE_SCOPE_CALLER)
    return fault_at(fault, part, "caller stands with another scope; expected it alone");
  return true;
}

static bool parse_unspecified(Span parts[PARTS_MAX], unsigned count, Span line, AttributeLine *out,
                              AttributeFault *fault)
{
  if (count > 1 && span_starts(parts[1], "since"))
    return fault_at(fault, parts[1], "an unspecified clause has no \"since\"; expected its scopes");
  if (count < 2 || count > 3)
    return fault_at(
        fault, line,
        "bad attribute line; expected UNSPECIFIED \xc2\xb7 scopes, and perhaps \xc2\xb7 source");
  if (count == 3) out->source = parts[2];
  return parse_scopes(parts[1], &out->scopes, fault);
}

static bool parse_judged(Span parts[PARTS_MAX], unsigned count, Span line, AttributeLine *out,
                         AttributeFault *fault)
{
  if (count != PARTS_MAX)
    return fault_at(fault, line,
                    "bad attribute line; expected LEVEL \xc2\xb7 since VERSION \xc2\xb7 scopes "
                    "\xc2\xb7 source, with spaces around "
                    "each middle dot");
  if (parts[3].size == 0)
    return fault_at(fault, line, "the source is empty; expected a document and section");
  out->source = parts[3];
  return parse_versions(parts[1], out, fault) && parse_scopes(parts[2], &out->scopes, fault);
}

bool attribute_line_parse(Span line, AttributeLine *out, AttributeFault *fault)
{
  Span parts[PARTS_MAX];
  *out = (AttributeLine){.until_number = UINT32_MAX};
  unsigned count = split(line, parts);
  if (!parse_level(parts[0], &out->level, fault)) return false;
  return (out->level == CLAUSE_UNSPECIFIED ? parse_unspecified : parse_judged)(parts, count, line,
                                                                               out, fault);
}
