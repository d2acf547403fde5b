"""German: the common words."""

from almario.language import Language, words

_TIMES = {
    "months": """januar jänner; februar; märz maerz; april; mai; juni; juli; august; september; oktober;
        november; dezember""",
    "short_months": "jan; feb; mär; apr; ; jun; jul; aug; sep sept; okt; nov; dez",
    "weekdays": "montag; dienstag; mittwoch; donnerstag; freitag; samstag sonnabend; sonntag",
    "seasons": "frühling frühjahr; sommer; herbst; winter",
    "numbers": """1 ein eine einem einer einen; 2 zwei paar ein_paar; 3 drei einige einigen wenigen; 4
        vier mehreren; 5 fünf; 6 sechs; 7 sieben; 8 acht; 9 neun; 10 zehn; 11 elf; 12 zwölf; 14
        vierzehn; 20 zwanzig""",
    "ordinals": """erste ersten erster; zweite zweiten; dritte dritten; vierte vierten; fünfte""",
    "units": """day tag; days tage tagen; week woche; weeks wochen; weekend wochenende; weekends
        wochenenden; month monat; months monate monaten monats; year jahr jahres; years jahre jahren""",
    "relative": """day-2 vorgestern; day-1 gestern; day+0 heute; day+1 morgen; day+2 übermorgen""",
    "holidays": """12-24..12-26 weihnachten; 12-24..12-24 heiligabend heilig_abend; 12-31..12-31 silvester;
        01-01..01-01 neujahr; easter-2..easter+1 ostern; easter-7..easter karwoche;
        easter-2..easter-2 karfreitag""",
    "the": "der die das den dem des",
    "on": "am",
    "of": "des von vom",
    "for": "für",
    "in": "im in während",
    "since": "seit ab",
    "until": "bis bis_zum bis_zur",
    "before": "vor",
    "after": "nach",
    "around": "um gegen",
    "about": "etwa ungefähr circa rund fast",
    "between": "zwischen",
    "from": "von vom",
    "to": "bis bis_zum bis_zur zum",
    "and": "und oder",
    "last": """letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vergangener vorige
        vorigen voriges voriger""",
    "this": "diese diesen dieser dieses diesem",
    "next": """nächste nächsten nächster nächstes nächstem kommende kommenden kommendes kommender""",
    "ago": "vor",
    "ahead": "in",
    "early": "anfang",
    "mid": "mitte",
    "late": "ende",
    "part": "morgen abend nachmittag vormittag nacht früh mittag",
    "every": "jeden jede jedes jeder",
    "street": "straße strasse platz allee zimmer raum",
    "things": "euro euros dollar leute personen mal seiten kilo meter kilometer prozent uhr",
    "future": "werde wirst wird werden werdet nächste nächsten nächster nächstes kommende kommenden",
    "plans": "erinnere erinner muss müssen termin habe_ich_einen",
    "past": """war waren hatte hatten habe hast hat haben gestern ging kam sagte wurde wurden gab bin
        sind""",
    "future_ends": "",
    "begins": "beginnt beginne startet fängt steigt sinkt wechselt wird_zu",
    "past_ends": "te ten",
}
LANGUAGE = Language(
    code="de",
    name="german",
    asking=words("was wer wen wem wessen welche welcher welches welchen wie wo wohin woher wann warum wieso"),
    happening=words(
        """gemacht machen machten tun getan tat passiert passierte geschah geschehen los war waren gewesen
        gegeben gab habe hast hat haben"""
    ),
    opening=words("wer wen wem wessen welche welcher welches wieviel"),
    former=words("fruher vorher ehemalige damals vorige"),
    amounts=words(
        "wieviel wie_viel wie_viele wie_alt wie_lange wann welches_datum uhr_zeit datum preis nummer"
    ),
    going_on=words("weil denn aber und außerdem ausserdem auch"),
    times=_TIMES,
    figures=words(
        """zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert
        tausend million millionen halb halbe"""
    ),
    capitals=True,
)
