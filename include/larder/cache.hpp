// The Discord cache as a library: #include <larder/cache.hpp>, link larder::cache.
#pragma once

#include "systems/cache/embedded_cache.hpp"
