// The fluid: state, pair interaction and species. Included by parameters.h.
#pragma once
#include "sim/modes/md/parameters.h"

namespace cellscope::md {

void MdParameters::visitState(auto& u) {
  auto v = u.with({.effect = Effect::restart});
  v({"dimension", "Dimension", "State"},
    {.choices = {{"2", "two"}, {"3", "three"}},
     .help = "The fluid in the plane or in space. In the plane density and pressure are per area. "
             "Lists are made in both, all pairs as well.",
     .equation = "V = L_x L_y (L_z), T = 2 K / (d (N - 1))"},
    dimension);
  v({"system", "System", "State"},
    {.choices = {{"pure", "pure fluid"}, {"binary", "binary mixture"}, {"colloids", "colloids"}},
     .help = "pure: one species. binary: a share of the particles, chosen at random, is of species "
             "B, with a cutoff, sigma and epsilon of its own. colloids: large spheres, each filled "
             "with Lennard-Jones particles, in a solvent of single ones.",
     .equation = "Howard et al. 2016, sections 4.1 and 4.2"},
    system);
  v({"n", "Particles", "State", "N"}, {2, kMostParticles, 128, 65536, kLogScale},
    {.help =
         "Number of particles. Larger: smaller fluctuations; the work per step grows as N^2 for "
         "all pairs and as N for neighbour lists. With colloids it follows from their number, "
         "their volume fraction and the density of the solvent, and is set by the start.",
     .equation = "van Meel et al. 2008, section 2"},
    n);
  u({"density", "Density", "State", "rho*", "sigma^-d"}, {0.0001, 1.5, 0.02, 1.1},
    {.help = "Particles per volume, or per area in the plane; with colloids, of the solvent before "
             "they are put in, whose volume fraction follows. Larger: a smaller box, higher "
             "pressure. Changed while it runs, the box is scaled by at most 0.2 % every ten steps, "
             "positions with it and velocities by the inverse, as by a piston: without a "
             "thermostat the fluid heats when it is compressed. Averages begin when it is done. "
             "With a barostat: where it begins.",
     .equation = "rho = N / V; r' = s r, v' = v / s, s = (V' / V)^(1/d)",
     .touches = MdTouch::box,
     .prepares = true},
    density);
  // Of the box, whose volume follows from the density.
  const auto aspect = [&](const char* key, const char* label, const char* symbol, const char* help,
                          const char* equation, ChoicesOf with, double& field) {
    v({key, label, "State", symbol}, {0.01, 100, 0.25, 4, kLogScale},
      {.help = help, .equation = equation, .later = true, .actsWith = std::move(with)}, field);
  };
  aspect("aspect_y", "Side y over x", "L_y/L_x",
         "Side of the box along y over that along x, at the same volume; 1: a square or cube. "
         "Larger: the box is longer along y and narrower along the other axes. The shortest side "
         "limits the cutoff. It stays when the density changes, and with a barostat.",
         "L_x = (V / (a_y a_z))^(1/d), L_y = a_y L_x", {}, aspectY);
  aspect("aspect_z", "Side z over x", "L_z/L_x",
         "The same along z, in space. Larger: a column, in which liquid and vapour lie side by "
         "side; much less than 1: a slab, whose thickness the cutoff limits.",
         "L_z = a_z L_x", {"dimension", {"3"}}, aspectZ);
  v({"temperature", "Starting temperature", "State", "T*", "epsilon/k_B"}, {0.01, 20, 0.1, 3},
    {.help = "Temperature of the first step: Maxwell-Boltzmann velocities are drawn at it, then "
             "scaled to it exactly. Larger: faster particles; the lattice melts sooner and into a "
             "hotter liquid. Without a thermostat the temperature changes as the lattice melts.",
     .equation = "T = 2 K / (d (N - 1)): equipartition, the centre of mass at rest"},
    temperature);
  v({"lattice", "Starting positions", "State"},
    {.choices = {{"close_packed", "close-packed"}, {"simple", "simple"}, {"random", "random"}},
     .help =
         "close_packed: face-centred cubic where N = 4 k^3, otherwise that lattice, or the one "
         "with evenly spread vacancies, that keeps neighbours furthest apart; in the plane rows of "
         "triangles. simple: simple cubic, or square in the plane, where N nearly fills it, "
         "otherwise close_packed. random: one after the other at random, no two closer than 0.85 "
         "sigma where there is room; then they are moved apart as with minimise, and come to "
         "equilibrium in 300 steps in which their velocities are scaled to the temperature, before "
         "the run begins. So do lattices of few particles whose neighbours are much closer than in "
         "a crystal (5, 6, 11 and up to 20 at the density of a liquid).",
     .equation = "random: sequential addition (Widom, J. Chem. Phys. 44, 3888, 1966)"},
    lattice);
  v({"seed", "Seed", "State"}, {0, 4294967295.0},
    {.help =
         "Number from which the starting velocities, random positions and species are drawn. The "
         "same seed gives the same start on every machine; another value gives an independent run.",
     .equation = "Philox 4x32-10, key = hash(seed)"},
    seed);
  v({"minimise", "Minimise at the start", "State"},
    {.help =
         "On: particles that overlap in a loaded configuration, or at the start, are moved apart "
         "along the forces on them, at most 0.1 sigma at a time, until the largest force is 10 "
         "epsilon/sigma or the energy hardly falls any more (at most 100); velocities stay. Off: "
         "such a configuration is refused. Random starting positions are always treated so.",
     .equation = "steepest descent: r' = r + s f, |s f| <= 0.1 sigma"},
    minimise);
  u({"remove_drift", "Remove drift", "State"},
    {.help = "Off: the velocities of a loaded configuration are used as they are, so that its "
             "centre of mass may drift; temperature and pressure do not count the drift. On: the "
             "velocity of the centre of mass is subtracted from all particles, at the start and "
             "when this is switched on. The relative motion stays the same.",
     .equation = "v_i' = v_i - sum_j m_j v_j / sum_j m_j",
     .touches = MdTouch::drift},
    removeDrift);
}

void MdParameters::visitPair(auto& v) {
  v({"potential", "Potential", "Pair interaction"},
    {.choices = potentialChoices(),
     .help = "The pair potential and how it ends at the cutoff. " + potentialHelp() +
             "The system of colloids always has colloid.",
     .equation = "van Meel et al. 2008, eqs. (2) and (3); Weeks, Chandler and Andersen (1971); "
                 "Everaers and Ejtehadi (2003); Mie (1903)",
     .touches = MdTouch::pairLaw | MdTouch::forces},
    potential);
  v({"cutoff", "Cutoff", "Pair interaction", "r_c", "sigma"}, {0.5, 20, 1.5, 5},
    {.help = "Pairs further apart do not interact. At most 1.5 times the side of the box, with "
             "placeholder cells half of it; beyond half the side particles interact with several "
             "images of each other, and with their own. Larger: more of the attraction is kept. "
             "With two species: of A, or of the solvent.",
     .equation = "van Meel et al. 2008, eq. (3)",
     .touches = MdTouch::pairLaw | MdTouch::forces},
    cutoff);
  v({"tail", "Tail correction", "Pair interaction"},
    {.help = "Adds to potential energy and pressure what lies beyond the cutoff, as if the fluid "
             "were uniform there (g = 1). Forces stay the same. Defined for truncated and, with "
             "truncation = cut, mie, whose corrected values are those of the full potential.",
     .equation = "3D: U/N += (8 pi/3) rho (r_c^-9/3 - r_c^-3), P += (16 pi/3) rho^2 (2 r_c^-9/3 - "
                 "r_c^-3); 2D: U/N += 4 pi rho (r_c^-10/10 - r_c^-4/4), P += 12 pi rho^2 "
                 "(r_c^-10/5 - r_c^-4/4); mie: the same integrals of its powers",
     .touches = MdTouch::pairLaw},
    tail);
}

void MdParameters::visitSpecies(auto& v) {
  auto b =
      v.with({.touches = MdTouch::pairLaw | MdTouch::forces, .actsWith = {"system", {"binary"}}});
  auto c = v.with({.effect = Effect::restart, .actsWith = {"system", {"colloids"}}});
  v({"fraction_b", "Fraction of B", "Species", "x_B"}, {0, 1, 0, 0.5},
    {.help = "Share of the particles that is of species B in a binary mixture. Larger: more "
             "particles with long lists, where B has the longer cutoff.",
     .equation = "Howard et al. 2016, section 4.1: x_B = N_B / N",
     .effect = Effect::restart,
     .actsWith = {"system", {"binary"}}},
    fractionB);
  b({"cutoff_b", "Cutoff of B", "Species", "r_BB", "sigma"}, {0.5, 20, 2, 9},
    {.help = "Cutoff between two particles of B; between A and B see mixing. Larger: longer lists "
             "of B, and cells that fit A less well.",
     .equation = "Howard et al. 2016, section 4.1: r_AB = (r_AA + r_BB) / 2"},
    cutoffB);
  b({"sigma_b", "Diameter of B", "Species", "sigma_B", "sigma"}, {0.2, 3, 0.8, 1.5},
    {.help = "Lennard-Jones diameter of B; between A and B see mixing. Larger: B takes more room, "
             "and the pressure rises. 1 in the mixture of the paper, whose species differ in the "
             "cutoff only.",
     .equation = "sigma_AB = (sigma_A + sigma_B) / 2"},
    sigmaB);
  b({"epsilon_b", "Depth of B", "Species", "epsilon_B", "epsilon"}, {0, 5, 0.2, 2},
    {.help =
         "Depth of the potential between two particles of B; between A and B see mixing. Larger: "
         "particles of B attract each other more strongly. 0: an ideal gas of B beside A.",
     .equation = "epsilon_AB = (epsilon_A + epsilon_B) / 2"},
    epsilonB);
  // Between A and B of a binary mixture.
  b({"mixing", "Mixing", "Species"},
    {.choices = {{"arithmetic", "arithmetic"},
                 {"lorentz_berthelot", "Lorentz-Berthelot"},
                 {"given", "given values"}},
     .help = "Diameter, depth and cutoff between A and B of a binary mixture. arithmetic: means of "
             "those of A and B. lorentz_berthelot: the same, but the geometric mean of the depths. "
             "given: sigma_ab, epsilon_ab and cutoff_ab as they are set.",
     .equation = "arithmetic: (x_A + x_B) / 2 (Howard et al. 2016, section 4.1); "
                 "Lorentz-Berthelot: epsilon_AB = sqrt(epsilon_A epsilon_B)"},
    mixing);
  const auto given = [&](const char* key, const char* label, const char* symbol, const char* unit,
                         double max, const char* help, double& field) {
    b({key, label, "Species", symbol, unit}, {0, max, 0, 0.5 * max},
      {.help = help,
       .equation = "Kob and Andersen, Phys. Rev. E 51, 4626 (1995): a mixture whose values are no "
                   "means of any kind",
       .actsWith = {"mixing", {"given"}}},
      field);
  };
  given("sigma_ab", "Diameter of A with B", "sigma_AB", "sigma", 3,
        "With mixing = given: at least 0.2; 0 stands for no value, which is refused. Larger: "
        "unlike particles keep further apart than like ones.",
        sigmaAB);
  given("epsilon_ab", "Depth of A with B", "epsilon_AB", "epsilon", 5,
        "With mixing = given: above 0; 0 stands for no value, which is refused. Larger: unlike "
        "particles attract each other more, and mix; much less than between like ones: they "
        "separate.",
        epsilonAB);
  given("cutoff_ab", "Cutoff of A with B", "r_AB", "sigma", 20,
        "With mixing = given: at least 0.5, in units of sigma = 1; 0 stands for no value, which is "
        "refused. Larger: longer lists.",
        cutoffAB);
  c({"colloids", "Colloids", "Species", "N_C"}, {1, 100000, 2, 200, kLogScale},
    {.help = "Number of colloids. Larger: a larger box with more solvent.",
     .equation = "Howard et al. 2016, section 4.2: L^3 = pi a^3 N_C / (6 phi)"},
    colloids);
  c({"colloid_diameter", "Colloid diameter", "Species", "a", "sigma"}, {2, 30, 3, 12},
    {.help = "Diameter of the colloids: spheres of Lennard-Jones particles of density 1 and mass "
             "1. Larger: heavier colloids, deeper attraction, cutoffs a/2 + 4 with the solvent and "
             "5 a/2 between colloids.",
     .equation = "Howard et al. 2016, section 4.2; m = pi a^3 / 6"},
    colloidDiameter);
  c({"colloid_fraction", "Volume fraction", "Species", "phi"}, {0.001, 0.3, 0.01, 0.2},
    {.help = "Share of the volume that the colloids fill. Larger: a smaller box, colloids closer "
             "to each other, less solvent.",
     .equation = "Howard et al. 2016, section 4.2: phi = pi a^3 N_C / (6 L^3)"},
    colloidFraction);
}

}  // namespace cellscope::md
