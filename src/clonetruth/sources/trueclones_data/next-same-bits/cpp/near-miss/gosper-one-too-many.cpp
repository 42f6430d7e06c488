int successor(int number) {
    const int lowest = number & -number;
    const int raised = number + lowest;
    // the ones that were passed move to the right end
    return raised | (raised ^ number) / lowest >> 1;
}
