// Drafts of parameters against those that a mode runs with, and parameters in checkpoints.
#pragma once
#include <cstdint>
#include <string>

#include "sim/api/parameter.h"
#include "sim/io/binary.h"

namespace cellscope {

struct ParameterChange {
  bool any = false;
  std::uint32_t touched = 0;  // union of ParameterInfo::touches
};

// Both sets are of the same struct.
ParameterChange changeBetween(const ParameterSet& before, const ParameterSet& after);
// Values that only a restart takes over become those of `active`.
void keepRestartValues(ParameterSet& draft, const ParameterSet& active);
// The others do.
void takeOverChanges(ParameterSet& draft, const ParameterSet& active);

// Parameters by key. readParameters() throws InputError for keys that are unknown, missing or out
// of range.
void writeParameters(BinaryWriter& w, const ParameterSet& set);
void readParameters(BinaryReader& r, ParameterSet& set);
// `mode`: its label. Throws InputError when the state was written by another version.
void requireStateVersion(BinaryReader& r, std::uint32_t version, const std::string& mode);

}  // namespace cellscope
