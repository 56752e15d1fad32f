// SPDX-License-Identifier: Apache-2.0
// What is exported, and signals: the functions of an interpreter that the runtime calls.
#include "battery/battery.h"

CHAPTER(env);

static const struct {
  const char *name;
  AbiFunctionId function;
} exports[] = {
    {"set_stream", FN_EnvSetStream},
    {"get_stream", FN_EnvGetStream},
    {"set_tensor_allocator", FN_EnvSetDLPackManagedTensorAllocator},
    {"get_tensor_allocator", FN_EnvGetDLPackManagedTensorAllocator},
    {"tensor_alloc", FN_EnvTensorAlloc},
    {"check_signals", FN_EnvCheckSignals},
    {"register_c_api", FN_EnvRegisterCAPI},
};

CASE_ROWS(exports_its_functions, exports, .clauses = {ENV_1},
          .title = "the runtime exports the functions of streams, tensor allocators and signals")
{
  expect_that(iut_has(iut, row->function), abi_functions[row->function].symbol, "no such symbol");
}

static const struct {
  const char *name;
  AbiFunctionId function;
} custom[] = {{"get", FN_GetCustomAllocator}, {"set", FN_SetCustomAllocator}};

CASE_ROWS(exports_the_custom_allocator, custom, .clauses = {ENV_2},
          .title = "the runtime exports the functions of the custom allocator")
{
  expect_that(iut_has(iut, row->function), abi_functions[row->function].symbol, "no such symbol");
}

//--------------------------------------------------------------------------------------------------
// An interpreter of ours
//--------------------------------------------------------------------------------------------------

// Which of its functions were called, in which order: E, C, O (another C), R.
static char calls[32];
static int lock_taken, lock_given_back;  // PyGILState_STATE is an enumeration
static int signal_code;
static const char *signal_kind;  // raised before a check returns, unless NULL
static Iut *signal_iut;

static void log_call(char letter)
{
  size_t count = strlen(calls);
  if (count + 1 < sizeof calls) calls[count] = letter;
}

static int take_lock(void)
{
  log_call('E');
  return lock_taken;
}

static void give_lock_back(int state)
{
  log_call('R');
  lock_given_back = state;
}

static int check(void)
{
  log_call('C');
  if (signal_kind) signal_iut->ErrorSetRaisedFromCStr(signal_kind, "stopped by the user");
  return signal_code;
}

static int check_otherwise(void)
{
  log_call('O');
  return 0;
}

// Registers the function under the name, which is fenced, and wants success.
#define register_function(iut, name, function)                                     \
  do {                                                                             \
    __typeof__(function) function_ = (function);                                   \
    void *symbol_;                                                                 \
    memcpy(&symbol_, &function_, sizeof symbol_);                                  \
    require(expect_ok(iut, (iut)->EnvRegisterCAPI(fenced_string(name), symbol_))); \
  } while (0)

static void register_interpreter(Iut *iut)
{
  lock_taken = 1;
  signal_iut = iut;
  register_function(iut, "PyGILState_Ensure", &take_lock);
  register_function(iut, "PyGILState_Release", &give_lock_back);
  register_function(iut, "PyErr_CheckSignals", &check);
}

static bool expect_calls(const char *expected)
{
  bool good = expect_that(strcmp(calls, expected) == 0, *expected ? expected : "no calls",
                          "calls: \"%s\"", calls);
  memset(calls, 0, sizeof calls);
  return good;
}

//--------------------------------------------------------------------------------------------------
// Signals
//--------------------------------------------------------------------------------------------------

CASE(without_an_interpreter_there_are_no_signals, .clauses = {ENV_28},
     .title = "checking signals returns 0 and raises nothing while no check is registered")
{
  for (int i = 0; i < 3; ++i) expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_no_error(iut);
}

CASE(lock_alone_is_no_check, .clauses = {ENV_28},
     .title =
         "checking signals returns 0 and raises nothing when only the lock functions are "
         "registered")
{
  register_function(iut, "PyGILState_Ensure", &take_lock);
  register_function(iut, "PyGILState_Release", &give_lock_back);
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_no_error(iut);
}

CASE(three_functions_can_be_registered, .clauses = {ENV_29},
     .title = "the check and the two functions of the lock can be registered")
{
  register_interpreter(iut);
}

CASE(function_registered_last_is_used, .clauses = {ENV_46},
     .title = "the three functions can be registered again, and the last one is used")
{
  register_interpreter(iut);
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_calls("ECR");
  note("another check");
  register_function(iut, "PyErr_CheckSignals", &check_otherwise);
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_calls("EOR");
  note("all three once more");
  register_interpreter(iut);
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_calls("ECR");
}

static const struct {
  const char *name;
  const char *function;
} strangers[] = {
    {"empty", ""},
    {"prefix", "PyErr_CheckSignal"},
    {"first_letter", "P"},
    {"more", "PyErr_CheckSignals_"},
    {"other_case", "pyerr_checksignals"},
    {"lock", "PyGILState_"},
    {"lock_and_more", "PyGILState_Ensured"},
    {"half", "PyGILState_Rel"},
    {"another_function", "PyEval_SaveThread"},
};

CASE_ROWS(other_names_are_refused, strangers, .clauses = {ENV_30}, .wrong_call = true,
          .title = "any other name is refused with a ValueError, and changes nothing")
{
  register_interpreter(iut);
  expect_error(iut, iut->EnvRegisterCAPI(fenced_string(row->function), NULL), "ValueError");
  expect_error(iut, iut->EnvRegisterCAPI(fenced_string(row->function), &calls), "ValueError");
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_calls("ECR");
}

CASE(signals_are_checked_under_the_lock, .clauses = {ENV_31},
     .title =
         "checking signals takes the lock, calls the check, and releases the lock with what taking "
         "it returned, each once")
{
  register_interpreter(iut);
  static const int states[] = {1, 2, INT32_MAX};
  for (unsigned i = 0; i < 3; ++i) {
    lock_taken = states[i];
    lock_given_back = 0;
    expect_int("result of the check", iut->EnvCheckSignals(), 0);
    expect_calls("ECR");
    expect_int("what is given back", lock_given_back, states[i]);
  }
  expect_no_error(iut);
}

static const struct {
  const char *name;
  int code;
} codes[] = {{"minus_1", -1}, {"1", 1}, {"minus_2", -2}, {"256", 256}, {"smallest", INT32_MIN}};

CASE_ROWS(signal_is_a_failure, codes, .clauses = {ENV_32},
          .title =
              "a check that returns another code than 0 makes the call fail, after the lock was "
              "given back, with the error that was raised")
{
  register_interpreter(iut);
  signal_code = row->code;
  signal_kind = "KeyboardInterrupt";
  expect_that(iut->EnvCheckSignals() != 0, "a failure", "0");
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("error raised", error));
  expect_text("kind", error_cell(iut, error)->kind, "KeyboardInterrupt");
  release_object(iut, error);
  expect_calls("ECR");
  expect_int("what is given back", lock_given_back, lock_taken);
  note("without an error");
  signal_kind = NULL;
  expect_that(iut->EnvCheckSignals() != 0, "a failure", "0");
  expect_calls("ECR");
  note("without a signal");
  signal_code = 0;
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
}

CASE(
    null_takes_the_check_away, .clauses = {ENV_33}, .wrong_call = true,
    .title = "after NULL was registered as the check, checking signals returns 0 and calls nothing")
{
  register_interpreter(iut);
  signal_code = -1;
  expect_that(iut->EnvCheckSignals() != 0, "a failure", "0");
  expect_calls("ECR");
  note("NULL as the check");
  require(expect_ok(iut, iut->EnvRegisterCAPI(fenced_string("PyErr_CheckSignals"), NULL)));
  expect_int("result of the check", iut->EnvCheckSignals(), 0);
  expect_calls("");
  expect_no_error(iut);
}
