"""French: the common words."""

from almario.language import Language, words

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
    "begins": """commence commencera débute démarre passe_à passe_de passera_à augmente monte_à baisse_à
        devient""",
    "past_ends": "ait aient",
}
LANGUAGE = Language(
    code="fr",
    name="french",
    asking=words(
        """que qu quoi qui quel quelle quels quelles comment ou quand combien pourquoi est ce lequel
        laquelle"""
    ),
    happening=words(
        """fait faire faisait fais faisions passe arrive arrives passait eu lieu ai as avons avez ont est
        etait chose choses"""
    ),
    opening=words("qui quel quelle quels quelles combien pourquoi"),
    former=words("avant ancien ancienne autrefois precedent precedente"),
    amounts=words("combien quand quelle_heure quel_jour quelle_date date prix numero age"),
    going_on=words("c'est_que parce_que car mais et alors donc aussi elle ça"),
    times=_TIMES,
    figures=words(
        """deux trois quatre cinq sept huit dix onze douze quinze vingt trente quarante cinquante cent mille
        million millions demi moitié"""
    ),
    bare_weekdays=True,
)
