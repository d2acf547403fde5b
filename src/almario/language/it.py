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
    "articles": """
        il lo la i gli le l' un uno una un' mio mia miei mie nostro nostra nostri nostre tuo tua tuoi tue
        suo sua suoi sue questo questa quel quella
    """,
    "joins": "e ed ma",
    "but": "ma pero",
    "saying": """
        disse dice dicono scrisse scritto chiese gridato rispose canzone frase cartello
    """,
    "lead": """
        per favore; per piacere; ciao; ok; beh; ah; senti; guarda; e; ma; anche; adesso; ora; allora; si;
        grazie; a proposito; d'ora in poi
    """,
    "tail": "per favore; per piacere; grazie; ok; va bene",
    "never": "ricorda che ti; ricordati che ti",
    "remember": """
        ricorda che …; ricordati che …; ricordati di questo: …; ricorda: …; si ricordi che …; non
        dimenticare che …; non dimenticarti che …; non dimenticarti di questo: …; non dimentichi che …;
        non scordarti che …; tieni a mente che …; tieni presente che …; tieni conto che …; tenga presente
        che …; annota che …; annota: …; annotati che …; prendi nota che …; prendi nota: …; segna che …;
        segnati che …; segnati: …; voglio che ti ricordi che …; vorrei che ti ricordassi che …
    """,
    "remember_asked": """
        puoi ricordarti che …; potresti ricordarti che …; puoi ricordare che …; puoi annotare che …;
        potresti annotare che …; puoi segnarti che …
    """,
    "forget": """
        dimentica che io…; dimentica che ho…; dimentica che sono…; dimentica il mio…; dimentica la mia…;
        dimentica i miei…; dimentica le mie…; dimentica quello che ti ho detto su …; dimentica quello che
        ti ho detto di …; dimentica quello che ho detto su …; dimentica cio che ti ho detto su …;
        dimentica tutto quello che ti ho detto su …; dimentica tutto su …; dimenticati del mio…;
        dimenticati della mia…; cancella quello che ti ho detto su …; cancella tutto quello che sai su …;
        voglio che dimentichi il mio…; voglio che dimentichi la mia…; cancella … dalla tua memoria;
        cancella … dalle tue note; elimina … dalla tua memoria; elimina … dalle tue note; rimuovi … dalla
        tua memoria; rimuovi … dalle tue note; togli … dalla tua memoria; togli … dalle tue note
    """,
    "forget_asked": """
        puoi dimenticare quello che ti ho detto su …; potresti dimenticare quello che ti ho detto su …;
        puoi dimenticare il mio…; puoi dimenticare la mia…
    """,
    "off": """
        tra noi; tra me e te; tra te e me; detto tra noi; resti tra noi; resta tra noi; questo resta tra
        noi; che resti tra noi; off the record; non scriverlo; non annotarlo; non annotare questo; non
        segnarlo; non salvarlo; non salvare questo; non memorizzarlo; non memorizzare questo; in
        confidenza
    """,
    "previous": """
        dimentica quello che ho appena detto; dimentica quello che ti ho appena detto; dimentica cio che
        ho appena detto; dimentica il mio ultimo messaggio; cancella quello che ho appena detto; cancella
        quello che ti ho appena detto; cancella il mio ultimo messaggio; non salvare quello che ho appena
        detto; non annotare quello che ho appena detto
    """,
    "tell": """
        dimmi quando; dimmi dove; dimmi chi; dimmi cosa; dimmi come; dimmi qual; dimmi quale; dimmi
        quanto; ricordami quando; ricordami dove; ricordami chi; ricordami cosa; ricordami come; ricordami
        qual; dimmi il; dimmi la; ricordami il nome; ricordami il numero
    """,
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
