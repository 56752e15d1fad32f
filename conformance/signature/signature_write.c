// SPDX-License-Identifier: Apache-2.0
#include "signature/signature_write.h"

#include <string.h>

#include "signature/signature_words.h"
#include "signature/signature_writing.h"

// A list, or an object, as a member unless it is empty. Takes it over.
static void set_unless_empty(json_t *object, const char *member, json_t *value)
{
  if (json_array_size(value) || json_object_size(value)) json_object_set(object, member, value);
  json_decref(value);
}

static json_t *write_variables(const Signature *of, SignatureRange variables, bool sizes)
{
  json_t *object = json_object();
  for (uint32_t i = 0; i < variables.count; ++i) {
    const SignatureVariable *variable = signature_variable(of, variables.first + i);
    json_object_set_new(
        object, signature_text(of, variable->name),
        sizes ? writing_one_or_more(of, variable->values) : writing_values(of, variable->values));
  }
  return object;
}

static json_t *write_expected(const Signature *of, SignatureRange range)
{
  json_t *object = json_object();
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureExpected *expected = signature_expected(of, range.first + i);
    const char *npy = signature_text(of, expected->npy);
    json_object_set_new(
        object, signature_text(of, expected->of),
        *npy ? json_pack("{s:s}", "npy", npy) : json_string(signature_text(of, expected->formula)));
  }
  return object;
}

static json_t *write_settings(const Signature *of, SignatureRange range)
{
  json_t *object = json_object();
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureSetting *setting = signature_setting(of, range.first + i);
    json_object_set_new(object, signature_text(of, setting->name),
                        writing_value(of, setting->value));
  }
  return object;
}

static json_t *write_refusals(const Signature *of, SignatureRange range)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureRefusal *refusal = signature_refusal(of, range.first + i);
    json_t *object = json_object();
    writing_text(object, "when", of, refusal->when);
    if (!signature_text(of, refusal->when)[0])
      json_object_set_new(object, "with", write_settings(of, refusal->with));
    writing_text(object, "kind", of, refusal->kind);
    writing_text(object, "message", of, refusal->message);
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *write_refused(const Signature *of, const SignatureCall *call)
{
  json_t *refused = json_object();
  writing_text(refused, "kind", of, call->kind);
  writing_text(refused, "message", of, call->message);
  return refused;
}

static json_t *write_calls(const Signature *of, SignatureRange range)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureCall *call = signature_call(of, range.first + i);
    json_t *object = json_object();
    writing_text(object, "text", of, call->text);
    json_object_set_new(object, "arguments", write_settings(of, call->arguments));
    set_unless_empty(object, "expected", write_expected(of, call->expected));
    if (call->refused) json_object_set_new(object, "refused", write_refused(of, call));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *write_step(const Signature *of, const SignatureStep *step)
{
  const SignatureRange arguments = step->call.arguments;
  const char *object = signature_text(of, step->object), *name = signature_text(of, step->function);
  json_t *written = json_object(), *list = json_array();
  json_object_set_new(written, "call",
                      json_sprintf("%s%s%s", object, *object && *name ? "." : "", name));
  for (uint32_t i = 0; i < arguments.count; ++i)
    json_array_append_new(list,
                          writing_value(of, signature_setting(of, arguments.first + i)->value));
  const bool named = arguments.count && signature_setting(of, arguments.first)->name;
  if (named) json_object_set_new(written, "arguments", write_settings(of, arguments));
  set_unless_empty(written, "arguments", named ? json_object() : json_incref(list));
  json_decref(list);
  writing_text(written, "keep", of, step->keep);
  set_unless_empty(written, "expected", write_expected(of, step->call.expected));
  if (step->call.refused) json_object_set_new(written, "refused", write_refused(of, &step->call));
  writing_text(written, "text", of, step->call.text);
  return written;
}

static json_t *write_steps(const Signature *of, SignatureRange range)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < range.count; ++i)
    json_array_append_new(list, write_step(of, signature_step(of, range.first + i)));
  return list;
}

static json_t *write_sequences(const Signature *of, SignatureRange range)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureSequence *sequence = signature_sequence(of, range.first + i);
    json_t *object = json_object();
    writing_text(object, "text", of, sequence->text);
    if (sequence->repeatable) json_object_set_new(object, "repeatable", json_true());
    json_object_set_new(object, "steps", write_steps(of, sequence->steps));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *write_conditions(const Signature *of, SignatureRange range)
{
  json_t *list = json_array();
  for (uint32_t i = 0; i < range.count; ++i)
    json_array_append_new(list, json_string(signature_condition(of, range.first + i)));
  return list;
}

static json_t *write_checks(unsigned checks)
{
  static const char *const names[] = {"arity", "kind",   "dtype",  "rank",
                                      "shape", "device", "layout", "value"};
  json_t *list = json_array();
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i)
    if (checks & (1U << i)) json_array_append_new(list, json_string(names[i]));
  return list;
}

static void write_tolerance(const Signature *of, SignatureRange range, json_t *object)
{
  json_t *all = json_object();
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureTolerance *tolerance = signature_tolerance(of, range.first + i);
    const char *dtype = signature_text(of, tolerance->dtype);
    json_object_set_new(*dtype ? all : object, *dtype ? dtype : "tolerance",
                        json_real(tolerance->relative));
  }
  set_unless_empty(object, "tolerance", all);
}

static void write_form(const Signature *of, const SignatureForm *form, json_t *object)
{
  json_t *parameters = json_array();
  for (uint32_t i = 0; i < form->parameters.count; ++i)
    json_array_append_new(parameters, writing_type(of, form->parameters.first + i, (int)i, false));
  json_object_set_new(object, "parameters", parameters);
  if (form->rest != SIGNATURE_NONE) {
    const SignatureType *rest = signature_type(of, form->rest);
    json_t *written = writing_type(of, form->rest, -1, false);
    // (What lists lengths elsewhere lists how many there are.)
    if (rest->lengths.count) {
      json_object_del(written, "length");
      writing_text(written, "length", of, rest->length);
      json_object_set_new(written, "counts", writing_values(of, rest->lengths));
    }
    json_object_set_new(object, "rest", written);
  }
  if (form->result != SIGNATURE_NONE)
    json_object_set_new(object, "result", writing_type(of, form->result, -1, true));
  set_unless_empty(object, "sizes", write_variables(of, form->sizes, true));
  set_unless_empty(object, "dtypes", write_variables(of, form->dtypes, false));
  set_unless_empty(object, "devices", write_variables(of, form->devices, false));
  set_unless_empty(object, "where", write_conditions(of, form->where));
  set_unless_empty(object, "refuses", write_refusals(of, form->refusals));
  json_t *promises = json_array();
  for (unsigned i = 0; signature_promise_words[i]; ++i)
    if (form->promises >> i & 1)
      json_array_append_new(promises, json_string(signature_promise_words[i]));
  if (form->promises) json_object_set(object, "promises", promises);
  json_decref(promises);
  if (form->launches) json_object_set_new(object, "launches", json_true());
  if (form->only_calls) json_object_set_new(object, "combinations", json_string("calls"));
  if (form->example_of_calls) json_object_set_new(object, "example", json_string("calls"));
  set_unless_empty(object, "expected", write_expected(of, form->expected));
  write_tolerance(of, form->tolerances, object);
  set_unless_empty(object, "calls", write_calls(of, form->calls));
  set_unless_empty(object, "needs", write_steps(of, form->needs));
  set_unless_empty(object, "sequences", write_sequences(of, form->sequences));
  if (of->origin == SIGNATURE_FROM_FILE && form->checks == 0)
    json_object_set_new(object, "checks", json_false());
  else if (of->origin == SIGNATURE_FROM_FILE && form->checks != SIGNATURE_CHECKS_ALL)
    json_object_set_new(object, "checks", write_checks(form->checks));
}

json_t *signature_write_function(const Signature *signature)
{
  json_t *object = json_object(), *forms = json_array();
  if (writing_is_guess(signature)) json_object_set_new(object, "tentative", json_true());
  if (signature->forms.count == 1) write_form(signature, signature_form(signature, 0), object);
  for (uint32_t i = 0; signature->forms.count > 1 && i < signature->forms.count; ++i) {
    json_t *form = json_object();
    write_form(signature, signature_form(signature, i), form);
    json_array_append_new(forms, form);
  }
  set_unless_empty(object, "signatures", forms);
  return object;
}
