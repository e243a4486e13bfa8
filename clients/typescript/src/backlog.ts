// Events that wait, oldest first.

/** What an event takes in memory besides its bytes. */
const overheadBytes = 200;

export class Backlog {
  #events: Buffer[] = [];
  #first = 0; // events before this index have been taken
  #bytes = 0;

  get length(): number {
    return this.#events.length - this.#first;
  }

  /** What the waiting events take in memory, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  push(event: Buffer): void {
    this.#events.push(event);
    this.#bytes += event.length + overheadBytes;
  }

  /** Takes the oldest events: at most `countMax` with together at most `bytesMax`, newlines included; but at least one. */
  take(countMax: number, bytesMax: number): Buffer[] {
    let end = this.#first;
    for (let bytes = 0; end < this.#events.length && end - this.#first < countMax; ++end) {
      bytes += this.#events[end]!.length + 1;
      if (bytes > bytesMax && end > this.#first) break;
    }
    const taken = this.#events.slice(this.#first, end);
    for (const event of taken) this.#bytes -= event.length + overheadBytes;
    this.#first = end;
    if (this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    return taken;
  }

  /** These events are the oldest again. */
  putBack(events: Buffer[]): void {
    this.#events = [...events, ...this.#events.slice(this.#first)];
    this.#first = 0;
    for (const event of events) this.#bytes += event.length + overheadBytes;
  }
}
