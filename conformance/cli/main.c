// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
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

// A descriptor that the caller closed would be given to the next file that is opened, and text
// meant for it would go there. What is read-only here refuses to be written, as a closed one does.
static void keep_standard_descriptors(void)
{
  int descriptor;
  do descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

// The completion for a shell. `shell` may be NULL. Returns the exit code.
static int print_completion(const char *shell)
{
  if (options_print_completion(stdout, shell ? shell : "bash")) return complain_of_output("text");
  complain("--completion=%s: expected bash, zsh or fish", shell);
  return EXIT_USAGE;
}

// Words that ask about the program itself. True if this is one; it was answered.
static bool answer_about_program(const char *word)
{
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
    options_print_overview(stdout);
  else if (strcmp(word, "--version") == 0)
    printf("tvmffi-conform %s, %u clauses, digest %016llx\n", TVMFFI_CONFORM_VERSION, clause_total,
           (unsigned long long)case_registry_digest());
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
  fprintf(stderr, "tvmffi-conform: unknown verb \"%s\", and no file has that name (verbs:", word);
  for (size_t i = 0; i < verb_count; ++i) fprintf(stderr, "%s %s", i ? "," : "", verbs[i].name);
  fprintf(stderr, ")\nTry `tvmffi-conform --help' for more information.\n");
  return EXIT_USAGE;
}

// What the verb said has to have arrived: nobody may take silence for a library without findings.
static int run_verb(const Verb *verb, const Options *options)
{
  int code = verb->run(options), arrived = complain_of_output("text");
  return code == EXIT_CONFORMS ? arrived : code;
}

static int answer(int argc, char **argv)
{
  static const char completion[] = "--completion";
  if (argc < 2) {
    options_print_overview(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "help") == 0 && argc == 3 && verb_find(argv[2])) {
    argv[1] = argv[2];
    argv[2] = "--help";
  }
  if (strcmp(argv[1], completion) == 0) return print_completion(argv[2]);
  if (strncmp(argv[1], "--completion=", sizeof completion) == 0)
    return print_completion(argv[1] + sizeof completion);
  if (answer_about_program(argv[1])) return complain_of_output("text");
  if (is_unknown_verb(argv[1])) return complain_of_verb(argv[1]);
  const Verb *verb = choose_verb(&argc, &argv);
  Options options;
  char error[PATH_MAX + 256];
  options_parse(verb, argc, argv, &options);
  if (options.worker && !places_take_worker(options.worker, error, sizeof error)) {
    complain("%s", error);
    return EXIT_USAGE;
  }
  return run_verb(verb, &options);
}

int main(int argc, char **argv)
{
  keep_standard_descriptors();
  int code = answer(argc, argv);
  if (code == EXIT_BROKEN_PIPE) end_by_broken_pipe();
  return code;
}
