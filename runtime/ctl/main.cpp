#include <iostream>

#include "commands.h"

int main(int count, char** arguments) { return autoshard::ctl::run(count, arguments, std::cout, std::cerr); }
