"""Drops a file on a window as a file manager does (XDND version 5).

Plain Xlib through ctypes; structures as in Xlib.h on 64-bit machines.
"""
import ctypes
import pathlib
import time
from ctypes import POINTER, Structure, Union, byref, c_char_p, c_int, c_long, c_ulong, c_void_p

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
VERSION = 5

X = ctypes.CDLL("libX11.so.6")
X.XOpenDisplay.restype = c_void_p
X.XOpenDisplay.argtypes = [c_char_p]
X.XInternAtom.restype = c_ulong
X.XInternAtom.argtypes = [c_void_p, c_char_p, c_int]
X.XDefaultRootWindow.restype = c_ulong
X.XDefaultRootWindow.argtypes = [c_void_p]
X.XCreateSimpleWindow.restype = c_ulong
X.XCreateSimpleWindow.argtypes = [c_void_p, c_ulong] + [c_int] * 5 + [c_ulong] * 2
X.XSetSelectionOwner.argtypes = [c_void_p, c_ulong, c_ulong, c_ulong]
X.XChangeProperty.argtypes = [c_void_p, c_ulong, c_ulong, c_ulong, c_int, c_int, c_char_p, c_int]
X.XFlush.argtypes = X.XPending.argtypes = [c_void_p]


class ClientMessage(Structure):
    _fields_ = [("type", c_int), ("serial", c_ulong), ("sent", c_int), ("display", c_void_p),
                ("window", c_ulong), ("kind", c_ulong), ("format", c_int), ("data", c_long * 5)]


class Selection(Structure):  # SelectionRequest; SelectionNotify lacks the owner
    _fields_ = [("type", c_int), ("serial", c_ulong), ("sent", c_int), ("display", c_void_p),
                ("owner", c_ulong), ("requestor", c_ulong), ("selection", c_ulong),
                ("target", c_ulong), ("property", c_ulong), ("time", c_ulong)]


class Notify(Structure):
    _fields_ = Selection._fields_[:4] + Selection._fields_[5:]


class Event(Union):
    _fields_ = [("type", c_int), ("client", ClientMessage), ("selection", Selection),
                ("notify", Notify), ("pad", c_long * 24)]


X.XNextEvent.argtypes = [c_void_p, POINTER(Event)]
X.XSendEvent.argtypes = [c_void_p, c_ulong, c_int, c_long, POINTER(Event)]


def drop(target, path, x, y):
    """True when the window said that it took the file."""
    display = X.XOpenDisplay(None)

    def atom(name):
        return X.XInternAtom(display, name.encode(), 0)

    root = X.XDefaultRootWindow(display)
    source = X.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0)
    selection, uris = atom("XdndSelection"), atom("text/uri-list")
    X.XSetSelectionOwner(display, selection, source, 0)

    def send(kind, *data):
        event = Event()
        event.client = ClientMessage(CLIENT_MESSAGE, 0, 1, display, target, atom(kind), 32,
                                     (c_long * 5)(source, *data))
        X.XSendEvent(display, target, 0, 0, byref(event))
        X.XFlush(display)

    def answer(request):
        text = pathlib.Path(path).resolve().as_uri().encode() + b"\r\n"
        X.XChangeProperty(display, request.requestor, request.property, uris, 8, 0, text, len(text))
        event = Event()
        event.notify = Notify(SELECTION_NOTIFY, 0, 1, display, request.requestor, request.selection,
                              request.target, request.property, request.time)
        X.XSendEvent(display, request.requestor, 0, 0, byref(event))
        X.XFlush(display)

    send("XdndEnter", VERSION << 24, uris, 0, 0)
    send("XdndPosition", 0, x << 16 | y, 0, atom("XdndActionCopy"))
    event = Event()
    while True:
        if not X.XPending(display):
            time.sleep(0.01)
            continue
        X.XNextEvent(display, byref(event))
        if event.type == SELECTION_REQUEST:
            answer(event.selection)
        elif event.type == CLIENT_MESSAGE and event.client.kind == atom("XdndStatus"):
            send("XdndDrop", 0, 0, 0, 0)
        elif event.type == CLIENT_MESSAGE and event.client.kind == atom("XdndFinished"):
            return event.client.data[1] & 1 == 1
