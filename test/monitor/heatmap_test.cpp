/// Tests `autoshardctl URL heatmap`.

#include <autoshard/monitor.h>
#include <gmock/gmock.h>
#include <httplib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "commands.h"
#include "monitor/load.h"
#include "support/temporary_folder.h"

namespace autoshard::test {
namespace {

using testing::HasSubstr;

class HeatmapTest : public testing::Test {
 protected:
  int run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "autoshardctl");
    errors_.str("");
    std::ostringstream out;
    return ctl::run(static_cast<int>(arguments.size()), arguments.data(), out, errors_);
  }

  TemporaryFolder folder_;
  const std::string file_ = (folder_.path() / "page.html").string();
  std::ostringstream errors_;
};

TEST_F(HeatmapTest, SavesThePageWithItsData) {
  Load load;
  Monitor monitor(load.watched(), {.port = 0, .interval = std::chrono::milliseconds(0)});
  load.spread();
  monitor.sample();
  const std::string url = monitor.url();
  EXPECT_EQ(run({url.c_str(), "heatmap", "--out", file_.c_str()}), 0) << errors_.str();
  std::filesystem::rename(file_, file_ + ".1");
  EXPECT_EQ(run({"heatmap", url.c_str(), "--out", file_.c_str()}), 0) << errors_.str();
  std::ifstream in(file_);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(page, HasSubstr("Flight 1"));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST_F(HeatmapTest, SaysThatThereIsNoMonitor) {
  EXPECT_EQ(run({"http://127.0.0.1:1", "heatmap", "--out", file_.c_str()}), 2);
  EXPECT_THAT(errors_.str(), HasSubstr("http://127.0.0.1:1 does not answer"));
  EXPECT_EQ(run({"rocksdb:air", "heatmap", "--out", file_.c_str()}), 2);
  EXPECT_THAT(errors_.str(), HasSubstr("write http://HOST:PORT"));
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(HeatmapTest, SaysThatTheFileCannotBeWritten) {
  Load load;
  Monitor monitor(load.watched(), {.port = 0, .interval = std::chrono::milliseconds(0)});
  const std::string url = monitor.url();
  EXPECT_EQ(run({url.c_str(), "heatmap", "--out", "/nowhere/page.html"}), 2);
  EXPECT_THAT(errors_.str(), HasSubstr("/nowhere/page.html could not be written"));
}

}  // namespace
}  // namespace autoshard::test
