// SPDX-License-Identifier: Apache-2.0
// The surface dlpack: tensors of others come in, go out, and come in again.
//
// An input is numbers, the lowest byte first: choices, what to do with the tensor, number of
// dimensions, device type and id (1 byte each), data type (4), flags (8), required alignment (4),
// byte offset (8), data pointer (8), and an extent and a stride a dimension (8 each).
#include <string.h>

#include "battery/access.h"
#include "fuzz/fuzz_call.h"
#include "fuzz/fuzz_program.h"

enum { NDIM_MAX = 8, INPUT_MAX = 40 + 16 * NDIM_MAX, ROUNDS_MAX = 4 };
enum { VERSIONED = 1, STRIDES = 2, NO_DELETER = 4, CONTIGUOUS = 8, NO_SHAPE = 16 };
enum { READ_ONLY = 1, COPIED = 2, PADDED = 4 };
enum { IMPORTING, EXPORTING, IMPORTING_AGAIN, RELEASING, PHASES };

static const char *const phases[PHASES] = {"importing a tensor", "exporting a tensor",
                                           "importing what was exported", "releasing a tensor"};

// X(constant, name, clause, due, what)
#define ASPECTS(X)                                                                                \
  X(GIVEN_STRIDES, "strides", TEN_5, ACCEPT, "a tensor with strides is imported")                 \
  X(NO_STRIDES, "no-strides", TEN_6, ACCEPT, "a tensor without strides is imported")              \
  X(SCALAR, "scalar", TEN_7, ACCEPT, "a tensor without dimensions is imported")                   \
  X(UNDELETED, "no-deleter", TEN_10, ACCEPT, "a tensor without a deleter is imported")            \
  X(ALIGNED, "aligned", TEN_13, ACCEPT, "memory of the host is aligned as required")              \
  X(HANDLE_ALIGNED, "handle-aligned", TEN_13, ACCEPT, "an offset is aligned as required")         \
  X(UNALIGNED, "unaligned", TEN_15, REFUSE, "a tensor is not aligned as required")                \
  X(NOT_CONTIGUOUS, "not-contiguous", TEN_16, REFUSE, "strides are not those of contiguity")      \
  X(SINGLE, "single-element", TEN_18, ACCEPT, "the stride of an extent of 1 is not regular")      \
  X(EMPTY, "no-elements", TEN_19, ACCEPT, "a tensor without elements must be contiguous")         \
  X(FLAGGED, "flags", TEN_20, ACCEPT, "a tensor is read-only, or a copy")                         \
  X(READ_ONLY_EXPORT, "read-only", TEN_27, ACCEPT, "a read-only tensor is imported and exported") \
  X(PADDED_ELEMENTS, "padded", TEN_42, EITHER, "elements of less than a byte are padded")         \
  X(UNSPOKEN, "unspoken-of", TEN_35, EITHER, "the spec leaves open what becomes of the tensor")

enum {
#define X(constant, name, clause, due, what) constant,
  ASPECTS(X)
#undef X
      ASPECT_COUNT
};

static const FuzzAspect aspects[ASPECT_COUNT] = {
#define X(constant, name, clause, due, what) {name, clause, FUZZ_DUE_##due, what, false},
    ASPECTS(X)
#undef X
};

static const uint8_t host_types[] = {1, 2, 3, 10, 11, 13};
static const uint8_t handle_types[] = {4, 7, 8, 9, 12, 14, 15, 16, 17, 18};

// --- Inputs --------------------------------------------------------------------------------------

// What an input asks for. Its shape and strides have as many numbers as there are dimensions.
typedef struct Plan {
  unsigned choices, rounds;  // rounds: a bit pair each, what is done with the tensor
  uint64_t flags;
  int32_t alignment;
  bool on_host;
  DLTensor tensor;  // its pointers are not set
  int64_t shape[NDIM_MAX], strides[NDIM_MAX];
} Plan;

static void decode(const FuzzInput *input, Plan *plan)
{
  FuzzReader reader = fuzz_reader(input);
  memset(plan, 0, sizeof *plan);
  plan->choices = fuzz_read_byte(&reader);
  plan->rounds = fuzz_read_byte(&reader);
  plan->tensor.ndim = fuzz_read_byte(&reader) % (NDIM_MAX + 1);
  unsigned type = fuzz_read_byte(&reader) % (sizeof host_types + sizeof handle_types);
  plan->on_host = type < sizeof host_types;
  plan->tensor.device.device_type =
      (DLDeviceType)(plan->on_host ? host_types[type] : handle_types[type - sizeof host_types]);
  plan->tensor.device.device_id = fuzz_read_byte(&reader);
  plan->tensor.dtype.code = fuzz_read_byte(&reader);
  plan->tensor.dtype.bits = fuzz_read_byte(&reader);
  plan->tensor.dtype.lanes = (uint16_t)fuzz_read_number(&reader, 2);
  plan->flags = plan->choices & VERSIONED ? fuzz_read_number(&reader, 8) : 0;
  plan->alignment = (int32_t)fuzz_read_number(&reader, 4);
  plan->tensor.byte_offset = fuzz_read_number(&reader, 8);
  plan->tensor.data = (void *)(uintptr_t)fuzz_read_number(&reader, 8);
  // Negative extents are of no concern here (TEN-38).
  for (int32_t i = 0; i < plan->tensor.ndim; ++i) {
    plan->shape[i] = (int64_t)(fuzz_read_number(&reader, 8) & INT64_MAX);
    plan->strides[i] = (int64_t)fuzz_read_number(&reader, 8);
  }
}

// Row-major strides. False if one is more than an int64_t holds: what can't be counted is left
// open.
static bool row_major(const Plan *plan, int64_t due[NDIM_MAX])
{
  int64_t stride = 1;
  bool fits = true;
  for (int32_t i = plan->tensor.ndim - 1; i >= 0; --i) {
    if (!fits) return false;
    due[i] = stride;
    fits = !__builtin_mul_overflow(stride, plan->shape[i], &stride);
  }
  return fits;
}

static bool is_empty(const Plan *plan)
{
  for (int32_t i = 0; i < plan->tensor.ndim; ++i)
    if (plan->shape[i] == 0) return true;
  return false;
}

static bool is_multiple(const Plan *plan, uint64_t address)
{
  return plan->alignment == 0 || address % (uint64_t)plan->alignment == 0;
}

static bool is_aligned(const Plan *plan)
{
  return is_multiple(plan, (uintptr_t)plan->tensor.data + plan->tensor.byte_offset);
}

// Whether the data pointer counts is open on devices where it is a handle (TEN-14).
static bool is_aligned_or_not(const Plan *plan)
{
  return !plan->on_host && is_aligned(plan) != is_multiple(plan, plan->tensor.byte_offset);
}

// Which requirement a tensor with strides of its own breaks, or why it does not.
static unsigned aspect_of_strides(const Plan *plan, const int64_t due[NDIM_MAX])
{
  unsigned found = GIVEN_STRIDES;
  if (!(plan->choices & CONTIGUOUS)) return found;
  if (is_empty(plan)) return EMPTY;
  for (int32_t i = 0; i < plan->tensor.ndim; ++i) {
    if (plan->strides[i] == due[i]) continue;
    if (plan->shape[i] != 1) return NOT_CONTIGUOUS;
    found = SINGLE;
  }
  return found;
}

static unsigned aspect(const FuzzInput *input)
{
  Plan plan;
  int64_t due[NDIM_MAX];
  decode(input, &plan);
  bool counted = row_major(&plan, due), strides = plan.choices & STRIDES && plan.tensor.ndim;
  bool power = plan.alignment >= 0 && (plan.alignment & (plan.alignment - 1)) == 0;
  if (!power || plan.flags > (READ_ONLY | COPIED | PADDED)) return UNSPOKEN;
  if (is_aligned_or_not(&plan)) return UNSPOKEN;
  if (plan.flags & PADDED) return is_aligned(&plan) ? PADDED_ELEMENTS : UNSPOKEN;
  if (!counted && (!strides || plan.choices & CONTIGUOUS)) return UNSPOKEN;
  unsigned found = strides ? aspect_of_strides(&plan, due) : NO_STRIDES;
  if (!is_aligned(&plan)) return found == NOT_CONTIGUOUS ? UNSPOKEN : UNALIGNED;
  if (found != NO_STRIDES && found != GIVEN_STRIDES) return found;
  if (plan.alignment) return plan.on_host ? ALIGNED : HANDLE_ALIGNED;
  if (plan.flags & READ_ONLY) return READ_ONLY_EXPORT;
  if (plan.flags) return FLAGGED;
  if (plan.choices & NO_DELETER) return UNDELETED;
  return plan.tensor.ndim == 0 ? SCALAR : found;
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  static const uint8_t bits[] = {8, 16, 32, 64, 1, 4};
  unsigned ndim = (unsigned)fuzz_below(random, 5), choices = (unsigned)fuzz_below(random, 16);
  unsigned flags =
      choices & VERSIONED && fuzz_one_in(random, 3) ? (unsigned)fuzz_below(random, 4) : 0;
  int64_t shape[NDIM_MAX], strides[NDIM_MAX], stride = 1;
  out->size = 0;
  fuzz_put_byte(out, choices);
  fuzz_put_byte(out, (unsigned)fuzz_draw(random));
  fuzz_put_byte(out, ndim);
  fuzz_put_byte(out, (unsigned)fuzz_below(random, sizeof host_types + sizeof handle_types));
  fuzz_put_byte(out, (unsigned)fuzz_below(random, 4));
  fuzz_put_byte(out, (unsigned)fuzz_below(random, 18));
  fuzz_put_byte(out, bits[fuzz_below(random, sizeof bits)]);
  fuzz_put_number(out, fuzz_one_in(random, 4) ? 1 + fuzz_below(random, 16) : 1, 2);
  if (choices & VERSIONED) fuzz_put_number(out, flags, 8);
  fuzz_put_number(out, fuzz_one_in(random, 2) ? UINT64_C(1) << fuzz_below(random, 9) : 0, 4);
  fuzz_put_number(out, 256 * fuzz_below(random, 4), 8);
  fuzz_put_number(out, fuzz_draw(random) << 8 & UINT64_C(0x7fffffffff00), 8);
  for (unsigned i = 0; i < ndim; ++i) shape[i] = (int64_t)fuzz_below(random, 6);
  for (unsigned i = ndim; i-- > 0; stride *= shape[i]) strides[i] = stride;
  for (unsigned i = 0; i < ndim; ++i) {
    fuzz_put_number(out, (uint64_t)shape[i], 8);
    fuzz_put_number(out, (uint64_t)strides[i], 8);
  }
}

static void sample(FuzzInput *out)
{
  FuzzRandom random = {0};
  do generate(&random, out);
  while (aspect(out) != NO_STRIDES);
}

// One number is another one.
static void mutate(FuzzRandom *random, FuzzInput *input)
{
  while (input->size < 40) fuzz_put_byte(input, 0);
  size_t dimensions = (input->size - 29) / 8;
  uint64_t number = fuzz_odd_number(random, fuzz_below(random, 8));
  switch (fuzz_below(random, 5)) {
    case 0:
      input->bytes[0] ^= (uint8_t)(1 << fuzz_below(random, 5));
      break;
    case 1:
      input->bytes[2 + fuzz_below(random, 7)] = (uint8_t)fuzz_draw(random);
      break;
    case 2:
      input->bytes[9 + fuzz_below(random, 20)] = (uint8_t)fuzz_below(random, 9);
      break;
    case 3:
      input->bytes[9 + fuzz_below(random, 28)] ^= (uint8_t)(1 << fuzz_below(random, 8));
      break;
    default:
      if (fuzz_one_in(random, 2)) number = fuzz_below(random, 6);
      memcpy(input->bytes + input->size - 8 * (1 + fuzz_below(random, dimensions)), &number, 8);
  }
}

static bool repair(FuzzInput *input)
{
  if (input->size > INPUT_MAX) input->size = INPUT_MAX;
  return input->size > 0;
}

// --- The producer --------------------------------------------------------------------------------

static struct {
  DLManagedTensor older;
  DLManagedTensorVersioned newer;
} source;
static unsigned deletions;
static bool deleted_another;

static void delete_older(DLManagedTensor *self)
{
  ++deletions;
  deleted_another |= self != &source.older;
}

static void delete_newer(DLManagedTensorVersioned *self)
{
  ++deletions;
  deleted_another |= self != &source.newer;
}

// Shape and strides end where a window ends.
static void make_source(Plan *plan)
{
  size_t size = (size_t)plan->tensor.ndim * sizeof(int64_t);
  bool deletes = !(plan->choices & NO_DELETER);
  const void *shape = fuzz_show(0, plan->shape, size), *strides = fuzz_show(1, plan->strides, size);
  if (plan->tensor.ndim || !(plan->choices & NO_SHAPE))
    memcpy(&plan->tensor.shape, &shape, sizeof shape);
  if (plan->choices & STRIDES) memcpy(&plan->tensor.strides, &strides, sizeof strides);
  memset(&source, 0, sizeof source);
  deletions = 0;
  deleted_another = false;
  source.older.dl_tensor = plan->tensor;
  source.older.deleter = deletes ? delete_older : NULL;
  source.newer.version = (DLPackVersion){1, 1};
  source.newer.flags = plan->flags;
  source.newer.dl_tensor = plan->tensor;
  source.newer.deleter = deletes ? delete_newer : NULL;
}

static int import(Iut *iut, const Plan *plan, bool required, TVMFFIObjectHandle *tensor)
{
  int32_t alignment = required ? plan->alignment : 0;
  int32_t contiguous = required && plan->choices & CONTIGUOUS;
  return plan->choices & VERSIONED
             ? iut->TensorFromDLPackVersioned(&source.newer, alignment, contiguous, tensor)
             : iut->TensorFromDLPack(&source.older, alignment, contiguous, tensor);
}

// --- Verdicts ------------------------------------------------------------------------------------

// What differs between a tensor and the one that was given; NULL if nothing does.
static const char *difference(const DLTensor *tensor, const Plan *plan)
{
  const DLTensor *given = &plan->tensor;
  int64_t due[NDIM_MAX];
  if (tensor->data != given->data) return "the data pointer";
  if (tensor->device.device_type != given->device.device_type ||
      tensor->device.device_id != given->device.device_id)
    return "the device";
  if (tensor->ndim != given->ndim) return "the number of dimensions";
  if (memcmp(&tensor->dtype, &given->dtype, sizeof given->dtype) != 0) return "the data type";
  if (tensor->byte_offset != given->byte_offset) return "the byte offset";
  if (given->ndim == 0) return NULL;
  if (!tensor->shape || !tensor->strides) return "shape or strides, which are NULL,";
  size_t size = (size_t)given->ndim * sizeof(int64_t);
  if (memcmp(tensor->shape, plan->shape, size) != 0) return "the extents";
  if (given->strides) return memcmp(tensor->strides, plan->strides, size) ? "the strides" : NULL;
  return !is_empty(plan) && row_major(plan, due) && memcmp(tensor->strides, due, size) != 0
             ? "the strides"
             : NULL;
}

// Checks a tensor with `strong` references against what was given. False once something is wrong.
static bool check_tensor(Iut *iut, TVMFFIObjectHandle tensor, const Plan *plan, unsigned strong,
                         FuzzRun *run)
{
  if (object_type_index(iut, tensor) != kTVMFFITensor || object_strong(iut, tensor) != strong ||
      object_weak(iut, tensor) != 1)
    fuzz_see(run, FUZZ_DIFFERENT,
             "a tensor has type index %d, strong count %llu (%u is due), weak count %llu",
             object_type_index(iut, tensor), (unsigned long long)object_strong(iut, tensor), strong,
             (unsigned long long)object_weak(iut, tensor));
  const char *wrong = run->count ? NULL : difference(object_body(iut, tensor), plan);
  if (wrong) fuzz_see(run, FUZZ_DIFFERENT, "%s of the tensor is not what was given", wrong);
  return run->count == 0;
}

// One that was exported, in either form.
typedef struct Export {
  DLManagedTensor *older;
  DLManagedTensorVersioned *newer;
} Export;

static const DLTensor *exported_tensor(const Export *one)
{
  return one->newer ? &one->newer->dl_tensor : &one->older->dl_tensor;
}

static void check_export(const Export *one, const Plan *plan, FuzzRun *run)
{
  const char *wrong = difference(exported_tensor(one), plan);
  if (wrong) fuzz_see(run, FUZZ_DIFFERENT, "%s of the exported tensor is not its own", wrong);
  bool deletes = one->newer ? one->newer->deleter != NULL : one->older->deleter != NULL;
  if (!deletes) fuzz_see(run, FUZZ_DIFFERENT, "the exported tensor has no deleter (TEN-21)");
  if (!one->newer) return;
  if (one->newer->version.major != 1)
    fuzz_see(run, FUZZ_DIFFERENT, "major version %u is exported (TEN-25)",
             one->newer->version.major);
  if (plan->flags == 0 && one->newer->flags != 0)
    fuzz_see(run, FUZZ_DIFFERENT, "flags %llu are exported, where none came in (TEN-26)",
             (unsigned long long)one->newer->flags);
}

// --- What is done with a tensor ------------------------------------------------------------------

static bool export(Iut *iut, TVMFFIObjectHandle tensor, const Plan *plan, bool versioned,
                   Export *out, FuzzRun *run)
{
  *out = (Export){NULL, NULL};
  fuzz_enter(run, EXPORTING);
  int code = versioned ? iut->TensorToDLPackVersioned(tensor, &out->newer)
                       : iut->TensorToDLPack(tensor, &out->older);
  if (code != 0 || (!out->newer && !out->older)) {
    fuzz_see(run, FUZZ_REFUSED, "a tensor that was imported is not exported (TEN-21)");
    return false;
  }
  check_export(out, plan, run);
  return run->count == 0;
}

static void delete_export(const Export *one)
{
  if (one->newer)
    one->newer->deleter(one->newer);
  else
    one->older->deleter(one->older);
}

// Two exports in both forms, deleted in either order: the count is what it was.
static void export_twice(Iut *iut, TVMFFIObjectHandle tensor, const Plan *plan, bool reversed,
                         FuzzRun *run)
{
  Export one, other;
  if (!export(iut, tensor, plan, true, &one, run) || !export(iut, tensor, plan, false, &other, run))
    return;
  // TEN-27 is of the form that has flags.
  if (run->aspect == READ_ONLY_EXPORT && !(one.newer->flags & READ_ONLY))
    fuzz_see(run, FUZZ_DIFFERENT, "a read-only tensor is exported with flags %llu",
             (unsigned long long)one.newer->flags);
  if (!run->count && !check_tensor(iut, tensor, plan, 3, run)) return;
  delete_export(reversed ? &other : &one);
  delete_export(reversed ? &one : &other);
}

// Exports the tensor, gives it up, and imports what was exported. Own.
static TVMFFIObjectHandle pass_on(Iut *iut, TVMFFIObjectHandle tensor, const Plan *plan,
                                  bool versioned, FuzzRun *run)
{
  Export one;
  TVMFFIObjectHandle next = NULL;
  if (!export(iut, tensor, plan, versioned, &one, run)) return tensor;
  iut->ObjectDecRef(tensor);
  if (difference(exported_tensor(&one), plan))
    fuzz_see(run, FUZZ_DIFFERENT, "an exported tensor goes with the last reference (TEN-23)");
  if (run->count) return NULL;
  fuzz_enter(run, IMPORTING_AGAIN);
  int code = versioned ? iut->TensorFromDLPackVersioned(one.newer, 0, 0, &next)
                       : iut->TensorFromDLPack(one.older, 0, 0, &next);
  if (code != 0 || !next) {
    fuzz_see(run, FUZZ_REFUSED, "what was exported is not imported (TEN-29)");
    return NULL;
  }
  return next;
}

static void use(Iut *iut, TVMFFIObjectHandle tensor, Plan *plan, FuzzRun *run)
{
  unsigned rounds = plan->rounds % (ROUNDS_MAX + 1);
  check_tensor(iut, tensor, plan, 1, run);
  if (!run->count) export_twice(iut, tensor, plan, plan->rounds & 128, run);
  for (unsigned i = 0; i < rounds && !run->count; ++i) {
    tensor = pass_on(iut, tensor, plan, plan->rounds >> (3 + i) & 1, run);
    if (!run->count) check_tensor(iut, tensor, plan, 1, run);
  }
  if (!run->count && deletions)
    fuzz_see(run, FUZZ_DIFFERENT, "the deleter is called while the tensor lives (TEN-9)");
  run->unusable = run->count != 0;
  if (run->unusable) return;
  fuzz_enter(run, RELEASING);
  iut->ObjectDecRef(tensor);
  unsigned due = plan->choices & NO_DELETER ? 0 : 1;
  if (deletions != due || deleted_another)
    fuzz_see(run, deletions < due ? FUZZ_LEAK : FUZZ_DIFFERENT,
             "the deleter is called %u times for %s tensor (TEN-9)", deletions,
             deleted_another ? "another" : "the");
}

// A tensor that was refused is the caller's, and can come in without requirements.
static void check_refused(Iut *iut, const Plan *plan, TVMFFIObjectHandle out, FuzzRun *run)
{
  TVMFFIObjectHandle tensor = NULL;
  bool again = !(plan->flags & PADDED) && run->aspect != UNSPOKEN;
  if (deletions) fuzz_see(run, FUZZ_DIFFERENT, "it is refused, and deleted (TEN-11)");
  if (out != (TVMFFIObjectHandle)&source)
    fuzz_see(run, FUZZ_DIFFERENT, "it is refused, and the output is written (TEN-11)");
  if (run->count || !again) return;
  if (import(iut, plan, false, &tensor) == 0) {
    iut->ObjectDecRef(tensor);
    return;
  }
  release_object(iut, take_error(iut));
  fuzz_see(run, FUZZ_REFUSED, "after a refusal it cannot be imported any more (TEN-11, TEN-12)");
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  Plan plan;
  TVMFFIObjectHandle tensor = (TVMFFIObjectHandle)&source;
  decode(input, &plan);
  make_source(&plan);
  uint8_t shape[] = {(uint8_t)(plan.choices & (VERSIONED | NO_DELETER)), (uint8_t)plan.tensor.ndim,
                     (uint8_t)(plan.rounds % (ROUNDS_MAX + 1))};
  fuzz_behave(run, shape, sizeof shape);
  char before[sizeof source];
  memcpy(before, &source, sizeof before);
  fuzz_enter(run, IMPORTING);
  int code = import(iut, &plan, true, &tensor);
  if (memcmp(before, &source, sizeof before) != 0)
    fuzz_see(run, FUZZ_DIFFERENT, "the DLPack tensor is written to (TEN-8)");
  if (!fuzz_judge_code(iut, run, aspects, code, "RuntimeError"))
    check_refused(iut, &plan, tensor, run);
  else if (aspects[run->aspect].due == FUZZ_DUE_ACCEPT)
    use(iut, tensor, &plan, run);
  else
    iut->ObjectDecRef(tensor);
}

// --- In words, and as a program ------------------------------------------------------------------

static void describe(const FuzzInput *input, unsigned which, FILE *out)
{
  Plan plan;
  decode(input, &plan);
  fprintf(out,
          "A tensor of %d dimensions on device type %d, with%s strides, is imported with required "
          "alignment %d and contiguity %d: %s.",
          plan.tensor.ndim, plan.tensor.device.device_type, plan.choices & STRIDES ? "" : "out",
          plan.alignment, (plan.choices & CONTIGUOUS) != 0, aspects[which].what);
}

static void write_numbers(FILE *out, const char *name, const int64_t *numbers, int32_t count)
{
  fprintf(out, "  static int64_t %s[] = {", name);
  for (int32_t i = 0; i < count; ++i)
    fprintf(out, "(int64_t)%lluu, ", (unsigned long long)numbers[i]);
  fprintf(out, "0};\n");
}

static void write_source(FILE *out, const Plan *plan)
{
  const DLTensor *tensor = &plan->tensor;
  int64_t due[NDIM_MAX];
  bool strides = plan->choices & STRIDES;
  bool known = strides || row_major(plan, due);
  write_numbers(out, "shape", plan->shape, tensor->ndim);
  write_numbers(out, "strides", strides || !known ? plan->strides : due, tensor->ndim);
  fprintf(out,
          "  enum { NDIM = %d, SIZE = NDIM * sizeof(int64_t), KNOWN = %d };\n"
          "  static DLManagedTensor%s source;\n  memset(&source, 0, sizeof source);\n"
          "  DLTensor *given = &source.dl_tensor;\n"
          "  *given = (DLTensor){.data = (void *)%lluu, .device = {%d, %d}, .ndim = NDIM,\n"
          "                      .dtype = {%d, %d, %d}, .byte_offset = %lluu};\n",
          tensor->ndim, known, plan->choices & VERSIONED ? "Versioned" : "",
          (unsigned long long)(uintptr_t)tensor->data, tensor->device.device_type,
          tensor->device.device_id, tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes,
          (unsigned long long)tensor->byte_offset);
  if (tensor->ndim || !(plan->choices & NO_SHAPE))
    fprintf(out, "  given->shape = (int64_t *)fenced(shape, SIZE);\n");
  if (strides) fprintf(out, "  given->strides = (int64_t *)fenced(strides, SIZE);\n");
  if (!(plan->choices & NO_DELETER)) fprintf(out, "  source.deleter = (void *)count_deletion;\n");
  if (plan->choices & VERSIONED)
    fprintf(out, "  source.version.major = 1;\n  source.flags = %lluu;\n",
            (unsigned long long)plan->flags);
}

static void write_use(FILE *out, const Plan *plan, bool read_only)
{
  unsigned rounds = plan->rounds % (ROUNDS_MAX + 1);
  fprintf(
      out,
      "  const DLTensor *made = body_of(tensor);\n"
      "  expect(strong_count(tensor) == 1 && same_tensor(made, given, KNOWN ? strides : NULL), "
      "\"it is the tensor\");\n"
      "  DLManagedTensorVersioned *newer = NULL;\n  DLManagedTensor *older = NULL;\n"
      "  expect(!refused(API(TensorToDLPackVersioned)(tensor, &newer), NULL), \"it goes out\");\n"
      "  expect(!refused(API(TensorToDLPack)(tensor, &older), NULL), \"it goes out again\");\n"
      "  if (wrong) return;\n"
      "  expect(strong_count(tensor) == 3, \"each has a reference\");\n"
      "  expect(newer->version.major == 1, \"the version is one that consumers accept\");\n"
      "  expect(same_tensor(&newer->dl_tensor, given, KNOWN ? strides : NULL), \"it is the "
      "same\");\n"
      "  expect(same_tensor(&older->dl_tensor, given, KNOWN ? strides : NULL), \"it is the "
      "same\");\n");
  if (read_only) fprintf(out, "  expect(newer->flags & 1, \"it is read-only still\");\n");
  if (plan->flags == 0) fprintf(out, "  expect(newer->flags == 0, \"it has no flags\");\n");
  fprintf(out, "  newer->deleter(newer);\n  older->deleter(older);\n");
  for (unsigned i = 0; i < rounds; ++i) {
    bool versioned = plan->rounds >> (3 + i) & 1;
    const char *form = versioned ? "Versioned" : "", *name = versioned ? "newer" : "older";
    fprintf(out,
            "  if (wrong || API(TensorToDLPack%s)(tensor, &%s)) { wrong = 1; return; }\n"
            "  API(ObjectDecRef)(tensor);\n"
            "  expect(!refused(API(TensorFromDLPack%s)(%s, 0, 0, &tensor), NULL), \"it comes in "
            "again\");\n",
            form, name, form, name);
  }
  fprintf(out,
          "  if (wrong) return;\n"
          "  expect(strong_count(tensor) == 1 && same_tensor(body_of(tensor), given, KNOWN ? "
          "strides : NULL), \"it is still the tensor\");\n"
          "  expect(deletions == 0, \"it is not deleted while it lives\");\n"
          "  API(ObjectDecRef)(tensor);\n"
          "  expect(deletions == %d, \"it is deleted when it dies\");\n",
          !(plan->choices & NO_DELETER));
}

static void write_body(const FuzzInput *input, unsigned which, FILE *out)
{
  Plan plan;
  FuzzDue due = aspects[which].due;
  decode(input, &plan);
  write_source(out, &plan);
  const char *form = plan.choices & VERSIONED ? "Versioned" : "";
  fprintf(out,
          "  TVMFFIObjectHandle tensor = NULL;\n  deletions = 0;\n"
          "  int code = API(TensorFromDLPack%s)(&source, %d, %d, &tensor);\n",
          form, plan.alignment, (plan.choices & CONTIGUOUS) != 0);
  if (due == FUZZ_DUE_ACCEPT) {
    fprintf(out,
            "  expect(!refused(code, NULL), \"the tensor is imported\");\n"
            "  if (code) return;\n");
    write_use(out, &plan, which == READ_ONLY_EXPORT);
    return;
  }
  if (due == FUZZ_DUE_REFUSE)
    fprintf(out, "  expect(refused(code, \"RuntimeError\"), \"the tensor is refused\");\n");
  else
    fprintf(out, "  refused(code, NULL);\n");
  fprintf(out, "  if (code) expect(!tensor && deletions == 0, \"it is left alone\");\n");
  if (due == FUZZ_DUE_REFUSE && !(plan.flags & PADDED))
    fprintf(out,
            "  if (code) {\n    code = API(TensorFromDLPack%s)(&source, 0, 0, &tensor);\n"
            "    expect(!refused(code, NULL), \"it can be imported afterwards\");\n  }\n",
            form);
  fprintf(out, "  if (!code) API(ObjectDecRef)(tensor);\n");
}

const FuzzSurface fuzz_dlpack = {.name = "dlpack",
                                 .title = "tensors that come in and go out",
                                 .input_max = INPUT_MAX,
                                 .aspects = aspects,
                                 .aspect_count = ASPECT_COUNT,
                                 .phases = phases,
                                 .phase_count = PHASES,
                                 .prepare = fuzz_call_prepare,
                                 .sample = sample,
                                 .generate = generate,
                                 .mutate = mutate,
                                 .repair = repair,
                                 .aspect = aspect,
                                 .run = run_input,
                                 .shrink = fuzz_shrink_blocks,
                                 .describe = describe,
                                 .program_body = write_body,
                                 .program = fuzz_program_write};
