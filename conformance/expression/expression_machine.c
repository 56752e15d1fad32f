// SPDX-License-Identifier: Apache-2.0
#include "expression/expression_machine.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression_arrays.h"
#include "expression/expression_bodies.h"
#include "expression/expression_elements.h"
#include "expression/expression_functions.h"

// --- Limits --------------------------------------------------------------------------------------

bool machine_fail(ExpressionMachine *machine, const char *format, ...)
{
  va_list list;
  // What failed first is what is told.
  if (machine->error->message[0]) return false;
  va_start(list, format);
  machine->error->position = machine->position;
  vsnprintf(machine->error->message, sizeof machine->error->message, format, list);
  va_end(list);
  return false;
}

bool machine_steps(ExpressionMachine *machine, uint64_t count)
{
  if (count > machine->steps_left)
    return machine_fail(machine, "this takes more operations than an expression may");
  machine->steps_left -= count;
  return true;
}

static size_t memory_of(const ExpressionValue *value)
{
  return value->elements && !value->borrowed ? value->count * sizeof *value->elements : 0;
}

bool machine_new(ExpressionMachine *machine, ExpressionValue *value, ExpressionKind kind,
                 int32_t rank, const int64_t *shape)
{
  char text[128];
  ExpressionValue wanted = {.kind = kind, .rank = rank};
  *value = (ExpressionValue){.kind = EXPRESSION_NONE};
  size_t count = 1;
  for (int32_t k = 0; k < rank; ++k) {
    wanted.shape[k] = shape[k];
    if (shape[k] < 0) return machine_fail(machine, "an extent is not negative");
    size_t extent = shape[k] ? (size_t)shape[k] : 1;
    if (count <= machine->elements_max)
      count = extent > machine->elements_max ? extent : count * extent;
  }
  if (count > machine->elements_max)
    return machine_fail(machine, "%s has more than %zu elements", value_words(&wanted, text),
                        machine->elements_max);
  if (!machine_steps(machine, count)) return false;
  if (count * sizeof *value->elements > machine->memory_left ||
      !expression_value_new(value, kind, rank, shape))
    return machine_fail(machine, "this takes more memory than an expression may");
  machine->memory_left -= memory_of(value);
  return true;
}

bool machine_scalar(ExpressionMachine *machine, ExpressionValue *value, ExpressionKind kind,
                    long double number)
{
  if (!machine_new(machine, value, kind, 0, NULL)) return false;
  value->elements[0] = number;
  return true;
}

void machine_free(ExpressionMachine *machine, ExpressionValue *value)
{
  machine->memory_left += memory_of(value);
  for (size_t i = 0; value->items && !value->borrowed && i < value->count; ++i)
    machine->memory_left += memory_of(&value->items[i]);
  expression_value_free(value);
}

// --- What values are -----------------------------------------------------------------------------

bool value_is_array(const ExpressionValue *value)
{
  return value->kind == EXPRESSION_BOOL || value->kind == EXPRESSION_INT ||
         value->kind == EXPRESSION_FLOAT;
}

const char *value_words(const ExpressionValue *value, char text[128])
{
  static const long long longest = 999999999;
  int length;
  switch ((int)value->kind) {
    case EXPRESSION_NONE:
      return "None";
    case EXPRESSION_STRING:
      return "a string";
    case EXPRESSION_TUPLE:
      return value->count && value->items[0].key ? "a map" : "a tuple";
    case EXPRESSION_SLICE:
    case EXPRESSION_ELLIPSIS:
      return "part of an index";
    default:
      break;
  }
  if (value->rank == 0) return "a number";
  length = snprintf(text, 128, "an array of shape (");
  for (int32_t k = 0; k < value->rank; ++k) {
    long long extent = value->shape[k];
    length += snprintf(text + length, 128 - (size_t)length, "%s%s%lld", k ? ", " : "",
                       extent > longest ? ">" : "", extent > longest ? longest : extent);
  }
  snprintf(text + length, 128 - (size_t)length, value->rank == 1 ? ",)" : ")");
  return text;
}

bool machine_need_integer(ExpressionMachine *machine, const ExpressionValue *value,
                          const char *what, int64_t *number)
{
  char text[128];
  if (!value_is_array(value) || value->rank != 0 || value->kind == EXPRESSION_FLOAT)
    return machine_fail(
        machine, "%s is an integer, not %s", what,
        value_is_array(value) && value->rank == 0 ? "a float" : value_words(value, text));
  if (!(value->elements[0] < 0x1p63L)) return machine_fail(machine, "%s is too large", what);
  *number = (int64_t)value->elements[0];
  return true;
}

bool machine_need_integers(ExpressionMachine *machine, const ExpressionValue *value,
                           const char *what, int64_t numbers[EXPRESSION_RANK_MAX], int32_t *count)
{
  bool row = value->kind == EXPRESSION_INT && value->rank == 1;
  *count = 0;
  if (!row && value->kind != EXPRESSION_TUPLE) {
    *count = 1;
    return machine_need_integer(machine, value, what, &numbers[0]);
  }
  if (value->count > EXPRESSION_RANK_MAX)
    return machine_fail(machine, "%s has at most %d numbers", what, EXPRESSION_RANK_MAX);
  for (size_t i = 0; i < value->count; ++i) {
    ExpressionValue item = {.kind = EXPRESSION_INT};
    if (row) item.elements = &value->elements[i];
    if (!machine_need_integer(machine, row ? &item : &value->items[i], what, &numbers[i]))
      return false;
  }
  *count = (int32_t)value->count;
  return true;
}

bool machine_need_flag(ExpressionMachine *machine, const ExpressionValue *value, bool otherwise,
                       bool *flag)
{
  *flag = otherwise;
  if (!value) return true;
  if (!value_is_array(value) || value->rank != 0)
    return machine_fail(machine, "True or False expected");
  *flag = value->elements[0] != 0;
  return true;
}

static bool stack_items(ExpressionMachine *machine, const ExpressionValue *tuple,
                        ExpressionValue *out)
{
  ExpressionValue made;
  if (!expression_value_stacks(tuple, &made))
    return machine_fail(machine, "the items make no array: no numbers, or their shapes differ");
  if (!machine_new(machine, out, made.kind, made.rank, made.shape)) return false;
  expression_value_stack(tuple, out);
  return true;
}

bool machine_need_array(ExpressionMachine *machine, ExpressionValue *value, const char *what)
{
  char text[128];
  ExpressionValue array;
  if (value_is_array(value)) return true;
  bool mapped = value->kind == EXPRESSION_TUPLE && value->count && value->items[0].key;
  if (value->kind != EXPRESSION_TUPLE || mapped)
    return machine_fail(machine, "%s is an array or a number, not %s", what,
                        value_words(value, text));
  bool made = value->count ? stack_items(machine, value, &array)
                           : machine_new(machine, &array, EXPRESSION_FLOAT, 1, (int64_t[]){0});
  if (!made) return false;
  machine_free(machine, value);
  *value = array;
  return true;
}

// --- Steps ---------------------------------------------------------------------------------------

static ExpressionValue *peek(ExpressionMachine *machine, size_t below)
{
  return &machine->stack[machine->depth - 1 - below];
}

// Takes `count` values off and puts one on: `made` says whether there is one.
static bool replace(ExpressionMachine *machine, size_t count, bool made, ExpressionValue value)
{
  if (!made) return false;
  for (size_t i = 0; i < count; ++i) machine_free(machine, &machine->stack[--machine->depth]);
  machine->stack[machine->depth++] = value;
  return true;
}

static ExpressionValue borrow(const ExpressionValue *value)
{
  ExpressionValue view = *value;
  view.borrowed = true;
  return view;
}

// Whether the steps from `next` on, of which there are `left`, ask whether a value is None.
static bool asks_for_none(const ExpressionMachine *machine, const ExpressionStep *next, size_t left)
{
  return left >= 2 && next[0].code == STEP_CONSTANT && next[1].code == STEP_COMPARE &&
         (next[1].operator== OPERATOR_IS || next[1].operator== OPERATOR_IS_NOT) &&
         machine->expression->constants[next[0].argument].kind == EXPRESSION_NONE;
}

// Of some values only what is asked of them next can be answered.
static bool is_known(const ExpressionMachine *machine, const ExpressionValue *value,
                     const ExpressionStep *next, size_t left)
{
  if (value->kind != EXPRESSION_OUTPUT && value->kind != EXPRESSION_OTHER) return true;
  if (asks_for_none(machine, next, left)) return true;
  if (value->kind != EXPRESSION_OUTPUT || left == 0) return false;
  if (next->code == STEP_CALL) {
    const ExpressionCall *call = &machine->expression->calls[next->argument];
    return call->count == 1 && call->function->body == body_count;
  }
  return next->code == STEP_ATTRIBUTE && next->argument != ATTRIBUTE_TRANSPOSED;
}

static bool push_name(ExpressionMachine *machine, size_t i, const ExpressionStep *next, size_t left)
{
  const char *name = machine->expression->names[i].name;
  ExpressionValue *value = &machine->names[i];
  if (!machine->known[i]) {
    if (!machine->scope->lookup || !machine->scope->lookup(machine->scope->context, name, value))
      return machine_fail(machine, "unknown name `%s`", name);
    machine->known[i] = true;
  }
  if (!is_known(machine, value, next, left))
    return machine_fail(
        machine,
        value->kind == EXPRESSION_OTHER
            ? "`%s` is a function or an object: nothing is known of it but whether it is None"
            : "`%s` is an output: its shape and dtype are known before the call, and not "
              "what it holds",
        name);
  machine->stack[machine->depth++] = borrow(value);
  return true;
}

static bool is_same(const ExpressionValue *left, const ExpressionValue *right)
{
  if (left->kind != right->kind || left->count != right->count) return false;
  if (left->kind == EXPRESSION_STRING) return memcmp(left->string, right->string, left->count) == 0;
  return left->kind == EXPRESSION_NONE;
}

// What is no array: strings and None are equal or not.
static bool compare_others(ExpressionMachine *machine, ExpressionOperator operator,
                           const ExpressionValue * left, const ExpressionValue *right,
                           ExpressionValue *out)
{
  bool negated = operator== OPERATOR_NOT_EQUAL || operator== OPERATOR_IS_NOT;
  bool identity = operator== OPERATOR_IS || operator== OPERATOR_IS_NOT;
  if (identity && right->kind != EXPRESSION_NONE)
    return machine_fail(machine, "`is` compares with None only");
  if (!identity && operator!= OPERATOR_EQUAL && !negated)
    return machine_fail(machine, "strings, tuples and None have no order");
  return machine_scalar(machine, out, EXPRESSION_BOOL, is_same(left, right) != negated);
}

static bool compare(ExpressionMachine *machine, ExpressionOperator operator, ExpressionValue * left,
                    ExpressionValue *right, ExpressionValue *out)
{
  bool identity = operator== OPERATOR_IS || operator== OPERATOR_IS_NOT;
  bool listed = (left->kind == EXPRESSION_TUPLE || value_is_array(left)) &&
                (right->kind == EXPRESSION_TUPLE || value_is_array(right));
  if (listed && !identity)
    if (!machine_need_array(machine, left, "the left side") ||
        !machine_need_array(machine, right, "the right side"))
      return false;
  if (identity || !value_is_array(left) || !value_is_array(right))
    return compare_others(machine, operator, left, right, out);
  return elements_binary(machine, operator, left, right, out);
}

static bool run_compare(ExpressionMachine *machine, const ExpressionStep *step)
{
  ExpressionValue outcome, joined;
  ExpressionValue *right = peek(machine, 0), *left = peek(machine, 1);
  if (!compare(machine, step->operator, left, right, &outcome)) return false;
  if (step->flags & COMPARE_JOINS) {
    bool made = elements_binary(machine, OPERATOR_AND, peek(machine, 2), &outcome, &joined);
    machine_free(machine, &outcome);
    if (!made) return false;
    outcome = joined;
  }
  ExpressionValue kept = *right;
  if (step->flags & COMPARE_KEEPS) --machine->depth;
  unsigned below = 2 - (step->flags & COMPARE_KEEPS ? 1 : 0);
  replace(machine, below + (step->flags & COMPARE_JOINS ? 1 : 0), true, outcome);
  if (step->flags & COMPARE_KEEPS) machine->stack[machine->depth++] = kept;
  return true;
}

static bool need_truth(ExpressionMachine *machine, ExpressionValue *value)
{
  return machine_need_array(machine, value, "a condition");
}

// Whether it is a tuple of an expression, or extents, which NumPy has as a tuple.
static bool is_listed(const ExpressionValue *value)
{
  return value->kind == EXPRESSION_TUPLE ? !value->borrowed : value->extents;
}

// (a, b) + (c,) is (a, b, c).
static bool join(ExpressionMachine *machine, const ExpressionValue *left,
                 const ExpressionValue *right, ExpressionValue *out)
{
  if (left->rank != 1 || right->rank != 1)
    return machine_fail(machine, "only tuples of numbers are put together with +");
  ExpressionKind kind =
      left->count == 0 || (right->count && right->kind > left->kind) ? right->kind : left->kind;
  if (!machine_new(machine, out, kind, 1, (int64_t[]){(int64_t)(left->count + right->count)}))
    return false;
  for (size_t i = 0; i < left->count; ++i) out->elements[i] = left->elements[i];
  for (size_t i = 0; i < right->count; ++i) out->elements[left->count + i] = right->elements[i];
  out->extents = true;
  return true;
}

static bool run_binary(ExpressionMachine *machine, const ExpressionStep *step)
{
  ExpressionValue out = {.kind = EXPRESSION_NONE};
  ExpressionValue *right = peek(machine, 0), *left = peek(machine, 1);
  bool joins = step->operator== OPERATOR_PLUS && is_listed(left) && is_listed(right);
  bool made = machine_need_array(machine, left, "the left side") &&
              machine_need_array(machine, right, "the right side");
  if (made && joins)
    made = join(machine, left, right, &out);
  else if (made)
    made = step->operator== OPERATOR_MATMUL
               ? arrays_matmul(machine, left, right, &out)
               : elements_binary(machine, step->operator, left, right, &out);
  return replace(machine, 2, made, out);
}

static bool run_unary(ExpressionMachine *machine, const ExpressionStep *step)
{
  ExpressionValue out = {.kind = EXPRESSION_NONE};
  bool made = machine_need_array(machine, peek(machine, 0), "the value") &&
              elements_unary(machine, step->operator, peek(machine, 0), &out);
  return replace(machine, 1, made, out);
}

// `a and b` does not come to b where a is a number that is false.
static bool run_shortcut(ExpressionMachine *machine, const ExpressionStep *step, size_t *next)
{
  ExpressionValue *value = peek(machine, 0), out;
  if (!need_truth(machine, value)) return false;
  if (value->rank != 0 || (value->elements[0] != 0) != (step->operator== OPERATOR_OR)) return true;
  *next += (size_t)step->argument - 1;
  return replace(machine, 1,
                 machine_scalar(machine, &out, EXPRESSION_BOOL, step->operator== OPERATOR_OR), out);
}

static bool run_jump_unless(ExpressionMachine *machine, const ExpressionStep *step, size_t *next)
{
  ExpressionValue *value = peek(machine, 0);
  if (!need_truth(machine, value)) return false;
  if (value->rank != 0)
    return machine_fail(machine, "`if` takes one condition, not an array: use where(c, a, b)");
  if (value->elements[0] == 0) *next += (size_t)step->argument - 1;
  machine_free(machine, value);
  --machine->depth;
  return true;
}

// The values on top become the items; none of them may be a tuple of its own.
static bool run_tuple(ExpressionMachine *machine, size_t count, int kind)
{
  ExpressionValue tuple;
  if (count > machine->depth || !expression_value_tuple(&tuple, count))
    return machine_fail(machine, "out of memory");
  ExpressionValue *first = &machine->stack[machine->depth - count];
  for (size_t i = 0; i < count; ++i)
    if (first[i].kind == EXPRESSION_TUPLE && kind == EXPRESSION_TUPLE)
      if (!machine_need_array(machine, &first[i], "an item of a tuple")) {
        expression_value_free(&tuple);
        return false;
      }
  for (size_t i = 0; i < count; ++i) tuple.items[i] = first[i];
  tuple.kind = (ExpressionKind)kind;
  machine->depth -= count;
  machine->stack[machine->depth++] = tuple;
  return true;
}

static bool run_index(ExpressionMachine *machine, size_t count)
{
  ExpressionValue out = {.kind = EXPRESSION_NONE};
  ExpressionValue *array = peek(machine, count);
  for (size_t i = 0; i < count; ++i)
    if (array[1 + i].kind == EXPRESSION_TUPLE &&
        !machine_need_array(machine, &array[1 + i], "an index"))
      return false;
  bool made = arrays_index(machine, array, array + 1, count, &out);
  out.extents = array->extents && out.rank == 1;
  return replace(machine, count + 1, made, out);
}

static bool shape_of(ExpressionMachine *machine, const ExpressionValue *value, ExpressionValue *out)
{
  if (!machine_new(machine, out, EXPRESSION_INT, 1, (int64_t[]){value->rank})) return false;
  for (int32_t k = 0; k < value->rank; ++k) out->elements[k] = (long double)value->shape[k];
  out->extents = true;
  return true;
}

static bool attribute(ExpressionMachine *machine, const ExpressionValue *value, int which,
                      ExpressionValue *out)
{
  int32_t axes[EXPRESSION_RANK_MAX];
  switch (which) {
    case ATTRIBUTE_SHAPE:
      return shape_of(machine, value, out);
    case ATTRIBUTE_SIZE:
      return machine_scalar(machine, out, EXPRESSION_INT, (long double)value->count);
    case ATTRIBUTE_NDIM:
      return machine_scalar(machine, out, EXPRESSION_INT, value->rank);
    case ATTRIBUTE_TRANSPOSED:
      for (int32_t k = 0; k < value->rank; ++k) axes[k] = value->rank - 1 - k;
      return arrays_transpose(machine, value, axes, out);
    default:
      if (!value->dtype) return machine_fail(machine, "only arguments have a dtype");
      if (expression_value_string(out, value->dtype, strlen(value->dtype))) return true;
      return machine_fail(machine, "out of memory");
  }
}

static bool run_attribute(ExpressionMachine *machine, int which)
{
  ExpressionValue out = {.kind = EXPRESSION_NONE};
  ExpressionValue *value = peek(machine, 0);
  bool known = value->kind == EXPRESSION_OUTPUT || machine_need_array(machine, value, "the value");
  bool made = known && attribute(machine, value, which, &out);
  return replace(machine, 1, made, out);
}

static bool run_call(ExpressionMachine *machine, const ExpressionCall *call)
{
  ExpressionValue out = {.kind = EXPRESSION_NONE};
  ExpressionValue *first = call->count ? peek(machine, call->count - 1) : NULL;
  FunctionArguments arguments = {.all = first, .count = call->positional};
  for (unsigned i = call->count; i-- > 0;) arguments.given[call->slots[i]] = &first[i];
  bool made = call->function->body(machine, call->function, &arguments, &out);
  return replace(machine, call->count, made, out);
}

static bool push_constant(ExpressionMachine *machine, const ExpressionValue *value)
{
  machine->stack[machine->depth++] = borrow(value);
  return true;
}

static bool run_step(ExpressionMachine *machine, const ExpressionStep *step, size_t *next)
{
  const Expression *expression = machine->expression;
  machine->position = step->position;
  if (!machine_steps(machine, 1)) return false;
  switch (step->code) {
    case STEP_CONSTANT:
      return push_constant(machine, &expression->constants[step->argument]);
    case STEP_NAME:
      return push_name(machine, (size_t)step->argument, &expression->steps[*next],
                       expression->step_count - *next);
    case STEP_UNARY:
      return run_unary(machine, step);
    case STEP_BINARY:
      return run_binary(machine, step);
    case STEP_COMPARE:
      return run_compare(machine, step);
    case STEP_SHORTCUT:
      return run_shortcut(machine, step, next);
    case STEP_JOIN:
      return need_truth(machine, peek(machine, 0)) && run_binary(machine, step);
    case STEP_JUMP_UNLESS:
      return run_jump_unless(machine, step, next);
    case STEP_JUMP:
      *next += (size_t)step->argument - 1;
      return true;
    case STEP_TUPLE:
      return run_tuple(machine, (size_t)step->argument, EXPRESSION_TUPLE);
    case STEP_SLICE:
      return run_tuple(machine, 3, EXPRESSION_SLICE);
    case STEP_ELLIPSIS:
      machine->stack[machine->depth++] =
          (ExpressionValue){.kind = (ExpressionKind)EXPRESSION_ELLIPSIS};
      return true;
    case STEP_INDEX:
      return run_index(machine, (size_t)step->argument);
    case STEP_ATTRIBUTE:
      return run_attribute(machine, step->argument);
    case STEP_CALL:
      return run_call(machine, &expression->calls[step->argument]);
  }
  return false;
}

static void note_range(const ExpressionValue *value, ExpressionRange *range)
{
  for (size_t i = 0; value_is_array(value) && !value->borrowed && i < value->count; ++i) {
    const long double magnitude = fabsl(value->elements[i]);
    if (magnitude == 0 || !isfinite(magnitude)) continue;
    if (range->least == 0 || magnitude < range->least) range->least = magnitude;
    if (magnitude > range->most) range->most = magnitude;
  }
}

static long double magnitude_of(const ExpressionValue *value)
{
  long double most = 0;
  if (value->kind != EXPRESSION_FLOAT || !value->elements) return 0;
  for (size_t i = 0; i < value->count; ++i) most = fmaxl(most, fabsl(value->elements[i]));
  return most;
}

// The magnitude of what the step that comes next adds up; 0 if it does not add floats.
static long double terms_of(ExpressionMachine *machine, const ExpressionStep *step)
{
  if (step->code == STEP_BINARY &&
      (step->operator== OPERATOR_PLUS || step->operator== OPERATOR_MINUS))
    return fmaxl(magnitude_of(peek(machine, 0)), magnitude_of(peek(machine, 1)));
  if (step->code != STEP_CALL) return 0;
  const ExpressionCall *call = &machine->expression->calls[step->argument];
  const bool sums = strcmp(call->function->name, "sum") == 0;
  return sums && call->count ? magnitude_of(peek(machine, call->count - 1)) : 0;
}

static void note_sum(const ExpressionValue *value, long double terms, ExpressionRange *range)
{
  const long double roundings = 64 * 0x1p-52L, most = magnitude_of(value);
  range->cancels |= most > 0 && isfinite(terms) && most < roundings * terms;
}

// Of equal elements all stay equal; two steps are not off by as much.
static void round_off(ExpressionValue *value, size_t step, long double by)
{
  if (value->kind != EXPRESSION_FLOAT || !value->elements || value->borrowed) return;
  const long double factor = 1 + by * (long double)(1 + step * 5 % 7) / 7;
  for (size_t i = 0; i < value->count; ++i)
    if ((long double)(float)value->elements[i] != value->elements[i]) value->elements[i] *= factor;
}

// --- Evaluation ----------------------------------------------------------------------------------

enum { DEFAULT_ELEMENTS = 1 << 24, DEFAULT_MEMORY = 1 << 30 };

static bool start(ExpressionMachine *machine, const Expression *expression,
                  const ExpressionScope *scope, ExpressionError *error)
{
  static const ExpressionScope nothing = {.lookup = NULL};
  const ExpressionScope *within = scope ? scope : &nothing;
  *error = (ExpressionError){0};
  *machine = (ExpressionMachine){
      .expression = expression,
      .scope = within,
      .error = error,
      .elements_max = within->elements_max ? within->elements_max : DEFAULT_ELEMENTS,
      .memory_left = within->memory_max ? within->memory_max : DEFAULT_MEMORY,
      .steps_left = within->steps_max ? within->steps_max : UINT32_MAX,
      .stack = calloc(expression->step_count + 1, sizeof *machine->stack),
      .names = calloc(expression->name_count + 1, sizeof *machine->names),
      .known = calloc(expression->name_count + 1, sizeof *machine->known),
  };
  return (machine->stack && machine->names && machine->known) ||
         machine_fail(machine, "out of memory");
}

static void stop(ExpressionMachine *machine)
{
  while (machine->stack && machine->depth) machine_free(machine, &machine->stack[--machine->depth]);
  for (size_t i = 0; machine->names && i < machine->expression->name_count; ++i)
    expression_value_free(&machine->names[i]);
  free(machine->stack);
  free(machine->names);
  free(machine->known);
}

// What lives in constants and names is copied: they are freed.
static bool take_outcome(ExpressionMachine *machine, ExpressionValue *out)
{
  ExpressionValue *top = peek(machine, 0);
  if (top->kind == EXPRESSION_TUPLE || top->borrowed) return arrays_copy(machine, top, out);
  *out = *top;
  --machine->depth;
  return true;
}

bool expression_evaluate(const Expression *expression, const ExpressionScope *scope,
                         ExpressionValue *out, ExpressionError *error)
{
  ExpressionMachine machine;
  *out = (ExpressionValue){.kind = EXPRESSION_NONE};
  bool runs = start(&machine, expression, scope, error);
  for (size_t next = 0; runs && next < expression->step_count;) {
    const ExpressionStep *step = &expression->steps[next++];
    ExpressionRange *range = machine.scope->range;
    const long double terms = range ? terms_of(&machine, step) : 0;
    runs = run_step(&machine, step, &next);
    if (runs && machine.depth && machine.scope->roundings != 0)
      round_off(peek(&machine, 0), next, machine.scope->roundings);
    if (runs && range && machine.depth) note_range(peek(&machine, 0), range);
    if (runs && range && machine.depth && terms > 0) note_sum(peek(&machine, 0), terms, range);
  }
  runs = runs && take_outcome(&machine, out);
  stop(&machine);
  return runs;
}

static bool fail_outcome(const ExpressionValue *value, const char *wanted, ExpressionError *error)
{
  char text[128];
  error->position = 1;
  snprintf(error->message, sizeof error->message, "%s expected, this is %s", wanted,
           value_words(value, text));
  return false;
}

bool expression_number(const Expression *expression, const ExpressionScope *scope, long double *out,
                       ExpressionError *error)
{
  ExpressionValue value;
  if (!expression_evaluate(expression, scope, &value, error)) return false;
  bool single = (value_is_array(&value) && value.count == 1) ||
                fail_outcome(&value, "a single number", error);
  if (single) *out = value.elements[0];
  expression_value_free(&value);
  return single;
}

bool expression_integer(const Expression *expression, const ExpressionScope *scope, int64_t *out,
                        ExpressionError *error)
{
  long double number;
  if (!expression_number(expression, scope, &number, error)) return false;
  if (number >= -0x1p63L && number < 0x1p63L && truncl(number) == number) {
    *out = (int64_t)number;
    return true;
  }
  error->position = 1;
  snprintf(error->message, sizeof error->message, "an integer expected, this is %Lg", number);
  return false;
}

bool expression_holds(const Expression *expression, const ExpressionScope *scope, bool *out,
                      ExpressionError *error)
{
  ExpressionValue value;
  if (!expression_evaluate(expression, scope, &value, error)) return false;
  bool right = value_is_array(&value) || fail_outcome(&value, "a condition", error);
  *out = right;
  for (size_t i = 0; right && i < value.count; ++i) *out = *out && value.elements[i] != 0;
  expression_value_free(&value);
  return right;
}
