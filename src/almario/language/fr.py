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
    "short": "m mm mme mlle dr pr st ste av bd etc tel env",
    "joins": "et|mais|donc|alors|du coup",
    "lead": """s'il (te|vous) plait|stp|svp|bonjour|salut|coucou|dis|dites|ecoute|ecoutez|bon|bien|ok
        d'accord|oh|ah|eh|et|aussi|alors|donc|mais|maintenant|merci|pardon|desolee?|non(?=[,.!])|oui
        au fait|en fait|finalement|tiens|tu sais quoi|d'abord|surtout|juste|attends|voila
        j'ai change d'avis|important|encore une chose|autre chose|toujours|bref|hein|bah|ben|euh|hop|du coup
        toi|(a partir de|des) maintenant|desormais|dorenavant""",
    "thanks": "s'il (te|vous) plait|stp|svp|merci( beaucoup| d'avance)?",
    "tail": """ok|d'accord|hein|tu veux( bien)?|oui|maintenant|pour l'instant|pour toujours|definitivement
        completement|si tu peux|aussi|tout de suite""",
    "polite": """(tu|vous) (peux|pouvez|pourrais|pourriez|dois|devez|devrais)( donc| maintenant| aussi)*
        (peux|pourrais|veux)[ -]tu|(pouvez|pourriez|voulez)[ -]vous
        (j'aimerais|je (voudrais|veux|prefere|prefererais|souhaite|souhaiterais)
            j'ai besoin)( bien)? que (tu|vous)
        il faut que (tu|vous)|merci de|est[ -]ce que tu (peux|pourrais)|je te (demande|prie) de|veuillez
        merci d'|s'il te plait|ce serait (bien|super|cool) (que|si) (tu|vous)
        fais[ -]moi (le )?plaisir( et)?""",
    "articles": """le la les l' un une des mon ma mes notre nos ton ta tes votre vos son sa ses leur leurs
        ce cet cette ces""",
    "saying": """(a|ont|avait) (dit|ecrit|demande|repondu|crie)
        dit|disent|disait|disant|repondit|chanson|panneau|proverbe|m'a dit""",
    "chat": """n'oublie noublie; n'oublies noublies; n'oubliez noubliez; n'enregistre nenregistre; j'ai
        jai; je_t'ai jtai jt'ai; c'est cest; c'etait cetait; d'accord dacc dac; je_te jte; je_ne jne; tout
        tt; dans ds; retiens retien; souviens souvien; rappelle rapelle; s'il_te_plait siteplait
        silteplait steuplait stplait; oublie_pas oubli_pas""",
    "slips": """retiens souviens rappelle oublie oublier oublies efface enregistre memorise memoire message
        confidence""",
    "remember_signs": """souvien souvene rappel retien retene retenir oubli note_ note: notez noter
        notes memoris en_tete a_l'esprit compte enregistr sach avenir prochaine mets_ mets-le ajoute perds""",
    "remember": """souviens[ -]toi( bien)?|souvenez[ -]vous|rappelle[ -]toi|rappelez[ -]vous
        retiens( bien)?|retenez|n'?oublie[sz]? (pas|jamais)|oublie[sz]? (pas|jamais)
        not(e|ez)( bien| quelque part| donc)?|prends?( bien)? note( du fait)?|prenez note|memoris(e|ez)
        gard(e|ez) (bien )?(en tete|a l'esprit|en memoire)
        sach(e|ez)|enregistr(e|ez)|tiens compte( du fait)?|ne perds pas de vue|(dis|mets)[ -]toi( bien)?
        (mets|ajoute|inscris|ecris|garde|conserve)( bien| ca)? (dans|en|a) {store}
        (fais|fais-toi) une note|que ca ne t'echappe pas|pour que tu (le )?saches
        (il faut )?que tu te (rappelles|souviennes)""",
    "store": """(tes|ta|ton|la|les|tes) ?(notes?|memoire|archives?|liste|souvenirs?|journal|fichiers?
            registres?)|memoire""",
    "aside": """pour (la prochaine fois|plus tard|moi|toujours|l'avenir|la suite)|a l'avenir|desormais
        dorenavant
            quelque part|cette fois|bien|dans {store}|une (bonne )?fois pour toutes|d'accord|ok|hein|aussi""",
    "filler": """(je|te|donne|une?|autre|chose|info|note|petite?|voila|ceci|ca|cela|c'est|important|importante
            garde|note|quelque)""",
    "headed": """({filler} ){0,6}?(pour (ta memoire|tes notes)|a (retenir|noter)|pour que tu (t'en souviennes
            le saches|retiennes)|cette info)""",
    "heading": """pour (la prochaine fois|l'avenir|memoire|info)|a (retenir|noter|l'avenir)
        (note|retiens|garde|enregistre|memorise|ecris)(-le)? (ca|ceci|cela|ce qui suit)( quelque part)?""",
    "remembering": """retenir|retiennes|retenez|te (rappeler|souvenir)|te (rappelles|souviennes)
        ne pas oublier|n'oublies pas|(te )?not(er|es|iez)|memoris(er|es)|gard(er|es) en (tete|memoire)
        enregistr(er|es)|prend(re|s) note|saches|tu saches|tiennes compte
        (mettre|mettes|ajouter|ajoutes) (dans|a) {store}|{remember}""",
    "remember_rows": """…[,;–—-]+ *(et |alors )?(n'?oublie[sz]? pas|retiens[ -]le|note[ -]le|souviens[ -]t'en
            rappelle[ -]toi|garde[ -](le|ca) (en (tete|memoire)|a l'esprit)|(retiens|note) ca( quelque part)?
            mets[ -]le dans {store}|enregistre[ -](le|ca))
        … (stp |svp )?(n'?oublie[sz]? pas ca|note[ -]le|retiens[ -]le)""",
    "that": "(du fait )?(que|qu')",
    "led": "(je|j'ai|on|nous) _|(mon|ma|mes|notre) _ (est|a|s'appelle|sont|habite) _",
    "this": "ceci|ca|cela|ce qui suit|bien ceci|une chose",
    "forget_signs": """oubli effac supprim enlev retir raye souven souvien rappel reten retien garde
        savoir saches elimin jette disparai laisse_tomber vire_ virer degage sors_ plus_besoin t'en
        balance""",
    "forget": "oublie[sz]?(?! (pas|jamais))( donc| tout)?|cesse de te (souvenir|rappeler)",
    "forgetting": "{forget}|oublier( tout)?|oubli(es|iez)",
    "erase": """(effac|sup?prim|enlev|retir|ray|jett|elimin|vir|balanc|degag|ot)(e|ez)(-moi)?( donc| tout)?
        sors|fais disparaitre|oublie""",
    "erasing": "{erase}|(effac|sup?prim|enlev|retir|jet|elimin|vir|ot)(er|es|iez)|sortir|faire disparaitre",
    "own": """(mon|ma|le|la|l'|mes) ?(numero|adresse|telephone|anniversaire|salaire|poids|age|mot de passe
            mail|email|nom)""",
    "told": """(tout )?ce (que|qu'|qui)( ?_){1,5}? (sur|de|du|des|a propos de|a propos du|concernant
            au sujet de|au sujet du|d')
        tout (sur|a propos de|ce qui concerne)
        (la|le|les|ta|tes|ton|ma|mes|toute|toutes les|l')( ?_)? ?(notes?|informations?|infos?|souvenirs?
            memoire|donnees?|mentions?|histoires?)( que( _){1,3}?)? (sur|de|du|des|d'|concernant|a propos de)
        que je t'ai (dit|raconte|parle)( que| de| du)?
        cette histoire (de|d'|du)|l'histoire (de|du|des|d'|avec)""",
    "told_after": "(que|don'?t) (je|tu) (t'ai|vous ai|as|connais|sais)( _){0,3}",
    "memory": """(de|dans|en) (ta|tes|la|ton|votre|vos|mon|ma) (memoire|notes|souvenirs|tete|registres?
            base de donnees|esprit|fichiers?|donnees|historique|profil|dossiers?)
        de (tout )?ce que tu sais( de moi| sur moi)?|de la(?= *($|[,;.!?]))|de (ta|tes) (listes?
            archives?)""",
    "about": """que|qu'|de|du|des|d'|sur|a propos (de|du)|le fait (que|qu')
        cette (histoire|affaire|idee) (de|d'|du)|tout""",
    "nothing": """(ca|cela|ceci|tout|tout ca|tout cela|le|la|les|moi|toi|lui|elle|eux|rien|que|y
            l[ae]s? choses?)
        -?(le|la|les|moi|ca)|(tout )?ce (que|qu'|qui).*|(qui|comment|ou|quand|si|pourquoi) .*
        (de |d')?[a-z]+(er|ir)( .*)?
        (tes|les|toutes les|toutes tes)( _)? instructions( .*)?""",
    "because": "parce que|parce qu'|car|puisque|vu que|et (dis|parlons|passons)",
    "forget_rows": """(tu|vous) (n'|ne )?(as|avez)? ?plus (besoin )?(a |de |d')?{hold} …
        (tu|vous) n'?(as|avez) pas (besoin )?(a |de |d'){hold} …
        (plus|pas) (besoin|la peine) de {hold} …
        je n'ai plus besoin que tu {hold} …
        inutile de {hold} …
        ce n'est plus la peine de {hold} …
        ne {hold} plus …
        je ne veux plus que tu {hold} …
        ((je (veux|voudrais|souhaite)|j'aimerais)( que)? )?{told} …([,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
            ,? ({may} ({gone_out})|a la poubelle|dehors|(soit |soient )?{past}|disparaisse(nt)?)( {memory})?)
        (je (veux|voudrais|souhaite)|j'aimerais) que … (disparaisse(nt)?|sorte(nt)?|soit {past}) {memory}
        que … (disparaisse(nt)?|sorte(nt)?) {memory}
        que disparaisse {memory} …
        (?=(le|la|les|l'|mon|ma|mes|notre|nos|cette|ce) ?_)…,? {may} ({gone_out}) {memory}
        laisse tomber …[,;–—-]+ *(tu (n')?as plus|plus (besoin|la peine)|inutile|{memory}|efface|oublie).*
        (?=(le|la|les|l'|mon|ma|mes|notre) ?_)…,? (tu (n')?(as|auras)|vous n'avez
            t'as)? ?plus (besoin )?(a |de |d')(t'en (souvenir|rappeler)|(le |la |les |l')?(retenir|garder
            savoir|memoriser|noter))( en memoire)?
        (?=(le|la|les|l'|mon|ma|mes|notre) ?_)…,? (tu peux|vous pouvez|efface|sup?prime|enleve
            retire)(-(le|la|les))?( (le |la |les |l')?(effacer|supprimer|enlever|retirer|oublier))? {memory}
        (pour|quant a) …[,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
        (?=(le|la|les|l'|mon|ma|mes|notre) ?_ _)…[,;:–—-]+ *((tu peux|vous pouvez) (l'|les |le |la )?oublier
            oublie[ -](le|la|les)|oublie ca)([, ].*)?""",
    "drop_it": """(oublie|efface|sup?prime|jette|vire|enleve|retire|balance|degage)(z)?([ -](le|la|les|ca
            tout))?
        (tu peux|tu) (l'|les |le |la )?(oublier|effacer|supprimer|jeter|virer|enlever|oublies|effaces|jettes
            supprimes)|a la poubelle""",
    "may": "(peut|peuvent|doit|doivent|devrait|devraient|pourrait)( donc| aussi| bien)*",
    "past": "(sup?prime|efface|oublie|enleve|retire|vire)e?s?",
    "gone_out": "etre {past}|disparaitre|partir|degager|sauter|sortir",
    "hold": """(te |t'|vous )?(souvenir|souviennes|rappeler|rappelles|retenir|retiennes|garder|gardes
            savoir|saches|retiens)( en memoire)?( de| du| des| d')?""",
    "off_signs": """entre_nous entre_toi entre_vous de_toi_a ne_not note_pas notes_pas noter ecri
        reten retien garde enregistr memoris confiden secret micro en_off oubli effac supprim je_viens
        rien_dit comme_si de_notes trace souvien reste consign entendu as_lu sorte_pas pas_etre doit_pas
        conserve_ pas_pour precede hors_ dehors mode_ un_mot c'est_off rien_a pas_dans""",
    "off": """{unsay} {gone}
        {gone}[^,:;]{0,30}?[,:;–—. -]+(_ ){0,4}?((l'|les )?{unsay}|{private}|pas (pour|dans) {store}
            {keep} pas|(ne |n')(le |la |l'|doit |devrait )?{keep}?( _)? ?pas)
        (laisse|garde|tiens|enleve|retire|sors|mets) {gone} (hors|en dehors|de|dehors) ?(de |d')?{store}
        (laisse|garde|tiens)(z)? (ca|cela|ceci|tout ca) (hors|en dehors) de {store}
        (pas un mot|rien|aucun mot)( de (ca|cela|tout ca|ce qui suit))?( _){0,2}? (dans|a) {store}
        {that_is}( ?_){0,3}? (pas|jamais|hors
            rien a (faire|voir))( de| dans| a| a faire dans| sa place dans)* {store}
        mode (prive|incognito|confidentiel|secret){pause}
        c'est off{pause}
        {not}(le |la |l'|les |en |t'en |te |y )?{keep}( surtout)?( pas| rien| aucune? (note
            trace)| jamais)*( (dans|en|sur) (tes |ta |ton |memoire)?_)? ?({gone}
            (?P<gone>ce que (je t'ai|j'ai) dit)|{it})?{stop}
        {keep_too} (surtout )?(pas|rien)( {it})?{stop}
        (pas|aucune|sans)( de| une)? (notes?|traces?|enregistrement
            (l'|le |rien )?{keep})( de ca| {it})?{stop}
        {that_is} (ne |n')?( ?_){0,3}? ?(pas|jamais)( _){0,2}? ({keep}|(note|enregistre|ecrit|garde|retenu
            conserve|memorise|sauvegarde)e?s?)
        (ce |ca |cela )?(n'est |n'a |ne va |va )?pas (a |sa place )?(pour|dans|a) (tes|ta|ton) (notes|memoire
            souvenirs|fichiers|registres)
        a ne pas (noter|retenir|garder|enregistrer|ecrire)
        (que )?({that_is} )?(ca |cela |ceci )?(doit |devra |va )?(reste|restera|rester
            demeure)( _){0,2}? {private}
        que (ca|cela|ceci) (ne )?(sorte|quitte) pas( _){0,3}?{stop}
        (gard(e|ez|ons)|laiss(e|ons)) (ca|cela|ceci|tout ca)( _){0,2}? {private}
        (c'est|ceci est|juste|strictement|tout|soit dit|dit|bien|ca) {private}{pause}
        {private}{pause}
        (juste |strictement )+{private}
        (je|j'ai|puis|peux|puis-je|on|laisse)( _){0,8}? ({private}{pause}|sans que tu (le |l'|la )?{keep})
        {unsay} (tout )?ce que je (vais|te)( _){0,3}?{stop}""",
    "that_is": """(ca|cela|ceci|cette (partie|conversation)|ce message|ce qui suit|ce que je (dis|te dis
            vais( te)? dire)|rien de (ca|tout ca)|tout (ca|ceci))""",
    "not": """(surtout )?(ne |n')(va pas |faut pas )?|(il )?(ne |n')?faut pas (que tu )?
        (inutile|pas la peine|pas besoin|evite|essaie|essaye|merci)( de| d')( ne pas )? ?
        (je|j')( ?_){1,3}? (que tu |que vous )(ne |n')?
        (tu|vous) (n'as|n'avez) pas besoin (de |d')
        (je ne|je) (veux|souhaite) pas que (tu |ce soit |ca soit )(ne |n')?
        (peux|pourrais|pouvez|pourriez)[ -](tu|vous) (ne pas|eviter de|eviter d')
        je (prefere|prefererais)( autant)? que (ca|cela) ne soit pas""",
    "keep": """((not|gard|enregistr|memoris|consign|sauvegard|stock|inscri[vs]|archiv)(e|es|er|ez)|ecri(s
            ve|ves|re|vez|t)|reti(ens|enne|ennes)|reten(ir|ez)|(te |t')?souvi(ens|ennes)(-toi)?
            prends?( pas)?( de)? notes?|prenn?es?( pas)?( de)? notes?|prendre( de)? notes?|mets|mettre
            mettes|conserve[sz]?|conserver|trace)""",
    "keep_too": "(not|gard|enregistr|memoris)(e|ez)|ecris|retiens|retenez|souviens-toi",
    "it": """(ca|cela|ceci|rien( de (ca|tout ca|ce que( _){1,5}?))?|(de )?(tout )?ce qui (suit|va suivre)
            (de )?ce que je( _){1,4}?|cette (partie|conversation|discussion|info)|ce message
            de (ca|cela|tout ca|notes?|traces?)( de (ca|cela))?|la suite|la-dessus)""",
    "private": """(entre (nous( deux)?|toi et moi|vous et moi)|de toi a moi|off the record|en off
            hors micro|en (toute )?(confidence|confiance)|confidentiel(lement)?|(un|notre) secret|secret
            pour toi|sous le sceau (du secret|de la confidence)|hors (enregistrement|proces-verbal
            memoire)|officieusement)""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (s'il|stp|svp|nulle|dans (tes|ta|ton)|que|parce|mais|et|car|si|ok
            hein|jamais|c'est|je|j'ai|sur|merci|quand|d'accord|pour|part|a mon|tout de|en (memoire
            tete))(?![a-z]))""",
    "pause": "(?= *($|[,;:.!?…)–—-])| (s'il|stp|svp|hein|mais|parce|ok)(?![a-z]))",
    "gone": """((tout )?ce (que|qu')( ?je| ?j'| ?on)( te| vous| lui)? ?(viens|venons|vient) (juste )?(de
            d')( te)? ?(dire|raconter|ecrire|confier|parler|envoyer|avouer|mentionner)
            (tout )?ce que (je t'ai|j'ai|on a|je vous ai) (juste )?(dit|raconte|ecrit
            confie)( sur( _){1,3}?)? {before}|(mon|mes|le|ce|les|cette|ma|la|notre)( deux| trois)? (dernier
            derniere|dernieres|derniers|precedent|precedente) (messages?|phrases?|remarques?|commentaires?
            chose|confidence|conversation|discussion|propos|echange|mots?|partie|reponse)( que _ _ _)?
            (mon message|ma phrase|ma remarque) (precedente?|d'avant)|tout ce (qui precede
            qu'on (a dit|s'est dit)( jusqu'ici)?)|ce (dernier )?message|ce dernier point
            la (conversation|discussion) (jusqu'ici|de tout a l'heure)|ca,? ce que je viens de dire)""",
    "before": """(a l'instant|tout a l'heure|juste avant|avant|il y a (un|une|deux|quelques) _|plus haut
            precedemment|dans mon dernier message|en dernier|juste maintenant|ci-dessus)""",
    "unsay": "(oubli|effac|sup?prim|ignor|retir|enlev|annul|ray)(e|ez|er|es)(-(le|la|les))?( donc| tout)?",
    "ahead": "(quelque chose|un secret|ce (que|qui) (je|j'|va|suit|vient)|la suite)",
    "tell_signs": "dis dites rappel racont me_dire",
    "tell": """(({polite}) )?((dis|dites|rappelle|rappelez|redis|raconte)[ -](moi|nous)|me (dire|rappeler
            redire))( encore)?,? ({asked}|tout ce que|(de )?(mon|ma|mes|notre|nos)|(le|la|l') ?{datum})""",
    "asked": """quel(le)?s?|quand|qui|ou|comment|combien|pourquoi|ce que|ce qu'|si
        (a|de|en|avec) (quel(le)?|quoi|qui)""",
    "datum": "(nom|date|jour|adresse|numero|code|prix|titre|heure|age)s?",
    "behave": "arrete|ne|n'|jamais|toujours|sois|parle|ecris|reponds|utilise|evite",
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
