// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_outcome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "report/json_build.h"
#include "run/signal_name.h"

// --- Noting --------------------------------------------------------------------------------------

// `items` with room for one more; NULL (and `items` as it was) if memory is out.
static void *grow(ReplayOutcome *outcome, void *items, size_t count, size_t size)
{
  void *grown = realloc(items, (count + 1) * size);
  if (!grown) outcome->failed = true;
  return grown;
}

static void add_differences(ReplayOutcome *outcome, const ReplayShared *shared, unsigned process,
                            unsigned runtime)
{
  unsigned count = atomic_load(&shared->difference_count);
  for (unsigned i = 0; i < count && i < REPLAY_DIFFERENCES_MAX; ++i) {
    ReplayFound *grown =
        grow(outcome, outcome->found, outcome->found_count, sizeof *outcome->found);
    if (!grown) return;
    outcome->found = grown;
    grown[outcome->found_count++] = (ReplayFound){shared->differences[i], process, runtime};
  }
}

// Adds those of a process to those of the ones before.
static void add_reasons(ReplayOutcome *outcome, const ReplayShared *shared)
{
  unsigned count = atomic_load(&shared->reason_count);
  for (unsigned i = 0; i < count && i < REPLAY_REASONS_MAX; ++i) {
    const ReplayReason *reason = &shared->reasons[i];
    size_t place = 0;
    while (place < outcome->reason_count &&
           strncmp(outcome->reasons[place].why, reason->why, REPLAY_TEXT_MAX) != 0)
      ++place;
    if (place < outcome->reason_count)
      outcome->reasons[place].count += reason->count;
    else if (place < REPLAY_REASONS_MAX)
      outcome->reasons[outcome->reason_count++] = *reason;
  }
}

void replay_outcome_add(ReplayOutcome *outcome, const ReplayShared *shared, unsigned process,
                        unsigned runtime)
{
  add_differences(outcome, shared, process, runtime);
  add_reasons(outcome, shared);
  outcome->same += atomic_load(&shared->same);
  outcome->explained += atomic_load(&shared->explained);
  outcome->left_out += atomic_load(&shared->left_out);
  for (size_t i = 0; i < REPLAY_CLASSES; ++i)
    outcome->differing[i] += atomic_load(&shared->differing[i]);
}

void replay_outcome_end(ReplayOutcome *outcome, const ReplayEnded *ended)
{
  ReplayEnded *grown = grow(outcome, outcome->ended, outcome->ended_count, sizeof *ended);
  if (!grown) {
    free(ended->event);
    return;
  }
  outcome->ended = grown;
  grown[outcome->ended_count++] = *ended;
}

uint64_t replay_outcome_differing(const ReplayOutcome *outcome)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < REPLAY_CLASSES; ++i) sum += outcome->differing[i];
  return sum;
}

static uint64_t replayed(const ReplayOutcome *outcome)
{
  return outcome->same + outcome->explained + replay_outcome_differing(outcome);
}

const char *replay_outcome_standing(const ReplayOutcome *outcome)
{
  if (replay_outcome_differing(outcome) || outcome->ended_count) return "DIFFERENT";
  return replayed(outcome) ? "SAME" : "INCONCLUSIVE";
}

void replay_outcome_free(ReplayOutcome *outcome)
{
  for (size_t i = 0; i < outcome->ended_count; ++i) free(outcome->ended[i].event);
  free(outcome->ended);
  free(outcome->found);
  *outcome = (ReplayOutcome){.recording = NULL};
}

// --- Text ----------------------------------------------------------------------------------------

static void print_line(FILE *out, const char *label, const char *text, size_t size)
{
  char *clean = clean_text(text, strnlen(text, size), 0);
  fprintf(out, "    %-11s %s\n", label, clean ? clean : "");
  free(clean);
}

static void print_difference(FILE *out, const ReplayDifference *difference)
{
  char *call = clean_array(difference->call, 0);
  fprintf(out, "%s event %" PRIu64 ": %s\n",
          *difference->why ? "differs for a known reason:" : "differs:", difference->serial,
          call ? call : "");
  free(call);
  print_line(out, "recorded", difference->recorded, sizeof difference->recorded);
  print_line(out, "came back", difference->came, sizeof difference->came);
  if (*difference->why) print_line(out, "reason", difference->why, sizeof difference->why);
  if (difference->count > 1) fprintf(out, "    %" PRIu64 " times\n", difference->count);
}

static void print_differences(FILE *out, const ReplayOutcome *outcome, size_t limit)
{
  size_t shown = 0;
  for (int explained = 0; explained < 2; ++explained)
    for (size_t i = 0; i < outcome->found_count; ++i) {
      const ReplayDifference *difference = &outcome->found[i].difference;
      if (!*difference->why == (bool)explained || (limit && shown == limit)) continue;
      print_difference(out, difference);
      ++shown;
    }
  if (shown < outcome->found_count)
    fprintf(out, "%zu more differences (--limit=0 shows all)\n", outcome->found_count - shown);
}

static void print_ended(FILE *out, const ReplayEnded *ended)
{
  char name[SIGNAL_NAME_MAX];
  fprintf(out, "differs: event %" PRIu64, ended->serial);
  if (ended->how == REPLAY_HUNG)
    fprintf(out, " did not come to an end in %d s\n", ended->number);
  else if (ended->how == REPLAY_CRASHED)
    fprintf(out, ": crashed with %s\n", signal_name(ended->number, name));
  else
    fprintf(out, ": called exit(%d)\n", ended->number);
  char *clean = ended->event ? clean_string(ended->event, CLEAN_LINES) : NULL;
  if (clean && *clean) fprintf(out, "    recorded    %s", clean);
  free(clean);
}

static void print_reasons(FILE *out, const ReplayOutcome *outcome)
{
  for (size_t i = 0; i < outcome->reason_count; ++i) {
    const ReplayReason *reason = &outcome->reasons[i];
    char *why = clean_array(reason->why, 0), *call = clean_array(reason->call, 0);
    fprintf(out,
            "could not be replayed, %" PRIu64 " time%s: %s\n    first       event %" PRIu64
            ": %s\n",
            reason->count, reason->count == 1 ? "" : "s", why ? why : "", reason->serial,
            call ? call : "");
    free(why);
    free(call);
  }
  if (outcome->forked)
    fprintf(out, "could not be replayed: %u process%s that others were forked into\n",
            outcome->forked, outcome->forked == 1 ? "" : "es");
}

void replay_outcome_print(FILE *out, const ReplayOutcome *outcome, size_t limit)
{
  char explained[64] = "";
  if (outcome->explained)
    snprintf(explained, sizeof explained, ", %" PRIu64 " more for known reasons",
             outcome->explained);
  print_differences(out, outcome, limit);
  for (size_t i = 0; i < outcome->ended_count; ++i) print_ended(out, &outcome->ended[i]);
  print_reasons(out, outcome);
  fprintf(out,
          "%s: %s: %" PRIu64 " calls replayed, %" PRIu64 " differ%s; %" PRIu64
          " could not be replayed\n",
          outcome->library, replay_outcome_standing(outcome), replayed(outcome),
          replay_outcome_differing(outcome), explained, outcome->left_out);
}

// --- JSON ----------------------------------------------------------------------------------------

static const char *const class_names[REPLAY_CLASSES] = {
    [REPLAY_MISSING] = "missing", [REPLAY_OUTCOME] = "outcome", [REPLAY_ERROR] = "error",
    [REPLAY_VALUE] = "value",     [REPLAY_TENSOR] = "tensor",   [REPLAY_CALLBACK] = "callback"};

#define CLEAN(text) json_clean((text), strnlen((text), sizeof(text)), false)

static json_t *difference_json(JsonBuild *build, const ReplayFound *found)
{
  const ReplayDifference *from = &found->difference;
  json_t *object = json_object();
  json_put(build, object, "process", json_integer(found->process));
  json_put(build, object, "runtime", json_integer(found->runtime));
  json_put(build, object, "event", json_unsigned(from->serial));
  json_put(build, object, "count", json_unsigned(from->count));
  json_put(build, object, "class",
           json_string(from->kind < REPLAY_CLASSES ? class_names[from->kind] : "value"));
  json_put(build, object, "call", CLEAN(from->call));
  json_put(build, object, "recorded", CLEAN(from->recorded));
  json_put(build, object, "came_back", CLEAN(from->came));
  json_put(build, object, "reason", *from->why ? CLEAN(from->why) : json_null());
  return object;
}

static json_t *ended_json(JsonBuild *build, const ReplayEnded *from)
{
  static const char *const hows[] = {
      [REPLAY_CRASHED] = "crash", [REPLAY_EXITED] = "exit", [REPLAY_HUNG] = "hang"};
  char name[SIGNAL_NAME_MAX];
  json_t *object = json_object();
  json_put(build, object, "process", json_integer(from->process));
  json_put(build, object, "event", json_unsigned(from->serial));
  json_put(build, object, "how", json_string(hows[from->how]));
  json_put(
      build, object, "signal",
      from->how == REPLAY_CRASHED ? json_string(signal_name(from->number, name)) : json_null());
  json_put(build, object, "exit_code",
           from->how == REPLAY_EXITED ? json_integer(from->number) : json_null());
  json_put(build, object, "recorded", json_clean_or_null(from->event));
  return object;
}

static json_t *reason_json(JsonBuild *build, const ReplayReason *from)
{
  json_t *object = json_object();
  json_put(build, object, "reason", CLEAN(from->why));
  json_put(build, object, "count", json_unsigned(from->count));
  json_put(build, object, "event", json_unsigned(from->serial));
  json_put(build, object, "call", CLEAN(from->call));
  return object;
}

static json_t *counts_json(JsonBuild *build, const ReplayOutcome *outcome)
{
  json_t *object = json_object(), *classes = json_object();
  json_put(build, object, "replayed", json_unsigned(replayed(outcome)));
  json_put(build, object, "same", json_unsigned(outcome->same));
  json_put(build, object, "differ", json_unsigned(replay_outcome_differing(outcome)));
  json_put(build, object, "differ_for_known_reasons", json_unsigned(outcome->explained));
  json_put(build, object, "not_replayed", json_unsigned(outcome->left_out));
  json_put(build, object, "forked_processes", json_integer(outcome->forked));
  for (size_t i = 0; i < REPLAY_CLASSES; ++i)
    json_put(build, classes, class_names[i], json_unsigned(outcome->differing[i]));
  json_put(build, object, "differ_by_class", classes);
  return object;
}

static json_t *standing_json(const ReplayOutcome *outcome)
{
  char standing[16] = "";
  const char *from = replay_outcome_standing(outcome);
  for (size_t i = 0; from[i] && i + 1 < sizeof standing; ++i)
    standing[i] = (char)(from[i] - 'A' + 'a');
  return json_string(standing);
}

int replay_outcome_save(const ReplayOutcome *outcome, const char *path, char *error,
                        size_t error_size)
{
  JsonBuild build = {.failed = outcome->failed};
  json_t *root = json_object(), *differences = json_array(), *ended = json_array();
  json_t *reasons = json_array();
  for (size_t i = 0; i < outcome->found_count; ++i)
    json_add(&build, differences, difference_json(&build, &outcome->found[i]));
  for (size_t i = 0; i < outcome->ended_count; ++i)
    json_add(&build, ended, ended_json(&build, &outcome->ended[i]));
  for (size_t i = 0; i < outcome->reason_count; ++i)
    json_add(&build, reasons, reason_json(&build, &outcome->reasons[i]));
  json_put(&build, root, "format", json_string("tvmffi-conform-replay/1"));
  json_put(&build, root, "suite", json_suite(&build));
  json_put(&build, root, "recording", json_clean_string(outcome->recording));
  json_put(&build, root, "library", json_clean_string(outcome->library));
  json_put(&build, root, "reported_version", json_clean_or_null(outcome->version));
  json_put(&build, root, "standing", standing_json(outcome));
  json_put(&build, root, "counts", counts_json(&build, outcome));
  json_put(&build, root, "differences", differences);
  json_put(&build, root, "ended", ended);
  json_put(&build, root, "not_replayed", reasons);
  return json_save(root, build.failed, "the JSON report", path, error, error_size);
}
