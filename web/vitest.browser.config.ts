// The player's round in a real browser, against a real server: tests/web/browser runs it.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['browser/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 60_000, fileParallelism: false },
});
