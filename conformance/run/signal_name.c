// SPDX-License-Identifier: Apache-2.0
#include "run/signal_name.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#define SIGNALS(X)                                                                                \
  X(ABRT)                                                                                         \
  X(ALRM) X(BUS) X(CHLD) X(CONT) X(FPE) X(HUP) X(ILL) X(INT) X(IO) X(KILL) X(PIPE) X(PROF) X(PWR) \
      X(QUIT) X(SEGV) X(STOP) X(SYS) X(TERM) X(TRAP) X(TSTP) X(TTIN) X(TTOU) X(URG) X(USR1)       \
          X(USR2) X(VTALRM) X(WINCH) X(XCPU) X(XFSZ)

char *signal_name(int number, char text[SIGNAL_NAME_MAX])
{
  static const struct {
    int number;
    const char *name;
  } known[] = {
#define X(name) {SIG##name, #name},
      SIGNALS(X)
#undef X
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].number == number) {
      snprintf(text, SIGNAL_NAME_MAX, "SIG%s", known[i].name);
      return text;
    }
  snprintf(text, SIGNAL_NAME_MAX, "signal %d", number);
  return text;
}
