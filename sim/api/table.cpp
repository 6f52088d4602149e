#include "sim/api/inspect.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cellscope {

std::vector<std::size_t> sortedBy(const Table& table, std::size_t column, bool falling) {
  std::vector<std::size_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (column >= table.columns.size()) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    if (falling) std::swap(a, b);
    const TableCell &x = table.rows[a].cells[column], &y = table.rows[b].cells[column];
    return x.order != y.order ? x.order < y.order : x.text < y.text;
  });
  return rows;
}

std::string csvOf(const Table& table) {
  std::string text;
  const auto add = [&](const std::string& one, bool first) {
    if (!first) text += ',';
    text += one.find(',') == std::string::npos ? one : '"' + one + '"';
  };
  for (std::size_t k = 0; k < table.columns.size(); ++k) add(table.columns[k].name, k == 0);
  text += '\n';
  for (const TableRow& row : table.rows) {
    for (std::size_t k = 0; k < row.cells.size(); ++k) add(row.cells[k].text, k == 0);
    text += '\n';
  }
  return text;
}

}  // namespace cellscope
