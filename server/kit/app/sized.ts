/** Bytes as people read them: `512 B`, `1.2 GB`. */
export function sized(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let at = 0
  for (; value >= 1000 && at < units.length - 1; at++) value /= 1024
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`
}
