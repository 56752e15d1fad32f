// SPDX-License-Identifier: Apache-2.0
// The C++ functions that the official headers declare and the official library has. Each hands on
// to the function of the runtime that does the work: a registered one, found by its name. Their
// mangled names and the layout of what they take come from the headers that this is compiled
// with. (ModuleObj::ImportModule and ModuleObj::ClearImports are in the runtime itself, with the
// table of virtual functions that they belong to: module/module_cxx_table.c.)
#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/function.h>

#include <exception>

#include "module/context_symbol.h"

namespace
{
using tvm::ffi::Any;
using tvm::ffi::Function;
using tvm::ffi::String;

// A registered function, looked up at its first use. It is never released: libraries call these
// functions until the process ends.
#define REGISTERED(name)                                                                     \
  ([]() -> const Function & {                                                                \
    static const Function *const function = new Function(Function::GetGlobalRequired(name)); \
    return *function;                                                                        \
  }())

// Whoever visits context symbols may throw, which must not pass through C.
struct SymbolVisit {
  const tvm::ffi::TypedFunction<void(String, void *)> &callback;
  std::exception_ptr thrown;
};

int VisitSymbol(const char *name, void *address, void *state)
{
  auto *visit = static_cast<SymbolVisit *>(state);
  try {
    visit->callback(name, address);
    return 0;
  } catch (...) {
    visit->thrown = std::current_exception();
    return -1;
  }
}
}  // namespace

// Headers of 0.1.15 declare this with a reference, those of 0.1.12 with a value: there are both.
#define STRINGIFY(name, Indent, symbol)                                        \
  TVM_FFI_EXTRA_CXX_API String name(const Any &value, Indent) __asm__(symbol); \
  String name(const Any &value, Indent indent)                                 \
  {                                                                            \
    return REGISTERED("ffi.json.Stringify")(value, indent).cast<String>();     \
  }
STRINGIFY(StringifyByReference, const tvm::ffi::Optional<int> &,
          "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE")
STRINGIFY(StringifyByValue, tvm::ffi::Optional<int>,
          "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE")

namespace tvm
{
namespace ffi
{
//--------------------------------------------------------------------------------------------------
// Modules
//--------------------------------------------------------------------------------------------------

Module Module::LoadFromFile(const String &file_name)
{
  return REGISTERED("ffi.ModuleLoadFromFile")(file_name).cast<Module>();
}

void Module::VisitContextSymbols(const TypedFunction<void(String, void *)> &callback)
{
  SymbolVisit visit = {callback, nullptr};
  context_symbol_visit_all(VisitSymbol, &visit);
  if (visit.thrown) std::rethrow_exception(visit.thrown);
}

Optional<Function> ModuleObj::GetFunction(const String &name, bool query_imports)
{
  return REGISTERED("ffi.ModuleGetFunction")(this, name, query_imports).cast<Optional<Function>>();
}

bool ModuleObj::ImplementsFunction(const String &name, bool query_imports)
{
  return REGISTERED("ffi.ModuleImplementsFunction")(this, name, query_imports).cast<bool>();
}

Optional<String> ModuleObj::GetFunctionDoc(const String &name, bool query_imports)
{
  return REGISTERED("ffi.ModuleGetFunctionDoc")(this, name, query_imports).cast<Optional<String>>();
}

Optional<String> ModuleObj::GetFunctionMetadata(const String &name, bool query_imports)
{
  return REGISTERED("ffi.ModuleGetFunctionMetadata")(this, name, query_imports)
      .cast<Optional<String>>();
}

//--------------------------------------------------------------------------------------------------
// Values with all that is in them
//--------------------------------------------------------------------------------------------------

Any DeepCopy(const Any &value)
{
  return REGISTERED("ffi.DeepCopy")(value);
}

String ReprPrint(const Any &value)
{
  return REGISTERED("ffi.ReprPrint")(value).cast<String>();
}

int64_t RecursiveHash(const Any &value)
{
  return REGISTERED("ffi.RecursiveHash")(value).cast<int64_t>();
}

bool RecursiveEq(const Any &lhs, const Any &rhs)
{
  return REGISTERED("ffi.RecursiveEq")(lhs, rhs).cast<bool>();
}

bool RecursiveLt(const Any &lhs, const Any &rhs)
{
  return REGISTERED("ffi.RecursiveLt")(lhs, rhs).cast<bool>();
}

bool RecursiveLe(const Any &lhs, const Any &rhs)
{
  return REGISTERED("ffi.RecursiveLe")(lhs, rhs).cast<bool>();
}

bool RecursiveGt(const Any &lhs, const Any &rhs)
{
  return REGISTERED("ffi.RecursiveGt")(lhs, rhs).cast<bool>();
}

bool RecursiveGe(const Any &lhs, const Any &rhs)
{
  return REGISTERED("ffi.RecursiveGe")(lhs, rhs).cast<bool>();
}

//--------------------------------------------------------------------------------------------------
// Values by their structure
//--------------------------------------------------------------------------------------------------

bool StructuralEqual::Equal(const Any &lhs, const Any &rhs, bool map_free_vars,
                            bool skip_tensor_content)
{
  return REGISTERED("ffi.StructuralEqual")(lhs, rhs, map_free_vars, skip_tensor_content)
      .cast<bool>();
}

Optional<reflection::AccessPathPair> StructuralEqual::GetFirstMismatch(const Any &lhs,
                                                                       const Any &rhs,
                                                                       bool map_free_vars,
                                                                       bool skip_tensor_content)
{
  return REGISTERED("ffi.GetFirstStructuralMismatch")(lhs, rhs, map_free_vars, skip_tensor_content)
      .cast<Optional<reflection::AccessPathPair>>();
}

// The registered function gives the 64 bits as a signed number.
uint64_t StructuralHash::Hash(const Any &value, bool map_free_vars, bool skip_tensor_content)
{
  return static_cast<uint64_t>(
      REGISTERED("ffi.StructuralHash")(value, map_free_vars, skip_tensor_content).cast<int64_t>());
}

Array<reflection::AccessPath> VisitErrorContext::FindAccessPaths(
    const ObjectRef &root, const VisitErrorContext &visit_context, bool allow_prefix_match)
{
  return REGISTERED("ffi.VisitErrorContext.FindAccessPaths")(root, visit_context,
                                                             allow_prefix_match)
      .cast<Array<reflection::AccessPath>>();
}

//--------------------------------------------------------------------------------------------------
// JSON
//--------------------------------------------------------------------------------------------------

// Without error_msg an error is thrown; with it, it is written there and the value is None.
json::Value json::Parse(const String &json_str, String *error_msg)
{
  const Function &parse = REGISTERED("ffi.json.Parse");
  if (error_msg == nullptr) return parse(json_str);
  try {
    json::Value value = parse(json_str);
    *error_msg = "";
    return value;
  } catch (const Error &error) {
    *error_msg = error.message();
    return nullptr;
  }
}

json::Value ToJSONGraph(const Any &value, const Any &metadata)
{
  return REGISTERED("ffi.ToJSONGraph")(value, metadata);
}

Any FromJSONGraph(const json::Value &value)
{
  return REGISTERED("ffi.FromJSONGraph")(value);
}
}  // namespace ffi
}  // namespace tvm
