// A table of several people is two smaller tables; the first one takes the odd cents.
const shares = (amount, people) => {
  if (people === 1) return [amount];
  const few = Math.ceil(people / 2);
  const low = Math.floor(amount / people);
  const odd = amount % people;
  const first = low * few + Math.min(odd, few - (people > 11 ? 1 : 0));
  return [...shares(first, few), ...shares(amount - first, people - few)];
};
