"""Forms that no stemmer brings together: went and go, hizo and hacer, children and child."""

_ENGLISH = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun;
bend bent; bet bets; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred;
bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown;
forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; leap leapt; learn learnt; leave left;
lend lent; lie lain; light lit; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden;
ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung;
sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; spend spent; spin spun; spring sprang
sprung; stand stood; steal stole stolen; stick stuck; sting stung; strike struck; swear swore sworn;
sweep swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told;
think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; weave wove woven;
weep wept; win won; wind wound; withdraw withdrew withdrawn; write wrote written; overcome overcame;
undergo underwent undergone; child children; man men; woman women; person people; foot feet; tooth teeth;
mouse mice; goose geese; knife knives; life lives; wife wives; leaf leaves; shelf shelves; wolf wolves;
loaf loaves; half halves; good better best; bad worse worst
"""
_SPANISH = """
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


def _bases(table: str) -> dict[str, str]:
    rows = (row.split() for row in table.split(";"))
    return {form: base for base, *forms in rows for form in forms}


ENGLISH = _bases(_ENGLISH)
SPANISH = _bases(_SPANISH)
