#ifndef FEED_TYPES_H_
#define FEED_TYPES_H_

// What headers need that only pass posts on.

namespace feed {

class Post;
void Audit(const Post& post);

}  // namespace feed

#endif  // FEED_TYPES_H_
