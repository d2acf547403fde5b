"""Secrets in commands: where each program is told a password or a key."""

from almario.text.secrets.patterns import Place

_WORD = r"[\"']?([^\s\"'\x00]{4,})"
# Who asks for a password on its input: `echo … | sudo -S`, `echo ana:… | chpasswd`.
_READERS = (
    r"(?:sudo (?:-[a-zA-Z-]{1,8} )?-S|(?:sudo )?(?:passwd|smbpasswd|cryptsetup|kinit|gpg|docker login"
    r"|podman login|helm registry login|ecryptfs-[a-z-]{4,24}|vncpasswd|xargs -0 vncpasswd)\b)"
)
COMMANDS = (
    Place(
        r"\s(?:-u|--user|--proxy-user)",
        r"\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"'\x00]{1,64}:([^\s\"'\x00]{3,})",
    ),
    Place(
        r"\s-[pPkw]|\s-U",
        r"\b(?:7z[ar]?\s[a-z]{1,2}\b[^\n]{0,80}?\s-p|(?:un)?zip\b[^\n]{0,60}?\s-P\s{0,2}"
        r"|unrar\s[a-z]\s[^\n]{0,60}?-p|openssl\s[a-z0-9]{2,12}\b[^\n]{0,80}?\s-k\s{1,2}"
        r"|mosquitto_[a-z]{2,4}\b[^\n]{0,120}?\s-P\s{1,2}|ldap[a-z]{3,8}\b[^\n]{0,120}?\s-w\s{1,2}"
        r"|ipmitool\b[^\n]{0,80}?\s-P\s{1,2}|(?:useradd|usermod|az login|vncdo|nxcmd|crackmapexec|netexec|nxc"
        r"|evil-winrm|sqlcmd|bcp|mongosh?|mongodump)\b[^\n]{0,80}?\s-(?:p|P|pw)\s{1,2}"
        r"|(?:plink|pscp|psftp)\b[^\n]{0,60}?\s-pw\s{1,2}|smbclient\b[^\n]{0,80}?\s-U\s{1,2}[^\s%]{1,40}%"
        r"|htpasswd\s-[a-z]{1,4}\s\S{1,80}\s\S{1,40}\s)" + _WORD,
    ),
    Place(
        r"sshpass|mysql|mariadb|redis-cli|docker login|pass(?:in|out) pass:|identified by|/user:|sudo -S",
        r"(?:\bsshpass -p\s?|\b(?:mysql|mariadb)\w{0,8}\b[^\n]{0,80}?\s-p"
        r"|\bredis-cli\b[^\n]{0,60}?\s-a\s{1,2}|\bdocker login\b[^\n]{0,80}?\s-p\s{1,2}"
        r"|\b(?:passin|passout) pass:|\bidentified by (?:password )?[\"']|\s/user:[^\s]{1,64}\s)" + _WORD,
    ),
    Place(
        r"chpasswd|newusers",
        r"\b(?:echo"
        r"|printf)(?: -[a-z]{1,2})?\s[\"']?[a-z_][\w.-]{0,31}:([^\s\"'\x00]{3,64}?)(?:\\n)?[\"']?\s{0,2}"
        r"\|\s{0,2}(?:sudo )?(?:chpasswd|newusers)|\b(?:chpasswd|newusers)\b[^\n<]{0,20}<<<\s{0,2}[\"']?"
        r"[a-z_][\w.-]{0,31}:([^\s\"'\x00]{3,64})",
    ),
    Place(
        r"\|\s{0,2}(?:sudo|passwd|smbpasswd|cryptsetup|kinit|gpg|docker|podman|helm|ecryptfs|vncpasswd"
        r"|xargs)",
        rf"\b(?:echo"
        rf"|printf)(?: -[a-z]{{1,2}})?\s[\"']?([^\s\"'\x00]{{4,64}}?)(?:\\n[^\s\"']{{0,64}})?[\"']?\s{{0,2}}"
        rf"\|\s{{0,2}}{_READERS}",
    ),
    Place(
        r"\bnet user|wpa_passphrase|dscl|mysqladmin|xfreerdp|/p:|kinit|cmdkey",
        r"(?:\bnet user [\w.-]{1,40} |\bwpa_passphrase (?:\"[^\"\n]{1,32}\"|'[^'\n]{1,32}'|\S{1,32}) "
        r"|\bdscl \S{1,20} -passwd /Users/\S{1,40} |\bmysqladmin\b[^\n]{0,60}? password "
        r"|\b[xw]l?freerdp\b[^\n]{0,80}? /p:|\bcmdkey\b[^\n]{0,80}? /pass:"
        r"|\bkinit\b[^\n]{0,60}<<<\s{0,2})[\"']?([^\s\"'/*\x00][^\s\"'\x00]{3,})",
    ),
    # `snyk auth …`, `ngrok config add-authtoken …`, `poetry config pypi-token.pypi …`.
    Place(
        r"\b(?:auth|login|[a-z-]{0,8}token|activate|register)(?:[.:][\w.-]{1,40})?\s",
        r"(?:\A|[\n`$>;&|(\"':]\s{0,3}|\b(?:npx|sudo|run|bunx|exec|with|con|avec"
        r"|com) )[a-z][a-z0-9_.-]{1,24} (?:(?:config|set|auth|account|cloud|add)[a-z:-]{0,12} ){0,2}(?:auth"
        r"|login|authenticate|(?:[a-z]{1,10}-)?(?:auth)?token|auth:token|activate"
        r"|register)(?:[.:][\w.-]{1,40})?(?: --?[a-z-]{1,16})?[ =][\"']?([a-z0-9_.~+/=-]{16,})",
        "random",
        "token",
    ),
    # What a package manager enters a private registry with: `bundle config gems.example.com ana:…`.
    Place(
        r"\bconfig\s",
        r"\b(?:bundle|composer|poetry|npm|yarn|pnpm|pip|nuget|conan|gem|hex|mix)\s(?:config|hex)\s"
        r"(?:(?:set|add|edit"
        r"|--?[a-z-]{1,12})\s){0,3}[\"']?[\w.:/@*-]{3,120}[\"']?[ =][\"']?(?:[\w.@+-]{1,64} )?"
        r"(?:[\w.@+-]{1,64}:)?([^\s\"':/\x00]{6,128})",
        "strong key",
    ),
)
