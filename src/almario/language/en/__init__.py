"""English."""

from almario.language import Language, bases
from almario.language.en.orders import ORDERS

_SMALL = """
    a about above after again all also am an and any are as at be because been before being below between
    both but by can could d did didn do does doesn doing don down during each few for from further had has
    have having he her here hers herself him himself his how i if in into is isn it its itself just ll m me
    might more most must my myself no nor not now of off on once only or other our ours ourselves out over
    own re s same shall she should so some such t than that the their theirs them themselves then there these
    they this those through to too under until up upon us ve very was wasn we were what when where whether
    which while who whom whose why will with would you your yours yourself yourselves"""
_ASKING = """
    what which who whom whose when where why how do does did don doesn didn can could will would shall should
    may might must is are am was were isn aren wasn weren have has had haven hasn hadn tell remind"""
_HAPPENING = """
    do does did done doing happen happens happened happening going go went on get got up to was were been be
    being is are there anything something things thing stuff occur occurred place took take taken back
    tell told say said"""
_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun;
bend bent; bet bets; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred;
bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown;
forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; leap leapt; learn learnt; leave left;
lend lent; lie lain; light lit; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden;
ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung;
sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; spend spent; spin spun; spring sprang
sprung; stand stood; steal stole stolen; stick stuck; sting stung; strike struck; swear swore sworn;
sweep swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told;
think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; weave wove woven;
weep wept; win won; wind wound; withdraw withdrew withdrawn; write wrote written; overcome overcame;
undergo underwent undergone; child children; man men; woman women; person people; foot feet; tooth teeth;
mouse mice; goose geese; knife knives; wife wives; shelf shelves; wolf wolves;
loaf loaves; half halves; good better best; bad worse worst
"""
_TIMES = {
    "months": """january; february; march; april; may; june; july; august; september; october; november;
        december""",
    "short_months": "jan; feb; mar; apr; ; jun; jul; aug; sep sept; oct; nov; dec",
    "weekdays": "monday; tuesday; wednesday; thursday; friday; saturday; sunday",
    "short_weekdays": "mon; tue tues; wed; thu thur thurs; fri; sat; sun",
    "seasons": "spring springtime; summer summertime; autumn fall; winter wintertime",
    "numbers": """1 a an one; 2 two couple couple_of a_couple_of a_couple; 3 three few a_few; 4 four
        several; 5 five; 6 six; 7 seven; 8 eight; 9 nine; 10 ten; 11 eleven; 12 twelve dozen a_dozen; 13
        thirteen; 14 fourteen; 15 fifteen; 18 eighteen; 20 twenty; 30 thirty; 40 forty; 50 fifty""",
    "ordinals": "first; second; third; fourth; fifth",
    "units": """day day; days days nights; week week; weeks weeks wks; fortnight fortnight fortnights;
        half half; weekend weekend; weekends weekends; month month; months months; quarter quarter; year
        year; years years yrs; decade decade decades""",
    "relative": """day-2 day_before_yesterday; day-1 yesterday last_night yday;
        day+0 today tonight tonite this_morning this_afternoon this_evening;
        day+1 tomorrow tmrw tmr; day+2 day_after_tomorrow; week-2 week_before_last; week+2 week_after_next;
        month-2 month_before_last; year-2 year_before_last; year+2 year_after_next;
        weekend-2 weekend_before_last; weekend+2 weekend_after_next""",
    "decades": """1920 twenties; 1930 thirties; 1940 forties; 1950 fifties; 1960 sixties; 1970 seventies;
        1980 eighties; 1990 nineties""",
    "holidays": """12-24..12-26 christmas xmas christmastime; 12-24..12-24 christmas_eve xmas_eve;
        12-25..12-25 christmas_day xmas_day; 12-26..12-26 boxing_day; 12-31..12-31 new_year_s_eve
        new_years_eve new_year_eve nye; 01-01..01-01 new_year_s_day new_years_day new_year_s new_years;
        01-06..01-06 epiphany three_kings_day; 02-14..02-14 valentine_s_day valentines_day valentine_s
        valentines; 10-31..10-31 halloween hallowe_en; easter-7..easter holy_week; easter-2..easter+1
        easter easter_weekend; easter-2..easter-2 good_friday; easter..easter easter_sunday;
        easter+1..easter+1 easter_monday""",
    "the": "the all_of",
    "on": "on",
    "of": "of",
    "for": "for",
    "in": "in during throughout over within month_of",
    "since": "since ever_since",
    "until": "until till til up_to up_until by",
    "before": "before prior_to",
    "after": "after",
    "around": "around circa roughly approximately towards",
    "about": "about around roughly approximately almost nearly",
    "between": "between",
    "from": "from",
    "to": "to until till through thru",
    "and": "and or",
    "last": "last past previous",
    "this": "this current",
    "next": "next coming upcoming",
    "back": "ago back earlier",
    "ahead": "in within",
    "hence": "from_now from_today later hence ahead time",
    "early": "early early_in beginning start",
    "mid": "mid middle",
    "late": "late late_in end",
    "part": "morning afternoon evening night",
    "every": "every each",
    # Also people: with a weak word beside them they are no times.
    "names": "april may june august summer autumn easter",
    # Also verbs, unless they have a capital.
    "verbs": "may march",
    "street": "street st avenue ave road rd room flight bus line building apartment apt unit highway route",
    "things": """pesos dollars bucks euros pounds usd people persons characters words pages users steps
        calories miles km kilometers kilometres meters metres feet kg kilos times percent floor grade
        time place attempt round chapter edition century street avenue ave percentile row item point
        step try graders grader birthday anniversary pm am o_clock oclock st rd hours minutes seconds
        guests members units pieces points votes copies""",
    "future": """will ll won_t shall going_to gonna next coming upcoming soon tomorrow later_on about_to
        planning_to plan_to we_re_doing i_m_doing are_we_doing am_i_doing""",
    "plans": """do_i_have do_we_have remind_me reminder see_you book_me book_us book_a schedule reserve
        plan plans planning need_to have_to has_to want_to hope_to due deadline appointment meeting_on
        upcoming let_s should must expect expecting leaving flying arriving is_coming are_coming starting""",
    "past": """did didn was were wasn weren had hadn been went got came saw made took told said gave ate
        bought found met ran spent felt thought knew wrote read heard left lost sent slept drove flew
        began broke brought built caught chose cut drank fell fought forgot grew held hurt kept paid put
        sold sang sat spoke stood swam taught threw woke won wore ago yesterday used_to was_going_to
        were_going_to""",
    "future_ends": "",
    "past_ends": "ed",
    "yearly": "birthday birthdays bday anniversary born",
    "born": "born",
    "turning": "turns turning",
    "being": "is s am m are re",
    "begins": """starts starting begins beginning takes_over rises rises_to goes_up goes_down drops_to
        becomes changes_to switches_to""",
    "other": "next_to as_soon_as need indeed speed hundred feed seed bed red",
}
LANGUAGE = Language(
    code="en",
    name="english",
    asking=_ASKING,
    happening=_HAPPENING,
    opening="""what whats what's who whos who's whose which why where_is where_are where_do where_did
        where_does when_is when_are when_do when_did when_does how_do how_did how_is how_much how_many
        how_old how_long i_wonder do_i do_you did_i can_i is_there""",
    former="before earlier previously formerly former previous used_to back_then originally",
    amounts="""how_much how_many how_old how_long how_far how_tall how_big how_heavy how_often when
        what_time what_date what_day what_size what_number date dates price number phone age""",
    times=_TIMES,
    orders=ORDERS,
    negations="no not never nor neither none nothing nobody nowhere cannot",
    without="without",
    denying="ex former formerly stopped quit avoid",
    denied="n't",
    turning=r"""less fewer forget forgets forgot (?:stop|stops|stopped|quit|quits)(?=_\w+ing\b) cut_out
        g(?:i|a)ve_up given_up""",
    clauses=r"but although though however because and(?=\s+(?:i|we|he|she|they|my|our|his|her|their)\b)",
    subjects="i we you he she it they",
    measures="""kg kilo gram g mg lb pound km kilometer mile m meter cm mm ft feet foot inch l liter ml
        euro dollar hour minute second day week month year""",
    anew="now new anymore instead",
    courtesy="owner user also please thanks thank",
    recalling="""remember remembered recall know knew known notes note noted memory memories said told
        tell mentioned yes yeah sure okay ok course right well""",
    noting="""called named name lives live living works work working has says call talked told spoke
        mentioned asked""",
    i_am="i'm i’m im i_am",
    oneself="i me my myself we our ours ourselves",
    hours="at by from until till",
    ever="always never",
    at_times="unless except when if sometimes",
    as_far="until only",
    weakening="""usually normally mostly generally often rarely seldom hardly almost much try avoid prefer
        may might can(?!['’]t) could where_possible""",
    even="even",
    only="only refuse decline",
    topics={
        "length": (
            """brief(?:ly)? concise(?:ly)? terse few_words keep_it_short
                (?:short|brief)_(?:answers|messages|replies|sentences)""",
            "at_length in(?:to)?_(?:great_|full_)?detail long_(?:answers|messages|replies) exhaustive",
        ),
        "formality": ("formal(?:ly)?", "informal(?:ly)? casual(?:ly)? slang"),
        "emojis": ("emojis?", ""),
    },
    limits="boundar limit rule never red_line forbid",
    manners=r"communicat style \btone\b voice speak",
    figures="""two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
        hundred thousand half quarter""",
    small=_SMALL,
    sorts="kind kinds type types many much",
    irregular=bases(_IRREGULAR),
    capitals=True,
)
