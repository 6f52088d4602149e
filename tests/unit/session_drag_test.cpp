// Changes of one drag of a slider are one step to undo.
#include <gtest/gtest.h>

#include "sim/run/session.h"
#include "test_paths.h"

namespace cellscope {
namespace {

double packingOf(Session& session) {
  return std::get<double>(const_cast<Mode&>(session.mode()).parameters().at("packing").get());
}

TEST(Session, ChangesOfOneDragAreUndoneTogether) {
  Scenario s = findScenario("hexatic", CELLSCOPE_SOURCE_DIR "/assets/scenarios");
  setParameter(s, "n", std::int64_t{64});
  Session session(s, ExecConfig{Backend::cpu, 1, 0});
  session.finishPreparation();
  session.advance(5);
  const std::vector<double> before = session.mode().configuration().positions;
  session.set("packing", 0.70);
  session.finishPreparation();
  for (double packing : {0.69, 0.68}) {  // dragged on, after the one before was reached
    session.set({{"packing", packing}}, true);
    session.finishPreparation();
    session.advance(3);
  }
  EXPECT_DOUBLE_EQ(packingOf(session), 0.68);
  session.undo();
  EXPECT_DOUBLE_EQ(packingOf(session), 0.712);
  EXPECT_EQ(session.mode().configuration().positions, before);
  EXPECT_FALSE(session.canUndo());
}

TEST(Session, ChangesOfTwoDragsAreUndoneOneByOne) {
  Scenario s = findScenario("hexatic", CELLSCOPE_SOURCE_DIR "/assets/scenarios");
  setParameter(s, "n", std::int64_t{64});
  Session session(s, ExecConfig{Backend::cpu, 1, 0});
  session.finishPreparation();
  for (double packing : {0.70, 0.69}) {
    session.set("packing", packing);
    session.finishPreparation();
    session.advance(3);
  }
  session.undo();
  EXPECT_DOUBLE_EQ(packingOf(session), 0.70);
  session.undo();
  EXPECT_DOUBLE_EQ(packingOf(session), 0.712);
}

}  // namespace
}  // namespace cellscope
