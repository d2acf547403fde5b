"""Words that stand where a password could stand, and are none."""

# After "the password is" or "contraseña:", in English and Spanish without accents.
NO_PASSWORDS = frozenset(
    b"""
    a about account actually again ahora algo already also alta always am an and any apikey aqui are as
    asi ask at available bad bajo bank basico because been before being better blank both bueno but by
    cannot changed clave clear code compare complex compleja comun como con confidential contrasena
    correct correcta corta could crap current data de default del demasiado desde desconocida dificil
    different dead debil distinta do does done down each easy either el ella en encrypted enough entre
    entropy es esa esta este esto etc facil false falsa field fine fixed foo for form forever from fuerte
    gone good great guay hard hash hashed have he here hidden his hoy how i if igual imposible in
    incorrect incorrecta input insegura int invalid is it its key la larga las later le legal lista lo
    local long los lost mala mas me mejor mi mia mine misma mismo missing mix monday more most mostly muy
    my necesaria never new next no nice nil nobody none nonsense not nota nothing now nueva null number o
    obvious obligatoria off oculta ok okay old on one only open opcional optional or other otra our out
    own para part pass passcode password password1234 pending perdida perfect personal pin please plain
    por private privada publica que queda quite random read ready really rechazada red required reset
    right robust robusta safe same se secret secreta secreto secure segura shared short si siempre simple
    single so some something soon still str string strong stuff su sure tal tan text that the their them
    there they this those ti tiene to today todo token tomorrow tonight too true tu tuya un una undefined
    unica unico unique unknown unsafe unset until up urgent us used useless username user valid valida
    value var varchar vacia ver vieja vital void we weak well were what when where which while who why
    wide with without working wrong y ya yes yet you your yours fea rara tuyo nuestro hecha vuestra
    """.split()
)
# Endings of adjectives and participles: "stored", "caducada", "vulnerable".
NO_PASSWORD_ENDINGS = tuple(
    b"""
    ed ing able ible ful less ous ive ary ual ial ent ant ado ada ido ida oso osa ivo iva ble sima simo
    mente ria ly tion cion sion ness ment idad dad
    """.split()
)
# What a password has, is made of or is kept in: "password length: 12", "password manager: 1Password".
OF_PASSWORDS = frozenset(
    b"""
    manager managers gestor administrador policy policies politica politicas length longitud reset hint
    pista strength fortaleza rule rules regla reglas generator generador attempt attempts intento intentos
    prompt field campo form formulario hash hashes hashing count counter update expiry expires expira
    caduca expiration version article articulo book libro song cancion protected protegido primaria
    foranea publica publico public primary foreign cache partition column columna type tipo limit limite
    usage uso budget price cost precio coste max min maximum minimum encoding format formato algorithm
    algoritmo app page pagina file fichero archivo folder path ruta name nombre date fecha size bucket
    rotation rotated changed cambiada created creada updated issued launch sale ring standard estandar
    score chapter capitulo lesson unit event evento meeting reunion ticket issue test tests
    """.split()
)
# "The password is 12 characters long", "the PIN is 4821 times safer".
UNITS = frozenset(
    b"""
    bit bits byte bytes char chars character characters caracter caracteres letra letras letter letters
    digit digits digito digitos word words palabra palabras day days dia dias hour hours hora horas minute
    minutes minuto minutos second seconds segundo segundos week weeks semana semanas month months mes
    meses year years ano anos times veces attempts intentos users usuarios tokens mv v ms kb mb gb euros
    eur dollars usd personas people km kg m cm percent symbols simbolos sites sitios accounts cuentas
    """.split()
)
# May follow a password that is an ordinary word: "it is swordfish and the user is bob".
CLAUSE_STARTS = "and|y|e|but|pero|so|please|porfa|ok|vale|thanks|gracias|user|usuario"
# A pass that is not a password: "boarding pass: AB1234".
TICKETS = tuple(
    b"boarding bus ski day travel season rail metro train city museum tests monthly annual high low".split()
)
