"""A window or an OpenGL context that a job asks for where no screen is."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.no_display",
    writer="pyglet 1 and 2, Tk, GLFW, MuJoCo, PyOpenGL, Xlib",
    types=(
        r"NoSuchDisplayException",
        r"TclError",
        r"DisplayConnectionError",
        r"FatalError",
        r"(?:GLFW|EGL|Import|Runtime)Error$",
    ),
    says=(
        r"no display name and no \$DISPLAY",
        r"[Cc]annot connect to \"(?:None|:?\d[^\"\n]{0,20})\"",
        r"(?:could not|can't|couldn't|unable to|failed to) (?:connect to|open) (?:X )?display",
        r"(?:an )?OpenGL platform library has not been loaded",
        r"gladLoadGL error|Cannot initialize a (?:EGL|headless) \w+ display|X11: The DISPLAY environment variable is missing",
    ),
    cls=FailureClass.CONFIG,
    weight=62,
    title="a screen was asked for where none is",
    advice=(
        Advice(
            "training",
            "render without a screen (MUJOCO_GL=egl, PYOPENGL_PLATFORM=egl, an Agg backend), or under xvfb-run",
        ),
    ),
    samples=(
        Raised("_tkinter.TclError: no display name and no $DISPLAY environment variable"),
        Raised('pyglet.canvas.xlib.NoSuchDisplayException: Cannot connect to "None"'),
        Raised(
            'Xlib.error.DisplayConnectionError: Can\'t connect to display ":57": [Errno 2] No such file or directory'
        ),
        Raised("mujoco.FatalError: an OpenGL platform library has not been loaded into this process"),
        Raised("glfw.GLFWError: X11: The DISPLAY environment variable is missing"),
        Raised("ImportError: Cannot initialize a EGL device display57"),
    ),
)
