// SPDX-License-Identifier: Apache-2.0
// By the precedence of operators, with a stack of what is not complete yet: no recursion, whatever
// the text is.
#include <stdlib.h>
#include <string.h>

#include "expression/expression_functions.h"
#include "expression/expression_scan.h"

enum { DEPTH_MAX = 200 };

typedef enum PendingKind {
  PENDING_PREFIX,
  PENDING_BINARY,
  PENDING_IF,    // `a if c`: waits for `else`
  PENDING_ELSE,  // waits for the end of the other value
  PENDING_GROUP,
  PENDING_LIST,
  PENDING_CALL,
  PENDING_INDEX,
  FIRST_BRACKET = PENDING_GROUP,
} PendingKind;

typedef struct Pending {
  PendingKind kind;
  ExpressionOperator operator;
  size_t position;
  unsigned flags;   // of a comparison
  size_t begin;     // the step with which the value, or the item, begins
  size_t jump;      // the step that jumps to where this ends
  unsigned count;   // items that are complete
  bool comma;       // of a group: a tuple
  unsigned colons;  // of the item of an index
  bool keyword;     // of the argument
  ExpressionCall call;
} Pending;

typedef struct Parser {
  Scanner scanner;
  Token token, next;
  ExpressionError *error;
  Expression *expression;
  Pending stack[DEPTH_MAX];
  size_t depth;
  bool needs_value;
} Parser;

static bool fail(Parser *parser, const char *message)
{
  return scan_fail(parser->error, parser->token.position, "%s", message);
}

// --- What is put together ------------------------------------------------------------------------

// Room for one more in an array that grows.
static bool has_room(void **items, size_t *room, size_t count, size_t size)
{
  if (count < *room) return true;
  size_t wanted = *room ? 2 * *room : 8;
  void *grown = realloc(*items, wanted * size);
  if (!grown) return false;
  *items = grown;
  *room = wanted;
  return true;
}

#define ADD(parser, what)                                                               \
  has_room((void **)&(parser)->expression->what##s, &(parser)->expression->what##_room, \
           (parser)->expression->what##_count, sizeof *(parser)->expression->what##s)

static ExpressionStep *add_step(Parser *parser, ExpressionStepCode code, int64_t argument)
{
  Expression *expression = parser->expression;
  if (!ADD(parser, step)) {
    fail(parser, "out of memory");
    return NULL;
  }
  ExpressionStep *step = &expression->steps[expression->step_count++];
  *step = (ExpressionStep){
      .code = code, .argument = (int32_t)argument, .position = parser->token.position};
  return step;
}

// The same at the place of an operator or bracket that came before.
static bool add_step_at(Parser *parser, const Pending *pending, ExpressionStepCode code,
                        int64_t argument)
{
  ExpressionStep *step = add_step(parser, code, argument);
  if (!step) return false;
  step->operator= pending->operator;
  step->flags = pending->flags;
  step->position = pending->position;
  return true;
}

static bool add_constant(Parser *parser, ExpressionValue value)
{
  Expression *expression = parser->expression;
  if (!ADD(parser, constant)) {
    expression_value_free(&value);
    return fail(parser, "out of memory");
  }
  expression->constants[expression->constant_count++] = value;
  return add_step(parser, STEP_CONSTANT, (int64_t)expression->constant_count - 1) != NULL;
}

static bool add_number(Parser *parser, ExpressionKind kind, long double number)
{
  ExpressionValue value;
  if (!expression_value_scalar(&value, kind, number)) return fail(parser, "out of memory");
  return add_constant(parser, value);
}

static bool add_name(Parser *parser)
{
  Expression *expression = parser->expression;
  const Token *token = &parser->token;
  size_t i = 0;
  for (; i < expression->name_count; ++i)
    if (strlen(expression->names[i].name) == token->size &&
        memcmp(expression->names[i].name, token->begin, token->size) == 0)
      break;
  if (i == expression->name_count) {
    if (!ADD(parser, name)) return fail(parser, "out of memory");
    ExpressionNameUse *use = &expression->names[expression->name_count++];
    *use = (ExpressionNameUse){.position = token->position};
    memcpy(use->name, token->begin, token->size);
  }
  return add_step(parser, STEP_NAME, (int64_t)i) != NULL;
}

// --- Precedence ----------------------------------------------------------------------------------

enum {
  RANK_CONDITIONAL = 1,
  RANK_OR,
  RANK_AND,
  RANK_NOT,
  RANK_COMPARISON,
  RANK_SIGN = 12,
  RANK_POWER,
};

static int rank_of_operator(ExpressionOperator operator)
{
  static const int ranks[OPERATOR_COUNT] = {
      [OPERATOR_OR] = RANK_OR,
      [OPERATOR_AND] = RANK_AND,
      [OPERATOR_NOT] = RANK_NOT,
      [OPERATOR_LESS] = RANK_COMPARISON,
      [OPERATOR_LESS_EQUAL] = RANK_COMPARISON,
      [OPERATOR_GREATER] = RANK_COMPARISON,
      [OPERATOR_GREATER_EQUAL] = RANK_COMPARISON,
      [OPERATOR_EQUAL] = RANK_COMPARISON,
      [OPERATOR_NOT_EQUAL] = RANK_COMPARISON,
      [OPERATOR_IS] = RANK_COMPARISON,
      [OPERATOR_IS_NOT] = RANK_COMPARISON,
      [OPERATOR_BITS_OR] = 6,
      [OPERATOR_BITS_XOR] = 7,
      [OPERATOR_BITS_AND] = 8,
      [OPERATOR_SHIFT_LEFT] = 9,
      [OPERATOR_SHIFT_RIGHT] = 9,
      [OPERATOR_PLUS] = 10,
      [OPERATOR_MINUS] = 10,
      [OPERATOR_TIMES] = 11,
      [OPERATOR_DIVIDE] = 11,
      [OPERATOR_FLOOR_DIVIDE] = 11,
      [OPERATOR_REMAINDER] = 11,
      [OPERATOR_MATMUL] = 11,
      [OPERATOR_NEGATE] = RANK_SIGN,
      [OPERATOR_POSITIVE] = RANK_SIGN,
      [OPERATOR_INVERT] = RANK_SIGN,
      [OPERATOR_POWER] = RANK_POWER,
  };
  return ranks[operator];
}

static int rank_of(const Pending *pending)
{
  if (pending->kind >= FIRST_BRACKET) return 0;
  if (pending->kind == PENDING_IF || pending->kind == PENDING_ELSE) return RANK_CONDITIONAL;
  return rank_of_operator(pending->operator);
}

static Pending *top_of(Parser *parser)
{
  return parser->depth ? &parser->stack[parser->depth - 1] : NULL;
}

static Pending *push(Parser *parser, PendingKind kind)
{
  if (parser->depth == DEPTH_MAX) {
    fail(parser, "this is nested too deeply");
    return NULL;
  }
  Pending *pending = &parser->stack[parser->depth++];
  *pending = (Pending){.kind = kind,
                       .position = parser->token.position,
                       .begin = parser->expression->step_count,
                       .operator= parser->token.operator};
  return pending;
}

// The jump at `at` goes to where the next step will be.
static void land_jump(Parser *parser, size_t at)
{
  parser->expression->steps[at].argument = (int32_t)(parser->expression->step_count - at);
}

// The operator on top has all its values: adds what it does.
static bool reduce(Parser *parser)
{
  Pending *pending = &parser->stack[--parser->depth];
  switch (pending->kind) {
    case PENDING_PREFIX:
      return add_step_at(parser, pending, STEP_UNARY, 0);
    case PENDING_IF:
      return fail(parser, "`else` expected");
    case PENDING_ELSE:
      land_jump(parser, pending->jump);
      return true;
    default:
      break;
  }
  if (pending->operator== OPERATOR_AND || pending->operator== OPERATOR_OR) {
    if (!add_step_at(parser, pending, STEP_JOIN, 0)) return false;
    land_jump(parser, pending->jump);
    return true;
  }
  bool compares = rank_of(pending) == RANK_COMPARISON;
  return add_step_at(parser, pending, compares ? STEP_COMPARE : STEP_BINARY, 0);
}

static bool reduce_down_to(Parser *parser, int rank)
{
  while (parser->depth && rank_of(top_of(parser)) >= rank)
    if (!reduce(parser)) return false;
  return true;
}

// --- Where a value is expected -------------------------------------------------------------------

static bool take_prefix(Parser *parser)
{
  const Pending *top = top_of(parser);
  switch (parser->token.operator) {
    case OPERATOR_MINUS:
      parser->token.operator= OPERATOR_NEGATE;
      break;
    case OPERATOR_PLUS:
      parser->token.operator= OPERATOR_POSITIVE;
      break;
    case OPERATOR_INVERT:
      break;
    case OPERATOR_NOT:
      if (!top || rank_of(top) <= RANK_NOT) break;
      return fail(parser, "a value expected; write (not ...)");
    default:
      return fail(parser, "a value expected");
  }
  return push(parser, PENDING_PREFIX) != NULL;
}

static bool begin_call(Parser *parser, const ExpressionFunction *function)
{
  Pending *pending = push(parser, PENDING_CALL);
  if (!pending) return false;
  pending->call.function = function;
  parser->token = parser->next;  // the parenthesis
  parser->needs_value = true;
  return scan_token(&parser->scanner, &parser->next);
}

static bool take_function(Parser *parser)
{
  const Token *token = &parser->token;
  const ExpressionFunction *function = function_find(token->begin, token->size);
  if (function) return begin_call(parser, function);
  char known[EXPRESSION_MESSAGE_MAX - 2 * EXPRESSION_NAME_MAX];
  function_names(known, sizeof known);
  return scan_fail(parser->error, token->position, "unknown function `%.*s`; known: %s",
                   (int)token->size, token->begin, known);
}

static bool is_mark(const Token *token, char mark)
{
  return token->kind == TOKEN_MARK && token->mark == mark;
}

// `axis=` in a call.
static bool take_keyword(Parser *parser, Pending *pending)
{
  const Token *token = &parser->token;
  ExpressionCall *call = &pending->call;
  unsigned slot = function_parameter(call->function, token->begin, token->size);
  if (slot == FUNCTION_PARAMETERS_MAX)
    return scan_fail(parser->error, token->position, "%s has no `%.*s`: it is %s",
                     call->function->name, (int)token->size, token->begin, call->function->takes);
  if (call->count == EXPRESSION_ARGUMENTS_MAX) return fail(parser, "too many arguments");
  call->slots[call->count] = slot;
  pending->keyword = true;
  parser->token = parser->next;
  return scan_token(&parser->scanner, &parser->next);
}

static bool take_name(Parser *parser)
{
  Pending *top = top_of(parser);
  if (is_mark(&parser->next, '(')) return take_function(parser);
  if (is_mark(&parser->next, '=') && top && top->kind == PENDING_CALL && !top->keyword)
    return take_keyword(parser, top);
  parser->needs_value = false;
  return add_name(parser);
}

static bool take_string(Parser *parser)
{
  ExpressionValue value;
  if (!expression_value_string(&value, parser->token.begin, parser->token.size))
    return fail(parser, "out of memory");
  return add_constant(parser, value);
}

static bool close_bracket(Parser *parser);
static bool take_colon(Parser *parser);
static bool take_comma(Parser *parser);

static bool take_opening_mark(Parser *parser)
{
  Pending *top = top_of(parser);
  bool in_index = top && top->kind == PENDING_INDEX;
  switch (parser->token.mark) {
    case '(':
      return push(parser, PENDING_GROUP) != NULL;
    case '[':
      return push(parser, PENDING_LIST) != NULL;
    case ')':
    case ']':
      if (top && top->kind >= FIRST_BRACKET) return close_bracket(parser);
      break;
    case ':':
      if (in_index) return take_colon(parser);
      break;
    case ',':
      if (in_index && top->colons) return take_comma(parser);
      break;
    case 'e':
      if (!in_index || top->colons)
        return fail(parser, "`...` stands alone in an index: x[..., 0]");
      parser->needs_value = false;
      return add_step(parser, STEP_ELLIPSIS, 0) != NULL;
    default:
      break;
  }
  return fail(parser, "a value expected");
}

static bool take_value(Parser *parser)
{
  const Token *token = &parser->token;
  switch (token->kind) {
    case TOKEN_OPERATOR:
      return take_prefix(parser);
    case TOKEN_MARK:
      return take_opening_mark(parser);
    case TOKEN_NAME:
      return take_name(parser);
    case TOKEN_NUMBER:
      parser->needs_value = false;
      return add_number(parser, token->integer ? EXPRESSION_INT : EXPRESSION_FLOAT, token->number);
    case TOKEN_TRUE:
    case TOKEN_FALSE:
      parser->needs_value = false;
      return add_number(parser, EXPRESSION_BOOL, token->kind == TOKEN_TRUE);
    case TOKEN_STRING:
      parser->needs_value = false;
      return take_string(parser);
    case TOKEN_NONE:
      parser->needs_value = false;
      return add_constant(parser, (ExpressionValue){.kind = EXPRESSION_NONE});
    default:
      return fail(parser, "a value expected");
  }
}

// --- Items between brackets ----------------------------------------------------------------------

static bool end_argument(Parser *parser, Pending *top)
{
  ExpressionCall *call = &top->call;
  const ExpressionFunction *function = call->function;
  if (!top->keyword) {
    unsigned slot = function->variadic ? 0 : call->positional;
    if (call->count > call->positional)
      return fail(parser, "a value behind one with a keyword has to have one, too");
    if (call->count == EXPRESSION_ARGUMENTS_MAX || slot >= function_parameter_count(function))
      return scan_fail(parser->error, parser->token.position, "too many arguments: it is %s",
                       function->takes);
    call->slots[call->count] = slot;
    ++call->positional;
  }
  ++call->count;
  top->keyword = false;
  return true;
}

// A slice has three parts; those left out are None.
static bool end_index(Parser *parser, Pending *top)
{
  ExpressionValue none = {.kind = EXPRESSION_NONE};
  if (top->colons == 0) return true;
  if (parser->needs_value && !add_constant(parser, none)) return false;
  if (top->colons == 1 && !add_constant(parser, none)) return false;
  top->colons = 0;
  return add_step_at(parser, top, STEP_SLICE, 0);
}

// The item before a comma or a closing bracket.
static bool end_item(Parser *parser)
{
  Pending *top = top_of(parser);
  if (top->kind == PENDING_INDEX && !end_index(parser, top)) return false;
  if (top->kind == PENDING_CALL && !end_argument(parser, top)) return false;
  ++top->count;
  top->begin = parser->expression->step_count;
  return true;
}

static bool take_colon(Parser *parser)
{
  Pending *top = top_of(parser);
  if (top->colons == 2) return fail(parser, "`]` or `,` expected");
  if (parser->needs_value && !add_constant(parser, (ExpressionValue){.kind = EXPRESSION_NONE}))
    return false;
  ++top->colons;
  top->begin = parser->expression->step_count;
  parser->needs_value = true;
  return true;
}

static bool take_comma(Parser *parser)
{
  if (!end_item(parser)) return false;
  top_of(parser)->comma = true;
  parser->needs_value = true;
  return true;
}

static bool end_call(Parser *parser, const Pending *top)
{
  Expression *expression = parser->expression;
  const ExpressionCall *call = &top->call;
  unsigned seen = 0;
  for (unsigned i = 0; i < call->count; ++i) {
    bool twice = seen >> call->slots[i] & 1 && !(call->function->variadic && call->slots[i] == 0);
    if (twice)
      return scan_fail(parser->error, top->position, "`%s` is given twice",
                       call->function->parameters[call->slots[i]]);
    seen |= 1u << call->slots[i];
  }
  for (unsigned i = 0; i < call->function->required; ++i)
    if (!(seen >> i & 1))
      return scan_fail(parser->error, top->position, "%s lacks `%s`: it is %s",
                       call->function->name, call->function->parameters[i], call->function->takes);
  if (!ADD(parser, call)) return fail(parser, "out of memory");
  expression->calls[expression->call_count++] = *call;
  return add_step_at(parser, top, STEP_CALL, (int64_t)expression->call_count - 1);
}

static bool close_bracket(Parser *parser)
{
  Pending *top = top_of(parser);
  char closing = top->kind == PENDING_LIST || top->kind == PENDING_INDEX ? ']' : ')';
  if (parser->token.mark != closing)
    return scan_fail(parser->error, parser->token.position, "`%c` expected", closing);
  // Nothing behind the last comma, or between the brackets.
  bool empty = parser->needs_value && top->colons == 0;
  if (empty && top->keyword) return fail(parser, "a value expected");
  if (empty && top->kind == PENDING_INDEX && top->count == 0)
    return fail(parser, "an index expected");
  if (!empty && !end_item(parser)) return false;
  parser->needs_value = false;
  --parser->depth;
  if (top->kind == PENDING_CALL) return end_call(parser, top);
  if (top->kind == PENDING_INDEX) return add_step_at(parser, top, STEP_INDEX, top->count);
  if (top->kind == PENDING_GROUP && top->count == 1 && !top->comma) return true;
  return add_step_at(parser, top, STEP_TUPLE, top->count);
}

// --- Behind a value ------------------------------------------------------------------------------

// a < b < c: the comparison that comes first keeps b.
static bool chain_comparison(Parser *parser, unsigned *flags)
{
  Pending *top = top_of(parser);
  *flags = 0;
  if (!top || top->kind != PENDING_BINARY || rank_of(top) != RANK_COMPARISON) return true;
  top->flags |= COMPARE_KEEPS;
  *flags = COMPARE_JOINS;
  return reduce(parser);
}

static bool take_binary(Parser *parser)
{
  ExpressionOperator operator= parser->token.operator;
  int rank = rank_of_operator(operator);
  unsigned flags = 0;
  if (operator== OPERATOR_NOT || operator== OPERATOR_INVERT)
    return fail(parser, "an operator expected");
  // The power binds to the right, and less tightly than a sign there.
  if (!reduce_down_to(parser, rank == RANK_POWER || rank == RANK_COMPARISON ? rank + 1 : rank))
    return false;
  if (rank == RANK_COMPARISON && !chain_comparison(parser, &flags)) return false;
  Pending *pending = push(parser, PENDING_BINARY);
  if (!pending) return false;
  pending->flags = flags;
  parser->needs_value = true;
  if (operator!= OPERATOR_AND && operator!= OPERATOR_OR) return true;
  pending->jump = parser->expression->step_count;
  return add_step_at(parser, pending, STEP_SHORTCUT, 0);
}

static bool take_if(Parser *parser)
{
  if (!reduce_down_to(parser, RANK_OR)) return false;
  const Pending *top = top_of(parser);
  size_t begin = top ? top->begin : 0;
  if (top && top->kind == PENDING_IF) return fail(parser, "`else` expected");
  Pending *pending = push(parser, PENDING_IF);
  if (!pending) return false;
  pending->jump = pending->begin;  // where the condition begins
  pending->begin = begin;
  parser->needs_value = true;
  return true;
}

static void reverse(ExpressionStep *first, ExpressionStep *end)
{
  for (; first < --end; ++first) {
    ExpressionStep step = *first;
    *first = *end;
    *end = step;
  }
}

// The steps of `a if c` are those of a, then those of c: the condition has to come first. Jumps are
// within each.
static bool take_else(Parser *parser)
{
  if (!reduce_down_to(parser, RANK_OR)) return false;
  Pending *top = top_of(parser);
  if (!top || top->kind != PENDING_IF) return fail(parser, "`else` without `if`");
  size_t value_size = top->jump - top->begin, begin = top->begin;
  if (!add_step_at(parser, top, STEP_JUMP_UNLESS, (int64_t)value_size + 2)) return false;
  ExpressionStep *steps = parser->expression->steps;
  size_t end = parser->expression->step_count, middle = begin + (end - top->jump);
  reverse(steps + begin, steps + end);
  reverse(steps + begin, steps + middle);
  reverse(steps + middle, steps + end);
  top->kind = PENDING_ELSE;
  top->jump = end;
  if (!add_step_at(parser, top, STEP_JUMP, 0)) return false;
  top->begin = end + 1;
  parser->needs_value = true;
  return true;
}

// x.shape, or x.sum(axis=0), which is sum(x, axis=0).
static bool take_attribute(Parser *parser)
{
  static const char *const names[ATTRIBUTE_COUNT] = {[ATTRIBUTE_SHAPE] = "shape",
                                                     [ATTRIBUTE_SIZE] = "size",
                                                     [ATTRIBUTE_NDIM] = "ndim",
                                                     [ATTRIBUTE_TRANSPOSED] = "T",
                                                     [ATTRIBUTE_DTYPE] = "dtype"};
  parser->token = parser->next;
  if (!scan_token(&parser->scanner, &parser->next)) return false;
  const Token *token = &parser->token;
  if (token->kind != TOKEN_NAME)
    return fail(parser, "shape, size, ndim, T, dtype or a function expected");
  if (is_mark(&parser->next, '(')) {
    if (!take_function(parser)) return false;
    Pending *top = top_of(parser);
    ++top->call.count;
    ++top->call.positional;
    return true;
  }
  for (int i = 0; i < ATTRIBUTE_COUNT; ++i)
    if (strlen(names[i]) == token->size && memcmp(names[i], token->begin, token->size) == 0)
      return add_step(parser, STEP_ATTRIBUTE, i) != NULL;
  return scan_fail(parser->error, token->position,
                   "unknown attribute `%.*s`; known: shape, size, ndim, T, dtype", (int)token->size,
                   token->begin);
}

static bool begin_index(Parser *parser)
{
  parser->needs_value = true;
  return push(parser, PENDING_INDEX) != NULL;
}

// What may stand behind a value, besides an operator.
static bool fail_behind_value(Parser *parser)
{
  const Pending *top = top_of(parser);
  const char *allowed = "an operator or the end expected";
  if (top && top->kind == PENDING_GROUP) allowed = "an operator, `,` or `)` expected";
  if (top && top->kind == PENDING_CALL) allowed = "an operator, `,` or `)` expected";
  if (top && top->kind == PENDING_LIST) allowed = "an operator, `,` or `]` expected";
  if (top && top->kind == PENDING_INDEX) allowed = "an operator, `:`, `,` or `]` expected";
  return fail(parser, allowed);
}

static bool take_mark(Parser *parser)
{
  char mark = parser->token.mark;
  if (mark == '[') return begin_index(parser);
  if (mark == '.') return take_attribute(parser);
  if (mark == '(') return fail(parser, "only functions can be called: their names are known");
  if (mark != ')' && mark != ']' && mark != ',' && mark != ':') return fail_behind_value(parser);
  if (!reduce_down_to(parser, RANK_CONDITIONAL)) return false;
  const Pending *top = top_of(parser);
  if (top && mark == ',') return take_comma(parser);
  if (top && mark == ':' && top->kind == PENDING_INDEX) return take_colon(parser);
  if (top && (mark == ')' || mark == ']')) return close_bracket(parser);
  return fail_behind_value(parser);
}

static bool take_behind_value(Parser *parser)
{
  switch (parser->token.kind) {
    case TOKEN_OPERATOR:
      return take_binary(parser);
    case TOKEN_IF:
      return take_if(parser);
    case TOKEN_ELSE:
      return take_else(parser);
    case TOKEN_MARK:
      return take_mark(parser);
    default:
      return reduce_down_to(parser, RANK_CONDITIONAL) && fail_behind_value(parser);
  }
}

// --- A whole text --------------------------------------------------------------------------------

static bool end_text(Parser *parser)
{
  if (parser->needs_value) return fail(parser, "a value expected");
  if (!reduce_down_to(parser, RANK_CONDITIONAL)) return false;
  if (parser->depth == 0) return true;
  const Pending *top = top_of(parser);
  bool square = top->kind == PENDING_LIST || top->kind == PENDING_INDEX;
  return scan_fail(parser->error, parser->token.position,
                   "`%c` expected, for the bracket at character %zu", square ? ']' : ')',
                   top->position);
}

static bool parse(Parser *parser)
{
  parser->needs_value = true;
  if (!scan_token(&parser->scanner, &parser->next)) return false;
  for (;;) {
    parser->token = parser->next;
    if (parser->token.kind == TOKEN_END) return end_text(parser);
    if (!scan_token(&parser->scanner, &parser->next)) return false;
    if (!(parser->needs_value ? take_value(parser) : take_behind_value(parser))) return false;
  }
}

Expression *expression_parse_anew(const char *text, ExpressionError *error)
{
  *error = (ExpressionError){0};
  if (strnlen(text, EXPRESSION_TEXT_MAX + 1) > EXPRESSION_TEXT_MAX) {
    scan_fail(error, 1, "an expression has at most %d bytes", EXPRESSION_TEXT_MAX);
    return NULL;
  }
  Parser *parser = calloc(1, sizeof *parser);
  Expression *expression = calloc(1, sizeof *expression);
  bool parsed = false;
  if (parser && expression && (expression->text = strdup(text))) {
    expression->references = 1;
    parser->error = error;
    parser->expression = expression;
    parser->scanner = (Scanner){expression->text, expression->text, error, expression->text, 1};
    parsed = parse(parser);
  } else {
    scan_fail(error, 0, "out of memory");
  }
  free(parser);
  if (parsed) return expression;
  expression_end(expression);
  return NULL;
}

void expression_end(Expression *expression)
{
  if (!expression) return;
  for (size_t i = 0; i < expression->constant_count; ++i)
    expression_value_free(&expression->constants[i]);
  free(expression->text);
  free(expression->steps);
  free(expression->constants);
  free(expression->names);
  free(expression->calls);
  free(expression);
}

const char *expression_text(const Expression *expression)
{
  return expression->text;
}

const char *expression_name(const Expression *expression, size_t i)
{
  return i < expression->name_count ? expression->names[i].name : NULL;
}

size_t expression_name_position(const Expression *expression, size_t i)
{
  return i < expression->name_count ? expression->names[i].position : 0;
}
