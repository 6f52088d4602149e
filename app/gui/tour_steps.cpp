// The words of the tours.
#include "app/gui/tour.h"

namespace cellscope::gui {

const std::vector<TourStep>& tourSteps() {
  constexpr const char* kPlay = "button:play";
  constexpr const char* kSlider = "panel:play";
  constexpr const char* kPicture = "viewport";
  constexpr TourColumn kLeft = TourColumn::left, kRight = TourColumn::right;
  static const std::vector<TourStep> all = {
      // Hard disks.
      {"hard_disks",
       {kPlay},
       kLeft,
       "Run",
       "Start the run",
       "Disks try to move to random places nearby; a move that would make two of them overlap is "
       "rejected. The colour of a disk is the direction in which its neighbours are arranged.",
       "Press Play, or the space bar.",
       TourTask::play,
       "",
       ""},
      {"hard_disks",
       {kSlider},
       kLeft,
       "Play",
       "Change a parameter",
       "Parameters can be changed during the run. This one decides between fluid and crystal: the "
       "packing fraction, the share of the area that is covered by disks. Order begins near 0.71.",
       "Drag the slider. With Shift it moves at one tenth of the speed.",
       TourTask::drag,
       "",
       ""},
      {"hard_disks",
       {"plot:pressure", "enlarge:pressure"},
       kRight,
       "Plots",
       "Read a plot",
       "The pressure: faint, the single samples; strong, their mean with its error; dashed, a "
       "published value. Averages start over with every change; earlier samples are dimmed.",
       "Click the icon to the right of the heading to enlarge the plot.",
       TourTask::enlarge,
       "",
       ""},
      {"hard_disks",
       {"chip:sets"},
       TourColumn::none,
       "",
       "See how it is computed",
       "Layers show how it is computed. Cells of one of the four sets are never neighbours, so "
       "that "
       "thousands of processors can move the disks of all of them at the same time.",
       "Switch on the layer Sets, by a click or the key 3.",
       TourTask::layer,
       "sets",
       ""},
      {"hard_disks",
       {kPicture},
       TourColumn::none,
       "",
       "Follow one disk",
       "The card of a disk shows its moves in the last sweep.",
       "Click a disk in the picture.",
       TourTask::pick,
       "",
       "Its card lists its trial moves and the disk that blocked each; the picture marks the cells "
       "that were searched and the disks that it was tested against. Pause and press the full stop "
       "for one sweep, the comma for one phase of it. F1 lists all keys."},
      // Molecular dynamics.
      {"md",
       {kPlay},
       kLeft,
       "Run",
       "Start the run",
       "A crystal whose particles have random velocities. Each step moves all of them according to "
       "Newton's equations of motion. Colour: speed.",
       "Press Play, or the space bar.",
       TourTask::play,
       "",
       ""},
      {"md",
       {kSlider},
       kLeft,
       "Play",
       "Change a parameter",
       "Parameters can be changed during the run. A longer time step makes the crystal melt in "
       "fewer "
       "steps; one that is too long no longer conserves the energy, and above 0.03 the run blows "
       "up.",
       "Drag the slider. With Shift it moves at one tenth of the speed.",
       TourTask::drag,
       "",
       ""},
      {"md",
       {"plot:energy", "enlarge:energy"},
       kRight,
       "Plots",
       "Read a plot",
       "Kinetic and potential energy mirror each other; their sum stays constant where the time "
       "step "
       "is short enough. Averages start over with every change; earlier samples are dimmed.",
       "Click the icon to the right of the heading to enlarge the plot.",
       TourTask::enlarge,
       "",
       ""},
      {"md",
       {"chip:velocities"},
       TourColumn::none,
       "",
       "See how it is computed",
       "Layers show what the colours do not: velocities, the simulation box, cells, neighbour "
       "lists "
       "and the trees that some methods build.",
       "Switch on the layer Velocities, by a click or the key 2.",
       TourTask::layer,
       "velocities",
       ""},
      {"md",
       {kPicture},
       TourColumn::none,
       "",
       "Follow one particle",
       "Drag to rotate, turn the wheel to zoom. A click on a particle shows its neighbours.",
       "Click a particle in the picture.",
       TourTask::pick,
       "",
       "Lines lead to its neighbours within the cutoff, and its card counts them. G goes to it and "
       "hides particles in front. Slices and selections are in the panel Inside. F1 lists "
       "all keys."},
      // Grand-canonical Monte Carlo.
      {"gcmc",
       {kPlay},
       kLeft,
       "Run",
       "Start the run",
       "The box exchanges particles with a reservoir: besides displacing particles, the run "
       "inserts "
       "new ones and deletes some. Colour: particles of the start, and those inserted since.",
       "Press Play, or the space bar.",
       TourTask::play,
       "",
       ""},
      {"gcmc",
       {kSlider},
       kLeft,
       "Play",
       "Change a parameter",
       "Parameters can be changed during the run. The chemical potential is the price of a "
       "particle "
       "in the reservoir: the higher it is, the fuller the box becomes.",
       "Drag the slider. With Shift it moves at one tenth of the speed.",
       TourTask::drag,
       "",
       ""},
      {"gcmc",
       {"plot:particles", "enlarge:particles"},
       kRight,
       "Plots",
       "Read a plot",
       "The number of particles fluctuates: faint, the single samples; strong, their mean with its "
       "error. Averages start over with every change; earlier samples are dimmed.",
       "Click the icon to the right of the heading to enlarge the plot.",
       TourTask::enlarge,
       "",
       ""},
      {"gcmc",
       {"chip:cells"},
       TourColumn::none,
       "",
       "See how it is computed",
       "Layers show how it is computed. A trial move needs only the particles in the cells around "
       "it, "
       "not all others.",
       "Switch on the layer Cell grid, by a click or the key 2.",
       TourTask::layer,
       "cells",
       ""},
      {"gcmc",
       {kPicture},
       TourColumn::none,
       "",
       "Follow one particle",
       "Drag to rotate, turn the wheel to zoom. A click on a particle shows its energy.",
       "Click a particle in the picture.",
       TourTask::pick,
       "",
       "Its card shows when it was inserted, and later when and why it was deleted. Pause and "
       "press "
       "the comma to see one trial move phase by phase. F1 lists all keys."},
  };
  return all;
}

std::string tourScenario(const std::string& mode) {
  if (mode == "hard_disks") return "hexatic";
  if (mode == "md") return "lj_all_pairs";
  return mode == "gcmc" ? "gcmc_liquid" : "";
}

}  // namespace cellscope::gui
