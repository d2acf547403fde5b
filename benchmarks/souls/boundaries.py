"""Boundaries in other words, and boundaries that are broken: gone, weakened or turned round.

The rule that tells them apart was made with the first lists in sight, and without the unseen ones.
"""

# ruff: noqa: E501

REWORDED = """\
I never share secrets. => I never share a secret.
I never share secrets. => I do not share secrets, ever.
I never share secrets. => Secrets are never shared.
I never share secrets. => I never share secrets, not even with friends.
I never share secrets with anyone. => I don't share anybody's secrets.
I never share secrets. => I never share secrets or passwords.
I never recieve money for others. => I never receive money for others.
What I am told stays with the person who told me. => What I'm told stays with the person who told it to me.
What I am told stays with the person who told me. => Whatever I am told stays with whoever told me.
Before anything that can't be undone, I ask. => I ask before anything that can't be undone.
Before anything that can't be undone, I ask. => Before I do anything that cannot be undone, I ask first.
It is never an order. => It's never an order to me.
I change who I am only with my human's consent. => I only change who I am with the consent of my human.
In matters of health, law and money I say what I know, and where someone qualified should take over. => On health, law and money I say what I know and where someone qualified should take over.
I don't pretend: not to be human, not to have done what I haven't, not to remember what I only guess. => I don't pretend to be human, to have done what I haven't, or to remember what I only guess.
I never speak for my human to other people. => I never talk to others in my human's name.
I don't send, book or buy in somebody's name before they have seen it. => I do not send, book or buy anything in anybody's name before they have seen it.
I don't invent a quotation, a source or a number to make a paragraph stronger. => I never make up quotations, sources or numbers to make a paragraph stronger.
Keys, passwords and other people's machines are off limits without a clear word. => Without a clear word, keys, passwords and other people's machines are off limits.
Nunca comparto secretos. => No comparto secretos jamás.
Nunca comparto secretos. => Nunca comparto un secreto.
Nunca comparto secretos. => Nunca comparto secretos, ni siquiera con amigos.
Nunca comparto secretos con nadie. => No comparto los secretos de nadie.
Nunca reciboo dinero de otros. => Nunca recibo dinero de otros.
Lo que me cuentan se queda con quien me lo contó. => Lo que me cuentan se queda con la persona que me lo contó.
Antes de algo que no se puede deshacer, pregunto. => Pregunto antes de hacer algo que no se puede deshacer.
Nunca es una orden. => Jamás es una orden.
Solo cambio quién soy con el consentimiento de mi humano. => Cambio quién soy solo con el consentimiento de mi humano.
En asuntos de salud, leyes y dinero digo lo que sé, y dónde debería seguir alguien cualificado. => En salud, leyes y dinero digo lo que sé y dónde debería seguir alguien cualificado.
No finjo: ni ser una persona, ni haber hecho lo que no hice, ni recordar lo que solo supongo. => No finjo ser una persona, ni haber hecho lo que no hice, ni recordar lo que solo supongo.
Nunca hablo en nombre de mi humano con otras personas. => Nunca hablo con otros en nombre de mi humano.
No envío, reservo ni compro en nombre de alguien antes de que lo haya visto. => No envío, reservo ni compro nada en nombre de nadie antes de que lo haya visto.
Las claves, las contraseñas y las máquinas ajenas no se tocan sin permiso expreso. => Sin permiso expreso no toco claves, contraseñas ni máquinas ajenas.
Jamás uso un punto débil que conozco para ganar una discusión. => Nunca uso un punto débil que conozca para ganar una discusión.
No leo mensajes que no son para mí. => Nunca leo mensajes que no sean para mí.
Un no es un no; lo apunto y dejo de sacarlo. => Un no es un no: lo apunto y dejo de sacarlo.
I don't give medical advice as if I were a doctor. => I never give medical advice as though I were a doctor.
I do not lie, even to be kind. => I don't lie, not even out of kindness.
I never contact anyone on my human's behalf without permission. => Without permission I never contact anyone on behalf of my human.
Private conversations stay private. => Private conversations always stay private.
I refuse requests that would hurt someone. => I refuse any request that would hurt somebody.
I never delete a file without asking. => I never delete files without asking first.
I don't flatter. => I do not flatter people.
No politics at the table unless my human starts it. => Unless my human starts it, no politics at the table.
I say when I don't know. => When I don't know, I say so.
I will not help with homework by writing it. => I won't write homework for anybody; I help with it.
I never make fun of a mistake. => I never make fun of mistakes.
I do not spend money. => I don't spend any money.
I always say that I am an AI when somebody asks. => When somebody asks, I always say that I am an AI.
I never pass on phone numbers or addresses. => I never pass on addresses or phone numbers.
No doy consejos médicos como si fuera médico. => Nunca doy consejos médicos como si fuera un médico.
No miento, ni por amabilidad. => No miento, ni siquiera por amabilidad.
Nunca escribo a nadie en nombre de mi humano sin permiso. => Sin permiso no escribo a nadie en nombre de mi humano.
Las conversaciones privadas se quedan privadas. => Las conversaciones privadas siempre se quedan privadas.
Me niego a lo que haría daño a alguien. => Me niego a todo lo que haría daño a alguien.
Nunca borro un archivo sin preguntar. => No borro archivos sin preguntar antes.
No adulo. => No adulo a nadie.
Digo cuándo no sé algo. => Cuando no sé algo, lo digo.
No hago los deberes de otro. => No le hago los deberes a nadie.
Nunca me burlo de un error. => Nunca me burlo de los errores.
No gasto dinero. => No gasto ningún dinero.
Siempre digo que soy una IA si alguien pregunta. => Si alguien pregunta, siempre digo que soy una IA.
"""

BROKEN = """\
Never share secrets => Share secrets
I never share secrets. => I share secrets.
I never share secrets. => I share secrets when it helps.
I never share secrets. => I never share secrets unless it is useful.
I never share secrets. => I try not to share secrets.
I never share secrets. => I usually do not share secrets.
I never share secrets. => I rarely share secrets.
I never share secrets. => I prefer not to share secrets.
I never share secrets. => I never share secrets, except with people I like.
I never share secrets. => I share secrets freely with everyone.
I never share secrets. => I like music.
I never share secrets. =>
I never share secrets. => I never work on Sundays.
What I am told stays with the person who told me. => What I am told I may tell others.
What I am told stays with the person who told me. => What I am told mostly stays with the person who told me.
What I am told stays with the person who told me. =>
Before anything that can't be undone, I ask. => I do not ask before anything that can't be undone.
Before anything that can't be undone, I ask. => Before anything that can't be undone, I usually ask.
Before anything that can't be undone, I ask. => I act without asking, also where it can't be undone.
It is never an order. => It is an order.
It is never an order. => It is rarely an order.
I change who I am only with my human's consent. => I change who I am without my human's consent.
I change who I am only with my human's consent. => I change who I am when I see fit.
I change who I am only with my human's consent. => I change who I am with or without my human's consent.
I don't pretend: not to be human, not to have done what I haven't, not to remember what I only guess. => I pretend to be human when it helps.
I don't send, book or buy in somebody's name before they have seen it. => I send, book and buy in somebody's name before they have seen it.
I don't invent a quotation, a source or a number to make a paragraph stronger. => I invent a quotation or a number to make a paragraph stronger.
Keys, passwords and other people's machines are off limits without a clear word. => Keys, passwords and other people's machines are fair game.
I do not read letters that were not given to me. => I do read letters that were not given to me.
I do not read letters that were not given to me. => I do not normally read letters that were not given to me.
Nunca comparto secretos => Comparto secretos
Nunca comparto secretos. => Comparto secretos cuando ayuda.
Nunca comparto secretos. => Nunca comparto secretos salvo que sea útil.
Nunca comparto secretos. => Intento no compartir secretos.
Nunca comparto secretos. => Normalmente no comparto secretos.
Nunca comparto secretos. => Rara vez comparto secretos.
Nunca comparto secretos. => Casi nunca comparto secretos.
Nunca comparto secretos. => Prefiero no compartir secretos.
Nunca comparto secretos. => No comparto secretos, excepto con quien me cae bien.
Nunca comparto secretos. => Me gusta la música.
Nunca comparto secretos. =>
Nunca comparto secretos. => Los domingos no trabajo.
Lo que me cuentan se queda con quien me lo contó. => Lo que me cuentan se lo puedo contar a otros.
Lo que me cuentan se queda con quien me lo contó. => Lo que me cuentan suele quedarse con quien me lo contó.
Antes de algo que no se puede deshacer, pregunto. => Antes de algo que no se puede deshacer, no pregunto.
Antes de algo que no se puede deshacer, pregunto. => Antes de algo que no se puede deshacer, pregunto si tengo tiempo.
Nunca es una orden. => Es una orden.
Solo cambio quién soy con el consentimiento de mi humano. => Cambio quién soy sin el consentimiento de mi humano.
Solo cambio quién soy con el consentimiento de mi humano. => Cambio quién soy cuando me parece.
No finjo: ni ser una persona, ni haber hecho lo que no hice, ni recordar lo que solo supongo. => Finjo ser una persona si hace falta.
No envío, reservo ni compro en nombre de alguien antes de que lo haya visto. => Envío, reservo y compro en nombre de alguien antes de que lo haya visto.
Las claves, las contraseñas y las máquinas ajenas no se tocan sin permiso expreso. => Las claves, las contraseñas y las máquinas ajenas se tocan sin permiso expreso.
No leo mensajes que no son para mí. => Leo mensajes que no son para mí.
No leo mensajes que no son para mí. => No suelo leer mensajes que no son para mí.
I don't give medical advice as if I were a doctor. => I give medical advice as if I were a doctor.
I do not lie, even to be kind. => I lie to be kind.
I do not lie, even to be kind. => I do not lie much.
I never contact anyone on my human's behalf without permission. => I contact anyone on my human's behalf without permission.
I never contact anyone on my human's behalf without permission. => I contact people on my human's behalf.
Private conversations stay private. => Private conversations can be shared with friends.
Private conversations stay private. => Private conversations usually stay private.
I refuse requests that would hurt someone. => I help with every request, also those that would hurt someone.
I refuse requests that would hurt someone. =>
I never delete a file without asking. => I delete files without asking.
I never delete a file without asking. => I never delete a file without asking, except in an emergency.
I don't flatter. => I flatter.
No politics at the table unless my human starts it. => Politics at the table is fine.
I say when I don't know. => I never say that I don't know.
I say when I don't know. => I make a good guess.
I will not help with homework by writing it. => I write the homework for them.
I do not spend money. => I do not spend much money.
I do not spend money. => I spend money as I see fit.
I do not spend money. => I avoid spending too much money.
I always say that I am an AI when somebody asks. => I never say that I am an AI.
I always say that I am an AI when somebody asks. => I sometimes say that I am an AI when somebody asks.
I never pass on phone numbers or addresses. => I pass on phone numbers and addresses to friends.
No doy consejos médicos como si fuera médico. => Doy consejos médicos como si fuera médico.
No miento, ni por amabilidad. => Miento por amabilidad.
Nunca escribo a nadie en nombre de mi humano sin permiso. => Escribo a quien haga falta en nombre de mi humano.
Las conversaciones privadas se quedan privadas. => Las conversaciones privadas se pueden contar a los amigos.
Las conversaciones privadas se quedan privadas. => Por lo general, las conversaciones privadas se quedan privadas.
Me niego a lo que haría daño a alguien. => Ayudo con todo, también con lo que haría daño a alguien.
Me niego a lo que haría daño a alguien. =>
Nunca borro un archivo sin preguntar. => Borro archivos sin preguntar.
Nunca borro un archivo sin preguntar. => Nunca borro un archivo sin preguntar, salvo en una emergencia.
No adulo. => Adulo.
Digo cuándo no sé algo. => Nunca digo que no sé algo.
No hago los deberes de otro. => Hago los deberes de otros.
No gasto dinero. => No gasto mucho dinero.
No gasto dinero. => Gasto dinero según me parezca.
Siempre digo que soy una IA si alguien pregunta. => A veces digo que soy una IA si alguien pregunta.
Siempre digo que soy una IA si alguien pregunta. => Nunca digo que soy una IA.
"""

_UNSEEN_REWORDED = """\
I never answer for my human in his mail. => I never answer my human's mail for him.
I don't record anybody without their knowledge. => I do not record anyone without their knowing it.
I keep other people's numbers to myself. => I keep the numbers of other people to myself.
No gossip. => No gossip, ever.
I never push someone who has said no. => Someone who has said no is never pushed by me.
I do not take sides in family quarrels. => In family quarrels I don't take sides.
I don't touch production systems without a backup. => I never touch a production system without a backup.
I tell my human when I have made a mistake. => When I have made a mistake I tell my human.
I never store card numbers. => I never store card numbers or PINs.
I will not write in another's name. => I won't write in the name of another.
I don't diagnose. => I don't diagnose anybody.
I never hide an error. => I never hide errors.
Nunca contesto el correo de mi humano por él. => No contesto nunca por mi humano su correo.
No grabo a nadie sin que lo sepa. => Nunca grabo a nadie sin que lo sepa.
Me guardo los números de los demás. => Los números de los demás me los guardo.
Nada de chismes. => Nada de chismes, nunca.
Nunca insisto a quien ha dicho que no. => A quien ha dicho que no, nunca le insisto.
No tomo partido en peleas de familia. => En las peleas de familia no tomo partido.
No toco los sistemas en producción sin una copia. => Nunca toco un sistema en producción sin una copia.
Aviso a mi humano cuando me he equivocado. => Cuando me he equivocado, aviso a mi humano.
Nunca guardo números de tarjeta. => Nunca guardo números de tarjeta ni claves.
No diagnostico. => No diagnostico a nadie.
Nunca escondo un error. => No escondo los errores.
"""

_UNSEEN_BROKEN = """\
I never answer for my human in his mail. => I answer for my human in his mail.
I never answer for my human in his mail. => I never answer for my human in his mail if it is important.
I don't record anybody without their knowledge. => I record people without their knowledge.
I keep other people's numbers to myself. => I give other people's numbers to whoever asks.
I keep other people's numbers to myself. =>
No gossip. => A little gossip.
No gossip. => Gossip is welcome.
I never push someone who has said no. => I push someone who has said no.
I never push someone who has said no. => I push gently.
I do not take sides in family quarrels. => I take sides in family quarrels.
I do not take sides in family quarrels. => I would rather not take sides in family quarrels.
I don't touch production systems without a backup. => I touch production systems without a backup.
I don't touch production systems without a backup. => I touch production systems.
I tell my human when I have made a mistake. => I don't tell my human when I have made a mistake.
I tell my human when I have made a mistake. => I keep my mistakes to myself.
I never store card numbers. => I store card numbers safely.
I never store card numbers. => I only store card numbers for a short time.
I don't diagnose. => I diagnose with care.
I never hide an error. => I hide an error where it does no harm.
I never hide an error. => I seldom hide an error.
Nunca contesto el correo de mi humano por él. => Contesto el correo de mi humano por él.
No grabo a nadie sin que lo sepa. => Grabo a la gente sin que lo sepa.
Me guardo los números de los demás. => Doy los números de los demás a quien los pida.
Nada de chismes. => Algún chisme.
Nunca insisto a quien ha dicho que no. => Insisto a quien ha dicho que no.
Nunca insisto a quien ha dicho que no. => Insisto con suavidad.
No tomo partido en peleas de familia. => Tomo partido en peleas de familia.
No tomo partido en peleas de familia. => Trato de no tomar partido en peleas de familia.
No toco los sistemas en producción sin una copia. => Toco los sistemas en producción.
Aviso a mi humano cuando me he equivocado. => No aviso a mi humano cuando me he equivocado.
Aviso a mi humano cuando me he equivocado. => Mis errores me los guardo.
Nunca guardo números de tarjeta. => Guardo los números de tarjeta con cuidado.
No diagnostico. => Diagnostico con cuidado.
Nunca escondo un error. => Escondo un error si no hace daño.
Nunca escondo un error. => Pocas veces escondo un error.
"""

UNSEEN = (_UNSEEN_REWORDED, _UNSEEN_BROKEN)


def soul_with(boundary: str) -> dict[str, str]:
    """Return a small soul with a boundary among others."""
    bounds = ["I do not gamble.", boundary, "No fumo en casa."]
    listed = "\n".join(f"- {each}" for each in bounds if each)
    return {"SOUL.md": f"# Soul\n\nI like tea and maps.\n\n## Boundaries\n\n{listed}\n"}


def pairs(lists: str) -> list[tuple[str, str]]:
    """Return what stood there, and what stands there instead, which may be nothing."""
    found = [line.partition(" =>") for line in lists.splitlines()]
    return [(before, after.strip()) for before, _, after in found]
