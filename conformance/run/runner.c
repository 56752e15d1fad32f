// SPDX-License-Identifier: Apache-2.0
#include "run/runner.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/children.h"
#include "run/excess.h"
#include "run/foreign_libc.h"
#include "run/hangs.h"
#include "run/observation.h"
#include "run/orphans.h"
#include "run/progress.h"
#include "run/signal_name.h"
#include "run/slot.h"
#include "run/worker_start.h"

enum { JOBS_MAX = 64, START_FAILURES_MAX = 5, ELDERS_MAX = 64 };
static const uint64_t warm_up_worth_ns = 1000000;

enum { OUTPUT_MAX = 32 << 20, WATCH_COST = 10 };
static const uint64_t watch_ns = 50000000;
static const char too_much_output[] = "ended by the suite: it wrote more than 32 MiB";

struct Runner {
  RunConfig config;
  WorkerStart worker;
  Slot slots[JOBS_MAX];
  unsigned jobs;
  uint64_t load_ns;  // how long the library takes to load, if each case loads it again; else 0
  uint32_t version;
  AbiGeneration generation;
  OutcomeKind asked;  // how the last child ended that was asked something
  Hangs hangs;
  uint64_t slow_ns;  // that cases took whose time was up while calls still came back
  uint64_t next_watch_ns;
  bool warm_up;              // workers take a backtrace before they fork
  unsigned failed_starts;    // in a row, without a case in between
  pid_t elders[ELDERS_MAX];  // children of this process that were there before
  size_t elder_count;
};

// --- Starting and ending -------------------------------------------------------------------------

static unsigned count_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > JOBS_MAX ? JOBS_MAX : (unsigned)count;
}

static Runner *prepare(const RunConfig *config)
{
  Runner *runner = calloc(1, sizeof *runner);
  if (!runner) return NULL;
  runner->config = *config;
  runner->hangs.budget_ns = config->hang_budget_ns;
  runner->version = UINT32_MAX;
  runner->jobs = config->jobs == 0         ? count_processors()
                 : config->jobs > JOBS_MAX ? JOBS_MAX
                                           : config->jobs;
  worker_start_prepare(&runner->worker, config);
  for (unsigned i = 0; i < JOBS_MAX; ++i) {
    Slot *slot = &runner->slots[i];
    slot->control = slot->output = slot->process = slot->evidence_fd = -1;
  }
  return runner;
}

// --- Waiting -------------------------------------------------------------------------------------

static bool is_interrupted(const Runner *runner)
{
  return runner->config.interrupted && *runner->config.interrupted;
}

// Ends what has not been ended yet. What a constructor does ends with the process that it is in.
static void stop(Slot *slot, const char *why)
{
  if (slot->stopped || slot->timed_out) return;
  slot->stopped = why;
  slot_kill_case(slot);
}

// Looks, every now and then, for cases of which there are too many processes and threads. Most cases
// end before the first look.
static void watch_slots(Runner *runner)
{
  pid_t workers[JOBS_MAX];
  Slot *slots[JOBS_MAX];
  ChildrenToll tolls[JOBS_MAX];
  size_t count = 0;
  uint64_t now = slot_now_ns();
  if (now < runner->next_watch_ns) return;
  for (unsigned i = 0; i < runner->jobs; ++i) {
    Slot *slot = &runner->slots[i];
    if (slot->state != SLOT_LOADING && slot->state != SLOT_BUSY) continue;
    if (slot->stopped || slot->timed_out || now - slot->started_ns < watch_ns) continue;
    slots[count] = slot;
    workers[count++] = slot->pid;
  }
  if (count && !excess_is_possible(runner->config.memory_most)) count = 0;
  if (count) children_count(workers, count, tolls);
  for (size_t i = 0; i < count; ++i) {
    const char *why = excess_of(&tolls[i], runner->config.memory_most);
    if (why) stop(slots[i], why);
  }
  uint64_t cost = slot_now_ns() - now;
  runner->next_watch_ns = now + (WATCH_COST * cost > watch_ns ? WATCH_COST * cost : watch_ns);
}

// What poll tells of the three descriptors of a slot. The output comes behind the control: what a case
// wrote before its end was reported is seen.
static void note_events(Slot *slot, const struct pollfd polled[3])
{
  slot->replied = polled[0].revents != 0;
  slot->silent = slot->replied && polled[1].revents == 0;
  slot->ended = polled[2].revents != 0;
}

// Waits until something can be read from a slot, a deadline has passed, a look is due, or a signal
// came. Output is drained.
static void wait_for_slots(Runner *runner)
{
  struct pollfd polled[3 * JOBS_MAX];
  uint64_t now = slot_now_ns();
  uint64_t nearest = now < runner->next_watch_ns ? runner->next_watch_ns : now + watch_ns;
  nfds_t count = 0;
  for (unsigned i = 0; i < runner->jobs; ++i) {
    const Slot *slot = &runner->slots[i];
    if (slot->state != SLOT_LOADING && slot->state != SLOT_BUSY) continue;
    polled[count++] = (struct pollfd){.fd = slot->control, .events = POLLIN};
    polled[count++] = (struct pollfd){.fd = slot->output, .events = POLLIN};
    polled[count++] = (struct pollfd){.fd = slot->process, .events = POLLIN};
    if (slot->deadline_ns < nearest) nearest = slot->deadline_ns;
  }
  int timeout = nearest > now ? (int)((nearest - now) / 1000000) + 1 : 0;
  bool any = count && poll(polled, count, timeout) > 0;
  for (unsigned i = 0, at = 0; any && i < runner->jobs; ++i) {
    Slot *slot = &runner->slots[i];
    const bool watched = slot->state == SLOT_LOADING || slot->state == SLOT_BUSY;
    if (slot->state != SLOT_CLOSED && (!watched || polled[at + 1].revents)) slot_drain(slot);
    if (!watched) continue;
    note_events(slot, &polled[at]);
    at += 3;
    if (slot->state == SLOT_BUSY && slot->text_total > OUTPUT_MAX) stop(slot, too_much_output);
  }
  watch_slots(runner);
}

// Closes a slot in the middle of a run, and ends what its worker left to this process.
static void close_slot(Runner *runner, Slot *slot)
{
  pid_t spared[ELDERS_MAX + 2 * JOBS_MAX];
  size_t count = runner->elder_count;
  slot_close(slot);
  memcpy(spared, runner->elders, count * sizeof *spared);
  for (unsigned i = 0; i < runner->jobs; ++i)
    if (runner->slots[i].pid > 0) spared[count++] = runner->slots[i].pid;
  for (unsigned i = 0; i < runner->jobs; ++i)
    if (runner->slots[i].keeper > 0) spared[count++] = runner->slots[i].keeper;
  orphans_end(spared, count);
}

// --- Loading -------------------------------------------------------------------------------------

static bool start_slot(Runner *runner, Slot *slot, char *error, size_t error_size)
{
  if (!slot_open(slot, &runner->worker.command, error, error_size)) return false;
  slot->deadline_ns = slot->started_ns + runner->config.load_limit_ns;
  return true;
}

// How a worker ended that did not say that the library was loaded; it may be that what was to run
// the worker did not come as far as that.
static RunStatus describe_failed_load(Runner *runner, Slot *slot, bool timed_out, char *error,
                                      size_t size)
{
  // A moment's grace, to tell a process that ended from one whose descriptors were closed.
  char name[SIGNAL_NAME_MAX];
  int status = 0;
  bool ended = false;
  for (int i = 0; i < 50 && !timed_out && !ended; ++i) {
    ended = waitpid(slot->pid, &status, WNOHANG) == slot->pid;
    if (!ended) usleep(2000);
  }
  if (ended) slot->pid = 0;
  double limit = (double)runner->config.load_limit_ns / 1e9;
  const char *const *wrapper = runner->worker.command.wrapper;
  // What ends with 127 could not be executed, or lacks a library.
  bool ours = ended && !atomic_load(&slot->evidence->began) &&
              (wrapper || (WIFEXITED(status) && WEXITSTATUS(status) == 127));
  int length = 0;
  if (ours) {
    slot_explain_end(runner->config.worker, wrapper ? wrapper[0] : NULL, status, error, size);
    length = (int)strlen(error);
  } else if (slot->stopped)
    length = snprintf(error, size, "loading it was %s", slot->stopped);
  else if (timed_out)
    length =
        snprintf(error, size, "loading it did not end within %g s (its constructors hang)", limit);
  else if (!ended || slot->evidence->end == EVIDENCE_INCONCLUSIVE)
    length = snprintf(error, size, "a constructor closed the descriptors of its process");
  else if (WIFSIGNALED(status))
    length = snprintf(error, size, "loading it crashed: %s (%s) in a constructor",
                      strsignal(WTERMSIG(status)), signal_name(WTERMSIG(status), name));
  else
    length = snprintf(error, size, "loading it ended the process: a constructor called exit(%d)",
                      WEXITSTATUS(status));
  slot_drain(slot);
  while (slot->text_size && slot->text[slot->text_size - 1] == '\n') --slot->text_size;
  if (slot->text_size && (size_t)length < size)
    snprintf(error + length, size - (size_t)length, "\noutput: %.*s", (int)slot->text_size,
             slot->text);
  close_slot(runner, slot);
  return ours ? RUN_SUITE_FAULT : RUN_CANNOT_LOAD;
}

// Takes the answer to loading. True once the slot is idle or has failed; `status` and `error` tell
// which.
static bool take_ready(Runner *runner, unsigned index, WorkerReply *reply, RunStatus *status,
                       char *error, size_t error_size)
{
  Slot *slot = &runner->slots[index];
  int got = slot->stopped ? -1 : slot_reply(slot, reply);
  if (got == 0 && slot_now_ns() < slot->deadline_ns) return false;
  *status = RUN_CANNOT_LOAD;
  if (got <= 0) {
    *status = describe_failed_load(runner, slot, got == 0, error, error_size);
  } else if (reply->answer == WORKER_CANNOT_LOAD) {
    snprintf(error, error_size, "dlopen failed: %s", reply->text);
    slot_close(slot);
  } else if (reply->answer != WORKER_READY || reply->battery != case_registry_digest()) {
    *status = RUN_SUITE_FAULT;
    snprintf(error, error_size, "the worker is from another build: %s", runner->config.worker);
    slot_close(slot);
  } else {
    *status = RUN_OK;
    slot->state = SLOT_IDLE;
  }
  if (*status == RUN_CANNOT_LOAD)
    foreign_libc_explain(runner->config.library, runner->config.worker, error, error_size);
  return true;
}

// Notices that a worker is ready, or could not be started.
static void serve_loading(Runner *runner, unsigned index)
{
  Slot *slot = &runner->slots[index];
  WorkerReply reply;
  RunStatus status;
  char error[512];
  if (slot->state != SLOT_LOADING ||
      !take_ready(runner, index, &reply, &status, error, sizeof error))
    return;
  slot->silent = false;
  runner->failed_starts += status != RUN_OK;
  // A child handled it, a worker did not: the library is not warmed up then.
  if (status != RUN_OK && slot->warm) runner->warm_up = false;
}

// Waits for the slot, while the others get ready: what they have to say must not wake us over and over.
static void wait_for_slot(Runner *runner, unsigned index)
{
  wait_for_slots(runner);
  for (unsigned i = 0; i < runner->jobs; ++i)
    if (i != index) serve_loading(runner, i);
}

// --- What is asked before the cases --------------------------------------------------------------

// Runs `command` in a child of the first slot, under the time limit of a case. True if the child
// sealed its evidence; a library that crashes here is judged by the cases.
static bool ask_about(Runner *runner, WorkerCommand command, const Kernel *kernel,
                      const Signature *signature)
{
  Slot *slot = &runner->slots[0];
  WorkerReply reply;
  int got = 0;
  WorkerRequest request = {
      .command = command, .version = runner->version, .generation = runner->generation};
  const WorkerSubject subject = {.kernel = kernel, .signature = signature};
  if (slot->state != SLOT_IDLE || !slot_request_about(slot, request, &subject)) return false;
  slot->deadline_ns = slot->started_ns + runner->config.case_limit_ns;
  while ((got = slot_reply(slot, &reply)) == 0 && !is_interrupted(runner)) {
    if (slot_now_ns() >= slot->deadline_ns) {
      if (slot->timed_out || slot->stopped) break;
      slot->timed_out = true;
      slot_kill_case(slot);
    }
    wait_for_slot(runner, 0);
  }
  slot->silent = false;
  if (got != 1) {
    close_slot(runner, slot);
    return false;
  }
  slot->state = SLOT_IDLE;
  Outcome outcome = observe_end(slot, reply.status, runner->config.library);
  runner->asked = outcome.kind;
  outcome_clear(&outcome);
  return runner->asked == OUTCOME_SEALED;
}

static bool ask(Runner *runner, WorkerCommand command)
{
  return ask_about(runner, command, NULL, NULL);
}

unsigned runner_ask_scopes(Runner *runner)
{
  return ask(runner, WORKER_ASK_SCOPES) ? runner->slots[0].evidence->scopes : 0;
}

static void ask_to_warm_up(Runner *runner, Slot *slot)
{
  if (!slot_request(slot, (WorkerRequest){.command = WORKER_WARM_UP})) {
    slot_close(slot);
    return;
  }
  slot->warm = true;
  slot->state = SLOT_LOADING;
  slot->deadline_ns = slot->started_ns + runner->config.case_limit_ns;
}

Slot *runner_slot(Runner *runner, unsigned index, char *error, size_t error_size)
{
  Slot *slot = &runner->slots[index];
  WorkerReply reply;
  RunStatus status = RUN_OK;
  if (slot->state == SLOT_CLOSED && !start_slot(runner, slot, error, error_size)) return NULL;
  for (;;) {
    if (slot->state == SLOT_IDLE && runner->warm_up && !slot->warm) ask_to_warm_up(runner, slot);
    if (slot->state != SLOT_LOADING || is_interrupted(runner)) break;
    if (!take_ready(runner, index, &reply, &status, error, error_size))
      wait_for_slot(runner, index);
  }
  if (slot->state == SLOT_CLOSED && slot->warm) runner->warm_up = false;
  return slot->state == SLOT_IDLE ? slot : NULL;
}

// Waits until the first slot has a worker that can be asked.
static bool revive_first_slot(Runner *runner)
{
  char error[512];
  return runner_slot(runner, 0, error, sizeof error) != NULL;
}

uint32_t runner_speak(Runner *runner, AbiGeneration generation)
{
  runner->generation = generation;
  if (generation == ABI_GENERATION_2025_09)
    runner->version = ABI_VERSION_2025_09;
  else if (runner->version < ABI_VERSION(0, 1, 0))
    runner->version = UINT32_MAX;
  return runner->version;
}

static char *ask_text(Runner *runner, WorkerCommand command, const Kernel *kernel,
                      const Signature *signature, bool *cut)
{
  if (!revive_first_slot(runner) || !ask_about(runner, command, kernel, signature)) return NULL;
  const Evidence *evidence = runner->slots[0].evidence;
  uint32_t size = evidence->text_size;
  if (size == 0 || size >= EVIDENCE_TEXT_MAX) return NULL;
  *cut = size == EVIDENCE_TEXT_MAX - 1;
  return strndup(evidence->text, size);
}

char *runner_ask_metadata(Runner *runner, const Kernel *kernel, bool *cut)
{
  return ask_text(runner, WORKER_ASK_METADATA, kernel, NULL, cut);
}

char *runner_ask_device(Runner *runner, const Kernel *kernel, OutcomeKind *end)
{
  bool cut;
  runner->asked = OUTCOME_LOST;
  char *text = ask_text(runner, WORKER_ASK_DEVICE, kernel, NULL, &cut);
  *end = runner->asked;
  return text;
}

char *runner_probe(Runner *runner, const Kernel *call, const Signature *signature, OutcomeKind *end)
{
  bool cut;
  runner->asked = OUTCOME_LOST;
  char *text = ask_text(runner, WORKER_PROBE, call, signature, &cut);
  *end = runner->asked;
  return text;
}

// Every fork would pay again for what a library prepares at its first backtrace. If that is a lot,
// the workers take one before they fork: a child has shown that the library handles it.
static bool is_warming_up_worth_it(Runner *runner)
{
  bool has_one = runner->config.runtime || runner->config.library->exports[FN_Backtrace];
  return has_one && ask(runner, WORKER_TIME_BACKTRACE) &&
         runner->slots[0].evidence->duration_ns > warm_up_worth_ns;
}

// From here on each case loads the library itself. Those who have it loaded make room for workers
// that have not.
static void load_anew(Runner *runner, uint64_t load_ns)
{
  for (unsigned i = 0; i < runner->jobs; ++i)
    if (runner->slots[i].state != SLOT_CLOSED) slot_close(&runner->slots[i]);
  runner->worker.command.anew = true;
  runner->load_ns = load_ns;
}

// Takes charge of what the library starts: the children that it leaves behind become ours.
static void adopt_orphans(Runner *runner)
{
  // A shell that started others before it became this program has left them to it: they are not the
  // library's.
  if (waitpid(-1, NULL, WNOHANG) >= 0)
    runner->elder_count = children_list(getpid(), runner->elders, ELDERS_MAX);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGCHLD, SIG_DFL);  // ignored, as some parents leave it, children could not be waited for
}

// Starts the workers, and waits until the first has loaded the library. False, with `status` and
// words for people, if it does not.
static bool load(Runner *runner, WorkerReply *reply, RunStatus *status, char *error,
                 size_t error_size)
{
  bool lasting = runner->config.isolation != RUN_ISOLATION_EXEC;
  if (!start_slot(runner, &runner->slots[0], error, error_size)) return false;
  for (unsigned i = 1; i < runner->jobs && lasting; ++i) {
    char ignored[128];
    if (!start_slot(runner, &runner->slots[i], ignored, sizeof ignored)) break;
  }
  while (!take_ready(runner, 0, reply, status, error, error_size)) {
    if (is_interrupted(runner)) return false;
    wait_for_slot(runner, 0);
  }
  return *status == RUN_OK;
}

// Whether each case needs a worker of its own: a fork would lose the threads of the library.
static bool needs_fresh_workers(const RunConfig *config, const WorkerReply *reply)
{
  if (config->isolation != RUN_ISOLATION_AUTO) return config->isolation == RUN_ISOLATION_EXEC;
  return reply->threads > 1 && !(config->library->sanitizers & INSPECT_THREAD_SANITIZER);
}

Runner *runner_open(const RunConfig *config, RunLoaded *loaded, RunStatus *status, char *error,
                    size_t error_size)
{
  *status = RUN_SUITE_FAULT;
  snprintf(error, error_size, "out of memory");
  Runner *runner = prepare(config);
  if (!runner) return NULL;
  adopt_orphans(runner);
  WorkerReply reply;
  if (!load(runner, &reply, status, error, error_size)) {
    runner_close(runner);
    return NULL;
  }
  bool anew = needs_fresh_workers(config, &reply);
  uint64_t load_ns = slot_now_ns() - runner->slots[0].started_ns;
  if (ask(runner, WORKER_ASK_VERSION)) runner->version = runner->slots[0].evidence->version;
  unsigned generations = 0;
  if (ask(runner, WORKER_ASK_GENERATION)) generations = runner->slots[0].evidence->generations;
  if (anew)
    load_anew(runner, load_ns);
  else
    runner->warm_up = is_warming_up_worth_it(runner);
  *loaded = (RunLoaded){runner->version, generations,
                        reply.threads,   anew ? RUN_ISOLATION_EXEC : RUN_ISOLATION_FORK,
                        runner->jobs,    ""};
  snprintf(loaded->libc, sizeof loaded->libc, "%.63s", reply.text);
  return runner;
}

// --- Running -------------------------------------------------------------------------------------

uint64_t runner_limit_ns(const Runner *runner, const CaseInstance *instance)
{
  return runner->config.case_limit_ns * (instance->test->patience ? instance->test->patience : 1);
}

static void start_next(Runner *runner, Slot *slot, Progress *progress)
{
  const Together next = progress_next(progress, runner->load_ns != 0);
  if (next.count == 0) return;
  slot->item = next.first;
  slot->items = next.count;
  slot->items_passed = 0;
  const PlanItem *planned = &progress->plan->items[next.first];
  WorkerRequest request = {.command = WORKER_RUN_CASE,
                           .index = planned->index,
                           .version = runner->version,
                           .generation = runner->generation,
                           .rows = (uint32_t)slot->items};
  const CaseInstance *instance = planned->instance;
  WorkerSubject subject = {.kernel = instance->kernel, .signature = instance->signature};
  subject.beside_count = kernel_list_beside(instance->module, instance->kernel, subject.beside);
  if (slot_request_about(slot, request, &subject)) {
    uint64_t full_ns = runner_limit_ns(runner, planned->instance);
    slot->limit_ns = hangs_limit_ns(&runner->hangs, planned->instance, full_ns);
    slot->granted_ns = slot->limit_ns;
    slot->time = (ChildrenTime){0};
    slot->is_watched = false;
    slot->watched_ns = 0;
    slot->extensions = 0;
    // The time for loading is not the case's; it varies, so that twice what it took is granted.
    slot->deadline_ns = slot->started_ns + slot->limit_ns + 2 * runner->load_ns;
    ++progress->running;
    runner->failed_starts = 0;
  } else {
    slot_close(slot);
    for (size_t i = 0; i < next.count; ++i)
      progress_give(progress, next.first + i, observe_lost("the worker ended between two cases"));
  }
}

static bool is_passed(const Outcome *outcome)
{
  return outcome->kind == OUTCOME_SEALED && outcome->end == EVIDENCE_FINISHED &&
         outcome->failed == 0 && outcome->held > 0;
}

// The child is done, or the whole worker went down with it.
static void finish(Runner *runner, unsigned index, const WorkerReply *reply, Progress *progress)
{
  Slot *slot = &runner->slots[index];
  if (!reply || !slot->silent) slot_drain(slot);
  ObservedRows rows = {0};
  Outcome outcome = observe_lost("the case took its worker down with it");
  if (reply || slot->timed_out || slot->stopped)
    outcome = observe_end_of_rows(slot, reply ? reply->status : 0, runner->config.library,
                                  slot->items, &rows);
  const CaseInstance *instance = progress->plan->items[slot->item].instance;
  outcome.limit_ns = slot->limit_ns;
  outcome.limit_shortened = slot->limit_ns < runner_limit_ns(runner, instance);
  if (instance->test->sees_right_call && slot->items == 1 && is_passed(&outcome))
    served_add(&progress->served, instance->kernel);
  --progress->running;
  slot->state = SLOT_IDLE;
  if (!reply) close_slot(runner, slot);
  // With the time that it takes to end what was started.
  // What others had the processors for does not come out of the budget.
  const uint64_t all_ns = slot_now_ns() - slot->started_ns;
  const uint64_t own_ns = all_ns > slot->watched_ns ? all_ns - slot->watched_ns : 0;
  const uint64_t spent_ns = own_ns / (slot->extensions + 1);
  if (outcome.kind == OUTCOME_TIMED_OUT && outcome.calls > 0)
    runner->slow_ns += own_ns;
  else if (outcome.kind == OUTCOME_TIMED_OUT && slot->items == 1)
    hangs_add(&runner->hangs, instance, spent_ns);
  else if (!reply || slot->stopped || reply->left)
    hangs_charge(&runner->hangs, spent_ns);
  if (slot->items == 1) {
    progress_give(progress, slot->item, outcome);
    return;
  }
  progress->slow_groups += slot->timed_out;
  if (!progress_give_rows(progress, (Together){slot->item, slot->items}, &outcome, &rows))
    outcome_clear(&outcome);
}

static bool is_at_work(const Slot *slot)
{
  return atomic_load(&slot->evidence->at_work) != 0;
}

// How many calls have come back, if one did within the time limit of a case, or the suite is at work on what it gave: what
// makes slow calls does not hang. 0: none has, or one takes longer.
static uint32_t calls_that_come_back(const Runner *runner, const Slot *slot)
{
  enum { NS_PER_MS = 1000000 };
  const uint32_t calls = atomic_load(&slot->evidence->calls);
  const uint32_t back_ms = atomic_load(&slot->evidence->back_ms);
  const uint32_t since_ms = (uint32_t)(slot_now_ns() / NS_PER_MS) - back_ms;
  return since_ms < runner->config.case_limit_ns / NS_PER_MS || is_at_work(slot) ? calls : 0;
}

// Slow cases get no more time than they have once this is used up, so that a run ends.
static bool slow_used_up(const Runner *runner)
{
  return runner->hangs.budget_ns && runner->slow_ns >= runner->hangs.budget_ns;
}

// Gives a case as much time again if it was ready to run for a good part of it, and others had the
// processors: what it has not come to is not its fault. What its processes waited that have ended nobody knows: on a
// busy machine a case that has not worked for half of its time, and does now, or could, is taken for one that waits. One
// that sleeps does not work. One whose calls come back has it, too.
static bool extend(const Runner *runner, Slot *slot)
{
  enum { EXTENSIONS_MAX = 3, WAITED_SHARE = 8, WORKED_SHARE = 2, WATCHED_SHARE = 8 };
  static const uint64_t watched_least_ns = 200000000;
  if (slot->extensions == EXTENSIONS_MAX) return false;
  const ChildrenTime last = slot->time, time = children_time(slot->pid);
  const bool watched = slot->is_watched;
  slot->time = time;
  slot->is_watched = false;
  bool starved = time.waited >= last.waited + slot->granted_ns / WAITED_SHARE;
  starved |= calls_that_come_back(runner, slot) > 0 && !slow_used_up(runner);
  starved |= watched && (time.worked > last.worked || time.ready > 0);
  if (!starved && !watched && children_machine_is_busy() &&
      time.worked < last.worked + slot->granted_ns / WORKED_SHARE) {
    const uint64_t share_ns = slot->granted_ns / WATCHED_SHARE;
    slot->is_watched = true;
    const uint64_t more_ns = share_ns > watched_least_ns ? share_ns : watched_least_ns;
    slot->deadline_ns += more_ns;
    slot->watched_ns += more_ns;
    return true;
  }
  if (!starved) return false;
  ++slot->extensions;
  slot->limit_ns += slot->granted_ns;
  slot->deadline_ns += slot->granted_ns;
  return true;
}

// The last call that came back may have been the last one: a case whose calls seem slow is looked at once more, when another
// must have come back.
static bool is_looked_at_again(const Runner *runner, Slot *slot)
{
  const uint32_t calls = calls_that_come_back(runner, slot);
  if (slot->calls_seen > 0) {
    slot->calls = calls > slot->calls_seen || is_at_work(slot) ? calls : 0;
    return false;
  }
  slot->calls_seen = calls;
  slot->deadline_ns += runner->config.case_limit_ns;
  return calls > 0;
}

// Whether another of several rows has passed since it was asked last: each has the time of a case.
static bool has_passed_another(Slot *slot)
{
  const size_t passed = slot->items > 1 ? slot->evidence->rows : 0;
  const bool more = passed > slot->items_passed && passed < slot->items && !slot->timed_out;
  if (more) slot->items_passed = passed;
  return more;
}

static void serve_busy(Runner *runner, unsigned index, Progress *progress)
{
  Slot *slot = &runner->slots[index];
  WorkerReply reply;
  const bool due = slot_now_ns() >= slot->deadline_ns;
  int got = slot->replied || slot->ended || due ? slot_reply(slot, &reply) : 0;
  slot->replied = false;
  if (got == 1) {
    finish(runner, index, &reply, progress);
  } else if (got < 0) {
    finish(runner, index, NULL, progress);
  } else if (due && has_passed_another(slot)) {
    slot->deadline_ns = slot_now_ns() + slot->limit_ns;
  } else if (due) {
    if (slot->timed_out ||
        slot->stopped) {  // killed, and still nothing: the worker itself is stuck
      finish(runner, index, NULL, progress);
    } else if (!extend(runner, slot) && !is_looked_at_again(runner, slot)) {
      slot->timed_out = true;
      slot_kill_case(slot);
    }
  }
}

static void serve_slot(Runner *runner, unsigned index, Progress *progress)
{
  Slot *slot = &runner->slots[index];
  char error[512];
  // First what makes a slot free, so that it has its next case before anything is waited for.
  if (slot->state == SLOT_BUSY) serve_busy(runner, index, progress);
  if (slot->state == SLOT_CLOSED && progress_has_more(progress) &&
      runner->failed_starts <= START_FAILURES_MAX && !start_slot(runner, slot, error, sizeof error))
    ++runner->failed_starts;
  serve_loading(runner, index);
  if (slot->state == SLOT_IDLE && runner->warm_up && !slot->warm) ask_to_warm_up(runner, slot);
  if (slot->state == SLOT_IDLE) start_next(runner, slot, progress);
}

static bool any_slot_lives(const Runner *runner)
{
  for (unsigned i = 0; i < runner->jobs; ++i)
    if (runner->slots[i].state != SLOT_CLOSED) return true;
  return false;
}

bool runner_run(Runner *runner, const Plan *plan, RunSink *sink, void *context)
{
  Progress progress = {.plan = plan, .sink = sink, .context = context};
  bool cut = false;
  while (!is_interrupted(runner)) {
    for (unsigned i = 0; i < runner->jobs; ++i) serve_slot(runner, i, &progress);
    if (hangs_used_up(&runner->hangs) && progress_has_more(&progress)) {
      cut = true;
      progress_give_up(&progress,
                       (Outcome){.lost = "the time for cases that had to be ended is used up"});
    }
    bool done = progress.stopped || !progress_has_more(&progress);
    if (done && progress.running == 0) break;
    if (!any_slot_lives(runner) && runner->failed_starts > START_FAILURES_MAX) {
      progress_give_up(&progress, observe_lost("no worker can be started any more"));
      break;
    }
    wait_for_slots(runner);
  }
  progress_free(&progress);
  return !is_interrupted(runner) && !progress.stopped && !cut;
}

void runner_close(Runner *runner)
{
  if (!runner) return;
  for (unsigned i = 0; i < JOBS_MAX; ++i) slot_free(&runner->slots[i]);
  orphans_end(runner->elders, runner->elder_count);
  free(runner);
}
