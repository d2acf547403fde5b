"""What somebody who speaks Spanish types for a command: the chat takes it, the shell says what it is."""

from almario.apps.cli.i18n import current
from almario.domain.words import fold

_SPANISH = {
    "about": "sobre",
    "accept": "aceptar acepta",
    "agents": "agentes",
    "backup": "respaldo copia",
    "chat": "charlar charla hablar",
    "clear": "limpiar limpia",
    "connect": "conectar conecta",
    "cost": "coste costo costes gasto",
    "file": "archivo fichero",
    "flush": "aprender aprende",
    "forget": "olvidar olvida borrar borra",
    "goals": "objetivos metas",
    "help": "ayuda",
    "improve": "mejorar mejora",
    "keep": "conservar conserva",
    "log": "diario",
    "memory": "memoria recuerdos",
    "mode": "modo",
    "model": "modelo",
    "people": "gente personas",
    "plans": "planes",
    "proposals": "propuestas",
    "quit": "salir adios",
    "recall": "buscar busca",
    "reflect": "reflexionar reflexiona",
    "reject": "rechazar rechaza",
    "remember": "recordar recuerda acuerdate",
    "serve": "servir",
    "sessions": "conversaciones sesiones",
    "share": "compartir comparte",
    "soul": "alma",
    "undo": "deshacer deshaz deshazlo",
    "why": "por-que porque",
}
_COMMANDS = {word: name for name, words in _SPANISH.items() for word in words.split()}


def command_for(word: str) -> str:
    """Return the command that a word means in another language than English, or nothing."""
    return _COMMANDS.get(fold(word), "")


def called(name: str) -> str:
    """Return what a command of the chat is called in the language in use."""
    return _SPANISH.get(name, name).split()[0] if current() == "es" else name
