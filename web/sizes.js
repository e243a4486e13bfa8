// sizes.js MAX: each page in dist with all scripts and style sheets that it loads, compressed by gzip, in bytes.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('dist/', import.meta.url);
const max = Number(process.argv[2]);
const read = (name) => readFileSync(new URL(name, dist));

// A page and its scripts name what they load.
function filesOf(name, found = new Set([name])) {
  const text = String(read(name));
  for (const file of readdirSync(new URL('assets/', dist))) {
    const asset = `assets/${file}`;
    if (file.endsWith('.br') || found.has(asset) || !text.includes(file)) continue;
    found.add(asset);
    filesOf(asset, found);
  }
  return found;
}

let failed = false;
for (const page of ['index.html', 'play.html']) {
  const bytes = [...filesOf(page), 'icon.svg'].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  console.log(`${page}: ${bytes} bytes`);
  failed ||= bytes > max;
}
if (failed) {
  console.error(`a page is larger than ${max} bytes`);
  process.exit(1);
}
