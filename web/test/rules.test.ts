// The browser's rules against the server's: town_states prints random towns and what the server makes of them.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { Offer, Refusal } from '../src/play/rules/actions';
import { offerConstruct, offerRaze, offerTap, offerTrain, offerUpgrade } from '../src/play/rules/actions';
import { odds, travelMs } from '../src/play/rules/heist';
import { advanced } from '../src/play/rules/town';
import type { Building, Education, LotId, Rules, Town } from '../src/play/rules/types';
import { unitsPerWhole } from '../src/play/rules/types';

type PrintedTown = Omit<Town, 'coinUnits' | 'pizzaUnits'> & { coinUnits: string; pizzaUnits: string };
type PrintedOffer = Partial<Offer> & { refusal: Refusal | null };
interface Line {
  seed?: string;
  rules?: Rules;
  before: PrintedTown;
  after: PrintedTown;
  offers: {
    lot: LotId;
    construct: PrintedOffer & { building: Building };
    upgrade: PrintedOffer;
    raze: PrintedOffer;
    train: PrintedOffer & { education: Education; amount: number };
    tap: { refusal: Refusal | null; coinUnits: string; pizzaUnits: string };
    travel: { x: number; y: number; ms: number };
  };
}

const read = (town: PrintedTown): Town => ({
  ...town,
  coinUnits: BigInt(town.coinUnits),
  pizzaUnits: BigInt(town.pizzaUnits),
});

// Compares what the server has said: it names no price for what it refuses earlier.
function expectOffer(offer: Offer, said: PrintedOffer, what: string): void {
  expect(offer.refusal, what).toBe(said.refusal);
  if (said.cost !== undefined) expect(offer.cost, what).toBe(said.cost);
  if (said.ms !== undefined) expect(offer.ms, what).toBe(said.ms);
}

function expectOffers(
  town: Town,
  rules: Rules,
  { lot, construct, upgrade, raze, train, tap, travel }: Line['offers'],
): void {
  expectOffer(offerConstruct(town, rules, lot, construct.building), construct, 'construct');
  expectOffer(offerUpgrade(town, rules, lot), upgrade, 'upgrade');
  expectOffer(offerRaze(town, rules, lot), raze, 'raze');
  expectOffer(offerTrain(town, rules, train.education, train.amount), train, 'train');
  const tapped = offerTap(town, rules, lot);
  expect(tapped.refusal).toBe(tap.refusal);
  const gained = BigInt(tap.coinUnits) - town.coinUnits + BigInt(tap.pizzaUnits) - town.pizzaUnits;
  const full = BigInt(tapped.gain) * unitsPerWhole;
  // A stock that is nearly full takes less.
  if (tap.refusal === null && gained !== full) expect(gained).toBeLessThan(full);
  if (tap.refusal !== null) expect(gained).toBe(0n);
  expect(travelMs(town, travel, rules)).toBe(travel.ms);
}

const states = process.env['LARDER_TOWN_STATES'];

test.skipIf(!states)('the browser computes what the server computes', async () => {
  let rules: Rules | undefined;
  let seed = '';
  let towns = 0;
  for await (const text of createInterface({ input: createReadStream(states ?? '') })) {
    const line = JSON.parse(text) as Line;
    if (line.rules) {
      rules = line.rules;
      seed = line.seed ?? '';
      continue;
    }
    if (!rules) throw new Error('the rules come first');
    const before = read(line.before);
    const what = `LARDER_SEED=${seed}, town ${towns}`;
    expect(advanced(before, rules, line.after.at), what).toEqual(read(line.after));
    expect(before, `${what} is left alone`).toEqual(read(line.before));
    expectOffers(before, rules, line.offers);
    towns++;
  }
  expect(towns).toBe(10_000);
});

test('odds are those of the draw', () => {
  const rules = { heists: { thief_strength: 2, loot_per_thief: 4000, travel_ms_per_field: 300_000 } } as Rules;
  expect(odds(10, 0, rules)).toEqual({ guards: 0, chance: 1, home: 10, any: 1, lootMax: 40_000 });
  expect(odds(10, 20, rules)).toMatchObject({ chance: 0.5, home: 5 });
  expect(odds(1, 2, rules)).toMatchObject({ chance: 0.5, any: 0.5, lootMax: 4000 });
  expect(odds(0, 5, rules)).toMatchObject({ chance: 0, any: 0, lootMax: 0 });
});
