#include "exec/workspace.h"

#include <algorithm>
#include <new>

namespace npubin::exec {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallestBlock = std::size_t{16} << 10;

thread_local Workspace* current = nullptr;

std::size_t aligned(std::size_t bytes) {
  if (bytes > SIZE_MAX - kAlignment) throw std::bad_alloc();
  return std::max((bytes + kAlignment - 1) / kAlignment * kAlignment, kAlignment);
}

void release(std::byte* memory) {
  ::operator delete (memory, std::align_val_t{kAlignment});
}

}  // namespace

Workspace::~Workspace() {
  for (const Block& block : blocks_) release(block.memory);
}

void Workspace::add_block(std::size_t bytes) {
  blocks_.reserve(blocks_.size() + 1);  // before the block: it must not be lost
  blocks_.push_back({static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment})), bytes});
  used_ = last_ = 0;
}

std::byte* Workspace::take(std::size_t bytes) {
  const std::size_t wanted = aligned(bytes);
  if (blocks_.empty() || blocks_.back().bytes - used_ < wanted) add_block(std::max(wanted, kSmallestBlock));
  last_ = used_;
  used_ += wanted;
  return blocks_.back().memory + last_;
}

bool Workspace::give_back(const void* memory) {
  const auto* const at = static_cast<const std::byte*>(memory);
  for (const Block& block : blocks_) {
    if (at < block.memory || at >= block.memory + block.bytes) continue;
    if (block.memory == blocks_.back().memory && at == block.memory + last_) used_ = last_;
    return true;
  }
  return false;
}

void Workspace::clear() {
  used_ = last_ = 0;
  if (blocks_.size() < 2) return;
  std::size_t total = 0;
  for (const Block& block : blocks_) {
    total += block.bytes;
    release(block.memory);
  }
  blocks_.clear();
  try {
    add_block(total);
  } catch (const std::bad_alloc&) {
    blocks_.clear();  // the next run asks again, piece by piece
  }
}

WorkspaceScope::WorkspaceScope(Workspace& workspace) : before_(current) {
  current = &workspace;
}

WorkspaceScope::~WorkspaceScope() {
  current->clear();
  current = before_;
}

void* take_work_memory(std::size_t bytes) {
  return current != nullptr ? current->take(bytes) : ::operator new (bytes, std::align_val_t{kAlignment});
}

void give_back_work_memory(void* memory) {
  if (current == nullptr || !current->give_back(memory)) release(static_cast<std::byte*>(memory));
}

}  // namespace npubin::exec
