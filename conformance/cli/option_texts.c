// SPDX-License-Identifier: Apache-2.0
#include "cli/option_texts.h"

#include <string.h>

#include "cli/option_table.h"

static const struct {
  const char *code, *meaning;
} exit_codes[] = {
    {"0", "The library conforms, or does but for waived failures, or the verb succeeded."},
    {"1",
     "It does not conform: a case that counts (--gate) failed, crashed, timed out or gave no verdict, or a "
     "waived case passed."},
    {"2",
     "The command line or a file that it names is wrong, nothing was selected, or output could not be "
     "written."},
    {"3", "The library could not be loaded, or its profile is unknown; the reports say why."},
    {"4", "Internal error, or `trace` saw no call of the C API."},
    {"5",
     "Inconclusive: nothing counts against the library, but less than half of the applicable MUST clauses "
     "(--min-judged) could be judged, or no case was run."},
    {"130", "Interrupted; the report is written and marked incomplete."},
};
enum { EXIT_CODES = sizeof exit_codes / sizeof exit_codes[0] };

static const struct {
  const char *option, *meaning;
} alone[] = {
    {"--version", "Print the version, the number of clauses, and a digest of the cases."},
    {"--man", "Print this manual, as troff."},
    {"--options", "Print all verbs and options, as Markdown."},
    {"--completion bash|zsh|fish", "Print the completion script for a shell."},
};

static const struct {
  const char *command, *meaning;
} examples[] = {
    {"tvmffi-conform libfoo_ffi.so --report junit:conformance.xml",
     "Judge a runtime, and write a report for a CI job."},
    {"tvmffi-conform kernel.so --signatures kernel.json --runtime libtvm_ffi.so",
     "Judge a module in a runtime; `tvmffi-conform signatures kernel.so` writes a first kernel.json."},
    {"tvmffi-conform inspect dist/*.whl --policy policy.json",
     "Check what the libraries in wheels need against a policy, without running them."},
    {"tvmffi-conform libfoo_ffi.so --filter 'ERR-*' --filter 'error.*'",
     "Judge only some clauses and cases."},
    {"tvmffi-conform repro error.backtrace-is-cleared.long libfoo_ffi.so",
     "Run one case in one process, for a debugger."},
};

static const char purpose[] =
    "Checks whether a shared library conforms to the TVM FFI C ABI, clause by clause.";

void options_print_overview(FILE *out)
{
  fprintf(out, "Usage: tvmffi-conform [VERB] [OPTION...] ...\n\n%s\n\n", purpose);
  fprintf(out, "  tvmffi-conform %-24s the same as run\n", "IMPL.so");
  for (size_t i = 0; i < verb_count; ++i) {
    char usage[64];
    snprintf(usage, sizeof usage, "%s %s", verbs[i].name, verbs[i].operands);
    fprintf(out, "  tvmffi-conform %-24s %s\n", usage, verbs[i].summary);
  }
  fprintf(
      out,
      "\n`tvmffi-conform VERB --help` lists the options of a verb. Global options: --version, --man,\n"
      "--options (all verbs and options, as Markdown), --completion bash|zsh|fish.\n\n"
      "Exit codes: 0 conforms, 1 does not conform, 2 usage error or nothing selected, 3 the library\n"
      "could not be loaded or its profile is unknown, 4 internal error, 5 inconclusive, 130 interrupted.\n");
}

// --- The manual ----------------------------------------------------------------------------------

// Text as troff takes it: no character of it is a command.
static void put_troff(FILE *out, const char *text)
{
  bool line_start = true;
  for (; *text; ++text) {
    if (line_start && *text == '.') fputs("\\&", out);
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else if (*text == '\'')  // not a typographic one: commands are copied from here
      fputs("\\(aq", out);
    else if (*text == '`')
      fputs("\\(ga", out);
    else
      fputc(*text, out);
    line_start = *text == '\n';
  }
}

// A word, or a command, and what it means.
static void put_row_of_manual(FILE *out, const char *word, const char *meaning)
{
  fputs(".TP\n.B ", out);
  put_troff(out, word);
  fputc('\n', out);
  put_troff(out, meaning);
  fputc('\n', out);
}

static void put_verb_of_manual(FILE *out, const Verb *verb)
{
  fputs(".TP\n.B ", out);
  put_troff(out, verb->name);
  fputs(verb->operands[0] ? " " : "", out);
  put_troff(out, verb->operands);
  fputc('\n', out);
  put_troff(out, verb->summary);
  fputs(".\n", out);
  if (verb->text[0]) {
    put_troff(out, verb->text);
    fputc('\n', out);
  }
}

static void put_verbs_of_option(FILE *out, const Option *option)
{
  const char *separator = "";
  for (size_t i = 0; i < verb_count; ++i)
    if (option->verbs & verbs[i].bit) {
      fputs(separator, out);
      put_troff(out, verbs[i].name);
      separator = ", ";
    }
}

static void put_option_of_manual(FILE *out, const Option *option)
{
  fputs(".TP\n.B ", out);
  if (option->letter) fprintf(out, "\\-%c, ", option->letter);
  fputs("\\-\\-", out);
  put_troff(out, option->name);
  if (option->argument) fputc('=', out), put_troff(out, option->argument);
  fputc('\n', out);
  put_troff(out, option->text);
  fputs(" (", out);
  put_verbs_of_option(out, option);
  fputs(").\n", out);
}

void options_print_man(FILE *out)
{
  fputs(
      ".TH TVMFFI-CONFORM 1\n.SH NAME\ntvmffi\\-conform \\- conformance suite for the TVM FFI "
      "C ABI\n.SH SYNOPSIS\n.B tvmffi\\-conform\n[VERB] [OPTION...] ...\n.SH DESCRIPTION\n",
      out);
  put_troff(out, purpose);
  fputs("\n.SH VERBS\n", out);
  for (size_t i = 0; i < verb_count; ++i) put_verb_of_manual(out, &verbs[i]);
  fputs(".SH OPTIONS\n", out);
  for (size_t i = 0; i < option_table.count; ++i) put_option_of_manual(out, &option_table.rows[i]);
  fputs(".TP\n.B \\-?, \\-\\-help\nPrint the help of the verb.\n", out);
  fputs(".SH GLOBAL OPTIONS\n", out);
  for (size_t i = 0; i < sizeof alone / sizeof alone[0]; ++i)
    put_row_of_manual(out, alone[i].option, alone[i].meaning);
  fputs(".SH EXIT STATUS\n", out);
  for (size_t i = 0; i < EXIT_CODES; ++i)
    put_row_of_manual(out, exit_codes[i].code, exit_codes[i].meaning);
  fputs(".SH EXAMPLES\n", out);
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; ++i)
    put_row_of_manual(out, examples[i].command, examples[i].meaning);
  fputs(".SH ENVIRONMENT\n", out);
  put_row_of_manual(out, "NO_COLOR", "If it is set, text has no colours.");
  put_row_of_manual(
      out, "TVMFFI_CONFORM_EMULATOR",
      "Command to run the worker with, such as qemu-s390x -L DIR, if the worker is for another "
      "machine.");
}

// --- The page of the documentation ---------------------------------------------------------------

// Text in a cell of a table; the name of a page beside this one becomes a link.
static void put_cell(FILE *out, const char *text)
{
  for (; *text; ++text) {
    size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (name && strncmp(text + name, ".md", 3) == 0) {
      fprintf(out, "[%.*s.md](%.*s.md)", (int)name, text, (int)name, text);
      text += name + 2;
      continue;
    }
    if (*text == '|') fputc('\\', out);
    fputc(*text == '\n' ? ' ' : *text, out);
  }
}

static void put_verb_of_page(FILE *out, const Verb *verb)
{
  fprintf(out, "\n## `tvmffi-conform %s%s%s`\n\n%c%s.\n", verb->name, verb->operands[0] ? " " : "",
          verb->operands, verb->summary[0] - 'a' + 'A', verb->summary + 1);
  if (verb->text[0]) fprintf(out, "%s\n", verb->text);
  fputs("\n| option | meaning |\n|---|---|\n", out);
  for (size_t i = 0; i < option_table.count; ++i) {
    const Option *option = &option_table.rows[i];
    if (!(option->verbs & verb->bit)) continue;
    fputs("| `", out);
    if (option->letter) fprintf(out, "-%c`, `", option->letter);
    fprintf(out, "--%s%s", option->name, option->argument ? " " : "");
    put_cell(out, option->argument ? option->argument : "");
    fputs("` | ", out);
    put_cell(out, option->text);
    fputs(" |\n", out);
  }
  fputs("| `--help` | Print the help of the verb |\n", out);
}

void options_print_page(FILE *out)
{
  fputs(
      "# Verbs and options of tvmffi-conform\n\n"
      "Written by `tvmffi-conform --options` from `cli/verbs.def` and `cli/option_table.c`.\n"
      "The verb `run` may be left out.\n",
      out);
  for (size_t i = 0; i < verb_count; ++i) put_verb_of_page(out, &verbs[i]);
  fputs("\n## Exit codes\n\n| code | meaning |\n|---|---|\n", out);
  for (size_t i = 0; i < EXIT_CODES; ++i)
    fprintf(out, "| %s | %s |\n", exit_codes[i].code, exit_codes[i].meaning);
}
