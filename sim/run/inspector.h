// What the window asks of a state: where something is, and what two particles have to do with each
// other. Only of modes that are Inspectable.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/run/session.h"

namespace cellscope {

struct Found {
  ParticleId particle = -1, second = -1;  // to be picked
  std::string words;
  Vec3d lo{}, hi{};  // of a cell; of a particle both are its place
};

// "109": a particle; "109 138": two of them; "(3, 4)" or "(3, 4, 5)": a cell; "slot 7": the
// particle stored there; "node 12", "move 7": what stands in that row of a table. Throws
// InputError: what exists.
Found findInside(Mode& mode, const std::string& text);
inline constexpr const char* kPlaces =
    "a particle's id (109), two of them (109 138), a cell (3, 4) or (3, 4, 5), slot 7, node 12 of "
    "a tree, move 7 of the last step";

struct PickedPair {
  ParticleId second = -1;
  Vec3d from{}, to{};  // the first, and the image of the second that is nearest to it
};

struct NeighbourRow : Neighbour {
  std::string image;             // "" where the nearest image is in the box itself
  std::optional<GridCell> cell;  // none: the method has no cells
};
// Nearest first; empty where there is no such particle.
std::vector<NeighbourRow> neighbourRows(Mode& mode, ParticleId id);

// "neighbours 109", "cells", "nodes" or "moves": of a particle, of the method's grid, of its trees,
// of the last step (Inspectable::watchMoves()). Throws InputError for another name, and for a
// particle that does not exist.
Table tableOf(Mode& mode, const std::string& name);
inline constexpr const char* kTables =
    "neighbours ID, cells, nodes, moves, against KEY=VALUE (other settings)";

// Rows about the second particle are added to the card of the picked one; none: it is gone, as the
// card then says.
std::optional<PickedPair> addPair(Mode& mode, PickedParticle& picked, ParticleId second);

// "(3, 4)" or "(3, 4, 5)".
std::string inWords(const GridCell& cell, int dimension);
// What is wrong with an id, and which there are.
std::string noSuchParticle(Mode& mode, ParticleId id);
// Throws InputError for a mode that cannot be asked.
Inspectable& asked(Mode& mode);

// One step from the state of a run under other settings, such as another method: which listed
// pairs, decisions and particles differ after it.
// Of copies: nothing of the run changes. `settings`: "method=tree", several separated by spaces.
// The note gives the verdict of each comparison, also where nothing differs. Throws InputError for
// settings that are impossible or determine the initial state.
Table differenceTable(const std::string& checkpoint, const std::string& settings,
                      const ExecConfig& config, const ModeFactory& modes);

// As tableOf(), and "against method=tree": as above.
Table tableOfRun(Session& session, const std::string& name, const ExecConfig& config,
                 const ModeFactory& modes);

}  // namespace cellscope
