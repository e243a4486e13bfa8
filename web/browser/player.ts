// One player in a browser window of their own, and everything that must not happen there.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const patienceMs = 45_000;
const tabsMax = 150;
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export class Player {
  // Console errors, failed requests, refusals, and requests to other hosts.
  readonly faults: string[] = [];
  // While the server is down on purpose, requests fail.
  outage = false;

  private constructor(
    readonly name: string,
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {}

  static async arrive(browser: Browser, url: string, name: string): Promise<Player> {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      baseURL: url,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    const player = new Player(name, context, page, url);
    player.watch();
    return player;
  }

  private watch(): void {
    const { page } = this;
    const fault = (text: string): void => {
      if (!this.outage) this.faults.push(`${this.name}: ${text}`);
    };
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') fault(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => fault(`error: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400) fault(`${response.status()} ${response.url()}`);
    });
    page.on('requestfailed', (request) => {
      // A page that is left does not wait for its answers.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') fault(`failed: ${request.url()}`);
    });
    page.on('request', (request) => this.checkHost(request.url(), fault));
    page.on('websocket', (socket) => this.checkHost(socket.url(), fault));
  }

  private checkHost(address: string, fault: (text: string) => void): void {
    if (new URL(address).host !== new URL(this.url).host) fault(`another host: ${address}`);
  }

  // Presses Tab until the element has the focus, as a player without a mouse does.
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let i = 0; i < tabsMax; i++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`${this.name} cannot reach ${target} by keyboard`);
  }
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press(key);
  }
  async fill(target: Locator, text: string): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  button = (name: string | RegExp): Locator => this.page.getByRole('button', { name }).first();
  lot = (id: number): Locator => this.page.locator(`[data-lot="${id}"]`);
  view = (name: string): Locator => this.page.locator('nav.tabs a', { hasText: name });
  coins = async (): Promise<number> => Number(await this.page.locator('[data-coins]').getAttribute('data-coins'));

  // Waits until a condition holds in the page.
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`${this.name}: ${what} does not happen`);
      await this.page.waitForTimeout(100);
    }
  }

  // axe-core finds nothing, in light and in dark.
  async expectAccessible(what: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      const violations = (await this.page.evaluate(`${axeSource}; axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html + ' ' + node.failureSummary).join('; ')))`)) as string[];
      expect(violations, `${what}, ${colorScheme}`).toEqual([]);
    }
    await this.page.emulateMedia({ colorScheme: 'light' });
  }

  // The page fits into the width of a phone: nothing has to be scrolled sideways.
  async expectToFit(what: string, width: number): Promise<void> {
    const before = this.page.viewportSize();
    await this.page.setViewportSize({ width, height: 740 });
    await this.page.waitForTimeout(100);
    expect(await this.page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(width);
    if (before) await this.page.setViewportSize(before);
  }
}
