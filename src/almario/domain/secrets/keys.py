"""Secrets that show by their own form: vendors' keys, tokens, private keys, passwords in addresses."""

from collections.abc import Iterator
from typing import NamedTuple

from almario.domain.secrets.shapes import Span, looks_random, pattern

# No key is shorter, so text without a word this long needs no look.
SHORTEST = 16

_VENDORS = (
    r"sk-[A-Za-z0-9_-]{16,}",  # OpenAI, Anthropic, OpenRouter, DeepSeek
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",  # AWS
    r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|(?:ya29|AQ)\.[A-Za-z0-9_-]{30,}",  # Google
    r"gh[opusr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}",
    r"gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas)-[A-Za-z0-9_.-]{16,}",  # GitLab
    r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|(?:xapp|xwfp)-[A-Za-z0-9-]{10,}",  # Slack
    r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{20,}=*",  # Stripe
    r"(?:AC|SK)[0-9a-f]{32}\b",  # Twilio
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",  # SendGrid
    r"key-[0-9a-z]{32}\b|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b",  # Mailgun
    r"[0-9a-f]{32}-us[0-9]{1,2}\b",  # Mailchimp
    r"npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{20,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}",
    r"hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}",
    r"(?:xai|pplx|nvapi|tvly|csk|fc)-[A-Za-z0-9_-]{24,}|(?:jina|pcsk|fw|e2b|phx)_[A-Za-z0-9_]{20,}",
    r"lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}|sk_[0-9a-f]{40,}",  # LangSmith, ElevenLabs
    r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}\b",  # Telegram
    r"(?:mfa\.[A-Za-z0-9_-]{40,}|[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,})",  # Discord
    r"do[opr]_v1_[0-9a-f]{64}",  # DigitalOcean
    r"[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}",  # Azure
    r"dapi[0-9a-f]{32}(?:-[0-9])?\b",  # Databricks
    r"(?:secret|ntn)_[A-Za-z0-9]{40,}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}",  # Notion, Linear
    r"sb[pn]_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,}|vc[piark]_[A-Za-z0-9]{24,}",  # Supabase, Vercel
    r"cf[ua]t_[A-Za-z0-9_-]{30,}|v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,}",  # Cloudflare
    r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",  # Shopify, Square
    r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|figd_[A-Za-z0-9_-]{30,}|ATATT3[A-Za-z0-9_=-]{50,}",
    r"gl(?:sa|c)_[A-Za-z0-9_+/=]{30,}|hv[sbr]\.[A-Za-z0-9_-]{20,}|dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{30,}",
    r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}|NRAK-[A-Z0-9]{27}|HRKU-[A-Za-z0-9_-]{30,}|pul-[0-9a-f]{40}",
    r"sntry[su]_[A-Za-z0-9_+/=]{30,}|tskey-[a-z]+-[A-Za-z0-9-]{16,}|rnd_[A-Za-z0-9]{28,}",
    r"fm[12]_[A-Za-z0-9_+/=-]{40,}",
    r"EAA[A-Za-z0-9]{80,}|AGE-SECRET-KEY-1[A-Z0-9]{40,}|re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,}",
)
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


class _Form(NamedTuple):
    kind: str
    source: str
    # Which group is the secret; the whole match is judged by how random that looks, unless it is *sure*.
    group: int = 0
    sure: bool = False
    any_case: bool = False


_FORMS = (
    _Form("token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}", sure=True),
    _Form("api-key", r"\b(?:" + "|".join(_VENDORS) + ")"),
    _Form(
        "token",
        r"(?:\bbearer\s{1,3}|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:basic|token|apikey)\s{1,3})([a-z0-9_.~+/=-]{12,})",
        group=1,
        any_case=True,
    ),
    _Form(
        "token",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks)/([A-Za-z0-9/_-]{12,})",
        group=1,
    ),
    _Form("password", r"[a-zA-Z]://[^\s/:@\"'\x00]*:([^\s/?\x00]+)@[\w\[]", group=1, sure=True),
    _Form("agent-id", rf"\b(?:agent|asst|assistant)[-_](?:{_UUID}\b|[A-Za-z0-9]{{16,}}\b)"),
)
_BEGIN = r"-{4,5} ?BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: [0-9]+"
_END = r"-{4,5} ?END [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
# What follows a beginning without an end: header lines and long words; a short one only as the last.
_BODY = (
    r"(?:\s|\\[nr]|[\"'+>|]|[A-Z][A-Za-z-]{3,20}: [^\n\\]{0,80}(?:\n|\\n)|[A-Za-z0-9+/=]{16,})*"
    r"(?:[A-Za-z0-9+/=]+\s*\z)?"
)


def keys(raw: bytes) -> Iterator[Span]:
    """Find secrets that need no label; *raw* is text with one byte for each character."""
    for form in _FORMS:
        for match in pattern(form.source, any_case=form.any_case).finditer(raw):
            start, end = match.span(form.group)
            if form.sure or looks_random(raw[start:end]):
                yield Span(start, end, form.kind)


def private_keys(raw: bytes) -> Iterator[Span]:
    """Find private keys from their first line to their last, or as far as an unfinished one goes."""
    ends = pattern(_END).finditer(raw)
    end = next(ends, None)
    begins = list(pattern(_BEGIN).finditer(raw))
    for place, begin in enumerate(begins):
        while end and end.start() < begin.end():
            end = next(ends, None)
        limit = begins[place + 1].start() if place + 1 < len(begins) else len(raw)
        if end and end.end() <= limit:
            yield Span(begin.start(), end.end(), "private-key")
        else:
            body = pattern(_BODY).match(raw, begin.end(), limit)
            yield Span(
                begin.start(), begin.end() + len(raw[begin.end() : body.end()].rstrip()), "private-key"
            )
