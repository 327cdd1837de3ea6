"""A passkey device in a few lines: what browsers and security keys compute, so that tests can also cheat."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64encode

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, HAS_KEY = 1, 4, 64


def text(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class SoftKey:
    """One passkey: makes itself known, and answers challenges. Its parts can be set to lie."""

    def __init__(self, host="localhost", origin="http://localhost", flags=PRESENT | VERIFIED):
        self.host, self.origin, self.flags = host, origin, flags
        self.id, self.uses = secrets.token_bytes(32), 0
        self.private = ec.generate_private_key(ec.SECP256R1())

    def made(self, challenge):
        numbers = self.private.public_key().public_numbers()
        x, y = (n.to_bytes(32, "big") for n in (numbers.x, numbers.y))
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        data = self._data(HAS_KEY) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", challenge)
        return self._answer(clientDataJSON=text(client), attestationObject=text(attested))

    def used(self, challenge, uses=1):
        self.uses += uses
        data, client = self._data(), self._client("webauthn.get", challenge)
        signed = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=text(client), authenticatorData=text(data), signature=text(signed))

    def _data(self, more=0):
        return (
            hashlib.sha256(self.host.encode()).digest() + bytes([self.flags | more]) + self.uses.to_bytes(4)
        )

    def _client(self, kind, challenge):
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _answer(self, **response):
        own = text(self.id)
        return json.dumps({"id": own, "rawId": own, "type": "public-key", "response": response})
