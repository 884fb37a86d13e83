#include "tool/output/model_dump.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace autoshard::tool {
namespace {

constexpr const char* name_of(Access access) {
  switch (access) {
    case Access::kPublic:
      return "public";
    case Access::kProtected:
      return "protected";
    case Access::kPrivate:
      return "private";
  }
  return "";
}

constexpr const char* name_of(Passing passing) {
  switch (passing) {
    case Passing::kValue:
      return "value";
    case Passing::kConstReference:
      return "const reference";
    case Passing::kReference:
      return "reference";
    case Passing::kRvalueReference:
      return "rvalue reference";
  }
  return "";
}

constexpr const char* name_of(Result result) {
  switch (result) {
    case Result::kNothing:
      return "nothing";
    case Result::kValue:
      return "value";
    case Result::kSelfReference:
      return "self reference";
    case Result::kSelfPointer:
      return "self pointer";
    case Result::kSelfValue:
      return "self value";
    case Result::kReference:
      return "reference";
  }
  return "";
}

constexpr const char* name_of(Sharding::Kind kind) {
  switch (kind) {
    case Sharding::Kind::kStatic:
      return "static";
    case Sharding::Kind::kDynamic:
      return "dynamic";
    case Sharding::Kind::kAdaptive:
      return "adaptive";
    case Sharding::Kind::kGroup:
      return "group";
  }
  return "";
}

constexpr const char* name_of(Sharding::Fold fold) {
  switch (fold) {
    case Sharding::Fold::kOther:
      return "";
    case Sharding::Fold::kSum:
      return "sum";
    case Sharding::Fold::kMinimum:
      return "minimum";
    case Sharding::Fold::kMaximum:
      return "maximum";
  }
  return "";
}

constexpr const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return "add";
    case Operation::kMultiply:
      return "multiply";
    case Operation::kMaximum:
      return "maximum";
    case Operation::kMinimum:
      return "minimum";
    case Operation::kBitOr:
      return "or";
    case Operation::kBitAnd:
      return "and";
    case Operation::kBitXor:
      return "xor";
    case Operation::kInsert:
      return "insert";
    case Operation::kAppend:
      return "append";
    case Operation::kPrepend:
      return "prepend";
    case Operation::kPut:
      return "put";
  }
  return "";
}

/// Writes the parts of a model, each as one JSON object. Leaves out members that are false or empty, so that
/// the others are easy to see.
class Dumper {
 public:
  Dumper(const Model& model, llvm::raw_ostream& out) : model_(model), json_(out, 2) {}

  void run() {
    json_.object([&] {
      json_.attributeArray("files", [&] {
        for (const SourceFile& file : model_.files) {
          if (file.is_input) write(file);
        }
      });
      write_all("entities", model_.entities);
      write_all("parts", model_.parts);
      write_all("strays", model_.strays);
    });
  }

 private:
  template <typename Part>
  void write_all(const char* name, const std::vector<Part>& parts) {
    if (parts.empty()) return;
    json_.attributeArray(name, [&] {
      for (const Part& part : parts) write(part);
    });
  }

  /// `question.h:20-33`: bytes of a file. Files that were not given are left out: their paths differ between
  /// machines.
  void where(const Span& span) {
    if (span.file >= model_.files.size() || !model_.files[span.file].is_input) return;
    json_.attribute("at", model_.files[span.file].path + ":" + std::to_string(span.begin) + "-" +
                              std::to_string(span.end));
  }

  void text(const char* name, const std::string& value) {
    if (!value.empty()) json_.attribute(name, value);
  }

  void flag(const char* name, bool value) {
    if (value) json_.attribute(name, true);
  }

  void write(const SourceFile& file) {
    json_.object([&] {
      json_.attribute("path", file.path);
      write_all("attribute_edits", file.attribute_edits);
      write_all("include_edits", file.include_edits);
      write_all("forward_declarations", file.forward_declarations);
      write_all("pragma_once", file.pragma_once);
      write_all("skipped", file.skipped);
    });
  }

  void write(const Edit& edit) {
    json_.object([&] {
      where(edit.span);
      json_.attribute("text", edit.text);
    });
  }

  void write(const Span& span) {
    json_.object([&] { where(span); });
  }

  void write(const Entity& entity) {
    json_.object([&] {
      json_.attribute("name", entity.name);
      json_.attribute("qualified_name", entity.qualified_name);
      json_.attribute("kind", entity.kind);
      where(entity.definition);
      flag("is_aggregate", entity.is_aggregate);
      flag("has_implicit_default_constructor", entity.has_implicit_default_constructor);
      write_all("annotations", entity.annotations);
      write_all("sharded_indexes", entity.sharded_indexes);
      write_all("properties", entity.properties);
      write_all("inherited", entity.inherited);
      write_all("methods", entity.methods);
      write_all("other_names", entity.other_names);
    });
  }

  void write(const Name& name) { json_.value(name.name); }

  void write(const ShardedIndex& index) {
    json_.object([&] {
      json_.attribute("name", index.name);
      write_all("key", index.key);
      write_all("order", index.order);
      json_.attribute("shards", static_cast<std::int64_t>(index.shards));
    });
  }

  void write(const Annotation& annotation) {
    json_.object([&] {
      json_.attribute("name", annotation.name);
      where(annotation.span);
      write_all("arguments", annotation.arguments);
    });
  }

  void write(const Argument& argument) {
    json_.object([&] {
      text("name", argument.name);
      json_.attribute("value", argument.value);
      if (argument.number) json_.attribute("number", *argument.number);
    });
  }

  void write(const Property& property) {
    json_.object([&] {
      json_.attribute("name", property.name);
      json_.attribute("stored_name", property.stored_name);
      text("owner", property.owner);
      where(property.span);
      json_.attribute("access", name_of(property.access));
      json_.attribute("type_text", property.type_text);
      json_.attributeBegin("type");
      write(property.type);
      json_.attributeEnd();
      flag("has_initialiser", property.has_initialiser);
      flag("is_const", property.is_const);
      write_all("annotations", property.annotations);
      write_all("former_names", property.former_names);
      if (property.sharding) json_.attributeObject("sharding", [&] { write_inside(*property.sharding); });
    });
  }

  void write_inside(const Sharding& sharding) {
    json_.attribute("neutral", sharding.neutral);
    json_.attribute("kind", name_of(sharding.kind));
    if (sharding.kind == Sharding::Kind::kAdaptive)
      json_.attribute("least", static_cast<std::int64_t>(sharding.least));
    if (sharding.kind != Sharding::Kind::kDynamic)
      json_.attribute("shards", static_cast<std::int64_t>(sharding.shards));
    text("minimum", sharding.minimum);
    text("maximum", sharding.maximum);
    if (sharding.is_window()) {
      json_.attribute("last", static_cast<std::int64_t>(sharding.last));
      json_.attribute("bucket", static_cast<std::int64_t>(sharding.bucket));
    }
    text("fold", sharding.fold);
    if (sharding.operation) text("operation", name_of(*sharding.operation));
    text("known_fold", name_of(sharding.known_fold));
    flag("any_order", sharding.any_order);
  }

  void write(const Type& type) {
    json_.object([&] {
      json_.attribute("kind", llvm::StringRef(spec_of(type.kind).name));
      json_.attribute("qualified", type.qualified);
      text("unsupported_reason", type.unsupported_reason);
      flag("trivially_copyable", type.trivially_copyable);
      write_all("arguments", type.arguments);
      write_all("fields", type.fields);
    });
  }

  void write(const Field& field) {
    json_.object([&] {
      json_.attribute("name", field.name);
      json_.attribute("stored_name", field.stored_name);
      write_all("type", field.type);
    });
  }

  void write(const Method& method) {
    json_.object([&] {
      json_.attribute("name", method.name);
      json_.attribute("type", method.type);
      where(method.declaration);
      json_.attribute("access", name_of(method.access));
      flag("is_static", method.is_static);
      flag("is_const", method.is_const);
      flag("is_constructor", method.is_constructor);
      flag("is_template", method.is_template);
      flag("is_constexpr", method.constexpr_specifier.has_value());
      flag("has_body", method.has_body);
      for (const Method& outside : method.definition)
        json_.attributeObject("definition", [&] { where(outside.declaration); });
      flag("from_macro", method.from_macro);
      text("return_type", method.return_type);
      json_.attribute("result", name_of(method.result));
      text("qualifiers", method.qualifiers);
      write_all("parameters", method.parameters);
      write_all("uses", method.uses);
      flag("only_updates", method.only_updates);
      flag("only_assigns", method.only_assigns);
      if (method.fold_operation) text("fold_operation", name_of(*method.fold_operation));
      write_all("escapes", method.escapes);
      write_all("annotations", method.annotations);
    });
  }

  void write(const Parameter& parameter) {
    json_.object([&] {
      json_.attribute("name", parameter.name);
      json_.attribute("text", parameter.text);
      text("default_argument", parameter.default_argument);
      json_.attribute("passing", name_of(parameter.passing));
      json_.attribute("type", parameter.type.qualified);
      json_.attribute("copyable", parameter.copyable);
    });
  }

  void write(const MemberUse& use) {
    json_.object([&] {
      json_.attribute("member", use.member);
      flag("write", use.write);
      where(use.span);
    });
  }

  void write(const Escape& escape) {
    json_.object([&] {
      json_.attribute("what", escape.what);
      where(escape.span);
    });
  }

  void write(const StrayAnnotation& stray) {
    json_.object([&] {
      json_.attributeBegin("annotation");
      write(stray.annotation);
      json_.attributeEnd();
      text("on", stray.on);
      flag("known", stray.known);
    });
  }

  const Model& model_;
  llvm::json::OStream json_;
};

}  // namespace

std::string dump(const Model& model) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Dumper(model, out).run();
  return text + '\n';
}

}  // namespace autoshard::tool
