/// Curves in a picture: an SVG file, which every browser shows.
#pragma once

#include <string>
#include <vector>

namespace cleave {

struct ChartCurve {
  std::string name;
  std::vector<double> x, y;  ///< as many of both
};

/// Curves over common axes.
struct Chart {
  std::string x_label, y_label;
  std::vector<ChartCurve> curves;
};

/// The charts side by side as the text of an SVG file. Numbers that are not finite are left out.
std::string svg_of(const std::string& title, const std::vector<Chart>& charts);

}  // namespace cleave
