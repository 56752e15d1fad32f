// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_outside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/kernel_fitting.h"
#include "plan/kernel_linear.h"
#include "signature/signature_words.h"

// --- Values --------------------------------------------------------------------------------------

// "cuda" is "cuda:0".
static bool is_device(const char *a, const char *b)
{
  DLDevice one, other;
  return signature_device(a, &one) && signature_device(b, &other) &&
         one.device_type == other.device_type && one.device_id == other.device_id;
}

static bool is_value(const Fitting *fitting, const KernelParameter *parameter,
                     const SignatureValue *value, double number)
{
  const char *text = fitting_text(fitting, value->text);
  size_t size = kernel_text_length(parameter);
  switch (parameter->kind) {
    case KERNEL_DEVICE:
      return is_device(text, parameter->text);
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
      return value->text_size == size && memcmp(text, parameter->text, size) == 0;
    case KERNEL_INT:
    case KERNEL_BOOL:
      return value->kind == KERNEL_FLOAT ? value->number == (double)parameter->integer
                                         : value->integer == parameter->integer;
    default:
      return (value->kind == KERNEL_FLOAT ? value->number : (double)value->integer) == number;
  }
}

static bool is_listed(const Fitting *fitting, const SignatureType *type,
                      const KernelParameter *parameter, double number)
{
  for (uint32_t i = 0; i < type->values.count; ++i)
    if (is_value(fitting, parameter, signature_value(fitting->signature, type->values.first + i),
                 number))
      return true;
  return type->values.count == 0 || type->takes_others;
}

static bool is_number(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_INT || parameter->kind == KERNEL_FLOAT ||
         parameter->kind == KERNEL_TENSOR || parameter->kind == KERNEL_SHAPE;
}

// What the elements of floats are between says what they mean: no function looks at each of them.
static bool is_domain(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_TENSOR && parameter->dtype.code != kDLInt &&
         parameter->dtype.code != kDLUInt && parameter->dtype.code != kDLBool;
}

static void fit_value(Fitting *fitting, const SignatureType *type, uint32_t position)
{
  const KernelParameter *parameter = &fitting->kernel->parameters[position];
  const KernelElement *element = fitting->element;
  bool listed = true;
  if (parameter->kind == KERNEL_NONE || is_domain(parameter)) return;
  if (parameter->kind != KERNEL_TENSOR)
    listed = is_listed(fitting, type, parameter, parameter->number);
  else if (element && element->position == position)
    listed = is_listed(fitting, type, parameter, element->value);
  // Limits say nothing of NaN.
  const bool nan = parameter->kind == KERNEL_FLOAT && isnan(parameter->number);
  bool beyond =
      is_number(parameter) && parameter->role != KERNEL_OUT && !nan &&
      (fitting_is_beyond(fitting, parameter->name, ">=", fitting_text(fitting, type->least)) ||
       fitting_is_beyond(fitting, parameter->name, "<=", fitting_text(fitting, type->most)));
  if (listed && !beyond) return;
  fitting_rule_out(fitting, SIGNATURE_CHECKS_VALUE);
  fitting->beyond[position] = type;
}

static bool reads(const char *text, const char *name)
{
  ExpressionError error;
  Expression *expression = *text ? expression_parse(text, &error) : NULL;
  bool found = false;
  for (size_t i = 0; expression && expression_name(expression, i) && !found; ++i)
    found = strcmp(expression_name(expression, i), name) == 0;
  expression_free(expression);
  return found;
}

// Whether the name is that of an argument beyond its own limits, or of what these limits are about.
static bool is_name_of_one_beyond(const Fitting *fitting, const char *name)
{
  for (uint32_t i = 0; i < fitting->kernel->parameter_count; ++i) {
    const SignatureType *type = fitting->beyond[i];
    if (type && (strcmp(fitting->kernel->parameters[i].name, name) == 0 ||
                 reads(fitting_text(fitting, type->least), name) ||
                 reads(fitting_text(fitting, type->most), name)))
      return true;
  }
  return false;
}

static bool is_one_beyond(const Fitting *fitting)
{
  for (uint32_t i = 0; i < fitting->kernel->parameter_count; ++i)
    if (fitting->beyond[i]) return true;
  return false;
}

// Whether an argument is not within its own limits, and the condition reads something else, too: the
// error may be about that argument alone.
static bool may_be_of_an_argument(const Fitting *fitting, const char *condition)
{
  ExpressionError error;
  Expression *expression = is_one_beyond(fitting) ? expression_parse(condition, &error) : NULL;
  bool reads_more = false;
  for (size_t i = 0; expression && expression_name(expression, i) && !reads_more; ++i)
    reads_more = !is_name_of_one_beyond(fitting, expression_name(expression, i));
  expression_free(expression);
  return reads_more;
}

// The value of an element has no name.
static bool is_number_beyond(Fitting *fitting, const KernelParameter *value, const char *relation,
                             const char *limit)
{
  char number[48];
  if (value->kind == KERNEL_FLOAT && isinf(value->number))
    return *limit && (strcmp(relation, ">=") == 0) == (value->number < 0);
  // Limits say nothing of NaN.
  if (value->kind == KERNEL_FLOAT && isnan(value->number)) return false;
  if (value->kind == KERNEL_INT)
    snprintf(number, sizeof number, "(%lld)", (long long)value->integer);
  else
    snprintf(number, sizeof number, "(%.17g)", value->number);
  return fitting_is_beyond(fitting, number, relation, limit);
}

// Whether element `i` of a map is none of the entries that its type has.
static bool is_other_entry(const Fitting *fitting, const KernelParameter *container, uint32_t i)
{
  return container->keyed &&
         i >= signature_type(fitting->signature, container->type)->children.count;
}

// Lists and limits of what is in a container, at any depth.
static void fit_inside(Fitting *fitting, const KernelParameter *container, int depth)
{
  for (uint32_t i = 0; i < container->element_count && depth < SIGNATURE_DEPTH_MAX; ++i) {
    const KernelParameter *value = &fitting->kernel->elements[container->first_element + i];
    const SignatureType *type = signature_type(fitting->signature, value->type);
    if (is_other_entry(fitting, container, i)) continue;
    fit_inside(fitting, value, depth + 1);
    if (value->kind != type->kind || value->kind == KERNEL_TENSOR) continue;
    const bool number = value->kind == KERNEL_INT || value->kind == KERNEL_FLOAT;
    if (!is_listed(fitting, type, value, value->number) ||
        (number && (is_number_beyond(fitting, value, ">=", fitting_text(fitting, type->least)) ||
                    is_number_beyond(fitting, value, "<=", fitting_text(fitting, type->most)))))
      fitting_rule_out(fitting, SIGNATURE_CHECKS_VALUE);
  }
}

// --- Tensors -------------------------------------------------------------------------------------

static const SignatureVariable *variable_of(const Fitting *fitting, SignatureRange variables,
                                            const char *name)
{
  for (uint32_t i = 0; *name && i < variables.count; ++i) {
    const SignatureVariable *variable = signature_variable(fitting->signature, variables.first + i);
    if (strcmp(fitting_text(fitting, variable->name), name) == 0) return variable;
  }
  return NULL;
}

static void fit_dtype(Fitting *fitting, const SignatureType *type, DLDataType dtype)
{
  const char *name = fitting_text(fitting, type->dtype_variable);
  const SignatureVariable *variable = variable_of(fitting, fitting->form->dtypes, name);
  SignatureRange words = variable ? variable->values : type->dtypes;
  bool listed = words.count == 0;
  for (uint32_t i = 0; i < words.count && !listed; ++i) {
    DLDataType one;
    const SignatureValue *word = signature_value(fitting->signature, words.first + i);
    listed = signature_dtype(fitting_text(fitting, word->text), &one) &&
             kernel_is_same_dtype(one, dtype);
  }
  for (uint32_t i = 0; *name && i < fitting->dtype_count; ++i)
    if (strcmp(fitting->dtypes[i].name, name) == 0)
      listed = listed && kernel_is_same_dtype(fitting->dtypes[i].dtype, dtype);
  if (*name && fitting->dtype_count < BOUND_MAX)
    fitting->dtypes[fitting->dtype_count++] = (BoundDtype){name, dtype};
  if (!listed) fitting_rule_out(fitting, SIGNATURE_CHECKS_DTYPE);
}

static void fit_device(Fitting *fitting, const SignatureType *type, DLDevice device)
{
  const char *name = fitting_text(fitting, type->device_variable);
  const SignatureVariable *variable = variable_of(fitting, fitting->form->devices, name);
  SignatureRange words = variable ? variable->values : type->devices;
  bool listed = words.count == 0;
  for (uint32_t i = 0; i < words.count && !listed; ++i) {
    DLDevice one;
    const SignatureValue *word = signature_value(fitting->signature, words.first + i);
    listed = signature_device(fitting_text(fitting, word->text), &one) &&
             one.device_type == device.device_type;
  }
  if (!listed) fitting_rule_out(fitting, SIGNATURE_CHECKS_DEVICE);
}

static void bind_shape(Fitting *fitting, const char *name, int32_t rank, const int64_t *shape)
{
  size_t size = (size_t)rank * sizeof *shape;
  for (uint32_t i = 0; i < fitting->shape_count; ++i) {
    const BoundShape *known = &fitting->shapes[i];
    if (strcmp(known->name, name) != 0) continue;
    if (known->rank != rank || memcmp(known->shape, shape, size) != 0)
      fitting_rule_out(fitting, SIGNATURE_CHECKS_SHAPE);
    return;
  }
  if (fitting->shape_count == BOUND_MAX) return;
  BoundShape *bound = &fitting->shapes[fitting->shape_count++];
  *bound = (BoundShape){.name = name, .rank = rank};
  memcpy(bound->shape, shape, size);
}

// The extent that stands for any number of dimensions, or shape.count.
static uint32_t any_rank_of(const Fitting *fitting, const SignatureType *type)
{
  uint32_t i = 0;
  while (i < type->shape.count &&
         signature_extent(fitting->signature, type->shape.first + i)->form <
             SIGNATURE_EXTENT_ANY_RANK)
    ++i;
  return i;
}

typedef void FitExtent(Fitting *fitting, const SignatureExtent *extent, int64_t size);

// Numbers and names, before expressions of these names are worked out.
static void fit_plain_extent(Fitting *fitting, const SignatureExtent *extent, int64_t size)
{
  const char *text = fitting_text(fitting, extent->text);
  if (extent->form == SIGNATURE_EXTENT_NUMBER && extent->number != size)
    fitting_rule_out(fitting, SIGNATURE_CHECKS_SHAPE);
  if (extent->form == SIGNATURE_EXTENT_EXPRESSION && expression_is_name(text))
    fitting_bind(fitting, text, size);
  if (extent->form == SIGNATURE_EXTENT_EACH) fitting_bind_at(fitting, text, fitting->place, size);
}

// Before others, an expression with one size that stands in no extent alone says what that is.
static void fit_solved_extent(Fitting *fitting, const SignatureExtent *extent, int64_t size)
{
  const char *text = fitting_text(fitting, extent->text), *wanted = NULL;
  if (extent->form != SIGNATURE_EXTENT_EXPRESSION || expression_is_name(text)) return;
  ExpressionError error;
  const ExpressionScope others = {.lookup = fitting_look_up, .context = fitting};
  Expression *expression = expression_parse(text, &error);
  int64_t known, solved;
  unsigned open = 0;
  for (size_t i = 0; expression && expression_name(expression, i); ++i) {
    const char *name = expression_name(expression, i);
    if (fitting_size(fitting, name, &known) || !kernel_size_of(fitting->kernel, name, &known))
      continue;
    ++open;
    wanted = name;
  }
  // (The name is to outlive the expression.)
  for (uint32_t i = 0; open == 1 && i < fitting->kernel->size_count; ++i)
    if (strcmp(fitting->kernel->sizes[i].name, wanted) == 0 &&
        kernel_solve_size(expression, wanted, &others, size, &solved))
      fitting_bind(fitting, fitting->kernel->sizes[i].name, solved);
  expression_free(expression);
}

static void fit_other_extent(Fitting *fitting, const SignatureExtent *extent, int64_t size)
{
  const char *text = fitting_text(fitting, extent->text);
  bool broadcast = extent->form == SIGNATURE_EXTENT_BROADCAST;
  if (broadcast && size == 1) return;
  if (broadcast && expression_is_name(text)) {
    fitting_bind(fitting, text, size);
    return;
  }
  if (!broadcast && (extent->form != SIGNATURE_EXTENT_EXPRESSION || expression_is_name(text)))
    return;
  ExpressionError error;
  ExpressionScope scope = {.lookup = fitting_look_up, .context = fitting};
  Expression *expression = expression_parse(text, &error);
  int64_t expected;
  const bool known = expression && expression_integer(expression, &scope, &expected, &error);
  if (known && expected != size) fitting_rule_out(fitting, SIGNATURE_CHECKS_SHAPE);
  // What can't be worked out is at least the same wherever it stands.
  if (!known) fitting_bind(fitting, text, size);
  expression_free(expression);
}

// The same of how much is in containers, but that a number alone rules out no other one.
static void fit_lengths(Fitting *fitting)
{
  for (uint32_t i = 0; i < fitting->length_count && !fitting->by; ++i) {
    const FittedLength *length = &fitting->lengths[i];
    const ExpressionScope scope = {.lookup = fitting_look_up, .context = fitting};
    ExpressionError error;
    Expression *expression = expression_parse(length->length, &error);
    int64_t expected;
    if (expression && expression_name(expression, 0)) {
      if (!expression_integer(expression, &scope, &expected, &error))
        fitting_bind(fitting, length->length, length->count);
      else if (expected != length->count)
        fitting_rule_out(fitting, SIGNATURE_CHECKS_SHAPE);
    }
    expression_free(expression);
  }
}

// The dimension that extent `i` of the type is of: one behind "..." is counted from the end.
static int32_t dimension_of(const Fitting *fitting, const SignatureType *type,
                            const KernelParameter *parameter, uint32_t i)
{
  const bool behind = i > any_rank_of(fitting, type);
  return behind ? parameter->rank - (int32_t)(type->shape.count - i) : (int32_t)i;
}

static void for_each_extent(Fitting *fitting, const SignatureType *type,
                            const KernelParameter *parameter, FitExtent *fit)
{
  const uint32_t any = any_rank_of(fitting, type), count = type->shape.count;
  for (uint32_t i = 0; i < count; ++i) {
    if (i != any)
      fit(fitting, signature_extent(fitting->signature, type->shape.first + i),
          parameter->shape[dimension_of(fitting, type, parameter, i)].size);
  }
}

static bool has_rank(const Fitting *fitting, const SignatureType *type, int32_t rank)
{
  const int32_t count = (int32_t)type->shape.count;
  return any_rank_of(fitting, type) < type->shape.count ? rank >= count - 1 : rank == count;
}

static void fit_tensor(Fitting *fitting, const SignatureType *type,
                       const KernelParameter *parameter)
{
  const uint32_t any = any_rank_of(fitting, type);
  if (!parameter->typed) return;
  fit_dtype(fitting, type, parameter->dtype);
  fit_device(fitting, type, parameter->device);
  if (!type->has_shape) return;
  if (!has_rank(fitting, type, parameter->rank)) {
    fitting_rule_out(fitting, SIGNATURE_CHECKS_RANK);
    return;
  }
  for_each_extent(fitting, type, parameter, fit_plain_extent);
  if (any == type->shape.count) return;
  const SignatureExtent *extent = signature_extent(fitting->signature, type->shape.first + any);
  int64_t shape[KERNEL_RANK_MAX];
  int32_t rank = parameter->rank - (int32_t)type->shape.count + 1;
  for (int32_t i = 0; i < rank; ++i) shape[i] = parameter->shape[(int32_t)any + i].size;
  if (extent->form == SIGNATURE_EXTENT_NAMED_RANK)
    bind_shape(fitting, fitting_text(fitting, extent->text), rank, shape);
}

// --- Kinds ---------------------------------------------------------------------------------------

// Whether a value of one kind may be taken where the other is stated, as frontends convert them.
static bool is_of_kind(KernelKind stated, KernelKind kind)
{
  if (stated == kind || stated == KERNEL_ANY || kind == KERNEL_ANY) return true;
  switch (stated) {
    case KERNEL_FLOAT:
      return kind == KERNEL_INT || kind == KERNEL_BOOL;
    case KERNEL_INT:
      return kind == KERNEL_BOOL;
    case KERNEL_BOOL:
      return kind == KERNEL_INT;
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      return kind == KERNEL_STRING;
    case KERNEL_POINTER:
      return kind == KERNEL_NONE;
    case KERNEL_TUPLE:
    case KERNEL_ARRAY:
    case KERNEL_SHAPE:
      return kind == KERNEL_ARRAY || kind == KERNEL_TUPLE || kind == KERNEL_SHAPE;
    case KERNEL_OBJECT:
      return kind >= KERNEL_SHAPE || kind == KERNEL_STRING || kind == KERNEL_BYTES;
    default:
      return false;
  }
}

static void fit_elements(Fitting *fitting, const SignatureType *type,
                         const KernelParameter *parameter);

// Whether nothing in a value of the kind of an alternative rules the alternative out.
static bool is_alternative(const Fitting *fitting, const SignatureType *type,
                           const KernelParameter *parameter)
{
  if (parameter->kind != KERNEL_TENSOR && parameter->element_count == 0) return true;
  Fitting attempt = *fitting;
  if (parameter->kind == KERNEL_TENSOR)
    fit_tensor(&attempt, type, parameter);
  else
    fit_elements(&attempt, type, parameter);
  for (uint32_t i = fitting->tensor_count; i < attempt.tensor_count; ++i)
    fit_tensor(&attempt, attempt.tensors[i].type, attempt.tensors[i].parameter);
  return attempt.count == fitting->count;
}

// The type itself, or the first alternative of a variant that the value is one of; the last one of this kind if there is
// none, and NULL if it is of no such kind.
static const SignatureType *type_for(const Fitting *fitting, const SignatureType *type,
                                     const KernelParameter *parameter)
{
  if (type->kind != KERNEL_VARIANT) return is_of_kind(type->kind, parameter->kind) ? type : NULL;
  const SignatureType *last = NULL;
  for (uint32_t i = 0; i < type->children.count; ++i) {
    const SignatureType *child = signature_type(fitting->signature, type->children.first + i);
    const SignatureType *found = type_for(fitting, child, parameter);
    if (!found) continue;
    if (is_alternative(fitting, found, parameter)) return found;
    last = found;
  }
  return last;
}

static bool may_be_none(const Fitting *fitting, const SignatureType *type)
{
  bool none = type->optional || type->kind == KERNEL_NONE || type->kind == KERNEL_ANY ||
              type->kind == KERNEL_POINTER;
  for (uint32_t i = 0; type->kind == KERNEL_VARIANT && i < type->children.count && !none; ++i)
    none = may_be_none(fitting, signature_type(fitting->signature, type->children.first + i));
  return none;
}

// --- The call ------------------------------------------------------------------------------------

static const SignatureType *type_at(const Fitting *fitting, uint32_t position)
{
  const SignatureForm *form = fitting->form;
  uint32_t index =
      position < form->parameters.count ? form->parameters.first + position : form->rest;
  return signature_type(fitting->signature, index);
}

// An array, or what is taken for one.
static bool is_array(KernelKind kind)
{
  return kind == KERNEL_ARRAY || kind == KERNEL_TUPLE;
}

// What is stated of element `i`; NULL: nothing.
static const SignatureType *type_inside(const Fitting *fitting, const SignatureType *type,
                                        const KernelParameter *parameter, uint32_t i)
{
  const bool map = type->kind == KERNEL_MAP && parameter->kind == KERNEL_MAP;
  uint32_t child = i;
  if (!map && !(is_array(type->kind) && is_array(parameter->kind))) return NULL;
  if (map && type->has_entries != parameter->keyed) return NULL;
  if (map && !type->has_entries) child = i % 2;
  if (type->kind == KERNEL_ARRAY) child = 0;
  return child < type->children.count
             ? signature_type(fitting->signature, type->children.first + child)
             : NULL;
}

// Those of two containers may have to be the same. What is no name is worked out once names are known.
static void fit_length(Fitting *fitting, const char *length, int64_t count)
{
  if (expression_is_name(length))
    fitting_bind(fitting, length, count);
  else if (fitting->length_count < BOUND_MAX)
    fitting->lengths[fitting->length_count++] = (FittedLength){length, count};
}

// Kinds, at any depth; tensors are noted. Returns the type that the value is of, NULL if it is of
// none.
static const SignatureType *fit_kind(Fitting *fitting, const SignatureType *stated,
                                     const KernelParameter *parameter)
{
  const bool none = parameter->kind == KERNEL_NONE;
  const SignatureType *type = none ? stated : type_for(fitting, stated, parameter);
  if (none ? !may_be_none(fitting, stated) : !type)
    fitting_rule_out(fitting, SIGNATURE_CHECKS_KIND);
  if (none || !type) return type;
  if (type->kind == KERNEL_TENSOR && parameter->kind == KERNEL_TENSOR)
    fitting->tensors[fitting->tensor_count++] = (FittedTensor){type, parameter, fitting->place};
  fit_elements(fitting, type, parameter);
  if (type->length && !type->length_of_condition && type->kind == parameter->kind)
    fit_length(fitting, fitting_text(fitting, type->length),
               parameter->element_count / (type->kind == KERNEL_MAP ? 2 : 1));
  return type;
}

static void fit_elements(Fitting *fitting, const SignatureType *type,
                         const KernelParameter *parameter)
{
  const uint32_t place = fitting->place;
  for (uint32_t i = 0; i < parameter->element_count; ++i) {
    if (place == 0 && type->kind == KERNEL_ARRAY) fitting->place = i + 1;
    const SignatureType *inside = type_inside(fitting, type, parameter, i);
    if (is_other_entry(fitting, parameter, i) && type->others == SIGNATURE_OTHERS_REFUSED)
      fitting_rule_out(fitting, SIGNATURE_CHECKS_VALUE);
    if (inside) fit_kind(fitting, inside, &fitting->kernel->elements[parameter->first_element + i]);
  }
  fitting->place = place;
}

static void fit_arguments(Fitting *fitting, const SignatureType *types[KERNEL_PARAMETERS_MAX])
{
  const Kernel *kernel = fitting->kernel;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    types[i] = fit_kind(fitting, type_at(fitting, i), parameter);
    // Extents may be named after numbers.
    if (parameter->kind == KERNEL_INT && parameter->name[0])
      fitting_bind(fitting, parameter->name, parameter->integer);
  }
}

static void fit_extents(Fitting *fitting, FitExtent *fit)
{
  for (uint32_t i = 0; i < fitting->tensor_count && !fitting->by; ++i)
    if (fitting->tensors[i].type->has_shape && fitting->tensors[i].parameter->typed)
      for_each_extent(fitting, fitting->tensors[i].type, fitting->tensors[i].parameter, fit);
}

static void fit_call(Fitting *fitting)
{
  const Kernel *kernel = fitting->kernel;
  const SignatureForm *form = fitting->form;
  const SignatureType *types[KERNEL_PARAMETERS_MAX] = {0};
  if (kernel->parameter_count != form->parameters.count &&
      (form->rest == SIGNATURE_NONE || kernel->parameter_count < form->parameters.count)) {
    fitting_rule_out(fitting, SIGNATURE_CHECKS_ARITY);
    return;
  }
  fit_arguments(fitting, types);
  for (uint32_t i = 0; i < fitting->tensor_count; ++i) {
    fitting->place = fitting->tensors[i].place;
    fit_tensor(fitting, fitting->tensors[i].type, fitting->tensors[i].parameter);
  }
  fitting->place = 0;
  fit_extents(fitting, fit_solved_extent);
  fit_extents(fitting, fit_other_extent);
  fit_lengths(fitting);
  if (fitting->by) return;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (types[i]) fit_value(fitting, types[i], i);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    fit_inside(fitting, &kernel->parameters[i], 0);
  for (uint32_t i = 0; i < form->where.count; ++i)
    if (fitting_is_broken(fitting,
                          signature_condition(fitting->signature, form->where.first + i))) {
      fitting_rule_out(fitting, SIGNATURE_CHECKS_VALUE);
      ++fitting->conditions;
      fitting->condition = i + 1;
      kernel_statements_add(&fitting->all_conditions, i);
    }
  for (uint32_t i = 0; i < form->refusals.count; ++i) {
    const SignatureRefusal *refusal =
        signature_refusal(fitting->signature, form->refusals.first + i);
    char text[EXPRESSION_TEXT_MAX];
    int size = snprintf(text, sizeof text, "not (%s)", fitting_text(fitting, refusal->when));
    if (!refusal->when || size >= (int)sizeof text || !fitting_is_broken(fitting, text)) continue;
    fitting_rule_out(fitting, SIGNATURE_CHECKS_VALUE);
    ++fitting->refusals;
    kernel_statements_add(&fitting->all_refusals, i);
    fitting->refusal =
        may_be_of_an_argument(fitting, fitting_text(fitting, refusal->when)) ? 0 : i + 1;
  }
}

KernelOutside kernel_outside(const Signature *signature, const Kernel *kernel,
                             const KernelElement *element)
{
  KernelOutside outside = {.promised = SIGNATURE_CHECKS_ALL, .count = UINT32_MAX};
  for (uint32_t i = 0; i < signature->forms.count; ++i) {
    Fitting fitting = {.signature = signature,
                       .form = signature_form(signature, i),
                       .kernel = kernel,
                       .element = element};
    fit_call(&fitting);
    if (!fitting.by) return (KernelOutside){.by = 0};
    outside.by |= fitting.by;
    if (fitting.count < outside.count) outside.count = fitting.count;
    if (fitting.refusals == 1 && signature->forms.count == 1) outside.refusal = fitting.refusal;
    if (fitting.conditions == 1 && signature->forms.count == 1)
      outside.condition = fitting.condition;
    if (signature->forms.count == 1) {
      outside.refusals = fitting.all_refusals;
      outside.conditions = fitting.all_conditions;
    }
    // A form of another number of arguments promises nothing of this one.
    if (!(fitting.by & SIGNATURE_CHECKS_ARITY) || signature->forms.count == 1)
      outside.promised =
          fitting.by & fitting.form->checks || fitting.refusals ? outside.promised : 0;
    else if (!(fitting.form->checks & SIGNATURE_CHECKS_ARITY))
      outside.promised = 0;
  }
  outside.promised &= outside.by;
  return outside;
}

// --- Other sizes ---------------------------------------------------------------------------------

static bool work_out(Fitting *fitting, const SignatureExtent *extent, int64_t *size)
{
  ExpressionError error;
  ExpressionScope scope = {.lookup = fitting_look_up, .context = fitting};
  Expression *expression = expression_parse(fitting_text(fitting, extent->text), &error);
  bool known = expression && expression_integer(expression, &scope, size, &error) && *size >= 0;
  expression_free(expression);
  return known;
}

static bool resize_tensor(Fitting *fitting, const SignatureType *type, KernelParameter *parameter)
{
  if (parameter->kind != KERNEL_TENSOR || !type || type->kind != KERNEL_TENSOR) return true;
  if (!has_rank(fitting, type, parameter->rank)) return false;
  for (uint32_t k = 0; k < type->shape.count; ++k) {
    const SignatureExtent *extent = signature_extent(fitting->signature, type->shape.first + k);
    const int32_t dimension = dimension_of(fitting, type, parameter, k);
    if (extent->form == SIGNATURE_EXTENT_EXPRESSION &&
        !work_out(fitting, extent, &parameter->shape[dimension].size))
      return false;
  }
  return true;
}

bool kernel_resize(const Signature *signature, Kernel *kernel, const char *name, int64_t size)
{
  Fitting fitting = {.signature = signature,
                     .form = signature_form(signature, kernel->form),
                     .kernel = kernel,
                     .resizing = true};
  for (uint32_t i = 0; i < kernel->size_count; ++i)
    if (strcmp(kernel->sizes[i].name, name) == 0) kernel->sizes[i].size = size;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *parameter = &kernel->parameters[i];
    const SignatureType *type = type_for(&fitting, type_at(&fitting, i), parameter);
    if (!resize_tensor(&fitting, type, parameter)) return false;
  }
  for (uint32_t i = 0; i < kernel->element_count; ++i)
    if (!resize_tensor(&fitting, signature_type(signature, kernel->elements[i].type),
                       &kernel->elements[i]))
      return false;
  return true;
}
