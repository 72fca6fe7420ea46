// Parts of compiled plans kept in a folder: what takes time to prepare and is the same every time (weights in
// the kernel library's layout, tables of codes).
//
// One file holds the parts of one model for one version of npubin, instruction set and number of threads; its
// name is a hash of all of these. Nothing in a file is trusted: what does not fit is left out and prepared
// anew, and parts are numbers of which every pattern is harmless, never offsets or indices.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/session.h"
#include "npubin/tensor.h"

namespace npubin::exec::fast {

class PlanCache {
 public:
  // Reads the file of `key` where there is one. An empty folder keeps nothing.
  PlanCache(std::string folder, std::uint64_t key);

  bool active() const { return !folder_.empty(); }
  // The bytes kept under this name, 64-byte aligned and valid as long as the cache; nullopt where there are
  // none of exactly this size.
  std::optional<ByteSpan> find(std::uint64_t part, std::size_t bytes);
  // Takes a copy, to be written by store(). Does nothing where it is not active.
  void keep(std::uint64_t part, ByteSpan data);
  // Writes the file where a part was missing: beside it first, then in its place, so that a reader sees the
  // old file or the new one. A folder that cannot be written to is only noted.
  void store();

  const PlanCacheReport& report() const { return report_; }

 private:
  void load();
  bool read_parts(const Tensor& file);
  std::vector<std::byte> serialised() const;

  std::string folder_, path_;
  std::uint64_t key_;
  Tensor file_;  // as read; parts lie in it
  std::map<std::uint64_t, ByteSpan> parts_;
  std::vector<Tensor> kept_;
  PlanCacheReport report_;
};

// Names a part: what it is, whose (a value of the graph), and what else its bytes depend on.
std::uint64_t part_name(std::string_view kind, std::int32_t value, ByteSpan form = {});
// Names a plan: the model's content, the graph's structure, version, instruction set, threads.
std::uint64_t plan_key(std::uint64_t model_hash, const graph::Graph& graph, int threads);

}  // namespace npubin::exec::fast
