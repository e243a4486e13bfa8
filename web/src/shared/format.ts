// Numbers and times as people read them.
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number): string => whole.format(value);
export const compact = (value: number): string => (value < 10_000 ? whole.format(value) : short.format(value));
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

const two = (value: number): string => String(value).padStart(2, '0');

// 7 s, 1:05 min, 2:03:00 h, 3 days 4 h
export function duration(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)}:${two(s % 60)} min`;
  if (s < 86_400) return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)} h`;
  return `${Math.floor(s / 86_400)} d ${Math.floor(s / 3600) % 24} h`;
}

export const count = (n: number, one: string, many: string): string => `${number(n)} ${n === 1 ? one : many}`;
export const time = (text: string): string =>
  new Date(text).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
