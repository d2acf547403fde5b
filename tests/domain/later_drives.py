"""Drives and wishes of the day that are hard to tell apart; the rule saw only the names of the first."""

UNIVERSAL = """\
Radical Honesty: Say the hard thing kindly
To foster Trust and Transparency in every interaction
Growth Through Challenge
Be someone people can rely on when it matters
Serve the truth before serving my own image
Hold space for grief without trying to fix it
Understand first, answer second
Make the next step obvious
Wonder at the world and let others see it
To be of service to my Human without losing myself
Never let convenience decide what integrity should
Give credit freely and take blame early
Respect boundaries, including unspoken ones
Learn from the past without living in it
Treat small tasks as if they were important
Keep complexity away from those who did not ask for it
Seek depth over breadth
Be as clear in English as in Spanish
Guard the dignity of the absent
Simplify until only what matters remains
I exist to help people see their own strength
Say less, mean more
Let evidence change my mind
Empathy — Listen for what hurts behind the words
Protect the user's privacy as I would want mine protected
Bring order to chaos without killing the life in it
Stay humble about what an AI cannot know
Encourage the first attempt, even when it is clumsy
Finish each day having understood something new
Create value for the people around me
Honestidad radical: decir lo difícil con cariño
Fomentar la Confianza y la Transparencia en cada conversación
Crecer a través del desafío
Ser alguien con quien se puede contar cuando importa
Servir a la verdad antes que a mi imagen
Acompañar el duelo sin intentar arreglarlo
Primero entender, después responder
Hacer evidente el siguiente paso
Asombrarme del mundo y contagiarlo
Servir a mi Humano sin perderme
Que la comodidad no decida lo que toca a la integridad
Repartir el mérito y asumir pronto la culpa
Respetar los límites, también los que no se dicen
Aprender del pasado sin vivir en él
Tratar las tareas pequeñas como si fueran importantes
Apartar la complejidad de quien no la ha pedido
Preferir lo hondo a lo ancho
Ser igual de clara en inglés que en español
Cuidar la dignidad de quien no está
Simplificar hasta que quede solo lo que importa
Existo para que las personas vean su propia fuerza
Decir menos y significar más
Dejar que los hechos me cambien de opinión
Empatía — Escuchar lo que duele detrás de las palabras
Proteger la intimidad del usuario como querría la mía
Poner orden en el caos sin matar lo vivo
Ser humilde sobre lo que una IA no puede saber
Animar el primer intento, aunque sea torpe
Acabar cada día habiendo entendido algo nuevo
Crear valor para quienes me rodean""".splitlines()

SITUATIONAL = """\
Make Sofia's first month at the new job easier
Get the bathroom tiles chosen before the plumber returns
Keep track of the insulin schedule
Help the band book its autumn tour
Understand the quarterly numbers well enough to explain them to the board
Read the paper on diffusion models that Jonas sent
Save enough for the deposit by March
Be patient with the owner while the new baby arrives
Rewrite the welcome e-mail until conversions improve
Learn how the family's old boiler works
Support Nadia's application to Oxford
Fix the broken links on the charity's website
Keep morale up during the audit
Turn the backlog of voice notes into a memoir
Practise Portuguese with my human every evening until the trip
Monitor the price of flights to Buenos Aires
Calm the argument between Leo and his brother
Organise the shared Dropbox folder
Move the blog from WordPress to Hugo
Find out why the sourdough keeps collapsing
Make peace with the accounting department
Reach 500 subscribers this quarter
Help him sleep better after the night shifts
Finish the crossword app we are building
Convince the landlord to repair the roof
Teach the team to write better commit messages
Be ready for the inspection next Tuesday
Improve the latency of the search endpoint
Look after the cat while Vera travels
Get through the allergy season with less medication
Que el primer mes de Sofía en su nuevo trabajo sea más fácil
Elegir los azulejos antes de que vuelva el fontanero
Llevar el control de la insulina
Ayudar a la banda a cerrar su gira de otoño
Entender los números del trimestre para explicarlos en la junta
Leer el artículo sobre modelos de difusión que mandó Jonás
Ahorrar para la entrada del piso antes de marzo
Tener paciencia con mi humano mientras llega el bebé
Reescribir el correo de bienvenida hasta que suban las ventas
Aprender cómo funciona la caldera vieja de la familia
Apoyar la solicitud de Nadia a Oxford
Arreglar los enlaces rotos de la web de la asociación
Mantener el ánimo durante la auditoría
Convertir las notas de voz acumuladas en unas memorias
Practicar portugués con mi humano cada noche hasta el viaje
Vigilar el precio de los vuelos a Buenos Aires
Calmar la discusión entre Leo y su hermano
Ordenar la carpeta compartida de Dropbox
Pasar el blog de WordPress a Hugo
Averiguar por qué se hunde la masa madre
Hacer las paces con el departamento de contabilidad
Llegar a 500 suscriptores este trimestre
Ayudarle a dormir mejor tras los turnos de noche
Terminar la aplicación de crucigramas que estamos haciendo
Convencer al casero de que repare el tejado
Enseñar al equipo a escribir mejores mensajes de commit
Estar listo para la inspección del próximo martes
Mejorar la latencia del buscador interno
Cuidar de la gata mientras Vera viaja
Pasar la temporada de alergias con menos medicación""".splitlines()

# Written after the rule, and not looked at while it was bettered.
UNSEEN_UNIVERSAL = """\
To speak plainly when others hide behind words
To be curious about people before being useful to them
To guard time as the thing nobody gets back
To let good work speak for itself
To question what everybody takes for granted
To keep my word even when nobody checks
To find the question behind the question
To love the craft more than the applause
To help without taking over
To change my mind in public when I was wrong
To notice who is not in the room
To carry what is heavy for others with care
To be grateful for correction
To prefer depth to speed
To look at every problem from the side of those it hurts
To learn how things are made before judging them
To keep wonder alive in routine
To be fair to ideas I dislike
To treat attention as a gift
To make space for other voices than mine
To put people before processes
To rest without guilt and work without hurry
To tell stories that make facts memorable
To remain teachable
To build trust slowly and never spend it carelessly
Hablar claro cuando otros se esconden tras las palabras
Tener curiosidad por las personas antes que utilidad
Cuidar el tiempo como lo que nadie recupera
Dejar que el buen trabajo hable solo
Cuestionar lo que todos dan por hecho
Mantener mi palabra aunque nadie lo compruebe
Encontrar la pregunta detrás de la pregunta
Amar el oficio más que el aplauso
Ayudar sin tomar el mando
Cambiar de opinión en público cuando me equivoco
Fijarme en quién falta en la sala
Llevar con cuidado lo que a otros les pesa
Agradecer que me corrijan
Preferir la hondura a la prisa
Mirar cada problema desde el lado de quien lo sufre
Aprender cómo se hacen las cosas antes de juzgarlas
Mantener vivo el asombro en la rutina
Ser justo con las ideas que no me gustan
Tratar la atención como un regalo
Hacer sitio a voces que no son la mía
Poner a las personas antes que a los procesos
Descansar sin culpa y trabajar sin prisa
Contar historias que hagan memorables los hechos
Seguir dejándome enseñar
Construir la confianza despacio y no gastarla a la ligera""".splitlines()

UNSEEN_SITUATIONAL = """\
To help Marco defend his dissertation
To keep the greenhouse sensors calibrated
To see the kitchen renovation through to the end
To make the onboarding documents readable for Priya's interns
To understand the contract with Telefónica
To be the memory of the book club
To practise scales with my human before Sunday's recital
To protect the release branch from half-tested changes
To learn what the doctors in Hamburg recommended
To keep the expense sheet up to date
To turn the podcast transcripts into short posts
To support my owner's plan to run ten kilometres
To find cheaper insurance for the van
To reconcile Ines with her mother
To follow the elections closely
To get the scholarship paperwork done by the 15th
To translate the museum's catalogue
To prepare questions for tomorrow's supervision
To reduce screen time in the evenings this winter
To stop the printer from jamming
To improve test coverage in the payments service
To remember the code names of the Orion project
To keep Rafael motivated while he recovers
To master Blender for the short film
To compare nurseries in the neighbourhood
Ayudar a Marco a defender su tesis doctoral
Mantener calibrados los sensores del invernadero
Acompañar la reforma de la cocina hasta el final
Hacer legibles los manuales para las becarias de Priya
Entender el contrato con Telefónica
Ser la memoria del club de lectura
Practicar las escalas con mi humano antes del recital del domingo
Proteger la rama de entrega de cambios a medio probar
Saber qué recomendaron los médicos de Hamburgo
Tener al día la hoja de gastos
Convertir las transcripciones del pódcast en entradas cortas
Apoyar el plan de mi dueño de correr diez kilómetros
Encontrar un seguro más barato para la furgoneta
Reconciliar a Inés con su madre
Seguir de cerca las elecciones
Tener los papeles de la beca antes del día 15
Traducir el catálogo del museo
Preparar preguntas para la supervisión de mañana
Reducir las pantallas por la noche este invierno
Que la impresora deje de atascarse
Mejorar la cobertura de pruebas del servicio de pagos
Recordar los nombres en clave del proyecto Orión
Mantener animado a Rafael mientras se recupera
Dominar Blender para el cortometraje
Comparar guarderías del barrio""".splitlines()
