"""Native programs that get no window and no OpenGL context: simulators that render, and what draws with Qt or X."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="displays",
    title="screens and OpenGL contexts",
    reference="Magnum's WindowlessEglApplication (under habitat-sim), mujoco-py with GLEW, Qt's platform plugins, X clients",
    patterns=(
        Pattern(
            name="display.no_context",
            anchors=(
                "WindowlessEglApplication::tryCreateContext(): unable",
                "WindowlessEglApplication::tryCreateContext(): cannot",
                "WindowlessGlxApplication::tryCreateContext(): unable",
                "WindowlessGlxApplication::tryCreateContext(): cannot",
                "GLEW initalization error:",
                "Could not connect to any X display",
                "could not connect to display",
                "Could not connect to display",
            ),
            regex=r"^(?:\S{1,40}:)?\W{0,4}(?:Platform::Windowless(?:Egl|Glx)Application::tryCreateContext\(\): (?:unable|cannot) [^\n]{4,200}"
            r"|(?:ERROR: )?GLEW initalization error: [^\n]{1,100}|(?:qt\.qpa\.\w{1,20}: )?[Cc]ould not connect to (?:any X )?display\b[^\n]{0,80})",
            samples=(
                Sample(
                    "Platform::WindowlessEglApplication::tryCreateContext(): unable to find CUDA device 5 among 7 EGL devices in total"
                ),
                Sample(
                    "Platform::WindowlessEglApplication::tryCreateContext(): unable to find EGL device for CUDA device 5"
                ),
                Sample("Platform::WindowlessGlxApplication::tryCreateContext(): cannot open default X display"),
                Sample("ERROR: GLEW initalization error: Missing GL version"),
                Sample("qt.qpa.xcb: could not connect to display :57"),
                Sample("QXcbConnection: Could not connect to display"),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=58,
            title="a renderer gets no screen or OpenGL context",
            advice=(
                Advice(
                    "training",
                    "render on a GPU that the driver gives an EGL device for (each rank's own, by CUDA_VISIBLE_DEVICES), "
                    "with the driver's libEGL in the container, or under xvfb-run",
                ),
            ),
        ),
        Pattern(
            name="display.gone",
            anchors=(" on X server ", "X connection to "),
            regex=r"\bXIO: {1,2}fatal IO error \d{1,4} \([^)\n]{1,60}\) on X server|\bX connection to \S{1,80} broken \(",
            samples=(
                Sample('XIO:  fatal IO error 0 (Success) on X server "localhost:57.0"'),
                Sample(
                    '  5%|#   | 5/75 [00:05<01:10,  1.0it/s]XIO:  fatal IO error 11 (Resource temporarily unavailable) on X server ":57"'
                ),
                Sample("X connection to localhost:57.0 broken (explicit kill or server shutdown)."),
            ),
            role=Role.CAUSE,
            cls=FailureClass.INFRASTRUCTURE,
            weight=60,
            title="the screen that a program drew on went away, and Xlib ended the program",
            advice=(
                Advice(
                    "training", "draw without a screen, or within a session that outlives the login (tmux, xvfb-run)"
                ),
            ),
        ),
    ),
)
