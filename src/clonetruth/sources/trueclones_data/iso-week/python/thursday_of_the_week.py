from datetime import date, timedelta


def week_of(year, month, day):
    """A week has the number of its Thursday, which is never in doubt about its year."""
    given = date(year, month, day)
    thursday = given + timedelta(days=3 - given.weekday())
    return (thursday.timetuple().tm_yday - 1) // 7 + 1
