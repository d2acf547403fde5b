"""Orders in Spanish."""

ORDERS = {
    "short": "sr sra srta dr dra prof ing lic av avda etc pag aprox ud uds art num tel",
    "joins": "y|e|pero|asi que|por eso|entonces",
    "lead": """por favor|porfa|porfis|please|hola|che|dale|bueno|bien|vale|oh|ah|eh|oye|oiga|mira|y|e
        ademas|tambien|ahora|entonces|primero|pero|gracias|perdon|perdona|disculpa|no(?=[,.!])|si|claro
        pues|mejor|ya|solo|igual|sabes que|a ver|venga|de paso|por cierto|una cosa( mas)?|otra cosa
        cambie de idea|he cambiado de idea|nada|listo|siempre|escucha|jaja+|uf+|mmm+|espera|en realidad
        importante|sobre todo|de ahora en adelante|te pido|tranqui|obvio|ojo|vos|tu|por eso|asi que
        a partir de (ahora|hoy)|desde (hoy|ahora)( en mas| en adelante)?""",
    "thanks": "por favor|porfa|gracias|muchas gracias|please",
    "tail": """vale|dale|ok|si|eh|quieres|queres|ya|por ahora|de momento|para siempre|del todo
        por completo|mas|si puedes|si podes|entero|tambien|cuanto antes""",
    "polite": """(me |te )?(puedes|podes|podrias|puede|podria|podeis|pueden)( por favor| ya)*
        te importa(ria)?|por favor
        (quiero|necesito|quisiera|prefiero|preferiria|me gustaria|te pido|te encargo|le pido|te ruego
            te agradeceria|mejor)( por favor)? que( ya)?
        (seria|estaria) (bueno|bien|genial) que|(te|le) agradeceria (si|que)|me haces el favor de
        (hazme|haceme|hagame|haz|hace|haga) el favor de
        (tienes|tenes|tiene) que|deberias|conviene que""",
    "articles": """el la los las lo un una unos unas mi mis nuestro nuestra nuestros nuestras tu tus su
        sus este esta ese esa""",
    "saying": """dijo|dice|decia|dijeron|dicen|diciendo|pidio|pidieron|pide|escribio|respondio|contesto
        grito|aconsejo|repite|repetia|pone|ponia|cancion|cartel|refran|letra""",
    "chat": """que q qe ke k qu; de d; te t; por_favor x_favor xfavor pf plis porfavor; porfa xfa porfi;
        porque xq pq porq; quiero kiero qiero; quieres kieres; tambien tb tmb tbn; para pa xa; aqui aki;
        recuerda rekuerda recurda; recuerdes rekuerdes; olvidate olbidate olvidte olviate; acuerdate
        akuerdate; acordate acordat akordate; nada nda; cuenta cunta cueta; apunta apnta apumta apuntaa;
        olvida olbida olvda; guarda gurada guada; anota hanota; borra vorra""",
    "slips": """recuerda recuerdes recuerde acuerdate olvida olvides apuntes guarda guardes registra
        registres memoriza cuenta presente elimina memoria borres anotes nosotros confianza""",
    "remember_signs": """recuerd recorda recordar recordes acordate acuerd acordes acordarte olvid
        en_cuenta presente en_mente tene ten_ anota anote apunt guard registr graba memori nota sepas pase:
        pase_ futuro proxima pon_ pone_ deja_ mete_ quedate quede_ dato memoria cabeza""",
    "remember": """recorda|recuerda|recuerde|recuerden
        (acordate|acuerdate|acuerdese)( siempre| bien)?( de)?
        no lo olvides|(que )?no se te (olvide|pase|escape)( por alto)?
        (que )?no se te vaya( a olvidar| de la cabeza)?|que te quede (claro|grabado|anotado)
        (pon|pone|mete|deja|agrega|anade)(lo|te|me)?( esto)? (en|a) {store}
        deja (anotado|apuntado|constancia( de)?|registrado|registro( de)?|guardado)
        (mete|graba)te (bien )?en la (cabeza|memoria)
        (hazte|hacete|haz|hace) una nota( mental)?( de)?
        para que (lo )?(sepas|tengas {in_mind}|recuerdes|tengas en la cabeza)
        no (te |se |se |os )?olvid(es|e|eis|en)( nunca)?( de)?
        ten(e|ed|ga|gan)?( siempre)? {in_mind}
        (anota|apunta|guarda|registra|graba|memoriza)(te|me|melo|telo)?( ahi| aqui| aca| bien| por favor)*
        tom(a|e) nota( de)?|(anote|apunte|guarde|registre|memorice)|toma( buena)? nota( de)?""",
    "aside": """(de|desde) (aqui|aca|ahora|hoy) en (adelante|mas)|de ahora en adelante|para (siempre|luego|la
            proxima( vez)?|el futuro|mi|despues)|(en|a) {store}|por (ahi|aqui|alla|las dudas|si acaso)|ahi|aca
            esta vez|bien|vale|si|en algun (lado|sitio|lugar)|siempre|a futuro|ya""",
    "filler": """(te|dejo|doy|este|esta|esto|un|una|otro|otra|dato|nota|cosa|algo|va|ahi|aca|aqui|importante
            mas|guarda(te)?|anota(te)?|apunta(te)?|hace|haz|que|es|para|toma|registra|quiero|lo|por favor)""",
    "headed": """({filler} ){0,6}?(para (tu|tus) (memoria|notas|apuntes)|para que (lo |te )?(recuerdes|anotes
            guardes|acuerdes|tengas {in_mind})|(el|este|un) dato( importante)?|te quede (claro|grabado)
            (memoria|nota) de (esto|esta))""",
    "heading": """(a )?(recordar|anotar|apuntar|no olvidar)|(tene|ten|tenga)lo {in_mind}|para (el futuro
            la proxima( vez)?|que (lo sepas|no se te olvide))|nota mental|a futuro
        (anota|apunta|guarda|registra|graba|memoriza|pon|pone|mete|recuerda|recorda)(te|me)? (esto|eso
            lo siguiente)""",
    "in_mind": "(en cuenta|presente|en mente|claro|muy presente)",
    "remembering": """recuerdes|recordes|recuerde|recordar|no olvides
        (te|se) (acuerdes|acordes|acuerde)( siempre)?( de)?
        (anot|apunt|guard|registr|memoriz|memoric)(es|e|ar)
        (tengas|tenga|tener) {in_mind}
        tom(es|e|ar) nota( de)?|sepas|acordarte( de)?|(no )?se te (olvide|pase)( por alto)?|te quede (claro
            grabado)
        (recordar|anotar|apuntar|guardar|registrar)(as|a|ases|ase)
        (pongas|metas|agregues|dejes)(lo)?( esto)? (en|a) {store}|dejes (anotado|apuntado|constancia( de)?)
        {remember}""",
    "remember_rows": """…([,;–—-]+ *|[ ])(y |por favor |porfa |asi que )*(no lo olvides
            (tenelo|tenlo|tengalo) {in_mind}|(anota|apunta|guarda|recuerda|recorda|registra)(te)?lo)
        …[,;–—-]+ *(y |por favor |asi que )*(no lo olvides|que no se te (olvide|pase)|tomalo {in_mind}
            no te olvides|no se te olvide|recuerdalo|recordalo|anotalo|apuntalo|guardalo|registralo
            ten(e)?lo {in_mind}|acordate|acuerdate)( de eso)?""",
    "that": "(de )?que",
    "led": """(soy|tengo|vivo|trabajo|odio|prefiero|no como|me llamo|me gustan?) _
        (mi|nuestr[oa]) _ (es|se|esta|tiene|vive) _""",
    "this": "esto|lo siguiente|eso|una cosa|algo",
    "forget_signs": """olvid borra borre borr elimin quita quites quitar saca saque suprim tacha
        descart limpi recuerd recorda recordes acuerd acordes acordarte guard sepas tengas tener_ tira
        desapare fuera salga se_vaya basura""",
    "forget": """olvida|olviden|olvidemos|olvide(?= (lo|todo|eso) )|deja de (recordar|acordarte
            tener ({in_mind}|guardad[oa]s?|anotad[oa]s?)|guardar)
        (olvidate|olvidese|olvidaos|olvidense|olvidemonos|ve olvidandote
            ya olvidate)( ya| por favor)?(?= (del?|que|ya) )""",
    "forgetting": """{forget}|olvidar(te|se)?|(te |se )?olvid(es|e|eis|en|aras|ases|ara|ase)
        dej(es|ar|aras) de (recordar|acordarte)""",
    "erase": """(borra|borre|borrad|borren|elimina|elimine|quita|quite|saca|saque|suprime|suprima|tacha
            descarta|limpia|tira|descarte)(me|nos|te)?( ya)?""",
    "erasing": """{erase}
        (borr|elimin|quit|sac|suprim|descart)(ar|ir)(me)?
        (borr|elimin|quit|sac|descart)(aras|ases|ara|ase)|(borr|elimin|quit|saqu|suprim|descart)[ea]s?""",
    "own": """mis? (numero|direccion|telefono|cumpleanos|sueldo|salario|peso|edad|contrasena|correo
            apellido|nombre|domicilio)
        (el|la) (numero|direccion|telefono|cumpleanos)""",
    "told": """(todo )?lo (relacionado con|referente al?|que tenga que ver con)
        (todo |cualquier cosa |de )?(lo|eso|aquello|esto) (que( _){1,5}? )?(sobre|acerca del?|del?|con
            respecto al?)
        (todo|todo lo que)( _){0,3}? (sobre|acerca del?|respecto al?)
        (la|las|el|los|mi|mis|toda la|todos los|tu|tus|cualquier)( _)? ((notas?|recuerdos?|apuntes?
            mencion|memorias?)|( que( _){1,3}?)? (sobre|acerca del?|del?|que)|(datos?|informacion
            registros?)( que( _){1,3}?)? (sobre|acerca del?))
        que( te| le)? (dije|conte|comente)( que)?""",
    "told_after": """que( te| me| le)? (dije|conte|di|comente|tienes|tenes|sabes|guardaste|anotaste
            he dicho)( _){0,3}""",
    "memory": """(de|en) (tu|tus|la|su|sus|mi|mis) (memoria|memorias|notas|recuerdos|cabeza|registros?
            apuntes|base de datos|mente|cerebro|archivos|historial|ficha|perfil|datos)
        de (tu|tus) listas?( de _)?
        de (ahi|alli|(todo )?lo que sabes( de mi)?|donde lo _( _)?)""",
    "about": """nada (mas )?(del?|sobre)|del?|que|sobre|acerca del?|a|al|(lo|eso) del?( que)?|el (hecho|tema
            asunto) del?( que)?
        la historia del?( que)?""",
    "nothing": """(eso|esto|todo|ello|el|ella|ellos|ellas|mi|ti|nada|que|algo|aquello|lo|cosas|del?|sobre)
        todo (eso|esto|ello|lo dicho)|lo (que|dicho) .*|lo dicho|(el|ese|este) (asunto|tema)
        (quien|como|donde|cuando|si) .*|[a-z]+[aei]r(l[aeo]s?|[mt]e|se)?( .*)?
        (tus|las|todas las|todas tus)( _)? instrucciones( .*)?""",
    "because": """porque|ya que|puesto que|pues|que ya|que no (l[oa]s?|va|voy|me|se)|y (ya|dime|hablemos
            decime|no)""",
    "forget_rows": """(ya )?no (hace falta|es necesario|necesit(as|o)|tenes|tienes|tiene|quiero|precisas
            hay)( ya| mas)* {hold}( ya| mas)? …
        ya no {hold} …
        no (me )?{hold}( mas| ya) …
        no (guardes|tengas)( mas| ya)? nada (mas )?(de|sobre) …
        ((quiero|quisiera|necesito|me gustaria|te pido|por favor)( que)? )?{told} …(([,;:–—-]+ *(_ ){0,3}?
            [ ]){drop_it}([, ].*)?|,? ((ya )?(l[oa]s? )?{may} (olvid|borr|elimin)ar(l[oa]s?)?|fuera
            a la basura|borrado|eliminado|(que )?{out})( {memory})?( ya)?)
        (ya )?no (me interesa|quiero|necesito|hace falta) que sigas (recordando|guardando
            teniendo( en cuenta)?) …
        (sobre|en cuanto a) …[,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
        (todo )?lo (relacionado con|referente al?|que (sabes|tienes|tenes|te|guardaste
            anotaste)( _){0,4}? (del?|sobre
            acerca del?)) …,? (ya )?(l[oa]s? )?{may} {drop}(l[oa]s?)?( {memory})?( ya)?
        (quiero|quisiera|necesito|me gustaria|te pido)( que)? … ({out}|fuera) {memory}
        que {out} {memory} …
        (que )?(?=(el|la|los|las|lo|mi|mis|nuestr[oa]s?) )… ({out}|fuera) {memory}
        (hace|haz|haga) (que )?(desaparecer|desaparezca|desaparezcan) (… {memory}|{memory} …)
        fuera {memory} …
        (?=(el|la|los|las|lo|mi|mis|nuestr[oa]s?) _)…,? (ya )?no (hace falta|es necesario|necesitas|tienes
            tenes|precisas)( que)?( l[oa]s?| te)* (recuerdes|recordes|recordar|guardes|guardar|tengas|acuerdes
            acordarte)(l[oa]s?)?( mas| de eso| ya| {in_mind}| {memory})*
        (?=(el|la|los|las|lo|mi|mis|nuestr[oa]s?) _)…,? (ya )?no (l[oa]s?|te) (recuerdes|recordes|guardes
            tengas|acuerdes|acordes)( mas| de eso| ya| {in_mind}| {memory})*
        (?=(el|la|los|las|lo|mi|mis|nuestr[oa]s?) _)…,? (ya )?(l[oa]s? )?{may} {drop}(l[oa]s?)? {memory}
        (?=(el|la|los|las|mi|mis|nuestr[oa]s?|tu|tus) _ _).{0,0}…[,;:–—-]+ *(ya )?(olvid
            (puedes|podes|podrias) olvidar)(al[oae]s?|l[oa]s?|ate de (eso|ello|ella|ellos|el))([, ].*)?
        (?=(el|la|los|las|mi|mis|nuestr[oa]s?) _).{0,0}…[,;:–—-]* (borr|elimin|quit)(al|el
            arl)[oa]s? {memory}""",
    "drop_it": """(olvid|borr|elimin|quit|descart|tir|sac|tach|suprim)(al|el|arl|irl)[oa]s?|olvidate
        (a la basura|a?fuera)( con (eso|ello))?|(borra|elimina|saca|olvida|quita) todo""",
    "may": "(puedes|podes|podrias|puede|hay que|tienes que|tenes que|debes|quiero)( ya| por favor)*",
    "drop": "(olvid|borr|elimin|quit|descart|tir|sac|tach)ar|suprimir",
    "out": "(desaparezca|salga|se vaya|se borre|se elimine|quede fuera|vuele|se olvide)n?",
    "hold": """(que )?(lo |la )?(recuerdes|recordes|recordar|recuerde|(te|se) (acuerdes|acordes
            acuerde)( mas)?|acordarte|guardes|guardar|sepas( de)?|conserves|retengas|(tengas
            tener) {in_mind}|tengas)""",
    "off_signs": """entre_ guard anota anote apunt registr grabe grabar escrib recuerd recorda
        recordes memori off_the confianza confidenc secreto rastro muere discre oficial olvid borra borre
        elimin
        quita quite dije dicho
        decir conte conta queda quede ignora ignore descart nota constancia almacen conste figure leiste
        leido oiste escuch contado memoria registro archiv conserv fuera_de sale_ salga palabra modo_ pongas
        ponga metas saca saque llegue lejos_de""",
    "off": """({unsay}( {memory})?|(saca|saque|deja|deje|manten)(me)?(?=.{1,60}? (de
            fuera de) {store})) (de )?(todo )?{gone}
        {gone}[^,:;]{0,30}?[,:;–—. -]+(que )?(_ ){0,4}?({unsay}|{drop_it}|{private}|{not}({not_it} )*{keep}
            no (quede|debe|deberia|tiene|vaya)|(era|es|fue) {private})
        ({that_is} )*{not}({not_it} )*({keep}|{that_is} (lo )?{keep})(( en| a) (tu|tus|la|ningun|ninguna
            ningun) _)? ?({gone}|(?P<gone>lo que( te| le)? (dije|conte|comente|he dicho))|{it})?{stop}
        ({that_is} )?no( _){0,2}? (para|en|a) {store}{stop}
        (apaga|desactiva|pausa|corta) (la|tu) (memoria|grabacion){stop}
        (de (esto|eso) )?(ni una|ninguna|nada de|sin) (notas?|palabra|anotacion(es)?|registro
            constancia)( de (esto|eso|lo que( _){1,4}?))?( (en|a) {store}| a nadie)?{pause}
        (saca|deja|manten|quita|mantene|dejame|mantenme)( {that_is})? fuera de {store}
        (que )?({that_is} )?(fuera|lejos) de {store}
        (que )?({that_is} )?{not}({not_it} )*({that_is} )?(llegue|entre|vaya|pase|termine|acabe|va|entra
            aparece|figura|va a (parar|quedar))( _){0,2}? (en|a) tus? _
        modo (privado|incognito|confidencial|secreto){pause}
        (trata|toma|considera)(lo|la)?( esto| eso)? (como|en)( _)? ?{private}
        (hace|haz|hablemos|charlemos|hablamos|cuento|escucha)(lo|me)?( _)? sin (que )?({keep_too}|{keep})
        nada( de( _){1,6}?)?( se| queda| debe| va a)* {keep_too}
        (nada|sin)( _){0,2}? {keep_too}(lo|la)?( {it})?{stop}
        ({that_is}( _)? )?sin (que )?(registro|notas|apuntes|grabacion|quede)( _){0,3}?{stop}
        {that_is}( _){0,3}? (no|ni|nunca) (lo |se |la )?({keep}|(se )?{keep_too}|debe|deberia
            tiene que)( _){0,3}?{stop}
        (que |esto )*{not}({not_it} )*(quede|quedara|queda|conste|figure|salga|sale
            aparezca)( _){0,3}? (guardad_|registrad_|anotad_|escrit_|grabad_|registro|constancia|de (aqui|aca)
            en (tus|tu|ningun|ninguna) _|nada)
        (que |{that_is} |y que )*(quede|queda|se queda|quedara|muere|dejemos|dejalo|dejemoslo|es
            va)( (?!ning|no )_){0,2}? {private}
        (esto |y |es |solo |todo )*{private}({pause}|(?= te (lo|digo|cuento|confieso) ))
        (te|le|os|lo|voy|quiero|puedo|podemos|podria|tengo|puedes|algo|hablemos|hablamos|hablando|dicho|digo
            dejame
            necesito)( _){0,8}? ({private}{pause}|sin que (lo |la |se )?({keep}
            quede( _){0,2}?{stop}))
        {unsay} (todo )?lo que( te| le)? (voy|vaya|cuente|diga|digo)( _){0,3}?{stop}""",
    "ahead": """(algo|una cosa|un secreto|desahog(arme|o)|confes(arte|ion)|lo que (te |le )?(voy|vaya|viene
            sigue|cuente|diga)|lo siguiente|(a partir )?de ahora|desde ahora)""",
    "store": """(tu|tus|la|las|el|los) (notas?|memoria|apuntes|registros?|archivos?|diario|recuerdos|lista
            cabeza|resumen)""",
    "that_is": """(de )?(esto|eso|esta (parte|charla|conversacion)|este mensaje|nada( de (esto|eso
            lo que( _){1,4}?))?|lo que (sigue|viene|(voy|vaya) a (decir|contar)(te)?|te (cuento|digo
            voy a (decir|contar)|estoy (diciendo|contando)))|todo esto|lo siguiente|esto que te _)""",
    "not": """(ni |no )+se te ocurra[ ]
        (no|ni|tampoco|nunca) ((quiero|hace falta|es necesario|necesito|necesitas|quisiera|me gustaria
            vayas|tenes|tienes) (que |a )?)?
        (prefiero|preferiria|mejor|te pido|le pido|te ruego|quiero|quisiera|procura|intenta|trata
            me gustaria|pido|espero|agradeceria|te agradeceria|ojala)( por favor)?( de)?( que)?( (esto|eso
            lo que( _){1,4}?))? (no|nunca)[ ]
        (evita|deja de)[ ]""",
    "not_it": "(me|lo|la|los|las|te|se|nos|le)",
    "keep": """((guard|anot|apunt|registr|grab|conserv|archiv|almacen|document)(es|e|en|eis|emos|ar|ara
            aras|ado)(lo|la|te|me|se)*|(escrib|inclu[iy])(as|a|an|ir|irlo)|(recuerd|record)(es|e|en|ar
            eis)(lo)?|memori(ces|ce|zar)(lo)?|acuerdes|acordes|retengas|(tomes|tome|tomen|tomar|haga
            hagas) (nota|notas|apuntes)( de)?|(dejes|deje|dejar|quede|hagas) (registro|constancia|nota
            rastro)( de)?|(pongas|metas|agregues|anadas|ponga|poner)(?= (esto |eso )?en (tu|tus|la|ning)))""",
    "keep_too": """(guard|anot|apunt|registr|grab|memoriz|record|conserv|archiv)(a|an|ar|ado|ada|aras|en|e)
        escrib(e|ir)|escrito|tomar nota( de)?|dejar (registro|constancia)( de)?""",
    "it": """(nada( (de|sobre) (esto|eso|lo que( _){1,5}?)|( de lo)? que( _){1,4}?)?|esto|eso|esta (parte
            charla|conversacion|vez)|este mensaje|(de )?lo que (sigue|viene|te|le|voy|estoy|diga|digo
            cuente)( _){0,4}?|lo siguiente|de (esto|eso)|todo esto|lo de ahora|esto que( _){1,4}?
            ni una palabra)""",
    "private": """((solo |aca |aqui |muy )*entre (nosotr[oa]s|nos|tu y yo|vos y yo|usted y yo|l[oa]s dos
            ti y mi)( dos| nomas| y ya)?(?!,? [a-z]+[aei]mos )|off the record|extraoficial(mente)?
            en (la mas _ |total |plena )?(confianza|confidencia
            secreto)|confidencial(mente)?|fuera de (registro|acta|micro
            micros|grabacion)|de (aqui|aca)( no sale)?)""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (por|porfa|en (ningun|ninguna|ningun|tu|tus|la|mi|ninguna)|que
            porque|pero|y|ni|si|vale|dale|eh|ok|nunca|jamas|ya|ahora|me|es|te|lo|sobre|para|nada
            gracias|usted|de momento|hasta|cuando|solo|le)(?![a-z]))""",
    "pause": "(?= *($|[,;:.!?…)–—-])| (por favor|eh|vale|dale|pero|porque|nomas|no mas)(?![a-z]))",
    "gone": """(de )?(todo |eso |esto )?((lo|eso|esto|aquello|algo
            el mensaje)( ultimo| anterior)? (que )?(te |le |os )?(acabo|acabamos|acababa|termino) de (decir
            contar|escribir|comentar|confesar|mandar|enviar|explicar|soltar|poner|mencionar|revelar|compartir
            admitir|preguntar|hablar)(te|le)?|(lo|eso|esto) que( te| le)? (dije|conte|comente|escribi|mande
            confese|puse|solte|hablamos
            he (dicho|contado|escrito))( sobre( _){1,3}?| del?( _){1,3}?)? {before}
            (la|esta|nuestra) (ultima )?(conversacion|charla)( de)? (hasta (ahora|aca|aqui)|antes|recien|hoy
            anterior)|(la|nuestra|mi) ultima (charla|conversacion)|todo lo (anterior|de antes|de arriba
            (que )?(hablamos|dije|te dije|dicho|hablado|hemos hablado|he dicho) (hasta (ahora|aca|aqui)|antes
            recien))|(lo|esto|eso) (ultimo|anterior|de (antes|recien
            hace (un|unos|poco)))( rato| momento| minutos?| que( te)? (dije|conte|escribi|he dicho|mande))*
            (mi|mis|el|los|ese|este|esos)( dos| tres)? (ultim|anterior|previ)(o|os|es)? (mensajes?
            comentarios?|cosas?|textos?)|(mi|el|ese) mensaje (anterior|de antes|previo|de recien)
            (la|mi|esa) (ultima|anterior) (cosa|frase|confesion|parte)( que _ _)?)""",
    "before": """(recien|reciencito|antes|hace (un|unos|dos|poco
            nada)( rato| momento| minutos| instante| segundos?| ratito)?|ahora|ahora mismo|arriba|en (el
            mi) (ultimo|anterior) mensaje|al (principio|final)|justo)""",
    "unsay": """(no (lo )?(tengas|tenga) en cuenta|olvid(a|e|emos|ar|es|ate|ese|arte)|borr(a|e|ar|es|ame)
            elimin(a|e|ar|es)|quit(a|e|ar|es)|ignor(a|e|ar|es)|descart(a|e|ar|es)|descarte|suprim(e|ir)
            (te |se )olvid(es|e)|tacha|deshace|anula)""",
    "tell_signs": """dime dinos decime decinos contame cuentame digame repeti decirme contarme
        record recuerda acordar""",
    "tell": """(({polite}) )?((di|deci|conta|cuenta|diga|repeti|repite)(me|nos)|(decir|contar
            repetir)me)( otra vez| de nuevo| por favor)?,? ({asked}|que|(de |sobre |acerca de )?(mis?
            nuestr[oa]s?)|lo que|todo lo que|(el|la|los|las) {datum})
        (({polite}) )?((recorda|recuerda)(me|nos)|recordarme|(hace
            haz)me acordar)( otra vez| de nuevo| por favor)?,? ({asked}|que {datum}|(de |sobre )?(mis?
            nuestr[oa]s?) _|(el|la|los|las) {datum})""",
    "asked": """quien(es)?|cual(es)?|cuando|cuant[oa]s?|a?donde|como|por que
        (a|en|de|con|desde) (que|quien|cual)|si""",
    "datum": """(nombre|fecha|dia|direccion|numero|telefono|codigo|precio|titulo|hora|edad|talla|medico
            lugar)s?""",
    "behave": "deja|no|nunca|siempre|se|habla|escribi|escribe|responde|contesta|usa|evita|trata",
}
