// SPDX-License-Identifier: Apache-2.0
// `fuzz`: looks for inputs on which a runtime crashes, or differs from the reference.
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clause.h"
#include "cli/complain.h"
#include "cli/handed_in.h"
#include "cli/options.h"
#include "cli/places.h"
#include "cli/session.h"
#include "cli/style.h"
#include "fuzz/fuzz_campaign.h"
#include "fuzz/fuzz_cause.h"
#include "fuzz/fuzz_folder.h"
#include "report/text_layout.h"

enum { DEFAULT_SECONDS = 60 };
// How long large inputs may take, and the time for which they are worth beginning.
static const uint64_t large_most_ns = 15000000000, large_least_ns = 1000000000;
static const uint64_t second_ns = 1000000000, status_ns = 200000000, plain_ns = 10000000000;

typedef struct Fuzz {
  const Options *options;
  const FuzzSurface *surface;
  bool unfit;        // a surface could not be explored
  uint64_t time_ns;  // for it; 0: no end
  Session session;   // for the library and the way it is loaded
  FuzzCampaign *campaign;
  TextStyle style;
  bool live;  // a status line that is written over
  bool line_shown;
  uint64_t shown_ns;
  char libraries[4200];
  char error[1024];
  unsigned unwritten;
} Fuzz;

// --- Output --------------------------------------------------------------------------------

static void clear_line(Fuzz *fuzz)
{
  if (fuzz->line_shown) printf("\r\033[K");
  fuzz->line_shown = false;
}

// "crash 2, accepted 5", or "nothing".
static void findings_text(const Fuzz *fuzz, char *text, size_t size)
{
  size_t count, used = 0;
  const FuzzFinding *findings = fuzz_campaign_findings(fuzz->campaign, &count);
  unsigned of[FUZZ_CLASSES] = {0};
  snprintf(text, size, "nothing");
  for (size_t i = 0; i < count; ++i) ++of[findings[i].class];
  for (unsigned i = 0; i < FUZZ_CLASSES; ++i)
    if (of[i] && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s %u", used ? ", " : "",
                               fuzz_class_name((FuzzClass)i), of[i]);
}

static void print_status(Fuzz *fuzz, const FuzzCampaign *campaign)
{
  FuzzCounts counts = fuzz_campaign_counts(campaign);
  char found[256], duration[32];
  double seconds = (double)counts.elapsed_ns / 1e9;
  findings_text(fuzz, found, sizeof found);
  clear_line(fuzz);
  printf("%s  %" PRIu64 " inputs, %.0f/s  corpus %u%s%.0u  found: %s",
         text_duration(counts.elapsed_ns, duration), counts.executed,
         seconds > 0 ? (double)counts.executed / seconds : 0, counts.corpus,
         counts.edges ? "  edges " : "", counts.edges, found);
  fuzz->line_shown = fuzz->live;
  if (!fuzz->live) printf("\n");
  fflush(stdout);
}

static void on_tick(void *context, const FuzzCampaign *campaign)
{
  Fuzz *fuzz = context;
  uint64_t now = slot_now_ns();
  if (fuzz->options->verbosity < 0 || now - fuzz->shown_ns < (fuzz->live ? status_ns : plain_ns))
    return;
  fuzz->shown_ns = now;
  fuzz->campaign = (FuzzCampaign *)(uintptr_t)campaign;
  print_status(fuzz, campaign);
}

static void print_finding(const Fuzz *fuzz, const char *label, const FuzzFinding *finding)
{
  const FuzzAspect *aspect = &fuzz->surface->aspects[finding->aspect];
  const Clause *clause = clause_get(fuzz_cause_clause(fuzz->surface, finding));
  char left[160];
  snprintf(left, sizeof left, "%s: %s", fuzz_class_name(finding->class), aspect->name);
  text_title(stdout, &fuzz->style, PAINT_BAD, label, left, clause ? clause->id : "");
  text_field(stdout, &fuzz->style, "input", aspect->what, strlen(aspect->what));
  text_field(stdout, &fuzz->style, "actual", finding->seen, strlen(finding->seen));
  if (finding->phase < fuzz->surface->phase_count &&
      (finding->class == FUZZ_CRASH || finding->class == FUZZ_HANG)) {
    char where[FUZZ_WHERE_MAX + 64];
    snprintf(where, sizeof where, "while %s%s%s", fuzz->surface->phases[finding->phase],
             finding->where[0] ? ", in " : "", finding->where);
    text_field(stdout, &fuzz->style, "where", where, strlen(where));
  }
}

// --- Findings ------------------------------------------------------------------------------------

// How many of the findings before this one have its class and aspect, this one included.
static unsigned number_of(const Fuzz *fuzz, const FuzzFinding *finding)
{
  size_t count;
  unsigned number = 1;
  const FuzzFinding *all = fuzz_campaign_findings(fuzz->campaign, &count);
  for (size_t i = 0; i < count && &all[i] != finding; ++i)
    number += all[i].class == finding->class && all[i].aspect == finding->aspect &&
              !all[i].before == !finding->before;
  return number;
}

static const char *output_folder(const Options *options)
{
  return options->output ? options->output : "findings";
}

// Writes its folder, whose name it gives. False if that can't be.
static bool write_finding(Fuzz *fuzz, const FuzzFinding *finding, char name[FUZZ_NAME_MAX])
{
  FuzzShelf shelf = {output_folder(fuzz->options), fuzz->session.library, fuzz->libraries};
  fuzz_folder_name(fuzz->surface, finding, number_of(fuzz, finding), name);
  return fuzz_folder_write(&shelf, fuzz->surface, finding, name, fuzz->error, sizeof fuzz->error);
}

// What is said of it stays; its folder has the example, too.
static void on_more(void *context, const FuzzFinding *finding)
{
  char name[FUZZ_NAME_MAX];
  write_finding(context, finding, name);
}

static void on_found(void *context, const FuzzFinding *finding)
{
  static const char once[] = "no time was left to confirm it; --replay does";
  Fuzz *fuzz = context;
  char name[FUZZ_NAME_MAX], duration[32], text[256];
  clear_line(fuzz);
  print_finding(fuzz, "FOUND", finding);
  if (write_finding(fuzz, finding, name)) {
    size_t before = fuzz_finding_before(finding);
    if (before)
      text_field(stdout, &fuzz->style, "stateful", text,
                 (size_t)snprintf(text, sizeof text, "it shows behind %zu other input%s only",
                                  before, before == 1 ? "" : "s"));
    snprintf(text, sizeof text, "%zu bytes in %s/%s, after %s", finding->size,
             output_folder(fuzz->options), name, text_duration(finding->after_ns, duration));
    text_field(stdout, &fuzz->style, "written", text, strlen(text));
    if (finding->unconfirmed) text_field(stdout, &fuzz->style, "note", once, strlen(once));
  } else {
    ++fuzz->unwritten;
    complain("%s", fuzz->error);
  }
  fflush(stdout);
}

static void on_doubted(void *context, const FuzzFinding *finding)
{
  Fuzz *fuzz = context;
  clear_line(fuzz);
  print_finding(fuzz, "ONCE", finding);
}

// What was seen, and came again neither alone nor behind what ran before it. Their number.
static size_t list_unreproduced(const Fuzz *fuzz)
{
  size_t count = 0;
  for (const FuzzFinding *finding;
       (finding = fuzz_campaign_unreproduced(fuzz->campaign, count)) != NULL; ++count)
    print_finding(fuzz, "ONCE", finding);
  if (count)
    printf("%zu result%s did not recur, neither alone nor after the inputs before\n", count,
           count == 1 ? "" : "s");
  return count;
}

static int summarise(Fuzz *fuzz, bool interrupted)
{
  FuzzCounts counts = fuzz_campaign_counts(fuzz->campaign);
  size_t count;
  char duration[32];
  const FuzzFinding *findings = fuzz_campaign_findings(fuzz->campaign, &count);
  size_t once = 0;
  for (size_t i = 0; i < count; ++i) once += findings[i].unconfirmed;
  clear_line(fuzz);
  printf("%" PRIu64 " inputs in %s (%.0f per second), %" PRIu64 " processes, %u behaviours kept",
         counts.executed, text_duration(counts.elapsed_ns, duration),
         (double)counts.executed / ((double)counts.elapsed_ns / 1e9 + 1e-9), counts.processes,
         counts.corpus);
  if (counts.edges) printf(", %u places reached", counts.edges);
  printf(": %zu finding%s", count, count == 1 ? "" : "s");
  if (count) printf(" in %s", output_folder(fuzz->options));
  if (once) printf(", %zu of them not confirmed", once);
  if (fuzz->unwritten) printf(", %u of them without all of its files", fuzz->unwritten);
  printf("\n");
  if (counts.passed_over)
    printf("%" PRIu64 " more inputs were skipped: inputs like them had ended processes\n",
           counts.passed_over);
  size_t unreproduced = list_unreproduced(fuzz);
  if (interrupted) printf("interrupted: the findings so far\n");
  if (interrupted) return EXIT_INTERRUPTED;
  if (fuzz->unwritten) return EXIT_SUITE_FAULT;
  return count || unreproduced ? EXIT_DOES_NOT_CONFORM : EXIT_CONFORMS;
}

static int explore(Fuzz *fuzz)
{
  FuzzListener listener = {.found = on_found,
                           .more = on_more,
                           .doubted = fuzz->options->verbosity > 0 ? on_doubted : NULL,
                           .tick = on_tick,
                           .context = fuzz};
  fuzz->shown_ns = slot_now_ns();
  if (fuzz->options->verbosity >= 0)
    printf("%s   %s   seed %" PRIu64 "\n", fuzz->session.library->path, fuzz->surface->title,
           fuzz->options->seed);
  fflush(stdout);
  if (!fuzz_campaign_explore(fuzz->campaign, &listener, fuzz->error, sizeof fuzz->error)) {
    size_t count;
    clear_line(fuzz);
    fuzz_campaign_findings(fuzz->campaign, &count);
    if (count) summarise(fuzz, false);
    fflush(stdout);
    complain("cannot fuzz %s: %s: %s", fuzz->surface->name, fuzz->session.library->path,
             fuzz->error);
    fuzz->unfit = true;
    return EXIT_CANNOT_LOAD;
  }
  return summarise(fuzz, session_interrupted());
}

// --- Replay --------------------------------------------------------------------------------------

// 1: it shows still, 0: no more, -1: no verdict.
static int replay_one(Fuzz *fuzz, const FuzzKept *kept)
{
  FuzzShown shown;
  fuzz->surface = kept->surface;
  if (!fuzz_campaign_try(fuzz->campaign, kept->surface, &kept->finding, &shown)) {
    if (!session_interrupted()) complain("%s: %s", kept->name, shown.error);
    return -1;
  }
  printf("%-10s  ", shown.count ? "shows" : "gone");
  text_print(stdout, &fuzz->style, kept->name, strlen(kept->name));
  printf("\n");
  for (size_t i = 0; i < shown.count; ++i) print_finding(fuzz, "SHOWN", &shown.findings[i]);
  fflush(stdout);
  return shown.count != 0;
}

static int replay(Fuzz *fuzz, const FuzzKept *kept, size_t count)
{
  size_t shows = 0, run = 0;
  for (size_t i = 0; i < count && !session_interrupted(); ++i) {
    int still = replay_one(fuzz, &kept[i]);
    if (still < 0 && session_interrupted()) break;
    if (still < 0) return EXIT_CANNOT_LOAD;
    shows += (size_t)still;
    ++run;
  }
  printf("%zu of %zu findings show%s\n", shows, run, run < count ? " (interrupted)" : "");
  if (run < count) return EXIT_INTERRUPTED;
  return shows ? EXIT_DOES_NOT_CONFORM : EXIT_CONFORMS;
}

// --- The program of a finding --------------------------------------------------------------------

static int print_program(const Options *options)
{
  const char *folder = options->operands[0];
  size_t count = 0;
  char error[1024];
  FuzzKept *kept = handed_in_findings(folder, options->sandbox, &count, error, sizeof error);
  if (!kept) {
    complain("%s", error);
    return EXIT_USAGE;
  }
  if (count == 1)
    fuzz_folder_program(kept[0].surface, &kept[0].finding, stdout);
  else
    complain("%s: %zu findings (name the folder of one)", folder, count);
  fuzz_kept_free(kept, count);
  return count == 1 ? EXIT_CONFORMS : EXIT_USAGE;
}

// --- The rate ------------------------------------------------------------------------------------

static int measure(Fuzz *fuzz)
{
  FuzzCounts counts;
  uint64_t time = fuzz->options->time_ns ? fuzz->options->time_ns : 3 * second_ns;
  if (!fuzz_campaign_rate(fuzz->campaign, time, &counts, fuzz->error, sizeof fuzz->error)) {
    complain("%s: %s", fuzz->session.library->path, fuzz->error);
    return EXIT_CANNOT_LOAD;
  }
  printf("%s: %.0f valid inputs per second on one core, %s; 1 of 10,000 crashes (%" PRIu64
         " processes)\n",
         fuzz->surface->name, (double)counts.executed / ((double)counts.elapsed_ns / 1e9),
         fuzz->surface->title, counts.processes);
  return session_interrupted() ? EXIT_INTERRUPTED : EXIT_CONFORMS;
}

// --- The verb ------------------------------------------------------------------------------------

// As `run` does: what one generation says of its functions is wrong of the other's.
static int choose_generation(Fuzz *fuzz, RunLoaded *loaded)
{
  Session *session = &fuzz->session;
  int code = session_choose_generation(session, fuzz->options, fuzz_campaign_runner(fuzz->campaign),
                                       loaded);
  if (code == EXIT_CONFORMS) {
    fuzz_campaign_speak(fuzz->campaign, session->generation, loaded->version);
    return code;
  }
  complain("%s", session->error);
  fuzz_campaign_close(fuzz->campaign);
  return code;
}

static int open_campaign(Fuzz *fuzz)
{
  const Options *options = fuzz->options;
  RunConfig config = session_config(&fuzz->session, options);
  FuzzPlan plan = {.surface = fuzz->surface,
                   .seed = options->seed,
                   .runs = options->runs,
                   .time_ns = fuzz->time_ns,
                   .limit_ns = config.case_limit_ns};
  RunLoaded loaded;
  RunStatus status;
  config.isolation = RUN_ISOLATION_FORK;
  if (options->rate) config.jobs = 1;
  fuzz->campaign =
      fuzz_campaign_open(&plan, &config, &loaded, &status, fuzz->error, sizeof fuzz->error);
  if (fuzz->campaign) return choose_generation(fuzz, &loaded);
  bool ours = status == RUN_SUITE_FAULT;
  if (ours)
    complain("%s", fuzz->error);
  else
    complain("cannot load %s: %s", options->operands[0], fuzz->error);
  return session_interrupted() ? EXIT_INTERRUPTED : ours ? EXIT_SUITE_FAULT : EXIT_CANNOT_LOAD;
}

static int fuzz_surface(Fuzz *fuzz, const FuzzKept *kept, size_t kept_count)
{
  int code = open_campaign(fuzz);
  if (code != EXIT_CONFORMS) return code;
  code = kept                  ? replay(fuzz, kept, kept_count)
         : fuzz->options->rate ? measure(fuzz)
                               : explore(fuzz);
  fuzz_campaign_close(fuzz->campaign);
  return code;
}

// Where nothing else is asked for, large inputs come first, which are a few.
static int fuzz_library(Fuzz *fuzz, const FuzzKept *kept, size_t kept_count)
{
  const Options *options = fuzz->options;
  int code = session_inspect_runtime(&fuzz->session, options->operands[0], options->sandbox);
  if (code != EXIT_CONFORMS) {
    complain("%s", fuzz->session.error);
    return code;
  }
  code = session_open_sandbox(&fuzz->session, options);
  if (code != EXIT_CONFORMS) {
    complain("%s", fuzz->session.error);
    return code;
  }
  bool bounded = options->time_ns || options->runs;
  fuzz->time_ns = bounded ? options->time_ns : DEFAULT_SECONDS * second_ns;
  const uint64_t all_ns = fuzz->time_ns, start_ns = slot_now_ns();
  uint64_t share = all_ns / 3 < large_most_ns ? all_ns / 3 : large_most_ns;
  bool with_large = !kept && !options->rate && !options->surface && !options->runs;
  if (!with_large || share < large_least_ns) return fuzz_surface(fuzz, kept, kept_count);
  const FuzzSurface *surface = fuzz->surface;
  fuzz->surface = &fuzz_library_scale;
  fuzz->time_ns = share;
  int large = fuzz_surface(fuzz, NULL, 0);
  uint64_t taken_ns = slot_now_ns() - start_ns;
  // What keeps large inputs from being tried may be what the others find.
  if (large != EXIT_CONFORMS && large != EXIT_DOES_NOT_CONFORM && !fuzz->unfit) return large;
  fuzz->surface = surface;
  fuzz->time_ns = all_ns - (taken_ns < all_ns / 2 ? taken_ns : all_ns / 2);
  code = fuzz_surface(fuzz, NULL, 0);
  return code == EXIT_CONFORMS ? large : code;
}

// The surface that is asked for, or the first one.
static bool choose_surface(Fuzz *fuzz)
{
  const char *name = fuzz->options->surface;
  fuzz->surface = name ? fuzz_surface_find(name) : fuzz_surfaces[0];
  if (fuzz->surface) return true;
  char names[512] = "";
  for (size_t i = 0, length = 0; i < fuzz_surface_count && length < sizeof names; ++i)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s %s", i ? "," : "",
                               fuzz_surfaces[i]->name);
  complain("unknown surface \"%s\" (one of%s)", name, names);
  return false;
}

int verb_fuzz(const Options *options)
{
  static Fuzz fuzz;
  FuzzKept *kept = NULL;
  size_t kept_count = 0;
  if (options->program) return print_program(options);
  fuzz.options = options;
  setlocale(LC_CTYPE, "");
  fuzz.style = style_for(stdout, options);
  fuzz.live = isatty(STDOUT_FILENO);
  if (!choose_surface(&fuzz)) return EXIT_USAGE;
  if (!places()->worker[0]) {
    complain("%s", places_no_worker);
    return EXIT_SUITE_FAULT;
  }
  snprintf(fuzz.libraries, sizeof fuzz.libraries, "%s", places()->worker);
  snprintf(strrchr(fuzz.libraries, '/') + 1, 16, "libraries");
  if (options->replay) {
    kept = handed_in_findings(options->replay, options->sandbox, &kept_count, fuzz.error,
                              sizeof fuzz.error);
    if (!kept) {
      complain("%s", fuzz.error);
      return EXIT_USAGE;
    }
    fuzz.surface = kept[0].surface;
  }
  if (!options->replay && !options->rate &&
      !fuzz_folder_usable(output_folder(options), fuzz.error, sizeof fuzz.error)) {
    complain("%s", fuzz.error);
    return EXIT_USAGE;
  }
  session_catch_interrupts();
  int code = fuzz_library(&fuzz, kept, kept_count);
  session_free(&fuzz.session);
  if (kept) fuzz_kept_free(kept, kept_count);
  return code;
}
