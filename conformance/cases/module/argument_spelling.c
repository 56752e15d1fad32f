// SPDX-License-Identifier: Apache-2.0
// The same value, spelled in several ways: numbers, text, pointers, references that are moved.
#include "kernel/kernel_battery.h"

CHAPTER(argument);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN };

// --- Text and bytes ------------------------------------------------------------------------------

typedef struct TextRow {
  const char *name;
  int32_t type_index;
} TextRow;

// The right call; where the example is too long for a small one, the call with as much of it as
// fits, in another spelling. NULL if that is refused. *size is how many bytes of `text` are used.
static KernelCall *call_to_match(Iut *iut, const Kernel *kernel, unsigned position,
                                 const TextRow *row, char text[KERNEL_TEXT_MAX], size_t *size)
{
  const KernelParameter *parameter = &kernel->parameters[position];
  bool is_small = row->type_index == kTVMFFISmallStr || row->type_index == kTVMFFISmallBytes;
  memcpy(text, parameter->text, KERNEL_TEXT_MAX);
  *size = kernel_text_length(parameter);
  if (!is_small || *size <= 7) return require_right_call(iut, kernel);
  text[7] = '\0';
  *size = 7;
  // One of 8 bytes has no small spelling.
  int32_t other = kernel_spelling_for(parameter, 8, false);
  if (other < 0) return NULL;
  KernelCall *call = new_right_call(iut, kernel);
  call->values[position] = kernel_spell_text(iut, other, text, *size);
  note_call(call, "with a string of 7 bytes in another spelling: ");
  make_call(call);
  return call->returned == 0 ? call : NULL;
}

static const char no_text[] = "none of its parameters is one, or takes this spelling and another";

static bool is_spelled(const KernelParameter *parameter, KernelKind kind, const TextRow *row)
{
  return parameter->kind == kind && kernel_takes_spelling(parameter, row->type_index) &&
         kernel_spelling_count(parameter) >= 2;
}

static const char *lacks_text(const CaseInstance *instance, KernelKind kind)
{
  for (unsigned i = 0; i < instance->kernel->parameter_count; ++i)
    if (is_spelled(&instance->kernel->parameters[i], kind, instance->row)) return NULL;
  return no_text;
}

static const char *lacks_string(const CaseInstance *instance)
{
  return lacks_text(instance, KERNEL_STRING);
}

static const char *lacks_bytes(const CaseInstance *instance)
{
  return lacks_text(instance, KERNEL_BYTES);
}

static void judge_text(Iut *iut, const Kernel *kernel, KernelKind kind, const TextRow *row)
{
  unsigned tried = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    char name[64], text[KERNEL_TEXT_MAX];
    if (!is_spelled(&kernel->parameters[i], kind, row)) continue;
    size_t size;
    KernelCall *expected = call_to_match(iut, kernel, i, row, text, &size);
    if (!expected) continue;
    KernelCall *call = new_right_call(iut, kernel);
    call->values[i] = kernel_spell_text(iut, row->type_index, text, size);
    note_call(call, "with type index %d for %s: ", row->type_index,
              parameter_name(kernel, i, name));
    make_call(call);
    kernel_hint_spelling(call, i, row->type_index);
    expect_same_outcome(call, expected);
    ++tried;
  }
  if (tried == 0) case_not_applicable("%s", no_text);
}

static const TextRow strings[] = {
    {"raw", kTVMFFIRawStr}, {"small", kTVMFFISmallStr}, {"object", kTVMFFIStr}};

KERNEL_CASE_ROWS(string_spellings, strings, .clauses = {ARG_9}, .needs = NEEDS_A_RUN,
                 .lacks = lacks_string, .title = "each spelling of a string gives the same outputs")
{
  judge_text(iut, kernel, KERNEL_STRING, row);
}

static const TextRow bytes[] = {
    {"byte_array", kTVMFFIByteArrayPtr}, {"small", kTVMFFISmallBytes}, {"object", kTVMFFIBytes}};

KERNEL_CASE_ROWS(bytes_spellings, bytes, .clauses = {ARG_10, ARG_11}, .needs = NEEDS_A_RUN,
                 .lacks = lacks_bytes,
                 .title =
                     "each spelling of bytes gives the same outputs, and nothing after the bytes "
                     "is read")
{
  judge_text(iut, kernel, KERNEL_BYTES, row);
}

// --- What the outputs tell -----------------------------------------------------------------------

// Both calls were served, and results or elements of outputs are not the same; or one was refused.
static bool differ(KernelCall *a, KernelCall *b)
{
  if (a->returned != 0 || b->returned != 0) return a->returned != b->returned;
  if (a->launched || b->launched) return kernel_work_compare(a, b, NULL, 0) != KERNEL_WORK_SAME;
  for (unsigned i = 0; i < a->kernel->parameter_count; ++i) {
    const KernelTensor *one = &a->tensors[i], *other = &b->tensors[i];
    if (!one->tensor || !kernel_role_is_given(one->role) || !one->on_host) continue;
    size_t size = kernel_tensor_gather(one, NULL);
    unsigned char *seen = fenced_buffer("elements", size);
    unsigned char *expected = fenced_buffer("elements", size);
    kernel_tensor_gather(one, seen);
    kernel_tensor_gather(other, expected);
    if (memcmp(seen, expected, size) != 0) return true;
  }
  return !kernel_same_result(a, b);
}

static KernelCall *call_with(Iut *iut, const Kernel *kernel, unsigned position, TVMFFIAny value,
                             const char *what)
{
  KernelCall *call = new_right_call(iut, kernel);
  char name[64];
  call->values[position] = value;
  note_call(call, "with %s for %s: ", what, parameter_name(kernel, position, name));
  make_call(call);
  return call;
}

static const char no_length[] = "no outputs tell how long a string is";

static const char *lacks_text_at_all(const CaseInstance *instance)
{
  for (uint32_t i = 0; i < instance->kernel->parameter_count; ++i) {
    const KernelKind kind = instance->kernel->parameters[i].kind;
    if (kind == KERNEL_STRING || kind == KERNEL_BYTES) return NULL;
  }
  return no_length;
}

// A letter behind the text is noticed; a NUL and a letter behind it must be noticed too.
KERNEL_CASE(nul_does_not_end_a_string, .clauses = {ARG_11}, .needs = NEEDS_A_RUN,
            .lacks = lacks_text_at_all, .after_right_call = true,
            .title = "bytes after a NUL within a string or bytes are not ignored")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->kind != KERNEL_STRING && parameter->kind != KERNEL_BYTES) continue;
    size_t size = kernel_text_length(parameter);
    int32_t index = kernel_spelling_for(parameter, size + 2, true);
    if (index < 0) continue;
    char text[KERNEL_TEXT_MAX + 4] = {0};
    memcpy(text, parameter->text, size);
    KernelCall *plain =
        call_with(iut, kernel, i, kernel_spell_text(iut, index, text, size), "the example");
    text[size] = 'x';
    KernelCall *longer =
        call_with(iut, kernel, i, kernel_spell_text(iut, index, text, size + 1), "a letter more");
    if (plain->returned != 0 || !differ(plain, longer)) continue;
    text[size] = '\0';
    text[size + 1] = 'x';
    KernelCall *with_nul = call_with(iut, kernel, i, kernel_spell_text(iut, index, text, size + 2),
                                     "a NUL and a letter more");
    expect_that(differ(with_nul, plain), "the call is refused, or gives other outputs",
                "the outputs of the characters before the NUL");
    ++tried;
  }
  if (tried == 0) case_not_applicable("%s", no_length);
}

KERNEL_CASE(empty_bytes_without_data, .clauses = {ARG_12}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "a byte array of size 0 with data NULL is the empty bytes")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_BYTES ||
        !kernel_takes_spelling(&kernel->parameters[i], kTVMFFIByteArrayPtr))
      continue;
    static const TVMFFIByteArray nothing = {NULL, 0};
    int32_t index = kernel_spelling_for(&kernel->parameters[i], 0, true);
    TVMFFIAny value = kernel_spell_text(iut, index, "", 0);
    KernelCall *empty = call_with(iut, kernel, i, value, "bytes of size 0");
    if (empty->returned != 0) continue;
    const TVMFFIByteArray *array = fenced_copy("the byte array", &nothing, sizeof nothing);
    KernelCall *call =
        call_with(iut, kernel, i, view_of_byte_array(array), "a byte array without data");
    expect_same_outcome(call, empty);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its parameters is bytes that may be empty");
}

// --- Numbers -------------------------------------------------------------------------------------

KERNEL_CASE(int_for_float, .clauses = {ARG_7}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "an int and a bool for a float give the outputs of the same number")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_FLOAT) continue;
    TVMFFIAny one = any_none(), as_bool = view_of_int(1);
    one.type_index = kTVMFFIFloat;
    one.v_float64 = 1;
    as_bool.type_index = kTVMFFIBool;
    KernelCall *as_float = call_with(iut, kernel, i, one, "the float 1");
    if (as_float->returned != 0) continue;
    expect_same_values(call_with(iut, kernel, i, view_of_int(1), "the int 1"), as_float);
    expect_same_values(call_with(iut, kernel, i, as_bool, "true"), as_float);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its parameters is a float that may be 1");
}

// Numbers whose outputs all differ from each other, but are those of the same numbers plus 2 to the
// 32nd: their upper half was cut off.
enum { NUMBERS = 9 };

KERNEL_CASE(int_is_not_cut, .clauses = {ARG_16}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "an int of more than 32 bits is not truncated")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_INT) continue;
    KernelCall *calls[NUMBERS];
    bool distinct = true, cut = true;
    for (int k = 0; k < NUMBERS; ++k) {
      TVMFFIAny value = view_of_int(kernel->parameters[i].integer + k);
      calls[k] = call_with(iut, kernel, i, value, "another int");
      for (int j = 0; j < k; ++j) distinct &= differ(calls[j], calls[k]) || calls[k]->returned != 0;
    }
    if (!distinct || calls[0]->returned != 0) continue;
    for (int k = 0; k < NUMBERS; ++k) {
      TVMFFIAny value = view_of_int(kernel->parameters[i].integer + k + (INT64_C(1) << 32));
      cut &= !differ(call_with(iut, kernel, i, value, "an int beyond 32 bits"), calls[k]);
    }
    expect_that(!cut, "the call is refused, or gives other outputs",
                "the outputs of the lower 32 bits");
    ++tried;
  }
  if (tried == 0) case_not_applicable("no outputs tell one int from another");
}

// --- Pointers and references ---------------------------------------------------------------------

KERNEL_CASE(null_pointer, .clauses = {ARG_13}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "a NULL opaque pointer is accepted, or refused with an error")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (kernel->parameters[i].kind != KERNEL_POINTER) continue;
    TVMFFIAny value = any_none();
    value.type_index = kTVMFFIOpaquePtr;
    KernelCall *call = call_with(iut, kernel, i, value, "NULL");
    expect_that(call->returned == 0 || call->error, "0, or an error", "%d, %s", call->returned,
                call->error_text);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its parameters is a pointer");
}

static TVMFFIObjectHandle text_object_for(KernelCall *call, const KernelParameter *parameter)
{
  int32_t index = parameter->kind == KERNEL_STRING ? kTVMFFIStr : kTVMFFIBytes;
  if (!kernel_takes_spelling(parameter, index)) return NULL;
  return kernel_spell_text(call->iut, index, parameter->text, kernel_text_length(parameter)).v_obj;
}

// The object that the example would hand over, or NULL. Tensors become objects, text is one of
// ours: neither is freed with its last reference.
static TVMFFIObjectHandle object_for(KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  switch (parameter->kind) {
    case KERNEL_TENSOR:
      call_with_tensor(call, position, &(TensorForm){.as_object = true});
      return call->tensors[position].object;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      return text_object_for(call, parameter);
    default:
      return call->values[position].type_index >= kTVMFFIStaticObjectBegin
                 ? call->values[position].v_obj
                 : NULL;
  }
}

KERNEL_CASE(rvalue_reference, .clauses = {ARG_14}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .title = "an rvalue reference is refused and unchanged, or its slot is emptied")
{
  unsigned tried = 0;
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelCall *call = new_right_call(iut, kernel);
    TVMFFIObjectHandle object = object_for(call, i), slot = object;
    char name[64];
    if (!object) continue;
    require(expect_ok(iut, iut->ObjectIncRef(object)));
    uint64_t before = object_strong(iut, object);
    call->values[i] = view_of_rvalue(&slot);
    note_call(call, "with an rvalue reference for %s: ", parameter_name(kernel, i, name));
    make_call(call);
    expect_pointer("the slot", slot, call->returned ? object : NULL);
    if (call->returned != 0)
      expect_int("references", (int64_t)object_strong(iut, object), (int64_t)before);
    ++tried;
  }
  if (tried == 0) case_not_applicable("none of its arguments may be an object");
}
