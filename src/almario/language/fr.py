"""French: the common words."""

from almario.language import Language

_TIMES = {
    "months": """janvier; février; mars; avril; mai; juin; juillet; août; septembre; octobre; novembre;
        décembre""",
    "short_months": "janv; févr; ; avr; ; ; juil; ; ; ; ; déc",
    "weekdays": "lundi; mardi; mercredi; jeudi; vendredi; samedi; dimanche",
    "seasons": "printemps; été; automne; hiver",
    "numbers": """1 un une; 2 deux; 3 trois quelques; 4 quatre plusieurs; 5 cinq; 6 six; 7 sept; 8 huit
        huitaine; 9 neuf; 10 dix dizaine; 11 onze; 12 douze; 15 quinze; 20 vingt; 30 trente""",
    "ordinals": "premier première; deuxième second seconde; troisième; quatrième; cinquième",
    "units": """day jour; days jours; week semaine; weeks semaines; weekend week_end weekend;
        weekends week_ends weekends; month mois; year année l_an; years années ans""",
    "relative": """day-2 avant_hier; day-1 hier; day+0 aujourd_hui ce_matin ce_soir cette_nuit
        cet_après_midi; day+1 demain; day+2 après_demain""",
    "holidays": """12-24..12-26 noël; 12-24..12-24 réveillon_de_noël veille_de_noël;
        12-31..12-31 saint_sylvestre; 01-01..01-01 nouvel_an jour_de_l_an; 10-31..10-31 halloween;
        easter-2..easter+1 pâques; easter-7..easter semaine_sainte; 01-06..01-06 épiphanie""",
    "the": "le la les l",
    "on": "le du au",
    "of": "de du d des",
    "for": "pour",
    "names": "noël avril mai",
    "in": "en à pendant mois_de mois_d courant au_mois_de",
    "since": "depuis dès à_partir",
    "onwards": "dès à_partir",
    "until": "jusqu_en jusqu_à jusqu_au jusque",
    "before": "avant",
    "after": "après",
    "around": "vers autour",
    "about": "environ presque",
    "between": "entre",
    "from": "de du d",
    "to": "au à jusqu_à jusqu_au",
    "and": "et ou",
    "last": "dernier dernière derniers dernières passé passée précédent précédente",
    "last_after": "dernier dernière derniers dernières passé passée précédent précédente",
    "this": "ce cet cette",
    "next": "prochain prochaine prochains prochaines",
    "next_after": "prochain prochaine qui_vient",
    "ago": "il_y_a ya y_a",
    "ahead": "dans d_ici en",
    "early": "début",
    "mid": "mi milieu",
    "late": "fin",
    "part": "matin soir soirée nuit midi matinée",
    "every": "chaque tous_les toutes_les",
    "decade_sign": "années les_années",
    "street": "rue avenue place boulevard salle vol",
    "things": "euros dollars personnes fois pages kilos mètres kilomètres francs",
    "future": "vais vas allons allez vont prochain prochaine demain",
    "plans": "rappelle rappelez dois devons rendez_vous pars partons",
    "past": "ai as avons avez ont était étais étaient avait fut hier suis sommes",
    "future_ends": "erai irai erons irons eront iront era ira",
    "yearly": "anniversaire anniversaires",
    "begins": """commence commencera débute démarre passe_à passe_de passera_à augmente monte_à baisse_à
        devient""",
    "past_ends": "ait aient",
}
_ORDERS = {
    "articles": """
        le la les l' un une des mon ma mes notre nos ton ta tes votre vos son sa ses leur leurs ce cet
        cette ces
    """,
    "joins": "et mais",
    "but": "mais",
    "saying": "dit disait disent raconte ecrit demande crie repond chanson phrase panneau",
    "lead": """
        s'il te plait; s'il vous plait; stp; svp; salut; bonjour; ok; bon; ah; ecoute; et; mais; aussi;
        alors; maintenant; oui; merci; au fait; desormais
    """,
    "tail": "s'il te plait; s'il vous plait; stp; svp; merci; ok; d'accord",
    "never": "souviens-toi quand; rappelle-toi quand",
    "remember": """
        souviens-toi que …; souviens-toi qu'…; souvenez-vous que …; rappelle-toi que …; rappelle-toi qu'…;
        rappelez-vous que …; retiens que …; retiens ca : …; retiens bien que …; n'oublie pas que …;
        n'oublie pas qu'…; n'oubliez pas que …; garde en tete que …; garde a l'esprit que …; gardez a
        l'esprit que …; note que …; note bien que …; note : …; note ca : …; prends note que …; prends note
        : …; sache que …; je veux que tu te souviennes que …; j'aimerais que tu retiennes que …
    """,
    "remember_asked": """
        tu peux te souvenir que …; peux-tu te souvenir que …; pourrais-tu te souvenir que …; tu peux
        retenir que …; peux-tu retenir que …; tu peux noter que …; peux-tu noter que …; pourrais-tu noter
        que …
    """,
    "forget": """
        oublie que je…; oublie que j'…; oublie mon…; oublie ma…; oublie mes…; oublie ce que je t'ai dit
        sur …; oublie ce que j'ai dit sur …; oublie ce que je t'ai dit a propos de …; oublie ce que j'ai
        dit a propos de …; oublie ce que je t'ai raconte sur …; oublie tout ce que je t'ai dit sur …;
        oublie tout ce que tu sais sur …; oublie tout sur …; oubliez ce que je vous ai dit sur …; efface
        ce que je t'ai dit sur …; efface tout ce que tu sais sur …; je veux que tu oublies mon…; je veux
        que tu oublies ma…; efface … de ta memoire; efface … de tes notes; supprime … de ta memoire;
        supprime … de tes notes; enleve … de ta memoire; enleve … de tes notes; retire … de ta memoire;
        retire … de tes notes
    """,
    "forget_asked": """
        tu peux oublier ce que je t'ai dit sur …; peux-tu oublier ce que je t'ai dit sur …; peux-tu
        oublier mon…; peux-tu oublier ma…
    """,
    "off": """
        entre nous; entre toi et moi; ca reste entre nous; que ca reste entre nous; cela reste entre nous;
        off the record; ne note pas ca; ne note pas cela; ne le note pas; ne l'ecris pas; n'ecris pas ca;
        n'enregistre pas ca; ne l'enregistre pas; ne garde pas ca; ne retiens pas ca; pas dans tes notes
    """,
    "previous": """
        oublie ce que je viens de dire; oublie ce que je viens de te dire; oubliez ce que je viens de
        dire; oublie mon dernier message; efface ce que je viens de dire; efface ce que je viens de te
        dire; efface mon dernier message; supprime mon dernier message; ne note pas ce que je viens de
        dire; ne garde pas ce que je viens de dire
    """,
    "tell": """
        dis-moi quand; dis-moi ou; dis-moi qui; dis-moi quel; dis-moi quelle; dis-moi comment; dis-moi ce
        que; dis-moi pourquoi; rappelle-moi quand; rappelle-moi ou; rappelle-moi qui; rappelle-moi quel;
        rappelle-moi quelle; rappelle-moi comment; rappelle-moi ce que; dis-moi le; dis-moi la;
        rappelle-moi le; rappelle-moi la
    """,
}
LANGUAGE = Language(
    code="fr",
    name="french",
    asking="""que qu quoi qui quel quelle quels quelles comment ou quand combien pourquoi est ce lequel
        laquelle""",
    happening="""fait faire faisait fais faisions passe arrive arrives passait eu lieu ai as avons avez
        ont est etait chose choses""",
    opening="qui quel quelle quels quelles combien pourquoi",
    former="avant ancien ancienne autrefois precedent precedente",
    amounts="combien quand quelle_heure quel_jour quelle_date date prix numero age",
    times=_TIMES,
    orders=_ORDERS,
    anew="maintenant désormais nouveau nouvelle",
    negations="ne pas jamais rien aucun aucune ni non",
    without="sans",
    turning=r"oubli\w+ moins",
    clauses="mais",
    noting="appelle travaille",
    i_am="je_suis",
    oneself="je j moi mien mienne nous notre",
    figures="""deux trois quatre cinq sept huit dix onze douze quinze vingt trente quarante cinquante cent
        mille million millions demi moitié""",
    bare_weekdays=True,
)
