import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingNames } from '../kit/app/settings.ts'
import { openRegistry } from '../kit/watch/registry.ts'
import { services } from '../registry.ts'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const names = (text: string, like: RegExp) => new Set([...text.matchAll(like)].map(([name]) => name))

describe('the manual of operators', () => {
  it('explains every setting, and none that does not exist', () => {
    const rows = read('docs/operators/settings.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1] ?? '')
    expect([...names(rows.join(' '), /[A-Z][A-Z0-9_]{3,}/g)].toSorted()).toEqual(settingNames.toSorted())
  })

  it('explains every figure; rules and dashboard use none that does not exist', async () => {
    const away = { kind: 'postgresql', isAway: () => true, pool: () => ({ open: 0, idle: 0, waiting: 0 }) } as const
    const database = away as unknown as Parameters<typeof openRegistry>[0]['database'] // no figure reads it while it is away
    const registry = openRegistry({ database, metrics: services.metrics }, { sockets: () => 0, rounds: new Map() })
    const own = registry.getMetricsAsArray().map(({ name }) => name)
    const known = [...own.filter((name) => name.startsWith('innkeeper_')), 'innkeeper_http_seconds'].toSorted()
    const figure = /\binnkeeper_[a-z_]+/g
    expect(
      [...names(read('docs/operators/monitoring.md'), figure)].filter((name) => name !== 'innkeeper_http').toSorted(),
    ).toEqual(known)
    for (const file of ['innkeeper.rules.yml', 'grafana.json'])
      for (const name of names(read(`packaging/monitoring/${file}`), figure))
        expect(known, file).toContain(name.replace(/^(innkeeper_http_seconds)_(count|sum|bucket)$/, '$1'))
  })
})

describe('the version of Node', () => {
  const manifest = JSON.parse(read('package.json'))

  it('that installs Innkeeper is the same in README, CONTRIBUTING and package.json', () => {
    const oldest = /^>=(\d+)$/.exec(manifest.engines.node)?.[1]
    for (const file of ['README.md', 'CONTRIBUTING.md'])
      expect(names(read(file), /Node \d+ or newer/g), file).toEqual(new Set([`Node ${oldest} or newer`]))
  })

  it('that runs Innkeeper is the one that comes with it', () => {
    const brought = new Set(
      Object.values<string>(manifest.optionalDependencies).map((version) => version.split('.')[0]),
    )
    expect(brought).toEqual(new Set([/const OLDEST = (\d+)/.exec(read('server/main.js'))?.[1]]))
  })
})
