// SPDX-License-Identifier: Apache-2.0
// Completions for shells. After an option that wants a file, and in place of an operand, a shell
// offers files; after one that wants one of some words, these; after any other, nothing.
#include <string.h>

#include "cli/option_table.h"
#include "cli/option_texts.h"

static const Verb *const default_verb = &verbs[0];

static bool has_option(const Verb *verb, const Option *option)
{
  return option->verbs & verb->bit;
}

static bool is_choice(const Option *option)
{
  return option->argument && strchr(option->argument, '|');
}

static bool is_report(const Option *option)
{
  return option->argument && strcmp(option->argument, "KIND:PATH") == 0;
}

// FILE, FILE.so, OLD.json and their like; of a choice, FILE as one of it.
static bool is_file(const Option *option)
{
  if (!option->argument) return false;
  return strstr(option->argument, "FILE") || (!is_choice(option) && strchr(option->argument, '.'));
}

// The first operand is the id of a case or of a clause.
static bool takes_id(const Verb *verb)
{
  return strncmp(verb->operands, "ID", 2) == 0;
}

// The words of "a|b|FILE", with a space between; those that stand for files are left out.
static void put_choices(FILE *out, const Option *option)
{
  const char *space = "";
  for (const char *word = option->argument; *word;) {
    size_t size = strcspn(word, "|");
    if (strncmp(word, "FILE", 4) != 0) {
      fprintf(out, "%s%.*s", space, (int)size, word);
      space = " ";
    }
    word += size + (word[size] == '|');
  }
}

static void put_report_kinds(FILE *out, const Verb *verb, const char *colon)
{
  const char *kind;
  for (size_t i = 0; (kind = options_report_kind(verb, i)); ++i)
    fprintf(out, "%s%s%s", i ? " " : "", kind, colon);
}

static void put_verb_names(FILE *out, bool (*wanted)(const Verb *))
{
  const char *separator = "";
  for (size_t i = 0; i < verb_count; ++i)
    if (!wanted || wanted(&verbs[i])) {
      fprintf(out, "%s%s", separator, verbs[i].name);
      separator = " ";
    }
}

// `text` with a backslash before each of the `special` characters; what a quoted string cannot hold
// becomes what `quote` says.
static void put_escaped(FILE *out, const char *text, const char *special, const char *quote)
{
  for (; *text; ++text) {
    if (*text == '\'') {
      fputs(quote, out);
      continue;
    }
    if (strchr(special, *text)) fputc('\\', out);
    fputc(*text == '\n' ? ' ' : *text, out);
  }
}

// Whether the option has a row before this one: for other verbs, with the same kind of value.
static bool is_repeated(size_t row)
{
  const char *name = option_table.rows[row].name;
  size_t first = 0;
  while (strcmp(option_table.rows[first].name, name) != 0) ++first;
  return first < row;
}

// --- bash ----------------------------------------------------------------------------------------

static void put_bash_options(FILE *out, const Verb *verb)
{
  bool is_default = verb == default_verb;
  fprintf(out, "    %s) options=\"--help%s", is_default ? "*" : verb->name,
          is_default ? " --version" : "");
  for (size_t i = 0; i < option_table.count; ++i)
    if (has_option(verb, &option_table.rows[i])) fprintf(out, " --%s", option_table.rows[i].name);
  fprintf(out, "\"%s;;\n", is_default ? " verb=run" : "");
}

// What stands behind each option that wants a value: `values`, and whether files are offered, too.
static void put_bash_values(FILE *out, const Option *option)
{
  if (!option->argument) return;
  if (is_report(option)) {
    for (size_t i = 0; i < verb_count; ++i) {
      if (!has_option(&verbs[i], option)) continue;
      fprintf(out, "    '%s --%s') values=\"", verbs[i].name, option->name);
      put_report_kinds(out, &verbs[i], ":");
      fputs("\";;\n", out);
    }
    return;
  }
  fprintf(out, "    *' --%s'", option->name);
  if (option->letter) fprintf(out, "|*' -%c'", option->letter);
  fputs(") ", out);
  if (is_choice(option)) {
    fputs("values=\"", out);
    put_choices(out, option);
    fputs(is_file(option) ? " /\"" : "\"", out);
  } else {
    fputs(is_file(option) ? "values=/" : "return", out);
  }
  fputs(";;\n", out);
}

static void print_bash(FILE *out)
{
  fputs(
      "# bash completion for tvmffi-conform\n_tvmffi_conform() {\n"
      "  local at=$COMP_CWORD word=\"${COMP_WORDS[COMP_CWORD]}\" verb=\"${COMP_WORDS[1]}\"\n"
      "  local option=\"\" options=\"\" values=\"\" verbs=\"",
      out);
  put_verb_names(out, NULL);
  fputs("\"\n  COMPREPLY=()\n  case \"$verb\" in\n", out);
  // The default verb comes last: its options are those of no verb at all.
  for (size_t i = verb_count; i-- > 0;) put_bash_options(out, &verbs[i]);
  fputs(
      "  esac\n"
      "  # bash takes --option=value apart: three words.\n"
      "  [[ $word == = ]] && word=\"\" && ((++at))\n"
      "  ((at > 1)) && option=\"${COMP_WORDS[at - 1]}\"\n"
      "  [[ $option == = ]] && option=\"${COMP_WORDS[at - 2]}\"\n"
      "  case \"$verb $option\" in\n",
      out);
  for (size_t i = 0; i < option_table.count; ++i)
    if (is_report(&option_table.rows[i]) || !is_repeated(i))
      put_bash_values(out, &option_table.rows[i]);
  fputs(
      "  esac\n"
      "  if [[ $values == */ ]]; then\n"
      "    COMPREPLY=($(compgen -W \"${values%/}\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "  elif [[ -n $values ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
      "    [[ $values == *: ]] && compopt -o nospace 2>/dev/null\n"
      "  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
      "  elif ((COMP_CWORD == 2)) && [[ \" ",
      out);
  put_verb_names(out, takes_id);
  fputs(
      " \" == *\" $verb \"* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" list 2>/dev/null | cut -d' ' -f1)\" "
      "-- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n}\n"
      "complete -o filenames -F _tvmffi_conform tvmffi-conform\n",
      out);
}

// --- zsh -----------------------------------------------------------------------------------------

// One specification of _arguments, in quotes.
static void put_zsh_option(FILE *out, const Verb *verb, const Option *option)
{
  fputs(" \\\n        ", out);
  if (option->letter)
    fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
            option->argument ? "+" : "", option->name, option->argument ? "=" : "");
  else
    fprintf(out, "'%s--%s%s", strstr(option->text, "repeatable") ? "*" : "", option->name,
            option->argument ? "=" : "");
  fputc('[', out);
  put_escaped(out, option->text, "[]:\\", "'\\''");
  fputc(']', out);
  if (option->argument) {
    fputc(':', out);
    put_escaped(out, option->argument, ":\\", "'\\''");
    fputc(':', out);
    if (is_choice(option)) {
      fputs(is_file(option) ? " _tvmffi_conform_word_or_file " : "(", out);
      put_choices(out, option);
      if (!is_file(option)) fputc(')', out);
    } else if (is_report(option)) {
      fputs("_values -S \\: kind ", out);
      put_report_kinds(out, verb, "");
    } else if (is_file(option)) {
      fputs("_files", out);
    } else {
      fputc(' ', out);
    }
  }
  fputc('\'', out);
}

static void put_zsh_verb(FILE *out, const Verb *verb)
{
  fprintf(out, "    %s)\n      _arguments '--help[print the help of the verb]'", verb->name);
  for (size_t i = 0; i < option_table.count; ++i)
    if (has_option(verb, &option_table.rows[i])) put_zsh_option(out, verb, &option_table.rows[i]);
  if (takes_id(verb)) fputs(" \\\n        '1:ID:($(tvmffi-conform list | cut -d\" \" -f1))'", out);
  fputs(" \\\n        '*:operand:_files';;\n", out);
}

static void print_zsh(FILE *out)
{
  fputs(
      "#compdef tvmffi-conform\n"
      "_tvmffi_conform_word_or_file() { _alternative \"words:word:($*)\" files:file:_files; }\n"
      "_tvmffi-conform() {\n  local verb=run\n  local -a verbs=(\n",
      out);
  for (size_t i = 0; i < verb_count; ++i) {
    fprintf(out, "    '%s:", verbs[i].name);
    put_escaped(out, verbs[i].summary, ":\\", "'\\''");
    fputs("'\n", out);
  }
  fputs(
      "  )\n"
      "  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
      "    _describe -t verbs verb verbs\n    _files\n    return\n  fi\n"
      "  if (( ${verbs[(I)$words[2]:*]} )); then\n"
      "    verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n  fi\n"
      "  case $verb in\n",
      out);
  for (size_t i = 0; i < verb_count; ++i) put_zsh_verb(out, &verbs[i]);
  fputs("  esac\n}\n_tvmffi-conform \"$@\"\n", out);
}

// --- fish ----------------------------------------------------------------------------------------

static void put_fish_option(FILE *out, const Option *option, unsigned of, const char *names)
{
  fprintf(out, "complete -c tvmffi-conform -n 'contains -- (__tvmffi_conform_verb) %s' -l %s",
          names, option->name);
  if (option->letter) fprintf(out, " -s %c", option->letter);
  if (is_file(option)) {
    fputs(" -r -F", out);
    if (is_choice(option)) {
      fputs(" -a '", out);
      put_choices(out, option);
      fputs("'", out);
    }
  } else if (is_report(option)) {
    fputs(" -x -a '", out);
    for (size_t i = 0; i < verb_count; ++i)
      if (verbs[i].bit & of) put_report_kinds(out, &verbs[i], ":");
    fputs("'", out);
  } else if (is_choice(option)) {
    fputs(" -x -a '", out);
    put_choices(out, option);
    fputs("'", out);
  } else if (option->argument) {
    fputs(" -x", out);
  }
  fputs(" -d '", out);
  put_escaped(out, option->text, "\\", "\\'");
  fputs("'\n", out);
}

static void put_fish_row(FILE *out, const Option *option)
{
  char names[512] = "";
  for (size_t i = 0; i < verb_count; ++i) {
    if (!has_option(&verbs[i], option)) continue;
    if (is_report(option)) {
      put_fish_option(out, option, verbs[i].bit, verbs[i].name);
      continue;
    }
    size_t length = strlen(names);
    snprintf(names + length, sizeof names - length, "%s%s", length ? " " : "", verbs[i].name);
  }
  if (names[0]) put_fish_option(out, option, option->verbs, names);
}

static void print_fish(FILE *out)
{
  fputs(
      "# fish completion for tvmffi-conform\nfunction __tvmffi_conform_verb\n"
      "  set -l words (commandline -opc)\n"
      "  if contains -- \"$words[2]\" ",
      out);
  put_verb_names(out, NULL);
  fputs(
      "\n    echo $words[2]\n  else\n    echo run\n  end\nend\n"
      "function __tvmffi_conform_at\n"
      "  test (count (commandline -opc)) -eq $argv[1]\nend\n",
      out);
  for (size_t i = 0; i < verb_count; ++i) {
    fprintf(out, "complete -c tvmffi-conform -n '__tvmffi_conform_at 1' -a %s -d '", verbs[i].name);
    put_escaped(out, verbs[i].summary, "\\", "\\'");
    fputs("'\n", out);
    if (takes_id(&verbs[i]))
      fprintf(out,
              "complete -c tvmffi-conform -n '__tvmffi_conform_at 2; and contains -- "
              "(__tvmffi_conform_verb) %s' -a "
              "'(tvmffi-conform list 2>/dev/null | string replace -r \" .*\" \"\")'\n",
              verbs[i].name);
  }
  for (size_t i = 0; i < option_table.count; ++i) put_fish_row(out, &option_table.rows[i]);
  fputs("complete -c tvmffi-conform -l help -d 'print the help of the verb'\n", out);
}

bool options_print_completion(FILE *out, const char *shell)
{
  static const struct {
    const char *name;
    void (*print)(FILE *out);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; ++i) {
    if (strcmp(shells[i].name, shell) != 0) continue;
    shells[i].print(out);
    return true;
  }
  return false;
}
