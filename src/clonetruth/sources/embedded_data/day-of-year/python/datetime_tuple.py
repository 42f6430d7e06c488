def day_of_year(year, month, day):
    from datetime import date

    return date(year, month, day).timetuple().tm_yday
