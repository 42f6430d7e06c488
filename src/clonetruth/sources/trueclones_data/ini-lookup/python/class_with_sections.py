def read(lines, section, key):
    ini = Ini()
    for line in lines:
        ini.feed(line.strip(" "))
    return ini.sections.get(section, {}).get(key, "(missing)")


class Ini:
    def __init__(self):
        self.sections = {}
        self.open = {}

    def feed(self, line):
        if line == "" or line.startswith((";", "#")):
            return
        if line[0] + line[-1] == "[]":
            self.open = self.sections.setdefault(line[1:-1].strip(), {})
            return
        at = line.find("=")
        if at >= 0:
            self.open[line[:at].strip()] = line[at + 1 :].strip()
