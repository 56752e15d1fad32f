// SPDX-License-Identifier: Apache-2.0
// Programs that a traced one starts, and that can't have the layer in them: they are started without it,
// as their loaders would complain of it, or not start them. What is called here may be called between
// vfork and the new program, so nothing is allocated and no lock is taken.
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "layer/layer.h"
#include "layer/starter.h"

#define EXPORTED __attribute__((visibility("default")))

extern char **environ;

// --- The C library's -----------------------------------------------------------------------------

static struct {
  int (*execve)(const char *, char *const[], char *const[]);
  int (*execvpe)(const char *, char *const[], char *const[]);
  int (*fexecve)(int, char *const[], char *const[]);
  int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
               char *const[], char *const[]);
  int (*spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                const posix_spawnattr_t *, char *const[], char *const[]);
} real;

__attribute__((constructor)) static void find_real(void)
{
  if (real.execve) return;
  *(void **)(void *)&real.execvpe = dlsym(RTLD_NEXT, "execvpe");
  *(void **)(void *)&real.fexecve = dlsym(RTLD_NEXT, "fexecve");
  *(void **)(void *)&real.spawn = dlsym(RTLD_NEXT, "posix_spawn");
  *(void **)(void *)&real.spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
  *(void **)(void *)&real.execve = dlsym(RTLD_NEXT, "execve");
}

// --- The environment -----------------------------------------------------------------------------

static const char *value_of(const char *variable, const char *name)
{
  size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && variable[length] == '=' ? variable + length + 1
                                                                         : NULL;
}

static const char *list_of(const char *variable)
{
  const char *list = value_of(variable, "LD_PRELOAD");
  return list ? list : value_of(variable, "LD_AUDIT");
}

static bool is_own(const char *path, size_t length)
{
  static const char prefix[] = "libtvmffi_conform_";
  const char *slash = memrchr(path, '/', length);
  const char *name = slash ? slash + 1 : path;
  return (size_t)(path + length - name) > sizeof prefix - 1 &&
         strncmp(name, prefix, sizeof prefix - 1) == 0;
}

// Goes to the next item of a list. The loader takes colons and, in LD_PRELOAD, blanks as its ends.
static bool next_item(const char **list, size_t *length)
{
  *list += *length + strspn(*list + *length, ": ");
  *length = strcspn(*list, ": ");
  return *length > 0;
}

// The list without the layer's libraries, in `text`, which has room for all of it. False: nothing is left.
static bool without_layer(const char *variable, char *text)
{
  const char *list = list_of(variable);
  char *start = mempcpy(text, variable, (size_t)(list - variable)), *end = start;
  for (size_t length = 0; next_item(&list, &length);) {
    if (is_own(list, length)) continue;
    if (end > start) *end++ = ':';
    end = mempcpy(end, list, length);
  }
  *end = '\0';
  return end > start;
}

static bool is_out_of_reach(const char *path, int mode)
{
  int saved = errno;
  bool missing = access(path, mode) != 0 &&
                 (errno == EACCES || errno == ENOENT || errno == ENOTDIR || errno == EROFS);
  errno = saved;
  return missing;
}

// Whether the list names a library of the layer; `missing` is set if one is out of reach.
static bool names_layer(const char *list, bool *missing)
{
  bool any = false;
  for (size_t length = 0; next_item(&list, &length);) {
    char path[RING_PATH_MAX * 4];
    if (!is_own(list, length)) continue;
    any = true;
    if (length >= sizeof path) continue;
    memcpy(path, list, length);
    path[length] = '\0';
    *missing = *missing || is_out_of_reach(path, R_OK);
  }
  return any;
}

static bool has_layer(char *const *environment, bool *missing)
{
  bool any = false;
  for (; environment && *environment; ++environment) {
    const char *list = list_of(*environment), *ring = value_of(*environment, RING_VARIABLE);
    if (list) any = names_layer(list, missing) || any;
    if (ring) *missing = *missing || is_out_of_reach(ring, R_OK | W_OK);
  }
  return any;
}

// --- Starting ------------------------------------------------------------------------------------

// A program that is to be started, and how.
typedef struct Start {
  int (*go)(const struct Start *start, char *const *environment);
  const char *file;
  bool searches;  // for a file without a slash in PATH
  char *const *arguments, *const *environment;
  int descriptor;
  pid_t *pid;
  const posix_spawn_file_actions_t *actions;
  const posix_spawnattr_t *attributes;
} Start;

static StarterFit read_in_path(const char *file, Starter *starter)
{
  const char *folders = getenv("PATH");
  char path[RING_PATH_MAX * 4];
  for (size_t length = 0; folders && *folders; folders += length + (folders[length] == ':')) {
    length = strcspn(folders, ":");
    if (length + strlen(file) + 2 > sizeof path) continue;
    char *end = mempcpy(path, folders, length);
    if (length) *end++ = '/';
    strcpy(end, file);
    if (!is_out_of_reach(path, X_OK)) return starter_read(path, starter);
  }
  return STARTER_FITS;
}

static StarterFit fit_of(const Start *start)
{
  bool missing = false;
  Starter starter;
  if (!start->file || !has_layer(start->environment, &missing)) return STARTER_FITS;
  if (missing) return STARTER_REACH;
  return start->searches && !strchr(start->file, '/') ? read_in_path(start->file, &starter)
                                                      : starter_read(start->file, &starter);
}

static void count(StarterFit why, unsigned long long by)
{
  if (layer_is_running()) atomic_fetch_add(&layer_ring->unwatched[why], by);
}

// It is counted beforehand, since this may not return, and not if it does so in vain.
static int start_without(const Start *start, StarterFit why)
{
  size_t variables = 0, bytes = 0;
  for (; start->environment[variables]; ++variables)
    if (list_of(start->environment[variables])) bytes += strlen(start->environment[variables]) + 1;
  char *environment[variables + 1], text[bytes], *end = text;
  size_t kept = 0;
  for (size_t i = 0; i < variables; ++i) {
    char *variable = start->environment[i];
    if (list_of(variable)) {
      if (!without_layer(variable, end)) continue;
      variable = end;
      end += strlen(end) + 1;
    }
    environment[kept++] = variable;
  }
  environment[kept] = NULL;
  count(why, 1);
  int result = start->go(start, environment);
  if (result != 0) count(why, -1ULL);
  return result;
}

static int start_program(const Start *start)
{
  int saved = errno;
  find_real();
  StarterFit fit = fit_of(start);
  errno = saved;
  return fit == STARTER_FITS ? start->go(start, start->environment) : start_without(start, fit);
}

// --- What programs call --------------------------------------------------------------------------

static int go_execve(const Start *start, char *const *environment)
{
  if (real.execve) return real.execve(start->file, start->arguments, environment);
  return (int)syscall(SYS_execve, start->file, start->arguments, environment);
}

static int go_execvpe(const Start *start, char *const *environment)
{
  return real.execvpe(start->file, start->arguments, environment);
}

static int go_fexecve(const Start *start, char *const *environment)
{
  return real.fexecve(start->descriptor, start->arguments, environment);
}

static int go_spawn(const Start *start, char *const *environment)
{
  return (start->searches ? real.spawnp : real.spawn)(
      start->pid, start->file, start->actions, start->attributes, start->arguments, environment);
}

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[])
{
  return start_program(&(const Start){
      .go = go_execve, .file = path, .arguments = arguments, .environment = environment});
}

EXPORTED int execv(const char *path, char *const arguments[])
{
  return execve(path, arguments, environ);
}

EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[])
{
  return start_program(&(const Start){.go = go_execvpe,
                                      .file = file,
                                      .searches = true,
                                      .arguments = arguments,
                                      .environment = environment});
}

EXPORTED int execvp(const char *file, char *const arguments[])
{
  return execvpe(file, arguments, environ);
}

EXPORTED int fexecve(int descriptor, char *const arguments[], char *const environment[])
{
  char path[] = "/proc/self/fd/0123456789", *digits = path + sizeof "/proc/self/fd/" - 1;
  unsigned rest = descriptor < 0 ? 0 : (unsigned)descriptor;
  size_t length = 1;
  for (unsigned left = rest; left > 9; left /= 10) ++length;
  digits[length] = '\0';
  for (; length > 0; rest /= 10) digits[--length] = (char)('0' + rest % 10);
  return start_program(&(const Start){.go = go_fexecve,
                                      .file = path,
                                      .arguments = arguments,
                                      .environment = environment,
                                      .descriptor = descriptor});
}

static size_t count_arguments(va_list list)
{
  size_t number = 1;
  while (va_arg(list, char *)) ++number;
  return number;
}

// The arguments of a call, of which the first is named, as an array of that many and NULL.
static void take_arguments(const char *first, va_list *list, char **out, size_t number)
{
  out[0] = (char *)(uintptr_t)first;
  for (size_t i = 1; i <= number; ++i) out[i] = va_arg(*list, char *);
}

#define TAKE_ARGUMENTS(first)                  \
  va_list list;                                \
  va_start(list, first);                       \
  const size_t number = count_arguments(list); \
  va_end(list);                                \
  char *arguments[number + 2];                 \
  va_start(list, first);                       \
  take_arguments(first, &list, arguments, number)

EXPORTED int execl(const char *path, const char *first, ...)
{
  TAKE_ARGUMENTS(first);
  va_end(list);
  return execve(path, arguments, environ);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
  TAKE_ARGUMENTS(first);
  va_end(list);
  return execvpe(file, arguments, environ);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
  TAKE_ARGUMENTS(first);
  char *const *environment = va_arg(list, char *const *);
  va_end(list);
  return execve(path, arguments, environment);
}

EXPORTED int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const arguments[],
                         char *const environment[])
{
  return start_program(&(const Start){.go = go_spawn,
                                      .file = path,
                                      .arguments = arguments,
                                      .environment = environment,
                                      .pid = pid,
                                      .actions = actions,
                                      .attributes = attributes});
}

EXPORTED int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const arguments[],
                          char *const environment[])
{
  return start_program(&(const Start){.go = go_spawn,
                                      .file = file,
                                      .searches = true,
                                      .arguments = arguments,
                                      .environment = environment,
                                      .pid = pid,
                                      .actions = actions,
                                      .attributes = attributes});
}
