import { fullName } from './names.ts'
import type { Entry } from './records.ts'

/**
 * A warning about a name that looks complete and was completed with the zone, because its final dot is missing: it ends
 * like the zone, as in `www.example.org.example.org`. Undefined for all other records.
 */
export function forgottenDot({ name, content }: Pick<Entry, 'name' | 'content'>, zone: string): string | undefined {
  const top = zone.split('.').at(-1)
  const labels = name.split('.')
  const full = fullName(name, zone)
  if (labels.length > 1 && labels.at(-1) === top)
    return `${full}: the name looks complete without ${zone}. A complete name ends with a dot: ${name}.`
  const target = content.split(' ').at(-1) ?? ''
  if (target.endsWith(`.${zone}.${zone}.`) || target === `${zone}.${zone}.`)
    return `${full}: ${target} contains ${zone} twice. A complete name ends with a dot: ${target.slice(0, -zone.length - 1)}`
  return undefined
}
