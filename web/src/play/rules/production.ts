// How many pizzas and coins a town makes while nothing else happens: the rules of production.cpp, exact to the unit.
import type { Building, Education, Population, Rules, Town } from './types';
import { atLevel, inhabitants, stockMax } from './types';

// In units per millisecond. Both sales are the smaller one of demand and sales capacity.
export interface Rates {
  made: bigint;
  sales: bigint;
  rushSales: bigint;
}
export interface Stock {
  pizzas: bigint;
  coins: bigint;
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const clamp = (value: bigint, low: bigint, high: bigint): bigint => min(max(value, low), high);

// What a span of time does to any stock of pizzas S:
//   S becomes clamp(S + net, low, high), and of the pizzas that are wanted, unsold + max(0, edge - S) are not sold.
// Two spans in a row also form such a span. So a day that is doubled n times is 2^n days.
interface Flow {
  wanted: bigint;
  net: bigint;
  low: bigint;
  high: bigint;
  unsold: bigint;
  edge: bigint;
}

function flowOf(made: bigint, wanted: bigint): Flow {
  const net = made - wanted;
  return { wanted, net, low: 0n, high: stockMax, unsold: 0n, edge: -net };
}

function inARow(a: Flow, b: Flow): Flow {
  // After `a` the stock is between a.low and a.high. Only there does b.edge matter.
  const edge = clamp(b.edge, a.low, a.high);
  return {
    wanted: a.wanted + b.wanted,
    net: a.net + b.net,
    low: clamp(a.low + b.net, b.low, b.high),
    high: clamp(a.high + b.net, b.low, b.high),
    unsold: a.unsold + b.unsold + max(0n, b.edge - a.high),
    // If `a` ends with the same stock anyway, the stock before `a` makes no difference for `b`.
    edge: a.low === a.high ? a.edge : edge - a.net,
  };
}

function after(stock: Stock, flow: Flow, rules: Rules): Stock {
  const unsold = flow.unsold + max(0n, flow.edge - stock.pizzas);
  const earned = (flow.wanted - unsold) * BigInt(rules.production.pizza_price);
  return { pizzas: clamp(stock.pizzas + flow.net, flow.low, flow.high), coins: min(stockMax, stock.coins + earned) };
}

export const hourMs = (rules: Rules): number => 3_600_000 / rules.mouse_clock.speed;
export const dayMs = (rules: Rules): number => 24 * hourMs(rules);

// A part of a mouse day in which the demand is the same: when it ends within the day, and whether it is rush hour.
export function phaseAt(rules: Rules, msOfDay: number): { endMs: number; rush: boolean } {
  const hour = hourMs(rules);
  for (const { from, to } of rules.mouse_clock.rush_hours) {
    if (msOfDay < from * hour) return { endMs: from * hour, rush: false };
    if (msOfDay < to * hour) return { endMs: to * hour, rush: true };
  }
  return { endMs: dayMs(rules), rush: false };
}

// Calls use(flow) for each phase between the two moments, in order.
function eachPhase(rates: Rates, rules: Rules, from: number, to: number, use: (flow: Flow) => void): void {
  const day = dayMs(rules);
  while (from < to) {
    const msOfDay = from % day;
    const { endMs, rush } = phaseAt(rules, msOfDay);
    const ms = Math.min(endMs - msOfDay, to - from);
    use(flowOf(rates.made * BigInt(ms), (rush ? rates.rushSales : rates.sales) * BigInt(ms)));
    from += ms;
  }
}

function flowOfADay(rates: Rates, rules: Rules): Flow {
  let day = flowOf(0n, 0n);
  eachPhase(rates, rules, 0, dayMs(rules), (flow) => (day = inARow(day, flow)));
  return day;
}

// The places of all finished buildings of a kind: chefs or salesmice that can work there, or beds.
export function placesOf(town: Town, rules: Rules, building: Building): number {
  let places = 0;
  for (const lot of Object.values(town.lots)) {
    if (lot.building === building) places += atLevel(rules, building, lot.level).capacity;
  }
  return places;
}

export function employed(town: Town, rules: Rules, education: 'chef' | 'salesmouse'): number {
  const group: Record<typeof education & Education, keyof Population> = { chef: 'chefs', salesmouse: 'salesmice' };
  return Math.min(town.population[group[education]], placesOf(town, rules, rules.educations[education].workplace));
}

// The rates at which the town works now. A ruin does not work.
export function ratesOf(town: Town, rules: Rules): Rates {
  if (town.ruin) return { made: 0n, sales: 0n, rushSales: 0n };
  const { production } = rules;
  const demand = (rate: number): bigint => BigInt(inhabitants(town.population)) * BigInt(rate);
  const capacity = BigInt(employed(town, rules, 'salesmouse')) * BigInt(production.salesmouse_rate);
  return {
    made: BigInt(employed(town, rules, 'chef')) * BigInt(production.chef_rate),
    sales: min(capacity, demand(production.demand_rate)),
    rushSales: min(capacity, demand(production.rush_demand_rate)),
  };
}

// The stock at `to`, if the stock at `from` is `stock` and the rates do not change.
export function stockAfter(stock: Stock, rates: Rates, rules: Rules, from: number, to: number): Stock {
  const use = (flow: Flow): void => {
    stock = after(stock, flow, rules);
  };
  const day = dayMs(rules);
  if (to - from > 2 * day) {
    const midnight = (Math.floor(from / day) + 1) * day;
    eachPhase(rates, rules, from, midnight, use);
    const days = Math.floor((to - midnight) / day);
    let flow = flowOfADay(rates, rules);
    for (let left = days; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) use(flow);
      flow = inARow(flow, flow);
    }
    from = midnight + days * day;
  }
  eachPhase(rates, rules, from, to, use);
  return stock;
}
