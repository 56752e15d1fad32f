// SPDX-License-Identifier: Apache-2.0
// Calls in several threads, each with arguments of its own.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_close.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_program.h"
#include "kernel/kernel_refused.h"
#include "kernel/kernel_steps.h"
#include "kernel/kernel_varied.h"
#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, THREADS = 8, LARGE_THREADS = 4 };

typedef struct Team {
  KernelCall *calls[THREADS];
  unsigned rounds;
} Team;

// Fences are made before the threads begin.
static KernelCall *new_prepared_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = new_right_call(iut, kernel);
  call->args = fenced_args(call->values, (size_t)call->value_count);
  call->result = fenced_result();
  return call;
}

// The call as it was prepared, in the thread that it is made in.
static void call_here(KernelCall *call)
{
  const unsigned end = kernel_call_tensor_end(call);
  for (unsigned i = 0; i < end; ++i) kernel_tensor_reset(kernel_call_tensor(call, i));
  *call->result = call->result_before;
  enter_device(call);
  kernel_call_function(call, NULL, call->result);
  leave_device(call);
  call->error = take_error(call->iut);
  if (call->error) snprintf(call->error_text, sizeof call->error_text, "an error is raised");
}

static void call_over_and_over(Iut *iut, unsigned index, void *context)
{
  (void)iut;
  Team *team = context;
  KernelCall *call = team->calls[index];
  call_here(call);
  for (unsigned i = 1; i < team->rounds && call->returned == 0; ++i) {
    drop_outcome(call);
    call_here(call);
  }
}

static void prepare_team(Iut *iut, Team *team, const Kernel *kernel, unsigned count,
                         unsigned rounds)
{
  team->rounds = rounds;
  for (unsigned i = 0; i < count; ++i) team->calls[i] = new_prepared_call(iut, kernel);
  kernel_program_note(team->calls[0]);
}

static void run_team(Iut *iut, Team *team, const Kernel *kernel, unsigned count, unsigned rounds)
{
  prepare_team(iut, team, kernel, count, rounds);
  run_in_threads(iut, count, call_over_and_over, team);
}

// --- The first call ------------------------------------------------------------------------------

// What came of one attempt, in memory that it shares with the case: the first call can be made once
// in a process, so each attempt has one of its own.
typedef enum AttemptEnd {
  ATTEMPT_LOST = 0,  // the process ended on the way
  ATTEMPT_SAME,
  ATTEMPT_DIFFERS,
  ATTEMPT_REFUSED,  // the right call, in each thread
  ATTEMPT_UNSTEADY  // no two calls give the same, in one thread either
} AttemptEnd;

typedef struct Attempt {
  AttemptEnd end;
  char difference[KERNEL_DIFFERENCE_MAX];
} Attempt;

static AttemptEnd compare_team(Iut *iut, const Kernel *kernel, const Team *team, unsigned count,
                               char *difference)
{
  unsigned served = 0;
  for (unsigned i = 0; i < count; ++i) served += team->calls[i]->returned == 0;
  KernelCall *right = new_prepared_call(iut, kernel), *again = new_prepared_call(iut, kernel);
  call_here(right);
  call_here(again);
  if (right->returned != 0 && served == 0) return ATTEMPT_REFUSED;
  char ignored[KERNEL_DIFFERENCE_MAX];
  if (right->returned != 0 || !kernel_is_close(again, right, ignored)) return ATTEMPT_UNSTEADY;
  for (unsigned i = 0; i < count; ++i)
    if (!kernel_is_close(team->calls[i], right, difference)) return ATTEMPT_DIFFERS;
  return ATTEMPT_SAME;
}

static _Noreturn void attempt(Iut *iut, const Kernel *kernel, Team *team, unsigned count,
                              Attempt *outcome)
{
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  run_in_threads(iut, count, call_over_and_over, team);
  outcome->end = compare_team(iut, kernel, team, count, outcome->difference);
  raise(SIGKILL);  // no code that it could end with itself
  _exit(0);
}

// The first calls of `count` threads, made at once in a process of their own.
static void make_attempt(Iut *iut, const Kernel *kernel, Team *team, unsigned count,
                         Attempt *outcome)
{
  int status = 0;
  *outcome = (Attempt){ATTEMPT_LOST, ""};
  fflush(NULL);
  pid_t copy = fork();
  if (copy == 0) attempt(iut, kernel, team, count, outcome);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  if (outcome->end != ATTEMPT_LOST) return;
  if (WIFSIGNALED(status))
    snprintf(outcome->difference, sizeof outcome->difference, "signal %d (%s) ends the process",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    snprintf(outcome->difference, sizeof outcome->difference, "the process ends with %d",
             WEXITSTATUS(status));
}

// Races are lost now and then: as many attempts as there is time for.
static bool is_worth_an_attempt(unsigned made, double since)
{
  enum { ATTEMPTS_LEAST = 4, ATTEMPTS_MOST = 40 };
  return made < ATTEMPTS_LEAST || (made < ATTEMPTS_MOST && clock_seconds() - since < 0.1);
}

KERNEL_CASE(first_call_in_many_threads, .clauses = {KER_39}, .needs = NEEDS_A_RUN, .explores = true,
            .patience = 5,
            .title = "8 threads that make the first call at once get the same as a single thread")
{
  Team team;
  Attempt *outcome =
      mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (outcome == MAP_FAILED) case_inconclusive("no memory to share with a copy of the process");
  if (kernel_cuda_chosen()) case_not_applicable("a copy of the process cannot use the device");
  prepare_team(iut, &team, kernel, THREADS, 1);
  note("when one thread makes the first call of %s", kernel->name);
  make_attempt(iut, kernel, &team, 1, outcome);
  if (outcome->end != ATTEMPT_SAME)
    case_not_applicable("the right call does not give the same twice, in a single thread either");
  note("when 8 threads make the first call of %s at once", kernel->name);
  double since = clock_seconds();
  for (unsigned made = 0; is_worth_an_attempt(made, since); ++made) {
    make_attempt(iut, kernel, &team, THREADS, outcome);
    // One that was not steady this time had its state spoilt by the threads.
    bool same = outcome->end == ATTEMPT_SAME;
    if (!expect_that(same, "each gets the same as a single thread", "%s",
                     outcome->difference[0] ? outcome->difference : "later calls differ"))
      return;
  }
}

// --- Calls at the same time ----------------------------------------------------------------------

// The elements of a tensor of floats that is read, in another order for each `index`; own, NULL of any other one.
static unsigned char *mixed_elements(const KernelTensor *tensor, unsigned index)
{
  enum { FIRST = 16 };
  if (!tensor->tensor || !kernel_role_is_read(tensor->role) || !tensor->on_host) return NULL;
  const DLDataType dtype = tensor->tensor->dtype;
  // Whole numbers may be indices, or rise by rule.
  if (dtype.code != kDLFloat && dtype.code != kDLBfloat) return NULL;
  const size_t size = kernel_tensor_gather(tensor, NULL), width = tensor->element_bits / 8;
  unsigned char *elements = malloc(size + 1), held[64];
  if (!elements || width > sizeof held) case_inconclusive("no memory for the inputs of a thread");
  kernel_tensor_gather(tensor, elements);
  uint64_t random = 88172645463325252u + index;
  // Where elements rise, the first ones are spread over all: else few of many would count.
  for (size_t k = FIRST; k < tensor->count; ++k)
    memcpy(elements + k * width, elements + k % FIRST * width, width);
  for (size_t k = tensor->count; k > 1; --k) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    unsigned char *one = elements + (k - 1) * width, *other = elements + random % k * width;
    memcpy(held, one, width);
    memcpy(one, other, width);
    memcpy(other, held, width);
  }
  return elements;
}

// Has a tensor that lies compactly, as those in containers do, hold these.
static void put_elements(KernelTensor *tensor, const unsigned char *elements)
{
  const size_t size = kernel_tensor_gather(tensor, NULL),
               first = (size_t)(tensor->first - tensor->memory);
  unsigned char *bytes = malloc(tensor->memory_size + 1);
  if (!bytes) case_inconclusive("no memory for the inputs of a thread");
  memcpy(bytes, tensor->memory, tensor->memory_size);
  if (first + size <= tensor->memory_size) memcpy(bytes + first, elements, size);
  kernel_tensor_replace(tensor, bytes);
  free(bytes);
}

// Each thread has the elements of its inputs in an order of its own: those of another would be
// noticed. The values stay those of the example, so that they are as right.
static void mix_inputs(KernelCall *call, unsigned index)
{
  const unsigned end = kernel_call_tensor_end(call);
  for (unsigned i = 0; i < end; ++i) {
    unsigned char *elements = mixed_elements(kernel_call_tensor(call, i), index);
    if (!elements) continue;
    if (i < KERNEL_PARAMETERS_MAX) {
      call_with_tensor(call, i, &(TensorForm){.elements = elements});
      continue;  // which keeps them
    }
    put_elements(kernel_call_tensor(call, i), elements);
    free(elements);
  }
  call->args = fenced_args(call->values, (size_t)call->value_count);
}

typedef struct Lane {
  KernelCall *alone, *call;
  unsigned rounds, made;
  double until;  // no round begins after that
  bool same;
  char difference[KERNEL_DIFFERENCE_MAX];
} Lane;

static void call_in_lane(Iut *iut, unsigned index, void *context)
{
  enum { ROUNDS_LEAST = 3 };
  (void)iut;
  Lane *lane = (Lane *)context + index;
  for (unsigned i = 0; i < lane->rounds && lane->same; ++i) {
    if (i >= ROUNDS_LEAST && clock_seconds() > lane->until) return;
    ++lane->made;
    call_here(lane->call);
    lane->same = kernel_is_close(lane->call, lane->alone, lane->difference);
    drop_outcome(lane->call);
  }
}

// False if the function does not serve the lane's call in a single thread, or gives another outcome
// each time.
static bool try_alone(Lane *lane)
{
  call_here(lane->alone);
  if (lane->alone->returned != 0) return false;
  call_here(lane->call);
  bool steady = kernel_is_close(lane->call, lane->alone, lane->difference);
  drop_outcome(lane->call);
  return steady;
}

// Whether the lane's call gives the same behind other calls, in a single thread.
static bool is_as_alone(Lane *lane)
{
  call_here(lane->call);
  const bool same = kernel_is_close(lane->call, lane->alone, lane->difference);
  drop_outcome(lane->call);
  return same;
}

enum { ROUNDS_MOST = 5000 };

static bool prepare_lane(Iut *iut, const Kernel *kernel, Lane *lane, unsigned index, bool mixed)
{
  *lane = (Lane){
      new_prepared_call(iut, kernel), new_prepared_call(iut, kernel), ROUNDS_MOST, 0, 0, true, ""};
  if (mixed) mix_inputs(lane->alone, index);
  if (mixed) mix_inputs(lane->call, index);
  return try_alone(lane);
}

static bool prepare_either(Iut *iut, const Kernel *kernel, Lane *lane, unsigned index)
{
  return prepare_lane(iut, kernel, lane, index, true) ||
         prepare_lane(iut, kernel, lane, index, false);
}

// Calls that are made by turns, of one thread after the other.
typedef struct Turns {
  const Kernel *kernels[LARGE_THREADS];
  unsigned count;
} Turns;

static void add_turn(Iut *iut, Turns *turns, Kernel *other)
{
  enum { LIMIT_MS = 500 };
  if (kernel_is_served(iut, other, LIMIT_MS))
    turns->kernels[turns->count++] = other;
  else
    free(other);
}

// The call, and where it was found it with larger tensors, and with another integer, if these are served: what threads share
// for one size is wrong for another. They live until the process of the case ends.
static Turns find_turns(Iut *iut, const Kernel *kernel)
{
  Turns turns = {{kernel}, 1};
  if (kernel->chosen) return turns;
  Kernel *larger = kernel_new_copy(kernel);
  if (kernel_change_sizes(larger, 1, 1))
    add_turn(iut, &turns, larger);
  else
    free(larger);
  for (uint32_t i = 0; i < kernel->parameter_count && turns.count < LARGE_THREADS; ++i) {
    if (kernel->parameters[i].kind != KERNEL_INT) continue;
    Kernel *other = kernel_new_copy(kernel);
    ++other->parameters[i].integer;
    add_turn(iut, &turns, other);
  }
  return turns;
}

// A copy of the process from before the threads began, which makes as many calls as they did, in a single one, once it is told
// how many: what a function registers may fill its table. `input` is where that is written; -1: there is no copy.
typedef struct Control {
  pid_t copy;
  int input;
} Control;

enum { CONTROL_SECONDS = 3, CONTROL_REFUSED = 7 };

static _Noreturn void call_alone(int input, const Lane *lanes, unsigned count)
{
  unsigned made = 0;
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  if (read(input, &made, sizeof made) != sizeof made) _exit(0);
  alarm(CONTROL_SECONDS);
  for (unsigned i = 0; i < made; ++i) {
    KernelCall *call = lanes[i % count].call;
    call_here(call);
    if (call->returned != 0) _exit(CONTROL_REFUSED);
    drop_outcome(call);
  }
  _exit(0);
}

static Control begin_control(const Lane *lanes, unsigned count)
{
  Control control = {-1, -1};
  int ends[2];
  if (pipe(ends) != 0) return control;
  fflush(NULL);
  control.copy = fork();
  if (control.copy == 0) {
    close(ends[1]);
    call_alone(ends[0], lanes, count);
  }
  close(ends[0]);
  control.input = ends[1];
  return control;
}

// Whether one of `made` calls in a single thread is refused; 0 ends the copy.
static bool is_refused_alone(const Control *control, unsigned made)
{
  int status = 0;
  if (control->input < 0) return false;
  const bool told = made > 0 && write(control->input, &made, sizeof made) == sizeof made;
  close(control->input);
  const bool ended = control->copy > 0 && waitpid(control->copy, &status, 0) == control->copy;
  return told && ended && WIFEXITED(status) && WEXITSTATUS(status) == CONTROL_REFUSED;
}

// After the threads: ends the case where they made more calls than the function serves in a single thread.
static void require_room(const Control *control, const Lane *lanes, unsigned count)
{
  unsigned made = 0;
  bool refused = false;
  for (unsigned i = 0; i < count; ++i) {
    made += lanes[i].made;
    refused |= !lanes[i].same && lanes[i].call->returned != 0;
  }
  if (is_refused_alone(control, refused ? made : 0))
    case_not_applicable("so many calls are refused in a single thread, too");
}

// Many calls in each of `count` threads, for `budget` seconds, and up to ROUNDS_MOST: short ones overlap only if there are many of them.
static void judge_lanes(Iut *iut, const Kernel *kernel, unsigned count, double budget)
{
  Lane lanes[THREADS] = {0};
  const Turns turns = find_turns(iut, kernel);
  for (unsigned i = 0; i < count; ++i)
    if (!prepare_either(iut, turns.kernels[i % turns.count], &lanes[i], i) &&
        !prepare_either(iut, kernel, &lanes[i], i))
      case_not_applicable("it is refused, or does not give the same twice, in a single thread");
  kernel_program_note(lanes[0].call);
  const Control control = begin_control(lanes, count);
  for (unsigned i = 0; i < count; ++i) lanes[i].until = clock_seconds() + budget;
  run_in_threads(iut, count, call_in_lane, lanes);
  require_room(&control, lanes, count);
  for (unsigned i = 0; i < count; ++i)
    expect_that(lanes[i].same, "each call gives the same as in a single thread", "%s",
                lanes[i].difference);
}

KERNEL_CASE(calls_at_the_same_time, .clauses = {KER_40}, .needs = NEEDS_A_RUN, .explores = true,
            .patience = 5,
            .title = "many valid calls in each of 8 threads give the same as in a single thread")
{
  kernel_require_no_object(kernel);
  require_right_call(iut, kernel);
  note("when 8 threads call %s at the same time", kernel->name);
  judge_lanes(iut, kernel, THREADS, 0.06);
}

KERNEL_CASE(long_calls_at_the_same_time, .clauses = {KER_40}, .needs = NEEDS_A_RUN,
            .explores = true, .patience = 5,
            .title =
                "valid calls with large tensors, in 4 threads at once, give the same as in a "
                "single thread")
{
  kernel_require_no_object(kernel);
  const double longest = 0.1;
  Kernel *large = malloc(sizeof *large);
  if (!large) case_inconclusive("no memory for a signature");
  KernelCall *right = require_right_call(iut, kernel);
  if (right->launched)
    case_not_applicable("kernels are launched on the stand-in for CUDA, which computes nothing");
  kernel_copy(large, kernel);
  if (!kernel_make_large(large)) case_not_applicable("nothing says which larger tensors it takes");
  KernelCall *call = new_right_call(iut, large);
  note_call(call, "with large tensors: ");
  if (end_of_call(call) != CALL_RETURNS)
    case_not_applicable("a call with large tensors does not return");
  double since = clock_seconds();
  make_call(call);
  if (call->returned != 0)
    case_not_applicable("a call with large tensors is refused: %s", call->error_text);
  if (clock_seconds() - since > longest)
    case_not_applicable("a call with large tensors takes too long");
  note("when 4 threads call %s with large tensors", kernel->name);
  judge_lanes(iut, large, LARGE_THREADS, 0.1);
}

// Whether calls over and over are alike: on the host, and of callbacks that do the same each time.
static bool is_the_same_each_time(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *parameter = kernel_place_of(kernel, i);
    if (parameter->kind == KERNEL_TENSOR && parameter->device.device_type != kDLCPU) return false;
    if (parameter->turns.count > 1) return false;
  }
  return true;
}

// The largest calls within a signature, each another one, largest first.
typedef struct Largest {
  Kernel *kernels[THREADS];  // live until the process of the case ends
  double elements[THREADS];
  unsigned count;
} Largest;

static void add_to_largest(Largest *largest, const Kernel *kernel)
{
  const double elements = kernel_elements(kernel);
  unsigned at = largest->count < THREADS ? largest->count++ : THREADS;
  if (at == THREADS && largest->elements[--at] >= elements) return;
  Kernel *made = malloc(sizeof *made);
  if (!made) case_inconclusive("no memory for a call");
  kernel_copy(made, kernel);
  for (; at > 0 && largest->elements[at - 1] < elements; --at) {
    largest->kernels[at] = largest->kernels[at - 1];
    largest->elements[at] = largest->elements[at - 1];
  }
  largest->kernels[at] = made;
  largest->elements[at] = elements;
}

// Whether the call is served when it is made alone, soon enough, and steady.
static bool prepare_own_lane(Iut *iut, const Kernel *kernel, Lane *lane)
{
  enum { LIMIT_MS = 1000 };
  const double longest = 0.05;
  KernelCall *call = new_right_call(iut, kernel);
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) return false;
  const double since = clock_seconds();
  make_call(call);
  const bool served = call->returned == 0 && !call->launched && clock_seconds() - since <= longest;
  drop_outcome(call);
  return served && prepare_lane(iut, kernel, lane, 0, false);
}

static void find_largest(const Kernel *kernel, const Signature *signature, Largest *largest)
{
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  Kernel *made = malloc(sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  if (!choices || !made) case_inconclusive("no memory for the choices");
  const size_t count = kernel_chosen(signature, choices);
  for (size_t i = 0; i < count; ++i) {
    kernel_copy(made, kernel);
    const bool usual = choices[i].standing != KERNEL_REFUSED &&
                       choices[i].contents == KERNEL_RISING && choices[i].bounded == KERNEL_RISING;
    if (usual && kernel_of_choice(signature, &choices[i], made, problem) &&
        is_the_same_each_time(made))
      add_to_largest(largest, made);
  }
  free(made);
  free(choices);
}

KERNEL_CASE(different_calls_at_the_same_time, .clauses = {KER_40}, .needs = NEEDS_A_RUN,
            .explores = true, .patience = 5,
            .title = "different calls in several threads at once each give the same as alone")
{
  const Signature *signature = signature_under_test();
  static Largest largest;
  Lane lanes[THREADS] = {0};
  unsigned count = 0;
  if (!signature || !kernel->chosen)
    case_not_applicable("no signature file describes it (--signatures)");
  kernel_require_no_object(kernel);
  kernel_require_no_needs(require_right_call(iut, kernel));
  find_largest(kernel, signature, &largest);
  for (unsigned i = 0; i < largest.count; ++i)
    count += prepare_own_lane(iut, largest.kernels[i], &lanes[count]);
  if (count < 2) case_not_applicable("no two calls are served soon, and give the same twice");
  for (unsigned i = 0; i < 2 * count; ++i)
    if (!is_as_alone(&lanes[i % count]))
      case_not_applicable("what a call gives depends on the calls before it");
  kernel_program_note(lanes[0].call);
  note("when %u threads call %s, each with arguments of its own", count, kernel->name);
  for (unsigned i = 0; i < count; ++i) lanes[i].until = clock_seconds() + 0.2;
  run_in_threads(iut, count, call_in_lane, lanes);
  for (unsigned i = 0; i < count; ++i)
    expect_that(lanes[i].same, "each call gives the same as in a single thread", "%s",
                lanes[i].difference);
}

KERNEL_CASE(call_after_a_thread_has_ended, .clauses = {KER_41}, .needs = NEEDS_A_RUN, .patience = 5,
            .title = "a valid call succeeds in new threads after a calling thread has ended")
{
  Team first, second;
  note("in a thread that calls %s and ends", kernel->name);
  run_team(iut, &first, kernel, 1, 1);
  if (first.calls[0]->returned != 0) case_not_applicable("the right call is refused");
  note("in 8 threads, after one that called %s has ended", kernel->name);
  run_team(iut, &second, kernel, THREADS, 1);
  for (unsigned i = 0; i < THREADS; ++i) expect_same_outcome(second.calls[i], first.calls[0]);
}

// --- Errors --------------------------------------------------------------------------------------

// A call without the last argument, or with a device for it where that one ends the process, or may
// be served.
static KernelCall *new_refused_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *shorter = new_prepared_call(iut, kernel), *other = new_prepared_call(iut, kernel);
  shorter->num_args = --shorter->value_count;
  shorter->args = fenced_args(shorter->values, (size_t)shorter->value_count);
  if (!kernel->variadic && end_of_call(shorter) == CALL_RETURNS) return shorter;
  TVMFFIAny *last = &other->values[other->value_count - 1];
  *last = any_none();
  last->type_index = kTVMFFIDevice;
  other->args = fenced_args(other->values, (size_t)other->value_count);
  if (end_of_call(other) != CALL_RETURNS) case_not_applicable("no wrong call of it is refused");
  return other;
}

static void *refuse(void *context)
{
  call_here(context);
  return NULL;
}

KERNEL_CASE(error_of_another_thread, .clauses = {KER_42}, .needs = NEEDS_A_RUN,
            .title = "a call refused in one thread raises no error in another")
{
  pthread_t thread;
  KernelCall *right = require_right_call(iut, kernel);
  if (kernel->parameter_count == 0) case_not_applicable("the function takes no arguments");
  KernelCall *refused = new_refused_call(iut, kernel);
  kernel_program_note(refused);
  if (pthread_create(&thread, NULL, refuse, refused) != 0)
    case_inconclusive("no thread can be started");
  pthread_join(thread, NULL);
  if (refused->returned == 0) case_not_applicable("no wrong call of it is refused");
  note("after %s was refused in another thread", kernel->name);
  expect_no_error(iut);
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "after a refused call in another thread: ");
  make_call(call);
  expect_same_outcome(call, right);
  expect_that(call->error == NULL, "no error raised", "%s", call->error_text);
}
