// A server as its users start it, with its own data directory. It keeps its port when it starts again.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const patienceMs = 60_000;

export class Server {
  url = '';
  private port = 0;
  private process: ChildProcess | null = null;
  private data = '';

  async start(): Promise<void> {
    const binary = process.env['LARDER_BINARY'];
    if (!binary) throw new Error('LARDER_BINARY names the server');
    this.data ||= await mkdtemp(join(tmpdir(), 'larder-web-'));
    const started = spawn(binary, ['serve', '--data', this.data, '--listen', `127.0.0.1:${this.port}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = started;
    this.url = await new Promise<string>((found, failed) => {
      let said = '';
      const listen = (chunk: Buffer): void => {
        said += String(chunk);
        const match = /answers on (http:\/\/127\.0\.0\.1:\d+)/.exec(said);
        if (match?.[1]) found(match[1]);
      };
      started.stdout.on('data', listen);
      started.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
      started.on('exit', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
      setTimeout(() => failed(new Error(`the server did not start: ${said}`)), patienceMs).unref();
    });
    this.port = Number(new URL(this.url).port);
  }

  // As an operator does.
  async stop(): Promise<void> {
    const stopping = this.process;
    if (!stopping || stopping.exitCode !== null) return;
    const ended = new Promise((done) => stopping.once('exit', done));
    stopping.kill('SIGTERM');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    if (this.data) await rm(this.data, { recursive: true, force: true });
  }

  // A request of the operator.
  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const key = (await readFile(join(this.data, 'admin.key'), 'utf8')).trim();
    const answer = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}
