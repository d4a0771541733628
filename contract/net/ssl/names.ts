import { servedName } from '../../kit/values.ts'

/** A name in a certificate form: `www` or `www.shop.example`. */
export function readName(text: string, domain: string): string | undefined {
  const typed = text.trim().replace(/\.$/, '')
  const whole = /^(\*|[^.]+)$/.test(typed) ? `${typed}.${domain}` : typed
  const read = servedName.safeParse(whole)
  return read.success ? read.data : undefined
}
/** Whether a certificate for these names covers a name: `*.x` covers `a.x`, but neither `x` nor `a.b.x`. */
export const covers = (names: readonly string[], name: string): boolean =>
  names.includes(name) || names.includes(name.replace(/^[^.]+/, '*'))
