// SPDX-License-Identifier: Apache-2.0
#include "run/orphans.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void kill_children(void)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
  FILE *children = fopen(path, "re");
  if (!children) return;
  for (long child; fscanf(children, "%ld", &child) == 1;)
    if (child > 1) kill((pid_t)child, SIGKILL);
  fclose(children);
}

void orphans_end(void)
{
  for (int round = 0; round < 500; ++round) {
    pid_t reaped;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (reaped < 0 && errno == ECHILD) return;
    kill_children();
    usleep(2000);
  }
}
