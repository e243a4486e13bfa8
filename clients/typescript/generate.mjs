// generate.mjs FILE: prints the types of the OpenAPI document in FILE. clients/record calls it.
import { readFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const types = await openapiTS(JSON.parse(readFileSync(process.argv[2], 'utf8')), { defaultNonNullable: false });
const text = astToString(types).replace(/[ \t]+$/gm, '');
process.stdout.write(`// The types of Larder's OpenAPI document. clients/record writes this file.\n\n${text}`);
