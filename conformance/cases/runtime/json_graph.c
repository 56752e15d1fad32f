// SPDX-License-Identifier: Apache-2.0
// Values stored as graphs of objects, and read again.
#include "cases/runtime/integer_number.h"
#include "cases/runtime/json_text.h"

CHAPTER(json);

static const char to_graph[] = "ffi.ToJSONGraph", to_text[] = "ffi.ToJSONGraphString";
static const char from_graph[] = "ffi.FromJSONGraph", from_text[] = "ffi.FromJSONGraphString";

CASE(graph_functions_are_registered, .clauses = {JSON_20},
     .title = "the functions that store values as graphs are registered from the start")
{
  const char *const names[] = {to_graph, to_text, from_graph, from_text};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    expect_that(is_registered(iut, names[i]), names[i], "no such function");
  }
}

// --- What is written -----------------------------------------------------------------------------

static TVMFFIAny item_of(Iut *iut, TVMFFIAny map, const char *key)
{
  TVMFFIAny name = json_string(iut, key, strlen(key));
  TVMFFIAny value = value_of(iut, "ffi.MapGetItem", VALUES(map, name));
  release_any(iut, &name);
  return value;
}

static TVMFFIAny node_of(Iut *iut, TVMFFIAny nodes, TVMFFIAny number)
{
  require(expect_int("type index of the number of a node", number.type_index, kTVMFFIInt));
  require(expect_int("type index of `nodes`", nodes.type_index, kTVMFFIArray));
  int64_t count = sequence_cell(iut, nodes.v_obj)->size;
  require(expect_that(number.v_int64 >= 0 && number.v_int64 < count, "the number of a node",
                      "%" PRId64 " of %" PRId64 " nodes", number.v_int64, count));
  return sequence_elements(iut, nodes.v_obj)[number.v_int64];
}

// A node has this type and these data.
// bool expect_node(Iut *iut, TVMFFIAny node, const char *type, const char *data)
#define expect_node(...) expect_node_(EXPECT_HERE_, __VA_ARGS__)
static bool expect_node_(const char *at, Iut *iut, TVMFFIAny node, const char *type,
                         const char *data)
{
  TVMFFIAny key = item_of(iut, node, "type"), value = item_of(iut, node, "data");
  JsonShown shown = {.size = 0};
  json_show(iut, value, &shown);
  bool same = expect_text_(at, "type", content_of(iut, &key), type) &&
              expect_text_(at, "data", (TVMFFIByteArray){shown.text, shown.size}, data);
  release_any(iut, &value);
  release_any(iut, &key);
  return same;
}

typedef struct {
  const char *type, *data;
} Element;

static const Element elements[] = {{"int", "7"},
                                   {"bool", "t"},
                                   {"float", "2.50000000000000000e+00"},
                                   {"ffi.String", "'a'"},
                                   {"ffi.String", "'a string that lies elsewhere'"}};
enum { ELEMENTS = sizeof elements / sizeof *elements };

// Own: an Array of what the table names.
static TVMFFIAny new_value(Iut *iut)
{
  return json_value(iut, "[7,true,2.5,\"a\",\"a string that lies elsewhere\"]");
}

static void expect_graph(Iut *iut, TVMFFIAny graph)
{
  require(expect_int("type index of the graph", graph.type_index, kTVMFFIMap));
  TVMFFIAny nodes = item_of(iut, graph, "nodes"), root = item_of(iut, graph, "root_index");
  TVMFFIAny node = node_of(iut, nodes, root), data = item_of(iut, node, "data");
  TVMFFIAny type = item_of(iut, node, "type");
  expect_text("type of the root", content_of(iut, &type), "ffi.Array");
  require(expect_int("type index of its data", data.type_index, kTVMFFIArray));
  require(expect_int("its elements", sequence_cell(iut, data.v_obj)->size, ELEMENTS));
  for (int i = 0; i < ELEMENTS; ++i) {
    note("element %d", i);
    TVMFFIAny number = sequence_elements(iut, data.v_obj)[i];
    expect_node(iut, node_of(iut, nodes, number), elements[i].type, elements[i].data);
  }
  release_any(iut, &type);
  release_any(iut, &data);
  release_any(iut, &root);
  release_any(iut, &nodes);
}

CASE(graph_has_nodes, .clauses = {JSON_21},
     .title = "a graph has a node of its type for each value, and the number of its root")
{
  TVMFFIAny value = new_value(iut), none = any_none();
  TVMFFIAny graph = value_of(iut, to_graph, VALUES(value, none));
  expect_graph(iut, graph);
  release_any(iut, &graph);
  TVMFFIAny text = value_of(iut, to_text, VALUES(value, none));
  note("the text");
  graph = value_of(iut, parse, VALUES(text));
  expect_graph(iut, graph);
  release_any(iut, &graph);
  release_any(iut, &text);
  release_any(iut, &value);
}

CASE(metadata_is_in_the_graph, .clauses = {JSON_22},
     .title = "metadata stands in the graph, and nothing where it is None")
{
  TVMFFIAny value = view_of_int(1), metadata = json_value(iut, "{\"version\":\"1.0\"}");
  TVMFFIAny graph = value_of(iut, to_graph, VALUES(value, metadata));
  TVMFFIAny stands = item_of(iut, graph, "metadata");
  JsonShown shown = {.size = 0};
  json_show(iut, stands, &shown);
  expect_text("metadata", (TVMFFIByteArray){shown.text, shown.size}, "{'version':'1.0'}");
  release_any(iut, &stands);
  release_any(iut, &graph);
  graph = value_of(iut, to_graph, VALUES(value, any_none()));
  TVMFFIAny name = json_string(iut, "metadata", 8);
  TVMFFIAny count = value_of(iut, "ffi.MapCount", VALUES(graph, name));
  expect_int("metadata where it is None", count.v_int64, 0);
  release_any(iut, &name);
  release_any(iut, &graph);
  release_any(iut, &metadata);
}

// --- Stored and read -----------------------------------------------------------------------------

// Own: what is read of what is written, through the text or not.
static TVMFFIAny stored_and_read(Iut *iut, TVMFFIAny value, bool through_text)
{
  TVMFFIAny graph = value_of(iut, through_text ? to_text : to_graph, VALUES(value, any_none()));
  TVMFFIAny read = value_of(iut, through_text ? from_text : from_graph, VALUES(graph));
  release_any(iut, &graph);
  return read;
}

static const struct {
  const char *name, *text;
} stored[] = {
    {"none", "null"},
    {"bools", "[true,false]"},
    {"integers", "[0,-1,9223372036854775807,-9223372036854775808]"},
    {"floats", "[0.0,2.5,-1e100,3.0]"},
    {"strings", "[\"\",\"a\",\"a string that lies elsewhere\"]"},
    {"arrays", "[[],[1,[2]],[[[]]]]"},
    {"maps", "{\"b\":{\"a\":[1,{}]},\"a\":null}"},
};

CASE_ROWS(value_is_stored_and_read, stored, .clauses = {JSON_23},
          .title = "a value that is stored as a graph and read is equal to what it was")
{
  TVMFFIAny value = json_value(iut, row->text);
  JsonShown before = {.size = 0};
  json_show(iut, value, &before);
  before.text[before.size] = '\0';
  for (int through_text = 0; through_text < 2; ++through_text) {
    TVMFFIAny read = stored_and_read(iut, value, through_text);
    JsonShown after = {.size = 0};
    json_show(iut, read, &after);
    expect_text(through_text ? "value read of the text" : "value read of the graph",
                (TVMFFIByteArray){after.text, after.size}, before.text);
    release_any(iut, &read);
  }
  release_any(iut, &value);
}

static const struct {
  const char *name, *digits;
  uint64_t words[2];
} integers[] = {
    {"above-int64", "9223372036854775808", {WORD_MIN, 0}},
    {"below-int64", "-9223372036854775809", {WORD_MAX, WORD_ONES}},
    {"power-of-two", "1267650600228229401496703205376", {0, UINT64_C(1) << 36}},
    {"negative-power", "-1267650600228229401496703205376", {0, WORD_ONES << 36}},
};

CASE_ROWS(large_integers_are_stored_and_read, integers, .clauses = {JSON_29},
          .title = "an integer of more than 64 bits is stored as its digits, and read again")
{
  TVMFFIAny value = big_integer_of(iut, row->words, 2);
  TVMFFIAny graph = value_of(iut, to_graph, VALUES(value, any_none()));
  TVMFFIAny nodes = item_of(iut, graph, "nodes");
  require(expect_int("nodes", sequence_cell(iut, nodes.v_obj)->size, 1));
  TVMFFIAny node = sequence_elements(iut, nodes.v_obj)[0];
  TVMFFIAny type = item_of(iut, node, "type"), data = item_of(iut, node, "data");
  expect_text("type of the node", content_of(iut, &type), "ffi.BigInt");
  expect_text("data of the node", content_of(iut, &data), row->digits);
  TVMFFIAny read = value_of(iut, from_graph, VALUES(graph));
  if (expect_type_index(&read, kTVMFFIBigInt)) expect_words(iut, &read, row->words, 2);
  TVMFFIAny *owned[] = {&read, &data, &type, &nodes, &graph, &value};
  for (int i = 0; i < 6; ++i) release_any(iut, owned[i]);
}

static const struct {
  const char *name, *bytes;
  size_t size;
} bytes_rows[] = {
    {"empty", "", 0},
    {"one", "\xff", 1},
    {"two", "a\0", 2},
    {"three", "abc", 3},
    {"long", "sixteen bytes, \xfe", 16},
};

CASE_ROWS(bytes_are_stored_and_read, bytes_rows, .clauses = {JSON_23},
          .title = "bytes that are stored as a graph and read are what they were")
{
  const TVMFFIByteArray *content = fenced_bytes(row->bytes, row->size);
  TVMFFIAny value = any_none();
  require(expect_ok(iut, iut->BytesFromByteArray(content, &value)));
  TVMFFIAny read = stored_and_read(iut, value, true);
  expect_int("type index", read.type_index, value.type_index);
  TVMFFIByteArray after = content_of(iut, &read);
  if (expect_int("size", (int64_t)after.size, (int64_t)row->size)) {
    expect_memory("bytes", after.data, after.size, row->bytes, row->size);
  }
  release_any(iut, &read);
  release_any(iut, &value);
}

CASE(keys_of_any_type_are_stored_and_read, .clauses = {JSON_23},
     .title = "a Map with ints and an Array as values and an int as key is read as it was")
{
  TVMFFIAny array = json_value(iut, "[5]");
  TVMFFIAny map = value_of(iut, "ffi.Map", VALUES(view_of_int(3), array));
  TVMFFIAny read = stored_and_read(iut, map, true);
  require(expect_int("type index", read.type_index, kTVMFFIMap));
  TVMFFIAny value = value_of(iut, "ffi.MapGetItem", VALUES(read, view_of_int(3)));
  JsonShown shown = {.size = 0};
  json_show(iut, value, &shown);
  expect_text("value", (TVMFFIByteArray){shown.text, shown.size}, "[5]");
  release_any(iut, &value);
  release_any(iut, &read);
  release_any(iut, &map);
  release_any(iut, &array);
}

CASE(shared_stays_shared, .clauses = {JSON_24},
     .title = "an Array and a Map that stand in an Array twice are one object each in what is read")
{
  TVMFFIAny array = json_value(iut, "[1]"), map = json_value(iut, "{\"a\":1}");
  TVMFFIAny value = value_of(iut, "ffi.Array", VALUES(array, map, array, map));
  for (int through_text = 0; through_text < 2; ++through_text) {
    TVMFFIAny read = stored_and_read(iut, value, through_text);
    require(expect_int("type index", read.type_index, kTVMFFIArray));
    require(expect_int("elements", sequence_cell(iut, read.v_obj)->size, 4));
    const TVMFFIAny *items = sequence_elements(iut, read.v_obj);
    expect_that(items[0].v_obj == items[2].v_obj, "one array", "two");
    expect_that(items[1].v_obj == items[3].v_obj, "one map", "two");
    release_any(iut, &read);
  }
  release_any(iut, &value);
  release_any(iut, &map);
  release_any(iut, &array);
}

// --- Refused -------------------------------------------------------------------------------------

static int read_graph(Iut *iut, const char *text, bool from_string, TVMFFIAny *result)
{
  TVMFFIAny argument = from_string ? json_string(iut, text, strlen(text)) : json_value(iut, text);
  *result = any_none();
  int code = call_registered(iut, result, from_string ? from_text : from_graph, VALUES(argument));
  release_any(iut, &argument);
  return code;
}

static void expect_graph_refused(Iut *iut, const char *text)
{
  for (int from_string = 0; from_string < 2; ++from_string) {
    TVMFFIAny value;
    note("%s", text);
    expect_error(iut, read_graph(iut, text, from_string, &value), NULL);
  }
}

#define NODE(type, data) "{\"type\":\"" type "\",\"data\":" data "}"
#define GRAPH(root, nodes) "{\"root_index\":" root ",\"nodes\":[" nodes "]}"

static const struct {
  const char *name, *wrong;
} no_graphs[] = {
    {"no-root", "{\"nodes\":[" NODE("int", "1") "]}"},
    {"no-nodes", "{\"root_index\":0}"},
    {"root-behind-the-nodes", GRAPH("1", NODE("int", "1"))},
    {"root-before-the-nodes", GRAPH("-1", NODE("int", "1"))},
    {"root-far-behind", GRAPH("1000000000000", NODE("int", "1"))},
    {"element-behind-the-nodes", GRAPH("0", NODE("ffi.Array", "[1]"))},
    {"element-before-the-nodes", GRAPH("0", NODE("ffi.Array", "[-1]"))},
    {"unknown-type", GRAPH("0", NODE("conform.no_such_type", "1"))},
    {"no-type", GRAPH("0", "{\"data\":1}")},
    {"node-is-a-number", GRAPH("0", "7")},
    {"int-of-a-string", GRAPH("0", NODE("int", "\"x\""))},
    {"array-of-an-int", GRAPH("0", NODE("ffi.Array", "7"))},
    {"string-of-an-int", GRAPH("0", NODE("ffi.String", "7"))},
    {"map-without-a-value", GRAPH("1", NODE("int", "1") "," NODE("ffi.Map", "[0]"))},
    {"a-function", GRAPH("0", NODE("ffi.Function", "1"))},
};

CASE_ROWS(no_graph_is_refused, no_graphs, .clauses = {JSON_25}, .wrong_call = true,
          .title = "what is not a graph raises an error")
{
  TVMFFIAny value;
  require(expect_ok(iut, read_graph(iut, GRAPH("0", NODE("int", "1")), true, &value)));
  expect_int("value of the right graph", value.v_int64, 1);
  expect_graph_refused(iut, row->wrong);
}

CASE(graph_that_holds_itself_is_refused, .clauses = {JSON_26}, .wrong_call = true,
     .title = "a graph in which an Array holds itself raises an error")
{
  TVMFFIAny value;
  require(expect_ok(iut, read_graph(iut, GRAPH("0", NODE("ffi.Array", "[]")), true, &value)));
  release_any(iut, &value);
  expect_graph_refused(iut, GRAPH("0", NODE("ffi.Array", "[0]")));
  expect_graph_refused(iut, GRAPH("0", NODE("ffi.Array", "[1]") "," NODE("ffi.Array", "[0]")));
}

CASE(list_that_holds_itself_is_not_stored, .clauses = {JSON_27}, .wrong_call = true,
     .title = "a list that holds itself raises an error when it is stored")
{
  TVMFFIAny none = any_none(), list = value_of(iut, "ffi.List", VALUES(view_of_int(1)));
  TVMFFIAny graph = value_of(iut, to_text, VALUES(list, none));
  release_any(iut, &graph);
  value_of(iut, "ffi.ListAppend", VALUES(list, list));
  expect_refused(iut, NULL, to_text, VALUES(list, none));
  value_of(iut, "ffi.ListErase", VALUES(list, view_of_int(1)));
  TVMFFIAny array = value_of(iut, "ffi.Array", VALUES(list));
  value_of(iut, "ffi.ListAppend", VALUES(list, array));
  note("a list in an array in the list");
  expect_refused(iut, NULL, to_graph, VALUES(list, none));
  value_of(iut, "ffi.ListClear", VALUES(list));
  release_any(iut, &array);
  release_any(iut, &list);
}

// --- Nested deeply -------------------------------------------------------------------------------

enum { NODES = 40000 };

// The text of a graph of Arrays, each in the next. To be freed.
static char *new_deep_graph(size_t count)
{
  size_t room = count * 48 + 100, size = 0;
  char *text = malloc(room);
  if (text == NULL) case_inconclusive("no memory for a text");
  size += (size_t)snprintf(text, room, "{\"root_index\":%zu,\"nodes\":[" NODE("ffi.Array", "[]"),
                           count);
  for (size_t i = 0; i < count; ++i) {
    size += (size_t)snprintf(text + size, room - size, "," NODE("ffi.Array", "[%zu]"), i);
  }
  snprintf(text + size, room - size, "]}");
  return text;
}

CASE(deep_graph_is_no_danger, .clauses = {JSON_28}, .wrong_call = true,
     .title = "a graph of 40,000 arrays, one in the other, is read or refused")
{
  for (size_t count = 10; count <= NODES; count *= 4000) {
    note("%zu arrays", count);
    char *text = new_deep_graph(count);
    TVMFFIByteArray bytes = {text, strlen(text)};
    TVMFFIAny string = any_none(), value = any_none();
    require(expect_ok(iut, iut->StringFromByteArray(&bytes, &string)));
    int code = call_registered(iut, &value, from_text, VALUES(string));
    if (code == 0) {
      expect_int("type index", value.type_index, kTVMFFIArray);
      release_any(iut, &value);
    } else {
      expect_error(iut, code, NULL);
    }
    release_any(iut, &string);
    free(text);
  }
}

CASE(deep_value_is_stored, .clauses = {JSON_28}, .wrong_call = true,
     .title = "arrays nested 40,000 levels deep are stored or refused")
{
  TVMFFIAny value = value_of(iut, "ffi.Array", VALUES()), none = any_none(), text = none;
  for (int depth = 1; depth < NODES; ++depth) {
    TVMFFIAny outer = value_of(iut, "ffi.Array", VALUES(value));
    release_any(iut, &value);
    value = outer;
  }
  int code = call_registered(iut, &text, to_text, VALUES(value, none));
  if (code == 0) {
    expect_that(content_of(iut, &text).size > NODES, "a text of all arrays", "%zu bytes",
                content_of(iut, &text).size);
  } else {
    expect_error(iut, code, NULL);
  }
  release_any(iut, &text);
  release_any(iut, &value);
}
