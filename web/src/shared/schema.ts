// The types of the API, which clients/record makes from the OpenAPI document.
export type { components, paths } from '../../../clients/typescript/src/generated/api';
