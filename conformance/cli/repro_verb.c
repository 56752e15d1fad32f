// SPDX-License-Identifier: Apache-2.0
// `repro`: one case in one process, without the engine around it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/places.h"
#include "cli/session.h"
#include "plan/plan.h"

enum { WORDS_MAX = 8 };

// Starts the worker in the place of this program, and says how to do so under a debugger.
static int start(const char *const words[WORDS_MAX])
{
  char *copy[WORDS_MAX];
  memcpy(copy, words, sizeof copy);
  fprintf(stderr, "gdb --args");
  for (size_t i = 0; words[i]; ++i) fprintf(stderr, " %s", words[i]);
  fprintf(stderr, "\n");
  execv(copy[0], copy);
  complain("the worker %s can't be started: %s", words[0], strerror(errno));
  return EXIT_SUITE_FAULT;
}

// Writes what is known of a function where a debugger's run of the worker finds it again.
static bool keep_kernel(const Kernel *kernel, char path[256])
{
  const char *folder = getenv("TMPDIR");
  snprintf(path, 256, "%.200s/tvmffi-conform-kernel-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = mkstemp(path);
  bool good = file >= 0 && write(file, kernel, sizeof *kernel) == (ssize_t)sizeof *kernel;
  if (file >= 0) close(file);
  return good;
}

// Finds out how the function that the id names is called, as `run` does.
static int find_kernel(Session *session, const Options *options, const RunConfig *config,
                       char path[256])
{
  const char *name = strchr(options->operands[0], '@');
  if (!name) return EXIT_CONFORMS;
  Kernel *kernel = kernel_find(&session->kernels, name + 1);
  if (!kernel) {
    snprintf(session->error, sizeof session->error, "%s exports no function %s",
             options->operands[1], name + 1);
    return EXIT_USAGE;
  }
  RunConfig only_one = *config;
  RunLoaded loaded;
  RunStatus status;
  only_one.jobs = 1;
  if (kernel->source == KERNEL_UNKNOWN) {
    char why[512];
    Runner *runner = runner_open(&only_one, &loaded, &status, why, sizeof why);
    if (runner) session_ask_kernels(session, runner, NULL);
    if (runner) session_probe_kernels(session, runner);
    runner_close(runner);
  }
  if (keep_kernel(kernel, path)) return EXIT_CONFORMS;
  snprintf(session->error, sizeof session->error, "%s can't be written: %s", path, strerror(errno));
  return EXIT_SUITE_FAULT;
}

static int start_module(Session *session, const Options *options, const char *library)
{
  RunConfig config = session_config(session, options);
  char kernel[256] = "";
  int code = session_read_kernels(session, options);
  if (code == EXIT_CONFORMS && !session_module_places(session, options, &config))
    code = EXIT_SUITE_FAULT;
  if (code == EXIT_CONFORMS) code = find_kernel(session, options, &config, kernel);
  if (code != EXIT_CONFORMS) {
    complain("%s", session->error);
    return code;
  }
  const char *words[WORDS_MAX] = {
      config.worker,  "--repro",       options->operands[0],     library,
      config.runtime, config.observer, kernel[0] ? kernel : NULL};
  return start(words);
}

int verb_repro(const Options *options)
{
  const char *id = options->operands[0];
  char path[4200];
  const CaseInstance *instance = case_find(id);
  if (!instance) {
    complain_of_id("case", id);
    return EXIT_USAGE;
  }
  snprintf(path, sizeof path, "%s%s", strchr(options->operands[1], '/') ? "" : "./",
           options->operands[1]);
  if (!instance->test->about_module) {
    const char *words[WORDS_MAX] = {places()->worker, "--repro", id, path};
    return start(words);
  }
  if (instance->test->per_kernel && !strchr(id, '@')) {
    complain("%s runs for one function of a module: say %s@FUNCTION", id, id);
    return EXIT_USAGE;
  }
  Session session;
  memset(&session, 0, sizeof session);
  session.library = inspect_file(path);
  int code = EXIT_CANNOT_LOAD;
  if (session.library && session.library->status == INSPECT_OK) {
    session.library->profile = INSPECT_PROFILE_MODULE;
    code = start_module(&session, options, path);
  } else {
    complain("%s", session.library ? session.library->message : "out of memory");
  }
  session_free(&session);
  return code;
}
