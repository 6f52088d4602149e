// Entries of a scenario's `view.layers`: a layer, with a sign where it changes the default, and its
// options: "cells", "+lbvh levels=0..3 opacity=0.5", "particles types=A,B".
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/api/layer_info.h"
#include "sim/api/mode.h"

namespace cellscope {

// The layer's key with its sign, without options.
std::string layerName(const std::string& entry);
// The options of an entry. Throws InputError naming the option, its value and what is allowed.
LayerLook lookOfEntry(const std::string& entry, const LayerInfo& layer);
// The options that may follow a name in an entry, a text for each.
std::vector<std::string> optionTexts(const LayerInfo& layer);
// The entry that lookOfEntry() reads back; only what differs from the default.
std::string layerEntry(const std::string& name, const LayerLook& look, const LayerInfo& layer);
// Looks of the layers that a scenario shows otherwise than by default.
std::map<std::string, LayerLook> looksOf(const std::vector<std::string>& entries,
                                         const ModeWords& mode);

}  // namespace cellscope
