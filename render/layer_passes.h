// Draws the instances of one layer from its GL buffer.
#pragma once
#include <memory>

#include "render/gl.h"
#include "render/renderer.h"

namespace cellscope::render {

// What a pass needs besides the scene's uniforms.
struct LayerDraw {
  unsigned buffer = 0;
  int count = 0;          // of instances; capacity where `commands` is set
  unsigned commands = 0;  // DrawCommands, whose number of instances only the device knows
  int dimension = 2;
  float typicalPixels = 0;  // points: diameter on the screen; cells: width, at scale 1
  float largestPixels = 0;  // points: of the largest, where it is known
  unsigned colours = 0;     // texture of the colour table
  float mapOrigin = 0, mapScale = 0, mapCategories = 0;
  bool mapWraps = false;
  bool filled = false;           // boxes: some have faces
  bool aroundParticles = false;  // points: marks around particles instead of disks and spheres
  bool hatched = false;          // points of a plane: some have a hatching
  bool crowded = false;          // marks: those of tiny particles would hide everything
  // Lines: nothing hides them. Boxes: edges that particles hide. Neither fades with depth.
  bool over = false;
  bool cased = false;  // lines: some have a casing
  int mark = -1;       // of every instance; -1: from the colour table
  LayerLook look;
  // Drawn once more at an offset, in a periodic box of these lengths; 0: as they are.
  float imageOffset[2] = {0, 0}, imageBox[2] = {0, 0};
  // Those of which images may reach into the box; a negative number: not known.
  unsigned edges = 0;
  int atEdges = -1;
  float fade = 1;  // opacity of the whole layer
  Rgb background{};
  const CellLattice* lattice = nullptr;  // of cells, whose bytes are in `buffer`, or 0: sets
  const Box* box = nullptr;
  bool quiet = false;  // all instances have this colour
  Rgb quietColour{};
  float smaller = 1;        // spheres: factor of their diameters
  Rest rest = Rest::shown;  // particles beside a selection
  bool uncut = false;       // slabs do not act
  unsigned faces = 0;  // boxes in space: texture with depths of the nearest; 0: none are filled
  float larger = 1;    // tiny disks of the plane are enlarged by this factor
};

// The commands of all passes for one layer, as glDraw*Indirect reads them.
struct DrawCommands {
  unsigned quads[4];   // vertices, instances, 0, 0
  unsigned points[4];  // instances, 1, 0, 0
  unsigned edges[5];   // indices, instances, 0, 0, 0
  unsigned faces[4];   // vertices, instances, 0, 0
};
// Commands with the number of instances read from `count`, a GL buffer of one 32-bit integer.
void setCommands(unsigned commands, unsigned count);

// Which instances a draw shows.
enum class Instances { all, active, inactive };

class LayerPasses {
 public:
  LayerPasses();
  ~LayerPasses();
  void points(const LayerDraw& layer, Instances which);
  // Adds coverage to the sums of a DensityTarget, which are of this part of the picture.
  void splats(const LayerDraw& layer, const Viewport& part);
  // In the plane a box has a fill, which belongs under the particles, and marks: its outline and
  // hatching. In space it has faces and edges, and the nearest faces are looked for first.
  void boxFills(const LayerDraw& layer);
  void nearestFaces(const LayerDraw& layer);
  void boxMarks(const LayerDraw& layer);
  // Cells of a plane: a fill under the particles; outlines and hatching over them, or one colour
  // where the cells are small.
  void cellFills(const LayerDraw& layer);
  void cellMarks(const LayerDraw& layer);
  void lines(const LayerDraw& layer);
  void marks(const LayerDraw& layer);  // around particles
  // The simulation box from the origin to `length`.
  void boxOutline(const Box& box, const Rgb& colour);
  // Full-screen triangle of these sums; what lies outside the part must be cut off.
  void composite(const Viewport& part);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellscope::render
