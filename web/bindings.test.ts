import { globSync, readFileSync } from 'node:fs'
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

test('every form of a call that takes a version knows the version that it opened, so that no change of others is lost', async () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  const modules: Record<string, object>[] = await Promise.all(
    globSync('*/*/api.ts', { cwd: import.meta.dirname }).map((file) => import(join(import.meta.dirname, file))),
  )
  const known = new Map(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([api, client]) =>
        Object.entries(client ?? {}).flatMap(([call, bound]) =>
          isBound(bound) ? [[`${api}.${call}`, bound.endpoint] as const] : [],
        ),
      ),
    ),
  )
  const edits = globSync('*/*/**/*.{ts,tsx}', { cwd: import.meta.dirname }).flatMap((file) => {
    const text = read(file)
    return [...text.matchAll(/useCallForm\(\s*(\w+)\.(\w+)/g)].flatMap(([, api = '', call]) =>
      'version' in (known.get(`${api}.${call}`)?.schemas.body?.shape ?? {}) ? [{ file, text }] : [],
    )
  })
  expect(edits.length).toBeGreaterThan(50)
  // the settings of text messages spread the whole stored row
  const without = edits.filter(({ text }) => !/\bversion\b|initial: (settings|opened)\b|\.\.\.stored\b/.test(text))
  expect(without.map(({ file }) => file)).toEqual([])
})
