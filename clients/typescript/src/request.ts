// The text of a request: its URL and its body.

export type PathValues = Readonly<Record<string, string | number>>;
export type QueryValues = Readonly<Record<string, unknown>>;

/** Puts the values into the `{names}` of a path. */
export function fillPath(template: string, values: PathValues = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new TypeError(`path.${name} is missing in ${template}`);
    // A URL with such a segment would mean another path.
    if (value === '.' || value === '..') throw new TypeError(`path.${name} must not be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

/** Values in lists are separated by commas. Values that are undefined are left out. */
export function queryText(values: QueryValues = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
