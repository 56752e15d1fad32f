// SPDX-License-Identifier: Apache-2.0
#include "finding_program.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

int finding_program_run(const char *finding, const char *arguments)
{
  char command[20000];
  snprintf(command, sizeof command,
           "cd '%s' && { [ -x repro ] || " C_COMPILER " -w -rdynamic " INCLUDES
           " repro.c -o repro -ldl; } && ./repro %s >out.txt 2>&1",
           finding, arguments);
  int status = system(command);
  ck_assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

void finding_program_check(const char *finding, const char *library, const char *more)
{
  char arguments[8400];
  snprintf(arguments, sizeof arguments, "'%s' %s", library, more);
  int status = finding_program_run(finding, arguments);
  ck_assert_msg(status == 1 || status > 128, "%s: exit status %d", finding, status);
  snprintf(arguments, sizeof arguments, "'%s' %s", REFERENCE, more);
  ck_assert_int_eq(finding_program_run(finding, arguments), 0);
}
