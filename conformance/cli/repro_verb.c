// SPDX-License-Identifier: Apache-2.0
// `repro`: one case in one process, without the engine around it.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/inspect_confined.h"
#include "cli/options.h"
#include "cli/places.h"
#include "cli/session.h"
#include "cli/stand_in.h"
#include "plan/plan.h"
#include "run/worker_policy.h"

enum { WORDS_MAX = 8 + SLOT_WRAPPER_MAX };

// Returns an errno, if at all.
static int become(const char *const *words)
{
  execvp(words[0], (char *const *)(uintptr_t)words);
  return errno;
}

// Runs the worker in the sandbox, and ends as it does. Returns an errno, if at all.
static int run(Session *session, const char *const *words)
{
  int status, problem = stand_in_run(&session->sandbox, words, 0, true, &status);
  if (problem) return problem;
  session_free(session);
  stand_in_end_as(status);
}

// Starts the worker in the place of this program, and says how to do so under a debugger.
// `operands` stand behind the word that names the verb and, if it is forced, the generation. What the
// sandbox does not allow, a debugger that is started like this does.
static int start(Session *session, const Options *options, const char *const *operands)
{
  char verb[32], emulator[SLOT_WRAPPER_TEXT], error[1024];
  const char *words[WORDS_MAX];
  size_t count = slot_emulator(emulator, words), before = count;
  bool forced = strcmp(options->abi, "auto") != 0;
  snprintf(verb, sizeof verb, "--repro%s%s", forced ? "=" : "", forced ? options->abi : "");
  words[count++] = places()->worker;
  words[count++] = verb;
  while (*operands) words[count++] = *operands++;
  words[count] = NULL;
  fprintf(stderr, "gdb --args");
  for (size_t i = 0; words[i]; ++i) fprintf(stderr, " %s", words[i]);
  fprintf(stderr, "\n");
  int problem = options->sandbox == SANDBOX_OFF ? become(words) : run(session, words);
  slot_explain_start(places()->worker, before ? words[0] : NULL, problem, error, sizeof error);
  complain("%s", error);
  return EXIT_SUITE_FAULT;
}

// Writes what is known of a function where a debugger's run of the worker finds it again.
static bool keep_kernel(const char *id, const KernelList *kernels, size_t index, char path[256])
{
  const CaseInstance *instance = case_find(id);
  static WorkerMessage message;
  WorkerSubject subject = {
      .kernel = instance ? plan_subject(instance, kernels, index) : &kernels->items[index],
      .signature = kernel_list_signature(kernels, index)};
  subject.beside_count = kernel_list_beside(kernels, subject.kernel, subject.beside);
  const size_t size = worker_message_make(&message, &(WorkerRequest){0}, &subject);
  const char *folder = getenv("TMPDIR");
  snprintf(path, 256, "%.200s/tvmffi-conform-kernel-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = mkstemp(path);
  const bool good = file >= 0 && write(file, &message, size) == (ssize_t)size;
  if (file >= 0) close(file);
  return good;
}

// Whether what --abi says may be said of the library, as `run` finds out: one that can't be loaded
// is left to the debugger.
static int check_generation(Session *session, const Options *options, const RunConfig *config)
{
  RunConfig only_one = *config;
  RunLoaded loaded;
  RunStatus status;
  char why[512];
  if (strcmp(options->abi, "auto") == 0) return EXIT_CONFORMS;
  only_one.jobs = 1;
  Runner *runner = runner_open(&only_one, &loaded, &status, why, sizeof why);
  if (!runner) return EXIT_CONFORMS;
  int code = session_choose_generation(session, options, runner, &loaded);
  runner_close(runner);
  return code;
}

// Finds out how the function that the id names is called, as `run` does.
static int find_kernel(Session *session, const Options *options, const RunConfig *config,
                       char path[256])
{
  const char *name = strchr(options->operands[0], '@');
  if (!name) return EXIT_CONFORMS;
  char plain[KERNEL_NAME_MAX];
  snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name + 1, "#"), name + 1);
  Kernel *kernel = kernel_find(&session->kernels, name + 1);
  // Another way to call a function is not known before the function was asked.
  if (!kernel) kernel = kernel_find(&session->kernels, plain);
  if (!kernel) {
    snprintf(session->error, sizeof session->error, "%s: exports no function \"%s\"",
             options->operands[1], name + 1);
    return EXIT_USAGE;
  }
  RunConfig only_one = *config;
  RunLoaded loaded;
  RunStatus status;
  only_one.jobs = 1;
  if (kernel->source == KERNEL_UNKNOWN || kernel->source == KERNEL_FROM_FILE ||
      kernel->cuda_stands_in) {
    char why[512];
    Runner *runner = runner_open(&only_one, &loaded, &status, why, sizeof why);
    if (runner) session_ask_kernels(session, runner, NULL);
    if (runner) session_compare_kernels(session, runner);
    if (runner) session_probe_kernels(session, options, runner);
    if (runner) session_ask_device(session, options, runner);
    runner_close(runner);
    kernel = kernel_find(&session->kernels, name + 1);
  }
  if (!kernel) {
    snprintf(session->error, sizeof session->error, "%s: %s is not found to be called in that way",
             options->operands[1], plain);
    return EXIT_USAGE;
  }
  if (keep_kernel(options->operands[0], &session->kernels,
                  (size_t)(kernel - session->kernels.items), path))
    return EXIT_CONFORMS;
  snprintf(session->error, sizeof session->error, "cannot write %s: %s", path, strerror(errno));
  return EXIT_SUITE_FAULT;
}

// What `run` allows its workers. `runtime` and `observer` are those of a module, or NULL.
static void allow_worker(Session *session, const char *runtime, const char *observer)
{
  char emulator[SLOT_WRAPPER_TEXT];
  const char *words[SLOT_WRAPPER_MAX];
  slot_emulator(emulator, words);
  worker_policy_add(&session->sandbox.policy, places()->worker, words);
  worker_policy_add_library(&session->sandbox.policy, session->library->path, session->library);
  if (runtime) worker_policy_add_library(&session->sandbox.policy, runtime, NULL);
  if (observer) policy_add_library(&session->sandbox.policy, observer);
}

static int start_module(Session *session, const Options *options)
{
  session->library->profile = INSPECT_PROFILE_MODULE;
  RunConfig config = session_config(session, options);
  char kernel[256] = "";
  int code = session_read_kernels(session, options);
  if (code == EXIT_CONFORMS && !session_module_places(session, options, &config))
    code = EXIT_SUITE_FAULT;
  if (code == EXIT_CONFORMS) code = session_open_sandbox(session, options);
  if (code == EXIT_CONFORMS) code = check_generation(session, options, &config);
  if (code == EXIT_CONFORMS) code = find_kernel(session, options, &config, kernel);
  if (code != EXIT_CONFORMS) return code;
  allow_worker(session, config.runtime, config.observer);
  if (kernel[0]) policy_add_path(&session->sandbox.policy, kernel, SANDBOX_READ);
  const char *operands[] = {options->operands[0], session->library->path,    config.runtime,
                            config.observer,      kernel[0] ? kernel : NULL, NULL};
  return start(session, options, operands);
}

static int start_runtime(Session *session, const Options *options)
{
  RunConfig config = session_config(session, options);
  int code = session_open_sandbox(session, options);
  if (code == EXIT_CONFORMS) code = check_generation(session, options, &config);
  if (code != EXIT_CONFORMS) return code;
  allow_worker(session, NULL, NULL);
  const char *operands[] = {options->operands[0], session->library->path, NULL};
  return start(session, options, operands);
}

// A kernel module can be loaded only where a runtime is, and the case is about a runtime alone.
static int refuse_module(Session *session, const Options *options)
{
  snprintf(
      session->error, sizeof session->error,
      "%s: is a case for runtimes, and %s is a kernel module (it exports no function of the C API)",
      options->operands[0], options->operands[1]);
  return EXIT_USAGE;
}

// Complains of an id that is none, or that does not say which function it is about.
static const CaseInstance *find_case(const char *id)
{
  const CaseInstance *instance = case_find(id);
  const Clause *clause = clause_find(id);
  if (clause) {
    complain("%s: is a clause, not a case (`tvmffi-conform explain %s` lists its cases)",
             clause->id, clause->id);
    return NULL;
  }
  if (!instance) {
    complain_of_id("case", id);
    return NULL;
  }
  if (!instance->test->per_kernel || strchr(id, '@')) return instance;
  complain("%s: runs for one function of a module (use %s@FUNCTION)", id, id);
  return NULL;
}

static bool is_id(const char *word)
{
  return case_find(word) || clause_find(word);
}

// The library stands first, and behind it an id, or what was meant to be one.
static bool is_swapped(const char *first, const char *second)
{
  return !is_id(first) &&
         (is_id(second) || (access(first, F_OK) == 0 && access(second, F_OK) != 0));
}

static int reproduce(const Options *options)
{
  char path[4200];
  const CaseInstance *instance = find_case(options->operands[0]);
  if (!instance) return EXIT_USAGE;
  snprintf(path, sizeof path, "%s%s", strchr(options->operands[1], '/') ? "" : "./",
           options->operands[1]);
  Session session;
  int code = EXIT_CANNOT_LOAD;
  memset(&session, 0, sizeof session);
  session.library = inspect_confined(path, options->sandbox);
  if (!session.library || session.library->status != INSPECT_OK)
    snprintf(session.error, sizeof session.error, "%s",
             session.library ? session.library->message : "out of memory");
  else if (instance->test->about_module)
    code = start_module(&session, options);
  else if (session.library->profile == INSPECT_PROFILE_MODULE)
    code = refuse_module(&session, options);
  else
    code = start_runtime(&session, options);
  if (session.error[0]) complain("%s", session.error);
  session_free(&session);
  return code;
}

// Operands in the order of other verbs, the library first, are understood.
int verb_repro(const Options *options)
{
  Options swapped = *options;
  if (!is_swapped(options->operands[0], options->operands[1])) return reproduce(options);
  swapped.operands[0] = options->operands[1];
  swapped.operands[1] = options->operands[0];
  return reproduce(&swapped);
}
