/// Rules of what the companion class, and a load that makes one, could not be compiled with.

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

/// An entity that is a `Base` and holds a `member`; both may be declared in `before`.
std::string entity(const std::string& before, const std::string& member, const std::string& base = "",
                   const std::string& shown = "") {
  return before + "\nclass [[autoshard::entity]] Q" + (base.empty() ? "" : " : " + base) +
         " {\n public:\n  " + shown + "\n private:\n  [[autoshard::id]] int id_ = 0;\n  " + member + "\n};\n";
}

const char* const kPinned = "struct Pinned { Pinned() = default; Pinned(Pinned&&) = delete; };";
const char* const kHandle = "struct Handle { explicit Handle(int); };";

const RuleCase kLoads[] = {
    {"PinnedMember", "not-movable", entity(kPinned, "[[autoshard::transient]] Pinned ^x_;"),
     "a load cannot return a 'Q' by value: its member 'x_' cannot be moved; hold it in a std::unique_ptr",
     ""},
    {"PinnedArray", "not-movable", entity(kPinned, "[[autoshard::transient]] Pinned ^x_[2];"),
     "its member 'x_' cannot be moved", ""},
    {"PinnedBase", "not-movable", entity(kPinned, "", "^public Pinned"),
     "its base class 'Pinned' cannot be moved", ""},
    {"DeletedCopy", "not-movable", entity("", "", "", "Q() = default; ^Q(const Q&) = delete;"),
     "its copy constructor is deleted, and it has no other", ""},
    {"PrivateMove", "not-movable", entity("", "^Q(Q&&) = default;", "", "Q() = default;"),
     "its move constructor is not public", ""},
    {"DefaultedMoveOfPinned", "not-movable",
     entity(kPinned, "[[autoshard::transient]] Pinned ^x_;", "", "Q() = default; Q(Q&&) = default;"),
     "its member 'x_' cannot be moved", ""},
    {"PrivateDestructor", "not-movable", entity("", "^~Q() = default;"), "its destructor is not public", ""},
    {"DeletedDestructor", "not-movable", entity("", "", "", "^~Q() = delete;"), "its destructor is deleted",
     ""},
    {"PinnedInAStruct", "not-movable",
     std::string(kPinned) +
         "struct [[autoshard::entity]] S { [[autoshard::id]] int id; [[autoshard::transient]] Pinned ^x; };",
     "its member 'x' cannot be moved", ""},
    {"MemberWithoutDefault", "no-default",
     entity(kHandle, "[[autoshard::transient]] Handle ^x_;", "", "explicit Q(int n) : x_(n) {}"),
     "transient member 'x_' has type 'Handle', which cannot be constructed without arguments", ""},
    {"MemberWithPrivateDefault", "no-default",
     entity("class Handle { Handle(); public: explicit Handle(int); };",
            "[[autoshard::transient]] Handle ^x_;", "", "explicit Q(int n) : x_(n) {}"),
     "give it an initialiser", ""},
    {"BaseWithoutDefault", "no-default", entity(kHandle, "", "^public Handle", "Q() : Handle(1) {}"),
     "base class 'Handle' cannot be constructed without arguments", ""},
    {"VirtualBaseWithoutDefault", "no-default",
     entity(kHandle, "", "^virtual public Handle", "Q() : Handle(1) {}"), "give it a default constructor",
     ""},
    {"VirtualBaseOfABase", "no-default",
     std::string(kHandle) + "struct Base : virtual Handle { Base() : Handle(1) {} };\n" +
         "class [[autoshard::entity]] ^Q : public Base { public: Q() : Handle(1) {} private: "
         "[[autoshard::id]] "
         "int id_ = 0; };",
     "base class 'Handle'", ""},
};
INSTANTIATE_TEST_SUITE_P(Loads, RuleTest, testing::ValuesIn(kLoads), name_of);

const RuleCase kCompanions[] = {
    {"Decomposition", "decomposition",
     entity("", "", "", "int f() const { const auto& ^[a] = *this; return a; }"),
     "has one more member; name the members", ""},
    {"DecompositionOfACopy", "decomposition", entity("", "", "", "int f() { auto ^[a] = *this; return a; }"),
     "takes a 'Q' apart", ""},
    {"DecompositionBehindTheClass", "decomposition",
     "struct [[autoshard::entity]] S { [[autoshard::id]] int id; };\n"
     "inline int f(const S& s) { auto ^[id] = s; return id; }",
     "takes a 'S' apart", ""},
};
INSTANTIATE_TEST_SUITE_P(Companions, RuleTest, testing::ValuesIn(kCompanions), name_of);

TEST(NamesOfIndexes, AreNoTypesThatMethodsOutsideOfTheClassUse) {
  const auto output = [](const std::string& outside) {
    return apply_rules(
               "namespace n { struct Newest { int n; }; }\nusing n::Newest;\n"
               "class [[autoshard::entity, autoshard::sharded_index(name = Newest, key = id_, order = at_, "
               "shards = 2)]] Q {\n public:\n  int f() const;\n  struct Inner { int f() const; };\n"
               "  static const int kMost;\n  n::Newest g() const;\n"
               "  [[autoshard::shard_method]] n::Newest add();\n private:\n"
               "  [[autoshard::id]] int id_ = 0;\n  int at_ = 0;\n"
               "  [[autoshard::shardable(neutral = 0, shards = 2, fold = [](int x, int y) { return x + y; "
               "})]]\n"
               "  int votes_ = 0;\n};\n" +
               outside +
               (outside.find("Q::add") == std::string::npos
                    ? "inline n::Newest Q::add() { ++votes_; return {}; }\n"
                    : ""))
        .output;
  };
  for (const char* const outside :
       {"inline int Q::f() const { return Newest{1}.n; }\n",
        "inline int Q::Inner::f() const { return Newest{1}.n; }\n",
        "inline const int Q::kMost = Newest{1}.n;\n", "Newest Q::add() { ++votes_; return {1}; }\n"}) {
    EXPECT_NE(output(outside).find("[autoshard-index-name]"), std::string::npos) << outside;
  }
  EXPECT_EQ(output("inline Newest Q::g() const { return {1}; }\n").find("'Newest'"), std::string::npos);
  EXPECT_EQ(output("inline int Q::f() const { return 1; }\n").find("'Newest'"), std::string::npos);
  // Names of its own, which hide those of the namespace and of the class.
  EXPECT_EQ(
      output("inline int Q::f() const { struct A { int Newest; }; int Shard = 1; return A{Shard}.Newest; }\n")
          .find("[autoshard-"),
      std::string::npos);
}

TEST(SeveralHeaders, AreSaidToBeReadTogetherWhereThatFails) {
  const std::string header = "static const int kMost = 3;\n";
  const Outcome alone = parse_texts({{"a.h", header + "nonsense\n" + question("")}});
  EXPECT_EQ(alone.output.find("read together"), std::string::npos) << alone.output;
  const Outcome both = parse_texts({{"a.h", header + question("")}, {"b.h", header}});
  EXPECT_FALSE(both.ok);
  EXPECT_NE(both.output.find("redefinition of 'kMost'"), std::string::npos) << both.output;
  EXPECT_NE(both.output.find("note: the headers given are read together"), std::string::npos) << both.output;
}

TEST(IncludedTest, ClassInAFileThatIsIncludedInsideANamespaceIsRefused) {
  const std::string outer = "namespace a {\n#include \"inner.h\"\n}\n";
  const Outcome outcome = parse_texts({{"outer.h", outer}, {"inner.h", "#pragma once\n" + question("")}});
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-entity-place");
  EXPECT_NE(outcome.output.find("inner.h:2:29: error: 'Question' is in a file that is included inside of a"),
            std::string::npos)
      << outcome.output;
}

TEST(IncludedTest, NamespaceMayBeOpenedByAnIncludedFile) {
  const Outcome outcome = parse_texts(
      {{"entity.h", "#pragma once\n#include \"begin.h\"\n" + question("") + "#include \"end.h\"\n"}},
      {{"begin.h", "namespace a {\n"}, {"end.h", "}\n"}});
  EXPECT_TRUE(outcome.ok) << outcome.output;
}

}  // namespace
}  // namespace autoshard::tool
