// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_fresh.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/faults_fence.h"
#include "battery/registered.h"
#include "kernel/kernel_allocator.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_result.h"

// As floats zero, and numbers that are neither small nor no numbers.
enum { ONE_FILL = 0x00, OTHER_FILL = 0x5A };
enum { BYTES_MAX = 1 << 18, PARTS_MAX = 64, ELEMENTS_MAX = 16, DEPTH_MAX = 3, SECONDS = 2 };

#define RESULT "the result"

// An output, or a value in the result.
typedef struct Part {
  uint32_t first, size;  // of its bytes
  uint32_t width;        // of an element, in bytes; 0: it has none that are whole bytes
  bool fresh;            // in memory that may not have been written
  char name[48];
} Part;

// What came out of one call, in memory that the copy shares.
typedef struct Outcome {
  bool complete;
  uint32_t count, used;
  Part parts[PARTS_MAX];
  unsigned char bytes[BYTES_MAX];
} Outcome;

// --- In the copy ---------------------------------------------------------------------------------

static unsigned char *add_part(Outcome *outcome, const char *name, size_t size, size_t bits,
                               bool fresh)
{
  if (outcome->count == PARTS_MAX || size > BYTES_MAX - outcome->used) return NULL;
  Part *part = &outcome->parts[outcome->count++];
  *part = (Part){outcome->used, (uint32_t)size, bits % 8 ? 0 : (uint32_t)(bits / 8), fresh, ""};
  snprintf(part->name, sizeof part->name, "%s", name);
  outcome->used += (uint32_t)size;
  return outcome->bytes + part->first;
}

static bool take(Outcome *outcome, const char *name, const void *bytes, size_t size, size_t bits)
{
  unsigned char *to = add_part(outcome, name, size, bits, bits != 0);
  if (to && size) memcpy(to, bytes, size);
  return to != NULL;
}

static bool take_value(Iut *iut, const TVMFFIAny *value, const char *name, unsigned depth,
                       Outcome *outcome);

static bool take_items(Iut *iut, const TVMFFIAny *array, const char *name, unsigned depth,
                       Outcome *outcome)
{
  TVMFFIAny args[2] = {*array}, size = any_none(), item = any_none();
  if (depth == DEPTH_MAX || call_registered(iut, &size, "ffi.ArraySize", args, 1) != 0)
    return false;
  for (int64_t i = 0; i < size.v_int64 && i < ELEMENTS_MAX; ++i) {
    char inner[64];
    args[1] = view_of_int(i);
    item = any_none();
    snprintf(inner, sizeof inner, "%.40s[%d]", name, (int)i);
    if (call_registered(iut, &item, "ffi.ArrayGetItem", args, 2) != 0) return false;
    if (!take_value(iut, &item, inner, depth + 1, outcome)) return false;
  }
  return take(outcome, name, &size.v_int64, sizeof size.v_int64, 0);
}

static bool take_value(Iut *iut, const TVMFFIAny *value, const char *name, unsigned depth,
                       Outcome *outcome)
{
  TVMFFIByteArray bytes;
  const int32_t index = value->type_index;
  if (!take(outcome, name, &index, sizeof index, 0)) return false;
  if (result_elements(iut, value, &bytes)) {
    const DLDataType dtype = ((const DLTensor *)object_body(iut, value->v_obj))->dtype;
    return take(outcome, name, bytes.data, bytes.size, (size_t)dtype.bits * dtype.lanes);
  }
  if (result_text(iut, value, &bytes)) return take(outcome, name, bytes.data, bytes.size, 0);
  if (index == kTVMFFIArray) return take_items(iut, value, name, depth, outcome);
  // Pointers differ by right, and other objects are not looked into.
  if (index > kTVMFFIFloat && index != kTVMFFIDataType && index != kTVMFFIDevice) return true;
  return take(outcome, name, &value->v_uint64, sizeof value->v_uint64, 0);
}

static bool take_outputs(const KernelCall *call, Outcome *outcome)
{
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    char name[64];
    if (!tensor->memory || tensor->role == KERNEL_IN || !tensor->on_host) continue;
    const size_t size = kernel_tensor_gather(tensor, NULL);
    unsigned char *to = add_part(outcome, kernel_tensor_name(call->kernel, i, name), size,
                                 tensor->element_bits, false);
    if (!to) return false;
    kernel_tensor_gather(tensor, to);
  }
  return true;
}

static _Noreturn void call_here(Iut *iut, const Kernel *kernel, unsigned char fill,
                                Outcome *outcome)
{
  for (int i = 1; i < 32; ++i) signal(i, SIG_DFL);
  alarm(SECONDS);
  KernelCall *call = new_right_call(iut, kernel);
  kernel_allocator_fill(fill);
  faults_fence(fill);
  make_call(call);
  faults_unfence();
  outcome->complete = call->returned == 0 && !call->launched && take_outputs(call, outcome) &&
                      take_value(iut, call->result, RESULT, 0, outcome);
  raise(SIGKILL);  // no code of the library runs at the end
  _exit(0);
}

// --- Comparing -----------------------------------------------------------------------------------

static bool call_with(Iut *iut, const Kernel *kernel, unsigned char fill, Outcome *outcome)
{
  int status;
  outcome->complete = false;
  outcome->count = outcome->used = 0;
  fflush(NULL);
  pid_t copy = fork();
  if (copy == 0) call_here(iut, kernel, fill, outcome);
  if (copy < 0 || waitpid(copy, &status, 0) != copy)
    case_inconclusive("no copy of the process can be made");
  return outcome->complete;
}

static bool are_same(const Outcome *a, const Outcome *b)
{
  return a->count == b->count && a->used == b->used && memcmp(a->bytes, b->bytes, a->used) == 0;
}

static bool is_full_of(const unsigned char *bytes, size_t size, unsigned char fill)
{
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] != fill) return false;
  return true;
}

// Whether nothing of all that it returns was written: the function hands out memory.
static bool is_unwritten(const Part *part, const unsigned char *one, const unsigned char *other)
{
  return part->fresh && strcmp(part->name, RESULT) == 0 && is_full_of(one, part->size, ONE_FILL) &&
         is_full_of(other, part->size, OTHER_FILL);
}

// Whether it is that, of what is in memory of its own.
static bool hands_out(const Outcome *a, const Outcome *b)
{
  for (uint32_t i = 0; a->count == b->count && i < a->count; ++i) {
    const Part *part = &a->parts[i];
    if (part->size > 0 && is_unwritten(part, a->bytes + part->first, b->bytes + part->first))
      return true;
  }
  return false;
}

static bool find_difference(const Outcome *a, const Outcome *b, char difference[160])
{
  if (a->count != b->count || a->used != b->used) {
    snprintf(difference, 160, "the result has another form");
    return true;
  }
  for (uint32_t i = 0; i < a->count; ++i) {
    const Part *part = &a->parts[i];
    const unsigned char *one = a->bytes + part->first, *other = b->bytes + part->first;
    if (part->size != b->parts[i].size || memcmp(one, other, part->size) == 0 ||
        is_unwritten(part, one, other))
      continue;
    size_t at = 0;
    while (one[at] == other[at]) ++at;
    if (part->width == 0) {
      snprintf(difference, 160, "%s does", part->name);
      return true;
    }
    const size_t element = at / part->width, first = element * part->width;
    const bool kept = part->fresh && is_full_of(one + first, part->width, ONE_FILL) &&
                      is_full_of(other + first, part->width, OTHER_FILL);
    snprintf(difference, 160,
             kept ? "element %zu of %s is never written" : "element %zu of %s does", element,
             part->name);
    return true;
  }
  return false;
}

FreshEnd kernel_fresh_memory(Iut *iut, const Kernel *kernel, char difference[160])
{
  static Outcome *outcomes;
  if (kernel_cuda_chosen() || faults_obstacle) return FRESH_UNKNOWN;
  if (!outcomes) {
    void *shared =
        mmap(NULL, 3 * sizeof *outcomes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) case_inconclusive("no memory to share with copies of the process");
    outcomes = shared;
  }
  Outcome *one = &outcomes[0], *other = &outcomes[1], *again = &outcomes[2];
  if (!call_with(iut, kernel, ONE_FILL, one) || !call_with(iut, kernel, OTHER_FILL, other))
    return FRESH_UNKNOWN;
  if (!find_difference(one, other, difference))
    return hands_out(one, other) ? FRESH_UNWRITTEN : FRESH_SAME;
  // What differs with the same memory, too, differs for another reason.
  for (int i = 0; i < 4; ++i) {
    const bool first = i % 2 == 0;
    if (!call_with(iut, kernel, first ? ONE_FILL : OTHER_FILL, again) ||
        !are_same(first ? one : other, again))
      return FRESH_UNKNOWN;
  }
  return FRESH_DIFFERS;
}
