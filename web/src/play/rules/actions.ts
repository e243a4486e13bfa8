// What an action costs, how long it takes, and why it would be refused: the rules of actions.cpp, in the same order.
import type { Building, Education, Lot, LotId, Rules, Town } from './types';
import { atLevel, buildings, inhabitants, unitsPerWhole } from './types';

export type Refusal =
  | 'lot_taken'
  | 'lot_empty'
  | 'max_level'
  | 'queue_full'
  | 'not_enough_coins'
  | 'no_school'
  | 'too_few_uneducated'
  | 'not_tappable'
  | 'tapped_too_soon'
  | 'not_enough_thieves'
  | 'own_town';

// `cost` in coins and `ms` of game time are null if the rules refuse before they know them.
export interface Offer {
  refusal: Refusal | null;
  cost: number | null;
  ms: number | null;
}
const refused = (refusal: Refusal): Offer => ({ refusal, cost: null, ms: null });

export const coinsOf = (town: Town): number => Number(town.coinUnits / unitsPerWhole);
export const pizzasOf = (town: Town): number => Number(town.pizzaUnits / unitsPerWhole);

// The lot as it will be when its queued work is done.
export function plannedLot(town: Town, id: LotId): Pick<Lot, 'building' | 'level'> | null {
  const now = town.lots[id];
  let planned = now ? { building: now.building, level: now.level } : null;
  for (const queued of town.constructions) {
    if (queued.lot !== id) continue;
    planned = queued.razing ? null : { building: planned?.building ?? queued.building, level: queued.level };
  }
  return planned;
}

const hasBuilding = (town: Town, building: Building): boolean =>
  Object.values(town.lots).some((lot) => lot.building === building);

const isFirst = (town: Town, building: Building): boolean =>
  !hasBuilding(town, building) && !town.constructions.some((c) => !c.razing && c.building === building);

function enqueued(town: Town, rules: Rules, cost: number, ms: number): Offer {
  if (town.constructions.length >= rules.queues.constructions_max) return { refusal: 'queue_full', cost, ms };
  return { refusal: cost > coinsOf(town) ? 'not_enough_coins' : null, cost, ms };
}

export function offerConstruct(town: Town, rules: Rules, lot: LotId, building: Building): Offer {
  if (plannedLot(town, lot)) return refused('lot_taken');
  const price = isFirst(town, building) ? rules.buildings[building].first : atLevel(rules, building, 1);
  return enqueued(town, rules, price.cost, 1000 * price.seconds);
}

export function offerUpgrade(town: Town, rules: Rules, lot: LotId): Offer {
  const planned = plannedLot(town, lot);
  if (!planned) return refused('lot_empty');
  if (planned.level >= rules.buildings[planned.building].levels.length) return refused('max_level');
  const level = atLevel(rules, planned.building, planned.level + 1);
  return enqueued(town, rules, level.cost, 1000 * level.seconds);
}

export function offerRaze(town: Town, rules: Rules, lot: LotId): Offer {
  const planned = plannedLot(town, lot);
  if (!planned) return refused('lot_empty');
  const level = atLevel(rules, planned.building, planned.level);
  const { cost_percent, time_percent } = rules.razing;
  return enqueued(town, rules, Math.floor((level.cost * cost_percent) / 100), 10 * level.seconds * time_percent);
}

export function offerTrain(town: Town, rules: Rules, education: Education, amount: number): Offer {
  if (!hasBuilding(town, 'school')) return refused('no_school');
  const { cost, seconds } = rules.educations[education];
  const offer = { refusal: null, cost: cost * amount, ms: 1000 * seconds };
  if (town.population.uneducated < amount) return { ...offer, refusal: 'too_few_uneducated' };
  if (offer.cost > coinsOf(town)) return { ...offer, refusal: 'not_enough_coins' };
  return town.trainings.length >= rules.queues.trainings_max ? { ...offer, refusal: 'queue_full' } : offer;
}

// What a tap gives, and how long it is until the next one, in game time.
export function offerTap(town: Town, rules: Rules, id: LotId): { refusal: Refusal | null; gain: number; leftMs: number } {
  const lot = town.lots[id];
  if (!lot) return { refusal: 'lot_empty', gain: 0, leftMs: 0 };
  if (lot.building !== 'kitchen' && lot.building !== 'shop') return { refusal: 'not_tappable', gain: 0, leftMs: 0 };
  const gain = inhabitants(town.population) * (lot.building === 'kitchen' ? rules.taps.pizzas : rules.taps.coins);
  const leftMs = lot.tappedAt === null ? 0 : Math.max(0, lot.tappedAt + 1000 * rules.taps.every_s - town.at);
  return { refusal: leftMs > 0 ? 'tapped_too_soon' : null, gain, leftMs };
}

// The buildings that the player could afford on this lot, and what each costs.
export const offersFor = (town: Town, rules: Rules, lot: LotId): { building: Building; offer: Offer }[] =>
  buildings.map((building) => ({ building, offer: offerConstruct(town, rules, lot, building) }));
