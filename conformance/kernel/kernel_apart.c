// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_apart.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/faults_fence.h"
#include "kernel/kernel_allocator.h"
#include "kernel/kernel_array.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_expected.h"
#include "kernel/kernel_held.h"
#include "kernel/kernel_place.h"
#include "kernel/kernel_result.h"

enum { ELEMENTS_MAX = 16, DEPTH_MAX = 3, SECONDS = 2 };

// --- In the copy ---------------------------------------------------------------------------------

static const DLDataType no_elements = {0, 0, 0};

static unsigned char *add_part(ApartOutcome *outcome, const char *name, size_t size,
                               DLDataType dtype, bool fresh)
{
  const uint32_t bits = (uint32_t)dtype.bits * dtype.lanes;
  if (outcome->count == APART_PARTS_MAX || size > APART_BYTES_MAX - outcome->used) return NULL;
  ApartPart *part = &outcome->parts[outcome->count++];
  *part = (ApartPart){outcome->used, (uint32_t)size, bits % 8 ? 0 : bits / 8, dtype, fresh, ""};
  snprintf(part->name, sizeof part->name, "%s", name);
  outcome->used += (uint32_t)size;
  return outcome->bytes + part->first;
}

static bool take(ApartOutcome *outcome, const char *name, const void *bytes, size_t size,
                 DLDataType dtype, bool fresh)
{
  unsigned char *to = add_part(outcome, name, size, dtype, fresh);
  if (to && size) memcpy(to, bytes, size);
  return to != NULL;
}

static bool take_value(Iut *iut, const TVMFFIAny *value, const char *name, unsigned depth,
                       ApartOutcome *outcome);

// Whether all are numbers of one kind.
static bool are_numbers(const KernelHeld *held)
{
  const int32_t index = held->count > 0 ? held->items[0].type_index : kTVMFFINone;
  bool numbers = index == kTVMFFIInt || index == kTVMFFIBool || index == kTVMFFIFloat;
  for (int64_t i = 0; i < held->count; ++i) numbers &= held->items[i].type_index == index;
  return numbers;
}

// Numbers as one part: there may be more of them than there are parts.
static bool take_numbers(const KernelHeld *held, const char *name, ApartOutcome *outcome)
{
  const int32_t index = held->items[0].type_index;
  const bool floats = index == kTVMFFIFloat;
  unsigned char *to = add_part(outcome, name, (size_t)held->count * sizeof(uint64_t),
                               floats ? (DLDataType){kDLFloat, 64, 1} : no_elements, false);
  for (int64_t i = 0; to && i < held->count; ++i)
    memcpy(to + (size_t)i * sizeof(uint64_t), &held->items[i].v_uint64, sizeof(uint64_t));
  return to && take(outcome, name, &index, sizeof index, no_elements, false);
}

static bool take_items(Iut *iut, const TVMFFIAny *container, const char *name, unsigned depth,
                       ApartOutcome *outcome)
{
  KernelHeld held;
  char inner[128];
  if (depth == DEPTH_MAX || !kernel_held_is_open(iut, container) ||
      kernel_held_take(iut, container, &held) != 0)
    return false;
  const bool numbers = kernel_is_sequence(container) && are_numbers(&held);
  bool good = !numbers || take_numbers(&held, name, outcome);
  for (int64_t i = 0; good && !numbers && i < held.count && i < ELEMENTS_MAX; ++i)
    good = take_value(iut, &held.items[i], kernel_held_name(iut, &held, i, name, inner), depth + 1,
                      outcome);
  const int64_t count = held.count;
  kernel_held_release(iut, &held);
  return good && take(outcome, name, &count, sizeof count, no_elements, false);
}

static bool take_value(Iut *iut, const TVMFFIAny *value, const char *name, unsigned depth,
                       ApartOutcome *outcome)
{
  TVMFFIByteArray bytes;
  const int32_t index = value->type_index;
  char type[64];
  snprintf(type, sizeof type, "the type of %s", name);
  if (!take(outcome, type, &index, sizeof index, no_elements, false)) return false;
  if (result_elements(iut, value, &bytes)) {
    const DLTensor *tensor = object_body(iut, value->v_obj);
    char shape[64];
    snprintf(shape, sizeof shape, "the shape of %s", name);
    return take(outcome, shape, tensor->shape, (size_t)tensor->ndim * sizeof *tensor->shape,
                no_elements, false) &&
           take(outcome, type, &tensor->dtype, sizeof tensor->dtype, no_elements, false) &&
           take(outcome, name, bytes.data, bytes.size, tensor->dtype, true);
  }
  if (result_text(iut, value, &bytes))
    return take(outcome, name, bytes.data, bytes.size, no_elements, false);
  if (kernel_is_sequence(value) || (kernel_is_map(value) && depth < DEPTH_MAX))
    return take_items(iut, value, name, depth, outcome);
  // Pointers differ by right, and other objects are not looked into.
  if (index > kTVMFFIFloat && index != kTVMFFIDataType && index != kTVMFFIDevice) return true;
  const DLDataType number = index == kTVMFFIFloat ? (DLDataType){kDLFloat, 64, 1} : no_elements;
  return take(outcome, name, &value->v_uint64, sizeof value->v_uint64, number, false);
}

static bool take_outputs(const KernelCall *call, bool written, ApartOutcome *outcome)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    char name[64];
    if (!tensor->memory || tensor->role == KERNEL_IN || !tensor->on_host) continue;
    if (written && kernel_tensor_untouched(tensor)) continue;
    const size_t size = kernel_tensor_gather(tensor, NULL);
    unsigned char *to = add_part(outcome, kernel_tensor_name(call->kernel, i, name), size,
                                 tensor->tensor->dtype, false);
    if (!to) return false;
    kernel_tensor_gather(tensor, to);
  }
  return true;
}

bool kernel_apart_take(const KernelCall *call, bool written, ApartOutcome *outcome)
{
  return !call->launched && take_outputs(call, written, outcome) &&
         take_value(call->iut, call->result, KERNEL_APART_RESULT, 0, outcome);
}

bool kernel_apart_take_refused(const KernelCall *call, ApartOutcome *outcome)
{
  outcome->untouched = true;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    const bool given = tensor->memory && tensor->role != KERNEL_IN && tensor->on_host;
    if (given && !kernel_tensor_untouched(tensor)) outcome->untouched = false;
  }
  return !call->launched && take_outputs(call, false, outcome);
}

bool kernel_apart_add(ApartOutcome *outcome, const char *name, const void *numbers, size_t count,
                      bool floats)
{
  return take(outcome, name, numbers, count * sizeof(uint64_t),
              floats ? (DLDataType){kDLFloat, 64, 1} : no_elements, false);
}

static double seconds_of(clockid_t clock)
{
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Processor time of all threads but this one, in seconds. The two clocks are read one after the other:
// the time between counts as that of others, or against it.
static double work_of_others(bool at_most)
{
  double own = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  const double all = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  if (!at_most) own = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  return all - own;
}

// The calls that a copy of the process makes.
typedef struct Course {
  const Kernel *before, *kernel;  // `before` NULL: that of `kernel` alone
  int reused;                     // a parameter, or APART_NOTHING
  bool filled;                    // fresh memory is full of `fill`
  unsigned char fill;
} Course;

static void make_first(const Course *course, KernelCall *first, KernelCall *call,
                       ApartOutcome *outcome)
{
  make_call(first);
  const bool served = first->returned == 0;
  if (served) drop_outcome(first);
  outcome->end = served && (course->reused == APART_NOTHING ||
                            kernel_take_place(first, call, (unsigned)course->reused))
                     ? APART_LOST
                     : APART_NOT_AFTER;
}

static _Noreturn void call_here(Iut *iut, const Course *course, ApartOutcome *outcome)
{
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  alarm(SECONDS);
  KernelCall *first = course->before ? new_right_call(iut, course->before) : NULL;
  KernelCall *call = new_right_call(iut, course->kernel);
  if (course->filled) {
    kernel_allocator_fill(course->fill);
    faults_fence(course->fill);
  }
  if (first) make_first(course, first, call, outcome);
  if (outcome->end == APART_LOST) {
    const double before_call = work_of_others(true);
    make_call(call);
    outcome->threads = work_of_others(false) - before_call > 1e-6;
    if (course->filled) faults_unfence();
    outcome->end = call->returned != 0 ? APART_REFUSED : APART_UNSEEN;
    if (call->returned == 0 && kernel_apart_take(call, false, outcome)) outcome->end = APART_SERVED;
  }
  raise(SIGKILL);  // no code of the library runs at the end
  _exit(0);
}

// --- In the case ---------------------------------------------------------------------------------

ApartOutcome *kernel_apart_outcomes(unsigned count)
{
  void *shared = mmap(NULL, count * sizeof(ApartOutcome), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) case_inconclusive("no memory to share with copies of the process");
  return shared;
}

static ApartEnd run_in_copy(Iut *iut, const Course *course, ApartOutcome *outcome)
{
  int status;
  outcome->end = course->before ? APART_NOT_AFTER : APART_LOST;
  outcome->count = outcome->used = 0;
  outcome->threads = false;
  pid_t copy = kernel_fork();
  if (copy == 0) call_here(iut, course, outcome);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) outcome->end = APART_UNSEEN;
  return outcome->end;
}

ApartEnd kernel_apart_call(Iut *iut, const Kernel *before, const Kernel *kernel, unsigned char fill,
                           ApartOutcome *outcome)
{
  const Course course = {before, kernel, APART_NOTHING, .filled = true, .fill = fill};
  return run_in_copy(iut, &course, outcome);
}

ApartEnd kernel_apart_reusing(Iut *iut, const Kernel *before, const Kernel *kernel, int reused,
                              ApartOutcome *outcome)
{
  const Course course = {before, kernel, reused, .filled = false};
  return run_in_copy(iut, &course, outcome);
}

// --- Comparing -----------------------------------------------------------------------------------

bool kernel_apart_same(const ApartOutcome *a, const ApartOutcome *b)
{
  return a->count == b->count && a->used == b->used && memcmp(a->bytes, b->bytes, a->used) == 0;
}

// What sums in another order give than this one, or the last digits of a type of 16 bits.
static double loosely(const ApartPart *part, KernelCall *call)
{
  (void)call;
  return part->dtype.bits < 32 ? 0.02 : 1e-3;
}

// Numbers that are no elements are of 64 bits, whatever they were worked out in.
static double closely(const ApartPart *part, KernelCall *call)
{
  const double stated =
      call ? kernel_stated_tolerance(call, part->dtype) : KERNEL_TOLERANCE_OF_TYPE;
  if (stated != KERNEL_TOLERANCE_OF_TYPE) return stated;
  const bool number = !part->fresh && strncmp(part->name, "the ", 4) == 0;
  if (part->dtype.bits < 32) return 0.02;
  return part->dtype.bits < 64 || number ? 1e-4 : 1e-9;
}

// How close floats have to be.
typedef struct Closeness {
  double (*tolerance)(const ApartPart *part, KernelCall *call);
  KernelCall *call;
  bool ties;  // whole numbers may have been rounded the other way, a few of many
} Closeness;

// Whether whole numbers differ as if those in the middle between two had been rounded up here and down there.
static bool are_ties(const ApartPart *part, const unsigned char *one, const unsigned char *other)
{
  enum { OF_SO_MANY = 16 };
  const size_t count = part->size / part->width;
  size_t differ = 0;
  double x, y;
  if ((part->dtype.code != kDLInt && part->dtype.code != kDLUInt) || part->dtype.lanes != 1)
    return false;
  for (size_t i = 0; i < count; ++i) {
    const int64_t bit = (int64_t)(i * part->width) * 8;
    if (memcmp(one + i * part->width, other + i * part->width, part->width) == 0) continue;
    if (!kernel_element_read(one, bit, part->dtype, &x) ||
        !kernel_element_read(other, bit, part->dtype, &y) || fabs(x - y) != 1)
      return false;
    ++differ;
  }
  return differ * OF_SO_MANY <= count;
}

static bool has_floats(const ApartPart *part)
{
  return part->dtype.code == kDLFloat || part->dtype.code == kDLBfloat;
}

// Of the elements that are numbers; 0 where they are not floats.
static double largest_in(const ApartPart *part, const unsigned char *bytes)
{
  double largest = 0, x;
  for (size_t i = 0; has_floats(part) && i < part->size / part->width; ++i)
    if (kernel_element_read(bytes, (int64_t)(i * part->width) * 8, part->dtype, &x) && isfinite(x))
      largest = fmax(largest, fabs(x));
  return largest;
}

static bool are_near(double x, double y, double near, double largest)
{
  if (x == y || (isnan(x) && isnan(y))) return true;
  return isfinite(x) && isfinite(y) &&
         fabs(x - y) <= near * fmax(fabs(x), fabs(y)) + near / 100 * largest;
}

// The first element of a part that is not close to the one of another call; its count if all are.
static size_t first_apart(const ApartPart *part, const unsigned char *one,
                          const unsigned char *other, double near)
{
  const size_t count = part->size / part->width;
  const int64_t bits = (int64_t)part->width * 8;
  const double largest = largest_in(part, one);
  double x, y;
  for (size_t i = 0; i < count; ++i) {
    if (memcmp(one + i * part->width, other + i * part->width, part->width) == 0) continue;
    if (!has_floats(part) || !kernel_element_read(one, (int64_t)i * bits, part->dtype, &x) ||
        !kernel_element_read(other, (int64_t)i * bits, part->dtype, &y) ||
        !are_near(x, y, near, largest))
      return i;
  }
  return count;
}

// "element 3 of y is 2, not 1.5".
static void say_element(const ApartPart *part, const unsigned char *one, const unsigned char *other,
                        size_t at, char difference[160])
{
  const int64_t bit = (int64_t)(at * part->width) * 8;
  const int size = snprintf(difference, 160, "element %zu of %s is another one", at, part->name);
  double x, y;
  if (kernel_element_read(one, bit, part->dtype, &x) &&
      kernel_element_read(other, bit, part->dtype, &y))
    snprintf(difference + size - (int)strlen("another one"),
             160 - (size_t)size + strlen("another one"), "%.9g, not %.9g", x, y);
}

static bool are_close(const ApartOutcome *a, const ApartOutcome *b, const Closeness *closeness,
                      char difference[160])
{
  if (a->count != b->count || a->used != b->used) {
    snprintf(difference, 160, "the result has another form");
    return false;
  }
  for (uint32_t i = 0; i < a->count; ++i) {
    const ApartPart *part = &a->parts[i];
    const unsigned char *one = a->bytes + part->first, *other = b->bytes + part->first;
    if (part->size != b->parts[i].size || part->width != b->parts[i].width) {
      snprintf(difference, 160, "the result has another form");
      return false;
    }
    if (memcmp(one, other, part->size) == 0) continue;
    if (part->width == 0) {
      snprintf(difference, 160, "%s is another one", part->name);
      return false;
    }
    if (closeness->ties && are_ties(part, one, other)) continue;
    const size_t at = first_apart(part, one, other, closeness->tolerance(part, closeness->call));
    if (at == part->size / part->width) continue;
    say_element(part, one, other, at, difference);
    return false;
  }
  return true;
}

bool kernel_apart_close(const ApartOutcome *a, const ApartOutcome *b, char difference[160])
{
  return are_close(a, b, &(Closeness){.tolerance = loosely}, difference);
}

bool kernel_apart_near(const ApartOutcome *a, const ApartOutcome *b, KernelCall *call,
                       char difference[160])
{
  return are_close(a, b, &(Closeness){closely, call, true}, difference);
}

static bool has_form_of(const ApartOutcome *one, const ApartOutcome *other)
{
  bool same = one->count == other->count && one->used == other->used;
  for (uint32_t i = 0; same && i < one->count; ++i)
    same =
        one->parts[i].size == other->parts[i].size && one->parts[i].width == other->parts[i].width;
  return same;
}

// How far an element of a part is moved by other last digits, at most: infinitely where it becomes no number.
static double moved(const ApartPart *part, size_t i, double from, ApartOutcome *const *outcomes,
                    size_t count, const ApartOutcome *form)
{
  double most = 0, to;
  for (size_t k = 0; k < count; ++k) {
    if (!has_form_of(outcomes[k], form)) continue;
    if (!kernel_element_read(outcomes[k]->bytes + part->first, (int64_t)(i * part->width) * 8,
                             part->dtype, &to))
      continue;
    most = fmax(most, isfinite(to) == isfinite(from) ? fabs(to - from) : INFINITY);
  }
  return most;
}

// What the last digits of a number around 1 are, at most.
static double last_digits(const ApartPart *part)
{
  return part->dtype.bits < 32 ? 1e-3 : part->dtype.bits < 64 ? 5e-7 : 5e-15;
}

// Whether that may be why the element, `b` in one build, is `a` in the other.
static bool element_is_explained(const ApartSensitivity *sensitivity, const ApartPart *part,
                                 size_t i, double a, double b, const ApartOutcome *form)
{
  enum { TIMES = 8 };
  // Infinity less infinity is what it was called last.
  if (a == b || (!isfinite(a) && !isfinite(b))) return true;
  const double larger = moved(part, i, b, sensitivity->larger, APART_LARGER, form);
  if (!has_floats(part)) return larger > 0;
  if (isinf(larger) || fabs(a - b) <= TIMES * larger) return true;
  // What is left where a number cancels itself out; and where large ones do that are moved.
  const double largest = sensitivity->largest, digits = last_digits(part);
  const double apart = moved(part, i, b, sensitivity->apart, APART_APART, form);
  return fabs(a - b) <= digits * largest ||
         (fabs(a - b) <= TIMES * apart &&
          fabs(a - b) <= 20 * digits * fmax(largest, largest * largest));
}

static bool is_moved(const ApartPart *part, const ApartSensitivity *sensitivity,
                     const ApartOutcome *from)
{
  for (size_t k = 0; k < APART_LARGER; ++k)
    if (has_form_of(sensitivity->larger[k], from) &&
        memcmp(sensitivity->larger[k]->bytes + part->first, from->bytes + part->first,
               part->size) != 0)
      return true;
  return false;
}

static bool part_is_explained(const ApartSensitivity *sensitivity, const ApartPart *part,
                              const ApartOutcome *a, const ApartOutcome *b)
{
  const unsigned char *one = a->bytes + part->first, *other = b->bytes + part->first;
  if (memcmp(one, other, part->size) == 0) return true;
  if (part->width == 0) return is_moved(part, sensitivity, b);
  const double near = closely(part, NULL), largest = largest_in(part, one);
  double x, y;
  for (size_t i = 0; i < part->size / part->width; ++i) {
    if (!kernel_element_read(one, (int64_t)(i * part->width) * 8, part->dtype, &x) ||
        !kernel_element_read(other, (int64_t)(i * part->width) * 8, part->dtype, &y))
      return false;
    const bool close = has_floats(part) && are_near(x, y, near, largest);
    if (!close && !element_is_explained(sensitivity, part, i, x, y, b)) return false;
  }
  return true;
}

bool kernel_apart_explains(const ApartSensitivity *sensitivity, const ApartOutcome *a,
                           const ApartOutcome *b)
{
  // Where there is more or less of it in one build, there is with other last digits.
  for (size_t k = 0; k < APART_LARGER; ++k)
    if (sensitivity->larger[k]->end != b->end || !has_form_of(sensitivity->larger[k], b))
      return true;
  if (a->end != b->end || !has_form_of(a, b)) return false;
  for (uint32_t i = 0; i < b->count; ++i)
    if (!part_is_explained(sensitivity, &b->parts[i], a, b)) return false;
  return true;
}

static int compare_numbers(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
  return (x > y) - (x < y);
}

// The elements of a part in order (own); NULL if it has none that are numbers.
static double *numbers_of(const ApartPart *part, const unsigned char *bytes, size_t *count)
{
  if (part->width == 0) return NULL;
  *count = part->size / part->width;
  double *numbers = malloc((*count + 1) * sizeof *numbers);
  if (!numbers) case_inconclusive("no memory to compare elements in");
  for (size_t i = 0; i < *count; ++i)
    if (!kernel_element_read(bytes, (int64_t)(i * part->width) * 8, part->dtype, &numbers[i])) {
      free(numbers);
      return NULL;
    }
  qsort(numbers, *count, sizeof *numbers, compare_numbers);
  return numbers;
}

static bool parts_are_alike(const ApartPart *part, const unsigned char *one,
                            const unsigned char *other)
{
  // The sums of other orders than this one are apart by less.
  const double share = part->width <= 2 ? 0.05 : 0.002;
  size_t count = 0;
  double *a = numbers_of(part, one, &count), *b = numbers_of(part, other, &count), largest = 0;
  bool alike = a && b;
  for (size_t i = 0; alike && i < count; ++i)
    if (isfinite(a[i])) largest = fmax(largest, fabs(a[i]));
  for (size_t i = 0; alike && i < count; ++i)
    alike = a[i] == b[i] || (isnan(a[i]) && isnan(b[i])) || fabs(a[i] - b[i]) <= share * largest;
  free(a);
  free(b);
  return alike;
}

bool kernel_apart_alike(const ApartOutcome *a, const ApartOutcome *b, bool whole)
{
  if (a->count != b->count || a->used != b->used) return false;
  for (uint32_t i = 0; i < a->count; ++i) {
    const ApartPart *part = &a->parts[i];
    const unsigned char *one = a->bytes + part->first, *other = b->bytes + part->first;
    if (part->size != b->parts[i].size || part->width != b->parts[i].width) return false;
    const bool floats = part->dtype.code == kDLFloat || part->dtype.code == kDLBfloat;
    if ((floats || whole) && memcmp(one, other, part->size) != 0 &&
        !parts_are_alike(part, one, other))
      return false;
  }
  return true;
}

bool kernel_apart_again(Iut *iut, const Kernel *before, const Kernel *kernel, unsigned char fill,
                        const ApartOutcome *outcome)
{
  enum { TIMES = 16 };
  static ApartOutcome *again;
  char ignored[160];
  if (!again) again = kernel_apart_outcomes(1);
  for (int i = 0; i < TIMES; ++i)
    if (kernel_apart_call(iut, before, kernel, fill, again) != APART_SERVED ||
        !kernel_apart_close(again, outcome, ignored))
      return false;
  return true;
}
