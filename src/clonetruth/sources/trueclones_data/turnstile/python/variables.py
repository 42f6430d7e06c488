def people_through(events):
    credit = alarms = passed = 0
    for event in events:
        if event == "r":
            credit = alarms = 0
        elif alarms == 3:
            continue
        elif event == "c":
            credit = min(credit + 1, 3)
        elif credit:
            credit -= 1
            passed += 1
            alarms = 0
        else:
            alarms += 1
    return passed
