"""Joins the pieces of a street: points of one name that form a chain count as one thing."""

import numpy as np

from map_tools.maps.geodesic import Floats, sphere_m
from map_tools.types import LatLng

CHAIN_M = 1_500.0
"""Pieces whose middles are within this distance belong to one street; two streets of one name in one town
are usually farther apart."""


def one_of_each(lats: Floats, lngs: Floats, near: LatLng | None) -> list[int]:
    """One index for each chain of points: the one nearest to `near`, else the one nearest to its centre."""
    return [_chosen(lats, lngs, members, near) for members in _chains(lats, lngs)]


def _chains(lats: Floats, lngs: Floats) -> list[list[int]]:
    """Groups of indices linked by steps of at most `CHAIN_M`."""
    left = np.ones(len(lats), np.bool_)
    chains = []
    for start in range(len(lats)):
        if not left[start]:
            continue
        left[start] = False
        chain, reached = [start], [start]
        while reached:
            point = reached.pop()
            close = np.flatnonzero(left & (sphere_m(lats[point], lngs[point], lats, lngs) <= CHAIN_M))
            left[close] = False
            chain.extend(close.tolist())
            reached.extend(close.tolist())
        chains.append(chain)
    return chains


def _chosen(lats: Floats, lngs: Floats, members: list[int], near: LatLng | None) -> int:
    own_lats, own_lngs = lats[members], lngs[members]
    if near is not None:
        target = (near.lat, near.lng)
    else:
        target = (float(np.median(own_lats)), float(np.median(own_lngs)))
    return members[int(np.argmin(sphere_m(*target, own_lats, own_lngs)))]
