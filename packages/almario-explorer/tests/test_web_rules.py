"""Which addresses are anybody's, and which are this machine's or its neighbours', in every spelling."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario_explorer.rules import is_public, target_of
from almario_explorer.web import WebError
from tests.tables import each_row

INNER = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "168.63.129.16/32",
    "::/8",
    "100::/64",
    "64:ff9b:1::/48",
    "2001::/32",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
]


def addresses(network: str) -> st.SearchStrategy[str]:
    found = ipaddress.ip_network(network)
    return st.integers(int(found[0]), int(found[-1])).map(lambda n: str(type(found[0])(n)))


def wrappings(address: str) -> list[str]:
    """Return the addresses that stand for another one, which is an IPv4 address."""
    number = int(ipaddress.IPv4Address(address))
    return [
        str(ipaddress.IPv6Address(prefix + (number << shift)))
        for prefix, shift in [
            (0xFFFF << 32, 0),
            (int(ipaddress.IPv6Address("64:ff9b::")), 0),
            (0x2002 << 112, 80),
            (0, 0),
        ]
    ]


@given(st.sampled_from(INNER[:16]).flatmap(addresses))
def test_no_inner_address_is_public_in_any_wrapping(address: str) -> None:
    assert not is_public(address)
    assert not any(map(is_public, wrappings(address)))


@given(st.sampled_from([each for each in INNER if ":" in each and each != "::/8"]).flatmap(addresses))
def test_no_inner_address_of_the_new_kind_is_public(address: str) -> None:
    assert not is_public(address)
    assert not is_public(f"{address}%eth0")


@each_row(
    "address",
    ["::1", "::", "fd00:ec2::254", "fe80::1%lo", "2606:4700::1%eth0", "", "localhost", "1.2.3", "٣.1.1.1"],
)
def test_what_is_no_public_address_is_none(address: str) -> None:
    assert not is_public(address)


@each_row(
    "address",
    ["93.184.216.34", "8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
)
def test_what_anybody_may_call_is_public(address: str) -> None:
    assert is_public(address)


@each_row(
    ("url", "same"),
    [
        ("http://Example.COM", "http://example.com/"),
        ("https://example.com:443/a?b=c#d", "https://example.com/a?b=c"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("http://example.com./", "http://example.com/"),
        ("http://ñandú.example/ñ?q=ñ", "http://xn--and-6ma2c.example/%C3%B1?q=%C3%B1"),
        ("http://[2606:4700:4700::1111]:8080/", "http://[2606:4700:4700::1111]:8080/"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
    ],
)
def test_a_web_address_is_told_in_one_way(url: str, same: str) -> None:
    assert target_of(url).url == same
    assert target_of(same).url == same


@each_row(
    "rest",
    [" b", "\0", "\nHost: other.example", "\t", "\u200b", "\\..", "x" * 3000],
    ids=lambda rest: repr(rest[:20]),
)
def test_an_address_with_signs_that_none_has_or_too_many_is_none(rest: str) -> None:
    with pytest.raises(WebError, match="not a web address"):
        target_of(f"http://a.example/{rest}")


@given(
    st.text() | st.text(alphabet="htps:/.@[]%0123456789abcdefx#?\\ \n\t-_").map(lambda rest: f"http://{rest}")
)
def test_any_text_is_an_address_or_a_sentence(url: str) -> None:
    try:
        target = target_of(url)
    except WebError:
        return
    assert target.scheme in ("http", "https")
    assert target.host
    assert target.path.startswith("/")
    assert f"{target.host}{target.path}".isascii()
    assert " " not in target.url
    assert target_of(target.url) == target


@given(st.integers(0, 2**32 - 1), st.sampled_from(["{}", "0x{:x}", "0{:o}", "0X{:X}"]))
def test_an_address_as_one_number_is_none(number: int, form: str) -> None:
    with pytest.raises(WebError):
        target_of(f"http://{form.format(number)}/")


@each_row("is_own", [True, False])
def test_nothing_is_at_port_0_nor_at_a_name_that_no_resolver_takes(is_own: bool) -> None:
    for url in ("http://example.com:0/", f"http://{'a.' * 130}com/"):
        with pytest.raises(WebError):
            target_of(url, is_own=is_own)
