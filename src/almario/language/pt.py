"""Portuguese: the common words."""

from almario.language import Language, words

_TIMES = {
    "months": """janeiro; fevereiro; março; abril; maio; junho; julho; agosto; setembro; outubro; novembro;
        dezembro""",
    "short_months": "jan; fev; mar; abr; mai; jun; jul; ago; ; ; nov; dez",
    "weekdays": """segunda_feira segunda; terça_feira terça; quarta_feira quarta; quinta_feira quinta;
        sexta_feira sexta; sábado; domingo""",
    "seasons": "primavera; verão; outono; inverno",
    "numbers": """1 um uma; 2 dois duas par_de um_par_de; 3 três alguns algumas poucos; 4 quatro vários;
        5 cinco; 6 seis; 7 sete; 8 oito; 9 nove; 10 dez; 11 onze; 12 doze; 15 quinze; 20 vinte; 30
        trinta""",
    "ordinals": "primeiro primeira; segundo; terceiro terceira; quarto; quinto",
    "units": """day dia; days dias; week semana; weeks semanas; weekend fim_de_semana fds;
        weekends fins_de_semana; month mês; months meses; year ano; years anos""",
    "relative": """day-2 anteontem; day-1 ontem; day+0 hoje esta_manhã esta_tarde esta_noite hoje_à_noite;
        day+1 amanhã; day+2 depois_de_amanhã""",
    "holidays": """12-24..12-26 natal; 12-24..12-24 véspera_de_natal; 12-31..12-31 réveillon;
        01-01..01-01 ano_novo; easter-7..easter semana_santa; easter-2..easter+1 páscoa; 10-31..10-31
        dia_das_bruxas""",
    "the": "o a os as meu minha",
    "on": "na no ao do da em",
    "of": "de do da",
    "for": "para",
    "names": "natal abril páscoa domingo",
    "in": "em durante no na",
    "since": "desde a_partir",
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
    "begins": "começa começo começará inicia sobe aumenta passa_a passará_a vira",
    "past_ends": "ei ou amos emos imos aram eram iram ava avam",
}
LANGUAGE = Language(
    code="pt",
    name="portuguese",
    asking=words("que quem qual quais como onde quando quanto quanta quantos quantas porque por"),
    happening=words(
        """aconteceu aconteceram acontece fiz fez fizemos fizeram fazer feito houve passou foi foram era
        coisa coisas"""
    ),
    opening=words("quem qual quais quanto quanta quantos quantas"),
    former=words("antes anterior antigo antiga antigamente costumava"),
    amounts=words("quanto quanta quantos quantas quando que_horas que_hora que_dia data preco numero"),
    going_on=words("é_que porque mas e além alem também tambem então entao pois ela ele isso"),
    times=_TIMES,
    figures=words(
        """dois duas três tres quatro cinco seis sete oito nove dez onze doze quinze vinte trinta cem cento
        mil milhão milhões metade meia"""
    ),
)
