// SPDX-License-Identifier: Apache-2.0
#include "gate.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace chancel::kernel {

namespace {

constexpr const char* kInner = "chancel";
constexpr int kLinger = 1000;  // milliseconds for the last messages
constexpr std::chrono::milliseconds kLast{50};

// As xeus composes it.
std::string inner_address(const std::string& port) {
  return std::string("inproc://") + kInner + "-" + port;
}

using Json = nlohmann::json;

Json parsed(const zmq::message_t& part) {
  return Json::parse(part.to_string_view(), nullptr, false);
}

// What a thread beside the one that runs cells may answer.
bool is_for_control(const std::string& type) {
  return type == "kernel_info_request" || type == "shutdown_request" ||
         type == "interrupt_request" || type == "debug_request";
}

// Parts of a content that xeus takes without a look whether they are there.
bool has_all(const Json& content, const std::string& type) {
  static const std::pair<const char*, std::vector<const char*>> needed[] = {
      {"execute_request", {"code"}},
      {"complete_request", {"code", "cursor_pos"}},
      {"inspect_request", {"code", "cursor_pos"}},
      {"is_complete_request", {"code"}},
      {"history_request", {"hist_access_type"}},
      {"comm_open", {"comm_id", "target_name"}},
      {"comm_msg", {"comm_id"}},
      {"comm_close", {"comm_id"}},
      {"debug_request", {"command"}}};
  if (!content.is_object()) return false;
  for (const auto& [name, fields] : needed)
    if (type == name)
      return std::all_of(fields.begin(), fields.end(),
                         [&](const char* field) { return content.contains(field); });
  return true;
}

}  // namespace

// Identities, a delimiter, then signature, header, header of the parent, metadata and content.
bool Gate::may_pass(const Channel& channel, const zmq::multipart_t& message) {
  constexpr std::ptrdiff_t kParts = 5, kHeader = 2, kContent = 5;
  if (channel.kind == Kind::Bytes) return true;
  const auto delimiter = std::find_if(message.begin(), message.end(), [](const zmq::message_t& x) {
    return x.to_string_view() == "<IDS|MSG>";
  });
  if (message.end() - delimiter <= kParts) return false;
  const Json header = parsed(delimiter[kHeader]);
  const auto is_text = [&](const char* name) {
    return header.contains(name) && header[name].is_string();
  };
  if (!header.is_object() || !is_text("msg_id") || !is_text("msg_type")) return false;
  const auto type = header["msg_type"].get<std::string>();
  if (channel.kind == Kind::Control && !is_for_control(type)) return false;
  return has_all(parsed(delimiter[kContent]), type);
}

xeus::xconfiguration Gate::inner(xeus::xconfiguration configuration) {
  configuration.m_transport = "inproc";
  configuration.m_ip = kInner;
  return configuration;
}

Gate::Gate(zmq::context_t& context, const xeus::xconfiguration& configuration)
    : stop_(context, zmq::socket_type::pair), stopped_(context, zmq::socket_type::pair) {
  const auto add = [&](const std::string& port, zmq::socket_type outer, zmq::socket_type inner,
                       Kind kind) {
    Channel& channel = channels_.emplace_back(
        Channel{zmq::socket_t(context, outer), zmq::socket_t(context, inner), kind});
    channel.outer.set(zmq::sockopt::linger, kLinger);
    channel.inner.set(zmq::sockopt::linger, 0);
    channel.inner.set(zmq::sockopt::sndhwm, 0);  // a cell that runs long must not block the others
    channel.inner.set(zmq::sockopt::rcvhwm, 0);
    if (inner == zmq::socket_type::dealer) channel.inner.set(zmq::sockopt::routing_id, "gate");
    const std::string separator = configuration.m_transport == "tcp" ? ":" : "-";
    channel.outer.bind(configuration.m_transport + "://" + configuration.m_ip + separator + port);
    channel.inner.connect(inner_address(port));
  };
  using Type = zmq::socket_type;
  add(configuration.m_shell_port, Type::router, Type::dealer, Kind::Requests);
  add(configuration.m_control_port, Type::router, Type::dealer, Kind::Control);
  add(configuration.m_stdin_port, Type::router, Type::dealer, Kind::Requests);
  add(configuration.m_hb_port, Type::router, Type::dealer, Kind::Bytes);
  add(configuration.m_iopub_port, Type::xpub, Type::xsub, Kind::Bytes);
  stopped_.bind("inproc://chancel-gate");
  stop_.connect("inproc://chancel-gate");
  thread_ = std::thread([this] { serve(); });
}

Gate::~Gate() {
  stop_.send(zmq::message_t(), zmq::send_flags::none);
  thread_.join();
}

void Gate::serve() {
  bool stopped = false;
  while (!stopped) pass(std::chrono::milliseconds(-1), &stopped);
  pass(kLast, &stopped);
}

// Messages in both directions, until there are none for a while or it is to stop.
void Gate::pass(std::chrono::milliseconds patience, bool* stopped) {
  std::vector<zmq::pollitem_t> all{{stopped_.handle(), 0, ZMQ_POLLIN, 0}};
  for (Channel& channel : channels_) {
    all.push_back({channel.outer.handle(), 0, ZMQ_POLLIN, 0});
    all.push_back({channel.inner.handle(), 0, ZMQ_POLLIN, 0});
  }
  const bool once_stopped = *stopped;
  while (zmq::poll(all, patience) > 0) {
    if (all[0].revents != 0 && !once_stopped) {
      *stopped = true;
      return;
    }
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      Channel& channel = channels_[i];
      if (all[2 * i + 1].revents != 0) {
        zmq::multipart_t message(channel.outer);
        if (may_pass(channel, message))
          message.send(channel.inner);
        else
          std::fputs("chancel-kernel: a message that is not one of Jupyter's is dropped\n", stderr);
      }
      if (all[2 * i + 2].revents != 0) zmq::multipart_t(channel.inner).send(channel.outer);
    }
  }
}

}  // namespace chancel::kernel
