// SPDX-License-Identifier: Apache-2.0
#include "run/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/children.h"
#include "run/signal_name.h"

enum { FIRST_FREE_FD = 10, DRAIN_MAX = 4 << 20 };
static const uint64_t grace_ns = 1000000000;

uint64_t slot_now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void close_fd(int *fd)
{
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// Moves a descriptor out of the way of those a worker is started with.
static int move_up(int fd)
{
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
  close(fd);
  return moved;
}

// --- Starting ------------------------------------------------------------------------------------

typedef struct Ends {
  int control, output;  // the worker's ends
} Ends;

static bool make_channels(Slot *slot, Ends *ends)
{
  int pair[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return false;
  // A message is sent whole or not at all.
  setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &(int){2 * (int)sizeof(WorkerMessage)}, sizeof(int));
  slot->control = move_up(pair[0]);
  ends->control = move_up(pair[1]);
  if (pipe2(pipes, O_CLOEXEC) != 0) return false;
  slot->output = move_up(pipes[0]);
  ends->output = move_up(pipes[1]);
  fcntl(slot->output, F_SETFL, O_NONBLOCK);
  if (!slot->evidence) {
    slot->evidence = evidence_create(&slot->evidence_fd);
    if (!slot->evidence) return false;
    slot->evidence_fd = move_up(slot->evidence_fd);
  }
  evidence_clear(slot->evidence, 0);
  atomic_store(&slot->evidence->began, 0);
  return slot->control >= 0 && ends->control >= 0 && slot->output >= 0 && ends->output >= 0;
}

size_t slot_emulator(char text[SLOT_WRAPPER_TEXT], const char *words[SLOT_WRAPPER_MAX])
{
  const char *given = getenv("TVMFFI_CONFORM_EMULATOR");
  char *rest = text;
  size_t count = 0;
  snprintf(text, SLOT_WRAPPER_TEXT, "%s", given ? given : "");
  for (char *word; count < SLOT_WRAPPER_MAX - 1 && (word = strtok_r(rest, " ", &rest)); ++count)
    words[count] = word;
  words[count] = NULL;
  return count;
}

// Who wanted this program to run the worker, to be put behind what is said of it.
static const char *wanted_by(const char *program)
{
  char text[SLOT_WRAPPER_TEXT];
  const char *words[SLOT_WRAPPER_MAX];
  bool emulator = slot_emulator(text, words) && strcmp(words[0], program) == 0;
  return emulator ? " (from TVMFFI_CONFORM_EMULATOR)" : "";
}

void slot_explain_start(const char *worker, const char *program, int status, char *error,
                        size_t error_size)
{
  const char *wanted = program ? wanted_by(program) : "";
  if (!program)
    snprintf(error, error_size, "cannot start the worker %s: %s", worker, strerror(status));
  else if (status != ENOENT)
    snprintf(error, error_size, "cannot start %s%s, to run the worker %s: %s", program, wanted,
             worker, strerror(status));
  else
    snprintf(
        error, error_size, "cannot start %s%s, to run the worker: not found (%s)", program, wanted,
        *wanted ? "Debian has emulators in the package qemu-user; unset the variable to use none"
                : "Debian has it in the package of that name");
}

void slot_explain_end(const char *worker, const char *program, int status, char *error,
                      size_t error_size)
{
  char how[64], name[SIGNAL_NAME_MAX];
  if (WIFSIGNALED(status))
    snprintf(how, sizeof how, "was ended by %s", signal_name(WTERMSIG(status), name));
  else
    snprintf(how, sizeof how, "ended with exit(%d)", WEXITSTATUS(status));
  if (program)
    snprintf(error, error_size, "cannot run the worker %s: %s%s %s before the worker began", worker,
             program, wanted_by(program), how);
  else
    snprintf(
        error, error_size,
        "the worker %s %s before it began (set TVMFFI_CONFORM_EMULATOR to an emulator if it is for "
        "another machine)",
        worker, how);
}

static int start(Slot *slot, const SlotCommand *command, const Ends *ends)
{
  char parent[24];
  snprintf(parent, sizeof parent, "%ld", (long)getpid());
  const char *mode = command->anew ? "--serve-anew" : "--serve";
  const char *fixed[] = {command->worker,   mode, parent, command->library, command->runtime,
                         command->observer, NULL};
  const char *words[SLOT_WRAPPER_MAX + sizeof fixed / sizeof fixed[0]];
  size_t count = 0;
  for (; command->wrapper && command->wrapper[count]; ++count)
    words[count] = command->wrapper[count];
  memcpy(&words[count], fixed, sizeof fixed);
  int nothing = move_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const SandboxDescriptor descriptors[] = {{nothing, STDIN_FILENO},
                                           {ends->output, STDOUT_FILENO},
                                           {ends->output, STDERR_FILENO},
                                           {ends->control, WORKER_CONTROL_FD},
                                           {slot->evidence_fd, WORKER_EVIDENCE_FD},
                                           {command->shared, WORKER_SHARED_FD}};
  const SandboxProgram program = {
      .words = words,
      .environment = command->environment,
      .descriptors = descriptors,
      .descriptor_count = sizeof descriptors / sizeof descriptors[0] - (command->shared == 0),
      .apart = true};
  SandboxProcess worker = {0};
  int status = nothing < 0 ? errno : sandbox_start(command->sandbox, &program, &worker);
  slot->pid = worker.id;
  slot->keeper = worker.keeper;
  if (nothing >= 0) close(nothing);
  return status;
}

bool slot_open(Slot *slot, const SlotCommand *command, char *error, size_t error_size)
{
  Ends ends = {-1, -1};
  slot->control = slot->output = slot->process = -1;
  slot->ended = slot->replied = slot->silent = false;
  slot->stopped = NULL;
  slot->text_size = 0;
  slot->text_total = 0;
  slot->warm = false;
  int status = make_channels(slot, &ends) ? start(slot, command, &ends) : errno;
  close_fd(&ends.control);
  close_fd(&ends.output);
  if (status == 0) {
    // A copy of the worker that the library forked off may hold its channels open forever.
    slot->process = (int)syscall(SYS_pidfd_open, slot->pid, 0);
    slot->state = SLOT_LOADING;
    slot->started_ns = slot_now_ns();
    return true;
  }
  slot_explain_start(command->worker, command->wrapper ? command->wrapper[0] : NULL, status, error,
                     error_size);
  close_fd(&slot->control);
  close_fd(&slot->output);
  return false;
}

// --- Talking -------------------------------------------------------------------------------------

static uint64_t fresh_nonce(void)
{
  static uint64_t state;
  if (!state && getrandom(&state, sizeof state, 0) != sizeof state) state = slot_now_ns();
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return state;
}

bool slot_request(Slot *slot, WorkerRequest request)
{
  return slot_request_about(slot, request, NULL);
}

bool slot_request_about(Slot *slot, WorkerRequest request, const WorkerSubject *subject)
{
  static WorkerMessage message;
  if (!slot->silent) slot_drain(slot);
  slot->silent = false;
  slot->text_size = 0;
  slot->text_total = 0;
  slot->timed_out = false;
  slot->calls = slot->calls_seen = 0;
  slot->stopped = NULL;
  slot->nonce = fresh_nonce();
  evidence_clear(slot->evidence, slot->nonce);
  size_t size = worker_message_make(&message, &request, subject);
  // Before the request is sent: this process may not run again before the worker is done.
  slot->started_ns = slot_now_ns();
  if (send(slot->control, &message, size, MSG_NOSIGNAL) != (ssize_t)size) return false;
  slot->state = SLOT_BUSY;
  return true;
}

int slot_reply(Slot *slot, WorkerReply *reply)
{
  ssize_t size = recv(slot->control, reply, sizeof *reply, MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return slot->ended ? -1 : 0;
  if (size != (ssize_t)sizeof *reply) return -1;
  reply->text[sizeof reply->text - 1] = '\0';
  return 1;
}

void slot_drain(Slot *slot)
{
  char block[65536];
  for (size_t total = 0; total < DRAIN_MAX && slot->output >= 0;) {
    ssize_t size = read(slot->output, block, sizeof block);
    if (size <= 0) return;
    total += (size_t)size;
    size_t room = sizeof slot->text - slot->text_size;
    size_t kept = (size_t)size < room ? (size_t)size : room;
    memcpy(slot->text + slot->text_size, block, kept);
    slot->text_size += kept;
    slot->text_total += (uint64_t)size;
  }
}

// --- Ending --------------------------------------------------------------------------------------

void slot_kill_case(Slot *slot)
{
  children_kill(slot->pid, NULL, 0, NULL);
  slot->deadline_ns = slot_now_ns() + grace_ns;
}

int slot_close(Slot *slot)
{
  int status = -1;
  if (slot->state == SLOT_BUSY) slot_kill_case(slot);
  if (slot->pid > 0) {
    kill(-slot->pid, SIGKILL);
    kill(slot->pid, SIGKILL);
    if (slot->keeper > 0) kill(slot->keeper, SIGKILL);  // both end at the same time
    while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR) continue;
  }
  sandbox_end(&(SandboxProcess){slot->pid, slot->keeper});
  slot_drain(slot);
  close_fd(&slot->control);
  close_fd(&slot->output);
  close_fd(&slot->process);
  slot->pid = slot->keeper = 0;
  slot->state = SLOT_CLOSED;
  return status;
}

void slot_free(Slot *slot)
{
  if (slot->state != SLOT_CLOSED) slot_close(slot);
  if (slot->evidence) munmap(slot->evidence, sizeof *slot->evidence);
  slot->evidence = NULL;
  close_fd(&slot->evidence_fd);
}
