const peopleThrough = (events) =>
  [...events].reduce(
    (s, event) => {
      if (event === 'r') return { ...s, credit: 0, alarms: s.alarms === 3 ? 0 : s.alarms };
      if (s.alarms === 3) return s;
      if (event === 'c') return { ...s, credit: Math.min(s.credit + 1, 3) };
      if (s.credit === 0) return { ...s, alarms: s.alarms + 1 };
      return { credit: s.credit - 1, alarms: 0, passed: s.passed + 1 };
    },
    { credit: 0, alarms: 0, passed: 0 },
  ).passed;
