// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_example.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 2 };

// What may be anything is tried as these.
static const KernelKind anything[] = {KERNEL_TENSOR, KERNEL_FLOAT, KERNEL_INT, KERNEL_STRING};
enum { ANYTHING = sizeof anything / sizeof *anything };
// What an entry of a map is, as far as it may be anything.
static const KernelKind entries[] = {KERNEL_FLOAT, KERNEL_INT, KERNEL_STRING, KERNEL_TENSOR};
enum { ENTRIES = sizeof entries / sizeof *entries };

static const SignatureType *type_of(const Signature *known, uint32_t position)
{
  if (!known) return NULL;
  const SignatureForm *form = signature_form(known, 0);
  return position < form->parameters.count
             ? signature_type(known, form->parameters.first + position)
             : NULL;
}

// --- Values --------------------------------------------------------------------------------------

static void make_plain(KernelKind kind, KernelParameter *parameter)
{
  parameter->kind = kind;
  if (kind == KERNEL_TENSOR) {
    kernel_stand_in(parameter);
    parameter->number = 1;
  }
  if (kind == KERNEL_SHAPE) {
    parameter->typed = true;
    parameter->rank = 2;
    parameter->shape[0].size = 2;
    parameter->shape[1].size = 3;
  }
  if (kind == KERNEL_DTYPE) snprintf(parameter->text, sizeof parameter->text, "float32");
}

static KernelParameter *room_for(Kernel *kernel, KernelParameter *parameter, uint32_t count)
{
  if (count > KERNEL_ELEMENTS_MAX - kernel->element_count) return NULL;
  parameter->first_element = kernel->element_count;
  parameter->element_count = count;
  kernel->element_count += count;
  return &kernel->elements[parameter->first_element];
}

static bool make(const Signature *known, const SignatureType *type, Kernel *kernel,
                 KernelParameter *parameter);

// `each` types, or one for all of them.
static bool make_elements(const Signature *known, const SignatureType *type, uint32_t count,
                          bool each, Kernel *kernel, KernelParameter *parameter)
{
  KernelParameter *elements = room_for(kernel, parameter, count);
  for (uint32_t i = 0; elements && i < count; ++i)
    if (!make(known, signature_type(known, type->children.first + (each ? i : 0)), kernel,
              &elements[i]))
      return false;
  return elements != NULL;
}

static bool make(const Signature *known, const SignatureType *type, Kernel *kernel,
                 KernelParameter *parameter)
{
  char name[KERNEL_WORD_MAX];
  memcpy(name, parameter->name, sizeof name);
  *parameter = (KernelParameter){.optional = type->optional,
                                 .spellings = type->spellings,
                                 .alignment = 1,
                                 .integer = 1,
                                 .number = 1};
  memcpy(parameter->name, name, sizeof name);
  make_plain(type->kind, parameter);
  switch (type->kind) {
    case KERNEL_ARRAY:
      return type->children.count == 1 &&
             make_elements(known, type, LENGTH, false, kernel, parameter);
    case KERNEL_TUPLE:
      return type->children.count > 0 &&
             make_elements(known, type, type->children.count, true, kernel, parameter);
    case KERNEL_MAP:
      parameter->keyed = type->children.count == 2 &&
                         signature_type(known, type->children.first)->kind == KERNEL_STRING;
      return true;
    case KERNEL_VARIANT:
      if (type->children.count == 0) return false;
      parameter->open = true;
      if (!make(known, signature_type(known, type->children.first), kernel, parameter))
        return false;
      parameter->open = true;
      return true;
    case KERNEL_ANY:
      make_plain(KERNEL_TENSOR, parameter);
      parameter->open = true;
      return true;
    case KERNEL_OBJECT:
    case KERNEL_POINTER:
      parameter->kind = KERNEL_ANY;  // None
      return type->optional;
    default:
      return true;
  }
}

bool signature_example(const Signature *known, Kernel *kernel, uint32_t position)
{
  KernelParameter *parameter = &kernel->parameters[position];
  const SignatureType *type = type_of(known, position);
  if (parameter->kind == KERNEL_TENSOR && parameter->typed) return true;
  // What an earlier call made.
  if (parameter->kind == KERNEL_OBJECT && parameter->text[0]) return true;
  const bool any = parameter->kind == KERNEL_ANY;
  if (type && (any || parameter->kind == KERNEL_OBJECT)) {
    const bool made = make(known, type, kernel, parameter);
    // It takes more than its type says.
    parameter->open |= any;
    return made;
  }
  if (any || parameter->kind == KERNEL_OBJECT || parameter->kind == KERNEL_POINTER) {
    parameter->kind = KERNEL_ANY;  // None
    return parameter->optional;
  }
  make_plain(parameter->kind, parameter);
  return true;
}

void signature_draft(const Signature *known, Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    const SignatureType *type = type_of(known, i);
    const KernelKind kind = type ? type->kind : at->kind;
    if (signature_example(known, kernel, i) || kind != KERNEL_OBJECT) continue;
    at->kind = KERNEL_OBJECT;
    if (type)
      snprintf(at->type_key, sizeof at->type_key, "%.47s", signature_text(known, type->type_key));
  }
  // What a tensor is for nobody knows: it may be written.
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *at = kernel_place(kernel, i);
    if (at->kind == KERNEL_TENSOR) at->role = KERNEL_INOUT;
  }
}

// --- Alternatives --------------------------------------------------------------------------------

uint32_t signature_alternatives(const Signature *known, uint32_t position)
{
  const SignatureType *type = type_of(known, position);
  if (!type) return 0;
  return type->kind == KERNEL_VARIANT ? type->children.count
         : type->kind == KERNEL_ANY   ? ANYTHING
                                      : 0;
}

bool signature_take_alternative(const Signature *known, Kernel *kernel, uint32_t position,
                                uint32_t alternative)
{
  const SignatureType *type = type_of(known, position);
  KernelParameter *parameter = &kernel->parameters[position];
  if (!type || alternative >= signature_alternatives(known, position)) return false;
  const bool optional = type->optional;
  if (type->kind == KERNEL_VARIANT) {
    if (!make(known, signature_type(known, type->children.first + alternative), kernel, parameter))
      return false;
  } else {
    make_plain(anything[alternative], parameter);
    parameter->typed = parameter->kind == KERNEL_TENSOR;
  }
  parameter->optional |= optional;
  parameter->open = true;
  return true;
}

// --- Containers ----------------------------------------------------------------------------------

bool signature_takes_entries(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_MAP && parameter->keyed;
}

bool signature_add_entry(const Signature *known, Kernel *kernel, uint32_t position, const char *key,
                         unsigned turn)
{
  const SignatureType *type = type_of(known, position);
  KernelParameter *parameter = &kernel->parameters[position];
  const KernelParameter before = *parameter;
  if (!type || type->kind != KERNEL_MAP || type->children.count != 2) return false;
  const SignatureType *value = signature_type(known, type->children.first + 1);
  if (turn >= (value->kind == KERNEL_ANY ? ENTRIES : 1u)) return false;
  for (uint32_t i = 0; i < before.element_count; ++i)
    if (strcmp(kernel->elements[before.first_element + i].name, key) == 0) return false;
  KernelParameter *elements = room_for(kernel, parameter, before.element_count + 1);
  if (!elements) return false;
  memcpy(elements, &kernel->elements[before.first_element],
         before.element_count * sizeof *elements);
  KernelParameter *added = &elements[before.element_count];
  *added = (KernelParameter){.alignment = 1, .integer = 1, .number = 1};
  snprintf(added->name, sizeof added->name, "%.47s", key);
  if (value->kind != KERNEL_ANY) return make(known, value, kernel, added);
  make_plain(entries[turn], added);
  return true;
}

// Whether there is room for so many elements like this one, and what it holds: nothing that holds something itself.
static bool can_repeat(const Kernel *kernel, const KernelParameter *element, uint32_t count)
{
  const uint32_t room = KERNEL_ELEMENTS_MAX - kernel->element_count;
  for (uint32_t i = 0; i < element->element_count; ++i)
    if (kernel->elements[element->first_element + i].element_count > 0) return false;
  return (uint64_t)count * (1 + element->element_count) <= room;
}

static void copy_element(Kernel *kernel, KernelParameter from, KernelParameter *to)
{
  *to = from;
  if (from.element_count == 0) return;
  KernelParameter *held = room_for(kernel, to, from.element_count);
  memcpy(held, &kernel->elements[from.first_element], from.element_count * sizeof *held);
}

bool signature_set_length(Kernel *kernel, uint32_t position, uint32_t length)
{
  KernelParameter *parameter = &kernel->parameters[position];
  const KernelParameter before = *parameter;
  if (parameter->kind != KERNEL_ARRAY || before.element_count == 0) return false;
  const KernelParameter first = kernel->elements[before.first_element];
  if (length == before.element_count || !can_repeat(kernel, &first, length)) return false;
  KernelParameter *elements = room_for(kernel, parameter, length);
  for (uint32_t i = 0; i < length; ++i) copy_element(kernel, first, &elements[i]);
  return true;
}
