// SPDX-License-Identifier: Apache-2.0
#include "signature/signature.h"

#include "signature/signature_sections.h"

#define ROW(member, type)                     \
  {                                           \
    offsetof(Signature, member), sizeof(type) \
  }

const SignaturePartRow signature_parts[SIGNATURE_PART_COUNT] = {
    [SIGNATURE_FORMS] = ROW(forms, SignatureForm),
    [SIGNATURE_TYPES] = ROW(types, SignatureType),
    [SIGNATURE_EXTENTS] = ROW(extents, SignatureExtent),
    [SIGNATURE_VALUES] = ROW(values, SignatureValue),
    [SIGNATURE_VARIABLES] = ROW(variables, SignatureVariable),
    [SIGNATURE_SETTINGS] = ROW(settings, SignatureSetting),
    [SIGNATURE_EXPECTED] = ROW(expected, SignatureExpected),
    [SIGNATURE_REFUSALS] = ROW(refusals, SignatureRefusal),
    [SIGNATURE_CALLS] = ROW(calls, SignatureCall),
    [SIGNATURE_CONDITIONS] = ROW(conditions, SignatureText),
    [SIGNATURE_TOLERANCES] = ROW(tolerances, SignatureTolerance),
    [SIGNATURE_STEPS] = ROW(steps, SignatureStep),
    [SIGNATURE_SEQUENCES] = ROW(sequences, SignatureSequence),
    [SIGNATURE_TEXTS] = ROW(texts, char),
};

static const void *item(const Signature *signature, SignatureSection section, size_t item_size,
                        uint32_t index)
{
  return (const char *)signature + section.offset + item_size * index;
}

#define ACCESSOR(type, name, member)                                \
  const type *name(const Signature *signature, uint32_t index)      \
  {                                                                 \
    return item(signature, signature->member, sizeof(type), index); \
  }

ACCESSOR(SignatureForm, signature_form, forms)
ACCESSOR(SignatureType, signature_type, types)
ACCESSOR(SignatureExtent, signature_extent, extents)
ACCESSOR(SignatureValue, signature_value, values)
ACCESSOR(SignatureVariable, signature_variable, variables)
ACCESSOR(SignatureSetting, signature_setting, settings)
ACCESSOR(SignatureExpected, signature_expected, expected)
ACCESSOR(SignatureRefusal, signature_refusal, refusals)
ACCESSOR(SignatureCall, signature_call, calls)
ACCESSOR(SignatureTolerance, signature_tolerance, tolerances)
ACCESSOR(SignatureStep, signature_step, steps)
ACCESSOR(SignatureSequence, signature_sequence, sequences)

const char *signature_condition(const Signature *signature, uint32_t index)
{
  const SignatureText *text = item(signature, signature->conditions, sizeof *text, index);
  return signature_text(signature, *text);
}

const char *signature_text(const Signature *signature, SignatureText text)
{
  return item(signature, signature->texts, 1, text);
}

bool signature_has_free_rank(const Signature *signature, const SignatureType *type)
{
  for (uint32_t i = 0; i < type->shape.count; ++i) {
    const SignatureExtent *extent = signature_extent(signature, type->shape.first + i);
    if (extent->form == SIGNATURE_EXTENT_ANY_RANK || extent->form == SIGNATURE_EXTENT_NAMED_RANK)
      return true;
  }
  return false;
}

void signature_take_spellings(Signature *signature,
                              const unsigned spellings[SIGNATURE_PARAMETERS_MAX])
{
  SignatureType *types = (SignatureType *)((char *)signature + signature->types.offset);
  for (uint32_t i = 0; i < signature->forms.count; ++i) {
    const SignatureRange parameters = signature_form(signature, i)->parameters;
    for (uint32_t k = 0; k < parameters.count && k < SIGNATURE_PARAMETERS_MAX; ++k) {
      SignatureType *type = &types[parameters.first + k];
      if (type->kind == KERNEL_TENSOR && !type->spellings) type->spellings = spellings[k];
    }
  }
}

void signature_take_listed_example(Signature *signature, uint32_t form, bool listed)
{
  SignatureForm *forms = (SignatureForm *)((char *)signature + signature->forms.offset);
  forms[form].example_of_calls = forms[form].example_was_refused = listed;
}
