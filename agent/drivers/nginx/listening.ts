import { existsSync, readFileSync } from 'node:fs'
import type { Foreign } from './foreign.ts'

const LOCAL = '127.0.0.1'
const onEvery = { '80': /^listen 80[ ;]/m, '443': /^listen 443[ ;]/m } as const

/** Where websites of Innkeeper listen on a port, and where it refuses names that nobody serves. */
export interface Places {
  listens: string[]
  refuses: string[]
}

/**
 * nginx cannot listen on every address while it listens on one of them alone: a reload would fail until a restart. So on a machine
 * where somebody else does that, Innkeeper listens on the same addresses, and on the local one for its own questions.
 * `before`: what it has written so far.
 */
export function placesOf(port: '80' | '443', { addresses, everywhere }: Foreign, before: string | undefined): Places {
  const theirs = addresses.filter((one) => one.endsWith(`:${port}`))
  const all = existsSync('/proc/net/if_inet6') ? [`[::]:${port}`] : []
  const isEverywhere = everywhere.has(port) || (before === undefined ? isOpen(port) : onEvery[port].test(before))
  if (isEverywhere) return { listens: [port, ...all, ...theirs], refuses: [port, ...all] }
  const kept = [...(before ?? '').matchAll(/^listen (\d[\d.]{6,14}:\d{2,3})[ ;]/gm)].map(([, one = '']) => one)
  const alone = [...new Set([...theirs, ...kept])]
  if (!alone.some((one) => !one.startsWith('['))) return { listens: [port, ...all, ...theirs], refuses: [port, ...all] }
  const local = `${LOCAL}:${port}`
  const six = alone.some((one) => one.startsWith('[')) ? [] : all
  return {
    listens: [...new Set([local, ...six, ...alone])].toSorted(),
    refuses: [...(theirs.includes(local) ? [] : [local]), ...six],
  }
}

/** Whether a program listens on this port at every address. */
function isOpen(port: string): boolean {
  const at = `00000000:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .some((line) => {
      const [, local, , state] = line.trim().split(/\s+/)
      return local === at && state === '0A'
    })
}
