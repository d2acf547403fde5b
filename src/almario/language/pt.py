"""Portuguese: the common words."""

from almario.language import Language

_TIMES = {
    "months": """janeiro; fevereiro; março; abril; maio; junho; julho; agosto; setembro; outubro; novembro;
        dezembro""",
    "short_months": "jan; fev; mar; abr; mai; jun; jul; ago; ; ; nov; dez",
    "weekdays": """segunda_feira segunda; terça_feira terça; quarta_feira quarta; quinta_feira quinta;
        sexta_feira sexta; sábado; domingo""",
    "seasons": "primavera; verão; outono; inverno",
    "numbers": """1 um uma; 2 dois duas par_de um_par_de; 3 três alguns algumas poucos; 4 quatro vários; 5
        cinco; 6 seis; 7 sete; 8 oito; 9 nove; 10 dez; 11 onze; 12 doze; 15 quinze; 20 vinte; 30 trinta""",
    "ordinals": "primeiro primeira; segundo; terceiro terceira; quarto; quinto",
    "units": """day dia; days dias; week semana; weeks semanas; weekend fim_de_semana fds;
        weekends fins_de_semana; month mês; months meses; year ano; years anos""",
    "relative": """day-2 anteontem; day-1 ontem; day+0 hoje esta_manhã esta_tarde esta_noite hoje_à_noite;
        day+1 amanhã; day+2 depois_de_amanhã""",
    "holidays": """12-24..12-26 natal; 12-24..12-24 véspera_de_natal; 12-31..12-31 réveillon; 01-01..01-01
        ano_novo; easter-7..easter semana_santa; easter-2..easter+1 páscoa; 10-31..10-31 dia_das_bruxas""",
    "the": "o a os as meu minha",
    "on": "na no ao do da em",
    "of": "de do da",
    "for": "para",
    "names": "natal abril páscoa domingo",
    "in": "em durante no na",
    "since": "desde a_partir",
    "onwards": "a_partir",
    "until": "até",
    "before": "antes",
    "after": "depois após",
    "around": "por_volta",
    "about": "cerca_de uns umas quase",
    "between": "entre",
    "from": "de do da desde",
    "to": "a ao até à",
    "and": "e ou",
    "last": "passado passada passados passadas último última últimos últimas anterior",
    "last_after": "passado passada passados passadas anterior",
    "this": "este esta neste nesta esse essa nesse nessa deste desta",
    "next": "próximo próxima próximos próximas",
    "next_after": "próximo próxima que_vem que_vêm",
    "ago": "há faz",
    "back": "atrás",
    "ahead": "em daqui_a dentro_de",
    "early": "início começo princípio começos",
    "mid": "meados meio",
    "late": "fim final finais fins",
    "part": "manhã tarde noite madrugada",
    "every": "cada todo toda todos_os todas_as",
    "decade_sign": "os anos os_anos",
    "day_sign": "dia",
    "street": "rua avenida praça travessa sala voo",
    "things": "reais euros dólares pessoas vezes páginas quilos quilômetros",
    "future": "vou vamos vai vão próximo próxima que_vem amanhã",
    "plans": "tenho temos lembre me_lembra lembra_me quero",
    "past": "foi fui fomos foram fiz fez fizemos fizeram era estava teve tive disse ontem há houve",
    "future_ends": "arei erei irei aremos eremos iremos ará erá irá arão erão irão",
    "yearly": "aniversário aniversario",
    "begins": "começa começo começará inicia sobe aumenta passa_a passará_a vira",
    "past_ends": "ei ou amos emos imos aram eram iram ava avam",
}
_ORDERS = {
    "short": "sr sra dr dra prof eng av pag tel",
    "joins": "(?<!nao[ ])e|mas|entao|por isso",
    "lead": """por favor|se faz favor|faz favor|favor|ola|oi|ei|bom|bem|ok|olha|olhe|e|tambem|agora|entao
        primeiro|mas|obrigad[oa]|ah|oh|desculpa|desculpe|nao(?=[,.!])|sim|claro|melhor|ja|so|sabe o que
        a proposito|alias|outra coisa|mudei de ideias?|sempre|escuta|na verdade|importante|esquece(?=,)
        viu|gente|pronto|por isso|ai""",
    "thanks": "por favor|se faz favor|obrigad[oa]|valeu",
    "tail": """ta( bom| bem)?|ok|pode ser|sim|ja|por agora|por enquanto|para sempre|de vez|por completo
        mais|se puder(es)?|tambem""",
    "polite": """(voce |tu )?(pode|podes|podia|podias|poderia|poderias)( por favor| ja)*
        seria (bom|otimo|melhor) (se|que)( voce| tu)?|faz(-me)? o favor de|por favor|tens de|tem que|deves
        importas-te de
        (quero|preciso|gostava|gostaria|queria|prefiro|preferia|peco(-te)?
            agradecia)( de)? que( voce| tu)?( ja)?""",
    "articles": """o a os as um uma uns umas meu minha meus minhas nosso nossa nossos nossas teu tua teus
        tuas seu sua seus suas este esta esse essa""",
    "saying": """disse|diz|dizia|disseram|dizem|dizendo|pediu|pediram|escreveu|respondeu|gritou|musica
        placa|ditado|letra|falou""",
    "chat": """voce vc; voces vcs; nao n naum; tambem tbm; o_que oq; tudo td; por_favor pfv pfvr pff; depois
        dps; mensagem msgm mensagen; porque pke; lembra lenbra; esquece eskece""",
    "slips": """lembra lembrar lembre lembres esquece esqueca esquecas guarda guardes memoriza memoria
        mensagem registra registre anotes apague""",
    "remember_signs": """lembr esque anota anote em_conta presente em_mente guard regist grava
        memoriz saib sabendo toma_nota tome_nota tomar_nota aponta consideracao poe_ ponha coloca futuro
        proxima mete_ deixa_""",
    "remember": """lembr(a|e)(-te|-se)?( sempre| bem)?( de)?
        nao (te |se )?esque(ce|cas|ca|ces)(-te|-se)?( nunca)?( de)?
        (toma|tome) nota( de)?
        (ten|tem|tenha|leva|leve) {in_mind}
        (anota|anote|aponta|aponte|guarda|guarde|regista|registra|registe|registre|grava|grave|salva
            memoriza|memorize)( ai| isso| bem| isto| pra mim)*
        (fica|fique) (sabendo|a saber)|que nao te (escape|passe)|nao deixes? passar
        (poe|ponha|coloca|coloque|mete|mete|adiciona|bota)( isto| isso)? n[ao]s? {store}
        deixa (anotado|registr?ado|guardado)|faz(-te)? uma nota
        (para|pra) (que )?(ficares?|fiques?|saberes|saibas) (a saber|sabendo)?""",
    "aside": """(pra|para) (sempre|mim|a proxima( vez)?|o futuro|depois)|(de|a partir de) (agora|hoje)( em \
            diante)?|daqui (em|para|pra) (diante|frente)|ai|desta vez|dessa vez|n[ao]s? {store}|bem|ta( bom)?
            em algum (lado|lugar|sitio)|sempre|isso|isto""",
    "filler": """(te|dou|deixo|este|esta|isto|isso|um|uma|outro|outra|dado|nota|coisa|algo|vai|ai|aqui
            importante|mais|guarda|anota|que|e|para|toma|quero)""",
    "headed": """({filler} ){0,6}?((para|pra) (a |as )?(tua|sua)s? (memoria|notas)
            (para|pra) (que )?(te )?(lembrares|lembres|lembrar|anotar|nao esquecer(es)?)|este dado
            essa informacao)""",
    "heading": """(a )?(lembrar|anotar|nao esquecer)|(para|pra|a) (o futuro|a? ?proxima( vez)?)|nota mental
        (anota|anote|guarda|guarde|grava|salva|lembra|aponta|poe|bota) (isto|isso|o seguinte)""",
    "store": """(teu|seu|tua|sua|tuas|suas|teus|seus)? ?(notas|memoria|anotacoes|registr?os?|lista
            apontamentos|diario|agenda|cabeca|arquivos?|historico)""",
    "in_mind": "(em conta|presente|em mente|em consideracao)",
    "remembering": """(te |se )?lembr(es|e|ar)(-te|-se)?( de)?|nao (te |se )?esque(cas|ca)( de)?
        (anot|guard|apont|memoriz|lembr)(es|e|ar|asses?)|saibas?|regist(r?)(es|e|ar)
        (tenhas|tenha|ter|leves|leve) {in_mind}
        tom(es|e|ar) nota( de)?|{remember}""",
    "remember_rows": """…([,;–—-]+ *|[ ])(e |por favor )*(nao (te |se )?esque(cas|ca|ce) disso|anota isso
            lembra-te disso)
        …[,;–—-]+ *(e |por favor )*(nao (te |se )?esque(cas|ca|ce)( disso)?
            lembra-te( disso)?|anota( ai| isso)?|guarda isso|nao esquece( disso)?|tem isso {in_mind})""",
    "that": "(de )?que",
    "led": """(sou|tenho|moro|vivo|trabalho|odeio|prefiro|nao como|me chamo|chamo-me) _
        (o meu|a minha|meu|minha) _ (e|se|tem|mora) _""",
    "this": "isto|isso|disto|disso|o seguinte|uma coisa",
    "forget_signs": """esque apag deleta remove_o remove_a remova exclua exclui elimin tira_ tire_
        tirar lembr guard saib risca limpa desapare suma sumir saia fora pra_la para_la""",
    "forget": "(esquece|esqueca|esquecam|esquecamos)(-te|-se)?( ja| la)?|deixa de (te )?(lembrar|guardar)",
    "forgetting": """{forget}|esquecer(-te|-se)?|deixar de (te )?(lembrar|guardar)|(te |se )?esque(cas|ca
            ceres|cesse|cesses)""",
    "erase": """(apaga|apague|deleta|delete|remove|remova|exclui|exclua|elimina|elimine|tira|tire|risca
            risque|limpa|(deita|deite|joga|jogue) fora|retira|retire)( ja| ai|-me)?""",
    "erasing": """{erase}|(apag|delet|elimin|tir|risc)(ar|ues|ue|es|e|asses?)|(remov|exclu)(er|ir|a|as|esses?
            isses?)""",
    "own": """(o meu|a minha|meu|minha|o|a) (numero|endereco|morada|telefone|aniversario|salario|peso
            idade|senha|email|nome)""",
    "told": """(tudo )?(o|aquilo|isso|isto|a historia|essa historia) (que( _){1,5}? )?(sobre
            acerca d[eao]s?|d[eao]s?|com|a respeito d[eao]s?)
        tudo( o que| que)?( _){0,3}? (sobre|acerca d[eao]s?|d[eao]s?)
        (a|as|o|os|minha|meu|tua|sua|qualquer|todos os)( _)? (notas?|dados?|lembrancas?|informac(ao|oes)
            registr?os?|memorias?|anotac(ao|oes))( que( _){1,3}?)? (sobre|d[eao]s?|acerca d[eao]s?|que)
        que( eu)?( te| lhe)? (disse|contei|falei)( que)?""",
    "told_after": """que( eu)?( te| lhe| me)? (disse|contei|dei|falei|guardaste|guardou|sabes?|anotaste
            anotou|tens|tem)( _){0,3}""",
    "memory": """(d|n)(a|as|o|os|e) (tua |tuas |sua |suas |teus |seus |minha |meus )?(memorias?|notas
            lembrancas|cabeca|registr?os?|mente|anotacoes|apontamentos|base de dados|ficha|perfil|dados
            historico|arquivos)
        do que (sabes|voce sabe|sabe)( de mim| sobre mim)?
        d[ao]s? (tua|sua)s? listas?
        dai""",
    "about": """d[eao]s?|que|sobre|acerca d[eao]s?
        (isso|a historia|essa historia|o assunto|essa coisa) d[eao]s?( que)?
        o facto de( que)?""",
    "nothing": """(isso|isto|tudo|ele|ela|eles|elas|mim|ti|nada|que|algo|aquilo|la|coisas)
        tudo (isso|isto|o que .*)|o que .*|(quem|como|onde|quando|se) .*|[a-z]+[aei]r( .*)?
        (as |suas |tuas |todas as )+( _)?instrucoes( .*)?""",
    "because": "porque|ja que|pois|que ja|e (ja|diz|vamos|me)",
    "forget_rows": """(ja )?nao (precisa|precisas|e preciso|e necessario|quero|tens|tem|preciso
            ha necessidade)( mais| de| que| ja)* {hold}( mais)? …
        ja nao {hold} …
        ((quero|queria|gost(ava|aria)|preciso)( de)?( que)? )?{told} …([,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
            ,? ({may} {drop}|fora|para o lixo|pro lixo|apagado|removido|(que )?{out})( {memory})?)
        (quero|queria|gostava|gostaria|preciso)( de)?( que)? … ({out}|fora) {memory}
        que {out} {memory} …
        (que )?(?=(o|a|os|as|meu|minha|meus|minhas) )… ({out}|fora) {memory}
        (faz|faca|fazer) (desaparecer|sumir) (… {memory}|{memory} …)
        (deixa|deixe) (pra|para) la …[,;–—-]+ *(_ ){0,5}?{memory}([, ].*)?
        (?=(o|a|os|as|meu|minha|meus|minhas) _)…,? {may} {drop} {memory}
        (?=(o|a|os|as|meu|minha|meus|minhas) _)…,? (ja )?nao (precisas?|e preciso|e necessario
            tens|tem)( mais| de| que)* (te |se |[oa]s? )?(lembrar|guardar|lembres|lembre|guardes
            guarde)(-[oa]s?|-te)?( mais| disso)*
        (sobre|quanto a) …[,;:–—-]+ *(_ ){0,3}?{drop_it}([, ].*)?
        (?=(o|a|os|as|meu|minha|meus|minhas) _ _)…[,;:–—-]+ *(ja )?((podes|pode) )?esque(ce|ca
            cer)(-[oa]s?| isso| disso| dela?s?| ele)?([, ].*)?""",
    "drop_it": """(esquece|esqueca|apaga|apague|esquecer|apagar|elimina|elimine
            deleta)(-[oa]s?)?( isso| disso)?""",
    "may": "(ja )?(pode|podes|podem|deve|devem|podia|podias)( ja| por favor)*",
    "drop": """(apagar|esquecer|deletar|eliminar|tirar|remover|(deitar|jogar|ir) fora|sair|sumir|desaparecer
            ser (apagad|eliminad|removid)[oa]s?)""",
    "out": "(desapareca|suma|saia|seja apagad[oa]|seja removid[oa])m?",
    "hold": """(que )?(te |se |voce )*(lembres|lembre|lembrar(-te)?|guardes|guarde|guardar|saibas?
            saber)( mais)?( d[eao]s?(?= ))?""",
    "off_signs": """entre_ em_off guard anota anote apont regist grava grave escrev lembr memoriz
        confian confidenc segredo oficial salv escrit esque ouvi apag deleta disse dizer falei contei conta
        fica fique nota elimin remova ignora fora_d daqui palavra modo_ tira_ risca""",
    "off": """{unsay} (tudo )?{gone}
        {gone}[^,:;]{0,30}?[,:;–—. -]+(que )?(_ ){0,4}?({unsay}|{private}|{not} {not_it}{keep}
            nao (fique|deve|e (para|pra)))
        (deixa|deixe|tira|tire|mantem|mantenha|retira|risca|apaga) {gone} (fora )?d[ao]s? {store}
        (deixa|deixe|mantem|mantenha)( {that_is})? fora d[ao]s? {store}
        {that_is} fora d[ao]s? {store}
        fora d[ao]s? (tu|su|teu|seu)(as?|s)? _{pause}
        nem uma palavra( disto| disso)?( n[ao]s? {store})?{pause}
        (que )?({that_is} )?({not}|nao|nunca) ({that_is} )?(entre|entra|va|vai|chegue|conste|apareca|pare
            fique|fica)( _){0,2}? (n[ao]s?|(para|pra) ?[ao]?s?|as?) {store}
        modo (privado|incognito|anonimo|confidencial){pause}
        ({that_is} )*{not} {not_it}{keep}( isso| isto)?( n[ao]s? (tuas |suas |tua |sua )?_)? ?({gone}
            (?P<gone>o que( eu)?( te| lhe)? (disse|falei|contei))|{it})?{stop}
        {that_is}( _){0,3}? (nao|nem) {not_it}({keep}|deve|precisa|e para)( _){0,3}?{stop}
        (?!nada grave)nada( disto| disso)?( _){0,2}? {keep}{stop}
        ({that_is} )?nao( _){0,2}? ((para|em) (as |a )?|n[ao]s? )(tuas?|suas?|teus|seus) (notas|memoria
            anotacoes|registr?os?|apontamentos)
        (que )?({that_is} )?({not}|nao|nem) ({that_is} )?(fique|fica|saia|sai|conste)( _){0,3}? (salv_
            guardad_|registr?ad_|anotad_|escrit_|gravad_|daqui|registr?o|n[ao]s? _)
        sem (registr?o|anotar|guardar|notas|gravar|salvar|ficar|que fique)( _){0,3}?{stop}
        (que |{that_is} )*(fica|fique|ficar|morre|deixa|deixemos|e|vamos manter|mantem
            mantenha)( _){0,2}? {private}
        (isto |isso |e |so |tudo |ca |aqui )*{private}({pause}| (eu|acho|o|a|nao|estou|odeio) )
        (te|lhe|vou|quero|posso|digo|conto|preciso|algo)( _){0,8}? ({private}{pause}|sem (que )?{keep})
        {unsay} (tudo )?o que( eu)?( te| lhe)? (vou|disser|digo)( _){0,3}?{stop}""",
    "that_is": """(isto|isso|esta (parte|conversa)|essa (parte|conversa)|este mensagem|nada (disto|disso)
            o que (se segue|vem|vou (dizer|contar))|tudo isto)""",
    "not": """(nao|nem|nunca)( (quero|precisa|precisas|e preciso|e necessario|vale a pena|gostaria
            queria))?( que| de)?( voce| tu)?
        (prefiro|preferia|queria|peco(-te)?|gostaria|melhor|quero|espero)( que)?( voce| tu)? (nao|nunca)
        evita|evite""",
    "not_it": "((o|a|me|te|lhe|se|isso|isto) )*",
    "keep": """((guard|anot|apont|grav|salv|armazen|arquiv)(es|e|a|ar|em|ado)(-[oa]|-te|-se)*|(regist
            registr)(es|e|a|ar|em)|escrev(as|a|e|er)|lembr(es|e|ar)|memoriz(es|e|a|ar)|tom(es|e|a
            ar) nota( d[eao]s?)?|(deixes|deixe|deixa|fique|fica) (registr?o|rastro|nota)( d[eao]s?)?
            (ponhas|ponha|poe|coloque|coloca|metas)(?= (isso |isto )?n[ao]s? ))""",
    "it": """(isto|isso|nada( (disto|disso|do que( _){1,5}?))?|(d)?o que (se segue|vem|vou|te|estou
            vem a seguir)( _){0,4}?|disto|disso|o seguinte|esta (parte|conversa|mensagem)|essa (parte
            conversa|mensagem))""",
    "private": """((so |aqui |ca |muito )*entre (nos|a gente|eu e (tu|voce)|ti e mim|mim e ti|voce e eu
            voce e mim)( dois| duas)?|off the record|em (off|confianca|segredo|confidencia)
            confidencial(mente)?|(um|nosso|o nosso) segredo|segredo|extraoficial(mente)?
            fora (do registr?o|da ata))""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (por|se faz|em (lado|lugar)|n[ao]s? (tu|su|mem)_|que|porque|mas|e
            nem|se|ta|viu|ok|nunca|ja|ainda|agora|sobre|mais|para|pra|obrigad_|ate|quando|so)(?![a-z]))""",
    "pause": "(?= *($|[,;:.!?…)–—-])| (por favor|ta|viu|mas|porque|ok)(?![a-z]))",
    "gone": """((tudo )?(isso|isto|o|aquilo)( ultimo)?( que)?( eu)?( te| lhe)? (acabei|acabamos
            acabo) de (te |lhe )?(dizer|contar|falar|escrever|mandar|confessar|mencionar|enviar|revelar)(-te)?
            (isso|o
            aquilo) que( eu)?( te| lhe)? (disse|falei|contei|escrevi|mandei)( sobre( _){1,3}?)? {before}
            (isso|isto) de (agora|ha pouco)( ha pouco)?|(a|minha|o|meu|essa|esse)( minha| meu)? (ultim
            anterior)(a|o)?( _)?( que( _){1,2})?|(a )?(minha )?mensagem (anterior|passada|de antes)
            (a|esta|nossa|a nossa) (ultima )?conversa (ate (agora|aqui)|anterior|de agora|de ha pouco)
            (a nossa|nossa) ultima conversa|tudo( o que( _){1,3}?)? ate (aqui|agora))""",
    "before": """(agora|agora mesmo|agora ha pouco|ha (pouco|bocado)|ha (um|uns) _|antes|por ultimo
            ultimamente|acima|mesmo agora|na (ultima|minha ultima) mensagem)""",
    "unsay": """(esque(ce|ca|cer|cas)(-te|-se)?|apag(a|ue|ar|ues)|delet(a|e|ar)|elimin(a|e|ar)|remov(e|a
            er)|ignor(a|e|ar)|exclu(i|a|ir)|risca)( d)?""",
    "ahead": "(algo|uma coisa|um segredo|o que( eu)?( te| lhe)? (vou|segue|vem))",
    "tell_signs": "diz dig conta conte lembr recorda",
    "tell": """(({polite}) )?(me )?(diz|diga|conta|conte|dizer|contar)(-me)?( la| de novo)?,? ({asked}
            o que|que|tudo o que|{mine}|(o|a) {datum})
        (({polite}) )?(me )?(lembra|lembre|relembra|recorda|lembrar)(-me)?( la| de novo)?,? ({asked}
            que {datum}|o que|{mine}|(o|a) {datum})""",
    "asked": "qual|quais|quando|quant[oa]s?|a?onde|quem|como|por que|se",
    "datum": "(nome|data|dia|endereco|morada|numero|telefone|codigo|preco|hora|idade)s?",
    "mine": "((d[eoa]s? |sobre )?(os? |as? )?(meus?|minhas?))",
    "behave": "para|pare|nao|nunca|sempre|se|fala|fale|escreve|responde|usa|evita",
}
LANGUAGE = Language(
    code="pt",
    name="portuguese",
    asking="que quem qual quais como onde quando quanto quanta quantos quantas porque por",
    happening="""aconteceu aconteceram acontece fiz fez fizemos fizeram fazer feito houve passou foi foram
        era coisa coisas""",
    opening="quem qual quais quanto quanta quantos quantas",
    former="antes anterior antigo antiga antigamente costumava",
    amounts="quanto quanta quantos quantas quando que_horas que_hora que_dia data preco numero",
    times=_TIMES,
    orders=_ORDERS,
    anew="agora já novo nova",
    negations="nao nunca jamais nada ninguem nenhum nenhuma nem",
    without="sem",
    turning=r"menos esque\w+",
    clauses="mas",
    i_am="sou",
    oneself="meu meus minha minhas mim comigo sou nosso nossa nossos nossas",
    figures="""dois duas três tres quatro cinco seis sete oito nove dez onze doze quinze vinte trinta cem
        cento mil milhão milhões metade meia""",
)
