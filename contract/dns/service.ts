import { type Read, readTarget } from './names.ts'
import { quoted, unquote } from './txt.ts'

/** Keys of service parameters by their numbers (RFC 9460). */
const serviceKeys = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint']
/** Content of an SVCB or HTTPS record: priority, target and parameters in the order of their numbers. */
export function readService(content: string, zone: string): Read<string> {
  const words = content.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? []
  const [priority = '', host, ...rest] = words
  if (!/^\d{1,5}$/.test(priority) || Number(priority) > 65535 || host === undefined)
    return { problem: 'Priority, target and parameters: 1 . alpn=h2,h3' }
  const to = readTarget(host, zone, true)
  if (to.value === undefined) return to
  if (priority === '0' && rest.length) return { problem: 'An alias (priority 0) has no parameters' }
  const found = new Map<number, string>()
  for (const word of rest) {
    const at = word.indexOf('=')
    const key = (at < 0 ? word : word.slice(0, at)).toLowerCase()
    const known = serviceKeys.indexOf(key)
    const id = known >= 0 ? known : /^key\d{1,5}$/.test(key) ? Number(key.slice(3)) : -1
    if (id < 0 || id > 65535) return { problem: `${key.slice(0, 30)} is not a parameter` }
    if (found.has(id)) return { problem: `${key} is stated twice` }
    const raw = at < 0 ? '' : word.slice(at + 1)
    const bytes = raw.startsWith('"') ? unquote(raw)?.[0] : unquote(`"${raw.replaceAll('"', '\\"')}"`)?.[0]
    if (!bytes) return { problem: `The value of ${key} cannot be read` }
    const value = String.fromCharCode(...bytes)
    const name = serviceKeys[id] ?? `key${id}`
    if (id === 2) {
      if (value) return { problem: 'no-default-alpn has no value' }
      found.set(id, name)
    } else if (!value && id < serviceKeys.length) return { problem: `${name} needs a value` }
    else if (id === 3 && !(/^\d{1,5}$/.test(value) && Number(value) <= 65535)) return { problem: 'port is a number' }
    else if (id >= serviceKeys.length) found.set(id, value ? `${name}=${quoted(bytes)}` : name)
    else found.set(id, id === 5 ? `${name}="${value}"` : `${name}=${value}`)
  }
  const params = [...found].sort(([a], [b]) => a - b).map(([, param]) => param)
  return { value: [Number(priority), to.value, ...params].join(' ') }
}
