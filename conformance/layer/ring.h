// SPDX-License-Identifier: Apache-2.0
// What the traced processes and the program that traces them share: a file that all of them map. It
// holds addresses and numbers alone; the tracing program makes text of them when the traced ones
// have ended, so it survives whatever becomes of these. Everything has a fixed size, and a reader
// goes out of bounds whatever is written over it in no case.
#ifndef TVMFFI_CONFORMANCE_LAYER_RING_H_
#define TVMFFI_CONFORMANCE_LAYER_RING_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/abi.h"
#include "layer/starter.h"

#define RING_VARIABLE "TVMFFI_CONFORM_TRACE"  // in the environment: the path of the file
#define RING_MAGIC UINT64_C(0x31676e6972746676)

enum {
  RING_FINDINGS_MAX = 2048,  // different ones
  RING_MODULES_MAX = 4096,
  RING_ALIVE_MAX = 1024,  // kinds of objects that are alive at the end
  RING_PROCESSES_MAX = 512,
  RING_THREADS_MAX = 64,  // of a process
  RING_OWN_MAX = 16,  // threads of a process that keep their place and have counters of their own
  RING_SHARED = 4,    // counters of the other threads
  RING_LINE = 64,     // bytes of memory that threads wait for each other for
  RING_PATH_MAX = 336,
  RING_TEXT_MAX = 96,
  RING_NUMBERS = 4,
  RING_CHECKS_MAX = 128,
  RING_EVENTS_MAX = 1 << 18,
  RING_RECORD_MAX = 64 << 20,  // bytes
};

typedef enum RingOnError { RING_REPORT, RING_STOP, RING_ABORT } RingOnError;

// How calls are brought to the layer.
typedef enum RingWay { RING_NO_WAY, RING_AUDIT, RING_PRELOAD } RingWay;

// A library in the memory of an image: of all processes that were forked and executed no other
// program since.
typedef struct RingModule {
  atomic_uint ready;
  uint32_t image;
  uint64_t base, start, end;
  atomic_ullong opened, closed;  // values of Ring.clock; 0: not closed
  char path[RING_PATH_MAX];      // "" for the program itself
} RingModule;

// The stream that a call set first, and what it replaced.
typedef struct RingStream {
  const void *runtime;  // of the layer; NULL: none was set
  int32_t device_type, device_id;
  void *before;
} RingStream;

// What happened within a call.
enum {
  RING_STREAM = 1,  // a stream was asked for, or set
  RING_SIGNAL = 2,  // a signal is pending: TVMFFIEnvCheckSignals has told it, or a code of -2
};

// A call that is checked. A copy of the outer one is kept while another is made.
typedef struct RingCall {
  uint64_t caller, callee;
  uint32_t function;  // AbiFunctionId
  int32_t num_args;
  const TVMFFIAny *args, *result;
  RingStream stream;
  uint32_t seen;   // RING_STREAM and RING_SIGNAL
  uint32_t birth;  // of growth.h, of objects that are first seen in it
  uint64_t frame;  // where the stack was
} RingCall;

// A thread: one of the first RING_OWN_MAX, or another one while it is inside a call.
typedef struct RingThread {
  _Alignas(RING_LINE) atomic_ullong owner;  // 0: free
  int32_t id;               // of a timeline only: asking for it takes longer than a call
  atomic_int depth;         // of calls that are checked
  RingCall call;            // the innermost one
  const void *forwarded;    // the function object whose call is already checked
  uint64_t forwarded_cell;  // and its own code, 0: not known
  int32_t last_depth;       // of the last call that ended, and what it came to
  int32_t last_code;
  TVMFFIAny last_result;
} RingThread;

typedef struct RingCounters {
  _Alignas(RING_LINE) atomic_ullong calls[ABI_FUNCTION_COUNT];
  atomic_ullong cells, entries;  // calls of functions, by their cells and by their symbols
} RingCounters;

typedef struct RingProcess {
  atomic_uint ready;
  int32_t pid;
  uint32_t image, parent;  // parent: number of a process and 1; 0: none that is traced
  uint32_t from;           // the image that started this one; 0: none that is traced
  char program[RING_PATH_MAX];
  atomic_ullong objects, functions;  // tracked
  atomic_uint way;                   // RingWay
  atomic_uint runtimes, unwritable;
  atomic_uint lost_runtimes, lost_entries;              // that are not watched
  _Alignas(RING_LINE) atomic_ullong own[RING_OWN_MAX];  // whose place in `threads` is kept; 0: free
  RingCounters counters[RING_OWN_MAX + RING_SHARED];
  RingThread threads[RING_THREADS_MAX];
} RingProcess;

// Equal findings are counted.
// Whether a finding counts, where a waiver may be about it: who traces knows, and is asked.
typedef enum RingVerdict { RING_UNDECIDED, RING_COUNTS, RING_WAIVED } RingVerdict;

typedef struct RingFinding {
  atomic_ullong key;  // 0: free
  atomic_uint ready;
  uint16_t check;
  uint16_t blame;    // CheckSide
  uint32_t process;  // the first that made it
  uint32_t image;
  int32_t thread;
  uint32_t
      function;  // AbiFunctionId; ABI_FUNCTION_COUNT: a call of a function object or a module function
  uint64_t caller, callee;  // addresses; 0: not known
  uint64_t clock;
  int64_t numbers[RING_NUMBERS];
  char text[RING_TEXT_MAX];
  atomic_ullong count;
  atomic_uint verdict;  // RingVerdict; a futex
} RingFinding;

// Objects of a type that are alive at the end, by who first showed one.
typedef struct RingAlive {
  atomic_ullong key;  // 0: free
  atomic_uint ready;
  uint32_t image;
  int32_t type_index;
  uint64_t made, clock;
  atomic_ullong count;
} RingAlive;

// A call of a function, when it has ended.
typedef struct RingEvent {
  uint64_t caller, callee, start_ns, end_ns;
  uint64_t clock;
  uint32_t process, function;  // function: AbiFunctionId, or ABI_FUNCTION_COUNT
  int32_t thread, depth, code;
  atomic_uint ready;
} RingEvent;

typedef struct Ring {
  uint64_t magic;
  uint64_t size;
  uint32_t on_error;                 // RingOnError
  uint32_t keeps_dead;               // objects that died wait before their memory is freed
  uint32_t looks_deeper;             // each call has a part in checks that take their time
  uint8_t enabled[RING_CHECKS_MAX];  // by check
  uint8_t counts
      [RING_CHECKS_MAX];  // by check: a finding of it ends the program, where on_error says so
  uint8_t asks[RING_CHECKS_MAX];  // by check: a finding of it waits for its verdict
  atomic_uint asked;              // rises with every question; a futex
  atomic_ullong clock;            // rises with every event that has an order
  atomic_uint images;
  atomic_ullong lost_findings, lost_modules, lost_processes, lost_alive;
  atomic_ullong unwatched[STARTER_COUNT];  // programs that were started without the layer
  RingProcess processes[RING_PROCESSES_MAX];
  RingModule modules[RING_MODULES_MAX];
  RingFinding findings[RING_FINDINGS_MAX];
  RingAlive alive[RING_ALIVE_MAX];
  atomic_ullong event_count;  // more than there is room for: the later ones are lost
  // A recording lies behind the timeline, its events as files have them, at multiples of 8 bytes.
  uint64_t record_bytes;      // room for it; 0: nothing is recorded
  atomic_ullong record_used;  // more than there is room for: later events are lost
  atomic_ullong record_serial, record_objects, lost_records;
  uint32_t events_max;  // 0: no timeline
  RingEvent events[];
} Ring;

// In the size of an event of the recording: it is not complete.
#define RECORD_PENDING UINT32_C(0x80000000)

static inline uint64_t ring_size(uint32_t events_max, uint64_t record_bytes)
{
  return sizeof(Ring) + (uint64_t)events_max * sizeof(RingEvent) + record_bytes;
}

#endif  // TVMFFI_CONFORMANCE_LAYER_RING_H_
