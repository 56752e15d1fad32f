// SPDX-License-Identifier: Apache-2.0
// A program that starts another one in each of the ways that there are:
//
//   trace_starts PROGRAM NAME    a path, and a name that is looked for in PATH
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *program, *name;
static char *arguments[] = {"zero", "one", "two", NULL};

// The environment with WAY=own, beside what has a program traced.
static char **own_environment(void)
{
  static char *made[4096];
  size_t count = 0;
  for (char **variable = environ; *variable && count < 4094; ++variable)
    if (strncmp(*variable, "WAY=", 4) != 0) made[count++] = *variable;
  made[count] = "WAY=own";
  return made;
}

static void with_execve(void)
{
  execve(program, arguments, own_environment());
}

static void with_execv(void)
{
  execv(program, arguments);
}

static void with_execvp(void)
{
  execvp(name, arguments);
}

static void with_execvpe(void)
{
  execvpe(name, arguments, own_environment());
}

static void with_fexecve(void)
{
  fexecve(open(program, O_RDONLY), arguments, own_environment());
}

static void with_execl(void)
{
  execl(program, "zero", "one", "two", (char *)NULL);
}

static void with_execlp(void)
{
  execlp(name, "zero", "one", "two", (char *)NULL);
}

static void with_execle(void)
{
  execle(program, "zero", "one", "two", (char *)NULL, own_environment());
}

static void wait_for(pid_t pid)
{
  int status;
  if (waitpid(pid, &status, 0) != pid || status != 0) exit(80);
}

static void spawn(bool by_name)
{
  pid_t pid;
  if ((by_name ? posix_spawnp : posix_spawn)(&pid, by_name ? name : program, NULL, NULL, arguments,
                                             own_environment()) != 0)
    exit(81);
  wait_for(pid);
}

static void start(void (*way)(void), bool by_vfork)
{
  pid_t pid = by_vfork ? vfork() : fork();
  if (pid == 0) {
    way();
    _exit(errno == ENOENT ? 82 : 83);
  }
  wait_for(pid);
}

int main(int argc, char **argv)
{
  static void (*const ways[])(void) = {with_execve,  with_execv, with_execvp, with_execvpe,
                                       with_fexecve, with_execl, with_execlp, with_execle};
  if (argc < 3) return 64;
  program = argv[1], name = argv[2];
  setenv("WAY", "inherited", 1);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) start(ways[i], i % 2);
  spawn(false);
  spawn(true);
  // What is not there can't be started, and says so.
  if (execv("/no/such/program", arguments) != -1 || errno != ENOENT) return 84;
  if (execlp("no-such-program", "zero", (char *)NULL) != -1 || errno != ENOENT) return 85;
  pid_t none;
  return posix_spawn(&none, "/no/such/program", NULL, NULL, arguments, environ) == ENOENT ? 0 : 86;
}
