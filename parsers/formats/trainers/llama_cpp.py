"""llama.cpp, its server and what embeds it: models that it does not load."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

FORMAT = LineFormat(
    name="llama_cpp",
    title="llama.cpp",
    reference="ggml-org/llama.cpp: ggml/src/gguf.cpp, src/llama.cpp, common/common.cpp, tools/server",
    patterns=(
        Pattern(
            name="llama_cpp.no_room",
            anchors=("unable to allocate CUDA",),
            regex=r"error loading model: unable to allocate CUDA(?P<device>\d+) buffer",
            samples=(
                Sample("llama_model_load: error loading model: unable to allocate CUDA3 buffer", {"device": "3"}),
            ),
            role=Role.CAUSE,
            marks=(Mark.REFUSED,),
            cls=FailureClass.GPU_OOM,
            weight=64,
            title="a model does not fit into the GPU's memory",
            advice=(Advice("training", "offload fewer layers (-ngl), or shorten the context (-c)"),),
        ),
        Pattern(
            name="llama_cpp.no_model",
            anchors=("failed to open GGUF file", "error loading model: ", "failed to load model"),
            regex=r"(?:^|\s)(?:gguf_init_from_file(?:_impl)?|llama_model_load(?:_from_file(?:_impl)?)?|common_init_from_params"
            r"|llama_init_from_gpt_params|srv +load_model): "
            r"(?P<said>(?:failed to open GGUF file|error loading model: (?!unable to allocate CUDA)|failed to load model)[^\n]{0,300})",
            samples=(
                Sample(
                    "gguf_init_from_file: failed to open GGUF file '/models/q57.gguf'",
                    {"said": "failed to open GGUF file '/models/q57.gguf'"},
                ),
                Sample("llama_model_load: error loading model: unknown model architecture: 'arch57'"),
                Sample("srv    load_model: failed to load model, '/models/q57.gguf'"),
            ),
            role=Role.CAUSE,
            marks=(Mark.REFUSED,),
            cls=FailureClass.CONFIG,
            weight=62,
            title="llama.cpp did not load its model",
            advice=(Advice("training", "correct the model's path, or take a file that this version reads: {said}"),),
        ),
    ),
)
