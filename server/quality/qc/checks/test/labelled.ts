import { readFileSync } from 'node:fs'
import type { Heard, Said } from '../speech.ts'

const MINUTE = 60_000
const begin = Date.parse('2026-11-16T09:00:00Z')
const roles: Record<string, Said['role']> = { c: 'customer', a: 'agent', b: 'bot', s: 'system' }

/** A conversation with the names of the rules that it fails, as a person labelled it. */
export interface Labelled {
  file: string
  line: number
  heard: Heard
  fails: ReadonlySet<string>
}

/**
 * Conversations of a hosting provider, written and labelled by hand. `== chat secrets,closing` begins one and names what it
 * fails; `c12 text` is the customer after 12 minutes, `a` the agent, `b` a bot, and `ea` an event by the agent. A conversation
 * that nobody answers at last also fails by its longest silence.
 */
export function readLabelled(): Labelled[] {
  return ['chats', 'tickets', 'languages', 'words'].flatMap((file) => {
    const lines = readFileSync(new URL(`labelled/${file}.txt`, import.meta.url), 'utf8').split('\n')
    const begins = lines.flatMap((line, n) => (line.startsWith('== ') ? n : []))
    return begins.map((first, n) => conversationOf(file, first, lines.slice(first, begins[n + 1])))
  })
}

function conversationOf(file: string, first: number, lines: string[]): Labelled {
  const [, kind, labels = ''] = lines[0]!.split(' ') // a conversation has its first line
  if (kind !== 'chat' && kind !== 'ticket') throw new Error(`${file}:${first + 1}: a chat or a ticket?`)
  const said = lines.slice(1).flatMap((line, id): Said[] => {
    if (!line.trim()) return []
    const [, event, role = '', minute, body = ''] = /^(e?)([cabs])(\d+) (.+)$/.exec(line) ?? []
    if (!body) throw new Error(`${file}:${first + id + 2} cannot be read`)
    const at = begin + Number(minute) * MINUTE
    return [{ id, at, kind: event ? 'event' : 'message', role: roles[role]!, body }] // the pattern names the roles
  })
  const fails = new Set(labels.split(',').filter(Boolean))
  if (fails.has('unanswered')) fails.add('silence')
  const heard: Heard = { kind, sourceId: 1, departmentId: 1, staffed: null, now: begin + 10_000 * MINUTE, said }
  return { file, line: first + 1, heard, fails }
}
