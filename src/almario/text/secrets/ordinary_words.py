"""Words that stand where a password could stand, and are none."""

# After "the password is" or "contraseña:", without accents.
NO_PASSWORDS = frozenset(b"""
    a about account actually again ahora algo already also alta always am an and any apikey aqui are as asi
    ask at available bad bajo bank basico because been before being better blank both bueno but by cannot
    changed clave clear code compare complex compleja comun como con confidential contrasena correct correcta
    corta could crap current data de default del demasiado desde desconocida dificil different dead debil
    distinta do does done down each easy either el ella en encrypted enough entre entropy es esa esta este
    esto etc facil false falsa field fine fixed foo for form forever from fuerte gone good great guay hard
    hash hashed have he here hidden his hoy how i if igual imposible in incorrect incorrecta input insegura
    int invalid is it its key la larga las later le legal lista lo local long los lost mala mas me mejor mi
    mia mine misma mismo missing mix monday more most mostly muy my necesaria never new next no nice nil
    nobody none nonsense not nota nothing now nueva null number o obvious obligatoria off oculta ok okay old
    on one only open opcional optional or other otra our out own para part pass passcode password password1234
    pending perdida perfect personal pin please plain por private privada publica que queda quite random read
    ready really rechazada red required reset right robust robusta safe same se secret secreta secreto secure
    segura shared short si siempre simple single so some something soon still str string strong stuff su sure
    tal tan text that the their them there they this those ti tiene to today todo token tomorrow tonight too
    true tu tuya un una undefined unica unico unique unknown unsafe unset until up urgent us used useless
    username user valid valida value var varchar vacia ver vieja vital void we weak well were what when where
    which while who why wide with without working wrong y ya yes yet you your yours fea rara tuyo nuestro
    hecha vuestra antiga boa certa correta curta curto diferente errada forte fortes fraca fraco incorreta
    longa longo mesmo nenhuma nova numeros obvia outra padrao secretas simples unicas vazia velha letras
    chiffres ancien ancienne bonne court courte differente differents fort faible faibles incorrect longue
    meme mauvais nouveau nouvelle oublie perdu simbolos maiusculas mayusculas minusculas numbers letters
    symbols vide vieux
""".split())  # fmt: skip
# Endings of adjectives and participles: "stored", "caducada", "vulnerable".
NO_PASSWORD_ENDINGS = tuple(b"""
    ed ing able ible ful less ous ive ary ual ial ent ant ado ada ido ida oso osa ivo iva ble sima simo mente
    ria ly tion cion sion ness ment idad dad
""".split())  # fmt: skip
# What a password has, is made of or is kept in: "password length: 12", "password manager: 1Password".
OF_PASSWORDS = frozenset(b"""
    manager managers gestor administrador policy policies politica politicas length longitud reset hint pista
    strength fortaleza rule rules regla reglas generator generador attempt attempts intento intentos prompt
    field campo form formulario hash hashes hashing count counter update expiry expires expira caduca
    expiration version article articulo book libro song cancion protected protegido primaria foranea publica
    publico public primary foreign cache partition column columna type tipo limit limite usage uso budget
    price cost precio coste max min maximum minimum encoding format formato algorithm algoritmo app page
    pagina file fichero archivo folder path ruta name nombre date fecha size bucket rotation rotated changed
    cambiada created creada updated issued launch sale ring standard estandar score chapter capitulo lesson
    unit event evento meeting reunion ticket issue test tests
""".split())  # fmt: skip
# "The password is 12 characters long", "the PIN is 4821 times safer".
UNITS = frozenset(b"""
    bit bits byte bytes char chars character characters caracter caracteres letra letras letter letters digit
    digits digito digitos word words palabra palabras day days dia dias hour hours hora horas minute minutes
    minuto minutos second seconds segundo segundos week weeks semana semanas month months mes meses year years
    ano anos times veces attempts intentos users usuarios tokens mv v ms kb mb gb euros eur dollars usd
    personas people km kg m cm percent symbols simbolos sites sitios accounts cuentas
""".split())  # fmt: skip
# A pass that is not a password: "boarding pass: AB1234".
TICKETS = tuple(
    b"boarding bus ski day travel season rail metro train city museum tests monthly annual high low".split()
)
# Between a label and its value: "is", "sigue siendo"; then "still", "ahora"; then "el".
VERBS = (
    "is|was|are|will be|would be|should be|must be|has been|used to be|remains|stays|becomes|es|era|sera"
    "|seria|fue|son|sigue siendo|seguia siendo|seguira siendo|sigue|queda|pone|ha sido|esta en|quedo en|quedo"
    "|queda en|(?:is |was |gets )?set to|equals|puesto a|puesta a|definid[ao] (?:como|para)|defini a|e|foi"
    "|sao|fica|ficou em|ficou|continua sendo|continua a ser|continua|segue sendo|est|etait|sont|reste|restera"
    "|c'est|c est"
)
ADVERBS = (
    "now|still|currently|just|always|actually|again|really|simply|literally|probably|temporarily|also"
    "|basically|ahora|aun|todavia|siempre|actualmente|simplemente|tambien|ya|igual|ainda|agora|sempre"
    "|atualmente|tambem|toujours|maintenant|encore|desormais|actuellement|simplement|aussi"
)
ARTICLES = "el|la|the|o|a|le|l"
# A password is changed "to", "a", "por" something only after one of these.
CHANGING = tuple(b"""
    chang cambi mud troc pus pon puest set reset actualiz updat modif remplac alter mis mets mettre dej qued
""".split())  # fmt: skip
# What a name of a key may end in that is none: API_KEY_FILE, TOKEN_URL.
OF_KEYS = tuple(b"_file _path _name _url _uri _type _length _size _id _limit _count _dir _ttl".split())
NO_CODES = frozenset("""
    postal zip area error country bar barras promo discount descuento desconto status source dress color
    colour product producto produit article codigo_postal pais pays reduction build exit qr genetic erro
    erreur fallo http response retour
""".split())  # fmt: skip
# What a password must be or have: "the password needs letters and numbers"; by how the words begin.
NEEDING = tuple(b"""
    need must should requir have has contain includ admit allow accept necesit precis deb tiene tener ten
    requier exig conten contien contener inclu lleva acept permit dev tem ter conter contem doit doiv dev faut
    contien avoir comport mezcl mix combin mistur
""".split())  # fmt: skip
# Sentences have these, and the phrases that open a purse have none of them, or few that are words of theirs.
SMALL_WORDS = frozenset(b"""
    the and for with from your are was not but have has our their them his her which los las una por con para
    que del como pero sus nos mas muy dos nas uma com pelo ele ela des les une est dans pour qui pas sur avec
    mais never should keep must that which whatever others when then minimum minimo at on least longer than
    change changed reset expires
""".split())  # fmt: skip
# So do sentences about passwords, beside the words that are said of them.
IN_SENTENCES = frozenset(b"""
    see ask check look call use using try find get got let make makes made put write written kept sent send
    set stay stays give given left saved under behind inside outside after before during every each within
    over above below near next between against without about also only even just already nearly almost since
    enter type choose pick click follow read visit contact tell told say says said know known think guess
    forget forgot need needs want wants work works come comes goes can will would may might did does had been
    one two three four five six seven eight nine ten day days week weeks month months year years once twice
    ninety thirty sixty hundred first second last people someone everyone nobody anyone anything everything
    character characters digit digits word words length never ever because while though unless preguntar
    pregunta pide pedir mira mirar busca buscar llama llamar usa usar pon poner escribe escribir guardada
    guardado apuntada apuntado debajo detras encima dentro fuera cada antes despues durante entre sobre hasta
    bajo tras segun sin solo tambien nunca jamas casi apenas hay puede pueden debe deben tiene tienen hace
    sabe sabes veces dias meses anos semana semanas cuatro cinco seis siete ocho nueve diez alguien nadie
    todos todas cuando donde quien porque aunque ese esos esas estos estas era fue ser sido pergunta perguntar
    pedir veja olha procura guardada embaixo atras dentro cada antes depois durante sobre ate sob sem tambem
    nunca jamais quase pode podem deve devem tem quando onde quem porque sete oito nove dez alguem ninguem
    dias meses anos demande demander voir regarde cherche appelle sous derriere dedans chaque avant apres
    pendant entre jusque sans aussi jamais presque peut peuvent doit doivent quand parce deux trois quatre
    cinq six sept huit neuf dix jours mois ans quelque personne tous toutes elle cette ces son ses leur leurs
""".split())  # fmt: skip
ALSO_IN_PHRASES = frozenset(b"never keep must that when then minimum change".split())
