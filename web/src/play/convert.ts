// The town's document, with real times and whole coins, as the rules see a town.
import type { TownDocument, World } from '../shared/api';
import type { LotId, Town } from './rules/types';
import { buildings, educations, unitsPerWhole } from './rules/types';

// Turns real time into game time and back.
export class WorldClock {
  private readonly base: number;

  constructor(private readonly world: World) {
    this.base = Date.parse(world.clock.at);
  }
  get running(): boolean {
    return this.world.state === 'running';
  }
  // The game time of a moment, as if the speed had always been the same.
  gameAt(real: number): number {
    return this.world.clock.game_ms + Math.round((real - this.base) * this.world.speed);
  }
  // A world that is won or closed stands still.
  gameNow(now: number): number {
    return this.running ? Math.max(this.world.clock.game_ms, this.gameAt(now)) : this.world.clock.game_ms;
  }
  realMs(gameMs: number): number {
    return gameMs / this.world.speed;
  }
}

const nth = <T>(names: readonly T[], index: number): T => {
  const name = names[index];
  if (name === undefined) throw new Error(`the document has an unknown number ${index}`);
  return name;
};

export function townFrom(document: TownDocument, clock: WorldClock, at: number): Town {
  const lots: Town['lots'] = {};
  for (const [id, { building, level, tappedAt }] of Object.entries(document.lots)) {
    lots[id as LotId] = {
      building: nth(buildings, building),
      level,
      tappedAt: tappedAt === undefined ? null : clock.gameAt(tappedAt),
    };
  }
  return {
    at,
    coinUnits: BigInt(document.resources.coins) * unitsPerWhole,
    pizzaUnits: BigInt(document.resources.pizzas) * unitsPerWhole,
    lots,
    population: { ...document.population },
    constructions: document.constructionQueue.map((c) => ({
      completeAt: clock.gameAt(c.completeAt),
      lot: c.lotId,
      building: nth(buildings, c.building),
      level: c.level,
      razing: c.razing,
    })),
    trainings: document.trainingQueue.map((t) => ({
      completeAt: clock.gameAt(t.completeAt),
      education: nth(educations, t.education),
      amount: t.amount,
    })),
    travels: document.travelQueue.map((t) => ({
      arrivalAt: clock.gameAt(t.arrivalAt),
      x: t.destinationX,
      y: t.destinationY,
      returning: t.returning,
      thieves: t.thieves,
      coins: t.coins,
    })),
    x: document.townX,
    y: document.townY,
    ruin: false,
  };
}

// RFC 7396.
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const out: Record<string, unknown> = typeof target === 'object' && !Array.isArray(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete out[name];
    else out[name] = mergePatch(out[name], value);
  }
  return out;
}
