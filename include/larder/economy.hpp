// The economy as a library: #include <larder/economy.hpp>, link larder::economy.
#pragma once

#include "systems/economy/embedded_economy.hpp"
