// SPDX-License-Identifier: Apache-2.0
// The command line: what it takes, what it refuses and how it says so, and what the verbs print.
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_cli.h"

// Runs it, and expects this exit code.
ToolRun cli_run(const ToolSetup *setup, int exit_code, const char *const *words)
{
  ToolRun run = tool_run(setup, words);
  ck_assert_msg(!run.timed_out && run.exit_code == exit_code, "exit code %d, not %d\n%s%s",
                run.exit_code, exit_code, run.out, run.err);
  ck_assert_uint_eq(run.left_behind, 0);
  return run;
}

void cli_expect_text(const char *text, const char *glob)
{
  ck_assert_msg(fnmatch(glob, text, 0) == 0, "not \"%s\":\n%s", glob, text);
}

bool cli_is_plain(const char *text)
{
  for (; *text; ++text)
    if (*text != '\n' && (unsigned char)*text < 32) return false;
  return true;
}

// --- Options -------------------------------------------------------------------------------------

typedef struct WrongRow {
  const char *option, *expected;
} WrongRow;

static const WrongRow wrong_rows[] = {
    {"--profile=both", "expected auto, runtime or module"},
    {"--profile=", "expected auto, runtime or module"},
    {"--abi=0.2", "expected auto, 0.1 or 2025-09"},
    {"--level=may", "expected must, should or hardening"},
    {"--jobs=0", "expected a number from 1 to 64"},
    {"--jobs=65", "expected a number from 1 to 64"},
    {"--jobs=-1", "expected a number from 1 to 64"},
    {"--jobs= 1", "expected a number from 1 to 64"},
    {"-jtwo", "expected a number from 1 to 64"},
    {"-j99999999999999999999", "expected a number from 1 to 64"},
    {"--timeout=0", "expected a time from 1ms to 86400s"},
    {"--timeout=-1s", "expected a time from 1ms to 86400s"},
    {"--timeout=nan", "expected a time"},
    {"--timeout=inf", "expected a time"},
    {"--timeout=5m", "expected a time such as 2s or 500ms"},
    {"--timeout=", "expected a time"},
    {"--timeout=100000s", "expected a time from 1ms to 86400s"},
    {"--timeout-scale=0", "expected a factor from 0.01 to 10000"},
    {"--timeout-scale=nan", "expected a factor from 0.01 to 10000"},
    {"--timeout-scale=2x", "expected a factor from 0.01 to 10000"},
    {"--timeout-scale=", "expected a factor from 0.01 to 10000"},
    {"--isolation=none", "expected fork or exec"},
    {"--report=out.json", "expected KIND:PATH with KIND one of json, junit, tap"},
    {"--report=json:", "expected KIND:PATH"},
    {"--report=xml:out.xml", "expected KIND:PATH"},
    {"--report=sarif:out.sarif", "one of json, junit, tap, and PATH a file or -"},
    {"--report=jso:out.json", "expected KIND:PATH"},
    {"--shard=1", "expected I/N"},
    {"--shard=0/2", "expected I/N with 1 <= I <= N"},
    {"--shard=3/2", "expected I/N with 1 <= I <= N"},
    {"--shard=1/0", "expected I/N with 1 <= I <= N"},
    {"--shard=1/2/3", "expected I/N"},
    {"--shard=a/b", "expected I/N"},
    {"--shuffle=0", "expected a whole number from 1"},
    {"--shuffle=x", "expected a whole number from 1"},
    {"--shuffle=18446744073709551616", "expected a whole number from 1"},
    {"--repeat=0", "expected a number from 1 to 10000"},
    {"--repeat=10001", "expected a number from 1 to 10000"},
    {"--color=blue", "expected auto, always or never"},
    {"--unknown", "unrecognized option '--unknown'"},
    {"--strict=yes", "doesn't allow an argument"},
    {"--clauses", "unrecognized option '--clauses'"},
    {"--filter", "requires an argument"},
    {"another.so", "unexpected operand: another.so (expected IMPL.so)\n"},
};
enum { WRONG_ROWS = sizeof wrong_rows / sizeof wrong_rows[0] };

TEST_GROUP(options, .timeout = 60);

TEST(a_wrong_value_is_refused_with_what_is_right, .rows = WRONG_ROWS)
{
  const WrongRow *row = &wrong_rows[_i];
  ToolRun run = cli_run(NULL, 2, TOOL("run", REFERENCE, row->option));
  ck_assert_msg(strstr(run.err, row->expected) != NULL, "%s: says\n%s", row->option, run.err);
  ck_assert_msg(strncmp(run.err, "tvmffi-conform", 14) == 0, "%s", run.err);
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
}

static const char *const right_options[] = {"--profile=auto",
                                            "--profile=runtime",
                                            "--abi=auto",
                                            "--abi=0.1",
                                            "--level=must",
                                            "--level=SHOULD",
                                            "--strict",
                                            "--jobs=1",
                                            "-j64",
                                            "--timeout=2",
                                            "--timeout=1.5s",
                                            "--timeout=900ms",
                                            "--timeout-scale=3",
                                            "--isolation=fork",
                                            "--isolation=exec",
                                            "--shard=1/1",
                                            "--shuffle=1",
                                            "--shuffle=18446744073709551615",
                                            "--repeat=2",
                                            "--fail-fast",
                                            "--color=auto",
                                            "--color=never",
                                            "-q",
                                            "-v",
                                            "-vv",
                                            "--scope=auto",
                                            "--scope=core",
                                            "--scope=headers,core",
                                            "--gate=hardening",
                                            "--min-judged=100",
                                            "--exclude=any.*"};
enum { RIGHT_OPTIONS = sizeof right_options / sizeof right_options[0] };

TEST(a_right_value_is_taken, .rows = RIGHT_OPTIONS)
{
  ToolRun run = cli_run(NULL, 0, TOOL(REFERENCE, right_options[_i], "--filter", "version.*"));
  cli_expect_text(run.out, "*CONFORMS to TVM FFI ABI 0.1.*");
  ck_assert_str_eq(run.err, "");
  tool_free(&run);
}

TEST(options_have_their_number)
{
  const char *words[TOOL_WORDS_MAX] = {TOOL_PROGRAM, "run", REFERENCE};
  for (int i = 0; i < 65; ++i) words[3 + i] = "--filter=version.*";
  ToolRun run = cli_run(NULL, 2, words);
  cli_expect_text(run.err, "*--filter=*: expected at most 64 of them*");
  tool_free(&run);
  words[3 + 64] = NULL;
  run = cli_run(NULL, 0, words);
  tool_free(&run);
}

TEST(a_runtime_goes_with_a_module)
{
  ToolRun run = cli_run(NULL, 2, TOOL("run", REFERENCE, "--runtime", REFERENCE));
  cli_expect_text(run.err, "tvmffi-conform: --runtime: *--profile module*");
  tool_free(&run);
}

// --- Verbs that need no library ------------------------------------------------------------------

static size_t count_lines(const char *text)
{
  size_t count = 0;
  for (; *text; ++text) count += *text == '\n';
  return count;
}

TEST(what_is_no_runtime_is_told_of)
{
  ToolRun text = cli_run(NULL, 3, TOOL("--runtime=" MODULE_FILE, MODULE_FILE));
  cli_expect_text(text.err, "*--runtime=*is not a runtime: it does not export the C API*");
  tool_free(&text);
  ToolRun absent = cli_run(NULL, 3, TOOL("--runtime=/nowhere/libtvm_ffi.so", MODULE_FILE));
  cli_expect_text(absent.err, "*--runtime: /nowhere/libtvm_ffi.so: No such file*");
  tool_free(&absent);
}

// What is loaded into a worker lies beside it, so that a module needs nothing of this program.
TEST(another_worker_can_be_named)
{
  ToolRun absent = cli_run(NULL, 2, TOOL("run", REFERENCE, "--worker=/nowhere/worker"));
  cli_expect_text(absent.err, "*cannot start the worker /nowhere/worker: No such file*");
  tool_free(&absent);
  // A program that ends well would be a worker of whose cases none failed; one that waits, a hang.
  static const char *const others[] = {"--worker=" TOOL_PROGRAM, "--worker=/bin/true",
                                       "--worker=/bin/cat", "--worker=/bin", "--worker=" REFERENCE};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    ToolRun other = cli_run(NULL, 2, TOOL("run", REFERENCE, others[i]));
    cli_expect_text(other.err, "tvmffi-conform: --worker=*: is not a tvmffi-conform-worker*");
    tool_free(&other);
    other = cli_run(NULL, 2, TOOL("repro", "any.none-stays-none", REFERENCE, others[i]));
    cli_expect_text(other.err, "tvmffi-conform: --worker=*: is not a tvmffi-conform-worker*");
    tool_free(&other);
  }
  const char *alone = tool_path("lonely-worker");
  (void)unlink(alone);
  ck_assert_int_eq(link(WORKER_PROGRAM, alone), 0);
  ToolRun lonely = cli_run(NULL, 2, TOOL("run", REFERENCE, "--worker", alone));
  cli_expect_text(lonely.err, "*its directory libraries is missing*");
  tool_free(&lonely);
  ToolRun same = cli_run(NULL, 0, TOOL("run", MODULE_FILE, "--worker=" WORKER_PROGRAM));
  cli_expect_text(same.out, "*CONFORMS to *");
  tool_free(&same);
}

// Roles and shapes in it are guesses, which may fail nobody.
TEST(a_first_signature_file_blames_nobody)
{
  char path[] = TOOL_FOLDER "/signatures.XXXXXX";
  ToolRun written = cli_run(NULL, 0, TOOL("signatures", MODULE_FILE));
  cli_expect_text(written.out, "*such a call is served*\"tentative\": true*\"role\": \"inout\"*");
  int file = mkstemp(path);
  ck_assert_int_eq(write(file, written.out, strlen(written.out)), strlen(written.out));
  close(file);
  tool_free(&written);
  ToolRun run = cli_run(NULL, 0, TOOL("--signatures", path, MODULE_FILE, "--min-judged=0"));
  cli_expect_text(run.out, "* passed*not applicable*CONFORMS*");
  tool_free(&run);
  unlink(path);
}

TEST(a_word_that_is_no_verb_is_told_of)
{
  ToolRun run = cli_run(NULL, 2, TOOL("conform", REFERENCE));
  cli_expect_text(run.err, "*unknown verb \"conform\", and no file has that name*run,* list,*");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
}

TEST(list_lists_cases)
{
  ToolRun all = cli_run(NULL, 0, TOOL("list"));
  ck_assert_uint_ge(count_lines(all.out), 150);
  cli_expect_text(all.out,
                  "*\nany.own-plain-value-keeps-all-bytes.int-min * MUST * 2025-09, 0.1 *core * "
                  "ANY-4\n*");
  cli_expect_text(all.out, "*\nversion.stays-the-same * 0.1.0 * 0.1 *core *VER-3\n*");
  cli_expect_text(all.out, "*\nlayout.header-of-2025-09-*.string * 2025-09  *core *LAY-3\n*");
  ck_assert(cli_is_plain(all.out));
  ToolRun some = cli_run(NULL, 0, TOOL("list", "--filter=any.*", "--exclude=*.int-*"));
  ck_assert_uint_lt(count_lines(some.out), count_lines(all.out));
  ck_assert_ptr_null(strstr(some.out, "\nobject."));
  ck_assert_ptr_null(strstr(some.out, ".int-min"));
  ToolRun musts = cli_run(NULL, 0, TOOL("list", "--level=must"));
  ck_assert_ptr_null(strstr(musts.out, " SHOULD "));
  ck_assert_uint_lt(count_lines(musts.out), count_lines(all.out));
  ToolRun none = cli_run(NULL, 2, TOOL("list", "--filter=no-such-case"));
  cli_expect_text(none.err,
                  "tvmffi-conform: nothing selected: no case matches --filter 'no-such-case'\n"
                  "`tvmffi-conform list` and *");
  tool_free(&all);
  tool_free(&some);
  tool_free(&musts);
  tool_free(&none);
}

TEST(list_lists_clauses_and_pins)
{
  ToolRun clauses = cli_run(NULL, 0, TOOL("list", "--clauses"));
  cli_expect_text(clauses.out, "*\nANY-4 *MUST *2025-09 *2025-09, 0.1 *\n*UNSPECIFIED*");
  ToolRun one = cli_run(NULL, 0, TOOL("list", "--clauses", "--filter=any-4"));
  ck_assert_uint_eq(count_lines(one.out), 1);
  ToolRun none = cli_run(NULL, 2, TOOL("list", "--clauses", "--filter=ANY-4000"));
  cli_expect_text(none.err, "*: no clause matches --filter 'ANY-4000'\nNearest ids: ANY-4*, *");
  ToolRun pins = cli_run(NULL, 0, TOOL("list", "--pins"));
  cli_expect_text(pins.out,
                  "*\nany.own-plain-value-keeps-all-bytes.int-min ANY-4=????????????????\n*");
  tool_free(&clauses);
  tool_free(&one);
  tool_free(&none);
  tool_free(&pins);
}

TEST(explain_explains_names_of_the_c_api)
{
  ToolRun function = cli_run(NULL, 0, TOOL("explain", "TVMFFIErrorCreate"));
  cli_expect_text(function.out,
                  "TVMFFIErrorCreate\n  int TVMFFIErrorCreate(const TVMFFIByteArray *kind, *, "
                  "TVMFFIObjectHandle *out);\n  since 0.1.0, chapter error\n\n  kind *borrowed\n*"
                  "\n  out *owned by the caller\n\nClauses:\n*  ERR-21 *");
  ck_assert_ptr_null(strstr(function.out, "WithCause"));
  ToolRun older = cli_run(NULL, 0, TOOL("explain", "TVMFFITraceback"));
  cli_expect_text(
      older.out,
      "TVMFFIBacktrace\n*called TVMFFITraceback in 2025-09*\n  returns *lent by the runtime: *");
  ToolRun type_index = cli_run(NULL, 0, TOOL("explain", "ktvmffistr"));
  cli_expect_text(type_index.out,
                  "kTVMFFIStr\n  65, of TVMFFITypeIndex, since 0.1.0\n  type key ffi.String\n*");
  ToolRun flag = cli_run(NULL, 0, TOOL("explain", "kTVMFFIObjectDeleterFlagBitMaskBoth"));
  cli_expect_text(flag.out,
                  "*\n  3, of TVMFFIObjectDeleterFlagBitMask, since 0.1.0\n\nClauses:\n  LAY-9 *");
  tool_free(&function);
  tool_free(&older);
  tool_free(&type_index);
  tool_free(&flag);
}

TEST(explain_explains_clauses_and_cases)
{
  ToolRun clause = cli_run(NULL, 0, TOOL("explain", "any_4"));
  cli_expect_text(clause.out,
                  "ANY-4  *\n  MUST, since 2025-09 (generations 2025-09 and 0.1), scope core\n"
                  "  source: *\n*Cases:\n*"
                  "  any.own-plain-value-keeps-all-bytes\n      *\n      rows: .*, .int-min*");
  ToolRun older = cli_run(NULL, 0, TOOL("explain", "LAY-3"));
  cli_expect_text(older.out, "*, since 2025-09, until 2025-09 (generation 2025-09 only), *");
  tool_free(&older);
  ToolRun elsewhere = cli_run(NULL, 0, TOOL("explain", "INT-4"));
  cli_expect_text(elsewhere.out,
                  "*\n  On 32-bit machines:\n  the number of words takes four bytes*\n  On "
                  "big-endian machines:\n  each word is stored*");
  tool_free(&elsewhere);
  ToolRun structure = cli_run(NULL, 0, TOOL("explain", "dltensor"));
  cli_expect_text(structure.out,
                  "DLTensor\n  48 bytes where pointers have 64 bits, 36 on i386, 40 on others*"
                  "\n  byte_offset *40, 8 *28, 8 *32, 8 *uint64_t\n*Clauses:\n*TEN-4 *");
  tool_free(&structure);
  ToolRun test = cli_run(NULL, 0, TOOL("explain", "any.own-plain-value-keeps-all-bytes.int-min"));
  cli_expect_text(
      test.out, "any.own-plain-value-keeps-all-bytes.int-min\n  *\n  any.c:*passes when*ANY-4  *");
  ToolRun all_rows = cli_run(NULL, 0, TOOL("explain", "any.own-plain-value-keeps-all-bytes"));
  cli_expect_text(all_rows.out,
                  "any.own-plain-value-keeps-all-bytes\n  *\n  rows: .*, .int-min*\n  any.c:*ANY-4"
                  "  *");
  tool_free(&all_rows);
  ToolRun none = cli_run(NULL, 2, TOOL("explain", "any.own-plain-value-keeps-all-byte.int-min"));
  cli_expect_text(none.err,
                  "tvmffi-conform: unknown case, clause or name of the C API *\nNearest ids: "
                  "any.own-plain-value-keeps-all-bytes.int-min,*");
  ck_assert_str_eq(none.out, "");
  for (const char *line = clause.out; *line; line = strchr(line, '\n') + 1)
    ck_assert_uint_le(strcspn(line, "\n"), 200);
  tool_free(&clause);
  tool_free(&test);
  tool_free(&none);
}

TEST(it_tells_about_itself)
{
  ToolRun version = cli_run(NULL, 0, TOOL("--version"));
  cli_expect_text(version.out, "tvmffi-conform [0-9]*.[0-9]*.[0-9]*, [0-9]* clauses, digest *\n");
  const char *const words[] = {"--help", "-h", "help"};
  for (int i = 0; i < 3; ++i) {
    ToolRun help = cli_run(NULL, 0, TOOL(words[i]));
    cli_expect_text(help.out, "Usage: tvmffi-conform *self-test*Exit codes: 0 *130 interrupted*");
    tool_free(&help);
  }
  ToolRun nothing = cli_run(NULL, 2, TOOL(NULL));
  cli_expect_text(nothing.err, "Usage: tvmffi-conform *");
  ck_assert_str_eq(nothing.out, "");
  static const char *const verbs[] = {
#define VERB(symbol, name, ...) name,
#include "cli/verbs.def"
  };
  for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i) {
    ToolRun help = cli_run(NULL, 0, TOOL(verbs[i], "--help"));
    char glob[64];
    snprintf(glob, sizeof glob, "Usage: tvmffi-conform %s *", verbs[i]);
    cli_expect_text(help.out, glob);
    tool_free(&help);
  }
  ToolRun missing = cli_run(NULL, 2, TOOL("run"));
  cli_expect_text(missing.err, "tvmffi-conform run: missing IMPL.so\n*");
  tool_free(&missing);
  missing = cli_run(NULL, 2, TOOL("list", "any.*"));
  cli_expect_text(missing.err, "*list: unexpected operand: any.? (expected none*--filter)\n*");
  tool_free(&missing);
  missing = cli_run(NULL, 2, TOOL("repro"));
  cli_expect_text(missing.err, "tvmffi-conform repro: missing ID IMPL.so\n*");
  ToolRun of_verb = cli_run(NULL, 0, TOOL("help", "list"));
  cli_expect_text(of_verb.out,
                  "Usage: tvmffi-conform list *--clauses*Each line has the id, the level*");
  tool_free(&of_verb);
  tool_free(&version);
  tool_free(&nothing);
  tool_free(&missing);
}

TEST(completion_and_manual_come_from_the_tables)
{
  ToolRun man = cli_run(NULL, 0, TOOL("--man"));
  cli_expect_text(man.out,
                  ".TH TVMFFI-CONFORM 1\n*write?-waivers=FILE*.SH GLOBAL OPTIONS\n"
                  "*-completion *.SH EXIT STATUS\n*.SH EXAMPLES\n*filter \\\\(aqERR*");
  ToolRun completion = cli_run(NULL, 0, TOOL("--completion"));
  cli_expect_text(
      completion.out,
      "# bash completion*--write-waivers*complete *-F _tvmffi_conform tvmffi-conform\n");
  const char *path = tool_path("completion.bash");
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fprintf(file,
          "%s\nCOMP_WORDS=(tvmffi-conform list --cl) COMP_CWORD=2\n_tvmffi_conform\n"
          "echo \"${COMPREPLY[@]}\"\n",
          completion.out);
  fclose(file);
  ToolRun bash = cli_run(NULL, 0, (const char *const[]){"/bin/bash", path, NULL});
  ck_assert_str_eq(bash.out, "--clauses\n");
  ToolRun joined = cli_run(NULL, 0, TOOL("--completion=bash"));
  ck_assert_str_eq(joined.out, completion.out);
  ToolRun unknown = cli_run(NULL, 2, TOOL("--completion", "tcsh"));
  cli_expect_text(unknown.err, "*--completion=tcsh: expected bash, zsh or fish\n");
  tool_free(&joined);
  tool_free(&unknown);
  tool_free(&man);
  tool_free(&completion);
  tool_free(&bash);
}

// --- Selecting nothing ---------------------------------------------------------------------------

TEST(selecting_nothing_is_a_mistake)
{
  ToolRun run = cli_run(NULL, 2, TOOL("run", REFERENCE, "--filter", "functon.*", "--filter", "x"));
  cli_expect_text(
      run.err,
      "tvmffi-conform: nothing selected: no case matches --filter 'functon.*' --filter 'x'\n"
      "Nearest ids to 'functon.*': function.*, function.*, function.*\n"
      "`tvmffi-conform list` and *");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("run", REFERENCE, "--exclude", "*"));
  cli_expect_text(run.err, "*nothing selected: --level, --exclude and --shard leave no case*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("run", REFERENCE, "--filter=ANY-4", "--shard=999999/1000000"));
  cli_expect_text(run.err, "*--shard leave no case of those that --filter selects*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("list", "--filter=ANY-4", "--exclude=any.*"));
  cli_expect_text(run.err, "*--exclude and --shard leave no case of those that --filter selects*");
  tool_free(&run);
  // Noticed before anything of the library runs.
  run = cli_run(NULL, 2, TOOL("run", HOSTILE_FOLDER "/load_loop.so", "--filter", "x"));
  ck_assert(run.seconds < 2);
  tool_free(&run);
}

// Beside filters that pick something, too: a misspelt one would go unnoticed.
TEST(a_filter_that_matches_nothing_is_a_mistake)
{
  static const char hint[] =
      "`tvmffi-conform list` and `tvmffi-conform list --clauses` show all ids.\n";
  char *text = NULL;
  ToolRun run = cli_run(NULL, 2, TOOL("run", REFERENCE, "--filter=ANY-4", "--filter=functon.*"));
  ck_assert_int_gt(asprintf(&text,
                            "tvmffi-conform: no case matches --filter 'functon.*'\n"
                            "Nearest ids: function.*, function.*, function.*\n%s",
                            hint),
                   0);
  cli_expect_text(run.err, text);
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
  free(text);
  run = cli_run(NULL, 2, TOOL("list", "--filter=anny.*", "--filter=ANY-4", "--filter=@nobody"));
  cli_expect_text(run.err,
                  "tvmffi-conform: no case matches --filter 'anny.*' --filter '@nobody'\n"
                  "Nearest ids to 'anny.*': any.*\n`tvmffi-conform list` and *");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
  // A clause without a case is one for `list --clauses` only.
  run = cli_run(NULL, 0, TOOL("list", "--clauses", "--filter=CON-63", "--filter=CON-1"));
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("list", "--filter=CON-63", "--filter=CON-1"));
  cli_expect_text(run.err, "*no case matches --filter 'CON-63'\nNearest ids: CON-63, *");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("list", "--clauses", "--filter=CON-1", "--filter=CON-9999"));
  cli_expect_text(run.err, "*: no clause matches --filter 'CON-9999'\nNearest ids: CON-*");
  tool_free(&run);
  // What other options leave out is matched all the same.
  run = cli_run(NULL, 0, TOOL("list", "--filter=any.*", "--filter=ANY-4", "--exclude=ANY-4"));
  tool_free(&run);
}

// It leaves in what somebody wants left out.
TEST(an_exclude_that_matches_nothing_is_a_mistake)
{
  ToolRun run = cli_run(NULL, 2, TOOL("run", REFERENCE, "--filter=ANY-4", "--exclude=functon.*"));
  cli_expect_text(run.err,
                  "tvmffi-conform: no case matches --exclude 'functon.*'\n"
                  "Nearest ids: function.*, function.*, function.*\n*");
  ck_assert_str_eq(run.out, "");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("list", "--exclude=anny.*", "--filter=functon.*"));
  cli_expect_text(run.err,
                  "*: nothing selected: no case matches --filter 'functon.*' --exclude 'anny.*'\n"
                  "Nearest ids to 'functon.*': function.*\nNearest ids to 'anny.*': any.*\n*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("list", "--clauses", "--exclude=CON-1", "--exclude=CON-9999"));
  cli_expect_text(run.err, "*: no clause matches --exclude 'CON-9999'\nNearest ids: CON-*");
  tool_free(&run);
  // What filters leave out anyway is matched all the same.
  run = cli_run(NULL, 0, TOOL("list", "--filter=any.*", "--exclude=function.*"));
  tool_free(&run);
}

// --- Nobody reads --------------------------------------------------------------------------------

// Ends as other programs do whose reader is gone, in silence; a verdict on a library is told all the same.
static const struct {
  const char *words;
  int exit_code;
} unread[] = {
    {"list", 128 + SIGPIPE},
    {"explain ANY-4", 128 + SIGPIPE},
    {"--man", 128 + SIGPIPE},
    {"inspect -v " REFERENCE, 128 + SIGPIPE},
    {REFERENCE " --filter=ANY-4 -v", 128 + SIGPIPE},
    {REFERENCE " --filter=ANY-4 --report=tap:- 2>&-", 128 + SIGPIPE},
    {HOSTILE_FOLDER "/call_crash.so --filter=STR-2", 1},
};

TEST(a_broken_pipe_is_no_fault, .rows = ROWS(unread))
{
  char script[1400];
  // The reader is gone before there is anything to read.
  const char *path = tool_path("pipe");
  snprintf(script, sizeof script,
           "mkfifo %s; { : < %s; } & exec 3> %s; wait; %s %s >&3; echo $? > %s.code", path, path,
           path, TOOL_PROGRAM, unread[_i].words, path);
  ToolRun run = tool_run(NULL, (const char *const[]){"/bin/sh", "-c", script, NULL});
  ck_assert_str_eq(run.err, "");
  snprintf(script, sizeof script, "%s.code", path);
  char *code = tool_text(script);
  ck_assert_int_eq(atoi(code), unread[_i].exit_code);
  free(code);
  tool_free(&run);
}

// --- Repro ---------------------------------------------------------------------------------------

TEST(repro_runs_one_case)
{
  const char *id = "string.short-text-is-small.length-3";
  ToolRun run = cli_run(NULL, 0, TOOL("repro", id, REFERENCE));
  cli_expect_text(
      run.err, "gdb --args *tvmffi-conform-worker --repro string.short-text-is-small.length-3 *\n");
  cli_expect_text(run.out, "string.short-text-is-small.length-3: * expectations held, 0 did not\n");
  tool_free(&run);
  run = tool_run(NULL, TOOL("repro", id, HOSTILE_FOLDER "/call_crash.so"));
#ifdef SANITIZED
  ck_assert_int_ne(run.exit_code, 0);  // the sanitizer's
#else
  ck_assert_int_eq(run.signal, SIGSEGV);
#endif
  tool_free(&run);
  run = cli_run(NULL, 3, TOOL("repro", id, "/nonexistent.so"));
  cli_expect_text(run.err, "*/nonexistent.so: No such file *");
  tool_free(&run);
  // The library may stand first, as it does for other verbs.
  run = cli_run(NULL, 0, TOOL("repro", REFERENCE, id));
  cli_expect_text(run.out, "string.short-text-is-small.length-3: * expectations held, 0 did not\n");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("repro", REFERENCE, "string.short-text"));
  cli_expect_text(run.err, "*unknown case \"string.short-text\"\nNearest ids: string.short-text-*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("repro", "nope", REFERENCE));
  cli_expect_text(run.err, "*unknown case \"nope\" (`tvmffi-conform list` shows all ids)\n");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("repro", "string.short-text", REFERENCE));
  cli_expect_text(run.err, "*unknown case \"string.short-text\"\nNearest ids: string.short-text-*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("repro", "str-2", REFERENCE));
  cli_expect_text(run.err, "*: STR-2: is a clause, not a case (*explain STR-2` lists *");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("repro", id, MODULE_FILE));
  cli_expect_text(run.err,
                  "*: string.short*: is a case for runtimes, and *so is a kernel module (*");
  tool_free(&run);
  run = cli_run(NULL, 2, TOOL("repro", id));
  cli_expect_text(run.err, "*repro: missing IMPL.so*");
  tool_free(&run);
}
