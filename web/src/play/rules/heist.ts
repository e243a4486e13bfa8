// Travel times and odds: the rules of heist.cpp.
import type { Rules } from './types';

// The smallest whole number whose square is at least `square`.
function rootRoundedUp(square: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (root * root < square) root++;
  while (root > 0n && (root - 1n) * (root - 1n) >= square) root--;
  return root;
}

interface Field {
  x: number;
  y: number;
}

// In game time.
export function travelMs(from: Field, to: Field, rules: Rules): number {
  const [dx, dy, perField] = [BigInt(from.x - to.x), BigInt(from.y - to.y), BigInt(rules.heists.travel_ms_per_field)];
  return Number(rootRoundedUp(perField * perField * (dx * dx + dy * dy)));
}

export interface Odds {
  guards: number;
  // That one thief succeeds.
  chance: number;
  // The average number of thieves that come home.
  home: number;
  // At least one thief brings something.
  any: number;
  lootMax: number;
}

// Each thief draws from [0, strength x thieves + guards) and succeeds below strength x thieves.
export function odds(thieves: number, guards: number, rules: Rules): Odds {
  const strength = rules.heists.thief_strength * thieves;
  const chance = thieves > 0 ? strength / (strength + guards) : 0;
  return {
    guards,
    chance,
    home: thieves * chance,
    any: 1 - (1 - chance) ** thieves,
    lootMax: thieves * rules.heists.loot_per_thief,
  };
}
