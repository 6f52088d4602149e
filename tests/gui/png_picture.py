"""Pictures that the program has written, with the texts in them."""
import struct
import subprocess


class Png:
    """8-bit RGB PNG as written by the program; pixels by (x, y) from the upper left."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", path
        at, self.text = 8, {}
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and colour == 2, (depth, colour)
            elif kind in (b"tEXt", b"iTXt"):
                key, value = body.split(b"\0", 1)
                self.text[key.decode("latin-1")] = value.strip(b"\0").decode("utf-8", "replace")
            at += length + 12
        self.pixels = subprocess.run(["convert", path, "-depth", "8", "rgb:-"], check=True,
                                     stdout=subprocess.PIPE).stdout
        assert len(self.pixels) == 3 * self.width * self.height, path

    def pixel(self, x, y):
        at = 3 * (y * self.width + x)
        return tuple(self.pixels[at:at + 3])

    def colours(self, x, y, width, height):
        """Distinct colours in a rectangle."""
        return {self.pixel(i, k) for k in range(y, min(y + height, self.height))
                for i in range(x, min(x + width, self.width))}
