def days_until(weekday, working_days):
    passed = 0
    while working_days > 0:
        passed += 1
        weekday = (weekday + 1) % 7
        if weekday < 6:
            working_days -= 1
    return passed
