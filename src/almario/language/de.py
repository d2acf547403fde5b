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
    "future_ends": "",
    "yearly": "geburtstag",
    "begins": "beginnt beginne startet fängt steigt sinkt wechselt wird_zu",
    "past_ends": "te ten",
}
_ORDERS = {
    "short": "hr fr dr prof str nr bzw usw evtl ca tel st z b d h u",
    "joins": "und|aber|also|deshalb|darum",
    "lead": """bitte|danke|hallo|hi|hey|he|du|also|gut|na gut|ab (jetzt|sofort)|ok|ach|oh|ah|und|auch|dann
        aber|jetzt|nun
        horst du|hor mal|hore|schau|nein(?=[,.!])|ja|ubrigens|eigentlich|doch|weisst du was|zuerst|nur
        warte|sorry|entschuldigung|wichtig|noch was|noch etwas|immer|mal|einfach|ehrlich|so|schon gut|hm+
        egal|na|vielleicht""",
    "thanks": "bitte|danke|vielen dank",
    "tail": """ok|okay|ja|gut|einverstanden|gell|alles klar|jetzt|vorerst|fur immer|ganz|komplett|einfach
        wieder|wenn du kannst|auch|endgultig|ruhig|mal|bitte""",
    "polite": """(kannst|konntest|wurdest|magst|darfst|solltest|sollst|musst
            willst) du( bitte| dir| mal| jetzt| ruhig| das)*
        (es ware (gut|schon|toll)|ich fande es (gut|schon)),? wenn du( dir)?( bitte)?|tu mir den gefallen und
        (konnen|konnten|wurden) sie( bitte| sich)*
        ich (mochte|will|hatte gern|hatte gerne|bitte dich|wunsche mir),?( dass| daß) du( dir)?( bitte)?
        du (kannst|konntest|sollst|solltest|darfst|musst)( dir)?( bitte| jetzt| ruhig| mal)*""",
    "articles": """der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner
        meines unser
        unsere unseren unserem unserer dein deine deinen deinem deiner sein seine seinen ihr ihre ihren""",
    "saying": """sagte|sagt|sagen|gesagt|meinte|meint|schrieb|schreibt|rief|antwortete|fragte|bat|schrie
        lied|schild|spruch""",
    "chat": """nicht nich; nichts nix nichs; losch loesch; losche loesche; loschen loeschen; fur fuer;
        uber ueber; mochte moechte; konntest koenntest; gedachtnis gedaechtnis; nachste naechste; vergiss
        vergis; merk_dir merkdir merk_dia; schreib schreb""",
    "slips": """vergiss vergessen notiere notieren speichere speichern merken erinnere entferne nachricht
        notizen beachte""",
    "remember_signs": """merk vergiss vergess denk erinner notier schreib kopf beacht bedenk behalt
        halt_ halte_ speicher wissen zukunft nachste pack_ trag_ leg_ nimm_""",
    "remember": """merke?( dir| sie sich)?( bitte| mal| gut)*|merken sie sich( bitte)?
        vergiss( bitte| ja)* (nicht|nie)( bitte)?|vergessen sie( bitte)? (nicht|nie)
        denke?( bitte| immer)* (daran|dran)|denken sie( bitte)? daran
        erinnere? dich( bitte)?( daran| dran)?|notiere?( dir)?( bitte)?
        schreibe? (dir )?(bitte )?(auf|mit)|beachte?( bitte)?|bedenke?( bitte)?
        behalte?( bitte)? im (kopf|hinterkopf|gedachtnis)
        halte? fest|du sollst wissen|speichere?( dir)?( ab)?|(lass|las) mich nicht vergessen
        (pack|trag|schreibe?|nimm|setze?|leg)( dir)?( das)?( bitte)? (in|auf) (deine|die|deinen) (notizen
            liste|gedachtnis|speicher|kopf)( ein| auf)?
        (nur )?damit du(s| es)?( fur( die)? (nachste mal|zukunft))? weißt|nur damit du('s| es)? weisst""",
    "aside": """fur (mich|spater|immer|die zukunft|das nachste mal)|furs nachste mal|in zukunft|ab jetzt
        ab sofort|irgendwo|diesmal|gut|bitte|kunftig|ein fur alle mal|mal|ja|ok|auf|mit""",
    "filler": """(eine?|noch|kleine|info|notiz|sache|das|dies|hier|ist|etwas|was|wichtig|wichtige|bitte|nimm
            behalte?)""",
    "headed": "({filler} ){0,6}?(fur dein(e)? (gedachtnis|notizen)|zum merken|fur deine unterlagen)",
    "heading": """fur (die zukunft|das nachste mal|spater)|furs nachste mal|in zukunft|zu merken
        (merke?|notiere?|speichere?|schreibe?)( dir)? (das|dies|folgendes)( auf| ab| bitte)*""",
    "remembering": """{remember}
        (dir )?merken|dir (notieren|aufschreiben)|daran denken|nicht vergessen|notieren|aufschreiben
        im kopf behalten""",
    "remember_rows": """…[,;–—-]+ *(und )?(bitte )?(merk dir das|merke dir das|vergiss (das|es) (bitte )?nicht
            notiere? (dir )?das|denke? (bitte )?dran|speichere? das|notier's|merk's dir|denk (bitte )?daran
            schreibe? (dir )?das auf|behalte? das im kopf)( bitte)?
        (kannst|konntest|wurdest) du dir( bitte)? merken,? (dass|daß) …""",
    "that": "(dass|daß|das(?= (ich|wir|mein[a-z]*|unser[a-z]*) ))",
    "led": "(ich|wir) _|(mein|meine|unser|unsere) _ (ist|heißt|hat|wohnt|sind) _",
    "this": "das|dies|folgendes|eins|eines|dir das",
    "forget_signs": """vergiss vergess losch entfern streich merk wiss erinner tilg radier wirf
        behalt speicher raus weg_ weg. nimm verschwind lass schmeiss schmeiß hol_""",
    "forget": """(vergiss|vergesst|vergesse|vergessen sie)(?!( bitte| ja| das| aber)* (nicht
            nie))( bitte| mal| einfach| ruhig| ganz schnell| schnell)*
        hor auf, dich an""",
    "forgetting": "{forget}|vergessen",
    "erase": """(losche?|loscht|loschen sie|entferne?|streiche?|tilge?|entfernen sie|streichen sie|wirf
            nimm|nehmen sie|schmeiss|schmeiß|hol|radiere?)( bitte| mal| einfach)*""",
    "erasing": "{erase}|bitte",
    "weg": """(vergessen|loschen|entfernen|streichen|tilgen|wegwerfen|wegschmeißen|rauswerfen|rausschmeißen
            rausnehmen|herausnehmen|wegtun)""",
    "raus": """((wieder |ganz |komplett )*(raus|weg|verschwinden|rausfliegen|(geloscht|entfernt|gestrichen
            vergessen) (werden|sein)|wegkommen|rauskommen))""",
    "kann": """(kann|konnen|soll|sollen|sollte|sollten|muss|mussen|darf
            durfen)( bitte| ganz| jetzt| auch| ruhig)*""",
    "own": """(meine?n?|die|den|das) (nummer|telefonnummer|handynummer|adresse|geburtstag|gehalt|gewicht
            alter|passwort|mail|email|namen?)""",
    "told": """(alles|das|was|alles,? was|das,? was)( (ich|du|wir)( _){0,4}?)? (uber|zu|zum|zur|von|vom
            mit( dem| der| den)?|wegen|bezuglich)
        (das|die sache|die geschichte|die idee) (mit|von|uber|wegen)( dem| der| den)?
        (die|alle|deine|jede|meine|den|das)( _)? (notiz|notizen|erinnerung|erinnerungen|daten|information
            informationen|eintrag|eintrage|erwahnung)( _){0,3}? (uber|zu|zum|zur|von|an|mit)
        (dass|daß) ich( dir)? (gesagt|erzahlt) habe,?( dass| daß)?""",
    "told_after": """(dir |euch )?(mal |gestern |neulich |vorhin |schon |damals )*(gesagt|erzahlt|erwahnt
            geschrieben|anvertraut|berichtet|mitgeteilt|weiss?t|weißt|gespeichert|notiert)( (habe|hab
            hatte|hast))?
        (das|die|den) (ich|du) _( _){0,3}""",
    "memory": """(aus|in|von) (deinem|deinen|deiner|dem|den|ihrem|ihren|meinem|deim) (gedachtnis|speicher
            notizen|erinnerungen|erinnerung|kopf|aufzeichnungen|akten|daten|datenbank|profil|unterlagen)
        aus (allem|dem), was du (uber mich )?weißt""",
    "about": """(dass|daß)|das mit( dem| der| den)?|uber|von|vom|an
        die (sache|geschichte) (mit|von)( dem| der| den)?
        die tatsache,? (dass|daß)""",
    "nothing": """(es|das|dies|alles|ihn|sie|ihm|mich|dich|uns|nichts|was|etwas|das alles|das ganze
            alles andere|sachen|dinge)
        (alles,? |das,? )?was (ich|du|wir|er|sie|es|war).*
        (wer|wie|wo|wann|ob|warum) .*|nicht( .*)?|.* nicht
        (deine|alle|die)( _)? (anweisungen|instruktionen)( .*)?
        zu .*|[^,]*,? _ zu [a-z]+en""",
    "because": "weil|denn|und (lass|sag|hilf)",
    "forget_rows": """du (musst|brauchst)( dir)? … nicht( mehr| langer)?( zu)? {hold}
        (du )?(musst|brauchst) (du )?(dir )?… nicht( mehr)?( zu)? {hold}
        merke? dir … nicht (mehr|langer)
        (nicht mehr notig|unnotig),? (dir )?… zu {hold}
        ich (will|mochte) nicht( mehr)?,? (dass|daß) du (dir )?… {hold_too}
        (ich (will|mochte|hatte gern|hatte gerne),? (dass
            daß) )?{told} …([,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
            [ ]+((kannst du( ruhig| bitte| wieder| jetzt| alles)* |bitte )?({weg}|raus|weg)
            {kann}( {memory})? {raus}|verschwindet|wegkommt|geloscht wird|weg ist)( {memory})?)
        (?=(der|die|das|den|mein|meine|meinen|unser|unsere|alles) _)… {kann} ({memory} {raus}|{raus} {memory})
        (?=(der|die|das|den|mein|meine|meinen|unser|unsere) _)… (brauchst
            musst) du( dir)?( bitte)? nicht( mehr| langer)?( zu)? {hold}
        (?=(der|die|das|den|mein|meine|meinen|unser|unsere) _)… (bitte )?{memory} {weg}
        lass … {memory} verschwinden
        (?=(der|die|das|den|mein|meine|meinen|unser|unsere) _)… (kannst
            darfst) du( bitte| ruhig| jetzt| wieder)* (vergessen|aus deinem gedachtnis (loschen|streichen))
        (?=(der|die|das|den|mein|meine|meinen|unser|unsere) _)…[,;:–—-]+ *((das|den|die
            es) kannst du( ruhig| bitte)? (vergessen|loschen)|vergiss (es|ihn|sie|das))([, ].*)?
        (kannst|konntest|wurdest) du( bitte)? … (vergessen|aus deinem gedachtnis (loschen|streichen
            entfernen))
        du (kannst|darfst|sollst)( bitte| ruhig| jetzt)* … (vergessen|aus deinem gedachtnis (loschen|streichen
            entfernen))""",
    "drop_it": """(vergiss|losche?|streiche?)( (es|das|sie|ihn|alles))?
        (das )?kannst du( ruhig| bitte)* (vergessen|loschen)""",
    "hold": "(merken|wissen|behalten|im kopf (haben|behalten)|erinnern|gemerkt haben|speichern)",
    "hold_too": "(merkst|weisst|weißt|behaltst|speicherst)",
    "off_signs": """unter_uns unter_vier zwischen schreib notier merk speicher behalt vertrau geheim
        notiz protokoll vergiss vergess losch streich gesagt aufzeichn halt inoffiziell kein_wort gelesen
        fur_dich ignorier gehort modus deine nirgend""",
    "off": """{unsay},? ({gone})
        {gone}[^,:;]{0,30}?[,:;–—. -]*(_ ){0,5}?({unsay}|{private}|{keep}( (es|das|dir|sie|ihn|bitte
            dir das))* (nicht|nirgends)|(nicht
            nirgends|nirgendwo|nie)( mehr| zu| irgendwo)* {keeping}|nicht (in|auf)|(vergessen|loschen
            streichen
            entfernen)|(aus|raus aus) (deinen|deinem) _)
        {keep}( sie)?( dir| es| das| dies| bitte| davon| hiervon| mal| jetzt| ja| diese _| den _)*( \
            (?P<gone>{gone_thing}))?( bitte| ja)* (nicht|nichts|nie|nirgends
            nirgendwo)( davon| von dem( _){1,6}?| auf| mit| ab| fest| in deine[nmr]? _)*(,? \
            (?P<gone>{gone_thing})|,? was (folgt|ich( _){1,5}?)|,? bitte| davon)*{stop}
        ({that_is} |bitte |aber )*(bitte )?(nicht|nichts|nie
            nirgends)( davon| in deine[nmr]? _| bitte| zu)* {keeping}{stop}
        {that_is} ((darfst|sollst|musst|kannst|solltest) du (dir )?
            bitte |aber |lieber |besser |soll |sollte |muss |darf |brauchst du dir |hier |jetzt |wird \
            )*(nicht|nie|nirgends|nirgendwo)( in deine[nmr]? _| mehr)*( {keeping}| {keep}| gemerkt| \
            landen| stehen| auftauchen){stop}
        {that_is} (muss|soll|sollte|gehort|kommt|darf|braucht|ist)( bitte)? (nicht|nichts) (in|auf|ins
            fur) (deine[nmr]?|dein|das|die|mein) (notizen|gedachtnis|speicher|protokoll|aufzeichnungen
            akten)
        ich (will|mochte|hatte gern|wurde|bitte)( _){0,3}? (nicht|lieber),? (_,? ){0,2}?(dass|daß
            wenn) (_ ){1,5}?({keeping}|{keep_too}){stop}
        ich (will|mochte|wunsche mir|bitte dich|hatte gern|hatte gerne),?( lieber)? (dass|daß
            wenn) (_ ){1,5}?nicht ({keeping}|{keep_too})
        kein wort( davon| daruber)?( in( _){1,2})?{stop}
        (lass|lasse|halte?)( bitte)? ({that_is}|das|dies)( bitte)? aus (deinen|deinem|den) (notizen|gedachtnis
            aufzeichnungen|akten|protokoll)( raus| heraus| weg)?
        nichts( davon| hiervon| von dem( _){1,6}?)?( _){0,2}? (in|auf) (deine[nmr]?|dein) _
        (privat|inkognito|geheim)modus{pause}
        (mach|mache)( dir)?( bitte| davon| hiervon)* keine (notiz|notizen|aufzeichnungen?|vermerk)
        (bitte )?(keine?|kein|ohne) (notiz|notizen|protokoll|aufzeichnung|aufzeichnungen|vermerk|eintrag
            speichern|mitschreiben|mitschrift)( davon| dazu| daruber| hiervon)?{stop}
        ((das|dies|es|was( _){1,6}?,?|alles)( hier| alles)? )?(bleibt|bleibe|soll|muss|ist|sollte
            bleib)( _){0,3}? {private}( bleiben)?
        (lass|lasst|behalte?)( uns)?( das| es| dies)( _){0,2}? (fur dich|unter uns|{private})
        (ganz |jetzt |nur |mal |streng |rein |aber )*{private}( gesagt| gesprochen)?({pause})
        (ganz |nur )?unter uns (gesagt|gesprochen|pastorentochtern)
        (ich|darf|kann|lass)( _){0,8}? {private}{pause}
        {unsay},? (alles,? |das,? )?was ich (dir )?(jetzt|gleich|nun)( _){0,3}?{stop}
        (brauchst|musst) (du )?(dir )?(das |es |dies )?nicht( zu)? {keeping}
        du (brauchst|musst)( dir)?( das| es| dies)? nicht( zu)? {keeping}
        (kannst|konntest|wurdest) du( dir)?( das| es| dies)?( bitte)? nicht {keeping}""",
    "that_is": """(das|dies|es|das hier|was (folgt|jetzt kommt|ich (dir )?(jetzt|gleich) (sage|erzahle))
            nichts davon|dieser (teil|satz)|dieses gesprach|folgendes|diese (info|nachricht))""",
    "keep": """(schreibe?|schreib's|notiere?|merke?|merk's|merken|speichere?|speicher's|notier's|behalte?
            halte?|protokolliere?|nimm|nehmen|speichern|schreiben|notieren)""",
    "keeping": """(ge)?(auf|mit|ab|ein)?(zu)?(schreiben|notieren|merken|speichern|behalten|zeichnen
            protokollieren|festhalten|geschrieben|notiert|gespeichert|gemerkt|gehalten|gezeichnet
            abspeichern|tragen)( werden)?
        aufgeschrieben( werden)?|festgehalten( werden)?""",
    "keep_too": """((auf|mit|ab)?(schreibst|schreibt|speicherst|notierst|zeichnest)|merkst|behaltst
            notiert|gespeichert wird|aufgeschrieben wird)""",
    "private": """((ganz |nur |rein )?unter (uns( beiden| zweien)?|vier augen)|zwischen (dir und mir
            uns( beiden)?)|im (strengen |strengsten )?vertrauen|(streng |ganz )?vertraulich|off the record
            inoffiziell|(ein|unser) geheimnis|geheim|nicht furs? protokoll)""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (bitte|ja|ok|weil|aber|und|denn|auf|mit|ab|fest|es|ich|das|nirgends
            irgendwo|in deine_|jetzt|danke)(?![a-z]))""",
    "pause": "(?= *($|[,;:.!?…)–—-])| (bitte|ja|ok|aber|gesagt)(?![a-z]))",
    "gone": "{gone_thing}",
    "gone_thing": """((alles,? |das,? |von dem,? )?was (ich|wir)( dir| euch| da)*( (gerade|eben|grad|soeben
            gerade eben|vorhin|zuletzt|zuvor|vorher|kurz|vor( _){1,2}?|da|sagte
            schrieb))+( uber( _){1,3}?| zu( _){1,3}?)?( (gesagt|geschrieben|erzahlt|erwahnt|anvertraut
            besprochen))?( habe| hab| haben| hatte)?|(das|die|den|mein|meine|meinen|dieses|diese
            deine)( (zwei|drei))? (letzte|letzten|letztes|vorherige|vorige|vorigen|vorherigen)( (nachrichten?
            austausch|worte?|unterhaltung|satz|satze|bemerkung|kommentar|teil|sache|punkt|gesprach|botschaft
            aussage))?( von mir)?|das (von )?(eben|gerade|gerade eben|vorhin|von vorhin|davor)
            das gerade gesagte|das gesprach (bis jetzt|von eben|von vorhin))""",
    "unsay": """(vergiss|vergesst|vergessen sie|losche?|loschen sie|streiche?|ignoriere?|entferne?
            ubergehe?)( bitte| einfach| mal| ganz schnell| wieder| gleich| sofort)*""",
    "ahead": "(etwas|was|ein geheimnis|was (ich|jetzt|folgt|kommt)|das folgende|ab jetzt)",
    "tell_signs": "sag verrat erzahl erinner",
    "tell": """((kannst|konntest) du mir( bitte)?( noch ?mal)? sagen|sage?( mir| uns)( bitte| noch ?mal)*
            verrate? mir|erzahle? mir( noch ?mal)?|erinnere? mich( bitte| noch ?mal)*( daran)?),? ({asked}
            (von |uber )?(mein|unser)[a-z]*|alles,? was|(den|die|das) {datum})""",
    "asked": "was|wer|wen|wem|wessen|welche[rsnm]?|wie|wo|wohin|woher|wann|warum|wieso|ob",
    "datum": "(namen?|datum|tag|adresse|nummer|preis|titel|uhrzeit|alter)",
    "behave": "hor auf|nicht|nie|immer|sei|sprich|rede|schreib|antworte|nutze|benutze",
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
