// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/option_texts.h"
#include "cli/options.h"
#include "cli/places.h"

static const Verb *choose_verb(int *argc, char ***argv)
{
  const Verb *verb = *argc > 1 ? verb_find((*argv)[1]) : NULL;
  if (!verb) return verb_find("run");
  --*argc;
  ++*argv;
  return verb;
}

// Words that ask about the program itself, `value` standing behind the word, or NULL. True if one
// was answered.
static bool answer_about_program(const char *word, const char *value)
{
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
    options_print_overview(stdout);
  else if (strcmp(word, "--version") == 0)
    printf("tvmffi-conform %s, %u clauses, digest %016llx\n", TVMFFI_CONFORM_VERSION, clause_total,
           (unsigned long long)case_registry_digest());
  else if (strcmp(word, "--completion") == 0)
    return options_print_completion(stdout, value ? value : "bash");
  else if (strcmp(word, "--options") == 0)
    options_print_page(stdout);
  else if (strcmp(word, "--man") == 0)
    options_print_man(stdout);
  else
    return false;
  return true;
}

// A word that is neither a verb nor a file was meant as a verb; a path has a dot or a slash.
static bool is_unknown_verb(const char *word)
{
  return strspn(word, "abcdefghijklmnopqrstuvwxyz-") == strlen(word) && *word && *word != '-' &&
         !verb_find(word) && access(word, F_OK) != 0;
}

static int complain_of_verb(const char *word)
{
  fprintf(stderr, "tvmffi-conform: there is no verb %s, and no file of that name; the verbs are",
          word);
  for (size_t i = 0; i < verb_count; ++i) fprintf(stderr, "%s %s", i ? "," : "", verbs[i].name);
  fprintf(stderr, "\n`tvmffi-conform --help` says what each does.\n");
  return EXIT_USAGE;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    options_print_overview(stderr);
    return EXIT_USAGE;
  }
  if (answer_about_program(argv[1], argv[2])) return complain_of_output("text");
  if (is_unknown_verb(argv[1])) return complain_of_verb(argv[1]);
  const Verb *verb = choose_verb(&argc, &argv);
  Options options;
  char error[PATH_MAX + 256];
  options_parse(verb, argc, argv, &options);
  if (options.worker && !places_take_worker(options.worker, error, sizeof error)) {
    complain("%s", error);
    return EXIT_USAGE;
  }
  return verb->run(&options);
}
