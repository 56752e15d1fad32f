// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/handed_in.h"
#include "cli/inspect_confined.h"
#include "cli/places.h"
#include "cli/supervisor.h"
#include "report/clean.h"
#include "run/generation.h"
#include "run/slot.h"
#include "signature/signature.h"

static volatile sig_atomic_t interrupted;
static const uint64_t load_limit_ns = 10000000000u;

static void on_interrupt(int number)
{
  (void)number;
  interrupted = 1;
}

// Not ignored: that would be handed on to workers.
static void on_broken_pipe(int number)
{
  (void)number;
}

void session_catch_interrupts(void)
{
  // Who reads the text may have seen enough. What runs is brought to its end, and reports are
  // written; that the text did not arrive is told then.
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = on_broken_pipe, .sa_flags = SA_RESTART},
            NULL);
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

// --- Before anything runs ------------------------------------------------------------------------

// What --runtime names has to be one: told before anything is loaded, of the file that is wrong.
static int inspect_runtime(Session *session, const Options *options)
{
  if (!options->runtime) return EXIT_CONFORMS;
  InspectReport *runtime = inspect_confined(options->runtime, options->sandbox);
  bool is_read = runtime && runtime->status == INSPECT_OK;
  bool is_runtime = is_read && runtime->profile == INSPECT_PROFILE_RUNTIME;
  if (!runtime)
    snprintf(session->error, sizeof session->error, "out of memory: cannot read %s",
             options->runtime);
  else if (!is_read)
    snprintf(session->error, sizeof session->error, "--runtime: %s", runtime->message);
  else if (!is_runtime)
    snprintf(session->error, sizeof session->error,
             "--runtime=%s: is not a runtime: it does not export the C API (TVMFFI...)",
             options->runtime);
  if (runtime) inspect_free(runtime);
  if (!runtime) return EXIT_SUITE_FAULT;
  return is_runtime ? EXIT_CONFORMS : EXIT_CANNOT_LOAD;
}

static int read_library(Session *session, const char *path, SandboxMode mode)
{
  session->library = inspect_confined(path, mode);
  if (!session->library) {
    snprintf(session->error, sizeof session->error, "out of memory: cannot read %s", path);
    return EXIT_SUITE_FAULT;
  }
  if (session->library->status == INSPECT_OK) return EXIT_CONFORMS;
  snprintf(session->error, sizeof session->error, "%s", session->library->message);
  return EXIT_CANNOT_LOAD;
}

static int inspect(Session *session, const char *path, const Options *options)
{
  int code = read_library(session, path, options->sandbox);
  if (code != EXIT_CONFORMS) return code;
  if (options->profile != INSPECT_PROFILE_NONE) session->library->profile = options->profile;
  if (session->library->profile == INSPECT_PROFILE_RUNTIME &&
      (options->runtime || options->signatures || options->same_as || options->cuda)) {
    snprintf(
        session->error, sizeof session->error,
        "--%s: applies to kernel modules only, and %s is judged as a runtime (use --profile module)",
        options->runtime      ? "runtime"
        : options->signatures ? "signatures"
        : options->same_as    ? "same-as"
                              : "device",
        path);
    return EXIT_USAGE;
  }
  if (session->library->profile != INSPECT_PROFILE_NONE) return inspect_runtime(session, options);
  snprintf(
      session->error, sizeof session->error,
      "%s: unknown profile: it exports neither functions of the C API (TVMFFI...) nor functions of a "
      "kernel module (__tvm_ffi_...) (use --profile runtime to judge it as a runtime)",
      path);
  return EXIT_CANNOT_LOAD;
}

// Whether each glob matches something, and the plan has a case; if not, `error` says why.
static bool is_selected(Session *session, const Options *options)
{
  char *problem = complain_of_globs(options, session->plan);
  if (!problem && session->plan->count > 0) return true;
  if (!problem) problem = complain_of_nothing(options);
  snprintf(session->error, sizeof session->error, "%s", problem ? problem : "out of memory");
  free(problem);
  return false;
}

// Of a module nothing may be known before it is loaded. Of a runtime it is not known which version
// it reports, and so whether cases apply to it that end with a version.
static bool may_apply_when_loaded(const Session *session)
{
  if (session->library->profile == INSPECT_PROFILE_MODULE) return true;
  for (size_t i = 0; i < session->plan->count; ++i) {
    uint32_t until = session->plan->items[i].instance->until;
    if (until != UINT32_MAX && until != ABI_VERSION_2025_09) return true;
  }
  return false;
}

static int make_plan(Session *session, const Options *options, uint32_t version, bool loaded)
{
  InspectProfile profile = session->library->profile;
  plan_free(session->plan);
  session->plan = profile == INSPECT_PROFILE_MODULE
                      ? plan_make_module(&session->selection, &session->kernels, version)
                      : plan_make(&session->selection, profile, version);
  if (!session->plan) {
    snprintf(session->error, sizeof session->error, "out of memory");
    return EXIT_SUITE_FAULT;
  }
  if (!is_selected(session, options)) return EXIT_USAGE;
  if (session->plan->applicable > 0) return EXIT_CONFORMS;
  if (!loaded && may_apply_when_loaded(session)) return EXIT_CONFORMS;
  snprintf(
      session->error, sizeof session->error,
      "nothing selected: none of the %zu cases applies to this library (%s profile); the first: %s: %s",
      session->plan->count, inspect_profile_name(session->library->profile),
      session->plan->items[0].instance->id, session->plan->items[0].skip);
  return EXIT_USAGE;
}

static int read_gate(Session *session, const Options *options)
{
  Gate *gate = &session->report.gate;
  gate->level = options->gate;
  if (!options->gate_file) return EXIT_CONFORMS;
  if (handed_in_gate(options->gate_file, options->sandbox, gate, session->error,
                     sizeof session->error))
    return EXIT_CONFORMS;
  return interrupted ? EXIT_INTERRUPTED : EXIT_USAGE;
}

// --- Running -------------------------------------------------------------------------------------

typedef struct Sink {
  Session *session;
  const SessionListener *listener;
  bool fail_fast;
} Sink;

static bool take_outcome(void *context, size_t item, Outcome *outcome)
{
  Sink *sink = context;
  Session *session = sink->session;
  CaseResult *result = &session->report.results[item];
  result->outcome = *outcome;
  judge_case(result, session->waivers, session->report.reported_version, outcome->limit_ns);
  judge_attribute(&session->report, result);
  if (sink->listener && sink->listener->judged)
    sink->listener->judged(sink->listener->context, result);
  return !(sink->fail_fast && judge_counts_against(&session->report, result));
}

// What was said of the library, and is to be said to `repro` again.
static void note_again(RunReport *report, const Options *options)
{
  const struct {
    const char *name, *value;
  } said[] = {{"--abi", strcmp(options->abi, "auto") ? options->abi : NULL},
              {"--signatures", options->signatures},
              {"--same-as", options->same_as},
              {"--runtime", options->runtime},
              {"--worker", options->worker},
              {"--device", strcmp(options->device, "stand-in") ? options->device : NULL}};
  enum { SAID = sizeof said / sizeof said[0] };
  _Static_assert(2 * SAID < REPORT_AGAIN_MAX, "room for all, and the NULL behind them");
  for (size_t i = 0, at = 0; i < SAID; ++i) {
    if (!said[i].value) continue;
    report->again[at++] = said[i].name;
    report->again[at++] = said[i].value;
  }
}

static void prepare_report(Session *session, const Options *options, const RunLoaded *loaded)
{
  RunReport *report = &session->report;
  report->library = session->library;
  if (session->library->profile == INSPECT_PROFILE_MODULE) report->kernels = &session->kernels;
  report->reported_version = loaded->version;
  report->generation = abi_generation_name(session->generation);
  report->profile = inspect_profile_name(session->library->profile);
  report->isolation = loaded->isolation == RUN_ISOLATION_EXEC ? "exec" : "fork";
  report->jobs = loaded->jobs;
  snprintf(session->libc, sizeof session->libc, "%s", loaded->libc);
  report->libc = session->libc;
  report->min_judged = options->min_judged;
  if (session->sandbox.maker) report->sandbox = &session->sandbox;
  report->selection = &session->selection;
  report->waivers = session->waivers;
  time_t now = time(NULL);
  strftime(session->started_at, sizeof session->started_at, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  report->started_at = session->started_at;
  note_again(report, options);
}

// The report of a library that could not be loaded has no cases, but says why.
static void report_not_loaded(Session *session, const Options *options)
{
  bool exec = options->isolation == RUN_ISOLATION_EXEC;
  RunLoaded none = {.version = UINT32_MAX,
                    .isolation = exec ? RUN_ISOLATION_EXEC : RUN_ISOLATION_FORK,
                    .jobs = options->jobs ? options->jobs : 1};
  prepare_report(session, options, &none);
  session->report.libc = NULL;
  session->report.not_judged = session->error;
  if (!judge_run(&session->report)) session->report.not_judged = NULL;
}

static int run(Session *session, Runner *runner, const Options *options, const RunLoaded *loaded,
               const SessionListener *listener)
{
  uint64_t start = slot_now_ns();
  prepare_report(session, options, loaded);
  if (!judge_begin(&session->report, session->plan)) {
    snprintf(session->error, sizeof session->error, "out of memory");
    return EXIT_SUITE_FAULT;
  }
  if (listener && listener->planned)
    listener->planned(listener->context, &session->report, session->plan);
  Sink sink = {session, listener, options->fail_fast};
  session->report.complete = runner_run(runner, session->plan, take_outcome, &sink);
  session->report.interrupted = interrupted != 0;
  session->report.duration_ns = slot_now_ns() - start;
  if (judge_run(&session->report)) return session->report.verdict.exit_code;
  snprintf(session->error, sizeof session->error, "out of memory");
  return EXIT_SUITE_FAULT;
}

// Where a library could signal this process, another one takes its place, and this one waits. The
// other needs a sandbox that knows who it is.
static int supervise(Session *session)
{
  int code = EXIT_SUITE_FAULT;
  size_t size = sizeof session->error;
  switch (supervisor_start(&code, session->error, size)) {
    case SUPERVISOR_GO_ON:
      return sandbox_probe(&session->sandbox, session->error, size) ? EXIT_CONFORMS : EXIT_USAGE;
    case SUPERVISOR_LOST:
      return EXIT_CANNOT_LOAD;
    case SUPERVISOR_END:
      break;
  }
  sandbox_free(&session->sandbox);
  if (code == EXIT_BROKEN_PIPE) end_by_broken_pipe();
  _exit(code);
}

// The files that a signature has tensors from.
static void allow_files_of(SandboxPolicy *policy, const Signature *signature)
{
  for (uint32_t i = 0; i < signature->values.count; ++i) {
    const SignatureValue *value = signature_value(signature, i);
    if (value->kind == KERNEL_TENSOR && value->items.count == 0)
      policy_add_path(policy, signature_text(signature, value->text), SANDBOX_READ);
  }
  for (uint32_t i = 0; i < signature->expected.count; ++i) {
    const char *path = signature_text(signature, signature_expected(signature, i)->npy);
    if (path[0]) policy_add_path(policy, path, SANDBOX_READ);
  }
}

int session_open_sandbox(Session *session, const Options *options)
{
  Sandbox *sandbox = &session->sandbox;
  size_t size = sizeof session->error;
  bool opened = sandbox_open(sandbox, options->sandbox, session->error, size);
  if (!opened) return options->sandbox == SANDBOX_ON ? EXIT_USAGE : EXIT_SUITE_FAULT;
  if (options->cuda) policy_add_cuda(&sandbox->policy);
  for (size_t i = 0; i < session->kernels.count; ++i) {
    const Signature *signature = kernel_list_signature(&session->kernels, i);
    if (signature) allow_files_of(&sandbox->policy, signature);
  }
  if (!sandbox_probe(sandbox, session->error, size)) return EXIT_USAGE;
  bool exposed = sandbox->mode != SANDBOX_OFF && !sandbox_keeps(sandbox, SANDBOX_PROMISE_SIGNALS);
  return exposed ? supervise(session) : EXIT_CONFORMS;
}

RunConfig session_config(Session *session, const Options *options)
{
  double scale = options->timeout_scale * (options->valgrind ? 50 : 1) *
                 (session->library->sanitizers ? 10 : 1) * (options->cuda ? 10 : 1);
  // What a module does with a driver when it is loaded does not survive a fork.
  RunIsolation isolation = options->isolation;
  if (isolation == RUN_ISOLATION_AUTO && options->cuda) isolation = RUN_ISOLATION_EXEC;
  return (RunConfig){.library = session->library,
                     .worker = places()->worker,
                     .isolation = isolation,
                     .jobs = options->jobs || !options->cuda ? options->jobs : 1,
                     .case_limit_ns = (uint64_t)((double)options->timeout_ns * scale),
                     .load_limit_ns = (uint64_t)((double)load_limit_ns * scale),
                     .hang_budget_ns = (uint64_t)((double)options->hang_budget_ns * scale),
                     .valgrind = options->valgrind,
                     .sandbox = &session->sandbox,
                     .interrupted = &interrupted};
}

int session_choose_generation(Session *session, const Options *options, Runner *runner,
                              RunLoaded *loaded)
{
  char why[1024];
  static const InspectReport no_names;
  bool module = session->library->profile == INSPECT_PROFILE_MODULE;
  AbiGeneration *generation = &session->generation;
  bool decided = generation_decide(options->abi, module ? &no_names : session->library,
                                   loaded->generations, generation, why, sizeof why);
  if (decided && module && *generation != ABI_GENERATION_0_1) {
    snprintf(why, sizeof why, "its ABI generation is %s, and modules need one of 0.1",
             abi_generation_name(*generation));
    decided = false;
  }
  if (!decided) {
    snprintf(session->error, sizeof session->error, "cannot judge %s%s: %s", session->library->path,
             module ? " (in its runtime)" : "", why);
    return EXIT_CANNOT_LOAD;
  }
  loaded->version = runner_speak(runner, *generation);
  return EXIT_CONFORMS;
}

int session_say_not_loaded(Session *session, RunStatus status, const char *why)
{
  bool ours = status == RUN_SUITE_FAULT;
  snprintf(session->error, sizeof session->error, ours ? "%s%s" : "cannot load %s: %s",
           ours ? "" : session->library->path, why);
  return ours ? EXIT_SUITE_FAULT : EXIT_CANNOT_LOAD;
}

// Where nobody says by which scopes a runtime is judged: by all that it shows signs of. One that can't
// be asked is judged by all.
static void find_scopes(Session *session, Runner *runner)
{
  if (session->library->profile != INSPECT_PROFILE_RUNTIME || session->selection.scopes) return;
  session->selection.scopes = runner_ask_scopes(runner) & CLAUSE_PROFILE_RUNTIME;
  session->selection.scopes_found = session->selection.scopes != 0;
}

static int load_and_run(Session *session, const Options *options, const SessionListener *listener)
{
  RunConfig config = session_config(session, options);
  if (!session_module_places(session, options, &config)) return EXIT_SUITE_FAULT;
  RunLoaded loaded;
  RunStatus status;
  char why[1536];
  Runner *runner = runner_open(&config, &loaded, &status, why, sizeof why);
  if (!runner && interrupted) {
    snprintf(session->error, sizeof session->error, "interrupted: loading %s",
             session->library->path);
    return EXIT_INTERRUPTED;
  }
  if (!runner) return session_say_not_loaded(session, status, why);
  int code = session_choose_generation(session, options, runner, &loaded);
  if (code == EXIT_CONFORMS) {
    session_ask_kernels(session, runner, NULL);
    code = session_compare_kernels(session, runner);
  }
  if (code == EXIT_CONFORMS) {
    session_probe_kernels(session, options, runner);
    session_ask_device(session, options, runner);
    find_scopes(session, runner);
    code = make_plan(session, options, loaded.version, true);
  }
  if (code == EXIT_CONFORMS) code = run(session, runner, options, &loaded, listener);
  runner_close(runner);
  return code;
}

// What there is to say may hold words of the library, and names of files.
static void clean_error(Session *session)
{
  char *clean = clean_string(session->error, CLEAN_LINES);
  if (clean) snprintf(session->error, sizeof session->error, "%s", clean);
  free(clean);
}

static bool may_be_of_2025_09(const Session *session, const Options *options)
{
  unsigned names = session->library ? generation_of_names(session->library) : 0;
  return (names & GENERATION_BIT(ABI_GENERATION_2025_09)) ||
         strcmp(options->abi, abi_generation_name(ABI_GENERATION_2025_09)) == 0;
}

int session_judge(Session *session, const char *path, const Options *options,
                  const SessionListener *listener)
{
  memset(session, 0, sizeof *session);
  if (!places()->worker[0]) {
    snprintf(session->error, sizeof session->error, "%s", places_no_worker);
    return EXIT_SUITE_FAULT;
  }
  session->selection = options->selection;
  int code = session_read_waivers(session, options);
  if (code == EXIT_CONFORMS) code = read_gate(session, options);
  if (code == EXIT_CONFORMS) code = inspect(session, path, options);
  if (code == EXIT_CONFORMS) code = session_know_release(session, options);
  if (code == EXIT_CONFORMS && session->library->profile == INSPECT_PROFILE_MODULE)
    code = session_read_kernels(session, options);
  // Selecting nothing is noticed before anything of the library runs.
  if (code == EXIT_CONFORMS) code = make_plan(session, options, UINT32_MAX, false);
  if (code == EXIT_USAGE && may_be_of_2025_09(session, options))
    code = make_plan(session, options, ABI_VERSION_2025_09, false);
  if (code == EXIT_CONFORMS) code = session_open_sandbox(session, options);
  if (code == EXIT_CONFORMS) code = load_and_run(session, options, listener);
  clean_error(session);
  // A file without a name, or a folder, is a mistake in the command line.
  const char *slash = strrchr(path, '/');
  if (code == EXIT_CANNOT_LOAD && session->library && (slash ? slash[1] : path[0]))
    report_not_loaded(session, options);
  return code;
}

int session_inspect_runtime(Session *session, const char *path, SandboxMode mode)
{
  memset(session, 0, sizeof *session);
  int code = read_library(session, path, mode);
  if (code == EXIT_CONFORMS && session->library->profile != INSPECT_PROFILE_RUNTIME) {
    snprintf(session->error, sizeof session->error,
             "%s: is not a runtime: it does not export the C API (TVMFFI...)", path);
    code = EXIT_CANNOT_LOAD;
  }
  clean_error(session);
  return code;
}

bool session_interrupted(void)
{
  return interrupted != 0;
}

void session_free(Session *session)
{
  judge_free(&session->report);
  gate_free(&session->report.gate);
  plan_free(session->plan);
  kernel_list_free(&session->kernels);
  waivers_free(session->waiver_file);
  waivers_free(session->official_waivers);
  inspect_free(session->library);
  sandbox_free(&session->sandbox);
}
