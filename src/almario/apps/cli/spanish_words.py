"""What somebody who speaks Spanish types for a command: the chat takes it, the shell says what it is."""

from almario.domain.words import fold

_SPANISH = {
    "accept": "acepta aceptar",
    "agents": "agentes",
    "as-of": "a-fecha",
    "backup": "respaldo copia",
    "chat": "charla charlar hablar",
    "clear": "limpia limpiar",
    "connect": "conecta conectar",
    "cost": "coste costo costes gasto",
    "file": "archivo fichero",
    "flush": "aprende aprender",
    "forget": "olvida olvidar borra borrar",
    "goals": "metas objetivos",
    "help": "ayuda",
    "identity": "identidad",
    "improve": "mejora mejorar",
    "keep": "conserva conservar",
    "log": "diario",
    "memory": "memoria recuerdos",
    "mode": "modo",
    "model": "modelo",
    "people": "gente personas",
    "plans": "planes",
    "proposals": "propuestas",
    "quit": "salir adios",
    "recall": "busca buscar",
    "reflect": "reflexiona reflexionar",
    "reject": "rechaza rechazar",
    "remember": "recuerda recordar acuerdate",
    "serve": "servir",
    "sessions": "sesiones conversaciones",
    "share": "comparte compartir",
    "soul": "alma",
    "undo": "deshaz deshacer deshazlo",
    "why": "porque por-que",
}
_COMMANDS = {word: name for name, words in _SPANISH.items() for word in words.split()}


def command_for(word: str) -> str:
    """Return the command that a word means in another language than English, or nothing."""
    return _COMMANDS.get(fold(word), "")
