// A player's round: register, found a town, sell pizzas, train, steal from a second player, read the reports, reload,
// and go on after the server was away. The first player uses the keyboard alone.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Player } from './player';
import { Server } from './server';

const world = 'sprint';
const pictures = process.env['LARDER_PICTURES'] ?? fileURLToPath(new URL('../dist-pictures', import.meta.url));
const server = new Server();
let browser: Browser;
let ada: Player;
let bob: Player;

interface Rules {
  educations: Record<string, { cost: number }>;
  taps: { coins: number };
}

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  await server.start();
  // A fast world in which thieves are cheap.
  const { rules } = (await server.admin('GET', '/v1/tribes/worlds/default/rules')) as { rules: Rules };
  for (const name of ['thief', 'guard']) rules.educations[name] = { ...rules.educations[name], cost: 200 };
  await server.admin('POST', '/v1/tribes/worlds', { id: world, speed: 300, rules });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  ada = await Player.arrive(browser, server.url, 'ada');
  bob = await Player.arrive(browser, server.url, 'bob');
});
afterAll(async () => {
  await browser?.close();
  await server.close();
});

// The page in light and dark, on a phone and on a desk.
async function look(player: Player, what: string): Promise<void> {
  await player.expectAccessible(what);
  await player.expectToFit(what, 360);
  await player.until('the messages are gone', async () => (await player.page.locator('.notices li').count()) === 0);
  for (const [size, viewport] of Object.entries({
    phone: { width: 360, height: 740 },
    desk: { width: 1200, height: 900 },
  })) {
    await player.page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await player.page.emulateMedia({ colorScheme });
      await player.page.waitForTimeout(150);
      await player.page.screenshot({
        path: join(pictures, `${what}-${size}-${colorScheme}.png`),
        fullPage: size === 'phone',
      });
    }
  }
  await player.page.emulateMedia({ colorScheme: 'light' });
}

async function register(player: Player): Promise<void> {
  await player.press(player.button('Create an account'));
  await player.fill(player.page.getByLabel('Name'), player.name);
  await player.fill(player.page.getByLabel('Password'), 'four fat mice');
  await player.press(player.button('Create account'));
  await player.page.getByRole('heading', { name: 'Choose a world' }).waitFor();
}

async function build(player: Player, lot: number, building: string): Promise<void> {
  await player.press(player.lot(lot));
  await player.press(player.page.locator(`[data-build="${building}"]`));
  await player.until(`a ${building} is in the queue`, async () =>
    /in work| 1$/.test((await player.lot(lot).getAttribute('aria-label')) ?? ''),
  );
}
const stands = (player: Player, lot: number, building: string): Promise<void> =>
  player.until(`a ${building} stands`, async () =>
    ((await player.lot(lot).getAttribute('aria-label')) ?? '').includes(`${building} 1`),
  );

async function train(player: Player, education: string, amount: number): Promise<void> {
  await player.fill(player.page.locator(`#amount-${education}`), String(amount));
  await player.press(player.page.locator(`[data-train="${education}"]`));
  const mice = player.page.locator(`[data-mice="${education}"]`);
  await player.until(`${amount} mice become ${education}`, async () =>
    new RegExp(`^${amount} `).test((await mice.textContent()) ?? ''),
  );
}

async function foundTown(player: Player): Promise<void> {
  await player.press(player.button(`Found a town in ${world}`));
  await player.lot(1).waitFor();
}

test('the start page leads to the game', async () => {
  await ada.page.goto('/');
  await look(ada, 'start');
  await ada.press(ada.page.getByRole('link', { name: /Play/ }));
  await ada.button('Create an account').waitFor();
  await look(ada, 'login');
});

test('a player registers and founds a town', async () => {
  await register(ada);
  await look(ada, 'worlds');
  await foundTown(ada);
  expect(await ada.coins()).toBe(300);
  await look(ada, 'new-town');
});

test('the town builds until it sells its first pizza', async () => {
  await build(ada, 1, 'house');
  await build(ada, 2, 'kitchen');
  await build(ada, 3, 'shop');
  await stands(ada, 3, 'Shop');
  await build(ada, 4, 'school');
  await stands(ada, 4, 'School');
  await train(ada, 'chef', 3);
  await train(ada, 'salesmouse', 3);
  const before = await ada.coins();
  await ada.until('a pizza is sold', async () => (await ada.coins()) > before);
});

test('a refusal is told before anything is sent', async () => {
  await ada.press(ada.lot(5));
  const house = ada.page.locator('[data-build="house"]');
  expect(await house.getAttribute('aria-disabled')).toBe('true');
  expect(await ada.page.locator('#why-house').textContent()).toContain('coins');
});

test('an impatient click takes effect once', async () => {
  await ada.press(ada.lot(3));
  const tap = ada.button(/^Tap/);
  await ada.until('the shop can be tapped', async () => (await tap.getAttribute('aria-disabled')) === 'false');
  await tap.evaluate((button: HTMLElement) => {
    for (let i = 0; i < 5; i++) button.click();
  });
  await ada.page.getByText('You tapped lot 3.').waitFor();
  await ada.page.waitForTimeout(500);
  expect(await ada.page.locator('.notices .refused').count()).toBe(0);
  await look(ada, 'town');
});

test('thieves steal from a second player, and both see the report', async () => {
  await bob.page.goto('/play');
  await register(bob);
  await foundTown(bob);
  await ada.until('there are coins for a thief', async () => (await ada.coins()) >= 400);
  await train(ada, 'thief', 2);
  await ada.press(ada.view('Map'));
  const map = ada.page.getByRole('application');
  const viewBox = async (): Promise<number[]> => ((await map.getAttribute('viewBox')) ?? '').split(' ').map(Number);
  const [left = 0, top = 0, width = 0] = await viewBox();
  await ada.press(map, 'ArrowRight');
  await ada.press(map, '-');
  const [leftAfter = 0, topAfter = 0, widthAfter = 0] = await viewBox();
  expect([leftAfter + widthAfter / 2 > left + width / 2, topAfter < top, widthAfter > width]).toEqual([true, true, true]);
  await ada.press(ada.button('Home'));
  await ada.press(ada.page.locator('[data-town="bob"]'));
  await ada.fill(ada.page.getByLabel(/^Thieves/), '2');
  await look(ada, 'map');
  await ada.press(ada.page.locator('[data-steal]'));
  await ada.page.locator('circle.thief').waitFor({ state: 'attached' });
  await ada.page.getByText('2 thieves are on the way.').waitFor();
  for (const [player, side] of [
    [ada, 'attacker'],
    [bob, 'target'],
  ] as const) {
    await player.press(player.view('Reports'));
    await player.page.locator(`[data-side="${side}"][data-loot="300"]`).waitFor();
  }
  await look(bob, 'reports');
  await bob.press(bob.button('Mark as read'));
  await bob.until('the report is read', async () => (await bob.page.locator('.unread').count()) === 0);
});

test('a reload goes on where the player was', async () => {
  await ada.page.reload();
  await ada.page.locator('[data-side="attacker"]').waitFor();
  await ada.press(ada.view('Leaders'));
  await ada.page.getByRole('rowheader', { name: 'ada (you)' }).waitFor();
  await look(ada, 'leaders');
  await ada.press(ada.view('History'));
  await ada.page.locator('.plot canvas').nth(1).waitFor();
  await ada.until('there is history', async () => (await ada.page.getByText('There are no points yet.').count()) === 0);
  await look(ada, 'history');
});

test('the game goes on after the server was away, and an action of that time is done once', async () => {
  await ada.press(ada.view('Town'));
  await ada.press(ada.lot(2));
  const tap = ada.button(/^Tap/);
  await ada.until('the kitchen can be tapped', async () => (await tap.getAttribute('aria-disabled')) === 'false');
  ada.outage = bob.outage = true;
  await server.stop();
  await ada.page.locator('[data-connection="lost"]').waitFor();
  await look(ada, 'lost');
  await ada.press(tap);
  expect(await tap.getAttribute('aria-disabled')).toBe('true');
  await server.start();
  await ada.page.getByText('You tapped lot 2.').waitFor();
  for (const player of [ada, bob]) await player.page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
  ada.outage = bob.outage = false;
  await ada.until('time goes on', async () => {
    const before = await ada.coins();
    await ada.page.waitForTimeout(500);
    return (await ada.coins()) > before;
  });
});

test('the page tells that the world was closed, goes on, and is won', async () => {
  const path = `/v1/tribes/worlds/${world}`;
  await server.admin('PATCH', path, { state: 'closed' });
  for (const player of [ada, bob]) await player.page.getByText('This world is closed').waitFor();
  await server.admin('PATCH', path, { state: 'running' });
  for (const player of [ada, bob]) await player.page.getByText('This world is closed').waitFor({ state: 'detached' });
  const { rules } = (await server.admin('GET', `${path}/rules`)) as { rules: object };
  await server.admin('PATCH', path, { rules: { ...rules, goal_coins: 1000 } });
  await ada.page.getByText('You have won this world!').waitFor();
  await bob.page.getByText('ada has won this world. It stands still now.').waitFor();
  await look(bob, 'won');
  await bob.press(bob.page.getByRole('link', { name: 'Choose another world' }));
  await bob.page.getByText(`won ${world} with`).waitFor();
});

test('a player whose session was ended elsewhere is asked to log in, and goes on in the same town', async () => {
  await bob.page.goto(`/play#/${world}/town`);
  await bob.lot(1).waitFor();
  const { items } = (await server.admin('GET', `/v1/tribes/worlds/${world}/leaderboard`)) as {
    items: { username: string; user_id: string }[];
  };
  const id = items.find(({ username }) => username === 'bob')?.user_id ?? '';
  await server.admin('POST', `/v1/auth/logout-everywhere?player=${id}`);
  await bob.page.getByText('Your session has ended').waitFor();
  await bob.fill(bob.page.getByLabel('Name'), 'bob');
  await bob.fill(bob.page.getByLabel('Password'), 'four fat mice');
  await bob.press(bob.button('Log in'));
  await bob.lot(1).waitFor();
});

test('a player logs out', async () => {
  await ada.press(ada.button('Log out'));
  await ada.button('Log in').waitFor();
});

test('nothing went wrong on the way', () => {
  expect([...ada.faults, ...bob.faults]).toEqual([]);
});
