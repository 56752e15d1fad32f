// SPDX-License-Identifier: Apache-2.0
// What the main process and a worker say to each other, over a SOCK_SEQPACKET pair: one request,
// one reply. Results of a case do not travel here but in the shared Evidence.
#ifndef TVMFFI_CONFORMANCE_RUN_PROTOCOL_H_
#define TVMFFI_CONFORMANCE_RUN_PROTOCOL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/kernel.h"
#include "signature/signature.h"

// A worker exports this symbol with these bytes behind it: by it the program knows one from any
// other file, without starting it.
#define WORKER_MARK_SYMBOL "tvmffi_conform_worker"
#define WORKER_MARK "worker of tvmffi-conform"

// Descriptors that a worker is started with, besides 0, 1 and 2.
// WORKER_SHARED_FD only if the slot has something to share (SlotCommand.shared).
enum { WORKER_CONTROL_FD = 3, WORKER_EVIDENCE_FD = 4, WORKER_SHARED_FD = 5 };

typedef enum WorkerCommand {
  WORKER_RUN_CASE = 1,    // run case `index` in a child
  WORKER_ASK_VERSION,     // ask the library for its version in a child
  WORKER_TIME_BACKTRACE,  // take a backtrace in a child; how long the first one takes goes into the
                          // evidence
  WORKER_WARM_UP,  // take a backtrace in the worker itself, so that its forks need not be the first
  WORKER_PROBE,  // make the call that the kernel describes; what came of it goes into the evidence
  WORKER_ASK_METADATA,  // call the metadata function of the kernel; the text goes into the evidence
  WORKER_FUZZ,          // serve arena `index` of the shared memory in a child
  WORKER_ASK_GENERATION,  // look at an object that the library makes; what its header tells goes
                          // into the evidence
  WORKER_ASK_DEVICE,  // open the real device of the kernel; + and its name, or - and why there is
                      // none, goes into the evidence
  WORKER_ASK_SCOPES,  // look for signs of the scopes of the spec in a child; the bits go into the
                      // evidence
} WorkerCommand;

typedef struct WorkerRequest {
  uint32_t command;     // WorkerCommand
  uint32_t index;       // into case_registry()
  uint32_t version;     // what the library reports, ABI_VERSION
  uint32_t generation;  // of a case: the AbiGeneration that it takes the library for
  uint32_t rows;        // of a case: so many, from `index` on, in one process; 0: one
} WorkerRequest;

// What a request is about.
enum { WORKER_BESIDE_MAX = KERNELS_BESIDE_MAX };
typedef struct WorkerSubject {
  const Kernel *kernel;        // NULL: the library as a whole
  const Signature *signature;  // NULL: nothing more is known of it
  const Kernel
      *beside[WORKER_BESIDE_MAX];  // other functions of the module, for cases that call them, too
  uint32_t beside_count;
} WorkerSubject;

// What is sent: a request; behind it the function of a module that it is about, if it is about one,
// packed; behind this its signature, if anything is known of it; and other functions, each packed behind its size. As much as
// there is of `rest`.
enum { WORKER_ALIGNMENT = 8 };  // of the signature and of each function beside it
typedef struct WorkerMessage {
  WorkerRequest request;
  uint32_t kernel_size;   // 0: it is about none
  uint32_t signature_at;  // in `rest`; 0: nothing is known
  uint32_t signature_size;
  uint32_t beside_at, beside_count;
  _Alignas(WORKER_ALIGNMENT) char rest[KERNEL_PACKED_MAX + WORKER_ALIGNMENT + SIGNATURE_SIZE_MAX];
} WorkerMessage;

// Puts a message together, and returns its size; `subject` NULL: about the library as a whole. Functions beside it for which there
// is no room are left out.
size_t worker_message_make(WorkerMessage *message, const WorkerRequest *request,
                           const WorkerSubject *subject);
// Whether `size` bytes are a message; `subject` is valid until the next one is taken, as long as `message` is.
bool worker_message_take(const WorkerMessage *message, size_t size, WorkerSubject *subject);

typedef enum WorkerAnswer {
  WORKER_READY = 1,    // the library is loaded, or warmed up, or will be by each child
  WORKER_CANNOT_LOAD,  // `text` says why
  WORKER_ENDED,        // the child has ended with `status`
} WorkerAnswer;

typedef struct WorkerReply {
  uint32_t answer;  // WorkerAnswer
  int32_t status;   // WORKER_ENDED: as from waitpid, -1 if there was no child to wait for
  uint32_t
      threads;  // WORKER_READY: threads in the process after loading, 1 if the library starts none
  uint32_t left;     // WORKER_ENDED: processes that the child left behind
  uint64_t battery;  // WORKER_READY: case_registry_digest(), to notice a worker of another build
  char text[480];    // WORKER_READY, once loaded: the C library that is in this process
} WorkerReply;

#endif  // TVMFFI_CONFORMANCE_RUN_PROTOCOL_H_
