"""Italian: the common words."""

from almario.language import Language, words

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
    "units": """day giorno; days giorni; week settimana; weeks settimane;
        weekend fine_settimana weekend week_end; weekends weekends; month mese; months mesi; year anno;
        years anni""",
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
    "begins": "inizia inizierà comincia comincerà passa_a passerà_a sale_a aumenta diventa",
    "past_ends": "ava avano eva evano arono irono",
}
LANGUAGE = Language(
    code="it",
    name="italian",
    asking=words("che cosa chi quale quali qual come dove quando quanto quanta quanti quante perche"),
    happening=words(
        """fatto fare facevo facevamo feci fece successo succede accaduto accade avvenuto stato stata stati
        ho hai ha abbiamo hanno era cosa cose"""
    ),
    opening=words("chi quale quali quanto quanta quanti quante perché"),
    former=words("prima precedente ex vecchio vecchia"),
    amounts=words("quanto quanta quanti quante quando che_ora che_giorno data prezzo numero"),
    going_on=words("è_che perché perche ma e anche allora quindi lei lui"),
    times=_TIMES,
    figures=words(
        """tre quattro cinque sette otto dieci undici dodici quindici venti trenta quaranta cinquanta cento
        mille milione milioni mezzo metà"""
    ),
    bare_weekdays=True,
)
