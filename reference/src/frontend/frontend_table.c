// SPDX-License-Identifier: Apache-2.0
#include "frontend/frontend_table.h"

#include "frontend/compare.h"
#include "frontend/copy.h"
#include "frontend/device.h"
#include "frontend/graph.h"
#include "frontend/hash.h"
#include "frontend/init.h"
#include "frontend/json_parse.h"
#include "frontend/json_write.h"
#include "frontend/made.h"
#include "frontend/place.h"
#include "frontend/repr.h"
#include "frontend/structural_equal.h"
#include "frontend/structural_hash.h"
#include "frontend/structural_key.h"
#include "frontend/structural_mutate.h"
#include "frontend/structural_visit.h"
#include "frontend/visit_context.h"
#include "native/rows.h"

const NativeSpec frontend_table[] = {
    // Values with all that is in them
    {F1("ffi.DeepCopy", copy_deep, ANY, ANY)},
    {F1("ffi.ReprPrint", repr_print, STR, ANY)},
    {F1("ffi.RecursiveHash", hash_recursive, INT, ANY)},
    {F2("ffi.RecursiveEq", compare_equal, BOOL, ANY, ANY)},
    {F2("ffi.RecursiveLt", compare_less, BOOL, ANY, ANY)},
    {F2("ffi.RecursiveLe", compare_less_equal, BOOL, ANY, ANY)},
    {F2("ffi.RecursiveGt", compare_greater, BOOL, ANY, ANY)},
    {F2("ffi.RecursiveGe", compare_greater_equal, BOOL, ANY, ANY)},
    {F1("ffi.ContainerFindFirstNonCPUDevice", device_find, DEVICE, ANY)},
    // Values by their structure
    {F4("ffi.StructuralEqual", structural_equal, BOOL, ANY, ANY, BOOL, BOOL)},
    {F4("ffi.GetFirstStructuralMismatch", structural_mismatch, ANY, ANY, ANY, BOOL, BOOL)},
    {F3("ffi.StructuralHash", structural_hash, INT, ANY, BOOL, BOOL)},
    {F1("ffi.StructuralKey", structural_key_make, OBJECT, ANY)},
    {F2("ffi.StructuralKeyEqual", structural_key_equal, BOOL, ANY, ANY)},
    {F4("ffi.StructuralWalk", structural_walk, ANY, ANY, ANY, ANY, INT)},
    {F2("ffi.StructuralVisit", structural_visit, ANY, ANY, ANY)},
    {F1("ffi.VisitInterrupt", structural_interrupt, OBJECT, ANY)},
    {F2("ffi.StructuralVisitorVisit", visitor_visit, ANY, ANY, ANY)},
    {F2("ffi.StructuralVisitorDefaultVisit", visitor_default_visit, ANY, ANY, ANY)},
    {F1("ffi.StructuralVisitorDefRegionKind", visitor_region, INT, ANY)},
    {F3("ffi.StructuralVisitorWithDefRegionKind", visitor_with_region, ANY, ANY, INT, FUNCTION)},
    {F4_DIRECT("ffi.StructuralMap", structural_map, ANY, ANY, ANY, ANY, INT, structural_call_map)},
    {F2_DIRECT("ffi.StructuralMutate", structural_mutate, ANY, ANY, ANY, structural_call_mutate)},
    {F2("ffi.StructuralMutatorMutate", mutator_mutate, ANY, ANY, ANY)},
    {F2("ffi.StructuralMutatorDefaultMutate", mutator_default_mutate, ANY, ANY, ANY)},
    {F1("ffi.StructuralMutatorDefRegionKind", mutator_region, INT, ANY)},
    {F3("ffi.StructuralMutatorWithDefRegionKind", mutator_with_region, ANY, ANY, INT, FUNCTION)},
    {F2("ffi.StructuralMutatorVarRemapGet", mutator_get, ANY, ANY, ANY)},
    {F3("ffi.StructuralMutatorVarRemapSet", mutator_set, ANY, ANY, ANY, ANY)},
    {F3("ffi.VisitErrorContext.FindAccessPaths", visit_context_find, ARRAY, ANY, ANY, BOOL)},
    // Classes that are described by their fields
    {F1("ffi.MakeFieldGetter", place_make_getter, INT, INT)},
    {F3("ffi.MakeFieldSetter", place_make_setter, FUNCTION, INT, INT, INT)},
    {F1("ffi._RegisterFFIInit", init_register, VOID, INT)},
    {F2("ffi._PyClassRegisterTypeAttrColumns", made_register, VOID, INT, INT)},
    // JSON
    {F1("ffi.json.Parse", json_parse, ANY, STR)},
    {F2("ffi.json.Stringify", json_write, STR, ANY, MAYBE_INT)},
    {F2("ffi.ToJSONGraph", graph_to_json, ANY, ANY, ANY)},
    {F2("ffi.ToJSONGraphString", graph_to_text, STR, ANY, ANY)},
    {F1("ffi.FromJSONGraph", graph_from_json, ANY, ANY)},
    {F1("ffi.FromJSONGraphString", graph_from_text, ANY, STR)},
};
_Static_assert(sizeof frontend_table / sizeof *frontend_table == FRONTEND_TABLE_COUNT, "");
