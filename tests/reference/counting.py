"""Slow twins of reading: plain Python over lists of (user, time in seconds, place)."""

import math
from collections import defaultdict
from datetime import UTC, datetime, timedelta

DAY = 86_400


def week_of(second, start_day):
    """The calendar week of a moment (UTC), by the date of its first day; start_day 0 is Monday."""
    date = datetime.fromtimestamp(second, UTC).date()
    return date - timedelta(days=(date.weekday() - start_day) % 7)


def halves(events, start_day=0, longer_first=False):
    """N16 IV-C: the first half of each person's active weeks against the second."""
    weeks = defaultdict(set)
    for user, second, _ in events:
        weeks[user].add(week_of(second, start_day))
    first, second_part = [], []
    for event in events:
        active = sorted(weeks[event[0]])
        if len(active) < 2:
            continue
        size = math.ceil(len(active) / 2) if longer_first else len(active) // 2
        (first if week_of(event[1], start_day) in active[:size] else second_part).append(event)
    return first, second_part


def counts(events):
    """How often each person was at each place."""
    table = defaultdict(int)
    for user, _, place in events:
        table[user, place] += 1
    return dict(table)


def dwell(events, start, stop):
    """UN13 IV-A: at every second of the window, the place of the day's latest record so far."""
    table = defaultdict(int)
    by_day = defaultdict(list)
    for user, second, place in events:
        by_day[user, second // DAY].append((second % DAY, place))
    for (user, _), records in by_day.items():
        for second in range(start, stop):
            before = [record for record in records if record[0] <= second]
            if before:
                table[user, max(before)[1]] += 1
    return dict(table)


def overnight_dwell(events, start, stop, weekdays):
    """UN13 IV-C, days in a row as one trace: at every second, the place of the person's latest record so far.

    A person's very last record lasts to the window's end on its own day.
    """
    days = [second // DAY for _, second, _ in events]
    used = [day for day in range(min(days), max(days) + 1) if (day + 3) % 7 in weekdays]  # 1970 began on a Thursday
    table = defaultdict(int)
    for user in {event[0] for event in events}:
        records = sorted((second, place) for who, second, place in events if who == user)
        lasts_to = records[-1][0] // DAY * DAY + stop
        for day in used:
            opens = day * DAY + (start if day - 1 not in used else 0)
            closes = day * DAY + (stop if day + 1 not in used else DAY)
            for second in range(opens, closes):
                before = [record for record in records if record[0] <= second]
                if before and (before != records or second < lasts_to):
                    table[user, before[-1][1]] += 1
    return dict(table)


def best_weeks(events):
    """N16 IV-B: the 14 days with most people active in both weeks.

    Of equals the one whose scarcer week has most days of activity, over these people; then the earliest.
    """
    days = defaultdict(set)
    for user, second, _ in events:
        days[user].add(second // DAY)
    everyone = {day for active in days.values() for day in active}
    best = (0, 0, None, set())
    for start in range(min(everyone) - 13, max(everyone) + 1):
        weeks = [
            {user: sum(opening <= day < opening + 7 for day in active) for user, active in days.items()}
            for opening in (start, start + 7)
        ]
        both = {user for user in days if weeks[0][user] and weeks[1][user]}
        scarcer = min(sum(week[user] for user in both) for week in weeks)
        if (len(both), scarcer) > best[:2]:
            best = (len(both), scarcer, start, both)
    return best[2:]


def points(events, shares, of):
    """M18 5.1: each person's events before and after a share of their events, or of their time."""
    first, second_part = [], []
    for user, share in shares.items():
        own = sorted(second for who, second, _ in events if who == user)
        turn = own[int(share * len(own))] if of == "events" else own[0] + share * (own[-1] - own[0])
        mine = [event for event in events if event[0] == user]
        before = [event for event in mine if event[1] < turn]
        if before:
            first += before
            second_part += [event for event in mine if event[1] >= turn]
    return first, second_part


def cell(lat, lng, side, box):
    """Row and column of a point in a grid of square cells over a box, or None outside."""
    radius = 6_371_008.8
    north = math.radians(lat - box[0]) * radius + box[2] / 2
    east = math.radians(lng - box[1]) * radius * math.cos(math.radians(box[0])) + box[2] / 2
    if not (0 <= north < box[2] and 0 <= east < box[2]):
        return None
    return math.floor(north / side), math.floor(east / side)
