// SPDX-License-Identifier: Apache-2.0
// What every verb says in the same way: its help, and of files that can't be read.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_cli.h"

static const char *const verbs[] = {
#define VERB(symbol, name, ...) name,
#include "cli/verbs.def"
};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

// --- Help ----------------------------------------------------------------------------------------

TEST_GROUP(texts, .timeout = 60);

TEST(help_has_no_lines_of_blanks_and_fits, .rows = VERBS)
{
  ToolRun help = cli_run(NULL, 0, TOOL(verbs[_i], "--help"));
  for (const char *line = help.out; *line; line = strchr(line, '\n') + 1) {
    size_t length = strcspn(line, "\n");
    ck_assert_msg(length <= 80, "%s: %.*s", verbs[_i], (int)length, line);
    ck_assert_msg(length == 0 || line[length - 1] != ' ', "%s: \"%.*s\" ends in a blank", verbs[_i],
                  (int)length, line);
  }
  tool_free(&help);
}

// What is true of one verb, and not of another that has an option of the same name.
static const struct {
  const char *verb, *said, *unsaid;
} meanings[] = {
    {"run", "json, junit or tap", "sarif"},
    {"run", "cases in parallel", "inputs"},
    {"inspect", "json or sarif", "junit"},
    {"inspect", "Treat warnings as errors", "MUST"},
    {"inspect", "all functions, modules and symbols", "passed"},
    {"bench", "Write a report: json (", "junit"},
    {"diff", "Write a report: json (", "junit"},
    {"diff", "all cases that are new or gone", "passed"},
    {"fuzz", "inputs in parallel", "cases in"},
    {"fuzz", "Time limit of an input", "Time limit of a case"},
    {"self-test", "which case killed each mutant", "--quiet"},
    {"signatures", "rest is probed", "Signatures of the functions of"},
    {"list", "Select by a glob", "Select cases"},
};

TEST(help_says_what_is_true_of_the_verb, .rows = ROWS(meanings))
{
  ToolRun help = cli_run(NULL, 0, TOOL(meanings[_i].verb, "--help"));
  ck_assert_msg(strstr(help.out, meanings[_i].said) != NULL, "no \"%s\" in\n%s", meanings[_i].said,
                help.out);
  ck_assert_msg(!strstr(help.out, meanings[_i].unsaid), "\"%s\" in\n%s", meanings[_i].unsaid,
                help.out);
  tool_free(&help);
}

// --- Files that can't be read --------------------------------------------------------------------

// How each verb is given a file of each kind. A signature file needs a module.
static const struct {
  int exit_code;
  const char *before[3];
} readers[] = {
    {3, {"run"}},
    {3, {"inspect"}},
    {3, {"signatures"}},
    {3, {"bench"}},
    {3, {"fuzz"}},
    {2, {"run", REFERENCE, "--waivers"}},
    {2, {"run", MODULE_FILE, "--signatures"}},
    {2, {"inspect", REFERENCE, "--policy"}},
    {2, {"inspect", REFERENCE, "--baseline"}},
    {3, {"run", MODULE_FILE, "--runtime"}},
    {3, {"bench", REFERENCE, "--against"}},
    {2, {"diff", "/nowhere/a b.json"}},
};
enum { READERS = sizeof readers / sizeof readers[0] };

static void refuse(size_t reader, const char *path, const char *glob)
{
  const char *words[TOOL_WORDS_MAX] = {TOOL_PROGRAM};
  size_t count = 1;
  for (size_t i = 0; i < 3 && readers[reader].before[i]; ++i)
    words[count++] = readers[reader].before[i];
  words[count] = path;
  ToolRun run = cli_run(NULL, readers[reader].exit_code, words);
  cli_expect_text(run.err, glob);
  ck_assert_msg(cli_is_plain(run.err), "%s", run.err);
  tool_free(&run);
}

TEST(what_is_not_there_is_told_in_the_same_words, .rows = READERS)
{
  refuse((size_t)_i, "/nowhere/a b.json",
         "tvmffi-conform: *nowhere/a b.json: No such file or directory*");
}

TEST(names_of_files_steer_no_terminal, .rows = READERS - 1)
{
  refuse((size_t)_i, "/nowhere/a\033[2J\001.json", "tvmffi-conform: */nowhere/*.json: No *");
}

#define STEERING "/nowhere/a\033[2J\001"

// Other words of the command line that a refusal repeats, each with the verb's other operand
// behind.
static const char *const repeated[][5] = {
    {"explain", STEERING},
    {"repro", STEERING, REFERENCE},
    {"list", "--filter", STEERING},
    {"fuzz", "--surface", STEERING, REFERENCE},
    {"fuzz", "--replay", STEERING, REFERENCE},
};

TEST(words_steer_no_terminal, .rows = ROWS(repeated))
{
  const char *words[TOOL_WORDS_MAX] = {TOOL_PROGRAM};
  for (size_t i = 0; repeated[_i][i]; ++i) words[i + 1] = repeated[_i][i];
  ToolRun run = cli_run(NULL, 2, words);
  cli_expect_text(run.err, "tvmffi-conform: */nowhere/a\\\\x1b\\[2J\\\\x01*");
  ck_assert_msg(cli_is_plain(run.err), "%s", run.err);
  tool_free(&run);
}

TEST(nobody_is_waited_for, .rows = READERS - 1)
{
  const char *path = tool_path("pipe");
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  refuse((size_t)_i, path, "tvmffi-conform: *pipe: *pipe*");
}

TEST(a_wait_for_a_pipe_can_be_interrupted)
{
  char script[1400];
  const char *path = tool_path("pipe");
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  // Somebody has it open, and says nothing.
  snprintf(script, sizeof script,
           "sleep 30 > %s & exec " TOOL_PROGRAM " run " REFERENCE " --waivers %s", path, path);
  ToolRun run = tool_run(&(ToolSetup){.interrupt_after = 1},
                         (const char *const[]){"/bin/sh", "-c", script, NULL});
  ck_assert_msg(run.exit_code == 130 && run.seconds < 20, "%d after %g s: %s", run.exit_code,
                run.seconds, run.err);
  tool_free(&run);
}

// --- What can't be written -----------------------------------------------------------------------

static const char *const writers[][3] = {{"list"},
                                         {"list", "--clauses"},
                                         {"explain", "ANY-4"},
                                         {"signatures", MODULE_FILE},
                                         {"--help"},
                                         {"--man"},
                                         {"--completion"},
                                         {"run --filter=VER-1", REFERENCE},
                                         {"inspect", REFERENCE},
                                         {"bench --rounds=1", REFERENCE}};

TEST(a_full_disk_is_told_of, .rows = ROWS(writers))
{
  char script[1400];
  if (access("/dev/full", W_OK) != 0) return;
  snprintf(script, sizeof script, TOOL_PROGRAM " %s %s >/dev/full", writers[_i][0],
           writers[_i][1] ? writers[_i][1] : "");
  ToolRun run = cli_run(NULL, 2, (const char *const[]){"/bin/sh", "-c", script, NULL});
  cli_expect_text(run.err, "tvmffi-conform: cannot write the *: No space left on device\n");
  tool_free(&run);
}

// A file that is opened must not get the number of a descriptor that the caller closed. The library
// takes its time, so that there is something to look at.
TEST(closed_descriptors_are_given_to_no_file)
{
  ToolRun run =
      cli_run(NULL, 2,
              (const char *const[]){
                  "/bin/sh", "-c", TOOL_PROGRAM " run --filter=VER-1 " REFERENCE " <&- >&-", NULL});
  cli_expect_text(run.err, "tvmffi-conform: cannot write the text: Bad file descriptor\n");
  tool_free(&run);
  run = cli_run(NULL, 130,
                (const char *const[]){"/bin/bash", "-c",
                                      "exec 3>&1; " TOOL_PROGRAM " run " HOSTILE_FOLDER
                                      "/load_loop.so <&- >&- 3>&- & sleep 1; "
                                      "readlink /proc/$!/fd/0 /proc/$!/fd/1; kill -INT $!; wait $!",
                                      NULL});
  ck_assert_str_eq(run.out, "/dev/null\n/dev/null\n");
  tool_free(&run);
}
