// Coroutines. Each runs on one io_context. The concrete executor type, instead of any_io_executor, saves a
// virtual call and an allocation per step.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace larder {

namespace asio = boost::asio;

using Executor = asio::io_context::executor_type;

template <class T>
using Task = asio::awaitable<T, Executor>;

inline constexpr asio::use_awaitable_t<Executor> use_task{};

using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>, Executor>;

Task<void> sleep_for(std::chrono::milliseconds time);
// Returns when the time is over or the timer is cancelled.
Task<void> sleep_on(Timer& timer, std::chrono::milliseconds time);

}  // namespace larder
