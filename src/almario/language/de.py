"""German: the common words."""

from almario.language import Language

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
    "onwards": "ab",
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
    "past": "war waren hatte hatten habe hast hat haben gestern ging kam sagte wurde wurden gab bin sind",
    "yearly": "geburtstag",
    "begins": "beginnt beginne startet fängt steigt sinkt wechselt wird_zu",
    "past_ends": "te ten",
}
_ORDERS = {
    "articles": """
        der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner meines
        unser unsere unseren unserem unserer dein deine deinen deinem deiner sein seine seinen ihr ihre
        ihren
    """,
    "joins": "und aber",
    "but": "aber",
    "saying": "sagte sagt sagten erzahlte schrieb fragte rief antwortete meinte lied schild spruch",
    "lead": """
        bitte; hallo; hey; ok; okay; also; ach; na; und; aber; auch; jetzt; ja; nein; danke; ubrigens; ab
        jetzt
    """,
    "tail": "bitte; danke; ok; okay; ja",
    "remember": """
        merk dir, dass …; merk dir dass …; merke dir, dass …; merk dir: …; merke dir: …; merk dir bitte,
        dass …; merken sie sich, dass …; merken sie sich bitte, dass …; vergiss nicht, dass …; vergiss
        bitte nicht, dass …; vergiss nicht dass …; vergessen sie nicht, dass …; denk daran, dass …; denk
        dran, dass …; denk daran dass …; denke daran, dass …; behalte im kopf, dass …; behalt im kopf,
        dass …; erinnere dich daran, dass …; notiere, dass …; notier dir, dass …; notiere dir, dass …;
        notier: …; notiere: …; schreib dir auf, dass …; schreib auf, dass …; schreib auf: …; ich mochte,
        dass du dir merkst, dass …; ich will, dass du dir merkst, dass …
    """,
    "remember_asked": """
        kannst du dir merken, dass …; kannst du dir bitte merken, dass …; konntest du dir merken, dass …;
        kannst du dir notieren, dass …; konntest du dir notieren, dass …; kannst du notieren, dass …
    """,
    "forget": """
        vergiss, dass ich…; vergiss, dass mein…; vergiss, dass meine…; vergiss mein…; vergiss meine…;
        vergiss meinen…; vergiss alles uber …; vergiss, was ich dir uber … gesagt habe; vergiss, was ich
        dir uber … erzahlt habe; vergiss, was ich uber … gesagt habe; vergiss alles, was ich dir uber …
        gesagt habe; vergiss alles, was ich dir uber … erzahlt habe; losche alles, was du uber … weisst;
        losch alles, was du uber … weisst; losche … aus deinem gedachtnis; losche … aus deinen notizen;
        losch … aus deinem gedachtnis; losch … aus deinen notizen; entferne … aus deinem gedachtnis;
        entferne … aus deinen notizen; streich … aus deinem gedachtnis; streich … aus deinen notizen; nimm
        … aus deinem gedachtnis; nimm … aus deinen notizen; ich will, dass du alles uber … vergisst
    """,
    "forget_asked": """
        kannst du meine… vergessen; kannst du alles uber … vergessen; konntest du alles uber … vergessen
    """,
    "off": """
        unter uns; unter uns gesagt; ganz unter uns; das bleibt unter uns; das hier bleibt unter uns; dies
        bleibt unter uns; off the record; schreib das nicht auf; schreib dir das nicht auf; schreib es
        nicht auf; notier das nicht; notiere das nicht; merk dir das nicht; merk dir das bitte nicht;
        speicher das nicht; speichere das nicht; speicher das bitte nicht; behalt das nicht; behalte das
        nicht
    """,
    "previous": """
        vergiss, was ich gerade gesagt habe; vergiss was ich gerade gesagt habe; vergiss, was ich eben
        gesagt habe; vergiss was ich eben gesagt habe; vergiss meine letzte nachricht; losche meine letzte
        nachricht; losch meine letzte nachricht; losch, was ich gerade gesagt habe; losche, was ich gerade
        gesagt habe; streich, was ich gerade gesagt habe
    """,
    "tell": """
        sag mir, wann; sag mir, wo; sag mir, wer; sag mir, was; sag mir, wie; sag mir, welche; sag mir
        wann; sag mir wo; sag mir was; sag mir wie; erinnere mich, wann; erinnere mich, was
    """,
}
LANGUAGE = Language(
    code="de",
    name="german",
    asking="was wer wen wem wessen welche welcher welches welchen wie wo wohin woher wann warum wieso",
    happening="""gemacht machen machten tun getan tat passiert passierte geschah geschehen los war waren
        gewesen gegeben gab habe hast hat haben""",
    opening="wer wen wem wessen welche welcher welches wieviel",
    former="fruher vorher ehemalige damals vorige",
    amounts="wieviel wie_viel wie_viele wie_alt wie_lange wann welches_datum uhr_zeit datum preis nummer",
    times=_TIMES,
    orders=_ORDERS,
    anew="jetzt nun neu neue neuer neues neuen",
    negations="nicht kein keine keinen keinem keiner keines nie niemals nichts niemand",
    without="ohne",
    turning="weniger vergiss vergessen",
    clauses="aber sondern",
    noting="heisst",
    i_am="ich_bin",
    oneself="ich mich mein meine meinen meinem meiner meines wir uns unser unsere unseren",
    figures="""zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig
        hundert tausend million millionen halb halbe""",
    capitals=True,
)
