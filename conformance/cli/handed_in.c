// SPDX-License-Identifier: Apache-2.0
#include "cli/handed_in.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/json_file.h"
#include "plan/kernel_signature.h"
#include "plan/signature_file.h"
#include "report/clean.h"
#include "run/signal_name.h"
#include "signature/signature_read.h"

enum { ERROR_SIZE = 2048, PROBLEM_SIZE = KERNEL_PROBLEM_MAX + KERNEL_NAME_MAX + 16 };

// What a child is to read.
typedef struct Task {
  const char *path, *today;
  char *text;  // own, or NULL
  size_t size;
  KernelList *list;
} Task;

// --- Asking --------------------------------------------------------------------------------------

// Of words that may be a stranger's.
static void take_error(ReaderRest *rest, const char *what, char *error, size_t error_size)
{
  char *said = reader_take_text(rest), *clean = said ? clean_string(said, CLEAN_LINES) : NULL;
  snprintf(error, error_size, "%s%s", clean ? clean : what, clean ? "" : ": could not be read");
  free(clean);
  free(said);
}

bool handed_in_refuse(const char *what, char *error, size_t error_size)
{
  snprintf(error, error_size, "%s: could not be read: the reader's answer makes no sense", what);
  return false;
}

// In this process, as a child would.
static bool run_here(void (*work)(void *context, FILE *out), void *context, ReaderAnswer *answer)
{
  *answer = (ReaderAnswer){.bytes = NULL};
  FILE *out = open_memstream(&answer->bytes, &answer->size);
  if (out) work(context, out);
  return out && fclose(out) == 0;
}

bool handed_in_ask(const char *what, SandboxMode mode, const SandboxPolicy *paths,
                   void (*work)(void *context, FILE *out), void *context, ReaderAnswer *answer,
                   ReaderRest *rest, char *error, size_t error_size)
{
  char name[SIGNAL_NAME_MAX];
  unsigned char good = 0;
#ifdef WATCHED
  // As for `inspect`.
  if (mode == SANDBOX_AUTO) mode = SANDBOX_OFF;
#endif
  bool done = mode == SANDBOX_OFF ? run_here(work, context, answer)
                                  : reader_run(paths, work, context, answer);
  *rest = (ReaderRest){answer->bytes, answer->size, false};
  if (!done)
    snprintf(error, error_size, "%s: could not be read: no process to read it in", what);
  else if (answer->signal)
    snprintf(error, error_size, "%s: could not be read: the reader died (%s)", what,
             signal_name(answer->signal, name));
  else
    reader_take(rest, &good, 1);
  if (good == 1) return true;
  if (done && !answer->signal) take_error(rest, what, error, error_size);
  free(answer->bytes);
  *answer = (ReaderAnswer){.bytes = NULL};
  return false;
}

void handed_in_put_outcome(FILE *out, bool good, const char *error)
{
  fputc(good, out);
  if (!good) reader_put_text(out, error);
}

// The same of a file whose text was loaded here, where it may come from a pipe.
static bool ask_of_text(Task *task, SandboxMode mode, size_t most,
                        void (*work)(void *context, FILE *out), ReaderAnswer *answer,
                        ReaderRest *rest, char *error, size_t error_size)
{
  const SandboxPolicy nothing = {.paths = NULL};
  task->text = json_file_load(task->path, most, &task->size, error, error_size);
  bool done = task->text && handed_in_ask(task->path, mode, &nothing, work, task, answer, rest,
                                          error, error_size);
  free(task->text);
  return done;
}

static bool is_whole(const ReaderRest *rest)
{
  return !rest->lacks && rest->size == 0;
}

// --- Signatures ----------------------------------------------------------------------------------

// Of each function that the file speaks of: its number, and what is said of it.
static void put_signatures(void *context, FILE *out)
{
  const Task *task = context;
  static char error[ERROR_SIZE];
  KernelList *list = task->list;
  bool good =
      signature_file_read_text(task->path, task->text, task->size, list, error, sizeof error);
  handed_in_put_outcome(out, good, error);
  for (size_t i = 0; good && i < list->count; ++i) {
    const Signature *signature = kernel_list_signature(list, i);
    if (!signature) continue;
    fwrite(&i, sizeof i, 1, out);
    handed_in_put_signature(out, signature);
  }
}

void handed_in_put_signature(FILE *out, const Signature *signature)
{
  fwrite(&signature->size, sizeof signature->size, 1, out);
  fwrite(signature, signature->size, 1, out);
}

Signature *handed_in_take_signature(ReaderRest *rest)
{
  uint32_t size = 0;
  reader_take(rest, &size, sizeof size);
  bool fits = !rest->lacks && size >= sizeof(Signature) && size <= SIGNATURE_SIZE_MAX;
  Signature *signature = fits ? malloc(size) : NULL;
  if (signature) reader_take(rest, signature, size);
  if (signature && !rest->lacks && signature->size == size && signature_is_sound(signature, size))
    return signature;
  free(signature);
  return NULL;
}

// `problem` says what is wrong with a file that was read; "" where the answer is.
static bool take_signatures(ReaderRest *rest, KernelList *list, char problem[PROBLEM_SIZE])
{
  char why[KERNEL_PROBLEM_MAX];
  while (rest->size && !rest->lacks) {
    size_t index = 0;
    reader_take(rest, &index, sizeof index);
    Signature *signature = handed_in_take_signature(rest);
    if (!signature || index >= list->count) {
      free(signature);
      return false;
    }
    Kernel *kernel = &list->items[index];
    bool good = kernel_take_signature(kernel, signature, why);
    if (!good) snprintf(problem, PROBLEM_SIZE, "functions.%s: %s", kernel->name, why);
    if (!kernel_list_know(list, index, signature) || !good) return false;
  }
  return is_whole(rest);
}

bool handed_in_signatures(const char *path, SandboxMode mode, KernelList *list, char *error,
                          size_t error_size)
{
  Task task = {.path = path, .list = list};
  ReaderAnswer answer;
  ReaderRest rest;
  handed_in_arrays(mode);
  if (mode == SANDBOX_OFF) return signature_file_read(path, list, error, error_size);
  if (!ask_of_text(&task, mode, SIGNATURE_FILE_MAX, put_signatures, &answer, &rest, error,
                   error_size))
    return false;
  char problem[PROBLEM_SIZE] = "";
  bool good = take_signatures(&rest, list, problem);
  free(answer.bytes);
  if (problem[0]) snprintf(error, error_size, "%s: %s", path, problem);
  return good || (!problem[0] && handed_in_refuse(path, error, error_size));
}

// --- Waivers -------------------------------------------------------------------------------------

static void put_waivers(void *context, FILE *out)
{
  const Task *task = context;
  static char error[ERROR_SIZE];
  WaiverSet *set =
      waivers_read_text(task->path, task->text, task->size, task->today, error, sizeof error);
  handed_in_put_outcome(out, set != NULL, error);
  for (size_t i = 0; set && i < set->count; ++i) {
    const Waiver *waiver = &set->items[i];
    reader_put_text(out, waiver->case_id);
    reader_put_text(out, waiver->reason);
    reader_put_text(out, waiver->url);
    reader_put_text(out, waiver->expires);
    reader_put_text(out, waiver->except);
    fwrite(&waiver->since, sizeof waiver->since, 1, out);
    fwrite(&waiver->until, sizeof waiver->until, 1, out);
  }
}

static bool take_waivers(ReaderRest *rest, WaiverSet *set)
{
  while (rest->size && !rest->lacks) {
    Waiver *grown = realloc(set->items, (set->count + 1) * sizeof *grown);
    if (!grown) return false;
    set->items = grown;
    Waiver *waiver = &set->items[set->count++];
    *waiver = (Waiver){.case_id = reader_take_text(rest)};
    waiver->reason = reader_take_text(rest);
    waiver->url = reader_take_text(rest);
    waiver->expires = reader_take_text(rest);
    waiver->except = reader_take_text(rest);
    reader_take(rest, &waiver->since, sizeof waiver->since);
    reader_take(rest, &waiver->until, sizeof waiver->until);
    if (!waiver->case_id || !waiver->reason) return false;
  }
  return is_whole(rest);
}

WaiverSet *handed_in_waivers(const char *path, SandboxMode mode, const char *today, char *error,
                             size_t error_size)
{
  Task task = {.path = path, .today = today};
  ReaderAnswer answer;
  ReaderRest rest;
  if (mode == SANDBOX_OFF) return waivers_read(path, today, error, error_size);
  if (!ask_of_text(&task, mode, WAIVERS_FILE_MAX, put_waivers, &answer, &rest, error, error_size))
    return NULL;
  WaiverSet *set = calloc(1, sizeof *set);
  if (set) set->path = strdup(path);
  bool good = set && set->path && take_waivers(&rest, set);
  free(answer.bytes);
  if (good) return set;
  waivers_free(set);
  handed_in_refuse(path, error, error_size);
  return NULL;
}

// --- Gates ---------------------------------------------------------------------------------------

static void put_gate(void *context, FILE *out)
{
  const Task *task = context;
  static char error[ERROR_SIZE];
  Gate gate;
  bool good = gate_read_text(task->path, task->text, task->size, &gate, error, sizeof error);
  handed_in_put_outcome(out, good, error);
  if (!good) return;
  fputc((int)gate.level, out);
  reader_put_text(out, gate.reason);
  for (size_t i = 0; i < gate.rule_count; ++i) {
    const GateRule *rule = &gate.rules[i];
    fputc(rule->nothing, out);
    fputc((int)rule->level, out);
    reader_put_text(out, rule->clauses);
    reader_put_text(out, rule->chapter);
    reader_put_text(out, rule->reason);
  }
}

static ClauseLevel take_level(ReaderRest *rest)
{
  unsigned char level = 0;
  reader_take(rest, &level, 1);
  rest->lacks |= level > CLAUSE_HARDENING;
  return (ClauseLevel)level;
}

static bool take_gate(ReaderRest *rest, Gate *gate)
{
  gate->level = take_level(rest);
  gate->reason = reader_take_text(rest);
  while (rest->size && !rest->lacks) {
    unsigned char nothing = 0;
    GateRule *grown = realloc(gate->rules, (gate->rule_count + 1) * sizeof *grown);
    if (!grown) return false;
    gate->rules = grown;
    GateRule *rule = &gate->rules[gate->rule_count++];
    reader_take(rest, &nothing, 1);
    *rule = (GateRule){.nothing = nothing != 0, .level = take_level(rest)};
    rule->clauses = reader_take_text(rest);
    rule->chapter = reader_take_text(rest);
    rule->reason = reader_take_text(rest);
    if (!rule->reason || !rule->clauses == !rule->chapter) return false;
  }
  return is_whole(rest) && gate->reason;
}

bool handed_in_gate(const char *path, SandboxMode mode, Gate *gate, char *error, size_t error_size)
{
  Task task = {.path = path};
  ReaderAnswer answer;
  ReaderRest rest;
  if (mode == SANDBOX_OFF) return gate_read(path, gate, error, error_size);
  *gate = (Gate){.level = CLAUSE_MUST};
  if (!ask_of_text(&task, mode, GATE_FILE_MAX, put_gate, &answer, &rest, error, error_size))
    return false;
  gate->name = strdup(path);
  bool good = gate->name && take_gate(&rest, gate);
  free(answer.bytes);
  if (!good) gate_free(gate);
  return good || handed_in_refuse(path, error, error_size);
}

// --- Findings ------------------------------------------------------------------------------------

static void put_bytes(FILE *out, const uint8_t *bytes, size_t size)
{
  fwrite(&size, sizeof size, 1, out);
  if (size) fwrite(bytes, size, 1, out);
}

static void put_findings(void *context, FILE *out)
{
  const Task *task = context;
  static char error[ERROR_SIZE];
  size_t count = 0;
  FuzzKept *kept = fuzz_folder_read(task->path, &count, error, sizeof error);
  handed_in_put_outcome(out, kept != NULL, error);
  for (size_t i = 0; kept && i < count; ++i) {
    const FuzzFinding *finding = &kept[i].finding;
    reader_put_text(out, kept[i].name);
    reader_put_text(out, kept[i].surface->name);
    fputc((int)finding->class, out);
    fputc((int)finding->aspect, out);
    reader_put_text(out, finding->where);
    reader_put_text(out, finding->seen);
    put_bytes(out, finding->bytes, finding->size);
    put_bytes(out, finding->before, finding->before_size);
  }
}

static void take_words(ReaderRest *rest, char *words, size_t size)
{
  char *text = reader_take_text(rest);
  snprintf(words, size, "%s", text ? text : "");
  free(text);
}

static uint8_t *take_bytes(ReaderRest *rest, size_t *size)
{
  *size = 0;
  reader_take(rest, size, sizeof *size);
  rest->lacks |= *size > rest->size;
  uint8_t *bytes = rest->lacks ? NULL : malloc(*size + 1);
  rest->lacks |= !bytes;
  if (bytes) reader_take(rest, bytes, *size);
  return bytes;
}

static bool take_finding(ReaderRest *rest, FuzzKept *kept)
{
  unsigned char class = 0, aspect = 0;
  FuzzFinding *finding = &kept->finding;
  kept->name = reader_take_text(rest);
  char *surface = reader_take_text(rest);
  kept->surface = surface ? fuzz_surface_find(surface) : NULL;
  free(surface);
  reader_take(rest, &class, 1);
  reader_take(rest, &aspect, 1);
  finding->class = (FuzzClass) class;
  finding->aspect = aspect;
  take_words(rest, finding->where, sizeof finding->where);
  take_words(rest, finding->seen, sizeof finding->seen);
  finding->bytes = take_bytes(rest, &finding->size);
  finding->before = take_bytes(rest, &finding->before_size);
  if (finding->before_size == 0) {
    free(finding->before);
    finding->before = NULL;
  }
  return !rest->lacks && kept->name && fuzz_kept_is_sound(kept);
}

FuzzKept *handed_in_findings(const char *directory, SandboxMode mode, size_t *count, char *error,
                             size_t error_size)
{
  Task task = {.path = directory};
  SandboxPolicy paths = {.paths = NULL};
  ReaderAnswer answer;
  ReaderRest rest;
  FuzzKept *all = NULL;
  *count = 0;
  if (mode == SANDBOX_OFF) return fuzz_folder_read(directory, count, error, error_size);
  policy_add_path(&paths, directory, SANDBOX_READ);
  bool good = handed_in_ask(directory, mode, &paths, put_findings, &task, &answer, &rest, error,
                            error_size);
  policy_free(&paths);
  if (!good) return NULL;
  while (good && rest.size) {
    FuzzKept *grown = realloc(all, (*count + 1) * sizeof *grown);
    good = grown != NULL;
    if (!good) break;
    all = grown;
    memset(&all[*count], 0, sizeof *all);
    good = take_finding(&rest, &all[(*count)++]);
  }
  free(answer.bytes);
  if (good && *count) return all;
  if (all) fuzz_kept_free(all, *count);
  handed_in_refuse(directory, error, error_size);
  return NULL;
}
