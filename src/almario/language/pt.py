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
    "articles": """
        o a os as um uma uns umas meu minha meus minhas nosso nossa nossos nossas teu tua teus tuas seu
        sua seus suas este esta esse essa
    """,
    "joins": "e mas",
    "but": "mas",
    "saying": """
        disse diz disseram contou escreveu perguntou pediu gritou respondeu cantou frase placa
    """,
    "lead": """
        por favor; oi; ola; ok; bom; ah; olha; e; mas; tambem; agora; entao; sim; obrigado; obrigada; a
        proposito; alias
    """,
    "tail": "por favor; obrigado; obrigada; ok; ta",
    "never": "lembra que te; lembra que eu te; lembra que voce",
    "remember": """
        lembra que …; lembra-te de que …; lembra-te que …; lembre que …; lembre-se de que …; lembre-se que
        …; lembra disso: …; nao esquecas que …; nao te esquecas de que …; nao te esquecas que …; nao
        esqueca que …; nao se esqueca de que …; nao se esqueca que …; nao esquece que …; tem em conta que
        …; tenha em mente que …; tem em mente que …; anota que …; anota: …; anota ai: …; anote que …; toma
        nota: …; guarda isto: …; quero que te lembres de que …; quero que voce lembre que …
    """,
    "remember_asked": """
        podes lembrar-te de que …; podes lembrar que …; voce pode lembrar que …; pode lembrar que …; podes
        anotar que …; pode anotar que …; poderia anotar que …
    """,
    "forget": """
        esquece que eu…; esquece o que te disse sobre …; esquece o que eu disse sobre …; esquece o que te
        contei sobre …; esqueca o que eu disse sobre …; esqueca o que te disse sobre …; esquece tudo o que
        te disse sobre …; esquece tudo sobre …; esqueca tudo sobre …; esquece o meu…; esquece a minha…;
        esquece meu…; esquece minha…; esqueca meu…; esqueca minha…; apaga o que te disse sobre …; apaga
        tudo o que sabes sobre …; quero que voce esqueca …; apaga … da tua memoria; apaga … da sua
        memoria; apague … da tua memoria; apague … da sua memoria; remova … da tua memoria; remova … da
        sua memoria
    """,
    "forget_asked": """
        podes esquecer o que te disse sobre …; voce pode esquecer o que eu disse sobre …; podes esquecer o
        meu…; podes esquecer a minha…
    """,
    "off": """
        entre nos; ca entre nos; aqui entre nos; fica entre nos; isto fica entre nos; isso fica entre nos;
        que fique entre nos; em off; off the record; nao anotes isto; nao anotes isso; nao anote isso; nao
        anota isso; nao guardes isto; nao guardes isso; nao guarde isso; nao guarda isso; nao escrevas
        isto; nao registres isto; nao registre isso
    """,
    "previous": """
        esquece o que acabei de dizer; esquece o que acabei de te dizer; esqueca o que acabei de dizer;
        esquece a minha ultima mensagem; esqueca minha ultima mensagem; apaga o que acabei de dizer;
        apague o que acabei de dizer; apaga a minha ultima mensagem; apaga a ultima mensagem; nao guardes
        o que acabei de dizer
    """,
    "tell": """
        diz-me que; diz-me quando; diz-me onde; diz-me quem; diz-me como; diz-me qual; me diz quando; me
        diz onde; me diz quem; me diga quando; me diga qual; me lembra quando; lembra-me quando; lembra-me
        qual
    """,
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
