// SPDX-License-Identifier: Apache-2.0
// Where in the text: lines of checkpoints, acceptance by sample, where divergences gather.
#include <algorithm>
#include <cmath>
#include <map>

#include "runs/inference_impl.hpp"

namespace chancel {

namespace {
constexpr double kLeastShift = 0.8;  // of the place where divergences gather
}  // namespace

std::size_t Inference::Impl::line_of(std::uint32_t site) const {
  if (site >= session->program()->site_count()) return 0;
  const Span span = session->program()->site(site).span;
  return span.known() ? session->program()->sources.position(span.file, span.begin).line : 0;
}

std::vector<SiteAcceptance> Inference::Impl::sites_of(const std::vector<SiteMoves>& moves) const {
  std::map<std::pair<std::size_t, std::size_t>, SiteAcceptance> by_place;
  for (std::size_t site = 0; site < moves.size(); ++site) {
    if (moves[site].proposals == 0 || site >= session->program()->site_count()) continue;
    const Span span = session->program()->site(static_cast<std::uint32_t>(site)).span;
    if (!span.known()) continue;
    const Position at = session->program()->sources.position(span.file, span.begin);
    SiteAcceptance& sum = by_place[{at.line, at.column}];
    sum.line = at.line;
    sum.column = at.column;
    sum.proposals += moves[site].proposals;
    sum.accepted += moves[site].accepted;
  }
  std::vector<SiteAcceptance> sites;
  for (const auto& [place, sum] : by_place) sites.push_back(sum);
  return sites;
}

std::vector<DivergencePlace> Inference::Impl::divergence_places(
    const std::vector<PlaceMoments>& moments) const {
  std::map<std::uint32_t, std::pair<const PlaceMoments*, double>> by_site;  // with its shift
  for (const PlaceMoments& m : moments) {
    if (m.divergences.empty()) continue;
    const double shift = m.shift();
    const auto [furthest, is_new] = by_site.try_emplace(m.site, &m, shift);
    if (!is_new && std::fabs(shift) > std::fabs(furthest->second.second))
      furthest->second = {&m, shift};
  }
  // The largest of moments.size() shifts by chance alone is below this, in standard errors.
  const double chance = 3 + std::sqrt(2 * std::log(static_cast<double>(moments.size() + 1)));
  std::vector<DivergencePlace> places;
  for (const auto& [site, furthest] : by_site) {
    const auto& [m, shift] = furthest;
    if (site >= session->program()->site_count()) continue;
    const Span span = session->program()->site(site).span;
    if (!span.known()) continue;
    DivergencePlace& place = places.emplace_back();
    const Position at = session->program()->sources.position(span.file, span.begin);
    place.line = at.line;
    place.column = at.column;
    const auto name = draw_names.find({span.file, span.begin});
    if (name != draw_names.end()) place.name = name->second;
    place.shift = m->sense == CoordinateSense::Falling ? -shift : shift;
    const auto count = static_cast<double>(m->divergences.size());
    place.gathers =
        std::fabs(shift) >= kLeastShift && std::fabs(shift) * std::sqrt(count) >= chance;
    place.ordered = m->sense != CoordinateSense::Mixed;
    place.positive = m->sense == CoordinateSense::RisingFromBound;
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const DivergencePlace& a, const DivergencePlace& b) {
                     return std::fabs(a.shift) > std::fabs(b.shift);
                   });
  return places;
}

}  // namespace chancel
