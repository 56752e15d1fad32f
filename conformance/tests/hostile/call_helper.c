// SPDX-License-Identifier: Apache-2.0
// Starts a process when it is loaded, and asks it before each string is made. That is odd, and it
// works.
#include "hostile.h"

static int questions[2], answers[2];

static _Noreturn void help(void)
{
  char question;
  close(questions[1]);
  while (read(questions[0], &question, 1) == 1)
    if (write(answers[1], &question, 1) != 1) break;
  _exit(0);
}

WHEN_LOADED
{
  if (pipe(questions) != 0 || pipe(answers) != 0) abort();
  if (fork() == 0) help();
}

WHEN_CALLED
{
  char question = 'q';
  if (write(questions[1], &question, 1) != 1 || read(answers[0], &question, 1) != 1) abort();
  return MAKE_STRING;
}
