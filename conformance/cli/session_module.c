// SPDX-License-Identifier: Apache-2.0
// What a session about a kernel module needs besides: the functions, how they are called, and the
// runtime that the module is loaded into.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/handed_in.h"
#include "cli/inspect_confined.h"
#include "cli/places.h"
#include "cli/session.h"

static bool is_fake(const Options *options)
{
  return strcmp(options->device, "fake") == 0;
}

// Whether the module can't be loaded, or does not work, without a library of CUDA.
static bool needs_cuda(const InspectReport *library)
{
  for (char **name = library->needed; *name; ++name)
    if (strcmp(*name, "libcuda.so.1") == 0 || strncmp(*name, "libcudart.so.", 13) == 0) return true;
  return false;
}

// Whether the file holds the name of a library of CUDA, which it may open once it runs.
static bool names_cuda(const char *path)
{
  static const char name[] = "libcuda";
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  bool found = false;
  if (file < 0) return false;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    const size_t size = (size_t)status.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      found = memmem(bytes, size, name, sizeof name - 1) != NULL;
      munmap(bytes, size);
    }
  }
  close(file);
  return found;
}

static bool any_is_unknown(const KernelList *list)
{
  for (size_t i = 0; i < list->count; ++i)
    if (list->items[i].source != KERNEL_FROM_FILE) return true;
  return false;
}

// Workers find the stand-ins by a variable of their environment.
static void take_stand_ins(Session *session, const Options *options)
{
  unsetenv("TVMFFI_CONFORM_CUDA");
  if (is_fake(options) || options->cuda || !places()->cuda[0]) return;
  session->stands_in = kernel_list_on_stand_in(&session->kernels);
  session->has_stand_in = session->stands_in || needs_cuda(session->library) ||
                          (any_is_unknown(&session->kernels) && names_cuda(session->library->path));
  if (session->has_stand_in) setenv("TVMFFI_CONFORM_CUDA", places()->cuda, 1);
}

// A driver reserves address space for all memory of its devices.
static void take_device(Session *session, const Options *options)
{
  take_stand_ins(session, options);
  if (!options->cuda) return;
  kernel_list_on_cuda(&session->kernels, options->cuda - 1);
  setenv("TVMFFI_CONFORM_NO_MEMORY_LIMIT", "1", 1);
}

// Functions of which the stand-in can't tell anything do without it. Where a valid call ends the
// process, it stays: cases report that.
static void ask_stand_in(Session *session, Runner *runner)
{
  char first[KERNEL_NAME_MAX + 200] = "";
  unsigned without = 0, with = 0;
  for (size_t i = 0; i < session->kernels.count; ++i) {
    Kernel *kernel = &session->kernels.items[i];
    OutcomeKind end = OUTCOME_LOST;
    if (!kernel->cuda_stands_in) continue;
    ++with;
    char *text = kernel_has_example(kernel) ? runner_ask_device(runner, kernel, &end) : NULL;
    const char *why = text ? text + 1 : "a valid call does not return with it";
    if (text ? text[0] == '-' : end == OUTCOME_TIMED_OUT) {
      kernel_off_stand_in(kernel);
      if (without++ == 0) snprintf(first, sizeof first, "%s: %s", kernel->name, why);
    }
    free(text);
  }
  if (without)
    snprintf(session->device, sizeof session->device,
             "of no use for %u of %u functions, such as %.160s", without, with, first);
  else
    snprintf(session->device, sizeof session->device,
             "launches, copies and allocations are judged, what kernels compute is not");
  session->report.device_found = without < with;
}

void session_ask_device(Session *session, const Options *options, Runner *runner)
{
  RunReport *report = &session->report;
  if (session->library->profile != INSPECT_PROFILE_MODULE) return;
  if (!options->cuda && !session->stands_in) return;
  report->device = options->device;
  report->device_text = session->device;
  if (session->stands_in) {
    ask_stand_in(session, runner);
    return;
  }
  snprintf(session->device, sizeof session->device, "no function of the module uses a device");
  for (size_t i = 0; i < session->kernels.count; ++i) {
    OutcomeKind end;
    if (!session->kernels.items[i].cuda) continue;
    char *text = runner_ask_device(runner, &session->kernels.items[i], &end);
    report->device_found = text && text[0] == '+';
    snprintf(session->device, sizeof session->device, "%s",
             text                       ? text + 1
             : session_interrupted()    ? "the run was interrupted before the driver answered"
             : end == OUTCOME_TIMED_OUT ? "the driver does not answer in time"
                                        : "querying the driver ends the process");
    free(text);
    break;
  }
}

// Another build of the module, from --same-as. Workers find it by a variable of their environment.
static int take_other(Session *session, const Options *options)
{
  char *path = options->same_as ? realpath(options->same_as, NULL) : NULL;
  unsetenv("TVMFFI_CONFORM_SAME_AS");
  if (!options->same_as) return EXIT_CONFORMS;
  InspectReport *other = path ? inspect_confined(path, options->sandbox) : NULL;
  unsigned common = 0;
  for (size_t i = 0; other && i < session->kernels.count; ++i) {
    Kernel *kernel = &session->kernels.items[i];
    for (unsigned k = 0; k < other->module_functions; ++k)
      kernel->has_other |= strcmp(kernel->name, other->functions[k].name) == 0;
    common += kernel->has_other;
  }
  if (!path)
    snprintf(session->error, sizeof session->error, "--same-as %s: %s", options->same_as,
             strerror(errno));
  else if (other && other->status != INSPECT_OK)
    snprintf(session->error, sizeof session->error, "--same-as %s", other->message);
  else if (common == 0)
    snprintf(session->error, sizeof session->error,
             "--same-as %s: it exports none of the functions of the module", options->same_as);
  else
    setenv("TVMFFI_CONFORM_SAME_AS", path, 1);
  if (other) inspect_free(other);
  free(path);
  return common ? EXIT_CONFORMS : EXIT_USAGE;
}

int session_read_kernels(Session *session, const Options *options)
{
  const InspectReport *library = session->library;
  KernelList *list = &session->kernels;
  list->items = calloc(library->module_functions + 1u, sizeof *list->items);
  if (!list->items) {
    snprintf(session->error, sizeof session->error, "out of memory");
    return EXIT_SUITE_FAULT;
  }
  for (unsigned i = 0; i < library->module_functions; ++i) {
    Kernel *kernel = &list->items[list->count];
    // A longer name has no room in a request; no generator writes one.
    if (strlen(library->functions[i].name) >= sizeof kernel->name) continue;
    snprintf(kernel->name, sizeof kernel->name, "%s", library->functions[i].name);
    kernel->has_metadata = library->functions[i].has_metadata;
    ++list->count;
  }
  if (options->signatures && !handed_in_signatures(options->signatures, options->sandbox, list,
                                                   session->error, sizeof session->error))
    return session_interrupted() ? EXIT_INTERRUPTED : EXIT_USAGE;
  take_device(session, options);
  return take_other(session, options);
}

bool session_module_places(Session *session, const Options *options, RunConfig *config)
{
  if (session->library->profile != INSPECT_PROFILE_MODULE) return true;
  static char runtime[4200];
  // With a slash, so that the linker takes it as a path.
  const char *asked = options->runtime ? options->runtime : places()->reference;
  snprintf(runtime, sizeof runtime, "%s%s", !*asked || strchr(asked, '/') ? "" : "./", asked);
  config->runtime = runtime;
  config->observer = places()->observer;
  if (config->runtime[0] && config->observer[0]) return true;
  snprintf(session->error, sizeof session->error,
           "cannot find the %s (install it together with this program)",
           config->runtime[0] ? "observer" : "bundled runtime");
  return false;
}
