"""Spanish."""

from almario.language import Language, bases
from almario.language.es.orders import ORDERS

_SMALL = """
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aqui
    asi aun aunque cada como con cual cuales cualquier cuando cuanta cuantas cuanto cuantos de del desde donde
    dos e el ella ellas ello ellos en entre eran eres es esa esas ese eso esos esta estaba estaban estamos
    estan estar estas este esto estos estoy fue fueron ha habia habian han has hasta hay he la las le les lo
    los mas me mi mis mientras muy nada ni no nos nosotros nuestra nuestro nuestras nuestros o os otra otras
    otro otros para pero poco por porque pues que quien quienes se segun ser si sido siendo sobre su sus suya
    suyo tambien tampoco te tenia tiene tienen tengo ti todo todos tu tus tuya tuyo un una unas uno unos usted
    ustedes y ya yo"""
_ASKING = """
    que quien quienes cual cuales como donde adonde cuando cuanto cuanta cuantos cuantas por porque acaso
    dime decime cuentame contame recuerdas recordas acuerdas acordas"""
_HAPPENING = """
    paso pasa pasaba pasaron pasado pasando ha han hemos he habia habian hubo hay hacer haciendo hago haces
    hace hacemos hacen hice hiciste hizo hicimos hicieron hacia haciamos hacian hecho ocurrio ocurre ocurrido
    ocurrieron sucedio sucede sucedido sucedieron fue fueron era cosa cosas algo"""
_IRREGULAR = """
andar anduve anduvo anduvieron; caber cupo; caer cayo cayeron; conducir conduje condujo condujeron;
conocer conozco; construir construyo construyeron; dar dio dieron doy; decir digo dice dicen dije dijo dijeron
dicho dira; dormir duermo duerme duermen durmio durmieron; elegir elijo elige eligio eligieron;
empezar empiezo empieza empece; escribir escrito; haber hubo hubieron; abrir abierto; cubrir cubierto;
hacer hago hace hacen hice hizo hicieron hecho hara haria; ir voy va vamos fui fuimos iba iban yendo ira;
jugar juego juega juegan jugue; leer leyo leyeron; llegar llegue; morir muere murio murieron muerto;
oir oigo oye oyo; pedir pido pide piden pidio pidieron; pensar pienso piensa piensan;
perder pierdo pierde pierden; poder puedo puede pueden pudo pudieron pudimos podria;
poner pongo pone puse puso pusieron puesto pondra; preferir prefiero prefiere prefieren prefirio;
querer quiero quiere quieren quise quiso quisieron; recordar recuerdo recuerda recuerdan;
reir rie rio rieron; resolver resuelto; romper roto; saber sabe supe supo supieron sabra;
salir salgo sale saldra; seguir sigo sigue siguen siguio siguieron; sentir siento siente sienten sintio;
servir sirve sirvio; soñar sueño sueña; tener tuve tuvo tuvieron tuvimos tendra; traducir tradujo;
traer traigo trae traje trajo trajeron; valer vale vali; venir vengo viene vienen vine vino vinieron vendra;
ver veo vio vieron visto; vestir viste vistio; volar vuelo vuela; volver vuelvo vuelve vuelven volvio vuelto
"""
_TIMES = {
    "months": """enero; febrero; marzo; abril; mayo; junio; julio; agosto; septiembre setiembre; octubre;
        noviembre; diciembre""",
    "short_months": "ene; feb; mar; abr; ; jun; jul; ago; sep sept; oct; nov; dic",
    "weekdays": "lunes; martes; miércoles; jueves; viernes; sábado; domingo",
    "short_weekdays": "lun; mar; mié; jue; vie; sáb; dom",
    "seasons": "primavera; verano; otoño; invierno",
    "numbers": """1 un una uno; 2 dos par par_de un_par_de un_par; 3 tres unos unas unos_pocos
        unas_pocas unos_cuantos unas_cuantas pocos pocas; 4 cuatro varios varias; 5 cinco; 6 seis; 7
        siete; 8 ocho; 9 nueve; 10 diez; 11 once; 12 doce docena una_docena_de; 13 trece; 14 catorce; 15
        quince; 16 dieciséis; 18 dieciocho; 20 veinte; 30 treinta; 40 cuarenta; 50 cincuenta""",
    "ordinals": """primero primera primer; segundo segunda; tercero tercera tercer; cuarto cuarta;
        quinto quinta""",
    "units": """day día dia; days días dias noches; week semana; weeks semanas; fortnight quincena
        quincenas; half semestre mitad; weekend fin_de_semana finde; weekends fines_de_semana findes;
        month mes; months meses; quarter trimestre; year año ano; years años anos; decade década décadas""",
    "relative": """day-2 anteayer antier antes_de_ayer; day-1 ayer anoche ayer_noche; day+0 hoy
        esta_mañana esta_tarde esta_noche esta_manana esta_madrugada; day+1 mañana manana; day+2
        pasado_mañana pasado_manana; day-2 anteanoche antenoche; week-2 semana_antepasada
        antepasada_semana; month-2 mes_antepasado; year-2 año_antepasado; year-1 antaño""",
    "decades": """1920 años_veinte; 1930 años_treinta; 1940 años_cuarenta; 1950 cincuentas años_cincuenta;
        1960 sesentas sesenta; 1970 setentas setenta; 1980 ochentas ochenta; 1990 noventas noventa""",
    "holidays": """12-24..12-26 navidad navidades; 12-25..12-25 día_de_navidad; 12-24..12-24 nochebuena
        noche_buena; 12-31..12-31 nochevieja noche_vieja fin_de_año fin_de_ano; 01-01..01-01 año_nuevo
        ano_nuevo; 01-06..01-06 reyes día_de_reyes día_de_los_reyes reyes_magos los_reyes_magos;
        01-05..01-05 noche_de_reyes; 02-14..02-14 san_valentín día_de_san_valentín
        día_de_los_enamorados; 10-31..10-31 noche_de_halloween noche_de_brujas; 11-01..11-02
        día_de_muertos día_de_los_muertos; 11-01..11-01 todos_los_santos; easter-7..easter semana_santa;
        easter-2..easter+1 pascua pascuas; easter-2..easter-2 viernes_santo; easter-3..easter-3
        jueves_santo; easter-50..easter-47 carnaval carnavales; easter-7..easter-7 domingo_de_ramos;
        easter..easter domingo_de_pascua domingo_de_resurrección; 06-23..06-24 noche_de_san_juan""",
    "the": "el la los las todo toda pleno plena",
    "on": "el del al",
    "of": "de del",
    "for": "para",
    "in": "en durante mes_de",
    "since": "desde a_partir",
    "onwards": "a_partir",
    "until": "hasta",
    "before": "antes previo",
    "after": "después tras luego",
    "around": "hacia por alrededor sobre",
    "about": """como casi apenas solo más_de menos_de unos unas más_o_menos aproximadamente alrededor_de
        cerca_de ya""",
    "between": "entre",
    "from": "de del desde",
    "to": "a al hasta",
    "and": "y o e u",
    "last": "pasado pasada pasados pasadas último última últimos últimas anterior anteriores",
    "last_after": "pasado pasada pasados pasadas último última anterior anteriores",
    "this": "este esta actual",
    "next": "próximo próxima próximos próximas",
    "next_after": "próximo próxima próximos próximas que_viene que_vienen entrante venidero venideros",
    "ago": "hace hará hacía",
    "back": "atrás",
    "ahead": "en dentro_de de_aquí_a de_acá_a",
    "hence": "a_partir_de_hoy más_adelante",
    "early": "principio principios comienzo comienzos inicio inicios",
    "mid": "mediados mitad medio",
    "late": "fin fines final finales",
    "part": "mañana manana media_mañana media_manana tarde noche madrugada mediodía tardecita",
    "every": "cada todos_los todas_las",
    "decade_sign": "los años los_años",
    "names": "reyes pascua pascuas abril julio domingo",
    "day_sign": "día dia",
    "street": """calle avenida av avda plaza plazuela paseo barrio colonia ruta estación club camino carrera
        sala aula habitación vuelo línea hospital escuela colegio parque estadio metro""",
    "things": """pesos euros caracteres dólares soles personas palabras páginas usuarios pasos calorías
        km kilómetros metros kg kilos gramos veces por_ciento piso grado puntos horas minutos segundos
        invitados unidades mil millones hijos hs h pm am alumnos grados bolívares colones lempiras
        quetzales reales copias""",
    "future": """voy_a vas_a va_a vamos_a vais_a van_a próximo próxima próximos próximas que_viene
        que_vienen pasado_mañana vendrá pronto""",
    "plans": """voy vas va vamos van tengo tenemos tiene tienen recuérdame recordame recordarme recordá
        acordate acuérdate nos_vemos quedamos viene vienen quiero queremos hay viajo viajamos salgo
        llega llegan empiezo empieza cita turno reserva reservá resérvame agenda agéndame
        agendame anota anotá apunta pienso pensamos toca vence vuelvo""",
    "past": """fui fue fuimos fueron era eran hice hizo hicieron hiciste tuve tuvo tuvieron estuve estuvo
        estuvieron dije dijo dijeron dijiste vine vino vinieron puse puso pude pudo supe supo quise quiso
        traje trajo hubo había vi vio di dio ha han he has hemos ayer hace pasó separé enteré miré tiré
        esperé preparé retiré operé mejoré paré comparé reparé giré admiré respiré compré solía""",
    "future_ends": """aré eré iré dré bré ará erá irá drá brá arás erás irás drás aremos eremos iremos
        dremos arán erán irán drán""",
    "yearly": "cumpleaños cumple cumples cumplo cumplen aniversario nació nací nacida nacido",
    "born": "nació nací nacida nacido",
    "turning": "cumple cumplo cumples cumplirá cumpliré",
    "being": "tiene tengo tienen tenemos",
    "begins": """empieza empiezan empiezo empezará comienza comienzan comienzo comenzará arranca arranco
        inicia sube suben subirá baja_a bajará_a aumenta pasa_a pasan_a pasará_a cambia_a deja dejará""",
    "other": """hoy_en_día hoy_por_hoy de_hoy_en_adelante qué bebé café sofá así aquí ahí allí sé té mí
        sí todavía tía maría josé rubí comité""",
    "past_ends": "é í ó aste iste aron ieron imos aba aban ábamos ía ían íamos yeron",
}
LANGUAGE = Language(
    code="es",
    name="spanish",
    asking=_ASKING,
    happening=_HAPPENING,
    opening="""qué quién quiénes cuál cuáles cuánto cuánta cuántos cuántas cómo cuándo dónde donde_esta
        donde_está donde_estan donde_vivo donde_vive cuando_es cuando_fue como_se que_dia quien_es
        quien_tiene me_pregunto quiero_saber""",
    former="antes anterior antiguo antigua antiguamente previo previa solia soliamos solias",
    amounts="""cuanto cuanta cuantos cuantas cuando que_hora que_horas q_hora que_dia q_dia que_fecha
        que_talla que_numero fecha hora precio numero edad telefono""",
    times=_TIMES,
    orders=ORDERS,
    negations="no nunca jamas ni nada nadie ningun ninguna ninguno tampoco",
    without="sin",
    denying="ex dejó evito",
    turning=r"menos olvid\w+ dej\w+(?=_de\b)",
    clauses=r"pero sino aunque porque y(?!\s+\w+[aei]r\b)",
    measures="""kg kilo gramo g mg libra km kilometro milla m metro cm mm pie pulgada l litro ml euro
        dolar peso sol soles hora minuto segundo dia semana mes meses año""",
    anew="ahora ya nuevo nueva",
    courtesy="""soy sos somos son era eras fui tienes tenes tenemos tenia tenias usuario usuaria dueño
        dueña tambien gracias favor""",
    recalling="""recuerdo recuerda recordar recuerdas se sabia sabes saber segun notas nota memoria
        dijiste dijo mencionaste contaste comentaste claro vale bueno bien""",
    noting="""llama llamo llaman llamado llamada nombre vive vivir trabaja trabajar dice hablo conto dijo
        pidio pregunto""",
    i_am="soy",
    oneself="yo mi mis mio mios conmigo soy nosotros nosotras nuestro nuestra nuestros nuestras",
    hours="la las desde hasta sobre hacia",
    ever="siempre nunca jamas",
    at_times="salvo excepto cuando si a_veces",
    as_far="hasta solo menos",
    weakening="""a_menos normalmente generalmente por_lo_general rara_vez casi mucho intento procuro evito
        prefiero suel[eo]n? pued[eo]n? en_lo_posible""",
    even="incluso ni aun siquiera",
    only="solo solamente unicamente me_niego rechazo",
    topics={
        "length": (
            "pocas_palabras breves? brevedad concis[oa]s? (?:respuestas|frases)_cortas mensajes_cortos",
            "respuestas_largas mensajes_largos me_extiendo exhaustiv[oa]s? por_extenso con_todo_detalle",
        ),
        "formality": ("formal(?:mente)? formalidad de_usted", "informal(?:mente)? tuteo jerga"),
        "emojis": ("emojis? emoticonos?", ""),
    },
    limits="limit regla nunca linea_roja lineas_rojas prohib",
    manners=r"comunica estilo \btono\b \bvoz\b hablo",
    figures="""dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta
        cincuenta cien ciento mil millón millon millones media medio""",
    small=_SMALL,
    sorts="tipo tipos",
    irregular=bases(_IRREGULAR),
)
