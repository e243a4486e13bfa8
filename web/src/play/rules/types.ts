// A town as the rules see it. All times are game time in whole milliseconds.
import type { components } from '../../shared/schema';

export type Rules = components['schemas']['TribesRules'];

// The order is that of the numbers in the document.
export const buildings = ['kitchen', 'shop', 'house', 'school'] as const;
export const educations = ['chef', 'salesmouse', 'guard', 'thief'] as const;
export type Building = (typeof buildings)[number];
export type Education = (typeof educations)[number];
export const lotIds = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const;
export type LotId = (typeof lotIds)[number];

export interface Population {
  uneducated: number;
  chefs: number;
  salesmice: number;
  guards: number;
  thieves: number;
}
// In the order in which mice leave when a house is razed.
export const groups = ['uneducated', 'chefs', 'salesmice', 'guards', 'thieves'] as const;
export const groupOf = { chef: 'chefs', salesmouse: 'salesmice', guard: 'guards', thief: 'thieves' } as const;

export interface Lot {
  building: Building;
  level: number;
  tappedAt: number | null;
}
export interface Construction {
  completeAt: number;
  lot: LotId;
  building: Building;
  level: number;
  razing: boolean;
}
export interface Training {
  completeAt: number;
  education: Education;
  amount: number;
}
export interface Travel {
  arrivalAt: number;
  x: number;
  y: number;
  returning: boolean;
  thieves: number;
  coins: number;
}

export interface Town {
  at: number;
  // In units of 1/20000, so that nothing is ever rounded.
  coinUnits: bigint;
  pizzaUnits: bigint;
  lots: Partial<Record<LotId, Lot>>;
  population: Population;
  constructions: Construction[];
  trainings: Training[];
  travels: Travel[];
  x: number;
  y: number;
  ruin: boolean;
}

export const unitsPerWhole = 20_000n;
export const stockMax = 400_000_000_000_000n * unitsPerWhole;
export const miceMax = 1_000_000;

export const inhabitants = (mice: Population): number =>
  mice.uneducated + mice.chefs + mice.salesmice + mice.guards + mice.thieves;

// Levels start at 1. A level above the highest, from a time with other rules, counts as the highest.
export function atLevel(
  rules: Rules,
  building: Building,
  level: number,
): { cost: number; seconds: number; capacity: number } {
  const levels: { cost: number; seconds: number; capacity?: number }[] = rules.buildings[building].levels;
  const found = levels[Math.min(level, levels.length) - 1];
  if (!found) throw new Error(`a ${building} has no level ${level}`);
  return { cost: found.cost, seconds: found.seconds, capacity: found.capacity ?? 0 };
}
