/// Input that the server refuses: each with a status, and a message that says what to do.

#include <gmock/gmock.h>

#include "vote_server.h"

namespace autoshard::test {
namespace {

using testing::HasSubstr;

constexpr const char* kCookie = "visitor=0123456789abcdef0123456789abcdef";

struct Refusal {
  std::string name;
  std::string path;
  std::string body;
  int status;
  std::string message;
  std::string type = "application/json";
  httplib::Headers headers = {{"Cookie", kCookie}};
};

std::string question_of(const std::string& text) { return R"({"question": ")" + text + "\"}"; }

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::vector<Refusal> refusals() {
  const std::string ask = "/api/questions", vote = "/api/questions/1/vote",
                    respond = "/api/questions/1/responses";
  const std::string up = R"({"choice": "up"})", text = R"({"text": "Because"})";
  const httplib::Headers nobody, strange = {{"Cookie", "visitor=0123; other=1"}};
  return {
      {"LongQuestion", ask, question_of(repeated("ä", 301)), 400, "has 301 characters: shorten it to 300"},
      {"LongResponse", respond, R"({"text": ")" + repeated("x", 2001) + "\"}", 400, "shorten it to 2000"},
      {"LongName", ask, R"({"question": "Why?", "author": ")" + repeated("x", 41) + "\"}", 400,
       "shorten it to 40"},
      {"EmptyQuestion", ask, question_of("   "), 400, "the question is empty"},
      {"NoQuestion", ask, "{}", 400, "the question is empty"},
      {"EmptyResponse", respond, R"({"text": ""})", 400, "the response is empty"},
      {"LinesInAQuestion", ask, question_of("a\\nb"), 400, "several lines: remove them"},
      {"ControlCharacter", respond, R"({"text": "a\u0000b"})", 400, "control characters: remove them"},
      {"NumberAsQuestion", ask, R"({"question": 5})", 400, "\"question\" is no string"},
      {"BrokenUtf8", ask, question_of("\xff"), 400, "no JSON object in UTF-8"},
      {"NoJson", ask, "question=Why", 400, "no JSON object"},
      {"NoObject", ask, "[1]", 400, "no JSON object"},
      {"UnknownChoice", vote, R"({"choice": "twice"})", 400, "none of up, down and none"},
      {"LongKey",
       respond,
       text,
       400,
       "shorten it to 64",
       "application/json",
       {{"Cookie", kCookie}, {"Idempotency-Key", repeated("k", 65)}}},
      {"AbsentQuestion", "/api/questions/99/vote", up, 404, "no such question"},
      {"ResponseToAnAbsentQuestion", "/api/questions/99/responses", text, 404, "no such question"},
      {"HugeId", "/api/questions/99999999999/vote", up, 404, "there is no POST"},
      {"UnknownRoute", "/api/answers", up, 404, "there is no POST /api/answers"},
      {"FormOfAnotherSite", vote, "choice=up", 415, "Content-Type", "application/x-www-form-urlencoded"},
      {"PlainText", vote, up, 415, "Content-Type", "text/plain"},
      {"NoCookie", vote, up, 403, "open the page first", "application/json", nobody},
      {"StrangeCookie", vote, up, 403, "open the page first", "application/json", strange},
      {"LargeRequest", ask, question_of(repeated("x", 20'000)), 413, "send 16384 bytes at most"},
  };
}

class LimitsTest : public testing::TestWithParam<Refusal> {};

TEST_P(LimitsTest, AreKept) {
  const Refusal& refusal = GetParam();
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  Visitor visitor(server.url());
  ASSERT_EQ(visitor.ask("Is it true?"), 1);
  const nlohmann::json before = visitor.get("/api/ranking").json;

  httplib::Client client(server.url());
  const Answer answer =
      Visitor::to_answer(client.Post(refusal.path, refusal.headers, refusal.body, refusal.type));
  EXPECT_EQ(answer.status, refusal.status);
  ASSERT_TRUE(answer.json.is_object());
  EXPECT_THAT(answer.json.at("error").get<std::string>(), HasSubstr(refusal.message));
  EXPECT_EQ(visitor.get("/api/ranking").json, before);
}

INSTANTIATE_TEST_SUITE_P(, LimitsTest, testing::ValuesIn(refusals()),
                         [](const auto& test) { return test.param.name; });

TEST(LargestInputTest, IsTaken) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  Visitor visitor(server.url());
  const std::string name = repeated("🗳", 40);
  EXPECT_EQ(visitor.post("/api/questions", {{"question", repeated("🗳", 300)}, {"author", name}}).status,
            201);
  const nlohmann::json response = {{"text", repeated("🗳", 2'000)}, {"author", name}};
  EXPECT_EQ(visitor.post("/api/questions/1/responses", response).status, 201);
}

TEST(UnknownLengthTest, IsRefused) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  httplib::Client client(server.url());
  const auto provider = [](std::size_t, httplib::DataSink& sink) {
    sink.done();
    return true;
  };
  const Answer answer =
      Visitor::to_answer(client.Post("/api/questions", {{"Cookie", kCookie}}, provider, "application/json"));
  EXPECT_EQ(answer.status, 411);
  EXPECT_THAT(answer.json.at("error").get<std::string>(), HasSubstr("Content-Length"));
}

TEST(WrongCursorTest, IsRefused) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  Visitor visitor(server.url());
  visitor.ask("Is it true?");
  for (const char* path : {"/api/questions", "/api/questions/1/responses"}) {
    const Answer answer = visitor.get(path, {{"after", "nonsense"}});
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_THAT(answer.json.at("error").get<std::string>(), HasSubstr("begin without one"));
  }
  EXPECT_EQ(visitor.get("/api/questions/99/responses").status, 404);
  EXPECT_EQ(visitor.get("/api/nothing").status, 404);
}

TEST(NumberOfResponsesTest, IsLimited) {
  const TemporaryFolder folder;
  const VoteServer server(folder.path());
  Visitor visitor(server.url());
  visitor.ask("Is it true?");
  const nlohmann::json response = {{"text", "It is."}};
  for (int i = 0; i < 500; ++i)
    ASSERT_EQ(visitor.post("/api/questions/1/responses", response).status, 201) << "response " << i;
  const Answer answer = visitor.post("/api/questions/1/responses", response);
  EXPECT_EQ(answer.status, 409);
  EXPECT_THAT(answer.json.at("error").get<std::string>(), HasSubstr("the question has 500 responses"));
}

TEST(NumberOfQuestionsTest, IsLimited) {
  const TemporaryFolder folder;
  {
    const VoteServer server(folder.path(), {"--max-questions", "2"});
    Visitor visitor(server.url());
    visitor.ask("One?");
    visitor.ask("Two?");
    const Answer answer = visitor.post("/api/questions", {{"question", "Three?"}});
    EXPECT_EQ(answer.status, 409);
    EXPECT_THAT(answer.json.at("error").get<std::string>(), HasSubstr("there are 2 questions"));
  }
  const VoteServer server(folder.path(), {"--max-questions", "3"});  // counts those that are there
  Visitor visitor(server.url());
  EXPECT_EQ(visitor.ask("Three?"), 3);
  EXPECT_EQ(visitor.post("/api/questions", {{"question", "Four?"}}).status, 409);
}

}  // namespace
}  // namespace autoshard::test
