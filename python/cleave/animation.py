"""An animation in a page: pictures of a series of frames, with a button and a slider."""
import base64
import html
import io
import json

import numpy as np
from PIL import Image

from .fields import colour_scale
from .plot.fields import drawn_points, has_cracks, still
from .plot.style import time_scale
from .units import round_below

MOST = 40  # largest number of frames in a page, spread over the series
_QUALITY = 80  # of WebP
_SCRIPT = """
(() => {
  const times = %s, shown = document.querySelectorAll("#series img");
  const [slider, time, button] = ["frame", "time", "play"].map(id => document.getElementById(id));
  let timer = null;
  const show = i => { shown.forEach((img, k) => img.hidden = k != i); time.value = times[i]; slider.value = i; };
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "Play"; };
  const play = () => {
    timer = setInterval(() => show((Number(slider.value) + 1) %% times.length), 160);
    button.textContent = "Pause";
  };
  button.onclick = () => timer ? stop() : play();
  slider.oninput = () => { stop(); show(Number(slider.value)); };
  show(times.length - 1);
})();
"""


def visible_warp(results):
    """A round factor, at least 1, at which the largest final displacement is a few per cent of the body."""
    body = results.frames[-1].standing()
    moved = drawn_points(body, 1.0) - body.points
    largest = np.linalg.norm(moved - moved.mean(axis=0), axis=1).max()
    wanted = 0.06 * np.ptp(body.points, axis=0).max() / max(largest, 1e-300)
    if not 1 < wanted < 1e6:
        return 1.0
    return round_below(wanted)


def animation(results, name, warp):
    """HTML of the deformed body over time, coloured by a field; all frames share one scale."""
    count = len(results.frames)
    numbers = np.unique(np.linspace(0, count - 1, min(count, MOST)).round().astype(int)).tolist()
    scale = colour_scale((results.frames[i].standing() for i in numbers), name)
    second = time_scale(results.frames.times)
    view, breaks = _view(results, warp), has_cracks(results.crack_frames[-1], warp)
    images = [_image(still(results, i, name, scale, view, warp, breaks)) for i in numbers]
    times = [second.text(results.frames.times[i]) for i in numbers]
    caption = f"<figcaption>displacements × {warp:g}</figcaption>" if warp != 1 else ""
    pictures = "".join(f'<img alt="{html.escape(scale.label)} at {time}" src="{image}" hidden>'
                       for image, time in zip(images, times))
    return (f'<figure><div id="series">{pictures}</div><div class="player"><button id="play">Play</button>'
            f'<input id="frame" type="range" min="0" max="{len(numbers) - 1}" aria-label="frame">'
            f'<output id="time"></output></div>{caption}</figure><script>{_SCRIPT % json.dumps(times)}</script>\n')


def _view(results, warp):
    """Corners of a view that contains the body in all frames, m."""
    reach = np.concatenate([drawn_points(results.frames[i].standing(), warp) for i in (0, -1)])
    low, high = reach.min(axis=0), reach.max(axis=0)
    margin = 0.03 * (high - low).max()
    return low - margin, high + margin


def _image(figure):
    png, webp = io.BytesIO(), io.BytesIO()
    figure.savefig(png, format="png", dpi=100)
    Image.open(png).convert("RGB").save(webp, "WEBP", quality=_QUALITY)
    return "data:image/webp;base64," + base64.b64encode(webp.getvalue()).decode("ascii")
