"""Certificates made for a test: a file with the key and the certificate that signs itself."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


def self_signed(path: Path, *, host: str = "127.0.0.1", ends: timedelta = DAY) -> Path:
    """A PEM file of a server that nobody vouches for.

    Args:
        path: Where to put it.
        host: The address or name that it is for.
        ends: When it expires, from now on.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a test")])
    is_name = any(map(str.isalpha, host))
    alternative = x509.DNSName(host) if is_name else x509.IPAddress(ip_address(host))
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + ends - 2 * DAY)
        .not_valid_after(now + ends)
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    own = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(own + certificate.public_bytes(serialization.Encoding.PEM))
    return path
