// The byte map's text and JSON are written span by span; they read as the general renderers would write them.
#include <algorithm>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "artifact/gaps.h"
#include "npubin/byte_map.h"
#include "npubin/describe.h"
#include "render/json.h"
#include "render/text.h"

namespace npubin {
namespace {

ByteMap map_of(std::size_t spans) {
  ByteMap map;
  for (std::size_t i = 0; i < spans; ++i)
    map.add(i * 16, i % 3 == 0 ? 12 : 16, "layers[" + std::to_string(i) + "].layer.base.base.outputSlots",
            i % 5 == 0 ? "\"a\x01\xff\" \xc3\xa9" : "");
  map.finish(spans * 16);
  return map;
}

render::Json as_tree(const ByteMap& map) {
  render::Json spans = render::Json::array();
  for (const MapSpan& span : map.spans()) {
    render::Json entry{{"offset", span.offset}, {"size", span.size}, {"name", span.name}};
    if (!span.note.empty()) entry["note"] = span.note;
    if (span.unexplained) entry["unexplained"] = true;
    spans.push_back(std::move(entry));
  }
  return {{"schema", "npubin.map/1"}, {"spans", std::move(spans)}};
}

TEST(MapText, JsonIsThatOfATree) {
  for (const std::size_t spans : {0u, 1u, 40u})
    EXPECT_EQ(render::dump({{"schema", "npubin.map/1"}}, map_of(spans)),
              render::dump(as_tree(map_of(spans))));
  EXPECT_EQ(render::Json::parse(render::dump(render::Json::object(), map_of(2)))["spans"].size(), 3u);
}

TEST(MapText, TextIsThatOfATable) {
  const ByteMap map = map_of(40);
  Node node;
  Table& table = node.table("map", {"offset", "end", "size", "name", "note"});
  table.title = "byte map";
  for (const MapSpan& span : map.spans()) {
    char begin[32], end[32];
    std::snprintf(begin, sizeof begin, "0x%08llx", static_cast<unsigned long long>(span.offset));
    std::snprintf(end, sizeof end, "0x%08llx", static_cast<unsigned long long>(span.offset + span.size));
    table.rows.push_back({begin, end, span.size, span.name, span.note});
  }
  EXPECT_EQ(render::to_text(map, {}), render::to_text(node, {}));
  EXPECT_EQ(render::to_text(ByteMap(), {}), "");
}

// What 20,000 layers have: 180,000 spans and more.
TEST(MapText, ManySpansReadAsATreeWould) {
  const ByteMap map = map_of(60000);
  EXPECT_EQ(render::dump({{"schema", "npubin.map/1"}}, map), render::dump(as_tree(map)));
}

TEST(MapText, GapsAreWhatFinishCallsUnexplained) {
  ByteMap map;
  map.add(8, 4, "b");
  map.add(0, 4, "a");
  map.add(2, 3, "c");
  const std::vector<MapSpan> gaps = gaps_of(map.spans(), 20);
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].offset, 5u);
  EXPECT_EQ(gaps[0].size, 3u);
  EXPECT_EQ(gaps[1].offset, 12u);
  EXPECT_EQ(gaps[1].size, 8u);
  map.finish(20);
  EXPECT_EQ(map.unexplained_bytes(), 11u);
}

}  // namespace
}  // namespace npubin
