// SPDX-License-Identifier: Apache-2.0
// Mutants of the slot in which an error is raised.
#include "mutants/mutant.h"

MUTANT_WITHOUT(ERR_1, no_backtrace, Backtrace, "there is no TVMFFIBacktrace");

MUTANT(ERR_3, output_not_written, ErrorMoveFromRaised,
       "the output is not written when nothing is raised")
{
  TVMFFIObjectHandle error = NULL;
  REFERENCE(ErrorMoveFromRaised)(&error);
  if (error != NULL) *result = error;
}

MUTANT(ERR_4, reference_added, ErrorMoveFromRaised,
       "moving gives the caller a reference, and forgets that of the slot")
{
  REFERENCE(ErrorMoveFromRaised)(result);
  if (*result != NULL) TVMFFIObjectIncRef(*result);
}

MUTANT(ERR_5, moved_twice, ErrorMoveFromRaised, "the error that was moved out is found once more")
{
  static _Thread_local TVMFFIObjectHandle last;  // own
  REFERENCE(ErrorMoveFromRaised)(result);
  TVMFFIObjectHandle moved = *result;
  if (moved == NULL) *result = last;
  if (moved != NULL && last != NULL) TVMFFIObjectDecRef(last);
  if (moved != NULL) TVMFFIObjectIncRef(moved);
  last = moved;
}

MUTANT(ERR_6, reference_taken_over, ErrorSetRaised,
       "raising takes over the reference of the caller")
{
  REFERENCE(ErrorSetRaised)(error);
  if (error != NULL) TVMFFIObjectDecRef(error);
}

MUTANT(ERR_7, earlier_error_lost, ErrorSetRaisedFromCStr,
       "the earlier error is not released when C strings are raised")
{
  TVMFFIObjectHandle lost = NULL;
  TVMFFIErrorMoveFromRaised(&lost);
  REFERENCE(ErrorSetRaisedFromCStr)(kind, message);
}

MUTANT(ERR_7, first_error_wins, ErrorSetRaised,
       "an error that is in the slot stays when another is raised")
{
  TVMFFIObjectHandle earlier = NULL;
  TVMFFIErrorMoveFromRaised(&earlier);
  if (earlier == NULL || error == NULL || error == earlier) {
    REFERENCE(ErrorSetRaised)(error);
  } else {
    REFERENCE(ErrorSetRaised)(earlier);
  }
  if (earlier != NULL) TVMFFIObjectDecRef(earlier);
}

MUTANT(ERR_8, released_first, ErrorSetRaised,
       "the error in the slot is released before the new one is retained")
{
  TVMFFIObjectHandle earlier = NULL;
  TVMFFIErrorMoveFromRaised(&earlier);
  if (earlier != NULL) TVMFFIObjectDecRef(earlier);
  REFERENCE(ErrorSetRaised)(error);
}

MUTANT(ERR_9, null_ignored, ErrorSetRaised, "raising NULL leaves the slot as it is")
{
  if (error != NULL) REFERENCE(ErrorSetRaised)(error);
}

static TVMFFIObjectHandle shared;  // own

MUTANT(ERR_10, one_slot_for_all, ErrorMoveFromRaised,
       "an error object that is raised is found by whichever thread looks first")
{
  *result = __atomic_exchange_n(&shared, NULL, __ATOMIC_ACQ_REL);
  if (*result == NULL) REFERENCE(ErrorMoveFromRaised)(result);
}

ALSO(ERR_10, one_slot_for_all, ErrorSetRaised)
{
  REFERENCE(ErrorSetRaised)(error);
  TVMFFIObjectHandle raised = NULL;
  REFERENCE(ErrorMoveFromRaised)(&raised);
  TVMFFIObjectHandle earlier = __atomic_exchange_n(&shared, raised, __ATOMIC_ACQ_REL);
  if (earlier != NULL) TVMFFIObjectDecRef(earlier);
}

// tvm-ffi#592: the cell of an error that older code made ends before its cause.
MUTANT(ERR_11, causes_walked, ErrorSetRaised,
       "raising an error looks for its cause, of whomever the error is")
{
  char *volatile cell = (char *)((TVMFFIObject *)error + 1);
  if (error != NULL) (void)*(void *volatile *)(void *)(cell + 56);
  REFERENCE(ErrorSetRaised)(error);
}

MUTANT(ERR_12, call_clears, FunctionCall, "calling a function clears the slot first")
{
  TVMFFIErrorSetRaised(NULL);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(ERR_12, unknown_name_raised, FunctionGetGlobal,
       "looking up a name that nobody has entered raises an error, and returns 0")
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && *out == NULL) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such function");
  return status;
}
