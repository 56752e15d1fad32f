// SPDX-License-Identifier: Apache-2.0
// What a session about a kernel module needs besides: the functions, how they are called, and the
// runtime that the module is loaded into.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/places.h"
#include "cli/session.h"
#include "plan/signature_file.h"
#include "plan/signature_kinds.h"
#include "plan/signature_metadata.h"

// A driver reserves address space for all memory of its devices.
static void take_device(Session *session, const Options *options)
{
  if (!options->cuda) return;
  kernel_list_on_cuda(&session->kernels, options->cuda - 1);
  setenv("TVMFFI_CONFORM_NO_MEMORY_LIMIT", "1", 1);
}

void session_ask_device(Session *session, const Options *options, Runner *runner)
{
  RunReport *report = &session->report;
  if (session->library->profile != INSPECT_PROFILE_MODULE || !options->cuda) return;
  report->device = options->device;
  snprintf(session->device, sizeof session->device, "no function of the module uses a device");
  for (size_t i = 0; i < session->kernels.count; ++i) {
    bool cut = false;
    if (!session->kernels.items[i].cuda) continue;
    char *text = runner_ask_device(runner, &session->kernels.items[i], &cut);
    report->device_found = text && text[0] == '+';
    snprintf(session->device, sizeof session->device, "%s",
             text ? text + 1 : "querying the driver ends the process");
    free(text);
    break;
  }
  report->device_text = session->device;
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
    kernel->functions = library->module_functions;
    kernel->has_metadata = library->functions[i].has_metadata;
    ++list->count;
  }
  if (options->signatures &&
      !signature_file_read(options->signatures, list, session->error, sizeof session->error))
    return session_interrupted() ? EXIT_INTERRUPTED : EXIT_USAGE;
  take_device(session, options);
  return EXIT_CONFORMS;
}

// What is said of metadata that says nothing of how its function is called; NULL if it does.
static const char *read_metadata(Runner *runner, KernelList *kernels, size_t index, char *error,
                                 size_t error_size)
{
  bool cut = false;
  Kernel *kernel = &kernels->items[index];
  Signature *known = NULL;
  char *text = runner_ask_metadata(runner, kernel, &cut);
  const char *wrong = NULL;
  if (!text)
    wrong = "missing, or reading it fails";
  else if (cut)
    wrong = "too long";
  else if (!(known = signature_metadata_types(text, strlen(text), error, error_size)))
    wrong = error[0] ? error : "no type_schema";
  if (known) {
    signature_take_kinds(known, kernel);
    kernel_list_know(kernels, index, known);
  }
  free(text);
  return wrong;
}

void session_ask_kernels(Session *session, Runner *runner, FILE *complaints)
{
  for (size_t i = 0; i < session->kernels.count; ++i) {
    Kernel *kernel = &session->kernels.items[i];
    char error[256];
    if (kernel->source != KERNEL_UNKNOWN || !kernel->has_metadata) continue;
    const char *wrong = read_metadata(runner, &session->kernels, i, error, sizeof error);
    if (wrong && complaints)
      fprintf(complaints, "tvmffi-conform: %s: metadata of %s: %s\n", session->library->path,
              kernel->name, wrong);
  }
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
