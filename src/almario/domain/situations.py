"""Words of a certain time, task, occasion, person or tool, in English and Spanish, for `principles`.

They are compared in lower case and without accents (ñ is a letter).
"""


def _any(words: str) -> str:
    """Return a pattern for any of these words; `_` is a space."""
    return "|".join(words.split()).replace("_", " ")


DETERMINERS = _any(
    """the a an my his her their our your its this that these those another next last el la los las un una mi
    mis su sus tu tus nuestro nuestra este esta estos estas ese esa esos esas otro otra proximo proxima
    del al"""
)
POSSESSIVES = _any("my his her their your our human's owner's mi mis su sus tu tus")
_UNITS = _any(
    """hours? days? weeks? weekends? fortnights? months? quarters? years? minutes? mornings? afternoons?
    evenings? nights? seasons? semesters? terms? sprints? summers? winters? springs? autumns? holidays
    horas? dias? semanas? quincenas? mes(?:es)? trimestres? años? minutos? tardes? noches? temporadas?
    semestres? cuatrimestres? veranos? inviernos? primaveras? otoños? vacaciones"""
)
_NUMBERS = _any(
    """two three four five six seven eight nine ten twelve several couple_of dos tres cuatro cinco seis siete
    ocho nueve diez doce varios varias par_de"""
)
_CALENDAR = _any(
    """monday tuesday wednesday thursday friday saturday sunday lunes martes miercoles jueves viernes sabado
    domingo january february april june july august september october november december enero febrero
    marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre christmas easter
    navidad nochebuena semana_santa winter summer autumn invierno verano otoño primavera"""
)
_MOMENTS = _any(
    """today tonight tomorrow yesterday hoy mañana ayer anoche anteayer currently right_now for_now just_now
    now_that at_the_moment at_present these_days nowadays presently lately recently temporarily
    so_far_this upcoming the_coming as_of for_the_time_being ahora_mismo ahora_que por_ahora de_momento
    por_el_momento en_este_momento actualmente ultimamente estos_dias recientemente temporalmente
    de_aqui_a deadlines? due_date due_on due_by overdue fechas?_limite plazo vencimiento"""
)
TIMES = (
    rf"(?:{_CALENDAR})s?",
    _MOMENTS,
    rf"(?:this|next|last|coming|esta|este|estos|estas|proxim[oa]s?|pasad[oa]s?) (?:{_UNITS})",
    rf"(?:{_UNITS}) (?:que vienen?|proxim[oa]s?|pasad[oa]s?)",
    rf"(?:{_NUMBERS}) (?:more |mas )?(?:{_UNITS})",
    r"until (?:the|he|she|they|it|my|his|her|their|next|then)",
    r"hasta (?:el|la|los|las|mi|su|sus|fin|fines|que (?:lleg|termin|acab|vuelv|pas|salg|nazc)\w*)",
    r"(?:by|before|after) (?:the end of|next|this)",
    rf"(?:end|start|beginning|middle|final|fin|principio|comienzo) (?:of the|de la|del) (?:{_UNITS})",
    r"a finales? de|a principios de|antes de que (?:acabe|termine)",
)
# "Better today than yesterday" and "here and now" are said of any day.
ANY_TIME = (
    r"today\b.{0,40}\bthan yesterday",
    r"yesterday\b.{0,40}\btoday",
    r"hoy\b.{0,40}\bque ayer",
    r"ayer\b.{0,40}\bhoy",
    r"until the (?:very )?(?:end|last)",
    r"hasta el (?:final|fondo|ultimo)",
    r"(?:el|del|al|por la|cada|de la) mañana",
    r"as if .{0,60}\btomorrow|como si .{0,60}\bmañana",
    r"here and now|aqui y ahora|one day at a time|day (?:by|after|to) day",
)
# One occasion, if a certain one or somebody's is meant.
OCCASIONS = _any(
    """report thesis dissertation presentation slides invoices? tax_return taxes wedding trip journey_to
    exams? interview chapter novel contract meeting appointment flight hotel party birthday anniversary
    surgery operation kitchen bathroom garage garden server database bug ticket release migration website
    web_page blog app spreadsheet newsletter backlog repo repository codebase client customer launch
    marathon mortgage rent visa passport house_move divorce pregnancy recipe project course homework
    assignment budget conference informe tesis presentacion diapositivas facturas? declaracion renta boda
    viaje examen examenes entrevista capitulo novela contrato reunion cita vuelo fiesta cumpleaños
    aniversario operacion cirugia cocina baño garaje jardin servidor base_de_datos fallo lanzamiento
    migracion pagina_web sitio_web web aplicacion hoja_de_calculo boletin repositorio cliente clienta
    maraton hipoteca alquiler visado pasaporte mudanza divorcio embarazo receta proyecto curso deberes
    presupuesto conferencia congreso piso coche auto"""
)
PEOPLE = _any(
    """sister brother mother father mum mom dad daughter son wife husband girlfriend boyfriend boss landlord
    grandmother grandfather aunt uncle cousin niece nephew doctor teacher tutor dog cat hermana hermano
    madre padre mama papa hija hijo esposa esposo marido mujer novia novio jefe jefa casero abuela abuelo
    tia tio prima primo sobrina sobrino doctora medico profesor profesora perro perra gato gata"""
)
# "The new neighbours" are somebody's, "a new idea" is anybody's; "the new" alone is no thing.
NEW = (
    rf"(?:the|{POSSESSIVES}) new (?!(?:and|or|with|without|in|to|as|before|that|when|is)\b)\w+",
    rf"(?:el|la|los|las|{POSSESSIVES}) nuev[oa]s? (?!(?:y|o|con|sin|en|como|que|cuando|es)\b)\w+",
)
_ERRANDS = _any(
    """deploy refactor reschedule invoice renew install configure set_up follow_up_on book buy sell rent
    submit ship upload download migrate apply_for sign_up launch publish pay desplegar refactorizar
    facturar renovar instalar configurar reservar comprar vender alquilar subir descargar migrar solicitar
    apuntar(?:se|le|me)? lanzar publicar pagar entregar enviar mandar agendar"""
)
TASKS = (
    rf"(?:{_ERRANDS}) (?:{DETERMINERS})",
    rf"(?:finish|complete|finali[sz]e|wrap up|terminar|acabar|completar|finalizar|ultimar) (?:{DETERMINERS})"
    r"(?! (?:things?|job|circle|thought|idea|sentence|frase|pensamiento))",
    r"remind (?:him|her|them) (?:to|about|of)|recordarle (?:que|el|la)|to-?do list|lista de tareas",
)
TOOLS = _any(
    """python javascript typescript java kotlin golang react django docker kubernetes linux windows macos git
    github gitlab jira trello asana notion obsidian slack whatsapp telegram discord zoom gmail outlook
    excel powerpoint photoshop figma wordpress shopify spotify netflix youtube instagram facebook linkedin
    twitter tiktok google amazon aws azure openai chatgpt iphone android postgres postgresql mysql sqlite
    redis terraform ollama duolingo airbnb paypal bizum kindle apis? sdk sql css html pdfs? crm erp vpn"""
)
ADDRESSES = (
    r"\b[a-z][a-z+.-]*://\S+|\bwww\.\S+|[^\s@]{1,64}@[^\s@]{1,100}\.\w+",
    r"(?<![\w/])(?:~|\.{1,2})?/[\w.-]+/?|\b\w+/\w+/\S+",
    r"\b[\w-]+\.(?:md|py|txt|pdf|docx?|xlsx?|pptx?|csv|json|html?|png|jpe?g|toml|ya?ml|zip|js|ts)\b",
    r"\b[\w-]+\.(?:com|org|net|io|es|app|dev|ar|mx)\b",
)
AMOUNTS = (r"\S*\d\S*|[€$£¥]", r"\b(?:euros?|dollars?|dolares|pesos|pounds|libras|percent|por ciento)\b")
