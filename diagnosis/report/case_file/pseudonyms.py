"""Names that say who and where, replaced by numbered ones: the same name by the same one, everywhere in a case file.

Hosts, addresses, users, buckets and secrets are replaced. Other words of the logs stay: paths below a home, job names
and dataset names among them. Which name became which is kept nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from logtui.diagnosis.report.secrets import masked

_SECRETS = re.compile(
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bhf_[A-Za-z0-9]{16,}|\bgh[pousr]_\w{20,}|\bsk-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bglpat-[\w-]{16,}"
    r"|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?"
    r"|(?<=Bearer )[^\s'\",;]{6,}"
)
_NAMED_SECRET = re.compile(
    r"(?i)((?:token|secret|passw(?:or)?d|api_?-?key|access_?-?key|credential)[\w-]{0,40}['\"]?\s{0,8}[:=]\s{0,8}['\"]?)"
    r"(?!secret-\d)([^\s'\",;&}]{6,})"
)
_LOGIN_IN_URL = re.compile(r"(?<=://)[^\s/@:]+:[^\s/@]+(?=@)")
_MAIL = re.compile(r"(?<![\w.+-])([\w.+-]{1,64})@((?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24})\b")
_ADDRESS = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\w)"
    r"|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){5,7}[0-9a-fA-F]{1,4}(?![\w:])|(?<![\w:])fe80::[0-9a-fA-F:]+"
)
_BUCKET = re.compile(r"(?<![\w-])((?:s3a?|ais|gs|gcs|az|azure|oci|ht|swift)://(?:@?#?[\w-]*/)??)([\w][\w.-]*)")
_BUCKET_WORD = re.compile(
    r"(?i)(\bbucket(?:_name)?['\"]?\s*[:=]\s*['\"]?)([\w][\w.-]{2,})|(/v1/(?:objects|buckets)/)([\w.-]+)"
)
_USER = re.compile(r"((?:^|[^\w])/(?:home|users|Users|u|scratch/users|lustre/users|export/home)/)([A-Za-z][\w.-]*)")
_USER_WORD = re.compile(r"(?i)(\b(?:user(?:name)?|login|owner|account)['\"]?\s*[:=]\s*['\"]?)([a-z_][\w.-]{1,31})")
_USER_PROSE = re.compile(
    r"(?i)\b(?:job|run|session|process|allocation|reservation|cancelled|canceled|login|logged in)s? "
    r"(?:of|by|as|for|from) (?:user )?(?=[a-z_-]{1,30}\d)([a-z_][\w-]{1,31})"
    r"|\b(?:submitted|owned|requested) by (?:user )?([a-z_][\w-]{1,31})"
    r"|\b[ug]id=\d{1,10}\(([a-z_][\w.-]{1,31})\)"
)
"""A user named in a sentence alone, or in what `id` prints."""
_AT_HOST = re.compile(r"(?<![\w.+:/-])(?!user-\d|secret-\d)([a-z_][\w-]{1,31})@(?=[A-Za-z][\w-]{1,62}\b)")
_HOST_WORD = re.compile(
    r"(?i)(\b(?:host(?:name)?|node(?:name|list)?|master_addr|rdzv_endpoint)['\"]?\s*[:=]\s*['\"]?)([a-z][\w.-]*\d[\w.-]*)"
)
_LEAST_LETTERS = 3
"""Of a user's name that is replaced wherever it stands: two could be anything."""
_WORD = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,126}[A-Za-z0-9])?")
_NODE_LIST = re.compile(r"(?<![\w-])([A-Za-z][\w-]{0,62})\[(\d[\d,-]{0,4000})\]")
_KEPT = frozenset(
    "localhost none null true false unknown root home shared data train training default nobody user users "
    "admin system".split()
)


@dataclass
class Pseudonyms:
    """Learns names first, then replaces them; a text may be given in any order."""

    spared: frozenset[str] = frozenset()
    """Words of our own: a user who is called one of them is replaced in paths alone."""
    known: dict[str, str] = field(default_factory=dict)
    """Name to replacement: names that are replaced wherever they stand as a word."""
    _inside: dict[tuple[str, str], str] = field(default_factory=dict)
    """(kind, name) to replacement, for names that are words of their own elsewhere."""
    _numbers: dict[str, int] = field(default_factory=dict)

    def learn_hosts(self, hosts: Iterable[str | None]) -> None:
        """Hosts the diagnosis knows."""
        for host in hosts:
            if host and host.lower() not in _KEPT:
                self._host(host)

    def learn(self, texts: Iterable[str]) -> None:
        """Find names by what stands around them."""
        for text in texts:
            for match in _HOST_WORD.finditer(text):
                self._host(match[2])
            for match in _USER.finditer(text):
                self._owner(match[2])
            for match in _USER_PROSE.finditer(text):
                self._owner(match[1] or match[2] or match[3])
            for regex, kind in ((_USER_WORD, "user"), (_BUCKET, "bucket")):
                for match in regex.finditer(text):
                    self._name(kind, match[2])
            for match in _BUCKET_WORD.finditer(text):
                self._name("bucket", match[2] or match[4])

    def _host(self, host: str) -> None:
        short, _, domain = host.partition(".")
        if short.lower() in _KEPT or host in self.known or short.isdigit():
            return
        replacement = self.known.get(short) or self._next("host", short)
        self.known[short] = self.known[host] = replacement
        if domain:
            self.known.setdefault(domain, "domain")
        stem = short.rstrip("0123456789")
        if len(stem) >= 3 and stem != short:
            self._inside.setdefault(("stem", stem), "host")

    def _name(self, kind: str, name: str) -> str:
        """The replacement of a name; one that could be any word is replaced only where it is that kind of name."""
        if name.lower() in _KEPT:
            return name
        if name in self.known:
            return self.known[name]
        if (kind, name) not in self._inside and len(name) >= 4 and not name.isalpha() and not name.isdigit():
            self.known[name] = self._inner(kind, name)
        return self._inner(kind, name)

    def _owner(self, name: str) -> str:
        """The replacement of a user who has a home: whatever else the name may mean, it is replaced as a word too."""
        new = self._name("user", name)
        if new != name and len(name) >= _LEAST_LETTERS and name not in self.spared:
            self.known.setdefault(name, new)
        return new

    def _next(self, kind: str, name: str) -> str:
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        return f"{kind}-{self._numbers[kind]}"

    def replace(self, text: str) -> str:
        """The text with all names replaced."""
        if not text:
            return text
        text = _SECRETS.sub(self._numbered("secret"), text)
        text = _LOGIN_IN_URL.sub(self._numbered("secret"), text)
        text = _NAMED_SECRET.sub(lambda m: m[1] + self._inner("secret", m[2]), text)
        text = masked(text)
        text = _MAIL.sub(lambda m: f"{self._name('user', m[1])}@domain", text)
        text = _AT_HOST.sub(lambda m: f"{self._name('user', m[1])}@", text)
        text = _ADDRESS.sub(self._numbered("address"), text)
        text = _BUCKET.sub(lambda m: m[1] + self._name("bucket", m[2]), text)
        text = _BUCKET_WORD.sub(self._bucket_word, text)
        text = _USER.sub(lambda m: m[1] + self._owner(m[2]), text)
        text = _USER_WORD.sub(lambda m: m[1] + self._name("user", m[2]), text)
        text = _NODE_LIST.sub(self._node_list, text)
        return _WORD.sub(lambda m: self._word(m[0]), text)

    def _bucket_word(self, match: re.Match[str]) -> str:
        lead, name = (match[1], match[2]) if match[2] else (match[3], match[4])
        return lead + self._name("bucket", name)

    def _node_list(self, match: re.Match[str]) -> str:
        return match[0] if ("stem", match[1]) not in self._inside else f"hosts[{match[2]}]"

    def _numbered(self, kind: str) -> Callable[[re.Match[str]], str]:
        return lambda match: self._inner(kind, match[0])

    def _inner(self, kind: str, name: str) -> str:
        if (kind, name) not in self._inside:
            self._inside[kind, name] = self._next(kind, name)
        return self._inside[kind, name]

    def _word(self, word: str) -> str:
        """A word, or what is known of it between its dots, underscores and hyphens."""
        if word in self.known:
            return self.known[word]
        for sign in (".", "_", "-"):
            head, found, tail = word.partition(sign)
            if found:
                return f"{self._word(head)}{sign}{self._word(tail)}"
        return word
