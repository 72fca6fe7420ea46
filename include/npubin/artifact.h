// Artifact: a recognised file as a lossless document, and what can be asked of every one of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/byte_map.h"
#include "npubin/bytes.h"
#include "npubin/describe.h"
#include "npubin/diagnostics.h"
#include "npubin/export.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin {

// A run of bytes that holds values rather than places, lengths or padding: a constant, a string, a number in
// a table. Two files whose parts are equal by name say the same, wherever the parts lie.
struct ContentPart {
  std::string name;           // as in the byte map: "buffers[7].data"; need not be unique
  std::uint64_t offset = 0;   // of `bytes` in the file
  Bytes bytes;                // the value; a whole number of elements where `type` is known
  std::optional<DType> type;  // of the elements
  bool constant = false;      // weights, streams, config words: what no description shows
};

struct ReadOptions {
  std::string file_name;              // for messages and for the extension
  std::optional<std::string> layout;  // HEF partial layouts: which one
};

struct CheckOptions {
  std::string target;   // chip or runtime version; empty: none
  std::string runtime;  // HEF: HailoRT version; empty: none
  // What else a format may need to know about the surroundings, by option name without dashes ("soc",
  // "network-shape", "context", ...); several values of one option are several entries.
  std::multimap<std::string, std::string> context;
};

struct DescribeOptions {
  int verbosity = 0;    // 0, 1 (-v), 2 (-vv): how deep a format has to look; renderers filter too
  bool json = false;    // everything is wanted
  bool verify = false;  // verify checksums whatever the size
  std::string style;    // format-specific: "parse-hef", "torchvision", ...
  bool plan = false;    // show the execution plan
  std::multimap<std::string, std::string> context;  // as CheckOptions::context
};

struct DisasmOptions {
  bool raw = false;      // one line per command
  bool summary = false;  // totals only
  bool json = false;     // values are wanted beside the text
};

class NPUBIN_API Artifact {
 public:
  virtual ~Artifact() = default;

  // Registry name of the format: "hef", "armnn", "aipp", "npub", "tflite".
  virtual std::string_view format() const = 0;
  const Bytes& bytes() const { return bytes_; }
  const std::string& file_name() const { return file_name_; }

  // What reading noticed already (repairs, tolerated faults).
  const Diagnostics& read_findings() const { return read_findings_; }
  void add_read_finding(Diagnostic finding) { read_findings_.add(std::move(finding)); }

  // Collects every finding about the document, the read findings included.
  virtual void validate(const CheckOptions& options, Diagnostics& out) const = 0;
  virtual Result<Node> describe(const DescribeOptions& options) const = 0;
  virtual Result<ByteMap> map() const = 0;
  // Every part of the file that has a meaning of its own, none inside another, in an order that equal
  // documents share. Unless a format says otherwise: the innermost spans of the map but for its padding.
  virtual Result<std::vector<ContentPart>> contents() const;
  // The document as bytes. For an unchanged document these are the bytes that were read.
  virtual Result<std::vector<std::byte>> write() const;
  // The program inside. Refused where a format has none.
  virtual Result<Node> disassemble(const DisasmOptions& options) const;

 protected:
  Bytes bytes_;
  std::string file_name_;
  Diagnostics read_findings_;
};

// How sure a sniffer is. A file goes to the highest score; equal scores go to the earlier registry entry.
enum class Confidence : std::uint8_t { No = 0, Extension = 1, Plausible = 2, Likely = 3, Certain = 4 };

// One row of a format's table of findings; docs/diagnostics.md and `npubin explain` are made from it.
struct DiagnosticCode {
  std::string_view code;    // "HEF-0103": stable for ever
  std::string_view title;   // what it says, in general terms
  std::string_view why;     // why it matters: what happens on the device or in the vendor's tool
  std::string_view remedy;  // what to do
};

// One line of the registry.
struct Format {
  std::string_view name;
  std::string_view title;                    // "Hailo executable (HEF)"
  std::vector<std::string_view> extensions;  // with the dot, lower case
  Confidence (*sniff)(ByteSpan data);        // by content only; must be cheap and never fail
  // Reads tolerantly. A file whose signature is broken is still read when the caller insists, so that check
  // can report on it; an Error means that nothing sensible can be built.
  Result<std::unique_ptr<Artifact>> (*read)(Bytes data, const ReadOptions& options);
  std::span<const DiagnosticCode> codes;  // every finding of this format, sorted by code
};

// All tables of findings: one for every file, one per format, one for the Ethos-U streams inside several.
struct CodeTable {
  std::string_view title;
  std::span<const DiagnosticCode> codes;
};
NPUBIN_API std::vector<CodeTable> code_tables();

// All formats, in order of preference.
NPUBIN_API const std::vector<Format>& formats();
NPUBIN_API const Format* find_format(std::string_view name);

struct Recognised {
  const Format* format = nullptr;
  Confidence confidence = Confidence::No;
  std::string note;  // a misleading extension, "by extension only", ...; may be empty
};
// Content first, then the extension of `file_name`. Error: Unrecognised, naming what was looked for.
NPUBIN_API Result<Recognised> recognise(ByteSpan data, const std::string& file_name,
                                        const std::optional<std::string>& forced_format = std::nullopt);

// Opens, recognises and reads. Errors carry the file name.
NPUBIN_API Result<std::unique_ptr<Artifact>> open_artifact(
    const std::string& path, const std::optional<std::string>& forced_format = std::nullopt,
    ReadOptions options = {});

}  // namespace npubin
