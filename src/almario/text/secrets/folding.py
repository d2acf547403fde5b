"""Text as the finders of secrets read it: one plain byte for each character.

Letters with accents, wide letters and digits, and unusual spaces count as the
plain ones; what cannot be seen is left out; what secrets are called in Chinese,
Japanese and Korean becomes a sign of the same length.
"""

import unicodedata
from codecs import register_error
from collections.abc import Sequence
from functools import cache

from almario.text.secrets.patterns import ARROW, CJK

_ENCODING = "almario-plain"
# Letters of other alphabets.
_OTHER = "\xaa"
_INVISIBLE = frozenset(
    (0, 0xAD, 0x061C, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065))
) | frozenset((*range(0x300, 0x370), *range(0xFE00, 0xFE10)))
_SIGNS = {
    " ": "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))),
    "-": "‐‑‒–—―−",
    '"': "“”„‟«»「」『』【】《》",
    "'": "‘’‚‛‹›´",
    ",": "、",
    ".": "。",
    ARROW.decode("latin-1"): "→⇒➜➔⟶➡",
    "$": "€£¥₹₿",
    "\n": "\x85\u2028\u2029",
}
# Scripts that put no spaces between words: kana, Chinese characters, Hangul.
_SPACELESS = ((0x3040, 0x3100), (0x31F0, 0x3200), (0x3400, 0xA000), (0xAC00, 0xD7A4), (0xF900, 0xFB00))
# What stands for a password, a key, a telephone, a person's number or an account, and how it is written;
# a sign for each character.
PASSWORD, KEY, TELEPHONE, IDENTITY, ACCOUNT = "\x02", "\x03", "\x04", "\x05", "\x06"
OTHER_SCRIPTS = f"[{PASSWORD}{KEY}]"
_CALLED = {
    PASSWORD: "パスワード 暗証番号 パスコード パスフレーズ 合言葉 合い言葉 認証コード 確認コード 認証番号"
    " 確認番号 パスは パスが パス: パス： パス「 ピンコード 鍵の番号 鍵番号 錠の番号 鍵の暗証 鍵のコード"
    " ロックの番号 ロック番号 ダイヤル番号 解錠番号 解錠コード 開錠番号 開錠コード 解除番号 解除コード"
    " 暗号化キー 密码 密碼 口令 验证码 驗證碼 校验码 动态码 提取码 授权码 取件码 开门码 门禁码 开锁码"
    " 门锁号码 锁的号码 비밀번호 암호 비번 패스워드 인증번호 인증코드 핀번호 잠금번호 출입번호 пароль:"
    " Пароль: пин-код: Пин-код: ПИН-код: пин-код ПИН-код",
    KEY: "APIキー アクセスキー 秘密鍵 シークレット トークン 密钥 密鑰 秘钥 私钥 令牌 토큰 비밀키 API키",
    IDENTITY: "マイナンバー 個人番号 パスポート番号 旅券番号 免許証番号 在留カード番号 基礎年金番号"
    " 身份证号码 身份证号 身份证 身分證字號 身分證號碼 身分證 公民身份号码 护照号码 护照号 護照號碼 社保号"
    " 社会保障号 港澳通行证 주민등록번호 주민번호 여권번호 운전면허번호 외국인등록번호 СНИЛС ИНН",
    ACCOUNT: "口座番号 银行账号 银行卡号 銀行帳號 银行账户 계좌번호",
    TELEPHONE: "電話番号 電話 携帯番号 携帯 手机号 手机 手機 电话 전화번호",
}


# "Is" and the signs of a topic: what follows them is the password itself.
_IS = "是为為は는은"


class _Folding(dict[int, str | None]):
    """What each character is read as; None is not read at all."""

    def __missing__(self, code: int) -> str | None:
        self[code] = read = _read(code)
        return read


def _read(code: int) -> str:
    plain = unicodedata.normalize("NFKD", chr(code))[0]
    if unicodedata.digit(plain, None) is not None:
        return str(unicodedata.digit(plain))
    if plain.isascii():
        return plain
    spaceless = code > 0x1FFFF or any(
        first <= each < last for each in (code, ord(plain)) for first, last in _SPACELESS
    )
    return CJK.decode("latin-1") if spaceless else _OTHER


@cache
def _folding() -> tuple[_Folding, bytes]:
    """Return what each character is read as, and the same for the bytes of Latin-1."""
    folding = _Folding({code: chr(code) for code in range(0xC0)} | dict.fromkeys(_INVISIBLE))
    folding.update({ord(each): sign for sign, all_of_it in _SIGNS.items() for each in all_of_it})
    # Most of a text is plain: an encoder that asks about the rest is ten times faster than a translation.
    register_error(_ENCODING, _encoded)
    return folding, "".join(folding[code] or "\0" for code in range(0x100)).encode("latin-1")


def _encoded(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    folding, _ = _folding()
    return error.object[error.start : error.end].translate(folding).encode("latin-1"), error.end


def _called(text: str) -> str:
    for sign, words in _CALLED.items():
        for word in words.split():
            text = text.replace(word, sign * len(word))
    for each in _IS:
        text = text.replace(PASSWORD + each, PASSWORD * 2)
    return text


def flat(text: str) -> tuple[bytes, Sequence[int]]:
    """Return *text* with one plain byte for each character, and the place in *text* of each byte."""
    if text.isascii() and "\0" not in text:
        return text.encode("ascii"), range(len(text))
    folding, plain = _folding()
    raw = text.encode("latin-1", _ENCODING)
    if CJK in raw or _OTHER.encode("latin-1") in raw:
        raw = _called(text).encode("latin-1", _ENCODING)
    raw = raw.translate(plain).replace(b"\0", b"")
    if len(raw) == len(text):
        return raw, range(len(text))
    return raw, [place for place, character in enumerate(text) if folding[ord(character)] is not None]
