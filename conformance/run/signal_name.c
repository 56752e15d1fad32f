// SPDX-License-Identifier: Apache-2.0
#include "run/signal_name.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#define ROW(name) \
  {               \
    name, #name   \
  }

char *signal_name(int number, char text[SIGNAL_NAME_MAX])
{
  static const struct {
    int number;
    const char *name;
  } known[] = {
      ROW(SIGABRT), ROW(SIGALRM), ROW(SIGBUS),    ROW(SIGCHLD),  ROW(SIGCONT), ROW(SIGFPE),
      ROW(SIGHUP),  ROW(SIGILL),  ROW(SIGINT),    ROW(SIGIO),    ROW(SIGKILL), ROW(SIGPIPE),
      ROW(SIGPROF), ROW(SIGPWR),  ROW(SIGQUIT),   ROW(SIGSEGV),  ROW(SIGSTOP), ROW(SIGSYS),
      ROW(SIGTERM), ROW(SIGTRAP), ROW(SIGTSTP),   ROW(SIGTTIN),  ROW(SIGTTOU), ROW(SIGURG),
      ROW(SIGUSR1), ROW(SIGUSR2), ROW(SIGVTALRM), ROW(SIGWINCH), ROW(SIGXCPU), ROW(SIGXFSZ),
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].number == number) {
      snprintf(text, SIGNAL_NAME_MAX, "%s", known[i].name);
      return text;
    }
  snprintf(text, SIGNAL_NAME_MAX, "signal %d", number);
  return text;
}
