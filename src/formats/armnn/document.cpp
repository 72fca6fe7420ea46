#include "formats/armnn/document.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "formats/armnn/import.h"
#include "formats/armnn/validate.h"

namespace npubin::armnn {
namespace {

// The walk that every file goes through once: structure, extent, and what no schema explains.
class Survey : public WalkVisitor {
 public:
  Survey(const FlatBuffer& file, Diagnostics& findings) : file_(file), findings_(findings) {}

  void table(TableId, const FlatTable& table, const std::vector<WalkStep>&) override {
    cover(table.position, table.size);
    cover(table.vtable, table.vtable_size);
  }
  void vector(const Slot&, const FlatVector& vector, std::size_t size,
              const std::vector<WalkStep>&) override {
    cover(vector.position, 4 + std::uint64_t{vector.count} * size);
  }
  void string(const Slot&, std::uint32_t position, std::string_view text,
              const std::vector<WalkStep>&) override {
    cover(position, 5 + text.size());
  }
  void unknown_slot(TableId id, const FlatTable& table, unsigned slot,
                    const std::vector<WalkStep>& path) override {
    findings_.warn("ARM-0112", Location::at(table.position, to_string(path)),
                   fmt::format("{} has a field in slot {} that no known release has", to_string(id), slot),
                   "a newer release than 24.x may have written the file; what the field changes is unknown");
  }

  // What stands behind the last byte that anything refers to, apart from padding.
  void report_remainder() {
    const std::uint64_t left = file_.size() - end_;
    const ByteSpan rest = file_.bytes(static_cast<std::uint32_t>(end_), left);
    const bool zeros = std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
    if (left >= 16 || (left > 0 && !zeros))
      findings_.warn("ARM-0110", Location::at(end_),
                     fmt::format("{} bytes at the end of the file belong to nothing", left),
                     "cut them off, unless something else reads them");
    if (begin_ < 8) return;
    std::string identifier;
    for (std::uint32_t i = 4; i < 8; ++i) identifier += static_cast<char>(file_.at<std::uint8_t>(i));
    const bool readable = std::all_of(identifier.begin(), identifier.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0; });
    if (readable && identifier != "ARMN")
      findings_.warn("ARM-0111", Location::at(4),
                     fmt::format("the file identifier is \"{}\", not \"ARMN\"", identifier),
                     "Arm NN does not look at it; other programs may take the file for something else");
  }

 private:
  void cover(std::uint64_t offset, std::uint64_t size) {
    begin_ = std::min(begin_, offset);
    end_ = std::max(end_, offset + size);
  }

  const FlatBuffer& file_;
  Diagnostics& findings_;
  std::uint64_t begin_ = ~std::uint64_t{0}, end_ = 4;
};

}  // namespace

Result<std::unique_ptr<Artifact>> ArmnnDocument::read(Bytes data, const ReadOptions& options) {
  std::unique_ptr<ArmnnDocument> document(new ArmnnDocument);
  document->bytes_ = std::move(data);
  document->file_name_ = options.file_name;
  NPUBIN_CHECK(document->load());
  return std::unique_ptr<Artifact>(std::move(document));
}

Result<void> ArmnnDocument::load() {
  file_ = FlatBuffer(bytes_.span());
  NPUBIN_TRY(vote_, choose_reading(file_));
  Survey survey(file_, read_findings_);
  NPUBIN_CHECK(walk(file_, vote_.reading, survey));
  survey.report_remainder();
  age_ = date_file(file_, vote_);
  if (age_.range.contradictory())
    read_findings_.warn("ARM-0113", {},
                        fmt::format("the file holds what began with {} and what ended with {}",
                                    to_string(age_.range.first), to_string(age_.range.last)),
                        "it was edited, or written by a build between releases");
  if (vote_.old_convolution_seen && vote_.new_convolution_seen)
    read_findings_.error("ARM-0114", {},
                         "convolution descriptors of before and after 2019-05 stand in one file",
                         "their fields cannot be told apart safely");
  list_ = list_layers(file_, vote_.reading);
  return {};
}

void ArmnnDocument::validate(const CheckOptions& options, Diagnostics& out) const {
  for (const Diagnostic& finding : read_findings_.findings()) out.add(finding);
  const Import import = import_graph(bytes_, file_, list_, out);
  check_graph(list_, import, out);
  if (!options.target.empty()) check_target(*this, options.target, out);
}

Result<graph::Graph> ArmnnDocument::graph(Diagnostics& findings) const {
  for (const Diagnostic& finding : read_findings_.findings()) findings.add(finding);
  Import import = import_graph(bytes_, file_, list_, findings);
  check_graph(list_, import, findings);
  if (findings.has_errors()) {
    for (const Diagnostic& finding : findings.findings())
      if (finding.severity == Severity::Error)
        return Unexpected(Error{ErrorKind::Malformed, finding.code, file_name_, finding.where,
                                finding.message, "`npubin check` lists everything that is wrong"});
    return malformed({}, "the graph has errors", "`npubin check` lists them");
  }
  import.graph.name = file_name_;
  NPUBIN_CHECK(graph::verify(import.graph));
  return std::move(import.graph);
}

}  // namespace npubin::armnn
