#include "edges/http/web_socket_metrics.hpp"

namespace larder::http {

namespace {

prometheus::Counter& messages(Metrics& metrics, std::string const& direction) {
  return metrics.counter("larder_web_socket_messages_total", "messages over WebSockets",
                         {{"direction", direction}});
}

}  // namespace

WebSocketMetrics::WebSocketMetrics(Metrics& metrics)
    : open_(metrics.gauge("larder_web_sockets", "open WebSockets")),
      in_(messages(metrics, "in")),
      out_(messages(metrics, "out")) {
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    closed_[i] = &metrics.counter("larder_web_sockets_closed_total", "WebSockets that ended, and why",
                                  {{"reason", std::string(web_socket_end_names[i])}});
  }
}

}  // namespace larder::http
