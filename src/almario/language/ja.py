"""Japanese: the common words. It is written without spaces: a word is found wherever it stands."""

from almario.language import Language, words

_TIMES = {
    "weekdays": """月曜日 月曜; 火曜日 火曜; 水曜日 水曜; 木曜日 木曜; 金曜日 金曜; 土曜日 土曜; 日曜日
        日曜""",
    "seasons": "春; 夏; 秋; 冬",
    "numbers": "1 一; 2 二; 3 三 数; 4 四; 5 五; 6 六; 7 七; 8 八; 9 九; 10 十",
    "units": """days 日間 日; week 週; weeks 週間; weekend 週末; months ヶ月 か月 カ月 ヵ月 ケ月 ヶ月間
        か月間; years 年間 年""",
    "relative": """day-2 一昨日 おととい; day-1 昨日 きのう 昨夜 昨晩; day+0 今日 きょう 今朝 今夜 今晩;
        day+1 明日 あした; day+2 明後日 あさって; week-2 先々週; week-1 先週; week+0 今週; week+1 来週;
        week+2 再来週; month-2 先々月; month-1 先月; month+0 今月; month+1 来月; year-2 一昨年 おととし;
        year-1 去年 昨年; year+0 今年; year+1 来年; year+2 再来年; weekend-1 先週末; weekend+0 今週末;
        weekend+1 来週末""",
    "holidays": """12-24..12-26 クリスマス; 12-24..12-24 クリスマスイブ; 12-31..12-31 大晦日;
        01-01..01-01 元日 元旦; 10-31..10-31 ハロウィン""",
    "of": "の",
    "on": "に",
    "and": "と か",
    "to": "から と",
    "last": "この前の 前の",
    "this": "今度の",
    "next": "次の",
    "back": "前",
    "hence": "後",
    "early": "上旬 初め",
    "mid": "中旬 半ば",
    "late": "下旬 末",
    "every": "毎",
    "day_sign": "日",
    "month_sign": "月",
    "year_sign": "年",
    "future": "予定 来週 来月 来年 明日 つもり",
    "past": "した った ました でした",
}
LANGUAGE = Language(
    code="ja",
    name="japanese",
    asking=words("何 誰 どこ いつ なぜ どうして どう どの どれ いくら いくつ なに だれ か"),
    happening=words("した ありました あった 起きた やった しました あり 何か こと"),
    opening=words("誰 何 どこ なぜ どの"),
    former=words("以前 前の 昔"),
    amounts=words("いくら 何時 いつ 何日 何人 何歳"),
    going_on=words("だって でも それで だから そして あと それに"),
    times=_TIMES,
    bare_weekdays=True,
)
