#pragma once

/// Every version of the class Book: they have different indexes.

#include <tuple>

#include "book/by_author.autoshard.h"
#include "book/by_both.autoshard.h"
#include "book/by_isbn.autoshard.h"
#include "book/plain.autoshard.h"

namespace library {

/// The version with these indexes: bit 1 is the index of the author, bit 2 that of the ISBN.
template <int kIndexes>
using Book = std::tuple_element_t<kIndexes, std::tuple<PlainBook, BookByAuthor, BookByIsbn, BookByBoth>>;

/// Names the index of the author for a range. The generator writes names for sharded indexes only.
template <class Book>
using ByAuthor = autoshard::IndexOf<Book, 0>;

}  // namespace library
