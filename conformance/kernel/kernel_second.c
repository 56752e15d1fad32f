// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_second.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "battery/address_space.h"
#include "battery/expect.h"
#include "kernel/kernel_host.h"
#include "plan/case.h"

// What both processes see. The second one reads it only while it serves a request, one after the other.
typedef struct Shared {
  atomic_uint requests;  // so many were made, by all cases
  char error[512];       // why the build could not be loaded; "" if it was
  uint32_t version;
  AbiGeneration generation;
  unsigned count;
  unsigned char fill;
  bool heap;
  SeriesCall calls[SERIES_MAX];
  Kernel kernels[SERIES_MAX];
  Kernel subject;  // the function under test
  bool has_signature;
  _Alignas(16) unsigned char signature[SIGNATURE_SIZE_MAX];
  ApartOutcome outcomes[SERIES_MAX];
} Shared;

static Shared *shared;
static int channel = -1;
static bool is_here;

bool kernel_second_is_here(void)
{
  return is_here;
}

// --- There ---------------------------------------------------------------------------------------

static void leave_process(void)
{
  _exit(0);
}

static void serve(Iut *iut)
{
  for (unsigned i = 0; i < shared->count; ++i) shared->calls[i].kernel = &shared->kernels[i];
  iut->version = shared->version;
  if (iut->generation != shared->generation) iut_speak(iut, shared->generation);
  const void *signature = shared->has_signature ? shared->signature : NULL;
  kernel_host_choose(&shared->subject, signature);
  const Series series = {
      .calls = shared->calls, .count = shared->count, .fill = shared->fill, .heap = shared->heap};
  kernel_series_make(iut, &series, shared->outcomes);
}

static _Noreturn void serve_forever(Iut *iut, const char *path, pid_t parent)
{
  static Evidence ignored;
  unsigned request;
  is_here = true;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  expect_record_into(&ignored);
  expect_after_seal = leave_process;
  if (!kernel_host_open(iut, path, shared->error, sizeof shared->error) && !shared->error[0])
    snprintf(shared->error, sizeof shared->error, "the linker gives no reason");
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  address_space_limit();
  for (;;) {
    const ssize_t size = recv(channel, &request, sizeof request, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof request) _exit(0);
    if (!shared->error[0]) serve(iut);
    if (send(channel, &request, sizeof request, MSG_NOSIGNAL) != sizeof request) _exit(0);
  }
}

// --- Here ----------------------------------------------------------------------------------------

void kernel_second_start(Iut *iut)
{
  int ends[2];
  const char *path = getenv("TVMFFI_CONFORM_SAME_AS");
  if (!path) return;
  void *memory =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  shared = memory;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
  fflush(NULL);
  const pid_t self = getpid(), second = fork();
  channel = ends[second == 0];
  close(ends[second != 0]);
  if (second == 0) serve_forever(iut, path, self);
  if (second > 0) return;
  close(channel);
  channel = -1;
}

static void ask(void)
{
  const unsigned request = atomic_fetch_add(&shared->requests, 1) + 1;
  unsigned answer = 0;
  ssize_t size = send(channel, &request, sizeof request, MSG_NOSIGNAL);
  // A case that was ended has left its answer behind.
  while (size == sizeof answer && answer != request) {
    size = recv(channel, &answer, sizeof answer, 0);
    if (size < 0 && errno == EINTR) size = sizeof answer;
  }
  if (size != sizeof answer)
    case_inconclusive(
        "the process with the other build has ended, perhaps when it was loaded: judge that one by itself");
  if (shared->error[0]) case_inconclusive("cannot load the other build: %s", shared->error);
}

static void copy_outcome(ApartOutcome *to, const ApartOutcome *from)
{
  to->end = from->end;
  to->threads = from->threads;
  to->untouched = from->untouched;
  to->held = from->held;
  to->growth = from->growth;
  snprintf(to->refusal, sizeof to->refusal, "%.*s", (int)sizeof from->refusal - 1, from->refusal);
  to->count = from->count < APART_PARTS_MAX ? from->count : APART_PARTS_MAX;
  to->used = from->used < APART_BYTES_MAX ? from->used : APART_BYTES_MAX;
  memcpy(to->parts, from->parts, to->count * sizeof *to->parts);
  memcpy(to->bytes, from->bytes, to->used);
}

void kernel_second_make(Iut *iut, const Series *series, ApartOutcome *outcomes)
{
  const Signature *signature = signature_under_test();
  if (channel < 0) case_inconclusive("the process with the other build could not be started");
  shared->version = iut->version;
  shared->generation = iut->generation;
  shared->count = series->count;
  shared->fill = series->fill;
  shared->heap = series->heap;
  kernel_copy(&shared->subject, kernel_under_test());
  shared->has_signature = signature && signature->size <= sizeof shared->signature;
  if (shared->has_signature) memcpy(shared->signature, signature, signature->size);
  for (unsigned i = 0; i < series->count; ++i) {
    shared->calls[i] = series->calls[i];
    kernel_copy(&shared->kernels[i], series->calls[i].kernel);
    shared->outcomes[i].end = APART_NOT_AFTER;
  }
  ask();
  for (unsigned i = 0; i < series->count; ++i) copy_outcome(&outcomes[i], &shared->outcomes[i]);
}
