// The WebSocket of one town. It connects again when the connection is lost, and sends what has no answer yet once
// more. The `id` of a message makes sure that each action takes effect once.
import type { Problem, RankedTown, Report, TownDocument, World } from '../shared/api';
import { newKey } from '../shared/api';

export type Action =
  | { type: 'construct'; lot: string; building: string }
  | { type: 'upgrade' | 'raze' | 'tap'; lot: string }
  | { type: 'train'; education: string; amount: number }
  | { type: 'steal'; x: number; y: number; thieves: number }
  | { type: 'cancel'; queue: 'construction' | 'training'; index: number };

export type Message =
  | { type: 'state'; revision: number; state: TownDocument }
  | { type: 'patch'; revision: number; patch: unknown }
  | { type: 'report'; report: Report }
  | { type: 'leaderboard'; items: RankedTown[] }
  | { type: 'world'; world: World }
  | { type: 'problem'; problem: Problem }
  | { type: 'response'; id: string | null; revision?: number; problem?: Problem };

export type Connection = 'connecting' | 'live' | 'lost';
// What must be known before the socket is opened; 'over': there is nothing to connect to any more.
export type Ready = 'go' | 'over';

export interface Handlers {
  // Throws if the server cannot be reached.
  prepare: () => Promise<Ready>;
  message: (message: Message) => void;
  connection: (now: Connection) => void;
  // A running world sends a message at least every ten seconds.
  silenceMs: () => number;
}

interface Pending {
  text: string;
  settle: (problem: Problem | null) => void;
}

const waitMin = 500;
const waitMax = 8000;

export class Live {
  private socket: WebSocket | null = null;
  private pending = new Map<string, Pending>();
  private wait = waitMin;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly handlers: Handlers,
  ) {
    addEventListener('online', this.now);
    void this.connect();
  }

  // The refusal, or null if it was done. Waits as long as the connection is lost.
  act(action: Action): Promise<Problem | null> {
    const id = newKey();
    const text = JSON.stringify({ id, ...action });
    return new Promise((settle) => {
      this.pending.set(id, { text, settle });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  close(): void {
    this.closed = true;
    removeEventListener('online', this.now);
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.socket?.close();
  }

  private now = (): void => {
    if (this.socket || this.closed) return;
    clearTimeout(this.timer);
    void this.connect();
  };

  private async connect(): Promise<void> {
    try {
      if ((await this.handlers.prepare()) === 'over') return this.close();
    } catch {
      return this.retry();
    }
    if (this.closed || this.socket) return;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      for (const { text } of this.pending.values()) socket.send(text);
    };
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.retry();
    };
  }

  private receive(message: Message): void {
    this.listen();
    if (message.type === 'state') {
      this.wait = waitMin;
      this.handlers.connection('live');
    }
    if (message.type === 'response') return this.settle(message);
    if (message.type === 'problem') this.handlers.connection('lost');
    this.handlers.message(message);
  }

  private settle({ id, problem }: { id: string | null; problem?: Problem }): void {
    const pending = id === null ? undefined : this.pending.get(id);
    if (!pending || id === null) return;
    // The server could not work. After the outage it sends the state, and the message is sent again.
    if (problem && problem.status >= 500) return void setTimeout(() => this.again(id), 1000);
    this.pending.delete(id);
    pending.settle(problem ?? null);
  }

  private again(id: string): void {
    const pending = this.pending.get(id);
    if (pending && this.socket?.readyState === WebSocket.OPEN) this.socket.send(pending.text);
  }

  private listen(): void {
    clearTimeout(this.silence);
    const ms = this.handlers.silenceMs();
    if (ms > 0) this.silence = setTimeout(() => this.drop(), ms);
  }

  // The browser would wait for minutes until it believes that the other side is gone.
  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.retry();
  }

  private retry(): void {
    if (this.closed) return;
    clearTimeout(this.silence);
    clearTimeout(this.timer);
    this.handlers.connection('lost');
    this.timer = setTimeout(() => void this.connect(), this.wait * (0.7 + 0.6 * Math.random()));
    this.wait = Math.min(waitMax, this.wait * 2);
  }
}
