// What can be drawn: one entry per layer, with the words and scales that belong to the concept.
// The colours themselves are chosen by the renderer.
#pragma once
#include <string>
#include <vector>

#include "sim/api/frame.h"
#include "sim/api/mode.h"

namespace cellscope::layers {

inline constexpr const char* kDisks = "disks";
inline constexpr const char* kCells = "cells";
inline constexpr const char* kSets = "sets";
inline constexpr const char* kActive = "active";
inline constexpr const char* kShift = "shift";
inline constexpr const char* kStencil = "stencil";
inline constexpr const char* kTested = "tested";
inline constexpr const char* kTrials = "trials";
inline constexpr const char* kMoves = "moves";
// Come with others: paths with the moves, outlines whenever a particle is picked.
inline constexpr const char* kMovePaths = "move_paths";
inline constexpr const char* kPicked = "picked";
inline constexpr const char* kOverlaps = "overlaps";  // with the disks, where some overlap

// Layers of the hard-disk mode; the particles come first.
const std::vector<LayerInfo>& hardDiskLayers();

// Names of the four checkerboard sets, S3 eq. (1).
const std::vector<std::string>& setNames();
ColourScale setScale(const std::string& title);
ColourScale occupancyScale(int places);
ColourScale plainScale(const std::string& title);
ColourScale categories(const std::string& title, std::vector<std::string> names,
                       std::vector<Mark> marks = {});
ColourScale sequential(const std::string& title, const std::string& unit, float lo, float hi);
ColourScale phaseScale(const std::string& title);

// Values of the stencil, tested and trials layers: indices into the categories of their scales.
enum class StencilPart { ownCell, neighbour };
enum class TestedPart { tested, blocking, picked };
enum class TrialPart { accepted, overlap, leftCell };
enum class MovePart { moved, rejected };
ColourScale stencilScale();
ColourScale testedScale();
ColourScale trialScale();
ColourScale pickedScale(const std::string& title);
ColourScale moveScale();
// Rings around particles: the picked one and those it was tested against.
LayerData pickedRings(const std::vector<PointInstance>& particles, ColourScale scale);
LayerData overlapRings(const std::vector<PointInstance>& disks);

}  // namespace cellscope::layers
