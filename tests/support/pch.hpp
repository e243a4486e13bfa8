// Precompiled for every test.
#pragma once

#include "base/pch.hpp"

#include <gtest/gtest.h>
