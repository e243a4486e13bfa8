// Everything that the game page knows about one town in one world, and what the player can do there.
import type { Problem, RankedTown, Report, TownDocument, User, World } from '../shared/api';
import { Refused, api, ask } from '../shared/api';
import { mergePatch, townFrom, WorldClock } from './convert';
import type { Action, Connection, Message, Ready } from './live';
import { Live } from './live';
import { coinsOf, pizzasOf } from './rules/actions';
import { ratesOf } from './rules/production';
import { advanced } from './rules/town';
import type { Rules, Town } from './rules/types';
import { unitsPerWhole } from './rules/types';
import { doneWords, refusalWords } from './words';

export interface Notice {
  id: number;
  text: string;
  kind: 'done' | 'refused' | 'news';
}

const tickMs = 100;
const noticeMs = 5000;
const silenceMs = 30_000;

export class Game {
  connection = $state<Connection>('connecting');
  world = $state.raw<World | null>(null);
  rules = $state.raw<Rules | null>(null);
  // The town as the server has shown it last, and as it is now by the same rules.
  private shown = $state.raw<Town | null>(null);
  private document: TownDocument | null = null;
  // What the server's clock is ahead of the browser's.
  private offsetMs = 0;
  now = $state(Date.now());
  leaderboard = $state.raw<RankedTown[]>([]);
  reports = $state.raw<Report[]>([]);
  notices = $state.raw<Notice[]>([]);
  // Actions without an answer, as JSON. The same action is not sent again meanwhile.
  private waiting = $state.raw<readonly string[]>([]);
  // Why the town cannot be shown any more.
  over = $state<'session' | 'world' | null>(null);
  soldPizza = $state(false);

  clock = $derived(this.world ? new WorldClock(this.world) : null);
  gameNow = $derived(this.clock ? this.clock.gameNow(this.now) : 0);
  town = $derived(this.shown && this.rules ? advanced(this.shown, this.rules, Math.max(this.gameNow, this.shown.at)) : null);
  coins = $derived(this.town ? coinsOf(this.town) : 0);
  pizzas = $derived(this.town ? pizzasOf(this.town) : 0);
  unread = $derived(this.reports.filter((report) => !report.read).length);
  standsStill = $derived(this.world !== null && this.world.state !== 'running');

  private live: Live;
  private ticking: ReturnType<typeof setInterval>;
  private noticeId = 0;

  constructor(
    readonly user: User,
    readonly worldId: string,
  ) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.live = new Live(`${scheme}://${location.host}/v1/tribes/worlds/${encodeURIComponent(worldId)}/ws`, {
      prepare: () => this.prepare(),
      message: (message) => this.receive(message),
      connection: (now) => (this.connection = now),
      silenceMs: () => (this.standsStill ? 0 : silenceMs),
    });
    this.ticking = setInterval(() => this.tick(), tickMs);
  }

  close(): void {
    this.live.close();
    clearInterval(this.ticking);
  }

  // Never asks for what the server would refuse: first who is logged in, then whether they have a town.
  private async prepare(): Promise<Ready> {
    const { user } = await ask(api.GET('/v1/auth/session'));
    if (user?.user_id !== this.user.user_id) return this.end('session');
    const of = { params: { path: { world: this.worldId } } };
    try {
      const world = await ask(api.GET('/v1/tribes/worlds/{world}', of));
      if (!world.joined) return this.end('world');
      const began = Date.now();
      const [{ rules }, { at }, board, reports] = await Promise.all([
        ask(api.GET('/v1/tribes/worlds/{world}/rules', of)),
        ask(api.GET('/v1/tribes/worlds/{world}/state', { params: { ...of.params, query: { path: '.timestamp' } } })),
        ask(api.GET('/v1/tribes/worlds/{world}/leaderboard', of)),
        ask(api.GET('/v1/tribes/worlds/{world}/reports', of)),
      ]);
      // A world that stands still shows the moment at which it stopped.
      if (world.state === 'running') this.offsetMs = Date.parse(at) - (began + Date.now()) / 2;
      this.rules = rules;
      this.world = world;
      this.leaderboard = board.items;
      this.reports = reports.items;
      return 'go';
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 404) return this.end('world');
      throw error;
    }
  }

  private end(why: 'session' | 'world'): Ready {
    this.over = why;
    return 'over';
  }

  private tick(): void {
    this.now = Date.now() + this.offsetMs;
  }

  private receive(message: Message): void {
    switch (message.type) {
      case 'state':
        return this.show(message.state);
      case 'patch':
        if (this.document) this.show(mergePatch(this.document, message.patch) as TownDocument);
        return;
      case 'report':
        this.reports = [message.report, ...this.reports.filter(({ id }) => id !== message.report.id)];
        return this.notice('There is a new report about a heist.', 'news');
      case 'leaderboard':
        this.leaderboard = message.items;
        return;
      case 'world':
        return this.changeWorld(message.world);
    }
  }

  private changeWorld(world: World): void {
    const won = this.world?.state !== 'won' && world.state === 'won';
    this.world = { ...world, joined: true };
    if (won) this.notice(`${world.winner_name ?? 'Somebody'} has won this world.`, 'news');
    void this.readRules();
  }

  private async readRules(): Promise<void> {
    const asked = await api
      .GET('/v1/tribes/worlds/{world}/rules', { params: { path: { world: this.worldId } } })
      .catch(() => null);
    if (asked?.data) this.rules = asked.data.rules;
  }

  private show(document: TownDocument): void {
    if (!this.clock || !this.rules) return;
    this.tick();
    // The document is as of now; its timestamp has whole seconds only.
    const second = document.timestamp * 1000;
    const real = Math.min(Math.max(this.now, second), second + 999);
    const next = townFrom(document, this.clock, this.clock.gameNow(real));
    const before = this.shown;
    this.shown = before && next.at >= before.at ? this.corrected(next, advanced(before, this.rules, next.at)) : next;
    if (this.document && before) this.noticeSale(before, next);
    this.document = document;
  }

  // The server shows whole coins and pizzas. Our own fractions stay while they agree with that, so nothing jumps.
  private corrected(next: Town, expected: Town): Town {
    const slack = this.slack(next);
    const keep = (ours: bigint, theirs: bigint): bigint => (ours - theirs < slack && theirs - ours < slack ? ours : theirs);
    next.coinUnits = keep(expected.coinUnits, next.coinUnits);
    next.pizzaUnits = keep(expected.pizzaUnits, next.pizzaUnits);
    return next;
  }

  // One whole, or what the town makes in a quarter of a second.
  private slack(town: Town): bigint {
    if (!this.rules || !this.world) return unitsPerWhole;
    const { made, rushSales } = ratesOf(town, this.rules);
    const fastest = (made > rushSales ? made : rushSales) * BigInt(this.world.speed) * 250n;
    return fastest > unitsPerWhole ? fastest : unitsPerWhole;
  }

  private noticeSale(before: Town, next: Town): void {
    const sells = this.rules && ratesOf(before, this.rules);
    const hasPizza = sells !== null && (sells.made > 0n || before.pizzaUnits > 0n);
    if (hasPizza && sells.rushSales > 0n && next.coinUnits > before.coinUnits) this.soldPizza = true;
  }

  isWaiting(action: Action): boolean {
    return this.waiting.includes(JSON.stringify(action));
  }

  // An impatient second click on the same thing does nothing.
  async act(action: Action): Promise<boolean> {
    const name = JSON.stringify(action);
    if (this.waiting.includes(name)) return false;
    this.waiting = [...this.waiting, name];
    const problem = await this.live.act(action);
    this.waiting = this.waiting.filter((other) => other !== name);
    this.tellOutcome(action, problem);
    return problem === null;
  }

  private tellOutcome(action: Action, problem: Problem | null): void {
    if (problem) this.notice(refusalWords(problem), 'refused');
    else this.notice(doneWords(action), 'done');
  }

  async markRead(report: Report): Promise<void> {
    if (report.read) return;
    const path = { world: this.worldId, id: report.id };
    const done = await api.POST('/v1/tribes/worlds/{world}/reports/{id}/read', { params: { path } }).catch(() => null);
    if (!done?.response.ok) return;
    this.reports = this.reports.map((each) => (each.id === report.id ? { ...each, read: true } : each));
  }

  notice(text: string, kind: Notice['kind']): void {
    const id = ++this.noticeId;
    this.notices = [...this.notices.slice(-1), { id, text, kind }];
    setTimeout(() => this.dismiss(id), noticeMs);
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }
}
