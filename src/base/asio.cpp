// Asio's own code, compiled once instead of in every file that includes it.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
