"""Movies of a run: .gif by Pillow, .mp4 by imageio-ffmpeg, which brings the encoder."""
import functools
import pathlib

import numpy as np
from PIL import Image

from .errors import ResultsError
from .fields import usual_field
from .parallel import each
from .plot.series import SeriesPainter, frames_spread, visible_warp

_HOLD = 1.5  # s for which the last picture stays
_COLOURS = 128  # of a .gif


def write_movie(results, path=None, field=None, warp=None, rate=12, most=None, resolution=100, progress=lambda text: None, workers=1):
    """Writes the deformed body with its cracks over time, by default movie.gif in the directory of the results. Returns its path.

    field:      that colours the body; default: the stress, or what the frames have
    warp:       factor on displacements; default: one at which they are visible
    rate:       pictures a second
    most:       largest number of frames, spread over the run; default: all
    resolution: dots per inch; at 100 a picture is some 650 pixels wide
    progress, workers: as of `write_report`
    """
    path = pathlib.Path(path) if path else results.directory / "movie.gif"
    write = {".gif": _write_gif, ".mp4": _write_mp4}.get(path.suffix)
    if write is None:
        raise ResultsError(f"{path}: unknown format of movies; end the name in .gif or .mp4")
    if rate <= 0 or (most is not None and most < 1):
        raise ResultsError("a movie needs at least one frame, and a positive number of them a second")
    field = field or usual_field(results.frames[-1].standing())
    if field is None:
        raise ResultsError("the frames have no field that colours the body; name one of theirs, such as fragment")
    warp = visible_warp(results) if warp is None else warp
    numbers = frames_spread(results, most or len(results.frames))
    painter = SeriesPainter(results, field, warp, numbers, resolution, titled=True)
    pictures = []
    for picture in each([functools.partial(painter.picture, number) for number in numbers], workers):
        pictures.append(picture)
        progress(f"frame {len(pictures)} of {len(numbers)}")
    try:
        write(path, pictures, rate)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written ({error.strerror or error}); give another name with -o") from None
    return path


def _write_gif(path, pictures, rate):
    """All pictures have the palette of three of them, so that colours do not flicker."""
    width, height = pictures[0].size
    chosen = [pictures[0], pictures[len(pictures) // 2], pictures[-1]]
    together = Image.new("RGB", (width, 3 * height))
    for i, picture in enumerate(chosen):
        together.paste(picture, (0, i * height))
    palette = together.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=4)
    colours, background = palette.getpalette(), palette.getpixel((0, 0))
    colours[3 * background:3 * background + 3] = [255] * 3  # white, which may have been taken together with pale colours
    palette.putpalette(colours)
    first, *others = [_reduced(picture, palette, background) for picture in pictures]
    durations = [1000 / rate] * len(others) + [1000 * _HOLD]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0)


def _reduced(picture, palette, background):
    """A picture with a palette; Pillow takes the nearest colour only roughly, so that white is set by itself."""
    reduced = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    white = (np.asarray(picture) == 255).all(axis=2)
    reduced.paste(background, mask=Image.fromarray(255 * white.astype(np.uint8)))
    return reduced


def _write_mp4(path, pictures, rate):
    try:
        import imageio_ffmpeg
    except ImportError:
        raise ResultsError(f"{path}: needs imageio-ffmpeg; pip install imageio-ffmpeg, or end the name in .gif") from None
    width, height = (size - size % 2 for size in pictures[0].size)  # the encoder halves the colours
    if not path.parent.is_dir():
        raise ResultsError(f"{path}: its folder does not exist; make it, or give another name with -o")
    writer = imageio_ffmpeg.write_frames(str(path), (width, height), fps=rate, macro_block_size=2, quality=8)
    writer.send(None)
    for picture in pictures + [pictures[-1]] * round(_HOLD * rate):
        writer.send(picture.crop((0, 0, width, height)).tobytes())
    writer.close()
