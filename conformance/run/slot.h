// SPDX-License-Identifier: Apache-2.0
// A slot: one worker process with its evidence, its control socket and the pipe that catches its
// output, as the main process sees them. Nothing in here waits; the runner polls.
#ifndef TVMFFI_CONFORMANCE_RUN_SLOT_H_
#define TVMFFI_CONFORMANCE_RUN_SLOT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/children.h"
#include "run/evidence.h"
#include "run/protocol.h"
#include "sandbox/sandbox.h"

enum { SLOT_OUTPUT_KEPT = 4096, SLOT_WRAPPER_MAX = 8, SLOT_WRAPPER_TEXT = 4200 };

typedef enum SlotState {
  SLOT_CLOSED,   // no process
  SLOT_LOADING,  // started, has not said that the library is loaded
  SLOT_IDLE,
  SLOT_BUSY,  // a request is being served
} SlotState;

typedef struct SlotCommand {
  const char *worker;  // path of the worker program
  const char *library;
  const char *runtime;   // NULL, or the runtime that the library, a module, is loaded into
  const char *observer;  // what is loaded between the two
  bool anew;             // each case loads the library anew, in a process that starts out clean
  const char *const *environment;  // NAME=value entries added to ours, NULL-terminated; may be NULL
  int shared;  // a descriptor (borrowed, above those of a worker) that workers inherit; 0: none
  const char *const *wrapper;  // words put before the command, NULL-terminated, at most
                               // SLOT_WRAPPER_MAX of them; may be NULL
  Sandbox *sandbox;            // what workers are confined by (borrowed); NULL: nothing
} SlotCommand;

typedef struct Slot {
  SlotState state;
  pid_t pid;
  pid_t keeper;         // SandboxProcess.keeper
  int control, output;  // descriptors, -1 if closed
  int process;  // becomes readable when the worker has ended; -1 where the kernel has no such thing
  bool ended;   // the worker has ended, the runner noticed
  bool replied;  // there was something to read from `control`, the runner noticed
  bool silent;   // and nothing from `output`, at the same time
  int evidence_fd;
  Evidence *evidence;
  uint64_t nonce;
  uint64_t started_ns, deadline_ns;
  size_t item;          // SLOT_BUSY: what is being run, for the runner's own use
  size_t items;         // and how many of them, one after the other in one process
  size_t items_passed;  // of these, when the deadline was looked at
  uint64_t limit_ns;    // and how long it may take
  uint64_t granted_ns;  // each time that it is given more of
  bool is_watched;      // its time is up, and what it does is looked at for a moment
  ChildrenTime time;    // of its processes, at the last look
  uint64_t watched_ns;  // how long that was, all together
  unsigned extensions;  // how often it was given more time for that
  bool warm;            // was told to warm up
  bool timed_out;       // the child was killed because its time was up
  uint32_t calls_seen;  // that had come back when its time was up, if it was looked at again then
  uint32_t calls;       // that had come back when it was killed, some since then; 0: it hung
  const char *stopped;  // borrowed constant: what else it was killed for; NULL
  char text[SLOT_OUTPUT_KEPT];  // the first bytes of what was written since the last request
  size_t text_size;
  uint64_t text_total;
} Slot;

// Programs for another machine are run by an emulator, of which they know nothing. So that this one
// can start its worker, TVMFFI_CONFORM_EMULATOR has the words with which to begin: "qemu-s390x -L
// FOLDER". They go into `text`, and pointers to them, NULL-terminated, into `words`; returns how
// many there are.
size_t slot_emulator(char text[SLOT_WRAPPER_TEXT], const char *words[SLOT_WRAPPER_MAX]);

// Says in `error` why there is no worker; none of it is the library's fault. `program` is what was
// to run it, the emulator or Valgrind, NULL if nothing was. The first is about a worker that could
// not be started, for the reason `status`, an errno; the second about one that ended before it
// began to work, as `status` says, which is waitpid's.
void slot_explain_start(const char *worker, const char *program, int status, char *error,
                        size_t error_size);
void slot_explain_end(const char *worker, const char *program, int status, char *error,
                      size_t error_size);

// Starts the worker. False if no process can be had, with the reason in `error`.
bool slot_open(Slot *slot, const SlotCommand *command, char *error, size_t error_size);

// Sends a request, under a nonce of its own, and clears evidence and output for it. False if the
// worker is gone.
bool slot_request(Slot *slot, WorkerRequest request);
// The same, about a function of a module; `subject` NULL: about none.
bool slot_request_about(Slot *slot, WorkerRequest request, const WorkerSubject *subject);

// A reply, if there is one. 1: yes, 0: not yet, -1: the worker is gone.
int slot_reply(Slot *slot, WorkerReply *reply);

// Reads what has been written so far, without waiting; at most a few MiB at a time.
void slot_drain(Slot *slot);

// Kills the process of the case that is running, and whatever else the worker has started, and gives
// the worker a second to report the end of the case.
void slot_kill_case(Slot *slot);

// Kills the worker and everything in its groups, reaps it, and closes its descriptors. Returns its
// wait status, or -1. The evidence stays mapped for reading until slot_free.
int slot_close(Slot *slot);
void slot_free(Slot *slot);

uint64_t slot_now_ns(void);

#endif  // TVMFFI_CONFORMANCE_RUN_SLOT_H_
