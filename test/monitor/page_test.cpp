/// Tests the live page in a browser, while a load runs. With AUTOSHARD_SCREENSHOTS=FOLDER, the tests leave
/// pictures there.

#include <autoshard/monitor.h>
#include <gmock/gmock.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "monitor/load.h"
#include "support/browser.h"
#include "support/temporary_folder.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The number of pixels of the first row's heat map that are hot.
constexpr const char* kHotPixels = R"(
  const canvas = document.querySelector('#rows canvas'), pen = canvas.getContext('2d');
  const pixels = pen.getImageData(0, 4, canvas.width, 1).data, cold = getComputedStyle(document.documentElement)
    .getPropertyValue('--cold').trim().slice(1).match(/../g).map(c => parseInt(c, 16));
  let hot = 0;
  for (let i = 0; i < pixels.length; i += 4)
    hot += pixels[i + 3] > 0 && Math.abs(pixels[i] - cold[0]) + Math.abs(pixels[i + 1] - cold[1]) + Math.abs(pixels[i + 2] - cold[2]) > 30;
  return hot;)";

class PageTest : public testing::Test {
 protected:
  ~PageTest() override { stop(); }

  /// Runs the load in the background, with pauses, until the test ends. `round` gets 0, 1, 2, ….
  void run(std::function<void(int round)> round) {
    loading_ = std::thread([this, round = std::move(round)] {
      for (int i = 0; !stopping_; ++i) {
        round(i);
        std::this_thread::sleep_for(5ms);
      }
    });
  }
  void stop() {
    stopping_ = true;
    if (loading_.joinable()) loading_.join();
  }

  /// Opens the page, and waits until it shows so many columns.
  void open(int columns) {
    browser_.go(monitor_.url());
    browser_.run("view.span = 30");
    browser_.wait_for("return latest && series().times.length >= " + std::to_string(columns));
  }

  void picture(const std::string& name) {
    const char* const folder = std::getenv("AUTOSHARD_SCREENSHOTS");
    if (!folder) return;
    browser_.resize(1280, 900);
    for (const bool is_dark : {false, true}) {
      browser_.set_dark(is_dark);
      browser_.run("draw()");
      browser_.save_screenshot(std::filesystem::path(folder) / (name + (is_dark ? "_dark.png" : ".png")));
    }
    browser_.set_dark(false);
    browser_.resize(390, 844, true);
    browser_.run("draw()");
    browser_.save_screenshot(std::filesystem::path(folder) / (name + "_phone.png"));
    browser_.resize(1280, 900);
  }

  Load load_;
  Monitor monitor_{load_.watched(), {.port = 0, .interval = 100ms}};
  Browser browser_;
  std::atomic<bool> stopping_{false};
  std::thread loading_;
};

TEST_F(PageTest, SaysWhatIsHotAndWhatToWrite) {
  run([this](int round) {
    for (int i = 0; i < 5; ++i) load_.save(7);
    if (round % 4 == 0) load_.spread();
  });
  open(30);
  browser_.wait_for("return document.querySelector('.advice code')");
  EXPECT_THAT(browser_.text("#advice"),
              AllOf(HasSubstr("Flight 7 · to"), HasSubstr("saves a second fail"),
                    HasSubstr("[[autoshard::shardable(neutral = …, shards = 2)]]")));
  EXPECT_TRUE(browser_.wait_for(std::string("return (() => {") + kHotPixels + "})() > 100"));
  EXPECT_NE(browser_.text("#conflicts-now"), "0");
  picture("one_hot_property");
  EXPECT_EQ(browser_.console_errors(), "");
}

TEST_F(PageTest, SaysThatNothingIsWrong) {
  run([this](int) { load_.spread(); });
  open(30);
  EXPECT_THAT(browser_.text("#advice"), HasSubstr("Nothing is wrong."));
  EXPECT_GE(browser_.run("return document.querySelectorAll('#rows .row').length").get<int>(), 10);
  picture("even_load");
  EXPECT_EQ(browser_.console_errors(), "");
}

TEST_F(PageTest, MarksChangesOfTheNumberOfShards) {
  run([this](int round) {
    for (int i = 0; i < 5; ++i) load_.race<&Flight::view>(7);
    load_.spread();
    if (round % 40 == 39) load_.end_window();
  });
  open(30);
  browser_.wait_for("return latest.changes.length >= 3");
  browser_.run("view.open.add('Flight 7\\nviews'); view.span = 400; draw()");
  browser_.click("#rows .row[data-key='Flight 7\\a views'] .name");
  EXPECT_THAT(browser_.text("#details"),
              AllOf(HasSubstr("Flight 7 · views"), HasSubstr("1 → 2 shards, because updates meet conflicts"),
                    HasSubstr("adaptive, at most 16")));
  browser_.press(Browser::kEscape);
  EXPECT_EQ(browser_.run("return document.getElementById('details').hidden"), true);
  picture("adaptive_growth");
  EXPECT_EQ(browser_.console_errors(), "");
}

TEST_F(PageTest, IsUsedByKeyboard) {
  run([this](int) { load_.spread(); });
  open(10);
  browser_.press("p");
  EXPECT_EQ(browser_.text("#state"), "paused");
  const auto columns = browser_.run("return series().times.length");
  browser_.press("-");
  EXPECT_EQ(browser_.run("return view.span"), 60);
  browser_.press("+");
  EXPECT_EQ(browser_.run("return view.span"), 30);
  browser_.press(Browser::kDown);
  browser_.press(Browser::kEnter);
  EXPECT_EQ(browser_.run("return document.activeElement.id"), "close");
  browser_.press(Browser::kEscape);
  EXPECT_EQ(browser_.run("return document.activeElement.className"), "name");
  EXPECT_EQ(browser_.run("return series().times.length"), columns) << "it is paused";
  browser_.press("p");
  browser_.wait_for("return series().times.length > arguments[0]", json::array({columns}));
}

TEST_F(PageTest, TellsThatTheProgramHasEnded) {
  Load other;
  auto monitor = std::make_unique<Monitor>(other.watched(), MonitorOptions{.port = 0, .interval = 100ms});
  browser_.go(monitor->url());
  browser_.wait_for("return document.getElementById('state').textContent === 'live'");
  monitor.reset();
  browser_.wait_for("return document.getElementById('state').textContent.startsWith('no answer')");
}

TEST_F(PageTest, IsKeptAsAFile) {
  run([this](int) {
    load_.save(7);
    load_.spread();
  });
  open(20);
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "page.html";
  std::ofstream(file) << httplib::Client("127.0.0.1", monitor_.port()).Get("/snapshot.html")->body;
  browser_.go("file://" + file.string());
  EXPECT_EQ(browser_.text("#state"), "saved page");
  EXPECT_THAT(browser_.text("#advice"), HasSubstr("Flight 7 · to"));
  EXPECT_GT(browser_.run(kHotPixels).get<int>(), 0);
  EXPECT_EQ(browser_.console_errors(), "");
}

TEST_F(PageTest, FitsOnAPhone) {
  run([this](int) {
    load_.save(7);
    load_.spread();
  });
  browser_.resize(390, 844, true);
  open(5);
  EXPECT_LE(browser_.run("return document.documentElement.scrollWidth").get<int>(), 390);
  browser_.click("#rows .name");
  EXPECT_LE(
      browser_.run("return document.getElementById('details').getBoundingClientRect().right").get<double>(),
      390);
}

/// The id of an entity comes from users.
TEST_F(PageTest, ShowsMarkupInNamesAsText) {
  browser_.go(monitor_.url());
  browser_.wait_for("return latest");
  browser_.run(
      R"(const row = { entity: '<img src=x onerror=bad()>', property: 'votes', sharded: true, shards: [1], updates: [5],
    conflicts: [5], waiting: [0], now: { shards: 1, updates: 5, commits: 5, conflicts: 5, retries: 0, loads: 0, waiting: 0, writers: 1 } };
    latest.advice = [{ ...row, problem: '<b>', remedy: '<b>', annotation: '<b>', conflicts: 5 }];
    series().rows.set('x', row); view.paused = true; draw())");
  EXPECT_EQ(browser_.run("return document.querySelectorAll('img, b').length"), 0);
  EXPECT_THAT(browser_.text("#advice"), HasSubstr("<img src=x onerror=bad()>"));
}

}  // namespace
}  // namespace autoshard::test
