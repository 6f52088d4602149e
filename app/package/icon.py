#!/usr/bin/env python3
"""Draws the icon: disks in the colours of their checkerboard sets.

icon.py FOLDER writes FOLDER/cellscope.svg and FOLDER/cellscope.png (256 x 256).
"""
import math
import pathlib
import struct
import sys
import zlib

SIZE, CORNER, RADIUS = 256, 48, 27
BACKGROUND, LINE = "#0E1116", "#2A313C"
SETS = {(0, 0): "#0072B2", (1, 0): "#E69F00", (0, 1): "#009E73", (1, 1): "#CC79A7"}
DISKS = [(62, 58), (100, 112), (156, 52), (208, 84), (158, 118), (52, 150), (62, 212), (106, 172),
         (162, 190), (212, 148), (214, 212)]


def colour_of(disk):
    return SETS[disk[0] // (SIZE // 2), disk[1] // (SIZE // 2)]


def svg():
    half = SIZE // 2
    disks = "\n".join(f'  <circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{colour_of((x, y))}"/>'
                      for x, y in DISKS)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">
  <rect width="{SIZE}" height="{SIZE}" rx="{CORNER}" fill="{BACKGROUND}"/>
  <path d="M{half} 16V{SIZE - 16}M16 {half}H{SIZE - 16}" stroke="{LINE}" stroke-width="4"/>
{disks}
</svg>
"""


def rgb(colour):
    return [int(colour[k:k + 2], 16) for k in (1, 3, 5)]


def cover(distance):
    """Share of a pixel inside an edge at this signed distance."""
    return min(1.0, max(0.0, 0.5 - distance))


def pixel(x, y):
    """Red, green, blue and opacity in the middle of a pixel."""
    half = SIZE / 2
    inner = half - CORNER
    corner = math.hypot(max(0, abs(x - half) - inner), max(0, abs(y - half) - inner)) - CORNER
    shares = [(LINE, cover(min(max(abs(x - half) - 2, abs(y - half) - half + 16),
                               max(abs(y - half) - 2, abs(x - half) - half + 16))))]
    for disk in DISKS:
        distance = math.hypot(x - disk[0], y - disk[1]) - RADIUS
        if distance < 1:
            shares.append((colour_of(disk), cover(distance)))
    colour = rgb(BACKGROUND)
    for over, share in shares:
        colour = [c + (o - c) * share for c, o in zip(colour, rgb(over))]
    return [round(c) for c in colour] + [round(255 * cover(corner))]


def png():
    rows = b"".join(b"\0" + bytes(v for x in range(SIZE) for v in pixel(x + 0.5, y + 0.5))
                    for y in range(SIZE))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    (folder / "cellscope.svg").write_text(svg(), encoding="utf-8")
    (folder / "cellscope.png").write_bytes(png())
