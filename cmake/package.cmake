# `cmake --install`: what find_package(AutoShard) needs in another project.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/AutoShard)
list(JOIN AUTOSHARD_OPTIONAL_COMPONENTS "|" AUTOSHARD_OPTIONAL_COMPONENTS)
list(JOIN AUTOSHARD_COMPONENTS ", " AUTOSHARD_COMPONENTS)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/AutoShardConfig.cmake.in ${PROJECT_BINARY_DIR}/AutoShardConfig.cmake
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 every minor version may change the generated code.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/AutoShardConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/AutoShardConfig.cmake ${PROJECT_BINARY_DIR}/AutoShardConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/AutoShardGenerate.cmake
              ${PROJECT_SOURCE_DIR}/cmake/AutoShardCheckKinds.cmake
        DESTINATION ${package_folder})
if(AUTOSHARD_BUILD_RUNTIME OR (AUTOSHARD_BUILD_TOOL AND NOT AUTOSHARD_EXECUTABLE))
  install(EXPORT AutoShardTargets NAMESPACE AutoShard:: DESTINATION ${package_folder})
endif()

# The pages, in the folders that their links expect, with the files that they link to.
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cmake/*.md
     ${PROJECT_SOURCE_DIR}/runtime/*.md ${PROJECT_SOURCE_DIR}/samples/*.md ${PROJECT_SOURCE_DIR}/test/*.md
     ${PROJECT_SOURCE_DIR}/test/bench/figures/*.svg ${PROJECT_SOURCE_DIR}/tool/*.md)
foreach(page IN LISTS pages ITEMS README.md CHANGELOG.md CONTRIBUTING.md LICENSE samples/moderator/main.cpp
             samples/moderator/naive_question.h samples/moderator/simulation.cpp
             test/entities/forms/question.autoshard.h test/tool/golden/explain.txt)
  cmake_path(GET page PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/autoshard/${folder})
endforeach()
