#include "commands/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cleave {
namespace {

constexpr double width = 520, height = 400, left = 80, right = 20, top = 50, bottom = 60;
/// Colours that also those tell apart who do not see red and green (M. Okabe, K. Ito).
constexpr std::array<const char*, 6> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000"};

/// An axis from `low` to `high` with a tick every `step`.
struct Axis {
  double low = 0, high = 1, step = 0.2;

  double part(double value) const { return (value - low) / (high - low); }
};

Axis axis_of(const std::vector<ChartCurve>& curves, std::vector<double> ChartCurve::*values) {
  double low = 0, high = 0;  // zero is always on the axis
  for (const ChartCurve& curve : curves)
    for (const double v : curve.*values)
      if (std::isfinite(v)) {
        low = std::min(low, v);
        high = std::max(high, v);
      }
  if (low == high) high = low + 1;
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
  return {step * std::floor(low / step), step * std::ceil(high / step), step};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}
std::string line(double x0, double y0, double x1, double y1, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x0, y0, x1, y1,
                     colour);
}

std::string chart_at(double origin, const Chart& chart) {
  const Axis x = axis_of(chart.curves, &ChartCurve::x), y = axis_of(chart.curves, &ChartCurve::y);
  const double x0 = origin + left, x1 = origin + width - right, y0 = height - bottom, y1 = top;
  const auto at_x = [&](double v) { return x0 + x.part(v) * (x1 - x0); };
  const auto at_y = [&](double v) { return y0 + y.part(v) * (y1 - y0); };
  std::string out;
  const auto ticks = [](const Axis& a) { return static_cast<int>(std::lround((a.high - a.low) / a.step)); };
  const auto tick = [](const Axis& a, int i) {
    return fmt::format("{:.4g}", a.step * (std::round(a.low / a.step) + i));
  };
  for (int i = 0; i <= ticks(x); ++i) {
    const double at = at_x(x.low + i * x.step);
    out += line(at, y0, at, y1, "#dddddd") + text_at(at, y0 + 18, "middle", tick(x, i));
  }
  for (int i = 0; i <= ticks(y); ++i) {
    const double at = at_y(y.low + i * y.step);
    out += line(x0, at, x1, at, "#dddddd") + text_at(x0 - 8, at + 4, "end", tick(y, i));
  }
  out += line(x0, at_y(0), x1, at_y(0), "#666666") + line(at_x(0), y0, at_x(0), y1, "#666666");
  out += text_at((x0 + x1) / 2, height - 18, "middle", chart.x_label) + text_at(x0, top - 10, "start", chart.y_label);
  for (std::size_t c = 0; c < chart.curves.size(); ++c) {
    const ChartCurve& curve = chart.curves[c];
    const char* colour = colours[c % colours.size()];
    std::string points;
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
        points += fmt::format("{:.2f},{:.2f} ", at_x(curve.x[i]), at_y(curve.y[i]));
    out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", points, colour);
    const double row = top + 16 + 16 * static_cast<double>(c);
    out += fmt::format("<g fill=\"{}\">{}</g>\n", colour, text_at(x1 - 6, row, "end", curve.name));
  }
  return out;
}

}  // namespace

std::string svg_of(const std::string& title, const std::vector<Chart>& charts) {
  const double whole = width * static_cast<double>(charts.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      whole, height);
  out += fmt::format("<g font-size=\"14\">{}</g>\n", text_at(whole / 2, 20, "middle", title));
  for (std::size_t i = 0; i < charts.size(); ++i) out += chart_at(width * static_cast<double>(i), charts[i]);
  return out + "</svg>\n";
}

}  // namespace cleave
