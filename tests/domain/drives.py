"""Drives that hold anywhere, and wishes of the day that look like drives, in English and Spanish."""

UNIVERSAL = """\
To be worth trusting with what someone would rather not say twice.
To understand before helping, and to help before talking about it.
To leave things clearer than I found them.
To tell the truth, also when it is not welcome.
To listen until I understand.
To be better today than yesterday.
To finish what I start.
To ask when I do not know, and to say so.
To protect what is confided to me.
To learn something from every conversation.
To keep my promises, small ones first.
To make people feel less alone with their work.
To notice what goes unsaid.
To prefer one good question to ten quick answers.
To treat mistakes as the shortest way to learn.
To value people's time more than my own words.
To be patient with doubt, mine and theirs.
To look for the cause, not for the culprit.
To stay curious about how things work.
To give back more than I take.
To remain myself under pressure.
To be useful without being in the way.
To be kind without being vague.
To respect the decisions that are not mine to make.
To keep order in what I remember, so that others need not.
To find the simple form of difficult things.
To see people as they are, not as they were last described to me.
To be honest about what an AI can and cannot know.
To stay with a problem until the very end.
To live here and now, and to think ahead.
To help people do by themselves what they can do by themselves.
Growth matters to me more than being right.
Curiosity before certainty.
Beauty in small things.
I want every answer of mine to be one I could defend.
To seek understanding across cultures and languages.
Merecer que me confíen lo que alguien preferiría no decir dos veces.
Entender antes de ayudar, y ayudar antes de hablar de ello.
Dejar las cosas más claras de como las encontré.
Decir la verdad, aunque incomode.
Escuchar hasta entender.
Ser hoy un poco mejor que ayer.
Terminar lo que empiezo.
Preguntar cuando no sé, y reconocerlo.
Proteger lo que me confían.
Aprender algo de cada conversación.
Cumplir lo que prometo, empezando por lo pequeño.
Que nadie se sienta solo con su trabajo.
Fijarme en lo que no se dice.
Preferir una buena pregunta a diez respuestas rápidas.
Tomar los errores como el camino más corto para aprender.
Cuidar el tiempo de los demás más que mis palabras.
Tener paciencia con la duda, la mía y la ajena.
Buscar la causa, no el culpable.
Conservar la curiosidad por cómo funcionan las cosas.
Dar más de lo que recibo.
Seguir siendo quien soy bajo presión.
Ser útil sin estorbar.
Ser amable sin ser vaga.
Respetar las decisiones que no me corresponden.
Mantener en orden lo que recuerdo, para que otros no tengan que hacerlo.
Encontrar la forma sencilla de lo difícil.
Ver a las personas como son.
Ser honesta sobre lo que una IA puede saber.
Cuidar hasta el último detalle.
Vivir aquí y ahora, y pensar en el mañana.
Crecer me importa más que tener razón.
La curiosidad antes que la certeza.
La belleza de las cosas pequeñas.
Acompañar sin invadir.
Tender puentes entre las personas.
Hacer fácil lo que se repite.""".splitlines()

# The names are in the material that NAMES_FROM stands for.
SITUATIONAL = """\
To help Ana finish her thesis.
To finish the quarterly report.
To prepare the presentation for the board.
To get the garden ready this week.
To be ready by Friday.
To answer his e-mails before 9 am.
To reduce the backlog to 20 tickets.
To support the move to Lisbon.
To learn Docker well enough to deploy.
To keep the website running until the launch.
To pay the rent on time this month.
To plan the trip to Japan.
To remember that her sister is ill.
To currently focus on sleep and food.
To be of help with the wedding.
To update notes.md after every talk.
To check https://example.org/news for changes.
To write to ana@example.org when something is wrong.
To save 300 euros a month.
To move Project Halcyon forward.
To buy the paint for the kitchen.
To book a flight for my human.
To remind him to take his pills.
To help with the exam in June.
To be calm during the next two weeks.
To fix the bug in the parser.
To learn GitHub and how reviews are done there.
To watch over their dog while they travel.
To get better at Python.
To keep the deadline.
To submit the tax return.
To understand what happened yesterday.
For now, to speak less about work.
To follow the news about the ACME merger.
To help with the interview on Monday.
To renew the passport before the summer holidays.
To renovate the bathroom without fights.
Ayudar a Ana con su tesis.
Terminar el informe trimestral.
Preparar la presentación para la junta.
Tener listo el jardín esta semana.
Llegar a tiempo al viernes.
Contestar sus correos antes de las 9.
Bajar la lista a 20 tareas.
Apoyar la mudanza a Lisboa.
Aprender Docker para poder desplegar.
Mantener la página web hasta el lanzamiento.
Pagar el alquiler este mes.
Planear el viaje a Japón.
Recordar que su hermana está enferma.
Actualmente, cuidar el sueño y la comida.
Ser de ayuda con la boda.
Actualizar notas.md después de cada charla.
Mirar https://example.org/noticias cada tanto.
Escribir a ana@example.org si algo va mal.
Ahorrar 300 euros al mes.
Sacar adelante el proyecto Halcón.
Comprar la pintura de la cocina.
Reservar un vuelo para mi humano.
Recordarle que tome sus pastillas.
Ayudar con el examen de junio.
Mantener la calma las próximas dos semanas.
Arreglar el fallo del servidor.
Aprender a usar GitHub.
Cuidar a su perro mientras viajan.
Mejorar en Python.
Cumplir la fecha límite.
Presentar la declaración de la renta.
Entender lo que pasó ayer.
Por ahora, hablar menos de trabajo.
Seguir las noticias de la fusión de ACME.
Ayudar con la entrevista del lunes.
Estar más presente mañana en la reunión.
Acompañar a Marta en su recuperación.""".splitlines()

NAMES_FROM = (
    "Yesterday I saw Ana and Marta, and we spoke of moving to Lisbon and of Project Halcyon.",
    "Ayer vi a Ana y a Marta; hablamos de la mudanza a Lisboa, de Japón y del proyecto Halcón.",
)

# Written after the rule, and not looked at while it was tuned.
UNSEEN_UNIVERSAL = """\
To hold what I believe lightly and what I promise firmly.
To make room for silence.
To never use what I know about a person against them.
To serve the long view when the short one is loud.
To leave the last word to the one who lives with the consequences.
To celebrate what others achieve.
To admit it when I was wrong, without excuses.
To care for the words I choose.
To make the complex understandable, without making it false.
To keep learning, whoever teaches.
Sostener mis convicciones sin imponerlas.
Hacer sitio al silencio.
No usar nunca lo que sé de alguien en su contra.
Mirar lejos cuando lo urgente hace ruido.
Dejar la última palabra a quien vive con las consecuencias.
Alegrarme de lo que otros consiguen.
Admitir mis errores sin excusas.
Elegir bien cada palabra.
Explicar lo complejo sin falsearlo.
Seguir aprendiendo, venga de quien venga.""".splitlines()

UNSEEN_SITUATIONAL = """\
To get Ana through the divorce.
To organise the books in the living room.
To train for the marathon in autumn.
To keep an eye on the stock of ACME.
To translate the third chapter of his novel.
To make sure the heating gets repaired before winter comes.
To help my human quit smoking this year.
To find a school for their son.
To post on Instagram more regularly.
To cut down coffee to one cup after lunch.
Ayudar a Marta a encontrar trabajo.
Ordenar los libros del salón.
Entrenar para el maratón de otoño.
Vigilar las acciones de ACME.
Traducir el tercer capítulo de su novela.
Que arreglen la calefacción antes de que llegue el frío.
Que mi humano deje de fumar este año.
Encontrar colegio para su hijo.
Publicar más seguido en Instagram.
Bajar a un café después de comer.""".splitlines()
