// What the player reads.
import type { Problem, Report } from '../shared/api';
import { count, duration, number } from '../shared/format';
import type { Action } from './live';
import type { Building, Education } from './rules/types';

export const buildingNames: Record<Building, string> = {
  kitchen: 'Kitchen',
  shop: 'Shop',
  house: 'House',
  school: 'School',
};
export const buildingUses: Record<Building, string> = {
  kitchen: 'Chefs bake pizzas here.',
  shop: 'Salesmice sell pizzas here.',
  house: 'Mice live here. Each new bed brings a mouse.',
  school: 'Mice learn a trade here. One school is enough.',
};
export const educationNames: Record<Education, [string, string]> = {
  chef: ['chef', 'chefs'],
  salesmouse: ['salesmouse', 'salesmice'],
  guard: ['guard', 'guards'],
  thief: ['thief', 'thieves'],
};
export const educationUses: Record<Education, string> = {
  chef: 'They bake pizzas in a kitchen.',
  salesmouse: 'They sell pizzas in a shop.',
  guard: 'They catch thieves.',
  thief: 'They steal coins from other towns.',
};

const refusals: Record<string, string> = {
  lot_taken: 'There is a building on this lot already.',
  lot_empty: 'There is nothing on this lot.',
  max_level: 'This building has its highest level.',
  queue_full: 'The queue is full. Wait until something is done.',
  not_enough_coins: 'You do not have enough coins.',
  no_school: 'You need a school first.',
  too_few_uneducated: 'You do not have so many mice without a trade.',
  not_tappable: 'Only kitchens and shops can be tapped.',
  tapped_too_soon: 'It is too early for the next tap.',
  own_town: 'You cannot steal from yourself.',
  no_town_there: 'There is no town on this field.',
  not_enough_thieves: 'You do not have so many thieves at home.',
  target_busy: 'Too many thieves are on their way to this town. Try again later.',
  not_cancellable: 'This cannot be called back.',
  no_such_element: 'This is not in the queue any more.',
  lot_busy: 'Cancel the later work on this lot first.',
  world_over: 'This world is over. Choose another one.',
  world_full: 'This world is full. Choose another one.',
  already_joined: 'You have a town in this world already.',
  world_not_found: 'This world does not exist any more.',
  not_joined: 'You have no town in this world.',
  wrong_credentials: 'The name or the password is wrong.',
  username_taken: 'Somebody else has this name. Choose another one.',
  rate_limited: 'That was too much at once. Wait a moment.',
  unauthorized: 'You are not logged in any more.',
};

export function refusalWords(
  problem: Pick<Problem, 'code' | 'detail'> & { needs?: unknown; seconds_left?: unknown },
): string {
  const { code, needs, seconds_left: left } = problem;
  if (code === 'not_enough_coins' && typeof needs === 'number')
    return `This costs ${number(needs)} coins. You do not have so many.`;
  if (code === 'tapped_too_soon' && typeof left === 'number') return `The next tap is possible in ${duration(left * 1000)}.`;
  return refusals[code] ?? problem.detail ?? 'The server refused this.';
}

export function doneWords(action: Action): string {
  switch (action.type) {
    case 'construct':
      return `Work on lot ${action.lot} is in the queue.`;
    case 'upgrade':
      return `The upgrade of lot ${action.lot} is in the queue.`;
    case 'raze':
      return `Lot ${action.lot} will be cleared.`;
    case 'tap':
      return `You tapped lot ${action.lot}.`;
    case 'train':
      return `${count(action.amount, ...educationNames[action.education as Education])} in training.`;
    case 'steal':
      return `${count(action.thieves, 'thief is', 'thieves are')} on the way.`;
    case 'cancel':
      return 'Cancelled.';
  }
}

export function reportWords(report: Report): { title: string; text: string } {
  const who = report.other.username ?? 'a ruin';
  const { thieves, caught, guards, loot } = report;
  const against = guards > 0 ? ` against ${count(guards, 'guard', 'guards')}` : '';
  if (report.side === 'attacker') {
    const home = thieves - caught;
    return {
      title: home === 0 ? `All your thieves were caught at ${who}` : `You stole ${count(loot, 'coin', 'coins')} from ${who}`,
      text: `You sent ${count(thieves, 'thief', 'thieves')}${against}. ${number(caught)} were caught, ${number(home)} got away.`,
    };
  }
  return {
    title: loot === 0 ? `Thieves of ${who} left with nothing` : `${who} stole ${count(loot, 'coin', 'coins')} from you`,
    text: `${count(thieves, 'thief', 'thieves')} came${against}. ${number(caught)} were caught.`,
  };
}
