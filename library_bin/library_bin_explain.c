// SPDX-License-Identifier: Apache-2.0
// What is wrong with a payload, in words.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "library_bin.h"

// The sentence of a rule. In it stand %i for the index, %s for what is seen, %l for the limit, and
// %v for what the elements of a vector are called.
typedef struct {
  const char *name, *sentence;
} LibraryBinText;

static const LibraryBinText texts[kLibraryBinNumRules] = {
    [kLibraryBinOk] = {"ok", "nothing is wrong"},
    [kLibraryBinSizeCut] = {"size-cut", "nbytes is cut short: %s bytes of %l are there"},
    [kLibraryBinSizeTooLarge] = {"size-too-large", "nbytes announces %s bytes, but %l follow"},
    [kLibraryBinCountCut] = {"count-cut",
                             "the number of %v is cut short: %s bytes of %l are there"},
    [kLibraryBinCountTooLarge] = {"count-too-large",
                                  "%s %v are announced, but there is room for %l"},
    [kLibraryBinNoRows] = {"no-rows", "indptr has %s entries, but even one module needs %l"},
    [kLibraryBinFirstRow] = {"first-row", "indptr[%i] is %s, not %l"},
    [kLibraryBinRowFalls] = {"row-falls", "indptr[%i] is %s, less than the %l before it"},
    [kLibraryBinLastRow] = {"last-row",
                            "indptr[%i], the last, is %s, but there are %l child indices"},
    [kLibraryBinChildRange] = {"child-range", "child_indices[%i] is %s, but the last module is %l"},
    [kLibraryBinCycle] = {"cycle",
                          "child_indices[%i] closes a cycle: by it module %l imports module %s, "
                          "which leads back"},
    [kLibraryBinKindCut] = {"kind-cut",
                            "entry %i: the length of its kind is cut short: %s bytes of %l are "
                            "there"},
    [kLibraryBinKindTooLarge] = {"kind-too-large",
                                 "entry %i: its kind is to have %s bytes, but %l remain"},
    [kLibraryBinValueCut] = {"value-cut",
                             "entry %i: the length of its value is cut short: %s bytes of %l are "
                             "there"},
    [kLibraryBinValueTooLarge] = {"value-too-large",
                                  "entry %i: its value is to have %s bytes, but %l remain"},
    [kLibraryBinLibraryTwice] = {"library-twice",
                                 "entry %i is a second _lib; the first is entry %l"},
    [kLibraryBinTrailing] = {"trailing", "%s bytes remain behind the last entry"},
    [kLibraryBinNoMemory] = {"no-memory", "no memory for the tree: %s bytes are needed"},
};

static const LibraryBinText *library_bin_text(LibraryBinRule rule)
{
  static const LibraryBinText unknown = {"unknown", "a rule without a name is broken"};
  return (unsigned)rule < kLibraryBinNumRules ? &texts[rule] : &unknown;
}

const char *library_bin_rule_name(LibraryBinRule rule)
{
  return library_bin_text(rule)->name;
}

// A part of a sentence.
typedef struct {
  char text[24];
} LibraryBinPart;

static LibraryBinPart library_bin_part(const LibraryBinProblem *problem, char what)
{
  LibraryBinPart part = {""};
  switch (what) {
    case 'i':
      snprintf(part.text, sizeof part.text, "%zu", problem->index);
      break;
    case 's':
      snprintf(part.text, sizeof part.text, "%" PRIu64, problem->seen);
      break;
    case 'l':
      snprintf(part.text, sizeof part.text, "%" PRIu64, problem->limit);
      break;
    default:
      strcpy(part.text, problem->index == 0 ? "indptr entries" : "child indices");
      break;
  }
  return part;
}

int library_bin_explain(const LibraryBinProblem *problem, char *text, size_t size)
{
  char sentence[256];
  size_t end = 0;
  for (const char *from = library_bin_text(problem->rule)->sentence; *from != '\0'; ++from) {
    if (*from != '%') {
      sentence[end++] = *from;
      continue;
    }
    end = (size_t)(stpcpy(sentence + end, library_bin_part(problem, *++from).text) - sentence);
  }
  return snprintf(text, size, "byte %zu: %.*s", problem->offset, (int)end, sentence);
}
