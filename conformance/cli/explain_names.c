// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "abi/layout_tables.h"
#include "abi/prototypes.h"
#include "clause.h"
#include "spec_clauses.h"

// --- The clauses that speak of a name ------------------------------------------------------------

static bool is_in_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// Whether `text` has the words, not as a part of longer ones. No words are nowhere.
static bool has_words(const char *text, const char *words)
{
  size_t length = strlen(words);
  if (!text || !length) return false;
  for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
    if ((at == text || !is_in_word(at[-1])) && !is_in_word(at[length])) return true;
  return false;
}

static bool clause_has(const Clause *clause, const char *words)
{
  return has_words(clause->title, words) || has_words(clause->text, words) ||
         has_words(clause->on_32_bit, words) || has_words(clause->on_big_endian, words) ||
         has_words(clause->rationale, words) || has_words(clause->source, words);
}

// Lists the clauses that have the name or the other words.
static void print_clauses_that_name(const char *name, const char *other)
{
  size_t shown = 0;
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    if (!clause_has(clause, name) && !clause_has(clause, other)) continue;
    printf("%s  %-8s %-11s  %s\n", shown++ ? "" : "\nClauses:\n", clause->id,
           clause_level_name(clause->level), clause->title);
  }
}

// --- Functions -----------------------------------------------------------------------------------

static AbiFunctionId find_function(const char *name)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    if (strcasecmp(abi_functions[i].symbol, name) == 0) return (AbiFunctionId)i;
  return abi_function_find_former(name, strlen(name));
}

static bool explain_function(const char *name)
{
  AbiFunctionId function = find_function(name);
  if (function == ABI_FUNCTION_COUNT) return false;
  char text[ABI_PROTOTYPE_MAX], version[16];
  const AbiFunction *about = &abi_functions[function];
  const char *then = abi_function_symbol_2025_09(function);
  printf("%s\n  %s;\n", about->symbol, abi_prototype(function, text));
  printf("  since %s", abi_version_text(about->since, version));
  if (then && strcmp(then, about->symbol) != 0) printf(", called %s in 2025-09", then);
  printf(", chapter %s\n\n", about->chapter);
  for (size_t i = 0; i < abi_ownership_count; ++i) {
    const AbiOwnership *row = &abi_ownership[i];
    if (row->function != function) continue;
    printf("  %-16s %s%s%s\n", row->parameter, abi_whose_name(row->whose),
           row->detail[0] ? ": " : "", row->detail);
  }
  print_clauses_that_name(about->symbol, "");
  return true;
}

// --- Names of enumerations -----------------------------------------------------------------------

static void print_type_index(const AbiEnumerator *one)
{
  if (one->key[0]) printf("  type key %s\n", one->key);
  printf("  in a view: %s, in an owned value: %s\n", one->where & ABI_IN_VIEW ? "yes" : "no",
         one->where & ABI_IN_OWNED ? "yes" : "no");
}

static bool explain_enumerator(const char *name)
{
  size_t number = 0;
  while (number < abi_enumerator_count && strcasecmp(abi_enumerators[number].name, name) != 0)
    ++number;
  if (number == abi_enumerator_count) return false;
  char version[16], words[48] = "";
  const AbiEnumerator *one = &abi_enumerators[number];
  printf("%s\n  %d, of %s, since %s\n", one->name, one->value, one->enumeration,
         abi_version_text(one->since, version));
  if (one->key) {
    print_type_index(one);
    snprintf(words, sizeof words, "type index %d", one->value);
  }
  print_clauses_that_name(one->name, one->key ? words : one->enumeration);
  return true;
}

// --- Structs -------------------------------------------------------------------------------------

// Where the fields of a struct are, on each kind of machine. False if there is no such struct.
static bool explain_struct(const char *name)
{
  size_t number = 0;
  while (number < abi_struct_count && strcasecmp(abi_structs[number].name, name) != 0) ++number;
  if (number == abi_struct_count) return false;
  name = abi_structs[number].name;
  printf("%s\n  %zu bytes where pointers have 64 bits, %zu on i386, %zu on others with 32 bits\n\n",
         name, abi_struct_size(number, ABI_64_BIT), abi_struct_size(number, ABI_I386),
         abi_struct_size(number, ABI_32_BIT));
  printf("  %-26s %-16s %-16s %-12s  %s\n", "offset, size", "64-bit", "i386", "other 32-bit",
         "type");
  for (size_t i = 0; i < abi_field_count; ++i) {
    if (strcmp(abi_fields[i].structure, name) != 0) continue;
    printf("  %-26s", abi_fields[i].name);
    for (int machine = 0; machine < ABI_MACHINES; ++machine) {
      AbiPlace place = abi_field_place(i, (AbiMachine)machine);
      printf(" %4zu, %-*zu", place.offset, machine + 1 < ABI_MACHINES ? 10 : 7, place.size);
    }
    printf(" %s\n", abi_fields[i].type);
  }
  print_clauses_that_name(name, "");
  return true;
}

bool explain_name(const char *name)
{
  return explain_function(name) || explain_enumerator(name) || explain_struct(name);
}
