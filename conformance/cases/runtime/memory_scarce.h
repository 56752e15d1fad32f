// SPDX-License-Identifier: Apache-2.0
// Calls for which there is not enough memory. A call is made with its first request refused, then
// with its second, and so on until none is refused any more: once with the others granted, once
// with all that follow refused, too.
//
// A library may end the process where it finds no memory (no document forbids it). So that this
// hides nothing, the calls are made in a child of the case, and after its end by another child that
// goes on behind it. Findings come back through memory that all of them share.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_MEMORY_SCARCE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_MEMORY_SCARCE_H_

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/battery.h"

enum { ROUNDS = 4, REQUESTS_MAX = 500 };

// What a call works with. Everything here is made with all the memory there is.
typedef struct Scene {
  Iut *iut;
  union {  // the output, as the function types it
    TVMFFIAny any;
    TVMFFIObjectHandle handle;
    void *pointer;
    int32_t index;
    DLDataType dtype;
  } out;
  TVMFFIObjectHandle object;    // own: an object of ours or of the library's, strong count 1
  TVMFFIObjectHandle function;  // own: what is called by name
  TVMFFIAny args[6];
  int32_t num_args;
  int32_t type_index;
  unsigned number;  // of the name, which is new after each success
  char text[48];
  TVMFFIByteArray name;
  int64_t size;  // of the container that grows
  int32_t made;  // the type index of an output that was made with all the memory there is
  void *own;     // whatever else a row needs
} Scene;

typedef enum ScarceOutput { OUTPUT_NONE, OUTPUT_ANY, OUTPUT_HANDLE, OUTPUT_OTHER } ScarceOutput;

typedef struct ScarceCall {
  const char *name;
  int (*call)(Scene *scene);
  ScarceOutput output;
  void (*prepare)(Scene *scene);  // once in a process
  void (*use_up)(Scene *scene);  // before each call: memory of ended objects that the runtime keeps
  void (*undo)(Scene *scene);    // after a success, beyond the release of the output
  // After a failure: what should not be there; NULL if nothing is.
  const char *(*remains)(Scene *scene);
  bool enters;  // what `remains` finds is what the call is made for: it is there after a success
  bool later;   // not in every release
  bool silent;  // no error is asked for: making one is what fails
  // Successes after which every table that the call fills has grown.
  unsigned grown_after;
} ScarceCall;

// --- Findings ------------------------------------------------------------------------------------

enum { FINDING_SIZE = 160 };

typedef struct Findings {
  unsigned next[2];  // by extent: the request that is refused next
  bool done[2], grown;
  unsigned failures;                 // that were reported
  unsigned deaths;                   // of children
  char silent[FINDING_SIZE];         // a failure without an error
  char kind[FINDING_SIZE];           // an error of another kind
  char not_done[FINDING_SIZE];       // a success that did not do what the call is made for
  char output[FINDING_SIZE];         // an output that somebody would release
  char half_done[FINDING_SIZE];      // something is there that should not be
  char held[FINDING_SIZE];           // memory or references that nobody gives back
  char not_recovered[FINDING_SIZE];  // a call that fails though nothing was refused
} Findings;

// The first of its kind stays.
static inline void finding(char text[FINDING_SIZE], unsigned request, FaultsExtent extent,
                           const char *what)
{
  if (*text) return;
  snprintf(text, FINDING_SIZE, "request %u refused%s: %s", request,
           extent == FAULTS_ONCE ? "" : ", and all that follow", what);
}

// --- One call ------------------------------------------------------------------------------------

static inline void name_anew(Scene *scene)
{
  static unsigned names;
  scene->number = ++names;
  int size =
      snprintf(scene->text, sizeof scene->text, "conform.scarce.of.memory.%u", scene->number);
  scene->name = (TVMFFIByteArray){scene->text, (size_t)size};
}

static inline void *output_marker(void)
{
  static char marker;
  return &marker;
}

static inline void prepare_output(const ScarceCall *call, Scene *scene)
{
  scene->out.any = garbage_but_none();
  if (call->output == OUTPUT_HANDLE) scene->out.handle = output_marker();
}

static inline void after_success(const ScarceCall *call, Scene *scene)
{
  if (call->output == OUTPUT_ANY) release_any(scene->iut, &scene->out.any);
  if (call->output == OUTPUT_HANDLE) release_object(scene->iut, scene->out.handle);
  if (call->undo) call->undo(scene);
  name_anew(scene);
}

static inline bool output_is_nobodys(const ScarceCall *call, const Scene *scene)
{
  if (call->output == OUTPUT_ANY) return scene->out.any.type_index == kTVMFFINone;
  if (call->output != OUTPUT_HANDLE) return true;
  return scene->out.handle == output_marker() || !scene->out.handle;
}

static inline bool is_internal_error(const Iut *iut, TVMFFIObjectHandle error)
{
  static const char kind[] = "InternalError";
  TVMFFIByteArray seen = error_cell(iut, error)->kind;
  return seen.size == sizeof kind - 1 && memcmp(seen.data, kind, seen.size) == 0;
}

// The call has returned 0: whether there is anything of what it is made for.
static inline bool has_done(const ScarceCall *call, Scene *scene)
{
  const TVMFFIAny before = garbage_but_none();
  if (call->enters) return call->remains(scene) != NULL;
  if (call->output == OUTPUT_OTHER) return memcmp(&scene->out, &before, sizeof before) != 0;
  return call->output == OUTPUT_NONE || !output_is_nobodys(call, scene);
}

// A success is one, whatever was refused on the way.
static inline void check_success(const ScarceCall *call, Scene *scene, unsigned request,
                                 FaultsExtent extent, Findings *findings)
{
  if (call->output == OUTPUT_ANY && scene->out.any.type_index != scene->made)
    finding(findings->not_done, request, extent, "0 is returned, and another output than else");
  if (call->output == OUTPUT_HANDLE && output_is_nobodys(call, scene))
    finding(findings->not_done, request, extent, "0 is returned, and there is no object");
  if (call->enters && !call->remains(scene))
    finding(findings->not_done, request, extent, "0 is returned, and nothing is entered");
}

static inline void after_failure(const ScarceCall *call, Scene *scene, unsigned request,
                                 FaultsExtent extent, Findings *findings)
{
  ++findings->failures;
  TVMFFIObjectHandle error = take_error(scene->iut);
  if (!error && !call->silent)
    finding(findings->silent, request, extent, "a failure, and no error is raised");
  if (error && !call->silent && !is_internal_error(scene->iut, error))
    finding(findings->kind, request, extent, "the error is of another kind");
  if (error) release_object(scene->iut, error);
  if (!output_is_nobodys(call, scene))
    finding(findings->output, request, extent, "the output was written");
  const char *remains = call->remains ? call->remains(scene) : NULL;
  if (remains) finding(findings->half_done, request, extent, remains);
  if (scene->object && object_strong(scene->iut, scene->object) != 1)
    finding(findings->held, request, extent, "references to an argument were taken and kept");
}

// Makes the call and takes it back. Returns what was seen; *failed: whether it reported a failure.
static inline FaultsSeen call_scarce(const ScarceCall *call, Scene *scene, unsigned request,
                                     FaultsExtent extent, Findings *findings, bool *failed)
{
  prepare_output(call, scene);
  if (call->use_up) call->use_up(scene);
  faults_watch(request, extent);
  int status = call->call(scene);
  FaultsSeen seen = faults_unwatch();
  *failed = status != 0;
  if (*failed) {
    after_failure(call, scene, request, extent, findings);
  } else {
    check_success(call, scene, request, extent, findings);
    after_success(call, scene);
  }
  if (*failed && seen.refused == 0)
    finding(findings->not_recovered, request, extent, "a failure though nothing was refused");
  return seen;
}

// The same some times over: what each of them leaves is a leak, what one of them leaves is a table
// that has grown. Returns whether a request was refused at all.
static inline bool call_rounds(const ScarceCall *call, Scene *scene, unsigned request,
                               FaultsExtent extent, Findings *findings)
{
  unsigned failures = 0;
  bool refused = false;
  faults_forget();
  for (unsigned round = 0; round < ROUNDS; ++round) {
    bool failed;
    refused |= call_scarce(call, scene, request, extent, findings, &failed).refused != 0;
    failures += failed;
    if (!refused) return false;
  }
  FaultsHeld held = faults_held();
  if (failures == ROUNDS && held.blocks >= ROUNDS) {
    char what[80];
    snprintf(what, sizeof what, "%u blocks (%zu bytes) held after %u failures", held.blocks,
             held.bytes, failures);
    finding(findings->held, request, extent, what);
  }
  return true;
}

// --- All of them ---------------------------------------------------------------------------------

// Raises an error from within the library, for which C++ makes what it needs in each thread.
static inline void fail_once(Iut *iut)
{
  int32_t index;
  TVMFFIByteArray nothing = bytes_of("conform.no.such.type");
  expect_error(iut, iut->TypeKeyToIndex(&nothing, &index), NULL);
}

// With all memory: whatever is made at the first call, or at the first error, is there now.
static inline void prepare_scene(const ScarceCall *call, Scene *scene, Iut *iut)
{
  *scene = (Scene){.iut = iut};
  name_anew(scene);
  if (call->prepare) call->prepare(scene);
  fail_once(iut);
  prepare_output(call, scene);
  require(expect_ok(iut, call->call(scene)));
  require(expect_that(has_done(call, scene), "what the call is made for", "0, and nothing else"));
  scene->made = scene->out.any.type_index;
  after_success(call, scene);
}

static inline void call_on_and_on(const ScarceCall *call, Scene *scene, FaultsExtent extent,
                                  Findings *findings)
{
  while (!findings->done[extent]) {
    unsigned request = ++findings->next[extent];
    note("%s: request %u refused%s", call->name, request,
         extent == FAULTS_ONCE ? "" : ", and all that follow");
    findings->done[extent] =
        request >= REQUESTS_MAX || !call_rounds(call, scene, request, extent, findings);
  }
}

// A table grows at a call like any other, for which it needs memory that the others don't: that is
// refused here.
static inline void call_until_grown(const ScarceCall *call, Scene *scene, Findings *findings)
{
  if (findings->grown) return;
  findings->grown = true;  // whatever becomes of this child
  for (unsigned successes = 0, request = 0; successes < call->grown_after;) {
    bool failed;
    call_scarce(call, scene, ++request, FAULTS_ONCE, findings, &failed);
    if (request > REQUESTS_MAX) return;
    if (failed) continue;
    ++successes;
    request = 0;
  }
}

// Memory can be refused here, and the library asks for it where that is seen.
static inline void scarce_or_not_applicable(Iut *iut)
{
  static const char long_text[1 << 16];
  TVMFFIByteArray text = {long_text, sizeof long_text};
  TVMFFIAny string = any_none();
  if (faults_unavailable()) case_not_applicable("%s", faults_unavailable());
  faults_watch(0, FAULTS_ONCE);
  int status = iut->StringFromByteArray(&text, &string);
  FaultsSeen seen = faults_unwatch();
  require(expect_ok(iut, status));
  release_any(iut, &string);
  if (!seen.requests) case_not_applicable("its memory does not come from malloc");
}

// In a child, which may die of it. Returns when all is done.
static inline void call_in_children(const ScarceCall *call, Scene *scene, Findings *findings)
{
  static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
  while (!findings->done[FAULTS_FROM_THEN_ON]) {
    bool new_to_it = findings->deaths == 0;
    pid_t child = fork();
    if (child < 0) case_inconclusive("no child can be started");
    if (child == 0) {
      for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; ++i) signal(deadly[i], SIG_DFL);
      int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
      if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
      call_on_and_on(call, scene, FAULTS_ONCE, findings);
      if (new_to_it) call_until_grown(call, scene, findings);
      call_on_and_on(call, scene, FAULTS_FROM_THEN_ON, findings);
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) continue;
    if (!findings->done[FAULTS_FROM_THEN_ON]) ++findings->deaths;
    if (findings->deaths > REQUESTS_MAX) case_inconclusive("children die again and again");
  }
}

// Makes the call with everything refused that can be, in children. Borrow: what was found.
static inline const Findings *find_in_children(Iut *iut, const ScarceCall *call)
{
  Scene scene;
  scarce_or_not_applicable(iut);
  Findings *findings =
      mmap(NULL, sizeof *findings, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (findings == MAP_FAILED) case_inconclusive("no memory to share with a child");
  prepare_scene(call, &scene, iut);
  call_in_children(call, &scene, findings);
  return findings;
}

static inline void expect_nothing_found(const char *what, const char *text)
{
  expect_that(!*text, what, "%s", text);
}

// A call that failed leaves nothing behind, be it in the output, in tables or in memory.
static inline void expect_nothing_made(Iut *iut, const ScarceCall *call)
{
  const Findings *findings = find_in_children(iut, call);
  expect_nothing_found("nothing is in the output of a call that failed", findings->output);
  expect_nothing_found("nothing else has changed after a call that failed", findings->half_done);
  expect_nothing_found("nothing is held after a call that failed", findings->held);
  expect_nothing_found("the call succeeds when there is memory", findings->not_recovered);
}

// The call returns whichever single request is refused, and every failure raises an error. Here,
// where an end of the process is an end of the case.
static inline void expect_failures_are_reported(Iut *iut, const ScarceCall *call)
{
  Scene scene;
  Findings findings = {.deaths = 0};
  scarce_or_not_applicable(iut);
  prepare_scene(call, &scene, iut);
  call_on_and_on(call, &scene, FAULTS_ONCE, &findings);
  expect_nothing_found("every failure raises an error", findings.silent);
  expect_nothing_found("an error for want of memory is an InternalError", findings.kind);
  expect_nothing_found("a call that returns 0 has done what it was to do", findings.not_done);
}

// The same if no request is granted after the one that is refused.
static inline void expect_survived_to_the_end(Iut *iut, const ScarceCall *call)
{
  Scene scene;
  Findings findings = {.deaths = 0};
  note("%s", call->name);
  prepare_scene(call, &scene, iut);
  call_on_and_on(call, &scene, FAULTS_FROM_THEN_ON, &findings);
  expect_nothing_found("every failure raises an error", findings.silent);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_MEMORY_SCARCE_H_
