// What somebody else's program looks like. Exits with 0 only if what it wrote is what it reads.
#include <autoshard/autoshard.h>

#include <cstdio>

#include "model/article.autoshard.h"

int main(int, char** arguments) {
  autoshard::RocksDbStore store{arguments[1]};
  autoshard::Mapper mapper{store};
  mapper.save(shop::Article{"A-7", shop::Unit::kMetre});
  mapper.apply<&shop::Article::deliver>("A-7", 40);
  mapper.apply<&shop::Article::take_back>("A-7", 2);
  const auto article = mapper.load<shop::Article>("A-7");
  if (!article || article->stock() != 42 || article->currency() != "EUR") return 1;
  std::puts("42 in stock");
}
