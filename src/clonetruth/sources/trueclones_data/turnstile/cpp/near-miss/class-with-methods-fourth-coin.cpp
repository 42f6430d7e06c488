class Turnstile {
    int credit_ = 0;
    int refused_ = 0;
    int people_ = 0;

public:
    bool blocked() const { return refused_ >= 3; }
    int people() const { return people_; }

    void coin() {
        if (!blocked() && credit_ <= 3) credit_++;
    }

    void push() {
        if (blocked()) return;
        if (credit_ == 0) {
            refused_++;
            return;
        }
        credit_--;
        people_++;
        refused_ = 0;
    }

    void reset() {
        credit_ = 0;
        refused_ = 0;
    }
};

int passengers(string events) {
    Turnstile gate;
    // every letter has its method
    void (Turnstile::*action[])() = {&Turnstile::coin, &Turnstile::push, &Turnstile::reset};
    for (char e : events) (gate.*action[string("cpr").find(e)])();
    return gate.people();
}
