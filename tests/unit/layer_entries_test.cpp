// Options of layers in scenario files.

#include <gtest/gtest.h>

#include "sim/base/error.h"
#include "sim/run/scenario.h"

namespace cellscope {
namespace {

Scenario withLayers(const std::string& list) {
  return parseScenario("mode = \"hard_disks\"\n[view]\nlayers = [" + list + "]\n", "folder/a.toml");
}
std::string errorOf(const std::string& list) {
  try {
    withLayers(list);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

const LayerInfo& layerOf(const std::string& key) {
  for (const LayerInfo& layer : describeMode("hard_disks").layers)
    if (layer.key == key) return layer;
  throw RunError(key);
}

TEST(LayerEntries, OptionsAreReadAndWrittenBack) {
  const Scenario s = withLayers("\"disks opacity=0.25\", \"sets levels=b..c  opacity=0.5\"");
  const ModeDescription& mode = describeMode("hard_disks");
  EXPECT_EQ(layersOf(s, mode), (std::vector<std::string>{"disks", "sets"}));
  const auto looks = looksOf(s.layers, mode);
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks.at("disks").opacity, 0.25f);
  EXPECT_EQ(looks.at("sets").opacity, 0.5f);
  EXPECT_EQ(looks.at("sets").lowest, 1);
  EXPECT_EQ(looks.at("sets").highest, 2);
  const std::string entry = layerEntry("sets", looks.at("sets"), layerOf("sets"));
  EXPECT_EQ(lookOfEntry(entry, layerOf("sets")), looks.at("sets")) << entry;
  const Scenario again = parseScenario(scenarioText(s), "again.toml");
  EXPECT_EQ(looksOf(again.layers, mode), looks);
}

TEST(LayerEntries, ChangesOfTheDefaultHaveOptionsToo) {
  const ModeDescription& mode = describeMode("hard_disks");
  const Scenario s = withLayers("\"+sets levels=0..1\", \"-tested\"");
  const auto on = layersOf(s, mode);
  EXPECT_NE(std::find(on.begin(), on.end(), "sets"), on.end());
  EXPECT_EQ(std::find(on.begin(), on.end(), "tested"), on.end());
  EXPECT_EQ(looksOf(s.layers, mode).at("sets").highest, 1);
}

TEST(LayerEntries, TypesAreNamedOrCounted) {
  LayerInfo layer;
  layer.key = "particles";
  layer.options = {{LayerOption::Kind::types, "Types", "Shown.", 0, 2, {"A", "B", "C"}}};
  const LayerLook look = lookOfEntry("particles types=A,2", layer);
  EXPECT_EQ(look.types, 0b101u);
  EXPECT_EQ(layerEntry("+particles", look, layer), "+particles types=A,C");
  EXPECT_THROW(lookOfEntry("particles types=D", layer), InputError);
  EXPECT_THROW(lookOfEntry("particles types=", layer), InputError);
}

TEST(LayerEntries, ErrorsNameFileLineLayerAndWhatIsAllowed) {
  struct Case {
    const char *list, *wrong, *allowed;
  };
  for (const Case& c : {Case{"\"sets opacity=2\"", "opacity=2", "0.05 to 1"},
                        Case{"\"sets opacity=x\"", "opacity=x", "0.05 to 1"},
                        Case{"\"sets levels=a\"", "levels=a", "LOWEST..HIGHEST"},
                        Case{"\"sets levels=c..a\"", "levels=c..a", "lowest"},
                        Case{"\"sets levels=a..e\"", "levels=a..e", "a, b, c, d"},
                        Case{"\"sets colour=red\"", "colour=red", "opacity=NUMBER"},
                        Case{"\"cells levels=0..1\"", "levels=0..1", "opacity=NUMBER"},
                        Case{"\"-sets opacity=1\"", "opacity=1", "no options"},
                        Case{"\"sets\", \"sets opacity=1\"", "sets", "once"},
                        Case{"\"setz opacity=1\"", "setz", "did you mean 'sets'"}}) {
    const std::string error = errorOf(c.list);
    EXPECT_TRUE(error.starts_with("folder/a.toml:3: view.layers: ")) << error;
    EXPECT_NE(error.find(c.wrong), std::string::npos) << error;
    EXPECT_NE(error.find(c.allowed), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace cellscope
