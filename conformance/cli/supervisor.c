// SPDX-License-Identifier: Apache-2.0
#include "cli/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/session.h"
#include "run/children.h"
#include "run/orphans.h"
#include "run/signal_name.h"

enum { ELDERS_MAX = 64 };

// Waits until the child has ended, or was stopped. A terminal that stops the child stops us, too, and
// lets both go on: what we see to be stopped was stopped by somebody else.
static int wait_for(pid_t child)
{
  int status = 0;
  bool told = false;
  while (waitpid(child, &status, WUNTRACED) < 0 && errno == EINTR) {
    // A terminal's signal reaches both; any other is passed on.
    if (session_interrupted() && !told) kill(child, SIGTERM);
    told = session_interrupted();
  }
  return status;
}

SupervisorAnswer supervisor_start(int *code, char *why, size_t size)
{
  pid_t elders[ELDERS_MAX];
  size_t elder_count = children_list(getpid(), elders, ELDERS_MAX);
  char name[SIGNAL_NAME_MAX];
  fflush(NULL);
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what the child leaves behind is ours to end
  pid_t child = fork();
  if (child <= 0) return SUPERVISOR_GO_ON;
  int status = wait_for(child);
  bool ended = WIFEXITED(status), stopped = WIFSTOPPED(status);
  bool unread = WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE;
  *code = ended ? WEXITSTATUS(status) : EXIT_BROKEN_PIPE;
  if (ended || unread) return SUPERVISOR_END;
  if (stopped) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  orphans_end(elders, elder_count);
  snprintf(why, size, "the runner was %s (%s), by the library or by somebody else",
           stopped ? "stopped" : "killed",
           signal_name(stopped ? WSTOPSIG(status) : WTERMSIG(status), name));
  return SUPERVISOR_LOST;
}
