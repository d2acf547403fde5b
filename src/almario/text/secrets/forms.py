"""The forms of keys: what their makers let them begin with, and how long they are."""

_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


def _forms(table: str) -> tuple[str, ...]:
    """Return the forms of a table, which are separated by spaces; its titles end in ":"."""
    rows = (row for row in table.replace("<uuid>", _UUID).splitlines() if not row.endswith(":"))
    return tuple(form for row in rows for form in row.split())


FORMS = _forms(
    r"""
    Language models and what serves them:
    sk-(?:proj|ant|or|svcacct|admin|lf|litellm)-[A-Za-z0-9_-]{10,} sk-[A-Za-z0-9]{20,} sk_[0-9a-f]{40,}
    hf_[A-Za-z0-9]{20,} api_org_[A-Za-z0-9]{20,} r8_[A-Za-z0-9]{30,} gsk_[A-Za-z0-9]{20,}
    nvapi-[A-Za-z0-9_-]{30,} (?:xai|pplx|tvly|tvly-dev|csk|fc|nfp)[-_][A-Za-z0-9]{20,}
    (?:jina|fw|e2b|phx|rpa)_[A-Za-z0-9]{20,} pcsk_[A-Za-z0-9_]{20,} lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}
    apify_api_[A-Za-z0-9]{20,} (?:AIza|AQVN)[A-Za-z0-9_-]{30,}
    Clouds:
    (?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{12,}\b ABSK[A-Za-z0-9+/]{100,}={0,2} LTAI[A-Za-z0-9]{12,24}\b
    GOCSPX-[A-Za-z0-9_-]{16,} ya29\.[A-Za-z0-9_-]{16,} AQ\.[A-Za-z0-9_-]{30,} 1//0[A-Za-z0-9_-]{30,}
    [A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34} do[opr]_v1_[0-9a-f]{40,} dapi[0-9a-f]{32}(?:-[0-9])?\b
    cf[ua]t_[A-Za-z0-9_-]{30,} v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,} HRKU-[A-Za-z0-9_-]{30,} pul-[0-9a-f]{40}
    fm[12][ar]?_[A-Za-z0-9_+/=-]{40,} fo1_[A-Za-z0-9_-]{40,} rnd_[A-Za-z0-9]{28,} vc[piark]_[A-Za-z0-9]{24,}
    sb[pn]_[0-9a-f]{40} sb_secret_[A-Za-z0-9_-]{20,} pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{30,}
    tk-us-[A-Za-z0-9_-]{40,} [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,} hv[sbr]\.[A-Za-z0-9_-]{20,}
    dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,} tskey-[a-z]+-[A-Za-z0-9-]{16,}
    SWMTKN-1-[A-Za-z0-9-]{40,} sha256~[A-Za-z0-9_-]{43} dnkey-[A-Za-z0-9_=-]{60,}
    Repositories, packages and the tools around them:
    gh[opusr]_[A-Za-z0-9]{16,} github_pat_[A-Za-z0-9_]{16,} GR1348941[A-Za-z0-9_-]{16,}
    AT(?:ATT|CTT)3[A-Za-z0-9_=-]{30,} gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{16,}
    bkua_[0-9a-f]{40} CCI(?:PAT|PRJ)_[A-Za-z0-9_]{20,} cio[A-Za-z0-9]{32}\b oy2[a-z0-9]{43}\b
    ATBB[A-Za-z0-9]{24,} (?:pat|sat)\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20} npm_[A-Za-z0-9]{20,}
    pypi-AgE[A-Za-z0-9_-]{20,} rubygems_[0-9a-f]{40,} dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,} CLOJARS_[a-z0-9]{60}
    AKCp[A-Za-z0-9]{60,} cmVmd[A-Za-z0-9]{59}\b sq[apu]_[0-9a-f]{40}\b sgp_[A-Za-z0-9_]{40,}
    API-[A-Z0-9]{26}\b pnu_[A-Za-z0-9]{36} gl(?:sa|c)_[A-Za-z0-9_+/=]{30,} sntry[su]_[A-Za-z0-9_+/=]{30,}
    PMAK-[0-9a-f]{20,}-[0-9a-f]{30,} NR(?:AK|II|JS|RA)-[A-Za-z0-9-]{19,}
    dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64} rdme_[a-z0-9]{60,} sm_[aps]at_[A-Za-z0-9]{16}\b
    ico-[A-Za-z0-9]{32}\b
    Messages and mail:
    xox[abcdeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,} (?:xapp|xwfp)-[A-Za-z0-9-]{10,}
    (?:bot)?[0-9]{8,10}:A[A-Za-z0-9_-]{34}\b mfa\.[A-Za-z0-9_-]{40,}
    [MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,} (?:AC|SK)[0-9a-f]{32}\b
    SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} key-[0-9a-f]{32}\b
    [0-9a-f]{32}-(?:[0-9a-f]{8}-[0-9a-f]{8}|us[0-9]{1,2})\b x(?:key|smtp)sib-[0-9a-f]{40,}-[A-Za-z0-9]{12,}
    mlsn\.[0-9a-f]{40,} re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{16,} AAAA[A-Za-z0-9_-]{7}:APA91[A-Za-z0-9_-]{60,}
    Money and shops:
    [sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,} whsec_[A-Za-z0-9+/]{16,}=* (?:live|test)_[A-Za-z0-9]{30,}
    EZ[AT]K[A-Za-z0-9]{50,} shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32} sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}
    EAA[A-Za-z0-9_-]{56,} FLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)? rzp_(?:live|test)_[A-Za-z0-9]{12,}
    (?:APP_USR|TEST)-[0-9]{10,}-[0-9]{4,6}-[0-9a-f]{32}[0-9-]* sup_sk_[A-Za-z0-9]{20,}
    access_token\$(?:production|sandbox)\$[a-z0-9]{10,}\$[0-9a-f]{24,} 6P[1-9A-HJ-NP-Za-km-z]{56}\b
    pk_[0-9]{6,10}_[A-Z0-9]{32} SCW[A-Z0-9]{17}\b shippo_(?:live|test)_[0-9a-fA-F]{40}
    duffel_(?:test|live)_[A-Za-z0-9_=-]{40,} access-(?:sandbox|development|production)-<uuid>
    [xt]prv[1-9A-HJ-NP-Za-km-z]{80,} [5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b S[A-Z2-7]{55}\b
    S[ACNOUX][A-Z2-7]{56}\b edsk[1-9A-HJ-NP-Za-km-z]{50,94}\b
    (?:ed25519|secp256k1):[1-9A-HJ-NP-Za-km-z]{80,90}\b
    (?:suiprivkey|secret-extended-key-main|ed25519e?_sk|addr_xsk|acct_xsk)1[a-z0-9]{50,}
    [yzuv]prv[1-9A-HJ-NP-Za-km-z]{80,} amzn\.mws\.<uuid> Atz[ar]\|[A-Za-z0-9_-]{50,}
    Everything else:
    secret_[A-Za-z0-9]{32,} ntn_[A-Za-z0-9]{30,} lin_(?:api|oauth)_[A-Za-z0-9]{20,} figd_[A-Za-z0-9_-]{20,}
    CFPAT-[A-Za-z0-9_-]{30,} pat[A-Za-z0-9]{14}\.[0-9a-f]{40,} tfp_[A-Za-z0-9_.=-]{50,}
    fio-u-[A-Za-z0-9_=-]{60,} p8e-[A-Za-z0-9]{32} [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
    A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b ops_eyJ[A-Za-z0-9+/]{40,}=*
    AGE-SECRET-KEY-1[A-Z0-9]{40,} oauth:[a-z0-9]{30}\b IGQV[A-Za-z0-9_-]{50,} s-s4t2(?:ud|af)-[0-9a-f]{64}
    RGAPI-<uuid> pat-[a-z]{2}[0-9]-<uuid> nsec1[a-z0-9]{50,} (?:sdk|api|mob)-<uuid> napi_[a-z0-9]{40,}
    aio_[A-Za-z0-9]{24,} gAAAAA[A-Za-z0-9_-]{60,}=* v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,}
    [0-9a-f]{24}:[0-9a-f]{64}\b 2[A-Za-z0-9]{26}_[A-Za-z0-9]{15,} tgp_v1_[A-Za-z0-9_-]{20,}
    pa-[A-Za-z0-9_-]{40,} wandb_v1_[A-Za-z0-9_]{20,} sl\.(?:[a-z]{1,2}\.)?[A-Za-z0-9_-]{60,}
    vk1\.a\.[A-Za-z0-9_-]{40,} LS0tLS1CRUdJTiB[A-CE-Z][A-Za-z0-9+/=]{40,}
    t1\.[A-Za-z0-9_-]{20,}={0,2}\.[A-Za-z0-9_-]{80,} (?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}\b
    (?:[0-9]{6}-){7}[0-9]{6}\b (?:prod|dev|preview|project):[a-z0-9:-]{3,60}\|[A-Za-z0-9+/=_-]{30,}
    [0-9]{1,7}\|[A-Za-z0-9]{40,56}\b
    """
)
# What only looks like a key must look random, too, and is withheld and not destroyed.
_LIKELY_FORMS = _forms(
    r"""
    sk-[A-Za-z0-9_-]{16,} (?:xai|pplx|tvly|csk|fc)-[A-Za-z0-9_-]{24,} pypi-[A-Za-z0-9_-]{20,}
    key-[0-9a-z]{32}\b s\.[A-Za-z0-9]{24}\b BSA[A-Za-z0-9_-]{24,} YC[A-Za-z0-9_-]{38}\b
    [A-Za-z0-9_-]{5,8}\.[A-Za-z0-9_-]{5,8}:[A-Za-z0-9_-]{16,64}
    (?:whk|tok|rt|sess|ctx7sk)[-_][A-Za-z0-9_-]{20,}
    """
)
SURE, LIKELY = (rf"\b(?:{'|'.join(forms)})" for forms in (FORMS, _LIKELY_FORMS))
