// Adds delayed jobs, waits until all are due, processes them with an empty handler, and prints jobs per second.
//   node delayed_jobs.js SOCKET JOBS AT_ONCE
import { Queue, Worker } from "bullmq";

const [socket, jobs, atOnce] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const connection = { path: socket, maxRetriesPerRequest: null };
const name = `bench-${process.pid}`;
const queue = new Queue(name, { connection });

const dueAt = Date.now() + 1000 + jobs / 2; // adding a job takes less than half a millisecond
const options = () => ({ delay: Math.max(1, dueAt - Date.now()), removeOnComplete: true });
for (let first = 0; first < jobs; first += 1000) {
  const count = Math.min(1000, jobs - first);
  await queue.addBulk(Array.from({ length: count }, (_, i) => ({ name: "town", data: { town: first + i }, opts: options() })));
}
await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - Date.now()) + 100));
if ((await queue.getDelayedCount()) !== jobs) throw new Error("the jobs did not wait for the worker");

const worker = new Worker(name, async () => {}, { connection, concurrency: atOnce, autorun: false });
await worker.waitUntilReady();
const finished = new Promise((resolve) => {
  let left = jobs;
  worker.on("completed", () => --left === 0 && resolve());
});
const begin = performance.now();
worker.run();
await finished;
console.log((jobs / (performance.now() - begin)) * 1000);
await worker.close();
await queue.obliterate({ force: true });
await queue.close();
