// SPDX-License-Identifier: Apache-2.0
#include "report/functions.h"
#include "signature/signature_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- What was tried ------------------------------------------------------------------------------

const char *functions_promise_name(const EvidenceTried *tried)
{
  static const char *const names[TRIED_PROMISE_COUNT] = {[TRIED_UNSAID] = "unsaid",
                                                         [TRIED_PROMISED] = "promised",
                                                         [TRIED_EXPLORED] = "explored",
                                                         [TRIED_EXCLUDED] = "excluded"};
  return names[tried->promise];
}

const char *functions_end_name(const EvidenceTried *tried)
{
  static const char *const names[TRIED_END_COUNT] = {
      [TRIED_OPEN] = "served",       [TRIED_RIGHT] = "right",     [TRIED_SERVED] = "served",
      [TRIED_WRONG] = "wrong",       [TRIED_REFUSED] = "refused", [TRIED_NO_RETURN] = "no_return",
      [TRIED_NOT_MADE] = "not_made",
  };
  return names[tried->end];
}

FunctionTriedMark functions_mark(const EvidenceTried *tried)
{
  if (tried->end == TRIED_WRONG || tried->end == TRIED_NO_RETURN) return TRIED_IS_BAD;
  if (tried->end == TRIED_RIGHT) return TRIED_IS_GOOD;
  bool refused = tried->end == TRIED_REFUSED;
  if (tried->promise == TRIED_EXCLUDED) return refused ? TRIED_IS_GOOD : TRIED_IS_BAD;
  if (tried->promise == TRIED_PROMISED) return refused ? TRIED_IS_BAD : TRIED_IS_GOOD;
  return TRIED_IS_OPEN;
}

static bool tried_alike(const EvidenceTried *a, const EvidenceTried *b)
{
  return a->promise == b->promise && a->end == b->end && strcmp(a->what, b->what) == 0;
}

// Adds `count` to what this line would have judged, whatever the reasons are, or, without a line, to
// what could not be judged for this reason. Without memory it is left out.
static void add_unjudged(FunctionFacts *facts, const char *why, const char *line, size_t count)
{
  for (size_t i = 0; i < facts->unjudged_count; ++i) {
    FunctionUnjudged *known = &facts->unjudged[i];
    if (strcmp(known->line, line) != 0 || (!line[0] && strcmp(known->why, why) != 0)) continue;
    known->count += count;
    return;
  }
  FunctionUnjudged *more =
      realloc(facts->unjudged, (facts->unjudged_count + 1) * sizeof *facts->unjudged);
  if (!more) return;
  facts->unjudged = more;
  FunctionUnjudged *last = &more[facts->unjudged_count++];
  snprintf(last->why, sizeof last->why, "%s", why);
  snprintf(last->line, sizeof last->line, "%s", line);
  last->count = count;
}

static void add_tried(FunctionFacts *facts, const EvidenceTried *tried)
{
  if (tried->settled[0])
    add_unjudged(facts,
                 tried->end == TRIED_OPEN ? "no call was judged of what is stated"
                 : tried->end == TRIED_REFUSED
                     ? "refused, and it is not known whether that is right"
                     : "served, and it is not known whether that is right",
                 tried->settled, tried->times);
  if (tried->end == TRIED_OPEN) return;
  for (size_t i = 0; i < facts->tried_count; ++i)
    if (tried_alike(&facts->tried[i], tried)) {
      facts->tried[i].times += tried->times;
      return;
    }
  if (!facts->tried) facts->tried = calloc(FUNCTION_TRIED_MAX, sizeof *facts->tried);
  if (!facts->tried || facts->tried_count >= FUNCTION_TRIED_MAX)
    ++facts->tried_more;
  else
    facts->tried[facts->tried_count++] = *tried;
}

// --- What could not be judged --------------------------------------------------------------------

// What a signature file has to say of the first parameter without an example.
static void say_missing_example(SignatureLine *line, const Kernel *kernel,
                                const Signature *signature)
{
  // A file has said it: that no call could be made of it is for no line to change.
  if (signature && signature->origin == SIGNATURE_FROM_FILE && !signature->tentative) return;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    bool unclear = parameter->kind == KERNEL_ANY || parameter->kind == KERNEL_OBJECT;
    if (parameter->kind == KERNEL_TENSOR && !parameter->typed) {
      signature_say(line, "\"parameters[%u]\": {\"dtype\": \"float32\", \"shape\": \"n\"}", i);
      return;
    }
    if (unclear && !parameter->optional) {
      signature_say(line, "\"parameters[%u]\": {\"kind\": \"...\"}", i);
      return;
    }
  }
  signature_say(line, "\"tentative\": false");
}

// Of an output that has a name, else of the last tensor where nothing is returned, else of the result.
static void say_expected(SignatureLine *line, const Kernel *kernel)
{
  uint32_t last = kernel->parameter_count;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->kind != KERNEL_TENSOR) continue;
    last = i;
    if (!parameter->typed || parameter->role == KERNEL_IN || !parameter->name[0]) continue;
    signature_say(line, "\"expected\": {\"%s\": \"...\"}", parameter->name);
    return;
  }
  if (kernel->result.kind != KERNEL_NONE || last == kernel->parameter_count) {
    signature_say(line, "\"expected\": {\"result\": \"...\"}");
    return;
  }
  const char *name = kernel->parameters[last].name;
  signature_say(line, "\"parameters[%u]\": {\"name\": \"%s\", \"role\": \"out\"}, ", last,
                name[0] ? name : "y");
  signature_say(line, "\"expected\": {\"%s\": \"...\"}", name[0] ? name : "y");
}

// The line of the signature file by which a case with these needs would apply. False if it is not
// for want of a line that it does not.
static bool find_line(const FunctionFacts *facts, unsigned needs, char text[FUNCTION_LINE_MAX])
{
  const Kernel *kernel = facts->kernel;
  const Signature *signature = facts->signature;
  bool returns =
      kernel->result.kind != KERNEL_ANY || (signature && signature->forms.count &&
                                            signature_form(signature, 0)->result != SIGNATURE_NONE);
  SignatureLine line = {text, FUNCTION_LINE_MAX, 0};
  text[0] = '\0';
  if (kernel->source == KERNEL_UNKNOWN && (needs & KERNEL_NEEDS_ARITY))
    signature_say(&line, "\"%.80s\": {\"parameters\": [...]}", kernel->name);
  else if ((needs & KERNEL_NEEDS_EXAMPLE) && !kernel_has_example(kernel))
    say_missing_example(&line, kernel, signature);
  else if ((needs & KERNEL_NEEDS_RESULT) && !returns)
    signature_say(&line, "\"result\": {\"kind\": \"...\"}");
  else if ((needs & KERNEL_NEEDS_EXPECTED) && !kernel->expected[0])
    say_expected(&line, kernel);
  return text[0] != '\0';
}

static void add_skip(FunctionFacts *facts, const CaseResult *result)
{
  char line[FUNCTION_LINE_MAX];
  bool settled = result->outcome.kind == OUTCOME_NOT_RUN &&
                 find_line(facts, result->instance->test->needs, line);
  if (settled)
    add_unjudged(facts, result->reason, line, 1);
  else if (!result->not_applicable && result->outcome.kind == OUTCOME_NOT_RUN)
    add_unjudged(facts, result->reason, "", 1);
}

// --- All functions -------------------------------------------------------------------------------

static void add_result(const RunReport *report, FunctionFacts *facts, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  for (size_t i = 0; i < outcome->tried_count; ++i) add_tried(facts, &outcome->tried[i]);
  facts->tried_more += outcome->tried_more;
  if (result->verdict == VERDICT_SKIP) add_skip(facts, result);
  if (result->verdict == VERDICT_INCONCLUSIVE) add_unjudged(facts, result->reason, "", 1);
  facts->passed += result->verdict == VERDICT_PASS;
  bool counts = judge_counts_against(report, result);
  if (!counts && result->verdict != VERDICT_FAIL && result->verdict != VERDICT_INCONCLUSIVE) return;
  if (!facts->worst || (counts && facts->failed + facts->inconclusive == 0)) facts->worst = result;
  facts->failed += counts && result->verdict != VERDICT_INCONCLUSIVE;
  facts->inconclusive += counts && result->verdict == VERDICT_INCONCLUSIVE;
  facts->warned += !counts;
}

FunctionFacts *functions_of(const RunReport *report)
{
  const KernelList *kernels = report->kernels;
  if (!kernels || !kernels->count) return NULL;
  FunctionFacts *functions = calloc(kernels->count, sizeof *functions);
  if (!functions) return NULL;
  for (size_t i = 0; i < kernels->count; ++i) {
    functions[i].kernel = &kernels->items[i];
    functions[i].signature = kernel_list_signature(kernels, i);
  }
  for (size_t i = 0; i < report->result_count; ++i) {
    const CaseResult *result = &report->results[i];
    if (!result->instance->kernel) continue;
    size_t place = kernel_list_index(kernels, result->instance->kernel);
    if (place < kernels->count) add_result(report, &functions[place], result);
  }
  return functions;
}

void functions_free(FunctionFacts *functions, const RunReport *report)
{
  for (size_t i = 0; functions && i < report->kernels->count; ++i) {
    free(functions[i].tried);
    free(functions[i].unjudged);
  }
  free(functions);
}
