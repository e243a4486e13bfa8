// The life of one town while nobody acts: the rules of town.cpp. Heists on their way are left to the server.
import { ratesOf, stockAfter } from './production';
import type { Construction, Lot, Population, Rules, Town } from './types';
import { atLevel, groupOf, groups, miceMax, stockMax, unitsPerWhole } from './types';

const addMice = (mice: number, more: number): number => Math.min(miceMax, mice + more);
const addWhole = (units: bigint, whole: number): bigint => {
  const sum = units + BigInt(whole) * unitsPerWhole;
  return sum > stockMax ? stockMax : sum;
};

function produce(town: Town, rules: Rules, to: number): void {
  const stock = stockAfter({ pizzas: town.pizzaUnits, coins: town.coinUnits }, ratesOf(town, rules), rules, town.at, to);
  town.pizzaUnits = stock.pizzas;
  town.coinUnits = stock.coins;
  town.at = to;
}

function removeMice(mice: Population, count: number): void {
  for (const group of groups) {
    const leaving = Math.min(mice[group], count);
    mice[group] -= leaving;
    count -= leaving;
  }
}

const bedsOf = (lot: Lot | undefined, rules: Rules): number =>
  lot?.building === 'house' ? atLevel(rules, 'house', lot.level).capacity : 0;

function complete(town: Town, rules: Rules, done: Construction): void {
  const before = bedsOf(town.lots[done.lot], rules);
  if (done.razing) {
    delete town.lots[done.lot];
    removeMice(town.population, before);
    return;
  }
  const lot = (town.lots[done.lot] ??= { building: done.building, level: done.level, tappedAt: null });
  lot.level = done.level;
  town.population.uneducated = addMice(town.population.uneducated, Math.max(0, bedsOf(lot, rules) - before));
}

// Takes the elements that are over out of a queue, and calls use(element) for each.
function take<Element>(queue: Element[], isOver: (element: Element) => boolean, use: (element: Element) => void): Element[] {
  return queue.filter((element) => {
    if (!isOver(element)) return true;
    use(element);
    return false;
  });
}

function completeAll(town: Town, rules: Rules): void {
  const { population } = town;
  town.constructions = take(
    town.constructions,
    (c) => c.completeAt <= town.at,
    (c) => complete(town, rules, c),
  );
  town.trainings = take(
    town.trainings,
    (t) => t.completeAt <= town.at,
    ({ education, amount }) => {
      population[groupOf[education]] = addMice(population[groupOf[education]], amount);
    },
  );
  town.travels = take(
    town.travels,
    (t) => t.returning && t.arrivalAt <= town.at,
    ({ thieves, coins }) => {
      population.thieves = addMice(population.thieves, thieves);
      town.coinUnits = addWhole(town.coinUnits, coins);
    },
  );
}

export function nextCompletion(town: Town): number | null {
  const times = [
    ...town.constructions.slice(0, 1).map((c) => c.completeAt),
    ...town.trainings.map((t) => t.completeAt),
    ...town.travels.filter((t) => t.returning).map((t) => t.arrivalAt),
  ];
  return times.length > 0 ? Math.min(...times) : null;
}

const copyOf = (town: Town): Town => ({
  ...town,
  lots: Object.fromEntries(Object.entries(town.lots).map(([id, lot]) => [id, { ...lot }])),
  population: { ...town.population },
});

// The town at `to`. At the same millisecond, constructions complete first, then trainings, then thieves return.
export function advanced(before: Town, rules: Rules, to: number): Town {
  const town = copyOf(before);
  for (let next = nextCompletion(town); next !== null && next <= to; next = nextCompletion(town)) {
    produce(town, rules, Math.max(next, town.at));
    completeAll(town, rules);
  }
  if (to > town.at) produce(town, rules, to);
  return town;
}
