import datetime


def iso_week(year, month, day):
    return datetime.date(year, month, day).isocalendar()[1]
