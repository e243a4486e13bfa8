// Catalogues of the economy: what is accepted, is read back from the form in which it is stored.
#include "fuzz/fuzz.hpp"
#include "systems/economy/catalogue.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto const catalogue = economy::parse_catalogue(fuzz::text_of(data, size));
  if (!catalogue) {
    LARDER_ASSERT(!catalogue.error().detail.empty());
    return 0;
  }
  LARDER_ASSERT(economy::parse_catalogue(catalogue->text) == *catalogue);
  for (auto const& item : catalogue->items) {
    LARDER_ASSERT(catalogue->find_item(item.id) == &item);
    for (auto const& name : item.names) LARDER_ASSERT(catalogue->find_item(name) == &item);
  }
  LARDER_ASSERT(catalogue->drop_total() <= catalogue->farm.drop_faces);
  return 0;
}
