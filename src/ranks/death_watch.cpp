// SPDX-License-Identifier: Apache-2.0
// See death_watch.hpp.
#include "ranks/death_watch.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "base/bytes.hpp"

namespace chancel {

namespace {

constexpr char kGoodbye = 'b', kHere = 'h';
constexpr int kPatience = 2000;  // milliseconds for a connection
// Who connects says which rank it is, and what only ranks of this run know.
struct Greeting {
  std::uint64_t secret;
  std::uint64_t rank;
};

int open_port(std::uint16_t* port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof here;
  if (socket < 0 || bind(socket, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      listen(socket, SOMAXCONN) != 0 ||
      getsockname(socket, reinterpret_cast<sockaddr*>(&here), &size) != 0) {
    if (socket >= 0) close(socket);
    return -1;
  }
  *port = ntohs(here.sin_port);
  return socket;
}

bool ready(int socket, short what) {
  pollfd one{socket, what, 0};
  return poll(&one, 1, kPatience) == 1 && (one.revents & what);
}

int connect_to(const std::string& machine, std::uint16_t port, const Greeting& greeting) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(machine.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return -1;
  int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool asked = socket >= 0 && (connect(socket, found->ai_addr, found->ai_addrlen) == 0 ||
                                     errno == EINPROGRESS);
  freeaddrinfo(found);
  int problem = 0;
  socklen_t size = sizeof problem;
  const bool connected = asked && ready(socket, POLLOUT) &&
                         getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 &&
                         problem == 0;
  if (connected &&
      send(socket, &greeting, sizeof greeting, MSG_NOSIGNAL) == ssize_t{sizeof greeting})
    return socket;
  if (socket >= 0) close(socket);
  return -1;
}

}  // namespace

DeathWatch::DeathWatch(unsigned rank, const std::string& machine, const Gather& gather,
                       std::function<void(unsigned, Loss)> on_death, Pace pace)
    : pace_(pace), on_death_(std::move(on_death)) {
  std::uint16_t port = 0;
  std::uint64_t secret = 0;
  const int listening = rank == 0 ? open_port(&port) : -1;
  if (rank == 0 && getrandom(&secret, sizeof secret, 0) != sizeof secret) port = 0;
  ByteWriter out;
  out.text(machine);
  out.number(port);
  out.word(secret);
  const std::string first = gather(out.take()).front();
  ByteReader in(first);
  const std::string where(in.text());
  port = static_cast<std::uint16_t>(in.number());
  secret = in.word();
  if (rank != 0 && port != 0) {
    const int socket = connect_to(where == machine ? "127.0.0.1" : where, port, {secret, rank});
    if (socket >= 0) peers_.push_back({socket, 0});
  }
  // Those that are connected wait in the queue of the port already.
  const auto connected = gather(peers_.empty() ? "" : "connected");
  if (listening >= 0) {
    std::size_t expected = 0;
    for (const std::string& text : connected) expected += !text.empty();
    while (peers_.size() < expected && ready(listening, POLLIN)) {
      const int socket = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) break;
      Greeting greeting{};
      if (ready(socket, POLLIN) &&
          recv(socket, &greeting, sizeof greeting, MSG_WAITALL) == ssize_t{sizeof greeting} &&
          greeting.secret == secret && greeting.rank < connected.size())
        peers_.push_back({socket, static_cast<unsigned>(greeting.rank)});
      else
        close(socket);
    }
    close(listening);
  }
  if (peers_.empty() || pipe2(stop_, O_CLOEXEC) != 0) return;
  // Signals are for the threads that know what to do with them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

DeathWatch::~DeathWatch() {
  if (thread_.joinable()) {
    say_goodbye();
    close(stop_[1]);
    thread_.join();
    close(stop_[0]);
  }
  for (const Peer& peer : peers_) close(peer.socket);
}

void DeathWatch::send_to_all(char byte) {
  for (const Peer& peer : peers_) send(peer.socket, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void DeathWatch::say_goodbye() { send_to_all(kGoodbye); }

void DeathWatch::expect_end(double seconds) {
  using Clock = std::chrono::steady_clock;
  end_ = std::chrono::duration<double>(Clock::now().time_since_epoch()).count() + seconds;
}

void DeathWatch::give_up(const Peer& peer, Loss loss) {
  int nobody = kNobody;
  if (dead_ != kNobody) return;
  loss_ = loss;
  if (loss == Loss::Silent)
    say_goodbye();  // who wakes up later must not take our end for the cause
  if (dead_.compare_exchange_strong(nobody, static_cast<int>(peer.rank)) && on_death_)
    on_death_(peer.rank, loss);
}

// Something has come, or the connection has ended.
void DeathWatch::look_at(Peer& peer) {
  char bytes[64];
  const ssize_t got = recv(peer.socket, bytes, sizeof bytes, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  peer.heard = std::chrono::steady_clock::now();
  if (got > 0 && std::memchr(bytes, kGoodbye, static_cast<std::size_t>(got)) == nullptr) return;
  peer.gone = true;  // one way or the other
  if (got <= 0) give_up(peer, Loss::Died);
}

void DeathWatch::watch() {
  using Clock = std::chrono::steady_clock;
  auto last_look = Clock::now();
  for (Peer& peer : peers_) peer.heard = last_look;
  auto beat = last_look;
  for (;;) {
    std::vector<pollfd> all{{stop_[0], POLLIN, 0}};
    for (const Peer& peer : peers_) all.push_back({peer.gone ? -1 : peer.socket, POLLIN, 0});
    if (poll(all.data(), all.size(), static_cast<int>(pace_.beat.count())) < 0 && errno != EINTR)
      return;
    if (all[0].revents) return;
    const auto now = Clock::now();
    // This process has been stopped itself: others may have spoken to it unheard.
    const bool was_away = now - last_look > pace_.silence;
    last_look = now;
    for (std::size_t i = 0; i < peers_.size(); ++i)
      if (all[i + 1].revents) look_at(peers_[i]);
    if (now - beat >= pace_.beat) {
      beat = now;
      send_to_all(kHere);
    }
    const double end = end_;
    const auto late =
        std::chrono::duration<double>(now.time_since_epoch() - pace_.after_end).count();
    for (Peer& peer : peers_) {
      if (was_away) peer.heard = now;
      if (end > 0 && late > end && !peer.gone && now - peer.heard > pace_.silence)
        give_up(peer, Loss::Silent);
    }
  }
}

}  // namespace chancel
