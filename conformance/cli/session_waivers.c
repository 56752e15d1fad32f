// SPDX-License-Identifier: Apache-2.0
// Waivers: those of a file that the user names, and those for official releases that come with the
// program.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/handed_in.h"
#include "cli/places.h"
#include "cli/session.h"
#include "judge/known_releases.h"

// With SANDBOX_OFF one that is ours.
static WaiverSet *read_file(Session *session, const char *path, SandboxMode mode)
{
  char today[16];
  time_t now = time(NULL);
  strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
  return handed_in_waivers(path, mode, today, session->error, sizeof session->error);
}

// Whether --waivers asks for those that come with the program. A file of that name is "./official".
static bool asks_for_official(const Options *options)
{
  return options->waivers && strcmp(options->waivers, "official") == 0;
}

int session_read_waivers(Session *session, const Options *options)
{
  if (!options->waivers || asks_for_official(options)) return EXIT_CONFORMS;
  session->waiver_file = read_file(session, options->waivers, options->sandbox);
  session->waivers = session->waiver_file;
  if (session->waivers) return EXIT_CONFORMS;
  return session_interrupted() ? EXIT_INTERRUPTED : EXIT_USAGE;
}

int session_know_release(Session *session, const Options *options)
{
  bool asked = asks_for_official(options);
  const char *release = known_release(session->library);
  if (!release && !asked) return EXIT_CONFORMS;
  if (!release) {
    snprintf(
        session->error, sizeof session->error,
        "--waivers=official: %s is not a known official release (name a file of waivers; one called "
        "official is ./official)",
        session->library->path);
    return EXIT_USAGE;
  }
  waivers_leave_out(session->waiver_file, release);
  if (!places()->official_waivers[0] && !asked) return EXIT_CONFORMS;
  if (!places()->official_waivers[0]) {
    snprintf(session->error, sizeof session->error,
             "cannot find the waivers for official releases (install them together with this "
             "program)");
    return EXIT_SUITE_FAULT;
  }
  session->official_waivers = read_file(session, places()->official_waivers, SANDBOX_OFF);
  if (!session->official_waivers)
    return session_interrupted() ? EXIT_INTERRUPTED : EXIT_SUITE_FAULT;
  waivers_leave_out(session->official_waivers, release);
  session->report.known_release = release;
  session->report.known_deviations = session->official_waivers;
  if (asked) session->waivers = session->official_waivers;
  return EXIT_CONFORMS;
}
