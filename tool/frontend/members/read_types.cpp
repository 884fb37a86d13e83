#include "tool/frontend/members/read_types.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Sema/Sema.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/keys/key_order.h"
#include "tool/frontend/tokens/clang_attributes.h"
#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

/// The advice for a type that a record cannot hold.
std::string general_reason() {
  std::string reason =
      "mark it [[autoshard::transient]] or use one of arithmetic types, enums, std::string, ";
  for (const TypeKindSpec& spec : type_kinds()) {
    if (spec.class_template.empty() || spec.kind == TypeKind::kString) continue;
    llvm::StringRef name = spec.class_template;
    name.consume_front("std::");
    reason += name.str() + ", ";
  }
  return reason + "structs of these, and types that autoshard::Codec is specialised for";
}

constexpr char kConstant[] = "a constant cannot be loaded from a record; drop 'const'";
constexpr char kUndefined[] = "it is not defined here; include its definition";
constexpr char kNoDefault[] = "it cannot be constructed without arguments; give its members initialisers";

/// The types of the values that a specialisation holds.
llvm::SmallVector<clang::QualType, 2> held_types(TypeKindSpec::Holds holds,
                                                 const clang::ClassTemplateSpecializationDecl& special) {
  using Holds = TypeKindSpec::Holds;
  const clang::TemplateArgumentList& arguments = special.getTemplateArgs();
  llvm::SmallVector<clang::QualType, 2> types;
  if (holds == Holds::kAll) {
    for (const clang::TemplateArgument& argument : arguments[0].getPackAsArray())
      types.push_back(argument.getAsType());
  }
  if (holds == Holds::kFirst || holds == Holds::kBoth) types.push_back(arguments[0].getAsType());
  if (holds == Holds::kSecond || holds == Holds::kBoth) types.push_back(arguments[1].getAsType());
  return types;
}

/// Whether values of this type are ordered or hashed by addresses.
bool compares_addresses(const Type& type) {
  return type.kind == TypeKind::kUniquePtr || llvm::any_of(type.arguments, compares_addresses);
}

/// The name of a declaration without inline namespaces, which differ from one standard library to the next.
std::string plain_name(const clang::NamedDecl& decl) {
  clang::PrintingPolicy policy = spelling_policy(decl.getASTContext());
  std::string name;
  llvm::raw_string_ostream stream(name);
  decl.printQualifiedName(stream, policy);
  return name;
}

/// Whether `decl`, or a class around it, is a private or protected member.
bool is_hidden(const clang::NamedDecl& decl) {
  const clang::Decl* at = &decl;
  while (at->getDeclContext()->isRecord()) {
    if (at->getAccess() == clang::AS_private || at->getAccess() == clang::AS_protected) return true;
    at = llvm::cast<clang::Decl>(at->getDeclContext());
  }
  return false;
}

/// Whether the spelling of `type` contains a private or protected name.
bool has_hidden_name(clang::QualType type) {
  if (const auto* alias = type->getAs<clang::TypedefType>()) return is_hidden(*alias->getDecl());
  if (const auto* special = type->getAs<clang::TemplateSpecializationType>()) {
    return llvm::any_of(special->template_arguments(), [](const clang::TemplateArgument& argument) {
      return argument.getKind() == clang::TemplateArgument::Type && has_hidden_name(argument.getAsType());
    });
  }
  const auto* tag = type->getAsTagDecl();
  return tag && is_hidden(*tag);
}

class TypeReader {
 public:
  explicit TypeReader(const Context& context) : context_(context) {}

  Type read(clang::QualType written) {
    Type type = read_kind(written);
    const bool is_users = type.kind == TypeKind::kEnum || type.kind == TypeKind::kStruct;
    type.global = with_global_names(type.qualified, is_users);
    return type;
  }

 private:
  Type read_kind(clang::QualType written) {
    Type type;
    clang::QualType canonical = written.getCanonicalType();
    instantiate(canonical);
    type.canonical = canonical.getUnqualifiedType().getAsString(spelling_policy(context_.ast));
    type.qualified = qualified(written.getUnqualifiedType(), context_.ast);
    type.trivially_copyable =
        !canonical->isIncompleteType() && canonical.isTriviallyCopyableType(context_.ast);
    type.is_private = has_hidden_name(written);
    type.is_byte = canonical->isStdByteType() || canonical->isSpecificBuiltinType(clang::BuiltinType::UChar);
    type.promotes_to_int = context_.ast.isPromotableIntegerType(canonical.getUnqualifiedType());
    if (canonical.isVolatileQualified())
      return unsupported(type, "a record has no volatile values; drop 'volatile'");
    type.copyable = copyable(canonical, context_.sema);
    if (has_codec(canonical)) {
      read_coded(type, *canonical->getAsCXXRecordDecl());
    } else if (const auto* builtin = canonical->getAs<clang::BuiltinType>()) {
      read_builtin(type, *builtin);
    } else if (const auto* enumeration = canonical->getAs<clang::EnumType>()) {
      read_enum(type, *enumeration->getDecl());
    } else if (const auto* record = canonical->getAsCXXRecordDecl()) {
      read_record(type, *record);
    } else {
      unsupported(type, reason(canonical));
    }
    return type;
  }

  static Type unsupported(Type& type, std::string reason) {
    type.kind = TypeKind::kUnsupported;
    type.unsupported_reason = std::move(reason);
    return type;
  }

  /// Instantiates a specialisation whose definition the headers may not have needed.
  void instantiate(clang::QualType type) const {
    if (const auto* record = type->getAsCXXRecordDecl())
      context_.sema.isCompleteType(record->getLocation(), type);
  }

  static std::string reason(clang::QualType type) {
    const std::string or_transient = ", or mark it [[autoshard::transient]]";
    if (type->isReferenceType()) return "a reference cannot be loaded from a record; hold the value itself";
    if (type->isFunctionPointerType() || type->isMemberPointerType()) {
      return "a record cannot hold a function; use an enum that says which" + or_transient;
    }
    if (const auto* pointer = type->getAs<clang::PointerType>();
        pointer && pointer->getPointeeType()->isCharType()) {
      return "a pointer means nothing in another process; use std::string" + or_transient;
    }
    if (type->isPointerType()) {
      return "a pointer means nothing in another process; hold the value itself, std::optional" +
             or_transient;
    }
    if (type->isArrayType()) return "use std::array instead of a built-in array" + or_transient;
    return general_reason();
  }

  void read_builtin(Type& type, const clang::BuiltinType& builtin) const {
    using Builtin = clang::BuiltinType;
    if (builtin.getKind() == Builtin::Bool) {
      type.kind = TypeKind::kBool;
    } else if (builtin.getKind() == Builtin::Float || builtin.getKind() == Builtin::Double) {
      type.kind = TypeKind::kFloating;
    } else if (builtin.isFloatingPoint()) {
      unsupported(type, "its precision differs between machines; use double");
    } else if (builtin.getKind() == Builtin::Int128 || builtin.getKind() == Builtin::UInt128) {
      unsupported(type, "a record holds integers of at most 64 bits; use std::int64_t or std::uint64_t");
    } else if (builtin.isInteger()) {
      type.kind = TypeKind::kInteger;
      type.is_signed = builtin.isSignedInteger();
      type.bits = context_.ast.getIntWidth(clang::QualType(&builtin, 0));
    } else {
      unsupported(type, general_reason());
    }
  }

  static void read_enum(Type& type, const clang::EnumDecl& enumeration) {
    type.kind = TypeKind::kEnum;
    const clang::EnumDecl* definition = enumeration.getDefinition();
    if (!definition) return;
    for (const clang::EnumConstantDecl* enumerator : definition->enumerators()) {
      type.enumerators.push_back(type.qualified + "::" + enumerator->getNameAsString());
    }
  }

  /// Whether a specialisation of `autoshard::Codec` for this class is declared. The runtime's own header need
  /// not be included.
  bool has_codec(clang::QualType type) const {
    if (!type->isRecordType()) return false;
    for (const clang::NamedDecl* space : context_.ast.getTranslationUnitDecl()->lookup(name(kScope))) {
      const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(space);
      if (!scope) continue;
      for (clang::NamedDecl* decl : scope->lookup(name("Codec"))) {
        auto* codec = llvm::dyn_cast<clang::ClassTemplateDecl>(decl);
        if (codec && is_specialised(*codec, type)) return true;
      }
    }
    return false;
  }

  const clang::IdentifierInfo* name(llvm::StringRef text) const { return &context_.ast.Idents.get(text); }

  bool is_specialised(clang::ClassTemplateDecl& codec, clang::QualType type) const {
    const auto is_for_type = [&](const clang::ClassTemplateSpecializationDecl* special) {
      return special->isExplicitSpecialization() &&
             context_.ast.hasSameUnqualifiedType(special->getTemplateArgs()[0].getAsType(), type);
    };
    if (llvm::any_of(codec.specializations(), is_for_type)) return true;
    llvm::SmallVector<clang::ClassTemplatePartialSpecializationDecl*, 4> partial;
    codec.getPartialSpecializations(partial);
    return llvm::any_of(partial,
                        [&](auto* special) { return is_specialised_for(context_.sema, *special, type); });
  }

  void read_coded(Type& type, const clang::CXXRecordDecl& record) const {
    type.kind = TypeKind::kCoded;
    if (!record.hasDefinition()) return void(unsupported(type, kUndefined));
    if (!has_default_constructor(record)) unsupported(type, kNoDefault);
  }

  void read_record(Type& type, const clang::CXXRecordDecl& record) {
    if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record)) {
      if (read_standard(type, *special)) return;
    }
    if (plain_name(record) == "std::monostate") {
      type.kind = TypeKind::kMonostate;
    } else if (record.isInStdNamespace()) {
      unsupported(type,
                  plain_name(record) == "std::atomic"
                      ? "use the type in it: the store makes updates atomic, and an object is one thread's"
                      : general_reason());
    } else {
      read_struct(type, record);
    }
  }

  bool read_standard(Type& type, const clang::ClassTemplateSpecializationDecl& special) {
    const TypeKindSpec* spec = find_type_kind(plain_name(*special.getSpecializedTemplate()));
    if (!spec) return false;
    type.kind = spec->kind;
    const clang::TemplateArgumentList& arguments = special.getTemplateArgs();
    if (type.kind == TypeKind::kString &&
        !arguments[0].getAsType()->isSpecificBuiltinType(clang::BuiltinType::Char_S) &&
        !arguments[0].getAsType()->isSpecificBuiltinType(clang::BuiltinType::Char_U)) {
      unsupported(type, "a record holds strings of char; use std::string");
      return true;
    }
    for (clang::QualType held : held_types(spec->holds, special)) {
      type.arguments.push_back(read(held));
      Type& inner = type.arguments.back();
      if (held.isConstQualified()) unsupported(inner, kConstant);
      pass_on(type, "its element type", inner);
    }
    if (type.kind == TypeKind::kUniquePtr && !is_class(arguments[1].getAsType(), "std::default_delete"))
      unsupported(type, "a pointer that a load makes is deleted by 'delete'; drop its deleter");
    type.is_system_time =
        type.kind == TypeKind::kTimePoint && is_class(arguments[0].getAsType(), "std::chrono::system_clock");
    type.compares_as_usual = compares_keys_as_usual(special);
    if (has_keys(type) && compares_addresses(type.arguments.front()))
      unsupported(type, "its keys would be told apart by their addresses; hold the values themselves");
    return true;
  }

  static bool is_class(clang::QualType type, llvm::StringRef name) {
    const auto* record = type->getAsCXXRecordDecl();
    return record && plain_name(*record) == name;
  }

  /// Makes a type unsupported if its part is, and not copyable if its part is not.
  static void pass_on(Type& type, const std::string& part, const Type& inner) {
    type.copyable &= inner.copyable;
    if (inner.kind != TypeKind::kUnsupported || type.kind == TypeKind::kUnsupported) return;
    unsupported(type, part + " is '" + inner.qualified + "': " + inner.unsupported_reason);
  }

  void read_struct(Type& type, const clang::CXXRecordDecl& declared) {
    type.kind = TypeKind::kStruct;
    type.qualified = qualified(declared_type(declared), context_.ast);
    const clang::CXXRecordDecl* record = declared.getDefinition();
    if (!record) return void(unsupported(type, kUndefined));
    if (llvm::is_contained(open_, record)) return;  // a struct that holds a vector of itself
    if (std::string why = why_no_struct(*record); !why.empty()) return void(unsupported(type, why));
    type.embedded = has_attribute(*record, "embedded", context_);
    open_.push_back(record);
    for (const clang::FieldDecl* field : record->fields()) {
      if (!has_attribute(*field, "transient", context_)) read_field(type, *field);
    }
    open_.pop_back();
  }

  std::string why_no_struct(const clang::CXXRecordDecl& record) const {
    const std::string or_else =
        "declare an autoshard::Codec for it, or mark the member [[autoshard::transient]]";
    if (record.isUnion())
      return "a union does not say which of its members is alive; use an enum and std::optional members";
    if (has_attribute(record, "entity", context_))
      return "an entity cannot be part of another; hold its id, as in autoshard::Ref, or mark it "
             "[[autoshard::transient]]";
    if (record.getNumBases() > 0) return "it has a base class; " + or_else;
    if (!record.isAggregate() && !has_attribute(record, "embedded", context_)) {
      const bool is_users = !context_.files.sources().isInSystemHeader(record.getLocation());
      return "it has private members, virtual methods or constructors of its own, so it cannot be filled "
             "from "
             "a record; " +
             std::string(is_users ? "mark the class [[autoshard::embedded]], " : "") + or_else;
    }
    if (record.getDeclName().isEmpty() && !record.getTypedefNameForAnonDecl())
      return "it has no name; give it one";
    return has_default_constructor(record) ? "" : kNoDefault;
  }

  bool has_default_constructor(const clang::CXXRecordDecl& record) const {
    const auto* constructor = default_constructor(record, context_.sema);
    return constructor && constructor->getAccess() == clang::AS_public;
  }

  void read_field(Type& type, const clang::FieldDecl& field) {
    const std::string part = "its member '" + field.getNameAsString() + "'";
    Field result{field.getNameAsString(), stored_name(field.getNameAsString()), {read(field.getType())}};
    Type& inner = result.type.front();
    if (field.isBitField()) {
      unsupported(inner, "a bit-field has no address; use a plain integer");
    } else if (field.getDeclName().isEmpty()) {
      unsupported(inner, "an anonymous struct or union; give it a name");
    } else if (field.getType().isConstQualified()) {
      unsupported(inner, kConstant);
    }
    pass_on(type, part, inner);
    type.fields.push_back(std::move(result));
  }

  const Context& context_;
  std::vector<const clang::CXXRecordDecl*> open_;  // structs that are being read
};

}  // namespace

clang::PrintingPolicy spelling_policy(const clang::ASTContext& ast) {
  clang::PrintingPolicy policy(ast.getLangOpts());
  policy.adjustForCPlusPlus();
  policy.SuppressUnwrittenScope = true;
  suppress_inline_namespaces(policy);
  return policy;
}

std::string qualified(clang::QualType type, const clang::ASTContext& ast) {
  return clang::TypeName::getFullyQualifiedName(type, ast, spelling_policy(ast));
}

std::string with_global_names(llvm::StringRef name, bool is_users) {
  std::string result;
  for (std::size_t at = 0; at < name.size();) {
    const llvm::StringRef word = word_at(name, at);
    const bool begins_name = !word.empty() && !llvm::StringRef(result).ends_with(":") &&
                             name.drop_front(at + word.size()).starts_with("::");
    if (begins_name && word != "std" && word != "autoshard") result += "::";
    const std::size_t length = std::max<std::size_t>(word.size(), 1);
    result += name.substr(at, length);
    at += length;
  }
  const bool is_found =
      llvm::StringRef(result).starts_with("::") || llvm::StringRef(result).starts_with("std::");
  return is_users && !is_found ? "::" + result : result;
}

Type read_type(clang::QualType type, const Context& context) { return TypeReader(context).read(type); }

const clang::CXXConstructorDecl* default_constructor(const clang::CXXRecordDecl& record, clang::Sema& sema) {
  if (record.isDependentContext()) return nullptr;
  const auto* constructor = sema.LookupDefaultConstructor(const_cast<clang::CXXRecordDecl*>(&record));
  return constructor && !constructor->isDeleted() ? constructor : nullptr;
}

bool copyable(clang::QualType type, clang::Sema& sema) {
  const auto* record = type.getNonReferenceType().getCanonicalType()->getAsCXXRecordDecl();
  // A lookup of special members declares them, and Clang cannot instantiate a class template with such
  // members.
  if (!record || !record->hasDefinition() || record->isDependentContext()) return true;
  if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record)) {
    // A container of values that cannot be copied still declares a copy constructor.
    const TypeKindSpec* spec = find_type_kind(plain_name(*special->getSpecializedTemplate()));
    for (clang::QualType held : held_types(spec ? spec->holds : TypeKindSpec::Holds::kNothing, *special)) {
      if (!copyable(held, sema)) return false;
    }
  }
  auto* definition = const_cast<clang::CXXRecordDecl*>(record->getDefinition());
  const clang::CXXConstructorDecl* copy = sema.LookupCopyingConstructor(definition, clang::Qualifiers::Const);
  return copy && !copy->isDeleted() && copy->getAccess() == clang::AS_public;
}

}  // namespace autoshard::tool
