import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

// The pages have one style sheet, so that no component needs styles of its own.
export default { preprocess: vitePreprocess({ style: false }), compilerOptions: { runes: true } };
