// Passes a refusal on to the caller, or continues with the value.
//
//   TRY(auto const type, read_type(request));             // in a function that returns a Result
//   CO_TRY(auto const made, co_await ledger.post(entry)); // in a coroutine that returns a Result
#pragma once

#include <expected>
#include <utility>

#define LARDER_JOIN_(a, b) a##b
#define LARDER_JOIN(a, b) LARDER_JOIN_(a, b)
#define LARDER_TRY_(leave, result, declaration, ...)             \
  auto result = (__VA_ARGS__);                                   \
  if (!result) leave std::unexpected(std::move(result).error()); \
  declaration = *std::move(result)

#define TRY(declaration, ...) LARDER_TRY_(return, LARDER_JOIN(tried_, __LINE__), declaration, __VA_ARGS__)
#define CO_TRY(declaration, ...) \
  LARDER_TRY_(co_return, LARDER_JOIN(tried_, __LINE__), declaration, __VA_ARGS__)
