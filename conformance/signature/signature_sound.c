// SPDX-License-Identifier: Apache-2.0
// Whether a block of bytes is a signature. What holds types or values comes behind them, so nothing
// can hold itself.
#include <string.h>

#include "signature/signature.h"
#include "signature/signature_sections.h"

enum {
  TYPES_MAX = SIGNATURE_SIZE_MAX / sizeof(SignatureType),
  VALUES_MAX = SIGNATURE_SIZE_MAX / sizeof(SignatureValue),
};

typedef const Signature *Of;

static SignatureSection section_of(Of of, SignaturePart part)
{
  SignatureSection section;
  memcpy(&section, (const char *)of + signature_parts[part].place, sizeof section);
  return section;
}

static bool sections_are_inside(Of of)
{
  for (int part = 0; part < SIGNATURE_PART_COUNT; ++part) {
    SignatureSection section = section_of(of, (SignaturePart)part);
    uint64_t bytes = (uint64_t)section.count * signature_parts[part].item_size;
    if (section.offset % 8 || section.offset < sizeof(Signature) || section.offset > of->size ||
        bytes > of->size - section.offset)
      return false;
  }
  return true;
}

// Any byte may stand where a bool is to be.
static bool is_bool(const bool *value)
{
  unsigned char byte;
  memcpy(&byte, value, 1);
  return byte <= 1;
}

static bool is_enum(unsigned value, unsigned count)
{
  return value < count;
}

static bool is_text(Of of, SignatureText text)
{
  return text < of->texts.count;
}

static bool is_range(SignatureRange range, uint32_t count)
{
  return range.first <= count && range.count <= count - range.first;
}

static bool is_index(uint32_t index, uint32_t count)
{
  return index < count || index == SIGNATURE_NONE;
}

// --- What holds others of its kind ---------------------------------------------------------------

static bool deepen(unsigned char *depths, uint32_t self, SignatureRange of)
{
  for (uint32_t i = of.first; i < of.first + of.count; ++i)
    if (depths[i] >= depths[self]) depths[self] = (unsigned char)(depths[i] + 1);
  return depths[self] <= SIGNATURE_DEPTH_MAX;
}

// A tensor is in a file, or written: a shape without negative extents, and as many elements, or none.
static bool written_is_sound(Of of, const SignatureValue *value)
{
  uint64_t count = 1;
  if (value->items.count == 0) return true;
  if (value->items.count != SIGNATURE_WRITTEN || value->integer < KERNEL_IN ||
      value->integer > KERNEL_SCRATCH)
    return false;
  const SignatureValue *parts = signature_value(of, value->items.first);
  const SignatureRange shape = parts[SIGNATURE_WRITTEN_SHAPE].items;
  const uint32_t elements = parts[SIGNATURE_WRITTEN_ELEMENTS].items.count;
  if (shape.count > SIGNATURE_RANK_MAX) return false;
  for (uint32_t i = 0; i < shape.count; ++i) {
    const int64_t extent = signature_value(of, shape.first + i)->integer;
    if (extent < 0 || extent > SIGNATURE_WRITTEN_EXTENT_MAX) return false;
    count *= (uint64_t)extent;
    if (count > SIGNATURE_WRITTEN_EXTENT_MAX) return false;
  }
  return elements == 0 || elements == count;
}

static bool values_are_sound(Of of)
{
  unsigned char depths[VALUES_MAX];
  memset(depths, 1, sizeof depths);
  for (uint32_t i = 0; i < of->values.count; ++i) {
    const SignatureValue *value = signature_value(of, i);
    if (!is_enum(value->kind, KERNEL_KIND_COUNT) || !is_text(of, value->text) ||
        value->text_size >= of->texts.count - value->text || !is_range(value->items, i) ||
        (value->kind == KERNEL_TENSOR && !written_is_sound(of, value)) ||
        (value->kind == KERNEL_FUNCTION && (uint64_t)value->integer > of->types.count) ||
        !deepen(depths, i, value->items))
      return false;
  }
  return true;
}

static bool type_is_sound(Of of, const SignatureType *type, uint32_t index)
{
  uint32_t values = of->values.count;
  return is_enum(type->kind, KERNEL_KIND_COUNT) && is_enum(type->origin, SIGNATURE_ORIGIN_COUNT) &&
         is_enum(type->tensor_origin, SIGNATURE_ORIGIN_COUNT) &&
         is_enum(type->layout, SIGNATURE_ROWS + 1) &&
         is_enum(type->others, SIGNATURE_OTHERS_IGNORED + 1) &&
         is_enum(type->role, KERNEL_SCRATCH + 1) && is_bool(&type->optional) &&
         is_bool(&type->retained) && is_bool(&type->has_shape) && is_bool(&type->has_entries) &&
         is_bool(&type->length_of_condition) && is_text(of, type->name) &&
         is_text(of, type->type_key) && is_text(of, type->least) && is_text(of, type->most) &&
         is_text(of, type->dtype_variable) && is_text(of, type->device_variable) &&
         is_text(of, type->does) && is_text(of, type->length) && is_range(type->values, values) &&
         is_range(type->dtypes, values) && is_range(type->devices, values) &&
         is_range(type->lengths, values) && is_range(type->aliases, values) &&
         is_index(type->example, values) && is_range(type->shape, of->extents.count) &&
         is_range(type->children, index) && is_index(type->returns, index);
}

static bool types_are_sound(Of of)
{
  unsigned char depths[TYPES_MAX];
  memset(depths, 1, sizeof depths);
  for (uint32_t i = 0; i < of->types.count; ++i) {
    const SignatureType *type = signature_type(of, i);
    if (!type_is_sound(of, type, i) || !deepen(depths, i, type->children)) return false;
    SignatureRange returns = {type->returns, type->returns != SIGNATURE_NONE};
    if (returns.count && !deepen(depths, i, returns)) return false;
  }
  return true;
}

// --- The others ----------------------------------------------------------------------------------

static bool extents_are_sound(Of of)
{
  for (uint32_t i = 0; i < of->extents.count; ++i) {
    const SignatureExtent *extent = signature_extent(of, i);
    if (!is_enum(extent->form, SIGNATURE_EXTENT_NAMED_RANK + 1) || !is_text(of, extent->text))
      return false;
  }
  return true;
}

static bool names_are_sound(Of of)
{
  for (uint32_t i = 0; i < of->variables.count; ++i) {
    const SignatureVariable *variable = signature_variable(of, i);
    if (!is_text(of, variable->name) || !is_range(variable->values, of->values.count)) return false;
  }
  for (uint32_t i = 0; i < of->settings.count; ++i) {
    const SignatureSetting *setting = signature_setting(of, i);
    if (!is_text(of, setting->name) || setting->value >= of->values.count) return false;
  }
  for (uint32_t i = 0; i < of->conditions.count; ++i) {
    const SignatureText *text =
        (const SignatureText *)(const void *)((const char *)of + of->conditions.offset) + i;
    if (!is_text(of, *text)) return false;
  }
  for (uint32_t i = 0; i < of->tolerances.count; ++i)
    if (!is_text(of, signature_tolerance(of, i)->dtype)) return false;
  return true;
}

static bool call_is_sound(Of of, const SignatureCall *call)
{
  return is_bool(&call->refused) && is_text(of, call->kind) && is_text(of, call->message) &&
         is_text(of, call->text) && is_range(call->arguments, of->settings.count) &&
         is_range(call->expected, of->expected.count);
}

static bool promises_are_sound(Of of)
{
  for (uint32_t i = 0; i < of->expected.count; ++i) {
    const SignatureExpected *expected = signature_expected(of, i);
    if (!is_text(of, expected->of) || !is_text(of, expected->formula) ||
        !is_text(of, expected->npy))
      return false;
  }
  for (uint32_t i = 0; i < of->refusals.count; ++i) {
    const SignatureRefusal *refusal = signature_refusal(of, i);
    if (!is_text(of, refusal->when) || !is_text(of, refusal->kind) ||
        !is_text(of, refusal->message) || !is_range(refusal->with, of->settings.count))
      return false;
  }
  for (uint32_t i = 0; i < of->calls.count; ++i)
    if (!call_is_sound(of, signature_call(of, i))) return false;
  return true;
}

static bool steps_are_sound(Of of)
{
  for (uint32_t i = 0; i < of->steps.count; ++i) {
    const SignatureStep *step = signature_step(of, i);
    if (!is_text(of, step->function) || !is_text(of, step->object) || !is_text(of, step->keep) ||
        !call_is_sound(of, &step->call) || !is_range(step->tolerances, of->tolerances.count))
      return false;
  }
  for (uint32_t i = 0; i < of->sequences.count; ++i) {
    const SignatureSequence *sequence = signature_sequence(of, i);
    if (!is_range(sequence->steps, of->steps.count) || !is_text(of, sequence->text) ||
        !is_bool(&sequence->repeatable))
      return false;
  }
  return true;
}

static bool forms_are_sound(Of of)
{
  for (uint32_t i = 0; i < of->forms.count; ++i) {
    const SignatureForm *form = signature_form(of, i);
    uint32_t types = of->types.count, variables = of->variables.count;
    if (!is_range(form->parameters, types) || !is_index(form->rest, types) ||
        !is_index(form->result, types) || !is_range(form->sizes, variables) ||
        !is_range(form->dtypes, variables) || !is_range(form->devices, variables) ||
        !is_range(form->where, of->conditions.count) ||
        !is_range(form->refusals, of->refusals.count) ||
        !is_range(form->expected, of->expected.count) || !is_range(form->calls, of->calls.count) ||
        !is_range(form->tolerances, of->tolerances.count) || !is_bool(&form->launches) ||
        !is_bool(&form->only_calls) || !is_bool(&form->example_of_calls) ||
        !is_bool(&form->example_was_refused) || !is_range(form->needs, of->steps.count) ||
        !is_range(form->sequences, of->sequences.count) ||
        form->promises > SIGNATURE_PROMISES_ALL || form->checks > SIGNATURE_CHECKS_ALL)
      return false;
  }
  return true;
}

bool signature_is_sound(const void *bytes, size_t size)
{
  Of of = bytes;
  if ((uintptr_t)bytes % 8 || size < sizeof *of || of->size != size || size > SIGNATURE_SIZE_MAX ||
      !is_enum(of->origin, SIGNATURE_ORIGIN_COUNT) || !is_bool(&of->tentative) ||
      !sections_are_inside(of))
    return false;
  if (!of->forms.count || !of->texts.count || *signature_text(of, 0) ||
      *signature_text(of, of->texts.count - 1))
    return false;
  return values_are_sound(of) && types_are_sound(of) && extents_are_sound(of) &&
         names_are_sound(of) && promises_are_sound(of) && steps_are_sound(of) &&
         forms_are_sound(of);
}
