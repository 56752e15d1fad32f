// SPDX-License-Identifier: Apache-2.0
// What a module says of how its functions are called: its metadata, and its error for a call without
// arguments. All that it said is read in one child (cli/handed_in.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/handed_in.h"
#include "cli/session.h"
#include "plan/signature_contradiction.h"
#include "plan/signature_kinds.h"
#include "plan/signature_metadata.h"
#include "plan/signature_probe.h"
#include "report/clean.h"
#include "signature/type_name.h"

enum { WORDS_MAX = 320 };

// Of one function.
typedef struct Said {
  char *text;  // own, or NULL
  bool cut, asked;
} Said;

typedef struct Task {
  const KernelList *list;
  Said *said;  // own; of each function
} Task;

static bool begin(Task *task, const KernelList *list)
{
  *task = (Task){list, calloc(list->count + 1, sizeof *task->said)};
  return task->said != NULL;
}

static void end(Task *task)
{
  for (size_t i = 0; i < task->list->count; ++i) free(task->said[i].text);
  free(task->said);
}

// Whether there is anything to be read.
static bool has_text(const Task *task)
{
  bool has = false;
  for (size_t i = 0; i < task->list->count; ++i) has |= task->said[i].text && !task->said[i].cut;
  return has;
}

// --- Metadata ------------------------------------------------------------------------------------

// Of each text a signature, or why there is none.
static void put_types(void *context, FILE *out)
{
  const Task *task = context;
  handed_in_put_outcome(out, true, NULL);
  for (size_t i = 0; i < task->list->count; ++i) {
    char error[256];
    const Said *said = &task->said[i];
    if (!said->text || said->cut) continue;
    Signature *known =
        signature_metadata_types(said->text, strlen(said->text), error, sizeof error);
    fputc(known != NULL, out);
    if (known)
      handed_in_put_signature(out, known);
    else
      reader_put_text(out, error[0] ? error : "no type_schema");
    free(known);
  }
}

// What is wrong (own) with what came of the next text; NULL if it is known now.
static char *take_types(ReaderRest *rest, KernelList *list, size_t index)
{
  unsigned char known = 0;
  reader_take(rest, &known, 1);
  Signature *signature = known ? handed_in_take_signature(rest) : NULL;
  if (signature) {
    signature_take_kinds(signature, &list->items[index]);
    kernel_list_know(list, index, signature);
    return NULL;
  }
  char *why = known ? NULL : reader_take_text(rest), *clean = why ? clean_string(why, 0) : NULL;
  free(why);
  return clean ? clean : strdup("could not be read");
}

static void complain_of(const Session *session, size_t index, const char *wrong, FILE *complaints)
{
  if (wrong && complaints)
    fprintf(complaints, "tvmffi-conform: %s: metadata of %s: %s\n", session->library->path,
            session->kernels.items[index].name, wrong);
}

void session_ask_kernels(Session *session, Runner *runner, FILE *complaints)
{
  KernelList *list = &session->kernels;
  Task task;
  ReaderAnswer answer = {.bytes = NULL};
  ReaderRest rest = {.lacks = true};
  const SandboxPolicy nothing = {.paths = NULL};
  char error[512] = "";
  if (!begin(&task, list)) return;
  for (size_t i = 0; i < list->count; ++i) {
    const Kernel *kernel = &list->items[i];
    if (kernel->source != KERNEL_UNKNOWN || !kernel->has_metadata) continue;
    task.said[i].asked = true;
    task.said[i].text = runner_ask_metadata(runner, kernel, &task.said[i].cut);
  }
  bool read =
      has_text(&task) && handed_in_ask("what the module says", session->sandbox.mode, &nothing,
                                       put_types, &task, &answer, &rest, error, sizeof error);
  for (size_t i = 0; i < list->count; ++i) {
    const Said *said = &task.said[i];
    char *wrong = said->text && !said->cut && read ? take_types(&rest, list, i) : NULL;
    if (said->asked)
      complain_of(session, i,
                  !said->text ? "missing, or reading it fails"
                  : said->cut ? "too long"
                  : read      ? wrong
                              : error,
                  complaints);
    free(wrong);
  }
  free(answer.bytes);
  end(&task);
}

// --- File and module -----------------------------------------------------------------------------

// The signature in the error for a call without arguments, by a function that takes some.
static Signature *signature_of_arity(const char *text)
{
  const char *line = atoi(text) != 0 ? strchr(text, '\n') : NULL;
  Signature *said = line ? type_name_signature(line + 1) : NULL;
  // An error that is passed on may be about another function.
  const int count = said ? (int)signature_form(said, 0)->parameters.count : 0;
  if (said && (count == 0 || signature_probe_count(line + 1) != count)) {
    free(said);
    said = NULL;
  }
  return said;
}

static char *ask_for_arity(Runner *runner, const Kernel *kernel)
{
  static Kernel without;
  OutcomeKind outcome;
  without = (Kernel){0};
  memcpy(without.name, kernel->name, sizeof without.name);
  return runner_probe(runner, &without, NULL, &outcome);
}

// The spellings in which a module takes the tensors among the parameters of one of its functions, where its
// types say so: KERNEL_SPELLED_*, 0 for any.
typedef struct Spellings {
  size_t index;  // of the function
  unsigned bits[SIGNATURE_PARAMETERS_MAX];
} Spellings;

static Spellings spellings_of(const Signature *module, size_t index)
{
  Spellings said = {.index = index};
  const SignatureRange parameters = signature_form(module, 0)->parameters;
  for (uint32_t i = 0; i < parameters.count && i < SIGNATURE_PARAMETERS_MAX; ++i) {
    const SignatureType *type = signature_type(module, parameters.first + i);
    if (type->kind == KERNEL_TENSOR) said.bits[i] = type->spellings;
  }
  return said;
}

// A file that leaves the spellings of a parameter out does not mean others than the module takes: of a
// tensor that a C++ function keeps, say, objects alone.
static void take_spellings(KernelList *list, Spellings *said)
{
  const unsigned known = KERNEL_SPELLED_BORROWED | KERNEL_SPELLED_OBJECT;
  if (said->index >= list->count || !kernel_list_signature(list, said->index)) return;
  for (uint32_t i = 0; i < SIGNATURE_PARAMETERS_MAX; ++i) said->bits[i] &= known;
  Kernel *kernel = &list->items[said->index];
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->kind == KERNEL_TENSOR && !parameter->spellings)
      parameter->spellings = said->bits[i];
  }
  signature_take_spellings(list->signatures[said->index], said->bits);
}

// Of each function that the module says something of: the spellings of its parameters, and where the file
// contradicts it, what they say.
static void put_contradictions(void *context, FILE *out)
{
  const Task *task = context;
  handed_in_put_outcome(out, true, NULL);
  for (size_t i = 0; i < task->list->count; ++i) {
    char error[256], what[WORDS_MAX];
    const char *text = task->said[i].text;
    if (!text || task->said[i].cut) continue;
    Signature *module = task->list->items[i].has_metadata
                            ? signature_metadata_types(text, strlen(text), error, sizeof error)
                            : signature_of_arity(text);
    const Signature *file = kernel_list_signature(task->list, i);
    const bool contradicts = module && signature_contradicts(file, module, what, sizeof what);
    if (module) {
      const Spellings said = spellings_of(module, i);
      fwrite(&said, sizeof said, 1, out);
      reader_put_text(out, contradicts ? what : "");
    }
    free(module);
  }
}

static bool takes_nothing(const Signature *signature)
{
  for (uint32_t i = 0; i < signature->forms.count; ++i)
    if (signature_form(signature, i)->parameters.count == 0) return true;
  return false;
}

static void ask_modules(Task *task, Runner *runner)
{
  for (size_t i = 0; i < task->list->count; ++i) {
    const Kernel *kernel = &task->list->items[i];
    const Signature *file = kernel_list_signature(task->list, i);
    if (!file || file->origin != SIGNATURE_FROM_FILE) continue;
    // A call without arguments may be a right one.
    if (!kernel->has_metadata && takes_nothing(file)) continue;
    task->said[i].text = kernel->has_metadata
                             ? runner_ask_metadata(runner, kernel, &task->said[i].cut)
                             : ask_for_arity(runner, kernel);
  }
}

// Puts what a child found into `error`, and returns how much that is. Spellings are taken over.
static size_t take_contradictions(Session *session, ReaderRest *rest)
{
  enum { SHOWN = 8 };
  KernelList *list = &session->kernels;
  size_t found = 0, at = 0;
  while (rest->size && !rest->lacks) {
    Spellings said = {.index = list->count};
    reader_take(rest, &said, sizeof said);
    char *what = reader_take_text(rest);
    const bool contradicts = what && what[0] && said.index < list->count;
    if (what && !contradicts) take_spellings(list, &said);
    if (contradicts && found++ < SHOWN && at < sizeof session->error)
      at += (size_t)snprintf(session->error + at, sizeof session->error - at, "%s%s: %.128s: %.*s",
                             found > 1 ? "\n" : "", session->library->path,
                             list->items[said.index].name, WORDS_MAX, what);
    free(what);
  }
  if (found > SHOWN && at < sizeof session->error)
    snprintf(session->error + at, sizeof session->error - at, "\nand %zu functions more",
             found - SHOWN);
  return found;
}

int session_compare_kernels(Session *session, Runner *runner)
{
  Task task;
  ReaderAnswer answer = {.bytes = NULL};
  ReaderRest rest;
  const SandboxPolicy nothing = {.paths = NULL};
  char error[512];
  size_t found = 0;
  if (!begin(&task, &session->kernels)) return EXIT_CONFORMS;
  ask_modules(&task, runner);
  // (Where a child can't read it, the file stands, which somebody wrote on purpose.)
  if (has_text(&task) &&
      handed_in_ask("what the module says", session->sandbox.mode, &nothing, put_contradictions,
                    &task, &answer, &rest, error, sizeof error))
    found = take_contradictions(session, &rest);
  free(answer.bytes);
  end(&task);
  return found ? EXIT_USAGE : EXIT_CONFORMS;
}
