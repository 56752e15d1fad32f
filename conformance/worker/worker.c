// SPDX-License-Identifier: Apache-2.0
// The worker: the only program in which code of the library under test runs. It loads the library
// once (the zygote) and runs each case in a fork of itself; or it stays clean, and each fork loads
// the library anew, which leaves a library the threads that it starts when it is loaded; or, for
// `repro`, it runs one case right here.
//
//   tvmffi-conform-worker --serve PARENT_PID LIBRARY            control on descriptor 3, evidence on 4
//   tvmffi-conform-worker --serve-anew PARENT_PID LIBRARY       the same
//   tvmffi-conform-worker --repro CASE_ID LIBRARY
//   tvmffi-conform-worker --bench ROUNDS LIBRARY [LIBRARY]      records on descriptor 3
//   tvmffi-conform-worker --replay PROCESS RECORDING LIBRARY    memory to write to on descriptor 3
//
// Behind the LIBRARY of --serve, --serve-anew and --repro may stand RUNTIME OBSERVER: the library
// is a kernel module then, and is loaded into the runtime with the observer between the two.
// --repro takes one more word then, a file that holds a message about the function that the case is about.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "battery/address_space.h"
#include "battery/clock.h"
#include "battery/expect.h"
#include "battery/generation_objects.h"
#include "battery/iut.h"
#include "battery/probe.h"
#include "battery/scope_signs.h"
#include "bench/bench.h"
#include "fuzz/fuzz_engine.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_host.h"
#include "kernel/kernel_metadata.h"
#include "kernel/kernel_probe.h"
#include "kernel/kernel_work.h"
#include "plan/case.h"
#include "replay/replay.h"
#include "run/children.h"
#include "run/orphans.h"
#include "run/protocol.h"
#include "worker/c_library.h"
#include "worker/crash.h"

extern const char worker_mark[sizeof WORKER_MARK] __asm__(WORKER_MARK_SYMBOL)
    __attribute__((visibility("default")));
const char worker_mark[sizeof WORKER_MARK] = WORKER_MARK;

enum { HELPERS_MAX = 64, CONTROL_FD_LEAST = 500 };

static Iut iut;
static const char *library_path, *runtime_path, *observer_path;
static int control = WORKER_CONTROL_FD;
static int shared = -1;  // memory of the main process, where it has such a thing for its workers
static pid_t helpers[HELPERS_MAX];  // processes that the library started when it was loaded
static size_t helper_count;
static Evidence *evidence;
static const CaseInstance *battery;
static size_t battery_count;

static uint64_t now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool send_reply(const WorkerReply *reply)
{
  return send(control, reply, sizeof *reply, MSG_NOSIGNAL) == (ssize_t)sizeof *reply;
}

// --- Loading -------------------------------------------------------------------------------------

static bool load_into(Iut *into, char *error, size_t error_size)
{
  if (!runtime_path) return iut_load(into, library_path, error, error_size);
  return kernel_host_load(into, library_path, runtime_path, observer_path, error, error_size);
}

// Loads the library and takes back what its constructors may have done to this process.
static bool load(char *error, size_t error_size)
{
  pid_t self = getpid();
  bool loaded = load_into(&iut, error, error_size);
  if (getpid() != self) _exit(0);  // a constructor forked, and this is the copy
  crash_reset_signals();
  if (!loaded) return false;
  evidence->load_address = iut.load_address;
  crash_install(evidence);
  address_space_limit();
  return true;
}

// Processes that a constructor started are part of the library, and no leftovers of a case.
static void note_helpers(void)
{
  while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  if (waitpid(-1, NULL, WNOHANG) == 0) helper_count = children_list(getpid(), helpers, HELPERS_MAX);
}

// Written now, or every fork would have it to write.
static void flush_what_was_printed(void)
{
  fflush(NULL);
}

static void load_and_say(void)
{
  WorkerReply reply = {.answer = WORKER_READY, .battery = case_registry_digest()};
  if (load(reply.text, sizeof reply.text)) {
    c_library_name(reply.text, sizeof reply.text);
    flush_what_was_printed();
    note_helpers();
    reply.threads = threads_of_process();
  } else {
    reply.answer = WORKER_CANNOT_LOAD;
  }
  // The channel is not the library's to close. That it did is said in the evidence, which can't be
  // closed.
  if (!send_reply(&reply)) evidence->end = EVIDENCE_INCONCLUSIVE;
  if (evidence->end || reply.answer != WORKER_READY) _exit(3);
}

// The first backtrace of the process, for all its forks.
static WorkerReply warm_up(void)
{
  iut.Backtrace(NULL, 0, NULL, 0);
  flush_what_was_printed();
  return (WorkerReply){.answer = WORKER_READY, .battery = case_registry_digest()};
}

// --- Cases ---------------------------------------------------------------------------------------

static void end_where_it_lacks(const CaseInstance *instance)
{
  if (!instance->test->lacks) return;
  CaseInstance bound = *instance;
  bound.kernel = kernel_under_test();
  bound.signature = signature_under_test();
  const char *lack = case_lack(&bound, false);
  if (lack && bound.test->unconcerned) case_not_concerned("%s", lack);
  if (lack) case_not_applicable("%s", lack);
}

static _Noreturn void run_case(const WorkerRequest *request)
{
  const uint32_t rows = request->rows ? request->rows : 1;
  if (request->index >= battery_count || rows > battery_count - request->index ||
      rows > EVIDENCE_ROWS_MAX)
    _exit(2);
  for (uint32_t i = 0; i < rows; ++i) {
    const CaseInstance *instance = &battery[request->index + i];
    const uint32_t held = atomic_load(&evidence->held);
    clock_start_again();
    end_where_it_lacks(instance);
    instance->test->body(&iut, instance->row);
    // The others are run alone.
    if (atomic_load(&evidence->failed)) break;
    evidence->row_held[i] = atomic_load(&evidence->held) - held;
    evidence->rows = i + 1;
  }
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void ask_version(void)
{
  evidence->version = iut_ask_version(&iut);
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void ask_generation(void)
{
  evidence->generations = generation_of_objects(&iut);
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void ask_scopes(void)
{
  evidence->scopes = scope_signs(&iut);
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

// How long the first backtrace takes: some libraries read all debug information of the process for
// it.
static _Noreturn void time_backtrace(void)
{
  uint64_t start = now_ns();
  iut.Backtrace(NULL, 0, NULL, 0);
  evidence->duration_ns = now_ns() - start;
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void ask_metadata(void)
{
  kernel_metadata_fetch(&iut, evidence);
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void answer_device(bool found, const char *text)
{
  int size = snprintf(evidence->text, EVIDENCE_TEXT_MAX - 1, "%c%s", found ? '+' : '-', text);
  evidence->text_size = (uint32_t)size;
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static void answer_lacking(const char *what)
{
  answer_device(false, what);
}

static _Noreturn void ask_device(void)
{
  char text[KERNEL_CUDA_TEXT];
  bool found = kernel_cuda_open(text);
  if (found) kernel_cuda_describe(text);
  CudaAccount *account = kernel_cuda_account();
  if (account) account->on_lacking = answer_lacking;
  if (found && account) found = kernel_work_is_seen(&iut, kernel_under_test(), text, sizeof text);
  answer_device(found, text);
}

// Many inputs of a fuzzing campaign in one process.
static _Noreturn void serve_fuzzing(unsigned slot)
{
  if (!fuzz_serve(&iut, shared, slot))
    case_inconclusive("the memory shared with the main process is not available");
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void probe_kernel(void)
{
  kernel_probe(&iut);
  expect_seal(EVIDENCE_FINISHED);
  _exit(0);
}

static _Noreturn void be_child(const WorkerRequest *request, const WorkerSubject *subject,
                               pid_t worker)
{
  char error[sizeof evidence->reason - 32];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != worker) _exit(3);
  setpgid(0, 0);
  close(control);
  expect_record_into(evidence);
  if (!iut.handle && !load(error, sizeof error))
    case_inconclusive("it could not be loaded again: %s", error);
  iut.version = request->version;
  bool judged = request->command == WORKER_RUN_CASE || request->command == WORKER_FUZZ;
  if (judged && iut.generation != request->generation)
    iut_speak(&iut, (AbiGeneration)request->generation);
  evidence->load_address = iut.load_address;
  if (request->command == WORKER_ASK_VERSION) ask_version();
  if (request->command == WORKER_ASK_GENERATION) ask_generation();
  if (request->command == WORKER_ASK_SCOPES) ask_scopes();
  if (request->command == WORKER_TIME_BACKTRACE) time_backtrace();
  kernel_host_choose(subject->kernel, subject->signature);
  kernel_host_set_beside(subject->beside, subject->beside_count);
  if (request->command == WORKER_ASK_METADATA) ask_metadata();
  if (request->command == WORKER_ASK_DEVICE) ask_device();
  if (request->command == WORKER_FUZZ) serve_fuzzing(request->index);
  if (request->command == WORKER_PROBE) probe_kernel();
  run_case(request);
}

// Runs one request in a child and waits for its end. What the child left behind in its process
// group is ended before the child is reaped, so that the group's number can't be anybody else's
// yet; what left the group has become ours, and is ended before it can meddle with the evidence of
// the next case: `left` says how many there were.
static int serve(const WorkerRequest *request, const WorkerSubject *subject, uint32_t *left)
{
  pid_t self = getpid(), child = fork();
  if (child == 0) be_child(request, subject, self);
  if (child < 0) return -1;
  setpgid(child, child);
  siginfo_t info = {0};
  while (info.si_pid != child) {
    // Others that end meanwhile must not stay in the kernel's table.
    if (info.si_pid > 0) waitpid(info.si_pid, NULL, WNOHANG);
    info.si_pid = 0;
    if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) < 0 && errno != EINTR) break;
  }
  kill(-child, SIGKILL);
  int status = -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  *left = (uint32_t)orphans_end(helpers, helper_count);
  return status;
}

// The channels, out of the way of a library that takes low descriptors for its own, and of what it
// executes.
static bool take_channels(void)
{
  evidence = evidence_attach(WORKER_EVIDENCE_FD);
  if (evidence) atomic_store(&evidence->began, 1);
  close(WORKER_EVIDENCE_FD);
  shared = fcntl(WORKER_SHARED_FD, F_DUPFD_CLOEXEC, CONTROL_FD_LEAST);
  if (shared >= 0) close(WORKER_SHARED_FD);
  int moved = fcntl(WORKER_CONTROL_FD, F_DUPFD_CLOEXEC, CONTROL_FD_LEAST);
  if (moved < 0) return evidence && fcntl(WORKER_CONTROL_FD, F_SETFD, FD_CLOEXEC) == 0;
  close(WORKER_CONTROL_FD);
  control = moved;
  return evidence != NULL;
}

static int serve_forever(pid_t parent, bool anew)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // (Who is outside of our namespace has no number here.)
  if (getppid() != parent && getppid() != 0) return 3;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  crash_reset_signals();
  if (!take_channels()) return 3;
  kernel_chosen_share();
  if (!anew)
    load_and_say();
  else if (!send_reply(&(WorkerReply){
               .answer = WORKER_READY, .threads = 1, .battery = case_registry_digest()}))
    return 3;
  static WorkerMessage message;
  for (;;) {
    ssize_t size = recv(control, &message, sizeof message, 0);
    if (size < 0 && errno == EINTR) continue;
    // Else the main process has gone, or wants no more.
    WorkerSubject subject;
    if (size < 0 || !worker_message_take(&message, (size_t)size, &subject)) return 0;
    WorkerReply reply = {.answer = WORKER_ENDED};
    if (message.request.command == WORKER_WARM_UP)
      reply = warm_up();
    else
      reply.status = serve(&message.request, &subject, &reply.left);
    if (!send_reply(&reply)) return 3;
  }
}

// --- repro ---------------------------------------------------------------------------------------

static const char *repro_id;

// The call that failed or was under way, as a C program. Async-signal-safe.
static void print_program(void)
{
  static const char title[] = "      the call in C\n\n";
  size_t size = strnlen(evidence->text, evidence->text_size);
  if (size == 0 || write(STDOUT_FILENO, title, sizeof title - 1) < 0) return;
  if (write(STDOUT_FILENO, evidence->text, size) < 0 || write(STDOUT_FILENO, "\n", 1) < 0) return;
}

// A debugger has seen the signal by then.
static void print_and_crash(int number)
{
  print_program();
  signal(number, SIG_DFL);
  raise(number);
}

static void print_program_at_crash(void)
{
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  static char memory[64 * 1024];
  struct sigaction action = {.sa_handler = print_and_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    sigaction(numbers[i], &action, NULL);
}

static void print_evidence(void)
{
  uint32_t failed = atomic_load(&evidence->failed);
  for (uint32_t i = 0; i < failed && i < EVIDENCE_FAILURES_MAX; ++i) {
    const EvidenceFailure *failure = &evidence->failures[i];
    printf("FAIL  %s  (%s)\n", failure->what, failure->source);
    printf("      expected      %s\n      actual        %s\n", failure->expected, failure->seen);
    if (failure->note[0]) printf("      at            %s\n", failure->note);
  }
  if (evidence->end == EVIDENCE_SKIPPED || evidence->end == EVIDENCE_NOT_CONCERNED ||
      evidence->end == EVIDENCE_INCONCLUSIVE)
    printf("%s: no verdict: %s\n", repro_id, evidence->reason);
  else
    printf("%s: %u expectations held, %u did not\n", repro_id, atomic_load(&evidence->held),
           failed);
  fflush(stdout);
  if (failed) print_program();
  _exit(failed ? 1 : 0);
}

// The function that the case is about, as the main process knew it, in a message.
static bool choose_kernel(const char *path)
{
  static WorkerMessage message;
  static WorkerSubject subject;
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(&message, 1, sizeof message, file) : 0;
  if (file) fclose(file);
  if (!worker_message_take(&message, size, &subject) || !subject.kernel) return false;
  kernel_host_choose(subject.kernel, subject.signature);
  kernel_host_set_beside(subject.beside, subject.beside_count);
  return true;
}

// `generation` is the one that is forced, or empty: the library's own signs tell.
static int repro(const char *generation, const char *id, const char *kernel_path)
{
  AbiGeneration forced;
  const CaseInstance *instance = case_find(id);
  if (!instance) {
    fprintf(stderr, "tvmffi-conform-worker: unknown case \"%s\"\n", id);
    return 2;
  }
  static Evidence own;
  evidence = &own;
  repro_id = id;
  setvbuf(stdout, NULL, _IOLBF, 0);  // what was said before a crash is not lost
  char error[512];
  expect_record_into(evidence);
  expect_after_seal = print_evidence;
  if (!load_into(&iut, error, sizeof error)) {
    fprintf(stderr, "tvmffi-conform-worker: cannot load %s: %s\n", library_path, error);
    return 3;
  }
  if (kernel_path && !choose_kernel(kernel_path)) {
    fprintf(stderr, "tvmffi-conform-worker: %s holds no function\n", kernel_path);
    return 2;
  }
  unsigned seen = generation_of_objects(&iut);
  if (abi_generation_find(generation, &forced)) seen = GENERATION_BIT(forced);
  generation_speak(&iut, seen);
  iut.version = iut_ask_version(&iut);
  print_program_at_crash();
  end_where_it_lacks(instance);
  instance->test->body(&iut, instance->row);
  expect_seal(EVIDENCE_FINISHED);
  print_evidence();
  return 0;
}

int main(int argc, char **argv)
{
  battery = case_registry(&battery_count);
  if (argc >= 4 && strcmp(argv[1], "--bench") == 0)
    return bench_serve((unsigned)strtoul(argv[2], NULL, 10), (unsigned)argc - 3, argv + 3);
  if (argc == 5 && strcmp(argv[1], "--replay") == 0)
    return replay_serve((unsigned)strtoul(argv[2], NULL, 10), argv[3], argv[4]);
  if (argc == 4 || argc == 6 || argc == 7) library_path = argv[3];
  if (argc >= 6) {
    runtime_path = argv[4];
    observer_path = argv[5];
  }
  if (library_path && (strcmp(argv[1], "--serve") == 0 || strcmp(argv[1], "--serve-anew") == 0))
    return serve_forever((pid_t)strtol(argv[2], NULL, 10), strcmp(argv[1], "--serve-anew") == 0);
  if (library_path && strncmp(argv[1], "--repro", 7) == 0)
    return repro(argv[1] + 7 + (argv[1][7] == '='), argv[2], argc == 7 ? argv[6] : NULL);
  fprintf(stderr, "%s is started by tvmffi-conform, not by hand\n", argv[0]);
  return 2;
}
