#include "app/larder.hpp"

int main(int argc, char** argv) { return larder::run_larder(argc, argv, larder::all_systems()); }
