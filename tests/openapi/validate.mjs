// validate.mjs FILE: says whether the OpenAPI document in FILE is valid.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

const document = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const validator = new Validator();
const result = await validator.validate(document);
if (!result.valid) {
  console.error(JSON.stringify(result.errors, null, 2));
  process.exit(1);
}
console.log(`OpenAPI ${validator.version}: valid, ${Object.keys(document.paths).length} paths`);
