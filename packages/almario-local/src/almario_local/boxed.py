"""The model in the box: asked like any other endpoint, in a process that runs while it is needed."""

from threading import Lock

from almario.adapters.addresses import CallLimits, Endpoint
from almario.adapters.llm.openai import OpenAILLM
from almario.domain.installing import to_install
from almario.domain.talk import Ask, Reply
from almario.errors import LLMUnavailable, MissingExtra
from almario.ports import Hear
from almario_local.model_process import Address, ModelProcess, is_installed

LOCAL = "local"


class BoxedLLM:
    """Asks a model that runs on this machine; nothing is started before the first question."""

    def __init__(self, process: ModelProcess, limits: CallLimits) -> None:
        self._process = process
        self._limits = limits
        self._lock = Lock()
        self._at_address: tuple[Address, OpenAILLM] | None = None

    @property
    def model(self) -> str:
        return f"{LOCAL}/{self._process.name}"

    def is_available(self) -> bool:
        """Return whether the packages are installed and the model is here; nothing is started."""
        return is_installed() and self._process.is_there()

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        """Return the answer; *hear* gets its text as it comes."""
        if not self._process.is_there():
            sentence = 'the model {name} is not on this machine; "almario model get" downloads one'
            raise LLMUnavailable(sentence, passes=False, name=self._process.name)
        if not is_installed():
            raise MissingExtra("llama.cpp is not installed; run: {line}", line=to_install("almario-local"))
        with self._process.in_use() as address:
            reply = self._at(address).reply(ask, hear)
        return reply._replace(usage=reply.usage._replace(cost=0.0))

    def _at(self, address: Address) -> OpenAILLM:
        """Return what asks there; it keeps its connection and what it has learned of the endpoint."""
        with self._lock:
            if self._at_address is None or self._at_address[0] != address:
                endpoint = Endpoint(LOCAL, address.url, self._process.name, address.token)
                self._at_address = address, OpenAILLM(endpoint, self._limits)
            return self._at_address[1]
