// SPDX-License-Identifier: Apache-2.0
// `signatures`: what is known of the functions of a module, as a file to begin with.
#include <stdio.h>
#include <string.h>

#include "cli/complain.h"
#include "cli/inspect_confined.h"
#include "cli/places.h"
#include "cli/session.h"
#include "cli/signatures_recorded.h"
#include "plan/signature_file.h"

static int inspect_module(Session *session, const char *path, SandboxMode mode)
{
  session->library = inspect_confined(path, mode);
  if (!session->library) return EXIT_SUITE_FAULT;
  if (session->library->status != INSPECT_OK) {
    snprintf(session->error, sizeof session->error, "%s", session->library->message);
    return EXIT_CANNOT_LOAD;
  }
  if (session->library->module_functions > 0) {
    session->library->profile = INSPECT_PROFILE_MODULE;
    return EXIT_CONFORMS;
  }
  snprintf(session->error, sizeof session->error,
           "%s: is not a module: it exports no __tvm_ffi_ function", path);
  return EXIT_CANNOT_LOAD;
}

// Loads the module to ask it what the file does not say.
static int ask(Session *session, const Options *options)
{
  bool needed = false;
  for (size_t i = 0; i < session->kernels.count; ++i)
    needed |= session->kernels.items[i].source != KERNEL_FROM_FILE;
  if (!needed) return EXIT_CONFORMS;
  RunConfig config = session_config(session, options);
  RunLoaded loaded;
  RunStatus status;
  char why[1024];
  config.jobs = 1;
  int code = session_open_sandbox(session, options);
  if (code != EXIT_CONFORMS) return code;
  if (!session_module_places(session, options, &config)) return EXIT_SUITE_FAULT;
  Runner *runner = runner_open(&config, &loaded, &status, why, sizeof why);
  if (!runner) return session_say_not_loaded(session, status, why);
  session_ask_kernels(session, runner, stderr);
  session_probe_kernels(session, options, runner);
  runner_close(runner);
  return EXIT_CONFORMS;
}

int verb_signatures(const Options *options)
{
  Session session;
  memset(&session, 0, sizeof session);
  int code = inspect_module(&session, options->operands[0], options->sandbox);
  if (options->from) {
    if (code == EXIT_CONFORMS)
      code = signatures_recorded(options->from, session.library, options->sandbox);
    if (session.error[0]) complain("%s", session.error);
    session_free(&session);
    return code;
  }
  if (code == EXIT_CONFORMS) code = session_read_kernels(&session, options);
  if (code == EXIT_CONFORMS) code = ask(&session, options);
  if (code != EXIT_CONFORMS) {
    complain("%s", session.error);
  } else {
    bool made = signature_file_write(stdout, &session.kernels);
    code = complain_of_output("signature file");
    if (!made && code == EXIT_CONFORMS) {
      complain("out of memory");
      code = EXIT_SUITE_FAULT;
    }
  }
  session_free(&session);
  return code;
}
