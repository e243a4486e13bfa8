import { setTimeout as pause } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds that never jump. */
  now(): number;
  /** Throws the reason of the signal if the signal is aborted meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await pause(ms, undefined, signal ? { signal } : undefined);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
