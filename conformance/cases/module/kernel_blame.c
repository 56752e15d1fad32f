// SPDX-License-Identifier: Apache-2.0
// One argument is wrong, and the message of the error must say which.
#include <stdio.h>

#include "kernel/kernel_battery.h"

CHAPTER(kernel);

enum { MESSAGE_MAX = 512 };

// --- What is made wrong --------------------------------------------------------------------------

// Makes one argument wrong. False where this can't be done to it, or it would be no mistake.
typedef bool Invalidate(KernelCall *call, unsigned position);

static bool takes_anything(const KernelParameter *parameter)
{
  return kernel_takes_anything(parameter) ||
         (parameter->kind == KERNEL_OBJECT && !*parameter->type_key);
}

static bool hand_over_device(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  if (takes_anything(parameter) || parameter->kind == KERNEL_DEVICE) return false;
  call->values[position] = any_none();
  call->values[position].type_index = kTVMFFIDevice;
  return true;
}

// None is the null reference of many types of objects: what is said of it then comes from deeper in
// the function, which knows of no argument.
static bool may_be_null(const KernelParameter *parameter)
{
  return parameter->optional || parameter->kind == KERNEL_NONE ||
         parameter->kind == KERNEL_POINTER || parameter->kind >= KERNEL_FUNCTION ||
         parameter->kind == KERNEL_SHAPE;
}

static bool hand_over_none(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  if (takes_anything(parameter) || may_be_null(parameter)) return false;
  call->values[position] = any_none();
  return true;
}

static bool hand_over_int(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  if (takes_anything(parameter) || parameter->kind == KERNEL_INT ||
      parameter->kind == KERNEL_BOOL || parameter->kind == KERNEL_FLOAT)
    return false;
  call->values[position] = view_of_int(0x7a6b5c);
  return true;
}

static bool hand_over_object(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  if (takes_anything(parameter) || parameter->kind == KERNEL_OBJECT) return false;
  TVMFFIObjectHandle object = new_probe_object_of(call->iut, kTVMFFIModule);
  call->values[position] = view_of_object(call->iut, object);
  return true;
}

// A tensor of which type, shape and device are known.
static const KernelParameter *tensor_at(const KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  return parameter->kind == KERNEL_TENSOR && parameter->typed ? parameter : NULL;
}

static bool change_dtype(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = tensor_at(call, position);
  if (!parameter) return false;
  DLDataType other = parameter->dtype;
  other.code = other.code == kDLFloat ? kDLInt : kDLFloat;
  call_with_tensor(call, position, &(TensorForm){.has_dtype = true, .dtype = other});
  return true;
}

static bool change_rank(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = tensor_at(call, position);
  if (!parameter) return false;
  TensorForm form = {
      .has_shape = true, .rank = parameter->rank + 1, .extents = parameter->rank + 1};
  for (int32_t i = 0; i < parameter->rank; ++i) form.shape[i] = parameter->shape[i].size;
  form.shape[parameter->rank] = 1;
  call_with_tensor(call, position, &form);
  return true;
}

static bool change_device(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = tensor_at(call, position);
  if (!parameter) return false;
  DLDevice other = {parameter->device.device_type == kDLCPU ? kDLVulkan : kDLCPU, 0};
  call_with_tensor(call, position, &(TensorForm){.has_device = true, .device = other});
  return true;
}

static bool take_data_away(KernelCall *call, unsigned position)
{
  if (!tensor_at(call, position)) return false;
  call_with_tensor(call, position, &(TensorForm){.no_data = true});
  return true;
}

// --- What is said of it --------------------------------------------------------------------------

typedef struct Complaint {
  bool made;  // the call was refused, for what was made wrong
  char message[MESSAGE_MAX];
} Complaint;

static void take_message(KernelCall *call, Complaint *complaint)
{
  Iut *iut = call->iut;
  bool refused = call->returned != 0 && call->error && !refusal_says_nothing(call);
  if (!refused || object_type_index(iut, call->error) != kTVMFFIError) return;
  const TVMFFIErrorCell *cell = error_cell(iut, call->error);
  snprintf(complaint->message, MESSAGE_MAX, "%.*s",
           (int)(cell->message.size < MESSAGE_MAX ? cell->message.size : MESSAGE_MAX - 1),
           cell->message.data);
  complaint->made = true;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// By its name as a word of its own.
static bool has_word(const char *text, const char *word)
{
  size_t size = strlen(word);
  for (const char *at = strstr(text, word); size && at; at = strstr(at + 1, word)) {
    bool begins = at == text || !(is_letter(at[-1]) || is_digit(at[-1]));
    if (begins && !is_letter(at[size]) && !is_digit(at[size])) return true;
  }
  return false;
}

// "arg0", "p1" and "input_2" are positions; "float32" is none.
static bool may_count(const char *text, const char *digits)
{
  static const char *const words[] = {"arg",   "args",  "argument", "p",
                                      "param", "input", "arg_",     "input_"};
  const char *first = digits;
  while (first > text && is_letter(first[-1])) --first;
  if (first == digits) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strlen(words[i]) == (size_t)(digits - first) &&
        strncmp(words[i], first, (size_t)(digits - first)) == 0)
      return true;
  return false;
}

// By its position. Where a message has a number behind "#", only those are looked at: it may list
// all parameters besides.
static bool has_number(const char *text, unsigned number)
{
  bool marked = false;
  for (const char *at = strchr(text, '#'); at; at = strchr(at + 1, '#')) marked |= is_digit(at[1]);
  for (const char *at = text; *at;) {
    unsigned seen = 0;
    const char *first = at;
    for (; is_digit(*at); ++at) seen = seen * 10 + (unsigned)(*at - '0');
    bool counts =
        at > first && (marked ? first > text && first[-1] == '#' : may_count(text, first));
    if (counts && seen == number) return true;
    if (at == first) ++at;
  }
  return false;
}

// Whether positions in messages begin with 0 or with 1: whichever fits more of them.
static unsigned first_position(const Kernel *kernel, const Complaint *complaints)
{
  unsigned fits[2] = {0, 0};
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (unsigned base = 0; complaints[i].made && base < 2; ++base)
      fits[base] += has_number(complaints[i].message, i + base);
  return fits[1] > fits[0];
}

// What is said of an argument without a name that is known names it if nothing like it is said of
// another one.
static bool is_said_of_another(const Kernel *kernel, const Complaint *complaints, unsigned position)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (i != position && complaints[i].made &&
        strcmp(complaints[i].message, complaints[position].message) == 0)
      return true;
  return false;
}

// Whether two tensors of the example are alike in what was changed of one of them. The function may
// then have compared the two, and name either.
typedef bool Alike(const KernelParameter *one, const KernelParameter *other);

static bool is_named(const Kernel *kernel, const Complaint *complaint, unsigned position,
                     unsigned base)
{
  const char *name = kernel->parameters[position].name;
  return (*name && has_word(complaint->message, name)) ||
         has_number(complaint->message, position + base);
}

// Of one that is not blamed for itself, nothing follows.
static bool names_one_alike(const Kernel *kernel, const Complaint *complaints, unsigned position,
                            unsigned base, Alike *alike)
{
  const KernelParameter *changed = &kernel->parameters[position];
  for (unsigned i = 0; alike && i < kernel->parameter_count; ++i) {
    const KernelParameter *other = &kernel->parameters[i];
    if (i != position && other->kind == KERNEL_TENSOR && other->typed && alike(changed, other) &&
        complaints[i].made && is_named(kernel, &complaints[i], i, base) &&
        is_named(kernel, &complaints[position], i, base))
      return true;
  }
  return false;
}

static void judge(const Kernel *kernel, const Complaint *complaints, Alike *alike)
{
  unsigned base = first_position(kernel, complaints), made = 0, judged = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) made += complaints[i].made;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const Complaint *complaint = &complaints[i];
    const char *name = kernel->parameters[i].name;
    char words[64], expected[128];
    if (!complaint->made || (!*name && made < 2)) continue;
    bool named =
        *name ? has_word(complaint->message, name) : !is_said_of_another(kernel, complaints, i);
    snprintf(expected, sizeof expected, "a message that says it of %s",
             parameter_name(kernel, i, words));
    expect_that(named || has_number(complaint->message, i + base) ||
                    names_one_alike(kernel, complaints, i, base, alike),
                expected, "\"%.240s\"", complaint->message);
    ++judged;
  }
  if (judged == 0) case_not_applicable("no such call of it is refused with an error for that");
}

static void judge_messages(Iut *iut, const Kernel *kernel, Invalidate *invalidate, const char *what,
                           Alike *alike)
{
  static Complaint complaints[KERNEL_PARAMETERS_MAX];
  if (kernel_has_example(kernel) && !kernel->launches) require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCall *call = new_right_call(iut, kernel);
    char name[64];
    if (!invalidate(call, i)) continue;
    note_call(call, "with %s for %s: ", what, parameter_name(kernel, i, name));
    make_call(call);
    take_message(call, &complaints[i]);
  }
  note("with %s for one argument of %s", what, kernel->name);
  judge(kernel, complaints, alike);
}

KERNEL_CASE(message_names_the_argument, .clauses = {KER_19}, .wrong_call = true,
            .needs = KERNEL_NEEDS_ARITY,
            .title = "the message about a wrong argument contains its name or its position")
{
  judge_messages(iut, kernel, hand_over_device, "a device", NULL);
}

typedef struct InvalidateRow {
  const char *name, *what;
  Invalidate *invalidate;
  Alike *alike;
} InvalidateRow;

static const InvalidateRow values[] = {
    {"none", "None", hand_over_none, NULL},
    {"int", "an int", hand_over_int, NULL},
    {"object", "a module", hand_over_object, NULL},
};

KERNEL_CASE_ROWS(message_names_the_value, values, .clauses = {KER_19}, .wrong_call = true,
                 .needs = KERNEL_NEEDS_ARITY,
                 .title = "the message about a value of another type names the argument")
{
  judge_messages(iut, kernel, row->invalidate, row->what, NULL);
}

static bool is_of_same_dtype(const KernelParameter *one, const KernelParameter *other)
{
  return memcmp(&one->dtype, &other->dtype, sizeof one->dtype) == 0;
}

static bool is_of_same_rank(const KernelParameter *one, const KernelParameter *other)
{
  return one->rank == other->rank;
}

static bool is_on_same_device(const KernelParameter *one, const KernelParameter *other)
{
  return one->device.device_type == other->device.device_type;
}

static const InvalidateRow tensors[] = {
    {"dtype", "another data type", change_dtype, is_of_same_dtype},
    {"rank", "one dimension more", change_rank, is_of_same_rank},
    {"device", "another device", change_device, is_on_same_device},
    {"data", "data NULL", take_data_away, NULL},
};

KERNEL_CASE_ROWS(message_names_the_tensor, tensors, .clauses = {KER_19}, .wrong_call = true,
                 .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_TENSOR,
                 .title = "the message about an invalid tensor names the argument")
{
  judge_messages(iut, kernel, row->invalidate, row->what, row->alike);
}
