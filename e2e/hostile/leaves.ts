import { operations } from '@innkeeper/contract/agent/operations'
import * as z from 'zod'
import { marks, rules } from './grammar.ts'
import type { Rule } from './rule.ts'

/** Path of one value in an operation's input: `limits.memoryMb`, `aliases.0`. */
export interface Leaf {
  operation: keyof typeof operations
  at: (string | number)[]
  rule: Rule
}
interface Json {
  properties?: Record<string, Json>
  items?: Json
  oneOf?: Json[]
}

/** All values of all operations of the contract. A field without a rule is an error: add its rule here. */
export const leaves: Leaf[] = Object.entries(operations).flatMap(([operation, schema]) => {
  const walk = (json: Json, at: (string | number)[]): Leaf[] => {
    const name = at.findLast((key) => typeof key === 'string') ?? ''
    if (json.properties && rules[name] !== marks)
      return Object.entries(json.properties).flatMap(([key, inner]) => walk(inner, [...at, key]))
    if (json.oneOf) return json.oneOf.flatMap((one) => walk(one, at))
    if (json.items) return walk(json.items, [...at, 0])
    const found = rules[`${operation} ${at.join('.')}`] ?? rules[`${operation} ${name}`] ?? rules[name]
    if (!found) throw new Error(`${operation} takes ${name}: add a rule for it in e2e/hostile/grammar.ts`)
    return [{ operation: operation as Leaf['operation'], at, rule: found }] // a key of that object
  }
  return walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, []) // JSON Schema has these keys
})
export const nameOf = ({ operation, at }: Leaf) => `${operation} ${at.join('.')}`
