"""Who may ask: anybody, who has the token, or who signs as the CDS Hooks specification has it (a JWT of a known client)."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from threading import Lock
from typing import Any

import jwt
from msgspec import Struct, field

ALGORITHMS = ("ES384", "RS384")
_LEEWAY = 30


class Shown:
    """The signed tokens that were shown, each good for one request; the oldest are forgotten where room ends."""

    def __init__(self, most: int = 100_000) -> None:
        self._most, self._ends, self._lock = most, dict[tuple[str, str], float](), Lock()

    def is_new(self, issuer: str, name: str, issued: float, ends: float) -> bool:
        """Whether a token comes for the first time; those that ran out before this one was issued are forgotten."""
        with self._lock:
            if (issuer, name) in self._ends:
                return False
            self._ends[issuer, name] = ends
            if len(self._ends) > self._most:
                over = [key for key, end in self._ends.items() if end + 2 * _LEEWAY < issued]
                for key in over or [next(iter(self._ends))]:
                    del self._ends[key]
            return True


class Access(Struct, frozen=True):
    """`token`: one that all clients share. `keys`: the JWK set of the clients, with the `audience` their tokens must name and
    the issuers (`iss`) that are known; no issuer named means any with one of the keys. A signed token is let in once (`jti`).
    """

    token: str = ""
    keys: Mapping[str, Any] | None = None
    audience: str = ""
    issuers: tuple[str, ...] = ()
    shown: Shown = field(default_factory=Shown)

    @property
    def open(self) -> bool:
        """Whether nothing is asked of a client."""
        return not self.token and self.keys is None

    def refuses(self, authorization: str, audience: str) -> str:
        """Why a request is refused; empty where it is let in. `audience`: the address that was asked, if none is configured."""
        if self.open:
            return ""
        scheme, _, given = authorization.partition(" ")
        if scheme.lower() != "bearer" or not given.strip():
            return "send `Authorization: Bearer TOKEN`"
        given = given.strip()
        if self.token and hmac.compare_digest(given.encode(), self.token.encode()):
            return ""
        return self._signed(given, self.audience or audience) if self.keys is not None else "the token is not the one configured"

    def _signed(self, given: str, audience: str) -> str:
        try:
            header = jwt.get_unverified_header(given)
            key = self._key(header)
            if key is None:
                return "the token is signed with a key that is not known here"
            claims = jwt.decode(
                given, key, algorithms=list(ALGORITHMS), audience=audience, leeway=_LEEWAY,
                options={"require": ["iss", "aud", "exp", "iat", "jti"]},
            )  # fmt: skip
        except (jwt.PyJWTError, KeyError, ValueError) as error:
            return f"the token is not valid ({type(error).__name__})"
        if self.issuers and claims["iss"] not in self.issuers:
            return "the token is of an issuer that is not known here"
        once = self.shown.is_new(str(claims["iss"]), str(claims["jti"]), claims["iat"], claims["exp"])
        return "" if once else "the token was used before: sign one for each request, with a `jti` of its own"

    def _key(self, header: Mapping[str, Any]) -> jwt.PyJWK | None:
        """The key that a token names, if it is of an algorithm that the specification allows."""
        if header.get("alg") not in ALGORITHMS or self.keys is None:
            return None
        for entry in self.keys.get("keys", ()):
            if entry.get("kid") == header.get("kid"):
                return jwt.PyJWK(entry, algorithm=header["alg"])
        return None
