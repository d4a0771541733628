import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { expect, test } from 'vitest'
import type { Bound } from './kit/api/client.ts'

const isBound = (value: unknown): value is Bound<Endpoint> =>
  typeof value === 'function' && 'key' in value && 'endpoint' in value

/** Every call that an api.ts of the web binds. */
async function readBindings(): Promise<Bound<Endpoint>[]> {
  const files = globSync('*/*/api.ts', { cwd: import.meta.dirname })
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(import.meta.dirname, file))),
  )
  const clients = modules.flatMap((module) => Object.values(module))
  return clients
    .flatMap((client) => (typeof client === 'object' && client ? Object.values(client) : []))
    .filter(isBound)
}

test('no two calls share a query key', async () => {
  const bindings = await readBindings()
  expect(bindings.length).toBeGreaterThan(200)
  const calls = Map.groupBy(bindings, ({ key }) => key.join(' '))
  const shared = [...calls].filter(([, bound]) => new Set(bound.map(({ endpoint }) => endpoint)).size > 1)
  expect(shared.map(([key]) => key)).toEqual([])
})
