"""Italian: the common words."""

from almario.language import Language

_TIMES = {
    "months": """gennaio; febbraio; marzo; aprile; maggio; giugno; luglio; agosto; settembre; ottobre;
        novembre; dicembre""",
    "short_months": "gen; feb; mar; apr; mag; giu; lug; ago; ; ott; nov; dic",
    "weekdays": "lunedì; martedì; mercoledì; giovedì; venerdì; sabato; domenica",
    "seasons": "primavera; estate; autunno; inverno",
    "numbers": """1 un uno una; 2 due paio_di un_paio_di; 3 tre alcuni alcune qualche pochi; 4 quattro
        diversi; 5 cinque; 6 sei; 7 sette; 8 otto; 9 nove; 10 dieci; 11 undici; 12 dodici; 15 quindici;
        20 venti""",
    "ordinals": "primo prima; secondo seconda; terzo terza; quarto quarta; quinto quinta",
    "units": """day giorno; days giorni; week settimana; weeks settimane; weekend fine_settimana weekend
        week_end; weekends weekends; month mese; months mesi; year anno; years anni""",
    "relative": """day-2 l_altro_ieri altro_ieri avantieri; day-1 ieri; day+0 oggi stamattina stasera
        stanotte questa_mattina questa_sera questo_pomeriggio; day+1 domani; day+2 dopodomani""",
    "holidays": """12-24..12-26 natale; 12-24..12-24 vigilia_di_natale; 12-31..12-31 san_silvestro;
        01-01..01-01 capodanno; 01-06..01-06 epifania befana; easter-2..easter+1 pasqua;
        easter-7..easter settimana_santa; 08-15..08-15 ferragosto; easter+1..easter+1 pasquetta""",
    "the": "il la lo l gli le i",
    "on": "il del al dal lo la",
    "of": "di del dell d della dello",
    "for": "per",
    "names": "natale pasqua aprile",
    "in": "in a ad nel nell durante",
    "since": "da dal dall dalla",
    "until": "fino",
    "before": "prima",
    "after": "dopo",
    "around": "verso intorno",
    "about": "circa quasi",
    "between": "tra fra",
    "from": "da dal dall",
    "to": "a al ad",
    "and": "e o",
    "last": "scorso scorsa scorsi scorse ultimo ultima ultimi ultime passato passata",
    "last_after": "scorso scorsa scorsi scorse passato passata",
    "this": "questo questa quest",
    "next": "prossimo prossima prossimi prossime",
    "next_after": "prossimo prossima che_viene",
    "back": "fa",
    "ahead": "tra fra",
    "early": "inizio inizi",
    "mid": "metà",
    "late": "fine",
    "part": "mattina mattino sera notte pomeriggio",
    "every": "ogni tutti_i tutte_le",
    "decade_sign": "anni gli_anni",
    "street": "via viale piazza corso sala stanza",
    "things": "euro dollari persone volte pagine chili metri chilometri",
    "future": "vado andiamo andremo prossimo prossima domani",
    "plans": "ricordami devo dobbiamo appuntamento",
    "past": "ho hai abbiamo hanno ha era erano ero ieri siamo sono stato stata fatto",
    "future_ends": "erò irò arò eremo iremo erà irà eranno iranno",
    "yearly": "compleanno anniversario",
    "begins": "inizia inizierà comincia comincerà passa_a passerà_a sale_a aumenta diventa",
    "past_ends": "ava avano eva evano arono irono",
}
_ORDERS = {
    "short": "sig sigra dott prof ing avv dr ssa tel pag ecc",
    "joins": "(?<!non[ ])e|ed|ma|pero|quindi|percio",
    "lead": """per favore|per piacere|perfavore|ti prego|ciao|ehi|senti|senta|ascolta|bene|va bene|ok|oh
        ah|eh|e|ed|anche|poi|allora|ma|adesso|ora|grazie|scusa|scusami|guarda|no(?=[,.!])|si|certo
        a proposito|in realta|anzi|sai che c'e|prima|solo|aspetta|ho cambiato idea|importante
        un'altra cosa|mi raccomando|sempre|comunque|dai|ecco|tu(?= (annota|segna|ricordati|scrivi|tieni))
        percio|quindi|d'ora in (poi|avanti)|da (ora|adesso)( in poi)?""",
    "thanks": "per favore|per piacere|perfavore|grazie( mille)?|ti prego",
    "tail": """ok|va bene|dai|si|adesso|ora|per ora|per sempre|del tutto|completamente|se puoi|anche
        subito|pure""",
    "polite": """(puoi|potresti|puo|potrebbe|potete|devi|dovresti)( per favore| pure| ora)*
        (voglio|vorrei|preferirei|preferisco|ti chiedo|ho bisogno|mi piacerebbe|gradirei)( di)?( che)?( tu)?
        sarebbe (bello|meglio|utile) (se|che)( tu)?|fammi il (favore|piacere) (di|e)
        ti dispiace|ti dispiacerebbe|ti prego di|cerca di|per favore|e meglio che tu""",
    "articles": """il lo la i gli le l' un uno una un' mio mia miei mie nostro nostra nostri nostre tuo
        tua tuoi tue suo sua suoi sue questo questa quel quella""",
    "saying": """(ha|hanno|aveva) (detto|scritto|chiesto|risposto|gridato)
        disse|dice|dicono|diceva|dicendo|canzone|cartello|proverbio|m'ha detto""",
    "chat": """non nn; per_favore x_favore xfavore pfv perfav; perche xche xke perke; questo qsto; comunque
        cmq; ricorda rikorda ricrda; ricordati rikordati; dimentica dimetica""",
    "slips": """ricorda ricordati dimentica dimenticare cancella elimina presente memoria
        registra memorizza messaggio confidenza""",
    "remember_signs": """ricord dimentic scord presente a_mente in_mente nota annot segna memorizz
        conto appunta salva_ registra sappi considerazione metti futuro prossima aggiungi""",
    "remember": """ricord(a|ati|atevi|i|arti|iamoci)( bene| sempre)?( di| del fatto)?
        (si )?ricordi
        non (ti )?(dimenticare|scordare|dimenticarti|scordarti)( mai)?( del fatto)?
        non dimentichi
        (tieni|tenga|tenete) {in_mind}( del fatto)?
        prendi nota( del fatto)?|prenda nota
        (annota|annotati|segna|segnati|appunta|appuntati|memorizza|salva|registra)( bene| qui)*
        sappi|nota bene|che non ti sfugga|fai in modo di ricordare
        (metti|scrivi|aggiungi|tieni)(lo|ti)?( questo)? (nelle|nella|nei|alle|alla|in) {store}
        (fatti|prendi|prenditi) (una nota|un appunto)|per tua informazione|affinche tu (lo )?sappia""",
    "store": "(tue |tua |tuoi )?(note|memoria|appunti|ricordi|lista|diario|mente|archivio)",
    "aside": """per (me|dopo|sempre|il futuro|la prossima( volta)?)|d'ora in (poi|avanti)|da ora in poi
        da qualche|parte|stavolta|questa volta|bene|nelle {store}|una volta per tutte|va bene|ok|sempre""",
    "filler": """(ti|do|lascio|una?|altra|altro|cosa|nota|dato|questo|questa|ecco|qui|importante|segna(ti)?
            annota|tieni|salva)""",
    "headed": """({filler} ){0,6}?(per (la tua memoria|le tue note|i tuoi appunti)
            perche tu (lo )?(ricordi|sappia)|questo dato)""",
    "heading": """per (il futuro|la prossima( volta)?)|da (ricordare|annotare|segnare)|nota mentale
        (annota|segna|segnati|scrivi|salva|ricorda|ricordati|memorizza|tieni) (questo|cio|quanto segue)""",
    "in_mind": "(presente|a mente|in mente|conto|in considerazione|bene a mente)",
    "remembering": """ricord(arti|are|assi|i)|ti ricordi|ti ricordassi|non dimenticare
        (annot|segn|memorizz|salv|registr)(are|i|arti)
        (tenere|tenga|tieni|tenessi) {in_mind}
        prendere nota|sappia|{remember}""",
    "remember_rows": """…[,;–—-]+ *(e )?(non (lo )?dimenticar(e|lo|telo)|ricordatelo|ricordalo|annotalo
            segnatelo|segnalo|tienilo {in_mind}|tienine conto|non scordarlo|non scordartelo)""",
    "that": "(che|que|k)",
    "led": """(sono|ho|vivo|abito|lavoro|odio|preferisco|mi chiamo|non mangio) _
        (mio|mia|il mio|la mia) _ (e|si|ha|abita) _""",
    "this": "questo|quanto segue|una cosa|cio|bene questo",
    "forget_signs": """dimentic scord cancell elimin rimuov togli tolga ricord saper sappia tenere
        tenga lascia_perdere butta depenna sparire spari via_ fuori""",
    "forget": """(dimentica|dimentichi|dimenticati|dimenticatevi|dimenticate|scorda|scordati|scordi
            dimentichiamo|dimentichiamoci|lascia perdere(?= (quello|cio|la storia|la faccenda) )
            smetti di ricordare)( pure| pero)?""",
    "forgetting": "{forget}|dimentic(are|arti|assi|hi)|scord(are|arti)|tu dimentichi",
    "erase": "(cancella|cancelli|elimina|elimini|rimuovi|rimuova|togli|tolga|butta|depenna)(mi)?( pure)?",
    "erasing": "{erase}|(cancell|elimin)(are|assi)|rimuovere|togliere|cancelli",
    "own": """(il (mio )?|la (mia )?|l.)(numero|indirizzo|telefono|compleanno|stipendio|peso|eta|password
            email|cognome|nome)""",
    "told": """(tutto )?(quello|cio|quanto) (che )?( ?_){1,5}? (su|sul|sullo|sulla|sui|sugli|sulle|sull'
            di|del|della|dei|riguardo a|riguardo al|a proposito di|circa|con)
        tutto (su|sul|sulla|sui|quello su|cio che riguarda)
        (la|le|il|i|gli|l'|tutti i|tutte le|ogni)( ?_)? ?(nota|note|informazioni?|ricord[oi]|dat[oi]
            memori[ae]|appunt[oi]|menzioni?|storia|faccenda|cosa|fatto)( che( _){1,3}?)? (su|sul|sulla|sui
            d(i|el|ell[aoe']|ei|egli)|che|riguardo a)
        che ti ho (detto|raccontato|parlato)( che| di| del)?""",
    "told_after": "che (ti ho|mi hai|hai|sai|conosci)( _){0,3}",
    "memory": """(dalla|dai|dalle|dal|nella|nelle|della|dei) (tua |tuoi |tue |mia |tuo |sua |suoi )?(memoria
            note|ricordi|testa|registr[oi]|mente|database|appunti|archivio|dati|profilo|cronologia|file)
        da (quello|cio) che sai( di me)?|da li""",
    "about": """di|del|dello|della|dei|degli|delle|dell'|che|su|sul|sulla|sui|il fatto (che|di)
        la (storia|faccenda) d(i|el|ell[aoe']|ei|egli)( che)?
        tutto""",
    "nothing": """(questo|quello|quella|cio|tutto|lui|lei|loro|me|te|niente|nulla|che|lo|la|ci
            tutto (questo|quanto|cio)|cose|le cose)
        (tutto )?(quello|cio|quanto) (che|detto|ho|ti|abbiamo).*
        (chi|come|dove|quando|se|perche) .*|(di )?[a-z]+[aei]r(e|l[aoie]|ti|mi|si)( .*)?
        (le|tutte le|le tue)( _)? istruzioni( .*)?""",
    "because": "perche|dato che|visto che|siccome|e (dimmi|parliamo|passiamo)",
    "forget_rows": """non (c'e|hai|serve|occorre|devi|e)( piu)?( bisogno| necessario| necessita)?( di)?( \
            che)?( tu)?( piu)? {hold} …
        non {hold} piu …
        non (voglio|ho) (piu )?(bisogno )?che (tu )?{hold} …
        ((voglio|vorrei)( che)? )?{told} …([,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?|,? ({may} {drop}|via|fuori
            nel cestino|sparisca|sia (cancellat|eliminat|rimoss)[oaie])( {memory})?)
        (voglio|vorrei)( che)? … (sparisca|esca|sia (cancellat|eliminat|rimoss)[oaie]|via) {memory}
        via {memory} …
        che (sparisca {memory} …|… (sparisca|esca) {memory})
        (fai|fa'|fa) sparire (… {memory}|{memory} …)
        lascia perdere …[,;–—-]+ *(_ ){0,5}?({memory}|non serve (piu )?ricordar)([, ].*)?
        (?=(il|lo|la|i|gli|le|l'|mio|mia) ?_)…,? {may} {drop} {memory}
        (?=(il|lo|la|i|gli|le|l'|mio|mia) ?_)…,? non (serve|devi|hai|occorre
            c'e)( piu)?( bisogno)?( di| che)?( tu)?
            (ricordar|tener|memorizzar)(l[oaie]|tel[oaie]|ti)( a mente)?( piu)?
        (su|riguardo a|quanto a) …[,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
        (?=(il|lo|la|i|gli|le|l'|mio|mia) ?_ _)…[,;:–—-]+ *(dimentical[oaie]|scordal[oaie]|scordatel[oaie]
            puoi (dimenticar|scordar)(l|tel)[oaie])([, ].*)?""",
    "drop_it": "(dimentica|cancella|elimina|scorda)(te)?(l[oaie])?|puoi (dimenticar|cancellar)l[oaie]",
    "may": "(puoi|potresti|puo|possono|deve|devono|devi)( pure| ora| anche)*",
    "drop": """((cancellar|dimenticar|eliminar|toglier|buttar|rimuover|scordar)(e|l[oaie])( via)?|sparire
            andare via|uscire|essere (cancellat|eliminat|rimoss)[oaie])""",
    "hold": """(ti )?(ricord(are|arti|i|arsi)|tener(e)?( a mente| conto)?|tenga|tieni|sapere|sappia
            conservare|memorizzare)( a mente| conto| piu)*( di| del| della| dei)?""",
    "off_signs": """tra_noi fra_noi tra_me fra_me tra_di fra_di annot segna segni scriv scritt letto salv
        memorizz ricord registr tenere tener traccia nota note_ confidenz segreto verbale dimentic cancell
        detto appunt per_te onda elimin conserv ufficios sentito da_qui fuori_d parola modalita messaggi""",
    "off": """{unsay} (tutto )?{gone}
        {gone}[^,:;]{0,30}?[,:;–—. -]+(_ ){0,4}?({unsay}|{drop_it}|{private}|non (lo )?{keep}
            non (deve|va|andrebbe|resti))
        (lascia|togli|tieni|leva|rimuovi|cancella) {gone} (fuori )?(dalla|dai|dalle|dal) {store}
        (lascia|tieni|tenga)(lo)?( {that_is})? fuori (dalla|dai|dalle|dal) {store}
        (nemmeno |neanche )?(una|niente|nulla) ?(parola)?( di (questo|cio))?( _){0,2}? (nelle|nella|nei
            in) {store}
        modalita (privata|incognito|confidenziale){pause}
        ({that_is} )*{not}{keep}( traccia| nota)?( (nelle|nella|nei|in|da) (tue |tua |tuoi )?_)? ?({gone}
            (?P<gone>(di )?(quello|cio) che (ti )?ho detto)|{it})?{stop}
        {that_is}( _){0,3}? non (lo |si |ti |va |deve |devi |voglio che )*(essere )?({keep}|{kept})
        ({that_is} )?non( _){0,3}? (per (le|la|i)|nelle|nella|nei|alle) (tue|tua|tuoi|tue) (note|memoria
            appunti|ricordi)
        (nessuna|niente|senza) (nota|note|traccia|registrazione|appunti|{keep})( di questo)?{stop}
        (che )?(niente|nulla)( di (questo|cio))?( _){0,3}? ({kept})
        che (questo |non )?(esca|rimanga|resti)( _){0,3}? (qui|{private})
        non (deve )?(esca|uscire|esce) da qui
        (che |{that_is} |e )*(deve |dovra )?(resti|resta|rimanga|rimane|rimarra|restera|restare|rimanere
            tieni(lo|amolo)?|teniamo(lo)?|lasciamo(lo)?|sia)( questo| questa cosa)?( _){0,2}? {private}
        (questo |e |sia |solo |tutto |detto |sia detto |che |parlando |qui |strettamente )*{private}{pause}
        (qui |detto |solo ){private}
        (te|ti|vi|lo|posso|voglio|vorrei|devo|dico)( _){0,8}? ({private}{pause}|senza (che tu )?(lo )?{keep})
        {unsay} (tutto )?(quello|cio) che (sto|ti sto|ti diro|diro|ti dico)( _){0,3}?{stop}""",
    "that_is": """(questo|questa (cosa|parte|conversazione)|cio|quanto segue|quello che (segue|ti dico
            sto per dir(e|ti)|ti sto dicendo)|niente di questo|tutto questo|questo messaggio)""",
    "not": """(non|ne|mai|nemmeno) (lo |la |te lo |ti |me lo |ne |voglio che |vorrei che |serve che |c'e \
            bisogno (che |di )|hai bisogno di |occorre |serve |devi |tu )*
        (preferisco|preferirei|vorrei|ti prego|meglio|ti chiedo|cerca|evita|spero
            gradirei)( di| che)*( tu| questo)? (non (lo |la |ti )?)?
        (puoi|potresti) (non|evitare di)[ ]""",
    "keep": """((annot|segn|salv|memorizz|registr|ricord|conserv|archivi|appunt)(are|arlo|arla|arti|artelo
            i|assi|arne|a|ino|ate)|scriv(ere|erlo|erla|erti|a|i|essi)|(tenere|tenerne|tenga|tieni|tenessi
            prendere|prenderne|prenda|prendi|lasciare|lasciarne) (traccia|nota|note|memoria|appunti
            un appunto|conto)( di)?|(mettere|metterlo)(?= (questo )?(nelle|nella|nei|in) ))""",
    "kept": "(annotat|salvat|scritt|memorizzat|registrat|ricordat|segnat|conservat|tenut)[oaie]",
    "it": """((di )?(questo|questa (cosa|parte|conversazione|storia)|cio|questo messaggio)|(niente
            nulla)( di (questo|cio|quello che( _){1,5}?))?|(di )?(quello|cio|quanto) (che )?(sto|ti sto
            segue|diro|ti diro|ti dico)( _){0,4}?|da nessuna parte)""",
    "private": """((solo |qui |strettamente )*(tra|fra) (noi( due)?|me e te|te e me|di noi|io e te)
            off the record|in (via )?(confidenza|segreto|privato|via confidenziale)|confidenziale
            confidenzialmente|(un|il nostro) segreto|segreto|fuori (verbale|onda|registrazione)
            a microfoni spenti|per te|ufficiosamente)""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (per|da nessuna|in nessun_|nelle|nei|nella|che|perche|ma|e|se|ok
            mai|grazie|su|quando|ti|e un|e una|solo|mi|adesso|ora)(?![a-z]))""",
    "pause": "(?= *($|[,;:.!?…)–—-])| (per favore|ok|ma|perche|eh)(?![a-z]))",
    "gone": """((tutto |di )?(quello|cio|quanto)( che)? (ti |vi )?(ho|abbiamo|ho giusto) appena (detto
            raccontato|scritto|confidato|mandato|confessato)( _)?|(di )?(quello|cio) che (ti )?ho (detto
            raccontato|scritto)( su( _){1,3}?)? {before}|(il|la|le|i|gli|quel|quell'|l'|questo
            quest')( mio| mia| miei)?( ?ultim_| precedent_)( mio| due| tre)? (messaggi[o]?|cos[ae]|scambio
            conversazione|parol[ae]
            fras[ei]|comment[oi]|confidenza|parte|punto)( che _ _)?|(il )?(mio )?messaggio (precedente
            di prima)|(quello|cio) di (prima|poco fa)|la conversazione (fin qui|di prima))""",
    "before": """(prima|poco fa|adesso|ora|un attimo fa|(un|due|pochi) _ fa|appena|proprio ora|sopra
            nell'ultimo messaggio|per ultim_|in precedenza)""",
    "unsay": """(dimentic(a|hi|are|arti|ati)|cancell(a|i|are)|elimin(a|i|are)|ignor(a|i|are)|scord(a|ati
            are)|rimuov(i|ere)|togli|lascia perdere)( pure)?""",
    "ahead": "(qualcosa|una cosa|un segreto|(quello|cio) che (ti|sto|segue)|quanto segue)",
    "tell_signs": "dim racconta ridimmi dirmi ricorda",
    "tell": """(({polite}) )?(dim+i|raccontami|ridimmi|dirmi|raccontarmi)( di nuovo| ancora)?,? ({asked}
            che|tutto quello|{mine}|(il|la|l'|lo) ?{datum})
        (({polite}) )?(ricordami|ricordarmi)( di nuovo| ancora)?,? ({asked}|che {datum}|{mine}|(il|la|l'
            lo) ?{datum})""",
    "asked": "chi|qual[ei]?|quando|quant[oaie]|dove|come|cosa|perche|se|a che ora",
    "datum": "(nome|data|giorno|indirizzo|numero|codice|prezzo|titolo|ora|eta)",
    "mine": "((d(i|el|ella|ei) )?(il |la |i |le )?(mi[oae]|miei))",
    "behave": "smetti|smettila|non|mai|sempre|sii|parla|scrivi|rispondi|usa|evita",
}
LANGUAGE = Language(
    code="it",
    name="italian",
    asking="che cosa chi quale quali qual come dove quando quanto quanta quanti quante perche",
    happening="""fatto fare facevo facevamo feci fece successo succede accaduto accade avvenuto stato
        stata stati ho hai ha abbiamo hanno era cosa cose""",
    opening="chi quale quali quanto quanta quanti quante perché",
    former="prima precedente ex vecchio vecchia",
    amounts="quanto quanta quanti quante quando che_ora che_giorno data prezzo numero",
    times=_TIMES,
    orders=_ORDERS,
    anew="ora adesso nuovo nuova",
    negations="non mai niente nulla nessun nessuno nessuna",
    without="senza",
    turning=r"meno dimentic\w+",
    clauses="ma",
    i_am="sono",
    oneself="io mio miei noi nostro nostra nostri nostre",
    figures="""tre quattro cinque sette otto dieci undici dodici quindici venti trenta quaranta cinquanta
        cento mille milione milioni mezzo metà""",
    bare_weekdays=True,
)
