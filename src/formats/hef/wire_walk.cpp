// The walk over the whole document: wire faults, depth, UTF-8, unknown fields. An explicit stack, at most
// kMaxDepth high, so that a recursion bomb costs nothing.
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/wire.h"

namespace npubin::hef {
namespace {

struct Frame {
  const MessageSchema* schema;
  WireCursor cursor;
  const FieldSchema* via;                                   // the field that led here; nullptr at the root
  std::size_t position = 0;                                 // which of the parent's repeated fields this is
  std::vector<std::pair<std::uint32_t, std::size_t>> seen;  // message fields met so far: number, count
  std::size_t count(std::uint32_t number) {
    for (auto& [known, times] : seen)
      if (known == number) return times++;
    seen.emplace_back(number, 1);
    return 0;
  }
};

std::string path_of(const std::vector<Frame>& stack) {
  std::string out;
  for (const Frame& frame : stack) {
    if (frame.via == nullptr) continue;
    if (!out.empty()) out += '.';
    out += frame.via->name;
    if (frame.via->repeated) out += fmt::format("[{}]", frame.position);
  }
  return out;
}

bool packed_is_sound(const FieldSchema& schema, const WireField& wire) {
  if (schema.wire_type() == 1) return wire.payload.size() % 8 == 0;
  if (schema.wire_type() == 5) return wire.payload.size() % 4 == 0;
  return wire.payload.empty() || (std::to_integer<unsigned>(wire.payload.back()) & 0x80u) == 0;
}

class Walk {
 public:
  explicit Walk(const Message& document) {
    stack_.push_back({document.schema(), document.cursor(), nullptr, 0, {}});
  }

  WireReport run() {
    while (!stack_.empty() && !report_.fault && !report_.too_deep) step();
    return std::move(report_);
  }

 private:
  void step() {
    Frame& frame = stack_.back();
    WireField wire;
    if (!frame.cursor.next(wire)) {
      if (frame.cursor.fault() != WireFault::None)
        report_.fault = WireReport::Fault{frame.cursor.fault(), frame.cursor.fault_offset(), path_of(stack_)};
      stack_.pop_back();
      return;
    }
    ++report_.fields;
    const FieldSchema* schema = frame.schema->by_number(wire.number);
    const bool packed = schema != nullptr && schema->packable() && wire.wire_type == 2;
    if (schema == nullptr || (wire.wire_type != schema->wire_type() && !packed)) {
      ++report_.unknown_count;
      list(schema == nullptr ? report_.unknown : report_.wrong_type, wire, schema);
    } else if (schema->type == FieldType::Message) {
      enter(*schema, wire);
    } else if (schema->type == FieldType::String && !report_.not_utf8 && !is_utf8(wire.payload)) {
      report_.not_utf8 =
          WireReport::Fault{WireFault::None, wire.value_offset, join(path_of(stack_), schema->name)};
    } else if (packed && !packed_is_sound(*schema, wire)) {
      report_.fault = WireReport::Fault{WireFault::TruncatedVarint, wire.value_offset,
                                        join(path_of(stack_), schema->name)};
    }
  }

  static std::string join(std::string path, const std::string& name) {
    return path.empty() ? name : std::move(path) + "." + name;
  }

  void enter(const FieldSchema& schema, const WireField& wire) {
    const std::size_t position = stack_.back().count(schema.number);
    if (position == 1 && !schema.repeated) list(report_.doubled, wire, &schema);
    if (static_cast<int>(stack_.size()) > kMaxDepth) {
      report_.too_deep = WireReport::Fault{WireFault::None, wire.tag_offset, path_of(stack_)};
      return;
    }
    const Message inner = Message::of(schema, wire);
    stack_.push_back({inner.schema(), inner.cursor(), &schema, position, {}});
    report_.depth = std::max(report_.depth, static_cast<int>(stack_.size()) - 1);
  }

  void list(std::vector<WireReport::Oddity>& where, const WireField& wire, const FieldSchema* schema) {
    if (where.size() < WireReport::kMaxListed)
      where.push_back({wire.tag_offset, path_of(stack_), wire.number, wire.wire_type,
                       schema != nullptr ? schema->name : std::string()});
  }

  std::vector<Frame> stack_;
  WireReport report_;
};

}  // namespace

WireReport walk(const Message& document) {
  if (document.schema() == nullptr) return {};
  return Walk(document).run();
}

std::string path_at(const Message& document, std::uint64_t offset) {
  std::vector<Frame> path;
  path.push_back({document.schema(), document.cursor(), nullptr, 0, {}});
  for (int depth = 0; depth <= kMaxDepth; ++depth) {
    Frame& frame = path.back();
    WireField wire;
    bool entered = false;
    while (!entered && frame.schema != nullptr && frame.cursor.next(wire)) {
      const FieldSchema* schema = frame.schema->by_number(wire.number);
      const bool known = schema != nullptr && wire.wire_type == schema->wire_type();
      const std::size_t position = known ? frame.count(wire.number) : 0;
      if (offset >= wire.end_offset) continue;
      if (!known || offset < wire.tag_offset) return path_of(path);
      const bool inside = schema->type == FieldType::Message;
      path.push_back({inside ? schema->message : nullptr,
                      inside ? Message::of(*schema, wire).cursor() : WireCursor({}, 0),
                      schema,
                      position,
                      {}});
      entered = true;
    }
    if (!entered) break;
  }
  return path_of(path);
}

bool is_utf8(ByteSpan text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = std::to_integer<unsigned>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t more = lead >= 0xF0 && lead <= 0xF4  ? 3
                             : lead >= 0xE0 && lead < 0xF0 ? 2
                             : lead >= 0xC2 && lead < 0xE0 ? 1
                                                           : 0;
    if (more == 0 || text.size() - i <= more) return false;
    std::uint32_t value = lead & (0x3Fu >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = std::to_integer<unsigned>(text[i + k]);
      if ((next & 0xC0u) != 0x80u) return false;
      value = value << 6 | (next & 0x3Fu);
    }
    const bool overlong = (more == 2 && value < 0x800) || (more == 3 && value < 0x10000);
    if (overlong || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace npubin::hef
