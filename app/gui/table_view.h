// A table on the screen: sorted by a click on a heading, a page of rows at a time: a panel that
// scrolls holds nothing else that does.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell.h"
#include "sim/api/inspect.h"

namespace cellscope::gui {

// First row of the page, of `most` rows of this order, on which what is picked stands; none:
// nowhere.
std::optional<std::size_t> pageOf(const Table& table, const std::vector<std::size_t>& order,
                                  ParticleId picked, std::size_t most);

class TableView {
 public:
  // `id`: of what tests click; "neighbours" gives neighbours-by:HEADING and neighbours-row:0.
  // `picked`: the particle whose row is marked; where it changes, the page is turned to that row.
  // `most`: rows of a page.
  void draw(Shell& shell, const std::string& id, const std::shared_ptr<const Table>& table,
            ParticleId picked, const std::function<void(const TableRow&)>& clicked,
            std::size_t most = 12);

 private:
  std::vector<float> widths(Shell& shell) const;  // of the columns
  void header(Shell& shell, const std::string& id, const std::vector<float>& wide, bool scrolls);
  void sortAsAsked(Shell& shell);
  void pages(Shell& shell, const std::string& id, std::size_t most);
  const TableRow& row(std::size_t place) const { return of_->rows[order_[place]]; }

  std::shared_ptr<const Table> of_;
  std::vector<std::size_t> columns_;  // shown
  std::vector<std::size_t> order_;    // of the rows
  static constexpr std::size_t kAsGiven = ~std::size_t{0};
  std::size_t by_ = kAsGiven;  // column of the table
  bool falling_ = false;
  std::size_t first_ = 0;   // of the page
  ParticleId picked_ = -1;  // in the last frame
};

}  // namespace cellscope::gui
